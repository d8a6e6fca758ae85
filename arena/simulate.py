"""Many games of scripted or random players, without graph or transcript: who wins, and how often.

Game i of a seed is the same game whatever the number of processes: everything about it is drawn from a hash
of the seed and i.
"""

import gc
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import field
from functools import partial
from itertools import chain
from math import sqrt
from multiprocessing import get_context
from os import cpu_count
from typing import Any, Literal

import orjson
from rich.table import Table

from arena.chance import draw
from arena.events import Views
from arena.players.player import Script
from arena.players.random import RandomPlayer
from arena.players.scripted import ScriptedPlayer
from arena.referee import deal, new_game, step
from arena.resources import resource
from arena.roles import ROLES
from arena.ruleset import Ruleset, load_ruleset, ruleset_ids, spares
from arena.terms import Lang, Seat, record
from arena.texts import texts

Kind = Literal["scripted", "random"]

CPUS = cpu_count() or 1
CHUNK = 20
"""How many games a process plays at a time."""

_Z95 = 1.959964
"""Two-sided 95 % quantile of the normal distribution."""


@record
class Trial:
    """What is played again and again: the rules, the cards, who plays for which side, and whether they talk."""

    ruleset: Ruleset
    cards: dict[str, int]
    seed: int
    village: Kind = "scripted"
    wolves: Kind = "scripted"
    words: bool = False
    lang: Lang = "zh"


@record
class Result:
    """How one game went."""

    winner: str
    reason: str
    days: int


@record
class Summary:
    """How all games went: wins by faction (``draw`` among them), endings by reason, and days in all."""

    games: int
    wins: Mapping[str, int] = field(default_factory=dict)
    reasons: Mapping[str, int] = field(default_factory=dict)
    days: int = 0

    @property
    def mean_days(self) -> float:
        """The day on which a game ended, on average."""
        return self.days / self.games


def play(trial: Trial, number: int) -> Result:
    """Play game `number` of a trial."""
    seed = draw(trial.seed, "game", number)
    dealt = deal(trial.cards, seed, trial.ruleset.rules)
    state, events = new_game(trial.ruleset, dealt.seats, seed, extra=dealt.extra)
    views = Views(state.players)
    views.add(events)
    players = {seat: _player(trial, state.kind(seat), seat, seed) for seat in range(1, state.players + 1)}
    while state.outcome is None:
        decisions = {
            request.seat: players[request.seat].answer(views.of(request.seat), request).decision
            for request in state.pending
        }
        state, events = step(state, decisions)
        views.add(events)
    return Result(state.outcome.winner, state.outcome.reason, state.day)


def _player(trial: Trial, kind: str, seat: Seat, seed: int) -> Script:
    own = draw(seed, "player", seat)
    if (trial.wolves if kind == "werewolf" else trial.village) == "random":
        return RandomPlayer(own)
    return ScriptedPlayer(own, seat, None, trial.lang, trial.words)


def _play_chunk(trial: Trial, games: int, first: int) -> list[Result]:
    with _uncollected():
        return [play(trial, number) for number in range(first, min(first + CHUNK, games))]


@contextmanager
def _uncollected() -> Iterator[None]:
    """Games leave no reference cycles behind, so the search for them is time lost: let it rest meanwhile."""
    collects = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collects:
            gc.enable()


def results(trial: Trial, games: int, jobs: int) -> Iterator[list[Result]]:
    """The results of games 0 up to `games`, some at a time and in order, played by `jobs` processes."""
    work = partial(_play_chunk, trial, games)
    firsts = range(0, games, CHUNK)
    if jobs == 1:
        yield from map(work, firsts)
        return
    # Fresh processes: a fork of one that runs threads, as a progress bar does, may never wake up.
    with get_context("spawn").Pool(min(jobs, len(firsts))) as pool:
        yield from pool.imap(work, firsts)


def known_rates(ruleset: Ruleset, cards: Mapping[str, int]) -> Mapping[str, Any] | None:
    """How often which faction wins with scripted players, as `summary_data` puts it, where it was measured before."""
    if ruleset.id not in ruleset_ids() or ruleset != load_ruleset(ruleset.id):
        return None
    rates = orjson.loads((resource("rulesets") / "rates.json").read_bytes())
    return next((rate for rate in rates if (rate["ruleset"], rate["cards"]) == (ruleset.id, cards)), None)


def summed(chunks: Iterable[list[Result]]) -> Summary:
    """Results counted."""
    played = list(chain.from_iterable(chunks))
    wins = Counter(result.winner for result in played)
    reasons = Counter(result.reason for result in played)
    return Summary(len(played), wins, reasons, sum(result.days for result in played))


def wilson(wins: float, games: int) -> tuple[float, float]:
    """The 95 % interval of Wilson for a rate of `wins` in `games`."""
    rate = wins / games
    square = _Z95 * _Z95 / games
    middle = (rate + square / 2) / (1 + square)
    half = _Z95 * sqrt(rate * (1 - rate) / games + square / (4 * games)) / (1 + square)
    return max(0.0, middle - half), min(1.0, middle + half)


def summary_data(trial: Trial, summary: Summary) -> dict[str, Any]:
    """The summary as plain data."""
    return {
        "ruleset": trial.ruleset.id,
        "cards": trial.cards,
        "seed": trial.seed,
        "village": trial.village,
        "wolves": trial.wolves,
        "games": summary.games,
        "mean_days": round(summary.mean_days, 3),
        "outcomes": {
            winner: {
                "wins": wins,
                "rate": round(wins / summary.games, 4),
                "interval": [round(end, 4) for end in wilson(wins, summary.games)],
            }
            for winner, wins in sorted(summary.wins.items())
        },
        "reasons": dict(sorted(summary.reasons.items())),
    }


def summary_table(trial: Trial, summary: Summary, lang: Lang) -> Table:
    """The summary as a table for the terminal."""
    words = texts(lang, "simulate")
    names = {**texts(lang, "terms")["factions"], "draw": words["draw"]}
    cards = (words["card"].format(number=n, role=ROLES[role].title[lang]) for role, n in trial.cards.items())
    fields = {
        "ruleset": trial.ruleset.title[lang],
        "players": sum(trial.cards.values()) - spares(trial.cards, trial.ruleset.rules),
        "cards": words["separator"].join(cards),
        "games": summary.games,
        "seed": trial.seed,
        "village": words["kinds"][trial.village],
        "wolves": words["kinds"][trial.wolves],
        "days": f"{summary.mean_days:.2f}",
    }
    shown = Table(title=words["title"].format(**fields), caption=words["caption"].format(**fields))
    for place, column in enumerate(words["columns"]):
        shown.add_column(column, justify="right" if place else "left")
    for winner, wins in sorted(summary.wins.items(), key=lambda item: (-item[1], item[0])):
        low, high = wilson(wins, summary.games)
        shown.add_row(names[winner], str(wins), f"{wins / summary.games:.1%}", f"{low:.1%} – {high:.1%}")
    return shown
