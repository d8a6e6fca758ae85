"""The transcripts that the pages may show: those in certain folders, under names the pages can speak of.

Which files there are is looked up each time; what is in them comes from an index, which is brought up to date by
whoever looks. Much that is new is read in the background, and until then the index says how far it has come.
"""

import hashlib
import os
import re
import stat
import tempfile
import threading
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from pathlib import Path
from typing import NamedTuple

from arena.terms import UnusableInput
from arena.transcript import Transcript, read
from dashboard.index import Index
from dashboard.indexing import File, read_beside, read_into

HERE = Path()
"""The current folder, where ``arena play --out FILE`` may have put a game; folders within it are not looked into."""

AT_ONCE = 4 << 20
"""How many bytes of new transcripts are read while a page waits; more are read in the background."""

HEAD_START = 2.0
"""Seconds that the page which began the reading has for itself: it has much to load, and wants the processor too."""

HEAD = 300
"""How many bytes of a transcript hold the time when its game began."""

_STARTED = re.compile(rb'"started":"([0-9T:.+Z-]{1,40})"')

_folders = [Path("transcripts/runs"), Path("transcripts/golden"), HERE]


class Progress(NamedTuple):
    """How many transcripts of all have been read into the index."""

    done: int
    of: int


def use(folder: Path) -> None:
    """Show the transcripts in `folder`, and in the folders within it, instead of those here and in ``transcripts/``.

    Raises:
        UnusableInput: it is no folder.
    """
    if not folder.is_dir():
        raise UnusableInput(f"{folder}: no folder")
    _folders[:] = [folder]


def files() -> dict[str, File]:
    """All transcripts by name, the game that started last first, so that none moves while games are being written."""
    # Where there are several folders a name begins with its own, so that two of the same name stay apart.
    found = [
        item
        for folder in _folders
        for item in _files(str(folder), "" if len(_folders) == 1 or folder == HERE else f"{folder.name}/")
    ]
    found.sort(key=lambda item: item[0])
    found.sort(key=lambda item: item[2], reverse=True)
    return {name: file for name, file, _ in found}


def open_transcript(name: str, present: Mapping[str, File] | None = None) -> Transcript:
    """The transcript of that name; `present` are the `files`, where they are known already.

    Raises:
        UnusableInput: there is none, or it can't be read.
    """
    return read(path_of(name, present), Path(name))


def path_of(name: str, present: Mapping[str, File] | None = None) -> Path:
    """Where the transcript of that name lies; `present` are the `files`, where they are known already.

    Raises:
        UnusableInput: there is none.
    """
    # A name is looked up among the files that are there, so it can't lead anywhere else.
    file = (files() if present is None else present).get(name)
    if file is None:
        raise UnusableInput(f"{name}: no such transcript")
    return Path(file.path)


def index_of(present: Mapping[str, File]) -> tuple[Index, Progress | None]:
    """The index, brought up to date with the files that are `present`, or how far it has come with them."""
    keeper = _kept()
    return keeper.index, keeper.catch_up(present)


def progress() -> Progress | None:
    """How far the reading has come that goes on, if one does; looks for nothing new."""
    return _kept().progress()


def _kept() -> "_Keeper":
    return _keeper(tuple(folder.resolve() for folder in _folders))


@cache
def _keeper(folders: Sequence[Path]) -> "_Keeper":
    return _Keeper(_cache_folder() / f"library-{_digest(folders)}.sqlite")


def _digest(folders: Sequence[Path]) -> str:
    return hashlib.blake2b("\n".join(map(str, folders)).encode(), digest_size=8).hexdigest()


def _cache_folder() -> Path:
    """Where indexes are kept: the user's cache folder, or one for this process alone where that can't be written."""
    folder = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "duskwald"
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError:
        return _own_folder()
    return folder if os.access(folder, os.W_OK) else _own_folder()


@cache
def _own_folder() -> Path:
    return Path(tempfile.mkdtemp(prefix="duskwald-"))


class _Keeper:
    """Keeps the index in the file `path` up to date: one reader at a time, whoever asks."""

    def __init__(self, path: Path) -> None:
        self.index = Index(path)
        self._path = path
        self._turn = threading.Lock()
        self._reading: threading.Thread | None = None
        self._done = 0
        self._of = 0

    def progress(self) -> Progress | None:
        """How far it has come with much that is new."""
        reads = self._reading is not None and self._reading.is_alive()
        return Progress(self._done, self._of) if reads else None

    def catch_up(self, present: Mapping[str, File]) -> Progress | None:
        """Bring the index up to date, at once if that takes no time; else say how far it has come."""
        with self._turn:
            if reads := self.progress():
                return reads
            known = self.index.stamps()
            new = {name: file for name, file in present.items() if known.get(name) != file.stamp}
            self.index.drop(known.keys() - present.keys())
            if sum(file.stamp[0] for file in new.values()) <= AT_ONCE:
                self._count(read_into(self.index, new))
                return None
            self._done, self._of = len(present) - len(new), len(present)
            self._reading = threading.Thread(target=self._read_behind, args=(new,), daemon=True)
            self._reading.start()
            return Progress(self._done, self._of)

    def _read_behind(self, new: dict[str, File]) -> None:
        time.sleep(HEAD_START)
        self._count(read_beside(self._path, new))
        known = self.index.stamps()
        self._count(read_into(self.index, {name: file for name, file in new.items() if known.get(name) != file.stamp}))

    def _count(self, read: Iterable[int]) -> None:
        for count in read:
            self._done += count


@lru_cache(100_000)
def _started(path: str, inode: int, size: int) -> str:
    """When the game in a file began, as its first line says; `inode` and `size` tell one file from another."""
    try:
        file = os.open(path, os.O_RDONLY)
    except OSError:
        return ""
    try:
        found = _STARTED.search(os.read(file, HEAD))
    finally:
        os.close(file)
    return found[1].decode() if found else ""


def _files(folder: str, before: str) -> Iterator[tuple[str, File, str]]:
    """The transcripts in `folder`, and in those within it, by name, and when each began; `before` begins each name.

    What vanishes meanwhile, is no file, or has a name that is no text, is left out. Ten thousand of them are no place
    for path objects.
    """
    try:
        entries = list(os.scandir(folder))
    except OSError:
        return
    for entry in entries:
        if any("\ud800" <= char <= "\udfff" for char in entry.name):
            continue
        try:
            if entry.is_dir(follow_symlinks=False):
                if folder != str(HERE):
                    yield from _files(entry.path, f"{before}{entry.name}/")
            elif entry.name.endswith(".jsonl") and stat.S_ISREG((about := entry.stat()).st_mode):
                stamp = (about.st_size, about.st_mtime_ns)
                # A file that is empty still, or was replaced, is looked into again.
                started = _started(entry.path, about.st_ino, min(about.st_size, HEAD))
                yield f"{before}{entry.name}", File(entry.path, stamp), started
        except OSError:
            continue
