"""Tournaments of models: outages, faults, caps, and what is counted against whom."""

import asyncio
from collections.abc import Callable
from pathlib import Path

import orjson
import pytest

from arena.dataset import write_tables
from arena.endpoint import Unreachable
from arena.terms import Halted
from arena.tournament.folder import Folder
from arena.tournament.plan import Tournament
from arena.tournament.play import Here
from arena.tournament.report import read_report, standings_data
from arena.tournament.run import TRIES, Paused, Progress, Run
from arena.tournament.schedule import Fixture
from arena.transcript import read
from tests.model_games import written
from tests.model_server import ModelServer
from tests.model_server.refusals import Refusal
from tests.tournament_games import (
    calls,
    events,
    impatient,
    nonsense_of,
    planned,
    played,
    serving,
    wait_until,
    with_models,
)

PRICE = {"input": 100.0, "output": 100.0}


def test_an_outage_pauses_and_the_same_games_go_on(tmp_path: Path) -> None:
    """The server is gone in the middle, and comes back; everything ends as if it had never been away."""
    with impatient(), serving() as server:
        keys = with_models(server)
        played(planned(tmp_path, **keys), tmp_path / "whole")
        port = int(server.base_url.split(":")[2].split("/")[0])
    with impatient():
        asyncio.run(_through_an_outage(planned(tmp_path, **keys), tmp_path / "t", port))
    assert events(tmp_path / "t") == events(tmp_path / "whole")
    with Folder(tmp_path / "t") as folder:
        stops = folder.stops()
    assert stops
    assert {(stop.number, stop.cause) for stop in stops} == {(0, "provider")}
    assert "no connection" in stops[0].why
    assert len(calls(tmp_path / "t")) == len(set(calls(tmp_path / "t"))), "no answer was asked for twice"
    assert read_report(folder).voids == {}


async def _through_an_outage(tournament: Tournament, path: Path, port: int) -> None:
    def server() -> ModelServer:
        opened = ModelServer(models=("good", "bad"), port=port)
        opened.answer = written
        return opened

    waited: list[str] = []

    def watch(progress: Progress) -> None:
        waited.extend([progress.waiting] if progress.waiting else [])

    with Folder(path) as folder:
        folder.begin(tournament)
        first = server()
        with first:
            venue = Here(tournament, folder, tournament.plans())
            run = asyncio.create_task(Run(tournament, folder, venue, watch).play())
            await asyncio.to_thread(wait_until, lambda: len(first.requests) >= 30)
        await asyncio.to_thread(wait_until, lambda: bool(waited))
        assert not run.done()
        with server():
            await run


def test_a_key_that_is_refused_is_no_fault_of_the_provider(tmp_path: Path) -> None:
    with impatient(), serving() as server:
        tournament = planned(tmp_path, **with_models(server))
        server.next(*["bad_key"] * 3)
        folder = played(tournament, tmp_path / "t")
    assert {stop.cause for stop in folder.stops()} == {"ours"}
    assert read_report(folder).standing.games == 4


def _nonsense(server: ModelServer) -> None:
    server.answer = nonsense_of("bad")


def _refused_alone(server: ModelServer) -> None:
    disliked = Refusal(400, "The input may hold what is not wanted here.", code="data_inspection_failed")
    server.refusals.append(lambda body: disliked if body.get("seed") == 13 else None)


def _late_alone(server: ModelServer) -> None:
    server.meets = lambda body: "slow" if body.get("seed") == 13 else None


@pytest.mark.parametrize("spoil", [_nonsense, _refused_alone, _late_alone])
def test_a_competitor_whose_answers_are_no_use_forfeits(tmp_path: Path, spoil: Callable[[ModelServer], None]) -> None:
    """So does one to whom alone an endpoint gives none, or none in time: that is no outage."""
    with impatient(), serving(slow=3.0) as server:
        quick = {"timeout": 0.6, "patience": 0.6} if spoil is _late_alone else {}
        keys = with_models(server, faults=3, endpoint=quick, question={"games": 2})
        if spoil is not _nonsense:
            keys["competitors"] = {
                "good": {"model": "good", "persona": "cold-logician"},
                "bad": {"model": "good", "persona": "hot-charger", "sampling": {"seed": 13}},
            }
        spoil(server)
        folder = played(planned(tmp_path, **keys), tmp_path / "t")
    report = read_report(folder)
    rows = {row["name"]: row for row in standings_data(report)["competitors"]}
    assert report.standing.games == 2
    assert (rows["good"]["won"], rows["bad"]["lost"]) == (2, 2)
    assert (rows["good"]["forfeits"], rows["bad"]["forfeits"]) == (0, 2)
    assert rows["bad"]["defaults"] > 2 * 3
    write_tables(folder.path, tmp_path / "tables", "jsonl", None)
    seats = [orjson.loads(line) for line in (tmp_path / "tables" / "seats.jsonl").read_bytes().splitlines()]
    assert {(seat["competitor"], seat["rated_result"]) for seat in seats} == {("good", "won"), ("bad", "lost")}
    kept = folder.path / "results.jsonl"
    kept.unlink()
    assert standings_data(read_report(folder)) == standings_data(report), "what was kept says what the games say"
    assert not folder.voids()


def test_a_cap_in_money_is_never_exceeded_and_a_larger_one_goes_on(tmp_path: Path) -> None:
    with impatient(), serving() as server:
        keys = with_models(server, endpoint={"price": PRICE})
        whole = played(planned(tmp_path, **keys), tmp_path / "whole")
        cost = _cost(tmp_path / "whole")
        cap = {"usd": round(cost * 0.6, 4)}
        with pytest.raises(Halted, match=r"cap: usd: \d+\.\d+ of .* are spent; a larger cap goes on"):
            played(planned(tmp_path, **keys, cap=cap), tmp_path / "t")
        assert 0.2 * cost < _cost(tmp_path / "t") <= cap["usd"]
        before = len(server.requests)
        with pytest.raises(Halted, match="cap: usd"):
            played(planned(tmp_path, **keys, cap=cap), tmp_path / "t")
        assert len(server.requests) - before <= 2, "what was spent before counts, also in the next process"
        played(planned(tmp_path, **keys, cap={"usd": 3 * cost}), tmp_path / "t")
    assert events(tmp_path / "t") == events(tmp_path / "whole")
    assert _cost(tmp_path / "t") == pytest.approx(cost)
    assert read_report(whole).standing.games == 4


def test_what_a_game_cost_that_was_given_up_is_spent(tmp_path: Path) -> None:
    with impatient(), serving() as server:
        keys = with_models(server, endpoint={"price": PRICE})
        played(planned(tmp_path, **keys), tmp_path / "t")
        cost = _cost(tmp_path / "t")
        game = sorted((tmp_path / "t" / "games").iterdir())[0]
        lost = read(game).spent
        content = game.read_bytes().splitlines(keepends=True)
        game.write_bytes(b"".join([*content[:-5], b"?\n", *content[-5:]]))
        seen: list[float] = []
        with Folder(tmp_path / "t") as folder:
            tournament = planned(tmp_path, **keys)
            folder.begin(tournament)
            asyncio.run(_watched(tournament, folder, seen))
    assert [void.usd for void in folder.voids()] == [pytest.approx(lost)]
    assert seen[-1] == pytest.approx(cost + lost)


async def _watched(tournament: Tournament, folder: Folder, seen: list[float]) -> None:
    venue = Here(tournament, folder, tournament.plans())
    await Run(tournament, folder, venue, lambda progress: seen.append(progress.spent)).play()


def _cost(path: Path) -> float:
    return sum(read(file).spent for file in (path / "games").iterdir())


def test_no_prompt_names_a_competitor_or_a_model_and_seats_change_with_the_deal(tmp_path: Path) -> None:
    models = {
        name: {"model": model, "persona": persona}
        for name, model, persona in (("zanzibar", "good", "cold-logician"), ("quetzal", "bad", "hot-charger"))
    }
    names = {"good": "xylophone", "bad": "yggdrasil"}
    with impatient(), serving(models=tuple(names.values())) as server:
        keys = with_models(server, competitors=models)
        keys["endpoints"] = {name: {**keys["endpoints"][name], "model": model} for name, model in names.items()}
        folder = played(planned(tmp_path, **keys), tmp_path / "t")
        prompts = str([request.body["messages"] for request in server.requests])
    assert not [word for word in (*models, *names.values()) if word in prompts]
    assert len({fixture.competitors for fixture in folder.fixtures()}) > 2


class Stuck(Here):
    """A venue at which some games don't come to their end: as many by each cause as `CAUSES` says."""

    CAUSES = ("key", "key", "outage", "crash", "person")

    async def play(self, fixture: Fixture) -> None:
        stuck = dict(zip((f"b001-d{n:03}-l01" for n in range(1, 6)), self.CAUSES, strict=True)).get(fixture.id)
        if stuck == "key":
            raise Halted("HTTP 401") from Unreachable("HTTP 401", 401)
        if stuck is None:
            await super().play(fixture)
            return
        await super().play(fixture)
        transcript = self._folder.game(fixture)
        lines = transcript.read_bytes().splitlines(keepends=True)
        transcript.write_bytes(b"".join(lines[: len(lines) // 2]))
        if stuck == "crash":
            raise ZeroDivisionError
        if stuck == "outage":
            raise Halted("no connection") from Unreachable("no connection")
        await self.stopped.wait()
        raise Halted("paused")

    async def open(self, spent: float) -> None:
        self.stopped = asyncio.Event()
        await super().open(spent)

    def close(self, why: Halted) -> None:
        self.stopped.set()
        super().close(why)


async def _until_fifteen_are_over(tournament: Tournament, folder: Folder) -> None:
    def watch(progress: Progress) -> None:
        if (progress.played, len(progress.voids)) == (15, TRIES):
            asyncio.get_running_loop().call_later(0.2, run.stop, Paused("paused"))

    run = Run(tournament, folder, Stuck(tournament, folder, tournament.plans()), watch)
    await run.play()


def test_games_that_stop_are_no_results_and_have_a_cause(tmp_path: Path) -> None:
    """Twenty games: two die in set-up, one by an outage, one by a crash of ours, one by a person, fifteen finish."""
    names = [f"{persona}-{number}" for persona in ("cold-logician", "hot-charger") for number in (1, 2)]
    competitors = {name: {"scripted": name[:-2]} for name in names}
    tournament = planned(tmp_path, competitors=competitors, question={"games": 20}, concurrency=20)
    with Folder(tmp_path / "t") as folder:
        folder.begin(tournament)
        with pytest.raises(Paused):
            asyncio.run(_until_fifteen_are_over(tournament, folder))
    report = read_report(folder)
    data = standings_data(report)
    assert data["stopped"] == {"ours": 3, "provider": 1, "person": 1}
    assert (data["games"], data["scheduled"]) == (15, 20)
    assert sum(row["won"] + row["lost"] + row["drawn"] for row in data["competitors"]) == 2 * 15
    folder = played(tournament, tmp_path / "t")
    after = standings_data(read_report(folder))
    assert (after["games"], after["stopped"], after["scheduled"]) == (20, {}, 20)
    assert {void.cause for void in folder.voids()} == {"ours"}
    assert {void.id for void in folder.voids()} == {"b001-d004-l01"}, "the others went on from where they were"
