"""One game in a terminal: played and told as the table sees it, resumed, or verified."""

import asyncio
import itertools
import re
from collections.abc import Sequence
from pathlib import Path
from shlex import quote
from typing import Any

from rich.console import Console
from rich.text import Text as RichText

from arena import __version__
from arena.events import Event, seen_by
from arena.match import Match
from arena.narrate import Narrator, show
from arena.seating import make_players
from arena.terms import SPECTATOR, UnusableInput
from arena.texts import texts
from arena.transcript import Difference, Header, Position, Transcript, Writer, rerun

RUNS = Path("transcripts/runs")
"""Where transcripts go that nobody has named a place for."""


def path_for(header: Header, out: Path | None) -> Path:
    """Where the transcript of a new game goes: `out`, or if that is a folder or missing, a free name in it."""
    if out is not None and not out.is_dir():
        return out
    started = re.sub(r"\D", "", header.started)[:14]
    ruleset = re.sub(r"[^\w-]+", "-", header.ruleset.id)
    stem = f"{started[:8]}-{started[8:]}-{ruleset}-{header.players}-{header.seed}"
    names = itertools.chain([stem], (f"{stem}-{again}" for again in itertools.count(2)))
    return next(path for name in names if not (path := (out or RUNS) / f"{name}.jsonl").exists())


def position_of(transcript: Transcript) -> Position:
    """Where the game of `transcript` stands.

    Raises:
        Difference: its records don't follow from its header and replies.
        UnusableInput: no game can begin as its header says.
    """
    try:
        return rerun(transcript.header, transcript.records)
    except UnusableInput as error:
        raise UnusableInput(f"{transcript.path}: line 1: {error}") from None


def play(header: Header, position: Position, writer: Writer, *, told: int = 0, quiet: bool = False) -> None:
    """Play a game to its end, and tell it as the table sees it, but for the first `told` events.

    Raises:
        KeyboardInterrupt: it was interrupted; its transcript can be resumed.
    """
    console = Console(highlight=False)
    narrator = Narrator(header.lang)
    for event in position.events[:told]:
        if seen_by(event, SPECTATOR):
            narrator.lines(event)

    def tell(events: Sequence[Event]) -> None:
        for event in events:
            if not quiet and seen_by(event, SPECTATOR):
                show(console, narrator.lines(event))

    match = Match(position, writer, make_players(header.seats, header.seed, header.lang), tell)
    tell(position.events[told:])
    asyncio.run(match.run())
    say = texts(header.lang, "play")
    for line in (
        say["saved"].format(path=writer.path, seed=header.seed),
        say["look"].format(file=quote(str(writer.path))),
    ):
        console.print(RichText(line), soft_wrap=True)


def difference_in(transcript: Transcript) -> Difference | None:
    """The first place where `transcript` is not what its header and replies lead to.

    Raises:
        UnusableInput: no game can begin as its header says.
    """
    try:
        position_of(transcript)
    except Difference as difference:
        return difference
    return None


def report(transcript: Transcript, difference: Difference | None) -> list[str]:
    """What to say of a transcript that was verified, in its language."""
    say = texts(transcript.header.lang, "play")
    path = transcript.path
    lines = []
    if difference is None:
        key = "verified" if transcript.outcome else "verified.unfinished"
        lines.append(say[key].format(path=path, events=len(transcript.events)))
    else:
        key = "different.why" if difference.why else "different"
        lines.append(say[key].format(path=path, line=difference.line, event=difference.event, why=difference.why))
        lines.append(say["expected"].format(record=difference.expected or say["nothing"]))
        lines.append(say["found"].format(record=difference.actual))
        if transcript.header.duskwald != __version__:
            version = transcript.header.duskwald
            lines.append(say["another_version"].format(path=path, version=version, own=__version__))
    if transcript.half_written:
        lines.append(say["half_written"].format(path=path, bytes=transcript.half_written))
    return lines


def report_json(transcript: Transcript, difference: Difference | None) -> dict[str, Any]:
    """The same as `report`, for programs."""
    found = difference and {
        "line": difference.line,
        "event": difference.event,
        "expected": difference.expected,
        "actual": difference.actual,
        "why": difference.why,
    }
    return {
        "file": str(transcript.path),
        "same": difference is None,
        "events": len(transcript.events),
        "finished": transcript.outcome is not None,
        "half_written": transcript.half_written,
        "difference": found,
    }
