"""What happens in a game as messages, made once for each view and language however many read them.

A frame is numbered within its view, so a reader whose connection broke says which one it had last. Nothing else in a
message counts: how many events a view does not see can't be told from it.
"""

import asyncio
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import orjson

from arena.events import Announced, Ended, Event, Floor, Phase, View, Views
from arena.terms import GOD, SPECTATOR, Lang, Seat
from arena.transcript import Header, Transcript
from dashboard.frames import Teller
from dashboard.scene import eyes, setting, view_code


class Channel:
    """One view in one language: its frames as messages, each made when the first reader of the channel needs it."""

    def __init__(self, view: View, lang: Lang) -> None:
        self._view = view
        self._code = view_code(view.seat)
        self._teller = Teller(view.seat, lang)
        self._read = 0
        self._messages: list[bytes] = []

    def messages(self, after: int) -> Sequence[bytes]:
        """The frames from number `after` on."""
        events = self._view.events
        while self._read < len(events):
            frame = self._teller.frame(events[self._read])
            if frame:
                key = f"{self._code}:{len(self._messages)}"
                self._messages.append(message("frame", {"event": self._read + 1, **frame}, key))
            self._read += 1
        return self._messages[after:]


class Telling:
    """One game as it is told. `listeners` are woken by whatever concerns them; `path` is spoken of in complaints."""

    def __init__(self, path: Path, header: Header) -> None:
        self.header = header
        self.events: list[Event] = []
        self.floor: dict[str, Any] = {"seat": 0, "topic": ""}
        self.ended: Ended | None = None
        self.done: set[Seat] = set()
        """Seats that are out, as everybody knows, and owed nothing more."""
        self._announced: set[Seat] = set()
        self._path = path
        self._views = Views(header.players)
        self._god = View(GOD, self.events)
        self._channels: dict[tuple[Seat, Lang], Channel] = {}
        self._bells: dict[asyncio.Event, Seat] = {}

    def add(self, events: Sequence[Event]) -> None:
        """These have happened."""
        self.events += events
        self._views.add(events)
        for event in events:
            self._note(event)
        seen: set[Seat] = {GOD}
        for event in events:
            seen.update(range(self.header.players + 1) if event.to is None else event.to)
        self.ring(*seen)

    def _note(self, event: Event) -> None:
        match event:
            case Floor():
                self.floor = {"seat": event.seat, "topic": event.topic}
            case Announced():
                self._announced.update(event.seats)
            case Phase():
                self.floor = {"seat": 0, "topic": ""}
                if event.part == "night":
                    # Last words, shots and badges are all settled before the next night begins.
                    self.done |= self._announced
            case Ended():
                self.ended = event
                self.floor = {"seat": 0, "topic": ""}

    def view(self, seat: Seat) -> View:
        """The view of a seat, of the spectator or of god; it goes on growing."""
        return self._god if seat == GOD else self._views.of(seat)

    def channel(self, seat: Seat, lang: Lang) -> Channel:
        """The messages of a view in a language."""
        if (seat, lang) not in self._channels:
            self._channels[seat, lang] = Channel(self.view(seat), lang)
        return self._channels[seat, lang]

    def scene(self, seat: Seat, lang: Lang) -> dict[str, Any]:
        """What a view's frames are drawn with: names, words, whose view it is. Who plays is told after the end."""
        ended = (self.ended,) if self.ended else ()
        return {
            **setting(Transcript(self._path, self.header, ended), lang),
            **eyes(seat, lang),
            "view": view_code(seat),
            "ended": self.ended is not None,
        }

    # Readers

    def listen(self, seat: Seat) -> asyncio.Event:
        """A bell that rings whenever there may be news for the view of `seat`."""
        bell = asyncio.Event()
        self._bells[bell] = seat
        return bell

    def turn(self, bell: asyncio.Event, seat: Seat) -> None:
        """Have a bell ring for another view from now on."""
        self._bells[bell] = seat

    def leave(self, bell: asyncio.Event) -> None:
        """Nobody listens to this bell any more."""
        self._bells.pop(bell, None)

    @property
    def watched(self) -> bool:
        """Whether anybody reads it."""
        return bool(self._bells)

    def ring(self, *seats: Seat) -> None:
        """Wake who reads the view of one of `seats`; all readers, where none is named."""
        for bell, seat in self._bells.items():
            if not seats or seat in seats:
                bell.set()


def message(kind: str, data: Any, key: str = "") -> bytes:
    """A message of an event stream; `key` is what a reader says it had last. JSON has no line breaks in it."""
    head = f"id: {key}\n".encode() if key else b""
    return head + b"event: " + kind.encode() + b"\ndata: " + orjson.dumps(data) + b"\n\n"


def place_in(key: str, view: str) -> int | None:
    """How many frames of `view` a reader has, by the `key` of its last one; None: none of this view."""
    code, _, number = key.rpartition(":")
    return int(number) + 1 if code == view and number.isdecimal() and len(number) < 9 else None


def views_for_all(header: Header, *, ended: bool, host: bool) -> Iterator[Seat]:
    """The views that are open to whoever has no seat.

    Everybody may read the public one, the host of a game without people any, and all are open once the game is over.
    """
    yield SPECTATOR
    people = any(plan.player == "human" for plan in header.seats.values())
    if ended or (host and not people):
        yield from range(1, header.players + 1)
        yield GOD
