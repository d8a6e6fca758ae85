"""The command line. Each command reads its arguments, calls the module that does the work, and prints.

Exit status: 0 done, 1 the check failed, 2 the input is unusable (one line), 130 interrupted. Results go to
standard output, progress and complaints to standard error.
"""

import asyncio
import os
import secrets
import sys
from pathlib import Path
from typing import Annotated, Any

import orjson
import typer
from rich.console import Console
from rich.progress import Progress
from typer.exceptions import TyperException

from arena import __version__, options, rulebook, terminal, verification
from arena.endpoint import load_endpoints, resolve
from arena.estimate import estimate_table, rehearse
from arena.local import serving
from arena.narrate import Narrator, show
from arena.personas import load_persona, persona_ids
from arena.ruleset import load_ruleset
from arena.scenario.file import load_scenario
from arena.scenario.report import as_data, lines, report
from arena.seating import (
    Seating,
    load_seating,
    person_among,
    read_cards,
    read_rules,
    sit_down,
    with_personas,
)
from arena.series import first_game, read_series
from arena.simulate import CHUNK, CPUS, Kind, Trial, results, summary_data, summary_table, summed
from arena.terms import GOD, SPECTATOR, DuskwaldError, Lang, UnusableInput
from arena.texts import texts
from arena.tournament.lock import check_free
from arena.transcript import fork as forking
from arena.transcript import opening, read
from arena.transcript.schema import LARGEST_SEED, encode
from arena.transcript.viewing import shown_to

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)
errors = Console(stderr=True, highlight=False, markup=False, soft_wrap=True)


@app.callback(invoke_without_command=True)
def root(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Print the version.")] = False,
) -> None:
    """Duskwald: an arena for Werewolf (狼人杀), played by language models, people and scripts."""
    if version:
        typer.echo(__version__)
    elif context.invoked_subcommand is None:
        typer.echo(context.get_help())


@app.command()
def play(
    weights: Annotated[Path | None, typer.Argument(metavar="FILE.gguf", help="The model for --local.")] = None,
    ruleset: Annotated[str | None, typer.Option(help="The id of a ruleset, or a file; default: duskwald.")] = None,
    players: Annotated[int | None, typer.Option(min=1, help="How many seats; default: 9.")] = None,
    cards: Annotated[str | None, typer.Option(help="Other cards than the ruleset's: werewolf=3,seer=1,…")] = None,
    rule: Annotated[list[str] | None, typer.Option(help="Set a knob: KEY=VALUE. May be repeated.")] = None,
    seats: Annotated[Path | None, typer.Option(help="A seats file. What options say goes before it.")] = None,
    human: Annotated[int | None, typer.Option(min=1, help="Play this seat yourself, in this terminal.")] = None,
    practice: Annotated[bool, typer.Option("--practice", help="With --human: allow --seed, and say so.")] = False,
    seed: Annotated[int | None, typer.Option(min=0, max=LARGEST_SEED, help="Decides all; default: drawn.")] = None,
    lang: Annotated[Lang | None, typer.Option(help="The language of the game; default: zh.")] = None,
    model: Annotated[str | None, typer.Option(help="Models in every seat: of endpoints.yaml, or PRESET/MODEL.")] = None,
    local: Annotated[bool, typer.Option("--local", help="A model on this machine in every seat.")] = False,
    budget: Annotated[float | None, typer.Option(min=0, help="Stop before models have cost more USD.")] = None,
    out: Annotated[Path | None, typer.Option(help="The transcript or its folder; default: transcripts/runs.")] = None,
    series: Annotated[int | None, typer.Option(min=1, help="Play so many games at one table, for points.")] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only estimate what models would take and cost.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", help="Don't tell the game.")] = False,
) -> None:
    """Play a game, and tell it as it happens. Scripted players of all personas, unless a seats file says who plays."""
    given: dict[str, Any] = {"ruleset": ruleset, "players": players, "language": lang, "budget_usd": budget}
    given |= {"cards": read_cards(cards) if cards else None, "rules": read_rules(rule) if rule else None}
    sitting = options.sitting(seats, options.model_everywhere(seats, model, weights, local=local), human, given)
    options.refuse_known_seed(person_among(sitting.seats), seed, practice=practice)
    chosen = secrets.randbelow(2**32) if seed is None else seed
    who = sitting.seats if sitting.seating.seats else with_personas(sitting.seats, chosen)
    header = opening(sitting, who, chosen, terminal.now(), practice=practice)
    plans = sitting.endpoints
    if dry_run:
        Console(highlight=False).print(estimate_table(header, plans, rehearse(header, plans)))
        return
    if series:
        header = first_game(header, series)
    path = terminal.path_for(header, out)
    with terminal.resumable(errors, path, header.lang, seats if header.models else None):
        (terminal.play_series if series else terminal.play)(header, path, plans, quiet=quiet)


@app.command()
def resume(
    file: Annotated[Path, typer.Argument(help="The transcript of an interrupted game, or the folder of a series.")],
    seats: Annotated[Path | None, typer.Option(help="The seats file with the endpoints of its models.")] = None,
    budget: Annotated[float | None, typer.Option(min=0, help="Stop before models have cost more USD in all.")] = None,
    quiet: Annotated[bool, typer.Option("--quiet", help="Don't tell the game.")] = False,
) -> None:
    """Go on with an interrupted game or series. Nobody is asked twice, and it ends as it would have."""
    own = load_seating(seats).endpoints if seats else {}
    header = (read_series(file)[0] if file.is_dir() else read(file)).header
    with terminal.resumable(errors, file, header.lang, seats if header.models else None):
        (terminal.resume_series if file.is_dir() else terminal.resume)(file, own, budget=budget, quiet=quiet)


@app.command()
def fork(
    file: Annotated[Path, typer.Argument(help="The transcript of a game, whether it has ended or not.")],
    at: Annotated[int, typer.Option(min=1, help="The event to play on from: its number on the page and in links.")],
    seats: Annotated[Path, typer.Option(help="A seats file: who takes over which seats.")],
    budget: Annotated[float | None, typer.Option(min=0, help="Stop before models have cost more USD.")] = None,
    out: Annotated[Path | None, typer.Option(help="The transcript or its folder; default: transcripts/runs.")] = None,
    quiet: Annotated[bool, typer.Option("--quiet", help="Don't tell the game.")] = False,
) -> None:
    """Play on from the middle of a game, in a transcript of its own. Seats that are not named keep their players."""
    forked = forking(read(file), at, load_seating(seats), terminal.now(), budget)
    path = terminal.path_for(forked.header, out)
    with terminal.resumable(errors, path, forked.header.lang, seats if forked.plans else None):
        terminal.play(forked.header, path, forked.plans, forked.records, quiet=quiet)


@app.command()
def verify(
    files: Annotated[list[Path], typer.Argument(help="Transcripts.")],
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object for each file.")] = False,
) -> None:
    """Let the referee decide recorded games again from their replies. Exit status 1 if an event differs."""
    status = 0
    for file in files:
        try:
            transcript = read(file)
            difference = verification.difference_in(transcript)
        except UnusableInput as error:
            errors.print(f"arena: {error}")
            status = 2
            continue
        if difference:
            status = max(status, 1)
        if as_json:
            typer.echo(orjson.dumps(verification.report_json(transcript, difference)))
        else:
            typer.echo("\n".join(verification.report(transcript, difference)))
    raise typer.Exit(status)


@app.command()
def replay(
    file: Annotated[Path, typer.Argument(help="A transcript.")],
    god: Annotated[bool, typer.Option("--god", help="With all cards open.")] = False,
    seat: Annotated[int | None, typer.Option("--seat", min=1, help="As this seat saw it.")] = None,
    lang: Annotated[Lang | None, typer.Option(help="The language of the account; default: that of the game.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object for each event.")] = False,
) -> None:
    """Tell a game from its transcript: as the table saw it, as one seat did, or with all cards open."""
    if god and seat:
        raise UnusableInput("--god and --seat: choose one of them")
    reader = GOD if god else seat or SPECTATOR
    transcript = read(file)
    view = shown_to(transcript, reader)
    narrator = Narrator(lang or transcript.header.lang, reader)
    if as_json:
        for event in view.events:
            typer.echo(encode(event), nl=False)
    else:
        console = Console(highlight=False)
        for event in view.events:
            show(console, narrator.lines(event))
    if transcript.outcome is None:
        show(errors, [narrator.unfinished()])


@app.command()
def ruling(
    files: Annotated[list[Path], typer.Argument(help="Scenarios.")],
    lang: Annotated[Lang, typer.Option(help="The language of the account.")] = "zh",
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object for each file.")] = False,
) -> None:
    """Ask the referee: play scenarios, say what comes out and why. Exit status 1 if other than expected."""
    console = Console(highlight=False)
    status = 0
    for file in files:
        try:
            ruled = report(load_scenario(str(file)))
        except UnusableInput as error:
            errors.print(f"arena: {error}")
            status = 2
            continue
        if ruled.differences:
            status = max(status, 1)
        if as_json:
            typer.echo(orjson.dumps(as_data(ruled, lang), option=orjson.OPT_NON_STR_KEYS))
        else:
            show(console, lines(ruled, lang))
    if status:
        raise typer.Exit(status)


@app.command()
def rulesets(
    name: Annotated[str | None, typer.Argument(help="An id or a file: explain this one in words.")] = None,
    check: Annotated[Path | None, typer.Option(help="Only say whether the ruleset in this file can be used.")] = None,
    diff: Annotated[tuple[str, str] | None, typer.Option(help="Only show what differs between two of them.")] = None,
    lang: Annotated[Lang, typer.Option(help="The language of the words.")] = "zh",
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object for each ruleset.")] = False,
) -> None:
    """List the rulesets, explain one in words, or compare two, from the same data the referee goes by."""
    console = Console(highlight=False)
    if check:
        typer.echo(rulebook.checked(str(check), lang))
    elif diff:
        one, other = map(load_ruleset, diff)
        if as_json:
            typer.echo(orjson.dumps(rulebook.differences(one, other), option=orjson.OPT_NON_STR_KEYS))
        else:
            rulebook.show_differences(console, one, other, lang)
    elif as_json:
        for shown in [rulebook.as_data(load_ruleset(name), lang)] if name else rulebook.summaries(lang):
            typer.echo(orjson.dumps(shown, option=orjson.OPT_NON_STR_KEYS))
    elif name:
        rulebook.show_ruleset(console, load_ruleset(name), lang)
    else:
        rulebook.show_list(console, lang)


@app.command()
def simulate(
    ruleset: Annotated[str | None, typer.Option(help="The id of a ruleset, or a file; default: duskwald.")] = None,
    players: Annotated[int | None, typer.Option(min=1, help="How many seats; default: 9.")] = None,
    cards: Annotated[str | None, typer.Option(help="Other cards than the ruleset's: werewolf=3,seer=1,…")] = None,
    rule: Annotated[list[str] | None, typer.Option(help="Set a knob: KEY=VALUE. May be repeated.")] = None,
    games: Annotated[int, typer.Option(min=1, help="How many games.")] = 1000,
    jobs: Annotated[int, typer.Option(min=1, help="How many processes; changes nothing but the time.")] = CPUS,
    seed: Annotated[int, typer.Option(min=0, max=LARGEST_SEED, help="Decides everything.")] = 0,
    village: Annotated[Kind, typer.Option(help="Who plays the village.")] = "scripted",
    wolves: Annotated[Kind, typer.Option(help="Who plays the werewolves.")] = "scripted",
    words: Annotated[bool, typer.Option("--words/--no-words", help="Whether speeches are put in words.")] = False,
    lang: Annotated[Lang, typer.Option(help="The language of the table.")] = "zh",
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object.")] = False,
) -> None:
    """Play many games of scripted players without transcripts: who wins how often, with 95 % intervals."""
    given = {"cards": read_cards(cards) if cards else None, "rules": read_rules(rule) if rule else None}
    sitting = sit_down(Seating().overridden(ruleset=ruleset, players=players, **given))
    trial = Trial(sitting.ruleset, sitting.cards, seed, village, wolves, words, lang)
    with Progress(console=errors, transient=True) as progress:
        chunks = list(progress.track(results(trial, games, jobs), total=-(-games // CHUNK)))
    summary = summed(chunks)
    if as_json:
        typer.echo(orjson.dumps(summary_data(trial, summary)))
    else:
        Console(highlight=False).print(summary_table(trial, summary, lang))


@app.command()
def tournament(
    plan: Annotated[Path, typer.Argument(help="The plan of a tournament.")],
    out: Annotated[Path | None, typer.Option(help="Its folder; default: tournaments/NAME-OF-THE-PLAN.")] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Only show what would be played, and what it takes.")
    ] = False,
    dask: Annotated[str | None, typer.Option(metavar="ADDRESS", help="Play on the cluster of this scheduler.")] = None,
) -> None:
    """Play a tournament, or go on with it, until its question is answered. The same command goes on after Ctrl-C."""
    folder = out or Path("tournaments") / plan.stem
    if not dry_run:
        check_free(folder)
    from arena import tournaments  # what rates takes a while to load

    tournaments.run(plan, folder, errors, dask=dask, dry_run=dry_run)


@app.command()
def standings(
    folder: Annotated[Path, typer.Argument(help="The folder of a tournament.")],
    lang: Annotated[Lang | None, typer.Option(help="The language of the table; default: that of the games.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object.")] = False,
    as_csv: Annotated[bool, typer.Option("--csv", help="A line for each competitor.")] = False,
) -> None:
    """Show who plays better, how sure that is, and what it took."""
    from arena import tournaments  # what rates takes a while to load

    tournaments.standings(folder, lang, as_json=as_json, as_csv=as_csv)


@app.command()
def check_endpoint(
    name: Annotated[str, typer.Argument(help="An endpoint of endpoints.yaml, or PRESET/MODEL.")],
    lang: Annotated[Lang, typer.Option(help="The language of the account.")] = "zh",
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object.")] = False,
) -> None:
    """Ask an endpoint what it can do, in three calls. Exit status 1 if something is wanting that a game needs."""
    with serving({name: resolve(name, load_endpoints())}) as served:
        plan = served[name]
        found = asyncio.run(terminal.probed(name, plan))
    if as_json:
        typer.echo(orjson.dumps({finding.key: [finding.good, finding.value] for finding in found}))
    else:
        say = texts(lang, "endpoints")
        typer.echo(say["title"].format(name=name, address=plan.base_url))
        for finding in found:
            text = say[finding.key].format(value=finding.value)
            typer.echo(say["good" if finding.good else "bad"].format(text=text))
    raise typer.Exit(0 if all(finding.good or finding.key == "cached.none" for finding in found) else 1)


@app.command()
def personas(
    lang: Annotated[Lang, typer.Option(help="The language of the words.")] = "zh",
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object for each persona.")] = False,
) -> None:
    """List the personas: voices and temperaments that models and scripted players are given."""
    listed = [load_persona(name) for name in persona_ids()]
    if as_json:
        for persona in listed:
            typer.echo(orjson.dumps(persona.model_dump()))
    else:
        Console(highlight=False).print(terminal.persona_table(listed, lang))


@app.command()
def export(
    path: Annotated[Path, typer.Argument(help="A transcript; for tables also a folder of them, or of a tournament.")],
    html: Annotated[bool, typer.Option("--html", help="One file to look at, which needs no network.")] = False,
    parquet: Annotated[Path | None, typer.Option(help="A folder for tables as Parquet files.")] = None,
    jsonl: Annotated[Path | None, typer.Option(help="A folder for tables as files of JSON lines.")] = None,
    view: Annotated[str | None, typer.Option(help="Of --html: public (default), god, a seat, or all of them.")] = None,
    out: Annotated[Path | None, typer.Option(help="Of --html: the file; default: named as PATH, here.")] = None,
    lang: Annotated[Lang | None, typer.Option(help="The language; default: that of the game.")] = None,
) -> None:
    """Write a game into one file that can be sent to anybody, or games into tables to reckon with."""
    options.one_format(html=html, parquet=parquet, jsonl=jsonl, only_html={"--view": view, "--out": out})
    if html:
        from dashboard.export import page

        file = terminal.page_for(path, out)
        transcript = read(path)
        terminal.save(page(transcript, view or "public", lang or transcript.header.lang), file)
        typer.echo(file)
        return
    from arena.dataset import write_tables

    for file in write_tables(path, jsonl or parquet or Path(), "jsonl" if jsonl else "parquet", lang):
        typer.echo(file)


@app.command()
def dashboard(
    folder: Annotated[Path | None, typer.Option(help="Where the transcripts are; default: transcripts/ here.")] = None,
    port: Annotated[int, typer.Option(min=1, max=65535, help="The port on this machine.")] = 8501,
    host: Annotated[str | None, typer.Option(help="Let others in at this address; 0.0.0.0: at all of them.")] = None,
    public_url: Annotated[str | None, typer.Option(help="Let others in through a tunnel from this address.")] = None,
) -> None:
    """Open the web app, for this machine alone unless told otherwise: games to play, to watch and to replay."""
    from dashboard.server import serve

    serve(folder, port, host, public_url)


def main() -> None:
    """Run the command line, turning everything a user can cause into one line and a status."""
    try:
        # A command returns nothing; one that exits by itself, or is interrupted, gives its status.
        status = app(standalone_mode=False) or 0
        sys.stdout.flush()
        sys.exit(status)
    except TyperException as error:
        errors.print(f"arena: {' '.join(error.format_message().split())} (see --help)")
        sys.exit(2)
    except DuskwaldError as error:
        errors.print(f"arena: {error}")
        sys.exit(2)
    except OSError as error:
        errors.print(f"arena: {error.filename or 'standard output'}: {error.strerror}")
        # Python would try once more, at its end, to write what could not be written.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(2)
