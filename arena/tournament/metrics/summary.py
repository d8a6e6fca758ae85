"""Figures of many games: rates beside what chance would give, with intervals by deal.

The rate of a figure is what its occasions gave, divided by their number. Whether that is more than chance is a question
about the sums of (got - chance), which are added up by deal.
"""

from array import array
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from arena.terms import record
from arena.tournament.design import Floats
from arena.tournament.interval import mean_interval, residuals, share_interval
from arena.tournament.metrics.measure import BY_DAY, METRICS, Sum


@record
class Figure:
    """One rate: `value` over `of` occasions in `deals` deals, and what `chance` would give.

    `low` and `high` are the ends of the 95 % interval of `value`, to be held against `chance`; None from one deal.
    """

    value: float
    chance: float
    low: float | None
    high: float | None
    of: int
    deals: int


@record
class Metric:
    """A figure of one competitor in all, and by side and day where there are several."""

    total: Figure
    sides: Mapping[str, Figure]
    days: Mapping[str, Mapping[int, Figure]]


Group = tuple[str, int]
"""A side and a day; the day is 0 where days don't matter."""


@record
class _Totals:
    """Occasions, what they gave and what chance would have given, by deal."""

    of: Floats
    got: Floats
    chance: Floats

    @property
    def value(self) -> float:
        return float(self.got.sum() / self.of.sum())

    @property
    def more(self) -> Floats:
        """How much more than chance."""
        return np.asarray(self.got - self.chance, dtype=np.float64)


class Ledger:
    """The sums of many games, taken in one by one."""

    def __init__(self) -> None:
        # Of each figure and competitor, for each group, rows of four: number of the deal, occasions, got, chance.
        self._rows: dict[str, dict[str, dict[Group, array[float]]]] = {metric: {} for metric in METRICS}
        self._deals: dict[str, int] = {}

    def add(self, deal: str, sums: Iterable[Sum]) -> None:
        """Take in a game."""
        number = self._deals.setdefault(deal, len(self._deals))
        for one in sums:
            groups = self._rows[one.metric].setdefault(one.competitor, {})
            rows = groups.setdefault((one.side, one.day), array("d"))
            rows.extend((number, one.of, one.got, one.chance or 0.0))

    def metrics(self, competitor: str) -> dict[str, Metric]:
        """The figures of a competitor, in the order of `METRICS`; only those with an occasion."""
        return {metric: self._metric(metric, competitor) for metric in METRICS if competitor in self._rows[metric]}

    def _metric(self, metric: str, competitor: str) -> Metric:
        groups = sorted(self._rows[metric][competitor])
        sides = {side: [group for group in groups if group[0] == side] for side, _ in groups}
        return Metric(
            total=self._figure(metric, competitor, groups),
            sides={side: self._figure(metric, competitor, own) for side, own in sides.items()},
            days={
                side: {day: self._figure(metric, competitor, [(side, day)]) for _, day in own}
                for side, own in sides.items()
                if metric in BY_DAY
            },
        )

    def _figure(self, metric: str, competitor: str, groups: Sequence[Group]) -> Figure:
        """The figure of some groups together."""
        kind, field_rate, spread = METRICS[metric], None, 0.0
        if not kind.exact or kind.unit != "share":
            whole = _together([self._totals(metric, name, groups) for name in self._rows[metric]])
            field_rate = None if kind.exact else whole.value
            spread = float((residuals(whole.of, whole.more) ** 2).sum() / whole.of.sum())
        own = self._totals(metric, competitor, groups)
        return _figure(own, field_rate, None if kind.unit == "share" else spread)

    def _totals(self, metric: str, competitor: str, groups: Sequence[Group]) -> _Totals:
        known = self._rows[metric][competitor]
        rows = np.concatenate([np.array(known.get(group, ()), dtype=np.float64) for group in groups]).reshape(-1, 4)
        numbers = np.unique(rows[:, 0], return_inverse=True)[1]
        return _Totals(*(np.bincount(numbers, column).astype(np.float64) for column in rows.T[1:]))


def _together(parts: Sequence[_Totals]) -> _Totals:
    """Totals by deal and competitor."""
    return _Totals(*(np.concatenate([getattr(part, name) for part in parts]) for name in ("of", "got", "chance")))


def _figure(own: _Totals, field_rate: float | None, spread: float | None) -> Figure:
    """`field_rate` stands for chance where occasions have none; without a `spread` it is a share."""
    if field_rate is not None:
        own = replace(own, chance=field_rate * own.of)
    total, value = float(own.of.sum()), own.value
    if spread is None:
        interval = share_interval(own.of, own.more, float(own.got.sum()))
    else:
        interval = mean_interval(own.of, own.more, value, spread)
    low, high = interval or (None, None)
    return Figure(value, float(own.chance.sum()) / total, low, high, int(total), len(own.of))
