"""The replay room: a game from its transcript, step by step, in the view that was asked for."""

from collections.abc import Mapping

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from arena.events import Began
from arena.terms import GOD, SPECTATOR, DuskwaldError, Lang, Seat, UnusableInput
from arena.texts import texts
from arena.transcript import Transcript
from arena.transcript.viewing import open_views, shown_to
from dashboard import library
from dashboard.choices import choice, chosen_language, language_switch, room_links
from dashboard.indexing import File
from dashboard.panels.component import chosen_panel, panel
from dashboard.rooms.finding import found, jumps
from dashboard.rooms.visiting import brought_along
from dashboard.scene import view_code, view_name
from dashboard.viewer.component import table


def room(lang: Lang) -> None:
    """The whole page. Nothing of the transcript goes further than `shown_to` lets it."""
    words = texts(lang, "dashboard")
    start = event_number(st.query_params.get("event", ""))
    files = library.files()
    transcript = seat = None
    problem = words["no_games"]
    page = st.container(key="room")
    with page.container(horizontal=True, vertical_alignment="center", key="choices"):
        search = st.container(horizontal=True, vertical_alignment="center", width="content", key="search")
        with search:
            room_links(lang, "lobby", "watching")
            transcript = brought_along(lang)
        here = transcript is None
        try:
            if transcript is None:
                transcript, start = chosen_game(files, search, start, lang)
            if transcript is not None:
                seat = chosen_view(open_views(transcript), lang)
        except DuskwaldError as error:
            problem = words["unreadable"].format(reason=error)
        language_switch(lang)
        if transcript is not None and transcript.outcome is None:
            st.caption(words["people" if len(open_views(transcript)) == 1 else "unfinished"])
    with page:
        if transcript is None or seat is None:
            # A foreign file can put anything into this message, so it is shown as bare text.
            st.text(problem)
        elif shown_to(transcript, seat).events[:1] and isinstance(transcript.events[0], Began):
            game(transcript, seat, lang, start, here=here)
        else:
            st.text(words["empty"])


def game(transcript: Transcript, seat: Seat, lang: Lang, start: int, *, here: bool) -> None:
    """The table of `transcript` in the view of `seat`, and beside or below it what belongs to the whole game.

    `here`: it is among the files here, so it can be played on.
    """
    middle = st.container(key="middle")
    with st.container(key="choose"):
        name = chosen_panel(transcript, seat, lang)
    fork = here and len(open_views(transcript)) > 1
    with middle:
        at = table(transcript, seat, lang, start, jumps(), beside=name is not None, fork=fork)
    if at is not None and fork:
        address = {"fork": transcript.path.as_posix(), "at": str(at), "lang": lang}
        st.switch_page("rooms/lobby.py", query_params=address)
    if name is not None:
        with st.container(key="panels"):
            panel(transcript, seat, lang, name)


def chosen_game(
    files: Mapping[str, File], search: DeltaGenerator, start: int, lang: Lang
) -> tuple[Transcript | None, int]:
    """The game that is chosen among `files`, if there are any, and the event to start from in it.

    What is looked for among them is put into `search`.

    Raises:
        UnusableInput: the game that the address asks for is not here, or the one that is chosen can't be read.
    """
    words = texts(lang, "dashboard")
    if not files:
        return None, 0
    with search:
        # Where nothing is found, the search says so, and the games stay.
        names = found(files, lang) or list(files)
    given = st.query_params.get("file")
    # What is shown already stays in the list, whatever is looked for.
    offered = names if given is None or given in names or given not in files else [given, *names]
    asked, name = choice("file", words["game"], offered, str, width=300)
    if given is not None and given not in files and name == asked:
        raise UnusableInput(words["not_there"].format(file=given))
    return library.open_transcript(name, files), start if name == asked else 0


def chosen_view(views: tuple[Seat, ...], lang: Lang) -> Seat:
    """Whose eyes to see the game with."""
    words = texts(lang, "dashboard")
    seats = {view_code(seat): seat for seat in (SPECTATOR, GOD, *views) if seat in views}
    _, picked = choice("view", words["view"], list(seats), lambda code: view_name(seats[code], lang), width=160)
    return seats[picked]


def event_number(given: str) -> int:
    """The number of the event that an address gives, from 1; 0 where that is no number."""
    return int(given) if given.isdecimal() and len(given) < 9 else 0


room(chosen_language())
