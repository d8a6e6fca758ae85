"""Whole games for tests: the bare referee, driven by a function from request to decision."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from arena.chance import draw
from arena.events import Event, View
from arena.players.random import RandomPlayer
from arena.referee import deal, new_game, step
from arena.roles.ability import Dealing
from arena.ruleset import Ruleset, load_ruleset
from arena.state import GameState
from arena.terms import Decision, Request, Seat

Decide = Callable[[GameState, Request], Decision]
Batch = tuple[GameState, Mapping[Seat, Decision], GameState, list[Event]]


def house(**overrides: Any) -> Ruleset:
    """The house ruleset, with knobs set differently; ``__`` stands for the dot in their names."""
    rules = {key.replace("__", "."): value for key, value in overrides.items()}
    return load_ruleset("duskwald").with_rules(rules, "test")


def at_random(seed: int) -> Decide:
    """Every legal choice as likely as the other; speeches carry a word of their own."""
    player = RandomPlayer(seed)

    def decide(state: GameState, request: Request) -> Decision:
        decision = player.answer(View(request.seat, []), request).decision
        if not request.seconds:
            return decision
        return Decision(decision.act, decision.seats, f"word-{request.seat}-{request.n}-{draw(seed, 'word') % 97}")

    return decide


def by_default(state: GameState, request: Request) -> Decision:
    """What happens when nobody answers."""
    return request.default


def dealt(ruleset: Ruleset, players: int, seed: int) -> Dealing:
    """The cards of a setup as a seed deals them."""
    return deal(ruleset.cards(players), seed, ruleset.rules)


def batches(
    ruleset: Ruleset, roles: tuple[str, ...], seed: int, decide: Decide, extra: tuple[str, ...] = ()
) -> Iterator[Batch]:
    """Play a game to its end; for each call of the referee: state before, decisions, state after, new events."""
    state, events = new_game(ruleset, roles, seed, extra=extra)
    yield state, {}, state, events
    while state.outcome is None:
        decisions = {request.seat: decide(state, request) for request in state.pending}
        after, events = step(state, decisions)
        yield state, decisions, after, events
        state = after


def play(ruleset: Ruleset, players: int, seed: int, decide: Decide) -> tuple[GameState, list[Event]]:
    """Play a game of a setup to its end: the last state, and all events."""
    cards = dealt(ruleset, players, seed)
    steps = list(batches(ruleset, cards.seats, seed, decide, cards.extra))
    return steps[-1][2], [event for _, _, _, events in steps for event in events]
