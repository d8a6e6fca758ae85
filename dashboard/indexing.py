"""Reading transcripts into an index: in this process, or beside it, where much is to be read while pages are shown."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from dashboard.index import Index, Stamp
from dashboard.skim import skim

LOT = 100
"""How many transcripts are put into the index at a time."""

_NICE = 10
"""How far the process beside stands back: whoever looks at a page goes first."""


class File(NamedTuple):
    """A transcript on disk."""

    path: str
    stamp: Stamp


def read_into(index: Index, files: Mapping[str, File]) -> Iterator[int]:
    """Read `files`, by name, into `index`; says now and then how many more it holds."""
    names = list(files)
    for start in range(0, len(names), LOT):
        lot = names[start : start + LOT]
        index.put((name, files[name].stamp, skim(_bytes(files[name].path))) for name in lot)
        yield len(lot)


def read_beside(path: Path, files: Mapping[str, File]) -> Iterator[int]:
    """As `read_into` the index in `path`, in a process of its own: pages and reading want the same interpreter.

    What that process leaves undone, because it can't be started or is ended, is left out.
    """
    # It finds the modules where this process has found them, and is not interrupted with it.
    command = [sys.executable, "-P", "-m", __name__, str(path)]
    found = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    try:
        process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=found, start_new_session=True
        )
    except OSError:
        return
    with process:
        assert process.stdin
        assert process.stdout
        try:
            process.stdin.write(json.dumps(files).encode())
            process.stdin.close()
        except BrokenPipeError:
            return
        yield from map(int, process.stdout)


def main() -> None:
    """The process beside: its argument is the index, its input the files; a line says how many more were read."""
    if sys.platform != "win32":
        os.nice(_NICE)
    files = {name: File(path, (size, changed)) for name, (path, (size, changed)) in json.load(sys.stdin).items()}
    try:
        for count in read_into(Index(Path(sys.argv[1])), files):
            sys.stdout.write(f"{count}\n")
            sys.stdout.flush()
    except BrokenPipeError:
        os._exit(0)  # Nobody waits for the rest any more.


def _bytes(path: str) -> bytes:
    """What is in a file; nothing if it has gone meanwhile."""
    try:
        return Path(path).read_bytes()
    except OSError:
        return b""


if __name__ == "__main__":
    main()
