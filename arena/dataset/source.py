"""Which transcripts a path means: itself, those of a tournament, or all in a folder."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import field
from fractions import Fraction
from functools import partial
from pathlib import Path

from arena.series import points_of
from arena.terms import Seat, UnusableInput, record
from arena.tournament.folder import Folder, Stop
from arena.tournament.game import Game
from arena.tournament.plan import Tournament
from arena.tournament.played import game_of, points_in
from arena.tournament.schedule import Fixture
from arena.transcript import Transcript, read


@record
class Source:
    """A game by its name among others; in a tournament with its fixture, as the standings count it, or why it is void.

    `points` are those of each seat once it has ended.
    """

    name: str
    transcript: Transcript
    fixture: Fixture | None = None
    format: str = ""
    game: Game | None = None
    void: str = ""
    points: Mapping[Seat, Fraction] = field(default_factory=dict)


def sources(path: Path) -> Iterator[Source]:
    """The games at `path`, one after the other.

    Raises:
        UnusableInput: there is none; or, after the last game, some files are no transcripts: a line for each.
    """
    if not path.is_dir():
        yield _single(path.stem, path)
    elif (path / "tournament.json").exists():
        folder = Folder(path)
        tournament, fixtures = folder.tournament(), {fixture.id: fixture for fixture in folder.fixtures()}
        yield from _readable(partial(_played, folder, tournament, fixture) for fixture in fixtures.values())
        given_up = (_given_up(folder, tournament, fixtures, void) for void in folder.voids())
        yield from filter(None, given_up)
    else:
        files = sorted(path.rglob("*.jsonl"))
        if not files:
            raise UnusableInput(f"{path}: no transcripts; a transcript, a folder of them, or that of a tournament")
        yield from _readable(
            partial(_single, file.relative_to(path).with_suffix("").as_posix(), file) for file in files
        )


def _readable(games: Iterable[Callable[[], Source | None]]) -> Iterator[Source]:
    """Those games that can be read and have begun; what is wrong with the others is told in the end."""
    corrupt: list[str] = []
    for game in games:
        try:
            source = game()
        except UnusableInput as error:
            corrupt.append(str(error))
            continue
        if source:
            yield source
    if corrupt:
        raise UnusableInput("\n".join(corrupt))


def _single(name: str, file: Path) -> Source:
    transcript = read(file)
    return Source(name, transcript, points=points_of(transcript) if transcript.outcome else {})


def _played(folder: Folder, tournament: Tournament, fixture: Fixture) -> Source | None:
    """The game of a fixture; None where it has not begun."""
    transcript = folder.recorded(fixture)
    if transcript is None:
        return None
    game = game_of(fixture, transcript, "", tournament.format, tournament.faults)
    points = points_in(game, transcript) if game.winner else {}
    return Source(fixture.id, transcript, fixture, tournament.format, game, points=points)


def _given_up(folder: Folder, tournament: Tournament, fixtures: Mapping[str, Fixture], void: Stop) -> Source | None:
    """A game that was given up; None where nothing of it can be read, which may be why it was."""
    file = folder.path / "voids" / f"{void.id}-{void.number}.jsonl"
    if void.id not in fixtures:
        return None
    with suppress(UnusableInput):
        return Source(file.stem, read(file), fixtures[void.id], tournament.format, void=f"{void.cause}: {void.why}")
    return None
