"""The 95 % interval of a rate whose occasions hang together: games on one deal are alike.

What each cluster (a deal, or what else is dependent) adds is summed first, and the variance of the ratio of two such
sums is the linearised one, corrected for few clusters.
"""

from math import inf, sqrt

import numpy as np
from scipy.special import stdtrit

from arena.simulate import wilson
from arena.tournament.design import Floats

LEVEL = 0.95

ROUNDING = 1e-9
"""What a width may be by rounding alone, as a share of the value."""

Interval = tuple[float, float]


def residuals(of: Floats, got: Floats) -> Floats:
    """What each cluster adds to the error of ``sum(got) / sum(of)``, times the occasions."""
    return np.asarray(got - got.sum() / of.sum() * of, dtype=np.float64)


def mean_interval(of: Floats, got: Floats, value: float, spread: float) -> Interval | None:
    """The interval around `value`, of which ``sum(got) / sum(of)`` has the error; None where nothing tells its width.

    That is so from one cluster, or where all occasions were alike. By luck a few clusters may be: the interval is never
    narrower than the `spread` of one occasion allows.
    """
    half = _half(of, got, spread)
    return (value - half, value + half) if half > ROUNDING * max(1.0, abs(value)) and half < inf else None


def _half(of: Floats, got: Floats, spread: float) -> float:
    """Half the width of the interval; without end from one cluster."""
    clusters, total = len(of), float(of.sum())
    if clusters < 2:
        return inf
    variance = clusters / (clusters - 1) * float((residuals(of, got) ** 2).sum()) / total**2
    return float(stdtrit(clusters - 1, (1 + LEVEL) / 2)) * sqrt(max(variance, spread / total))


def share_interval(of: Floats, got: Floats, won: float) -> Interval | None:
    """As `mean_interval`, for a share: `won` of all occasions. It is never surer than that of independent trials."""
    total = float(of.sum())
    share, half = won / total, _half(of, got, 0.0)
    if half == inf:
        return None
    trials = wilson(won, int(total))
    return max(0.0, min(share - half, trials[0])), min(1.0, max(share + half, trials[1]))
