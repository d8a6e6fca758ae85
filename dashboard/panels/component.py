"""The tables on a page of Streamlit: one is opened at a time, beside or below the table, and tells all of the game."""

import streamlit as st

from arena.terms import GOD, SPECTATOR, Lang, Seat
from arena.texts import seat_names, texts
from arena.transcript import Transcript
from dashboard.panels.beliefs import beliefs
from dashboard.panels.prompts import prompts
from dashboard.panels.thoughts import Thought, thoughts
from dashboard.panels.words import SHEETS, Words, offered
from dashboard.viewer import sheet_script, sheet_style

_MARKUP = '<div class="dw sheet"></div>'
_component = st.components.v2.component("duskwald_sheet", html=_MARKUP, css=sheet_style(), js=sheet_script())


def chosen_panel(transcript: Transcript, seat: Seat, lang: Lang) -> str | None:
    """The name of the table that is chosen among those of the view of `seat`, if one is."""
    words = texts(lang, "panels")
    names = offered(transcript, seat)
    if st.session_state.get("panel") not in names:
        st.session_state["panel"] = None
    name: str | None = st.selectbox(
        words["choose"],
        names,
        index=None,
        key="panel",
        placeholder=words["choose"],
        format_func=lambda name: words["names"][name],
        label_visibility="collapsed",
    )
    return name


def panel(transcript: Transcript, seat: Seat, lang: Lang, name: str) -> None:
    """The table of that name in the view of `seat`.

    Raises:
        UnusableInput: that view is not open.
    """
    shown = SPECTATOR if name in ("factions", "beliefs") else _picked(transcript, lang)
    _chart(transcript, seat, lang, name)
    sheet = SHEETS[name](Words(transcript, seat, lang))
    _component(key=f"sheet {name}", data=[sheet.of(shown).data(lang, judged=seat == GOD)])
    if name == "thoughts":
        _prompt(transcript, seat, lang, shown)


def _picked(transcript: Transcript, lang: Lang) -> Seat:
    """The seat whose rows are picked out; 0 for all rows."""
    words = texts(lang, "panels")
    seats = range(1, transcript.header.players + 1)
    picked: Seat | None = st.pills(words["seats"], seats, key="panel seat", format_func=str)
    return picked or SPECTATOR


def _chart(transcript: Transcript, seat: Seat, lang: Lang, name: str) -> None:
    # Only here, because Altair takes half a second to load, which no page without a chart should wait for.
    from dashboard.panels.charts import CHARTS, beliefs_charts

    words = texts(lang, "panels")
    if name == "beliefs":
        charts = beliefs_charts(transcript, seat, lang, _holder(transcript, seat, lang))
    else:
        charts = CHARTS[name](transcript, seat, lang) if name in CHARTS else []
    with st.container(horizontal=True):
        for place, chart in enumerate(charts):
            label = words["chart"][name]
            if name == "votes":
                st.altair_chart(chart, width="content", key=f"chart {name} {place}", alt=label)
            else:
                st.altair_chart(chart, width="stretch", key=f"chart {name} {place}", alt=label)


def _holder(transcript: Transcript, seat: Seat, lang: Lang) -> Seat:
    """Whose beliefs to show; 0 for the mean of all."""
    words = texts(lang, "panels")
    holders = sorted({belief.holder for belief in beliefs(transcript, seat)})
    if not holders:
        return SPECTATOR

    def called(holder: Seat) -> str:
        return seat_names(lang, [holder]).capitalize() if holder else str(words["mean"])

    return st.selectbox(words["holder"], [SPECTATOR, *holders], format_func=called, width=240)


def _prompt(transcript: Transcript, seat: Seat, lang: Lang, shown: Seat) -> None:
    """The prompt of one request, rendered again when it is asked for."""
    words, names = texts(lang, "panels"), Words(transcript, seat, lang)
    sent = [thought for thought in thoughts(transcript, seat) if thought.calls]
    if not sent:
        st.caption(words["no_prompts"])
        return
    sent = [thought for thought in sent if shown in (SPECTATOR, thought.request.seat)]

    def label(thought: Thought) -> str:
        request = thought.request
        when = names.when(thought.moment)
        return str(words["request_of"]).format(when=when, seat=names.name(request.seat), topic=names.topic(request))

    chosen = st.selectbox(words["request"], range(len(sent)), index=None, format_func=lambda place: label(sent[place]))
    if chosen is None:
        return
    request = sent[chosen].request
    rendered = prompts(transcript, seat, request.seat, request.n)
    for number, prompt in enumerate(rendered, start=1):
        if len(rendered) > 1:
            st.caption(words["attempt"].format(number=number, of=len(rendered)))
        st.caption(words["sent" if prompt.same else "changed"])
        for part, text in (("user", prompt.user), ("system", prompt.system)):
            with st.expander(words[part], expanded=part == "user"):
                st.code(text, language=None, wrap_lines=True)
