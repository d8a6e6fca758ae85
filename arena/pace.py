"""How fast a game goes on beside people: what they need to read it, and to take a chance beside it.

What may live here: amounts of time. What may not: waiting, and what is shown.
"""

from collections.abc import Iterable

from arena.events import Event, Said
from arena.terms import Lang

READ: dict[Lang, float] = {"zh": 8.0, "en": 25.0}
"""Characters that a person reads in a second."""

WINDOW = 6.0
"""Seconds that a chance beside somebody else's speech is open at least, at the usual pace."""

REMINDER = 10.0
"""Seconds before the time is up at which a person is reminded."""


def reading_time(events: Iterable[Event], lang: Lang) -> float:
    """Seconds that it takes to read the speeches among `events`, at the usual pace."""
    return sum(len(event.text) for event in events if isinstance(event, Said)) / READ[lang]


def reminder(seconds: float) -> float:
    """How many of the `seconds` somebody is given are left when they are reminded."""
    return min(REMINDER, seconds / 2)
