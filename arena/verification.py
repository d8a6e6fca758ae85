"""Whether a transcript is what its header and replies lead to, and how to say so."""

from typing import Any

from arena import __version__
from arena.terms import UnusableInput
from arena.texts import texts
from arena.transcript import Difference, Position, Transcript, rerun


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
