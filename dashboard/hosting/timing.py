"""When a game with people goes on: how long the night's calls last, and how long the day waits for readers.

Whatever is waited for here follows from what the whole table has been told, never from a card or from who has
answered: two games that look alike take the same time.
"""

import asyncio
from collections.abc import Sequence

from arena.events import (
    Announced,
    Badge,
    Called,
    Event,
    Exiled,
    Exploded,
    Floor,
    Phase,
    RedCarded,
    Revealed,
    Said,
    Shot,
    Stood,
    Tallied,
    Withdrew,
)
from arena.pace import WINDOW, reading_time
from arena.seating import Clock
from arena.terms import Lang, Request

BEAT = 1.5
"""Seconds that it takes to see one thing that is no speech, at the usual pace."""

CLOSING = 0.5
"""Seconds before the end of a call of the night at which nobody can answer any more: whatever the server then has to
do does not delay the next call."""

_SEEN = (Announced, Badge, Exiled, Exploded, RedCarded, Revealed, Shot, Stood, Tallied, Withdrew)


def now() -> float:
    """The time of the event loop, in seconds."""
    return asyncio.get_running_loop().time()


class Timing:
    """The time of one game, from now on. `night`: whether it is night at this moment."""

    def __init__(self, clock: Clock, lang: Lang, *, night: bool) -> None:
        self._clock = clock
        self._lang = lang
        self.night = night
        self.until = now()
        self._end = now() + clock.night

    @property
    def goes_on(self) -> float:
        """When the game may go on: by night once the call is over, by day once everything has been read."""
        return self._end if self.night else self.until

    @property
    def call_ends(self) -> float:
        """When the present call of the night is over."""
        return self._end

    def end_call(self, ends: float) -> None:
        """The present call of the night began before this process, and is over then."""
        self._end = ends

    def told(self, events: Sequence[Event]) -> None:
        """These have just been shown."""
        parts = [event.part == "night" for event in events if isinstance(event, Phase)]
        if not (self.night and all(parts)):
            self.until = max(now(), self.until)
            if self._clock.pace:
                self.until += self._seconds(events) / self._clock.pace
        if parts:
            self.night = parts[-1]
            self._end = self.until
        if any(isinstance(event, Called) for event in events):
            late = now() - self._end
            # Counted from when it was due, so that what the server does in between never adds up.
            self._end = (self._end if late < CLOSING else now()) + self._clock.night

    def _seconds(self, events: Sequence[Event]) -> float:
        """What `events` take at the usual pace; beside a speech there is a chance, whether or not anybody has it."""
        public = [event for event in events if event.to is None]
        beats = BEAT * sum(isinstance(event, _SEEN) for event in public)
        chance = WINDOW if any(isinstance(event, Floor | Said) for event in public) else 0.0
        return max(reading_time(public, self._lang) + beats, chance)

    def window(self, request: Request) -> None:
        """A word may be added to a speech, which everybody knows; the game waits as long as it takes to say it."""
        if self._clock.pace and request.seconds:
            self.until = max(self.until, now() + request.seconds / self._clock.pace)

    def deadline(self, seconds: float | None, *, another_round: bool) -> float | None:
        """Until when a question just asked can be answered; by day `seconds` after everything has been read.

        By night no answer is taken after the call; where `another_round` of the same call follows, it gets half.
        """
        if self.night:
            close = self._end - min(CLOSING, self._clock.night / 10)
            return (now() + close) / 2 if another_round else close
        return None if seconds is None else max(now(), self.until) + seconds
