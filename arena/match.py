"""A match: the referee and the players of one game brought together, as a LangGraph graph.

::

    referee ──▶ `scripts`, once for all who decide by rule ──┐
       ▲    ├─▶ `seat`, for each other player ───────────────┤
       │    └─▶ `person`, for each person ───────────────────┤
       └─────────────────────────────────────────────────────┘

The graph carries the current batch only, as seats and numbers of their requests. Everything else is in its
context, the `Match`, which writes each reply to the transcript before the referee sees it. That is why a game is
resumed from its transcript, and a checkpointer, in memory, is there only where a person has to be waited for.

What may live here: who is asked when, and by which node. What may not: rules, and how players think.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, TypedDict

from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import END, START, StateGraph
from langgraph.runtime import Runtime
from langgraph.types import Command, Send, interrupt
from langsmith import tracing_context

from arena.events import Event, View, Views
from arena.players.player import Player, Script
from arena.referee import legal
from arena.terms import Decision, DuskwaldError, Halted, Outcome, Reply, Request, Seat
from arena.transcript import Gone, Position, Replied, Writer

LONGEST = 1_000_000
"""Steps of the graph after which something must be wrong; a day of twelve seats takes about fifty."""


class Ask(TypedDict):
    """A request, by its seat and number."""

    seat: Seat
    n: int


class Batch(TypedDict):
    """The state of the graph: who is being asked, by kind of node. When nobody is, the game is over."""

    scripts: list[Ask]
    seats: list[Ask]
    people: list[Ask]


@dataclass(eq=False)
class Match:
    """One game being played. Seats without a player are people's: their answers come through `answer`.

    `position` is where the game stands and `writer` its transcript; `listen` is called with each lot of new
    events once they are written, and `pace` is awaited before the referee goes on: whatever people need to read what
    was told, or to take a chance beside it. A match belongs to one event loop, and is `run` once.

    With people at the table a player that can't go on by night is decided for by default, and the game halts at dawn:
    when a night stops would tell whose step it was.
    """

    position: Position
    writer: Writer
    players: Mapping[Seat, Player]
    listen: Callable[[Sequence[Event]], None] = lambda events: None
    pace: Callable[[], Awaitable[None]] | None = None

    def __post_init__(self) -> None:
        self._scripts = {seat: player for seat, player in self.players.items() if isinstance(player, Script)}
        self._views = Views(self.position.state.players)
        self._views.add(self.position.events)
        self._leaving: tuple[Seat, ...] = ()
        self._calls: dict[Seat, asyncio.Task[Reply]] = {}
        self._halting: Halted | None = None
        self._halted: Halted | None = None
        self._news = asyncio.Event()
        self.writer.append(*self.position.unwritten)

    async def run(self) -> Outcome:
        """Play to the end. Players that fail don't stop it: the default of their request counts.

        Raises:
            UnusableInput: the transcript can't be written any more.
            Halted: a player can't go on now; all other replies of its batch have been taken.
        """
        people = self._people
        graph = _GRAPH.compile(InMemorySaver()) if people else _WITHOUT_PEOPLE
        given: Batch | Command[Any] = Batch(scripts=[], seats=[], people=[])
        # Tracing that is switched on for other work would send every prompt, and every secret, away.
        with tracing_context(enabled=False):
            while self.outcome is None:
                done = await graph.ainvoke(
                    given,
                    {"recursion_limit": LONGEST, "configurable": {"thread_id": "match"}},
                    context=self,
                    durability="exit" if people else None,
                    version="v2",
                )
                waiting = {question.id: question.value for question in done.interrupts}
                if self._halted:
                    raise self._halted
                await self._answered([ask["seat"] for ask in waiting.values()])
                given = Command(resume=waiting)
        return self.outcome

    # For people, and whoever hosts them

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended, if it has."""
        return self.position.state.outcome

    def view(self, seat: Seat) -> View:
        """What `seat` has seen so far; it goes on growing."""
        return self._views.of(seat)

    def questions(self) -> tuple[Request, ...]:
        """The requests that wait for people."""
        return tuple(request for request in self.position.waiting if request.seat not in self.players)

    def answer(self, seat: Seat, n: int, decision: Decision) -> str:
        """Take a person's answer to its request number `n`, and write it down at once.

        Returns why it is refused, and then nothing has changed; empty if it is taken. The words are those of
        `arena.referee.legal`, and ``late`` where that request does not wait (any more).
        """
        for request in self.questions():
            if (request.seat, request.n) == (seat, n):
                refused = legal(request, decision)
                if not refused:
                    self._take([(request, Reply(decision, "human"))])
                return refused
        return "late"

    def expire(self, seat: Seat, n: int) -> None:
        """The time for request number `n` of `seat` is over: its default counts, and a call to a model ends."""
        self._take([(r, _by_default(r)) for r in self.position.waiting if (r.seat, r.n) == (seat, n)])

    def stand_in(self, seat: Seat, n: int, script: Script) -> None:
        """Have `script` answer a person's request number `n`."""
        self._take([(r, self._by_script(script, r)) for r in self.questions() if (r.seat, r.n) == (seat, n)])

    def leave(self, seat: Seat) -> None:
        """The player of `seat` is gone for good: its request is decided by default, then it is red-carded."""
        if seat not in self._gone:
            self._leaving += (seat,)
            self._take([(request, _by_default(request)) for request in self.position.waiting if request.seat == seat])

    # For the nodes of the graph

    async def go_on(self) -> Batch:
        """Let the referee decide until somebody has to be asked and waited for, or the game is over."""
        position = self.position
        while self.outcome is None and not self._halted:
            batch = self._batch()
            if any(batch.values()):
                return batch
            if self.pace:
                await self.pace()
            self._take([(request, _by_default(request)) for request in position.waiting])
            if self._leaving:
                self.writer.append(Gone(self._leaving))
            before = len(position.events)
            position.go_on(self._leaving)
            self._leaving = ()
            self.writer.append(*position.unwritten)
            events = position.events[before:]
            self._views.add(events)
            self.listen(events)
            if position.state.part != "night":
                self._halted = self._halting
        return Batch(scripts=[], seats=[], people=[])

    def ask_scripts(self, asks: Sequence[Ask]) -> None:
        """Have the seats that decide by rule answer."""
        seats = {ask["seat"] for ask in asks}
        self._take([(r, self._by_script(self._scripts[r.seat], r)) for r in self.position.waiting if r.seat in seats])

    async def ask(self, ask: Ask) -> None:
        """Have another player answer."""
        for request in self.position.waiting:
            if request.seat == ask["seat"]:
                call = self._calls[request.seat] = asyncio.create_task(self._ask_player(request))
                try:
                    self._take([(request, await call)])
                except Halted as halted:
                    self._halt(request, halted)
                except asyncio.CancelledError:
                    # Either it has been decided otherwise meanwhile, or the match itself is being cancelled.
                    task = asyncio.current_task()
                    if request.seat not in self.position.replies or (task and task.cancelling()):
                        raise
                finally:
                    self._calls.pop(request.seat, None)

    # Within

    @property
    def _people(self) -> bool:
        return len(self.players) < self.position.state.players

    def _halt(self, request: Request, halted: Halted) -> None:
        """Stop before the referee goes on. Raised at once, it would cancel the calls of others, which are paid for."""
        if self._people and self.position.state.part == "night":
            self._halting = halted
            self._take([(request, _by_default(request, halted))])
        else:
            self._halted = halted

    @property
    def _gone(self) -> tuple[Seat, ...]:
        return self.position.gone + self._leaving

    def _batch(self) -> Batch:
        """Who is asked and waited for. A person's chance beside a speech is open, but nobody waits for it."""
        batch = Batch(scripts=[], seats=[], people=[])
        for request in self.position.waiting:
            ask = Ask(seat=request.seat, n=request.n)
            if request.seat in self._gone:
                continue
            if request.seat in self._scripts:
                batch["scripts"].append(ask)
            elif request.seat in self.players:
                batch["seats"].append(ask)
            elif not request.window:
                batch["people"].append(ask)
        return batch

    def _by_script(self, script: Script, request: Request) -> Reply:
        try:
            return _sound(request, script.answer(self.view(request.seat), request))
        except Exception as error:
            return _by_default(request, error)

    async def _ask_player(self, request: Request) -> Reply:
        try:
            return _sound(request, await self.players[request.seat].reply(self.view(request.seat), request))
        except Halted:
            raise
        except Exception as error:
            return _by_default(request, error)

    def _take(self, replies: Sequence[tuple[Request, Reply]]) -> None:
        """Write `replies` down, then let them count. Who has left meanwhile has been replied for already."""
        replies = [(request, reply) for request, reply in replies if request.seat not in self.position.replies]
        self.writer.append(*(Replied(request.seat, request.n, reply) for request, reply in replies))
        self.position.replies.update({request.seat: reply for request, reply in replies})
        for request, _ in replies:
            if call := self._calls.get(request.seat):
                call.cancel()
        self._news.set()

    async def _answered(self, seats: Sequence[Seat]) -> None:
        while any(request.seat in seats for request in self.position.waiting):
            self._news.clear()
            await self._news.wait()


def _by_default(request: Request, error: Exception | None = None) -> Reply:
    # What others say of an error may quote anything, as a key; a transcript takes our own words, and a name.
    said = f": {error}" if isinstance(error, DuskwaldError) else ""
    return Reply(request.default, "fallback", f"{type(error).__name__}{said}" if error else "")


def _sound(request: Request, reply: Reply) -> Reply:
    """`reply` if its decision is allowed, else the default, with the reason before the thought."""
    refused = legal(request, reply.decision)
    if not refused:
        return reply
    return replace(reply, decision=request.default, source="fallback", thought=f"{refused}: {reply.thought}")


async def _referee(state: Batch, runtime: Runtime[Match]) -> Command[Literal["scripts", "seat", "person", "__end__"]]:
    """Fan the next batch out. A payload is small on purpose: a checkpointer would keep a copy of each."""
    batch = await runtime.context.go_on()
    nodes: list[Any] = ["scripts"] if batch["scripts"] else []
    nodes += [Send("seat", ask) for ask in batch["seats"]]
    nodes += [Send("person", ask) for ask in batch["people"]]
    return Command(update=batch, goto=nodes or END)


async def _scripts(state: Batch, runtime: Runtime[Match]) -> None:
    runtime.context.ask_scripts(state["scripts"])


async def _seat(state: Ask, runtime: Runtime[Match]) -> None:
    await runtime.context.ask(state)


async def _person(state: Ask) -> None:
    """Wait. The answer is in the transcript by the time this goes on."""
    interrupt(state)


_GRAPH = StateGraph(Batch, context_schema=Match)
_GRAPH.add_node("referee", _referee)
_GRAPH.add_node("scripts", _scripts)
_GRAPH.add_node("seat", _seat)
_GRAPH.add_node("person", _person)
_GRAPH.add_edge(START, "referee")
for _node in ("scripts", "seat", "person"):
    _GRAPH.add_edge(_node, "referee")
_WITHOUT_PEOPLE = _GRAPH.compile()
