"""Which figures there are, and what one occasion adds to them."""

from collections.abc import Mapping
from typing import Literal

from arena.terms import Seat, record

Unit = Literal["share", "weight", "bits"]


@record
class Kind:
    """A figure: its unit, and whether chance has an exact value for it; else the field's own rate stands for it."""

    unit: Unit
    exact: bool = True


METRICS: Mapping[str, Kind] = {
    "votes_on_wolves": Kind("share"),
    "decisive_votes": Kind("share"),
    "right_side": Kind("share"),
    "days_survived": Kind("share"),
    "votes_on_own": Kind("share"),
    "own_attacked": Kind("share"),
    "bluffs": Kind("share", exact=False),
    "bluffs_believed": Kind("share"),
    "true_claims": Kind("share"),
    "first_check": Kind("bits"),
    "later_checks": Kind("bits"),
    "checks_published": Kind("share", exact=False),
    "poison": Kind("share"),
    "shots": Kind("share"),
    "guards": Kind("share"),
    "saved": Kind("weight"),
    "beliefs": Kind("bits"),
}
"""In the order in which they are shown."""

BY_DAY = ("true_claims",)
"""Those that are added up day by day as well."""


@record
class Measure:
    """One occasion: what `seat` got, and what chance would have given; None where it has no exact value."""

    metric: str
    seat: Seat
    got: float
    chance: float | None = None


@record
class Sum:
    """The occasions of one competitor in one game: how many, what they gave, what chance would have given.

    `side` is the faction for which they were, `day` 0 where days don't matter; `chance` None as in `Measure`.
    """

    competitor: str
    metric: str
    side: str
    day: int
    of: int
    got: float
    chance: float | None
