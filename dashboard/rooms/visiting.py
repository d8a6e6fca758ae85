"""A file that a visitor opens: it lives in the visitor's session and nowhere else."""

import streamlit as st

from arena.terms import DuskwaldError, Lang
from arena.texts import texts
from arena.transcript import Transcript
from dashboard.upload import LARGEST, opened

_BUTTON = '.st-key-upload-file button[data-testid="stBaseButton-secondary"]'
_ROUND = "uploads so far"


def brought_along(lang: Lang) -> Transcript | None:
    """The transcript that the visitor has opened, if there is one; what is wrong with a file is said below it."""
    words = texts(lang, "panels")
    before = st.session_state.setdefault(_ROUND, 0)
    with st.popover(words["upload"], icon=None, key="upload"):
        # The words of the uploader itself are English whatever the page speaks; ours take their place.
        st.html(f'<style>{_BUTTON}::after {{ content: "{words["upload_button"]}"; }}</style>')
        below = st.container(key="upload-file")
        with below:
            file = st.file_uploader(words["upload_label"].format(size=LARGEST), key=f"upload {before}")
    if file is None:
        return None
    try:
        transcript = _opened(file.file_id, file.name, file.getvalue(), lang)
    except DuskwaldError as error:
        # The name of a file can be anything, so this is bare text.
        below.text(str(error))
        return None
    st.text(words["uploaded"].format(name=transcript.path))
    if st.button(words["upload_close"], key="close upload"):
        st.session_state[_ROUND] = before + 1
        st.session_state.pop("uploaded", None)
        for key in ("file", "event"):  # the address speaks of what is closed
            st.query_params.pop(key, None)
        st.rerun()
    return transcript


def _opened(file_id: str, name: str, data: bytes, lang: Lang) -> Transcript:
    """The transcript in a file; one that was found to be sound is not read again with every change of the page."""
    kept = st.session_state.get("uploaded")
    if kept and kept[0] == file_id:
        transcript: Transcript = kept[1]
        return transcript
    transcript = opened(name, data, lang)
    st.session_state["uploaded"] = (file_id, transcript)
    return transcript
