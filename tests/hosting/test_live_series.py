"""A series over HTTP: the next game is laid by itself, people find their new seats, and points add up."""

import asyncio
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import pytest

from arena.endpoint import Purse
from arena.seating import people_among
from arena.series import path_of, read_series, standings
from arena.transcript import read
from dashboard.host import Host
from dashboard.hosting.series import Result, result
from tests.command_line import CommandLine
from tests.hosting.browsers import Browser, Following, Server, play_along, serving
from tests.hosting.tables import NAMES, table

SHORT = {"discussion.seconds": 15, "discussion.last_speaker_seconds": 15, "win.werewolves": "parity"}
PEOPLE = (1, 4)


async def lay_series(host: Browser, setup: dict[str, Any], games: int = 2) -> str:
    made = await host.post("/api/games", {"setup": {"rules": SHORT, **setup}, "games": games})
    assert made.status_code == 201, made.text
    return str(made.json()["id"])


async def links_of(host: Browser, game: str) -> dict[int, str]:
    found = (await host.get(f"/api/games/{game}/links")).json()["seats"]
    return {int(seat): link["link"] for seat, link in found.items()}


async def next_of(host: Browser, game: str) -> str:
    async with asyncio.timeout(60):
        while not (found := (await host.get(f"/api/games/{game}")).json()["next"]):  # noqa: ASYNC110
            await asyncio.sleep(0.05)
    return str(found)


def told(page: Following) -> dict[str, Any]:
    """What the page says of the series."""
    return next((data for kind, data in reversed(page.raw) if kind == "series"), {})


def counts(page: Following, games: int) -> bool:
    """Whether the page shows the points of so many games."""
    points: list[dict[str, Any]] = told(page).get("points", [])
    return bool(points) and len(points[0]["points"]) == games


def sums(page: Following) -> dict[str, str]:
    return {line["name"]: line["sum"] for line in told(page)["points"]}


@pytest.fixture
def arena(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> CommandLine:
    return CommandLine(monkeypatch, capsys)


def the_folder(folder: Path) -> Path:
    [path] = [path for path in folder.iterdir() if path.is_dir()]
    return path


async def test_a_series_without_people_plays_itself_and_is_one_of_the_command_line_s(
    server: Server, tmp_path: Path, arena: CommandLine
) -> None:
    async with server.browser() as host:
        first = await lay_series(host, table(players=6), 3)
        last = await next_of(host, await next_of(host, first))
        async with host.follow(last) as page:
            await page.until(lambda p: p.status.get("state") == "ended" and counts(p, 3))
            shown = sums(page)
        assert (await host.get(f"/next/{last}")).status_code == 404
        listed = {game["id"]: game["file"] for game in (await host.get("/api/games")).json()}
    folder = the_folder(tmp_path)
    assert listed[last] == f"{folder.name}/game-3.jsonl"
    games = read_series(folder)
    assert len(games) == 3
    assert sorted(shown.values()) == sorted(f"{float(sum(points)):g}" for points in standings(games).values())
    assert arena("verify", *(path_of(folder, game) for game in (1, 2, 3))).status == 0
    assert arena("resume", folder, "--quiet").status == 0


async def test_people_are_led_on_to_their_new_seats_and_spectators_to_the_next_game(
    server: Server, tmp_path: Path
) -> None:
    async with AsyncExitStack() as open_till_the_end:
        host, stranger = [await open_till_the_end.enter_async_context(server.browser()) for _ in range(2)]
        people = {seat: await open_till_the_end.enter_async_context(server.browser()) for seat in PEOPLE}
        game = await lay_series(host, table(*PEOPLE, players=6, clock={"misses": 99}))
        for seat, link in (await links_of(host, game)).items():
            await people[seat].join(link)
        await host.post(f"/api/games/{game}/start")
        assert (await people[1].get(f"/next/{game}")).status_code == 404
        pages = [await open_till_the_end.enter_async_context(people[seat].follow(game, "own")) for seat in PEOPLE]
        watching = await open_till_the_end.enter_async_context(host.follow(game))
        await asyncio.gather(*map(play_along, pages))
        for page in (*pages, watching):
            await page.until(lambda p: told(p)["next"] and told(p)["points"])

        later = await next_of(host, game)
        assert (await host.get(f"/api/games/{later}")).json()["state"] == "waiting"
        players = read(path_of(the_folder(tmp_path), 1)).header.series
        assert players
        laid = server.host.game(later)
        assert laid
        assert laid.series
        for seat, browser in people.items():
            moved = await browser.get(f"/next/{game}", lang="en")
            assert moved.headers["location"] == f"/seat/{later}?lang=en"
            assert {"HttpOnly", "SameSite=lax"} <= {part.strip() for part in moved.headers["set-cookie"].split(";")}
            async with browser.follow(later, "own") as page:
                await page.until(lambda p: told(p))
                assert {line["name"] for line in told(page)["points"]} >= {NAMES[0], NAMES[3]}
                assert page.status["naming"] is False
            assert laid.seats[laid.series.players.index(seat) + 1].name == NAMES[seat - 1]
            assert (await browser.post(f"/api/games/{later}/name", {"name": "Zoe"})).status_code == 409
        for browser in (host, stranger):
            onwards = await browser.get(f"/next/{game}")
            assert onwards.headers["location"] == f"/watch/{later}"
            assert "set-cookie" not in onwards.headers
        assert (await stranger.post(f"/api/games/{later}/notes", {"text": ""})).status_code == 401

        # Links to the new seats are new; who has no cookie any more comes in by them.
        fresh = await links_of(host, later)
        assert sorted(fresh) == list(people_among(laid.seats))
        await stranger.join(fresh[laid.series.players.index(4) + 1])
        await host.post(f"/api/games/{later}/start")
        async with people[1].follow(later, "own") as one, stranger.follow(later, "own") as four:
            await asyncio.gather(play_along(one), play_along(four))
            await one.until(lambda p: p.status["state"] == "ended" and counts(p, 2))
            assert one.seat["seat"] == laid.series.players.index(1) + 1
            assert told(one)["next"] is False
    games = read_series(the_folder(tmp_path))
    assert all(game.outcome for game in games)


async def test_a_seat_s_cookie_leads_to_that_seat_alone_and_one_that_has_ended_to_none(server: Server) -> None:
    async with server.browser() as host, server.browser() as one:
        game = await lay_series(host, table(1, players=6))
        links = await links_of(host, game)
        await one.join(links[1])
        await host.post(f"/api/games/{game}/start")
        running = server.host.game(game)
        async with asyncio.timeout(30):
            while not (running and running.play):  # noqa: ASYNC110
                await asyncio.sleep(0.01)
        await one.post(f"/api/games/{game}/leave")
        later = await next_of(host, game)
        await host.post(f"/api/games/{game}/link", {"seat": 1})
        assert (await one.get(f"/next/{game}")).headers["location"] == f"/watch/{later}"
        assert (await one.get("/next/none")).status_code == 404


async def test_a_server_that_starts_again_goes_on_with_a_series(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also when it ended after a game was over and before the next one was laid."""

    async def killed(self: Host, game: object) -> None:
        await asyncio.Event().wait()

    with monkeypatch.context() as patched:
        patched.setattr(Host, "_follow", killed)
        async with serving(tmp_path) as server, server.browser() as host:
            first = await lay_series(host, table(players=6))
            async with host.follow(first) as page:
                await page.until(lambda p: p.status.get("state") == "ended")
            assert (await host.get(f"/api/games/{first}")).json()["next"] == ""
    result.cache_clear()
    async with serving(tmp_path) as server, server.browser() as host:
        later = await next_of(host, first)
        async with host.follow(later) as page:
            await page.until(lambda p: p.status.get("state") == "ended")
    async with serving(tmp_path) as server, server.browser() as host:
        assert [game["id"] for game in (await host.get("/api/games")).json()] == [later, first]
        assert (await host.get(f"/next/{first}")).headers["location"] == f"/watch/{later}"
        async with host.follow(later) as page:
            await page.until(lambda p: counts(p, 2))
    assert len(read_series(the_folder(tmp_path))) == 2


async def test_a_series_whose_games_have_gone_says_so_and_plays_no_other(server: Server, tmp_path: Path) -> None:
    async with server.browser() as host:
        game = await lay_series(host, table(1, players=6))
        running = server.host.game(game)
        assert running
        running.state = "ended"
        await server.host._follow(running)
        assert "can't be read" in running.why
        assert not running.next


@pytest.mark.parametrize("games", [0, -1, 101, "2", 1.5, True, None])
async def test_a_number_of_games_that_is_none_is_refused(server: Server, games: object) -> None:
    async with server.browser() as host:
        made = await host.post("/api/games", {"setup": table(1), "games": games})
        assert made.status_code == 400
        assert len(made.json()["error"].splitlines()) == 1


async def test_games_of_a_series_share_what_they_may_cost(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    spent: list[float] = []

    def purse(limit: float | None, before: float) -> Purse:
        spent.append(before)
        return Purse(limit, before)

    monkeypatch.setattr("dashboard.hosting.game.Purse", purse)
    monkeypatch.setattr("dashboard.hosting.series.result", lambda path: Result({}, {}, 1.5))
    async with server.browser() as host:
        await next_of(host, await next_of(host, await lay_series(host, table(players=6), 3)))
        async with asyncio.timeout(30):
            while len(spent) < 3:  # noqa: ASYNC110
                await asyncio.sleep(0.05)
    assert spent == [0.0, 1.5, 3.0]
