"""`arena dashboard`: what can go wrong before there is a page, and what the server promises."""

import socket
from pathlib import Path

import pytest

from dashboard import library
from dashboard.server import CONFIG, POLICY
from tests.command_line import CommandLine


@pytest.fixture
def arena(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> CommandLine:
    monkeypatch.setattr(library, "_folders", [])
    return CommandLine(monkeypatch, capsys)


def test_a_folder_that_is_not_there_is_one_line(arena: CommandLine, tmp_path: Path) -> None:
    ran = arena("dashboard", "--folder", tmp_path / "nowhere")
    assert (ran.status, ran.out) == (2, "")
    assert ran.err == f"arena: {tmp_path / 'nowhere'}: no folder\n"


def test_a_port_that_is_taken_is_one_line(arena: CommandLine, tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        ran = arena("dashboard", "--folder", tmp_path, "--port", port)
    assert (ran.status, ran.out) == (2, "")
    assert ran.err.startswith(f"arena: --port {port}: ")
    assert len(ran.err.splitlines()) == 1


def test_the_server_is_for_this_machine_and_tells_nobody() -> None:
    assert CONFIG["server.address"] == "127.0.0.1"
    assert CONFIG["browser.gatherUsageStats"] is False
    assert CONFIG["client.showErrorDetails"] == "none"
    assert "http" not in POLICY
    assert "*" not in POLICY
