"""Whether a transcript is still what it was when its result was kept."""

from hashlib import blake2b
from pathlib import Path
from typing import Self

from arena.terms import record


@record
class Seal:
    """What a file was: its size in bytes, the time of its last change in nanoseconds, and a hash of it."""

    size: int
    changed: int
    digest: str

    @classmethod
    def of(cls, path: Path) -> Self:
        """The seal of the file `path` as it is now."""
        state = path.stat()
        return cls(state.st_size, state.st_mtime_ns, _digest(path))

    def holds(self, path: Path) -> bool:
        """Whether the file `path` is the same; what was copied has another time and is looked into."""
        try:
            state = path.stat()
            if state.st_size != self.size:
                return False
            return state.st_mtime_ns == self.changed or _digest(path) == self.digest
        except FileNotFoundError:
            return False


def _digest(path: Path) -> str:
    return blake2b(path.read_bytes(), digest_size=16).hexdigest()
