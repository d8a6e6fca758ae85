"""A language model at a seat: one call for a decision, a second chance where that brings none, then the default.

Every call is written down as it ends, with what was wrong with it. Calls that were recorded for a request without a
reply, before an interruption, are judged and not made again.
"""

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Protocol

from arena.endpoint import Answer as Heard
from arena.endpoint import Call, Overflow, Unanswered, Unreachable
from arena.events import View
from arena.players.model.faults import Faulty, Illegal, complaint
from arena.players.model.form import Asks
from arena.players.model.mind import Mind, Terms
from arena.players.model.parsing import Answer, read_answer
from arena.players.player import Past
from arena.terms import LANGUAGES, Attempt, Fault, Halted, Reply, Request, Seat

if TYPE_CHECKING:
    from arena.endpoint.client import Endpoint

SECOND_CHANCES: dict[Fault, int] = {"unreadable": 1, "illegal": 1, "truncated": 2}
"""How often a request is put again after each fault of an answer."""

_EMPTY = {complaint(lang, "empty") for lang in LANGUAGES}
_UNHEARD = {"unreachable", "refused", "overflow"}

_WHOLE = re.compile(r"\}\s*(?:```\s*)?$")
"""How a text ends whose last object is its end, as where a model does not go on to think of another one."""


class Journal(Protocol):
    """Who writes down the calls of all seats, as they happen."""

    def reserved(self, seat: Seat, n: int, usd: float) -> None:
        """A call for request `n` of `seat` begins, and may cost so much."""
        ...

    def attempted(self, seat: Seat, n: int, attempt: Attempt) -> None:
        """A call for request `n` of `seat` has ended so."""
        ...


class ModelPlayer:
    """Plays one seat through an endpoint.

    `past` is what an interrupted game has recorded of this seat. With `halts`, an endpoint that doesn't answer stops
    the game, to be resumed; otherwise the default of the request counts.
    """

    def __init__(
        self, seat: Seat, mind: Mind, endpoint: "Endpoint", journal: Journal, past: Past, *, halts: bool = False
    ) -> None:
        self._seat = seat
        self._mind = mind
        self._endpoint = endpoint
        self._journal = journal
        self._halts = halts
        self._recorded = [attempt for attempt in past.attempts if attempt.fault not in _UNHEARD]
        for reply in past.replies:
            mind.remember(reply)

    async def reply(self, view: View, request: Request) -> Reply:
        """Decide.

        Raises:
            Halted: the call could exceed the budget, or the endpoint doesn't answer and the run waits for it.
        """
        self._mind.read(view)
        known = self._mind.answer(view, request)
        reply = Reply(known, "model") if known else await self._by_call(request)
        self._mind.remember(reply)
        return reply

    async def _by_call(self, request: Request) -> Reply:
        chances = dict(SECOND_CHANCES)
        context = self._endpoint.ability.context
        terms = self._mind.first_terms(request, context)
        terms = replace(terms, tokens=terms.tokens + self._endpoint.plan.thinking)
        asks = self._mind.asks(request, context)
        while True:
            try:
                if self._recorded:
                    answer, attempt = judge(self._recorded.pop(0), request, asks)
                else:
                    answer, attempt = await self._attempt(request, asks, terms)
            except Unreachable as error:
                if self._halts and not isinstance(error, Unanswered):
                    raise Halted(str(error)) from error
                return Reply(request.default, "fallback", f"unreachable: {error}")
            except Overflow as error:
                return Reply(request.default, "fallback", f"overflow: {error}")
            if answer:
                return _accepted(answer)
            if not chances.get(attempt.fault):
                return Reply(request.default, "fallback", f"{attempt.fault}: {attempt.detail}")
            chances[attempt.fault] -= 1
            terms = put_again(terms, attempt)

    async def _attempt(self, request: Request, asks: Asks, terms: Terms) -> tuple[Answer | None, Attempt]:
        """Call the endpoint, with as many days' words left out as it takes, and write down what came, judged."""
        log = _Log(self._journal, self._seat, request.n)
        dropped = 0
        while True:
            ability = self._endpoint.ability
            call, dropped = self._mind.call(request, terms, ability.context, dropped)
            if ability.cuts and ability.context and call.prompt_tokens + call.tokens > ability.context:
                raise Overflow(f"{self._endpoint.name}: it reads {ability.context} tokens, and cuts what is longer")
            try:
                heard = await self._endpoint.ask(call, log)
            except Overflow:
                if not self._mind.can_drop(dropped):
                    raise
                dropped += 1
                continue
            answer, attempt = judge(self._attempted(call, heard, asks), request, asks)
            log.attempted(attempt)
            return answer, attempt

    def _attempted(self, call: Call, heard: Heard, asks: Asks) -> Attempt:
        attempt = Attempt(
            self._endpoint.name,
            text=heard.text,
            reasoning=heard.reasoning,
            finish=heard.finish,
            model=heard.model,
            usage=heard.usage,
            seconds=heard.seconds,
            usd=heard.usd,
            prompt=call.digest,
        )
        if heard.refusal:
            detail = complaint(asks.lang, "refusal")
            return replace(attempt, fault="unreadable", detail=detail, text=heard.text or heard.refusal)
        if not self._endpoint.read_whole(call, heard):
            return replace(attempt, fault="truncated", detail="the endpoint has not read the whole prompt")
        return attempt


def put_again(terms: Terms, attempt: Attempt) -> Terms:
    """How a request is put after an attempt that was no use."""
    if attempt.fault == "truncated":
        # Where the prompt was cut, a longer answer would leave it even less room.
        return replace(terms, tokens=2 * terms.tokens) if attempt.finish == "length" else terms
    return replace(terms, complaint=attempt.detail, freely=terms.freely or attempt.detail in _EMPTY)


def _accepted(answer: Answer) -> Reply:
    return Reply(
        answer.decision,
        "model",
        answer.thought,
        notes=answer.notes or None,
        beliefs=answer.beliefs,
        standing=answer.standing,
        bid=answer.bid,
    )


class _Log:
    """The journal, for one request."""

    def __init__(self, journal: Journal, seat: Seat, n: int) -> None:
        self._journal = journal
        self._seat = seat
        self._n = n

    def reserved(self, usd: float) -> None:
        self._journal.reserved(self._seat, self._n, usd)

    def attempted(self, attempt: Attempt) -> None:
        self._journal.attempted(self._seat, self._n, attempt)


def judge(attempt: Attempt, request: Request, asks: Asks) -> tuple[Answer | None, Attempt]:
    """The answer in an attempt, if there is a usable one, and the attempt with the fault that was found.

    An answer that stands where a model reasons counts only if nothing else was said and the model had finished.
    """
    if attempt.fault:
        return None, attempt
    if attempt.finish == "content_filter":
        return None, replace(attempt, fault="unreadable", detail=complaint(asks.lang, "filtered"))
    text = attempt.text
    if not text.strip() and attempt.finish == "stop" and _WHOLE.search(attempt.reasoning):
        text = attempt.reasoning
    if not text.strip():
        fault: Fault = "truncated" if attempt.finish == "length" else "unreadable"
        return None, replace(attempt, fault=fault, detail=complaint(asks.lang, "empty"))
    if attempt.finish == "length" and not _WHOLE.search(text):
        return None, replace(attempt, fault="truncated", detail="cut off")
    try:
        return read_answer(text, request, asks), attempt
    except Faulty as error:
        wrong: Fault = "illegal" if isinstance(error, Illegal) else "unreadable"
        if attempt.finish == "length" and wrong == "unreadable":
            wrong = "truncated"
        return None, replace(attempt, fault=wrong, detail=error.in_words(asks.lang))
