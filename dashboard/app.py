"""The router: Streamlit runs this file for each visitor and each change. One room is one file in ``rooms/``."""

from pathlib import Path

import streamlit as st

from arena.texts import texts
from dashboard.choices import chosen_language

_HERE = Path(__file__).parent
words = texts(chosen_language(), "dashboard")

# Streamlit shows its menu, and with it the choice between light and dark, only where there is something in it.
# A page must have no Material icon: the browser would fetch it from another host as the icon of its tab.
st.set_page_config(words["title"], str(_HERE / "icon.svg"), layout="wide", menu_items={"About": words["about"]})
st.html(_HERE / "page.css")
lobby = texts(chosen_language(), "lobby")["title"]
watching = texts(chosen_language(), "watching")["title"]
rooms = [
    st.Page("rooms/replay.py", title=words["replay"], default=True),
    st.Page("rooms/lobby.py", title=lobby),
    st.Page("rooms/watching.py", title=watching),
]
st.navigation(rooms, position="hidden").run()
