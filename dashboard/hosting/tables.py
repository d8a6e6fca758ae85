"""What the host keeps beside the transcripts, in SQLite: hashes of links and sessions, notes, who is away.

A link or a session is 256 random bits, of which only a hash is kept. The host's password is hashed by scrypt.
"""

import hashlib
import hmac
import os
import secrets
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path

import orjson

from arena.file_lock import lock
from arena.terms import Seat, UnusableInput, record

HOST: Seat = -1
"""The seat of the host's own sessions, which belong to no game."""

_SCHEMA = """
create table if not exists game (
    id text primary key, path text not null, setup text not null, state text not null, why text not null default ''
) strict;
create table if not exists seat (
    game text not null references game, seat integer not null, link blob unique, notes text not null default '',
    missed integer not null default 0, away integer not null default 0, primary key (game, seat)
) strict;
create table if not exists series (
    game text primary key references game, games integer not null, number integer not null, players text not null,
    before text not null
) strict;
create table if not exists listed (game text primary key references game) strict;
create table if not exists clock (
    game text not null references game, seat integer not null, n integer not null, ends real not null,
    primary key (game, seat)
) strict;
create table if not exists session (hash blob primary key, game text not null, seat integer not null) strict;
create table if not exists password (salt blob not null, hash blob not null) strict;
"""


@record
class SeriesRow:
    """A game's place in a series: the `number` of so many `games`, the id of the one `before` it (none: empty).

    `players` says who sits at each seat, from seat 1; they are numbered by their seats in the first game.
    """

    games: int
    number: int
    players: tuple[int, ...]
    before: str = ""


@record
class GameRow:
    """A game of the lobby: where its transcript is, how it was set up (JSON), its state, and why it stopped.

    `listed`: everybody may find it among the games that are being played.
    """

    id: str
    path: Path
    setup: str
    state: str
    why: str = ""
    listed: bool = False
    series: SeriesRow | None = None


@record
class SeatRow:
    """A person's seat: notes, questions missed in a row, and whether its player is away."""

    notes: str
    missed: int
    away: bool


class Tables:
    """The database in the file `path`, which is made when there is something to keep.

    One process uses it; calls return at once (a write takes 0.03 ms). Each raises `UnusableInput` where the file
    can't be used, or another process does.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = -1

    @cached_property
    def _db(self) -> sqlite3.Connection:
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            self._claim()
            os.close(os.open(self._path, os.O_RDWR | os.O_CREAT, 0o600))
            database = sqlite3.connect(self._path, timeout=5, isolation_level=None, check_same_thread=False)
            database.execute("pragma journal_mode = wal")
            database.execute("pragma synchronous = normal")
            database.executescript(_SCHEMA)
        except (OSError, sqlite3.Error) as error:
            raise UnusableInput(f"{self._path}: can't be used: {error}") from None
        return database

    def _claim(self) -> None:
        """Take the file for this process: two servers would drive the same games."""
        claim = os.open(self._path.with_suffix(".lock"), os.O_RDWR | os.O_CREAT, 0o600)
        lock(claim, self._path.parent, "another server hosts the games of this folder")
        self._lock = claim

    def open(self) -> None:
        """See that it can be used, where there is something to use."""
        if not self.empty:
            self._do("select 1")

    def _do(self, sql: str, values: Sequence[object] = ()) -> sqlite3.Cursor:
        try:
            return self._db.execute(sql, values)
        except sqlite3.Error as error:
            raise UnusableInput(f"{self._path}: can't be used: {error}") from None

    @contextmanager
    def _at_once(self) -> Iterator[None]:
        """All that is done within, or nothing of it."""
        self._do("begin")
        try:
            yield
        except BaseException:
            self._do("rollback")
            raise
        self._do("commit")

    @property
    def empty(self) -> bool:
        """Whether nothing has been kept yet."""
        return not self._path.exists()

    def close(self) -> None:
        """Let go of the file."""
        if "_db" in self.__dict__:
            self._db.close()
            os.close(self._lock)

    # Games

    def add_game(self, game: GameRow, people: tuple[Seat, ...]) -> None:
        """Keep a new game and the seats of its people."""
        with self._at_once():
            self._do(
                "insert into game values (?, ?, ?, ?, ?)", (game.id, str(game.path), game.setup, game.state, game.why)
            )
            for seat in people:
                self._do("insert into seat (game, seat) values (?, ?)", (game.id, seat))
            if game.listed:
                self._do("insert into listed values (?)", (game.id,))
            if row := game.series:
                players = orjson.dumps(row.players).decode()
                self._do(
                    "insert into series values (?, ?, ?, ?, ?)", (game.id, row.games, row.number, players, row.before)
                )

    def games(self) -> Iterator[GameRow]:
        """All games, oldest first."""
        series = {
            game: SeriesRow(games, number, tuple(orjson.loads(players)), before)
            for game, games, number, players, before in self._do("select * from series").fetchall()
        }
        listed = {game for (game,) in self._do("select * from listed").fetchall()}
        for game, path, setup, state, why in self._do("select * from game order by rowid").fetchall():
            yield GameRow(game, Path(path), setup, state, why, game in listed, series.get(game))

    def set_state(self, game: str, state: str, why: str = "") -> None:
        """Keep the state of a game, and why it stopped."""
        self._do("update game set state = ?, why = ? where id = ?", (state, why, game))

    def set_setup(self, game: str, setup: str) -> None:
        """Keep another setup of a game: other names before it has begun, another budget at any time."""
        self._do("update game set setup = ? where id = ?", (setup, game))

    def remove_game(self, game: str) -> None:
        """Keep nothing of a game any more."""
        with self._at_once():
            for table in ("session", "clock", "listed", "series", "seat"):
                self._do(f"delete from {table} where game = ?", (game,))
            self._do("delete from game where id = ?", (game,))

    # Seats

    def seat(self, game: str, seat: Seat) -> SeatRow:
        """What is kept of a person's seat."""
        query = "select notes, missed, away from seat where game = ? and seat = ?"
        notes, missed, away = self._do(query, (game, seat)).fetchone()
        return SeatRow(notes, missed, bool(away))

    def set_notes(self, game: str, seat: Seat, notes: str) -> None:
        """Keep the notes of a person."""
        self._do("update seat set notes = ? where game = ? and seat = ?", (notes, game, seat))

    def set_away(self, game: str, seat: Seat, missed: int, *, away: bool) -> None:
        """Keep how many questions in a row a person has missed, and whether they are away."""
        self._do("update seat set missed = ?, away = ? where game = ? and seat = ?", (missed, int(away), game, seat))

    # Clocks

    def set_clock(self, game: str, seat: Seat, n: int, ends: float) -> None:
        """Keep when the time for question `n` of a seat is over (seconds since 1970); seat 0: of a call by night."""
        self._do("insert or replace into clock values (?, ?, ?, ?)", (game, seat, n, ends))

    def forget_clocks(self, game: str) -> None:
        """No time is running in a game."""
        self._do("delete from clock where game = ?", (game,))

    def clock(self, game: str, seat: Seat) -> tuple[int, float] | None:
        """The last clock that was kept: the number of the question, and when its time is over."""
        found = self._do("select n, ends from clock where game = ? and seat = ?", (game, seat)).fetchone()
        return found and (found[0], found[1])

    # Links and sessions

    def new_link(self, game: str, seat: Seat) -> str:
        """A new secret for the link of a seat. The one before stops to be valid, and so do its sessions."""
        token = secrets.token_urlsafe(32)
        with self._at_once():
            self._do("delete from session where game = ? and seat = ?", (game, seat))
            self._do("update seat set link = ? where game = ? and seat = ?", (hashed(token), game, seat))
        return token

    def linked(self, token: str) -> tuple[str, Seat] | None:
        """The game and seat that a link leads to."""
        found = self._do("select game, seat from seat where link = ?", (hashed(token),)).fetchone()
        return found and (found[0], found[1])

    def open_session(self, game: str, seat: Seat) -> str:
        """A new session: the secret for its cookie."""
        token = secrets.token_urlsafe(32)
        self._do("insert into session values (?, ?, ?)", (hashed(token), game, seat))
        return token

    def session(self, token: str) -> tuple[str, Seat] | None:
        """The game and seat of a session."""
        found = self._do("select game, seat from session where hash = ?", (hashed(token),)).fetchone()
        return found and (found[0], found[1])

    def close_session(self, token: str) -> None:
        """End a session."""
        self._do("delete from session where hash = ?", (hashed(token),))

    # The host

    def set_password(self, password: str) -> None:
        """Make `password` the host's; sessions opened with another one end."""
        salt = secrets.token_bytes(16)
        with self._at_once():
            self._do("delete from session where seat = ?", (HOST,))
            self._do("delete from password")
            self._do("insert into password values (?, ?)", (salt, _stretched(password, salt)))

    @property
    def has_password(self) -> bool:
        """Whether a password is kept."""
        return self._do("select 1 from password").fetchone() is not None

    def is_password(self, password: str) -> bool:
        """Whether `password` is the host's. Takes some 50 ms of computing."""
        found = self._do("select salt, hash from password").fetchone()
        return found is not None and hmac.compare_digest(found[1], _stretched(password, found[0]))


def hashed(token: str) -> bytes:
    """What is kept of a secret that is too long to be guessed."""
    return hashlib.sha256(token.encode()).digest()


def _stretched(password: str, salt: bytes) -> bytes:
    return hashlib.scrypt(password.encode(), salt=salt, n=2**14, r=8, p=1)
