"""What explains a standing: figures of small games worked out by hand, oracles that count everything, and chance."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import permutations, product
from math import log2

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.events import Acted, Badge, Began, Exploded, Marked, Noted, Out, Revealed, Shot, Turned
from arena.ruleset import load_ruleset
from arena.terms import Claim, Seat
from arena.tournament.metrics import METRICS, Ledger, Sum, measured
from arena.tournament.metrics.claims import _majority
from arena.tournament.metrics.facts import Ballot, Facts
from arena.tournament.metrics.votes import deciding
from arena.transcript import Record
from tests.small_games import ALL, CARDS, at_random, attack, began, checks, day, does, ended, night, says, votes

Found = dict[tuple[str, Seat], tuple[int, float, float | None]]

NAMES = tuple(str(seat) for seat in range(1, 19))


def sums(*parts: Record | Sequence[Record], cards: Sequence[str] = CARDS) -> list[Sum]:
    records = [record for part in parts for record in (part if isinstance(part, list) else [part])]
    return list(measured([*began(cards), *records], NAMES))  # type: ignore[list-item]


def found(metric: str, *parts: Record | Sequence[Record]) -> dict[Seat, tuple[int, float, float | None]]:
    """Of each seat: occasions, what they gave, and what chance would have given."""
    totals = {}
    for one in sums(*parts):
        if one.metric == metric:
            totals[int(one.competitor)] = (one.of, one.got, one.chance)
    return totals


def third(number: float) -> float:
    return round(number / 3, 6)


BALLOT = votes({1: 2, 2: 7, 3: 1, 4: 4, 5: 0, 6: 1, 7: 3})


def test_votes_are_held_against_the_seats_they_could_have_been_for() -> None:
    """Two werewolves among six others; a vote for oneself and an abstention are no vote for anybody."""
    assert found("votes_on_wolves", day(1), BALLOT) == {3: (1, 1, third(1)), 6: (1, 1, third(1)), 7: (1, 0, third(1))}
    assert found("votes_on_own", day(1), BALLOT) == {1: (1, 1, round(1 / 6, 6)), 2: (1, 0, round(1 / 6, 6))}
    run_off = votes({3: 7, 6: 1}, (1, 7), "runoff")
    assert found("votes_on_wolves", run_off) == {3: (1, 0, 0.5), 6: (1, 1, 0.5)}
    assert found("votes_on_wolves", votes({3: 1}, topic="sheriff")) == {}


def test_a_vote_decides_if_the_exile_is_another_without_it() -> None:
    # Seat 1 has two votes, three others have one each: without either of the two nobody would go.
    assert {seat: got for seat, (_, got, _) in found("decisive_votes", BALLOT).items() if got} == {3: 1, 6: 1}
    assert found("decisive_votes", BALLOT)[7] == (1, 0, third(1))
    # Two and two: every one of the four keeps the other side from winning.
    tie = votes({3: 1, 6: 1, 2: 7, 1: 7})
    assert all(one == (1, 1, 1) for one in found("decisive_votes", tie).values())
    # A sheriff's vote and a half beats one vote; without it that one wins.
    badge = Badge("elected", 3)
    assert found("decisive_votes", badge, votes({3: 1, 2: 7})) == {3: (1, 1, 0.5), 2: (1, 0, 0.5)}


@settings(deadline=None, max_examples=60)
@given(st.lists(st.integers(0, 7), min_size=7, max_size=7), st.integers(0, 7), st.sampled_from(["never", "own_vote"]))
def test_deciding_votes_are_those_that_counting_again_finds(named: list[int], sheriff: int, rule: str) -> None:
    facts = Facts()
    for event in [*began(sheriff__breaks_tie=rule), Badge("elected", sheriff)]:
        facts.read(event)

    def exiled(without: Seat) -> Seat:
        ballots = {seat: target for seat, target in enumerate(named, start=1) if target and seat != without}
        counts: dict[Seat, float] = dict.fromkeys(ALL, 0.0)
        for seat, target in ballots.items():
            counts[target] += 1.5 if seat == sheriff else 1
        (most, first), (next_most, _), *_ = sorted(((count, seat) for seat, count in counts.items()), reverse=True)
        if most > next_most:
            return first
        choice = ballots.get(sheriff, 0)
        return choice if rule == "own_vote" and choice and counts[choice] == most else 0

    cast = dict(enumerate(named, start=1))
    assert deciding("vote", cast, facts) == {seat for seat in ALL if cast[seat] and exiled(seat) != exiled(0)}


def test_days_survived_are_held_against_everybody_s() -> None:
    """Seven begin the first day, six end it; the night before took nobody of them."""
    exile = Out(1, ("exile",), 1, night=False)
    first = [night(1), day(1, "announcement"), day(1), exile, night(2)]
    assert found("days_survived", *first) == {1: (1, 0, round(6 / 7, 6)), 2: (1, 1, round(6 / 7, 6))}
    # On the second, five begin, for one went at night and one by a shot of that night; four end it.
    more = [Out(7, ("werewolves",), 2, night=True), day(2, "announcement"), Out(6, ("shot",), 2, night=True), day(2)]
    second = [*first, *more, Out(3, ("exile",), 2, night=False), ended()]
    assert found("days_survived", *second)[2] == (2, 2, round(6 / 7 + 3 / 4, 6))


def test_who_explodes_has_given_up_hiding() -> None:
    events = [night(1), day(1), Exploded(1, "speech"), Out(1, ("explode",), 1, night=False), night(2)]
    assert found("days_survived", *events) == {2: (1, 1, 1)}


def claim(about: str, *seats: Seat, value: str = "") -> Claim:
    return Claim(about, seats, value)  # type: ignore[arg-type]


def test_a_bluff_is_a_werewolf_s_claim_to_a_card_with_a_power() -> None:
    bluff = says(1, claim("checked", 7, value="werewolf"))
    harmless = says(2, claim("role", 2, value="villager"))
    honest = says(3, claim("role", 3, value="seer"))
    whispered = says(2, claim("role", 2, value="seer"), to=(1, 2))
    assert found("bluffs", bluff, harmless, honest, whispered, ended()) == {1: (1, 1, None), 2: (1, 0, None)}


def test_a_bluff_is_believed_if_more_of_the_village_vote_with_it_than_against_it() -> None:
    # Seat 1 claims the seer's card and calls 7 a werewolf; 3, a rival for the card, is another to vote for.
    told = [says(1, claim("checked", 7, value="werewolf")), says(3, claim("role", 3, value="seer"))]
    ballot = votes({4: 7, 5: 3, 6: 1, 1: 7})
    # Each of 4, 5 and 6 has six others: two with the bluff, one against it, three neither.
    with_it, against, neither = 2 / 6, 1 / 6, 3 / 6
    chance = with_it**3 + 3 * with_it**2 * (against + neither) + 3 * with_it * neither**2
    assert found("bluffs_believed", *told, ballot) == {1: (1, 1, round(chance, 6))}
    assert found("bluffs_believed", *told, votes({4: 7, 6: 1}))[1][:2] == (1, 0)
    assert found("bluffs_believed", *told, votes({1: 7, 2: 7})) == {}


@settings(deadline=None, max_examples=30)
@given(st.lists(st.integers(-1, 1), min_size=4, max_size=4), st.integers(1, 4))
def test_the_chance_to_be_believed_is_that_of_all_possible_votes(words: list[int], voters: int) -> None:
    others = (1, 2, 3, 4)
    ballots = [Ballot("vote", 5 + number, 1, others) for number in range(voters)]
    meant = dict(zip(others, words, strict=True))
    outcomes = [sum(meant[seat] for seat in cast) > 0 for cast in product(others, repeat=voters)]
    assert _majority(meant, ballots) == pytest.approx(sum(outcomes) / len(outcomes))


def test_the_right_side_is_to_vote_for_the_false_one_of_two_claimants() -> None:
    told = [says(1, claim("role", 1, value="seer")), says(3, claim("role", 3, value="seer"))]
    ballot = votes({4: 1, 5: 3, 6: 7, 3: 1})
    assert found("right_side", *told, ballot) == {4: (1, 1, 0.5), 5: (1, 0, 0.5)}
    assert found("right_side", told[0], ballot) == {}


def test_claims_are_true_or_not_once_a_day() -> None:
    told = says(3, claim("role", 3, value="seer"))
    false = says(1, claim("side", 7, value="werewolves"), claim("suspects", 7))
    records = [day(1), told, told, false, night(2), day(2), told]
    by_day = {(one.competitor, one.day): (one.of, one.got) for one in sums(*records) if one.metric == "true_claims"}
    assert by_day == {("3", 1): (1, 1), ("3", 2): (1, 1), ("1", 1): (1, 0)}
    # One card in seven is the seer's; of the six seats but seat 1, one is a werewolf.
    assert found("true_claims", told)[3][2] == round(1 / 7, 6)
    assert found("true_claims", false)[1][2] == round(1 / 6, 6)
    # Of all seven seats, one could say so truly of its deeds.
    poisoned = [Acted((4,), 4, "poison", (1,)), says(2, claim("poisoned", 1))]
    assert found("true_claims", *poisoned) == {2: (1, 0, round(1 / 7, 6))}
    linked = [Acted((4,), 4, "link", (1, 2)), says(5, claim("lovers", 1, 2))]
    assert found("true_claims", *linked)[5] == (1, 1, round(1 / 21, 6))


def worlds(known: dict[Seat, str], answers: dict[Seat, str], learns: str) -> int:
    """How many ways there are for the cards to lie, by laying them in every way."""

    def said(card: str) -> str:
        if learns == "role":
            return card
        wolf = card == "werewolf"
        if learns == "faction":
            return "not_village" if wolf else "village"
        return "werewolf" if wolf else "not_werewolf"

    return sum(
        all(cards[seat - 1] == card for seat, card in known.items())
        and all(said(cards[seat - 1]) == answer for seat, answer in answers.items())
        for cards in set(permutations(CARDS))
    )


@pytest.mark.parametrize(
    ("learns", "of_7", "of_1"),
    [
        ("is_werewolf", "not_werewolf", "werewolf"),
        ("faction", "village", "not_village"),
        ("role", "villager", "werewolf"),
    ],
)
def test_a_check_tells_as_much_as_it_makes_worlds_impossible(learns: str, of_7: str, of_1: str) -> None:
    others = (1, 2, 4, 5, 6, 7)
    records = [
        night(1),
        *checks(3, 7, of_7, others),
        *[day(1), Revealed(6, "hunter"), night(2)],
        *checks(3, 1, of_1, (1, 7)),
    ]
    cards = began(seer__learns=learns)
    got = {one.metric: one for one in measured([*cards, *records], NAMES)}
    me = {3: "seer"}
    first = log2(worlds(me, {}, learns) / worlds(me, {7: of_7}, learns))
    assert got["first_check"].got == pytest.approx(first, abs=1e-5)
    known = {**me, 6: "hunter"}
    second = log2(worlds(known, {7: of_7}, learns) / worlds(known, {7: of_7, 1: of_1}, learns))
    assert got["later_checks"].got == pytest.approx(second, abs=1e-5)
    # Seat 7 had been checked: to check it again would have told nothing.
    assert got["later_checks"].chance == pytest.approx(second / 2, abs=1e-5)


def test_a_check_is_told_in_time_by_who_lives_to_tell() -> None:
    check = checks(3, 1, "werewolf", (1, 2))
    tell = says(3, claim("checked", 1, value="werewolf"))
    gone = Out(3, ("werewolves",), 1, night=True)
    assert found("checks_published", night(1), check, day(1), tell, ended()) == {3: (1, 1, None)}
    assert found("checks_published", night(1), check, day(1), ended()) == {3: (1, 0, None)}
    late = [day(1), Out(3, ("exile",), 1, night=False), tell]
    assert found("checks_published", night(1), check, *late, ended()) == {3: (1, 0, None)}
    assert found("checks_published", night(1), check, gone, day(1), tell, ended()) == {}


def test_powers_are_held_against_a_draw_among_their_targets() -> None:
    assert found("poison", does(4, "poison", 1, ALL)) == {4: (1, 1, round(2 / 7, 6))}
    assert found("poison", does(4, "antidote_and_poison", 7, ALL)) == {4: (1, 0, round(2 / 7, 6))}
    assert found("shots", does(6, "shoot", 2, (1, 2, 3)), Shot(6, 2)) == {6: (1, 1, round(2 / 3, 6))}
    assert found("shots", does(6, "shoot", 0, (1, 2, 3))) == {}
    own = attack((1, 2), 2)
    assert found("own_attacked", own) == {1: (1, 1, round(2 / 7, 6)), 2: (1, 1, round(2 / 7, 6))}
    assert found("own_attacked", attack((1, 2), 7, (3, 4, 5, 6, 7))) == {}


def test_a_guard_is_right_where_the_attack_comes_and_saves_what_the_card_weighs() -> None:
    watch = [*does(5, "protect", 3, ALL), Marked(3, "protected", 5)]
    met = [night(1), *watch, *attack((1, 2), 3), day(1)]
    assert found("guards", *met) == {5: (1, 1, round(1 / 7, 6))}
    assert found("saved", *met) == {5: (1, 2, round(2 / 7, 6))}
    missed = [night(1), *watch, *attack((1, 2), 7), Out(7, ("werewolves",), 1, night=True), day(1)]
    assert found("guards", *missed) == {5: (1, 0, round(1 / 7, 6))}
    assert found("saved", *missed) == {5: (1, 0, round(1 / 7, 6))}
    assert found("guards", night(1), watch, day(1)) == {}
    # Last night's seat could not be watched again: nothing to be right about.
    again = does(5, "protect", 7, (1, 2, 4, 5, 6, 7))
    assert found("guards", night(1), again, attack((1, 2), 3), day(1)) == {}


def test_an_antidote_saves_what_the_card_weighs_unless_it_is_in_vain() -> None:
    heal = [*attack((1, 2), 3), Marked(3, "healed", 4)]
    weights = 4 * 2 + 1  # four cards that count as gods, a villager, two enemies
    assert found("saved", night(1), heal, day(1)) == {4: (1, 2, round(weights / 7, 6))}
    clash = [*heal, Out(3, ("werewolves",), 1, night=True)]
    assert found("saved", night(1), clash, day(1)) == {4: (1, 0, round(weights / 7, 6))}
    enemy = [*attack((1, 2), 2), Marked(2, "healed", 4)]
    assert found("saved", night(1), enemy, day(1))[4][:2] == (1, 0)


def test_beliefs_are_scored_against_knowing_how_many_werewolves_there_are() -> None:
    stated = ((1, 0.8), (3, 0.5), (7, 0.1))
    told = votes({7: 1}, beliefs=stated)
    score = log2(0.8) + log2(1 - 0.5)
    base = log2(1 / 3) + log2(2 / 3)
    assert found("beliefs", told) == {7: (2, round(score, 6), round(base, 6))}
    assert found("beliefs", votes({1: 7}, beliefs=stated)) == {}
    assert found("beliefs", votes({7: 1}, beliefs=((1, 0.0),)))[7][1] == pytest.approx(log2(0.01), abs=1e-6)


def test_sides_are_those_of_the_moment() -> None:
    """Linked with a werewolf, a villager stands on another side; the card taken from beside the table counts."""
    records = [Noted(7, "faction", "lovers"), *does(7, "shoot", 3, ALL)]
    (shot,) = [one for one in sums(*records) if one.metric == "shots"]
    assert (shot.side, shot.got) == ("lovers", 1)
    assert found("votes_on_wolves", Noted(7, "faction", "lovers"), votes({7: 1})) == {}
    assert found("votes_on_wolves", Turned(7, "werewolf"), votes({3: 7})) == {3: (1, 1, 0.5)}
    assert found("votes_on_own", Turned(7, "werewolf"), votes({7: 1})) == {7: (1, 1, third(1))}


def test_cards_that_lie_beside_the_table_are_among_those_that_may_be_anywhere() -> None:
    """A check finds one of three werewolves among eight cards, for two lie where nobody sits."""
    beginning, *dealt = began()
    assert isinstance(beginning, Began)
    beside = replace(beginning, cards={**Counter(CARDS), "werewolf": 3, "thief": 1})
    records = [beside, *dealt, night(1), *checks(3, 1, "werewolf", (1,))]
    (check,) = [one for one in measured(records, NAMES) if one.metric == "first_check"]
    assert check.got == pytest.approx(log2(8 / 3), abs=1e-6)


def test_a_check_that_contradicts_what_is_known_has_no_measure() -> None:
    """Both werewolves are known, then a third is checked: as where a card no longer says what a seat is."""
    told = [night(1), *checks(3, 1, "werewolf", (1, 2)), *checks(3, 7, "werewolf", (7,))]
    assert found("first_check", *told, checks(3, 2, "werewolf", (2,)))[3][0] == 2


# Chance

GAMES = 120
LUCK = ("votes_on_wolves", "votes_on_own", "days_survived", "own_attacked", "first_check", "later_checks", "poison")


@pytest.fixture(scope="module")
def by_lot() -> Ledger:
    """Games in which everybody decides by lot. Nobody explodes, so that they last; a guard has something to do."""
    ruleset = load_ruleset("duskwald").with_rules({"explode.allowed": False, "werewolves.rounds": 1}, "test")
    ledger = Ledger()
    for seed in range(GAMES):
        ledger.add(str(seed), measured(at_random(ruleset, 12, seed), ["all"] * 12))
    return ledger


@pytest.mark.parametrize("metric", [*LUCK, "shots", "guards", "saved"])
def test_who_decides_by_lot_does_as_well_as_chance(by_lot: Ledger, metric: str) -> None:
    figure = by_lot.metrics("all")[metric].total
    assert figure.of > 20
    assert figure.low is not None
    assert figure.high is not None
    # Ten figures are looked at: so much wider, their intervals hold all at once in 95 % (Bonferroni).
    assert abs(figure.value - figure.chance) < 1.43 * (figure.high - figure.low) / 2


# Many games


def one(
    competitor: str, of: int, got: float, chance: float | None, metric: str = "poison", side: str = "village"
) -> Sum:
    return Sum(competitor, metric, side, 0, of, got, chance)


def test_an_interval_is_by_deal() -> None:
    """Ten deals of two games each that are alike: what a game adds twice is known no better for it."""
    single, double = Ledger(), Ledger()
    for number in range(10):
        each = one("a", 4, float(number % 3), 1.5)
        single.add(str(number), [each])
        double.add(str(number), [each])
        double.add(str(number), [each])
    once, twice = (ledger.metrics("a")["poison"].total for ledger in (single, double))
    assert (once.of, twice.of, once.deals, twice.deals) == (40, 80, 10, 10)
    assert once.value == twice.value == pytest.approx(sum(number % 3 for number in range(10)) / 40)
    assert twice.high == pytest.approx(once.high)
    assert once.chance == pytest.approx(1.5 / 4)


def test_intervals_hold_the_truth_where_the_games_of_a_deal_are_alike() -> None:
    """Thirty deals of two games with four occasions each; a deal shifts its rate by up to a third."""
    rng = np.random.default_rng(4)
    held = 0
    for _ in range(400):
        ledger = Ledger()
        for number in range(30):
            rate = 0.5 + rng.choice([-1, 1]) / 3
            for _ in range(2):
                ledger.add(str(number), [one("a", 4, float(rng.binomial(4, rate)), 1.0)])
        figure = ledger.metrics("a")["poison"].total
        held += (figure.low or 0) <= 0.5 <= (figure.high or 0)
    assert 0.92 < held / 400 < 0.98


def test_a_few_deals_that_are_alike_by_luck_are_not_sure() -> None:
    ledger = Ledger()
    for number in range(3):
        ledger.add(str(number), [one("a", 1, 1, 0.3), one("a", 1, 1.0, 1.0, "first_check")])
        ledger.add(str(number), [one("b", 1, 0.5 + number, 1.0, "first_check")])
    found = ledger.metrics("a")
    assert found["poison"].total.low == pytest.approx(0.438, abs=0.001)  # Wilson's interval of 3 in 3
    check = found["first_check"].total
    assert check.high is not None
    assert check.high - check.value > 0.5
    lone = Ledger()
    lone.add("1", [one("a", 1, 1, 0.3)])
    assert lone.metrics("a")["poison"].total.low is None


def test_where_chance_has_no_value_the_field_s_rate_stands_for_it() -> None:
    ledger = Ledger()
    ledger.add("1", [one("a", 2, 2, None, "bluffs", "werewolves"), one("b", 2, 1, None, "bluffs", "werewolves")])
    assert ledger.metrics("a")["bluffs"].total.chance == pytest.approx(0.75)
    assert ledger.metrics("c") == {}


def test_figures_are_told_by_side_and_day() -> None:
    ledger = Ledger()
    ledger.add(
        "1", [Sum("a", "true_claims", "village", 1, 2, 2, 0.2), Sum("a", "true_claims", "werewolves", 2, 1, 0, 0.1)]
    )
    metric = ledger.metrics("a")["true_claims"]
    assert metric.total.value == pytest.approx(2 / 3)
    assert metric.sides["village"].value == 1
    assert metric.days == {"village": {1: metric.sides["village"]}, "werewolves": {2: metric.sides["werewolves"]}}


def test_every_ruleset_can_be_measured() -> None:
    """Thieves, lovers, pipers and their like: nothing they do is beyond the fold, and no chance is out of range."""
    for name, players in (("lyingman-s2", 11), ("lyingman-s3-thief", 12), ("thiercelieux", 16), ("factions", 18)):
        for seed in range(3):
            for each in measured(at_random(load_ruleset(name), players, seed), NAMES):
                if METRICS[each.metric].unit == "share":
                    assert 0 <= each.got <= each.of
                    assert each.chance is None or -1e-6 <= each.chance <= each.of + 1e-6
