"""The library: which games there are, what they were about, and what was said in them."""

import os
import sqlite3
import threading
import time
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

import orjson
import pytest

from arena.events import Said
from arena.terms import LANGUAGES, SPECTATOR, Lang
from arena.texts import texts
from arena.transcript import read
from arena.transcript.viewing import shown_to
from dashboard import indexing, library, skim
from dashboard.index import Hit, Index, Wanted
from dashboard.indexing import File, read_beside
from dashboard.rooms.finding import OFFERED, around
from dashboard.skim import Speech
from tests.dashboard.conftest import Open, data_of
from tests.records import HOSTILE, begun, cut, game, hostile, personas, whole

SAID = "The stove is cold, 今晚验三号。"


def saying(path: Path, text: str, **changes: object) -> Path:
    """A game in `path` in which the first speech is `text`; `changes` are those of its header."""
    head, *records = whole(path).read_bytes().splitlines(keepends=True)
    for number, line in enumerate(records):
        data = orjson.loads(line)
        if data["kind"] == "said" and data["to"] is None and data.get("text"):
            records[number] = orjson.dumps({**data, "text": text}) + b"\n"
            break
    path.write_bytes(orjson.dumps({**orjson.loads(head), **changes}) + b"\n" + b"".join(records))
    return path


def up_to_date() -> Index:
    """The index, once it has all that is there."""
    while True:
        index, progress = library.index_of(library.files())
        if progress is None:
            return index
        time.sleep(0.1)


def names(**wanted: object) -> list[str]:
    return up_to_date().names(replace(Wanted(), **wanted), 1000)[0]  # type: ignore[arg-type]


# A glance


def test_a_glance_sees_what_the_public_view_has_heard(tmp_path: Path) -> None:
    path = whole(tmp_path / "game.jsonl")
    said = [
        Speech(number, event.seat, event.text)
        for number, event in enumerate(read(path).events, start=1)
        if isinstance(event, Said) and event.text and event.to is None
    ]
    glance = skim.skim(path.read_bytes())
    assert glance
    assert list(glance.speeches) == said
    outcome = read(path).outcome
    assert outcome
    assert (glance.winner, glance.seats, glance.ruleset) == (outcome.winner, 8, "duskwald")


def test_a_glance_at_a_game_of_people_does_not_tell_who_they_are(tmp_path: Path) -> None:
    personas_ = [{"player": "scripted", "persona": "cold-logician"}] * 7
    seats = {"1": {"player": "human", "name": "Ming"}, **{str(n): plan for n, plan in enumerate(personas_, start=2)}}
    path = cut(tmp_path / "game.jsonl", people=True)
    head, rest = path.read_bytes().split(b"\n", 1)
    path.write_bytes(orjson.dumps({**orjson.loads(head), "seats": seats}) + b"\n" + rest)
    glance = skim.skim(path.read_bytes())
    assert glance
    assert (glance.personas, glance.players, glance.models, glance.winner) == ((), (), (), "")
    assert "Ming" not in repr(glance)


def test_no_private_word_is_taken(tmp_path: Path) -> None:
    """Words of the pack at night and to some seats, thoughts, and answers of models stay where they are."""
    head, *records = game()
    secret = [
        b'{"kind":"said","to":[1],"seat":1,"topic":"speech","text":"hush"}\n',
        b'{"kind":"acted","to":[1],"seat":1,"act":"attack","text":"hush"}\n',
        b'{"kind":"replied","seat":1,"n":1,"reply":{"decision":{"act":"speak","text":"hush"},"source":"script"}}\n',
    ]
    glance = skim.skim(b"".join([head, *records[:40], *secret, *records[40:]]))
    assert glance
    assert "hush" not in repr(glance)
    plain = skim.skim(b"".join([head, *records]))
    assert plain
    assert [(speech.seat, speech.text) for speech in glance.speeches] == [
        (speech.seat, speech.text) for speech in plain.speeches
    ]


def test_while_people_play_a_glance_does_not_count_what_happens_in_secret(tmp_path: Path) -> None:
    path = cut(tmp_path / "game.jsonl", people=True)
    glance = skim.skim(path.read_bytes())
    assert glance
    assert glance.speeches
    public = shown_to(read(path), SPECTATOR).events
    for speech in glance.speeches:
        said = public[speech.event - 1]
        assert isinstance(said, Said)
        assert (said.seat, said.text) == (speech.seat, speech.text)


@pytest.mark.parametrize(
    "data", [b"", b"{}\n", b"\x89PNG", b"[1]\n", b'{"format":"duskwald-transcript"}\n', b"".join(game())[:900]]
)
def test_what_is_no_transcript_gives_no_glance(data: bytes) -> None:
    assert skim.skim(data) is None


def test_a_foreign_line_gives_no_glance() -> None:
    head, *records = game()
    for line in (
        b"[]\n",
        b"null\n",
        b'{"kind":"said","to":null,"seat":"x","text":"a"}\n',
        b"}\n",
    ):
        assert skim.skim(b"".join([head, line, *records])) is None


# The index


def test_games_are_found_by_what_they_were(folder: Path) -> None:
    whole(folder / "six.jsonl", players=6)
    personas(folder / "nine.jsonl")
    saying(folder / "old.jsonl", SAID, started="2025-01-31T10:00:00+00:00")
    cut(folder / "open.jsonl")
    seats = {str(seat): {"player": "model", "model": "home"} for seat in range(1, 7)}
    path = whole(folder / "models.jsonl", players=6)
    head, rest = path.read_bytes().split(b"\n", 1)
    models = {**orjson.loads(head), "seats": seats, "models": {"home": "qwen_3-8b"}}
    path.write_bytes(orjson.dumps(models) + b"\n" + rest)
    assert names(player="model") == names(model="wen_3") == names(model="QWEN") == ["models.jsonl"]
    assert names(model="wen-3") == names(model="home") == []
    path.unlink()
    everything = {"six.jsonl", "nine.jsonl", "old.jsonl", "open.jsonl"}
    assert set(names()) == everything
    assert names(seats=6) == ["six.jsonl"]
    assert names(persona="cold-logician") == ["nine.jsonl"]
    assert names(winner="unfinished") == ["open.jsonl"]
    assert names(until="2025-12-31") == names(since="2025-01-31", until="2025-01-31") == ["old.jsonl"]
    assert set(names(since="2026-01-01")) == everything - {"old.jsonl"}
    assert set(names(ruleset="duskwald", player="scripted")) == everything
    assert names(ruleset="classic") == []
    outcome = read(folder / "six.jsonl").outcome
    assert outcome
    assert "six.jsonl" in names(winner=outcome.winner)


@pytest.mark.parametrize("words", ["stove is", "STOVE", "今晚验", "验三", "验", "三号。", "d, 今"])
def test_words_are_found_in_any_language_and_length(folder: Path, words: str) -> None:
    saying(folder / "one.jsonl", SAID)
    whole(folder / "two.jsonl")
    assert names(words=words) == ["one.jsonl"]
    [hit] = up_to_date().hits(Wanted(words=words), 10)
    assert (hit.game, hit.text) == ("one.jsonl", SAID)
    said = read(folder / "one.jsonl").events[hit.event - 1]
    assert isinstance(said, Said)
    assert (said.seat, said.text) == (hit.seat, SAID)


@pytest.mark.parametrize("words", ['"', '" OR "', "%", "_", "\\", "a%b", "NEAR(", "*", "' --", "text:x"])
def test_words_are_words_and_no_query(folder: Path, words: str) -> None:
    saying(folder / "one.jsonl", f"What {words} is this")
    whole(folder / "two.jsonl")
    assert "one.jsonl" in names(words=words)
    assert "two.jsonl" not in names(words=words)


def test_the_index_follows_the_files(folder: Path) -> None:
    saying(folder / "one.jsonl", "alpha alpha")
    assert names(words="alpha") == ["one.jsonl"]
    saying(folder / "one.jsonl", "beta beta beta")
    saying(folder / "two.jsonl", "alpha alpha")
    assert names(words="alpha") == ["two.jsonl"]
    assert names(words="beta") == ["one.jsonl"]
    (folder / "two.jsonl").unlink()
    assert names(words="alpha") == []
    assert names() == ["one.jsonl"]


def test_only_what_has_changed_is_read_again(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(5):
        whole(folder / f"{number}.jsonl")
    up_to_date()
    looked: list[int] = []

    def counted(data: bytes) -> skim.Glance | None:
        looked.append(len(data))
        return skim.skim(data)

    monkeypatch.setattr(indexing, "skim", counted)
    up_to_date()
    assert looked == []
    os.utime(folder / "3.jsonl", (1, 1))
    up_to_date()
    assert len(looked) == 1


@pytest.mark.parametrize("damage", ["missing", "damaged", "another version"])
def test_an_index_that_is_no_use_is_made_anew(tmp_path: Path, damage: str) -> None:
    path = tmp_path / "index.sqlite"
    glance = skim.skim(b"".join(game()))
    Index(path).put([("game.jsonl", (1, 1), glance)])
    if damage == "missing":
        path.unlink()
    elif damage == "damaged":
        path.write_bytes(b"no database" * 1000)
    else:
        base = sqlite3.connect(path)
        base.execute("PRAGMA user_version = 99")
        base.commit()
        base.close()
    index = Index(path)
    assert index.stamps() == {}
    index.put([("game.jsonl", (1, 1), glance)])
    assert Index(path).stamps() == {"game.jsonl": (1, 1)}


def test_the_index_lies_in_the_cache_and_nothing_beside_the_games(folder: Path) -> None:
    whole(folder / "game.jsonl")
    up_to_date()
    assert [path.name for path in folder.iterdir()] == ["game.jsonl"]
    assert list((Path(os.environ["XDG_CACHE_HOME"]) / "duskwald").glob("library-*.sqlite"))


def test_without_a_cache_folder_the_index_is_the_process_s_own(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "file").write_text("")
    monkeypatch.setenv("XDG_CACHE_HOME", str(folder / "file"))
    whole(folder / "game.jsonl")
    assert names() == ["game.jsonl"]


# Many games


@pytest.fixture
def many(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Three hundred games, of which one is remembered."""
    monkeypatch.setattr(library, "HEAD_START", 0)
    for number in range(299):
        (folder / f"{number:03}.jsonl").write_bytes(b"".join(game(6)))
        begun(folder / f"{number:03}.jsonl", number + 1)
    begun(saying(folder / "remembered.jsonl", SAID), 0)
    return folder


def test_many_new_games_are_read_in_the_background(many: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    go = threading.Event()

    def slow(path: Path, files: Mapping[str, File]) -> Iterator[int]:
        go.wait()
        yield from read_beside(path, files)

    monkeypatch.setattr(library, "read_beside", slow)
    _, progress = library.index_of(library.files())
    assert progress == (0, 300)
    # Whoever looks meanwhile waits for nothing, and a game that is not in the index yet can be opened.
    assert library.index_of(library.files())[1] == (0, 300)
    assert library.open_transcript("remembered.jsonl").outcome
    go.set()
    index = up_to_date()
    assert index.names(Wanted(), 1000)[1] == 300
    assert index.names(Wanted(words="stove"), 10) == (["remembered.jsonl"], 1)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_game_is_found_on_the_page_among_many(open_page: Open, many: Path, lang: Lang) -> None:
    up_to_date()
    page = open_page(lang=lang)
    options = page.selectbox(key="file").options
    assert (len(options), options[0]) == (OFFERED, "298.jsonl")
    page.text_input(key="find words").set_value("今晚验").run()
    assert not page.exception
    words = texts(lang, "finding")
    assert words["count"].format(count=1, of=300) in [text.value for text in page.text]
    assert page.selectbox(key="file").options == ["remembered.jsonl"]
    page.button(key="find 0").click().run()
    data = data_of(page)
    assert data["address"] == {"file": "remembered.jsonl", "view": "public"}
    assert [frame["said"]["text"] for frame in data["frames"] if frame["event"] == data["start"]] == [SAID]
    page.text_input(key="find words").set_value("no such words").run()
    assert data_of(page)["address"]["file"] == "remembered.jsonl"


def test_a_link_to_a_game_that_is_not_offered_opens_it(open_page: Open, many: Path) -> None:
    up_to_date()
    assert data_of(open_page(file="remembered.jsonl", event="4"))["start"] == 4


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_page_tells_how_far_the_index_has_come(
    open_page: Open, many: Path, monkeypatch: pytest.MonkeyPatch, lang: Lang
) -> None:
    go = threading.Event()

    def slow(path: Path, files: Mapping[str, File]) -> Iterator[int]:
        go.wait()
        yield from read_beside(path, files)

    monkeypatch.setattr(library, "read_beside", slow)
    page = open_page(lang=lang)
    assert data_of(page)["address"]["file"] == "298.jsonl"
    [bar] = page.get("progress")
    assert bar.proto.text == texts(lang, "finding")["reading"].format(done=0, of=300)
    go.set()
    up_to_date()
    page.run()
    assert not page.get("progress")


def test_words_that_were_found_are_bare_text(open_page: Open, folder: Path) -> None:
    hostile(folder / "game.jsonl")
    page = open_page(lang="en")
    page.text_input(key="find words").set_value("<script>").run()
    [_, line] = [text.value for text in page.text]
    assert "<script>alert(1)</script>" in line
    assert not page.markdown


def test_a_long_speech_is_cut_around_what_was_found() -> None:
    assert around("a" * 100 + "needle" + "b" * 100, "NEEDLE") == f"…{'a' * 40}needle{'b' * 40}…"
    assert around("needle", "needle") == "needle"
    assert around(HOSTILE, "no such words") == HOSTILE.replace("\u202e", "")[:53] + "…"


def test_hits_name_games_of_the_index(folder: Path) -> None:
    for number in range(3):
        begun(saying(folder / f"{number}.jsonl", SAID), number)
    hits = up_to_date().hits(Wanted(words="stove"), 2)
    assert [hit.game for hit in hits] == ["2.jsonl", "1.jsonl"]
    assert all(isinstance(hit, Hit) for hit in hits)


def test_a_file_whose_name_is_no_text_is_left_out(open_page: Open, folder: Path) -> None:
    whole(folder / "game.jsonl")
    whole(folder / os.fsdecode(b"bad\xff.jsonl"))
    (folder / os.fsdecode(b"\xffolder")).mkdir()
    assert set(library.files()) == {"game.jsonl"}
    page = open_page(file="game.jsonl")
    assert not page.exception
    assert names() == ["game.jsonl"]


def test_a_search_without_hits_leaves_the_game_that_is_shown(open_page: Open, folder: Path) -> None:
    whole(folder / "game.jsonl")
    page = open_page(lang="en")
    page.text_input(key="find words").set_value("no such words").run()
    assert not page.exception
    assert len(data_of(page)["names"]) == 9


def test_games_stand_in_the_order_in_which_they_began_whatever_is_written_meanwhile(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(library, "_folders", [tmp_path])
    days = {"old": "2026-11-01", "new": "2026-11-03", "a": "2026-11-02", "b": "2026-11-02"}
    for name, day in days.items():
        saying(tmp_path / f"{name}.jsonl", SAID, started=f"{day}T20:00:00+00:00")
    (tmp_path / "other.jsonl").write_text("x\n")
    (tmp_path / "empty.jsonl").touch()
    order = ["new.jsonl", "a.jsonl", "b.jsonl", "old.jsonl", "empty.jsonl", "other.jsonl"]
    assert list(library.files()) == order
    later = time.time() + 60
    os.utime(tmp_path / "old.jsonl", (later, later))
    assert list(library.files()) == order
    assert names()[:4] == order[:4]
    saying(tmp_path / "empty.jsonl", SAID, started="2026-11-04T20:00:00+00:00")
    assert next(iter(library.files())) == "empty.jsonl"
