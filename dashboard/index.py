"""The index of a library: an SQLite file of what a glance at each transcript gives, made anew whenever it is missing.

It lies in the user's cache folder. Words are found by the trigrams of FTS5, which need no spaces and so know Chinese;
what is shorter than three characters is looked for word by word, which is slower and still fast enough.
"""

import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from arena.terms import Lang, Seat, record
from dashboard.skim import Glance

VERSION = 2
"""Of the tables below; an index of another version is made anew."""

_TABLES = """
CREATE TABLE game (
    id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, size INTEGER NOT NULL, changed INTEGER NOT NULL,
    started TEXT, ruleset TEXT, zh TEXT, en TEXT, seats INTEGER, winner TEXT
);
CREATE TABLE player (game INTEGER NOT NULL, kind TEXT NOT NULL, name TEXT NOT NULL);
CREATE INDEX player_of ON player (game);
CREATE INDEX player_called ON player (kind, name);
CREATE TABLE speech (
    id INTEGER PRIMARY KEY, game INTEGER NOT NULL, event INTEGER NOT NULL, seat INTEGER NOT NULL, text TEXT NOT NULL
);
CREATE INDEX speech_of ON speech (game);
CREATE VIRTUAL TABLE words USING fts5 (text, content = 'speech', content_rowid = 'id', tokenize = 'trigram');
"""

UNFINISHED = "unfinished"
"""Stands for the winner of a game that has not ended."""

Stamp = tuple[int, int]
"""Size in bytes and time of the last change in nanoseconds: a file with the same ones is the same."""


@record
class Wanted:
    """Which games are looked for; what is empty leaves all.

    `player` is a kind of player, `model` a part of a model's name; `since` and `until` are days, as ``2026-11-30``.
    """

    ruleset: str = ""
    seats: int = 0
    winner: str = ""
    persona: str = ""
    player: str = ""
    model: str = ""
    since: str = ""
    until: str = ""
    words: str = ""


@record
class Hit:
    """A speech that was looked for: the game's name, the number of the event, who said what."""

    game: str
    event: int
    seat: Seat
    text: str


class Index:
    """The index in the file `path`; any number of threads and processes may use it."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._prepare()

    def stamps(self) -> dict[str, Stamp]:
        """Which files are in the index, by name, and how they were then."""
        with self._open() as base:
            rows = base.execute("SELECT name, size, changed FROM game")
            return {name: (size, changed) for name, size, changed in rows}

    def put(self, found: Iterable[tuple[str, Stamp, Glance | None]]) -> None:
        """Take in files, each with what a glance gave, in place of what was known of them."""
        with self._open() as base:
            for name, stamp, glance in found:
                _drop(base, name)
                _add(base, name, stamp, glance)

    def drop(self, names: Iterable[str]) -> None:
        """Forget files that are gone."""
        with self._open() as base:
            for name in names:
                _drop(base, name)

    def names(self, wanted: Wanted, most: int) -> tuple[list[str], int]:
        """The games that are wanted, the last started first, at most so many, and how many there are."""
        where, values = _where(wanted)
        with self._open() as base:
            [[count]] = base.execute(f"SELECT count(*) FROM game WHERE {where}", values)
            found = base.execute(
                f"SELECT name FROM game WHERE {where} ORDER BY started DESC, name LIMIT ?", [*values, most]
            )
            return [name for (name,) in found], count

    def hits(self, wanted: Wanted, most: int) -> list[Hit]:
        """Speeches with the words that are wanted, in games that are wanted, of the last started first."""
        if not wanted.words:
            return []
        where, values = _where(wanted)
        saying, said = _saying(wanted.words)
        with self._open() as base:
            found = base.execute(
                "SELECT game.name, event, seat, text FROM speech JOIN game ON game.id = speech.game "
                f"WHERE speech.{saying} AND {where} ORDER BY game.started DESC, game.name, speech.event LIMIT ?",
                [said, *values, most],
            )
            return [Hit(*row) for row in found]

    def choices(self, lang: Lang) -> dict[str, dict[str, str]]:
        """What there is to choose from: by field of `Wanted`, each value and what it is called."""
        title = "zh" if lang == "zh" else "en"
        with self._open() as base:
            rulesets = base.execute(
                f"SELECT ruleset, max({title}) FROM game WHERE ruleset > '' GROUP BY ruleset ORDER BY 2"
            )
            choices = {"ruleset": dict(rulesets.fetchall())}
            for field in ("seats", "winner"):
                rows = base.execute(f"SELECT DISTINCT {field} FROM game WHERE {field} <> '' ORDER BY 1")
                choices[field] = {str(value): str(value) for (value,) in rows}
            for field in ("persona", "player"):
                rows = base.execute("SELECT DISTINCT name FROM player WHERE kind = ? ORDER BY 1", [field])
                choices[field] = {name: name for (name,) in rows}
            days = base.execute("SELECT DISTINCT substr(started, 1, 10) FROM game WHERE started <> '' ORDER BY 1 DESC")
            choices["since"] = choices["until"] = {day: day for (day,) in days}
        return choices

    # Within

    @contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        base = sqlite3.connect(self._path, timeout=30)
        try:
            base.execute("PRAGMA synchronous = NORMAL")
            with base:
                yield base
        finally:
            base.close()

    def _prepare(self) -> None:
        """Make the tables, and make them anew where they are of another version or not to be read."""
        try:
            made = self._made()
        except sqlite3.DatabaseError:
            made = False
        if not made:
            for path in (self._path, *(self._path.with_name(f"{self._path.name}-{end}") for end in ("wal", "shm"))):
                path.unlink(missing_ok=True)
            self._made()

    def _made(self) -> bool:
        with self._open() as base:
            [[version]] = base.execute("PRAGMA user_version")
            if version == 0:
                base.execute("PRAGMA journal_mode = WAL")
                base.executescript(f"BEGIN; {_TABLES} PRAGMA user_version = {VERSION}; COMMIT;")
                return True
            base.execute("SELECT count(*) FROM words WHERE words MATCH 'abc'").fetchall()
            return bool(version == VERSION)


def _add(base: sqlite3.Connection, name: str, stamp: Stamp, glance: Glance | None) -> None:
    facts: Sequence[object] = [None] * 6
    if glance:
        facts = [glance.started, glance.ruleset, *glance.titles, glance.seats, glance.winner or UNFINISHED]
    game = base.execute(
        "INSERT INTO game (name, size, changed, started, ruleset, zh, en, seats, winner) VALUES (?,?,?,?,?,?,?,?,?)",
        [name, *stamp, *facts],
    ).lastrowid
    if not glance:
        return
    players = {"persona": glance.personas, "player": glance.players, "model": glance.models}
    base.executemany(
        "INSERT INTO player VALUES (?, ?, ?)", [(game, kind, each) for kind, some in players.items() for each in some]
    )
    base.executemany(
        "INSERT INTO speech (game, event, seat, text) VALUES (?, ?, ?, ?)",
        [(game, speech.event, speech.seat, speech.text) for speech in glance.speeches],
    )
    base.execute("INSERT INTO words (rowid, text) SELECT id, text FROM speech WHERE game = ?", [game])


def _drop(base: sqlite3.Connection, name: str) -> None:
    for (game,) in base.execute("SELECT id FROM game WHERE name = ?", [name]).fetchall():
        base.execute(
            "INSERT INTO words (words, rowid, text) SELECT 'delete', id, text FROM speech WHERE game = ?", [game]
        )
        for table in ("speech", "player"):
            base.execute(f"DELETE FROM {table} WHERE game = ?", [game])
        base.execute("DELETE FROM game WHERE id = ?", [game])


def _where(wanted: Wanted) -> tuple[str, list[object]]:
    """The condition on games, and the values in it."""
    tests: Mapping[str, object] = {
        "ruleset = ?": wanted.ruleset,
        "seats = ?": wanted.seats,
        "winner = ?": wanted.winner,
        "substr(started, 1, 10) >= ?": wanted.since,
        "substr(started, 1, 10) <= ?": wanted.until,
        "game.id IN (SELECT game FROM player WHERE kind = 'persona' AND name = ?)": wanted.persona,
        "game.id IN (SELECT game FROM player WHERE kind = 'player' AND name = ?)": wanted.player,
        "game.id IN (SELECT game FROM player WHERE kind = 'model' AND name LIKE ? ESCAPE '\\')": (
            _within(wanted.model) if wanted.model else ""
        ),
    }
    asked = {test: value for test, value in tests.items() if value}
    if wanted.words:
        saying, said = _saying(wanted.words)
        asked[f"game.id IN (SELECT game FROM speech WHERE {saying})"] = said
    return " AND ".join(asked) or "1", list(asked.values())


def _saying(words: str) -> tuple[str, str]:
    """The condition on speeches that hold `words`, and the value in it."""
    if len(words) >= 3:
        return "id IN (SELECT rowid FROM words WHERE words MATCH ?)", '"{}"'.format(words.replace('"', '""'))
    return "text LIKE ? ESCAPE '\\'", _within(words)


def _within(words: str) -> str:
    """The pattern of LIKE for texts that hold `words`."""
    escaped = "".join(f"\\{char}" if char in "\\%_" else char for char in words)
    return f"%{escaped}%"
