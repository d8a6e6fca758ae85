"""Many people at once: thirty spectators and nine people at one game, beside nineteen others, for ten minutes.

What counts: no answer is lost, nothing is locked, and the memory does not grow once all games have been seen.
"""

import asyncio
import resource
import time
from pathlib import Path

import pytest

from arena.transcript import Replied, read, rerun
from tests.hosting.browsers import Browser, Following, serving, some_answer
from tests.hosting.tables import lay, table

pytestmark = pytest.mark.benchmark

MINUTES = 10
SPECTATORS = 30
GAMES = 20
BRISK = {"misses": 99, "pace": 8, "night": 2}
"""Eight times as fast as people read, so that ten minutes are as good as an hour."""

SEATS = tuple(range(1, 10))


def megabytes() -> float:
    """What this process holds now."""
    pages = int(Path("/proc/self/statm").read_text(encoding="utf-8").split()[1])
    return pages * resource.getpagesize() / 1e6


class Crowd:
    """Everybody at one server, and what became of their answers."""

    def __init__(self, host: Browser) -> None:
        self.host = host
        self.taken: dict[str, set[tuple[int, int]]] = {}
        self.games = 0
        self.waits: list[float] = []

    async def full_table(self, base: str, until: float) -> None:
        """Nine people and thirty spectators, game after game."""
        while time.monotonic() < until:
            game, links = await lay(self.host, table(*SEATS, clock=BRISK))
            people = [Browser(base) for _ in SEATS]
            watching = [Browser(base) for _ in range(SPECTATORS)]
            pages = [browser.follow(game, "own") for browser in people] + [b.follow(game) for b in watching]
            for browser, seat in zip(people, SEATS, strict=True):
                await browser.join(links[seat])
            for page in pages:
                await page.__aenter__()
            playing = [asyncio.create_task(self._play(page, seat)) for page, seat in zip(pages[:9], SEATS, strict=True)]
            await asyncio.wait(playing, timeout=max(1, until - time.monotonic()))
            for page in pages[9:]:
                assert page.frames
            for task in playing:
                task.cancel()
            await asyncio.gather(*playing, return_exceptions=True)
            for page in pages:
                await page.__aexit__()
            for browser in (*people, *watching):
                await browser.client.aclose()
            await self.host.post(f"/api/games/{game}/stop")
            self.games += 1

    async def small_table(self, base: str, until: float) -> None:
        """One person among scripts, game after game."""
        while time.monotonic() < until:
            game, links = await lay(self.host, table(1, players=6, clock=BRISK))
            async with Browser(base) as browser:
                await browser.join(links[1])
                async with browser.follow(game, "own") as page:
                    playing = asyncio.create_task(self._play(page, 1))
                    await asyncio.wait([playing], timeout=max(1, until - time.monotonic()))
                    playing.cancel()
                    await asyncio.gather(playing, return_exceptions=True)
            await self.host.post(f"/api/games/{game}/stop")
            self.games += 1

    async def _play(self, page: Following, seat: int) -> None:
        asked = [0]
        while True:
            await page.until(
                lambda p: p.status.get("state") == "ended" or (p.question and p.question["n"] > asked[-1]), 600
            )
            if page.status["state"] == "ended":
                return
            question = page.question
            assert question
            asked.append(question["n"])
            if question["window"]:
                continue
            before = time.monotonic()
            answer = await page.answer(**some_answer(question))
            self.waits.append(time.monotonic() - before)
            assert answer.status_code in {200, 409}, answer.text
            if answer.status_code == 200:
                self.taken.setdefault(page.game, set()).add((seat, question["n"]))


async def test_ten_minutes_of_everybody(tmp_path: Path) -> None:
    end = time.monotonic() + 60 * MINUTES
    held: list[float] = []
    async with serving(tmp_path) as server, server.browser() as host:
        crowd = Crowd(host)
        tables = [crowd.full_table(server.base, end), *(crowd.small_table(server.base, end) for _ in range(GAMES - 1))]
        playing = asyncio.gather(*tables)
        while not playing.done():
            await asyncio.wait([playing], timeout=30)
            held.append(megabytes())
        await playing
        paths = {game: server.host.game(game) for game in crowd.taken}
        answers = 0
        for game, taken in crowd.taken.items():
            found = paths[game]
            assert found
            transcript = read(found.path)
            rerun(transcript.header, transcript.records)
            replied = {
                (r.seat, r.n) for r in transcript.records if isinstance(r, Replied) and r.reply.source == "human"
            }
            assert taken <= replied
            answers += len(taken)
        failed = [game.why for game in server.host.games if game.state == "failed"]
    assert not failed
    crowd.waits.sort()
    slowest = crowd.waits[int(len(crowd.waits) * 0.99)]
    print(f"\n{crowd.games} games, {answers} answers, none lost; 99 % within {slowest * 1000:.0f} ms")  # noqa: T201
    print("MB:", " ".join(f"{size:.0f}" for size in held))  # noqa: T201
