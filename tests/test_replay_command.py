"""`arena replay`: the account of a transcript in the terminal, in the view that is asked for and open."""

from pathlib import Path

import orjson
import pytest

from arena.narrate import Narrator
from arena.terms import GOD, SPECTATOR, Lang, Seat
from arena.texts import texts
from arena.transcript import read
from arena.transcript.schema import encode
from arena.transcript.viewing import shown_to
from tests.command_line import CommandLine
from tests.records import cut, whole


@pytest.fixture
def arena(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> CommandLine:
    return CommandLine(monkeypatch, capsys)


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return whole(tmp_path_factory.mktemp("replay") / "game.jsonl")


def account(path: Path, seat: Seat, lang: Lang) -> list[str]:
    narrator = Narrator(lang, seat)
    return [line.text for event in shown_to(read(path), seat).events for line in narrator.lines(event)]


def shown(text: str) -> list[str]:
    return [line.strip() for line in text.splitlines() if line.strip()]


@pytest.mark.parametrize(("options", "seat"), [([], SPECTATOR), (["--seat", 3], 3), (["--god"], GOD)])
def test_each_view_is_told_line_by_line(arena: CommandLine, finished: Path, options: list[str], seat: Seat) -> None:
    ran = arena("replay", finished, *options)
    assert (ran.status, ran.err) == (0, "")
    assert shown(ran.out) == account(finished, seat, "en")


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_the_language_can_be_chosen(arena: CommandLine, finished: Path, lang: Lang) -> None:
    ran = arena("replay", finished, "--lang", lang)
    assert shown(ran.out) == account(finished, SPECTATOR, lang)


@pytest.mark.parametrize(("options", "seat"), [([], SPECTATOR), (["--seat", 3], 3), (["--god"], GOD)])
def test_json_gives_the_events_of_the_view_and_no_others(
    arena: CommandLine, finished: Path, options: list[str], seat: Seat
) -> None:
    ran = arena("replay", finished, "--json", *options)
    assert (ran.status, ran.err) == (0, "")
    assert ran.out.encode() == b"".join(encode(event) for event in shown_to(read(finished), seat).events)
    kinds = {orjson.loads(line)["kind"] for line in ran.out.splitlines()}
    assert ("dealt" in kinds) == (seat != SPECTATOR)


@pytest.mark.parametrize("people", [False, True])
def test_an_unfinished_game_is_told_as_far_as_it_goes(
    arena: CommandLine, finished: Path, tmp_path: Path, people: bool
) -> None:
    half = cut(tmp_path / "half.jsonl", people=people)
    ran = arena("replay", half)
    assert ran.status == 0
    told = account(half, SPECTATOR, "en")
    assert told
    assert shown(ran.out) == told == account(finished, SPECTATOR, "en")[: len(told)]
    assert shown(ran.err) == [texts("en", "events")["unfinished"]]


def test_a_game_without_people_may_be_looked_into_before_it_ends(
    arena: CommandLine, finished: Path, tmp_path: Path
) -> None:
    half = cut(tmp_path / "half.jsonl", people=False)
    ran = arena("replay", half, "--god")
    assert shown(ran.out) == account(half, GOD, "en")


@pytest.mark.parametrize("options", [["--god"], ["--seat", 1], ["--seat", 2], ["--god", "--json"]])
def test_nobody_looks_into_a_game_that_people_still_play(
    arena: CommandLine,
    finished: Path,
    tmp_path: Path,
    options: list[str],
) -> None:
    half = cut(tmp_path / "half.jsonl", people=True)
    ran = arena("replay", half, *options)
    assert (ran.status, ran.out) == (2, "")
    assert len(ran.err.splitlines()) == 1
    assert "only the public view" in ran.err


@pytest.mark.parametrize(
    ("content", "options", "says"),
    [
        (None, [], "can't be read"),
        (b"", [], "no transcript"),
        (b'{"format": "chess"}\n', [], "no transcript"),
        (b"\x89PNG\r\n\x1a\n\x00\xff", [], "no transcript"),
        ("game", ["--seat", 9], "from 1 to 8"),
        ("game", ["--seat", 2, "--god"], "choose one"),
    ],
)
def test_what_cannot_be_told_is_one_line(
    arena: CommandLine,
    finished: Path,
    tmp_path: Path,
    content: bytes | str | None,
    options: list[object],
    says: str,
) -> None:
    path = tmp_path / "file.jsonl"
    if isinstance(content, bytes):
        path.write_bytes(content)
    ran = arena("replay", finished if content == "game" else path, *options)
    assert (ran.status, ran.out) == (2, "")
    assert len(ran.err.splitlines()) == 1
    assert says in ran.err
