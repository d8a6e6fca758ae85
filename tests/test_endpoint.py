"""Endpoints: what is tried again and what isn't, what is learnt, what is paid, and what is kept to oneself."""

import asyncio
import contextlib
import json
import math
import threading
import time
from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Any, ClassVar

import pytest

from arena.endpoint import Answer, EndpointPlan, Overflow, Purse, Unreachable
from arena.endpoint.ability import DOUBTS, LADDER, Ability
from arena.endpoint.client import Endpoint
from arena.endpoint.completion import UNSEEN
from arena.endpoint.probe import read_long
from arena.terms import LANGUAGES, Attempt, DuskwaldError, Halted, UnusableInput, Usage
from arena.texts import texts
from arena.transcript.schema import Attempted, decode, encode
from tests.endpoints import PRICE, Kept, a_call, endpoint_of, gathered, plan, quick
from tests.model_server import FAULTS, ModelServer, faults, refusals
from tests.model_server.faults import ANSWERS, ERRORS, WIRE
from tests.model_server.refusals import Refusal, response_format


@pytest.fixture(autouse=True)
def _quick() -> Iterator[None]:
    with quick():
        yield


def wait_until(so: Callable[[], bool]) -> None:
    while not so():
        time.sleep(0.01)


async def asked(server: ModelServer, *, log: Kept | None = None, purse: Purse | None = None, **keys: Any) -> Any:
    """What becomes of one call."""
    return (await gathered(endpoint_of(server, purse, **keys), a_call(), log=log))[0]


# What is tried again

PASSES = {"rate_limited_seconds", "rate_limited_date", "rate_limited_rubbish", "server_error", "unavailable"}
CUT = {"cut_at_once", "cut_in_headers", "cut_in_body", "html", "no_choices", "invalid_utf8"}
LEARNT = {"json_schema_refused", "system_refused", "temperature_refused", "max_tokens_refused"}
USELESS = {"bad_key", "wrong_model"}
ABSENT = {"json_object_refused", "max_completion_tokens_refused"}
"""Refusals of what a first request does not hold."""
ANSWERED = {*ANSWERS, *WIRE} - CUT


@pytest.mark.parametrize("fault", sorted({*FAULTS} - ABSENT))
async def test_each_fault_ends_as_it_should(fault: str) -> None:
    log = Kept()
    with ModelServer(retry_after=0) as server:
        server.next(fault)
        ended = await asked(server, log=log)
    again = PASSES | CUT | LEARNT
    assert len(server.requests) == (2 if fault in again else 1)
    if fault in USELESS:
        assert isinstance(ended, Unreachable)
    elif fault == "context_overflow":
        assert isinstance(ended, Overflow)
    else:
        assert isinstance(ended, Answer)
    logged = {**dict.fromkeys(PASSES | CUT | USELESS, "unreachable"), **dict.fromkeys(LEARNT, "refused")}
    expected = "overflow" if fault == "context_overflow" else logged.get(fault)
    assert log.faults == ([expected] if expected else [])
    for attempt in log.attempts:
        assert decode(encode(Attempted(1, 1, attempt))) == Attempted(1, 1, attempt)


def test_every_fault_has_been_thought_of() -> None:
    sets = [PASSES, CUT, LEARNT, USELESS, ABSENT, ANSWERED, {"context_overflow"}]
    assert sum(map(len, sets)) == len(FAULTS)
    assert set().union(*sets) == set(FAULTS)
    assert set(ERRORS) == PASSES | LEARNT | USELESS | ABSENT | {"context_overflow"}


async def test_no_call_tells_of_the_machine_it_comes_from() -> None:
    with ModelServer() as server:
        assert isinstance(await asked(server), Answer)
    [call] = server.requests
    assert {"authorization", "content-type"} < call.headers.keys()
    assert [name for name in call.headers if name.startswith("x-stainless")] == []


async def test_who_is_too_slow_is_asked_again() -> None:
    log = Kept()
    with ModelServer(slow=5) as server:
        server.next("slow")
        assert isinstance(await asked(server, log=log, timeout=1.5), Answer)
    assert [attempt.detail for attempt in log.attempts] == ["no answer in time"]


async def test_patience_has_an_end() -> None:
    with ModelServer() as server:
        server.mix(1, faults=["server_error"])
        async with asyncio.timeout(30):
            ended = await asked(server, patience=0.5)
    assert str(ended) == "stand-in: no answer within 0.5 seconds: HTTP 500: The server had an error."
    assert 1 <= len(server.requests) < 60


def _answers_with(monkeypatch: pytest.MonkeyPatch, refusal: Refusal) -> None:
    monkeypatch.setitem(faults.ERRORS, "server_error", lambda draft: refusal)


@pytest.mark.parametrize(
    ("status", "code"), [(429, "insufficient_quota"), (402, "insufficient_balance"), (403, "unsupported_country")]
)
async def test_where_trying_is_useless_nobody_tries(monkeypatch: pytest.MonkeyPatch, status: int, code: str) -> None:
    _answers_with(monkeypatch, Refusal(status, "You exceeded your current quota.", None, code))
    with ModelServer() as server:
        server.mix(1, faults=["server_error"])
        ended = await asked(server)
    assert isinstance(ended, Unreachable)
    assert code in str(ended)
    assert len(server.requests) == 1


# How long nobody comes back


@pytest.mark.parametrize("kind", ["rate_limited_seconds", "rate_limited_date", "unavailable"])
async def test_nobody_comes_back_before_the_time_and_not_all_at_once(kind: str) -> None:
    wait = 2 if kind == "rate_limited_date" else 1
    with quick(0.3), ModelServer(retry_after=wait) as server:
        server.next(*[kind] * 12)
        ended = await gathered(endpoint_of(server, in_flight=12), *(a_call(f"Vote {n}.") for n in range(12)))
    assert all(isinstance(answer, Answer) for answer in ended)
    first, again = server.requests[:12], server.requests[12:]
    assert len(again) == 12
    least = 1 if kind == "rate_limited_date" else wait  # a date is cut to whole seconds
    assert min(r.arrived for r in again) - min(r.arrived for r in first) >= least - 0.05
    times = sorted(request.arrived for request in again)
    assert times[-1] - times[0] > 0.05
    assert max(b - a for a, b in pairwise(times)) < 5


@pytest.mark.parametrize("value", [*faults.RUBBISH, "", "-1", "inf", "Infinity", "0x10", "１"])
async def test_rubbish_for_a_time_means_the_usual_pause(monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    monkeypatch.setattr(faults, "RUBBISH", (value.encode("latin-1", "ignore").decode(),))
    with ModelServer() as server:
        server.next("rate_limited_rubbish")
        begun = time.monotonic()
        assert isinstance(await asked(server), Answer)
    assert time.monotonic() - begun < 10


@pytest.mark.parametrize("value", ["86400", "99999999", "Fri, 01 Jan 2100 00:00:00 GMT"])
async def test_who_wants_to_be_left_alone_for_longer_than_anybody_waits_is(
    monkeypatch: pytest.MonkeyPatch, value: str
) -> None:
    """Neither the seat that heard it nor any other one waits."""
    monkeypatch.setattr(faults, "RUBBISH", (value,))
    with ModelServer() as server:
        server.next("rate_limited_rubbish")
        endpoint = endpoint_of(server)
        with pytest.raises(Unreachable):
            await endpoint.ask(a_call(), Kept())
        assert isinstance((await gathered(endpoint, a_call("And you?")))[0], Unreachable)
    assert len(server.requests) == 1


# What is learnt


@pytest.mark.parametrize(
    ("refuses", "form"),
    [
        ([], "json_schema"),
        (["json_schema"], "json_object"),
        (["json_schema", "json_object"], "text"),
        (["json_object"], "json_schema"),
    ],
)
async def test_the_ladder_is_gone_down_once(refuses: list[str], form: str) -> None:
    """Later calls never send a refused form, and no seat goes without an answer."""
    with ModelServer(refuses=refuses) as server:
        endpoint = endpoint_of(server)
        for turn in range(6):
            assert isinstance(await endpoint.ask(a_call(f"Vote {turn}."), Kept()), Answer)
        await endpoint.close()
    asked_for = [response_format(request.body) for request in server.requests]
    assert asked_for[-6:] == [form] * 6
    assert len(asked_for) - 6 == LADDER.index(endpoint.ability.form)


async def test_all_that_is_refused_is_learnt_and_never_sent_again() -> None:
    refuses = ["json_schema", "system", "temperature", "max_tokens"]
    log = Kept()
    with ModelServer(refuses=refuses) as server:
        endpoint = endpoint_of(server)
        for turn in range(4):
            assert isinstance(await endpoint.ask(a_call(f"Vote {turn}."), log), Answer)
        await endpoint.close()
    assert set(log.faults) == {"refused"}
    assert len(log.attempts) <= 5
    for request in server.requests[-4:]:
        [message] = request.body["messages"]
        assert message["role"] == "user"
        assert message["content"].startswith("Rules. Answer in JSON.\n\nVote ")
        assert request.body["max_completion_tokens"] == 200
        assert "temperature" not in request.body
        assert "max_tokens" not in request.body


@pytest.mark.parametrize(
    "said",
    [
        "parameter.enable_thinking must be set to false for non-streaming calls",
        "parameter.enable_thinking必须设置为false才能进行非流式调用",
    ],
)
async def test_who_thinks_only_in_a_stream_is_told_not_to_think(said: str) -> None:
    """As DashScope's open Qwen3 does; a preset can't say so for models that always think."""

    def refuse(body: dict[str, Any]) -> Refusal | None:
        return None if body.get("enable_thinking") is False else Refusal(400, said, None, "invalid_parameter_error")

    log = Kept()
    with ModelServer() as server:
        server.refusals.append(refuse)
        endpoint = endpoint_of(server)
        for turn in range(3):
            assert isinstance(await endpoint.ask(a_call(f"Vote {turn}."), log), Answer)
        await endpoint.close()
    assert log.faults == ["refused"]
    assert response_format(server.requests[-1].body) == "json_schema"


async def test_calls_at_the_same_time_learn_together() -> None:
    with ModelServer(refuses=["json_schema", "json_object"]) as server:
        endpoint = endpoint_of(server, in_flight=12)
        ended = await asyncio.gather(*(endpoint.ask(a_call(f"Vote {n}."), Kept()) for n in range(12)))
        await endpoint.close()
    assert all(isinstance(answer, Answer) for answer in ended)
    assert endpoint.ability.form == "text"


async def test_who_refuses_both_names_of_a_length_is_given_up() -> None:
    with ModelServer(refuses=["max_tokens", "max_completion_tokens"]) as server:
        assert isinstance(await asked(server), Unreachable)
    assert len(server.requests) < 10


async def test_what_is_refused_in_every_form_does_not_spoil_the_form(monkeypatch: pytest.MonkeyPatch) -> None:
    """As a text that a filter dislikes: the next one is asked for in the best form again."""
    _answers_with(monkeypatch, Refusal(400, "Input data may contain inappropriate content.", None, "inspection"))
    with ModelServer() as server:
        server.next(*["server_error"] * len(LADDER))
        endpoint = endpoint_of(server)
        with pytest.raises(Unreachable, match="inappropriate"):
            await endpoint.ask(a_call(), Kept())
        assert isinstance((await gathered(endpoint, a_call("Well?")))[0], Answer)
    assert response_format(server.requests[-1].body) == "json_schema"


@pytest.mark.parametrize("known", [True, False])
async def test_a_refusal_that_names_no_form_does_not_lower_it(monkeypatch: pytest.MonkeyPatch, *, known: bool) -> None:
    """One out of four calls is refused for a reason of its own; each is answered, and the next asked for as before."""
    _answers_with(monkeypatch, Refusal(400, "Your request was flagged.", None, "inspection"))
    with ModelServer() as server:
        endpoint = endpoint_of(server)
        for turn in range(12):
            if turn % 4 == known:
                server.next("server_error")
            assert isinstance(await endpoint.ask(a_call(f"Vote {turn}."), Kept()), Answer)
        await endpoint.close()
    assert endpoint.ability.form == LADDER[0]
    assert response_format(server.requests[-1].body) == "json_schema"


async def test_a_form_that_never_brings_an_answer_is_given_up_whatever_refuses_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def no_schema(body: dict[str, Any]) -> Refusal | None:
        return Refusal(400, "Unknown error.") if response_format(body) == "json_schema" else None

    monkeypatch.setitem(refusals.REFUSALS, "json_schema", no_schema)
    with ModelServer(refuses=["json_schema"]) as server:
        endpoint = endpoint_of(server)
        for turn in range(DOUBTS + 2):
            assert isinstance(await endpoint.ask(a_call(f"Vote {turn}."), Kept()), Answer)
        await endpoint.close()
    asked_for = [response_format(request.body) for request in server.requests]
    assert asked_for[-2:] == ["json_object"] * 2
    assert len(asked_for) == DOUBTS * 3 + 2


def test_a_form_that_brings_an_answer_is_taken_up_again() -> None:
    """As from a call that was under way; not where a refusal has named it."""
    ability, forms = Ability(None), []
    for _ in range(DOUBTS):
        ability.answered("json_schema", "text")
    forms.append(ability.form)
    ability.answered("json_schema", "json_schema")
    forms.append(ability.form)
    forms.append(ability.learn({"messages": []}, "json_schema", "no schema") or "text")
    ability.answered("json_schema", "json_schema")
    forms.append(ability.form)
    assert forms == ["text", "json_schema", "json_schema_unbounded", "json_schema_unbounded"]


@pytest.mark.parametrize(
    ("whole", "said", "counted", "key", "good"),
    [
        (True, True, True, "long.whole", True),
        (True, True, False, "long.whole", True),
        (True, False, True, "long.unsure", True),
        (True, False, False, "long.unknown", False),
        (False, True, True, "long.cut", False),
    ],
)
def test_a_long_prompt_that_is_neither_counted_nor_repeated_is_not_called_good(
    *, whole: bool, said: bool, counted: bool, key: str, good: bool
) -> None:
    found = read_long(whole=whole, said=said, counted=counted, value="9000")
    assert (found.key, found.good) == (key, good)
    assert all(found.key in texts(lang, "endpoints") for lang in LANGUAGES)


TOO_LONG = {
    "This model's maximum context length is 8192 tokens. However, you requested 9000 tokens.": 8192,
    "the request exceeds the available context size, try increasing it": None,
    "Range of input length should be [1, 30720]": None,
    "Invalid request: Your request exceeded model token limit: 8192": None,
    "prompt is too long: 210000 tokens > 200000 maximum": None,
    "Prompt 超长": None,
}


@pytest.mark.parametrize(("said", "context"), TOO_LONG.items())
async def test_a_prompt_that_does_not_fit_is_told_from_other_refusals(
    monkeypatch: pytest.MonkeyPatch, said: str, context: int | None
) -> None:
    _answers_with(monkeypatch, Refusal(400, said))
    with ModelServer() as server:
        server.next("server_error")
        endpoint = endpoint_of(server)
        assert isinstance((await gathered(endpoint, a_call()))[0], Overflow)
    assert endpoint.ability.context == context
    assert endpoint.ability.form == "json_schema"


# Bounds


@pytest.mark.parametrize("most", [1, 3])
async def test_no_more_calls_are_in_flight_than_the_plan_says(most: int) -> None:
    with ModelServer(slow=0.05) as server:
        server.mix(1, faults=["slow"])
        await gathered(endpoint_of(server, in_flight=most), *(a_call(f"Vote {n}.") for n in range(8)))
    assert server.most_in_flight == most


class Limiter:
    """Notes what is asked of it, and lets everything pass."""

    made: ClassVar[list["Limiter"]] = []

    def __init__(self, max_rate: float, time_period: float) -> None:
        self.max_rate = max_rate
        self.time_period = time_period
        self.acquired: list[float] = []
        self.made.append(self)

    async def acquire(self, amount: float = 1) -> None:
        self.acquired.append(amount)


@pytest.mark.parametrize("faults", [[], ["server_error"]])
async def test_every_request_goes_through_the_limits_of_its_plan(
    monkeypatch: pytest.MonkeyPatch, faults: list[str]
) -> None:
    """No more than a sixth of a minute's requests go out at once; tokens are counted at their worst."""
    monkeypatch.setattr("arena.endpoint.limits.AsyncLimiter", Limiter)
    Limiter.made.clear()
    with ModelServer() as server, quick():
        server.next(*faults)
        endpoint = endpoint_of(server, requests_per_minute=60, tokens_per_minute=9000)
        await gathered(endpoint, *(a_call(f"Vote {n}.") for n in range(3)))
    requests, used = Limiter.made
    assert (requests.max_rate, requests.time_period) == (10, 10)
    assert (used.max_rate, used.time_period) == (9000, 60)
    assert requests.acquired == [1] * (3 + len(faults))
    assert len(used.acquired) == 3 + len(faults)
    assert all(amount > a_call("Vote 0.").tokens for amount in used.acquired)


async def test_a_call_larger_than_a_minute_holds_is_made_all_the_same() -> None:
    with ModelServer() as server:
        assert isinstance(await asked(server, tokens_per_minute=10), Answer)


# Money


async def test_a_call_is_reserved_at_its_worst_and_booked_as_it_was() -> None:
    log, purse = Kept(), Purse(1)
    with ModelServer() as server:
        answer = await asked(server, log=log, purse=purse, price=PRICE)
    usage = answer.usage
    assert usage is not None
    paid = (usage.prompt_tokens - usage.cached_tokens) + 0.5 * usage.cached_tokens + 2 * usage.completion_tokens
    assert answer.usd == pytest.approx(paid / 1e6)
    assert purse.spent == answer.usd
    [worst] = log.worst
    assert worst > answer.usd


UNKNOWN_COST = ["no_usage", "cut_in_body", "cut_at_once", "html", "no_choices"]


@pytest.mark.parametrize("fault", UNKNOWN_COST)
async def test_what_nobody_has_counted_is_booked_at_its_worst(fault: str) -> None:
    """A call that was cut off may be charged for, and a budget is never exceeded."""
    log, purse = Kept(), Purse(1)
    with ModelServer() as server:
        server.next(fault)
        answer = await asked(server, log=log, purse=purse, price=PRICE)
    booked = [attempt.usd for attempt in log.attempts] + [answer.usd]
    assert booked[0] == log.worst[0]
    assert purse.spent == pytest.approx(sum(booked))


async def test_an_error_and_a_dead_endpoint_cost_nothing() -> None:
    log, purse = Kept(), Purse(1)
    with ModelServer(retry_after=0) as server:
        server.next(*sorted(PASSES | LEARNT))
        answer = await asked(server, log=log, purse=purse, price=PRICE)
    assert purse.spent == answer.usd
    dead = endpoint_of(server, purse, price=PRICE, patience=0)
    assert isinstance((await gathered(dead, a_call(), log=log))[0], Unreachable)
    assert purse.spent == pytest.approx(answer.usd)


async def test_a_call_that_is_interrupted_is_booked_at_its_worst() -> None:
    log, purse = Kept(), Purse(1)
    with ModelServer(slow=5) as server:
        server.next("slow")
        endpoint = endpoint_of(server, purse, price=PRICE)
        call = asyncio.create_task(endpoint.ask(a_call(), log))
        await asyncio.to_thread(wait_until, lambda: bool(server.requests))
        call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await call
        await endpoint.close()
    assert [purse.spent] == log.worst
    assert not log.attempts


async def test_a_budget_holds_with_many_calls_in_flight() -> None:
    """No call is made that could exceed it together with those that are on their way."""
    log = Kept()
    with ModelServer(slow=0.1) as server:
        server.mix(1, faults=["no_usage"])
        await asked(server, log=log, price=PRICE)
        purse = Purse(4.5 * log.worst[0])
        calls = [a_call(f"Vot{n:x}.") for n in range(12)]
        ended = await gathered(endpoint_of(server, purse, price=PRICE, in_flight=12), *calls)
    halted = [error for error in ended if isinstance(error, Halted)]
    assert len(halted) == 8
    assert len(server.requests) == 1 + 4
    assert purse.budget is not None
    assert purse.spent <= purse.budget
    assert f"budget: {purse.spent:.4f} USD of " in str(halted[0])


async def test_calls_wait_for_those_in_flight_before_a_budget_is_found_too_small() -> None:
    """A call costs less than it could; who comes after may have what is left."""
    log = Kept()
    with ModelServer() as server:
        await asked(server, log=log, price=PRICE)
        purse = Purse(2.5 * log.worst[0])
        calls = [a_call(f"Vot{n:x}.") for n in range(12)]
        ended = await gathered(endpoint_of(server, purse, price=PRICE, in_flight=12), *calls)
    made = [answer for answer in ended if isinstance(answer, Answer)]
    assert len(made) > 2
    assert purse.budget is not None
    assert purse.spent <= purse.budget
    assert len(made) == 12 or purse.spent + log.worst[0] > purse.budget


async def test_reserves_follow_how_the_endpoint_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    """After a call that counted more tokens than was thought, the next ones lay more aside."""
    monkeypatch.setattr("tests.model_server.server.tokens", lambda text: len(text) + UNSEEN // 2)
    log = Kept()
    with ModelServer() as server:
        endpoint = endpoint_of(server, Purse(10), price=PRICE)
        for _ in range(2):
            with contextlib.suppress(DuskwaldError):
                await endpoint.ask(a_call("Vote. " * 2000), log)
        await endpoint.close()
    assert log.worst[1] > 1.3 * log.worst[0]


async def test_who_finds_it_down_is_patient_and_the_others_try_once() -> None:
    with ModelServer() as server, quick():
        server.mix(1, faults=["server_error"])
        endpoint = endpoint_of(server, patience=2)
        made = []
        for _ in range(2):
            with pytest.raises(Unreachable):
                await endpoint.ask(a_call(), Kept())
            made.append(len(server.requests))
        server.mix(0)
        assert isinstance(await endpoint.ask(a_call(), Kept()), Answer)
        await endpoint.close()
    assert made[0] > 1
    assert made[1] == made[0] + 1


@pytest.mark.parametrize("status", ["bad_key", "server_error"])
async def test_a_knock_hears_what_a_list_of_models_does_not_tell(status: str) -> None:
    with ModelServer() as server:
        server.mix(1, faults=[status])
        endpoint = endpoint_of(server)
        with pytest.raises(Unreachable, match=r"HTTP (401|500)"):
            await endpoint._knock()
        await endpoint.close()


# What is kept to oneself, and what nonsense does


@pytest.fixture
def key(monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv("STAND_IN_KEY", "sk-very-secret-7")
    return "sk-very-secret-7"


async def test_no_message_holds_the_key_or_the_address(monkeypatch: pytest.MonkeyPatch, key: str) -> None:
    log = Kept()
    with ModelServer(key="another") as server:
        echo = Refusal(401, f"Incorrect API key provided: {key}. See {server.base_url}/keys.")
        monkeypatch.setattr(refusals, "bad_key", lambda: echo)
        endpoint = endpoint_of(server, key_env="STAND_IN_KEY")
        with pytest.raises(Unreachable) as refused:
            await endpoint.check()
        assert key not in str(refused.value)
        [ended] = await gathered(endpoint, a_call(), log=log)
    for said in (str(ended), *(attempt.detail for attempt in log.attempts)):
        assert "Incorrect API key" in said
        assert key not in said
        assert server.base_url not in said


async def test_the_key_is_sent(key: str) -> None:
    with ModelServer(key=key) as server:
        assert isinstance(await asked(server, key_env="STAND_IN_KEY"), Answer)


@pytest.mark.parametrize("value", ["", "   ", None])
def test_without_its_key_no_endpoint_is_opened(monkeypatch: pytest.MonkeyPatch, value: str | None) -> None:
    monkeypatch.setenv("STAND_IN_KEY", value) if value is not None else monkeypatch.delenv("STAND_IN_KEY", False)
    given = EndpointPlan(base_url="http://127.0.0.1:9/v1", model="m", key_env="STAND_IN_KEY")
    with pytest.raises(UnusableInput, match="the environment variable STAND_IN_KEY, for the key of m, is not set"):
        Endpoint("stand-in", given)


GOOD = {"index": 0, "message": {"role": "assistant", "content": "{}"}, "finish_reason": "stop"}
NONSENSE: dict[str, Any] = {
    "no object": 7,
    "nothing": None,
    "a list": [],
    "choices null": {"choices": None},
    "choices a word": {"choices": "none"},
    "choices an object": {"choices": {"a": 1}},
    "a choice that is null": {"choices": [None]},
    "a choice that is a word": {"choices": ["x"]},
    "a message that is a word": {"choices": [{**GOOD, "message": "hi"}]},
    "a message that is null": {"choices": [{**GOOD, "message": None}]},
    "content in parts": {"choices": [{**GOOD, "message": {"content": [{"type": "text", "text": "{}"}]}}]},
    "content a number": {"choices": [{**GOOD, "message": {"content": 7, "refusal": 7, "reasoning": []}}]},
    "finish a number": {"choices": [{**GOOD, "finish_reason": 7}], "model": 7},
    "half a character": {"choices": [{**GOOD, "finish_reason": "\ud800"}], "model": "\ud800"},
    "a long name": {"choices": [GOOD], "model": "x" * 100_000},
    "usage a word": {"choices": [GOOD], "usage": "much"},
    "usage in words": {"choices": [GOOD], "usage": {"prompt_tokens": "7", "completion_tokens": "9"}},
    "usage broken": {"choices": [GOOD], "usage": {"prompt_tokens": 7.5, "completion_tokens": 9.5}},
    "usage below zero": {"choices": [GOOD], "usage": {"prompt_tokens": -7, "completion_tokens": -9}},
    "usage true": {"choices": [GOOD], "usage": {"prompt_tokens": True, "completion_tokens": False}},
    "usage half": {"choices": [GOOD], "usage": {"prompt_tokens": 7}},
    "usage null": {"choices": [GOOD], "usage": {"prompt_tokens": None, "completion_tokens": None}},
    "usage huge": {"choices": [GOOD], "usage": {"prompt_tokens": 10**30, "completion_tokens": 10**30}},
    "cached a word": {
        "choices": [GOOD],
        "usage": {"prompt_tokens": 7, "completion_tokens": 9, "prompt_tokens_details": {"cached_tokens": "all"}},
    },
    "details a list": {
        "choices": [GOOD],
        "usage": {"prompt_tokens": 7, "completion_tokens": 9, "prompt_tokens_details": [1]},
    },
}


@pytest.mark.parametrize("said", NONSENSE.values(), ids=NONSENSE.keys())
async def test_nonsense_is_an_answer_that_can_be_written_down_or_none(
    monkeypatch: pytest.MonkeyPatch, said: Any
) -> None:
    monkeypatch.setattr(ModelServer, "_completion", lambda *_: said)
    monkeypatch.setattr(
        json, "dumps", lambda value, _dumps=json.dumps, **keys: _dumps(value, **{**keys, "ensure_ascii": True})
    )
    log, purse = Kept(), Purse(1)
    with ModelServer() as server:
        ended = await asked(server, log=log, purse=purse, patience=0, price=PRICE)
    assert isinstance(ended, Answer | Unreachable)
    if isinstance(ended, Answer):
        assert len(ended.model) <= 100
        used = ended.usage
        assert used is None or (used.prompt_tokens, used.cached_tokens, used.completion_tokens) == (7, 0, 9)
        assert math.isfinite(ended.usd)
        assert ended.usd > 0
        encode(Attempted(1, 1, log_of(ended)))
    else:
        assert log.faults == ["unreachable"]
    for attempt in log.attempts:
        assert decode(encode(Attempted(1, 1, attempt))) == Attempted(1, 1, attempt)


def log_of(answer: Answer) -> Attempt:
    return Attempt("stand-in", "", "", answer.text, answer.reasoning, answer.finish, answer.model, answer.usage)


@pytest.mark.parametrize("status", [400, 401, 404, 429, 500])
async def test_an_error_in_half_characters_can_be_written_down(monkeypatch: pytest.MonkeyPatch, status: int) -> None:
    _answers_with(monkeypatch, Refusal(status, "\ud800\n" + "x" * 9_000, None, "\udfff"))
    log = Kept()
    with ModelServer() as server:
        server.mix(1, faults=["server_error"])
        ended = await asked(server, log=log, patience=0)
    assert isinstance(ended, Unreachable)
    assert "\n" not in str(ended)
    assert len(str(ended)) < 400
    for attempt in log.attempts:
        encode(Attempted(1, 1, attempt))


# Loops


def test_two_loops_at_the_same_time_have_endpoints_of_their_own() -> None:
    ended: list[Any] = []
    with ModelServer(slow=0.05) as server:
        server.mix(1, faults=["slow"])

        def run(name: str) -> None:
            calls = [a_call(f"{name} {n}") for n in range(6)]
            ended.extend(asyncio.run(gathered(endpoint_of(server, in_flight=2), *calls)))

        threads = [threading.Thread(target=run, args=(name,)) for name in ("one", "other")]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert len(ended) == 12
    assert all(isinstance(answer, Answer) for answer in ended)


async def test_a_check_costs_no_completion(model_server: ModelServer) -> None:
    endpoint = endpoint_of(model_server)
    await endpoint.check()
    await endpoint.close()
    other = Endpoint("stand-in", plan(model_server, model="another"))
    with pytest.raises(Unreachable, match="no model 'another'; it serves: test-model"):
        await other.check()
    await other.close()
    assert not model_server.requests


def counting(*counted: int) -> Iterator[Answer]:
    for number in counted:
        yield Answer("{}", "", "stop", "", "model", Usage(prompt_tokens=number), 0.1, 0.0)


@pytest.mark.parametrize(
    ("counts", "sizes", "cuts"),
    [
        ((7, 7, 7), (4000, 4000, 4000), False),  # something else is counted
        ((300, 4000, 4100, 300), (4000, 4000, 4100, 4200), False),  # one slip is one slip
        ((2048, 2040), (16000, 16000), True),
        ((3000, 3000, 3000), (3000, 3080, 3200), False),  # prompts that only look unlike to the rule of thumb
        ((3000, 3000, 3000), (3000, 3600, 3600), True),
    ],
)
def test_an_endpoint_that_cuts_is_told_from_one_that_miscounts(
    model_server: ModelServer, counts: tuple[int, ...], sizes: tuple[int, ...], cuts: bool
) -> None:
    endpoint = endpoint_of(model_server)
    for answer, size in zip(counting(*counts), sizes, strict=True):
        endpoint.read_whole(a_call("ab " * size), answer)
    assert endpoint.ability.cuts == cuts
    assert (endpoint.ability.context is None) != cuts
