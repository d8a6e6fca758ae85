"""The transcripts that the pages may show: those in certain folders, under names the pages can speak of."""

import stat
from collections.abc import Iterator
from pathlib import Path

from arena.terms import UnusableInput
from arena.transcript import Transcript, read

HERE = Path()
"""The current folder, where ``arena play --out FILE`` may have put a game; folders within it are not looked into."""

_folders = [Path("transcripts/runs"), Path("transcripts/golden"), HERE]


def use(folder: Path) -> None:
    """Show the transcripts in `folder`, and in the folders within it, instead of those here and in ``transcripts/``.

    Raises:
        UnusableInput: it is no folder.
    """
    if not folder.is_dir():
        raise UnusableInput(f"{folder}: no folder")
    _folders[:] = [folder]


def names() -> list[str]:
    """The names of all transcripts, the last written first."""
    return list(_paths())


def open_transcript(name: str) -> Transcript:
    """The transcript of that name.

    Raises:
        UnusableInput: there is none, or it can't be read.
    """
    path = _paths().get(name)
    if path is None:
        raise UnusableInput(f"{name}: no such transcript")
    return read(path, Path(name))


def _paths() -> dict[str, Path]:
    # A name is looked up among the files that are there, so it can't lead anywhere else.
    found = [(time, path, folder) for folder in _folders for path, time in _files(folder)]
    found.sort(key=lambda item: (-item[0], str(item[1])))
    return {_name(path, folder): path for _, path, folder in found}


def _files(folder: Path) -> Iterator[tuple[Path, float]]:
    """The transcripts in `folder` and when they were written. What vanishes meanwhile, or is no file, is left out."""
    for path in folder.glob("*.jsonl" if folder == HERE else "**/*.jsonl"):
        try:
            about = path.stat()
        except OSError:
            continue
        if stat.S_ISREG(about.st_mode):
            yield path, about.st_mtime


def _name(path: Path, folder: Path) -> str:
    """How pages speak of a file: so that two of the same name in different folders stay apart."""
    return path.relative_to(folder if len(_folders) == 1 else folder.parent).as_posix()
