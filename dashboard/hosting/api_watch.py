"""What everybody may do who has a link: take a seat, and read what is open."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response, StreamingResponse
from starlette.types import Receive, Scope, Send

from arena.terms import GOD, SPECTATOR, Seat
from dashboard import library
from dashboard.host import Host
from dashboard.hosting.answers import Json, Refused
from dashboard.hosting.api import Api, cookie_of, summary, title
from dashboard.hosting.door import Attempts, Site, cookie, is_host, language
from dashboard.hosting.game import Game
from dashboard.hosting.reading import Reader
from dashboard.hosting.tail import Tail
from dashboard.hosting.telling import Telling, views_for_all

STREAMS = 1000
"""Streams that may be open at the same time."""


class Stream(StreamingResponse):
    """A stream that ends as soon as nobody listens, not only when there is something to send again."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send until the messages end or the reader is gone."""
        tasks = [
            asyncio.ensure_future(self.stream_response(send)),
            asyncio.ensure_future(self.listen_for_disconnect(receive)),
        ]
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)


class Watching(Api):
    """Handlers for links and streams."""

    def __init__(self, host: Host, site: Site) -> None:
        super().__init__(host, site)
        self._joining = Attempts(10)
        self._streams = 0

    async def nothing(self, request: Request) -> Response:
        """No such route."""
        raise Refused(404, "no_page")

    async def join(self, request: Request) -> Response:
        """Exchange a link's secret for a cookie; the address shows it no longer."""
        found = self.host.join(request.path_params["token"])
        if found is None:
            # Whoever has the right link gets in, whatever others at the same address have tried.
            if not self._joining.may_try(request):
                raise Refused(429, "wait")
            self._joining.fail(request)
            raise Refused(404, "bad_link")
        game, seat = found
        response = RedirectResponse(f"/seat/{game.id}", 303, {"cache-control": "no-store"})
        self.give(request, response, cookie_of(game), self.host.tables.open_session(game.id, seat))
        return response

    async def next(self, request: Request) -> Response:
        """Lead on to the next game of a series: who has a seat here gets the cookie of the next one; others watch."""
        game = self.game_of(request)
        moved = self.host.move(game, cookie(request.scope, cookie_of(game)))
        if moved is None:
            raise Refused(404, "no_next")
        later, session = moved
        page = "seat" if session else "watch"
        query = f"?lang={language(request.scope)}" if "lang" in request.query_params else ""
        response = RedirectResponse(f"/{page}/{later.id}{query}", 303, {"cache-control": "no-store"})
        if session:
            self.give(request, response, cookie_of(later), session)
        return response

    async def listed(self, request: Request) -> Response:
        """The games that are being played and that everybody may watch."""
        lang = language(request.scope)
        return Json([{**summary(game), "title": title(game, lang)} for game in self.host.games if is_listed(game)])

    async def game(self, request: Request) -> Response:
        """A game in short."""
        return Json(summary(self.game_of(request)))

    async def stream(self, request: Request) -> Response:
        """The stream of a view."""
        game = self.game_of(request)
        asked = request.query_params.get("view", "public")
        session = cookie(request.scope, cookie_of(game))
        own = asked == "own"
        seat = self.own_seat(request, game) if own else self._open_view(request, game.telling, asked)
        host = is_host(self.host, request.scope)
        reader = Reader(game, seat, language(request.scope), _last(request), own=own, host=host)

        def over() -> bool:
            return self.host.closing.is_set() or (own and self.host.seat_of(game, session) != seat)

        return self._sent(reader.messages(over))

    async def file(self, request: Request) -> Response:
        """The stream of a game that another process plays, for the host."""
        self.must_be_host(request)
        name = request.query_params.get("file", "")
        path = library.path_of(name)
        tail = Tail(path, Path(name))
        seat = self._open_view(request, tail.telling, request.query_params.get("view", "public"))
        return self._sent(self._followed(path, name, seat, request))

    async def _followed(self, path: Path, name: str, seat: Seat, request: Request) -> AsyncIterator[bytes]:
        async with self.host.tails.watched(path, Path(name)) as tail:
            reader = Reader(tail, seat, language(request.scope), _last(request), host=True)
            async for news in reader.messages(self.host.closing.is_set):
                yield news

    def _sent(self, messages: AsyncIterator[bytes]) -> Response:
        if self._streams >= STREAMS:
            raise Refused(503, "busy")
        headers = {"cache-control": "no-store", "x-accel-buffering": "no"}
        return Stream(self._counted(messages), 200, headers, "text/event-stream")

    async def _counted(self, messages: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
        self._streams += 1
        try:
            async for news in messages:
                yield news
        finally:
            self._streams -= 1

    def _open_view(self, request: Request, telling: Telling | None, asked: str) -> Seat:
        """The view that was asked for, if whoever asks may have it. Before a game begins there is the public one."""
        seats = {"public": SPECTATOR, "god": GOD}
        seat = seats.get(asked, int(asked) if asked.isdecimal() and len(asked) < 4 and int(asked) else None)
        if seat == SPECTATOR:
            return seat
        host = is_host(self.host, request.scope)
        if telling and seat is not None:
            ended = telling.ended is not None
            if seat in views_for_all(telling.header, ended=ended, host=host):
                return seat
        raise Refused(403, "no_view")


def is_listed(game: Game) -> bool:
    """Whether everybody may find this game among those that are being played, or about to be."""
    return game.listed and game.status in {"waiting", "running", "pausing", "paused"}


def _last(request: Request) -> str:
    """The key of the message that a reader has had last, before its connection broke."""
    return request.headers.get("last-event-id", "")
