"""What a visitor has chosen. Choices stand in the address, so that a link, and Back, lead to the same page."""

from collections.abc import Callable, Sequence

import streamlit as st

from arena.terms import LANGUAGES, Lang
from arena.texts import texts


def chosen_language() -> Lang:
    """The language of the pages: the one chosen here or in the address, else the browser's own."""
    _follow("lang", _asked("lang", _languages()))
    lang: Lang = st.session_state["lang"]
    return lang


def language_switch(lang: Lang) -> None:
    """The switch between the languages; a change counts from the next run of the page on."""
    words = texts(lang, "dashboard")
    st.segmented_control(
        words["language"],
        LANGUAGES,
        key="lang",
        required=True,
        format_func=lambda code: words[f"language.{code}"],
        label_visibility="collapsed",
    )
    _keep("lang", _asked("lang", _languages()), lang)


def room_bar(lang: Lang, *others: str) -> None:
    """Links to the `others` of the rooms, and the switch between the languages."""
    with st.container(horizontal=True, vertical_alignment="center", key="choices"):
        room_links(lang, *others)
        language_switch(lang)


def room_links(lang: Lang, *others: str) -> None:
    """Links to the `others` of the rooms."""
    titles = {
        "replay": texts(lang, "dashboard")["replay"],
        "lobby": texts(lang, "lobby")["title"],
        "watching": texts(lang, "watching")["title"],
    }
    for room in others:
        st.page_link(f"rooms/{room}.py", label=titles[room], query_params={"lang": lang}, width="content")


def _languages() -> tuple[Lang, ...]:
    """The languages, the browser's own first."""
    return tuple(sorted(LANGUAGES, key=lambda lang: lang != (st.context.locale or "")[:2]))


def choice(key: str, label: str, codes: Sequence[str], name: Callable[[str], str], *, width: int) -> tuple[str, str]:
    """A select box over `codes`: what the address asked for (by default the first one), and what is chosen now.

    `name` gives what the visitor reads, `width` is in pixels. What is chosen goes into the address; what comes into
    the address by a link or by Back is chosen, unless it is not among `codes`.
    """
    asked = _asked(key, codes)
    _follow(key, asked)
    if st.session_state[key] not in codes:
        st.session_state[key] = asked
    picked: str = st.selectbox(label, codes, key=key, format_func=name, width=width, label_visibility="collapsed")
    _keep(key, asked, picked)
    return asked, picked


def _asked(key: str, codes: Sequence[str]) -> str:
    given = st.query_params.get(key)
    return given if given is not None and given in codes else codes[0]


def _follow(key: str, asked: str) -> None:
    """Choose what the address asks for, if that is news, or if the choice was not on the page for a while."""
    if key not in st.session_state or st.session_state.get(f"{key} in the address") != asked:
        st.session_state[key] = asked


def _keep(key: str, asked: str, value: str) -> None:
    """Bring `value` into the address, unless that asks for it already."""
    if value != asked:
        st.query_params[key] = value
    st.session_state[f"{key} in the address"] = value
