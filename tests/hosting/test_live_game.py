"""People at a table over HTTP, from the deal to the end."""

import asyncio
from collections.abc import Callable
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import orjson

from arena.events import view_of
from arena.terms import SPECTATOR, Reply
from arena.transcript import Replied, Transcript, read, rerun
from dashboard.frames import frames
from tests.hosting.browsers import Browser, Following, Server, play_along, some_answer
from tests.hosting.tables import lay, table


def played(folder: Path) -> Transcript:
    [path] = folder.glob("*.jsonl")
    return read(path)


def replies(transcript: Transcript, seat: int) -> list[Reply]:
    return [record.reply for record in transcript.records if isinstance(record, Replied) and record.seat == seat]


def stands(page: Following) -> bool:
    return bool(page.question and page.question["stands"])


async def refreshing(browser: Browser, game: str) -> list[dict[str, Any]]:
    """Play, and open the page anew every few questions: at once from the beginning, or from where it broke off."""
    last, rounds = "", 0
    kept: list[dict[str, Any]] = []
    while True:
        rounds += 1
        async with browser.follow(game, "own", last) as page:
            await page.until(lambda p: p.status)
            if not last:
                assert page.scene["from"] == 0
            seen = len(kept) if last else 0
            playing = asyncio.create_task(play_along(page))
            await asyncio.wait([playing], timeout=0.5)
            over = playing.done()
            playing.cancel()
            await asyncio.gather(playing, return_exceptions=True)
            kept = kept[:seen] + page.frames
            last = page.last if rounds % 2 else ""
        if over:
            return kept


async def away_for_a_while(page: Following) -> None:
    await page.until(lambda p: p.seat.get("away"))
    standing_in = page.seat
    assert standing_in["absent"] == "stand_in"
    await asyncio.sleep(1)
    assert (await page.browser.post(f"/api/games/{page.game}/return")).status_code == 200
    await page.until(lambda p: not p.seat["away"])
    await play_along(page)


async def in_two_tabs(one: Following, other: Following) -> list[int]:
    """Answer each question from both tabs at once: how often both were asked, and one of them was refused."""
    refused = []

    async def both(question: dict[str, Any]) -> None:
        answer = some_answer(question)
        least = {**answer, "text": "From the other tab."} if question["turn"] else answer
        answers = await asyncio.gather(one.answer(**answer), other.answer(**least))
        statuses = sorted(given.status_code for given in answers)
        assert statuses in ([200, 409], [409, 409]), [given.text for given in answers]
        if statuses[0] == 200:
            [late] = [given.json() for given in answers if given.status_code == 409]
            assert late["why"] == "already"
            refused.append(question["n"])

    asked = [0]
    while True:
        await one.until(lambda p: p.status.get("state") == "ended" or (p.question and p.question["n"] > asked[-1]))
        if one.status["state"] == "ended":
            return refused
        assert one.question
        asked.append(one.question["n"])
        await both(one.question)


async def test_three_people_and_six_scripts_finish_a_game(server: Server, tmp_path: Path) -> None:
    """Field reports A-U01, A-U02, A-U05: one refreshes all the time, one is away too long, one has two tabs."""
    async with server.browser() as host, server.browser() as a, server.browser() as b, server.browser() as c:
        game, links = await lay(host, table(2, 5, 9, clock={"seconds": 1, "misses": 2}))
        for browser, seat in ((a, 2), (b, 5), (c, 9)):
            assert await browser.join(links[seat]) == f"/seat/{game}"
        async with (
            asyncio.timeout(120),
            c.follow(game, "own") as gone,
            b.follow(game, "own") as one,
            b.follow(game, "own") as other,
            host.follow(game) as watching,
        ):
            told, _, refused = await asyncio.gather(
                refreshing(a, game), away_for_a_while(gone), in_two_tabs(one, other)
            )
            await watching.until(lambda p: p.status["state"] == "ended")
            for page in (gone, one, other):
                await page.until(lambda p: p.seat.get("result"))
    transcript = played(tmp_path)
    assert transcript.outcome
    for seat, page in ((9, gone), (5, one), (5, other)):
        assert page.seat["result"] == ("won" if seat in transcript.outcome.winners else "lost")
    assert rerun(transcript.header, transcript.records).state.outcome
    assert refused
    for seat, shown in ((2, told), (9, gone.frames), (5, one.frames), (5, other.frames), (SPECTATOR, watching.frames)):
        expected = frames(view_of(transcript.events, seat), "en")
        assert shown == orjson.loads(orjson.dumps(expected))
    sources = [reply.source for reply in replies(transcript, 9)]
    assert sources[:2] == ["fallback", "fallback"]
    assert "script" in sources
    assert {reply.source for reply in replies(transcript, 5)} <= {"human", "fallback"}
    spoken = {reply.decision.text for reply in replies(transcript, 5)}
    assert spoken <= {"", "Hello, all.", "From the other tab."}


async def test_a_table_without_people_plays_at_once_and_shows_its_host_everything(
    server: Server, tmp_path: Path
) -> None:
    async with server.browser() as host:
        game, links = await lay(host, table(players=6), start=False)
        assert links == {}
        async with host.follow(game, "god") as page:
            await page.until(lambda p: p.status.get("state") == "ended")
            assert page.scene["open"]
            assert page.frames[-1]["kind"] == "ended"
    assert played(tmp_path).outcome


async def test_a_late_joiner_and_a_second_language_catch_up(server: Server) -> None:
    async with server.browser() as host:
        game, _ = await lay(host, table(players=6), start=False)
        async with host.follow(game) as first:
            await first.until(lambda p: p.status.get("state") == "ended")
        async with host.follow(game) as late, host.follow(game, lang="zh") as other:
            for page in (late, other):
                await page.until(lambda p: p.frames and p.frames[-1]["kind"] == "ended")
            assert late.frames == first.frames
            assert len(other.frames) == len(first.frames)
            assert other.scene["lang"] == "zh"
        async with host.follow(game, last=late.last) as again:
            await again.until(lambda p: p.status)
            assert again.frames == []
            assert again.scene["from"] == len(first.frames)


async def test_games_run_beside_each_other_and_stand_and_stop_alone(
    server: Server, deal: Callable[[int], None]
) -> None:
    deal(2)  # seat 1 is a werewolf, and outlives the night
    async with server.browser() as host, server.browser() as person:
        one, links = await lay(host, table(1, players=6, clock={"misses": 99}))
        other, _ = await lay(host, table(2, players=6))
        await person.join(links[1])
        async with person.follow(one, "own") as page, host.follow(other) as beside:
            await page.until(lambda p: p.question and not p.question["window"] and p.status["floor"]["seat"] == 1)
            n = page.question["n"] if page.question else 0
            assert (await host.post(f"/api/games/{one}/pause")).json()["state"] == "paused"
            await page.until(lambda p: p.status["state"] == "paused" and stands(p))
            left = page.question["left"] if page.question else 0
            await asyncio.sleep(0.5)
            assert (await host.post(f"/api/games/{one}/go_on")).json()["state"] == "running"
            await page.until(lambda p: p.status["state"] == "running" and not stands(p))
            assert page.question
            assert page.question["n"] == n
            assert abs(page.question["left"] - left) < 0.3
            assert beside.status["state"] == "running"
            assert (await host.post(f"/api/games/{one}/stop")).json()["state"] == "stopped"
            await page.until(lambda p: p.status["state"] == "stopped" and p.question is None)
            late = await page.answer(**some_answer({"n": n, "turn": True}))
            assert late.status_code == 409
            assert (await host.post(f"/api/games/{one}/start")).json()["state"] == "running"
            await page.until(lambda p: p.question and p.question["n"] == n)
            assert (await page.answer(n=n, act="speak", text="Still here.")).status_code == 200


async def test_who_is_out_and_owed_nothing_may_see_all_where_the_table_says_so(
    server: Server, deal: Callable[[int], None]
) -> None:
    deal(0)  # all seats are people's, so that the first can be put out, and many, so that the game does not end by it
    everybody = tuple(range(1, 13))
    async with AsyncExitStack() as open_till_the_end:
        host = await open_till_the_end.enter_async_context(server.browser())
        game, links = await lay(host, table(*everybody, players=12, clock={"misses": 99}, out_sees="god"))
        pages = {}
        for seat in everybody:
            browser = await open_till_the_end.enter_async_context(server.browser())
            await browser.join(links[seat])
            pages[seat] = await open_till_the_end.enter_async_context(browser.follow(game, "own"))

        def choose(question: dict[str, Any]) -> dict[str, Any]:
            for choice in question["choices"]:
                if choice["act"] in {"attack", "vote"} and any(1 in option["seats"] for option in choice["options"]):
                    return {"n": question["n"], "act": choice["act"], "seats": [1]}
            passes = question["turn"] or question["window"]
            return {"n": question["n"], "act": "pass"} if passes else some_answer(question)

        playing = [asyncio.create_task(play_along(page, choose)) for page in pages.values()]
        try:
            await pages[1].until(lambda p: p.scene.get("open"))
        finally:
            # Where nobody answers the game stands still, and doesn't end while it is looked at.
            for task in playing:
                task.cancel()
            await asyncio.gather(*playing, return_exceptions=True)
        assert pages[1].scene["view"] == "god"
        assert pages[1].scene["from"] == 0
        await pages[1].until(lambda p: p.frames)
        cards = {seat for frame in pages[1].frames for seat, facts in frame.get("seats", {}).items() if facts["card"]}
        assert len(cards) == 12
        fell = {seat for frame in pages[1].frames for seat in frame.get("fell", ())}
        assert 1 in fell
        assert not any(pages[seat].scene["open"] for seat in everybody if seat not in fell)
