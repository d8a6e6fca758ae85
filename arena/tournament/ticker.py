"""How far a tournament has come, in a terminal, while it is played."""

import time

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.table import Table
from rich.text import Text as RichText

from arena.terms import Lang
from arena.texts import texts
from arena.tournament.plan import Tournament
from arena.tournament.rating import Standing, rate
from arena.tournament.run import Progress

PERIOD = 1.0
"""Seconds between two tables; a standing of thousands of games is not to be worked out for each of them."""


class Ticker:
    """Shows a `Progress` on a terminal as it changes; elsewhere a line for each block, and for each wait.

    What was given up is told in a line of its own.
    """

    def __init__(self, console: Console, tournament: Tournament, lang: Lang) -> None:
        self._console = console
        self._lang = lang
        self._names = list(tournament.competitors)
        self._of = tournament.asked.games
        self._may_stop_early = tournament.asked.aim != "fixed"
        self._begun = time.monotonic()
        self._next = 0.0
        self._said: tuple[int, str] = 0, ""
        self._told = 0
        self._live = Live(console=console, auto_refresh=False, transient=True) if console.is_terminal else None

    def __call__(self, progress: Progress) -> None:
        """Show how far it has come."""
        for stop in progress.voids[self._told :]:
            say = texts(self._lang, "tournament")
            text = say["void"].format(game=stop.id, cause=say["causes"][stop.cause], why=stop.why)
            self._console.print(text, highlight=False, markup=False)
        self._told = len(progress.voids)
        if self._live:
            self._draw(progress, self._live)
        elif (progress.block, progress.waiting) != self._said:
            self._said = progress.block, progress.waiting
            self._console.print(self._line(progress), highlight=False, markup=False)

    def stop(self) -> None:
        """Leave the terminal as it was."""
        if self._live:
            self._live.stop()

    def _draw(self, progress: Progress, live: Live) -> None:
        now = time.monotonic()
        if now < self._next:
            return
        self._next = now + PERIOD
        if not live.is_started:
            live.start()
        parts: list[RenderableType] = [RichText(self._line(progress))]
        if self._rated(progress):
            parts.append(_short(rate(list(progress.games.values()), self._names), self._lang))
        live.update(Group(*parts), refresh=True)

    def _line(self, progress: Progress) -> str:
        say = texts(self._lang, "tournament")
        rated = self._rated(progress)
        # Those that are being played are half done, on average: the first to end says little alone.
        half = progress.running / 2
        passed, left = time.monotonic() - self._begun, max(0.0, self._of - rated - half)
        eta = f"{passed / (progress.played + half) * left / 60:.0f} min" if progress.played else "–"
        line = str(say["progress"]).format(
            games=rated,
            of=self._of,
            running=progress.running,
            spent=f"{progress.spent:.4f}",
            eta=say["at_most"].format(time=eta) if self._may_stop_early and progress.played else eta,
        )
        return line + (f" · {say['waiting'].format(why=progress.waiting)}" if progress.waiting else "")

    @staticmethod
    def _rated(progress: Progress) -> int:
        return sum(bool(game.winner) for game in progress.games.values())


def _short(standing: Standing, lang: Lang) -> Table:
    columns = texts(lang, "tournament")["columns"]
    shown = Table(style="dim" if standing.provisional else "")
    for column in ("name", "points", "best", "games"):
        shown.add_column(columns[column], justify="left" if column == "name" else "right")
    for row in standing.rows:
        shown.add_row(RichText(row.name), f"{row.points:.0f}", f"{row.best:.0%}", str(row.games))
    return shown
