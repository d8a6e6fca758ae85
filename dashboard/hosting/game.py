"""A game of the lobby, from its table being laid to its end: waiting for people, running, standing, stopped, over."""

import asyncio
import logging
import secrets
from collections.abc import Awaitable, Callable, Mapping
from contextlib import AsyncExitStack, ExitStack, suppress
from typing import Literal

from arena.endpoint import EndpointPlan, Endpoints, Purse
from arena.local import serving
from arena.names import check_name, letters_of
from arena.seating import (
    Models,
    Seating,
    SeatPlan,
    Sitting,
    endpoints_of,
    make_players,
    people_among,
    refuse_unpriced,
    sit_down,
    with_personas,
)
from arena.series import first_game
from arena.terminal import now as started_at
from arena.terms import DuskwaldError, Lang, Request, Seat, UnusableInput
from arena.transcript import Asked, Header, Position, Replied, Transcript, Writer, opening, read
from arena.transcript.schema import LARGEST_SEED
from arena.verification import position_of
from dashboard.hosting.asking import form_of
from dashboard.hosting.clocks import Clocks
from dashboard.hosting.keys import known_to
from dashboard.hosting.place import Place
from dashboard.hosting.play import Play
from dashboard.hosting.series import due, result, spent_before
from dashboard.hosting.setup import pack, unpack
from dashboard.hosting.tables import GameRow, SeatRow, Tables
from dashboard.hosting.telling import Telling

PATIENCE = 5.0
"""Seconds that somebody's request waits for a game whose players are getting ready."""

_LOG = logging.getLogger(__name__)

State = Literal["waiting", "running", "stopped", "failed", "ended"]
"""`waiting`: it has not begun; `failed`: it stopped by itself, and can be resumed once the reason is gone."""


class Game:
    """One game of the lobby. `keys` are those typed for its endpoints, and known to this process only.

    `first` is the header it begins with, as far as that follows from what is known when it is laid. `over` is awaited
    once it has ended.
    """

    def __init__(
        self,
        row: GameRow,
        tables: Tables,
        over: Callable[["Game"], Awaitable[None]],
        keys: Mapping[str, str] | None = None,
        first: Sitting | Header | None = None,
    ) -> None:
        self.id = row.id
        self.path = row.path
        self.state: State = row.state  # type: ignore[assignment]
        self.why = row.why
        self.listed = row.listed
        self.series = row.series
        self.next = ""
        """The id of the game that follows in the series, once it is laid."""
        self.links: dict[Seat, str] = {}
        self._setup = unpack(row.setup)
        self._keys = dict(keys or {})
        self._first = first
        self._over = over
        self._ready = asyncio.Event()
        self._tables = tables
        self._told: Telling | None = None
        self._play: Play | None = None
        self._task: asyncio.Task[None] | None = None

    # What it is

    @property
    def name(self) -> str:
        """What its transcript is called within the folder of the games."""
        return "/".join(self.path.parts[-2:]) if self.series else self.path.name

    @property
    def setup(self) -> Seating:
        """How the table was laid."""
        return self._setup

    @property
    def people(self) -> tuple[Seat, ...]:
        """The seats of people."""
        return people_among(self.seats)

    @property
    def seats(self) -> Mapping[Seat, SeatPlan]:
        """Who sits where."""
        return self._setup.seats

    def kept(self, seat: Seat) -> SeatRow:
        """What is kept of a person beside the transcript."""
        return self._tables.seat(self.id, seat)

    def held(self, seat: Seat, n: int, lang: Lang) -> str:
        """What the referee holds as the answer of `seat` to its request number `n`, in words."""
        assert self._told is not None
        assert self._play is not None
        request, decision = self._play.places[seat].held[n]
        return form_of(self._told.view(seat), lang).words(request, decision)

    def note(self, seat: Seat, notes: str) -> None:
        """Keep a person's own notes."""
        self._tables.set_notes(self.id, seat, notes)
        if self._told:
            self._told.ring(seat)

    @property
    def play(self) -> Play | None:
        """The game being played, while it is."""
        return self._play

    async def ready(self) -> Play | None:
        """The game being played; its players take a moment to get ready."""
        if self._task:
            with suppress(TimeoutError):
                async with asyncio.timeout(PATIENCE):
                    await self._ready.wait()
        return self._play

    @property
    def telling(self) -> Telling | None:
        """The game as it is told; None before it begins, or where its transcript can't be read."""
        if self._told is None and self.state != "waiting":
            try:
                transcript = read(self.path)
            except UnusableInput:
                return None
            self._told = Telling(self.path, transcript.header)
            self._told.add(transcript.events)
        return self._told

    @property
    def status(self) -> str:
        """The state for those who watch: as `state`; `paused` where a running game stands, `pausing` where it will."""
        if self._play and self._play.will_stand:
            return "pausing"
        return "paused" if self._play and self._play.stands else self.state

    # What the host does

    @property
    def keys(self) -> Mapping[str, str]:
        """The keys that were typed for its endpoints."""
        return self._keys

    @property
    def endpoints(self) -> Mapping[str, EndpointPlan]:
        """The endpoints of its models; none where one is not known any more."""
        try:
            return endpoints_of(self.seats, self._setup.endpoints)
        except UnusableInput:
            return {}

    def supply(self, keys: Mapping[str, str], budget: float | None) -> None:
        """Keys for its endpoints, typed again, and another budget (None: as before); both count from the next start on.

        Raises:
            UnusableInput: what its models cost is not known.
        """
        if budget is not None and budget != self._setup.budget_usd:
            refuse_unpriced(self.endpoints)
            self._setup = self._setup.model_copy(update={"budget_usd": float(budget)})
            self._tables.set_setup(self.id, pack(self._setup))
        self._keys |= {name: key for name, key in keys.items() if key}

    def start(self) -> None:
        """Begin, or go on from the transcript.

        Raises:
            UnusableInput: its seats, endpoints or transcript can't be used (any more).
        """
        if self._task is not None or self.state == "ended":
            return
        if self.state == "waiting" and not self.path.exists():
            header = self._header()
            self._plans(header.seats)
            transcript, writer = Transcript(self.path, header, ()), Writer.create(self.path, header)
        else:
            transcript, writer = Writer.resume(self.path)
            header = transcript.header
        try:
            plans = self._plans(header.seats)
            position = position_of(transcript)
        except DuskwaldError:
            writer.close()
            raise
        if self._told is None:
            self._told = Telling(self.path, header)
            self._told.add(transcript.events)
        self._ready.clear()
        self._set("running")
        self._task = asyncio.create_task(self._run(transcript, writer, position, plans))

    async def stop(self) -> None:
        """Let the game rest; it can be resumed. Of the answers that were taken none is lost."""
        await self.halt()
        if self.state == "running":
            self._set("stopped")

    async def halt(self) -> None:
        """End what this process does for the game, whose state stays as it is."""
        if self._task:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    def explain(self, why: str) -> None:
        """It is over, and what should follow it can't."""
        self._set(self.state, why)

    def fail(self, why: str) -> None:
        """It can't go on now."""
        self._set("failed", why)

    def pause(self) -> None:
        """Let a running game stand still; people's clocks stand with it."""
        if self._play:
            self._play.pause()

    def go_on(self) -> None:
        """Let a game that stands go on."""
        if self._play:
            self._play.go_on()

    @property
    def has_not_begun(self) -> bool:
        """Whether people may still choose names, and the table be taken away: it, or its series, has not begun."""
        return self.state == "waiting" and not self.path.exists() and (not self.series or self.series.number == 1)

    def has_namesake(self, seat: Seat, name: str) -> bool:
        """Whether anybody at another seat has a name that would be taken for this one."""
        others = [plan.name for other, plan in self.seats.items() if other != seat and plan.name]
        return letters_of(name) in map(letters_of, others)

    def rename(self, seat: Seat, name: str) -> None:
        """Give a person another name, before the game begins.

        Raises:
            UnusableInput: it has begun, the name is no name, or somebody else has it.
        """
        if not self.has_not_begun:
            raise UnusableInput("name: the game has begun")
        check_name(name)
        if self.has_namesake(seat, name):
            raise UnusableInput(f"name: {name!r} is taken at this table")
        seats = {**self.seats, seat: SeatPlan(player="human", name=name)}
        self._setup = self._setup.model_copy(update={"seats": seats})
        self._tables.set_setup(self.id, pack(self._setup))

    # Within

    def _header(self) -> Header:
        if self.series and self.series.number > 1:
            header = self._first if isinstance(self._first, Header) else due(self.path, self.series.number)
            return header.model_copy(update={"started": started_at()})
        sitting = self._first if isinstance(self._first, Sitting) else sit_down(self._setup)
        # The names that are drawn by it are shown, and no seed of this size is found from them.
        seed = secrets.randbelow(LARGEST_SEED + 1)
        header = opening(sitting, with_personas(self.seats, seed), seed, started_at())
        return first_game(header, self.series.games) if self.series else header

    def _plans(self, seats: Mapping[Seat, SeatPlan]) -> dict[str, EndpointPlan]:
        """The endpoints of its models, with the keys that were typed.

        Raises:
            UnusableInput: one is not known any more, or its key is in neither place.
        """
        return known_to(endpoints_of(seats, self._setup.endpoints), self._keys)

    async def _run(
        self, transcript: Transcript, writer: Writer, position: Position, plans: Mapping[str, EndpointPlan]
    ) -> None:
        """Drive the game to its end, or to whatever stops it."""
        try:
            with writer:
                await self._drive(transcript, writer, position, plans)
            if self.series:
                # Pages show the points at once, and reading them takes a while.
                await asyncio.to_thread(result, self.path)
            self._set("ended")
            await self._over(self)
        except DuskwaldError as error:
            self._set("failed", str(error))
        except OSError as error:
            self._set("failed", f"{error.filename or self.path}: {error.strerror}")
        except Exception as error:
            # A fault of ours must not look like a game that goes on.
            _LOG.exception("%s", self.path)
            self._set("failed", f"{type(error).__name__}: {error}")
        finally:
            self._play = self._task = None
            self._ready.set()
            self.ring()
            self.rest()

    async def _drive(
        self, transcript: Transcript, writer: Writer, position: Position, plans: Mapping[str, EndpointPlan]
    ) -> None:
        header = transcript.header
        async with AsyncExitStack() as open_till_the_end:
            servers = open_till_the_end.enter_context(ExitStack())
            served = await asyncio.to_thread(servers.enter_context, serving(plans))
            before = await asyncio.to_thread(spent_before, self.path, self.series.number) if self.series else 0.0
            # It may have been raised since the game began.
            endpoints = Endpoints(Purse(self._setup.budget_usd, transcript.spent + before))
            open_till_the_end.push_async_callback(endpoints.close)
            for name, plan in served.items():
                endpoints.of(name, plan)
            await endpoints.check()
            halts = header.outage == "halt"
            models = Models(endpoints, served, writer, transcript.past, beliefs=header.beliefs, halts=halts)
            # Getting scripted players ready takes a while, and other games go on meanwhile.
            players = await asyncio.to_thread(make_players, header.seats, header.seed, header.lang, models)
            assert self._told is not None
            self._play = Play(position, writer, players, self._told, self._keep, Clocks(self._tables, self.id))
            for place in self._play.places.values():
                self._take_up(place, transcript)
            self._ready.set()
            self.ring()
            await self._play.run()

    def _take_up(self, place: Place, transcript: Transcript) -> None:
        """Give a person back what was theirs before the server ended."""
        kept = self._tables.seat(self.id, place.seat)
        place.missed, place.away = kept.missed, kept.away
        asked: dict[int, Request] = {}
        for record in transcript.records:
            if isinstance(record, Asked) and record.request.seat == place.seat:
                asked[record.request.n] = record.request
            elif isinstance(record, Replied) and record.seat == place.seat:
                place.held[record.n] = (asked[record.n], record.reply.decision)

    def _keep(self, place: Place) -> None:
        self._tables.set_away(self.id, place.seat, place.missed, away=place.away)

    def _set(self, state: State, why: str = "") -> None:
        self.state, self.why = state, why
        self._tables.set_state(self.id, state, why)
        if state != "running":
            self._tables.forget_clocks(self.id)
        self.ring()

    def rest(self) -> None:
        """Let go of what can be read again, once nobody plays or watches."""
        if self._task is None and self._told and not self._told.watched:
            self._told = None

    def ring(self) -> None:
        """Wake all who read it."""
        if self._told:
            self._told.ring()
