"""The replay room: a game from its transcript, step by step, in the view that was asked for."""

from bisect import bisect_right

import streamlit as st

from arena.events import Began, seen_by
from arena.terms import GOD, SPECTATOR, DuskwaldError, Lang, Seat, UnusableInput
from arena.texts import seat_names, texts
from arena.transcript import Transcript
from arena.transcript.viewing import open_views, shown_to
from dashboard import library
from dashboard.choices import choice, chosen_language, language_switch
from dashboard.viewer import table


def room(lang: Lang) -> None:
    """The whole page. Nothing of the transcript goes further than `shown_to` lets it."""
    words = texts(lang, "dashboard")
    name, transcript, seat = "", None, SPECTATOR
    problem = words["no_games"]
    with st.container(horizontal=True, vertical_alignment="center", key="choices"):
        names = library.names()
        asked = st.query_params.get("file")
        if names:
            name = choice("file", words["game"], names, str, width=360)
            try:
                if asked and asked not in names:
                    raise UnusableInput(words["not_there"].format(file=asked))
                transcript = library.open_transcript(name)
                seat = chosen_view(open_views(transcript), lang)
            except DuskwaldError as error:
                problem = words["unreadable"].format(reason=error)
        language_switch(lang)
        if transcript and transcript.outcome is None:
            st.caption(words["people" if len(open_views(transcript)) == 1 else "unfinished"])
    if transcript is None:
        # A foreign file can put anything into this message, so it is shown as bare text.
        st.text(problem)
        return
    shown = shown_to(transcript, seat)
    if shown.events and isinstance(shown.events[0], Began):
        table(transcript.header, shown, lang, start=starting_event(name, transcript, seat), game=name)
    else:
        st.text(words["empty"])


def chosen_view(views: tuple[Seat, ...], lang: Lang) -> Seat:
    """Whose eyes to see the game with."""
    words = texts(lang, "dashboard")
    seats = {"public": SPECTATOR, "god": GOD, **{str(seat): seat for seat in views if seat > SPECTATOR}}
    names = {"public": words["view.public"], "god": words["view.god"]}
    codes = [code for code, seat in seats.items() if seat in views]
    picked = choice(
        "view",
        words["view"],
        codes,
        lambda code: names.get(code) or words["view.seat"].format(seat=seat_names(lang, [seats[code]])),
        width=180,
    )
    return seats[picked]


def starting_event(name: str, transcript: Transcript, seat: Seat) -> int:
    """With which event of the view of `seat` to start.

    The address counts the events of the view it was made for. When another view is chosen on the page, the
    same moment of the game is found in it.
    """
    given = st.query_params.get("event", "")
    start = int(given) if given.isdecimal() and len(given) < 9 else 0
    last_name, last_seat = st.session_state.get("shown", (name, seat))
    st.session_state["shown"] = (name, seat)
    if (last_name, last_seat) == (name, seat):
        return start
    if last_name == name:
        before, now = (_numbers(transcript, viewer) for viewer in (last_seat, seat))
        start = max(0, bisect_right(now, before[min(start, len(before) - 1)]) - 1)
    else:
        start = 0
    st.query_params["event"] = str(start)
    return start


def _numbers(transcript: Transcript, seat: Seat) -> list[int]:
    """The places of the events of a view among all events."""
    return [number for number, event in enumerate(transcript.events) if seen_by(event, seat)]


room(chosen_language())
