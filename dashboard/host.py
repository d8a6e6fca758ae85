"""The host: the games of the lobby, all driven on the one event loop of the server.

Transcripts are the truth; `Tables` holds only what they may not. Games that were running when the server ended go on
when it starts again, with the same seats and links.

What may live here: which games there are, and who gets into which seat. What may not: HTTP, and how a game is played.
"""

import asyncio
import itertools
import re
import secrets
from collections.abc import Callable, Coroutine, Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeVar

from arena.names import letters_of
from arena.seating import Seating, Sitting, endpoints_of, people_among, sit_down
from arena.series import path_of
from arena.terminal import now as started_at
from arena.terms import DuskwaldError, Seat, UnusableInput
from arena.transcript import Header, Transcript, Writer, fork
from dashboard.hosting.game import Game
from dashboard.hosting.keys import known_to
from dashboard.hosting.series import due, new_seat
from dashboard.hosting.setup import pack
from dashboard.hosting.tables import GameRow, SeriesRow, Tables
from dashboard.hosting.tail import Tails

T = TypeVar("T")

TABLES = "lobby.sqlite"
"""The file in the folder of the games that holds what transcripts may not."""

MOST_GAMES = 200
"""Games that may run or wait at the same time."""


MOST_IN_SERIES = 100
"""Games of one series."""


class Host:
    """The games whose transcripts lie in `folder`. All methods but `call` belong to the server's event loop."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.tables = Tables(folder / TABLES)
        self.tails = Tails()
        self.closing = asyncio.Event()
        self.guarded = False
        """Whether the host has to say the password."""
        self._games: dict[str, Game] = {}
        self._loop: asyncio.AbstractEventLoop | None = None

    async def open(self) -> None:
        """Take up what was kept, and go on with the games that were running."""
        self._loop = asyncio.get_running_loop()
        if self.tables.empty:
            return
        for row in self.tables.games():
            self._add(Game(row, self.tables, self._follow))
        for game in list(self._games.values()):
            # A table without people waits for nobody; it was being laid when the server ended.
            if game.state == "running" or (game.state == "waiting" and not game.people):
                _begin(game)
            elif game.state == "ended":
                await self._follow(game)

    async def close(self) -> None:
        """End what this process does. Running games go on when a host opens the folder again."""
        self.end_streams()
        await asyncio.gather(*(game.halt() for game in self._games.values()))
        self.tables.close()

    def end_streams(self) -> None:
        """Let all streams end; browsers come back by themselves."""
        self.closing.set()
        for game in self._games.values():
            game.ring()

    def call(self, work: Callable[[], Coroutine[Any, Any, T]]) -> T:
        """Do `work` on the server's loop, from another thread, and wait for what comes of it."""
        assert self._loop is not None
        return asyncio.run_coroutine_threadsafe(work(), self._loop).result()

    # Games

    @property
    def games(self) -> Iterator[Game]:
        """All games, the newest first."""
        return reversed(self._games.values())

    def game(self, name: str) -> Game | None:
        """The game with this id."""
        return self._games.get(name)

    def create(
        self, setup: Seating, keys: Mapping[str, str] | None = None, *, games: int = 1, listed: bool = False
    ) -> Game:
        """Lay a table. Without people the game begins at once; else it waits for them until it is started.

        `games`: a series of so many; each is laid when the one before is over. `listed`: everybody may find it among
        the games that are being played.

        Raises:
            UnusableInput: the table can't be played at, or there are too many games.
        """
        self._refuse_too_many()
        sitting = sit_down(setup)
        known_to(sitting.endpoints, keys or {})
        _refuse_namesakes(sitting.seats.values())
        setup = setup.model_copy(update={"seats": sitting.seats, "players": len(sitting.seats)})
        players = len(sitting.seats)
        path = self._path(sitting.ruleset.id, players, "" if games > 1 else ".jsonl")
        series = None
        if games > 1:
            path, series = path_of(path, 1), SeriesRow(games, 1, tuple(range(1, players + 1)))
        game = self._kept(setup, path, keys, listed=listed, series=series, first=sitting)
        if not game.people:
            game.start()
        return game

    async def _follow(self, game: Game) -> None:
        """Lay the next game of a series, of which `game` is over: the same players, at seats that are drawn anew."""
        series = game.series
        if series is None or series.number == series.games or game.next:
            return
        number = series.number + 1
        path = path_of(game.path.parent, number)
        try:
            header = await asyncio.to_thread(due, path, number)
        except DuskwaldError as error:
            game.explain(str(error))
            return
        assert header.series
        row = SeriesRow(series.games, number, header.series.players, game.id)
        setup = game.setup.model_copy(update={"seats": header.seats})
        later = self._kept(setup, path, game.keys, listed=game.listed, series=row, first=header)
        game.ring()
        if not later.people:
            _begin(later)

    def fork(
        self,
        transcript: Transcript,
        at: int,
        setup: Seating,
        keys: Mapping[str, str] | None = None,
        *,
        listed: bool = False,
    ) -> Game:
        """Lay a table at which the game of `transcript` is played on from its event `at`, by others.

        Raises:
            UnusableInput: it can't be forked there, or the table can't be played at.
        """
        self._refuse_too_many()
        _refuse_namesakes(setup.seats.values())
        forked = fork(transcript, at, setup, started_at())
        header = forked.header
        known_to(endpoints_of(header.seats, setup.endpoints), keys or {})
        path = self._path(header.ruleset.id, header.players)
        with Writer.create(path, header) as writer:
            writer.append(*forked.records)
        same = {"ruleset": header.ruleset.id, "players": header.players, "language": header.lang}
        game = self._kept(setup.model_copy(update={**same, "seats": header.seats}), path, keys, listed=listed)
        if not game.people:
            game.start()
        return game

    def _kept(
        self,
        setup: Seating,
        path: Path,
        keys: Mapping[str, str] | None,
        *,
        listed: bool,
        series: SeriesRow | None = None,
        first: Sitting | Header | None = None,
    ) -> Game:
        """A new game among those of the lobby, with links for its people."""
        row = GameRow(secrets.token_urlsafe(12), path, pack(setup), "waiting", listed=listed, series=series)
        self.tables.add_game(row, people_among(setup.seats))
        game = Game(row, self.tables, self._follow, keys, first)
        self._add(game)
        for seat in game.people:
            self.new_link(game, seat)
        return game

    def discard(self, game: Game) -> None:
        """Take away a table at which nobody has begun to play, with its links.

        Raises:
            UnusableInput: the game, or its series, has begun.
        """
        if not game.has_not_begun:
            raise UnusableInput(f"{game.name}: the game has begun")
        self.tables.remove_game(game.id)
        del self._games[game.id]

    def _add(self, game: Game) -> None:
        self._games[game.id] = game
        if game.series and game.series.before in self._games:
            self._games[game.series.before].next = game.id

    def _refuse_too_many(self) -> None:
        if sum(game.state in {"running", "waiting"} for game in self._games.values()) >= MOST_GAMES:
            raise UnusableInput(f"games: {MOST_GAMES} are running or waiting; stop some first")

    def _path(self, ruleset: str, players: int, suffix: str = ".jsonl") -> Path:
        """A free name for a transcript, or for the folder of a series; it says nothing of the seed."""
        name = re.sub(r"[^\w-]+", "-", ruleset)
        stem = f"{datetime.now(UTC):%Y%m%d-%H%M%S}-{name}-{players}"
        names = itertools.chain([stem], (f"{stem}-{again}" for again in itertools.count(2)))
        taken = {path for game in self._games.values() for path in (game.path, game.path.parent)}
        return next(
            path for name in names if (path := self.folder / f"{name}{suffix}") not in taken and not path.exists()
        )

    # Seats

    def new_link(self, game: Game, seat: Seat) -> str:
        """A new secret for the link of a person's seat; the old one, and whoever came by it, is out."""
        game.links[seat] = token = self.tables.new_link(game.id, seat)
        return token

    def join(self, token: str) -> tuple[Game, Seat] | None:
        """The game and seat that a link leads to."""
        found = None if self.tables.empty else self.tables.linked(token)
        game = found and self._games.get(found[0])
        return (game, found[1]) if game and found else None

    def move(self, game: Game, session: str) -> tuple[Game, str] | None:
        """The game after `game` in its series, once it is laid, and a session there for whoever has this one here.

        The session is empty for whoever has no seat.
        """
        later = self._games.get(game.next)
        if later is None:
            return None
        seat = self.seat_of(game, session)
        if seat is None:
            return later, ""
        assert game.series
        assert later.series
        return later, self.tables.open_session(later.id, new_seat(game.series, seat, later.series))

    def seat_of(self, game: Game, session: str) -> Seat | None:
        """The seat at `game` of whoever shows this session."""
        found = self.tables.session(session) if session else None
        return found[1] if found and found[0] == game.id and found[1] in game.people else None


def _begin(game: Game) -> None:
    """Start a game that nobody asks for just now; where it can't begin, it says why."""
    try:
        game.start()
    except DuskwaldError as error:
        game.fail(str(error))


def _refuse_namesakes(plans: Any) -> None:
    names = [plan.name for plan in plans if plan.player == "human" and plan.name]
    alike = [letters_of(name) for name in names]
    twice = next((name for name in names if alike.count(letters_of(name)) > 1), None)
    if twice:
        raise UnusableInput(f"seats: two people called {twice!r}; give each a name of their own")
