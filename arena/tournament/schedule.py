"""The schedule: blocks of games in which competitors take each other's places on the same deal.

A *deal* is a seed. It says which card lies at which seat, and with it who speaks first and whatever else chance
decides; players are known by the numbers of their seats alone. The *slots* of a deal say which seats belong together;
the *legs* are games on one deal in which the competitors of a group move on by one slot, so that in the end each has
had every slot once.

========= =============== ==================================================== ============================
format    group           slots                                                legs
========= =============== ==================================================== ============================
duel      every pair      the sides                                            2
trio      every three     the werewolves, and the village in two halves        3
mixed     everybody       seats, dealt out as evenly as they can be            as many as competitors
series    every pair      the sides, exchanged from game to game               2, of five games each
========= =============== ==================================================== ============================

A side is the faction of a card as it was dealt. The seats of a third faction go together, to a slot drawn for the deal.
"""

from collections.abc import Collection, Mapping
from itertools import combinations
from typing import Literal, get_args

from arena.chance import draw, shuffled
from arena.knobs import Rules
from arena.referee import deal
from arena.roles import ROLES
from arena.terms import Seat, UnusableInput, record
from arena.transcript.schema import LARGEST_SEED

WEREWOLVES = "werewolves"
VILLAGE = "village"

Format = Literal["duel", "trio", "mixed", "series"]
FORMATS: tuple[Format, ...] = get_args(Format)

Pair = tuple[str, str]

SERIES_GAMES = 5
"""Games of a series."""

FULL_BLOCKS = 2
"""Blocks in which every group plays, before games go to the pairs that are still open."""

LOOK_GAMES = 20
"""Games that a block of few groups has, about: so many are played between two looks at the standing."""


@record
class Plan:
    """What a schedule follows from: who plays, with which cards under which rules, how, and the tournament's seed."""

    competitors: tuple[str, ...]
    cards: Mapping[str, int]
    rules: Rules
    format: Format
    seed: int


@record
class Fixture:
    """One game to be played.

    `deal` names the deal, which other legs share, and `seed` is its seed. `leg` and `game` count from 1; `game` is
    the number within a series. `roles` and `competitors` are those of the seats, from seat 1.
    """

    id: str
    block: int
    deal: str
    leg: int
    game: int
    seed: int
    roles: tuple[str, ...]
    competitors: tuple[str, ...]

    def seats_of(self, competitor: str) -> tuple[Seat, ...]:
        """The seats that a competitor plays."""
        return tuple(seat for seat, name in enumerate(self.competitors, start=1) if name == competitor)

    @property
    def pair(self) -> str:
        """The name of the pair of series that a game of the format `series` belongs to; they share their deals."""
        return self.deal.rpartition("-")[0]


def check_plan(plan: Plan) -> None:
    """Check that `plan` can be played.

    Raises:
        UnusableInput: an unknown format, a competitor named twice, or too few of them.
    """
    if plan.format not in FORMATS:
        raise UnusableInput(f"format: {plan.format!r}; known: {', '.join(FORMATS)}")
    twice = sorted({name for name in plan.competitors if plan.competitors.count(name) > 1})
    if twice:
        raise UnusableInput(f"competitors: {twice[0]!r} is named twice; every name once")
    least = 3 if plan.format == "trio" else 2
    if len(plan.competitors) < least:
        raise UnusableInput(f"competitors: {len(plan.competitors)}; format {plan.format} takes {least} or more")


def full_block(plan: Plan, number: int) -> tuple[Fixture, ...]:
    """Block `number`, from 1, in which every group of competitors plays one deal (or one pair of series).

    Raises:
        UnusableInput: the plan can't be played.
    """
    return _block(plan, number, _groups(plan), 1)


def next_block(plan: Plan, number: int, open_pairs: Collection[Pair]) -> tuple[Fixture, ...]:
    """Block `number` of a tournament that plays on where it is undecided.

    From the third block on only groups with one of the `open_pairs` play, the more often the fewer they are; no open
    pair, no games. On mixed tables everybody plays always.

    Raises:
        UnusableInput: the plan can't be played.
    """
    if number <= FULL_BLOCKS:
        return full_block(plan, number)
    groups = [group for group in _groups(plan) if any(set(pair) <= set(group) for pair in open_pairs)]
    if not groups:
        return ()
    games = len(groups) * _legs(plan) * _games(plan)
    return _block(plan, number, groups, max(1, round(LOOK_GAMES / games)))


def certain_games(plan: Plan, games: int, *, fixed: bool) -> list[Fixture]:
    """Of `games` games those that no result can change: all if their number is `fixed`, else those of the first blocks.

    Raises:
        UnusableInput: the plan can't be played.
    """
    everybody = list(combinations(plan.competitors, 2))
    fixtures: list[Fixture] = []
    number = 1
    while len(fixtures) < games and (fixed or number <= FULL_BLOCKS):
        fixtures += next_block(plan, number, everybody)
        number += 1
    return fixtures[:games]


def _groups(plan: Plan) -> list[tuple[str, ...]]:
    size = {"duel": 2, "trio": 3, "series": 2}.get(plan.format, len(plan.competitors))
    return list(combinations(plan.competitors, size))


def _legs(plan: Plan) -> int:
    return {"duel": 2, "trio": 3, "series": 2}.get(plan.format, len(plan.competitors))


def _games(plan: Plan) -> int:
    return SERIES_GAMES if plan.format == "series" else 1


def _block(plan: Plan, number: int, groups: list[tuple[str, ...]], times: int) -> tuple[Fixture, ...]:
    check_plan(plan)
    order = shuffled(groups * times, plan.seed, "order", number)
    return tuple(
        fixture for place, group in enumerate(order, start=1) for fixture in _legs_of(plan, number, place, group)
    )


def _legs_of(plan: Plan, number: int, place: int, group: tuple[str, ...]) -> list[Fixture]:
    """The games of one group: all of the first leg, then all of the next."""
    name = f"b{number:03}-d{place:03}"
    members = shuffled(group, plan.seed, "members", name)
    deals = [_deal(plan, name, game) for game in range(1, _games(plan) + 1)]
    return [
        Fixture(
            id=f"{deal_name}-l{leg + 1:02}",
            block=number,
            deal=deal_name,
            leg=leg + 1,
            game=game,
            seed=seed,
            roles=roles,
            competitors=tuple(members[(slot + leg + game - 1) % len(members)] for slot in slots),
        )
        for leg in range(_legs(plan))
        for game, (deal_name, seed, roles, slots) in enumerate(deals, start=1)
    ]


def _deal(plan: Plan, name: str, game: int) -> tuple[str, int, tuple[str, ...], tuple[int, ...]]:
    """The name of a deal, its seed, the card of each seat and the slot of each seat."""
    name = f"{name}-g{game}" if plan.format == "series" else name
    seed = draw(plan.seed, "deal", name) % (LARGEST_SEED + 1)
    roles = deal(plan.cards, seed, plan.rules).seats
    slots = _mixed_slots if plan.format == "mixed" else _side_slots
    return name, seed, roles, slots(plan, roles, name)


def _side_slots(plan: Plan, roles: tuple[str, ...], name: str) -> tuple[int, ...]:
    size = 3 if plan.format == "trio" else 2
    factions = [ROLES[role].faction for role in roles]
    villagers = [place for place, faction in enumerate(factions) if faction == VILLAGE]
    half = shuffled(villagers, plan.seed, "halves", name)[len(villagers) // 2 :] if size > 2 else ()
    fixed = {WEREWOLVES: 0, VILLAGE: 1}
    return tuple(
        2 if place in half else fixed.get(faction, draw(plan.seed, "third", name, faction) % size)
        for place, faction in enumerate(factions)
    )


def _mixed_slots(plan: Plan, roles: tuple[str, ...], name: str) -> tuple[int, ...]:
    return tuple(shuffled([place % len(plan.competitors) for place in range(len(roles))], plan.seed, "slots", name))
