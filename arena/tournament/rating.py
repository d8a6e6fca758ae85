"""The standing of a tournament: a team Bradley-Terry model of its games, and how sure it is.

A skill is in logits, measured from the mean of the field: competitors whose skills differ by 0.35 win 59 : 41 in duels
over both sides. The standing is a function of the set of games; the order in which they are given is nothing to it.
"""

from collections.abc import Collection, Mapping, Sequence
from math import log, sqrt

import numpy as np
from scipy.linalg import eigh, helmert
from scipy.sparse.csgraph import connected_components
from scipy.special import expit

from arena.terms import record
from arena.tournament.compare import Comparison, compare, rank_ranges, tie_groups
from arena.tournament.design import Bools, Floats, Ints, design
from arena.tournament.fit import Fit, fit
from arena.tournament.game import DRAW, Game, check_games, finished
from arena.tournament.planner import Z95

PROVISIONAL_GAMES = 120
"""Below so many games a standing is provisional, and its ranks are not to be published."""

AVERAGE_POINTS = 1000
POINTS_PER_LOGIT = 400 / log(10)


@record
class Row:
    """What is known about one competitor.

    `skill` is in logits from the mean of the field, `error` its standard error and `low` and `high` the ends of its
    95 % interval; `points` is the same on a scale like that of Elo. `werewolves` and `village` are the skills on these
    sides. `win_rate` is what to expect in duels, half of them on each side, against the rest of the field, None without
    one. `best` is the probability of being the best; the rank is from `first` to `last`, all ranges holding at once.
    """

    name: str
    games: int
    skill: float
    error: float
    low: float
    high: float
    points: float
    werewolves: float
    village: float
    win_rate: float | None
    best: float
    first: int
    last: int


@record
class Standing:
    """The table, best skill first.

    `draws` counts games without a winner among `games`. `ties` are the longest runs of rows that can't be told apart;
    they may overlap. `islands` are competitors linked by games against each other: where there is more than one, skills
    of different islands can't be compared. `errors` gives the standard error of the difference between two names.
    """

    rows: tuple[Row, ...]
    games: int
    draws: int
    ties: tuple[tuple[str, ...], ...]
    islands: tuple[tuple[str, ...], ...]
    critical: float
    errors: Mapping[str, Mapping[str, float]]

    @property
    def provisional(self) -> bool:
        """Whether there are too few games for ranks to be published."""
        return self.games < PROVISIONAL_GAMES

    def island(self, name: str) -> tuple[str, ...]:
        """Those with whom `name` can be compared."""
        return next(island for island in self.islands if name in island)


@record
class _Estimate:
    """Skills from the mean of the field, leans, and the covariance of the skills' errors."""

    skills: Floats
    leans: Floats
    covariance: Floats


def rate(games: Collection[Game], competitors: Collection[str]) -> Standing:
    """The standing of `competitors` after those of `games` that are finished.

    Raises:
        UnusableInput: as `check_games` says.
    """
    check_games(games, competitors)
    names = sorted(competitors)
    rated = finished(games)
    arrays = design(rated, names)
    islands = _islands(arrays.shares)
    estimate = _estimate(fit(arrays), len(names), synergy=arrays.synergy)
    order = np.argsort(-estimate.skills, kind="stable")
    linked = islands[order][:, None] == islands[order][None, :]
    comparison = compare(estimate.skills[order], estimate.covariance[np.ix_(order, order)], linked)
    ordered = [names[place] for place in order]
    played = (arrays.shares.sum(axis=1) > 0).sum(axis=0)
    return Standing(
        rows=_rows(ordered, estimate, order, comparison, played),
        games=len(rated),
        draws=sum(game.winner == DRAW for game in rated),
        ties=tuple(tuple(ordered[place] for place in run) for run in tie_groups(comparison.apart)),
        islands=_named(islands, names),
        critical=comparison.critical,
        errors=_errors(ordered, comparison.errors),
    )


def _estimate(fitted: Fit, names: int, *, synergy: bool) -> _Estimate:
    """Skills from the mean of the field, which duels say nothing about, and the covariance of their errors.

    A skill is that of a team: where synergy is told apart, it is part of it.
    """
    team = np.zeros((names, len(fitted.parameters)))
    team[:, :names] = np.eye(names)
    if synergy:
        team[:, 2 * names : 3 * names] = np.eye(names)
    skills, leans = team @ fitted.parameters, fitted.parameters[names : 2 * names]
    basis = helmert(names).T
    posterior, sandwich = (basis.T @ team @ part @ team.T @ basis for part in (fitted.posterior, fitted.sandwich))
    return _Estimate(skills - skills.mean(), leans, basis @ _no_surer(sandwich, posterior) @ basis.T)


def _no_surer(sandwich: Floats, posterior: Floats) -> Floats:
    """`sandwich`, in no direction surer than `posterior`.

    Scores say nothing of competitors who have not played, and almost nothing of one who has won every game: there the
    sandwich shrinks to nothing, and the prior must speak.
    """
    if not len(posterior):
        return posterior
    values, vectors = eigh(sandwich, posterior)
    scaled = posterior @ vectors
    return np.asarray((scaled * np.maximum(values, 1)) @ scaled.T, dtype=np.float64)


def _rows(
    ordered: Sequence[str], estimate: _Estimate, order: Ints, comparison: Comparison, played: Ints
) -> tuple[Row, ...]:
    skills, rates = estimate.skills[order], _win_rates(estimate.skills[order])
    ranks = rank_ranges(comparison.apart)
    rows = []
    for rank, (name, place) in enumerate(zip(ordered, order, strict=True)):
        skill, error = float(skills[rank]), sqrt(max(float(estimate.covariance[place, place]), 0))
        lean = float(estimate.leans[place])
        rows.append(
            Row(
                name=name,
                games=int(played[place]),
                skill=skill,
                error=error,
                low=skill - Z95 * error,
                high=skill + Z95 * error,
                points=AVERAGE_POINTS + POINTS_PER_LOGIT * skill,
                werewolves=skill + lean,
                village=skill - lean,
                win_rate=rates[rank],
                best=float(comparison.best[rank]),
                first=ranks[rank][0],
                last=ranks[rank][1],
            )
        )
    return tuple(rows)


def _win_rates(skills: Floats) -> list[float | None]:
    if len(skills) < 2:
        return [None] * len(skills)
    chances = expit(skills[:, None] - skills[None, :])
    return [float(rate) for rate in (chances.sum(axis=1) - 0.5) / (len(skills) - 1)]


def _islands(shares: Floats) -> Ints:
    """The number of the island of each competitor: two are linked where they have been on different sides of a game."""
    seated = shares > 0
    opposed: Bools = np.zeros((shares.shape[2], shares.shape[2]), dtype=np.bool_)
    for side in range(shares.shape[1]):
        others = np.delete(seated, side, axis=1).any(axis=1)
        opposed |= seated[:, side].T.astype(np.float64) @ others.astype(np.float64) > 0
    return np.asarray(connected_components(opposed, directed=False)[1], dtype=np.int64)


def _named(islands: Ints, names: Sequence[str]) -> tuple[tuple[str, ...], ...]:
    numbers = dict.fromkeys(int(number) for number in islands)
    return tuple(tuple(name for name, at in zip(names, islands, strict=True) if at == number) for number in numbers)


def _errors(ordered: Sequence[str], errors: Floats) -> dict[str, dict[str, float]]:
    return {
        one: {other: float(errors[i, j]) for j, other in enumerate(ordered) if j != i} for i, one in enumerate(ordered)
    }
