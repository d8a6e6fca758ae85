"""Figures of many games: rates beside what chance would give, with intervals by deal.

The rate of a figure is what its occasions gave, divided by their number. Whether that is more than chance is a question
about the sums of (got - chance): these are added up by deal, because the games of a deal are alike, and the
variance of their ratio to the number of occasions is the linearised one, corrected for few deals.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from math import sqrt

import numpy as np
from scipy.special import stdtrit

from arena.simulate import wilson
from arena.terms import record
from arena.tournament.design import Floats
from arena.tournament.metrics.measure import METRICS, Sum

LEVEL = 0.95


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


Cell = tuple[int, Sum]
"""What one competitor did for one side on one day of a game, with the number of its deal."""


class Ledger:
    """The sums of many games, taken in one by one."""

    def __init__(self) -> None:
        self._cells: dict[str, dict[str, list[Cell]]] = {metric: defaultdict(list) for metric in METRICS}
        self._deals: dict[str, int] = {}

    def add(self, deal: str, sums: Iterable[Sum]) -> None:
        """Take in a game."""
        number = self._deals.setdefault(deal, len(self._deals))
        for one in sums:
            self._cells[one.metric][one.competitor].append((number, one))

    def metrics(self, competitor: str) -> dict[str, Metric]:
        """The figures of a competitor, in the order of `METRICS`; only those with an occasion."""
        cells = {metric: field.get(competitor, []) for metric, field in self._cells.items()}
        return {metric: self._metric(metric, own) for metric, own in cells.items() if own}

    def _metric(self, metric: str, cells: list[Cell]) -> Metric:
        groups = sorted({(one.side, one.day) for _, one in cells})
        sides = dict.fromkeys(side for side, _ in groups)
        days = {side: [day for own, day in groups if own == side and day] for side in sides}
        return Metric(
            total=self._figure(metric, cells),
            sides={side: self._figure(metric, cells, side) for side in sides},
            days={
                side: {day: self._figure(metric, cells, side, day) for day in among}
                for side, among in days.items()
                if among
            },
        )

    def _figure(self, metric: str, cells: list[Cell], side: str = "", day: int = 0) -> Figure:
        """The figure of all sides and days, or of one."""
        kind, field_rate, spread = METRICS[metric], None, 0.0
        if not kind.exact or kind.unit != "share":
            field = [_totals(_of(own, side, day)) for own in self._cells[metric].values()]
            whole = _Totals(
                *(np.concatenate([getattr(own, name) for own in field]) for name in ("of", "got", "chance"))
            )
            field_rate = None if kind.exact else whole.value
            spread = float((whole.residuals**2).sum() / whole.of.sum())
        return _figure(_totals(_of(cells, side, day)), field_rate, None if kind.unit == "share" else spread)


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
    def residuals(self) -> Floats:
        """What each deal adds to the error of the difference between rate and chance, times the occasions."""
        more = self.got - self.chance
        return np.asarray(more - more.sum() / self.of.sum() * self.of, dtype=np.float64)


def _of(cells: Iterable[Cell], side: str, day: int) -> list[Cell]:
    return [cell for cell in cells if side in ("", cell[1].side) and day in (0, cell[1].day)]


def _totals(cells: Sequence[Cell]) -> _Totals:
    numbers = np.unique([deal for deal, _ in cells], return_inverse=True)[1]
    sums = np.array([(one.of, one.got, one.chance or 0.0) for _, one in cells], dtype=np.float64).reshape(-1, 3)
    return _Totals(*(np.bincount(numbers, column).astype(np.float64) for column in sums.T))


def _figure(own: _Totals, field_rate: float | None, spread: float | None) -> Figure:
    """`field_rate` stands for chance where occasions have none.

    By luck a few deals may all be alike. So a share is never surer than that of independent trials, and what is no
    share never surer than the `spread` of one occasion in the field allows.
    """
    if field_rate is not None:
        own = replace(own, chance=field_rate * own.of)
    total, deals, value = float(own.of.sum()), len(own.of), own.value
    low = high = None
    if deals > 1:
        variance = deals / (deals - 1) * float((own.residuals**2).sum()) / total**2
        half = float(stdtrit(deals - 1, (1 + LEVEL) / 2)) * sqrt(max(variance, (spread or 0.0) / total))
        low, high = value - half, value + half
        if spread is None:
            trials = wilson(float(own.got.sum()), int(total))
            low, high = max(0.0, min(low, trials[0])), min(1.0, max(high, trials[1]))
    return Figure(value, float(own.chance.sum()) / total, low, high, int(total), deals)
