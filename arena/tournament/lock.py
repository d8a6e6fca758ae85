"""The lock of a tournament's folder. It imports next to nothing, so that who comes second is told at once."""

import os
from pathlib import Path

from arena.file_lock import lock
from arena.terms import UnusableInput


class Lock:
    """The lock of the folder `path`: one process plays there at a time."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file = -1

    def take(self) -> None:
        """Take it, and make the folder where there is none.

        Raises:
            UnusableInput: another process has it, or the folder can't be made.
        """
        try:
            self._path.mkdir(parents=True, exist_ok=True)
            self._file = os.open(self._path / ".lock", os.O_RDWR | os.O_CREAT, 0o644)
        except OSError as error:
            raise UnusableInput(f"{self._path}: can't be written: {error.strerror}") from None
        lock(self._file, self._path, "this tournament is being played by another process")

    def leave(self) -> None:
        """Give it back."""
        os.close(self._file)


def check_free(path: Path) -> None:
    """Check that nobody plays in the folder `path`, which need not be there.

    Raises:
        UnusableInput: another process does, or the folder can't be written.
    """
    if (path / ".lock").exists():
        folder = Lock(path)
        folder.take()
        folder.leave()
