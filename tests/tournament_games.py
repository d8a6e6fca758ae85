"""Tournaments that are really played: by scripted players, and by the stand-in for models."""

import asyncio
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
import yaml

from arena.tournament import run as running
from arena.tournament.folder import Folder
from arena.tournament.loading import load_tournament
from arena.tournament.plan import Tournament
from arena.tournament.play import Here
from arena.tournament.run import Run
from arena.transcript import Attempted, read
from tests.endpoints import quick
from tests.model_games import written
from tests.model_server import ModelServer
from tests.model_server.schema import Json
from tests.repository import ROOT

SCRIPTED: dict[str, Any] = {"cold": {"scripted": "cold-logician"}, "hot": {"scripted": "hot-charger"}}
PLAN: dict[str, Any] = {
    "players": 6,
    "language": "en",
    "question": {"games": 8},
    "seed": 5,
    "competitors": SCRIPTED,
}
MODELS: dict[str, Any] = {
    "good": {"model": "good", "persona": "cold-logician"},
    "bad": {"model": "bad", "persona": "hot-charger"},
}


def file_of(path: Path, **keys: Any) -> Path:
    """A file with a plan of scripted players, unless `keys` say otherwise."""
    file = path / "plan.yaml"
    file.write_text(yaml.safe_dump({**PLAN, **keys}), encoding="utf-8")
    return file


def planned(path: Path, **keys: Any) -> Tournament:
    return load_tournament(file_of(path, **keys))


def with_models(server: ModelServer, *, endpoint: Json | None = None, **keys: Any) -> Json:
    """The keys of a plan whose competitors are models that `server` answers for."""
    plan = {"base_url": server.base_url, "timeout": 5, "patience": 0.2, **(endpoint or {})}
    endpoints = {name: {**plan, "model": name} for name in MODELS}
    return {"endpoints": endpoints, "competitors": dict(MODELS), "question": {"games": 4}, **keys}


@contextmanager
def serving(**keys: Any) -> Iterator[ModelServer]:
    """A server of two models that answer the same question alike."""
    with ModelServer(**{"models": ("good", "bad"), **keys}) as server:
        server.answer = written
        yield server


@contextmanager
def impatient() -> Iterator[None]:
    """Let nobody wait long, neither for another attempt nor for an endpoint that is down."""
    with pytest.MonkeyPatch.context() as patch, quick():
        patch.setattr(running, "PATIENCE", 0.05)
        yield


def run_of(tournament: Tournament, folder: Folder) -> Run:
    return Run(tournament, folder, Here(tournament, folder, tournament.plans()))


def played(tournament: Tournament, path: Path) -> Folder:
    """Play, or go on with, a tournament."""
    with Folder(path) as folder:
        folder.begin(tournament)
        asyncio.run(_played(tournament, folder))
    return folder


async def _played(tournament: Tournament, folder: Folder) -> None:
    await run_of(tournament, folder).play()


def events(path: Path) -> dict[str, Any]:
    """What happened in each game of the folder `path`."""
    return {file.name: read(file).events for file in sorted((path / "games").iterdir())}


def calls(path: Path) -> list[tuple[str, int, int, str]]:
    """All calls in the games of the folder `path` that brought an answer: file, seat, request and what was sent."""
    return [
        (file.name, one.seat, one.n, one.attempt.prompt)
        for file in sorted((path / "games").iterdir())
        for one in read(file).records
        if isinstance(one, Attempted) and one.attempt.text
    ]


def nonsense_of(name: str) -> Any:
    """Answers of which those of one model are no use."""

    def answer(body: Json) -> str:
        return "I would rather not." if body["model"] == name else written(body)

    return answer


def lines(path: Path) -> list[Any]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def wait_until(true: Callable[[], bool], seconds: float = 180) -> None:
    deadline = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < deadline, "it never came to that"
        time.sleep(0.01)


@contextmanager
def playing(plan: Path, out: Path, *options: str) -> Iterator[subprocess.Popen[str]]:
    """The command of a user, in another process."""
    command = [sys.executable, "-m", "arena", "tournament", str(plan), "--out", str(out), *options]
    path = {"PYTHONPATH": str(ROOT)}
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env={**os.environ, **path}
    ) as process:
        try:
            yield process
        finally:
            process.kill()


def through(process: subprocess.Popen[str]) -> tuple[int, str, str]:
    out, err = process.communicate(timeout=300)
    return process.returncode, out, err
