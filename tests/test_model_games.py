"""Whole games of models: through every fault, within a budget, and past a kill."""

import multiprocessing
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from arena.accounts import Account, accounts_table
from arena.terms import LANGUAGES, Attempt, Halted, Lang
from arena.transcript import Reserved, Transcript, read, rerun
from tests.command_line import CommandLine
from tests.endpoints import PRICE, quick
from tests.matches import decisions
from tests.model_games import attempts, play, replies, resume, table, written
from tests.model_server import FAULTS, ModelServer

MIX = sorted({*FAULTS} - {"json_schema_refused", "json_object_refused"})
"""All faults but those after which no schema is sent any more, so that wrong seats can be answered to the end."""


@pytest.fixture(autouse=True)
def _quick() -> Iterator[None]:
    with quick():
        yield


@pytest.fixture
def arena(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> CommandLine:
    """The command line, in an empty folder."""
    monkeypatch.chdir(tmp_path)
    return CommandLine(monkeypatch, capsys)


def verified(transcript: Transcript) -> bool:
    return rerun(transcript.header, transcript.records).state.outcome is not None


@pytest.mark.parametrize("lang", LANGUAGES)
def test_games_of_twelve_end_through_every_fault(tmp_path: Path, lang: Lang, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STAND_IN_KEY", "sk-very-secret-7")
    sources: Counter[str] = Counter()
    faults: Counter[str] = Counter()
    for seed in range(6):
        path = tmp_path / str(seed)
        with ModelServer(key="sk-very-secret-7", retry_after=0, slow=0.01) as server:
            server.answer = written
            server.mix(0.3, seed, MIX if lang == "zh" else FAULTS)
            endpoint = {"key_env": "STAND_IN_KEY"}
            head = table(server, 12, lang, seed=seed, endpoint=endpoint, rules={"stalemate_cycles": 1})
            ended = play(path, head)
        assert verified(ended)
        sources.update(reply.source for reply in replies(ended).values())
        faults.update(record.attempt.fault for record in attempts(ended))
        data = path.read_bytes()
        assert b"sk-very-secret" not in data
        assert server.base_url.encode() not in data
    assert sources["model"] > 5 * sources["fallback"]
    assert {"unreachable", "unreadable"} < set(faults)
    assert len(faults) >= 5


def test_a_game_that_must_wait_halts_and_is_resumed(arena: CommandLine, tmp_path: Path) -> None:
    with ModelServer(retry_after=0) as server:
        (tmp_path / "table.yaml").write_text(
            f"language: en\noutage: halt\nseats: {{1-6: {{model: local}}}}\nendpoints:\n"
            f"  local: {{base_url: '{server.base_url}', model: test-model, patience: 0.1}}\n",
            encoding="utf-8",
        )
        server.next(*["fenced"] * 9)
        server.mix(1, faults=["unavailable"])
        ran = arena("play", "--seats", "table.yaml", "--seed", 1, "--out", "game", "--quiet")
        assert ran.status == 130
        assert "arena: local: no answer within 0.1 seconds" in ran.err
        assert "arena resume game" in ran.err
        before = read(tmp_path / "game")
        assert not before.outcome
        server.mix(0)
        assert arena("resume", "game", "--quiet").status == 2  # nothing says where the model is
        assert arena("resume", "game", "--quiet", "--seats", "table.yaml").status == 0
    ended = (tmp_path / "game").read_bytes()
    again = arena("resume", "game")  # over as it is, it needs nobody any more
    assert (again.status, "over" in again.err, "arena replay game" in again.out) == (0, True, True)
    assert (tmp_path / "game").read_bytes() == ended
    after = read(tmp_path / "game")
    assert verified(after)
    assert replies(before).items() <= replies(after).items()


# Money


def test_a_game_stops_before_its_budget_is_exceeded_and_goes_on_with_a_larger_one(tmp_path: Path) -> None:
    path = tmp_path / "game"
    with ModelServer(slow=0.01) as server:
        head = table(server, endpoint={"price": PRICE, "in_flight": 12}, budget_usd=0.03)
        with pytest.raises(Halted, match=r"budget: 0\.0\d+ USD of 0\.03 are spent, and the next call may cost"):
            play(path, head)
        before = read(path)
        assert 0.01 < before.spent <= 0.03
        calls = len(server.requests)
        with pytest.raises(Halted):
            resume(path, head)
        assert read(path).spent <= 0.03
        assert len(server.requests) - calls <= 1
        after = resume(path, head, 10)
    assert verified(after)
    assert after.spent > before.spent
    assert after.spent == pytest.approx(sum(record.attempt.usd for record in attempts(after)))
    assert replies(before).items() <= replies(after).items()


def play_against(path: Path, base_url: str) -> None:
    """For a process of its own."""

    class Elsewhere:
        """A server in another process."""

    server: Any = Elsewhere()
    server.base_url = base_url
    with quick():
        play(path, table(server, endpoint={"price": PRICE}, rules={"stalemate_cycles": 1}))


def test_a_process_killed_in_the_middle_of_calls_pays_no_reply_twice(tmp_path: Path) -> None:
    processes = multiprocessing.get_context("forkserver")
    processes.set_forkserver_preload(["tests.test_model_games"])
    in_flight = 0
    with ModelServer(slow=0.02) as server:
        server.answer = written
        server.mix(1, faults=["slow"])
        head = table(server, endpoint={"price": PRICE}, rules={"stalemate_cycles": 1})
        play_against(tmp_path / "whole", server.base_url)
        whole = read(tmp_path / "whole")
        for kill in range(4):
            path = tmp_path / f"{kill}"
            player = processes.Process(target=play_against, args=(path, server.base_url))
            player.start()
            wait_for_calls(path, 1 + kill * len(attempts(whole)) // 4)
            player.kill()
            player.join()
            before = read(path)
            reserved = sum(isinstance(record, Reserved) for record in before.records)
            in_flight += reserved - len(attempts(before))
            booked = sum(record.attempt.usd for record in attempts(before))
            assert before.spent == pytest.approx(booked) if reserved == len(attempts(before)) else before.spent > booked
            asked = len(server.requests)
            after = resume(path, head)
            assert after.events == whole.events
            assert decisions(after) == decisions(whole)
            assert len(server.requests) - asked == len(attempts(after)) - len(attempts(before))
            assert after.spent >= before.spent
    assert in_flight


def wait_for_calls(path: Path, number: int) -> None:
    deadline = time.monotonic() + 60
    while not path.exists() or path.read_bytes().count(b'"kind":"attempted"') < number:
        assert time.monotonic() < deadline, "the game never came so far"
        time.sleep(0.002)


# The command line

ENDPOINTS = {
    "a list": ("- a", "endpoints.yaml: "),
    "no YAML": ("a: {", "endpoints.yaml: not readable as YAML: "),
    "a word": ("local: here", "endpoints.yaml: local: "),
    "no model": ("local: {base_url: 'http://127.0.0.1:9/v1'}", "endpoints.yaml: local: model: missing"),
    "no address": ("local: {base_url: nowhere, model: m}", "'nowhere' is no address; write http://HOST:PORT/v1"),
    "a key written down": (
        "local: {base_url: 'http://127.0.0.1:9/v1', model: m, key_env: sk-123}",
        "key_env: names a variable of the environment",
    ),
    "a key in the address": ("local: {base_url: 'http://a:b@127.0.0.1:9/v1', model: m}", "no name, password"),
    "unknown key": (
        "local: {base_url: 'http://127.0.0.1:9/v1', model: m, api_key: x}",
        "endpoints.yaml: local: api_key: unknown key; known: base_url, model, key_env",
    ),
    "a price below zero": (
        "local: {base_url: 'http://127.0.0.1:9/v1', model: m, price: {input: -1, output: 1}}",
        "endpoints.yaml: local: price: input: ",
    ),
    "half a price": (
        "local: {base_url: 'http://127.0.0.1:9/v1', model: m, price: {input: 1}}",
        "endpoints.yaml: local: price: output: missing",
    ),
    "nothing of one's own": (
        "local: {base_url: 'http://127.0.0.1:9/v1', model: m, extra: {stream: true}}",
        "extra: stream",
    ),
    "nobody there": (
        "local: {base_url: 'http://127.0.0.1:9/v1', model: m}",
        "local (http://127.0.0.1:9/v1): no connection",
    ),
    "a key that is not set": (
        "local: {base_url: 'http://127.0.0.1:9/v1', model: m, key_env: NOT_SET_AT_ALL}",
        "the environment variable NOT_SET_AT_ALL, for the key of m, is not set",
    ),
}


def refused(arena: CommandLine, folder: Path, *arguments: object) -> str:
    """The one line of a command that is refused and leaves nothing behind."""
    before = sorted(path.name for path in folder.iterdir())
    ran = arena("play", *arguments)
    assert (ran.status, ran.out) == (2, "")
    assert len(ran.err.splitlines()) == 1
    assert ran.err.startswith("arena: ")
    assert sorted(path.name for path in folder.iterdir()) == before
    return ran.err


@pytest.mark.parametrize(("text", "what"), ENDPOINTS.values(), ids=ENDPOINTS.keys())
def test_an_endpoint_that_cannot_be_used_is_refused(arena: CommandLine, tmp_path: Path, text: str, what: str) -> None:
    (tmp_path / "endpoints.yaml").write_text(text, encoding="utf-8")
    assert what in refused(arena, tmp_path, "--model", "local")


@pytest.mark.parametrize(
    ("server", "what"),
    [
        (ModelServer(models=["qwen", "llama"]), "no model 'test-model'; it serves: llama, qwen"),
        (ModelServer(key="right"), "HTTP 401: Incorrect API key provided."),
    ],
    ids=["unknown model", "wrong key"],
)
def test_what_an_endpoint_refuses_at_once_is_said_at_once(
    arena: CommandLine, tmp_path: Path, server: ModelServer, what: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("STAND_IN_KEY", "wrong-one")
    with server:
        plan = f"{{base_url: '{server.base_url}', model: test-model, key_env: STAND_IN_KEY}}"
        (tmp_path / "endpoints.yaml").write_text(f"local: {plan}", encoding="utf-8")
        said = refused(arena, tmp_path, "--model", "local")
    assert what in said
    assert "wrong-one" not in said
    assert not server.requests


@pytest.mark.parametrize("name", ["nobody", "openai/", "/gpt", "nobody/gpt"])
def test_an_unknown_name_is_refused_with_those_that_are_known(arena: CommandLine, tmp_path: Path, name: str) -> None:
    assert f"unknown model '{name}'; known: openai/MODEL, " in refused(arena, tmp_path, "--model", name)


def test_a_preset_without_its_key_is_refused(
    arena: CommandLine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    assert "the environment variable OPENAI_API_KEY" in refused(arena, tmp_path, "--model", "openai/some-model")


def test_a_budget_where_no_price_is_known_is_refused(arena: CommandLine, tmp_path: Path) -> None:
    said = refused(arena, tmp_path, "--model", "openai/some-model", "--budget", 0.5)
    assert "budget: what openai/some-model costs is not known; in endpoints.yaml: price: {input: USD, " in said


SEATS = {
    "too hot": ("{model: openai/m, sampling: {temperature: 9}}", "seats: 1-6: sampling: temperature: "),
    "unknown sampling": (
        "{model: openai/m, sampling: {heat: 1}}",
        "seats: 1-6: sampling: heat: unknown key; known: temperature, ",
    ),
    "a model that is a list": ("{model: [a]}", "seats: 1-6: {model: [a]} is no player; allowed: "),
    "unknown key": ("{model: openai/m, voice: x}", "is no player; allowed: "),
    "unknown persona": ("{model: openai/m, persona: nobody}", "seats: 1-6: unknown persona 'nobody'; known: "),
}


@pytest.mark.parametrize(("plan", "what"), SEATS.values(), ids=SEATS.keys())
def test_a_model_that_is_badly_seated_is_refused(arena: CommandLine, tmp_path: Path, plan: str, what: str) -> None:
    (tmp_path / "table.yaml").write_text(f"seats: {{1-6: {plan}}}", encoding="utf-8")
    assert what in refused(arena, tmp_path, "--seats", "table.yaml")


def test_what_was_cut_off_is_said_beneath_the_accounts() -> None:
    account = Account()
    account.add(Attempt("e", usd=0.5))
    assert accounts_table({"e": account}, 0.5, "en").caption is None
    assert "0.1600 USD" in str(accounts_table({"e": account}, 0.66, "en").caption)
    assert "0.1600" in str(accounts_table({"e": account}, 0.66, "zh").caption)
