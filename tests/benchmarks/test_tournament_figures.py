"""What the planner and the rating are worth in the simulated world, and how fast the rating is.

All but the times are the same in every run: seeds are fixed. Their Monte Carlo errors are printed beside them.
"""

from collections.abc import Callable, Iterable
from dataclasses import replace
from itertools import combinations
from time import process_time

import numpy as np
import pytest
from numpy.typing import NDArray

from arena.tournament.game import Game
from arena.tournament.rating import Standing, rate
from arena.tournament.schedule import Fixture, Pair, full_block, next_block
from arena.tournament.stopping import Question, contests, is_over, open_pairs
from arena.tournament.tally import tally
from tests.benchmarks.conftest import RATES
from tests.benchmarks.tournament_world import NINE, SEATS, Field, World, field_of, played, random_seating

pytestmark = pytest.mark.benchmark

Floats = NDArray[np.float64]

INFORMED = 360
"""Games after which the information in a schedule is measured."""

OPEN_FIELD = replace(NINE, skill=0.6, synergy=0.0)
EQUAL_FIELD = replace(NINE, gap=0.0, side=0.0, form=0.0, match=0.0, synergy=0.0)


def say(figure: str, value: float, error: float, unit: str = "") -> None:
    RATES.append(f"{figure}: {value:.3f} ± {error:.3f} {unit}".rstrip())


def mean(figure: str, values: Iterable[float], unit: str = "") -> float:
    drawn = np.array(list(values), dtype=np.float64)
    say(figure, float(drawn.mean()), float(drawn.std() / np.sqrt(len(drawn))), unit)
    return float(drawn.mean())


def full_blocks(world: World, seed: int, games: int) -> list[Fixture]:
    plan = world.plan("duel", seed)
    blocks = -(-games // len(full_block(plan, 1)))
    return [fixture for number in range(1, blocks + 1) for fixture in full_block(plan, number)][:games]


def skills(world: World, standing: Standing) -> Floats:
    found = {row.name: row.skill for row in standing.rows}
    return np.array([found[name] for name in world.names])


def constant(truth: Floats, estimates: Floats) -> float:
    """The c of Var(skill) = c / games, estimates being put on the scale of the truth first."""
    size = truth.shape[1]
    truth = truth - truth.mean(axis=1, keepdims=True)
    estimates = estimates - estimates.mean(axis=1, keepdims=True)
    slope = float((estimates * truth).sum() / (truth**2).sum())
    noise = float(((estimates - slope * truth) ** 2).mean())
    return float(noise / slope**2 * INFORMED * size / (size - 1))


def gain(sample: Floats) -> float:
    return constant(sample[:, 0], sample[:, 1]) / constant(sample[:, 0], sample[:, 2])


@pytest.mark.parametrize(("seats", "least"), [(6, 2.5), (9, 4.0), (12, 5.0)])
def test_information_of_a_game_against_random_seating_with_win_rates(seats: int, least: float) -> None:
    world = replace(SEATS[seats], match=0.0, synergy=0.0)
    tournaments = []
    for seed in range(200):
        rng = np.random.default_rng([4, seed])
        truth = field_of(world, rng)
        base = random_seating(world, truth, INFORMED, rng)
        ours = rate(played(world, truth, full_blocks(world, seed, INFORMED), rng), world.names)
        tournaments.append((truth.skill, base, skills(world, ours)))
    sample = np.array(tournaments)
    rng = np.random.default_rng(0)
    again = [gain(sample[rng.integers(0, len(sample), len(sample))]) for _ in range(200)]
    say(f"information of a game, {seats} seats", gain(sample), float(np.std(again)), "times the base")
    assert gain(sample) >= least


def tournament(world: World, question: Question, seed: int) -> tuple[Field, Standing]:
    """A tournament of duels played until its question is answered."""
    rng = np.random.default_rng([5, seed])
    truth, plan = field_of(world, rng), world.plan("duel", seed)
    games: list[Game] = []
    pairs: tuple[Pair, ...] = ()
    number = 0
    while True:
        number += 1
        games += played(world, truth, next_block(plan, number, pairs), rng)
        standing = rate(games, world.names)
        if is_over(standing, question):
            return truth, standing
        pairs = open_pairs(standing, question)


def claims_falsely(world: World, truth: Field, standing: Standing, question: Question) -> bool:
    true = dict(zip(world.names, truth.skill, strict=True))
    pairs = [contest.pair for contest in contests(standing, question) if contest.state == "apart"]
    return any(true[better] < true[worse] for better, worse in pairs)


def test_the_leader_is_found_soon_and_is_the_best_or_near() -> None:
    question = Question("leader", games=960)
    ended = [tournament(OPEN_FIELD, question, seed) for seed in range(400)]
    games = mean("leader: games", (standing.games for _, standing in ended))
    best = [skills(OPEN_FIELD, standing).argmax() for _, standing in ended]
    regrets = [float(truth.skill.max() - truth.skill[leader]) for (truth, _), leader in zip(ended, best, strict=True)]
    regret = mean("leader: regret", regrets, "logits")
    false = mean("leader: false claims", (claims_falsely(OPEN_FIELD, *both, question) for both in ended))
    assert games <= 220
    assert regret <= 0.06
    assert false <= 0.05


def test_an_order_is_rarely_claimed_falsely() -> None:
    question = Question("order", games=960)
    ended = [tournament(OPEN_FIELD, question, 1000 + seed) for seed in range(150)]
    mean("order: games", (standing.games for _, standing in ended))
    false = mean(
        "order: tournaments with a false claim", (claims_falsely(OPEN_FIELD, *both, question) for both in ended)
    )
    assert false <= 0.05


def gaps(world: World, standing: Standing, true: Floats) -> Floats:
    """By how many standard errors each pair's gap is off the `true` one."""
    name = {name: place for place, name in enumerate(world.names)}
    return np.array(
        [
            abs(one.skill - other.skill - true[name[one.name]] + true[name[other.name]])
            / standing.errors[one.name][other.name]
            for one, other in combinations(standing.rows, 2)
        ]
    )


def after(world: World, games: int, seed: int) -> tuple[Field, Standing]:
    rng = np.random.default_rng([6, seed])
    truth = field_of(world, rng)
    return truth, rate(played(world, truth, full_blocks(world, seed, games), rng), world.names)


def test_equal_competitors_are_rarely_told_apart() -> None:
    ended = [after(EQUAL_FIELD, 240, seed) for seed in range(200)]
    differs = [gaps(EQUAL_FIELD, standing, truth.pure).max() > standing.critical for truth, standing in ended]
    assert mean("equal field: any false difference at 240 games", differs) <= 0.09


@pytest.mark.parametrize("games", [120, 240])
def test_intervals_hold_what_they_say(games: int) -> None:
    ended = [after(NINE, games, seed) for seed in range(150)]
    covered = [float((gaps(NINE, standing, truth.pure) <= 1.96).mean()) for truth, standing in ended]
    assert mean(f"coverage of 95 % pair intervals at {games} games", covered) >= 0.90


def seconds(work: Callable[[], object], times: int) -> float:
    """The least CPU time of so many runs."""
    spent = []
    for _ in range(times):
        start = process_time()
        work()
        spent.append(process_time() - start)
    return min(spent)


def results(games: int) -> list[Game]:
    rng = np.random.default_rng(4)
    return played(NINE, field_of(NINE, rng), full_blocks(NINE, 0, games), rng)


def test_a_thousand_games_are_rated_again_at_once() -> None:
    games = results(1000)
    taken = seconds(lambda: rate(games, NINE.names), times=20)
    RATES.append(f"rating 1,000 games: {taken * 1000:.1f} ms of CPU")
    assert taken < 0.020


def test_the_standing_of_ten_thousand_games_takes_no_time() -> None:
    games = results(10_000)
    taken = seconds(lambda: (rate(games, NINE.names), tally(games, NINE.names)), times=3)
    RATES.append(f"standing of 10,000 games with counts: {taken:.2f} s of CPU")
    assert taken < 5
