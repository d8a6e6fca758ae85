"""The server that tests talk to."""

import json
import time
from bisect import bisect_left, insort
from collections import Counter, deque
from collections.abc import Callable, Collection
from dataclasses import dataclass
from random import Random
from typing import Self

from tests.model_server import refusals
from tests.model_server.draft import DoesNotFit, Draft, Pace, tokens
from tests.model_server.faults import ANSWERS, ERRORS, FAULTS, WIRE
from tests.model_server.refusals import REFUSALS, Refusal
from tests.model_server.schema import Json
from tests.model_server.wire import Call, Loopback, Response


@dataclass(frozen=True)
class Asked:
    """A request for a completion: when it arrived (`time.monotonic()`), and the fault it met with."""

    body: Json
    headers: dict[str, str]
    arrived: float
    fault: str | None


class ModelServer:
    """An OpenAI-compatible endpoint, open inside its `with` block; any number of them at once.

    Chance depends on `seed`, the bytes of a request and how often they came before, so that requests sent at the
    same time get the same answers whichever is first.

    Args:
        models: Names it knows.
        key: The only key it takes; any if None.
        context: Most tokens of a prompt; more are refused.
        truncates: Drop the start of longer prompts without a word instead.
        refuses: Names of `REFUSALS` that it never takes, as some real endpoints do.
        seed: Seed of its random answers.
        cached: Report tokens whose prefix an earlier prompt had.
        slow: Delay of the fault `slow`, in seconds.
        retry_after: Wait that 429 and 503 ask for, in seconds.
        port: Where it is open; a free port if 0.
    """

    def __init__(
        self,
        models: Collection[str] = ("test-model",),
        *,
        key: str | None = None,
        context: int | None = None,
        truncates: bool = False,
        refuses: Collection[str] = (),
        seed: int = 0,
        cached: bool = True,
        slow: float = 0.05,
        retry_after: int = 1,
        port: int = 0,
    ) -> None:
        self.answer: Callable[[Json], str] | None = None
        """Writes the content of answers from the body of the request; a random one that fits its schema if None."""
        self.meets: Callable[[Json], str | None] = lambda body: None
        """Says which fault a request meets with, whoever is next."""
        self._models, self._key, self._cached, self._seed = models, key, cached, seed
        self._context, self._truncates = context, truncates
        self.refusals: list[Callable[[Json], Refusal | None]] = [REFUSALS[name] for name in refuses]
        """Each says of a request why it is refused, if it is."""
        self._pace = Pace(slow, retry_after)
        self._requests: list[Asked] = []
        self._next: deque[str] = deque()
        self._mix: tuple[float, int, list[str]] = 0.0, 0, []
        self._seen: Counter[bytes] = Counter()
        self._prompts: list[str] = []
        self._loopback = Loopback(self._handle, port)

    def __enter__(self) -> Self:
        self._loopback.__enter__()
        return self

    def __exit__(self, kind: type[BaseException] | None, *why: object) -> None:
        self._loopback.__exit__(kind, *why)

    @property
    def base_url(self) -> str:
        return f"http://127.0.0.1:{self._loopback.port}/v1"

    @property
    def requests(self) -> list[Asked]:
        """All requests for completions so far, also those refused, in order of arrival."""
        return list(self._requests)

    @property
    def most_in_flight(self) -> int:
        """The most requests that waited for an answer at the same time."""
        return self._loopback.most_in_flight

    def next(self, *faults: str) -> None:
        """Let the next requests that would be answered meet with these faults, one each.

        A fault that does not fit its request fails the test where the `with` block ends.
        """
        _known(faults)
        self._next.extend(faults)

    def mix(self, rate: float, seed: int = 0, faults: Collection[str] = FAULTS) -> None:
        """From now on, let this share of requests meet with one of these faults that fits, at random."""
        _known(faults)
        self._mix = rate, seed, list(faults)

    def _handle(self, call: Call) -> Response:
        match call.method, call.path:
            case "POST", "/v1/chat/completions":
                return self._chat(call)
            case "GET", "/v1/models":
                return self._listed(call)
        return Refusal(404, f"Invalid URL ({call.method} {call.path})").response()

    def _stranger(self, call: Call) -> bool:
        return self._key is not None and call.headers.get("authorization") != f"Bearer {self._key}"

    def _listed(self, call: Call) -> Response:
        if self._stranger(call):
            return refusals.bad_key().response()
        data = [{"id": name, "object": "model", "created": 0, "owned_by": "tests"} for name in self._models]
        return Response(200, json.dumps({"object": "list", "data": data}).encode())

    def _chat(self, call: Call) -> Response:
        body: Json = json.loads(call.data)
        fault, arrived = None, time.monotonic()
        if refused := refusals.bad_key() if self._stranger(call) else self._refused(body):
            response = refused.response()
        else:
            fault, response = self._met(call.data, body)
        self._requests.append(Asked(body, call.headers, arrived, fault))
        return response

    def _refused(self, body: Json) -> Refusal | None:
        if body["model"] not in self._models:
            return refusals.wrong_model(body["model"])
        for refuses in (refusals.malformed, *self.refusals):
            if refused := refuses(body):
                return refused
        count = tokens(_prompt(body))
        if self._context is None or self._truncates or count <= self._context:
            return None
        return refusals.context_overflow(self._context, count)

    def _met(self, data: bytes, body: Json) -> tuple[str | None, Response]:
        """Answer, with the fault that is scripted or drawn."""
        self._seen[data] += 1
        name = f"{self._seen[data]} {data.decode()}"
        if self._context is not None and self._truncates:
            body = _end(body, self._context)
        draft = Draft(body, Random(f"{self._seed} {name}"), self._pace, self.answer)
        if own := self.meets(body):
            return own, self._answered(draft, own)
        if self._next:
            fault = self._next.popleft()
            return fault, self._answered(draft, fault)
        rate, seed, faults = self._mix
        chance = Random(f"{seed} {name}")
        if chance.random() < rate:
            for fault in chance.sample(faults, len(faults)):
                try:
                    return fault, self._answered(draft, fault)
                except DoesNotFit:
                    continue
        return None, self._answered(draft, None)

    def _answered(self, draft: Draft, fault: str | None) -> Response:
        if fault in ERRORS:
            return ERRORS[fault](draft).response()
        if fault in ANSWERS:
            ANSWERS[fault](draft)
        response = Response(200, json.dumps(self._completion(draft), ensure_ascii=False).encode())
        return WIRE[fault](response, draft) if fault in WIRE else response

    def _completion(self, draft: Draft) -> Json:
        message = draft.message  # writing it may give a reason to finish
        choice = {"index": 0, "message": message, "finish_reason": draft.finish_reason, "logprobs": None}
        completion: Json = {
            "id": f"chatcmpl-{len(self._requests)}",
            "object": "chat.completion",
            "created": int(time.time()),
            "model": draft.body["model"],
            "choices": [choice] if draft.chosen else [],
        }
        usage = self._usage(_prompt(draft.body), draft.written)
        return {**completion, "usage": usage} if draft.reports_usage else completion

    def _usage(self, prompt: str, written: str) -> Json:
        sent, got = tokens(prompt), tokens(written)
        usage: Json = {"prompt_tokens": sent, "completion_tokens": got, "total_tokens": sent + got}
        if self._cached:
            usage["prompt_tokens_details"] = {"cached_tokens": self._known_prefix(prompt) // 4}
            insort(self._prompts, prompt)
        return usage

    def _known_prefix(self, prompt: str) -> int:
        """The bytes that the prompt shares with an earlier one; in sorted order that is one of its neighbours."""
        place = bisect_left(self._prompts, prompt)
        near = self._prompts[max(place - 1, 0) : place + 1]
        return max((len(prompt[: _common(prompt, other)].encode()) for other in near), default=0)


def _common(a: str, b: str) -> int:
    """The number of characters two texts begin with alike, by halving."""
    low, high = 0, min(len(a), len(b))
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if a[low:middle] == b[low:middle] else (low, middle - 1)
    return low


def _prompt(body: Json) -> str:
    return "".join(f"{message['role']}\n{message['content']}\n" for message in body["messages"])


def _end(body: Json, limit: int) -> Json:
    """The request without the start of what its messages say, as far as they are longer than the limit."""
    messages = []
    over = len(_prompt(body).encode()) - 4 * limit + 1
    for message in body["messages"]:
        content = message["content"].encode()
        cut, over = max(over, 0), over - len(content)
        messages.append({**message, "content": content[cut:].decode(errors="ignore")})
    return {**body, "messages": messages}


def _known(faults: Collection[str]) -> None:
    if unknown := sorted(set(faults) - set(FAULTS)):
        raise ValueError(f"no fault {unknown[0]!r}; there are {', '.join(FAULTS)}")
