from collections import Counter
from dataclasses import replace
from itertools import combinations

import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.referee import deal
from arena.roles import ROLES
from arena.ruleset import load_ruleset
from arena.terms import UnusableInput
from arena.tournament.balance import balance
from arena.tournament.commitment import broken, commit
from arena.tournament.planner import games_to_separate, half_width, information_constant
from arena.tournament.schedule import FORMATS, Fixture, Format, Plan, full_block, next_block
from tests.tournaments import SIX, blocks, plan

NAMES = st.integers(3, 7).map(lambda number: tuple(f"c{i}" for i in range(number)))
PLANS = st.builds(
    plan,
    format=st.sampled_from(FORMATS),
    names=NAMES,
    players=st.sampled_from((6, 9, 12)),
    seed=st.integers(0, 2**63 - 1),
)


def by_deal(fixtures: tuple[Fixture, ...]) -> dict[str, list[Fixture]]:
    deals: dict[str, list[Fixture]] = {}
    for fixture in fixtures:
        deals.setdefault(fixture.deal, []).append(fixture)
    return deals


@settings(max_examples=25, deadline=None)
@given(PLANS)
def test_every_competitor_has_every_side_card_and_seat_as_often(plan: Plan) -> None:
    table = balance(full_block(plan, 1))
    for counts in (table.sides, table.roles, table.seats):
        assert sorted(counts) == sorted(plan.competitors)
        first = counts[plan.competitors[0]]
        assert all(count == first for count in counts.values())


@settings(max_examples=25, deadline=None)
@given(PLANS)
def test_the_legs_of_a_deal_differ_in_nothing_but_who_sits_where(plan: Plan) -> None:
    block = full_block(plan, 1)
    assert len({fixture.id for fixture in block}) == len(block)
    for legs in by_deal(block).values():
        assert len({(leg.seed, leg.roles, leg.block, leg.game) for leg in legs}) == 1
        assert legs[0].roles == deal(plan.cards, legs[0].seed, plan.rules).seats
        group = {name for leg in legs for name in leg.competitors}
        assert len(legs) == len(group)
        for seat in range(len(legs[0].roles)):
            assert {leg.competitors[seat] for leg in legs} == group


@settings(max_examples=20, deadline=None)
@given(PLANS, st.integers(1, 9))
def test_the_same_seed_gives_the_same_bytes(plan: Plan, number: int) -> None:
    again = replace(plan, cards=dict(reversed(list(plan.cards.items()))))
    assert orjson.dumps(full_block(plan, number)) == orjson.dumps(full_block(again, number))
    other = replace(plan, seed=plan.seed ^ 1)
    assert {f.seed for f in full_block(plan, number)}.isdisjoint(f.seed for f in full_block(other, number))


def test_blocks_share_no_deal() -> None:
    fixtures = blocks(plan(), 4)
    assert len({fixture.seed for fixture in fixtures}) == len(fixtures) // 2
    assert len({fixture.id for fixture in fixtures}) == len(fixtures)


@pytest.mark.parametrize(("format", "games"), [("duel", 30), ("trio", 60), ("mixed", 6), ("series", 150)])
def test_a_block_of_six_has_so_many_games(format: Format, games: int) -> None:
    assert len(full_block(plan(format), 1)) == games


def test_in_a_duel_each_side_has_one_competitor() -> None:
    for fixture in full_block(plan(players=12), 1):
        sides = {(ROLES[role].faction, name) for role, name in zip(fixture.roles, fixture.competitors, strict=True)}
        assert len(sides) == 2


def test_in_a_trio_two_competitors_share_the_village_evenly() -> None:
    for fixture in full_block(plan("trio"), 1):
        count = Counter(zip(fixture.competitors, (ROLES[role].faction for role in fixture.roles), strict=True))
        assert sorted((faction, number) for (_, faction), number in count.items()) == [
            ("village", 3),
            ("village", 3),
            ("werewolves", 3),
        ]


def test_sides_change_hands_from_game_to_game_of_a_series() -> None:
    first = [fixture for fixture in full_block(plan("series", ("ash", "elm")), 1) if fixture.leg == 1]
    wolves = [fixture.competitors[fixture.roles.index("werewolf")] for fixture in first]
    assert [fixture.game for fixture in first] == [1, 2, 3, 4, 5]
    assert wolves[0::2] == [wolves[0]] * 3
    assert wolves[1::2] == [wolves[1]] * 2
    assert wolves[0] != wolves[1]


@pytest.mark.parametrize("format", FORMATS)
def test_a_third_faction_goes_to_somebody_and_is_balanced(format: Format) -> None:
    ruleset = load_ruleset("factions")
    players = max(ruleset.setups)
    board = Plan(SIX, ruleset.cards(players), ruleset.rules, format, 3)
    factions = {ROLES[role].faction for role in board.cards}
    assert len(factions) > 2
    sides = balance([f for n in range(1, 4) for f in full_block(board, n)]).sides
    for name in SIX:
        assert sides[name].keys() <= factions
        assert sides[name].get("white_wolf", 0) == sides[SIX[0]].get("white_wolf", 0)


def test_the_first_blocks_are_full_and_later_ones_play_what_is_open() -> None:
    assert next_block(plan(), 2, ()) == full_block(plan(), 2)
    later = next_block(plan(), 3, [("ash", "elm")])
    assert {frozenset(fixture.competitors) for fixture in later} == {frozenset(("ash", "elm"))}
    assert len(later) == 20
    two = next_block(plan(), 3, [("ash", "elm"), ("birch", "fir")])
    assert len(two) == 20
    assert len(next_block(plan(), 3, list(combinations(SIX, 2)))) == 30
    assert next_block(plan(), 3, ()) == ()


def test_trios_with_an_open_pair_play_on_and_on_mixed_tables_everybody_does() -> None:
    for fixture in next_block(plan("trio"), 3, [("ash", "elm")]):
        assert {"ash", "elm"} < set(fixture.competitors)
    mixed = next_block(plan("mixed"), 3, [("ash", "elm")])
    assert {name for fixture in mixed for name in fixture.competitors} == set(SIX)


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        ({"format": "solo"}, "format: 'solo'; known: duel, trio, mixed, series"),
        ({"competitors": ("ash", "elm", "ash")}, "competitors: 'ash' is named twice; every name once"),
        ({"competitors": ("ash",)}, "competitors: 1; format duel takes 2 or more"),
        ({"competitors": ("ash", "elm"), "format": "trio"}, "competitors: 2; format trio takes 3 or more"),
    ],
)
def test_a_plan_that_cannot_be_played_is_refused(changes: dict[str, object], complaint: str) -> None:
    with pytest.raises(UnusableInput) as refused:
        full_block(replace(plan(), **changes), 1)  # type: ignore[arg-type]
    assert str(refused.value) == complaint


@pytest.mark.parametrize(("format", "constant"), [("duel", 12), ("trio", 16), ("mixed", 47)])
def test_the_constant_of_a_schedule_is_that_of_theory(format: Format, constant: float) -> None:
    assert information_constant(blocks(plan(format), 50)) == pytest.approx(constant, rel=0.1)


def test_the_planner_says_what_games_buy() -> None:
    assert [round(half_width(12, games), 2) for games in (120, 240, 960)] == [0.88, 0.62, 0.31]
    assert games_to_separate(13.5, 0.6) == 589


def test_a_commitment_is_kept_or_names_what_was_not() -> None:
    versions = {"ash": b"persona 1", "elm": b"persona 2"}
    made = commit(20260101, versions)
    assert made.seed == "fb5061148524384caf3a72f5056092952516fba8f9ea142a66e6d548dda11720"
    assert broken(made, 20260101, versions) == ()
    assert broken(made, 20260102, versions) == ("seed",)
    changed = {"ash": b"persona 1", "elm": b"persona 3", "fir": b""}
    assert broken(made, 20260101, changed) == ("competitors: elm", "competitors: fir")
    assert broken(made, 20260101, {"ash": b"persona 1"}) == ("competitors: elm",)
