"""Games that other processes play, told as their transcripts grow: those of the command line and of tournaments."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from arena.terms import UnusableInput
from arena.transcript import read
from arena.transcript.schema import Beside, decode
from dashboard.hosting.telling import Telling

LOOK = 0.5
"""Seconds between two looks at a file that somebody watches."""


class Tail:
    """The transcript in `path`, spoken of as `name`, read on while somebody watches it."""

    def __init__(self, path: Path, name: Path) -> None:
        transcript = read(path, name)
        self.telling = Telling(name, transcript.header)
        self.telling.add(transcript.events)
        self._path = path
        self._name = name
        self._read = path.stat().st_size - transcript.half_written

    @property
    def status(self) -> str:
        """Whether the game goes on, as far as a file can tell."""
        return "ended" if self.telling.ended else "running"

    async def follow(self) -> None:
        """Read on until the game is over.

        Raises:
            UnusableInput: the file is gone, or what came is no transcript.
        """
        while self.telling.ended is None:
            self.look()
            await asyncio.sleep(LOOK)

    def look(self) -> None:
        """Read what has been written since."""
        try:
            with self._path.open("rb") as file:
                file.seek(self._read)
                grown = file.read()
        except OSError as error:
            raise UnusableInput(f"{self._name}: can't be read: {error.strerror}") from None
        *lines, rest = grown.split(b"\n")
        self._read += len(grown) - len(rest)
        records = map(decode, lines)
        self.telling.add([record for record in records if not isinstance(record, Beside)])


class Tails:
    """The files that are being watched, each read once however many watch it."""

    def __init__(self) -> None:
        self._tails: dict[Path, tuple[Tail, asyncio.Task[None]]] = {}
        self._watching: dict[Path, int] = {}

    @property
    def watching(self) -> int:
        """How many files are being watched."""
        return len(self._tails)

    @asynccontextmanager
    async def watched(self, path: Path, name: Path) -> AsyncIterator[Tail]:
        """The game in `path`, for as long as somebody watches it.

        Raises:
            UnusableInput: it is no transcript.
        """
        if path not in self._tails:
            tail = Tail(path, name)
            self._tails[path] = (tail, asyncio.create_task(tail.follow()))
        self._watching[path] = self._watching.get(path, 0) + 1
        try:
            yield self._tails[path][0]
        finally:
            self._watching[path] -= 1
            if not self._watching[path]:
                del self._watching[path]
                _, task = self._tails.pop(path)
                task.cancel()
                await asyncio.gather(task, return_exceptions=True)
