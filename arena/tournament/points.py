"""Points in series: what competitors get by the knob `points`, beside what they are ranked by.

The two series of a pair are played on the same deals, so they are one cluster.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping

import numpy as np

from arena.terms import record
from arena.tournament.design import Floats
from arena.tournament.interval import Interval, mean_interval, residuals
from arena.tournament.schedule import SERIES_GAMES, Fixture

Sums = dict[str, list[float]]
"""Of each pair of series, how many games or series there are, and their points together."""


@record
class Mean:
    """An average over `of` games or series, with its 95 % interval by pair of series; None from one pair."""

    value: float
    interval: Interval | None
    of: int


@record
class Points:
    """The points of one competitor: in all, and on average; `series` counts only those that are whole.

    A competitor's points in a game are what its seats got, in the mean.
    """

    total: float
    games: Mean | None
    series: Mean | None


def points_of_series(
    played: Iterable[tuple[Fixture, Mapping[str, float]]], competitors: Collection[str]
) -> dict[str, Points]:
    """The points of each competitor after the games `played`, each with the points that were got in it."""
    series: defaultdict[tuple[str, str, int], list[float]] = defaultdict(list)
    for fixture, points in sorted(played, key=lambda one: one[0].id):
        for name, each in points.items():
            series[name, fixture.pair, fixture.leg].append(each)
    games: dict[str, Sums] = {name: {} for name in competitors}
    whole: dict[str, Sums] = {name: {} for name in competitors}
    for (name, pair, _), got in series.items():
        _add(games[name], pair, len(got), sum(got))
        if len(got) == SERIES_GAMES:
            _add(whole[name], pair, 1, sum(got))
    by_game, by_series = _means(games), _means(whole)
    return {
        name: Points(round(sum(each for _, each in games[name].values()), 6), by_game[name], by_series[name])
        for name in competitors
    }


def _add(sums: Sums, pair: str, of: int, points: float) -> None:
    both = sums.setdefault(pair, [0, 0.0])
    both[0] += of
    both[1] += points


def _means(sums: Mapping[str, Sums]) -> dict[str, Mean | None]:
    """The mean of each competitor, none where there is nothing; no interval narrower than the whole field allows."""
    arrays: dict[str, Floats] = {
        name: np.array(list(own.values()), dtype=np.float64).reshape(-1, 2).T for name, own in sums.items()
    }
    of, got = np.concatenate(list(arrays.values()), axis=1)
    spread = float((residuals(of, got) ** 2).sum() / of.sum()) if len(of) else 0.0
    return {name: _mean(own[0], own[1], spread) if own.size else None for name, own in arrays.items()}


def _mean(of: Floats, got: Floats, spread: float) -> Mean:
    total = float(of.sum())
    value = float(got.sum() / total)
    return Mean(value, mean_interval(of, got, value, spread), int(total))
