"""Which transcripts a path means: itself, those of a tournament, or all in a folder."""

from collections.abc import Iterator, Mapping
from dataclasses import field
from fractions import Fraction
from pathlib import Path

from arena.series import points_of
from arena.terms import Seat, UnusableInput, record
from arena.tournament.folder import Folder
from arena.tournament.played import game_of, points_in
from arena.tournament.schedule import Fixture
from arena.transcript import Transcript, read


@record
class Source:
    """A game by its name among others; in a tournament with its fixture, who has won for the standings, or why void.

    `points` are those of each seat once it has ended.
    """

    name: str
    transcript: Transcript
    fixture: Fixture | None = None
    format: str = ""
    rated: str = ""
    void: str = ""
    points: Mapping[Seat, Fraction] = field(default_factory=dict)


def sources(path: Path) -> Iterator[Source]:
    """The games at `path`, one after the other.

    Raises:
        UnusableInput: there is none, or a file that is no transcript; names it.
    """
    if not path.is_dir():
        yield _single(path.stem, path)
    elif (path / "tournament.json").exists():
        yield from _tournament(Folder(path))
    else:
        files = sorted(path.rglob("*.jsonl"))
        if not files:
            raise UnusableInput(f"{path}: no transcripts; a transcript, a folder of them, or that of a tournament")
        for file in files:
            yield _single(file.relative_to(path).with_suffix("").as_posix(), file)


def _single(name: str, file: Path) -> Source:
    transcript = read(file)
    return Source(name, transcript, points=points_of(transcript) if transcript.outcome else {})


def _tournament(folder: Folder) -> Iterator[Source]:
    tournament = folder.tournament()
    fixtures = {fixture.id: fixture for fixture in folder.fixtures()}
    for fixture in fixtures.values():
        transcript = folder.transcript(fixture)
        if transcript:
            game = game_of(fixture, transcript, "", tournament.format, tournament.faults)
            points = points_in(game, transcript) if game.winner else {}
            yield Source(fixture.id, transcript, fixture, tournament.format, game.winner, points=points)
    for void in folder.voids():
        file = folder.path / "voids" / f"{void.id}-{void.number}.jsonl"
        try:
            transcript = read(file) if file.exists() and void.id in fixtures else None
        except UnusableInput:
            transcript = None
        if transcript:
            why = f"{void.cause}: {void.why}"
            yield Source(file.stem, transcript, fixtures[void.id], tournament.format, void=why)
