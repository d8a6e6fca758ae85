"""The 95 % interval of a rate whose occasions hang together: games on one deal are alike.

What each cluster (a deal, or what else is dependent) adds is summed first, and the variance of the ratio of two such
sums is the linearised one, corrected for few clusters.
"""

from math import sqrt

import numpy as np
from scipy.special import stdtrit

from arena.simulate import wilson
from arena.tournament.design import Floats

LEVEL = 0.95

Interval = tuple[float, float]


def residuals(of: Floats, got: Floats) -> Floats:
    """What each cluster adds to the error of ``sum(got) / sum(of)``, times the occasions."""
    return np.asarray(got - got.sum() / of.sum() * of, dtype=np.float64)


def mean_interval(of: Floats, got: Floats, value: float, spread: float) -> Interval | None:
    """The interval around `value`, of which ``sum(got) / sum(of)`` has the error; None from one cluster.

    By luck a few clusters may all be alike: the interval is never narrower than the `spread` of one occasion allows.
    """
    clusters, total = len(of), float(of.sum())
    if clusters < 2:
        return None
    variance = clusters / (clusters - 1) * float((residuals(of, got) ** 2).sum()) / total**2
    half = float(stdtrit(clusters - 1, (1 + LEVEL) / 2)) * sqrt(max(variance, spread / total))
    return value - half, value + half


def share_interval(of: Floats, got: Floats, won: float) -> Interval | None:
    """As `mean_interval`, for a share: `won` of all occasions. It is never surer than that of independent trials."""
    total = float(of.sum())
    interval = mean_interval(of, got, won / total, 0.0)
    if interval is None:
        return None
    trials = wilson(won, int(total))
    return max(0.0, min(interval[0], trials[0])), min(1.0, max(interval[1], trials[1]))
