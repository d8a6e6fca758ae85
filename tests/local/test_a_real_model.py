"""A real small model behind a real server: the whole way from request to reply. It shows the wiring, not play.

`make test-local` fetches the model first: no test reaches the network.
"""

import os
import platform
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from urllib.parse import urlsplit

import orjson
import pytest

from arena.endpoint import resolve
from arena.local import SMALL, serving
from arena.terms import Attempt, UnusableInput
from arena.transcript import Attempted, Replied, Transcript, read
from arena.verification import difference_in
from tests.repository import ROOT

WHEELS = {("linux", "x86_64"), ("linux", "aarch64"), ("darwin", "arm64")}
PATIENCE = 1800
"""Seconds for what takes one to five minutes on an idle machine."""

pytestmark = [
    pytest.mark.local,
    pytest.mark.skipif(
        (sys.platform, platform.machine()) not in WHEELS, reason="xllamacpp has no wheel for this machine"
    ),
]

SHORT = re.search(r"^SHORT := ((?:.*\\\n)*.*)$", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
"""The rules that make local plays by."""
OPTIONS = ["--players=6", *(f"--rule={rule}" for rule in (SHORT or [""])[1].split() if rule != "\\")]


@contextmanager
def arena(*arguments: object) -> Iterator["subprocess.Popen[str]"]:
    """Start the command line where the model was fetched; it hears Control-C also in the background of a shell."""
    command = [sys.executable, "-m", "arena", *map(str, arguments)]
    heard = partial(signal.signal, signal.SIGINT, signal.default_int_handler)
    with subprocess.Popen(
        command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, preexec_fn=heard
    ) as playing:
        try:
            yield playing
        finally:
            playing.kill()


def attempts(transcript: Transcript) -> list[Attempt]:
    return [record.attempt for record in transcript.records if isinstance(record, Attempted)]


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Transcript:
    """A whole game with the model in every seat."""
    path = tmp_path_factory.mktemp("game") / "game.jsonl"
    with arena("play", "--local", *OPTIONS, "--lang", "en", "--seed", 1, "--out", path) as playing:
        out, err = playing.communicate(timeout=PATIENCE)
    assert (playing.returncode, err) == (0, ""), out
    return read(path)


def test_a_whole_game_ends_and_verifies(game: Transcript) -> None:
    assert game.outcome
    assert difference_in(game) is None
    assert game.spent == 0
    replies = [record.reply for record in game.records if isinstance(record, Replied)]
    assert {reply.source for reply in replies} <= {"model", "fallback"}
    # Nothing but an answer that was cut off ends in a default.
    assert {reply.thought.split(":")[0] for reply in replies if reply.source == "fallback"} <= {"truncated"}


def test_every_reply_honoured_its_schema(game: Transcript) -> None:
    made = attempts(game)
    assert len(made) > 10
    assert {attempt.fault for attempt in made} <= {"", "truncated"}
    whole = [attempt for attempt in made if not attempt.fault]
    assert len(whole) >= 0.8 * len(made)
    for attempt in whole:
        assert list(orjson.loads(attempt.text))[:2] == ["thought", "notes"]


def test_most_of_what_is_sent_comes_from_the_cache(game: Transcript) -> None:
    used = [attempt.usage for attempt in attempts(game) if attempt.usage]
    assert len(used) == len(attempts(game))
    cached = sum(usage.cached_tokens for usage in used)
    assert cached > 0.5 * sum(usage.prompt_tokens for usage in used)


def until(happened: Callable[[], bool], playing: "subprocess.Popen[str]") -> None:
    deadline = time.monotonic() + PATIENCE
    while not happened():
        assert time.monotonic() < deadline
        assert playing.poll() is None, playing.communicate()
        time.sleep(0.1)


def interrupted(path: Path, replies: int, *arguments: object) -> Transcript:
    """The game in `path` after a command was interrupted that had made so many replies more."""
    before = len(attempts(read(path))) if path.exists() else 0
    with arena(*arguments) as playing:
        until(lambda: path.exists() and len(attempts(read(path))) >= before + replies, playing)
        playing.send_signal(signal.SIGINT)
        playing.communicate(timeout=PATIENCE)
    assert playing.returncode == 130
    return read(path)


def test_a_game_is_interrupted_and_goes_on(tmp_path: Path) -> None:
    # In Chinese, a prompt is twice as many tokens to this model, which read at a hundred a second.
    path = tmp_path / "game.jsonl"
    begun = interrupted(path, 1, "play", "--local", *OPTIONS, "--lang", "en", "--seed", 2, "--out", path)
    resumed = interrupted(path, 1, "resume", path)
    assert resumed.records[: len(begun.records)] == begun.records
    assert {attempt.fault for attempt in attempts(resumed)} <= {"", "truncated"}
    assert difference_in(resumed) is None


def test_a_file_that_only_begins_like_a_model(tmp_path: Path) -> None:
    path = tmp_path / "broken.gguf"
    path.write_bytes(b"GGUF and no more")
    with (
        pytest.raises(UnusableInput, match="no model that its server can load"),
        serving({"": resolve(f"local/{path}", {})}),
    ):
        pass


HOLDS = """
import sys, time
from arena.endpoint import resolve
from arena.local import serving

with serving({"": resolve(sys.argv[1], {})}) as served:
    print(served[""].base_url, served[""].context, flush=True)
    time.sleep(3600)
"""


def test_a_server_ends_with_a_process_that_is_killed() -> None:
    command = [sys.executable, "-c", HOLDS, f"local/{SMALL.path}"]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as holder:
        assert holder.stdout
        base_url, context = holder.stdout.readline().split()
        os.kill(holder.pid, signal.SIGKILL)
    assert context == "8192"
    address = urlsplit(base_url)
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        try:
            socket.create_connection((address.hostname or "", address.port or 0)).close()
        except ConnectionRefusedError:
            return
        time.sleep(0.1)
    pytest.fail("the server outlived its owner")
