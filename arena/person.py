"""The person at this terminal, while their game is played: told what their seat sees, asked, and waited for.

What may live here: when something is shown and asked, and for how long. What may not: what is shown and asked.
"""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

from rich.console import Console
from rich.text import Text as RichText

from arena.events import Event, Floor, Phase, seen_by
from arena.match import Match
from arena.narrate import Narrator, show
from arena.pace import WINDOW, reading_time, reminder
from arena.players.human import Asking, Form, Left
from arena.players.model.form import is_turn
from arena.seating import Clock
from arena.terms import Lang, Request, Seat
from arena.texts import texts


class Person:
    """Whoever plays `seat`, under `clock`. Everything is shown on `console`, in `lang`."""

    def __init__(self, seat: Seat, lang: Lang, clock: Clock, console: Console) -> None:
        self._seat = seat
        self._lang = lang
        self._clock = clock
        self._console = console
        self._narrator = Narrator(lang, seat)
        self._asking = Asking(lang)
        self._form = Form(lang, self._asking, self._narrator)
        self._words = texts(lang, "human")
        self._untold: list[Event] = []
        self._night = False
        self._speaker: Seat = 0
        self._until = 0.0
        self._question: asyncio.Task[None] | None = None

    async def play(self, match: Match) -> None:
        """Play `match` to its end; it was made with this person's `listen` and `pace`.

        Raises:
            KeyboardInterrupt: the person has left.
            UnusableInput, Halted: as for `Match.run`.
        """
        self._match = match
        try:
            async with asyncio.TaskGroup() as self._tasks:
                known = tuple(match.view(self._seat).events)
                self._follow(known)
                self._tell(known)
                self.listen(())
                await match.run()
        except ExceptionGroup as group:
            if isinstance(group.exceptions[0], Left):
                raise KeyboardInterrupt from None
            raise group.exceptions[0] from None

    def listen(self, events: Sequence[Event]) -> None:
        """Show what the seat sees of `events`, and put the question that has come up to the person.

        At night nothing is shown before there is a question, or the day: how long others take to decide would tell
        which cards are still in the game.
        """
        self._untold += [event for event in events if seen_by(event, self._seat)]
        self._follow(events)
        requests = self._match.questions()
        if requests or not self._night or self._match.outcome:
            self._read(self._untold)
            self._tell(self._untold)
            self._untold = []
        for request in requests:
            if request.window:
                open_for = (request.seconds or WINDOW) / self._clock.pace if self._clock.pace else 0
                self._until = max(self._until, _now() + open_for)
            self._question = self._tasks.create_task(self._ask(request))

    async def pace(self) -> None:
        """Wait until what was shown last can have been read; a chance beside a speech is open until then."""
        left = max(0.0, self._until - _now())
        question = self._question
        if question is None or not any(request.window for request in self._match.questions()):
            await asyncio.sleep(left)
            return
        await asyncio.wait([question], timeout=left)
        if question.cancel():
            await asyncio.wait([question])
        elif question.exception():
            # The person has left, and the game is about to be stopped; nothing more is decided in it.
            await asyncio.Future()

    def _tell(self, events: Sequence[Event]) -> None:
        for event in events:
            show(self._console, self._narrator.lines(event))

    def _say(self, words: str) -> None:
        self._console.print(RichText(f"  {words}"))

    def _follow(self, events: Sequence[Event]) -> None:
        for event in events:
            if isinstance(event, Phase):
                self._night = event.part == "night"
            elif isinstance(event, Floor):
                self._speaker = event.seat

    def _read(self, events: Sequence[Event]) -> None:
        """Add the time that it takes to read the speeches among `events`."""
        others = (event for event in events if getattr(event, "seat", 0) != self._seat)
        if self._clock.pace:
            self._until = max(self._until, _now()) + reading_time(others, self._lang) / self._clock.pace

    async def _ask(self, request: Request) -> None:
        self._asking.forget()
        try:
            async with self._limited(request):
                decision = await self._form.fill(request, self._speaker)
        except TimeoutError:
            self._say(self._words["late"].format(decision=self._form.words(request, request.default)))
            self._match.expire(request.seat, request.n)
            return
        if not is_turn(request):
            self._say(self._words["decided"].format(decision=self._form.words(request, decision)))
        self._until = 0.0
        refused = self._match.answer(request.seat, request.n, decision)
        assert not refused, refused

    @asynccontextmanager
    async def _limited(self, request: Request) -> AsyncIterator[None]:
        """The time for an answer, with a reminder before its end. It begins once all that was shown can have been read.

        Raises:
            TimeoutError: it is over.
        """
        seconds = self._clock.seconds
        if seconds is None or request.window:
            yield
            return
        seconds = request.seconds if is_turn(request) else seconds
        end = max(self._until, _now()) + seconds
        soon = reminder(seconds)
        words = self._words["soon"].format(seconds=round(soon))
        loop = asyncio.get_running_loop()
        reminding = loop.call_at(end - soon, self._asking.interject, lambda: self._say(words))
        try:
            async with asyncio.timeout_at(end):
                yield
        finally:
            reminding.cancel()


def _now() -> float:
    return asyncio.get_running_loop().time()
