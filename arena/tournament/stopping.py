"""When a tournament has answered its question, and what it should play until then.

A question is about pairs of the standing: a pair is *apart* where its gap is more than 2.6 standard errors,
which allows for looking after every block; *tied* where the gap is less than the margin by as much; else *open*.
"""

from itertools import combinations, pairwise
from math import ceil
from typing import Literal, get_args

from arena.terms import UnusableInput, record
from arena.tournament.rating import Row, Standing
from arena.tournament.schedule import Pair

Aim = Literal["leader", "top", "order", "fixed"]
AIMS: tuple[Aim, ...] = get_args(Aim)

LOOKS = 2.6
"""Standard errors that a gap has to exceed; with ten to twenty looks 5 % of equal pairs ever do (Pocock)."""

RIVAL = 0.75
"""Standard errors: who is less than that behind the last place asked about may well belong there."""

MARGIN = 0.6
"""Logits: who is closer than this is as good as equal, at worst 65 : 35 in duels."""

State = Literal["apart", "tied", "open"]


@record
class Question:
    """What a tournament wants to know: its `leader`, the order of its `top`, the whole `order`, or nothing (`fixed`).

    `games` is how many it plays at most; `margin` is in logits.
    """

    aim: Aim
    games: int
    top: int = 1
    margin: float = MARGIN


@record
class Contest:
    """Two rows of the standing, the better first, and how it is between them."""

    pair: Pair
    gap: float
    error: float
    state: State


def check_question(question: Question, competitors: int) -> None:
    """Check that a field of so many can answer `question`.

    Raises:
        UnusableInput: an unknown aim, a top that is no part of the field, a margin or a number of games of nothing.
    """
    if question.aim not in AIMS:
        raise UnusableInput(f"question: {question.aim!r}; known: {', '.join(AIMS)}")
    if question.aim == "top" and not 1 <= question.top < competitors:
        raise UnusableInput(f"top: {question.top}; from 1 to {competitors - 1}, one less than competitors")
    if question.margin <= 0:
        raise UnusableInput(f"margin: {question.margin}; more than 0, in logits")
    if question.games < 1:
        raise UnusableInput(f"games: {question.games}; 1 or more")


def contests(standing: Standing, question: Question) -> tuple[Contest, ...]:
    """The pairs that `question` is about, from the top; a fixed number of games is about none.

    They are neighbours, and the last row asked about with its rivals: whoever is further down, but so little that
    it may well belong there instead. Else the best of all would be lost by a bad start.
    """
    rows = standing.rows
    last = {"leader": 1, "top": question.top, "order": len(rows) - 1, "fixed": 0}[question.aim]
    asked = [_between(standing, question, *both) for both in list(pairwise(rows))[:last]]
    rivals = [_between(standing, question, rows[last - 1], row) for row in rows[last + 1 :]] if last else []
    return (*asked, *(rival for rival in rivals if rival.gap < RIVAL * rival.error))


def open_pairs(standing: Standing, question: Question) -> tuple[Pair, ...]:
    """The pairs that still leave `question` open; none once it is answered.

    As long as the standing is provisional all pairs asked about are, and for a fixed number of games all there are.
    """
    if question.aim == "fixed":
        return tuple(combinations([row.name for row in standing.rows], 2))
    asked = contests(standing, question)
    still = tuple(each.pair for each in asked if each.state == "open")
    return still if still or not standing.provisional else tuple(each.pair for each in asked)


def is_over(standing: Standing, question: Question) -> bool:
    """Whether the tournament has played its games, or has answered its question with a standing worth publishing."""
    return standing.games >= question.games or not open_pairs(standing, question)


def games_more(standing: Standing, question: Question) -> int:
    """About how many games more, in the proportions played so far, would settle every pair; 0 where none is open.

    A variance falls as one over the number of games, and a gap is taken for the true one.
    """
    return max((_games_more(standing, question, each) for each in contests(standing, question)), default=0)


def _between(standing: Standing, question: Question, better: Row, worse: Row) -> Contest:
    gap, error = better.skill - worse.skill, standing.errors[better.name][worse.name]
    state: State = "open"
    if worse.name in standing.island(better.name):
        state = "apart" if gap > LOOKS * error else "tied" if gap + LOOKS * error < question.margin else "open"
    return Contest((better.name, worse.name), gap, error, state)


def _games_more(standing: Standing, question: Question, each: Contest) -> int:
    if each.state != "open":
        return 0
    needed = max(each.gap, question.margin - each.gap) / LOOKS
    return max(1, ceil(standing.games * ((each.error / needed) ** 2 - 1)))
