"""A game with people on the event loop of a test, without HTTP: who is asked what, and when things are told."""

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from arena.events import Event
from arena.match import Match
from arena.players.player import Player
from arena.seating import Clock, SeatPlan
from arena.terms import Choice, Request, Seat
from arena.transcript import Header, Writer, rerun
from dashboard.hosting.asking import GivenAnswer
from dashboard.hosting.clocks import Clocks
from dashboard.hosting.place import Place
from dashboard.hosting.play import Play
from dashboard.hosting.tables import Tables
from dashboard.hosting.telling import Telling
from dashboard.hosting.timing import now
from tests.matches import Passing, header

Choose = Callable[[Request], tuple[str, tuple[Seat, ...]] | None]
PACK = ("werewolf", "werewolf", "villager", "villager", "seer", "guard")
"""Six cards, seat by seat."""


def first_choice(request: Request) -> tuple[str, tuple[Seat, ...]]:
    choice: Choice = request.choices[0]
    return choice.act, choice.seats[: choice.least]


def silent(request: Request) -> None:
    """Never answer."""


class Told(Telling):
    """Notes when each lot of events is told."""

    def __init__(self, path: Path, head: Header) -> None:
        super().__init__(path, head)
        self.lots: list[tuple[float, tuple[Event, ...]]] = []

    def add(self, events: Sequence[Event]) -> None:
        if events:
            self.lots.append((now(), tuple(events)))
        super().add(events)

    def when(self, what: Callable[[Event], bool]) -> list[float]:
        return [time for time, lot in self.lots for event in lot if what(event)]


def with_people(*people: Seat, cards: tuple[str, ...] = PACK, clock: Clock, **more: Any) -> Header:
    head = header(len(cards), 3)
    seats = {**head.seats, **dict.fromkeys(people, SeatPlan(player="human", name="Anna"))}
    update = {"seats": seats, "cards": cards, "clock": clock, **more}
    return head.model_copy(update=update)


@asynccontextmanager
async def sitting(
    path: Path, head: Header, players: Mapping[Seat, Player] | None = None, **people: Choose
) -> AsyncIterator[tuple[Play, Told]]:
    """A game being played: ``s3`` says how the person at seat 3 answers. Other seats pass."""
    telling = Told(path, head)
    others: dict[Seat, Player] = {s: Passing() for s, plan in head.seats.items() if plan.player != "human"}
    with Writer.create(path, head) as writer:
        tables = Tables(path.with_name("kept.sqlite"))
        play = Play(
            rerun(head), writer, {**others, **(players or {})}, telling, lambda place: None, Clocks(tables, path.name)
        )
        tasks = [asyncio.create_task(play.run())]
        tasks += [asyncio.create_task(sit(play, int(seat[1:]), choose)) for seat, choose in people.items()]
        try:
            yield play, telling
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            tables.close()


def match_of(play: Play) -> Match:
    return play._match


async def sit(play: Play, seat: Seat, choose: Choose) -> None:
    place = play.places[seat]
    bell = play.telling.listen(seat)
    done: set[int] = set()
    while True:
        question = place.question
        if question and question.request.n not in done:
            done.add(question.request.n)
            chosen = choose(question.request)
            if chosen:
                given = GivenAnswer(n=question.request.n, act=chosen[0], seats=list(chosen[1]))
                assert play.answer(seat, given) == "taken"
        bell.clear()
        await bell.wait()


async def until(what: Callable[[], Any], patience: float = 30) -> Any:
    """Wait until something is so."""
    async with asyncio.timeout(patience):
        while not (found := what()):  # noqa: ASYNC110 - anything at all may make it so
            await asyncio.sleep(0.01)
    return found


def asked(place: Place, topic: str) -> bool:
    return place.question is not None and place.question.request.topic == topic


def number_of(place: Place) -> int:
    """The number of the request that waits."""
    return place.question.request.n if place.question else 0
