"""A quick look into a transcript, for the index: who played what, and what was said before all.

Nothing is proved or even decoded here: ten thousand files are looked into at a time. It takes no more than the public
view of a game may show at that moment, so an index of what was taken has no secrets.
"""

from collections.abc import Iterable, Iterator
from typing import Any, get_args

import orjson

from arena.events import Event
from arena.terms import LANGUAGES, Seat, record
from arena.transcript.schema import Beside, is_header

_PUBLIC = frozenset(
    kind.__dataclass_fields__["kind"].default for kind in get_args(Event) if vars(kind).get("to", ()) is None
)
"""The kinds of events that everybody sees; of the others, each says itself who sees it, or nobody but some ever do."""

_BESIDE = frozenset(kind.__dataclass_fields__["kind"].default for kind in get_args(Beside))
"""The kinds of records that are no events."""

_SAYS_WHO = frozenset({"learned", "acted", "said"})


@record
class Speech:
    """What everybody heard: the number of the event, as links to it go by it, the speaker, the words."""

    event: int
    seat: Seat
    text: str


@record
class Glance:
    """What a file holds at a glance. `winner` is a faction, ``draw``, or empty until the end.

    `personas`, `players` (kinds of them) and `models` (their names) are empty while people play,
    because they would tell who does.
    """

    started: str
    ruleset: str
    titles: tuple[str, ...]
    seats: int
    winner: str
    personas: tuple[str, ...]
    players: tuple[str, ...]
    models: tuple[str, ...]
    speeches: tuple[Speech, ...]


def skim(data: bytes) -> Glance | None:
    """What the transcript in `data` holds at a glance; None where it is none."""
    first, *lines = data.split(b"\n")
    if not is_header(first):
        return None
    try:
        return _glance(orjson.loads(first), lines[:-1])
    except (AttributeError, KeyError, LookupError, TypeError, ValueError):
        # Anything else that may stand in a foreign file; whoever opens it is told what is wrong.
        return None


def _glance(head: dict[str, Any], lines: list[bytes]) -> Glance:
    told = list(_public(lines))
    end = told[-1][1] if told and told[-1][1]["kind"] == "ended" else None
    plans = list(head["seats"].values())
    hidden = end is None and any(plan["player"] == "human" for plan in plans)
    open_ = [] if hidden else plans
    models = head.get("models", {})
    return Glance(
        str(head["started"]),
        str(head["ruleset"]["id"]),
        tuple(str(head["ruleset"]["title"][lang]) for lang in LANGUAGES),
        len(plans),
        str(end["winner"]) if end else "",
        _each(plan.get("persona") for plan in open_),
        _each(plan["player"] for plan in open_),
        _each(models.get(plan.get("model")) for plan in open_),
        tuple(
            # While people play, only what is public is counted: gaps would tell how much happens in secret.
            Speech(place if hidden else number, int(event["seat"]), str(event["text"]))
            for place, (number, event) in enumerate(told, start=1)
            if event["kind"] == "said" and event.get("text")
        ),
    )


def _each(names: Iterable[object]) -> tuple[str, ...]:
    return tuple(sorted({str(name) for name in names if name}))


def _public(lines: list[bytes]) -> Iterator[tuple[int, dict[str, Any]]]:
    """The events that everybody sees, with their numbers among all; of those not to be looked into, the kind alone."""
    number = 0
    for line in lines:
        kind = _kind(line)
        if kind in _BESIDE:
            continue
        number += 1
        if kind in ("said", "ended"):
            event = orjson.loads(line)
            if kind == "ended" or event.get("to", ()) is None:
                yield number, event
        elif kind in _PUBLIC or (kind in _SAYS_WHO and orjson.loads(line).get("to", ()) is None):
            yield number, {"kind": kind}


def _kind(line: bytes) -> str:
    """The kind of a record, which a transcript writes first."""
    start = b'{"kind":"'
    if line.startswith(start):
        return line[len(start) : line.index(b'"', len(start))].decode()
    return str(orjson.loads(line)["kind"])
