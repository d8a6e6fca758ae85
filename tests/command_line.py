"""The command line in a test: what a user would see of it."""

import sys
from typing import Any, NamedTuple

import pytest

from arena.cli import main


class Ran(NamedTuple):
    """Exit status, standard output and standard error of one command."""

    status: Any
    out: str
    err: str


class CommandLine:
    """Runs ``arena`` in this process."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
        self._monkeypatch = monkeypatch
        self._capsys = capsys

    def __call__(self, *arguments: object) -> Ran:
        self._monkeypatch.setattr(sys, "argv", ["arena", *map(str, arguments)])
        with pytest.raises(SystemExit) as ended:
            main()
        captured = self._capsys.readouterr()
        return Ran(ended.value.code, captured.out, captured.err)
