"""Who gets in, and who reads what: each way that was ever tried to come by another seat's view is tried here."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx2
import orjson
import pytest

from arena.events import Event, view_of
from arena.terms import LANGUAGES, SPECTATOR, Seat
from arena.transcript import read
from dashboard.export import page as exported
from dashboard.frames import frames
from dashboard.hosting.door import site
from dashboard.scene import scene
from tests.hosting.browsers import Browser, Following, Server, serving
from tests.hosting.tables import lay, table

Deal = Callable[[int], None]
SLOW = {"seconds": 600, "night": 600}
"""A game that stays where it is: in its first night."""


def one_line(response: httpx2.Response, status: int) -> str:
    assert response.status_code == status, response.text
    [(key, words)] = response.json().items()
    assert key == "error"
    assert len(str(words).splitlines()) == 1
    return str(words)


def the_file(folder: Path) -> Path:
    [path] = folder.glob("*.jsonl")
    return path


def seen(events: list[Event], seat: Seat) -> list[dict[str, Any]]:
    told: list[dict[str, Any]] = orjson.loads(orjson.dumps(frames(view_of(events, seat), "en")))
    return told


async def shown(browser: Browser, game: str, view: str, last: str = "") -> Following | None:
    """What a stream shows at first; None where it is refused."""
    path = f"/api/games/{game}/stream"
    async with browser.client.stream("GET", path, params={"view": view}) as response:
        if response.status_code != 200:
            return None
    async with browser.follow(game, view, last) as page:
        await page.until(lambda p: p.status)
        await asyncio.sleep(0.1)
        return page


PASSWORD = "owls and embers"


@asynccontextmanager
async def guarded(folder: Path) -> AsyncIterator[tuple[Server, Browser, Browser]]:
    """A server whose host has a password, and two browsers, neither of which has said it."""
    async with (
        serving(folder, password=PASSWORD) as server,
        server.browser() as host,
        server.browser() as one,
    ):
        yield server, host, one


# Views


async def test_nobody_sees_more_of_a_game_with_people_than_their_own_seat(server: Server) -> None:
    """Field reports A-I01, A-U03: by address, by number, by a key of another view, with another game's cookie."""
    async with server.browser() as host, server.browser() as one, server.browser() as stranger:
        game, links = await lay(host, table(1, 2, clock=SLOW))
        other, other_links = await lay(host, table(1, clock=SLOW))
        await one.join(links[1])
        await stranger.join(other_links[1])
        running = server.host.game(game)
        assert running
        assert running.telling
        events = running.telling.events
        views = ["god", "own", "-1", "0", "1", "2", "9", "10", "1 ", "0x1", "１", "all", "", "public&view=god"]
        for browser, allowed in ((host, {"public"}), (stranger, {"public"}), (one, {"public", "own"})):
            for view in ("public", *views):
                page = await shown(browser, game, view)
                assert (page is not None) == (view in allowed), view
                if page:
                    assert page.frames == seen(events, 1 if view == "own" else SPECTATOR)
        for last in ("god:0", "2:0", "1:0", "public:x", "god:-1", "public:99999999999", ":"):
            page = await shown(host, game, "public", last)
            assert page
            assert page.frames == seen(events, SPECTATOR)
            assert {kind for kind, _ in page.raw} == {"game", "status", "frame"}
        assert other != game


async def test_what_is_said_of_a_game_tells_no_person_from_others_and_no_card(server: Server, tmp_path: Path) -> None:
    async with server.browser() as host, server.browser() as one:
        game, links = await lay(host, table(4, clock=SLOW))
        await one.join(links[4])
        async with one.follow(game, "own") as own, host.follow(game) as public:
            for page in (own, public):
                await page.until(lambda p: p.frames and p.status)
            assert own.scene["people"] == public.scene["people"]
            assert all(name and not player for name, player in public.scene["people"])
            told = orjson.dumps(public.raw).decode()
        listed = (await host.get("/api/games")).text + (await host.get(f"/api/games/{game}")).text
        path = the_file(tmp_path)
        header = read(path).header
        for secret in (str(header.seed), links[4], links[4].rsplit("/")[-1]):
            assert secret not in listed + told
            assert secret not in path.name
        assert "Dora" not in listed


async def test_the_file_of_a_running_game_opens_no_other_view(server: Server, tmp_path: Path) -> None:
    """By download, export or upload of the transcript: it is the public view, as long as people play."""
    async with server.browser() as host:
        await lay(host, table(4, clock=SLOW))
        path = the_file(tmp_path)
        transcript = read(path)
        assert orjson.loads(orjson.dumps(scene(transcript, SPECTATOR, "en")["frames"])) == seen(
            list(transcript.events), SPECTATOR
        )
        for view in ("1", "4", "god", "all"):
            with pytest.raises(Exception, match=r"people play in this game|has not ended"):
                exported(transcript, view, "en")
        for name in (path.name, f"../{path.name}", "lobby.sqlite", f"static/{path.name}"):
            for where in ("", "/api/", "/duskwald/", "/watch/", "/seat/", "/api/games/"):
                answer = await host.client.get(f"{where}/{name}")
                assert answer.status_code in {404, 405} or "/watch" in where or "/seat" in where, (where, name)
                assert b"duskwald-transcript" not in answer.content


async def test_two_seats_and_a_spectator_never_see_each_other_s_pages(server: Server) -> None:
    """Field report A-U03: the same game, in turn and at once, again and again; then one of them logs out."""
    async with server.browser() as host, server.browser() as one, server.browser() as five:
        game, links = await lay(host, table(1, 5, clock=SLOW))
        await one.join(links[1])
        await five.join(links[5])
        running = server.host.game(game)
        assert running
        assert running.telling
        for _ in range(5):
            pages = await asyncio.gather(
                *(shown(browser, game, view) for browser, view in ((one, "own"), (five, "own"), (host, "public")) * 4)
            )
            for page, seat in zip(pages, (1, 5, SPECTATOR) * 4, strict=True):
                assert page
                assert page.frames == seen(running.telling.events, seat)
                assert (page.seat.get("seat") or SPECTATOR) == seat
        async with five.follow(game, "own") as left:
            await left.until(lambda p: p.seat)
            assert (await five.post(f"/api/games/{game}/logout")).status_code == 200
            await left.until(lambda p: p.status_code == 0)
        assert await shown(five, game, "own") is None
        assert await shown(one, game, "own")


# Links and cookies


async def test_a_link_becomes_a_cookie_that_no_script_reads_and_the_address_forgets_it(server: Server) -> None:
    async with server.browser() as host, server.browser() as person:
        game, links = await lay(host, table(3))
        token = links[3].rsplit("/")[-1]
        assert len(token) >= 43
        answer = await person.client.get(f"/join/{token}")
        assert answer.status_code == 303
        assert token not in answer.headers["location"]
        given = answer.headers["set-cookie"]
        assert {"HttpOnly", "SameSite=lax", "Path=/"} <= {part.strip() for part in given.split(";")}
        assert token not in given
        assert answer.headers["cache-control"] == "no-store"
        assert answer.headers["referrer-policy"] == "no-referrer"
        kept = (server.host.folder / "lobby.sqlite").read_bytes() + (
            server.host.folder / "lobby.sqlite-wal"
        ).read_bytes()
        assert token.encode() not in kept
        session = given.split("=", 1)[1].split(";")[0]
        assert session.encode() not in kept
        assert game


async def test_a_new_link_ends_the_old_one_and_everybody_who_came_by_it(server: Server) -> None:
    async with server.browser() as host, server.browser() as person, server.browser() as owner:
        game, links = await lay(host, table(3, clock=SLOW))
        await person.join(links[3])
        async with person.follow(game, "own") as page:
            await page.until(lambda p: p.seat)
            fresh = (await host.post(f"/api/games/{game}/link", {"seat": 3})).json()
            await page.until(lambda p: p.status_code == 0)
        assert await shown(person, game, "own") is None
        one_line(await person.client.get(f"/join/{links[3].rsplit('/')[-1]}"), 404)
        assert await owner.join(fresh["link"]) == f"/seat/{game}"
        assert fresh["qr"].startswith("data:image/svg+xml")
        one_line(await host.post(f"/api/games/{game}/link", {"seat": 4}), 400)


async def test_whoever_guesses_links_has_to_wait(server: Server) -> None:
    async with server.browser() as guesser:
        statuses = [(await guesser.get(f"/join/{n}")).status_code for n in range(12)]
    assert statuses == [404] * 10 + [429] * 2


async def test_one_stranger_s_guesses_lock_out_nobody_who_comes_through_the_same_tunnel(tmp_path: Path) -> None:
    """To the server everybody behind a tunnel may come from one address."""
    tunnel = {"host": "night.example"}
    async with (
        serving(tmp_path, password=PASSWORD, public_url="https://night.example") as server,
        server.browser() as host,
        server.browser(**tunnel) as stranger,
        server.browser(**tunnel) as person,
    ):
        await host.post("/api/login", {"password": PASSWORD})
        game, links = await lay(host, table(1, 2))
        assert {(await stranger.get(f"/join/{n}")).status_code for n in range(30)} == {404, 429}
        for seat in (1, 2):
            assert await person.join(links[seat]) == f"/seat/{game}"
        for n in range(6):
            shifted = {"x-forwarded-for": f"10.0.0.{n // 3}"}
            await stranger.post("/api/login", {"password": "?"}, origin="https://night.example", **shifted)
        wrong = await stranger.post("/api/login", {"password": "?"}, origin="https://night.example")
        assert wrong.status_code == 403, "addresses that a tunnel forwards are counted apart"
        for _ in range(6):
            wrong = await stranger.post("/api/login", {"password": "?"}, origin="https://night.example")
        assert wrong.status_code == 429
        async with server.browser() as again:
            assert (await again.post("/api/login", {"password": PASSWORD})).status_code == 200


@pytest.mark.parametrize("lang", LANGUAGES)
async def test_what_is_refused_is_one_line_in_the_language_asked_for(server: Server, lang: str) -> None:
    async with server.browser(**{"accept-language": "fr"}) as browser:
        words = one_line(await browser.get("/join/nothing", lang=lang), 404)
        assert ("链接" in words) == (lang == "zh")
        words = one_line(await browser.client.get("/api/games/no", headers={"accept-language": f"{lang}-X"}), 404)
        assert ("没有" in words) == (lang == "zh")


async def test_only_games_that_are_open_to_all_are_on_the_list_while_they_last(tmp_path: Path) -> None:
    """The list is for whoever knows the address, password or not; an id is the secret of a watch link."""
    async with guarded(tmp_path) as (server, host, one):
        await host.post("/api/login", {"password": PASSWORD})
        hidden, _ = await lay(host, table(1, clock=SLOW))
        made = await host.post("/api/games", {"setup": table(2, clock=SLOW), "listed": True})
        game = made.json()["id"]
        [shown] = (await one.get("/api/listed", lang="zh")).json()
        assert (shown["id"], shown["state"], shown["title"]) == (game, "waiting", "暮林，9 人局")
        assert "Bao" not in str(shown)
        page = await one.get("/playing")
        assert page.status_code == 200
        assert hidden not in page.text
        await host.post(f"/api/games/{game}/start")
        await host.post(f"/api/games/{game}/stop")
        assert (await one.get("/api/listed")).json() == []
        wrong = await host.post("/api/games", {"setup": table(2), "listed": "yes"})
        one_line(wrong, 400)
    async with serving(tmp_path) as server, server.browser() as one:
        running = server.host.game(game)
        assert running
        running.start()
        assert [shown["id"] for shown in (await one.get("/api/listed")).json()] == [game]


# Posts


async def test_a_post_must_come_from_a_page_of_this_server(server: Server) -> None:
    async with server.browser() as host, server.browser() as person:
        game, links = await lay(host, table(3, clock=SLOW))
        await person.join(links[3])
        for path in ("/api/games", f"/api/games/{game}/stop", f"/api/games/{game}/notes", f"/api/games/{game}/answer"):
            for origin in ("http://evil.example", "null", "http://127.0.0.1", "", f"{server.base}.evil.example"):
                one_line(await person.post(path, {}, origin=origin), 403)
            sent = await person.client.post(path, content=b"{}", headers={"content-type": "application/json"})
            one_line(sent, 403)
            form = await person.post(path, {}, **{"content-type": "application/x-www-form-urlencoded"})
            one_line(form, 415)
        strange = await person.client.get("/api/games", headers={"host": "evil.example"})
        one_line(strange, 400)


@pytest.mark.parametrize("content", [b"[]", b"x", b"{", b'"a"', b"null", b"\xff", b"[" * 10_000])
async def test_a_post_is_a_small_json_object(server: Server, content: bytes) -> None:
    async with server.browser() as host, server.browser() as person:
        game, links = await lay(host, table(3, clock=SLOW))
        await person.join(links[3])
        headers = {"origin": server.base, "content-type": "application/json"}
        sent = await person.client.post(f"/api/games/{game}/notes", content=content, headers=headers)
        one_line(sent, 400)
        sent = await person.client.post(f"/api/games/{game}/notes", content=b" " * 70_000, headers=headers)
        one_line(sent, 413)


async def test_only_a_seat_answers_for_itself_and_only_what_it_may(server: Server, deal: Deal) -> None:
    deal(1)  # seat 1 is a werewolf
    async with server.browser() as host, server.browser() as one, server.browser() as stranger:
        game, links = await lay(host, table(1, 2, clock=SLOW, cards=_PACK))
        other, other_links = await lay(host, table(2, clock=SLOW))
        await one.join(links[1])
        await stranger.join(other_links[2])
        async with one.follow(game, "own") as page:
            await page.until(lambda p: p.question)
            n = page.question["n"] if page.question else 0
            for name in ("answer", "explode", "notes", "leave", "return", "name", "logout"):
                one_line(await stranger.post(f"/api/games/{game}/{name}", {"n": n, "act": "pass"}), 401)
                one_line(await host.post(f"/api/games/{game}/{name}", {"n": n, "act": "pass"}), 401)
            wrong: list[tuple[dict[str, Any], int]] = [
                ({"n": n, "act": "fly"}, 400),
                ({"n": n, "act": "attack", "seats": [99]}, 400),
                ({"n": n, "act": "attack", "seats": []}, 400),
                ({"n": n, "act": "attack", "seats": [3, 4]}, 400),
                ({"n": n, "act": "attack", "seats": ["3"]}, 400),
                ({"n": n, "act": "attack", "seats": [3], "seat": 2}, 400),
                (
                    {"n": n, "act": "attack", "seats": [3], "claims": [{"about": "role", "seats": [1], "value": "x"}]},
                    400,
                ),
                ({"n": n, "act": "attack", "seats": [3], "text": "x" * 3000}, 400),
                ({"n": n + 1, "act": "attack", "seats": [3]}, 409),
                ({"n": "1", "act": "attack", "seats": [3]}, 400),
                ({"act": "attack"}, 400),
            ]
            for answer, status in wrong:
                sent = await page.answer(**answer)
                assert sent.status_code == status, (answer, sent.text)
                assert len(sent.json()["error"].splitlines()) == 1
            assert page.question
            assert page.question["n"] == n
        assert other != game


_PACK = {"werewolf": 4, "seer": 1, "villager": 4}


async def test_there_are_only_so_many_streams(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dashboard.hosting.api_watch.STREAMS", 2)
    async with server.browser() as host:
        game, _ = await lay(host, table(1, clock=SLOW))
        async with host.follow(game) as one, host.follow(game) as other:
            for page in (one, other):
                await page.until(lambda p: p.status)
            one_line(await host.get(f"/api/games/{game}/stream"), 503)
        for _ in range(50):
            async with host.client.stream("GET", f"/api/games/{game}/stream") as response:
                if response.status_code == 200:
                    break
            await asyncio.sleep(0.1)
        else:
            pytest.fail("streams that have ended still count")


# The host


async def test_with_a_password_only_the_host_lays_tables(tmp_path: Path) -> None:
    async with guarded(tmp_path) as (_, host, one):
        for path in ("/api/games", "/", "/anything"):
            one_line(await one.get(path), 401)
        page = await one.client.get("/", headers={"accept": "text/html"})
        assert (page.status_code, page.headers["location"]) == (303, "/host")
        one_line(await host.post("/api/games", {"setup": table(players=6)}), 401)
        one_line(await host.post("/api/login", {"password": "owls"}), 403)
        said = await host.post("/api/login", {"password": PASSWORD})
        assert said.status_code == 200
        assert "HttpOnly" in said.headers["set-cookie"]
        game, links = await lay(host, table(1, players=6, clock=SLOW))
        for name in ("start", "stop", "pause", "go_on", "link"):
            one_line(await one.post(f"/api/games/{game}/{name}", {"seat": 1}), 401)
        one_line(await one.get(f"/api/games/{game}/links"), 401)
        assert await shown(one, game, "public")
        await one.join(links[1])
        assert await shown(one, game, "own")
        statuses = [(await one.post("/api/login", {"password": "?"})).status_code for _ in range(6)]
        assert statuses[-1] == 429


async def test_without_people_only_the_host_sees_all_while_the_game_runs(tmp_path: Path) -> None:
    async with guarded(tmp_path) as (server, host, one):
        await host.post("/api/login", {"password": PASSWORD})
        game, _ = await lay(host, table(players=6), start=False)
        running = server.host.game(game)
        assert running
        running.pause()
        if running.telling and running.telling.ended is None:
            assert await shown(one, game, "god") is None
            assert await shown(host, game, "god")


def test_a_tunnel_s_address_is_one_of_the_server_s() -> None:
    where = site(8501, ["192.168.1.7"], "https://night.example")
    assert {"127.0.0.1:8501", "192.168.1.7:8501", "night.example"} <= where.hosts
    assert {"http://192.168.1.7:8501", "https://night.example"} <= where.origins
    assert where.link == "https://night.example"
    assert site(8501).link == "http://127.0.0.1:8501"


async def test_over_a_tunnel_cookies_stay_on_tls(tmp_path: Path) -> None:
    async with serving(tmp_path, public_url="https://night.example") as server, server.browser() as host:
        _, links = await lay(host, table(3))
        assert links[3].startswith("https://night.example/join/")
        answer = await host.client.get(links[3][len("https://night.example") :], headers={"host": "night.example"})
        assert "Secure" in answer.headers["set-cookie"]
        here = await host.client.get(links[3][len("https://night.example") :])
        assert "Secure" not in here.headers["set-cookie"], "a browser at the machine itself would drop it"
