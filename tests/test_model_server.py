"""The stand-in for an endpoint, through the client that talks to real ones."""

import asyncio
import contextlib
import json
import re
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable
from email.utils import parsedate_to_datetime
from itertools import pairwise, takewhile
from typing import Any

import jsonschema  # type: ignore[import-untyped] # comes with Streamlit
import openai
import pytest
from openai import AsyncOpenAI
from openai.types.chat import ChatCompletion

from tests.model_server import FAULTS, ModelServer, tokens
from tests.model_server.draft import DoesNotFit
from tests.model_server.faults import ANSWERS, ERRORS, RUBBISH, WIRE
from tests.model_server.schema import Json, closed

Connect = Callable[..., AsyncOpenAI]


VOTE = closed(
    thought={"type": "string", "maxLength": 30},
    target={"anyOf": [{"enum": [2, 4, 5]}, {"type": "null"}]},
)


def schema_of(schema: Json, *, strict: bool = True) -> Json:
    return {"type": "json_schema", "json_schema": {"name": "reply", "strict": strict, "schema": schema}}


def message(text: str, role: str = "user") -> Json:
    return {"role": role, "content": text}


@pytest.fixture
async def connect() -> AsyncIterator[Connect]:
    """Make clients that are closed after the test."""
    clients = []

    def connected(server: ModelServer, key: str = "any") -> AsyncOpenAI:
        clients.append(AsyncOpenAI(base_url=server.base_url, api_key=key, max_retries=0, timeout=10))
        return clients[-1]

    yield connected
    for client in clients:
        await client.close()


async def ask(client: AsyncOpenAI, *messages: Json, **options: Any) -> ChatCompletion:
    options = {"model": "test-model", "messages": messages or [message("Vote, in JSON.")], **options}
    completion: ChatCompletion = await client.chat.completions.create(**options)
    return completion


async def vote(client: AsyncOpenAI, **options: Any) -> ChatCompletion:
    """Ask for what every fault fits."""
    messages = [message("Rules.", "system"), message("Vote.")]
    return await ask(client, *messages, response_format=schema_of(VOTE), temperature=0.7, max_tokens=200, **options)


def content(completion: ChatCompletion) -> str:
    return completion.choices[0].message.content or ""


def test_it_answers_without_an_event_loop(model_server: ModelServer) -> None:
    with openai.OpenAI(base_url=model_server.base_url, api_key="any", max_retries=0) as client:
        assert [model.id for model in client.models.list()] == ["test-model"]
    assert model_server.requests == []


async def test_an_answer_is_a_random_object_that_fits_the_schema(model_server: ModelServer, connect: Connect) -> None:
    client = connect(model_server)
    answers = [content(await vote(client)) for _ in range(10)]
    for answer in answers:
        jsonschema.validate(json.loads(answer), VOTE)
    assert len(set(answers)) > 5
    completion = await vote(client)
    assert completion.choices[0].finish_reason == "stop"
    assert completion.usage is not None
    assert completion.usage.completion_tokens == tokens(content(completion))


async def test_chance_does_not_depend_on_which_request_is_first(connect: Connect) -> None:
    texts = [str(number) for number in range(8)]
    found = []
    for order in (texts, texts[::-1]):
        with ModelServer(seed=3) as server:
            client = connect(server)
            server.mix(0.5, seed=1, faults=["fenced", "empty"])
            asked = [ask(client, message(text), response_format=schema_of(VOTE)) for text in order]
            answers = await asyncio.gather(*asked)
        found.append(dict(zip(order, map(content, answers), strict=True)))
    assert found[0] == found[1]


async def test_a_test_may_write_the_answers_and_reads_the_requests(model_server: ModelServer, connect: Connect) -> None:
    model_server.answer = lambda body: f"{len(body['messages'])} 条"
    before = time.monotonic()
    completion = await ask(connect(model_server, key="sesame"), message("a"), message("b"), seed=7)
    assert content(completion) == "2 条"
    [asked] = model_server.requests
    assert (asked.body["seed"], asked.fault) == (7, None)
    assert asked.headers["authorization"] == "Bearer sesame"
    assert before <= asked.arrived <= time.monotonic()


async def test_an_answer_longer_than_allowed_is_cut(model_server: ModelServer, connect: Connect) -> None:
    model_server.answer = lambda _: "狼" * 100
    for limit in ("max_tokens", "max_completion_tokens"):
        completion = await ask(connect(model_server), **{limit: 10})
        assert (content(completion), completion.choices[0].finish_reason) == ("狼" * 13, "length")
        assert completion.usage is not None
        assert completion.usage.completion_tokens == 10


def common_prefix(a: str, b: str) -> str:
    return "".join(x for x, _ in takewhile(lambda pair: pair[0] == pair[1], zip(a, b, strict=False)))


async def test_cached_tokens_are_the_longest_prefix_of_any_earlier_prompt(connect: Connect) -> None:
    prompts = ["规则" * 50 + end for end in ("", "甲", "甲乙" * 30, "乙", "甲乙" * 29)] + ["else"]
    texts = [f"user\n{prompt}\n" for prompt in prompts]
    with ModelServer() as server, ModelServer(cached=False) as plain:
        client, uncached = connect(server), connect(plain)
        for number, prompt in enumerate(prompts):
            usage = (await ask(client, message(prompt))).usage
            assert usage is not None
            assert usage.prompt_tokens == len(texts[number].encode()) // 4 + 1
            assert usage.prompt_tokens_details is not None
            shared = [common_prefix(texts[number], earlier).encode() for earlier in texts[:number]]
            assert usage.prompt_tokens_details.cached_tokens == max(map(len, shared), default=0) // 4
            usage = (await ask(uncached, message(prompt))).usage
            assert usage is not None
            assert usage.prompt_tokens_details is None


async def test_requests_wait_at_the_same_time(connect: Connect) -> None:
    with ModelServer(slow=1) as server:
        server.next(*["slow"] * 5)
        client = connect(server)
        await asyncio.gather(*(ask(client) for _ in range(5)))
        assert server.most_in_flight == 5


STATUS = {
    "rate_limited_seconds": (openai.RateLimitError, None, "rate_limit_exceeded"),
    "rate_limited_date": (openai.RateLimitError, None, "rate_limit_exceeded"),
    "rate_limited_rubbish": (openai.RateLimitError, None, "rate_limit_exceeded"),
    "server_error": (openai.InternalServerError, None, None),
    "unavailable": (openai.InternalServerError, None, "unavailable"),
    "bad_key": (openai.AuthenticationError, None, "invalid_api_key"),
    "wrong_model": (openai.NotFoundError, None, "model_not_found"),
    "context_overflow": (openai.BadRequestError, "messages", "context_length_exceeded"),
    "json_schema_refused": (openai.BadRequestError, "response_format", None),
    "json_object_refused": (openai.BadRequestError, "response_format", None),
    "system_refused": (openai.BadRequestError, "messages[0].role", "unsupported_value"),
    "temperature_refused": (openai.BadRequestError, "temperature", "unsupported_value"),
    "max_tokens_refused": (openai.BadRequestError, "max_tokens", "unsupported_parameter"),
    "max_completion_tokens_refused": (openai.BadRequestError, "max_completion_tokens", "unsupported_parameter"),
}
OTHERWISE: dict[str, Json] = {
    "json_object_refused": {"response_format": {"type": "json_object"}},
    "max_completion_tokens_refused": {"max_completion_tokens": 10},
}


@pytest.mark.parametrize("fault", ERRORS)
async def test_an_error_is_the_one_of_a_real_endpoint(fault: str, model_server: ModelServer, connect: Connect) -> None:
    error, param, code = STATUS[fault]
    client = connect(model_server)
    asked = ask(client, **OTHERWISE[fault]) if fault in OTHERWISE else vote(client)
    model_server.next(fault)
    before = time.time()
    with pytest.raises(error) as caught:
        await asked
    assert isinstance(caught.value, openai.APIStatusError)
    assert (caught.value.param, caught.value.code) == (param, code)
    wait: str = caught.value.response.headers.get("retry-after", "")
    if fault == "rate_limited_date":
        assert before <= parsedate_to_datetime(wait).timestamp() <= time.time() + 1
    elif fault == "rate_limited_rubbish":
        assert wait in RUBBISH
    else:
        assert wait == ("1" if fault in {"rate_limited_seconds", "unavailable"} else "")
    assert model_server.requests[0].fault == fault
    await vote(client)


ANSWERED = {
    "empty": r"",
    "spaces": r"\s+",
    "reasoning_field": r"",
    "fenced": r"```json\n{.*}\n```",
    "prose_around": r"Sure.*\n{.*}\n.*",
    "thinking": r"<think>.+</think>\n{.*}",
    "thinking_not_opened": r"[^<]+</think>\n\n{.*}",
    "thinking_empty": r"<think>\n\n</think>\n\n{.*}",
    "two_objects": r'{"thought": ".*"}\n\n{.*}',
    "unfinished_draft": r'{"thought": "no, wait\n\n{.*}',
    "wrong_seat": r'{"thought": .*"target": 99}',
    "dead_seat": r'{"thought": .*"target": 1}',
    "extra_keys": r'{"confidence": 0\.9, "thought": .*"target": .*"notes": .*}',
    "huge": r"({.*}\n)+",
    "only_braces": r"{+",
    "truncated": r'{"thought": .*(?<!})',
    "content_filter": r"",
    "no_usage": r"{.*}",
}


@pytest.mark.parametrize("fault", ANSWERED)
async def test_an_answer_is_wrong_in_the_way_named(fault: str, model_server: ModelServer, connect: Connect) -> None:
    model_server.next(fault)
    completion = await vote(connect(model_server))
    [choice] = completion.choices
    assert choice.message.content is not None
    assert re.fullmatch(ANSWERED[fault], choice.message.content, re.DOTALL)
    assert choice.finish_reason == {"truncated": "length", "content_filter": "content_filter"}.get(fault, "stop")
    assert (completion.usage is None) == (fault == "no_usage")
    assert (len(choice.message.content.encode()) >= 4_000_000) == (fault in {"huge", "only_braces"})
    reasoning = (choice.message.model_extra or {}).get("reasoning_content", "null")
    assert (json.loads(reasoning) is not None) == (fault == "reasoning_field")


async def test_a_message_may_lack_content_or_lack_altogether(model_server: ModelServer, connect: Connect) -> None:
    client = connect(model_server)
    model_server.next("none", "refusal", "no_choices")
    none, refusal, nothing = [await vote(client) for _ in range(3)]
    assert (none.choices[0].message.content, none.choices[0].message.refusal) == (None, None)
    assert refusal.choices[0].message.content is None
    assert "can't help" in (refusal.choices[0].message.refusal or "")
    assert nothing.choices == []
    assert nothing.usage is not None


@pytest.mark.parametrize(
    ("fault", "error"),
    [
        ("cut_at_once", openai.APIConnectionError),
        ("cut_in_headers", openai.APIConnectionError),
        ("cut_in_body", openai.APIConnectionError),
        ("invalid_utf8", UnicodeDecodeError),
    ],
)
async def test_an_answer_does_not_arrive(
    fault: str, error: type[Exception], model_server: ModelServer, connect: Connect
) -> None:
    client = connect(model_server)
    await vote(client)
    model_server.next(fault)
    with pytest.raises(error):
        await vote(client)
    await vote(client)


async def test_a_page_of_a_proxy_is_no_completion(model_server: ModelServer, connect: Connect) -> None:
    model_server.next("html")
    raw = await connect(model_server).chat.completions.with_raw_response.create(
        model="test-model", messages=[{"role": "user", "content": "Vote."}]
    )
    assert (raw.status_code, raw.headers["content-type"]) == (200, "text/html; charset=utf-8")
    assert isinstance(raw.parse(), str)


async def test_a_slow_answer_comes_late_or_too_late(connect: Connect) -> None:
    with ModelServer(slow=0.3) as server:
        client = connect(server)
        server.next("slow", "slow")
        start = time.monotonic()
        await ask(client)
        assert time.monotonic() - start >= 0.3
        with pytest.raises(openai.APITimeoutError):
            await ask(client, timeout=0.1)
        await ask(client)


def test_every_fault_is_shown_above() -> None:
    assert STATUS.keys() == ERRORS.keys()
    assert ANSWERED.keys() | {"none", "refusal", "no_choices"} == ANSWERS.keys()
    assert {"cut_at_once", "cut_in_headers", "cut_in_body", "invalid_utf8", "html", "slow"} == WIRE.keys()


async def test_what_is_refused_once_and_for_all(connect: Connect) -> None:
    with ModelServer(refuses=["json_schema", "temperature"]) as server:
        client = connect(server)
        server.next("fenced")  # waits for a request that is answered
        for _ in range(2):
            with pytest.raises(openai.BadRequestError, match="'response_format' of type 'json_schema'"):
                await ask(client, response_format=schema_of(VOTE))
            with pytest.raises(openai.BadRequestError, match="'temperature' does not support"):
                await ask(client, temperature=0.5)
        completion = await ask(client, response_format={"type": "json_object"}, temperature=1)
        assert content(completion) == "```json\n{}\n```"
        assert [asked.fault for asked in server.requests] == [None] * 4 + ["fenced"]


async def test_a_path_that_is_not_there(model_server: ModelServer, connect: Connect) -> None:
    with pytest.raises(openai.NotFoundError, match=r"Invalid URL \(POST /v1/embeddings\)"):
        await connect(model_server).embeddings.create(model="test-model", input="x")


async def test_key_model_and_context_are_checked(connect: Connect) -> None:
    with ModelServer(["a", "b"], key="right", context=20) as server:
        client = connect(server, key="right")
        await ask(client, model="b")
        with pytest.raises(openai.NotFoundError, match="`c` does not exist"):
            await ask(client, model="c")
        with pytest.raises(openai.BadRequestError, match=r"maximum context length is 20 tokens") as caught:
            await ask(client, message("x" * 100), model="a")
        assert caught.value.code == "context_length_exceeded"
        for wrong in (connect(server, key="wrong").models.list(), ask(connect(server, key="wrong"))):
            with pytest.raises(openai.AuthenticationError):
                await wrong
        assert len(server.requests) == 4


async def test_a_long_prompt_may_be_cut_without_a_word(connect: Connect) -> None:
    with ModelServer(context=20, truncates=True) as server:
        server.answer = lambda body: json.dumps(body["messages"])
        completion = await ask(connect(server), message("word " + "x" * 100), message("end"))
        kept = json.loads(content(completion))
        assert [m["content"] for m in kept][1] == "end"
        assert "word" not in kept[0]["content"]
        assert completion.usage is not None
        assert completion.usage.prompt_tokens == 20


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        ({"messages": []}, "empty array"),
        ({"stream": True}, "stream"),
        ({"messages": [message("hi")], "response_format": {"type": "json_object"}}, "the word 'json'"),
        ({"response_format": schema_of({"type": "string", "pattern": "x"})}, "schema: 'pattern' is not permitted"),
        ({"response_format": schema_of(closed(a={"type": "object"}))}, "schema.a: 'additionalProperties'"),
        ({"response_format": schema_of(VOTE | {"required": ["target"]})}, "including every key"),
    ],
)
async def test_what_every_endpoint_refuses(
    options: Json, complaint: str, model_server: ModelServer, connect: Connect
) -> None:
    with pytest.raises(openai.BadRequestError, match=complaint):
        await ask(connect(model_server), **options)


async def test_a_mix_has_faults_at_the_rate(model_server: ModelServer, connect: Connect) -> None:
    client = connect(model_server)
    model_server.mix(0.3, seed=1, faults=["fenced", "spaces"])
    for number in range(200):
        await vote(client, seed=number)
    faults = Counter(asked.fault for asked in model_server.requests)
    assert faults.keys() == {None, "fenced", "spaces"}
    assert 40 < faults["fenced"] + faults["spaces"] < 80


async def test_a_mix_has_every_fault_that_fits(connect: Connect) -> None:
    with ModelServer(slow=0.01) as server:
        client = connect(server)
        server.mix(1)
        for number in range(250):
            with contextlib.suppress(openai.APIError, UnicodeDecodeError):
                await vote(client, seed=number)
        unfit = {"json_object_refused", "max_completion_tokens_refused"}
        assert {asked.fault for asked in server.requests} == set(FAULTS) - unfit


def test_a_fault_that_does_not_fit_fails_the_test() -> None:
    def misfit() -> None:
        with ModelServer() as server, openai.OpenAI(base_url=server.base_url, api_key="any", max_retries=0) as client:
            server.next("wrong_seat")
            with pytest.raises(openai.InternalServerError, match="offers no seats"):
                client.chat.completions.create(model="test-model", messages=[{"role": "user", "content": "hi"}])

    with pytest.raises(DoesNotFit, match="offers no seats"):
        misfit()


def test_a_fault_that_is_not_there_is_named(model_server: ModelServer) -> None:
    known = "no fault 'moon'; there are rate_limited_seconds, "
    with pytest.raises(ValueError, match=known):
        model_server.next("moon")
    with pytest.raises(ValueError, match=known):
        model_server.mix(1, faults=["moon"])


def test_it_ends_while_clients_wait() -> None:
    with ModelServer(slow=60) as server:
        server.next("slow")
        with openai.OpenAI(base_url=server.base_url, api_key="any", max_retries=0, timeout=0.1) as client:
            with pytest.raises(openai.APITimeoutError):
                client.chat.completions.create(model="test-model", messages=[{"role": "user", "content": "hi"}])
            start = time.monotonic()
    assert time.monotonic() - start < 5


def test_two_servers_are_apart() -> None:
    with ModelServer(["one"]) as one, ModelServer(["two"]) as two:
        for server, name in ((one, "one"), (two, "two")):
            with openai.OpenAI(base_url=server.base_url, api_key="any", max_retries=0) as client:
                assert [model.id for model in client.models.list()] == [name]


def test_arrivals_are_in_order(model_server: ModelServer) -> None:
    with openai.OpenAI(base_url=model_server.base_url, api_key="any", max_retries=0) as client:
        for text in "abc":
            client.chat.completions.create(model="test-model", messages=[{"role": "user", "content": text}])
    assert [asked.body["messages"][0]["content"] for asked in model_server.requests] == ["a", "b", "c"]
    assert all(a.arrived < b.arrived for a, b in pairwise(model_server.requests))
