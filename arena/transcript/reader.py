"""Reading a transcript, whole or as far as it has been written."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from arena.events import Ended, Event, Views
from arena.players.player import Past
from arena.terms import Seat, UnusableInput
from arena.transcript.schema import (
    Attempted,
    Beside,
    Header,
    Record,
    Replied,
    Reserved,
    decode,
    decode_header,
)


@dataclass(frozen=True)
class Transcript:
    """A transcript as it was read.

    `half_written` is the length in bytes of a last line that was cut off while it was written; it is not
    among the records. A transcript without an outcome belongs to a game that goes on, or was interrupted.
    """

    path: Path
    header: Header
    records: tuple[Record, ...]
    half_written: int = 0

    @cached_property
    def events(self) -> tuple[Event, ...]:
        """What happened, in order; the view of `GOD`."""
        return tuple(record for record in self.records if not isinstance(record, Beside))

    @property
    def outcome(self) -> Ended | None:
        """How the game ended, if it has."""
        last = self.records[-1] if self.records else None
        return last if isinstance(last, Ended) else None

    @property
    def spent(self) -> float:
        """What its calls to models have cost, as `cost` says."""
        return cost(self.records)

    def past(self, seat: Seat) -> Past:
        """What the player of `seat` has replied, and the calls made for a request it has not yet replied to."""
        replies = tuple(r.reply for r in self.records if isinstance(r, Replied) and r.seat == seat)
        answered = {r.n for r in self.records if isinstance(r, Replied) and r.seat == seat}
        attempts = (r for r in self.records if isinstance(r, Attempted) and r.seat == seat and r.n not in answered)
        return Past(replies, tuple(record.attempt for record in attempts))

    def views(self) -> Views:
        """What each seat, and the spectator, has seen: the events folded, without any rules."""
        views = Views(self.header.players)
        views.add(self.events)
        return views


def cost(records: Iterable[Record]) -> float:
    """What the calls to models among `records` have cost, in USD; one whose end was never written, at its worst."""
    open_calls: dict[tuple[Seat, int], float] = {}
    spent = 0.0
    for record in records:
        if isinstance(record, Reserved):
            # A second call while one is open: the first was in flight when the process ended.
            spent += open_calls.get((record.seat, record.n), 0.0)
            open_calls[record.seat, record.n] = record.usd
        elif isinstance(record, Attempted):
            open_calls.pop((record.seat, record.n), None)
            spent += record.attempt.usd
    return spent + sum(open_calls.values())


def legible(data: bytes) -> Iterator[Record]:
    """The records in the bytes of a transcript that can be read, whatever else is in it."""
    for line in data.split(b"\n"):
        try:
            yield decode(line)
        except UnusableInput:
            continue


def read(path: Path, called: Path | None = None) -> Transcript:
    """Load the transcript in `path`; it, and what is wrong with it, is spoken of as `called`.

    Raises:
        UnusableInput: it can't be read or is no transcript; names the line and what is wrong with it.
    """
    try:
        data = path.read_bytes()
    except OSError as error:
        raise UnusableInput(f"{called or path}: can't be read: {error.strerror}") from None
    return parse(data, called or path)


def parse(data: bytes, path: Path) -> Transcript:
    """The transcript in `data`, the bytes of `path`. Errors as for `read`."""
    *lines, rest = data.split(b"\n")
    if not lines:
        lines, rest = [rest], b""
    try:
        header = decode_header(lines[0])
    except UnusableInput as error:
        raise UnusableInput(f"{path}: line 1: {error}") from None
    records = []
    for number, line in enumerate(lines[1:], start=2):
        try:
            records.append(decode(line))
        except UnusableInput as error:
            raise UnusableInput(f"{path}: line {number}: {error}") from None
    return Transcript(path, header, tuple(records), len(rest))
