"""One game being played by this server: the match, the clocks of its people, and who decides for those who are away."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from typing import Literal

from arena.chance import draw
from arena.events import Called, Event
from arena.match import Match
from arena.players.model.form import is_turn
from arena.players.player import Player
from arena.players.scripted import ScriptedPlayer
from arena.seating import people_among
from arena.terms import Decision, Request, Seat
from arena.transcript import Position, Writer
from dashboard.hosting.asking import GivenAnswer, decision_of
from dashboard.hosting.clocks import CALL, Clocks
from dashboard.hosting.place import Place, Question
from dashboard.hosting.telling import Telling
from dashboard.hosting.timing import Timing, now

Verdict = Literal["taken", "already", "late", "act", "count", "seats", "words", "claims", "long"]
"""What came of an answer: it counts, an earlier one to the same question does, the question is over, or why not."""


class Play:
    """A game from its position to its end. `keep` is told of each seat that misses questions, goes or comes back.

    `clocks` are those that ran when the server ended, and keep those that run now.
    """

    def __init__(
        self,
        position: Position,
        writer: Writer,
        players: Mapping[Seat, Player],
        telling: Telling,
        keep: Callable[[Place], None],
        clocks: Clocks,
    ) -> None:
        header = telling.header
        self.places = {seat: Place(seat) for seat in people_among(header.seats)}
        self.telling = telling
        self._header = header
        self._keep = keep
        self._clocks = clocks
        self._timing = Timing(header.clock, header.lang, night=position.state.part == "night")
        self._stand_ins: dict[Seat, ScriptedPlayer] = {}
        self._closing: asyncio.TimerHandle | None = None
        self._goes = asyncio.Event()
        self._goes.set()
        self._stood_since = 0.0
        self._stands = False
        self._match = Match(position, writer, players, self._listen, self._pace)

    async def run(self) -> None:
        """Play to the end.

        Raises:
            UnusableInput, Halted: as for `Match.run`.
        """
        position = self._match.position
        told = position.events[len(self.telling.events) :]
        self.telling.add(told)
        self._timing.told(told)
        self._calls = sum(isinstance(event, Called) for event in position.events)
        if self.places and self._timing.night:
            self._timing.end_call(self._clocks.go_on(CALL, self._calls, self._timing.call_ends))
            self._keep_call()
        try:
            self._ask()
            await self._match.run()
        finally:
            self._close()

    # What people do

    @property
    def roles(self) -> tuple[str, ...]:
        """The roles of the game."""
        return tuple(self._match.position.state.deck)

    @property
    def gone(self) -> tuple[Seat, ...]:
        """The seats whose players are gone for good."""
        return self._match.position.gone

    def answer(self, seat: Seat, given: GivenAnswer) -> Verdict:
        """Take a person's answer. One counts: the first."""
        place = self.places[seat]
        if given.n in place.held:
            return "already"
        question = place.question
        if question is None or question.request.n != given.n or place.away:
            return "late"
        request = question.request
        decision = decision_of(given, request, self.roles, self._header.lang)
        refused = decision if isinstance(decision, str) else self._match.answer(seat, given.n, decision)
        if refused or isinstance(decision, str):
            verdict: Verdict = refused  # type: ignore[assignment]
            return verdict
        self._settled(place, request, decision)
        self._count(place, 0, away=False)
        if decision.act == "explode":
            self._interrupt()
        return "taken"

    def _interrupt(self) -> None:
        """An explosion ends the day: nobody is waited for any more, not even whoever is speaking."""
        for request in self._match.position.waiting:
            place = self.places.get(request.seat)
            if place and place.question:
                self._settled(place, request, request.default)
            self._match.expire(request.seat, request.n)

    def leave(self, seat: Seat) -> None:
        """A person goes; what is to happen then is a setting of the game."""
        place = self.places[seat]
        self._count(place, place.missed, away=True)
        self._decide_for(place)

    def come_back(self, seat: Seat) -> bool:
        """A person is there again and has their seat back, unless it was taken from them for good."""
        if seat in self.gone:
            return False
        self._count(self.places[seat], 0, away=False)
        return True

    # What the host does

    @property
    def stands(self) -> bool:
        """Whether the game stands still."""
        return self._stands

    @property
    def will_stand(self) -> bool:
        """Whether it will as soon as the night is over."""
        return not self._goes.is_set() and not self._stands

    def pause(self) -> None:
        """Let the game stand, and all clocks with it; by night from dawn on, since nothing may show in between."""
        self._goes.clear()
        if self._hidden:
            self.telling.ring()
        else:
            self._stand()

    def go_on(self) -> None:
        """Let the game go on."""
        self._goes.set()
        if self._stands:
            self._stands = False
            stood = now() - self._stood_since
            self._timing.until = max(self._timing.until + stood, now())
            for place in self.places.values():
                place.put_off(stood)
                self._wind(place)
                if place.question and place.question.ends is not None:
                    self._clocks.keep(place.seat, place.question.request.n, place.question.ends)
        self.telling.ring()

    @property
    def _hidden(self) -> bool:
        """Whether it must not show when anything happens."""
        return bool(self.places) and self._timing.night

    def _stand(self) -> None:
        if not self._stands:
            self._stands = True
            self._stood_since = now()
            self._clocks.forget()
            for place in self.places.values():
                place.stop()
            self.telling.ring()

    # What the match does

    def _listen(self, events: Sequence[Event]) -> None:
        waiting = {(request.seat, request.n) for request in self._match.position.waiting}
        for place in self.places.values():
            if place.question and (place.seat, place.question.request.n) not in waiting:
                place.close()
        self._timing.told(events)
        if called := sum(isinstance(event, Called) for event in events):
            self._calls += called
            self._keep_call()
        self.telling.add(events)
        if not self._goes.is_set() and not self._hidden:
            self._stand()
        self._ask()

    async def _pace(self) -> None:
        """Wait until the table may go on. Where nobody plays who reads along, there is nothing to wait for."""
        if not self.places:
            await self._goes.wait()
        elif not (self._timing.night and self._another_round):
            while (left := self._timing.goes_on - now()) > 0 or self._stands:
                await asyncio.sleep(max(0.0, left))
                if self._stands:
                    await self._goes.wait()

    @property
    def _another_round(self) -> bool:
        """Whether those who are being asked by night will be asked once more within the same call."""
        ahead = self._match.position.ahead()
        return bool(ahead.state.pending) and not any(isinstance(event, Called) for event in ahead.events)

    def _keep_call(self) -> None:
        if self.places:
            self._clocks.keep(CALL, self._calls, self._timing.call_ends)

    # Questions

    def _ask(self) -> None:
        """Put what has come up to people, and see that the night waits for nobody, models included."""
        waiting = self._match.position.waiting
        if self._closing:
            self._closing.cancel()
        if self.places and self._timing.night and waiting:
            end = self._timing.deadline(None, another_round=self._another_round)
            assert end is not None
            self._closing = asyncio.get_running_loop().call_at(end, self._close_call)
        for request in waiting:
            place = self.places.get(request.seat)
            if place and request.seat not in self.gone:
                self._put(place, request)

    def _put(self, place: Place, request: Request) -> None:
        timing = self._timing
        if request.window and not timing.night:
            timing.window(request)
        if timing.night:
            opens, ends = now(), timing.deadline(None, another_round=self._another_round)
        else:
            opens, ends = max(now(), timing.until), timing.deadline(self._seconds(request), another_round=False)
            if ends is not None:
                ends = self._clocks.go_on(place.seat, request.n, ends)
                self._clocks.keep(place.seat, request.n, ends)
        place.question = Question(request, opens, ends)
        if place.away:
            asyncio.get_running_loop().call_soon(self._decide_for, place)
        else:
            self._wind(place)
        self.telling.ring(place.seat)

    def _seconds(self, request: Request) -> float | None:
        """How long a person has by day. A chance beside a speech has no clock: it ends with the speech."""
        seconds = self._header.clock.seconds
        if seconds is None or request.window:
            return None
        return request.seconds if is_turn(request) else seconds

    def _wind(self, place: Place) -> None:
        question = place.question
        if question is None or self._stands:
            return
        n = question.request.n
        place.wind(lambda: self._remind(place, n), lambda: self._miss(place, n))

    def _remind(self, place: Place, n: int) -> None:
        if place.question and place.question.request.n == n:
            place.question.reminded = True
            self.telling.ring(place.seat)

    def _miss(self, place: Place, n: int) -> None:
        """The time for a question is over. After a number of such misses in a row the person counts as away."""
        question = place.question
        if question is None or question.request.n != n:
            return
        self._settled(place, question.request, question.request.default)
        # Several questions of one call of the night are missed together.
        missed = place.missed + (not self._timing.night or place.missed_call != self._calls)
        place.missed_call = self._calls
        away = missed >= self._header.clock.misses
        self._count(place, missed, away=away)
        self._match.expire(place.seat, n)
        if away and self._header.absent == "red_card":
            self._match.leave(place.seat)

    def _decide_for(self, place: Place) -> None:
        """Decide for a person who is away."""
        if not place.away:
            return
        absent = self._header.absent
        if absent == "red_card":
            self._match.leave(place.seat)
        if place.question is None:
            return
        request = place.question.request
        place.close()
        if absent == "stand_in":
            self._match.stand_in(place.seat, request.n, self._stand_in(place.seat))
        else:
            self._match.expire(place.seat, request.n)
        self.telling.ring(place.seat)

    def _stand_in(self, seat: Seat) -> ScriptedPlayer:
        """Who plays for a person; it knows what the seat has seen and no more."""
        if seat not in self._stand_ins:
            own = draw(self._header.seed, "player", seat)
            self._stand_ins[seat] = ScriptedPlayer(own, seat, None, self._header.lang)
        return self._stand_ins[seat]

    def _close_call(self) -> None:
        """A call of the night is over for whoever has not answered: people have their own clocks, models this one."""
        for request in self._match.position.waiting:
            place = self.places.get(request.seat)
            if place and place.question:
                self._miss(place, request.n)
            else:
                self._match.expire(request.seat, request.n)

    def _settled(self, place: Place, request: Request, decision: Decision) -> None:
        place.held[request.n] = (request, decision)
        place.close()
        self.telling.ring(place.seat)

    def _count(self, place: Place, missed: int, *, away: bool) -> None:
        if (place.missed, place.away) != (missed, away):
            place.missed, place.away = missed, away
            self._keep(place)
            self.telling.ring(place.seat)

    def _close(self) -> None:
        for place in self.places.values():
            place.close()
        if self._closing:
            self._closing.cancel()
