"""The server is killed in the middle of games and starts again: same seats, same links, no answer lost."""

import asyncio
import os
import signal
import socket
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx2
import pytest

from arena.terms import UnusableInput
from arena.transcript import Replied, read, rerun
from dashboard.host import TABLES
from dashboard.hosting.clocks import CALL
from dashboard.hosting.tables import Tables
from tests.hosting.browsers import Browser, Following, Server, play_along, serving
from tests.hosting.tables import lay, table
from tests.repository import ROOT


class Process:
    """``arena dashboard`` over `folder`, on a port of its own."""

    def __init__(self, folder: Path, **environment: str) -> None:
        self.folder = folder
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self.base = f"http://127.0.0.1:{self.port}"
        self._environment = {**os.environ, "PYTHONPATH": str(ROOT), **environment}
        self._server: subprocess.Popen[bytes] | None = None

    async def start(self, *arguments: str) -> None:
        command = [
            sys.executable,
            "-c",
            "from arena.cli import main; main()",
            "dashboard",
            "--folder",
            str(self.folder),
        ]
        with (self.folder / "log").open("ab") as log:
            self._server = subprocess.Popen(  # noqa: ASYNC220 - it takes no time
                [*command, "--port", str(self.port), *arguments],
                cwd=self.folder,
                stdout=log,
                stderr=log,
                env=self._environment,
            )
        address = f"http://{arguments[1]}:{self.port}" if "--host" in arguments else self.base
        async with httpx2.AsyncClient(trust_env=False) as client:
            for _ in range(300):
                try:
                    await client.get(f"{address}/api/none")
                except httpx2.TransportError:
                    await asyncio.sleep(0.2)
                else:
                    return
                assert self.running, self.log()
        raise AssertionError(self.log())

    def end(self, number: int) -> int:
        assert self._server
        self._server.send_signal(number)
        return self._server.wait(20)

    @property
    def running(self) -> bool:
        return self._server is not None and self._server.poll() is None

    def log(self) -> str:
        return (self.folder / "log").read_text(encoding="utf-8")


@asynccontextmanager
async def process(folder: Path, *arguments: str, **environment: str) -> AsyncIterator[Process]:
    started = Process(folder, **environment)
    await started.start(*arguments)
    try:
        yield started
    finally:
        if started.running:
            started.end(signal.SIGKILL)


def last_written(folder: Path) -> Path:
    return max(folder.glob("*.jsonl"), key=lambda path: path.stat().st_mtime)


PEOPLE = (2, 5, 9)


class Voting:
    """Three people and a spectator who follow a game as far as its first exile vote."""

    def __init__(self, base: str) -> None:
        self.host = Browser(base)
        self.browsers = {seat: Browser(base) for seat in PEOPLE}
        self.pages: dict[int, Following] = {}

    async def begin(self) -> None:
        """Play until all three are asked to vote. Cards are drawn, and in two games of three somebody dies before."""
        for _ in range(50):
            setup = table(*PEOPLE, clock={"seconds": 60, "pace": 100, "night": 0.3})
            self.game, self.links = await lay(self.host, setup)
            for seat, browser in self.browsers.items():
                assert await browser.join(self.links[seat]) == f"/seat/{self.game}"
            self.pages = {seat: browser.follow(self.game, "own") for seat, browser in self.browsers.items()}
            self.pages[0] = self.host.follow(self.game)
            for page in self.pages.values():
                await page.__aenter__()
            if await self._vote():
                await asyncio.sleep(0.5)
                return
            await self.leave()
            await self.host.post(f"/api/games/{self.game}/stop")
        raise AssertionError("no game comes to a vote of all three")

    async def _vote(self) -> bool:
        pages = [self.pages[seat] for seat in PEOPLE]
        playing = [asyncio.create_task(play_along(page, stop=is_vote)) for page in pages]
        out = asyncio.create_task(self.pages[0].until(_somebody_is_out))
        await asyncio.wait([asyncio.create_task(_all(playing)), out], return_when=asyncio.FIRST_COMPLETED)
        for task in (*playing, out):
            task.cancel()
        await asyncio.gather(*playing, out, return_exceptions=True)
        return all(page.question and is_vote(page.question) for page in pages)

    async def leave(self) -> None:
        for page in self.pages.values():
            await page.__aexit__()

    async def close(self) -> None:
        for browser in (*self.browsers.values(), self.host):
            await browser.client.aclose()


async def _all(tasks: list[asyncio.Task[None]]) -> None:
    await asyncio.wait(tasks)


def is_vote(question: dict[str, Any]) -> bool:
    return bool(question["topic"] == "vote")


def _somebody_is_out(page: Following) -> bool:
    """Whether the game will not come to a vote of all three any more."""
    fell = {seat for frame in page.frames for seat in frame.get("fell", ())}
    nights = sum(frame.get("part") == "night" for frame in page.frames)
    return bool(fell & set(PEOPLE)) or nights > 1 or page.status.get("state") == "ended"


async def test_a_vote_outlives_the_server_and_so_do_seats_and_links(tmp_path: Path) -> None:
    """Field report A-G01: people vote in any order, each answer reaches its own seat, and one of them is late."""
    async with process(tmp_path) as server:
        voting = Voting(server.base)
        await voting.begin()
        game, pages, browsers = voting.game, voting.pages, voting.browsers
        shown, state = list(pages[0].frames), pages[0].status
        for seat in (9, 2):
            question = pages[seat].question
            assert question
            assert (await pages[seat].answer(n=question["n"], act="vote", seats=[5])).status_code == 200
        left = pages[5].question["left"] if pages[5].question else 0
        await asyncio.sleep(0.5)
        later = [frame["kind"] for frame in pages[0].frames[len(shown) :]]
        assert (later, pages[0].status) == ([], state), "A-I04: a ballot shows before it is closed"
        server.end(signal.SIGKILL)
        for page in pages.values():
            await page.until(lambda p: p.status_code == 0)
        await voting.leave()
        await server.start()

        async with browsers[5].follow(game, "own") as last, browsers[9].follow(game, "own") as first:
            await last.until(lambda p: p.question)
            assert last.question
            assert 10 <= last.question["left"] < left - 0.5, "the clock went on, although nobody drove the game"
            await first.until(lambda p: p.seat.get("held"))
            assert first.question is None
            assert first.seat["held"]["words"] == "vote for seat 5"
            again = await first.answer(n=first.seat["held"]["n"], act="vote", seats=[2])
            assert (again.status_code, again.json()["why"]) == (409, "already")
            assert last.question
            assert (await last.answer(n=last.question["n"], act="vote", seats=[9])).status_code == 200
            await last.until(lambda p: any(frame["kind"] == "voted" for frame in p.frames))
        async with Browser(server.base) as phone:
            assert await phone.join(voting.links[2]) == f"/seat/{game}"
        await voting.close()
    transcript = read(last_written(tmp_path))
    rerun(transcript.header, transcript.records)
    replies = [r for r in transcript.records if isinstance(r, Replied) and r.reply.source == "human"]
    votes = [(r.seat, r.reply.decision.seats) for r in replies if r.reply.decision.act == "vote"]
    assert votes[-3:] == [(9, (5,)), (2, (5,)), (5, (9,))]


async def test_notes_and_absence_outlive_the_server(tmp_path: Path) -> None:
    async with process(tmp_path) as server, Browser(server.base) as host, Browser(server.base) as person:
        game, links = await lay(host, table(3, players=6, clock={"seconds": 600, "night": 600}))
        waiting, _ = await lay(host, table(1, 2, players=6), start=False)
        await person.join(links[3])
        assert (await person.post(f"/api/games/{game}/notes", {"text": "5 <b>lies</b>"})).status_code == 200
        assert (await person.post(f"/api/games/{game}/leave")).status_code == 200
        server.end(signal.SIGKILL)
        await server.start()
        async with person.follow(game, "own") as page:
            await page.until(lambda p: p.seat and p.status["state"] == "running")
            assert (page.seat["notes"], page.seat["away"]) == ("5 <b>lies</b>", True)
        states = {listed["id"]: listed["state"] for listed in (await host.get("/api/games")).json()}
        assert states == {game: "running", waiting: "waiting"}


SLOW = {"seconds": 600, "night": 600}


async def test_a_call_of_the_night_goes_on_where_it_was_and_never_ends_unseen(tmp_path: Path) -> None:
    everybody = tuple(range(1, 7))
    async with serving(tmp_path) as server, server.browser() as host:
        game, links = await lay(host, table(*everybody, players=6, clock=SLOW, rules={"werewolves.rounds": 1}))
        browser = await _asked(server, game, links)
        running = server.host.game(game)
        assert running
        kept = server.host.tables.clock(game, CALL)
        assert kept
        server.host.tables.set_clock(game, CALL, kept[0], kept[1] - 300)
    for most, shift in ((300, 400), (10, 0)):
        async with serving(tmp_path) as server:
            browser.base = server.base
            browser.client.base_url = httpx2.URL(server.base)
            async with browser.follow(game, "own") as page:
                await page.until(lambda p: p.question)
                assert page.question
                assert most - 5 < page.question["left"] <= most
            server.host.tables.set_clock(game, CALL, kept[0], kept[1] - 300 - shift)
    await browser.client.aclose()


async def _asked(server: Server, game: str, links: dict[int, str]) -> Browser:
    """The browser of somebody who is asked something at once."""
    for link in links.values():
        browser = server.browser()
        await browser.join(link)
        async with browser.follow(game, "own") as page:
            await page.until(lambda p: p.seat and p.status["state"] == "running" and p.frames)
            await asyncio.sleep(0.2)
            if page.question:
                return browser
        await browser.client.aclose()
    raise AssertionError("nobody is asked")


async def test_two_servers_do_not_host_the_same_games(tmp_path: Path) -> None:
    first = Tables(tmp_path / TABLES)
    first.open()
    second = Tables(tmp_path / TABLES)
    second.open()  # nothing is there yet
    first.set_password("a long one")
    for use in (second.open, lambda: second.has_password):
        with pytest.raises(UnusableInput, match="another server hosts the games of this folder"):
            use()
    first.close()
    second.open()
    second.close()


async def test_control_c_ends_the_server_although_streams_are_open(tmp_path: Path) -> None:
    async with process(tmp_path) as server, Browser(server.base) as host:
        game, _ = await lay(host, table(3, players=6, clock={"seconds": 600, "night": 600}))
        async with host.follow(game) as page:
            await page.until(lambda p: p.status)
            await asyncio.to_thread(server.end, signal.SIGINT)
            await page.until(lambda p: p.status_code == 0)
        assert "Traceback" not in server.log()


async def test_others_are_let_in_with_a_warning_and_a_password(tmp_path: Path) -> None:
    secret = {"DUSKWALD_HOST_PASSWORD": "owls and embers"}
    async with process(tmp_path, "--host", "127.0.0.2", **secret) as server:
        assert "password" in server.log()
        assert "密码" in server.log()
        assert f"http://127.0.0.2:{server.port}" in server.log()
