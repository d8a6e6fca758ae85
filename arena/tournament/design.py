"""Games as arrays: who sat where, in the columns of a likelihood.

The strength of a faction in a game is::

    b[board, format, faction] + sum over competitors of share x (skill + lean + company x synergy)
                              + sum of c[event, faction] x surprise

A share is the part of the faction's seats that a competitor has, so team-pure and mixed tables are one model. The
lean is +d for the werewolves and -d for the village, with one d for each competitor, and one of its own for every
further faction. A faction wins with the probability exp(strength) / sum of exp(strength of the factions in the game):
with two factions, a logistic regression. b and c of the village are zero.

Company is the part of a competitor's team-mates that are the same competitor, and synergy what that is worth to it: 0
and nothing on a mixed table, 1 and all of it in a team of its own. Games of one format can't tell it from skill, so it
is there only where games of several formats are rated together.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from arena.terms import record
from arena.tournament.game import DRAW, Game
from arena.tournament.schedule import VILLAGE, WEREWOLVES

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
Ints = NDArray[np.int64]

SKILL_SD = 1.0
"""Prior deviation of a skill, in logits."""

LEAN_SD = 0.4
"""Prior deviation of the preference for werewolves or village."""

SYNERGY_SD = 0.15
"""Prior deviation of what it is worth to a competitor to have itself for team-mates."""

THIRD_LEAN_SD = 0.2
"""Prior deviation of the preference for a third faction, of which there are few games."""

LUCK_SD = 2.0
"""Prior deviation of what an event of the first night is worth."""

BALANCE_SD = 1000**0.5
"""Prior deviation of the balance of a board: next to none."""


@record
class Design:
    """A likelihood's arrays. The first columns are the skills, the next the leans, then synergies if there are any.

    =========== ============================= ==============================================
    columns     games x factions x parameters strength is this times the parameters
    playing     games x factions              whether the faction has seats in the game
    result      games x factions              1 for the winner; a draw is divided evenly
    cluster     games                         the number of its deal, from 0
    precision   parameters                    1 / squared prior deviation
    shares      games x factions x names      parts of the faction's seats
    synergy                                   whether there are columns of synergy
    =========== ============================= ==============================================
    """

    columns: Floats
    playing: Bools
    result: Floats
    cluster: Ints
    precision: Floats
    shares: Floats
    synergy: bool


def design(games: Sequence[Game], names: Sequence[str]) -> Design:
    """The arrays of finished `games` among competitors `names`."""
    factions = sorted({place.faction for game in games for place in game.places} | {VILLAGE, WEREWOLVES})
    seats = _seats(games, names, factions)
    size = seats.sum(axis=2)
    playing = size > 0
    shares = seats / np.maximum(size, 1)[:, :, None]
    company = np.maximum(seats - 1, 0) / np.maximum(size - 1, 1)[:, :, None]
    synergy = len({game.format for game in games}) > 1
    parts = [
        (shares, SKILL_SD),
        (shares * _leaning(factions)[None, :, None], LEAN_SD),
        *([(shares * company, SYNERGY_SD)] if synergy else []),
        *((shares * _only(factions, faction)[None, :, None], THIRD_LEAN_SD) for faction in _thirds(factions)),
        *((part * playing[:, :, None], sd) for part, sd in _common(games, factions)),
    ]
    return Design(
        columns=np.concatenate([part for part, _ in parts], axis=2),
        playing=playing,
        result=_result(games, factions, playing),
        cluster=np.unique([game.deal for game in games], return_inverse=True)[1].astype(np.int64),
        precision=np.concatenate([np.full(part.shape[2], sd**-2) for part, sd in parts]),
        shares=shares,
        synergy=synergy,
    )


def _seats(games: Sequence[Game], names: Sequence[str], factions: Sequence[str]) -> Floats:
    """How many seats of a faction a competitor has: games x factions x names."""
    name = {name: place for place, name in enumerate(names)}
    faction = {faction: place * len(names) for place, faction in enumerate(factions)}
    cell = np.array([faction[p.faction] + name[p.competitor] for game in games for p in game.places], dtype=np.int64)
    row = np.repeat(np.arange(len(games)), [len(game.places) for game in games])
    cells = len(factions) * len(names)
    counts = np.bincount(row * cells + cell, minlength=len(games) * cells)
    return np.asarray(counts.reshape(len(games), len(factions), len(names)), dtype=np.float64)


def _result(games: Sequence[Game], factions: Sequence[str], playing: Bools) -> Floats:
    winner = np.array([game.winner for game in games], dtype=np.str_)
    won = (winner[:, None] == np.array(factions)[None, :]).astype(np.float64)
    even = playing / np.maximum(playing.sum(axis=1, keepdims=True), 1)
    return np.asarray(np.where((winner == DRAW)[:, None], even, won), dtype=np.float64)


def _thirds(factions: Sequence[str]) -> list[str]:
    return [faction for faction in factions if faction not in (WEREWOLVES, VILLAGE)]


def _only(factions: Sequence[str], faction: str) -> Floats:
    return np.array([float(other == faction) for other in factions])


def _leaning(factions: Sequence[str]) -> Floats:
    return _only(factions, WEREWOLVES) - _only(factions, VILLAGE)


def _common(games: Sequence[Game], factions: Sequence[str]) -> list[tuple[Floats, float]]:
    """The columns that are the same for all competitors, each for all factions but the village."""
    free = np.stack([_only(factions, faction) for faction in factions if faction != VILLAGE], axis=1)
    kinds = [(game.board, game.format) for game in games]
    balances = [np.array([float(kind == one) for kind in kinds]) for one in sorted(set(kinds))]
    surprises = [{luck.event: luck.surprise for luck in game.luck} for game in games]
    events = sorted({event for surprise in surprises for event in surprise})
    lucks = [np.array([surprise.get(event, 0.0) for surprise in surprises]) for event in events]
    return [
        (value[:, None, None] * free[None, :, :], sd)
        for values, sd in ((balances, BALANCE_SD), (lucks, LUCK_SD))
        for value in values
    ]
