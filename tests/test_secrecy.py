"""Secrecy: what a seat is asked, and whether it is asked, follows from what it has seen."""

from collections.abc import Mapping
from typing import Any

import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.chance import draw, shuffled
from arena.events import Acted, Ended, Event, Said, View, Views, seen_by, view_of
from arena.referee import deal
from arena.state import GameState
from arena.terms import GOD, SPECTATOR, Decision, Request, Seat
from tests.games import at_random, batches, dealt, house, play
from tests.varied_games import talkative

SMALL = {
    "witch and hunter": {"werewolf": 1, "seer": 1, "witch": 1, "hunter": 1, "villager": 2},
    "guard": {"werewolf": 2, "seer": 1, "witch": 1, "guard": 1, "villager": 1},
    "girl": {"werewolf": 2, "little_girl": 1, "witch": 1, "guard": 1, "villager": 1},
    "elder": {"werewolf": 1, "elder": 1, "hunter": 1, "idiot": 1, "scapegoat": 1, "villager": 1},
    "lovers": {"werewolf": 1, "white_wolf": 1, "cupid": 1, "piper": 1, "guard": 1, "villager": 1},
    "thief": {"werewolf": 2, "thief": 1, "cupid": 1, "piper": 1, "prejudiced": 1, "seer": 1, "villager": 1},
}
RULES: dict[str, dict[str, Any]] = {
    "house": {"sheriff__min_players": 6},
    "void guard, hidden attacks": {
        "guard__repeat_is": "void",
        "witch__hides_prevented": True,
        "witch__told": "always",
        "witch__both_one_night": True,
    },
    "by target, simultaneous": {
        "vote__ballot": "by_target",
        "settlement": "simultaneous",
        "sheriff__min_players": 0,
        "sheriff__candidates": "everyone",
        "discussion__order": "sheriff_chooses",
    },
    "girl is noticed": {"girl__noticed": 0.5, "girl__learns": "all", "witch__hides_prevented": True},
    "losing": {
        "win__werewolves": "all",
        "win__losing": True,
        "win__village": "last_standing",
        "lovers__widow_kill": True,
        "lovers__see_roles": True,
        "guard__blocks_piper": True,
        "piper__charmed": "know_each_other",
        "piper__mutes": True,
        "win__piper": "all_single_charmed",
    },
    "charmed know each other": {
        "win__werewolves": "all",
        "piper__charmed": "know_each_other",
        "piper__targets": 2,
        "idiot__after": "interjects",
        "idiot__may_decline": True,
        "lovers__may_kill_each_other": False,
        "thief__must_take_wolf": "never",
    },
}
GAMES = [
    *((cards, rules) for cards in ("witch and hunter", "guard") for rules in tuple(RULES)[:3]),
    ("girl", "girl is noticed"),
    ("elder", "charmed know each other"),
    ("elder", "by target, simultaneous"),
    ("lovers", "losing"),
    ("thief", "charmed know each other"),
    ("thief", "losing"),
]
"""Which cards are played by which rules."""


class Seen:
    """Everything a seat has perceived so far in one game, as one number: events, requests, own decisions."""

    def __init__(self) -> None:
        self.all = 0

    def add(self, what: str) -> None:
        self.all = hash((self.all, what))


def asked(request: Request) -> tuple[Any, ...]:
    return (request.n, request.topic, request.choices, request.default, request.window, request.seconds, request.table)


def sparse(seed: int) -> Any:
    """Decisions of few kinds, so that many games look alike to a seat."""

    def decide(state: GameState, request: Request) -> Decision:
        number = draw(seed, request.seat, request.n)
        if (request.window and request.topic != "gesture") or (request.seconds and request.topic != "werewolves"):
            return Decision("explode") if request.choices[-1].act == "explode" and number % 9 == 0 else Decision("pass")
        if number % 3 == 0:
            return request.default
        choice = request.choices[number // 3 % len(request.choices)]
        return Decision(choice.act, choice.seats[-choice.least :] if number % 2 else choice.seats[: choice.least])

    return decide


class Following:
    """What came next after each series of perceptions, over many games."""

    def __init__(self) -> None:
        self.next: dict[tuple[Seat, int], object] = {}
        self.compared = 0

    def add(self, seat: Seat, seen: Seen, what: object) -> None:
        key = (seat, seen.all)
        self.compared += key in self.next
        assert self.next.setdefault(key, what) == what, f"seat {seat}: {what} but also {self.next[key]}"


@pytest.mark.parametrize(("cards", "rules"), GAMES)
def test_requests_are_a_function_of_what_the_seat_has_seen(cards: str, rules: str) -> None:
    """After the same perceptions a seat is asked the same; by night also: asked or not, whatever others do."""
    following = Following()
    ruleset = house(**RULES[rules])
    for seed in range(300):
        dealing = deal(SMALL[cards], seed % 40, ruleset.rules)
        seats = range(1, len(dealing.seats) + 1)
        seen = {seat: Seen() for seat in seats}
        for _, decisions, after, events in batches(ruleset, dealing.seats, seed, sparse(seed), dealing.extra):
            for seat, decision in decisions.items():
                seen[seat].add(repr(decision))
            for event in events:
                text = repr(event)
                for seat in seats:
                    if seen_by(event, seat):
                        if after.night and not isinstance(event, Ended):
                            following.add(seat, seen[seat], "an event")
                        seen[seat].add(text)
            for request in after.pending:
                following.add(request.seat, seen[request.seat], asked(request))
                seen[request.seat].add(repr(asked(request)))
    assert following.compared > 3000


def audience_of_words(events: list[Event]) -> dict[str, set[Seat]]:
    """For each speech and whisper heard, the seats that may know of it."""
    everyone = set(range(SPECTATOR, 13))
    heard: dict[str, set[Seat]] = {}
    for event in events:
        if isinstance(event, Said | Acted) and event.text:
            heard.setdefault(event.text, set()).update(everyone if event.to is None else event.to)
    return heard


@given(st.integers(0, 2**32))
@settings(deadline=None)
def test_a_word_is_found_only_in_the_views_of_those_who_heard_it(seed: int) -> None:
    said: dict[str, Seat] = {}

    def with_canaries(state: GameState, request: Request) -> Decision:
        decision = at_random(seed)(state, request)
        if not request.seconds:
            return decision
        token = f"canary-{request.seat}-{request.n}-{draw(seed, 'canary', request.seat, request.n):x}"
        said[token] = request.seat
        return Decision(decision.act, decision.seats, token)

    _, events = play(house(), 12, seed, with_canaries)
    heard = audience_of_words(events)
    assert any(len(seats) < 12 for seats in heard.values())
    for seat in range(SPECTATOR, 13):
        dump = orjson.dumps(view_of(events, seat).events, option=orjson.OPT_NON_STR_KEYS).decode()
        for token in said:
            assert (token in dump) == (seat in heard.get(token, set()))


def play_alike(seed: int, twins: tuple[Seat, Seat]) -> Any:
    """Decisions that are the same in both worlds: by night by card, by day by seat.

    By night nobody harms the twins, whose cards are swapped, and the seer looks at one of them: what leaks of a
    card, a result or whoever acts then differs.
    """

    def decide(state: GameState, request: Request) -> Decision:
        if request.window or request.topic in {"shoot", "badge"}:
            return request.default
        if state.night:
            number = draw(seed, state.roles[request.seat], request.topic, state.day)
            choice = request.choices[number % len(request.choices)]
            looks = choice.act == "check"
            seats = [seat for seat in choice.seats if (seat in twins) == looks]
            if choice.seats and not seats:
                return request.default
        else:
            number = draw(seed, request.seat, request.topic, state.day)
            choice = request.choices[number % min(2, len(request.choices))]
            seats = list(choice.seats)
        return Decision(choice.act, (seats[number % len(seats)],) if seats else ())

    return decide


def world(roles: tuple[str, ...], seed: int, seat: Seat, twins: tuple[Seat, Seat]) -> list[object]:
    """What `seat` perceives up to the first event that is addressed to it and not to everyone.

    Once a twin is out the worlds go on differently, because another card is missing in each.
    """
    perceived: list[object] = []
    for before, _, after, events in batches(house(), roles, seed, play_alike(seed, twins)):
        if not set(twins) <= set(before.in_play):
            return perceived
        for event in events:
            if seen_by(event, seat):
                if event.to is not None and event.kind != "dealt":
                    return perceived
                if isinstance(event, Ended) or event.kind == "revealed":
                    return perceived
                perceived.append(event)
        perceived += [asked(request) for request in after.pending if request.seat == seat]
    return perceived


@pytest.mark.parametrize("players", range(6, 13))
def test_worlds_that_differ_in_cards_a_seat_does_not_know_look_alike_to_it(players: int) -> None:
    compared = 0
    for seed in range(30):
        roles = dealt(house(), players, seed).seats
        seat, one, other = shuffled(range(1, players + 1), seed, "twins")[:3]
        swapped = list(roles)
        swapped[one - 1], swapped[other - 1] = roles[other - 1], roles[one - 1]
        first, second = (world(cards, seed, seat, (one, other)) for cards in (roles, tuple(swapped)))
        length = min(len(first), len(second))
        assert first[:length] == second[:length]
        compared += length
    assert compared > 30 * 2 * players


@given(st.integers(6, 12), st.integers(0, 2**32))
@settings(deadline=None)
def test_views_that_grow_are_the_views_of_all_events(players: int, seed: int) -> None:
    views = Views(players)
    everything: list[Event] = []
    for _, _, _, events in batches(house(), dealt(house(), players, seed).seats, seed, talkative(seed)):
        views.add(events)
        everything += events
    for seat in range(SPECTATOR, players + 1):
        assert views.of(seat) == view_of(everything, seat)
    assert view_of(everything, GOD) == View(GOD, everything)


def test_the_opening_says_nothing_about_who_holds_which_card() -> None:
    cards = house().cards(9)
    openings: list[Mapping[str, Any]] = []
    for seed in (1, 2):
        state, events = play(house(), 9, seed, at_random(seed))
        assert sorted(state.roles[1:]) == sorted(role for role in cards for _ in range(cards[role]))
        openings.append({"first": events[0], "order": list(getattr(events[0], "cards", {}))})
    assert openings[0] == openings[1]
