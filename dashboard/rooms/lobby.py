"""The lobby: lay a table, hand out its links, and see what is being played."""

import secrets
from collections.abc import Callable, Coroutine
from typing import Any

import streamlit as st

from arena.terms import DuskwaldError, Lang
from arena.texts import texts
from arena.transcript import Transcript
from dashboard import current, library
from dashboard.choices import chosen_language, room_bar
from dashboard.host import MOST_IN_SERIES, Host
from dashboard.hosting.door import Site
from dashboard.hosting.game import Game
from dashboard.hosting.links import qr
from dashboard.hosting.series import standing
from dashboard.hosting.setup import read_setup
from dashboard.lobby.rules import choose_knobs, choose_ruleset, explain_rules
from dashboard.lobby.seats import choose_cards, choose_endpoints, choose_seats, keys_for, known_endpoints

MADE = "the table that was laid"
PROBLEM = "what could not be done with"


def room(host: Host, site: Site, lang: Lang) -> None:
    """The whole page."""
    words = texts(lang, "lobby")
    _tell("")
    made = host.game(st.session_state.get(MADE, ""))
    if made:
        st.subheader(words["made"])
        links(host, site, made, lang)
        st.button(words["another"], on_click=_another)
    elif "fork" in st.query_params:
        new_fork(host, st.query_params["fork"], st.query_params.get("at", ""), lang)
    else:
        new_table(host, lang)
    st.subheader(words["games"])
    all_games(host, site, lang)


def _tell(game: str) -> None:
    """What could not be done last, about one game or (empty) about the table that is laid: until something is done."""
    if problem := st.session_state.get(f"{PROBLEM} {game}", ""):
        st.error(texts(chosen_language(), "lobby")["problem"])
        st.text(problem)


def _another() -> None:
    st.session_state.pop(MADE, None)
    for key in ("fork", "at"):
        st.query_params.pop(key, None)


def new_table(host: Host, lang: Lang) -> None:
    """The form for a new table."""
    words = texts(lang, "lobby")
    st.subheader(words["new"])
    left, right = st.columns(2, gap="large")
    with left:
        ruleset = choose_ruleset(lang)
        players, cards = choose_cards(ruleset, lang)
        rules = choose_knobs(ruleset, players, lang)
        explain_rules(ruleset, rules, lang)
        times = _times(lang)
    with right:
        typed, key = choose_endpoints(lang)
        seats = choose_seats(players, known_endpoints(typed), lang)
    setup = {"ruleset": ruleset.id, "players": players, "language": times.pop("language"), "cards": cards}
    setup |= {"rules": rules, "seats": seats, "endpoints": typed, **times}
    games = int(st.number_input(words["series"], 1, MOST_IN_SERIES, 1))
    listed = st.toggle(words["listed"])
    keys = keys_for(seats, typed, key)
    st.button(words["lay"], type="primary", on_click=lambda: lay(host, setup, keys, games=games, listed=listed))


def new_fork(host: Host, name: str, at: str, lang: Lang) -> None:
    """The form for a table at which another game is played on, from its event number `at`."""
    words = texts(lang, "lobby")
    st.subheader(words["fork"])
    try:
        transcript = library.open_transcript(name)
    except DuskwaldError as error:
        st.text(str(error))
        return
    events = len(transcript.events)
    event = int(st.number_input(words["from_event"], 1, max(1, events), min(event_of(at), max(1, events))))
    st.text(words["fork_of"].format(file=name, event=event, events=events))
    left, right = st.columns(2, gap="large")
    with left:
        times = _times(transcript.header.lang)
    with right:
        typed, key = choose_endpoints(lang)
        seats = choose_seats(transcript.header.players, known_endpoints(typed), lang)
    times.pop("language")
    setup = {"seats": seats, "endpoints": typed, "language": transcript.header.lang, **times}
    fork = (transcript, event)
    listed = st.toggle(words["listed"])
    keys = keys_for(seats, typed, key)
    st.button(words["lay"], type="primary", on_click=lambda: lay(host, setup, keys, fork, listed=listed))


def event_of(given: str) -> int:
    """The event that an address gives, the first one where that is no number."""
    return max(1, int(given)) if given.isdecimal() and len(given) < 9 else 1


def lay(
    host: Host,
    setup: dict[str, Any],
    keys: dict[str, str],
    fork: tuple[Transcript, int] | None = None,
    *,
    games: int = 1,
    listed: bool = False,
) -> None:
    """Lay the table, once: a second click finds it laid. `fork`: the game that is played on, and its event."""
    if MADE in st.session_state:
        return
    st.session_state.pop(f"{PROBLEM} ", None)

    async def create() -> Game:
        read = read_setup(setup, secrets.randbelow(2**32))
        if fork:
            return host.fork(*fork, read, keys, listed=listed)
        return host.create(read, keys, games=games, listed=listed)

    try:
        st.session_state[MADE] = host.call(create).id
    except DuskwaldError as error:
        st.session_state[f"{PROBLEM} "] = str(error)


def _times(lang: Lang) -> dict[str, Any]:
    """The language of the table, its clocks, and what models may cost."""
    words = texts(lang, "lobby")
    with st.expander(words["more"]):
        language = st.segmented_control(words["language"], ["zh", "en"], default=lang, required=True)
        seconds = int(st.number_input(words["seconds"], 5, 3600, 60))
        night = float(st.number_input(words["night"], 5, 600, 30))
        pace = float(st.number_input(words["pace"], 0.0, 100.0, 1.0))
        misses = int(st.number_input(words["misses"], 1, 20, 2))
        absents = ["stand_in", "default", "red_card"]
        absent = st.selectbox(words["absent"], absents, format_func=lambda key: words["absents"][key])
        sees = st.selectbox(words["out_sees"], ["public", "god"], format_func=lambda key: words["sees"][key])
        shown = st.selectbox(words["show_players"], ["after", "always"], format_func=lambda key: words["shown"][key])
        budget = st.number_input(words["budget"], 0.0, value=None)
    clock = {"seconds": seconds, "night": night, "pace": pace, "misses": misses}
    given = {"language": language or lang, "clock": clock}
    given |= {"absent": absent, "out_sees": sees, "show_players": shown}
    return given | ({"budget_usd": budget} if budget is not None else {})


@st.fragment(run_every=3)
def all_games(host: Host, site: Site, lang: Lang) -> None:
    """All games, with what can be done about each."""
    words = texts(lang, "lobby")
    games = list(host.games)
    if not games:
        st.text(words["none"])
    for game in games[:50]:
        with st.container(border=True):
            _game(host, site, game, lang)


def _game(host: Host, site: Site, game: Game, lang: Lang) -> None:
    words = texts(lang, "lobby")
    about, *acts = st.columns([5, 2, 2, 2], vertical_alignment="center")
    state = words["states"][game.status] + (f": {game.why}" if game.why else "")
    number = f" · {words['number'].format(number=game.series.number, games=game.series.games)}" if game.series else ""
    about.text(f"{game.name}\n{state}{number}")
    for place, act in zip(acts, _acts(game), strict=False):
        place.button(words["acts"][act], key=f"{act} {game.id}", on_click=do, args=(host, game, act))
    _tell(game.id)
    if game.state in {"waiting", "stopped", "failed"} and game.endpoints:
        _supplies(host, game, lang)
    with st.expander(words["links"]):
        links(host, site, game, lang)
    if game.series and not game.next:
        _points(game, lang)


def _points(game: Game, lang: Lang) -> None:
    """The points so far of the series of which `game` is the last that is laid."""
    words = texts(lang, "lobby")
    assert game.series
    points = standing(game.series, game.path, lang, over=game.state == "ended")
    if points:
        with st.expander(words["points"]):
            for line in points:
                name = words["seat_of"].format(seat=line["seat"], name=line["name"])
                st.text(f"{name}: {' + '.join(line['points'])} = {line['sum']}")


def _acts(game: Game) -> list[str]:
    """What the host can do about a game now."""
    acts = {
        "waiting": ["start", "discard"] if game.has_not_begun else ["start"],
        "running": ["pause", "stop"],
        "paused": ["go_on", "stop"],
        "pausing": ["go_on", "stop"],
        "stopped": ["start"],
        "failed": ["start"],
    }
    return acts.get(game.status, [])


def do(host: Host, game: Game, act: str) -> None:
    """Do something about a game."""

    async def done() -> None:
        if act == "stop":
            await game.stop()
        elif act == "discard":
            host.discard(game)
        else:
            getattr(game, act)()

    _try(host, game, done)


def _try(host: Host, game: Game, done: Callable[[], Coroutine[Any, Any, None]]) -> None:
    st.session_state.pop(f"{PROBLEM} {game.id}", None)
    try:
        host.call(done)
    except DuskwaldError as error:
        st.session_state[f"{PROBLEM} {game.id}"] = str(error)


def _supplies(host: Host, game: Game, lang: Lang) -> None:
    """Keys, and what may be spent, for a game that is to begin or to go on."""
    words = texts(lang, "lobby")
    with st.expander(words["supplies"], expanded=game.state == "failed"), st.form(f"supplies {game.id}", border=False):
        st.caption(words["supplies_help"])
        for name in game.endpoints:
            label = words["key_of"].format(endpoint=name)
            st.text_input(label, key=f"key {game.id} {name}", type="password", autocomplete="off")
        st.number_input(words["budget"], 0.0, value=game.setup.budget_usd, key=f"budget {game.id}")
        st.form_submit_button(words["start_with"], on_click=_start_with, args=(host, game))


def _start_with(host: Host, game: Game) -> None:
    given = {name: st.session_state[f"key {game.id} {name}"] for name in game.endpoints}
    budget = st.session_state[f"budget {game.id}"]

    async def done() -> None:
        game.supply(given, budget)
        game.start()

    _try(host, game, done)


def links(host: Host, site: Site, game: Game, lang: Lang) -> None:
    """The links of a game: to watch, and each seat's own."""
    words = texts(lang, "lobby")
    st.link_button(words["open"], f"/watch/{game.id}?lang={lang}")
    st.text(words["watch"])
    st.code(f"{site.link}/watch/{game.id}", language=None)
    for seat in game.people:
        token = game.links.get(seat)
        st.text(words["seat"].format(seat=seat, name=game.seats[seat].name or ""))
        if token:
            link = f"{site.link}/join/{token}"
            st.code(link, language=None)
            with st.popover(words["qr"]):
                st.image(qr(link), width=220)
        else:
            st.button(words["new_link"], key=f"link {game.id} {seat}", on_click=_new_link, args=(host, game, seat))


def _new_link(host: Host, game: Game, seat: int) -> None:
    async def made() -> str:
        return host.new_link(game, seat)

    host.call(made)


def page() -> None:
    """The room, where this process has a host."""
    lang = chosen_language()
    room_bar(lang, "replay", "watching")
    if current.host is None or current.site is None:
        st.text(texts(lang, "lobby")["no_host"])
    else:
        room(current.host, current.site, lang)


page()
