"""Tournaments in a terminal: played, or gone on with, and their standings."""

import asyncio
from pathlib import Path
from shlex import quote

import orjson
import typer
from rich.console import Console

from arena.terms import Halted, Lang
from arena.texts import texts
from arena.tournament.folder import Folder
from arena.tournament.plan import load_tournament
from arena.tournament.report import read_report, standings_csv, standings_data
from arena.tournament.run import Run
from arena.tournament.show import EVEN, Ticker, preview, scripted_rate
from arena.tournament.tables import details, standings_table


def run(plan: Path, out: Path, errors: Console, *, dry_run: bool) -> None:
    """Play the tournament of the file `plan` in the folder `out`, then show its standings.

    Raises:
        UnusableInput: the plan doesn't fit, another one is played in that folder, or another process plays there.
        Unreachable: an endpoint doesn't answer.
    """
    tournament = load_tournament(plan)
    lang = tournament.language
    village = scripted_rate(tournament)
    if dry_run:
        Console(highlight=False).print(preview(tournament, village, lang))
        return
    say = texts(lang, "tournament")
    if not EVEN[0] <= village <= EVEN[1]:
        errors.print(say["unbalanced"].format(rate=f"{village:.0%}"))
    with Folder(out) as folder:
        folder.begin(tournament)
        ticker = Ticker(errors, tournament, lang)
        try:
            asyncio.run(Run(tournament, folder, ticker).play())
        except (KeyboardInterrupt, Halted) as stopped:
            ticker.stop()
            if isinstance(stopped, Halted):
                errors.print(f"arena: {stopped}")
            errors.print(say["paused"].format(plan=quote(str(plan)), folder=quote(str(out))))
            raise typer.Exit(130) from None
        finally:
            ticker.stop()
        folder.reveal(tournament)
    Console(highlight=False).print(
        standings_table(read_report(folder), lang), say["more"].format(folder=quote(str(out)))
    )


def standings(path: Path, lang: Lang | None, *, as_json: bool, as_csv: bool) -> None:
    """Print the standings of the tournament in the folder `path`.

    Raises:
        UnusableInput: no tournament lies there, or a file of it can't be read.
    """
    report = read_report(Folder(path))
    if as_json:
        typer.echo(orjson.dumps(standings_data(report)))
    elif as_csv:
        typer.echo(standings_csv(report), nl=False)
    else:
        lang = lang or report.tournament.language
        Console(highlight=False).print(standings_table(report, lang), *details(report, lang))
