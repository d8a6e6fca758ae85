"""Locks on files, for one process at a time. The system takes them back when a process ends, however it ends.

They are those of ``flock``: Windows has none, so nothing is played there.
"""

import errno
import fcntl
import os
from pathlib import Path

from arena.terms import UnusableInput


def lock(descriptor: int, path: Path, taken: str) -> None:
    """Take the lock of an open file, which is closed if that fails; `path` is what messages name.

    Raises:
        UnusableInput: another process has it, which is said as `taken`; or the disk knows no locks.
    """
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        os.close(descriptor)
        if error.errno not in {errno.EWOULDBLOCK, errno.EACCES}:
            taken = f"can't be locked here ({error.strerror}); take another disk"
        raise UnusableInput(f"{path}: {taken}") from None
