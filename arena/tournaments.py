"""Tournaments in a terminal: played, or gone on with, and their standings."""

import asyncio
import importlib.util
import signal
from collections.abc import Mapping
from pathlib import Path
from shlex import quote

import orjson
import typer
from rich.console import Console

from arena.endpoint import EndpointPlan
from arena.local import serving
from arena.terms import Halted, Lang, UnusableInput
from arena.texts import texts
from arena.tournament.folder import Folder
from arena.tournament.loading import load_tournament
from arena.tournament.plan import Tournament
from arena.tournament.play import Here, Venue
from arena.tournament.report import read_report, standings_csv, standings_data
from arena.tournament.run import Paused, Run
from arena.tournament.show import EVEN, preview, village_rate
from arena.tournament.tables import details, first_tables
from arena.tournament.ticker import Ticker


def run(plan: Path, out: Path, errors: Console, *, dask: str | None = None, dry_run: bool = False) -> None:
    """Play the tournament of the file `plan` in the folder `out`, then show its standings.

    `dask` is the address of the scheduler of a cluster that plays the games.

    Raises:
        UnusableInput: the plan doesn't fit, another one is played in that folder, or another process plays there.
        Unreachable: an endpoint doesn't answer.
    """
    tournament = load_tournament(plan)
    lang = tournament.language
    say = texts(lang, "tournament")
    if dry_run:
        with errors.status(say["reckoning"]):
            shown = preview(tournament, village_rate(tournament), lang)
        Console(highlight=False).print(shown)
        return
    with Folder(out) as folder:
        folder.begin(tournament)
        with errors.status(say["reckoning"]):
            village = village_rate(tournament)
        if not EVEN[0] <= village <= EVEN[1]:
            errors.print(say["unbalanced"].format(rate=f"{village:.0%}"))
        ticker = Ticker(errors, tournament, lang)
        try:
            with serving(tournament.plans()) as plans:
                venue = _venue(dask, tournament, folder, plans)
                play = Run(tournament, folder, venue, ticker)
                asyncio.run(_played(play, errors, lang))
        except (KeyboardInterrupt, asyncio.CancelledError, Paused):
            ticker.stop()
            errors.print(say["paused"].format(plan=quote(str(plan)), folder=quote(str(out))))
            raise typer.Exit(130) from None
        except Halted as cap:
            ticker.stop()
            errors.print(f"arena: {cap}")
        finally:
            ticker.stop()
        if play.is_over_for_good:
            folder.reveal(tournament)
    report = read_report(folder)
    Console(highlight=False).print(*first_tables(report, lang), say["more"].format(folder=quote(str(out))))
    if not play.is_over_for_good:
        errors.print(say["sealed"])


def _venue(dask: str | None, tournament: Tournament, folder: Folder, plans: Mapping[str, EndpointPlan]) -> Venue:
    if dask is None:
        return Here(tournament, folder, plans)
    if importlib.util.find_spec("distributed") is None:
        raise UnusableInput("--dask: Dask is not installed; pip install -e '.[cluster]'")
    from arena.tournament.cluster.venue import Cluster

    return Cluster(dask, tournament, folder, plans)


async def _played(run: Run, errors: Console, lang: Lang) -> None:
    """Play; whoever interrupts it once has it end in peace, and whoever does so twice at once."""
    loop, playing = asyncio.get_running_loop(), asyncio.create_task(run.play())

    def interrupted() -> None:
        if run.is_stopping:
            playing.cancel()
        else:
            errors.print(texts(lang, "tournament")["pausing"])
            run.stop(Paused("paused"))

    for signal_ in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(signal_, interrupted)
    await playing


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
        Console(highlight=False).print(*first_tables(report, lang), *details(report, lang))
