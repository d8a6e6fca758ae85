"""Tournaments on a Dask cluster of two workers: as in one process, and on when a worker is killed."""

import asyncio
import importlib.util
import os
import signal
import time
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest

from arena.terms import DuskwaldError, Halted, UnusableInput
from arena.tournament.cluster.venue import Cluster as Venue
from arena.tournament.folder import Folder
from arena.tournament.plan import Tournament
from arena.tournament.report import read_report, standings_data
from arena.tournament.run import Run
from arena.transcript import read
from tests.command_line import CommandLine
from tests.dask_cluster import Cluster, dask_cluster
from tests.model_server.schema import Json
from tests.tournament_games import (
    calls,
    events,
    file_of,
    impatient,
    planned,
    played,
    playing,
    serving,
    through,
    wait_until,
    with_models,
)

PRICE = {"input": 100.0, "output": 100.0}
LIMIT = 3


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    with dask_cluster() as opened:
        yield opened


def played_there(cluster: Cluster, tournament: Tournament, path: Path) -> Folder:
    with Folder(path) as folder:
        folder.begin(tournament)
        asyncio.run(_played(cluster, tournament, folder))
    return folder


async def _played(cluster: Cluster, tournament: Tournament, folder: Folder) -> None:
    await Run(tournament, folder, Venue(cluster.address, tournament, folder, tournament.plans())).play()


def test_a_cluster_decides_and_rates_as_one_process_does(cluster: Cluster, tmp_path: Path) -> None:
    """Also which pairs later blocks are about, and when it is over."""
    tournament = planned(
        tmp_path,
        question="leader",
        cap={"games": 34},
        competitors={name: {"scripted": name} for name in ("cold-logician", "hot-charger", "dry-joker")},
    )
    here, there = played(tournament, tmp_path / "here"), played_there(cluster, tournament, tmp_path / "there")
    assert there.fixtures() == here.fixtures()
    assert max(fixture.block for fixture in here.fixtures()) > 2
    assert events(tmp_path / "there") == events(tmp_path / "here")
    assert standings_data(read_report(there)) == standings_data(read_report(here))
    assert not (tmp_path / "there" / ".cluster").exists()


def test_the_limits_of_an_endpoint_are_divided_and_money_is_never_exceeded(cluster: Cluster, tmp_path: Path) -> None:
    with impatient(), serving(slow=0.03) as server:
        server.meets = lambda body: "slow"
        limits = {"in_flight": LIMIT, "price": PRICE}
        keys = with_models(server, endpoint=limits, question={"games": 8})
        keys["endpoints"]["bad"] = keys["endpoints"]["good"]
        keys["competitors"]["bad"] = {**keys["competitors"]["bad"], "model": "good"}
        played(planned(tmp_path, **keys), tmp_path / "whole")
        cost = sum(read(file).spent for file in (tmp_path / "whole" / "games").iterdir())
        cap = {"usd": round(0.6 * cost, 4)}
        with pytest.raises(Halted, match=r"cap: usd: .* are spent; a larger cap goes on"):
            played_there(cluster, planned(tmp_path, **keys, cap=cap), tmp_path / "t")
        spent = sum(read(file).spent for file in (tmp_path / "t" / "games").iterdir())
        assert 0.2 * cost < spent <= cap["usd"]
        played_there(cluster, planned(tmp_path, **keys, cap={"usd": 3 * cost}), tmp_path / "t")
        assert server.most_in_flight == LIMIT
    assert events(tmp_path / "t") == events(tmp_path / "whole")
    assert len(calls(tmp_path / "t")) == len(set(calls(tmp_path / "t")))


def test_an_endpoint_that_asks_one_worker_for_a_rest_is_left_alone_by_all(cluster: Cluster, tmp_path: Path) -> None:
    with impatient(), serving(slow=0.02, retry_after=2) as server:

        def meets(body: Json) -> str:
            """Two answers that ask for a rest, of which either goes to one worker only."""
            return "rate_limited_seconds" if len(server.requests) in {40, 80} else "slow"

        server.meets = meets
        keys = with_models(server, endpoint={"patience": 30}, question={"games": 8})
        keys["endpoints"]["bad"] = keys["endpoints"]["good"]
        keys["competitors"]["bad"] = {**keys["competitors"]["bad"], "model": "good"}
        played_there(cluster, planned(tmp_path, **keys), tmp_path / "t")
        times = sorted(request.arrived for request in server.requests)
    rests = [later - earlier for earlier, later in pairwise(times) if later - earlier > 1]
    assert len(rests) == 2
    assert min(rests) > 1.5, "what was in flight came a little later"


def test_what_cannot_be_played_on_is_told_before_anything_is(cluster: Cluster, tmp_path: Path) -> None:
    tournament = planned(tmp_path)
    with Folder(tmp_path / "t") as folder:
        folder.begin(tournament)

        async def elsewhere() -> None:
            venue = Venue(cluster.address, tournament, folder, {})
            venue._job = replace(venue._job, folder=str(tmp_path / "elsewhere"))
            (tmp_path / "elsewhere" / ".cluster").mkdir(parents=True)
            await Run(tournament, folder, venue).play()

        async def nowhere() -> None:
            await Run(tournament, folder, Venue("tcp://127.0.0.1:9", tournament, folder, {})).play()

        with pytest.raises(UnusableInput, match="elsewhere: is not the folder of this run; all machines must share it"):
            asyncio.run(elsewhere())
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("arena.tournament.cluster.venue.TIMEOUT", 1)
            with pytest.raises(DuskwaldError, match=r"--dask tcp://127\.0\.0\.1:9: no scheduler with workers answers"):
                asyncio.run(nowhere())
    assert not list((tmp_path / "t" / "games").iterdir())


def test_without_dask_the_option_says_what_is_missing(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    arena = CommandLine(monkeypatch, capsys)
    ran = arena("tournament", file_of(tmp_path), "--out", tmp_path / "t", "--dask", "tcp://127.0.0.1:9")
    assert (ran.status, ran.out) == (2, "")
    assert ran.err == "arena: --dask: Dask is not installed; pip install -e '.[cluster]'\n"


@pytest.mark.parametrize("address", ["nonsense", "ftp://127.0.0.1:9", "127.0.0.1:port"])
def test_what_is_no_address_is_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path, address: str
) -> None:
    arena = CommandLine(monkeypatch, capsys)
    ran = arena("tournament", file_of(tmp_path), "--out", tmp_path / "t", "--dask", address)
    assert (ran.status, ran.out) == (2, "")
    assert ran.err == f"arena: --dask {address!r}: no address; allowed: HOST:PORT, tcp://HOST:PORT\n"


def test_the_games_of_a_killed_worker_go_on_elsewhere_and_no_reply_is_asked_for_twice(
    cluster: Cluster, tmp_path: Path
) -> None:
    with impatient(), serving(slow=0.05) as server:
        server.meets = lambda body: "slow"
        keys = with_models(server, endpoint={"in_flight": 4}, question={"games": 6})
        played(planned(tmp_path, **keys), tmp_path / "whole")
        asked = len(server.requests)

        async def killed() -> None:
            tournament = planned(tmp_path, **keys)
            with Folder(tmp_path / "t") as folder:
                folder.begin(tournament)
                run = asyncio.create_task(_played(cluster, tournament, folder))
                await asyncio.to_thread(wait_until, lambda: len(server.requests) >= asked + 40)
                os.kill(cluster.workers[0], signal.SIGKILL)
                await run

        asyncio.run(killed())
    assert events(tmp_path / "t") == events(tmp_path / "whole")
    made = calls(tmp_path / "t")
    assert len(made) == len(set(made)) == len(calls(tmp_path / "whole"))
    assert 0 <= len(server.requests) - asked - len(made) <= 2 * 4, "only what was in flight was asked for again"
    assert not (tmp_path / "t" / "voids").exists()


def test_the_games_of_a_killed_run_end_and_the_next_run_goes_on_with_them(cluster: Cluster, tmp_path: Path) -> None:
    """The workers are still there, and could go on with games that nobody waits for."""
    with impatient(), serving(slow=0.2) as server:
        server.meets = lambda body: "slow"
        keys = with_models(server, endpoint={"in_flight": 4})
        plan = file_of(tmp_path, **keys)
        with playing(plan, tmp_path / "t", "--dask", cluster.address) as process:
            wait_until(lambda: len(server.requests) >= 20)
            process.kill()
            process.communicate()
        time.sleep(1)
        asked = len(server.requests)
        time.sleep(1)
        assert len(server.requests) == asked, "nobody plays on"
        server.meets = lambda body: None
        with playing(plan, tmp_path / "t", "--dask", cluster.address) as process:
            status, out, err = through(process)
        assert status == 0, err
        assert "after 4 games" in out
        played(planned(tmp_path, **keys), tmp_path / "whole")
    made = calls(tmp_path / "t")
    assert len(made) == len(set(made))
    assert events(tmp_path / "t") == events(tmp_path / "whole")
