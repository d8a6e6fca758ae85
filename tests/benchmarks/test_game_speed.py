"""Speed of whole games with 12 seats, on one core. Figures are in README.md of this folder."""

from collections.abc import Callable
from pathlib import Path
from time import process_time

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from arena import simulate
from arena.seating import Seating, sit_down
from arena.simulate import Trial
from tests.benchmarks.conftest import Note
from tests.matches import header, play

pytestmark = pytest.mark.benchmark

GAMES = 30


def measured(benchmark: BenchmarkFixture, note_rate: Note, game: Callable[[int], object]) -> None:
    """Play `GAMES` games; note how many a CPU second holds."""

    def games() -> None:
        for number in range(GAMES):
            game(number)

    start = process_time()
    games()
    note_rate("games per CPU second", GAMES / (process_time() - start))
    benchmark.pedantic(games, rounds=2)  # type: ignore[no-untyped-call]


@pytest.mark.parametrize("player", ["random", "scripted"])
def test_games_through_the_graph_with_transcript(
    benchmark: BenchmarkFixture, note_rate: Note, tmp_path: Path, player: str
) -> None:
    files = iter(tmp_path / f"{number}.jsonl" for number in range(10_000))
    measured(benchmark, note_rate, lambda number: play(next(files), header(12, number, player)))


@pytest.mark.parametrize("words", [False, True], ids=["without words", "with words"])
def test_simulated_games_of_scripted_players(benchmark: BenchmarkFixture, note_rate: Note, words: bool) -> None:
    sitting = sit_down(Seating(players=12))
    trial = Trial(sitting.ruleset, sitting.cards, 0, "scripted", "scripted", words, "zh")
    measured(benchmark, note_rate, lambda number: simulate.play(trial, number))
