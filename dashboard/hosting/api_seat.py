"""What a person may do who has the cookie of a seat."""

from starlette.requests import Request
from starlette.responses import Response

from arena.names import LONGEST, check_name
from arena.terms import Seat, UnusableInput
from arena.texts import texts
from dashboard.hosting.answers import Json, Refused
from dashboard.hosting.api import Api, cookie_of
from dashboard.hosting.asking import GivenAnswer, letters, read_answer
from dashboard.hosting.door import cookie, language
from dashboard.hosting.game import Game

NOTES = 20_000
"""Characters of a person's notes."""


class Sitting(Api):
    """Handlers for people at a table."""

    async def answer_(self, request: Request) -> Response:
        """An answer to a question."""
        game, seat, data = await self.from_seat(request)
        try:
            given = read_answer(data)
        except ValueError as error:
            raise Refused(400, "form", reason=error) from None
        return await self._take(request, game, seat, given)

    async def explode_(self, request: Request) -> Response:
        """Take the chance that the present question offers."""
        game, seat, _ = await self.from_seat(request)
        question = (await self.play_of(game)).places[seat].question
        if question is None or not any(choice.act == "explode" for choice in question.request.choices):
            raise Refused(409, "no_explosion")
        return await self._take(request, game, seat, GivenAnswer(n=question.request.n, act="explode"))

    async def _take(self, request: Request, game: Game, seat: Seat, given: GivenAnswer) -> Response:
        play = await self.play_of(game)
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
        game, seat, data = await self.from_seat(request)
        text = data.get("text")
        if not isinstance(text, str):
            raise Refused(400, "form", reason='{"text": "…"}')
        if len(text) > NOTES:
            raise Refused(400, "long", letters=NOTES)
        game.note(seat, text)
        return Json({"taken": True})

    async def leave_(self, request: Request) -> Response:
        """A person goes."""
        game, seat, _ = await self.from_seat(request)
        (await self.play_of(game)).leave(seat)
        return Json({"taken": True})

    async def return_(self, request: Request) -> Response:
        """A person is back."""
        game, seat, _ = await self.from_seat(request)
        if not (await self.play_of(game)).come_back(seat):
            raise Refused(409, "gone")
        return Json({"taken": True})

    async def name_(self, request: Request) -> Response:
        """A person's own name at the table."""
        game, seat, data = await self.from_seat(request)
        name = data.get("name")
        if not isinstance(name, str):
            raise Refused(400, "form", reason='{"name": "…"}')
        name = name.strip()
        if not game.has_not_begun:
            raise Refused(409, "begun")
        try:
            check_name(name)
        except UnusableInput:
            raise Refused(400, "name", letters=LONGEST) from None
        if game.has_namesake(seat, name):
            raise Refused(400, "namesake")
        game.rename(seat, name)
        return Json({"taken": True})

    async def logout_(self, request: Request) -> Response:
        """This browser gives its seat back; others that have the same seat keep it."""
        game, seat, _ = await self.from_seat(request)
        self.host.tables.close_session(cookie(request.scope, cookie_of(game)))
        if game.telling:
            game.telling.ring(seat)
        response = Json({"taken": True})
        response.delete_cookie(cookie_of(game))
        return response


def refusal(request: Request, refused: Refused) -> Response:
    """The refusal of an answer, with the word for programs beside the words for people."""
    words = texts(language(request.scope), "hosting")["errors"][refused.key]
    return Json({"error": str(words).format(**refused.fields), "why": refused.key}, refused.status)
