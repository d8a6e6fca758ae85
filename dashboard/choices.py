"""What a visitor has chosen. Choices stand in the address, so that a link leads to the same page."""

from collections.abc import Callable, Sequence

import streamlit as st

from arena.terms import LANGUAGES, Lang
from arena.texts import texts


def chosen_language() -> Lang:
    """The language of the pages: the one chosen here or in the address, else the browser's own."""
    given = st.session_state.get("lang") or st.query_params.get("lang")
    for lang in LANGUAGES:
        if lang == given:
            return lang
    return "en" if (st.context.locale or "").startswith("en") else "zh"


def language_switch(lang: Lang) -> None:
    """The switch between the languages; a change counts from the next run of the page on."""
    words = texts(lang, "dashboard")
    st.session_state["lang"] = lang
    st.segmented_control(
        words["language"],
        LANGUAGES,
        key="lang",
        required=True,
        format_func=lambda code: words[f"language.{code}"],
        label_visibility="collapsed",
    )
    _keep("lang", lang)


def choice(key: str, label: str, codes: Sequence[str], name: Callable[[str], str], *, width: int) -> str:
    """A select box over `codes` that keeps its choice in the address; the first one is the default.

    `name` gives what the visitor reads, `width` is in pixels. A choice in the address that is not among `codes`
    is dropped.
    """
    if st.session_state.get(key) not in codes:
        given = st.query_params.get(key)
        st.session_state[key] = given if given in codes else codes[0]
    picked: str = st.selectbox(label, codes, key=key, format_func=name, width=width, label_visibility="collapsed")
    _keep(key, picked)
    return picked


def _keep(key: str, value: str) -> None:
    if st.query_params.get(key) != value:
        st.query_params[key] = value
