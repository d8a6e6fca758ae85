"""Writing a transcript: one writer, and nothing goes on before it is written."""

import os
import secrets
from pathlib import Path
from types import TracebackType
from typing import Self

from arena.events import Phase
from arena.file_lock import lock
from arena.terms import Attempt, Seat, UnusableInput
from arena.transcript.reader import Transcript, parse
from arena.transcript.schema import Attempted, Header, Record, Reserved, encode


class Writer:
    """The one who may append to a transcript, by a lock that ends with the process at the latest.

    Records are handed to the operating system at once, so they outlive this process; at each nightfall
    and daybreak, and at the end, they are forced to disk, so they outlive the machine.
    """

    def __init__(self, path: Path, descriptor: int) -> None:
        self.path = path
        self._descriptor = descriptor
        self._night = False
        lock(descriptor, path, "this game is being played by another process")

    @classmethod
    def create(cls, path: Path, header: Header) -> Self:
        """Begin the transcript `path`; the folders it lies in are made.

        Raises:
            UnusableInput: it exists already, or can't be written.
        """
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            descriptor = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_EXCL, 0o644)
        except OSError as error:
            if isinstance(error, FileExistsError) and path.exists():
                raise UnusableInput(f"{path}: exists already; a transcript is never overwritten") from None
            raise _unwritable(path, error) from None
        writer = cls(path, descriptor)
        writer._write(encode(header))
        return writer

    @classmethod
    def resume(cls, path: Path) -> tuple[Transcript, Self]:
        """Read `path`, and take it over to write on behind its last whole line.

        Raises:
            UnusableInput: it is no transcript, is being written by another process, or can't be written.
        """
        try:
            descriptor = os.open(path, os.O_RDWR | os.O_APPEND)
        except OSError as error:
            raise _unwritable(path, error) from None
        writer = cls(path, descriptor)
        try:
            data = path.read_bytes()
            transcript = parse(data, path)
            # Only under the lock is a half-written line one that nobody is still writing.
            os.ftruncate(descriptor, len(data) - transcript.half_written)
        except BaseException:
            os.close(descriptor)
            raise
        phases = [event.part for event in transcript.events if isinstance(event, Phase)]
        writer._night = phases[-1:] == ["night"]
        return transcript, writer

    @classmethod
    def take_over(cls, path: Path) -> tuple[Transcript, Self]:
        """As `resume`, from whoever may still write to `path` on a machine that nobody hears of any more.

        The transcript goes on in a copy under the same name. What that one still writes ends in a file without name.
        """
        draft = path.with_name(f".{path.name}-{secrets.token_hex(4)}")
        try:
            draft.write_bytes(path.read_bytes())
            draft.replace(path)
        except OSError as error:
            raise _unwritable(path, error) from None
        return cls.resume(path)

    def append(self, *records: Record) -> None:
        """Write `records`, all or, if the process ends meanwhile, some first ones.

        Raises:
            UnusableInput: the disk is full, or gone.
        """
        self._write(b"".join(map(encode, records)))
        for record in records:
            if isinstance(record, Phase) and (record.part == "night") != self._night:
                self._night = not self._night
                self._to_disk()

    def reserved(self, seat: Seat, n: int, usd: float) -> None:
        """Write that a call to a model begins; errors as for `append`."""
        self.append(Reserved(seat, n, usd))

    def attempted(self, seat: Seat, n: int, attempt: Attempt) -> None:
        """Write what came of a call to a model; errors as for `append`."""
        self.append(Attempted(seat, n, attempt))

    def _write(self, data: bytes) -> None:
        try:
            while data:
                data = data[os.write(self._descriptor, data) :]
        except OSError as error:
            raise _unwritable(self.path, error) from None

    def _to_disk(self) -> None:
        try:
            os.fsync(self._descriptor)
        except OSError as error:
            raise _unwritable(self.path, error) from None

    def close(self) -> None:
        """Force everything to disk, and let go of the lock.

        Raises:
            UnusableInput: the disk is full, or gone.
        """
        try:
            self._to_disk()
        finally:
            os.close(self._descriptor)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()


def _unwritable(path: Path, error: OSError) -> UnusableInput:
    return UnusableInput(f"{path}: can't be written: {error.strerror}")
