"""The table: a component of plain HTML, CSS and JavaScript that steps through the frames of a view.

It is given only what the view holds. All text enters the page as text, never as markup.
"""

from collections.abc import Sequence
from pathlib import Path

import streamlit as st

from arena.events import View
from arena.terms import GOD, SPECTATOR, Lang, Seat
from arena.texts import seat_names, texts
from arena.transcript import Header
from dashboard.frames import frames


def _read(*names: str) -> str:
    return "\n".join(Path(__file__).with_name(name).read_text(encoding="utf-8") for name in names)


_component = st.components.v2.component(
    "duskwald_table", html=_read("table.html"), css=_read("table.css"), js=_read("geometry.js", "table.js")
)


def view_code(seat: Seat) -> str:
    """How an address speaks of the view of `seat`."""
    return {SPECTATOR: "public", GOD: "god"}.get(seat, str(seat))


def table(header: Header, view: View, lang: Lang, start: int, *, game: str, moments: Sequence[int]) -> None:
    """Put the table on the page, showing `view` from its event number `start`.

    `header` says how many seats there are and what a sheriff's vote weighs; `game` tells games apart. `moments`, if
    there are any, number the events of the view so that another view of the game can go on at the same one.
    """
    words = texts(lang, "dashboard")["viewer"]
    note = {SPECTATOR: "note.public", GOD: "note.god"}.get(view.seat, "note.seat")
    told = frames(view, lang)
    data = {
        "address": {"file": game, "view": view_code(view.seat)},
        "lang": lang,
        "words": {**words, "note": words[note].format(seat=seat_names(lang, [view.seat]))},
        "names": [seat_names(lang, [seat]).capitalize() for seat in range(header.players + 1)],
        "you": max(view.seat, SPECTATOR),
        "weight": str(header.ruleset.rules["sheriff.weight"]),
        "start": start,
        "frames": told,
        "moments": [moments[frame["event"]] for frame in told] if moments else [],
    }
    _component(key="table", data=data)
