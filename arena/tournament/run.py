"""Playing a tournament: many games at once on one event loop, block after block until its question is answered.

A game that was interrupted goes on from its transcript, on the same deal with the same line-up. A game that can't be
finished for a fault of ours is set aside and played again; it is never rated.
"""

import asyncio
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime

from arena.endpoint import Endpoints, OutOfBudget, Purse
from arena.match import Match
from arena.seating import Models, make_players
from arena.terms import Halted, UnusableInput
from arena.tournament.folder import Folder
from arena.tournament.game import Game
from arena.tournament.plan import Tournament
from arena.tournament.rating import Standing, rate
from arena.tournament.result import result_of
from arena.tournament.schedule import FULL_BLOCKS, Fixture, next_block
from arena.tournament.stopping import is_over, open_pairs
from arena.transcript import Header, Position, Transcript, Writer, rerun

PATIENCE = 60.0
"""Seconds before a game goes on whose endpoint did not answer; doubled each time, up to ten minutes."""

TRIES = 3
"""How often a game is played that can't be finished."""


@dataclass
class Progress:
    """How far a tournament has come: games rated, played in all by this process, voids, and the standing so far."""

    games: dict[str, Game] = field(default_factory=dict)
    running: int = 0
    played: int = 0
    spent: float = 0.0
    waiting: str = ""
    standing: Standing | None = None
    block: int = 0


Watch = Callable[[Progress], None]


class Run:
    """One process playing one tournament. `watch` is called whenever something has changed."""

    def __init__(self, tournament: Tournament, folder: Folder, watch: Watch = lambda progress: None) -> None:
        self._tournament = tournament
        self._folder = folder
        self._watch = watch
        self._schedule = tournament.schedule()
        self._plans = tournament.plans()
        self._board = f"{tournament.board()[0].id}-{tournament.players}"
        self._slots = asyncio.Semaphore(tournament.concurrency)
        self._deadline = time.monotonic() + tournament.cap.hours * 3600 if tournament.cap.hours else None
        self.progress = Progress()

    async def play(self) -> Standing:
        """Play until the question is answered, or a cap is reached.

        Raises:
            Halted: out of money or time; the same call goes on, with a larger cap.
            Unreachable: an endpoint doesn't answer at the start.
        """
        purse = Purse(self._tournament.cap.usd, 0.0)
        endpoints = Endpoints(purse)
        try:
            for name, plan in self._plans.items():
                endpoints.of(name, plan)
            await endpoints.check()
            for fixtures in self._batches(purse):
                await self._batch(fixtures, endpoints)
                self._rate()
            return self._rate()
        finally:
            await endpoints.close()

    def _batches(self, purse: Purse) -> Iterator[list[Fixture]]:
        """What is played between two looks at the standing: whole blocks, the first ones together."""
        question = self._tournament.asked
        number, left = 1, question.games
        while left > 0 and not (number > FULL_BLOCKS and is_over(self._rate(), question)):
            fixtures: list[Fixture] = []
            while True:
                pairs = open_pairs(self._rate(), question) if number > FULL_BLOCKS else ()
                block = next_block(self._schedule, number, pairs or self._all_pairs())
                fixtures += block[: left - len(fixtures)]
                number += 1
                # What does not depend on results is played without a look in between.
                together = number <= FULL_BLOCKS or question.aim == "fixed"
                if not together or len(fixtures) >= left:
                    break
            left -= len(fixtures)
            self.progress.block = number - 1
            self._folder.schedule(fixtures)
            purse.spent = max(purse.spent, self._recorded(fixtures, purse))
            yield fixtures

    def _all_pairs(self) -> list[tuple[str, str]]:
        names = list(self._tournament.competitors)
        return [(one, other) for place, one in enumerate(names) for other in names[place + 1 :]]

    def _recorded(self, fixtures: Sequence[Fixture], purse: Purse) -> float:
        """Read what has been played of `fixtures`; what all games so far have cost.

        A file that can't be read is set aside, and played again.
        """
        spent = purse.spent
        for fixture in fixtures:
            try:
                transcript = self._folder.transcript(fixture)
            except UnusableInput as error:
                self._folder.set_aside(fixture, f"corrupt: {error}")
                continue
            if transcript:
                spent += transcript.spent
                self._take(fixture, transcript)
        return spent

    async def _batch(self, fixtures: Sequence[Fixture], endpoints: Endpoints) -> None:
        finished = {game.id for game in self.progress.games.values() if game.winner}
        due = [fixture for fixture in fixtures if fixture.id not in finished]
        async with asyncio.TaskGroup() as games:
            for fixture in due:
                games.create_task(self._game(fixture, endpoints))

    async def _game(self, fixture: Fixture, endpoints: Endpoints) -> None:
        async with self._slots:
            self._check_time()
            self.progress.running += 1
            try:
                await self._to_the_end(fixture, endpoints)
            finally:
                self.progress.running -= 1
                self.progress.spent = endpoints.purse.spent
                self._watch(self.progress)

    async def _to_the_end(self, fixture: Fixture, endpoints: Endpoints) -> None:
        pause, failures = PATIENCE, 0
        while True:
            try:
                transcript = await self._go_on(fixture, endpoints)
            except OutOfBudget:
                raise
            except Halted as halted:
                self.progress.waiting = str(halted)
                self._watch(self.progress)
                await asyncio.sleep(pause)
                pause = min(2 * pause, 10 * PATIENCE)
                self._check_time()
            except UnusableInput as error:
                failures += 1
                self._folder.set_aside(fixture, f"ours: {error}")
                if failures == TRIES:
                    raise
            else:
                self.progress.waiting = ""
                self.progress.played += 1
                self._take(fixture, transcript)
                return

    def _check_time(self) -> None:
        if self._deadline is not None and time.monotonic() > self._deadline:
            raise Halted(f"cap: hours: {self._tournament.cap.hours:g} are over; the same command goes on")

    async def _go_on(self, fixture: Fixture, endpoints: Endpoints) -> Transcript:
        """Play the game of `fixture` on from where its transcript stands, to its end."""
        path = self._folder.game(fixture)
        if path.exists():
            transcript, writer = Writer.resume(path)
            position = _position(transcript)
        else:
            header = header_of(self._tournament, fixture)
            transcript, position, writer = Transcript(path, header, ()), rerun(header), Writer.create(path, header)
        header = transcript.header
        with writer:
            models = Models(
                endpoints, self._plans, writer, transcript.past, beliefs=self._tournament.beliefs, halts=True
            )
            players = make_players(header.seats, header.seed, header.lang, models)
            await Match(position, writer, players).run()
        finished = self._folder.transcript(fixture)
        assert finished is not None
        return finished

    def _take(self, fixture: Fixture, transcript: Transcript) -> None:
        tournament = self._tournament
        result = result_of(fixture, transcript, self._board, tournament.format, tournament.faults)
        self.progress.games[fixture.id] = result.game
        if result.game.winner:
            self._folder.keep(result)

    def _rate(self) -> Standing:
        self.progress.standing = rate(list(self.progress.games.values()), list(self._tournament.competitors))
        self._watch(self.progress)
        return self.progress.standing


def _position(transcript: Transcript) -> Position:
    try:
        return rerun(transcript.header, transcript.records)
    except Exception as error:
        raise UnusableInput(f"{transcript.path}: {error}") from None


def header_of(tournament: Tournament, fixture: Fixture) -> Header:
    """The beginning of the game of `fixture`."""
    ruleset, cards = tournament.board()
    return Header(
        started=datetime.now(UTC).isoformat(timespec="seconds"),
        lang=tournament.language,
        seed=fixture.seed,
        game=fixture.game,
        cards=cards,
        seats={seat: tournament.competitors[name].seat for seat, name in enumerate(fixture.competitors, start=1)},
        models={name: plan.model for name, plan in tournament.plans().items()},
        outage="halt",
        beliefs=tournament.beliefs,
        ruleset=ruleset,
    )
