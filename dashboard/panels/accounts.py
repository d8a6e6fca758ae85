"""Cost and faults per seat: what each took to play, and how often it did not answer as it should."""

from collections import Counter
from dataclasses import dataclass, field

from arena.accounts import Account
from arena.terms import Seat
from arena.transcript import Attempted, Replied, Transcript
from arena.transcript.viewing import records_shown_to


@dataclass
class SeatAccount:
    """What one seat has taken: its `calls`, how many `seconds` they took, and by whom it was decided how often."""

    calls: Account = field(default_factory=Account)
    seconds: float = 0.0
    sources: Counter[str] = field(default_factory=Counter)


def accounts(transcript: Transcript, seat: Seat) -> dict[Seat, SeatAccount]:
    """The account of each seat, in god's view; none in any other, where it would tell who was asked at night.

    Raises:
        UnusableInput: that view is not open.
    """
    found: dict[Seat, SeatAccount] = {}
    for record in records_shown_to(transcript, seat):
        if isinstance(record, Attempted):
            account = found.setdefault(record.seat, SeatAccount())
            account.calls.add(record.attempt)
            account.seconds += record.attempt.seconds
        elif isinstance(record, Replied):
            account = found.setdefault(record.seat, SeatAccount())
            account.sources[record.reply.source] += 1
            account.calls.fallback += record.reply.source == "fallback"
    return dict(sorted(found.items()))
