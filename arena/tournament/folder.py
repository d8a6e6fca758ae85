"""Where a tournament lies: its plan, what was committed to, and a transcript for each game.

::

    DIR/tournament.json   the plan, as it was read
    DIR/commitment.json   hashes of the seed and of the competitors, written before the first game
    DIR/revealed.json     the seed, written after the last one
    DIR/fixtures.jsonl    every game that was scheduled, in order
    DIR/games/ID.jsonl    transcripts
    DIR/results.jsonl     what is kept of each game that has ended; made again from transcripts where it is missing
    DIR/voids/ID-N.jsonl  games given up, and why in DIR/voids.jsonl
"""

import fcntl
import os
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

import orjson
from pydantic import TypeAdapter

from arena.terms import UnusableInput, record
from arena.tournament.commitment import Commitment, broken, commit
from arena.tournament.plan import Tournament
from arena.tournament.result import EDITION, Result, encode_result
from arena.tournament.schedule import Fixture
from arena.transcript import Transcript, read

_FIXTURE: TypeAdapter[Fixture] = TypeAdapter(Fixture)


@record
class Void:
    """A game that was given up: the fixture, how many of it were before, and the cause."""

    id: str
    number: int
    cause: str


class Folder:
    """The folder of one tournament, for one process at a time (``with``); reading it takes no lock."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock = -1
        self._kept: dict[str, int] | None = None

    def tournament(self) -> Tournament:
        """The plan that is played here.

        Raises:
            UnusableInput: there is none.
        """
        file = self.path / "tournament.json"
        try:
            return Tournament.model_validate_json(file.read_bytes())
        except (OSError, ValueError):
            raise UnusableInput(f"{self.path}: no tournament; {file.name} is missing or was changed") from None

    def begin(self, tournament: Tournament) -> None:
        """Begin, or go on with, a tournament here. What is committed to is written before anything is played.

        Raises:
            UnusableInput: another plan is played here, or a competitor is not what it was.
        """
        plan = orjson.dumps(tournament.model_dump(mode="json"), option=orjson.OPT_INDENT_2)
        file = self.path / "tournament.json"
        if file.exists():
            if file.read_bytes() != plan:
                raise UnusableInput(f"{self.path}: another plan is played here; take another folder, or that plan")
            changed = broken(self.commitment(), tournament.seed, tournament.versions())
            if changed:
                raise UnusableInput(f"{self.path}: {', '.join(changed)}: not what was committed to")
            return
        (self.path / "games").mkdir(exist_ok=True)
        commitment = commit(tournament.seed, tournament.versions())
        self._write("commitment.json", orjson.dumps(commitment, option=orjson.OPT_INDENT_2))
        self._write("tournament.json", plan)

    def commitment(self) -> Commitment:
        """What was committed to.

        Raises:
            UnusableInput: it is missing.
        """
        try:
            return Commitment(**orjson.loads((self.path / "commitment.json").read_bytes()))
        except (OSError, ValueError, TypeError):
            raise UnusableInput(f"{self.path}: commitment.json is missing or was changed") from None

    def reveal(self, tournament: Tournament) -> None:
        """Make the seed known, now that nothing depends on it any more."""
        self._write("revealed.json", orjson.dumps({"seed": tournament.seed}))

    def schedule(self, fixtures: Sequence[Fixture]) -> None:
        """Write down that these are due."""
        known = {fixture.id for fixture in self.fixtures()}
        with (self.path / "fixtures.jsonl").open("ab") as log:
            for fixture in fixtures:
                if fixture.id not in known:
                    log.write(orjson.dumps(fixture, option=orjson.OPT_APPEND_NEWLINE))

    def fixtures(self) -> list[Fixture]:
        """Every game that was scheduled, in order."""
        file = self.path / "fixtures.jsonl"
        return [_FIXTURE.validate_json(line) for line in file.read_bytes().splitlines()] if file.exists() else []

    def game(self, fixture: Fixture) -> Path:
        """Where the transcript of `fixture` lies."""
        return self.path / "games" / f"{fixture.id}.jsonl"

    def transcript(self, fixture: Fixture) -> Transcript | None:
        """The transcript of `fixture`, as far as it has come.

        Raises:
            UnusableInput: it can't be read.
        """
        path = self.game(fixture)
        return read(path) if path.exists() else None

    def keep(self, result: Result) -> None:
        """Keep what is known of a game that has ended, beside its transcript as it is now."""
        file, size = self.path / "results.jsonl", self._size(result.game.id)
        if self._kept is None:
            self._kept = {id: kept for id, (kept, _) in self._lines().items()}
        if self._kept.get(result.game.id) != size:
            self._kept[result.game.id] = size
            with file.open("ab") as log:
                log.write(encode_result(result, size))

    def results(self) -> Mapping[str, bytes]:
        """What was kept, undecoded, by the id of the game; without games whose transcripts have changed since."""
        return {id: line for id, (size, line) in self._lines().items() if size == self._size(id)}

    def _lines(self) -> dict[str, tuple[int, bytes]]:
        """The last line of each game, with the size that its transcript had. A half-written one is none."""
        file = self.path / "results.jsonl"
        lines: dict[str, tuple[int, bytes]] = {}
        for line in file.read_bytes().splitlines() if file.exists() else []:
            try:
                data = orjson.loads(line)
            except orjson.JSONDecodeError:
                continue
            if data["edition"] == EDITION:
                lines[data["id"]] = (data["size"], line)
        return lines

    def _size(self, id: str) -> int:
        """The size of a transcript in bytes, -1 where there is none."""
        try:
            return (self.path / "games" / f"{id}.jsonl").stat().st_size
        except FileNotFoundError:
            return -1

    def set_aside(self, fixture: Fixture, cause: str) -> None:
        """Give up the game of `fixture`: its transcript is kept, and never rated."""
        number = Counter(void.id for void in self.voids())[fixture.id] + 1
        with (self.path / "voids.jsonl").open("ab") as log:
            log.write(orjson.dumps(Void(fixture.id, number, cause), option=orjson.OPT_APPEND_NEWLINE))
        if self.game(fixture).exists():
            (self.path / "voids").mkdir(exist_ok=True)
            self.game(fixture).rename(self.path / "voids" / f"{fixture.id}-{number}.jsonl")

    def voids(self) -> list[Void]:
        """The games that were given up."""
        file = self.path / "voids.jsonl"
        lines = file.read_bytes().splitlines() if file.exists() else []
        return [Void(**orjson.loads(line)) for line in lines]

    def _write(self, name: str, data: bytes) -> None:
        """Write a whole file or none."""
        draft = self.path / f".{name}"
        draft.write_bytes(data)
        draft.replace(self.path / name)

    def __enter__(self) -> Self:
        """Take the folder.

        Raises:
            UnusableInput: another process has it, or it can't be made.
        """
        try:
            self.path.mkdir(parents=True, exist_ok=True)
            self._lock = os.open(self.path / ".lock", os.O_RDWR | os.O_CREAT, 0o644)
        except OSError as error:
            raise UnusableInput(f"{self.path}: can't be written: {error.strerror}") from None
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            os.close(self._lock)
            raise UnusableInput(f"{self.path}: this tournament is being played by another process") from None
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        os.close(self._lock)
