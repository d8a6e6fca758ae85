"""A series: some games at one table. Each game follows from the first one's header and from the games before it.

As the tournament rules have it (source A3), seats and cards are drawn anew for each game and points are added up;
the first direction of speaking flips by the number of the game (A2), and last game's first victim is protected
where the ruleset says so (D).
"""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

from arena.chance import draw, shuffled
from arena.events import Dealt, Event, Exiled, Noted, Out, Phase, Tallied, Turned, Voted, Warned
from arena.terms import Seat, UnusableInput
from arena.transcript import Header, Transcript, read
from arena.transcript.schema import LARGEST_SEED, Series

SMALL_TABLE = 12
"""Up to so many players only last game's first victim is protected; at a larger table those of two games are."""


def path_of(folder: Path, game: int) -> Path:
    """Where the transcript of a game of a series lies."""
    return folder / f"game-{game}.jsonl"


def first_game(header: Header, games: int) -> Header:
    """`header` as that of the first of `games` games. Its players are counted as they sit now."""
    return header.model_copy(update={"series": Series(games=games, players=tuple(range(1, header.players + 1)))})


def next_game(played: Sequence[Transcript], started: str) -> Header | None:
    """The header of the game after those `played`, which begins at `started` (ISO 8601); None after the last."""
    first = played[0].header
    series = _series(first)
    game = len(played) + 1
    if game > series.games:
        return None
    players = tuple(shuffled(series.players, first.seed, "seats", game))
    update = {
        "started": started,
        "seed": draw(first.seed, "game", game) % (LARGEST_SEED + 1),
        "game": game,
        "seats": {seat: first.seats[player] for seat, player in enumerate(players, start=1)},
        "series": Series(games=series.games, players=players),
        "protected": (),
    }
    if first.ruleset.rules["first_kill_protection"]:
        spared = _protected(played)
        update["protected"] = tuple(seat for seat, player in enumerate(players, start=1) if player in spared)
    return first.model_copy(update=update)


def read_series(folder: Path) -> list[Transcript]:
    """The games of the series in `folder`, as far as they have been played; the last may be unfinished.

    Raises:
        UnusableInput: there are none, or one does not follow from those before it.
    """
    played: list[Transcript] = []
    while (path := path_of(folder, len(played) + 1)).exists():
        transcript = read(path)
        header = transcript.header
        if header.series is None:
            raise UnusableInput(f"{path}: line 1: a game of no series")
        due = next_game(played, header.started) if played else first_game(header, header.series.games)
        if due is None or header.model_dump(exclude={"duskwald"}) != due.model_dump(exclude={"duskwald"}):
            raise UnusableInput(f"{path}: line 1: does not follow from the games before it")
        if played and not played[-1].outcome:
            raise UnusableInput(f"{played[-1].path}: unfinished, but followed by another game")
        played.append(transcript)
    if not played:
        raise UnusableInput(f"{folder}: no series; a folder with {path_of(Path(), 1)} is needed")
    return played


def standings(played: Sequence[Transcript]) -> dict[int, list[Fraction]]:
    """The points of each player of a series, game by game; most points in all first."""
    table: dict[int, list[Fraction]] = {player: [] for player in _series(played[0].header).players}
    for transcript in played:
        points = points_of(transcript)
        for seat, player in enumerate(_series(transcript.header).players, start=1):
            table[player].append(points[seat])
    return dict(sorted(table.items(), key=lambda item: -sum(item[1])))


def points_of(transcript: Transcript, winners: Collection[Seat] | None = None) -> dict[Seat, Fraction]:
    """What each seat gets for a game that is over, by the knob `points`.

    `winners` are the seats that count as winners, where these are others than the referee's.
    """
    ended = transcript.outcome
    assert ended is not None
    won = ended.winners if winners is None else winners
    # Through its decimal writing 0.1 is a tenth, so that no sum shows what binary fractions can't hold.
    worth = {what: Fraction(str(points)) for what, points in transcript.header.ruleset.rules["points"].items()}
    good_votes = Counter(_good_votes(transcript.events))
    breaches = Counter(event.seat for event in transcript.events if isinstance(event, Warned))
    points = {}
    for seat in range(1, transcript.header.players + 1):
        end = "draw" if ended.winner == "draw" and winners is None else "win" if seat in won else "loss"
        points[seat] = worth[end] + worth["good_vote"] * good_votes[seat] + worth["breach"] * breaches[seat]
    return points


def _good_votes(events: Sequence[Event]) -> Iterator[Seat]:
    """The village seats whose vote, in the ballot that decided, was for a werewolf who then was exiled."""
    cards: dict[Seat, str] = {}
    sides: dict[Seat, str] = {}
    ballot: dict[Seat, Seat] = {}
    counted = True
    roles: Mapping[str, Mapping[str, Any]] = next(event.roles for event in events if event.kind == "began")
    for event in events:
        match event:
            case Dealt() | Turned():
                cards[event.seat] = event.role
            case Noted(key="faction"):
                sides[event.seat] = event.value
            case Voted():
                if counted:
                    ballot = {}
                ballot.update(event.votes)
                counted = False
            case Tallied():
                counted = True
            case Exiled() if event.seat and roles[cards[event.seat]]["kind"] == "werewolf":
                for voter, target in ballot.items():
                    if target == event.seat and sides.get(voter, roles[cards[voter]]["faction"]) == "village":
                        yield voter


def _protected(played: Sequence[Transcript]) -> set[int]:
    """The players who can't be the first victim of the next game (source D)."""
    spared: set[int] = set()
    large = played[0].header.players > SMALL_TABLE
    for transcript in played[-2:] if large else played[-1:]:
        seats = [*_first_victims(transcript.events), *(_first_exile(transcript.events) if large else ())]
        spared.update(_series(transcript.header).players[seat - 1] for seat in seats)
    return spared


def _first_victims(events: Sequence[Event]) -> Iterator[Seat]:
    for event in events:
        if isinstance(event, Out) and event.night and event.day == 1 and "werewolves" in event.causes:
            yield event.seat


def _first_exile(events: Sequence[Event]) -> Iterator[Seat]:
    day = 0
    for event in events:
        if isinstance(event, Phase):
            day = event.day
        elif isinstance(event, Exiled) and day == 1 and event.seat:
            yield event.seat


def _series(header: Header) -> Series:
    assert header.series is not None
    return header.series
