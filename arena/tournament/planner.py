"""What a schedule can tell before it is played.

The variance of a competitor's skill (in logits, against the field) after N games of a schedule is about c / N. The
constant c follows from the schedule alone: it is 1 / (p(1 - p) Var x), with x the competitor's share of the
werewolves' seats less its share of the village's, and p the werewolves' chance of winning, here one half.
"""

from collections.abc import Sequence
from math import ceil, sqrt

import numpy as np

from arena.roles import ROLES
from arena.tournament.schedule import VILLAGE, WEREWOLVES, Fixture

Z95 = 1.959964
"""Two-sided 95 % quantile of the normal distribution."""

Z80 = 0.841621
"""One-sided 80 % quantile."""


def information_constant(fixtures: Sequence[Fixture]) -> float:
    """The constant c of a schedule, in squared logits times games, the mean over competitors."""
    names = sorted({name for fixture in fixtures for name in fixture.competitors})
    contrasts = np.array([_contrast(fixture, names) for fixture in fixtures])
    return float(4 / np.mean(contrasts**2))


def half_width(constant: float, games: int) -> float:
    """Half the 95 % interval of the difference between two skills after so many games, in logits."""
    return Z95 * sqrt(2 * constant / games)


def games_to_separate(constant: float, gap: float) -> int:
    """Games until two competitors `gap` logits apart are told apart with a probability of 80 %."""
    return ceil(2 * constant * ((Z95 + Z80) / gap) ** 2)


def _contrast(fixture: Fixture, names: Sequence[str]) -> list[float]:
    factions = [ROLES[role].faction for role in fixture.roles]
    sides = [
        [c for c, f in zip(fixture.competitors, factions, strict=True) if f == side] for side in (WEREWOLVES, VILLAGE)
    ]
    wolves, village = sides
    return [wolves.count(name) / len(wolves) - village.count(name) / len(village) for name in names]
