"""`arena export --html`: what is in the file, and what is not."""

import re
from pathlib import Path
from typing import Any

import orjson
import pytest

from arena.events import Dealt, seen_by, view_of
from arena.terms import GOD, LANGUAGES, Lang
from arena.transcript import read
from dashboard.frames import frames
from tests.command_line import CommandLine
from tests.records import HOSTILE, cut, hostile, long, personas, whole


@pytest.fixture
def arena(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> CommandLine:
    monkeypatch.chdir(tmp_path)
    return CommandLine(monkeypatch, capsys)


def game_in(file: Path) -> dict[str, Any]:
    [data] = re.findall(r'<script type="application/json" id="game">(.*?)</script>', file.read_text(encoding="utf-8"))
    game: dict[str, Any] = orjson.loads(data)
    return {**game, "views": {view["code"]: view for view in game["views"]}}


def frames_of(game: dict[str, Any], view: str) -> list[dict[str, Any]]:
    shown = game["views"][view]
    return [
        {"event": event, **game["frames"][place]} for event, place in zip(shown["events"], shown["frames"], strict=True)
    ]


def test_the_public_view_is_the_default_and_alone_in_the_file(arena: CommandLine, tmp_path: Path) -> None:
    path = whole(tmp_path / "game.jsonl")
    ran = arena("export", path, "--html")
    assert (ran.status, ran.out, ran.err) == (0, "game.html\n", "")
    game = game_in(tmp_path / "game.html")
    assert list(game["views"]) == ["public"]
    assert len(game["frames"]) <= len(view_of(read(path).events, 0).events)


@pytest.mark.parametrize(("view", "seat"), [("public", 0), ("3", 3), ("god", GOD)])
def test_a_view_holds_the_frames_of_its_own_events(arena: CommandLine, tmp_path: Path, view: str, seat: int) -> None:
    path = whole(tmp_path / "game.jsonl")
    assert arena("export", path, "--html", "--view", view, "--out", tmp_path / "x.html").status == 0
    told = frames(view_of(read(path).events, seat), "en")
    assert frames_of(game_in(tmp_path / "x.html"), view) == orjson.loads(orjson.dumps(told))


def test_all_views_of_a_finished_game_share_what_is_the_same(arena: CommandLine, tmp_path: Path) -> None:
    path = whole(tmp_path / "game.jsonl")
    arena("export", path, "--html", "--view", "all")
    game = game_in(tmp_path / "game.html")
    assert list(game["views"]) == ["public", "god", *map(str, range(1, 9))]
    for view, seat in (("public", 0), ("god", GOD), ("8", 8)):
        told = frames(view_of(read(path).events, seat), "en")
        numbers = [number for number, event in enumerate(read(path).events, start=1) if seen_by(event, seat)]
        told = [{**frame, "event": numbers[frame["event"] - 1]} for frame in told]
        assert frames_of(game, view) == orjson.loads(orjson.dumps(told))
        assert game["views"][view]["counts"] == "record"
    assert len(game["frames"]) < sum(len(view["frames"]) for view in game["views"].values()) / 3


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_language_is_that_of_the_game_or_the_one_asked_for(arena: CommandLine, tmp_path: Path, lang: Lang) -> None:
    path = whole(tmp_path / "game.jsonl", lang=lang)
    other = "en" if lang == "zh" else "zh"
    arena("export", path, "--html")
    assert game_in(tmp_path / "game.html")["setting"]["lang"] == lang
    arena("export", path, "--html", "--lang", other)
    assert game_in(tmp_path / "game.html")["setting"]["lang"] == other


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_other_language_is_in_the_file_as_what_differs(arena: CommandLine, tmp_path: Path, lang: Lang) -> None:
    path = whole(tmp_path / "game.jsonl", lang=lang)
    other: Lang = "en" if lang == "zh" else "zh"
    arena("export", path, "--html", "--view", "all")
    game = game_in(tmp_path / "game.html")
    translated = game["other"]
    assert translated["setting"]["lang"] == other
    for place, (view, seat) in enumerate((("public", 0), ("god", GOD), ("1", 1))):
        told = orjson.loads(orjson.dumps(frames(view_of(read(path).events, seat), other)))
        places = game["views"][view]["frames"]
        merged_ = [merged(game["frames"][n], translated["frames"][n]) for n in places]
        assert merged_ == [{key: value for key, value in frame.items() if key != "event"} for frame in told]
        assert translated["views"][place]["name"] != game["views"][view]["name"]
    # A speech is what was said, in whichever language.
    assert not [frame for frame in translated["frames"] if "text" in ((frame or {}).get("said") or {})]


def merged(one: Any, other: Any) -> Any:
    """What the page makes of both."""
    if other is None or not (isinstance(one, dict) and isinstance(other, dict)):
        return one if other is None else other
    return {**one, **{key: merged(one[key], value) for key, value in other.items()}}


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ([], "choose a format: --html"),
        (["--html", "--view", "9"], "--view 9: public, god, all, or a seat from 1 to 8"),
        (["--html", "--view", "GOD"], "--view GOD: public, god, all"),
        (["--html", "--out", "game.jsonl"], "--out game.jsonl: that is the transcript"),
        (["--html", "--out", "nowhere/game.html"], "nowhere/game.html"),
    ],
)
def test_what_cannot_be_exported_is_one_line(
    arena: CommandLine, tmp_path: Path, arguments: list[str], complaint: str
) -> None:
    path = whole(tmp_path / "game.jsonl")
    before = path.read_bytes()
    ran = arena("export", "game.jsonl", *arguments)
    assert (ran.status, ran.out) == (2, "")
    assert complaint in ran.err
    assert len(ran.err.splitlines()) == 1
    assert path.read_bytes() == before
    assert [file.name for file in tmp_path.iterdir()] == ["game.jsonl"]


def test_a_header_alone_is_no_game_to_export(arena: CommandLine, tmp_path: Path) -> None:
    path = whole(tmp_path / "game.jsonl")
    path.write_bytes(path.read_bytes().split(b"\n", 1)[0] + b"\n")
    assert arena("export", path, "--html").err == f"arena: {path}: no game has begun in it\n"


@pytest.mark.parametrize("view", ["god", "1", "all"])
def test_a_game_that_people_still_play_is_exported_in_public_only(
    arena: CommandLine, tmp_path: Path, view: str
) -> None:
    path = cut(tmp_path / "game.jsonl", people=True)
    assert arena("export", path, "--html", "--view", view).status == 2
    assert not (tmp_path / "game.html").exists()
    assert arena("export", path, "--html").status == 0
    game = game_in(tmp_path / "game.html")
    assert game["setting"]["people"] == [["", ""]] * 8
    assert game["views"]["public"]["counts"] == "view"
    assert "Ming" not in (tmp_path / "game.html").read_text(encoding="utf-8")
    cards = [facts["card"] for frame in game["frames"] for facts in frame.get("seats", {}).values()]
    assert set(cards) == {""}


def test_views_are_switched_in_finished_games_only(arena: CommandLine, tmp_path: Path) -> None:
    path = cut(tmp_path / "game.jsonl")
    ran = arena("export", path, "--html", "--view", "all")
    assert (ran.status, len(ran.err.splitlines())) == (2, 1)
    assert arena("export", path, "--html", "--view", "god").status == 0
    assert "god" in game_in(tmp_path / "game.html")["views"]


def test_who_plays_is_in_the_file_by_name_persona_and_model(arena: CommandLine, tmp_path: Path) -> None:
    arena("export", personas(tmp_path / "game.jsonl"), "--html", "--lang", "zh")
    people = game_in(tmp_path / "game.html")["setting"]["people"]
    assert people[0] == ["冷面推理家", "脚本"]
    assert len({name for name, _ in people}) == 9


def test_no_word_of_a_player_is_markup_in_the_file(arena: CommandLine, tmp_path: Path) -> None:
    arena("export", hostile(tmp_path / "game.jsonl"), "--html", "--view", "all")
    page = (tmp_path / "game.html").read_text(encoding="utf-8")
    assert "<script>alert" not in page
    assert page.count("<script") == page.count("</script>") == 2
    game = game_in(tmp_path / "game.html")
    said = HOSTILE.replace("\u202e", "")
    assert game["setting"]["people"][0][0] == said
    assert game["setting"]["people"][1] == [said, said]


def test_the_policy_allows_the_one_script_and_no_request(arena: CommandLine, tmp_path: Path) -> None:
    arena("export", whole(tmp_path / "game.jsonl"), "--html")
    page = (tmp_path / "game.html").read_text(encoding="utf-8")
    [policy] = re.findall(r'http-equiv="Content-Security-Policy" content="([^"]+)"', page)
    rules = dict(rule.split(" ", 1) for rule in policy.split("; "))
    assert rules["default-src"] == "'none'"
    assert re.fullmatch(r"'sha256-[\w+/=]+'", rules["script-src"])
    assert re.fullmatch(r"'sha256-[\w+/=]+'", rules["style-src"])
    assert not re.search(r"""(?:src|href)=|url\(|@import|fetch\(|XMLHttp|https?://(?!www\.w3\.org/2000/svg)""", page)


def test_a_long_game_stays_small(arena: CommandLine, tmp_path: Path) -> None:
    path = long(tmp_path / "game.jsonl")
    seen = len(view_of(read(path).events, GOD).events)
    assert seen >= 3000
    arena("export", path, "--html", "--view", "god")
    data = len(orjson.dumps(game_in(tmp_path / "game.html")))
    assert data < 1_000_000
    assert (tmp_path / "game.html").stat().st_size - data < 200_000


def test_a_card_is_in_no_file_whose_view_has_not_seen_it(arena: CommandLine, tmp_path: Path) -> None:
    path = cut(tmp_path / "game.jsonl")
    dealt = {event.seat for event in read(path).events if isinstance(event, Dealt)}
    for seat in sorted(dealt):
        arena("export", path, "--html", "--view", seat, "--out", tmp_path / "x.html")
        for frame in frames_of(game_in(tmp_path / "x.html"), str(seat)):
            if frame["kind"] == "phase":
                break
            assert {int(number) for number, facts in frame.get("seats", {}).items() if facts["card"]} <= {seat}
