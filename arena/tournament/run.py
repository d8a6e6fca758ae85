"""Playing a tournament: many games at once on one event loop, block after block until its question is answered.

A game that was interrupted, or whose endpoint is down, goes on from its transcript, on the same deal with the same
line-up. A game that can't be finished is set aside and played again; it is never rated.
"""

import asyncio
import gc
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

from arena.endpoint import OutOfBudget, Unreachable
from arena.terms import DuskwaldError, Halted, UnusableInput
from arena.tournament.folder import Cause, Folder, Stop
from arena.tournament.game import Game
from arena.tournament.plan import Tournament
from arena.tournament.play import Corrupt, Venue, check_header, header_of
from arena.tournament.rating import Standing, rate
from arena.tournament.result import result_of
from arena.tournament.schedule import FULL_BLOCKS, Fixture, next_block
from arena.tournament.stopping import is_over, open_pairs
from arena.transcript import Transcript

PATIENCE = 60.0
"""Seconds before a game goes on whose endpoint did not answer; doubled each time, up to ten minutes."""

TRIES = 3
"""How often a game is played by one process that can't be finished."""

OUR_FAULT = {401, 403, 404}
"""HTTP statuses that say the key or the name of the model is wrong."""


ALLOCATIONS = 20_000
"""New objects after which cycles among them are looked for; usually it is 700. With fifty games in memory, looking
takes a sixth of all work, and a third of a second at once, for which every game stands still."""


class Paused(Halted):
    """Somebody has asked for a pause."""


@dataclass
class Progress:
    """How far a tournament has come.

    `games` are those begun, by fixture; `played` is how many this process has finished, `spent` what all have cost in
    USD, `waiting` why a game waits, and `voids` those given up by this process.
    """

    games: dict[str, Game] = field(default_factory=dict)
    running: int = 0
    played: int = 0
    spent: float = 0.0
    waiting: str = ""
    block: int = 0
    voids: list[Stop] = field(default_factory=list)


Watch = Callable[[Progress], None]


class Run:
    """One process that plays the tournament in a folder at a `venue`, and calls `watch` whenever something changes."""

    def __init__(
        self, tournament: Tournament, folder: Folder, venue: Venue, watch: Watch = lambda progress: None
    ) -> None:
        self._tournament = tournament
        self._folder = folder
        self._venue = venue
        self._watch = watch
        self._schedule = tournament.schedule()
        self._board = f"{tournament.board()[0].id}-{tournament.players}"
        self._slots = asyncio.Semaphore(tournament.concurrency)
        self._halted: Halted | None = None
        self._stopping = asyncio.Event()
        self._played_before = folder.clock()
        self._begun = time.monotonic()
        self.progress = Progress()

    async def play(self) -> Standing:
        """Play until the question is answered, or all games there may be are played.

        Raises:
            Halted: it was stopped, or is out of money or time; the same call goes on.
            UnusableInput: a key is missing, or the folder can't be written.
            Unreachable: an endpoint doesn't answer at the start.
        """
        known = self._folder.fixtures()
        self.progress.spent = self._recorded(known) + sum(stop.usd for stop in self._folder.voids())
        deadline = self._deadline()
        try:
            with _seldom_collected():
                await self._venue.open(self.progress.spent)
                for fixtures in self._batches(known):
                    await self._batch(fixtures)
                    if self._halted:
                        raise self._halted
                return self._rate()
        finally:
            if deadline:
                deadline.cancel()
            self._keep_clock()
            await self._venue.leave()

    def stop(self, why: Halted) -> None:
        """Let games end as soon as the calls in flight are answered; `play` then raises `why`."""
        if not self._halted:
            self._halted = why
            self._venue.close(why)
            self._stopping.set()

    @property
    def is_stopping(self) -> bool:
        """Whether somebody has stopped it."""
        return self._halted is not None

    @property
    def is_over_for_good(self) -> bool:
        """Whether nothing is left to play, however large a cap: so nothing depends on the seed any more."""
        known = self._folder.fixtures()
        if not known or not all(map(self._is_finished, known)):
            return False
        fixed = self._tournament.question.games
        if fixed:
            return len(known) >= fixed
        return known[-1].block >= FULL_BLOCKS and not open_pairs(self._rate(), self._tournament.asked)

    # What is played

    def _batches(self, known: list[Fixture]) -> Iterator[list[Fixture]]:
        """What is played between two looks at the standing: whole blocks, the first ones together.

        What was scheduled before comes first, as it was: a game that was set aside may end differently, and the
        blocks after it would no longer follow from it.
        """
        question = self._tournament.asked
        number = max((fixture.block for fixture in known), default=0) + 1
        left = question.games - len(known)
        if known:
            self.progress.block = number - 1
            yield known
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
            yield fixtures

    def _all_pairs(self) -> list[tuple[str, str]]:
        names = list(self._tournament.competitors)
        return [(one, other) for place, one in enumerate(names) for other in names[place + 1 :]]

    def _recorded(self, fixtures: Sequence[Fixture]) -> float:
        """Read what has been played of `fixtures`; what it has cost, in USD. What can't be read is set aside."""
        spent = 0.0
        for fixture in fixtures:
            try:
                transcript = self._folder.recorded(fixture)
                if transcript:
                    check_header(transcript, header_of(self._tournament, fixture))
            except UnusableInput as error:
                self._set_aside(fixture, "ours", f"corrupt: {error}")
                continue
            if transcript:
                spent += transcript.spent
                self._take(fixture, transcript)
        return spent

    async def _batch(self, fixtures: Sequence[Fixture]) -> None:
        due = [fixture for fixture in fixtures if not self._is_finished(fixture)]
        try:
            async with asyncio.TaskGroup() as games:
                for fixture in due:
                    games.create_task(self._game(fixture))
        except ExceptionGroup as group:
            # The first is why the others were cancelled.
            raise group.exceptions[0] from None

    def _is_finished(self, fixture: Fixture) -> bool:
        game = self.progress.games.get(fixture.id)
        return game is not None and bool(game.winner)

    # One game

    async def _game(self, fixture: Fixture) -> None:
        async with self._slots:
            if self._halted:
                return
            self.progress.running += 1
            try:
                await self._to_the_end(fixture)
            except asyncio.CancelledError:
                self._folder.stop(fixture, "person", "interrupted")
                raise
            finally:
                self.progress.running -= 1
                self._changed()

    async def _to_the_end(self, fixture: Fixture) -> None:
        """Play a game, again and again if need be. One that fails too often is left out."""
        pause, failures = PATIENCE, 0
        while failures < TRIES:
            try:
                await self._venue.play(fixture)
            except OutOfBudget as error:
                self.stop(Halted(f"cap: usd: {error.spent:.4f} of {error.budget:g} are spent; a larger cap goes on"))
            except Halted as halted:
                if not self._halted:
                    await self._wait(fixture, halted, pause)
                    if self._halted:
                        return
                    pause = min(2 * pause, 10 * PATIENCE)
            except Corrupt as error:
                failures += 1
                self._set_aside(fixture, "ours", f"corrupt: {error}")
            except (DuskwaldError, OSError):
                # The folder can't be written any more, which is no fault of this game.
                raise
            except Exception as error:
                failures += 1
                self._set_aside(fixture, "ours", f"{type(error).__name__}: {error}")
            else:
                self._finished(fixture)
                return
            if self._halted:
                self._folder.stop(fixture, _who_halted(self._halted), str(self._halted))
                return

    async def _wait(self, fixture: Fixture, halted: Halted, pause: float) -> None:
        """Wait for an endpoint to come back."""
        from_outside = isinstance(halted.__cause__, Unreachable) and halted.__cause__.status not in OUR_FAULT
        cause: Cause = "provider" if from_outside else "ours"
        self._folder.stop(fixture, cause, str(halted))
        self.progress.waiting = str(halted)
        self._changed()
        try:
            async with asyncio.timeout(pause):
                await self._stopping.wait()
        except TimeoutError:
            pass

    def _finished(self, fixture: Fixture) -> None:
        transcript = self._folder.transcript(fixture)
        assert transcript is not None
        self._take(fixture, transcript)
        self.progress.waiting = ""
        self.progress.played += 1
        self._keep_clock()

    def _set_aside(self, fixture: Fixture, cause: Cause, why: str) -> None:
        self.progress.games.pop(fixture.id, None)
        self.progress.voids.append(self._folder.set_aside(fixture, cause, why))
        self._changed()

    # What came of it

    def _take(self, fixture: Fixture, transcript: Transcript) -> None:
        tournament = self._tournament
        result = result_of(fixture, transcript, self._board, tournament.format, tournament.faults)
        self.progress.games[fixture.id] = result.game
        if result.game.winner:
            self._folder.keep(result)

    def _rate(self) -> Standing:
        return rate(list(self.progress.games.values()), list(self._tournament.competitors))

    def _changed(self) -> None:
        self.progress.spent = max(self.progress.spent, self._venue.spent)
        self._watch(self.progress)

    # Time

    def _deadline(self) -> asyncio.TimerHandle | None:
        hours = self._tournament.cap.hours
        if not hours:
            return None
        why = Halted(f"cap: hours: {hours:g} hours have been played; a larger cap goes on")
        return asyncio.get_running_loop().call_later(hours * 3600 - self._played_before, self.stop, why)

    def _keep_clock(self) -> None:
        self._folder.keep_clock(self._played_before + time.monotonic() - self._begun)


@contextmanager
def _seldom_collected() -> Iterator[None]:
    """Have cycles of garbage looked for less often, and not among what was there before."""
    usual = gc.get_threshold()
    gc.freeze()
    gc.set_threshold(ALLOCATIONS, *usual[1:])
    try:
        yield
    finally:
        gc.set_threshold(*usual)
        gc.unfreeze()


def _who_halted(why: Halted) -> Cause:
    return "person" if isinstance(why, Paused) else "ours"
