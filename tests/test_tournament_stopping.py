"""Counts of results, and when a tournament has its answer."""

from dataclasses import replace
from itertools import combinations

import pytest

from arena.terms import UnusableInput
from arena.tournament.game import DRAW
from arena.tournament.rating import Standing, rate
from arena.tournament.schedule import Fixture
from arena.tournament.stopping import Question, check_question, contests, games_more, is_over, open_pairs
from arena.tournament.tally import Count, tally
from tests.tournaments import SIX, blocks, by_skill, duel, games, places, plan

LEADER = Question("leader", games=960)
ORDER = Question("order", games=960)


def standing(gap: float, number: int, seed: int = 3) -> Standing:
    skills = {name: gap * (2.5 - place) for place, name in enumerate(SIX)}
    return rate(games(blocks(plan(seed=seed), number), by_skill(skills, seed)), SIX)


def one_side_a_deal(fixture: Fixture) -> str:
    """The winner where one side wins both legs of a deal: nobody is better than anybody."""
    return "village" if int(fixture.deal[-1]) % 2 else "werewolves"


def even(number: int) -> str:
    return "village" if number % 4 < 2 else "werewolves"


def test_a_field_far_apart_answers_every_question() -> None:
    table = standing(1.5, 24)
    assert [contest.state for contest in contests(table, ORDER)] == ["apart"] * 5
    assert open_pairs(table, ORDER) == ()
    assert is_over(table, ORDER)
    assert games_more(table, ORDER) == 0


def test_a_field_close_together_is_tied_in_the_end() -> None:
    table = rate(games(blocks(plan(), 40), one_side_a_deal), SIX)
    assert {contest.state for contest in contests(table, ORDER)} == {"tied"}
    assert is_over(table, ORDER)


def test_an_open_pair_is_named_with_the_games_it_takes() -> None:
    table = standing(0.3, 8)
    opened = open_pairs(table, ORDER)
    assert opened
    assert set(opened) <= set(combinations([row.name for row in table.rows], 2))
    assert not is_over(table, ORDER)
    more = games_more(table, ORDER)
    assert 100 < more < 10_000
    assert games_more(table, replace(ORDER, margin=1.5)) < more


def test_the_last_place_asked_about_has_rivals_from_further_down() -> None:
    table = rate(games(blocks(plan(), 5), lambda fixture: "werewolves"), SIX)
    first = table.rows[0].name
    assert [contest.pair for contest in contests(table, LEADER)] == [(first, row.name) for row in table.rows[1:]]
    top = contests(table, Question("top", 960, top=2))
    assert [contest.pair[0] for contest in top] == [first, *[table.rows[1].name] * 4]


def test_a_provisional_standing_answers_nothing() -> None:
    played = [
        duel(n, *(("ash", "elm") if n % 2 else ("elm", "ash")), ("village", "werewolves")[n % 2]) for n in range(100)
    ]
    table = rate(played, ["ash", "elm"])
    assert table.rows[0].name == "ash"
    assert {contest.state for contest in contests(table, LEADER)} == {"apart"}
    assert len(open_pairs(table, LEADER)) == 1
    assert not is_over(table, LEADER)


def test_the_games_end_at_the_cap_and_a_fixed_number_knows_no_other_end() -> None:
    table = standing(1.5, 8)
    assert is_over(table, Question("order", games=240))
    fixed = Question("fixed", games=300)
    assert not is_over(table, fixed)
    assert len(open_pairs(table, fixed)) == 15
    assert games_more(table, fixed) == 0


def test_pairs_that_never_met_are_open_however_far_apart() -> None:
    one = [duel(n, *(("ash", "birch") if n % 2 else ("birch", "ash")), even(n)) for n in range(400)]
    other = [duel(n + 500, *(("elm", "fir") if n % 2 else ("fir", "elm")), even(n)) for n in range(400)]
    table = rate(one + other, ["ash", "birch", "elm", "fir"])
    states = {frozenset(contest.pair): contest.state for contest in contests(table, ORDER)}
    assert all(("open" in state) == (len(pair & {"ash", "birch"}) == 1) for pair, state in states.items())


@pytest.mark.parametrize(
    ("question", "complaint"),
    [
        (Question("best", 9), "question: 'best'; known: leader, top, order, fixed"),  # type: ignore[arg-type]
        (Question("top", 9, top=6), "top: 6; from 1 to 5, one less than competitors"),
        (Question("order", 9, margin=0), "margin: 0; more than 0, in logits"),
        (Question("fixed", 0), "games: 0; 1 or more"),
    ],
)
def test_a_question_that_is_none_is_refused(question: Question, complaint: str) -> None:
    with pytest.raises(UnusableInput) as refused:
        check_question(question, 6)
    assert str(refused.value) == complaint


def test_wins_losses_and_draws_are_counted_and_the_rest_apart() -> None:
    """A-T03: four wins, three losses, two draws; three given up, one still running."""
    results = ["werewolves"] * 4 + ["village"] * 3 + [DRAW] * 2
    played = [duel(number, "x", "y", winner) for number, winner in enumerate(results)]
    played += [duel(number, "x", "y", "", "person") for number in (20, 21)]
    played += [duel(22, "x", "y", "", "provider"), duel(23, "x", "y", "")]
    counts = tally(played, ["x", "y", "z"])
    assert counts["x"].total == Count(4, 3, 2)
    assert counts["x"].total.counted == 9
    assert counts["x"].total.rate == pytest.approx(5 / 9)
    assert counts["x"].void == {"person": 2, "provider": 1}
    assert counts["x"].running == 1
    assert counts["y"].total == Count(3, 4, 2)
    assert counts["z"].total == Count()
    assert counts["z"].total.rate is None
    assert counts["z"].total.interval is None


def test_totals_add_up_whatever_became_of_a_game() -> None:
    """A-T02: of twenty games fifteen are rated, and five are kept with what became of them."""
    played = [duel(number, "x", "y", "village") for number in range(15)]
    played += [
        duel(15 + n, "x", "y", "", void) for n, void in enumerate(("ours", "ours", "provider", "ours", "person"))
    ]
    count = tally(played, ["x", "y"])["x"]
    assert count.total.counted + sum(count.void.values()) + count.running == 20
    assert rate(played, ["x", "y"]).games == 15


def test_rates_are_told_by_side_and_card() -> None:
    """A-T06: ten games as werewolf with eight wins, two as village without one, and the reverse."""
    played = [duel(n, "x", "y", "werewolves" if n < 8 else "village") for n in range(10)]
    played += [duel(10 + n, "y", "x", "werewolves") for n in range(2)]
    counts = tally(played, ["x", "y"])
    assert counts["x"].sides == {"village": Count(0, 2), "werewolves": Count(8, 2)}
    assert counts["y"].sides == {"village": Count(2, 8), "werewolves": Count(2, 0)}
    assert counts["x"].roles == {"seer": Count(0, 2), "villager": Count(0, 2), "werewolf": Count(8, 2)}
    low, high = counts["x"].sides["werewolves"].interval or (0, 0)
    assert low < 0.8 < high


def test_results_on_one_deal_are_no_trials_of_their_own() -> None:
    """Deals decide: whoever plays the werewolves wins all ten games of one deal, and loses those of the next."""
    played = [
        replace(duel(10 * deal + leg, "x", "y", "werewolves" if deal % 2 else "village"), deal=f"d{deal}")
        for deal in range(8)
        for leg in range(10)
    ]
    count = tally(played, ["x", "y"])["x"]
    low, high = count.sides["werewolves"].interval or (1, 0)
    assert (count.sides["werewolves"].counted, count.total.rate) == (80, 0.5)
    # Eight coins, not eighty: the t interval of eight alternating deals.
    assert low == pytest.approx(0.5 - 2.3646 * (8 / 7 * 8 * 25 / 80**2) ** 0.5, abs=1e-3)
    assert high == pytest.approx(1 - low)
    assert count.roles["werewolf"].interval == count.total.interval == (low, high)
    shuffled = tally(played[::-1], ["x", "y"])["x"]
    assert shuffled.total.interval == count.total.interval
    assert tally(played[:10], ["x", "y"])["x"].total.interval is None, "one deal says nothing of others"


def test_a_competitor_on_both_sides_of_a_game_has_a_result_for_each() -> None:
    mixed = blocks(plan("mixed"), 2)
    counts = tally(games(mixed, lambda fixture: "village"), SIX)
    for name in SIX:
        sides = counts[name].sides
        seated = [{place.faction for place in places(fixture) if place.competitor == name} for fixture in mixed]
        assert counts[name].total.won == sides["village"].won == sum("village" in each for each in seated)
        assert counts[name].total.lost == sides["werewolves"].lost == sum("werewolves" in each for each in seated)


@pytest.mark.parametrize("winner", ["werewolves", "village", DRAW])
def test_every_seat_has_one_result_and_they_agree_with_the_end(winner: str) -> None:
    """A-T05: also a draw; whoever shares a faction shares its result."""
    counts = tally([duel(1, "x", "y", winner)], ["x", "y"])
    for name, side in (("x", "werewolves"), ("y", "village")):
        count = counts[name].sides[side]
        assert count.counted == 1
        assert (count.won, count.drawn) == (int(winner == side), int(winner == DRAW))
