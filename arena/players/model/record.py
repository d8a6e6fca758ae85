"""What a seat has seen, in words: the public record that all seats share byte for byte, and what it was told alone.

The record only grows at its end, so that every prompt begins as the one before. What others said stands in it as JSON
strings behind the referee's label: no text can leave its quotation marks, and so none can pass for the referee's.
"""

from dataclasses import replace

import orjson

from arena.events import Acted, Began, Called, Dealt, Event, Learned, Phase, Said, View
from arena.narrate import Narrator
from arena.terms import SPECTATOR, Lang, Seat, record
from arena.texts import clean, texts

_BRACKETS = str.maketrans("<>[]＜＞［］", "‹›()‹›（）")


@record
class Entry:
    """A line of a record: the day it belongs to, and what is left of it once the words of that day are dropped."""

    day: int
    text: str
    short: str


class PublicRecord:
    """The public record of a game, for all seats of it: each event is put in words once, for whoever reads it first."""

    def __init__(self, lang: Lang) -> None:
        self._narrator = Narrator(lang, SPECTATOR)
        self._known: list[list[Entry]] = []

    def entries(self, number: int, event: Event, day: int) -> list[Entry]:
        """The lines of public event `number`, from 0, which is one of `day`."""
        if number == len(self._known):
            self._known.append(_entries(event, self._narrator, day))
        return self._known[number]


class Record:
    """The lines of one seat's view, in one language; read on as the view grows.

    `shared` is the public record where other seats of the game read it as well.
    """

    def __init__(self, seat: Seat, lang: Lang, shared: PublicRecord | None = None) -> None:
        self._seat = seat
        self._when = texts(lang, "model")["when"]
        self.public: list[Entry] = []
        self.private: list[Entry] = []
        self._shared = shared or PublicRecord(lang)
        self._heard = 0
        self._own = Narrator(lang, seat)
        self._day = 0
        self._time = ""
        self._read = 0

    def read(self, view: View) -> None:
        """Take in what `view` holds beyond what was read before."""
        events = view.events
        for at in range(self._read, len(events)):
            event = events[at]
            if isinstance(event, Phase):
                self._day = event.day
                self._time = self._when["night" if event.part == "night" else "day"]
            if event.to is None:
                self.public += self._shared.entries(self._heard, event, self._day)
                self._heard += 1
            elif not isinstance(event, Dealt):
                self.private += [
                    Entry(entry.day, self._dated(entry.text), self._dated(entry.short))
                    for entry in _entries(self._to_itself(event), self._own, self._day)
                ]
            if isinstance(event, Began | Dealt):
                # What cards are called; of what follows, private lines need nothing that all have seen.
                self._own.lines(event)
        self._read = len(events)

    def _to_itself(self, event: Event) -> Event:
        """`event` as if this seat alone were told: who else was is said where the pack is named."""
        return replace(event, to=(self._seat,)) if isinstance(event, Learned | Acted | Said) else event

    def _dated(self, text: str) -> str:
        return str(self._time).format(day=self._day, text=text) if self._time and text else text

    def text(self, dropped: int, note: str) -> str:
        """The public record. The words of the first `dropped` days are left out, and `note` says so."""
        return "\n".join([*([note] if dropped else []), *filter(None, _shown(self.public, dropped))])

    def told(self, dropped: int) -> list[str]:
        """What the seat was told alone, without words of nights that are past: talk of the pack is for its night."""
        return list(filter(None, _shown(self.private, max(dropped, self._day - 1))))

    @property
    def day(self) -> int:
        """The day, or night, that the record has come to."""
        return self._day


def _shown(entries: list[Entry], dropped: int) -> list[str]:
    return [entry.text if entry.day > dropped else entry.short for entry in entries]


def _entries(given: Event, narrator: Narrator, day: int) -> list[Entry]:
    event = _quoted(given)
    lines = [f"\n{line.text}" if line.style == "heading" else line.text for line in narrator.lines(event)]
    short = list(lines)
    if isinstance(event, Said | Acted) and event.text:
        # Claims and deeds are facts, and stay with the name of who made them.
        wordless = isinstance(event, Acted) or event.claims
        short[:1] = [narrator.lines(replace(event, text=""))[0].text] if wordless else [""]
    if isinstance(event, Called) or (isinstance(event, Acted) and event.act.startswith("propose_")):
        # Of a night that is past, what was settled counts.
        short = [""] * len(lines)
    return [Entry(day, *both) for both in zip(lines, short, strict=True)]


def _quoted(event: Event) -> Event:
    """`event` with what a player said in it as a JSON string."""
    if isinstance(event, Said | Acted) and event.text:
        return replace(event, text=orjson.dumps(tame(event.text)).decode())
    return event


def tame(text: str) -> str:
    """`text` on one line, with brackets of other kinds: tags as ``<|im_end|>`` or ``[INST]`` would steer a model."""
    return clean(text).translate(_BRACKETS)
