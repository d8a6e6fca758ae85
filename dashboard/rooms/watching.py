"""What is being played now: the games of the lobby that everybody may watch, and those that other processes write."""

import time
from pathlib import Path

import streamlit as st

from arena.terms import Lang
from arena.texts import texts
from dashboard import current, library
from dashboard.choices import chosen_language, room_bar
from dashboard.host import Host
from dashboard.hosting.api import title
from dashboard.hosting.api_watch import is_listed
from dashboard.hosting.links import page_of_file
from dashboard.index import UNFINISHED, Wanted

FRESH = 120.0  # seconds since something was written to a file that count as being played


@st.fragment(run_every=3)
def room(host: Host, lang: Lang) -> None:
    """Both lists."""
    words = texts(lang, "watching")
    st.subheader(words["listed"])
    games = [game for game in host.games if is_listed(game)]
    if not games:
        st.text(words["none"])
    for game in games:
        st.link_button(f"{title(game, lang)} · {words['states'][game.status]}", f"/watch/{game.id}?lang={lang}")
    others = _written_elsewhere({game.path.resolve() for game in host.games})
    if others:
        st.subheader(words["others"])
    for name in others:
        st.link_button(name, page_of_file(name, lang))


def _written_elsewhere(own: set[Path]) -> list[str]:
    """The unfinished games that are being written and are none of the host's `own`."""
    files = library.files()
    fresh = time.time() - FRESH
    written = {name: file for name, file in files.items() if file.stamp[1] / 1e9 > fresh}
    if not written:
        return []
    unfinished = set(library.index_of(files)[0].names(Wanted(winner=UNFINISHED), len(files))[0])
    return [name for name, file in written.items() if name in unfinished and Path(file.path).resolve() not in own]


def page() -> None:
    """The room, where this process has a host."""
    lang = chosen_language()
    room_bar(lang, "replay", "lobby")
    if current.host is None or current.site is None:
        st.text(texts(lang, "lobby")["no_host"])
        return
    words = texts(lang, "watching")
    room(current.host, lang)
    st.text(words["share"])
    st.code(f"{current.site.link}/playing", language=None)


page()
