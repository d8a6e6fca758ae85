"""A language model at a seat: one call for a decision, a second chance where that brings none, then the default.

What the model keeps between decisions (notebook, last thought, standing answers) stands in its own recorded replies, so
that a resumed game goes on as it would have. Calls recorded for a request without a reply are judged, not made again.
"""

import re
from dataclasses import replace
from typing import Protocol

from arena.endpoint import Answer as Heard
from arena.endpoint import Call, Endpoint, Overflow, Sampling, Unreachable
from arena.endpoint.size import tokens
from arena.events import Said, View
from arena.personas import load_persona
from arena.players.model.form import Asks, answer_schema, longest
from arena.players.model.parsing import Answer, Illegal, Unreadable, read_answer
from arena.players.model.prompting import Prompt, Prompter
from arena.players.player import Past
from arena.terms import PASS, Attempt, Decision, Fault, Halted, Lang, Reply, Request, Seat

SECOND_CHANCES: dict[Fault, int] = {"unreadable": 1, "illegal": 1, "truncated": 2}
"""How often a request is put again after each fault of an answer."""

CHANCES_TO_SPEAK_UP = ("interjection",)


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

    `past` is what an interrupted game has recorded of this seat. With `beliefs`, votes come with how likely each
    seat is a werewolf. With `halts`, an endpoint that doesn't answer stops the game, to be resumed; otherwise the
    default of the request counts.
    """

    def __init__(
        self,
        seat: Seat,
        lang: Lang,
        endpoint: Endpoint,
        journal: Journal,
        *,
        persona: str | None,
        sampling: Sampling,
        past: Past,
        beliefs: bool = False,
        halts: bool = False,
    ) -> None:
        self._seat = seat
        self._lang = lang
        self._endpoint = endpoint
        self._journal = journal
        self._persona = load_persona(persona) if persona else None
        self._sampling = sampling
        self._beliefs = beliefs
        self._halts = halts
        self._prompter = Prompter(seat, lang, self._persona)
        self._recorded = list(past.attempts)
        self._notes = ""
        self._last = Reply(PASS, "model")
        for reply in past.replies:
            self._remember(reply)

    async def reply(self, view: View, request: Request) -> Reply:
        """Decide.

        Raises:
            Halted: the call could exceed the budget, or the endpoint doesn't answer and the run waits for it.
        """
        self._prompter.read(view)
        reply = self._without_a_call(view, request) or await self._by_call(request)
        self._remember(reply)
        return reply

    def _remember(self, reply: Reply) -> None:
        """Replies that took no call leave everything as it is."""
        if reply.source == "fallback" or reply.thought or reply.notes is not None or reply.standing or reply.bid:
            self._last = reply
        self._notes = reply.notes or self._notes

    # Answers that cost nothing

    def _without_a_call(self, view: View, request: Request) -> Reply | None:
        """What follows from the last reply: how urgent the word is, chances to explode, nothing to interject."""
        if request.topic == "bid":
            return Reply(self._bid(), "model")
        if not request.window:
            return None
        last = next((event for event in reversed(view.events) if isinstance(event, Said)), None)
        if any(choice.act == "explode" for choice in request.choices):
            explodes = self._last.standing == "now" or (self._last.standing == "on_claim" and self._tells_a_check(last))
            return Reply(Decision("explode") if explodes else PASS, "model")
        if request.topic in CHANCES_TO_SPEAK_UP and not self._speaks_of_me(last):
            return Reply(PASS, "model")
        return None

    def _bid(self) -> Decision:
        urgency = self._last.bid
        if not urgency and self._persona and not self._last.thought:
            urgency = round(3 * self._persona.talkativeness)
        return Decision(f"bid_{urgency}") if urgency else PASS

    def _tells_a_check(self, said: Said | None) -> bool:
        pack = self._prompter.table.pack
        return said is not None and said.seat not in pack and any(claim.about == "checked" for claim in said.claims)

    def _speaks_of_me(self, said: Said | None) -> bool:
        if said is None:
            return False
        named = rf"(?<!\d){self._seat}\s*号|\bseat\s+{self._seat}\b"
        return any(self._seat in claim.seats for claim in said.claims) or bool(
            re.search(named, said.text, re.IGNORECASE)
        )

    # Answers by a call

    async def _by_call(self, request: Request) -> Reply:
        asks = self._asks(request)
        chances = dict(SECOND_CHANCES)
        budget = longest(request, asks) + self._endpoint.plan.thinking
        complaint, freely = "", False
        while True:
            try:
                attempt = self._recorded.pop(0) if self._recorded else await self._attempt(
                    request, asks, complaint, budget, freely
                )  # fmt: skip
            except Unreachable as error:
                if self._halts:
                    raise Halted(str(error)) from None
                return Reply(request.default, "fallback", f"unreachable: {error}")
            except Overflow as error:
                return Reply(request.default, "fallback", f"overflow: {error}")
            if not attempt.text and not attempt.reasoning and attempt.fault in {"unreachable", "refused", "overflow"}:
                continue  # recorded before an interruption: nothing was heard, so it is asked again
            answer, attempt = judge(attempt, request, asks)
            if answer:
                return self._accepted(answer)
            fault, why = attempt.fault, attempt.detail
            if not chances.get(fault):
                return Reply(request.default, "fallback", f"{fault}: {why}")
            chances[fault] -= 1
            freely = freely or why == "empty"
            budget *= 2 if fault == "truncated" else 1
            complaint = why if fault != "truncated" else ""

    def _asks(self, request: Request) -> Asks:
        table = self._prompter.table
        rules = table.began.rules
        may_explode = table.kind(table.role) == "werewolf" and rules["explode.allowed"]
        return Asks(
            self._lang,
            tuple(table.began.roles),
            beliefs=self._beliefs and any(choice.act == "vote" for choice in request.choices),
            explosion=bool(may_explode) and self._seat in table.in_play,
            bids=rules["discussion.mode"] == "bidding",
        )

    def _accepted(self, answer: Answer) -> Reply:
        return Reply(
            answer.decision,
            "model",
            answer.thought,
            notes=answer.notes or None,
            beliefs=answer.beliefs,
            standing=answer.standing,
            bid=answer.bid,
        )

    async def _attempt(self, request: Request, asks: Asks, complaint: str, budget: int, freely: bool) -> Attempt:
        """Call the endpoint, with as many days left out as it takes to fit, and write down what came."""
        log = _Log(self._journal, self._seat, request.n)
        dropped = 0
        while True:
            prompt = self._prompter.write(request, asks, self._notes, self._last.thought, dropped, complaint)
            if not self._fits(prompt, budget) and dropped < self._prompter.day:
                dropped += 1
                continue
            schema = answer_schema(request, asks)
            call = Call(prompt.system, prompt.user, schema, budget, self._sampling, freely)
            known = self._endpoint.ability.context
            try:
                heard = await self._endpoint.ask(call, log)
            except Overflow:
                if self._endpoint.ability.context == known and dropped >= self._prompter.day:
                    raise
                dropped += 1
                continue
            attempt = self._attempted(call, heard)
            judged = judge(attempt, request, asks)[1]
            log.attempted(judged)
            return judged

    def _fits(self, prompt: Prompt, budget: int) -> bool:
        context = self._endpoint.ability.context
        return context is None or tokens(prompt.system) + tokens(prompt.user) + budget <= context

    def _attempted(self, call: Call, heard: Heard) -> Attempt:
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
            return replace(attempt, fault="unreadable", detail="a refusal", text=heard.text or heard.refusal)
        if not self._endpoint.read_whole(call, heard):
            return replace(attempt, fault="truncated", detail="the endpoint has not read the whole prompt")
        return attempt


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
        return None, replace(attempt, fault="unreadable", detail="held back by the endpoint's filter")
    text = attempt.text
    if not text.strip() and attempt.finish == "stop":
        text = attempt.reasoning
    if not text.strip():
        return None, replace(attempt, fault="truncated" if attempt.finish == "length" else "unreadable", detail="empty")
    try:
        return read_answer(text, request, asks), attempt
    except Unreadable as error:
        fault: Fault = "truncated" if attempt.finish == "length" else "unreadable"
        return None, replace(attempt, fault=fault, detail=str(error))
    except Illegal as error:
        return None, replace(attempt, fault="illegal", detail=str(error))
