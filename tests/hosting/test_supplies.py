"""What a game needs beside its players: keys and money, given when it is laid or later, and tables nobody wants."""

import asyncio
from typing import Any

import pytest

from tests.hosting.browsers import Browser, Server
from tests.hosting.tables import lay, table
from tests.model_server import ModelServer

RIGHT, WRONG = "sk-right-0123456789", "sk-wrong-0123456789"
PRICE = {"input": 50, "output": 100}


def modelled(server: ModelServer, **more: Any) -> dict[str, Any]:
    """A table with a model at its first seat, whose key is in no variable of the environment."""
    plan = {
        "base_url": server.base_url,
        "model": "test-model",
        "key_env": "DUSKWALD_NOT_SET",
        "price": PRICE,
        "patience": 1,
    }
    setup = table(players=6, clock={"pace": 100}, **more)
    return {**setup, "endpoints": {"m": plan}, "seats": {**setup["seats"], "1": {"model": "m"}}}


async def comes_to(browser: Browser, game: str, state: str) -> dict[str, Any]:
    """What the host is told of a game once it is in this state."""
    async with asyncio.timeout(60):
        while True:
            [found] = [one for one in (await browser.get("/api/games")).json() if one["id"] == game]
            if found["state"] == state:
                return dict(found)
            await asyncio.sleep(0.05)


async def test_a_table_whose_key_nobody_gave_is_not_laid(server: Server) -> None:
    with ModelServer(key=RIGHT) as models:
        async with server.browser() as host:
            refused = await host.post("/api/games", {"setup": modelled(models)})
            assert refused.status_code == 400
            assert "DUSKWALD_NOT_SET" in refused.json()["error"]
            assert (await host.get("/api/games")).json() == []


async def test_a_game_whose_key_was_wrong_goes_on_with_another(server: Server) -> None:
    with ModelServer(key=RIGHT) as models:
        async with server.browser() as host:
            laid = await host.post("/api/games", {"setup": modelled(models), "keys": {"m": WRONG}})
            game = laid.json()["id"]
            assert "401" in (await comes_to(host, game, "failed"))["why"]
            assert (await host.post(f"/api/games/{game}/start", {"keys": {"m": ""}})).status_code == 200
            await comes_to(host, game, "failed")
            assert (await host.post(f"/api/games/{game}/start", {"keys": {"m": RIGHT}})).status_code == 200
            await comes_to(host, game, "ended")


async def test_a_game_that_has_spent_its_budget_goes_on_with_a_larger_one(server: Server) -> None:
    with ModelServer(key=RIGHT) as models:
        async with server.browser() as host:
            laid = await host.post("/api/games", {"setup": modelled(models, budget_usd=0.01), "keys": {"m": RIGHT}})
            game = laid.json()["id"]
            assert "budget" in (await comes_to(host, game, "failed"))["why"]
            for wrong in (-1, True, "much"):
                refused = await host.post(f"/api/games/{game}/start", {"budget_usd": wrong})
                assert refused.status_code == 400
            assert (await host.post(f"/api/games/{game}/start", {"budget_usd": 1000})).status_code == 200
            await comes_to(host, game, "ended")


async def test_a_table_is_taken_away_before_its_game_begins(server: Server) -> None:
    async with server.browser() as host, server.browser() as guest:
        game, links = await lay(host, table(1), start=False)
        await guest.join(links[1])
        assert (await host.post(f"/api/games/{game}/discard")).status_code == 200
        assert (await host.get("/api/games")).json() == []
        assert (await guest.get(f"/api/games/{game}")).status_code == 404
        assert (await guest.get(links[1][links[1].index("/join/") :])).status_code == 404
        begun, _ = await lay(host, table(1))
        refused = await host.post(f"/api/games/{begun}/discard")
        assert (refused.status_code, "has begun" in refused.json()["error"]) == (400, True)


@pytest.mark.parametrize(("lang", "word"), [("en", "no name"), ("zh", "不行")])
async def test_a_name_that_is_none_is_refused_in_the_language_asked_for(server: Server, lang: str, word: str) -> None:
    async with server.browser() as host, server.browser() as guest:
        game, links = await lay(host, table(1, 2), start=False)
        await guest.join(links[1])
        path = f"/api/games/{game}/name?lang={lang}"
        assert word in (await guest.post(path, {"name": "3号"})).json()["error"]
        assert (await guest.post(path, {"name": " ВАО "})).status_code == 400  # Bao, in Cyrillic letters
        assert (await guest.post(path, {"name": " Zoe "})).status_code == 200
        found = server.host.game(game)
        assert found is not None
        assert found.seats[1].name == "Zoe"
