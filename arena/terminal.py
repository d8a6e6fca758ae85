"""Games in a terminal: played and told as the table sees it, one or a series, or resumed."""

import asyncio
import itertools
import os
import re
import shutil
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from shlex import quote

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text as RichText
from typer import Exit

from arena import series
from arena.accounts import accounts_of, accounts_table
from arena.endpoint import EndpointPlan, Endpoints, Purse
from arena.endpoint.probe import Finding, probe
from arena.events import Event, seen_by
from arena.local import serving
from arena.narrate import Narrator, show
from arena.personas import Persona, load_persona
from arena.seating import Models, SeatPlan, endpoints_of, make_players, people_among, person_among
from arena.terms import SPECTATOR, Halted, Lang, UnusableInput
from arena.texts import texts
from arena.transcript import Difference, Header, Position, Record, Transcript, Writer, read, rerun
from arena.verification import position_of

Plans = Mapping[str, EndpointPlan]

RUNS = Path("transcripts/runs")
"""Where transcripts go that nobody has named a place for."""


def now() -> str:
    """The time at which a game begins, as its header says it."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def page_for(transcript: Path, out: Path | None) -> Path:
    """Where the page of a game goes: to `out`, or into this folder under the name of its transcript.

    Raises:
        UnusableInput: that is the transcript itself.
    """
    file = out or Path(f"{transcript.stem}.html")
    if file.resolve() == transcript.resolve():
        raise UnusableInput(f"--out {file}: that is the transcript; choose another file")
    return file


def save(text: str, file: Path) -> None:
    """Write `text` into `file`.

    Raises:
        UnusableInput: it can't be written.
    """
    try:
        file.write_text(text, encoding="utf-8")
    except OSError as error:
        raise UnusableInput(f"--out {file}: can't be written: {error.strerror}") from None


def path_for(header: Header, out: Path | None) -> Path:
    """Where a new game goes: `out`, or if that is a folder or missing, a free name in it. A series gets a folder.

    A person is not told the seed, so no name says it.
    """
    if out is not None and (header.series or not out.is_dir()):
        return out
    started = re.sub(r"\D", "", header.started)[:14]
    ruleset = re.sub(r"[^\w-]+", "-", header.ruleset.id)
    stem = f"{started[:8]}-{started[8:]}-{ruleset}-{header.players}"
    if not people_among(header.seats):
        stem += f"-{header.seed}"
    names = itertools.chain([stem], (f"{stem}-{again}" for again in itertools.count(2)))
    suffix = "" if header.series else ".jsonl"
    return next(path for name in names if not (path := (out or RUNS) / f"{name}{suffix}").exists())


def play(
    header: Header,
    path: Path,
    plans: Plans,
    records: Sequence[Record] = (),
    *,
    purse: Purse | None = None,
    quiet: bool = False,
) -> None:
    """Play a game to its end into the new transcript `path`, and tell it as the table sees it, or the person at it.

    `plans` are the endpoints of its models, by name. It begins with `records`, if it is a fork; what is told comes
    after them. The games of a series have one `purse`.

    Raises:
        KeyboardInterrupt: it was interrupted; its transcript can be resumed.
        UnusableInput: no game can begin so, or the transcript can't be written.
        Unreachable: an endpoint doesn't answer; nothing has begun then.
        Halted: it had to stop; its transcript can be resumed.
    """
    _refuse_unseen(header, quiet=quiet)
    before = Transcript(path, header, tuple(records))
    position = rerun(header, records)
    purse = purse or Purse(header.budget_usd)
    with serving(plans) as served:
        asyncio.run(_check(served))
        with Writer.create(path, header) as writer:
            writer.append(*records)
            asyncio.run(_play(before, served, position, writer, purse, quiet=quiet))


def resume(
    path: Path, own: Plans, *, budget: float | None = None, purse: Purse | None = None, quiet: bool = False
) -> None:
    """Play the game in the transcript `path` to its end, and tell what is new; a person is told all of it.

    `own` are endpoints that its models are looked up among, beside those of the working folder. A `budget` (USD)
    replaces that of the game; the games of a series have one `purse`.

    Raises:
        KeyboardInterrupt: it was interrupted again.
        UnusableInput: it is no transcript, its records differ from what the referee says, or a person plays in it
            who can't be asked here.
        Unreachable: an endpoint doesn't answer.
        Halted: it had to stop again.
    """
    transcript, writer = Writer.resume(path)
    with writer:
        header = transcript.header
        if not transcript.outcome:
            _refuse_unseen(header, quiet=quiet)
        try:
            position = position_of(transcript)
        except Difference as difference:
            raise UnusableInput(f"{path}: {difference}") from None
        if transcript.outcome:
            Console(stderr=True).print(texts(header.lang, "play")["over"])
            _conclude(header, path)
            return
        plans = _plans_again(path, header, own)
        purse = purse or Purse(header.budget_usd if budget is None else budget, transcript.spent)
        with serving(plans) as served:
            asyncio.run(_check(served))
            asyncio.run(_play(transcript, served, position, writer, purse, quiet=quiet))


def _plans_again(path: Path, header: Header, own: Plans) -> Plans:
    """The endpoints of a game that goes on. A transcript holds no address, so they are looked up by name."""
    try:
        plans = endpoints_of(header.seats, own)
    except UnusableInput as error:
        raise UnusableInput(f"{path}: {error}; --seats FILE gives the endpoints of a seats file") from None
    for name, plan in plans.items():
        if plan.model != header.models.get(name):
            raise UnusableInput(f"{path}: {name} was {header.models.get(name)!r} so far, and is {plan.model!r} now")
    return plans


def _refuse_unseen(header: Header, *, quiet: bool) -> None:
    """Refuse a game with a person who could not see it or answer."""
    if not person_among(header.seats):
        return
    if header.series:
        raise UnusableInput("--series: a person in a terminal plays single games; without --series")
    if quiet:
        raise UnusableInput("--quiet: a person has to see the game; without --quiet")
    if not _is_terminal():
        raise UnusableInput("a person plays in a terminal; neither input nor output may be a file or a pipe")


def _is_terminal() -> bool:
    return sys.stdin.isatty() and sys.stdout.isatty()


@contextmanager
def resumable(errors: Console, path: Path, lang: Lang, seats: Path | None) -> Iterator[None]:
    """Whoever interrupts what goes to `path` is told on `errors` how to go on; `seats` may say where its models are.

    Raises:
        Exit: with status 130, in place of what interrupted it; an error of the system goes on as it is.
    """
    again = _command("resume", path, *(("--seats", seats) if seats else ()))
    try:
        yield
    except (KeyboardInterrupt, OSError, Halted) as interruption:
        if isinstance(interruption, Halted):
            errors.print(f"arena: {interruption}")
        if path.exists():
            errors.print(texts(lang, "play")["interrupted"].format(command=again))
        if isinstance(interruption, OSError):
            raise
        raise Exit(130) from None


async def _check(plans: Plans) -> None:
    """See that every endpoint of a table answers, before anything is paid for."""
    endpoints = Endpoints()
    try:
        for name, plan in plans.items():
            endpoints.of(name, plan)
        await endpoints.check()
    finally:
        await endpoints.close()


async def _play(
    transcript: Transcript, plans: Plans, position: Position, writer: Writer, purse: Purse, *, quiet: bool
) -> None:
    """Play on from what `transcript` holds, and tell all that is new."""
    # What plays takes longer to load than what reads a transcript.
    from arena.match import Match
    from arena.person import Person

    header, told = transcript.header, len(transcript.events)
    console = Console(highlight=False)
    seat = person_among(header.seats)
    narrator = Narrator(header.lang)
    for event in position.events[:told]:
        if seen_by(event, SPECTATOR):
            narrator.lines(event)

    def tell(events: Sequence[Event]) -> None:
        for event in events:
            if not quiet and seen_by(event, SPECTATOR):
                show(console, narrator.lines(event))

    endpoints = Endpoints(purse)
    models = Models(endpoints, plans, writer, transcript.past, beliefs=header.beliefs, halts=header.outage == "halt")
    try:
        players = make_players(header.seats, header.seed, header.lang, models)
        if seat:
            person = Person(seat, header.lang, header.clock, console)
            await person.play(Match(position, writer, players, person.listen, person.pace))
        else:
            tell(position.events[told:])
            await Match(position, writer, players, tell).run()
    finally:
        await endpoints.close()
    _conclude(header, writer.path)


def _conclude(header: Header, path: Path) -> None:
    """What a game that is over has cost, and how to look at it."""
    say, console = texts(header.lang, "play"), Console(highlight=False)
    if header.models:
        played = read(path)
        console.print(accounts_table(accounts_of(header, played.records), played.spent, header.lang))
    lines = [
        say["saved"].format(path=path, seed=header.seed),
        say["look"].format(replay=_command("replay", path, "--god"), dashboard=_dashboard(path)),
    ]
    for line in lines:
        console.print(RichText(line), soft_wrap=True)


async def probed(name: str, plan: EndpointPlan) -> list[Finding]:
    """What the endpoint `name` can do.

    Raises:
        Unreachable: nobody answers there, or not for this model and key.
        UnusableInput: the variable for its key is not set.
    """
    endpoints = Endpoints()
    try:
        return await probe(endpoints.of(name, plan))
    finally:
        await endpoints.close()


def persona_table(personas: Sequence[Persona], lang: Lang) -> Table:
    """The personas as a table for the terminal."""
    words = texts(lang, "play")["persona"]
    shown = Table(box=box.SIMPLE_HEAD)
    for column in ("id", "name", "description"):
        shown.add_column(words[column], overflow="fold")
    for persona in personas:
        shown.add_row(persona.id, persona.name[lang], persona.description[lang])
    return shown


def _dashboard(path: Path) -> str:
    """The command that shows `path` among its games."""
    shown = path.parent == Path() or path.is_relative_to(RUNS)
    return _command("dashboard") if shown else _command("dashboard", "--folder", path.parent)


def _command(*arguments: object) -> str:
    """What to type. Without an activated environment, as in ``make play``, the command is named by its path."""
    return " ".join(quote(str(part)) for part in (*_started(), *arguments))


def _started() -> list[str]:
    script = Path(sys.argv[0])
    if shutil.which("arena") or sys.argv[0] == "-c":
        return ["arena"]
    if script.parts[-2:] != ("arena", "__main__.py"):
        return [os.path.relpath(script)]
    python = Path(sys.executable)
    found = shutil.which(python.name) == str(python)
    return [python.name if found else os.path.relpath(python), "-m", "arena"]


def play_series(header: Header, folder: Path, plans: Plans, *, quiet: bool = False) -> None:
    """Play the series that begins with `header` into the new transcripts of `folder`, then show the points.

    Raises:
        KeyboardInterrupt: it was interrupted; `resume_series` goes on with it.
        UnusableInput: as for `play`.
    """
    play(header, series.path_of(folder, 1), plans, quiet=quiet)
    resume_series(folder, plans, quiet=quiet)


def resume_series(folder: Path, own: Plans, *, budget: float | None = None, quiet: bool = False) -> None:
    """Play the series in `folder` to its end, then show the points. A `budget` (USD, for all games) replaces its own.

    Raises:
        KeyboardInterrupt: it was interrupted again.
        Halted: it had to stop; it can be resumed.
        UnusableInput: its games are not a series, or as for `resume`.
    """
    played = series.read_series(folder)
    budget = played[0].header.budget_usd if budget is None else budget
    purse = Purse(budget, sum(game.spent for game in played))
    if not played[-1].outcome:
        resume(played[-1].path, own, purse=purse, quiet=quiet)
        played[-1] = read(played[-1].path)
    while (header := series.next_game(played, now())) is not None:
        path = series.path_of(folder, header.game)
        plans = _plans_again(path, header, own)
        play(header, path, plans, purse=purse, quiet=quiet)
        played.append(read(path))
    Console(highlight=False).print(_standings(played))


def _standings(played: Sequence[Transcript]) -> Table:
    """The points of a series, in the language of its games."""
    first = played[0].header
    say = texts(first.lang, "play")
    shown = Table(title=RichText(say["points"].format(ruleset=first.ruleset.title[first.lang], games=len(played))))
    for column in (say["player"], "", *map(say["game"].format, range(1, len(played) + 1)), say["sum"]):
        shown.add_column(RichText(column), justify="left" if not column else "right")
    for player, points in series.standings(played).items():
        cells = [f"{float(number):g}" for number in (*points, sum(points))]
        shown.add_row(str(player), RichText(player_name(first.seats[player], first.lang)), *cells)
    return shown


def player_name(plan: SeatPlan, lang: Lang) -> str:
    """What a player of a series is called: by name or persona, else by what plays."""
    if plan.persona:
        return load_persona(plan.persona).name[lang]
    return plan.name or plan.model or str(texts(lang, "play")["players"][plan.player])
