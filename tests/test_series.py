"""A series: games at one table, with seats, cards and points of their own."""

import shutil
from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from typing import Any

import orjson
import pytest

from arena.dataset import write_tables
from arena.events import Dealt, Ended, Event, Exiled, Noted, Out, Phase, Tallied, Voted, Warned
from arena.roles import ROLES
from arena.series import first_game, next_game, path_of, points_of, read_series, standings
from arena.terms import Seat, UnusableInput
from arena.transcript import Header, Transcript, rerun
from tests.command_line import CommandLine
from tests.matches import header, lines

CARDS = ("werewolf", "seer", "guard", "werewolf", "villager", "villager")


@pytest.fixture
def arena(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> CommandLine:
    """The command line, in an empty folder."""
    monkeypatch.chdir(tmp_path)
    return CommandLine(monkeypatch, capsys)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A series of three games, as the command line plays it."""
    folder = tmp_path_factory.mktemp("series")
    with pytest.MonkeyPatch.context() as monkeypatch:
        monkeypatch.setattr("sys.argv", ["arena", *series_options(folder)])
        from arena.cli import main

        with pytest.raises(SystemExit) as ended:
            main()
    assert ended.value.code == 0
    return folder


def series_options(folder: Path) -> list[str]:
    rule = "first_kill_protection=true"
    return ["play", "--series", "3", "--players", "7", "--seed", "4", "--rule", rule, "--quiet", "--out", str(folder)]


def without_times(path: Path) -> list[bytes]:
    head, *records = lines(path)
    return [head.split(b'"lang"')[1], *records]


def test_its_tables_say_which_game_of_it_each_is(whole: Path, tmp_path: Path) -> None:
    write_tables(whole, tmp_path, "jsonl", None)
    games = [orjson.loads(line) for line in (tmp_path / "games.jsonl").read_bytes().splitlines()]
    assert [game["series_game"] for game in games] == [1, 2, 3]


def test_each_game_has_seats_cards_and_a_seed_of_its_own(whole: Path) -> None:
    games = read_series(whole)
    assert [game.header.game for game in games] == [1, 2, 3]
    assert all(game.outcome for game in games)
    seats = [game.header.series.players for game in games if game.header.series]
    assert seats[0] == (1, 2, 3, 4, 5, 6, 7)
    assert len(set(seats)) == len({game.header.seed for game in games}) == 3
    assert all(sorted(players) == [1, 2, 3, 4, 5, 6, 7] for players in seats)


def test_last_games_first_victim_is_protected_where_it_sits_now(whole: Path) -> None:
    games = read_series(whole)
    for before, after in pairwise(games):
        victims = [e.seat for e in before.events if isinstance(e, Out) and e.day == 1 and e.causes[0] == "werewolves"]
        assert before.header.series
        assert after.header.series
        players = [before.header.series.players[seat - 1] for seat in victims]
        assert [after.header.series.players[seat - 1] for seat in after.header.protected] == players


@pytest.mark.parametrize("left", ["no trace of game 3", "half of game 2", "all but the last line of game 3"])
def test_an_interrupted_series_goes_on_to_the_same_end(
    whole: Path, tmp_path: Path, arena: CommandLine, left: str
) -> None:
    folder = tmp_path / "again"
    shutil.copytree(whole, folder)
    second, third = path_of(folder, 2), path_of(folder, 3)
    if left == "all but the last line of game 3":
        third.write_bytes(b"".join(lines(third)[:-1]))
    else:
        third.unlink()
    if left == "half of game 2":
        second.write_bytes(second.read_bytes()[: second.stat().st_size // 2])
    ran = arena("resume", folder, "--quiet")
    assert (ran.status, ran.err) == (0, "")
    for game in (1, 2, 3):
        assert without_times(path_of(folder, game)) == without_times(path_of(whole, game))
    assert "积分" in ran.out


def test_the_points_are_shown_at_the_end(whole: Path, arena: CommandLine) -> None:
    shown = arena("resume", whole).out
    totals = [line.split("│")[-2].strip() for line in shown.splitlines() if line.startswith("│")]
    assert totals == [f"{float(sum(points)):g}" for points in standings(read_series(whole)).values()]
    assert [float(total) for total in totals] == sorted(map(float, totals), reverse=True)


def replace(path: Path, old: bytes, new: bytes) -> None:
    data = path.read_bytes()
    assert data.count(old) == 1
    path.write_bytes(data.replace(old, new))


MISTAKES: dict[str, tuple[Callable[[Path], object], str]] = {
    "no game": (lambda folder: path_of(folder, 1).unlink(), "no series"),
    "another number": (
        lambda folder: replace(path_of(folder, 2), b'"game":2', b'"game":3'),
        "game-2.jsonl: line 1: does not follow",
    ),
    "a gap": (
        lambda folder: path_of(folder, 2).write_bytes(b"".join(lines(path_of(folder, 2))[:9])),
        "game-2.jsonl: unfinished",
    ),
    "more games than there are": (
        lambda folder: shutil.copy(path_of(folder, 3), path_of(folder, 4)),
        "game-4.jsonl: line 1: does not follow",
    ),
    "a game of no series": (
        lambda folder: replace(path_of(folder, 1), b'"series":{"games":3,"players":[1,2,3,4,5,6,7]},', b""),
        "game-1.jsonl: line 1: a game of no series",
    ),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_what_is_no_series_is_refused_in_one_line(
    whole: Path, tmp_path: Path, arena: CommandLine, mistake: str
) -> None:
    folder = tmp_path / "again"
    shutil.copytree(whole, folder)
    spoil, complaint = MISTAKES[mistake]
    spoil(folder)
    ran = arena("resume", folder)
    assert (ran.status, ran.out) == (2, "")
    assert complaint in ran.err
    assert ran.err.count("\n") == 1


def test_a_series_does_not_overwrite_another(whole: Path, arena: CommandLine) -> None:
    ran = arena(*series_options(whole))
    assert (ran.status, ran.out) == (2, "")
    assert "game-1.jsonl: exists already" in ran.err


def game(*events: Event, cards: tuple[str, ...] = CARDS, game: int = 1, **rules: Any) -> Transcript:
    """A game of a series whose first events are the deal of `cards`."""
    head = header(len(cards), **rules).model_copy(update={"cards": cards, "game": game})
    head = first_game(head, 5)
    begun = [event for event in rerun(head).events if isinstance(event, Dealt) or event.kind == "began"]
    return Transcript(Path("a game"), head, (*begun, *events))


def ended(winner: str, winners: tuple[Seat, ...], cards: tuple[str, ...] = CARDS) -> Ended:
    return Ended(winner, "", winners, cards, ())


EXILE = (Voted("vote", ((2, 1), (3, 1), (4, 1), (5, 6), (6, 1))), Tallied("vote", (), (1,)), Exiled(1))
RUNOFF = (
    Voted("vote", ((2, 1), (3, 5))),
    Tallied("vote", (), (1, 5)),
    Voted("runoff", ((5, 1),)),
    Voted("runoff", ((6, 1), (3, 5))),
    Tallied("runoff", (), (1,)),
    Exiled(1),
)
POINTS = {
    "a win and good votes": ((*EXILE, ended("village", (2, 3, 5, 6))), [0, 1.5, 1.5, 0, 1, 1.5]),
    "only the ballot that decided": ((*RUNOFF, ended("village", (2, 3, 5, 6))), [0, 1, 1, 0, 1.5, 1.5]),
    "a draw": ((ended("draw", ()),), [0.5] * 6),
    "breaches": ((Warned(5, "oath", 1), Warned(5, "oath", 2), ended("werewolves", (1, 4))), [1, 0, 0, 1, -1, 0]),
    "one who plays for the lovers": (
        (Noted(2, "faction", "lovers"), *EXILE, ended("lovers", (2,))),
        [0, 1, 0.5, 0, 0, 0.5],
    ),
    "an exile of the good": (
        (Voted("vote", ((2, 5), (3, 5))), Tallied("vote", (), (5,)), Exiled(5), ended("werewolves", (1, 4))),
        [1, 0, 0, 1, 0, 0],
    ),
    "a vote that exiles nobody": (
        (Voted("vote", ((2, 1), (3, 5))), Tallied("vote", (), (1, 5)), Exiled(0), ended("werewolves", (1, 4))),
        [1, 0, 0, 1, 0, 0],
    ),
}


@pytest.mark.parametrize("case", POINTS)
def test_the_points_of_a_game(case: str) -> None:
    events, points = POINTS[case]
    assert [float(number) for number in points_of(game(*events)).values()] == points


def test_points_are_set_by_the_rules_and_added_exactly() -> None:
    events, worth = POINTS["breaches"][0], {"win": 3, "breach": -0.1}
    assert points_of(game(*events, points=worth)) == {1: 3, 2: 0, 3: 0, 4: 3, 5: Fraction(-1, 5), 6: 0}


def protected_after(*games: Transcript) -> tuple[Seat, ...]:
    """Who is protected in the next game, by the number of the player."""
    due: Header | None = next_game(games, "")
    assert due
    assert due.series
    return tuple(sorted(due.series.players[seat - 1] for seat in due.protected))


def first_cycle(victim: Seat, exile: Seat) -> tuple[Event, ...]:
    night, day = Out(victim, ("poison", "werewolves"), 1, True), Out(exile, ("exile",), 1, False)
    later = Out(5, ("werewolves",), 2, True)
    return (
        Out(4, ("poison",), 1, True),
        night,
        Phase(1, "vote"),
        Exiled(exile),
        day,
        later,
        Phase(2, "vote"),
        Exiled(6),
    )


@pytest.mark.parametrize(
    ("players", "protected"), [(12, (9,)), (13, (1, 2, 8, 9))], ids=["last game's victim", "victims and exiles of two"]
)
def test_who_is_protected(players: int, protected: tuple[Seat, ...]) -> None:
    cards = ("werewolf",) * 3 + ("seer", "witch", "hunter") + ("villager",) * (players - 6)
    assert {"werewolf", "seer", "witch", "hunter", "villager"} <= ROLES.keys()
    games = [
        game(*first_cycle(victim, exile), cards=cards, first_kill_protection=True, ruleset="last-words")
        for victim, exile in ((7, 3), (1, 2), (9, 8))
    ]
    assert protected_after(*games) == protected


def test_nobody_is_protected_where_the_rules_do_not_say_so() -> None:
    assert protected_after(game(*first_cycle(1, 2))) == ()


def test_a_header_seats_each_player_of_the_series_once() -> None:
    data = first_game(header(6), 5).model_dump()
    data["series"]["players"] = (1, 2, 3, 4, 5, 5)
    with pytest.raises(ValueError, match="series: players"):
        Header.model_validate(data)


def test_a_folder_without_games_is_no_series(tmp_path: Path) -> None:
    with pytest.raises(UnusableInput, match="no series"):
        read_series(tmp_path)
