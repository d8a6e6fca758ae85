"""The standings in a terminal: who is ahead, how they fare by side and card, and what explains it."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Literal

from rich.cells import cell_len
from rich.table import Table
from rich.text import Text as RichText

from arena.accounts import FAULTS
from arena.roles import ROLES
from arena.terms import Lang
from arena.texts import texts
from arena.tournament.layout import broken, in_tables, plain_table, whole_width, width_of
from arena.tournament.metrics import METRICS, Figure
from arena.tournament.played import Conduct
from arena.tournament.points import Mean, Points
from arena.tournament.rating import AVERAGE_POINTS, POINTS_PER_LOGIT, PROVISIONAL_GAMES, Row
from arena.tournament.report import COVERAGE, Report
from arena.tournament.stopping import games_more
from arena.tournament.tally import Count


def first_tables(report: Report, lang: Lang) -> Iterator[Table]:
    """What is asked for first: the standings, and the points of a tournament in series."""
    yield standings_table(report, lang)
    if report.points:
        yield _points_table(report, lang)


def standings_table(report: Report, lang: Lang) -> Table:
    """The standings as a table for the terminal."""
    say, standing = texts(lang, "tournament"), report.standing
    provisional = say["provisional"].format(least=PROVISIONAL_GAMES) if standing.provisional else ""
    title = report.tournament.title or report.tournament.ruleset
    heading = say["standing"].format(title=title, games=standing.games, provisional=provisional)
    shown = plain_table(heading, _caption(report, lang))
    rows = [_cells(report, row) for row in standing.rows]
    widths = {column: _widest(say["columns"][column], *(cells[column] for cells in rows)) for column in _COLUMNS}
    # Figures and headings are whole; a long name breaks between its words.
    widths["name"] = whole_width(len(widths)) - sum(widths[column] for column in _COLUMNS if column != "name")
    for column, width in widths.items():
        justify: Literal["left", "right"] = "left" if column == "name" else "right"
        shown.add_column(RichText(say["columns"][column]), justify=justify, width=width, overflow="fold")
    for cells in rows:
        cells["name"] = broken(cells["name"], widths["name"])
        shown.add_row(*(RichText(cells[column]) for column in _COLUMNS))
    return shown


_COLUMNS = ("rank", "name", "points", "interval", "best", "duel", "werewolves", "village", "games")


def _widest(*texts: str) -> int:
    return max(cell_len(line) for text in texts for line in text.split("\n"))


def _cells(report: Report, row: Row) -> dict[str, str]:
    if not row.games:
        return {**dict.fromkeys(_COLUMNS, "–"), "name": row.name, "games": "0"}
    rank = "–" if report.standing.provisional else _span(row.first, row.last)
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
    question, fixed = report.tournament.asked, report.tournament.question.games or 0
    asked = say["question"][question.aim].format(top=question.top, games=fixed)
    if report.settled:
        lines.append(say["settled"].format(question=asked))
    else:
        # A provisional standing answers nothing.
        least = max(games_more(standing, question), PROVISIONAL_GAMES - standing.games)
        left = fixed - standing.games if fixed else least
        lines.append(say["missing" if fixed else "open"].format(question=asked, games=left))
    if report.forfeits:
        counts = ", ".join(f"{name} {number}" for name, number in sorted(report.forfeits.items()))
        lines.append(say["forfeits"].format(faults=report.tournament.faults, counts=counts))
    if report.stopped:
        causes = ", ".join(f"{say['causes'][cause]} {number}" for cause, number in sorted(report.stopped.items()))
        lines.append(say["stopped"].format(causes=causes))
    if report.corrupt:
        lines.append(say["corrupt"].format(why="\n".join(report.corrupt)))
    if report.voids:
        lines.append(say["voids"].format(change=_change(report, lang)))
    return "\n".join(lines)


def _change(report: Report, lang: Lang) -> str:
    """What void games could change about the order."""
    say, ties = texts(lang, "tournament"), report.standing.ties
    pairs = "; ".join(", ".join(pair) for pair in report.swapped)
    tied = all(any(set(pair) <= set(run) for run in ties) for pair in report.swapped)
    return str(say["voids.tied" if tied else "voids.other"]).format(pairs=pairs) if pairs else str(say["voids.same"])


# Points in series


def _points_table(report: Report, lang: Lang) -> Table:
    """The points of series, most of them a game first."""
    say = texts(lang, "tournament")["series"]
    shown = plain_table(say["title"], say["caption"])
    for column, heading in say["columns"].items():
        shown.add_column(RichText(heading), justify="left" if column == "name" else "right", overflow="fold")
    for name, points in sorted(report.points.items(), key=lambda item: (-_per_game(item[1]), item[0])):
        means = [cell for mean in (points.series, points.games) for cell in _mean(mean)]
        shown.add_row(RichText(name), f"{points.total:.2f}", *means)
    return shown


def _per_game(points: Points) -> float:
    return points.games.value if points.games else float("-inf")


def _mean(mean: Mean | None) -> tuple[str, str]:
    """An average with its interval, and over how many."""
    if mean is None:
        return "", "0"
    interval = "" if mean.interval is None else f" {mean.interval[0]:.2f}–{mean.interval[1]:.2f}"
    return f"{mean.value:.2f}{interval}", str(mean.of)


# By competitor, side by side

LABEL, FIGURE = 20, 11
"""Cells of what a row is about, and of a share with its interval."""

Line = tuple[str, Mapping[str, RichText]]
"""What a row is about, and its cell for each competitor."""


def details(report: Report, lang: Lang) -> Iterator[Table]:
    """How competitors fare by side and card, and what explains it: a column for each, some at a time."""
    say = texts(lang, "tournament")
    yield from _abreast(report, say["won"], _results(report, lang))
    took = _took(report, lang)
    if took:
        yield from _abreast(report, say["took"], took)
    yield from _abreast(report, say["explained"], _explained(report, lang))


def _abreast(report: Report, say: dict[str, str], lines: Sequence[Line]) -> Iterator[Table]:
    names = [row.name for row in report.standing.rows]
    widths = [max(FIGURE, width_of(name)) for name in names]
    tables = in_tables(list(zip(names, widths, strict=True)), widths, LABEL)
    for number, columns in enumerate(tables, start=1):
        shown = plain_table(say["title"] if number == 1 else None, say["caption"] if number == len(tables) else None)
        shown.add_column("", min_width=LABEL)
        for name, width in columns:
            shown.add_column(RichText(name, overflow="fold"), justify="right", min_width=width, overflow="fold")
        for label, cells in lines:
            shown.add_row(RichText(label), *(cells[name] for name, _ in columns))
        yield shown


def _results(report: Report, lang: Lang) -> list[Line]:
    """Results in all, by side, and by card where that is not the same: in a duel all cards of a side win together."""
    factions = texts(lang, "terms")["factions"]
    tallies = report.tallies
    sides = dict.fromkeys(side for each in tallies.values() for side in each.sides)
    roles = [
        role
        for role, card in ROLES.items()
        if any(role in one.roles and one.roles[role] != one.sides.get(card.faction) for one in tallies.values())
    ]
    say = texts(lang, "tournament")["won"]
    lines: list[Line] = [(say["all"], {name: _won(each.total) for name, each in tallies.items()})]
    for side in sides:
        lines.append((factions[side], {name: _won(each.sides.get(side)) for name, each in tallies.items()}))
    for role in roles:
        lines.append((ROLES[role].title[lang], {name: _won(each.roles.get(role)) for name, each in tallies.items()}))
    return lines


def _won(count: Count | None) -> RichText:
    if count is None or count.rate is None:
        return RichText("")
    return RichText(f"{_share(count.rate, *(count.interval or (None, None)))}\n").append(
        f"{count.won}-{count.lost}-{count.drawn}", "dim"
    )


def _took(report: Report, lang: Lang) -> list[Line]:
    """What is unfinished or void, if anything, and what there is to say of models only."""
    say, faults = texts(lang, "tournament")["took"], texts(lang, "endpoints")["faults"]
    accounts = {name: conduct.account for name, conduct in report.conduct.items()}
    lines: list[tuple[str, dict[str, str]]] = []
    if any(each.running for each in report.tallies.values()):
        lines.append((say["running"], {name: str(each.running) for name, each in report.tallies.items()}))
    if report.voids:
        lines.append((say["voids"], {name: str(report.voids.get(name, 0)) for name in accounts}))
        lines.append((say["points"], {name: _with_voids(report, name) for name in accounts}))
    if any(account.calls for account in accounts.values()):
        lines.append((say["calls"], {name: str(one.calls) for name, one in accounts.items()}))
        lines.append((say["tokens"], {name: str(one.prompt + one.completion) for name, one in accounts.items()}))
        lines.append((say["usd"], {name: f"{one.usd:.4f}" for name, one in accounts.items()}))
        lines.append((say["seconds"], {name: _seconds(one) for name, one in report.conduct.items()}))
        for fault in FAULTS:
            if any(account.faults[fault] for account in accounts.values()):
                lines.append((faults[fault], {name: str(one.faults[fault]) for name, one in accounts.items()}))
        lines.append((say["defaults"], {name: str(one.fallback) for name, one in accounts.items()}))
    return [(label, {name: RichText(cell) for name, cell in cells.items()}) for label, cells in lines]


def _with_voids(report: Report, name: str) -> str:
    points = report.points_with_voids(name)
    return "" if points is None else f"{points[0]:.0f}–{points[1]:.0f}"


def _seconds(conduct: Conduct) -> str:
    return f"{conduct.seconds / conduct.account.calls:.1f}" if conduct.account.calls else ""


def _explained(report: Report, lang: Lang) -> list[Line]:
    labels = texts(lang, "tournament")["metrics"]
    return [
        (labels[metric], {name: _figure(report, name, metric) for name in report.metrics})
        for metric in METRICS
        if any(metric in each for each in report.metrics.values())
    ]


def _figure(report: Report, name: str, metric: str) -> RichText:
    """A figure with its interval, bold where that does not hold what chance gives; then chance and occasions."""
    known = report.metrics[name].get(metric)
    if known is None:
        return RichText("")
    figure, share = known.total, METRICS[metric].unit == "share"
    chance = f"{figure.chance:.0%}" if share else f"{figure.chance:.2f}"
    found = _share(figure.value, figure.low, figure.high) if share else _number(figure)
    off = figure.low is not None and figure.high is not None and not figure.low <= figure.chance <= figure.high
    return RichText(f"{found}\n", "bold" if off else "").append(f"{chance} ·{figure.of}", "not bold dim")


def _share(value: float, low: float | None, high: float | None) -> str:
    interval = "" if low is None or high is None else f" {100 * low:.0f}–{100 * high:.0f}"
    return f"{value:.0%}{interval}"


def _number(figure: Figure) -> str:
    interval = "" if figure.high is None else f" ±{figure.high - figure.value:.2f}"
    return f"{figure.value:.2f}{interval}"
