"""The standings: what a folder of transcripts says about who plays better, and how each got there."""

import csv
import io
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import combinations
from typing import Any

import orjson

from arena.accounts import Account
from arena.roles import ROLES
from arena.terms import UnusableInput
from arena.tournament.folder import Folder
from arena.tournament.game import Game, Place
from arena.tournament.metrics import Ledger, Metric
from arena.tournament.plan import Tournament
from arena.tournament.played import Conduct
from arena.tournament.points import Mean, Points, points_of_series
from arena.tournament.rating import Standing, rate
from arena.tournament.result import Result, decode_result, result_of
from arena.tournament.schedule import Fixture, Format
from arena.tournament.stopping import open_pairs
from arena.tournament.tally import Count, Tally, tally

COVERAGE = "95-96 %"
"""How often intervals made for 95 % held the truth where it was known (`tests/benchmarks/README.md`)."""


@dataclass(frozen=True)
class Report:
    """Everything a table of standings is made of.

    `voids` counts games given up by competitor, `forfeits` those its faults have lost; `with_voids` are the standings
    if the voids of a competitor counted as lost, and as won, whatever came of playing them again. Of the
    `scheduled` games, `stopped` counts by cause those that have no result and had to stop. `points` are those of
    series; none in another format. `corrupt` says of each transcript that is not what was played where that shows; the
    tournament will play those games again.
    """

    tournament: Tournament
    standing: Standing
    tallies: Mapping[str, Tally]
    conduct: Mapping[str, Conduct]
    metrics: Mapping[str, Mapping[str, Metric]]
    voids: Mapping[str, int]
    with_voids: Mapping[str, tuple[Standing, Standing]]
    scheduled: int
    stopped: Mapping[str, int]
    forfeits: Mapping[str, int]
    points: Mapping[str, Points]
    corrupt: Sequence[str]

    @property
    def swapped(self) -> list[tuple[str, str]]:
        """Who would change places, the higher first, if the voids of some one competitor counted as lost, or as won."""
        order = [row.name for row in self.standing.rows]
        others = [[row.name for row in standing.rows] for both in self.with_voids.values() for standing in both]
        return [
            (higher, lower)
            for higher, lower in combinations(order, 2)
            if any(other.index(lower) < other.index(higher) for other in others)
        ]

    def points_with_voids(self, name: str) -> tuple[float, float] | None:
        """What a competitor would have if its voids counted as lost, and as won; None without any."""
        if name not in self.with_voids:
            return None
        lost, won = (next(row.points for row in each.rows if row.name == name) for each in self.with_voids[name])
        return lost, won

    @property
    def settled(self) -> bool:
        """Whether the tournament's question has its answer."""
        fixed = self.tournament.question.games
        if fixed:
            return self.standing.games >= fixed
        return not self.standing.provisional and not open_pairs(self.standing, self.tournament.asked)


def read_report(folder: Folder) -> Report:
    """The report on the games in `folder`, finished or not.

    Raises:
        UnusableInput: no tournament lies there, or a file of it other than a transcript can't be read.
    """
    tournament = folder.tournament()
    names = list(tournament.competitors)
    board = f"{tournament.board()[0].id}-{tournament.players}"
    fixtures = {fixture.id: fixture for fixture in folder.fixtures()}
    kept = folder.results()
    games: list[Game] = []
    conducts: dict[str, list[Conduct]] = defaultdict(list)
    points: list[tuple[Fixture, Mapping[str, float]]] = []
    ledger = Ledger()
    corrupt: list[str] = []
    for fixture in fixtures.values():
        try:
            result = _result(folder, fixture, kept, tournament, board)
        except UnusableInput as error:
            corrupt.append(str(error))
            continue
        if result is None:
            continue
        games.append(result.game)
        ledger.add(fixture.deal, result.sums)
        points.append((fixture, result.points))
        for name, conduct in result.conduct.items():
            conducts[name].append(conduct)
    given_up = [void for void in folder.voids() if void.id in fixtures]
    ended = {game.id: game for game in games if game.winner}
    voids = [
        ended.get(id) or _unplayed(fixtures[id], board, tournament.format)
        for id in dict.fromkeys(void.id for void in given_up)
    ]
    standing = rate(games, names)
    return Report(
        tournament,
        standing,
        tally(games, names),
        {name: _together(conducts[name]) for name in names},
        {name: ledger.metrics(name) for name in names},
        Counter(name for void in given_up for name in set(fixtures[void.id].competitors)),
        {name: as_if for name in names if (as_if := _with_voids(games, voids, name, names))},
        len(fixtures),
        _stopped(folder, fixtures, games),
        Counter(name for game in games for name in game.forfeits),
        points_of_series(points, names) if tournament.format == "series" else {},
        corrupt,
    )


def _stopped(folder: Folder, fixtures: Collection[str], games: Sequence[Game]) -> Mapping[str, int]:
    """How many games without a result had to stop, by the last cause of each."""
    finished = {game.id for game in games if game.winner}
    causes = {stop.id: stop.cause for stop in folder.stops() if stop.id in fixtures and stop.id not in finished}
    return Counter(causes.values())


def _result(
    folder: Folder, fixture: Fixture, kept: Mapping[str, bytes], tournament: Tournament, board: str
) -> Result | None:
    """What was kept of a game, or else what its transcript says; None where it has not begun."""
    if fixture.id in kept:
        return decode_result(orjson.loads(kept[fixture.id]))
    transcript = folder.recorded(fixture)
    if transcript is None:
        return None
    return result_of(fixture, transcript, board, tournament.format, tournament.faults)


def _together(conducts: Sequence[Conduct]) -> Conduct:
    whole = Account()
    for conduct in conducts:
        for count in ("calls", "prompt", "cached", "completion", "usd", "fallback"):
            setattr(whole, count, getattr(whole, count) + getattr(conduct.account, count))
        whole.faults.update(conduct.account.faults)
    return Conduct(whole, sum(c.seconds for c in conducts), sum(c.defaults for c in conducts))


def _with_voids(
    games: Sequence[Game], voids: Sequence[Game], name: str, names: Sequence[str]
) -> tuple[Standing, Standing] | None:
    """The standings if all voids of a competitor counted as lost by it, and as won; None where it has none."""
    own = [void for void in voids if any(place.competitor == name for place in void.places)]
    if not own:
        return None
    given_up = {void.id for void in own}
    others = [game for game in games if game.id not in given_up]
    lost, won = ([_as_if(void, name, lost=lost) for void in own] for lost in (True, False))
    return rate([*others, *lost], names), rate([*others, *won], names)


def _unplayed(fixture: Fixture, board: str, format: Format) -> Game:
    """A game nothing is known of but its schedule: everybody on the side they were dealt."""
    dealt = zip(fixture.competitors, fixture.roles, strict=True)
    places = tuple(Place(name, role, ROLES[role].faction) for name, role in dealt)
    return Game(fixture.id, fixture.deal, board, format, places)


def _as_if(void: Game, name: str, *, lost: bool) -> Game:
    """`void` as if `name` had lost it, or won it."""
    sides = Counter(place.faction for place in void.places if place.competitor == name)
    own = max(sorted(sides), key=lambda side: sides[side])
    other = min(({place.faction for place in void.places} - {own}), default=own)
    return replace(void, winner=other if lost else own)


def standings_data(report: Report) -> dict[str, Any]:
    """The standings as plain data; skills in logits, intervals made for 95 %."""
    return {
        "title": report.tournament.title,
        "games": report.standing.games,
        "draws": report.standing.draws,
        "scheduled": report.scheduled,
        "stopped": report.stopped,
        "corrupt": report.corrupt,
        "provisional": report.standing.provisional,
        "settled": report.settled,
        "ties": report.standing.ties,
        "coverage": f"{COVERAGE} of simulated duels: 6 models, 9 seats, 120 and 240 games",
        "swapped_with_voids": report.swapped,
        "competitors": list(_rows(report)),
    }


def standings_csv(report: Report) -> str:
    """The standings as comma-separated values, a line for each competitor; a dot parts the names of what is nested."""
    rows = [dict(_flat(row)) for row in _rows(report)]
    out = io.StringIO()
    columns = dict.fromkeys(column for row in rows for column in row)
    writer = csv.DictWriter(out, list(columns), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue()


_PAIRS = ("interval", "points_with_voids")
"""Keys under which stand two numbers, or none."""


def _flat(data: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    for key, value in data.items():
        if isinstance(value, Mapping):
            yield from _flat(value, f"{prefix}{key}.")
        elif key in _PAIRS:
            yield from zip((f"{prefix}{key}.low", f"{prefix}{key}.high"), value or (None, None), strict=True)
        else:
            yield prefix + str(key), value


def _rows(report: Report) -> Iterator[dict[str, Any]]:
    for row in report.standing.rows:
        count, conduct = report.tallies[row.name], report.conduct[row.name]
        account = conduct.account
        yield {
            **asdict(row),
            "won": count.total.won,
            "lost": count.total.lost,
            "drawn": count.total.drawn,
            "running": count.running,
            "voids": report.voids.get(row.name, 0),
            "points_with_voids": report.points_with_voids(row.name),
            "forfeits": report.forfeits.get(row.name, 0),
            "defaults": account.fallback,
            "calls": account.calls,
            "prompt_tokens": account.prompt,
            "cached_tokens": account.cached,
            "completion_tokens": account.completion,
            "usd": round(account.usd, 6),
            "seconds": round(conduct.seconds, 3),
            "faults": dict(account.faults),
            "sides": {side: _counted(one) for side, one in count.sides.items()},
            "roles": {role: _counted(one) for role, one in count.roles.items()},
            "metrics": {metric: _explained(one) for metric, one in report.metrics[row.name].items()},
            **({"series": _in_series(report.points[row.name])} if report.points else {}),
        }


def _in_series(points: Points) -> dict[str, Any]:
    return {"points": points.total, "per_game": _mean(points.games), "per_series": _mean(points.series)}


def _mean(mean: Mean | None) -> dict[str, Any]:
    return asdict(mean) if mean else {"value": None, "interval": None, "of": 0}


def _explained(metric: Metric) -> dict[str, Any]:
    return {
        **asdict(metric.total),
        "sides": {side: asdict(figure) for side, figure in metric.sides.items()},
        "days": {side: {str(day): asdict(one) for day, one in days.items()} for side, days in metric.days.items()},
    }


def _counted(count: Count) -> dict[str, Any]:
    return {"won": count.won, "lost": count.lost, "drawn": count.drawn, "rate": count.rate, "interval": count.interval}
