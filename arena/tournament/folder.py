"""Where a tournament lies: its plan, what was committed to, and a transcript for each game.

::

    DIR/tournament.json   the plan, as it was read
    DIR/commitment.json   hashes of the seed and of the competitors, written before the first game
    DIR/revealed.json     the seed and the competitors as they were hashed, written after the last one
    DIR/fixtures.jsonl    every game that was scheduled, in order
    DIR/games/ID.jsonl    transcripts
    DIR/results.jsonl     what is kept of each game that has ended; made again from transcripts where it is missing
    DIR/voids/ID-N.jsonl  transcripts of games given up
    DIR/stops.jsonl       why games were given up, or had to wait
    DIR/clock.json        seconds played so far
"""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Literal, Self, TypeVar, get_args

import orjson
from pydantic import TypeAdapter, ValidationError

from arena.terms import UnusableInput, record
from arena.tournament.commitment import Commitment, broken, commit
from arena.tournament.lock import Lock
from arena.tournament.plan import Tournament
from arena.tournament.result import EDITION, Result, encode_result
from arena.tournament.schedule import Fixture
from arena.tournament.seal import Seal
from arena.transcript import Difference, Transcript, read, rerun
from arena.transcript.reader import cost, legible

T = TypeVar("T")

Cause = Literal["ours", "provider", "model", "person"]
CAUSES: tuple[Cause, ...] = get_args(Cause)


@record
class Stop:
    """A game that stopped before its end, for a `cause` that is no play: never a win, never a loss.

    `number` counts the transcripts of this fixture that were given up, and `usd` is what this one had cost; with 0 it
    was kept, and the game goes on from it.
    """

    id: str
    number: int
    cause: Cause
    why: str
    usd: float = 0.0


_FIXTURE: TypeAdapter[Fixture] = TypeAdapter(Fixture)
_STOP: TypeAdapter[Stop] = TypeAdapter(Stop)

FREE = {"cap", "concurrency", "endpoints"}
"""What of a plan may change while it is played: how long, how fast and where, but not what."""


class Folder:
    """The folder of one tournament, for one process at a time (``with``); reading it takes no lock."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock = Lock(path)
        self._kept: dict[str, Seal] | None = None

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

        Until its first games are scheduled another plan may take its place, as one in which a mistake was mended.

        Raises:
            UnusableInput: another plan is played here, or a competitor is not what it was.
        """
        if (self.path / "fixtures.jsonl").exists():
            changes = _changes(self.tournament(), tournament)
            if changes:
                other = f"another plan is played here ({', '.join(changes)})"
                raise UnusableInput(f"{self.path}: {other}; take another folder, or that plan")
            changed = broken(self.commitment(), tournament.seed, tournament.versions())
            if changed:
                raise UnusableInput(f"{self.path}: {', '.join(changed)}: not what was committed to")
        else:
            commitment = commit(tournament.seed, tournament.versions())
            self._write("commitment.json", orjson.dumps(commitment, option=orjson.OPT_INDENT_2))
        (self.path / "games").mkdir(exist_ok=True)
        plan = orjson.dumps(tournament.model_dump(mode="json"), option=orjson.OPT_INDENT_2)
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
        """Make known what was committed to, now that nothing depends on it any more."""
        versions = {name: version.decode() for name, version in tournament.versions().items()}
        revealed = {"seed": tournament.seed, "competitors": versions}
        self._write("revealed.json", orjson.dumps(revealed, option=orjson.OPT_INDENT_2))

    def schedule(self, fixtures: Sequence[Fixture]) -> None:
        """Write down that these are due as well: all of them or, if the process ends meanwhile, none."""
        lines = [*self.fixtures(), *fixtures]
        self._write("fixtures.jsonl", b"".join(orjson.dumps(one, option=orjson.OPT_APPEND_NEWLINE) for one in lines))

    def fixtures(self) -> list[Fixture]:
        """Every game that was scheduled, in order.

        Raises:
            UnusableInput: a line can't be read.
        """
        return list(self._lines("fixtures.jsonl", _FIXTURE))

    def game(self, fixture: Fixture) -> Path:
        """Where the transcript of `fixture` lies."""
        return self._path(fixture.id)

    def transcript(self, fixture: Fixture) -> Transcript | None:
        """The transcript of `fixture`, as far as it has come.

        Raises:
            UnusableInput: it can't be read.
        """
        path = self.game(fixture)
        return read(path) if path.exists() else None

    def recorded(self, fixture: Fixture) -> Transcript | None:
        """As `transcript`; an ended game whose result was not kept, or that has changed since, is played over in mind.

        Raises:
            UnusableInput: it can't be read, or is not what the referee says.
        """
        transcript = self.transcript(fixture)
        if transcript and transcript.outcome and not self._is_kept(fixture.id):
            try:
                rerun(transcript.header, transcript.records)
            except Difference as difference:
                raise UnusableInput(f"{transcript.path}: {difference}") from None
        return transcript

    def keep(self, result: Result) -> None:
        """Keep what is known of a game that has ended, beside its transcript as it is now."""
        id = result.game.id
        if not self._is_kept(id):
            seal = self._seals()[id] = Seal.of(self._path(id))
            with (self.path / "results.jsonl").open("ab") as log:
                log.write(encode_result(result, seal))

    def results(self) -> Mapping[str, bytes]:
        """What was kept, undecoded, by the id of the game; without games whose transcripts have changed since."""
        return {id: line for id, (seal, line) in self._results().items() if seal.holds(self._path(id))}

    def _is_kept(self, id: str) -> bool:
        """Whether the result was kept of the transcript as it is."""
        seal = self._seals().get(id)
        return seal is not None and seal.holds(self._path(id))

    def _seals(self) -> dict[str, Seal]:
        """What the transcripts were when their results were kept."""
        if self._kept is None:
            self._kept = {id: seal for id, (seal, _) in self._results().items()}
        return self._kept

    def _results(self) -> dict[str, tuple[Seal, bytes]]:
        """The last line of each game, with the seal of its transcript. A half-written one is none."""
        file = self.path / "results.jsonl"
        lines: dict[str, tuple[Seal, bytes]] = {}
        for line in file.read_bytes().splitlines() if file.exists() else []:
            try:
                data = orjson.loads(line)
            except orjson.JSONDecodeError:
                continue
            if data["edition"] == EDITION:
                lines[data["id"]] = (Seal(*data["seal"]), line)
        return lines

    def _path(self, id: str) -> Path:
        return self.path / "games" / f"{id}.jsonl"

    def stop(self, fixture: Fixture, cause: Cause, why: str) -> Stop:
        """Write down why the game of `fixture` waits; it will go on from its transcript."""
        return self._stopped(Stop(fixture.id, 0, cause, why))

    def set_aside(self, fixture: Fixture, cause: Cause, why: str) -> Stop:
        """Give up the game of `fixture`: its transcript is kept, and never rated."""
        number = max((stop.number for stop in self.stops() if stop.id == fixture.id), default=0) + 1
        game = self.game(fixture)
        usd = cost(legible(game.read_bytes())) if game.exists() else 0.0
        stop = self._stopped(Stop(fixture.id, number, cause, why, usd))
        if game.exists():
            (self.path / "voids").mkdir(exist_ok=True)
            game.rename(self.path / "voids" / f"{fixture.id}-{number}.jsonl")
        return stop

    def _stopped(self, stop: Stop) -> Stop:
        _append(self.path / "stops.jsonl", orjson.dumps(stop, option=orjson.OPT_APPEND_NEWLINE))
        return stop

    def stops(self) -> list[Stop]:
        """Why games stopped before their end, in order.

        Raises:
            UnusableInput: a line can't be read.
        """
        return list(self._lines("stops.jsonl", _STOP))

    def voids(self) -> list[Stop]:
        """The games that were given up. Errors as for `stops`."""
        return [stop for stop in self.stops() if stop.number]

    def clock(self) -> float:
        """Seconds this tournament has been played so far."""
        try:
            return float(orjson.loads((self.path / "clock.json").read_bytes())["seconds"])
        except (OSError, ValueError, KeyError, TypeError):
            return 0.0

    def keep_clock(self, seconds: float) -> None:
        """Write down how long it has been played."""
        self._write("clock.json", orjson.dumps({"seconds": round(seconds, 1)}))

    def _lines(self, name: str, kind: TypeAdapter[T]) -> Iterator[T]:
        """The lines of a file; one that was cut off while it was written is none."""
        file = self.path / name
        whole = file.read_bytes().split(b"\n")[:-1] if file.exists() else []
        for number, line in enumerate(whole, start=1):
            try:
                yield kind.validate_json(line)
            except ValidationError:
                raise UnusableInput(f"{file}: line {number}: was changed, and can't be read any more") from None

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
        self._lock.take()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._lock.leave()


def _changes(before: Tournament, now: Tournament) -> list[str]:
    """The keys in which a plan is another one."""
    one, other = (plan.model_dump(mode="json") for plan in (before, now))
    return [key for key in one if key not in FREE and one[key] != other[key]]


def _append(file: Path, line: bytes) -> None:
    """Add a line; what a killed process has left of one goes first."""
    with file.open("a+b") as log:
        log.seek(0)
        whole = log.read()
        log.truncate(whole.rfind(b"\n") + 1)
        log.write(line)
