"""A world in which the true skills are known, to measure what schedules and ratings are worth.

The chance that the werewolves win is logistic in: the balance of the board; the skills of both sides, each seat by its
weight; how a pair of competitors suits each other; the synergy of seats with the same competitor; the deal; and two
pieces of luck in the first night. All constants are assumptions, on the scale of logits; none was fitted to games.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from arena.roles import ROLES
from arena.ruleset import load_ruleset
from arena.tournament.game import Game, Luck, Place
from arena.tournament.schedule import Fixture, Format, Plan

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]

RULES = load_ruleset("duskwald").rules
WOLF = "werewolf"
PLAIN = "villager"


@dataclass(frozen=True)
class World:
    """A board, what a seat of the village weighs by its card, and how large each effect is (standard deviations)."""

    werewolves: int = 3
    village: Mapping[str, int] = field(default_factory=lambda: {"seer": 1, "witch": 1, "hunter": 1, PLAIN: 3})
    weights: Mapping[str, float] = field(
        default_factory=lambda: {"seer": 0.30, "witch": 0.22, "hunter": 0.12, PLAIN: 0.12}
    )
    competitors: int = 6
    gap: float = 0.35
    skill: float = 0.0
    side: float = 0.30
    form: float = 0.20
    match: float = 0.25
    synergy: float = 0.15
    balance: float = -0.28
    deal: float = 0.40
    seer_checks_wolf: float = -0.80
    seer_killed: float = 0.60

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(f"c{number}" for number in range(self.competitors))

    @property
    def slots(self) -> tuple[str, ...]:
        """The cards of the village, one for each seat."""
        return tuple(role for role, number in self.village.items() for _ in range(number))

    @property
    def luck(self) -> tuple[tuple[str, float, float], ...]:
        """Event, probability and effect: the pack and the seer each meet somebody they know nothing about."""
        checked = self.werewolves / (self.werewolves + len(self.slots) - 1)
        killed = 1 / len(self.slots)
        return (("seer_checks_wolf", checked, self.seer_checks_wolf), ("seer_killed", killed, self.seer_killed))

    def plan(self, format: Format, seed: int) -> Plan:
        return Plan(self.names, {WOLF: self.werewolves, **self.village}, RULES, format, seed)


NINE = World()
SIX = World(
    werewolves=2,
    village={"seer": 1, "guard": 1, PLAIN: 2},
    weights={"seer": 0.38, "guard": 0.26, PLAIN: 0.18},
)
TWELVE = World(
    werewolves=4,
    village={"seer": 1, "witch": 1, "hunter": 1, "guard": 1, PLAIN: 4},
    weights={"seer": 0.26, "witch": 0.18, "hunter": 0.10, "guard": 0.10, PLAIN: 0.09},
)
SEATS = {6: SIX, 9: NINE, 12: TWELVE}


@dataclass(frozen=True)
class Field:
    """The truth about the competitors. `pure` is the skill of a side made of one competitor alone."""

    skill: Floats
    lean: Floats
    form: Floats
    match: Floats
    synergy: Floats
    weights: Floats

    @property
    def pure(self) -> Floats:
        return np.asarray(self.skill + self.synergy.mean(axis=0), dtype=np.float64)


def field_of(world: World, rng: np.random.Generator) -> Field:
    """Draw a field: skills a gap apart, or from a normal distribution where the world has a deviation for them."""
    size = world.competitors
    even = world.gap * (np.arange(size) - (size - 1) / 2)
    weights = np.array([world.weights[role] for role in world.slots])
    weights /= weights.sum()
    forms = {role: rng.normal(0, world.form, size) for role in world.village}
    form = np.stack([forms[role] for role in world.slots], axis=1)
    match = rng.normal(0, world.match, (size, size))
    return Field(
        skill=rng.normal(0, world.skill, size) if world.skill else rng.permutation(even),
        lean=rng.normal(0, world.side, size),
        form=form - (form @ weights)[:, None],
        match=match - match.mean(axis=0)[None, :] - match.mean(axis=1)[:, None] + match.mean(),
        synergy=rng.normal(0, world.synergy, (2, size)),
        weights=weights,
    )


def chance(world: World, truth: Field, wolves: Ints, village: Ints) -> Floats:
    """The logits of the werewolves, without deal and luck. Rows are games, columns the competitors of the seats."""
    pack = _shares(wolves, world.competitors, np.full(wolves.shape[1], 1 / wolves.shape[1]))
    town = _shares(village, world.competitors, truth.weights)
    skills = truth.skill - truth.lean + truth.form.T
    logits: Floats = (
        world.balance
        + pack @ (truth.skill + truth.lean)
        - skills[np.arange(village.shape[1]), village] @ truth.weights
        + np.einsum("gi,ij,gj->g", pack, truth.match, town)
        + _together(wolves, world.competitors) @ truth.synergy[0]
        - _together(village, world.competitors) @ truth.synergy[1]
    )
    return logits


def outcomes(world: World, logits: Floats, deals: Ints, rng: np.random.Generator) -> tuple[Bools, Bools]:
    """Whether the werewolves win each game, and which pieces of luck it had (games x events)."""
    expected = np.array([probability for _, probability, _ in world.luck])
    effects = np.array([effect for _, _, effect in world.luck])
    happened: Bools = rng.random((len(logits), len(world.luck))) < expected
    total = logits + rng.normal(0, world.deal, int(deals.max()) + 1)[deals] + (happened - expected) @ effects
    won: Bools = rng.random(len(logits)) < expit(total)
    return won, happened


def played(world: World, truth: Field, fixtures: Sequence[Fixture], rng: np.random.Generator) -> list[Game]:
    """The games of `fixtures`, which hold all legs of their deals."""
    number = {name: place for place, name in enumerate(world.names)}
    wolves = [[number[c] for c in _holding(fixture, WOLF)] for fixture in fixtures]
    village = [[number[c] for role in world.village for c in _holding(fixture, role)] for fixture in fixtures]
    deals = np.unique([fixture.deal for fixture in fixtures], return_inverse=True)[1]
    logits = chance(world, truth, np.array(wolves), np.array(village))
    won, happened = outcomes(world, logits, deals, rng)
    return [_game(world, *each) for each in zip(fixtures, won, happened, strict=True)]


def random_seating(world: World, truth: Field, games: int, rng: np.random.Generator) -> Floats:
    """The win rates of the competitors when all sit at every table, at random, and spare seats go to anybody."""
    size, seats = world.competitors, world.werewolves + len(world.slots)
    rounds = -(-seats // size)
    laps = [rng.permuted(np.tile(np.arange(size), (games, 1)), axis=1) for _ in range(rounds)]
    seated = rng.permuted(np.concatenate(laps, axis=1)[:, :seats], axis=1)
    wolves, village = seated[:, : world.werewolves], seated[:, world.werewolves :]
    won, _ = outcomes(world, chance(world, truth, wolves, village), np.arange(games), rng)
    ones = np.ones(seats)
    pack, town = _shares(wolves, size, ones[: world.werewolves]), _shares(village, size, ones[world.werewolves :])
    wins = np.where(won[:, None], pack, town).sum(axis=0)
    return np.asarray(wins / (pack + town).sum(axis=0), dtype=np.float64)


def _holding(fixture: Fixture, role: str) -> list[str]:
    return [name for name, card in zip(fixture.competitors, fixture.roles, strict=True) if card == role]


def _game(world: World, fixture: Fixture, won: np.bool_, happened: Bools) -> Game:
    places = zip(fixture.competitors, fixture.roles, strict=True)
    events = zip(world.luck, happened, strict=True)
    return Game(
        id=fixture.id,
        deal=fixture.deal,
        board="world",
        format="duel",
        places=tuple(Place(name, role, ROLES[role].faction) for name, role in places),
        winner="werewolves" if won else "village",
        luck=tuple(Luck(event, bool(was), probability) for (event, probability, _), was in events),
    )


def _shares(seats: Ints, size: int, weights: Floats) -> Floats:
    shares = np.zeros((len(seats), size))
    for column, weight in enumerate(weights):
        shares[np.arange(len(seats)), seats[:, column]] += weight
    return shares


def _together(seats: Ints, size: int) -> Floats:
    """The part of the pairs of a side's seats that have one competitor."""
    count = _shares(seats, size, np.ones(seats.shape[1]))
    return np.asarray(count * (count - 1) / (seats.shape[1] * (seats.shape[1] - 1)), dtype=np.float64)
