"""Properties of the referee that hold for every game and every setting of the knobs."""

import copy
from collections.abc import Iterator
from itertools import count
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from arena.chance import draw
from arena.events import Badge, Ended, Event, Tallied, Voted
from arena.referee import legal, new_game, step
from arena.roles import ABILITIES
from arena.state import GameState, apply, blank
from arena.terms import Choice, Claim, Decision, IllegalDecision, Request, Seat, UnusableInput
from tests.decks import SEEDS, Table, tables
from tests.games import Batch, Decide, at_random, batches, by_default, dealt, house, play

CONTROL = {"agenda", "current", "pending", "asked", "gone", "words_considered"}
NIGHT = {name for name, ability in ABILITIES.items() if ability.window == "night"}
GRANTED = {"shoot", "goat", "badge", "last_words"}
BOARDS = st.integers(6, 12)
relaxed = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])


def facts(state: GameState) -> dict[str, Any]:
    return {key: value for key, value in vars(state).items() if key not in CONTROL}


def played(table: Table, seed: int, decide: Decide) -> Iterator[Batch]:
    dealing = table.dealt(seed)
    return batches(table.ruleset, dealing.seats, seed, decide, dealing.extra)


@given(tables(), SEEDS)
@relaxed
def test_every_game_ends_and_its_end_is_last(table: Table, seed: int) -> None:
    games = list(played(table, seed, at_random(seed)))
    state, events = games[-1][2], [event for _, _, _, new in games for event in new]
    assert state.outcome is not None
    assert [type(event) for event in events].count(Ended) == 1
    assert isinstance(events[-1], Ended)
    assert not state.pending
    assert not state.agenda


@given(tables(), SEEDS)
@relaxed
def test_events_alone_give_the_facts(table: Table, seed: int) -> None:
    ruleset = table.ruleset
    folded = blank(ruleset.rules, ruleset.phrases, seed, 1, table.players, table.dealt(seed).extra)
    for _, _, after, events in played(table, seed, at_random(seed)):
        for event in events:
            apply(folded, event)
        assert facts(folded) == facts(after)


@given(tables(), SEEDS)
@settings(relaxed, max_examples=25)
def test_a_step_leaves_the_state_it_started_from_alone(table: Table, seed: int) -> None:
    states: list[GameState] = []
    frozen: list[GameState] = []
    for _, _, after, _ in played(table, seed, at_random(seed)):
        states.append(after)
        frozen.append(copy.deepcopy(after))
    assert states == frozen


@given(tables(), SEEDS)
@relaxed
def test_the_order_in_which_answers_arrive_changes_nothing(table: Table, seed: int) -> None:
    for before, decisions, after, events in played(table, seed, at_random(seed)):
        if decisions:
            reverse = dict(list(decisions.items())[::-1])
            assert step(before, reverse) == (after, events)


@given(BOARDS, SEEDS)
@relaxed
def test_the_seed_decides_everything(players: int, seed: int) -> None:
    first, second = (play(house(), players, seed, at_random(seed)) for _ in range(2))
    assert first == second
    # Two deals of a small table are the same once in a few thousand.
    assert any(dealt(house(), players, seed) != dealt(house(), players, seed + other) for other in range(1, 20))


@given(tables(), SEEDS)
@relaxed
def test_requests_are_counted_per_seat_and_come_one_at_a_time(table: Table, seed: int) -> None:
    counted = [0] * (table.players + 1)
    for _, _, after, _ in played(table, seed, at_random(seed)):
        assert len({request.seat for request in after.pending}) == len(after.pending)
        for request in after.pending:
            counted[request.seat] += 1
            assert request.n == counted[request.seat]


@given(tables(), SEEDS)
@relaxed
def test_tallies_are_exact_sums_of_the_ballots_shown(table: Table, seed: int) -> None:
    sheriff = {0: 0}
    shown: dict[int, int] = {}
    weight = int(2 * table.ruleset.rules["sheriff.weight"])
    for event in (event for _, _, _, events in played(table, seed, at_random(seed)) for event in events):
        if event.kind == "badge":
            sheriff[0] = event.seat
        if isinstance(event, Voted):
            assert not set(dict(event.votes)) & set(shown)
            shown.update(dict(event.votes))
        if isinstance(event, Tallied):
            halves: dict[int, int] = {}
            for voter, target in shown.items():
                if target:
                    halves[target] = halves.get(target, 0) + (weight if voter == sheriff[0] else 2)
            assert dict(event.tally) == halves
            shown = {}


@given(tables(), SEEDS)
@relaxed
def test_players_may_be_gone_at_any_time(table: Table, seed: int) -> None:
    """Whoever leaves whenever, the game goes on to an end; who has left is asked nothing it would have to speak to."""
    dealing = table.dealt(seed)
    state, _ = new_game(table.ruleset, dealing.seats, seed, extra=dealing.extra)
    decide = at_random(seed)
    left: set[int] = set()
    for batch in count():
        if state.outcome is not None:
            break
        gone = tuple(seat for seat in state.in_play if draw(seed, "gone", batch, seat) % 60 == 0)
        state, _ = step(state, {request.seat: decide(state, request) for request in state.pending}, gone)
        left.update(gone)
        assert all(request.seat not in left for request in state.pending if request.topic in {"speech", *NIGHT})
        announced = {request.topic for request in state.pending if request.seat in state.announced}
        assert announced <= GRANTED, "who is announced out is asked nothing but what its out grants"
    assert {out.seat for out in state.outs if "red_card" in out.causes} <= left


RUN_OFF_LEFT = [((), "elected", 2), ((2,), "unopposed", 3), ((2, 3), "lost", 0), ((6,), "lost", 0)]
"""Who is gone during the run-off speeches of candidates 2 and 3; what becomes of the badge, and who has it."""


@pytest.mark.parametrize(("gone", "how", "sheriff"), RUN_OFF_LEFT)
@pytest.mark.parametrize("ballot", ["simultaneous", "by_target"])
def test_a_red_card_before_the_run_off_of_an_election(
    gone: tuple[Seat, ...], how: str, sheriff: Seat, ballot: str
) -> None:
    """Seats 2 and 3 are tied; in the run-off seats 5 and 6 vote for 2, and 1 for 3. Seat 6 sways it."""
    rules = house(vote__ballot=ballot, sheriff__runoff_electors="same")
    first, second = {5: 2, 6: 3}, {1: 3, 5: 2, 6: 2}

    def decide(state: GameState, request: Request) -> Decision:
        if request.topic == "stand" and request.seat in (2, 3):
            return Decision("stand")
        target = {"sheriff": first, "sheriff_runoff": second}.get(request.topic, {}).get(request.seat)
        votes = target and any(target in choice.seats for choice in request.choices)
        return Decision("vote", (target,)) if target and votes else request.default

    roles = ("werewolf", "seer", "witch", "hunter", "werewolf", "villager", "villager", "villager")
    state, _ = new_game(rules, roles, 1)
    badge: Badge | None = None
    while badge is None:
        now = gone if state.topic == "campaign_runoff" else ()
        state, events = step(state, {request.seat: decide(state, request) for request in state.pending}, now)
        badge = next((event for event in events if isinstance(event, Badge)), None)
    assert (badge.how, badge.seat) == (how, sheriff)


def illegal_decisions(request: Request) -> list[Decision]:
    stranger = 99
    wrong = [Decision("dance"), Decision("pass", (1,)), Decision("speak", (), "x", (Claim("trusts", (stranger,)),))]
    for choice in request.choices:
        if choice.seats:
            wrong += [
                Decision(choice.act),
                Decision(choice.act, (stranger,)),
                Decision(choice.act, (choice.seats[0],) * 2),
                Decision(choice.act, tuple(choice.seats[: choice.most + 1]) if len(choice.seats) > 1 else (0,)),
            ]
        if not request.seconds:
            wrong.append(Decision(choice.act, choice.seats[: choice.least], "a word where none is heard"))
    return wrong


@given(st.integers(6, 9), SEEDS)
@settings(deadline=None, max_examples=20)
def test_an_illegal_decision_is_refused_and_changes_nothing(players: int, seed: int) -> None:
    for before, decisions, _, _ in batches(house(), dealt(house(), players, seed).seats, seed, at_random(seed)):
        untouched = copy.deepcopy(before)
        for request in before.pending:
            for choice in request.choices:
                for seat in choice.seats or (0,):
                    assert legal(request, Decision(choice.act, (seat,) if seat else ())) == ""
            for wrong in illegal_decisions(request):
                with pytest.raises(IllegalDecision):
                    step(before, {**decisions, request.seat: wrong})
                assert before == untouched


def test_everybody_asked_has_to_decide_and_nobody_else() -> None:
    state, _ = new_game(house(), dealt(house(), 6, 1).seats, 1)
    while not state.pending:
        state, _ = step(state, {})
    decisions = {request.seat: request.default for request in state.pending}
    first = state.pending[0].seat
    with pytest.raises(IllegalDecision, match="asked"):
        step(state, {seat: d for seat, d in decisions.items() if seat != first})
    stranger = next(seat for seat in range(1, 7) if seat not in decisions)
    with pytest.raises(IllegalDecision, match="has not decided"):
        step(state, {**{seat: d for seat, d in decisions.items() if seat != first}, stranger: Decision("pass")})


def test_nothing_is_asked_after_the_end() -> None:
    state, _ = play(house(), 6, 1, at_random(1))
    with pytest.raises(IllegalDecision, match="over"):
        step(state, {})


@pytest.mark.parametrize(
    ("roles", "reason"),
    [
        (("villager", "villager", "seer"), "no_werewolves"),
        (("werewolf", "werewolf", "villager"), "side"),
        (("werewolf", "seer", "witch"), "side"),
    ],
)
def test_a_deal_that_would_be_over_at_once_is_refused(roles: tuple[str, ...], reason: str) -> None:
    with pytest.raises(UnusableInput, match=reason):
        new_game(house(), roles, 1)


@pytest.mark.parametrize("protected", [(0,), (7,), (1, 9)])
def test_a_protected_seat_has_to_be_there(protected: tuple[Seat, ...]) -> None:
    with pytest.raises(UnusableInput, match="seats go from 1 to 6"):
        new_game(house(), dealt(house(), 6, 1).seats, 1, protected=protected)


def test_parity_at_the_deal_is_refused() -> None:
    with pytest.raises(UnusableInput, match="parity"):
        new_game(house(win__werewolves="parity"), ("werewolf", "werewolf", "seer", "villager"), 1)


def test_where_nobody_ever_acts_the_game_is_drawn() -> None:
    state, events = play(house(), 9, 1, by_default)
    assert state.outcome is not None
    assert (state.outcome.winner, state.outcome.reason, state.day) == ("draw", "stalemate", 3)
    assert len(events) < 200


def leaves(state: GameState, depth: int) -> int:
    """How many games differ in their next `depth` batches of decisions."""
    while not state.pending and state.outcome is None:
        state, _ = step(state, {})
    if depth == 0 or state.outcome is not None:
        return 1
    combinations: list[dict[int, Decision]] = [{}]
    for request in state.pending:
        options = [Decision(c.act, (seat,) if seat else ()) for c in request.choices for seat in c.seats or (0,)]
        combinations = [{**one, request.seat: option} for one in combinations for option in options]
    return sum(leaves(step(state, decisions)[0], depth - 1) for decisions in combinations)


@pytest.mark.parametrize(
    ("roles", "counts"),
    [
        # Night: 5 attacks x 4 checks. Attacks on the werewolf itself and on the seer end the game (8). A dead
        # villager's last words x the werewolf's window: 8 x 4. Nobody out: the werewolf opens the day: 4 x 3.
        (("werewolf", "seer", "villager", "villager"), (1, 20, 52, 116)),
        # The pack's two rounds are joint: 6 x 6 proposals, with 5 checks beside the first.
        (("werewolf", "werewolf", "seer", "villager", "villager"), (1, 180, 6480)),
    ],
)
def test_tree_counts(roles: tuple[str, ...], counts: tuple[int, ...]) -> None:
    state, _ = new_game(house(), roles, 1)
    assert tuple(leaves(state, depth) for depth in range(len(counts))) == counts


def test_choices_are_values() -> None:
    assert Choice("vote", (1, 2)) == Choice("vote", (1, 2))
    assert {Choice("vote", (1, 2)), Choice("vote", (1, 2))} == {Choice("vote", (1, 2))}


def test_events_are_tagged_and_tell_their_audience() -> None:
    _, events = play(house(), 12, 3, at_random(3))
    kinds: dict[str, type[Event]] = {event.kind: type(event) for event in events}
    assert len(kinds) > 20
    assert all(event.to is None or all(1 <= seat <= 12 for seat in event.to) for event in events)
