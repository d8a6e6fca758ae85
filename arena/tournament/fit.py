"""The largest penalised likelihood of a design, and the covariance of its parameters.

The likelihood is strictly concave under a prior, so Newton's method finds the one maximum; a step that overshoots is
halved. The errors of games on one deal hang together: the sandwich covariance sums scores by deal.
"""

import numpy as np
from scipy.linalg import cho_factor, cho_solve
from scipy.special import log_softmax

from arena.terms import record
from arena.tournament.design import Bools, Design, Floats, Ints

STEPS = 100
HALVINGS = 40
TOLERANCE = 1e-10


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
    parameters = np.zeros(size)
    for _ in range(STEPS):
        gradient, hessian, _ = _slopes(arrays, parameters)
        step = cho_solve(cho_factor(hessian), gradient)
        parameters = _ascended(arrays, parameters, step)
        if np.abs(step).max(initial=0) < TOLERANCE:
            break
    _, hessian, scores = _slopes(arrays, parameters)
    posterior = cho_solve(cho_factor(hessian), np.eye(size))
    free = size - float(np.sum(np.diag(posterior) * arrays.precision))
    return Fit(parameters, posterior, _sandwich(posterior, scores, arrays.cluster, free))


def _chances(columns: Floats, playing: Bools, parameters: Floats) -> Floats:
    """The logarithm of the chance of each faction in each game."""
    return np.asarray(log_softmax(np.where(playing, columns @ parameters, -np.inf), axis=1), dtype=np.float64)


def _objective(arrays: Design, parameters: Floats) -> float:
    logs = _chances(arrays.columns, arrays.playing, parameters)
    likelihood = np.sum(arrays.result * np.where(arrays.playing, logs, 0))
    return float(likelihood - arrays.precision @ parameters**2 / 2)


def _slopes(arrays: Design, parameters: Floats) -> tuple[Floats, Floats, Floats]:
    """Gradient and negative Hessian of the objective, and the score of each game, its part of the gradient."""
    chances = np.exp(_chances(arrays.columns, arrays.playing, parameters))
    scores = np.einsum("gf,gfp->gp", arrays.result - chances, arrays.columns)
    mean = np.einsum("gf,gfp->gp", chances, arrays.columns)
    spread = (np.sqrt(chances)[:, :, None] * (arrays.columns - mean[:, None, :])).reshape(-1, len(parameters))
    gradient = scores.sum(axis=0) - arrays.precision * parameters
    return gradient, spread.T @ spread + np.diag(arrays.precision), scores


def _ascended(arrays: Design, parameters: Floats, step: Floats) -> Floats:
    enough = _objective(arrays, parameters) - TOLERANCE
    for _ in range(HALVINGS):
        if _objective(arrays, parameters + step) >= enough:
            return parameters + step
        step = step / 2
    return parameters


def _sandwich(posterior: Floats, scores: Floats, cluster: Ints, free: float) -> Floats:
    """The covariance by clusters, corrected for few clusters and for `free` parameters (those a prior leaves free)."""
    clusters, games = int(cluster.max(initial=-1)) + 1, len(cluster)
    if clusters < 2:
        return posterior
    sums = np.zeros((clusters, scores.shape[1]))
    np.add.at(sums, cluster, scores)
    correction = clusters / (clusters - 1) * (games - 1) / max(games - free, 1)
    return np.asarray(posterior @ (sums.T @ sums * correction) @ posterior, dtype=np.float64)
