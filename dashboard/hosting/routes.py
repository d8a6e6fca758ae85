"""The routes of live games, beside Streamlit's: the contract that pages rely on.

Everything is JSON. What is refused is ``{"error": "one line"}`` with a status of 400 and above, in the language
that ``?lang=zh|en`` or the browser asks for. A POST must come from one of the server's own pages (``Origin``), as
``application/json``, small. An *id* names a game and is the secret of its watch link.

=== Everybody who has the link ===

GET ``/watch/ID``                   the page that follows a game
GET ``/join/TOKEN``                 a seat's secret link: gives the browser a cookie for that seat, and leads to
                                    ``/seat/ID``; may be opened on several devices
GET ``/seat/ID``                    the page of a person's seat
GET ``/api/games/ID``               ``{id, title, players, lang, state, setup}``
GET ``/api/games/ID/stream?view=``  server-sent events, see below: ``public`` (default), a seat, ``god``, ``own``

=== Whoever has the cookie of a seat ===

POST ``/api/games/ID/answer``       ``{n, act, seats?, text?, claims?: [{about, seats, value?}]}`` to question `n`:
                                    ``{taken: true}``; 409: an earlier answer counts, or it is late; 400: not so.
                                    A refusal has ``why`` beside ``error``, one of `play.Verdict`
POST ``/api/games/ID/explode``      the same, for the question that offers it
POST ``/api/games/ID/notes``        ``{text}``: own notes, shown on all pages of the seat
POST ``/api/games/ID/leave``        the person goes; what then happens the game's ``absent`` says
POST ``/api/games/ID/return``       the person is there, and has the seat back
POST ``/api/games/ID/name``         ``{name}``, before the game begins
POST ``/api/games/ID/logout``       this browser has no seat any more

=== The host (whoever has said the password; where there is none, everybody on this machine) ===

GET  ``/host``                      the page that asks for the password; POST ``/api/login`` ``{password}``
GET  ``/api/games``                 the list
POST ``/api/games``                 ``{setup: keys of a seats file, keys?: {endpoint: key}}``; a person is
                                    ``{human: NAME}`` or ``"human"``
POST ``/api/games/ID/start``        ``{keys?}``, also to go on with one that was stopped; ``stop``, ``pause``, ``go_on``
GET  ``/api/games/ID/links``        ``{watch, seats: {SEAT: {link, qr} | null}}``; null: made before the server started
POST ``/api/games/ID/link``         ``{seat}``: a new link; the old one and its sessions end

=== The stream ===

``game``    once, and again when the view changes or the game ends: what the frames are drawn with (`scene.setting`,
            `scene.eyes`), ``view``, ``ended``, ``from``: the number of the first frame that follows; 0: begin anew
``frame``   one frame (`frames`), as in a replay; its id is ``VIEW:NUMBER`` and comes back as ``Last-Event-ID``
``status``  ``{state: waiting|running|paused|stopped|failed|ended, floor: {seat, topic}}``
``seat``    own seat only: ``{seat, question, held, away, missed, absent, notes, gone, card}``. ``question`` is null or
            ``{n, topic, text, window, turn, letters, choices, default, left, wait, reminded, stands, claims?}``:
            ``left`` seconds once the clock runs, which it does after ``wait`` (null: no clock); ``letters``: how many
            may be said; each choice ``{act, least, most, for_good, words, options: [{seats, words}]}``. ``held``: the
            last answer that counts, ``{n, words, text}``

A view that is read without a right to it is never more than the public one: while people play, nobody has another
than their own seat's, the host included.
"""

import secrets
from collections.abc import AsyncIterator

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response, StreamingResponse
from starlette.routing import BaseRoute, Route

from arena.terms import GOD, SPECTATOR, Seat
from arena.texts import texts
from dashboard.host import Host
from dashboard.hosting.answers import LARGE, Json, Refused, answered, body
from dashboard.hosting.asking import GivenAnswer, letters, read_answer
from dashboard.hosting.door import HOST_COOKIE, Attempts, Site, cookie, is_host, language
from dashboard.hosting.game import Game
from dashboard.hosting.links import qr
from dashboard.hosting.play import Play
from dashboard.hosting.reading import Reader
from dashboard.hosting.setup import read_setup
from dashboard.hosting.tables import HOST
from dashboard.hosting.telling import views_for_all

STREAMS = 1000
"""Streams that may be open at the same time."""

NOTES = 20_000
"""Characters of a person's notes."""

A_MONTH = 30 * 24 * 3600


def routes(host: Host, site: Site) -> list[BaseRoute]:
    """The routes of `host`'s games on `site`."""
    api = Api(host, site)
    posts = (
        "answer",
        "explode",
        "notes",
        "leave",
        "return",
        "name",
        "logout",
        "start",
        "stop",
        "pause",
        "go_on",
        "link",
    )
    return [
        Route("/join/{token}", answered(api.join)),
        Route("/api/login", answered(api.login), methods=["POST"]),
        Route("/api/games", answered(api.games), methods=["GET"]),
        Route("/api/games", answered(api.create), methods=["POST"]),
        Route("/api/games/{id}", answered(api.game)),
        Route("/api/games/{id}/stream", answered(api.stream)),
        Route("/api/games/{id}/links", answered(api.links)),
        *(Route(f"/api/games/{{id}}/{name}", answered(getattr(api, f"{name}_")), methods=["POST"]) for name in posts),
        Route("/api/{rest:path}", answered(api.nothing), methods=["GET", "POST"]),
    ]


class Api:
    """The handlers of the routes."""

    def __init__(self, host: Host, site: Site) -> None:
        self._host = host
        self._site = site
        self._joining = Attempts(10)
        self._logging_in = Attempts(5)
        self._streams = 0

    # Everybody

    async def nothing(self, request: Request) -> Response:
        """No such route."""
        raise Refused(404, "no_page")

    async def join(self, request: Request) -> Response:
        """Exchange a link's secret for a cookie; the address shows it no longer."""
        address = request.client.host if request.client else ""
        if not self._joining.may_try(address):
            raise Refused(429, "wait")
        found = self._host.join(request.path_params["token"])
        if found is None:
            self._joining.fail(address)
            raise Refused(404, "bad_link")
        game, seat = found
        response = RedirectResponse(f"/seat/{game.id}", 303, {"cache-control": "no-store"})
        self._give(response, cookie_of(game), self._host.tables.open_session(game.id, seat))
        return response

    async def game(self, request: Request) -> Response:
        """A game in short."""
        return Json(self._summary(self._game(request)))

    async def stream(self, request: Request) -> Response:
        """The stream of a view."""
        game = self._game(request)
        asked = request.query_params.get("view", "public")
        session = cookie(request.scope, cookie_of(game))
        own = asked == "own"
        seat = self._own_seat(request, game) if own else self._open_view(request, game, asked)
        if self._streams >= STREAMS:
            raise Refused(503, "busy")
        reader = Reader(game, seat, language(request.scope), request.headers.get("last-event-id", ""), own=own)

        def over() -> bool:
            return self._host.closing.is_set() or (own and self._host.seat_of(game, session) != seat)

        headers = {"cache-control": "no-store", "x-accel-buffering": "no"}
        return StreamingResponse(self._counted(reader.messages(over)), 200, headers, "text/event-stream")

    async def _counted(self, messages: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
        self._streams += 1
        try:
            async for news in messages:
                yield news
        finally:
            self._streams -= 1

    # People

    async def answer_(self, request: Request) -> Response:
        """An answer to a question."""
        game, seat, data = await self._from_seat(request)
        try:
            given = read_answer(data)
        except ValueError as error:
            raise Refused(400, "form", reason=error) from None
        return self._take(request, game, seat, given)

    async def explode_(self, request: Request) -> Response:
        """Take the chance that the present question offers."""
        game, seat, _ = await self._from_seat(request)
        question = self._play(game).places[seat].question
        if question is None or not any(choice.act == "explode" for choice in question.request.choices):
            raise Refused(409, "no_explosion")
        return self._take(request, game, seat, GivenAnswer(n=question.request.n, act="explode"))

    def _take(self, request: Request, game: Game, seat: Seat, given: GivenAnswer) -> Response:
        play = self._play(game)
        place = play.places[seat]
        most = letters(place.question.request, play.telling.header.lang) if place.question else 0
        verdict = play.answer(seat, given)
        if verdict == "taken":
            return Json({"taken": True})
        fields: dict[str, object] = {"letters": most}
        if verdict == "already":
            fields["decision"] = game.held(seat, given.n, language(request.scope))
        refused = Refused(409 if verdict in {"already", "late"} else 400, verdict, **fields)
        return refusal(request, refused)

    async def notes_(self, request: Request) -> Response:
        """A person's own notes."""
        game, seat, data = await self._from_seat(request)
        text = data.get("text")
        if not isinstance(text, str):
            raise Refused(400, "form", reason='{"text": "…"}')
        if len(text) > NOTES:
            raise Refused(400, "long", letters=NOTES)
        game.note(seat, text)
        return Json({"taken": True})

    async def leave_(self, request: Request) -> Response:
        """A person goes."""
        game, seat, _ = await self._from_seat(request)
        self._play(game).leave(seat)
        return Json({"taken": True})

    async def return_(self, request: Request) -> Response:
        """A person is back."""
        game, seat, _ = await self._from_seat(request)
        if not self._play(game).come_back(seat):
            raise Refused(409, "gone")
        return Json({"taken": True})

    async def name_(self, request: Request) -> Response:
        """A person's own name at the table."""
        game, seat, data = await self._from_seat(request)
        name = data.get("name")
        if not isinstance(name, str) or len(name) > 40:
            raise Refused(400, "form", reason='{"name": "…"}')
        game.rename(seat, name)
        return Json({"taken": True})

    async def logout_(self, request: Request) -> Response:
        """This browser gives its seat back; others that have the same seat keep it."""
        game, seat, _ = await self._from_seat(request)
        self._host.tables.close_session(cookie(request.scope, cookie_of(game)))
        if game.telling:
            game.telling.ring(seat)
        response = Json({"taken": True})
        response.delete_cookie(cookie_of(game))
        return response

    # The host

    async def login(self, request: Request) -> Response:
        """The host says the password."""
        address = request.client.host if request.client else ""
        data = await body(request, self._site)
        if not self._logging_in.may_try(address):
            raise Refused(429, "wait")
        if not self._host.tables.is_password(str(data.get("password", ""))):
            self._logging_in.fail(address)
            raise Refused(403, "password")
        response = Json({"taken": True})
        self._give(response, HOST_COOKIE, self._host.tables.open_session("", HOST))
        return response

    async def games(self, request: Request) -> Response:
        """All games."""
        self._must_be_host(request)
        return Json([{**self._summary(game), "why": game.why, "file": game.path.name} for game in self._host.games])

    async def create(self, request: Request) -> Response:
        """Lay a table."""
        self._must_be_host(request)
        data = await body(request, self._site, LARGE)
        setup = read_setup(data.get("setup"), secrets.randbelow(2**32))
        return Json(self._summary(self._host.create(setup, keys_in(data))), 201)

    async def start_(self, request: Request) -> Response:
        """Begin, or go on with, a game."""
        game, data = await self._from_host(request)
        game.give_keys(keys_in(data))
        game.start()
        return Json(self._summary(game))

    async def stop_(self, request: Request) -> Response:
        """Stop a game."""
        game, _ = await self._from_host(request)
        await game.stop()
        return Json(self._summary(game))

    async def pause_(self, request: Request) -> Response:
        """Let a game stand."""
        game, _ = await self._from_host(request)
        self._play(game).pause()
        return Json(self._summary(game))

    async def go_on_(self, request: Request) -> Response:
        """Let a game that stands go on."""
        game, _ = await self._from_host(request)
        self._play(game).go_on()
        return Json(self._summary(game))

    async def link_(self, request: Request) -> Response:
        """A new link for a seat."""
        game, data = await self._from_host(request)
        seat = data.get("seat")
        if not isinstance(seat, int) or seat not in game.people:
            raise Refused(400, "form", reason=f'{{"seat": {"|".join(map(str, game.people))}}}')
        token = self._host.new_link(game, seat)
        if game.telling:
            game.telling.ring(seat)
        return Json(self._link(token))

    async def links(self, request: Request) -> Response:
        """The links of a game."""
        self._must_be_host(request)
        game = self._game(request)
        seats = {seat: self._link(game.links[seat]) if seat in game.links else None for seat in game.people}
        return Json({"watch": f"{self._site.link}/watch/{game.id}", "seats": seats})

    # Within

    def _game(self, request: Request) -> Game:
        game = self._host.game(request.path_params["id"])
        if game is None:
            raise Refused(404, "no_game")
        return game

    def _play(self, game: Game) -> Play:
        if game.play is None:
            raise Refused(409, "not_begun" if game.state == "waiting" else "not_running")
        return game.play

    def _own_seat(self, request: Request, game: Game) -> Seat:
        seat = self._host.seat_of(game, cookie(request.scope, cookie_of(game)))
        if seat is None:
            raise Refused(401, "no_seat")
        return seat

    async def _from_seat(self, request: Request) -> tuple[Game, Seat, dict[str, object]]:
        game = self._game(request)
        seat = self._own_seat(request, game)
        return game, seat, await body(request, self._site)

    async def _from_host(self, request: Request) -> tuple[Game, dict[str, object]]:
        self._must_be_host(request)
        return self._game(request), await body(request, self._site)

    def _must_be_host(self, request: Request) -> None:
        if not is_host(self._host, request.scope):
            raise Refused(401, "not_host")

    def _open_view(self, request: Request, game: Game, asked: str) -> Seat:
        """The view that was asked for, if whoever asks may have it."""
        seats = {"public": SPECTATOR, "god": GOD}
        seat = seats.get(asked, int(asked) if asked.isdecimal() and len(asked) < 4 and int(asked) else None)
        telling = game.telling
        if seat == SPECTATOR:
            return SPECTATOR
        if telling is not None and seat is not None:
            open_now = views_for_all(
                telling.header, ended=telling.ended is not None, host=is_host(self._host, request.scope)
            )
            if seat in open_now:
                return seat
        raise Refused(403, "no_view")

    def _summary(self, game: Game) -> dict[str, object]:
        setup = game.setup
        return {
            "id": game.id,
            "ruleset": setup.ruleset,
            "players": len(game.seats),
            "lang": setup.language,
            "state": game.status,
        }

    def _link(self, token: str) -> dict[str, str]:
        link = f"{self._site.link}/join/{token}"
        return {"link": link, "qr": qr(link)}

    def _give(self, response: Response, name: str, value: str) -> None:
        response.set_cookie(name, value, A_MONTH, httponly=True, samesite="lax", secure=self._site.secure)


def refusal(request: Request, refused: Refused) -> Response:
    """The refusal of an answer, with the word for programs beside the words for people."""
    words = texts(language(request.scope), "hosting")["errors"][refused.key]
    return Json({"error": str(words).format(**refused.fields), "why": refused.key}, refused.status)


def cookie_of(game: Game) -> str:
    """The name of the cookie for a seat at `game`; a browser has one seat in each game."""
    return f"dw_{game.id}"


def keys_in(data: dict[str, object]) -> dict[str, str]:
    """The keys of endpoints in a body, by name."""
    keys = data.get("keys")
    return {str(name): str(key).strip() for name, key in keys.items()} if isinstance(keys, dict) else {}
