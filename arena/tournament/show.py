"""A tournament in a terminal: what it would be, and how far it has come."""

import time
from collections.abc import Sequence

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.table import Table
from rich.text import Text as RichText

from arena.estimate import Load, rehearse
from arena.simulate import CPUS, Summary, Trial, results, summed
from arena.terms import Lang
from arena.texts import texts
from arena.tournament.balance import balance
from arena.tournament.commitment import commit
from arena.tournament.plan import Tournament
from arena.tournament.planner import games_to_separate, half_width, information_constant
from arena.tournament.rating import POINTS_PER_LOGIT, Standing
from arena.tournament.run import Progress, header_of
from arena.tournament.schedule import Fixture, full_block

EVEN = (0.4, 0.6)
"""How often the village should win; outside, games tell less."""

TRIALS = 400
"""Games of scripted players that tell how even a board is."""


def scripted_rate(tournament: Tournament) -> float:
    """How often the village wins on the board of `tournament` between scripted players."""
    ruleset, cards = tournament.board()
    trial = Trial(ruleset, cards, 0, "scripted", "scripted", words=False, lang=tournament.language)
    summary: Summary = summed(list(results(trial, TRIALS, CPUS)))
    return summary.wins["village"] / summary.games


def preview(tournament: Tournament, village: float, lang: Lang) -> RenderableType:
    """What `tournament` would be: games, balance, what it can tell, and what it would take."""
    say = texts(lang, "tournament")
    block = full_block(tournament.schedule(), 1)
    games = tournament.asked.games
    parts: list[RenderableType] = [
        RichText(
            say["plan"].format(
                title=tournament.title or tournament.ruleset,
                competitors=len(tournament.competitors),
                format=tournament.format,
                ruleset=tournament.ruleset,
                players=tournament.players,
                games=games,
                block=len(block),
            )
        ),
        RichText(_width(block, games, tournament.margin, lang)),
        RichText(say["commitment"].format(digest=commit(tournament.seed, tournament.versions()).seed)),
        *(RichText(f"{fixture.id}  {', '.join(fixture.competitors)}") for fixture in block),
        _balance(block, lang),
    ]
    if not EVEN[0] <= village <= EVEN[1]:
        parts.append(RichText(say["unbalanced"].format(rate=f"{village:.0%}")))
    if tournament.plans():
        parts.append(RichText(_estimate(tournament, block, lang)))
    return Group(*parts)


def _width(block: Sequence[Fixture], games: int, margin: float, lang: Lang) -> str:
    constant = information_constant(block)
    return str(texts(lang, "tournament")["width"]).format(
        games=games,
        points=round(POINTS_PER_LOGIT * half_width(constant, games)),
        gap=round(POINTS_PER_LOGIT * margin),
        needed=games_to_separate(constant, margin),
    )


def _balance(block: Sequence[Fixture], lang: Lang) -> Table:
    say, factions = texts(lang, "tournament"), texts(lang, "terms")["factions"]
    found = balance(block)
    shown = Table(title=say["balance"].format(games=len(block)))
    sides = sorted({side for row in found.sides.values() for side in row})
    roles = sorted({role for row in found.roles.values() for role in row})
    seats = sorted({seat for row in found.seats.values() for seat in row})
    for column in (say["columns"]["name"], *(factions.get(side, side) for side in sides), *roles, *map(str, seats)):
        shown.add_column(RichText(column), justify="right")
    for name in found.sides:
        row = [found.sides[name].get(side, 0) for side in sides]
        row += [found.roles[name].get(role, 0) for role in roles]
        row += [found.seats[name].get(seat, 0) for seat in seats]
        shown.add_row(RichText(name), *map(str, row))
    return shown


def _estimate(tournament: Tournament, block: Sequence[Fixture], lang: Lang) -> str:
    """What one game takes, in the mean of the line-ups of a block."""
    say, plans = texts(lang, "tournament"), tournament.plans()
    loads: list[tuple[str, Load]] = []
    for fixture in block:
        loads += rehearse(header_of(tournament, fixture), plans, games=1).items()
    games = len(block)
    costs = [load.usd(plans[name]) for name, load in loads]
    usd = None if None in costs else sum(cost or 0 for cost in costs) / games
    return str(say["estimate"]).format(
        calls=round(sum(load.calls for _, load in loads) / games),
        prompt=round(sum(load.prompt for _, load in loads) / games),
        cached=f"{sum(load.cached for _, load in loads) / max(1, sum(load.prompt for _, load in loads)):.0%}",
        completion=round(sum(load.completion for _, load in loads) / games),
        usd="?" if usd is None else f"{usd:.4f}",
        all="?" if usd is None else f"{usd * tournament.asked.games:.2f}",
    )


class Ticker:
    """Shows a `Progress` on a terminal as it changes; elsewhere a line for each block."""

    def __init__(self, console: Console, tournament: Tournament, lang: Lang) -> None:
        self._console = console
        self._lang = lang
        self._of = tournament.asked.games
        self._begun = time.monotonic()
        self._block = 0
        self._live = Live(console=console, auto_refresh=False, transient=True) if console.is_terminal else None

    def __call__(self, progress: Progress) -> None:
        """Show how far it has come."""
        if self._live:
            if not self._live.is_started:
                self._live.start()
            self._live.update(self._shown(progress), refresh=True)
        elif progress.block != self._block:
            self._block = progress.block
            self._console.print(self._line(progress), highlight=False, markup=False)

    def stop(self) -> None:
        """Leave the terminal as it was."""
        if self._live:
            self._live.stop()

    def _line(self, progress: Progress) -> str:
        say = texts(self._lang, "tournament")
        rated = sum(bool(game.winner) for game in progress.games.values())
        passed = time.monotonic() - self._begun
        eta = f"ETA {passed / progress.played * max(0, self._of - rated) / 60:.0f} min" if progress.played else ""
        line: str = say["progress"].format(
            games=rated, of=self._of, running=progress.running, spent=f"{progress.spent:.4f}", eta=eta
        )
        return line + (f" · {say['waiting'].format(why=progress.waiting)}" if progress.waiting else "")

    def _shown(self, progress: Progress) -> RenderableType:
        parts: list[RenderableType] = [RichText(self._line(progress))]
        if progress.standing:
            parts.append(_short(progress.standing, self._lang))
        return Group(*parts)


def _short(standing: Standing, lang: Lang) -> Table:
    columns = texts(lang, "tournament")["columns"]
    shown = Table(style="dim" if standing.provisional else "")
    for column in ("name", "points", "best", "games"):
        shown.add_column(columns[column], justify="left" if column == "name" else "right")
    for row in standing.rows:
        shown.add_row(RichText(row.name), f"{row.points:.0f}", f"{row.best:.0%}", str(row.games))
    return shown
