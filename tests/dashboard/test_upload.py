"""Files that visitors open: taken if they are sound, refused in their language if not, and kept nowhere."""

import re
from pathlib import Path
from typing import Any

import orjson
import pytest
from streamlit.testing.v1 import AppTest

from arena.chance import draw
from arena.terms import LANGUAGES, Lang, UnusableInput
from arena.texts import texts
from dashboard import upload
from dashboard.upload import opened
from tests.dashboard.conftest import Open, data_of
from tests.records import HOSTILE, cut, game, hostile, whole


def changed(line: bytes, **keys: Any) -> bytes:
    return orjson.dumps({**orjson.loads(line), **keys}) + b"\n"


def told_otherwise() -> bytes:
    """A game in which a vote was counted that nobody had cast."""
    head, *records = game()
    place = next(n for n, line in enumerate(records) if orjson.loads(line).get("kind") == "tallied")
    return b"".join([head, *records[:place], changed(records[place], tally=[[1, 99]]), *records[place + 1 :]])


HEAD, *RECORDS = game()
REFUSED: dict[str, tuple[bytes, str]] = {
    "nothing": (b"", "foreign"),
    "a picture": (b"\x89PNG\r\n\x1a\n\x00", "foreign"),
    "other lines": (b'{"kind": "said"}\n', "foreign"),
    "markup": (b"<html>", "foreign"),
    "deep": (b"[" * 100_000, "foreign"),
    "a later version": (changed(HEAD, version=99), "damaged"),
    "a foreign key": (changed(HEAD, **{"![x](http://a.invalid/x)": 1}), "damaged"),
    "a line that is none": (HEAD + b"{}\n", "damaged"),
    "more cards than memory": (changed(HEAD, cards={"villager": 10**12}), "damaged"),
    "an unknown card": (changed(HEAD, cards=["dragon"] * 8), "damaged"),
    "another seed": (changed(HEAD, seed=5) + b"".join(RECORDS), "different"),
    "another count": (told_otherwise(), "different"),
    "a header alone": (HEAD, "empty"),
}


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("case", REFUSED)
def test_what_is_no_sound_transcript_is_refused_in_one_line(case: str, lang: Lang) -> None:
    data, why = REFUSED[case]
    with pytest.raises(UnusableInput) as refused:
        opened("my game.jsonl", data, lang)
    line = str(refused.value)
    expected = re.escape(texts(lang, "panels")["refused"][why]).replace(r"\{name\}", "my game.jsonl")
    expected = expected.replace(r"\{line\}", r"\d+").replace(r"\{event\}", r"\d+").replace(r"\{reason\}", ".+")
    assert re.fullmatch(expected, line)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_game_that_people_still_play_is_refused(tmp_path: Path, lang: Lang) -> None:
    data = cut(tmp_path / "game.jsonl", people=True).read_bytes()
    with pytest.raises(UnusableInput, match="真人" if lang == "zh" else "people play in this game"):
        opened("game.jsonl", data, lang)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_file_that_is_too_large_is_refused_unread(monkeypatch: pytest.MonkeyPatch, lang: Lang) -> None:
    monkeypatch.setattr(upload, "LARGEST", 0)
    with pytest.raises(UnusableInput, match=texts(lang, "panels")["refused"]["large"][6:20].split("{")[0]):
        opened("game.jsonl", b"".join(game()), lang)


def test_a_name_is_no_path_and_one_line() -> None:
    with pytest.raises(UnusableInput) as refused:
        opened("../../a\n\u202eb.jsonl", b"", "en")
    assert str(refused.value) == "a b.jsonl is no record of a Duskwald game and was not opened."


def test_a_damaged_file_ends_in_one_line_wherever_the_damage_is() -> None:
    data = b"".join(game())
    for number in range(60):
        place = draw("damage", number) % len(data)
        spoilt = data[:place] + bytes([draw("byte", number) % 256]) + data[place + 1 :]
        try:
            line = str(opened("game.jsonl", spoilt, "en").path)
        except UnusableInput as error:
            line = str(error)
        assert line.startswith("game.jsonl")
        assert "\n" not in line


# On the page


def put(page: AppTest, name: str, data: bytes) -> AppTest:
    page.file_uploader[0].upload(name, data, "application/octet-stream").run()
    assert not page.exception
    return page


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_file_is_shown_instead_of_the_games_here_until_it_is_closed(
    open_page: Open, folder: Path, tmp_path_factory: pytest.TempPathFactory, lang: Lang
) -> None:
    whole(folder / "here.jsonl", players=6)
    mine = whole(tmp_path_factory.mktemp("mine") / "mine.jsonl", players=9, seed=2)
    page = put(open_page(lang=lang), "mine.jsonl", mine.read_bytes())
    assert data_of(page)["address"]["file"] == "mine.jsonl"
    assert len(data_of(page)["names"]) == 10
    assert texts(lang, "panels")["uploaded"].format(name="mine.jsonl") in [text.value for text in page.text]
    page.selectbox(key="view").set_value("god").run()
    assert data_of(page)["open"]
    assert [path.name for path in folder.iterdir()] == ["here.jsonl"]
    page.button(key="close upload").click().run()
    assert data_of(page)["address"]["file"] == "here.jsonl"
    # Another visitor has never seen it.
    assert open_page(lang=lang).selectbox(key="file").options == ["here.jsonl"]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_file_that_is_refused_leaves_the_game_on_the_page(open_page: Open, folder: Path, lang: Lang) -> None:
    whole(folder / "here.jsonl")
    page = put(open_page(lang=lang), "![x](http://a.invalid/x).jsonl", b"Hello")
    assert data_of(page)["address"]["file"] == "here.jsonl"
    assert [text.value for text in page.text] == [
        texts(lang, "panels")["refused"]["foreign"].format(name="x).jsonl"),
    ]
    assert not page.markdown


def test_without_games_a_file_can_still_be_opened(open_page: Open, folder: Path) -> None:
    page = put(open_page(lang="en"), "mine.jsonl", b"".join(game()))
    assert data_of(page)["address"]["file"] == "mine.jsonl"


# The tables on the page


@pytest.mark.parametrize("name", ["speeches", "claims", "votes", "nights", "factions", "thoughts", "accounts"])
def test_a_table_is_opened_beside_the_table(open_page: Open, folder: Path, name: str) -> None:
    hostile(folder / "game.jsonl")
    page = open_page(lang="en", view="god")
    page.selectbox(key="panel").set_value(name).run()
    assert not page.exception
    [_, sheet] = page.get("bidi_component")
    [data] = orjson.loads(sheet.proto.json)
    assert data["rows"]
    assert bool(page.get("vega_lite_chart")) == (name in ("votes", "factions"))
    said = HOSTILE.replace("\u202e", "")
    if name == "speeches":
        assert said in [row[3] for row in data["rows"]]
    elsewhere = [element for element in page.main if element.type != "bidi_component"]
    assert not [element for element in elsewhere if "attacker" in str(getattr(element, "proto", ""))]


def test_private_tables_go_with_the_view_they_belong_to(open_page: Open, folder: Path) -> None:
    whole(folder / "game.jsonl")
    page = open_page(lang="en", view="god")
    page.selectbox(key="panel").set_value("thoughts").run()
    page.selectbox(key="view").set_value("public").run()
    assert not page.exception
    assert "Thoughts" not in page.selectbox(key="panel").options
    assert len(page.get("bidi_component")) == 1
