"""The replay room: a game from its transcript, step by step, in the view that was asked for."""

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from arena.events import Began, seen_by
from arena.terms import GOD, SPECTATOR, DuskwaldError, Lang, Seat, UnusableInput
from arena.texts import texts
from arena.transcript import Transcript
from arena.transcript.viewing import open_views, shown_to
from dashboard import library
from dashboard.choices import choice, chosen_language, language_switch
from dashboard.panels.component import panels
from dashboard.rooms.finding import found
from dashboard.rooms.visiting import brought_along
from dashboard.scene import view_code, view_name
from dashboard.viewer.component import table


def room(lang: Lang) -> None:
    """The whole page. Nothing of the transcript goes further than `shown_to` lets it."""
    words = texts(lang, "dashboard")
    start = event_number(st.query_params.get("event", ""))
    transcript = seat = None
    problem = words["no_games"]
    with st.container(horizontal=True, vertical_alignment="center", key="choices"):
        search = st.container(horizontal=True, vertical_alignment="center", width="content", key="search")
        with search:
            transcript = brought_along(lang)
        try:
            if transcript is None:
                transcript, start = chosen_game(search, start, lang)
            if transcript is not None:
                seat = chosen_view(open_views(transcript), lang)
        except DuskwaldError as error:
            problem = words["unreadable"].format(reason=error)
        language_switch(lang)
        if transcript is not None and transcript.outcome is None:
            st.caption(words["people" if len(open_views(transcript)) == 1 else "unfinished"])
    if transcript is None or seat is None:
        # A foreign file can put anything into this message, so it is shown as bare text.
        st.text(problem)
        return
    shown = shown_to(transcript, seat)
    if shown.events and isinstance(shown.events[0], Began):
        table(transcript, seat, lang, start)
        fork_here(transcript, seat, lang)
        panels(transcript, seat, lang)
    else:
        st.text(words["empty"])


def chosen_game(search: DeltaGenerator, start: int, lang: Lang) -> tuple[Transcript | None, int]:
    """The game that is chosen among those here, if there are any, and the event to start from in it.

    What is looked for among them is put into `search`.

    Raises:
        UnusableInput: the game that the address asks for is not here, or the one that is chosen can't be read.
    """
    words = texts(lang, "dashboard")
    files = library.files()
    if not files:
        return None, 0
    with search:
        names = found(files, lang)
    given = st.query_params.get("file")
    # What is shown already stays in the list, whatever is looked for.
    offered = names if given is None or given in names or given not in files else [given, *names]
    if not offered:
        raise UnusableInput(words["not_found"])
    asked, name = choice("file", words["game"], offered, str, width=320)
    if given is not None and given not in files and name == asked:
        raise UnusableInput(words["not_there"].format(file=given))
    return library.open_transcript(name), start if name == asked else 0


def chosen_view(views: tuple[Seat, ...], lang: Lang) -> Seat:
    """Whose eyes to see the game with."""
    words = texts(lang, "dashboard")
    seats = {view_code(seat): seat for seat in (SPECTATOR, GOD, *views) if seat in views}
    _, picked = choice("view", words["view"], list(seats), lambda code: view_name(seats[code], lang), width=180)
    return seats[picked]


def fork_here(transcript: Transcript, seat: Seat, lang: Lang) -> None:
    """A button that leads to the lobby, where this game is played on from the moment that is shown."""
    name = transcript.path.as_posix()
    if name not in library.files() or len(open_views(transcript)) == 1:
        return
    if st.button(texts(lang, "lobby")["fork_here"]):
        shown = event_number(st.query_params.get("event", ""))
        seen = [place for place, event in enumerate(transcript.events, start=1) if seen_by(event, seat)]
        at = seen[min(shown, len(seen) - 1)]
        st.switch_page("rooms/lobby.py", query_params={"fork": name, "at": str(at), "lang": lang})


def event_number(given: str) -> int:
    """The event of a view that an address gives; the first one where that is no number."""
    return int(given) if given.isdecimal() and len(given) < 9 else 0


room(chosen_language())
