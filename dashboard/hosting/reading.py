"""One reader of a game: what their browser is sent, from where it left off, for as long as it listens."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from typing import Any

from arena.events import Began, Dealt, Turned
from arena.terms import GOD, Lang, Seat
from dashboard.hosting.asking import form_of
from dashboard.hosting.game import Game
from dashboard.hosting.place import Question
from dashboard.hosting.series import standing
from dashboard.hosting.tail import Tail
from dashboard.hosting.telling import Telling, message, place_in, views_for_all
from dashboard.hosting.timing import now
from dashboard.scene import view_code

BEAT = 15.0
"""Seconds between signs of life. They keep their own time: sent after each wake, they would tell when others wake."""


SIGN_OF_LIFE = b": \n\n"


class Reader:
    """Reads `seat`'s view of `game`; `own`: as its player, `host`: as the host.

    `last` is the key of the message it had last.
    """

    def __init__(
        self, game: Game | Tail, seat: Seat, lang: Lang, last: str = "", *, own: bool = False, host: bool = False
    ) -> None:
        self._game = game
        self._seat = seat
        self._lang: Lang = lang
        self._last = last
        self._own = own
        self._host = host
        self._shown: dict[str, Any] = {}
        self._frames = 0

    async def messages(self, over: Callable[[], bool]) -> AsyncIterator[bytes]:
        """All messages until `over`."""
        beat = now() + BEAT
        yield b"retry: 1000\n\n"
        while (telling := self._game.telling) is None:
            for news in (*self._changed("status", self._status(None)), *self._series()):
                yield news
            if over():
                return
            await asyncio.sleep(0.5)
            if now() > beat:
                beat += BEAT
                yield SIGN_OF_LIFE
        bell = telling.listen(self._seat)
        try:
            while not over():
                bell.clear()
                telling.turn(bell, self._view(telling))
                if told := b"".join(self._news(telling)):
                    yield told
                try:
                    async with asyncio.timeout_at(beat):
                        await bell.wait()
                except TimeoutError:
                    beat += BEAT
                    yield SIGN_OF_LIFE
        finally:
            telling.leave(bell)
            if isinstance(self._game, Game):
                self._game.rest()

    def _view(self, telling: Telling) -> Seat:
        """Whose eyes: those of the seat; all cards for whoever is out and owed nothing, where the table wants it so."""
        open_for = self._own and self._seat in telling.done and telling.header.out_sees == "god"
        return GOD if open_for else self._seat

    def _news(self, telling: Telling) -> Iterator[bytes]:
        view = self._view(telling)
        key = (view, telling.ended is not None)
        if self._shown.get("game") != key:
            if self._shown.get("game", key)[0] != view or "game" not in self._shown:
                self._frames = place_in(self._last, view_code(view)) or 0
            self._shown["game"] = key
            may = views_for_all(telling.header, ended=key[1], host=self._host)
            yield message("game", {**telling.scene(view, self._lang), "all_views": GOD in may, "from": self._frames})
        frames = telling.channel(view, self._lang).messages(self._frames)
        self._frames += len(frames)
        yield from frames
        yield from self._changed("status", self._status(telling))
        yield from self._series()
        if self._own and isinstance(self._game, Game):
            yield from self._changed("seat", seat_state(self._game, telling, self._seat, self._lang))

    def _status(self, telling: Telling | None) -> dict[str, Any]:
        naming = isinstance(self._game, Game) and self._game.has_not_begun
        floor = telling.floor if telling else {"seat": 0, "topic": ""}
        return {"state": self._game.status, "floor": floor, "naming": naming}

    def _series(self) -> Iterator[bytes]:
        game = self._game
        row = game.series if isinstance(game, Game) else None
        if isinstance(game, Game) and row:
            over = game.state == "ended"
            key = (row.number, over, bool(game.next))
            if self._shown.get("points") != key:
                self._shown["points"] = key
                points = standing(row, game.path, self._lang, over=over)
                yield message(
                    "series", {"number": row.number, "games": row.games, "next": bool(game.next), "points": points}
                )

    def _changed(self, kind: str, data: dict[str, Any]) -> Iterator[bytes]:
        """A message, unless the last one of its kind said the same; a clock that runs is no change."""
        what = data
        if question := data.get("question"):
            what = {**data, "question": {key: value for key, value in question.items() if key not in {"left", "wait"}}}
            what["question"]["ends"] = data["ends"]
        data = {key: value for key, value in data.items() if key != "ends"}
        if self._shown.get(kind) != what:
            self._shown[kind] = what
            yield message(kind, data)


def seat_state(game: Game, telling: Telling, seat: Seat, lang: Lang) -> dict[str, Any]:
    """What the person at `seat` has before them: a question, what the referee holds of them, card, notes, the end."""
    row = game.kept(seat)
    state: dict[str, Any] = {"seat": seat, "question": None, "held": None, "ends": None, "away": row.away}
    state |= {"missed": row.missed, "absent": telling.header.absent, "notes": row.notes, "gone": False}
    state["card"] = card_of(telling, seat, lang)
    state["result"] = telling.ended.result(seat) if telling.ended else None
    play = game.play
    if play is None:
        return state
    place = play.places[seat]
    state["gone"] = seat in play.gone
    form = form_of(telling.view(seat), lang)
    if place.question:
        speaker = telling.floor["seat"]
        state["question"] = form.question(place.question.request, speaker if speaker != seat else 0)
        state["question"] |= clock_of(place.question, stands=play.stands)
        state["ends"] = place.question.ends
        if state["question"]["turn"]:
            state["question"]["claims"] = form.claims(place.question.request.table)
    if place.held:
        n, (request, decision) = list(place.held.items())[-1]
        state["held"] = {"n": n, "words": form.words(request, decision), "text": decision.text}
    return state


def clock_of(question: Question, *, stands: bool) -> dict[str, Any]:
    """The clock of a question as a page shows it: seconds `left`, and how long to `wait` before it begins to run."""
    wait = max(0.0, question.opens - now())
    return {"left": question.left, "wait": wait, "reminded": question.reminded, "stands": stands}


def card_of(telling: Telling, seat: Seat, lang: Lang) -> dict[str, str] | None:
    """The card of `seat`, as that seat knows it."""
    roles: dict[str, Any] = {}
    role = ""
    for event in telling.view(seat).events:
        if isinstance(event, Began):
            roles = event.roles
        elif isinstance(event, Dealt | Turned) and event.seat == seat:
            role = event.role
    return {"title": roles[role]["title"][lang], "text": roles[role]["card"][lang]} if role else None
