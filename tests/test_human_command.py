"""`arena play --human`, in a real terminal and without one."""

import os
import pty
import re
import select
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from arena import terminal
from arena.transcript import read
from tests.command_line import CommandLine, Ran
from tests.keyboard import CONTROL_C, ENTER, ESC, somebody
from tests.repository import ROOT

STEERING = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|\r")


class InTerminal:
    """``arena`` in a terminal of its own."""

    def __init__(self, folder: Path, *arguments: str) -> None:
        self.screen = ""
        self._terminal, other_end = pty.openpty()
        environment = {**os.environ, "PROMPT_TOOLKIT_NO_CPR": "1", "TERM": "xterm", "COLUMNS": "200", "LINES": "50"}
        self._game = subprocess.Popen(
            [sys.executable, "-c", "from arena.cli import main; main()", *arguments],
            cwd=folder,
            env={**environment, "PYTHONPATH": str(ROOT)},
            stdin=other_end,
            stdout=other_end,
            stderr=other_end,
            start_new_session=True,
        )
        os.close(other_end)

    def read(self, until: str) -> None:
        """Wait until the screen has shown `until`."""
        deadline = time.monotonic() + 60
        while until not in self.screen:
            assert time.monotonic() < deadline, self.screen
            assert self._more(), self.screen

    def press(self, key: str) -> None:
        os.write(self._terminal, key.encode())

    def end(self) -> int:
        """Wait for the end; the exit status."""
        while self._more():
            pass
        os.close(self._terminal)
        return self._game.wait(60)

    def _more(self) -> bool:
        if not select.select([self._terminal], [], [], 60)[0]:
            return False
        try:
            data = os.read(self._terminal, 65536)
        except OSError:  # so Linux says that nobody is at the other end
            return False
        self.screen += STEERING.sub("", data.decode(errors="replace"))
        return bool(data)


@pytest.fixture
def arena(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> CommandLine:
    monkeypatch.chdir(tmp_path)
    return CommandLine(monkeypatch, capsys)


@pytest.fixture
def _seen(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A person who presses Enter, in this process, whose streams are no terminal."""
    monkeypatch.setattr(terminal, "_is_terminal", lambda: True)
    with somebody(monkeypatch, lambda: ENTER):
        yield


def refused(ran: Ran, what: str) -> None:
    assert (ran.status, ran.out) == (2, "")
    assert ran.err.startswith(f"arena: {what}")
    assert len(ran.err.splitlines()) == 1


def test_control_c_and_esc_leave_and_the_question_comes_again(arena: CommandLine, tmp_path: Path) -> None:
    # Whatever is dealt, everybody is asked in the first night.
    deck = "cards: {werewolf: 2, seer: 2, guard: 1, witch: 1}\nrules: {win.werewolves: parity}"
    table = f"language: en\nclock: {{pace: 50}}\nseats: {{1-6: scripted}}\n{deck}"
    (tmp_path / "table.yaml").write_text(table, encoding="utf-8")
    game = InTerminal(tmp_path, "play", "--seats", "table.yaml", "--human", "4", "--out", "game")
    game.read("(arrows move")
    assert "You are seat 4." in game.screen
    game.press(CONTROL_C)
    assert game.end() == 130
    assert "To go on: arena resume game" in game.screen
    unfinished = read(tmp_path / "game")
    assert unfinished.outcome is None
    assert str(unfinished.header.seed) not in game.screen

    refused(arena("replay", "game", "--seat", "4"), "game: people play in this game; until it ends there is only the")
    refused(arena("replay", "game", "--god"), "game: people play in this game; until it ends there is only the")
    assert "You are" not in arena("replay", "game").out

    again = InTerminal(tmp_path, "resume", "game")
    again.read("(arrows move")
    question = next(line for line in game.screen.splitlines() if "(arrows move" in line)
    assert question in again.screen
    assert "You are seat 4." in again.screen
    again.press(ESC)
    assert again.end() == 130
    assert read(tmp_path / "game").records == unfinished.records


@pytest.mark.usefixtures("_seen")
def test_the_seed_is_in_no_name_and_told_at_the_end(arena: CommandLine, tmp_path: Path) -> None:
    (tmp_path / "table.yaml").write_text("clock: {pace: 0}\nseats: {1-5: random, 6: {human: 小明}}", encoding="utf-8")
    (tmp_path / "here").mkdir()
    ran = arena("play", "--seats", "table.yaml", "--out", "here")
    assert ran.status == 0
    [path] = (tmp_path / "here").iterdir()
    header = read(path).header
    assert str(header.seed) not in path.name
    *account, saved, _ = ran.out.strip().splitlines()
    assert str(header.seed) in saved
    assert str(header.seed) not in "".join(account)
    assert (header.seats[6].player, header.seats[6].name, header.practice) == ("human", "小明", False)
    assert header.clock.pace == 0


@pytest.mark.usefixtures("_seen")
def test_a_chosen_seed_is_for_practice_only(arena: CommandLine, tmp_path: Path) -> None:
    (tmp_path / "table.yaml").write_text("clock: {pace: 0}\nseats: {1-6: random}", encoding="utf-8")
    table = ("play", "--seats", "table.yaml", "--human", 6, "--out", "game")
    refused(arena(*table, "--seed", 7), "--seed: a person who knows the seed knows the cards; with --practice")
    assert arena(*table, "--seed", 7, "--practice").status == 0
    header = read(tmp_path / "game").header
    assert (header.seed, header.practice, header.seats[6].player) == (7, True, "human")


@pytest.mark.usefixtures("_seen")
@pytest.mark.parametrize(
    ("options", "what"),
    [
        (("--human", 10), "--human 10: there are only 9 seats"),
        (("--human", 4, "--series", 3), "--series: a person in a terminal plays single games"),
        (("--human", 4, "--quiet"), "--quiet: a person has to see the game"),
        (("--practice",), "--practice: nobody to practise"),
    ],
)
def test_what_does_not_go_with_a_person_is_said(
    arena: CommandLine, tmp_path: Path, options: tuple[object, ...], what: str
) -> None:
    refused(arena("play", *options), what)
    assert not (tmp_path / "transcripts").exists()


def test_without_a_terminal_nobody_is_asked(arena: CommandLine, tmp_path: Path) -> None:
    refused(
        arena("play", "--human", 4), "a person plays in a terminal; neither input nor output may be a file or a pipe"
    )
    assert not (tmp_path / "transcripts").exists()
