"""People at a table over HTTP, from the deal to the end."""

import asyncio
from pathlib import Path

from arena.transcript import read, rerun
from tests.hosting.browsers import Server, play_along
from tests.hosting.tables import lay, table


async def test_one_person_plays_a_game_to_its_end(server: Server, tmp_path: Path) -> None:
    async with server.browser() as host, server.browser() as person:
        game, links = await lay(host, table(3, players=6))
        assert await person.join(links[3]) == f"/seat/{game}"
        async with person.follow(game, "own") as page, host.follow(game) as watching:
            await asyncio.wait_for(play_along(page), 60)
            await watching.until(lambda p: p.status["state"] == "ended")
            assert page.frames[-1]["kind"] == watching.frames[-1]["kind"] == "ended"
    [path] = tmp_path.glob("*.jsonl")
    played = read(path)
    assert played.outcome
    assert rerun(played.header, played.records).state.outcome
