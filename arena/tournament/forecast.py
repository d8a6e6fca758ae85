"""How many games a tournament will take: it is played through many times, with results drawn by chance.

Skills are drawn from a normal distribution and a game falls to the werewolves with a logistic chance, by the mean skill
of either side and the balance of the board. Schedule, rating and stopping are those of a real tournament.
"""

from collections.abc import Mapping
from itertools import combinations

import numpy as np
from scipy.special import expit, logit

from arena.roles import ROLES
from arena.terms import record
from arena.tournament.game import Game, Place
from arena.tournament.rating import rate
from arena.tournament.schedule import FULL_BLOCKS, VILLAGE, WEREWOLVES, Fixture, Format, Plan, next_block
from arena.tournament.stopping import Question, is_over, open_pairs

FIELDS = 12
"""Tournaments that are drawn; their mean is then known to about a tenth of itself."""

SPREAD = 0.6
"""Standard deviation of skills, in logits: an assumption, the same as in the project's benchmark of open fields."""


@record
class Forecast:
    """How many games: the `mean`, and from `low` to `high` in eight of ten.

    `open`: in how many of the `FIELDS` tournaments the question had no answer yet at the cap.
    """

    mean: int
    low: int
    high: int
    open: int = 0


def forecast(plan: Plan, question: Question, village: float) -> Forecast:
    """The games that it takes to answer `question`, or to come to its cap, where the village wins so often."""
    if question.aim == "fixed":
        return Forecast(question.games, question.games, question.games)
    games, answered = zip(*(_played_through(plan, question, village, field) for field in range(FIELDS)), strict=True)
    low, high = np.quantile(games, (0.1, 0.9))
    return Forecast(round(float(np.mean(games))), round(float(low)), round(float(high)), FIELDS - sum(answered))


def _played_through(plan: Plan, question: Question, village: float, field: int) -> tuple[int, bool]:
    """How many games one tournament took, and whether it has answered its question."""
    rng = np.random.default_rng([plan.seed, field])
    skills = dict(zip(plan.competitors, rng.normal(0, SPREAD, len(plan.competitors)), strict=True))
    balance = -float(logit(np.clip(village, 0.05, 0.95)))
    games: list[Game] = []
    standing, number = rate(games, plan.competitors), 1
    while number <= FULL_BLOCKS or not is_over(standing, question):
        pairs = open_pairs(standing, question) if number > FULL_BLOCKS else list(combinations(plan.competitors, 2))
        games += [_played(fixture, plan.format, skills, balance, rng) for fixture in next_block(plan, number, pairs)]
        if len(games) >= question.games:
            return question.games, not open_pairs(rate(games[: question.games], plan.competitors), question)
        standing, number = rate(games, plan.competitors), number + 1
    return len(games), True


def _played(
    fixture: Fixture, format: Format, skills: Mapping[str, float], balance: float, rng: np.random.Generator
) -> Game:
    dealt = zip(fixture.competitors, fixture.roles, strict=True)
    places = tuple(Place(name, role, ROLES[role].faction) for name, role in dealt)
    wolves, town = (
        float(np.mean([skills[place.competitor] for place in places if place.faction == side]))
        for side in (WEREWOLVES, VILLAGE)
    )
    winner = WEREWOLVES if rng.random() < expit(balance + wolves - town) else VILLAGE
    return Game(fixture.id, fixture.deal, "forecast", format, places, winner)
