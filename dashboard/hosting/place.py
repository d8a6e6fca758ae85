"""A person's seat in a game that is being played: the question that waits, its clock, and whether they are away."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field

from arena.pace import reminder
from arena.terms import Decision, Request, Seat
from dashboard.hosting.timing import now


@dataclass
class Question:
    """A request that waits for a person. `opens` is when its clock begins to run, `ends` when it has run out."""

    request: Request
    opens: float = 0.0
    ends: float | None = None
    reminded: bool = False

    @property
    def left(self) -> float | None:
        """Seconds that are left; None: as long as they like."""
        return None if self.ends is None else max(0.0, self.ends - max(now(), self.opens))


@dataclass
class Place:
    """The seat of a person.

    `held` is what the referee holds of them: their last answers, by number of request. `missed`: questions missed in a
    row, those of one call of the night (`missed_call`: the latest such) as one.
    """

    seat: Seat
    missed: int = 0
    missed_call: int = 0
    away: bool = False
    question: Question | None = None
    held: dict[int, tuple[Request, Decision]] = field(default_factory=dict)
    reminding: asyncio.TimerHandle | None = None
    ending: asyncio.TimerHandle | None = None

    def ask(self, question: Question, remind: Callable[[], None], end: Callable[[], None]) -> None:
        """A question waits from now on; `remind` and `end` are called when its clock says so."""
        self.close()
        self.question = question
        self.wind(remind, end)

    def wind(self, remind: Callable[[], None], end: Callable[[], None]) -> None:
        """Let the clock of the question run."""
        if self.question is None or self.question.ends is None:
            return
        loop = asyncio.get_running_loop()
        seconds = self.question.ends - max(now(), self.question.opens)
        if not self.question.reminded:
            self.reminding = loop.call_at(self.question.ends - reminder(seconds), remind)
        self.ending = loop.call_at(self.question.ends, end)

    def stop(self) -> None:
        """Let the clock stand."""
        for timer in (self.reminding, self.ending):
            if timer:
                timer.cancel()

    def put_off(self, seconds: float) -> None:
        """The clock has stood so long."""
        if self.question and self.question.ends is not None:
            self.question.opens += seconds
            self.question.ends += seconds

    def close(self) -> None:
        """Nothing waits any more."""
        self.stop()
        self.question = None
