"""The lobby: what is chosen becomes a table, once, and what can't be played at is told."""

import asyncio
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from arena.decks import decks
from arena.ruleset import check_setup, load_ruleset
from arena.terms import LANGUAGES, Lang
from arena.texts import texts
from arena.transcript import read
from dashboard import current, library
from dashboard.host import Host
from dashboard.hosting.door import site
from dashboard.hosting.game import Game
from dashboard.hosting.setup import read_setup
from dashboard.lobby.seats import TYPED, keys_for
from tests.model_server import ModelServer
from tests.records import whole
from tests.repository import ROOT


@pytest.fixture
def host(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Host]:
    """A host whose loop runs in a thread of its own, as the server's does for the pages."""
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever)
    thread.start()
    opened = Host(tmp_path)
    asyncio.run_coroutine_threadsafe(opened.open(), loop).result()
    monkeypatch.setattr(current, "host", opened)
    monkeypatch.setattr(current, "site", site(8501))
    monkeypatch.chdir(tmp_path)
    yield opened
    asyncio.run_coroutine_threadsafe(opened.close(), loop).result()
    loop.call_soon_threadsafe(loop.stop)
    thread.join()
    loop.close()


def lobby(lang: Lang = "en", **address: str) -> AppTest:
    page = AppTest.from_file(str(ROOT / "dashboard" / "app.py"), default_timeout=60)
    page.query_params.update({"lang": lang, **address})
    page.switch_page("rooms/lobby.py")
    page.run()
    assert not page.exception
    return page


def press(page: AppTest, label: str) -> None:
    [button] = [button for button in page.button if button.label == label]
    button.click().run()
    assert not page.exception


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_table_is_laid_with_one_person_and_its_links_are_shown(host: Host, lang: Lang) -> None:
    words = texts(lang, "lobby")
    page = lobby(lang)
    press(page, words["lay"])
    [game] = host.games
    assert game.status == "waiting"
    assert game.people == (1,)
    assert game.setup.language == lang
    codes = [code.value for code in page.code]
    assert f"http://127.0.0.1:8501/watch/{game.id}" in codes
    assert f"http://127.0.0.1:8501/join/{game.links[1]}" in codes
    press(page, words["acts"]["start"])
    assert game.status == "running"
    press(page, words["another"])
    assert words["new"] in [shown.value for shown in page.subheader]


def test_a_deck_by_its_name(host: Host) -> None:
    words = texts("zh", "lobby")
    page = lobby("zh")
    page.selectbox[1].select("seer_witch_hunter_idiot").run()
    assert "预女猎白" in page.selectbox[1].options
    press(page, words["lay"])
    [game] = host.games
    assert dict(game.setup.cards) == decks()["seer_witch_hunter_idiot"].cards
    assert len(game.seats) == 12


def test_a_rule_is_changed_and_explained_anew(host: Host) -> None:
    words = texts("en", "lobby")
    page = lobby()
    page.multiselect[0].select("sheriff.weight").run()
    [weight] = [box for box in page.selectbox if box.label == "sheriff.weight"]
    weight.select(2).run()
    press(page, words["lay"])
    [game] = host.games
    assert game.setup.rules == {"sheriff.weight": 2}


def test_what_cannot_be_played_at_is_told(host: Host) -> None:
    words = texts("en", "lobby")
    page = lobby()
    for seat in (1, 2):
        page.selectbox(key=f"kind {seat}").select("human").run()
        page.text_input(key=f"name {seat}").input("Ming").run()
    press(page, words["lay"])
    assert list(host.games) == []
    assert words["problem"] in [error.value for error in page.error]
    assert any("two people" in text.value for text in page.text)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_game_that_lacks_its_key_says_so_and_starts_with_one(host: Host, lang: Lang) -> None:
    words = texts(lang, "lobby")
    with ModelServer(key="sk-right-0123456789") as models:
        plan = {"base_url": models.base_url, "model": "test-model", "key_env": "DUSKWALD_NOT_SET"}
        seats = {"1": {"human": "Anna"}, "2": {"model": "m"}, **dict.fromkeys(map(str, range(3, 7)), "scripted")}
        setup = {"endpoints": {"m": plan}, "seats": seats, "language": lang}

        async def create() -> Game:
            return host.create(read_setup(setup, 0), {"m": "sk-right-0123456789"})

        game = host.call(create)
        game._keys.clear()  # as when the server has been started anew
        page = lobby(lang)
        press(page, words["acts"]["start"])
        page.run()  # as every few seconds
        assert not page.exception
        assert game.status == "waiting"
        assert words["problem"] in [error.value for error in page.error]
        assert any("DUSKWALD_NOT_SET" in text.value for text in page.text)
        page.text_input(key=f"key {game.id} m").input("sk-right-0123456789")
        page.number_input(key=f"budget {game.id}").set_value(None)
        press(page, words["start_with"])
        assert game.status == "running"
        assert words["problem"] not in [error.value for error in page.error]
        assert "sk-right" not in "".join(path.read_bytes().decode("utf-8", "ignore") for path in host.folder.iterdir())


def test_a_whole_budget_given_by_others_is_shown_as_any(host: Host) -> None:
    words = texts("en", "lobby")
    with ModelServer() as models:
        price = {"input": 1, "output": 1}
        plan = {"base_url": models.base_url, "model": "test-model", "price": price}
        seats = {"1": {"human": "Anna"}, "2": {"model": "m"}, **dict.fromkeys(map(str, range(3, 7)), "scripted")}

        async def create() -> Game:
            game = host.create(read_setup({"endpoints": {"m": plan}, "seats": seats}, 0))
            game.supply({}, 100)
            return game

        game = host.call(create)
        page = lobby()
        assert page.number_input(key=f"budget {game.id}").value == 100
        assert words["start_with"] in [button.label for button in page.button]


def test_a_table_is_taken_away(host: Host) -> None:
    words = texts("en", "lobby")
    page = lobby()
    press(page, words["lay"])
    press(page, words["another"])
    press(page, words["acts"]["discard"])
    assert list(host.games) == []


def test_an_endpoint_typed_with_its_prices_is_what_a_budget_needs(host: Host) -> None:
    words = texts("en", "lobby")
    page = lobby()
    for label, value in (("base_url", "https://models.example/v1"), ("served", "m"), ("key", "sk-typed-0123456789")):
        next(field for field in page.text_input if field.label == words[label]).input(value)
    for label, price in (("price_sent", 1.0), ("price_written", 2.0)):
        next(field for field in page.number_input if field.label == words[label]).set_value(price)
    press(page, words["use"])
    page.selectbox(key="kind 2").select("model").run()
    next(field for field in page.number_input if field.label == words["budget"]).set_value(0.5).run()
    press(page, words["lay"])
    [game] = host.games
    assert game.setup.budget_usd == 0.5
    assert game.seats[2].model == TYPED
    assert game.endpoints[TYPED].prices is not None


def test_without_a_host_the_lobby_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert texts("en", "lobby")["no_host"] in [text.value for text in lobby().text]


def test_every_deck_can_be_played_and_has_both_names() -> None:
    rules = load_ruleset("duskwald").rules
    for name, deck in decks().items():
        check_setup(deck.cards, sum(deck.cards.values()), rules, name)
        assert set(deck.title) == set(LANGUAGES)


def test_a_key_goes_to_one_endpoint_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    two = {"1": {"model": "openai/a"}, "2": {"model": "openai/b"}, "3": "scripted"}
    assert keys_for(two, {}, "sk") == {"openai/a": "sk", "openai/b": "sk"}
    assert keys_for({**two, "4": {"model": "deepseek/c"}}, {}, "sk") == {}
    assert keys_for(two, {TYPED: {}}, "sk") == {TYPED: "sk"}
    assert keys_for(two, {}, "") == {}


def test_a_game_is_forked_from_the_moment_shown(host: Host, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(library, "_folders", [tmp_path])
    whole(tmp_path / "game.jsonl")
    page = lobby(fork="game.jsonl", at="30")  # where the button of the table leads
    words = texts("en", "lobby")
    assert words["fork"] in [shown.value for shown in page.subheader]
    page.selectbox(key="kind 1").select("scripted").run()
    page.selectbox(key="kind 2").select("human").run()
    press(page, words["lay"])
    [game] = host.games
    assert (game.status, game.people) == ("waiting", (2,))
    transcript = read(game.path)
    assert transcript.header.fork
    assert transcript.header.fork.file == "game.jsonl"
    assert 0 < transcript.header.fork.at <= 30
    press(page, words["acts"]["start"])
    assert game.status == "running"


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_series_is_laid_and_its_points_are_shown(host: Host, lang: Lang) -> None:
    words = texts(lang, "lobby")
    page = lobby(lang)
    page.selectbox(key="kind 1").select("scripted").run()
    [games] = [box for box in page.number_input if box.label == words["series"]]
    games.set_value(2).run()
    press(page, words["lay"])
    until(lambda: len(list(host.games)) == 2 and all(game.state == "ended" for game in host.games))
    last, first = host.games
    assert (first.path.name, last.path.name) == ("game-1.jsonl", "game-2.jsonl")
    page.run()
    assert not page.exception
    assert words["points"] in [expander.label for expander in page.expander]
    number = words["number"].format(number=2, games=2)
    assert any(last.name in text.value and number in text.value for text in page.text)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_only_who_wants_it_stands_on_the_list_of_games(
    host: Host, lang: Lang, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(library, "_folders", [tmp_path])
    words = texts(lang, "watching")
    page = lobby(lang)
    press(page, texts(lang, "lobby")["lay"])
    press(page, texts(lang, "lobby")["another"])
    assert words["none"] in [text.value for text in watching(lang).text]
    [listed] = [toggle for toggle in page.toggle if toggle.label == texts(lang, "lobby")["listed"]]
    listed.set_value(True).run()
    press(page, texts(lang, "lobby")["lay"])
    open_to_all, hidden = host.games
    whole(tmp_path / "elsewhere.jsonl")
    lines = (tmp_path / "elsewhere.jsonl").read_bytes().splitlines(keepends=True)
    (tmp_path / "elsewhere.jsonl").write_bytes(b"".join(lines[: len(lines) // 2]))
    shown = watching(lang)
    assert f"/watch/{open_to_all.id}?lang={lang}" in links(shown)
    assert hidden.id not in str(links(shown))
    assert f"/watch?file=elsewhere.jsonl&lang={lang}" in links(shown)
    assert "http://127.0.0.1:8501/playing" in [code.value for code in shown.code]


def watching(lang: Lang) -> AppTest:
    page = AppTest.from_file(str(ROOT / "dashboard" / "app.py"), default_timeout=60)
    page.query_params["lang"] = lang
    page.switch_page("rooms/watching.py")
    page.run()
    assert not page.exception
    return page


def links(page: AppTest) -> list[str]:
    return [found.proto.url for found in page.get("link_button")]


def until(what: Callable[[], bool], patience: float = 60) -> None:
    end = time.monotonic() + patience
    while not what():
        assert time.monotonic() < end
        time.sleep(0.05)
