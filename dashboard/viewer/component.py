"""The table as a component of a Streamlit page."""

import streamlit as st

from arena.terms import Lang, Seat
from arena.transcript import Transcript
from dashboard.scene import scene, setting, view_code
from dashboard.viewer import markup, script, style

_component = st.components.v2.component("duskwald_table", html=markup(), css=style(), js=script("component"))


def table(transcript: Transcript, seat: Seat, lang: Lang, start: int) -> None:
    """Put the table on the page: the view of `seat` from its event number `start`.

    Raises:
        UnusableInput: that view is not open.
    """
    address = {"file": str(transcript.path), "view": view_code(seat)}
    data = {**setting(transcript, lang), **scene(transcript, seat, lang), "address": address, "start": start}
    _component(key="table", data=data)
