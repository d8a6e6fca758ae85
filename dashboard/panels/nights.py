"""The night ledger: what was done, told and marked in each night, as far as a view knows of it."""

from typing import Literal

from arena.events import Acted, Announced, Event, Learned, Marked, Out, Turned
from arena.narrate import Narrator
from arena.terms import Lang, Seat, record
from arena.transcript import Transcript
from arena.transcript.viewing import shown_to
from dashboard.panels.moments import numbered

Kind = Literal["did", "told", "mark", "out", "dawn"]
"""A deed, something that seats were told, a mark, an out, or what the table was told in the morning."""


@record
class Entry:
    """A line of the ledger; `seats` are those it concerns (who did it, who was told, who was reached)."""

    event: int
    day: int
    kind: Kind
    seats: tuple[Seat, ...]
    text: str


def nights(transcript: Transcript, seat: Seat, lang: Lang) -> list[Entry]:
    """The ledger of all nights in the view of `seat`, in sentences.

    Raises:
        UnusableInput: that view is not open.
    """
    narrator = Narrator(lang, seat)
    ledger = []
    dark = False
    for number, moment, event in numbered(shown_to(transcript, seat).events):
        told = " ".join(line.text for line in narrator.lines(event))
        dark = dark or moment.night
        entry = _entry(event) if dark else None
        if entry:
            ledger.append(Entry(number, moment.day, *entry, told))
        if isinstance(event, Announced):
            dark = False
    return ledger


def _entry(event: Event) -> tuple[Kind, tuple[Seat, ...]] | None:
    """What kind of line an event of a night is, and whom it concerns; None if it is not in the ledger."""
    match event:
        case Acted():
            return "did", (event.seat,)
        case Learned():
            return "told", event.to or event.seats
        case Turned():
            return "told", (event.seat,)
        case Marked():
            return "mark", (event.seat,)
        case Out(night=True):
            return "out", (event.seat,)
        case Announced():
            return "dawn", event.seats
    return None
