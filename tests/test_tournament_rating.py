"""The likelihood against an independent fit, and the standing in the cases that break leaderboards."""

import random
from dataclasses import replace
from math import log

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from statsmodels.genmod.families import Binomial
from statsmodels.genmod.generalized_linear_model import GLM

from arena.terms import UnusableInput
from arena.tournament.design import Design, design
from arena.tournament.fit import fit
from arena.tournament.game import DRAW, Game, Luck, Place
from arena.tournament.rating import POINTS_PER_LOGIT, Standing, rate
from arena.tournament.schedule import Format
from arena.tournament.tally import tally
from tests.tournaments import SIX, blocks, by_skill, duel, games, lucky, plan

EVEN = dict.fromkeys(SIX, 0.0)
STEPS = {name: 0.35 * (2.5 - place) for place, name in enumerate(SIX)}


def tournament(skills: dict[str, float] = STEPS, number: int = 8, seed: int = 1) -> list[Game]:
    return games(blocks(plan(seed=seed), number), by_skill(skills, seed, -0.28))


def skills(standing: Standing) -> dict[str, float]:
    return {row.name: row.skill for row in standing.rows}


def settled(arrays: Design, columns: list[int]) -> Design:
    """Some columns of a design, without a prior."""
    return replace(arrays, columns=arrays.columns[:, :, columns], precision=np.zeros(len(columns)))


@pytest.mark.parametrize("draws", [False, True])
def test_without_a_prior_the_fit_is_that_of_a_clustered_logistic_regression(draws: bool) -> None:
    played = lucky(tournament(), 2)
    if draws:
        played = [replace(each, winner=DRAW) if n % 9 == 0 else each for n, each in enumerate(played)]
    arrays = design(sorted(played, key=lambda game: game.id), SIX)
    # One skill and one lean are what the others say: they are left out.
    ours = settled(arrays, [0, 1, 2, 3, 4, 6, 7, 8, 9, 10, 12, 13])
    village, wolves = 0, 1
    fitted = fit(ours)
    oracle = GLM(ours.result[:, wolves], ours.columns[:, wolves] - ours.columns[:, village], family=Binomial()).fit(
        cov_type="cluster", cov_kwds={"groups": ours.cluster}, tol=1e-12
    )
    np.testing.assert_allclose(fitted.parameters, oracle.params, atol=1e-6)
    np.testing.assert_allclose(np.sqrt(np.diag(fitted.sandwich)), oracle.bse, rtol=1e-5)


def test_the_order_of_results_is_nothing_to_the_table() -> None:
    """A-T01: sixty games among six, in twenty orders."""
    played = lucky(tournament(number=2), 2)
    table = rate(played, SIX)
    for seed in range(20):
        random.Random(seed).shuffle(played)
        names = random.Random(seed).sample(SIX, len(SIX))
        assert repr(rate(played, names)) == repr(table)
    assert table.games == 60
    assert table.provisional


def test_only_games_with_an_end_are_rated() -> None:
    """A-T02, A-T03: what was given up or still runs changes nothing."""
    played = tournament(number=2)
    gone = [replace(each, id=f"x{each.id}", winner="", void="provider") for each in played[:4]]
    running = [replace(each, id=f"y{each.id}", winner="") for each in played[:3]]
    assert rate(played + gone + running, SIX) == rate(played, SIX)


def test_a_rating_is_not_the_luck_of_sides() -> None:
    """A-T06: ten games as werewolf with eight wins and two as village without one; and the reverse mix.

    Werewolves win four of five among the others too.
    """
    results = [
        *encounters("x", "ash", "wwwwv"),
        *encounters("x", "elm", "wwwwv"),
        *encounters("ash", "x", "w"),
        *encounters("elm", "x", "w"),
        *encounters("y", "ash", "w"),
        *encounters("y", "elm", "w"),
        *encounters("ash", "y", "wwwwv"),
        *encounters("elm", "y", "wwwwv"),
        *encounters("ash", "elm", "wwwwv" * 4),
        *encounters("elm", "ash", "wwwwv" * 4),
    ]
    played = [duel(number, *result) for number, result in enumerate(results)]
    names = ["ash", "elm", "x", "y"]
    counts, table = tally(played, names), rate(played, names)
    assert (counts["x"].total.won, counts["y"].total.won) == (8, 4)
    found = skills(table)
    assert abs(found["x"] - found["y"]) < table.errors["x"]["y"]
    assert len(table.ties) == 1


def encounters(wolves: str, village: str, winners: str) -> list[tuple[str, str, str]]:
    return [(wolves, village, {"w": "werewolves", "v": "village"}[winner]) for winner in winners]


def test_equal_competitors_share_all_ranks() -> None:
    # Every deal is won by the werewolves in both legs: nobody is better than anybody.
    table = rate(games(blocks(plan(), 8), lambda fixture: "werewolves"), SIX)
    assert table.ties == (tuple(row.name for row in table.rows),)
    for row in table.rows:
        assert (row.first, row.last) == (1, 6)
        assert row.skill == pytest.approx(0, abs=1e-9)
        assert row.points == pytest.approx(1000)
        assert row.win_rate == pytest.approx(0.5)
        assert row.best == pytest.approx(1 / 6, abs=0.03)


def test_who_always_wins_is_first_with_an_interval_that_knows_how_little_that_says() -> None:
    few = rate(games(blocks(plan(), 1), lambda fixture: won_by("fir", fixture.competitors, fixture.roles)), SIX)
    many = rate(games(blocks(plan(), 8), lambda fixture: won_by("fir", fixture.competitors, fixture.roles)), SIX)
    for table in (few, many):
        assert table.rows[0].name == "fir"
        assert np.isfinite(table.rows[0].skill)
    assert few.rows[0].error > 0.3
    assert many.rows[0].error < few.rows[0].error
    assert (many.rows[0].first, many.rows[0].last) == (1, 1)
    assert many.rows[0].best > 0.99


def won_by(name: str, competitors: tuple[str, ...], roles: tuple[str, ...]) -> str:
    """The winner when `name` wins whatever it plays, and the werewolves all else."""
    village = any(one == name and role != "werewolf" for one, role in zip(competitors, roles, strict=True))
    return "village" if village else "werewolves"


def test_one_competitor_has_a_table_of_one_row() -> None:
    table = rate([duel(1, "ash", "ash", "village")], ["ash"])
    (row,) = table.rows
    assert (row.first, row.last, row.best, row.win_rate, row.games) == (1, 1, 1.0, None, 1)
    assert (row.skill, row.error, row.points) == (0, 0, 1000)


def test_without_games_nothing_is_known() -> None:
    table = rate([], SIX)
    assert len(table.islands) == 6
    assert [(row.first, row.last, row.games) for row in table.rows] == [(1, 6, 0)] * 6
    assert all(row.high - row.low > 3 for row in table.rows)


def test_a_field_that_is_not_connected_is_said_to_be_so() -> None:
    one = [duel(n, *(("ash", "birch") if n % 2 else ("birch", "ash")), won(n % 2)) for n in range(150)]
    other = [duel(n + 500, *(("elm", "fir") if n % 2 else ("fir", "elm")), won(n % 2)) for n in range(150)]
    table = rate(one + other, ["ash", "birch", "elm", "fir", "yew"])
    assert table.islands == (("ash", "birch"), ("elm", "fir"), ("yew",))
    ranks = {row.name: (row.first, row.last) for row in table.rows}
    assert ranks == {"ash": (1, 4), "birch": (2, 5), "elm": (1, 4), "fir": (2, 5), "yew": (1, 5)}


def won(first: int) -> str:
    return "werewolves" if first else "village"


def test_three_factions_recover_what_was_simulated() -> None:
    rng = np.random.default_rng(7)
    names = ("ash", "birch", "cedar", "dogwood")
    truth = {"ash": 0.9, "birch": 0.3, "cedar": -0.3, "dogwood": -0.9}
    start = {"village": 0.0, "werewolves": -0.3, "piper": -0.8}
    played = []
    for number in range(3000):
        sides = dict(zip(start, rng.permutation(names)[:3], strict=True))
        weights = np.exp([start[faction] + truth[name] for faction, name in sides.items()])
        winner = list(sides)[rng.choice(3, p=weights / weights.sum())]
        seats = tuple(Place(str(name), "card", faction) for faction, name in sides.items())
        played.append(Game(f"g{number:04}", f"d{number:04}", "board", "duel", seats, winner))
    table = rate(played, names)
    assert [row.name for row in table.rows] == list(names)
    for row in table.rows:
        assert row.skill == pytest.approx(truth[row.name], abs=0.15)
        assert row.low < truth[row.name] < row.high


def test_a_faction_that_is_not_in_a_game_does_not_take_part() -> None:
    """Two factions are the special case: games without the third are rated as if there were none."""
    played = tournament(number=3)
    lovers = replace(played[0], id="z", places=tuple(replace(p, faction="lovers") for p in played[0].places[:2]))
    alone = replace(lovers, winner="lovers")
    with_lovers, without = skills(rate([*played, alone], SIX)), skills(rate(played, SIX))
    assert with_lovers == pytest.approx(without, abs=1e-9)


def test_a_draw_is_half_a_win_for_both() -> None:
    drawn = [duel(n, *(("ash", "elm") if n % 2 else ("elm", "ash")), DRAW) for n in range(20)]
    table = rate(drawn, ["ash", "elm"])
    assert table.draws == 20
    assert table.rows[0].skill == pytest.approx(0, abs=1e-9)


def test_luck_that_favoured_one_is_taken_off() -> None:
    """Whoever the dice favoured has won as often as the other; the one without their help is the better."""

    def luck(number: int, happened: bool) -> tuple[Luck, ...]:
        return (Luck("check", happened, 0.5),)

    played = []
    for number in range(200):
        wolves, village = ("ash", "elm") if number % 2 else ("elm", "ash")
        happened = village == "ash" if number % 4 < 2 else number % 8 < 4
        result = "village" if happened and number % 16 else "werewolves"
        played.append(replace(duel(number, wolves, village, result), luck=luck(number, happened)))
    plain = skills(rate([replace(each, luck=()) for each in played], ["ash", "elm"]))
    adjusted = skills(rate(played, ["ash", "elm"]))
    assert adjusted["elm"] - adjusted["ash"] > plain["elm"] - plain["ash"] + 0.1


def test_points_are_those_of_elo() -> None:
    table = rate(tournament(), SIX)
    assert pytest.approx(400 / log(10)) == POINTS_PER_LOGIT
    assert sum(row.points for row in table.rows) == pytest.approx(6000)
    for row in table.rows:
        assert row.points == pytest.approx(1000 + POINTS_PER_LOGIT * row.skill)
        assert row.werewolves + row.village == pytest.approx(2 * row.skill)
    assert sum(row.best for row in table.rows) == pytest.approx(1)
    assert np.mean([row.win_rate for row in table.rows if row.win_rate is not None]) == pytest.approx(0.5)


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 10**6), st.sampled_from(("duel", "trio", "mixed")), st.integers(1, 3))
def test_ranks_and_ties_agree(seed: int, format: Format, number: int) -> None:
    board = plan(format, seed=seed)
    rng = random.Random(seed)
    fixtures = blocks(board, number)
    table = rate(games(fixtures, lambda _: rng.choice(["werewolves", "village", DRAW])), SIX)
    assert [row.skill for row in table.rows] == sorted((row.skill for row in table.rows), reverse=True)
    for place, row in enumerate(table.rows, start=1):
        assert row.first <= place <= row.last
        assert row.low < row.skill < row.high
        assert any(row.name in tie for tie in table.ties)
    for group in table.ties:
        rows = [row for row in table.rows if row.name in group]
        assert max(row.first for row in rows) <= min(row.last for row in rows)


@pytest.mark.parametrize(
    ("results", "complaint"),
    [
        ([duel(1, "ash", "elm", "village")] * 2, "game g0001: is there twice; every game counts once"),
        ([duel(1, "ash", "oak", "village")], "game g0001: unknown competitor 'oak'; known: ash, elm"),
        (
            [duel(1, "ash", "elm", "piper")],
            "game g0001: winner 'piper'; allowed: village, werewolves, draw",
        ),
        (
            [duel(1, "ash", "elm", "village", void="provider")],
            "game g0001: has a winner and is void (provider); one or the other",
        ),
    ],
)
def test_results_that_cannot_be_are_refused(results: list[Game], complaint: str) -> None:
    with pytest.raises(UnusableInput) as refused:
        rate(results, ["ash", "elm"])
    assert str(refused.value) == complaint


def of_two_formats(synergy: dict[str, float], seed: int = 3) -> list[Game]:
    """Duels and mixed tables among equals, in which a team of one competitor is worth more by its synergy."""
    rng = np.random.default_rng(seed)
    duels = games(blocks(plan(), 10), by_skill(synergy, seed))
    tables = games(blocks(plan("mixed", seed=2), 60), lambda fixture: "werewolves" if rng.random() < 0.5 else "village")
    return [*duels, *(replace(each, id=f"m{each.id}", deal=f"m{each.deal}", format="mixed") for each in tables)]


def test_what_a_team_of_its_own_is_worth_is_told_from_skill_where_formats_differ() -> None:
    synergy = {**EVEN, "ash": 1.2}
    both = of_two_formats(synergy)
    arrays = design(sorted(both, key=lambda game: game.id), SIX)
    assert arrays.synergy
    found = dict(zip(SIX, fit(arrays).parameters[12:18], strict=True))
    assert max(found, key=lambda name: found[name]) == "ash"
    # It is shrunk: a deviation of 0.15 is all that is expected.
    assert 0.05 < found["ash"] < 1.2
    duels = [game for game in both if game.format == "duel"]
    assert not design(duels, SIX).synergy
    # What is ranked is the team. Tables on which nobody has a team say little of it, and less than without synergy.
    together, alone = (skills(rate(each, SIX))["ash"] for each in (both, duels))
    assert together > 0.3
    assert alone > 0.5


def test_each_format_has_a_balance_of_its_own() -> None:
    """Werewolves win all duels and no mixed table: nobody is better for it."""
    both = [replace(each, winner="werewolves" if each.format == "duel" else "village") for each in of_two_formats(EVEN)]
    for row in rate(both, SIX).rows:
        assert row.skill == pytest.approx(0, abs=0.05)
