"""Skills compared: who is apart from whom, and what that says about ranks.

All intervals hold at the same time (max-t): the critical value is that which the largest of all standardised
differences exceeds in 5 % of draws from the errors' distribution. The draws are the same ones always.
"""

from functools import cache

import numpy as np
from scipy.linalg import eigh
from scipy.special import ndtri

from arena.terms import record
from arena.tournament.design import Bools, Floats

DRAWS = 4096
"""Draws from the errors' distribution. They put the 5 % of the critical value off by a third of a point."""

DRAW_SEED = 20_260_101

LEVEL = 0.95


@record
class Comparison:
    """What skills and the covariance of their errors say about an order.

    ======== =============== ====================================================================
    errors   names x names   standard error of a difference
    apart    names x names   whether the first is better than the second, all intervals at once
    critical                 how many standard errors that takes
    best     names           the probability of being the best of all
    ======== =============== ====================================================================
    """

    errors: Floats
    apart: Bools
    critical: float
    best: Floats


def compare(skills: Floats, covariance: Floats, linked: Bools) -> Comparison:
    """Compare `skills`; those that are not `linked` by games are never apart."""
    variances = np.diag(covariance)
    errors = np.sqrt(np.maximum(variances[:, None] + variances[None, :] - 2 * covariance, 0))
    noise = _noise(len(skills)) @ _root(covariance)
    critical = _critical(noise, errors)
    apart = (skills[:, None] - skills[None, :] > critical * errors) & linked
    winners = np.argmax(skills[None, :] + noise, axis=1)
    best = np.bincount(winners, minlength=len(skills)) / DRAWS
    return Comparison(errors, apart, critical, best)


def rank_ranges(apart: Bools) -> list[tuple[int, int]]:
    """The ranks that each may have: after those who are certainly better, before those who are certainly worse."""
    better, worse = apart.sum(axis=0), apart.sum(axis=1)
    return [(1 + int(above), len(apart) - int(below)) for above, below in zip(better, worse, strict=True)]


def tie_groups(apart: Bools) -> list[range]:
    """The longest runs of neighbours none of whom is apart from another, for skills in descending order.

    Runs may overlap: the first may be apart from the third, and the second from neither.
    """
    runs: list[range] = []
    for first in range(len(apart)):
        last = first + 1
        while last < len(apart) and not apart[first:last, last].any():
            last += 1
        if not runs or last > runs[-1].stop:
            runs.append(range(first, last))
    return runs


@cache
def _noise(names: int) -> Floats:
    """Standard normal draws, a row each.

    The raw bits of PCG64 are the same in every version of numpy; its normals may not be.
    """
    bits = np.random.PCG64(DRAW_SEED).random_raw((DRAWS, names))
    return np.asarray(ndtri((bits.astype(np.float64) + 0.5) / 2.0**64), dtype=np.float64)


def _root(covariance: Floats) -> Floats:
    """The symmetric square root, which unlike others doesn't depend on the choice of eigenvectors."""
    values, vectors = eigh(covariance)
    return np.asarray((vectors * np.sqrt(np.maximum(values, 0))) @ vectors.T, dtype=np.float64)


def _critical(noise: Floats, errors: Floats) -> float:
    one, other = np.triu_indices(len(errors), 1)
    if not len(one):
        return 0.0
    standardised = np.abs(noise[:, one] - noise[:, other]) / errors[one, other]
    return float(np.quantile(standardised.max(axis=1), LEVEL))
