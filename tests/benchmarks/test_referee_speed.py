"""Speed of the referee with random players on one core: the house rules, and the richest ones.

Figures are in README.md of this folder.
"""

from collections.abc import Callable, Mapping
from time import process_time

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from arena.events import View
from arena.players.random import RandomPlayer
from arena.referee import new_game, step
from arena.ruleset import load_ruleset
from arena.state import GameState
from arena.terms import Decision, Seat
from tests.benchmarks.conftest import Note
from tests.games import dealt

pytestmark = pytest.mark.benchmark

GAMES = 200
TABLES = [("duskwald", 12), ("factions", 18), ("last-words", 18)]
RULESETS = {name: load_ruleset(name) for name, _ in TABLES}
NOTHING = View(0, [])

Decisions = Mapping[Seat, Decision]
Decide = Callable[[GameState], Decisions]


def play(table: tuple[str, int], seed: int, decide: Decide) -> list[Decisions]:
    """Play one game; return its batches of decisions."""
    ruleset = RULESETS[table[0]]
    dealing = dealt(ruleset, table[1], seed)
    state, _ = new_game(ruleset, dealing.seats, seed, extra=dealing.extra)
    batches = []
    while state.outcome is None:
        batches.append(decide(state))
        state, _ = step(state, batches[-1])
    return batches


def at_random(seed: int) -> Decide:
    player = RandomPlayer(seed)
    return lambda state: {request.seat: player.answer(NOTHING, request).decision for request in state.pending}


def again(batches: list[Decisions]) -> Decide:
    following = iter(batches)
    return lambda state: next(following)


def per_second(games: Callable[[], int]) -> float:
    start = process_time()
    decisions = games()
    return decisions / (process_time() - start)


@pytest.mark.parametrize("table", TABLES)
def test_referee_with_random_players(benchmark: BenchmarkFixture, note_rate: Note, table: tuple[str, int]) -> None:
    """Decisions per CPU second, the choosing included."""

    def games() -> int:
        return sum(len(batch) for seed in range(GAMES) for batch in play(table, seed, at_random(seed)))

    note_rate("decisions per CPU second", per_second(games))
    benchmark.pedantic(games, rounds=3)  # type: ignore[no-untyped-call]


@pytest.mark.parametrize("table", TABLES)
def test_referee_alone(benchmark: BenchmarkFixture, note_rate: Note, table: tuple[str, int]) -> None:
    """Decisions per CPU second when the same decisions are made again: the referee and nothing else."""
    recorded = [play(table, seed, at_random(seed)) for seed in range(GAMES)]

    def games() -> int:
        for seed, batches in enumerate(recorded):
            play(table, seed, again(batches))
        return sum(len(batch) for batches in recorded for batch in batches)

    note_rate("decisions per CPU second", per_second(games))
    benchmark.pedantic(games, rounds=3)  # type: ignore[no-untyped-call]
