"""The transcripts that the pages may show: those in certain folders, under names the pages can speak of."""

from pathlib import Path

from arena.terms import UnusableInput
from arena.transcript import Transcript, read

_folders = [Path("transcripts/runs"), Path("transcripts/golden")]


def use(folder: Path) -> None:
    """Show the transcripts in `folder`, and in the folders within it, instead of those in ``transcripts/``.

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
    return read(path)


def _paths() -> dict[str, Path]:
    # A name is looked up among the files that are there, so it can't lead anywhere else.
    found = [(path.stat().st_mtime, path, folder) for folder in _folders for path in folder.glob("**/*.jsonl")]
    found.sort(key=lambda item: (-item[0], str(item[1])))
    return {path.relative_to(folder).as_posix(): path for _, path, folder in found}
