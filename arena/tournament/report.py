"""The standings: what a folder of transcripts says about who plays better, and how each got there."""

import csv
import io
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from rich import box
from rich.table import Table
from rich.text import Text as RichText

from arena.accounts import Account
from arena.terms import Lang
from arena.texts import texts
from arena.tournament.folder import Folder
from arena.tournament.game import Game
from arena.tournament.plan import Tournament
from arena.tournament.played import Conduct, conduct_of, game_of
from arena.tournament.rating import AVERAGE_POINTS, POINTS_PER_LOGIT, PROVISIONAL_GAMES, Row, Standing, rate
from arena.tournament.schedule import Fixture
from arena.tournament.stopping import games_more, open_pairs
from arena.tournament.tally import Tally, tally

COVERAGE = "95-96 %"
"""How often intervals made for 95 % held the truth where it was known (`tests/benchmarks/README.md`)."""


@dataclass(frozen=True)
class Report:
    """Everything a table of standings is made of. `voids` counts games given up by competitor."""

    tournament: Tournament
    standing: Standing
    tallies: Mapping[str, Tally]
    conduct: Mapping[str, Conduct]
    voids: Mapping[str, int]
    order_holds: bool

    @property
    def settled(self) -> bool:
        """Whether the tournament's question has its answer."""
        question = self.tournament.asked
        if question.aim == "fixed":
            return self.standing.games >= question.games
        return not self.standing.provisional and not open_pairs(self.standing, question)


def read_report(folder: Folder) -> Report:
    """The report on the games in `folder`, finished or not.

    Raises:
        UnusableInput: no tournament lies there, or a file of it can't be read.
    """
    tournament = folder.tournament()
    names = list(tournament.competitors)
    board = f"{tournament.board()[0].id}-{tournament.players}"
    fixtures = {fixture.id: fixture for fixture in folder.fixtures()}
    games: list[Game] = []
    conducts: dict[str, list[Conduct]] = defaultdict(list)
    for fixture in fixtures.values():
        transcript = folder.transcript(fixture)
        if transcript is None:
            continue
        games.append(game_of(fixture, transcript, board, tournament.format, tournament.faults))
        for name, conduct in conduct_of(fixture, transcript).items():
            conducts[name].append(conduct)
    voids = [fixtures[void.id] for void in folder.voids() if void.id in fixtures]
    standing = rate(games, names)
    return Report(
        tournament,
        standing,
        tally(games, names),
        {name: _together(conducts[name]) for name in names},
        Counter(name for fixture in voids for name in set(fixture.competitors)),
        _order_holds(games, voids, standing, names),
    )


def _together(conducts: Sequence[Conduct]) -> Conduct:
    whole = Account()
    for conduct in conducts:
        for count in ("calls", "prompt", "cached", "completion", "usd", "fallback"):
            setattr(whole, count, getattr(whole, count) + getattr(conduct.account, count))
        whole.faults.update(conduct.account.faults)
    return Conduct(whole, sum(c.seconds for c in conducts), sum(c.defaults for c in conducts))


def _order_holds(games: Sequence[Game], voids: Sequence[Fixture], standing: Standing, names: Sequence[str]) -> bool:
    """Whether the order stays if the voids of any one competitor counted as lost, or as won."""
    order = [row.name for row in standing.rows]
    played = {game.id: game for game in games if game.winner}
    for name in names:
        own = [played[fixture.id] for fixture in voids if name in fixture.competitors and fixture.id in played]
        for lost in (True, False):
            extra = [_as_if(game, name, number, lost=lost) for number, game in enumerate(own)]
            if extra and [row.name for row in rate([*games, *extra], names).rows] != order:
                return False
    return True


def _as_if(game: Game, name: str, number: int, *, lost: bool) -> Game:
    """A void of `game` as if `name` had lost it, or won it."""
    sides = Counter(place.faction for place in game.places if place.competitor == name)
    own = max(sorted(sides), key=lambda side: sides[side])
    other = min(({place.faction for place in game.places} - {own}), default=own)
    return replace(game, id=f"{game.id}-void-{number}", winner=other if lost else own)


# Shown


def standings_table(report: Report, lang: Lang) -> Table:
    """The standings as a table for the terminal."""
    say, standing = texts(lang, "tournament"), report.standing
    provisional = say["provisional"].format(least=PROVISIONAL_GAMES) if standing.provisional else ""
    title = report.tournament.title or report.tournament.ruleset
    shown = Table(
        box=box.SIMPLE_HEAD,
        padding=(0, 1, 0, 0),
        title=RichText(say["standing"].format(title=title, games=standing.games, provisional=provisional)),
        caption=RichText(_caption(report, lang)),
    )
    columns = [*_PLAY, *(_CALLS if any(conduct.account.calls for conduct in report.conduct.values()) else ())]
    columns += ["voids"] if report.voids else []
    for column in columns:
        # Names and figures are whole at 80 columns; headings may break.
        shown.add_column(
            RichText(say["columns"][column], overflow="fold"),
            justify="left" if column == "name" else "right",
            min_width=_WIDTH.get(column),
        )
    for row in standing.rows:
        cells = _cells(report, row)
        shown.add_row(*(RichText(cells[column]) for column in columns))
    return shown


_PLAY = ("rank", "name", "points", "interval", "best", "duel", "werewolves", "village", "games", "rate")
_WIDTH = {"name": 10, "points": 6, "interval": 9}
_CALLS = ("faults", "tokens", "usd", "seconds")
"""What there is to say of models only."""


def _cells(report: Report, row: Row) -> dict[str, str]:
    conduct, count = report.conduct[row.name], report.tallies[row.name].total
    rank = "–" if report.standing.provisional else _span(row.first, row.last)
    tokens = conduct.account.prompt + conduct.account.completion
    return {
        "rank": rank,
        "name": row.name,
        "points": f"{row.points:.0f}",
        "interval": f"{_points(row.low):.0f}–{_points(row.high):.0f}",
        "best": f"{row.best:.0%}",
        "duel": "" if row.win_rate is None else f"{row.win_rate:.0%}",
        "werewolves": f"{_points(row.werewolves):.0f}",
        "village": f"{_points(row.village):.0f}",
        "games": str(row.games),
        "rate": "" if count.rate is None else f"{count.rate:.0%}",
        "faults": str(conduct.account.fallback),
        "voids": str(report.voids.get(row.name, 0)),
        "tokens": str(tokens),
        "usd": f"{conduct.account.usd:.4f}",
        "seconds": f"{conduct.seconds / conduct.account.calls:.1f}" if conduct.account.calls else "",
    }


def _span(first: int, last: int) -> str:
    return str(first) if first == last else f"{first}–{last}"


def _points(skill: float) -> float:
    return AVERAGE_POINTS + POINTS_PER_LOGIT * skill


def _caption(report: Report, lang: Lang) -> str:
    say, standing = texts(lang, "tournament"), report.standing
    groups = "; ".join(", ".join(run) for run in standing.ties if len(run) > 1)
    ties = say["ties"].format(groups=groups) if groups else ""
    draws = say["draws"].format(draws=standing.draws, games=standing.games) if standing.draws else ""
    lines = [say["caption"].format(coverage=COVERAGE, ties=ties, draws=draws)]
    question = report.tournament.asked
    asked = say["question"][question.aim].format(top=question.top, games=question.games)
    if report.settled:
        lines.append(say["settled"].format(question=asked))
    else:
        lines.append(say["open"].format(question=asked, games=games_more(standing, question)))
    if report.voids:
        lines.append(say["voids"].format(change=say["voids.same" if report.order_holds else "voids.other"]))
    return "\n".join(lines)


def standings_data(report: Report) -> dict[str, Any]:
    """The standings as plain data; skills in logits, intervals made for 95 %."""
    return {
        "title": report.tournament.title,
        "games": report.standing.games,
        "draws": report.standing.draws,
        "provisional": report.standing.provisional,
        "settled": report.settled,
        "ties": report.standing.ties,
        "coverage": COVERAGE,
        "order_holds_with_voids": report.order_holds,
        "competitors": list(_rows(report)),
    }


def standings_csv(report: Report) -> str:
    """The standings as comma-separated values, a line for each competitor."""
    rows = [{key: value for key, value in row.items() if not isinstance(value, dict)} for row in _rows(report)]
    out = io.StringIO()
    writer = csv.DictWriter(out, list(rows[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue()


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
        }


def _counted(count: Any) -> dict[str, Any]:
    return {"won": count.won, "lost": count.lost, "drawn": count.drawn, "rate": count.rate, "interval": count.interval}
