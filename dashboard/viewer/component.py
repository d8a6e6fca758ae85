"""The table as a component of a Streamlit page."""

import streamlit as st

from arena.terms import Lang, Seat
from arena.transcript import Transcript
from dashboard.scene import scene, setting, view_code
from dashboard.viewer import markup, script, style

_component = st.components.v2.component("duskwald_table", html=markup(), css=style(), js=script("component"))


def table(
    transcript: Transcript, seat: Seat, lang: Lang, start: int, jump: int, *, beside: bool, fork: bool
) -> int | None:
    """Put the table on the page: the view of `seat` from the event number `start`.

    A game that is shown already stays at its moment, unless `jump` is another number than before. With something
    else `beside` it, it leaves out its own panel where there would be no room for both.
    With `fork` it has a button for playing on from the event that is shown; its number is returned once it is pressed.

    Raises:
        UnusableInput: that view is not open.
    """
    address = {"file": str(transcript.path), "view": view_code(seat)}
    data = {**setting(transcript, lang), **scene(transcript, seat, lang), "address": address}
    data |= {"start": start, "jump": jump, "beside": beside, "fork": fork}
    # Within a list, because Streamlit looks for data frames in a mapping, and loads pandas (a second) to do so.
    result = _component(key="table", data=[data], on_fork_change=_pressed)
    return result.fork if isinstance(result.fork, int) else None


def _pressed() -> None:
    """Nothing more to do: the page runs again, and then knows of it."""
