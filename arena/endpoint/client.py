"""An endpoint at work: calls bounded, retried and priced, each attempt logged as it ends."""

import asyncio
import math
import random
import re
import sys
import time
from collections.abc import Mapping
from contextlib import AsyncExitStack
from email.utils import parsedate_to_datetime
from typing import Any

import openai
from tenacity import AsyncRetrying, RetryCallState, retry_if_exception, stop_before_delay

from arena.endpoint.ability import LADDER, Ability, Form, response_format
from arena.endpoint.call import Answer, Call, Log, Overflow, Unanswered, Unreachable
from arena.endpoint.completion import NAMED, Asked, answer_in
from arena.endpoint.connections import BROKEN, Connections, timed_out, was_reached
from arena.endpoint.limits import Limits, OwnLimits
from arena.endpoint.plan import EndpointPlan
from arena.endpoint.purse import Purse
from arena.endpoint.secrecy import Secrecy
from arena.endpoint.size import MOST_TOKENS, fewest, tokens
from arena.terms import Attempt, Fault

FIRST_PAUSE, LONGEST_PAUSE = 0.5, 30.0
"""Seconds between attempts while nobody answers: doubled each time, and drawn, so that not all come back at once."""

ANOTHER_LENGTH = 1.1
"""How many times as long as another, as estimated, a prompt is that no tokeniser counts as equal (seen: up to 1.03)."""

ALIKE = 0.05
"""By what share the counts of two prompts differ that may have been cut to the same length."""

SHORTEST_CONTEXT = 256
"""Tokens that every endpoint reads; what counts fewer of a long prompt counts something else."""

SAID = 300
"""Characters of a refusal that are shown and kept."""

REFUSALS = 5
"""Calls in a row that an endpoint may refuse in every form while it counts as up: more is no matter of single calls."""

_UNPAID = re.compile(
    r"insufficient[\s_]*(?:quota|balance|credit|fund)|arrear|overdue|billing_\w*(?:limit|not_active)|credit balance"
    r"|out of credit|good standing|余额不足|欠费",
    re.IGNORECASE,
)
"""How providers say that an account has run dry; the statuses they say it with are many."""

_FILTERED = re.compile(
    r"data_inspection|content_(?:filter|policy)|inappropriate content|sensitive|safety system|敏感|内容安全|不合规",
    re.IGNORECASE,
)
"""How filters say that they dislike a text: that is a matter of this call however often it happens."""

_NO_ANSWER = (openai.APIError, *BROKEN, ValueError, AttributeError, TypeError, LookupError, RecursionError)
"""How a call ends without an answer: nobody there, a refusal, too late, or something that is no completion."""


class _Retry(Exception):
    """This attempt came to nothing; the next one may not.

    `after`: seconds the endpoint has asked for; `late`: it was reached and took longer than it may; `garbled`: what
    came can't be read; `status`: HTTP.
    """

    def __init__(
        self, why: str, after: float | None = None, *, late: bool = False, garbled: bool = False, status: int = 0
    ) -> None:
        super().__init__()
        self.why = why
        self.after = after
        self.late = late
        self.garbled = garbled
        self.status = status


class Endpoint:
    """One endpoint, for one event loop and all games played on it."""

    def __init__(self, name: str, plan: EndpointPlan, purse: Purse | None = None, limits: Limits | None = None) -> None:
        self.name = name
        self.plan = plan
        self.ability = Ability(plan.context)
        self._purse = purse or Purse()
        self._connections = Connections(plan)
        self._heard = Secrecy(self._connections.key if plan.key_env else None, plan.base_url).heard
        self._limits = limits or OwnLimits(plan)
        self._is_down = False
        self._refused_in_a_row = REFUSALS
        self._first = asyncio.Lock()
        # How it counts, against the estimate; and how far answers go beyond the length they were asked to keep to.
        self._ratio = 0.0
        self._excess = 1.0
        self._counted: dict[int, int] = {}
        self._cut = 0
        self._most_counted = SHORTEST_CONTEXT

    async def close(self) -> None:
        """Let go of the connections."""
        await self._connections.close()

    async def check(self) -> None:
        """See that somebody answers there and serves the model.

        On another machine, or where models aren't listed, this takes a call of a few tokens: a list is often public.

        Raises:
            Unreachable: nobody answers, or not with this key, or the model is not among those listed.
        """
        try:
            listed = await self._connections.models()
        except openai.NotFoundError:
            listed = []
        except _NO_ANSWER as error:
            raise Unreachable(f"{self.name} ({self.plan.base_url}): {self._what(error)}") from None
        if listed and self.plan.model not in listed:
            names = sorted(self._heard(name, NAMED) for name in listed)
            some = ", ".join(names[:8]) + (", …" if len(names) > 8 else "")
            raise Unreachable(f"{self.name} ({self.plan.base_url}): no model {self.plan.model!r}; it serves: {some}")
        if not listed or not self.plan.local:
            await self._knock()

    async def _knock(self) -> None:
        """Ask for a word. Whoever refuses how it was asked for is there, unless the account has run dry."""
        asked = [{"role": "user", "content": "Hi"}]
        body: dict[str, Any] = {"model": self.plan.model, "messages": asked, "max_tokens": 16}
        try:
            await self._connections.post(body)
        except (openai.BadRequestError, openai.UnprocessableEntityError) as error:
            said = self._what(error)
            if _UNPAID.search(said):
                raise Unreachable(f"{self.name} ({self.plan.base_url}): {said}") from None
        except _NO_ANSWER as error:
            raise Unreachable(f"{self.name} ({self.plan.base_url}): {self._what(error)}") from None

    async def ask(self, call: Call, log: Log, *, once: bool = False) -> Answer:
        """Have the model answer. What comes back is not logged here but by whoever judges it.

        Where it can't be read, that is not tried again if `once`.

        Raises:
            Unreachable: no answer, after trying for as long as the plan says.
            Unanswered: none to this call, though it answers others: it has answered within the last few.
            Overflow: the prompt does not fit.
            Halted: the call could exceed the budget.
        """
        # Patience is for the first who finds it down; until it answers again, others try once.
        patience = 0.0 if self._is_down else self.plan.patience
        attempts = AsyncRetrying(
            retry=retry_if_exception(lambda error: isinstance(error, _Retry) and not (once and error.garbled)),
            stop=stop_before_delay(patience),
            wait=self._pause,
            reraise=True,
        )
        try:
            async for attempt in attempts:
                with attempt:
                    answer = await self._attempt(call, log)
                    self._is_down, self._refused_in_a_row = False, 0
                    return answer
        except _Retry as last:
            waited = "" if once and last.garbled else f": no answer within {self.plan.patience:g} seconds"
            why = f"{self.name}{waited}" + (f": {last.why}" if last.why else "")
            if last.late and await self._is_up():
                raise Unanswered(why) from None
            self._is_down = True
            raise Unreachable(why, last.status) from None
        raise AssertionError("the last attempt returns or raises")

    async def _is_up(self) -> bool:
        """Whether it answers a word; what it takes too long over is then its own, and no outage."""
        try:
            await self._knock()
        except Unreachable:
            return False
        return True

    def _pause(self, state: RetryCallState) -> float:
        error = state.outcome and state.outcome.exception()
        after = error.after if isinstance(error, _Retry) else None
        longest = min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** (state.attempt_number - 1))
        spread = random.uniform(longest / 2, longest)
        if after is None:
            return spread
        # Whoever asks meanwhile waits as well, and nobody before the time.
        self._limits.rest(after)
        return after + spread

    async def _attempt(self, call: Call, log: Log) -> Answer:
        """One attempt, and as many more as refusals teach something.

        While nobody knows how the endpoint counts, a call that has to keep to a budget is made alone.
        """
        async with AsyncExitStack() as bounds:
            await self._limits.enter()
            bounds.callback(self._limits.leave)
            if self._purse.budget is not None and not self._ratio:
                await bounds.enter_async_context(self._first)
            prompt = self._size(call)
            begun = self.ability.form
            first = form = begun if not call.freely else LADDER[-1]
            try:
                while True:
                    await self._wait_for_turn(prompt + call.tokens)
                    heard = await self._request(call, form, log, prompt)
                    if isinstance(heard, Answer):
                        self.ability.answered(first, form)
                        return heard
                    form = heard
            except Unreachable:
                # Refused in every form, as a text that a filter dislikes: it was not the form.
                self.ability.restore(begun)
                raise

    def _size(self, call: Call) -> int:
        """How many tokens the prompt is, about: the schema goes with it, and endpoints count in their own way."""
        estimate = call.prompt_tokens + tokens(str(call.schema))
        return round(estimate * max(1.0, self._ratio))

    async def _wait_for_turn(self, size: int) -> None:
        await self._rest()
        await self._limits.turn(size)
        await self._rest()

    async def _rest(self) -> None:
        # Not an event: while one waits, another answer may ask for a longer rest.
        while pause := self._limits.resting:
            if pause > self.plan.patience:
                raise Unreachable(f"{self.name}: it asks to be left alone for {pause:.0f} seconds")
            await asyncio.sleep(pause + random.uniform(0, FIRST_PAUSE))

    async def _request(self, call: Call, form: Form, log: Log, prompt: int) -> Answer | Form:
        """One HTTP request. It was refused where the form comes back in which to ask now."""
        body = self._body(call, form)
        price = self.plan.prices
        most = prompt if self._ratio else MOST_TOKENS * prompt
        worst = price.of(most, 0, round(call.tokens * self._excess)) if price else 0.0
        await self._purse.reserve(worst)
        if worst:
            log.reserved(worst)
        begun = time.monotonic()
        spent = 0.0
        try:
            completion = await self._connections.post(body)
            estimate = prompt / max(1.0, self._ratio)
            asked = Asked(round(estimate), call.tokens, price, worst, time.monotonic() - begun)
            answer = answer_in(completion, asked, self._heard)
            spent = answer.usd
            if answer.usage:
                counted = answer.usage.prompt_tokens / estimate
                self._ratio = max(self._ratio, counted, 0.01)
                self._excess = max(self._excess, answer.usage.completion_tokens / call.tokens)
            return answer
        except openai.APIStatusError as error:
            return self._refused(call, body, form, error, log, time.monotonic() - begun)
        except _NO_ANSWER as error:
            # Whoever was reached may have written an answer, and charges for it.
            spent = worst if was_reached(error) else 0.0
            self._log(log, call, "unreachable", self._what(error), time.monotonic() - begun, spent)
            garbled = not isinstance(error, (openai.APIConnectionError, *BROKEN))
            raise _Retry(self._what(error), late=timed_out(error), garbled=garbled) from None
        except BaseException:
            # Interrupted in the middle: nobody knows what it has cost.
            spent = worst
            raise
        finally:
            self._purse.settle(worst, spent)

    def _body(self, call: Call, form: Form) -> dict[str, Any]:
        messages = [{"role": "system", "content": call.system}, {"role": "user", "content": call.user}]
        if not self.ability.system_role:
            messages = [{"role": "user", "content": f"{call.system}\n\n{call.user}"}]
        body: dict[str, Any] = {
            "model": self.plan.model,
            "messages": messages,
            self.ability.length_key: call.tokens,
            **call.sampling.model_dump(exclude_none=True),
        }
        asked_for = response_format(form, call.schema)
        if asked_for:
            body["response_format"] = asked_for
        for key in self.ability.dropped:
            body.pop(key, None)
        return {**body, **self.ability.added, **self.plan.extra}

    def _refused(
        self, call: Call, body: Mapping[str, Any], form: Form, error: openai.APIStatusError, log: Log, seconds: float
    ) -> Form:
        """Learn from a refusal in which form to ask now, or give up on this attempt."""
        status, said = error.status_code, self._what(error)
        if status in {400, 413, 422} and self.ability.too_long(said):
            self._log(log, call, "overflow", said, seconds)
            raise Overflow(f"{self.name}: {said}") from None
        now = self.ability.learn(body, form, said) if status in {400, 422} else None
        if now:
            self._log(log, call, "refused", said, seconds)
            return now
        self._log(log, call, "unreachable", said, seconds)
        unpaid = _UNPAID.search(said) is not None
        if (status in {408, 409, 425, 429} or status >= 500) and not unpaid:
            raise _Retry(said, _retry_after(error), status=status) from None
        self._refused_in_a_row += not _FILTERED.search(said)
        is_this_call = status in {400, 413, 422} and not unpaid and self._refused_in_a_row <= REFUSALS
        raise (Unanswered if is_this_call else Unreachable)(f"{self.name}: {said}", status) from None

    def _log(self, log: Log, call: Call, fault: Fault, detail: str, seconds: float, usd: float = 0.0) -> None:
        took = round(seconds, 3)
        log.attempted(
            Attempt(self.name, fault, detail, model=self.plan.model, seconds=took, usd=usd, prompt=call.digest)
        )

    def _what(self, error: Exception) -> str:
        """What went wrong, in one line that holds no address and no key."""
        if isinstance(error, openai.APIStatusError):
            return f"HTTP {error.status_code}: {self._heard(_said(error), SAID)}"
        if timed_out(error):
            return "no answer in time"
        if isinstance(error, (openai.APIConnectionError, *BROKEN)):
            return "no connection, or it was cut"
        return "an answer that can't be read"

    def read_whole(self, call: Call, answer: Answer) -> bool:
        """Whether the endpoint counts as many tokens as it was sent; some cut a long prompt without a word.

        That shows where it counts too few, or as many as for a prompt of quite another length, and has never counted
        more. One count may be a slip; where the next such one is alike, it is taken for all the endpoint reads.
        """
        counted = answer.usage.prompt_tokens if answer.usage else 0
        if counted < (1 - ALIKE) * self._most_counted:
            return True
        self._most_counted = max(self._most_counted, counted)
        shorter, longer = sorted((call.prompt_tokens, self._counted.setdefault(counted, call.prompt_tokens)))
        if counted >= fewest(call.system) + fewest(call.user) and longer < ANOTHER_LENGTH * shorter:
            return True
        if abs(counted - self._cut) <= ALIKE * counted:
            self.ability.context = min(self.ability.context or sys.maxsize, counted + call.tokens)
            self.ability.cuts = True
        self._cut = counted
        return False


def _said(error: openai.APIStatusError) -> str:
    body = error.body
    if isinstance(body, dict):
        return " ".join(str(body[key]) for key in ("message", "code", "param") if body.get(key)) or str(body)
    return str(body or error.message)


def _retry_after(error: openai.APIStatusError) -> float | None:
    """Seconds the endpoint asks to be left alone for: a number, or until a date. None: it doesn't say."""
    given = error.response.headers.get("retry-after", "").strip()
    try:
        seconds = float(given)
    except ValueError:
        try:
            seconds = parsedate_to_datetime(given).timestamp() - time.time()
        except (ValueError, TypeError, OverflowError):
            return None
    return seconds if 0 <= seconds < math.inf else None
