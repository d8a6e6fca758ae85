"""The games of a series in the lobby: what follows from those before, who moves where, and the points so far.

The transcripts lie in one folder, as the command line has them. A game that is over is read once for its points.
"""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import lru_cache
from pathlib import Path
from typing import Any

from arena.seating import SeatPlan
from arena.series import next_game, path_of, points_of
from arena.terminal import now as started_at
from arena.terminal import player_name
from arena.terms import Lang, Seat, UnusableInput, record
from arena.texts import clean
from arena.transcript import Header, read
from dashboard.hosting.tables import SeriesRow


@record
class Result:
    """What a game of a series came to: who sat where, what each player got for it, and what it has cost (USD)."""

    seats: Mapping[Seat, SeatPlan]
    points: Mapping[int, Fraction]
    spent: float


@lru_cache(1000)
def result(path: Path) -> Result:
    """The result of the game in `path`, which is over.

    Raises:
        UnusableInput: it can't be read, is not over, or is of no series.
    """
    transcript = read(path)
    series = transcript.header.series
    if series is None or transcript.outcome is None:
        raise UnusableInput(f"{path}: not a game of a series that is over")
    points = {series.players[seat - 1]: points for seat, points in points_of(transcript).items()}
    return Result(transcript.header.seats, points, transcript.spent)


def due(path: Path, number: int) -> Header:
    """The header of game `number` of the series in the folder of `path`; it begins now.

    Raises:
        UnusableInput: a game before it can't be read.
    """
    header = next_game([read(path_of(path.parent, game)) for game in range(1, number)], started_at())
    if header is None:
        raise UnusableInput(f"{path}: the series has fewer than {number} games")
    return header


def spent_before(path: Path, number: int) -> float:
    """What the games before game `number` of the series in the folder of `path` have cost (USD)."""
    return sum(found.spent for found in _results(path, number - 1))


def new_seat(before: SeriesRow, seat: Seat, after: SeriesRow) -> Seat:
    """Where the player at `seat` sits in the game after."""
    return after.players.index(before.players[seat - 1]) + 1


def standing(row: SeriesRow, path: Path, lang: Lang, *, over: bool) -> list[dict[str, Any]]:
    """The points of each player so far, most first; `over`: those of this game too. None before the first one is over.

    Each with the `seat` in this game, the `name` at the table, the `points` game by game and their `sum`, written out.
    """
    try:
        found = list(_results(path, row.number if over else row.number - 1))
    except UnusableInput:
        # What has been taken away since is no reason to stop showing the game.
        return []
    if not found:
        return []
    table = []
    for player, plan in sorted(found[0].seats.items()):
        points = [game.points[player] for game in found]
        written = {"points": list(map(_written, points)), "sum": _written(sum(points, Fraction()))}
        seat = row.players.index(player) + 1
        table.append((sum(points), {"seat": seat, "name": clean(plan.name or player_name(plan, lang)), **written}))
    return [line for _, line in sorted(table, key=lambda item: -item[0])]


def _results(path: Path, number: int) -> Iterator[Result]:
    return (result(path_of(path.parent, game)) for game in range(1, number + 1))


def _written(points: Fraction) -> str:
    return f"{float(points):g}"
