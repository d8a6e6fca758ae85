"""What the host may do: lay tables, hand out links, start and stop games."""

import asyncio
import secrets

from starlette.requests import Request
from starlette.responses import Response

from dashboard import library
from dashboard.host import MOST_IN_SERIES, Host
from dashboard.hosting.answers import LARGE, Json, Refused, body
from dashboard.hosting.api import Api, summary
from dashboard.hosting.door import HOST_COOKIE, Attempts, Site
from dashboard.hosting.links import qr
from dashboard.hosting.setup import read_setup
from dashboard.hosting.tables import HOST


class Hosting(Api):
    """Handlers for the host."""

    def __init__(self, host: Host, site: Site) -> None:
        super().__init__(host, site)
        self._logging_in = Attempts(5)

    async def login(self, request: Request) -> Response:
        """The host says the password."""
        data = await body(request, self.site)
        if not self._logging_in.may_try(request):
            raise Refused(429, "wait")
        if not self.host.tables.is_password(str(data.get("password", ""))):
            self._logging_in.fail(request)
            raise Refused(403, "password")
        response = Json({"taken": True})
        self.give(request, response, HOST_COOKIE, self.host.tables.open_session("", HOST))
        return response

    async def games(self, request: Request) -> Response:
        """All games."""
        self.must_be_host(request)
        return Json([{**summary(game), "why": game.why, "file": game.name} for game in self.host.games])

    async def create(self, request: Request) -> Response:
        """Lay a table."""
        self.must_be_host(request)
        data = await body(request, self.site, LARGE)
        setup = read_setup(data.get("setup"), secrets.randbelow(2**32))
        games, listed = data.get("games", 1), data.get("listed", False)
        if type(games) is not int or not 1 <= games <= MOST_IN_SERIES or not isinstance(listed, bool):
            raise Refused(400, "form", reason=f'{{"games": 1–{MOST_IN_SERIES}, "listed": true|false}}')
        if "fork" not in data:
            return Json(summary(self.host.create(setup, keys_in(data), games=games, listed=listed)), 201)
        match data["fork"]:
            case {"file": str(name), "at": int(at)} if games == 1:
                game = self.host.fork(library.open_transcript(name), at, setup, keys_in(data), listed=listed)
                return Json(summary(game), 201)
        raise Refused(400, "form", reason='{"fork": {"file": "…", "at": 1}}')

    async def start_(self, request: Request) -> Response:
        """Begin, or go on with, a game."""
        game, data = await self.from_host(request)
        budget = data.get("budget_usd")
        if (
            isinstance(budget, bool)
            or not isinstance(budget, int | float | None)
            or (budget is not None and budget < 0)
        ):
            raise Refused(400, "form", reason='{"keys": {"…": "…"}, "budget_usd": 1.5}')
        game.supply(keys_in(data), budget)
        game.start()
        return Json(summary(game))

    async def discard_(self, request: Request) -> Response:
        """Take away a table at which nobody has begun to play."""
        game, _ = await self.from_host(request)
        self.host.discard(game)
        return Json({"taken": True})

    async def stop_(self, request: Request) -> Response:
        """Stop a game."""
        game, _ = await self.from_host(request)
        await game.stop()
        return Json(summary(game))

    async def pause_(self, request: Request) -> Response:
        """Let a game stand."""
        game, _ = await self.from_host(request)
        (await self.play_of(game)).pause()
        return Json(summary(game))

    async def go_on_(self, request: Request) -> Response:
        """Let a game that stands go on."""
        game, _ = await self.from_host(request)
        (await self.play_of(game)).go_on()
        return Json(summary(game))

    async def link_(self, request: Request) -> Response:
        """A new link for a seat."""
        game, data = await self.from_host(request)
        seat = data.get("seat")
        if not isinstance(seat, int) or seat not in game.people:
            raise Refused(400, "form", reason=f'{{"seat": {"|".join(map(str, game.people))}}}')
        token = self.host.new_link(game, seat)
        if game.telling:
            game.telling.ring(seat)
        return Json(await asyncio.to_thread(self._link, token))

    async def links(self, request: Request) -> Response:
        """The links of a game."""
        self.must_be_host(request)
        game = self.game_of(request)
        links = await asyncio.to_thread(lambda: {seat: self._link(token) for seat, token in game.links.items()})
        seats = {seat: links.get(seat) for seat in game.people}
        return Json({"watch": f"{self.site.link}/watch/{game.id}", "seats": seats})

    def _link(self, token: str) -> dict[str, str]:
        link = f"{self.site.link}/join/{token}"
        return {"link": link, "qr": qr(link)}


def keys_in(data: dict[str, object]) -> dict[str, str]:
    """The keys of endpoints in a body, by name."""
    keys = data.get("keys")
    return {str(name): str(key).strip() for name, key in keys.items()} if isinstance(keys, dict) else {}
