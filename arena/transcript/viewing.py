"""What of a transcript may be shown, and to whom."""

from arena.events import View, view_of
from arena.seating import people_among
from arena.terms import GOD, SPECTATOR, Seat, UnusableInput
from arena.transcript.reader import Transcript
from arena.transcript.schema import Record


def open_views(transcript: Transcript) -> tuple[Seat, ...]:
    """The seats whose view of a game may be read in its transcript: the spectator's, each seat's, god's.

    As long as people are playing, nobody gets more from the file than the public view.
    """
    if transcript.outcome is None and people_among(transcript.header.seats):
        return (SPECTATOR,)
    return (SPECTATOR, *range(1, transcript.header.players + 1), GOD)


def shown_to(transcript: Transcript, seat: Seat) -> View:
    """The events of `transcript` that `seat` has seen.

    Raises:
        UnusableInput: there is no such seat, or its view is not open.
    """
    views = open_views(transcript)
    if seat in views:
        return view_of(transcript.events, seat)
    if len(views) == 1:
        raise UnusableInput(f"{transcript.path}: people play in this game; until it ends there is only the public view")
    raise UnusableInput(f"{transcript.path}: no seat {seat}; the seats go from 1 to {max(views)}")


def records_shown_to(transcript: Transcript, seat: Seat) -> tuple[Record, ...]:
    """The records of `transcript` that the view of `seat` may hold; errors as for `shown_to`.

    Whom the referee asks, what was thought and which calls it took say who has which card: that is for `GOD` alone.
    """
    view = shown_to(transcript, seat)
    return transcript.records if seat == GOD else tuple(view.events)
