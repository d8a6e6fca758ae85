"""The replay room: which game, which view, which language, and that nothing else reaches the page."""

import json
import os
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from arena.events import seen_by
from arena.terms import GOD, LANGUAGES, SPECTATOR, Lang
from arena.texts import texts
from arena.transcript import Replied, read
from dashboard import library
from tests.dashboard.conftest import Open, data_of
from tests.records import HOSTILE, begun, cut, hostile, whole


def choose(page: AppTest, key: str, value: str) -> AppTest:
    page.selectbox(key=key).set_value(value).run()
    assert not page.exception
    return page


@pytest.mark.parametrize("lang", LANGUAGES)
def test_without_games_the_page_says_how_to_get_one(open_page: Open, lang: Lang) -> None:
    page = open_page(lang=lang)
    assert [text.value for text in page.text] == [texts(lang, "dashboard")["no_games"]]
    assert not page.selectbox


def test_the_last_game_is_shown_first_and_in_public(open_page: Open, folder: Path) -> None:
    for age, name in enumerate(["new.jsonl", "old.jsonl"]):
        begun(whole(folder / name), 9 - age)
    page = open_page(lang="en")
    assert page.selectbox(key="file").options == ["new.jsonl", "old.jsonl"]
    data = data_of(page)
    assert data["address"] == {"file": "new.jsonl", "view": "public"}
    assert data["frames"][-1]["kind"] == "ended"
    assert page.query_params == {"lang": "en"}


def test_each_view_shows_the_cards_it_knows(open_page: Open, folder: Path) -> None:
    whole(folder / "game.jsonl")
    page = open_page()

    def dealt() -> list[str]:
        frames = data_of(page)["frames"]
        first_night = next(frame for frame in frames if frame["kind"] == "phase")
        cards: dict[str, str] = {}
        for frame in frames[: frames.index(first_night)]:
            cards |= {seat: facts["card"] for seat, facts in frame.get("seats", {}).items()}
        return [seat for seat, card in cards.items() if card]

    assert dealt() == []
    choose(page, "view", "3")
    assert dealt() == ["3"]
    assert data_of(page)["you"] == 3
    choose(page, "view", "god")
    assert dealt() == [str(seat) for seat in range(1, 9)]
    choose(page, "view", "public")
    assert dealt() == []


def test_the_language_is_switched_for_page_and_table(open_page: Open, folder: Path) -> None:
    whole(folder / "game.jsonl")
    page = open_page(lang="zh")
    assert page.selectbox(key="view").options[:2] == ["公开视角", "上帝视角"]
    assert data_of(page)["words"]["next"] == "下一步"
    page.button_group(key="lang").set_value("en").run()
    assert page.selectbox(key="view").options[:2] == ["Public", "All cards"]
    assert data_of(page)["words"]["next"] == "Step forward"
    assert page.query_params["lang"] == "en"


def test_a_link_leads_to_game_view_event_and_language(open_page: Open, folder: Path) -> None:
    for name in ("one.jsonl", "two.jsonl"):
        whole(folder / name)
    data = data_of(open_page(file="one.jsonl", view="god", lang="en", event="33"))
    assert data["address"] == {"file": "one.jsonl", "view": "god"}
    assert (data["lang"], data["start"]) == ("en", 33)


@pytest.mark.parametrize(
    "address",
    [
        {"view": "9"},
        {"view": "-1"},
        {"view": "GOD"},
        {"event": "-5"},
        {"event": "x"},
        {"event": "9" * 30},
        {"event": "²"},
        {"lang": "fr"},
    ],
)
def test_an_address_that_leads_nowhere_shows_the_public_view(
    open_page: Open, folder: Path, address: dict[str, str]
) -> None:
    whole(folder / "game.jsonl")
    assert data_of(open_page(**address))["address"] == {"file": "game.jsonl", "view": "public"}


@pytest.mark.parametrize(("view", "seat"), [("public", SPECTATOR), ("4", 4), ("god", GOD)])
def test_an_event_has_the_number_of_the_record_in_every_view(
    open_page: Open, folder: Path, view: str, seat: int
) -> None:
    events = read(whole(folder / "game.jsonl")).events
    data = data_of(open_page(view=view))
    assert data["counts"] == "record"
    assert all(seen_by(events[frame["event"] - 1], seat) for frame in data["frames"])
    assert [frame["kind"] for frame in data["frames"]] == [events[frame["event"] - 1].kind for frame in data["frames"]]


def test_the_public_view_of_people_does_not_tell_how_much_happens_in_secret(open_page: Open, folder: Path) -> None:
    events = read(cut(folder / "game.jsonl", people=True)).events
    data = data_of(open_page())
    assert data["counts"] == "view"
    public = [event for event in events if event.to is None]
    assert len(public) < len(events)
    assert [frame["kind"] for frame in data["frames"]] == [public[frame["event"] - 1].kind for frame in data["frames"]]


def test_an_address_that_changes_is_followed(open_page: Open, folder: Path) -> None:
    """As when the browser goes back: to the game, the view, the language and the moment that stand in it."""
    for name in ("one.jsonl", "two.jsonl"):
        whole(folder / name)
    page = open_page(file="one.jsonl", view="god", lang="en", event="33")
    choose(choose(page, "file", "two.jsonl"), "view", "1")
    assert (page.query_params["file"], page.query_params["view"]) == ("two.jsonl", "1")
    page.query_params.update(file="one.jsonl", view="god", lang="zh", event="12")
    data = data_of(page.run())
    assert data["address"] == {"file": "one.jsonl", "view": "god"}
    assert (data["lang"], data["start"]) == ("zh", 12)


def test_another_game_starts_at_its_beginning(open_page: Open, folder: Path) -> None:
    for name in ("one.jsonl", "two.jsonl"):
        whole(folder / name)
    page = open_page(file="one.jsonl", view="god", event="33")
    assert data_of(choose(page, "file", "two.jsonl"))["start"] == 0


# Games that have not ended


@pytest.mark.parametrize("view", ["god", "1", "2"])
def test_a_game_that_people_still_play_is_shown_in_public_only(open_page: Open, folder: Path, view: str) -> None:
    cut(folder / "game.jsonl", people=True)
    page = open_page(view=view, lang="en")
    assert page.selectbox(key="view").options == ["Public"]
    data = data_of(page)
    assert data["address"] == {"file": "game.jsonl", "view": "public"}
    assert not [facts for frame in data["frames"] for facts in frame.get("seats", {}).values() if facts["card"]]
    assert [caption.value for caption in page.caption] == [texts("en", "dashboard")["people"]]


def test_a_game_without_people_is_open_before_it_ends(open_page: Open, folder: Path) -> None:
    cut(folder / "game.jsonl")
    page = open_page(view="god", lang="zh")
    assert data_of(page)["address"] == {"file": "game.jsonl", "view": "god"}
    assert [caption.value for caption in page.caption] == [texts("zh", "dashboard")["unfinished"]]


@pytest.mark.parametrize("view", ["public", "2", "god"])
def test_no_ballot_is_on_the_page_before_all_are_in(open_page: Open, folder: Path, view: str) -> None:
    """Field report A-I04: ballots that are written down already, one by one, are on nobody's page."""
    records = read(whole(folder / "game.jsonl")).records
    ballots = [
        number
        for number, record in enumerate(records)
        if isinstance(record, Replied) and record.reply.decision.act == "vote"
    ]
    first = ballots[0]
    assert ballots[1] == first + 1
    cut(folder / "game.jsonl", at=first)
    before = data_of(open_page(view=view))["frames"]
    cut(folder / "game.jsonl", at=first + 2)
    after = data_of(open_page(view=view))["frames"]
    assert before
    assert after == before


# Files that are no transcripts, and words that are no words


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{}\n",
        b"\x89PNG\r\n\x1a\n\x00",
        b'{"format": "duskwald-transcript", "version": 99}\n',
        b"![x](http://a.invalid)\n",
    ],
)
@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_file_that_cannot_be_read_is_one_line_on_the_page(
    open_page: Open, folder: Path, lang: Lang, content: bytes
) -> None:
    (folder / "game.jsonl").write_bytes(content)
    page = open_page(lang=lang)
    [line] = [text.value for text in page.text]
    assert line.startswith(texts(lang, "dashboard")["unreadable"].format(reason=""))
    assert "\n" not in line
    assert not page.get("bidi_component")


def test_a_foreign_key_is_no_markup_in_the_complaint(open_page: Open, folder: Path) -> None:
    path = whole(folder / "game.jsonl")
    head, rest = path.read_bytes().split(b"\n", 1)
    path.write_bytes(b"\n".join([json.dumps({**json.loads(head), "![x](http://a.invalid/x)": 1}).encode(), rest]))
    page = open_page()
    assert "![x]" in page.text[0].value
    assert not page.markdown


def test_a_header_alone_is_an_empty_game(open_page: Open, folder: Path) -> None:
    path = whole(folder / "game.jsonl")
    path.write_bytes(path.read_bytes().split(b"\n", 1)[0] + b"\n")
    page = open_page(lang="en")
    assert [text.value for text in page.text] == [texts("en", "dashboard")["empty"]]


def test_words_of_players_reach_the_table_as_data_and_nothing_else(open_page: Open, folder: Path) -> None:
    hostile(folder / "game.jsonl")
    page = open_page(lang="en")
    said = [frame["said"]["text"] for frame in data_of(page)["frames"] if "said" in frame]
    assert HOSTILE.replace("\u202e", "") in said
    elsewhere = [element for element in page.main if element.type != "bidi_component"]
    assert elsewhere
    assert not [element for element in elsewhere if "attacker" in str(getattr(element, "proto", ""))]


def test_what_is_no_transcript_file_is_left_out(open_page: Open, folder: Path) -> None:
    whole(folder / "game.jsonl")
    (folder / "gone.jsonl").symlink_to(folder / "nowhere")
    (folder / "folder.jsonl").mkdir()
    os.mkfifo(folder / "pipe.jsonl")
    assert open_page(lang="en").selectbox(key="file").options == ["game.jsonl"]


def test_games_of_one_name_in_two_folders_stay_apart(
    open_page: Open, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, players in (("runs", 6), ("golden", 7)):
        (folder / name).mkdir()
        whole(folder / name / "game.jsonl", players=players)
    monkeypatch.setattr(library, "_folders", [folder / "runs", folder / "golden"])
    for name, players in (("runs", 6), ("golden", 7)):
        assert len(data_of(open_page(file=f"{name}/game.jsonl"))["names"]) == players + 1


@pytest.mark.parametrize("file", ["gone.jsonl", "../secret.jsonl", "/etc/passwd"])
def test_a_link_to_a_game_that_is_not_there_opens_no_other(open_page: Open, folder: Path, file: str) -> None:
    whole(folder / "game.jsonl")
    whole(folder.parent / "secret.jsonl")
    for lang in LANGUAGES:
        page = open_page(file=file, view="god", lang=lang)
        assert not page.get("bidi_component")
        assert file in page.text[0].value


def test_a_record_in_which_no_game_begins_is_said_to_be_empty(open_page: Open, folder: Path) -> None:
    path = whole(folder / "game.jsonl")
    head, _, *rest = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(head + b"".join(rest))
    page = open_page(lang="en")
    assert [text.value for text in page.text] == [texts("en", "dashboard")["empty"]]
