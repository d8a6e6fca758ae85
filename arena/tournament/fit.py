"""The largest penalised likelihood of a design, and the covariance of its parameters.

The likelihood is strictly concave under a prior, so Newton's method finds the one maximum; a step that overshoots is
halved. The errors of games on one deal hang together: the sandwich covariance sums scores by deal.
"""

import numpy as np
from scipy.linalg import cho_factor, cho_solve
from scipy.special import log_softmax

from arena.terms import record
from arena.tournament.design import Design, Floats, Ints

STEPS = 100
HALVINGS = 40
TOLERANCE = 1e-8


@record
class Fit:
    """Parameters at the maximum, and two covariances of them.

    `posterior` is what likelihood and prior say about them if the games are independent. `sandwich` is how much the
    estimate varies from deals to deals, whatever makes the games of a deal alike.
    """

    parameters: Floats
    posterior: Floats
    sandwich: Floats


def fit(arrays: Design) -> Fit:
    """Fit a design in which every parameter has a prior, or is settled by the games."""
    size = len(arrays.precision)
    here = _look(arrays, np.zeros(size))
    for _ in range(STEPS):
        step = cho_solve(cho_factor(here.hessian), here.gradient)
        here = _ascended(arrays, here, step)
        if np.abs(step).max(initial=0) < TOLERANCE:
            break
    posterior = cho_solve(cho_factor(here.hessian), np.eye(size))
    free = size - float(np.sum(np.diag(posterior) * arrays.precision))
    return Fit(here.parameters, posterior, _sandwich(posterior, here.scores, arrays.cluster, free))


@record
class _Point:
    """The objective at some parameters, its gradient and negative Hessian, and each game's part of the gradient."""

    parameters: Floats
    objective: float
    gradient: Floats
    hessian: Floats
    scores: Floats


def _look(arrays: Design, parameters: Floats) -> _Point:
    strengths = np.where(arrays.playing, arrays.columns @ parameters, -np.inf)
    logs = log_softmax(strengths, axis=1)
    chances = np.exp(logs)
    likelihood = np.sum(arrays.result * np.where(arrays.playing, logs, 0))
    scores = np.einsum("gf,gfp->gp", arrays.result - chances, arrays.columns)
    mean = np.einsum("gf,gfp->gp", chances, arrays.columns)
    spread = (np.sqrt(chances)[:, :, None] * (arrays.columns - mean[:, None, :])).reshape(-1, len(parameters))
    return _Point(
        parameters=parameters,
        objective=float(likelihood - arrays.precision @ parameters**2 / 2),
        gradient=scores.sum(axis=0) - arrays.precision * parameters,
        hessian=spread.T @ spread + np.diag(arrays.precision),
        scores=scores,
    )


def _ascended(arrays: Design, here: _Point, step: Floats) -> _Point:
    """The point a step further, or by as small a part of the step as it takes not to descend."""
    for halving in range(HALVINGS):
        there = _look(arrays, here.parameters + step / 2**halving)
        if there.objective >= here.objective - TOLERANCE:
            return there
    return here


def _sandwich(posterior: Floats, scores: Floats, cluster: Ints, free: float) -> Floats:
    """The covariance by clusters, corrected for few clusters and for `free` parameters (those a prior leaves free)."""
    clusters, games = int(cluster.max(initial=-1)) + 1, len(cluster)
    if clusters < 2:
        return posterior
    sums = np.zeros((clusters, scores.shape[1]))
    np.add.at(sums, cluster, scores)
    correction = clusters / (clusters - 1) * (games - 1) / max(games - free, 1)
    return np.asarray(posterior @ (sums.T @ sums * correction) @ posterior, dtype=np.float64)
