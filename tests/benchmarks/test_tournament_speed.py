"""A tournament against an endpoint that takes a second for every answer. Figures are in README.md of this folder."""

import asyncio
import gc
import resource
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from heapq import heapreplace
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from arena.endpoint import client
from arena.tournament.folder import Folder
from arena.tournament.plan import Tournament
from arena.tournament.play import Here
from arena.tournament.run import Run
from arena.transcript import Asked, Attempted, Transcript, read
from tests.benchmarks.conftest import RATES
from tests.model_games import written
from tests.model_server import ModelServer
from tests.repository import ROOT

pytestmark = pytest.mark.benchmark

GAMES, AT_ONCE, IN_FLIGHT, DELAY = 240, 50, 200, 1.0

USUAL = 0.5
"""CPU seconds that ten million additions take on a usual core; to compare machines by."""


class Played(NamedTuple):
    """How a tournament went: seconds of the clock and of the processor, and its transcripts as they were begun."""

    wall: float
    cpu: float
    transcripts: list[Transcript]

    @property
    def calls(self) -> int:
        return sum(isinstance(one, Attempted) for transcript in self.transcripts for one in transcript.records)


@contextmanager
def endpoint() -> Iterator[str]:
    """The stand-in in a process of its own, so that what it costs does not count."""
    command = [sys.executable, "-c", "from tests.benchmarks.test_tournament_speed import serve; serve()"]
    with subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            yield process.stdout.readline().strip()
        finally:
            process.stdin.close()


def serve() -> None:
    """Answer until standard input ends."""
    with ModelServer(models=("one", "other"), cached=False, slow=DELAY) as server:
        server.answer = written
        server.meets = lambda body: "slow"
        gc.disable()  # it would make answers late that are promised after a second
        print(server.base_url, flush=True)  # noqa: T201
        sys.stdin.read()


def tournament(address: str) -> Tournament:
    model: dict[str, Any] = {"base_url": address, "in_flight": IN_FLIGHT}
    return Tournament.model_validate(
        {
            "players": 9,
            "seed": 5,
            "question": {"games": GAMES},
            "concurrency": AT_ONCE,
            "endpoints": {name: {**model, "model": name} for name in ("one", "other")},
            "competitors": {
                "cold": {"model": "one", "persona": "cold-logician"},
                "hot": {"model": "other", "persona": "hot-charger"},
            },
        }
    )


def played(path: Path) -> Played:
    with endpoint() as address, Folder(path) as folder:
        plan = tournament(address)
        folder.begin(plan)

        async def play() -> None:
            await Run(plan, folder, Here(plan, folder, plan.plans())).play()

        wall, cpu = time.monotonic(), time.process_time()
        asyncio.run(play())
        wall, cpu = time.monotonic() - wall, time.process_time() - cpu
        return Played(wall, cpu, [read(folder.game(fixture)) for fixture in folder.fixtures()])


def critical_path(transcript: Transcript) -> int:
    """How many calls of a game had to be made one after another: of each moment, those of the seat with most."""
    longest, calls, asking = 0, Counter[tuple[int, int]](), False
    for one in transcript.records:
        if isinstance(one, Asked) and not asking:
            longest += max(calls.values(), default=0)
            calls.clear()
        asking = isinstance(one, Asked)
        if isinstance(one, Attempted):
            calls[one.seat, one.n] += 1
    return longest + max(calls.values(), default=0)


def bound(games: Played) -> float:
    """Seconds that these games take if nothing does but the calls, and each begins as soon as another has ended."""
    busiest = max(Counter(filter(None, (model_of(one) for t in games.transcripts for one in t.records))).values())
    ends = [0] * AT_ONCE
    for transcript in games.transcripts:
        heapreplace(ends, ends[0] + critical_path(transcript))
    return DELAY * max(*ends, busiest / IN_FLIGHT)


def model_of(one: object) -> str:
    return one.attempt.endpoint if isinstance(one, Attempted) else ""


def slowness() -> float:
    """How many times slower this machine is than a usual one, just now."""
    begun = time.process_time()
    total = 0
    for number in range(10_000_000):
        total += number
    return (time.process_time() - begun) / USUAL


def test_fifty_games_at_once_take_hardly_longer_than_their_calls(tmp_path: Path) -> None:
    assert client, "which takes a second or two to load, and is no part of a call"
    before = slowness()
    games = played(tmp_path / "t")
    slow = (before + slowness()) / 2
    least, each = bound(games), 1000 * games.cpu / games.calls
    ratio = games.wall / least
    RATES.append(
        f"{AT_ONCE} games at once: {games.calls} calls in {games.wall:.1f} s, {ratio:.3f} of the bound {least:.0f} s"
    )
    RATES.append(
        f"all CPU for a call: {each:.1f} ms, and {each / slow:.1f} ms on a usual core ({slow:.1f} times faster)"
    )
    RATES.append(f"most memory so far: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB")
    assert ratio <= 1.05
    assert each / slow <= 6
