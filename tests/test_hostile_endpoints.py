"""Endpoints that mean harm, or are broken: nothing of a key comes back from them, and each call ends."""

import asyncio
import base64
import gzip
import html
import json
import re
import resource
import time
import unicodedata
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from urllib.parse import unquote

import pytest

from arena.endpoint import EndpointPlan, Unanswered, Unreachable
from arena.endpoint.call import Answer
from arena.endpoint.client import REFUSALS, Endpoint
from arena.terms import UnusableInput
from tests.endpoints import Kept, a_call, quick

KEY = "sk-SECRETSECRET-abcdefghijklmnop"

Write = Callable[[asyncio.StreamWriter], Awaitable[None]]


def completion(content: object = '{"thought": "t", "target": 2}', **choice: object) -> dict[str, object]:
    usage = {"prompt_tokens": 900, "completion_tokens": 9}
    return {
        "model": choice.pop("model", "test-model"),
        "choices": [{"message": {"content": content, **choice}, "finish_reason": "stop"}],
        "usage": usage,
    }


def http(body: bytes, status: str = "200 OK", **headers: str) -> Write:
    """One whole answer."""
    lines = [f"HTTP/1.1 {status}", "content-type: application/json", f"content-length: {len(body)}"]
    lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]

    async def write(to: asyncio.StreamWriter) -> None:
        to.write("\r\n".join([*lines, "", ""]).encode() + body)

    return write


async def dripping(to: asyncio.StreamWriter) -> None:
    """A byte now and then, so that no reader ever waits long."""
    to.write(b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n")
    for _ in range(600):
        to.write(b"1\r\n \r\n")
        await to.drain()
        await asyncio.sleep(0.05)


async def endless(to: asyncio.StreamWriter) -> None:
    """Blanks, as fast as they are taken."""
    to.write(b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n")
    for _ in range(400):
        to.write(b"100000\r\n" + b" " * 0x100000 + b"\r\n")
        await to.drain()


@asynccontextmanager
async def answering(write: Write, **keys: object) -> AsyncIterator[Endpoint]:
    """An endpoint whose server answers every request so."""

    async def talk(asked: asyncio.StreamReader, to: asyncio.StreamWriter) -> None:
        try:
            head = await asked.readuntil(b"\r\n\r\n")
            length = next(
                (int(line[15:]) for line in head.split(b"\r\n") if line.lower().startswith(b"content-length:")), 0
            )
            await asked.readexactly(length)
            await write(to)
            await to.drain()
        except (ConnectionError, asyncio.IncompleteReadError):
            pass
        finally:
            to.close()

    server = await asyncio.start_server(talk, "127.0.0.1", 0)
    address = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1"
    plan = EndpointPlan.model_validate(
        {"base_url": address, "model": "test-model", "key_env": "STAND_IN_KEY", "timeout": 5, "patience": 0, **keys}
    )
    endpoint = Endpoint("hostile", plan)
    with quick():
        try:
            yield endpoint
        finally:
            await endpoint.close()
            server.close()


@pytest.fixture(autouse=True)
def _key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STAND_IN_KEY", KEY)


async def asked(endpoint: Endpoint, log: Kept) -> Answer | Unreachable:
    try:
        return await endpoint.ask(a_call(), log)
    except Unreachable as error:
        return error


SAID = [f"{'x' * pad} Bearer {KEY}" for pad in range(230, 300, 7)]


@pytest.mark.parametrize("status", ["400 Bad Request", "401 Unauthorized", "500 Internal Server Error"])
async def test_a_refusal_repeats_no_part_of_a_key(status: str) -> None:
    for said in SAID:
        log = Kept()
        body = json.dumps({"error": {"message": said, "code": "bad"}}).encode()
        async with answering(http(body, status)) as endpoint:
            heard = await asked(endpoint, log)
            with pytest.raises(Unreachable) as at_the_start:
                await endpoint.check()
        told = f"{heard} {at_the_start.value} {log.attempts}"
        assert "SECRET" not in told
        assert "sk-" not in told


@pytest.mark.parametrize("place", ["content", "model", "refusal", "reasoning_content"])
async def test_an_answer_repeats_no_key(place: str) -> None:
    said = completion(**{place: f"Invalid API key {KEY}"})
    async with answering(http(json.dumps(said).encode())) as endpoint:
        heard = await asked(endpoint, Kept())
    assert isinstance(heard, Answer)
    assert "…" in str(heard)
    assert "SECRET" not in str(heard)


IN_BASE64 = [base64.b64encode(f"{before}{KEY}".encode()).decode()[8:-4] for before in ("", "a", "ab")]
SPELT = {
    "most of it": KEY[:-2],
    "its end": KEY[2:],
    "escapes": "".join(f"\\u{ord(char):04x}" for char in KEY),
    "some escapes": KEY[:9] + f"\\u{ord(KEY[9]):04X}" + KEY[10:],
    "unseen characters": "\u200b".join(KEY),
    "as in addresses": "".join(f"%{ord(char):02X}" for char in KEY),
    "as in addresses, twice": "".join(f"%25{ord(char):02X}" for char in KEY),
    "as in pages": "".join(f"&#{ord(char)};" for char in KEY),
    "in hexadecimal escapes": "".join(f"\\x{ord(char):02x}" for char in KEY),
    "in base64": base64.b64encode(KEY.encode()).decode(),
    "in base64, with its heading": base64.b64encode(f"Bearer {KEY}".encode()).decode(),
    "unseen characters as escapes": "\\u200b".join(KEY),
    "blanks": " ".join(KEY),
    "wide letters": "".join(chr(ord(char) + 0xFEE0) for char in KEY),
}


@pytest.mark.parametrize("way", SPELT)
@pytest.mark.parametrize("status", ["200 OK", "400 Bad Request"])
async def test_no_key_is_repeated_however_it_is_spelt(way: str, status: str) -> None:
    """What is read out of an answer in the end holds no more of a key than is left of it here."""
    log, content = Kept(), f'{{"speech": "my key: {SPELT[way]}", "target": 2}}'
    said = completion(content) if status.startswith("200") else {"error": {"message": content}}
    async with answering(http(json.dumps(said).encode(), status)) as endpoint:
        heard = await asked(endpoint, log)
    told = unicodedata.normalize("NFKC", f"{heard} {log.attempts}")
    assert not any(text in told for text in IN_BASE64)
    for text in (
        told,
        html.unescape(unquote(unquote(told.replace("\\\\x", "%")))),
        re.sub(r"\\u([0-9a-fA-F]{4})", lambda found: chr(int(found[1], 16)), told.replace("\\\\", "\\")),
    ):
        letters = re.sub(r"[^!-~]", "", text)
        assert not any(KEY[at : at + 12] in letters for at in range(len(KEY) - 11))


async def test_masking_leaves_what_is_no_key() -> None:
    content = json.dumps({"speech": "sk-SECRET 大家好 \u200b …", "target": 2})
    async with answering(http(json.dumps(completion(content)).encode())) as endpoint:
        heard = await asked(endpoint, Kept())
    assert isinstance(heard, Answer)
    assert heard.text == content


@pytest.mark.parametrize("body", [b"null", b"<html>Login</html>", b"[1, 2]"])
async def test_a_probe_does_not_ask_again_for_what_cannot_be_read(body: bytes) -> None:
    async with answering(http(body), patience=300) as endpoint:
        async with asyncio.timeout(30):
            with pytest.raises(Unreachable) as ended:
                await endpoint.ask(a_call(), Kept(), once=True)
    assert "within" not in str(ended.value)


async def test_an_answer_in_parts_is_read() -> None:
    parts = [{"type": "text", "text": '{"thought": "t",'}, {"type": "text", "text": ' "target": 2}'}, {"type": "odd"}]
    async with answering(http(json.dumps(completion(parts)).encode())) as endpoint:
        heard = await asked(endpoint, Kept())
    assert isinstance(heard, Answer)
    assert json.loads(heard.text) == {"thought": "t", "target": 2}


async def test_reserves_follow_answers_that_are_longer_than_asked_for() -> None:
    log, said = Kept(), completion() | {"usage": {"prompt_tokens": 90, "completion_tokens": 2_000}}
    async with answering(http(json.dumps(said).encode()), price={"input": 1, "output": 2}) as endpoint:
        for _ in range(2):
            await asked(endpoint, log)
    assert log.worst[1] > 5 * log.worst[0]


async def test_an_answer_that_drips_is_late() -> None:
    log, begun = Kept(), time.monotonic()
    async with answering(dripping, timeout=1) as endpoint:
        heard = await asked(endpoint, log)
        with pytest.raises(Unreachable, match="no answer in time"):
            await endpoint.check()
    assert isinstance(heard, Unreachable)
    assert log.faults == ["unreachable"]
    assert time.monotonic() - begun < 20


BOMB = gzip.compress(b" " * 2**28, 1)
DEEP = b'{"choices": ' + b"[" * 100_000


def raw(sent: bytes) -> Write:
    """Bytes that need not be HTTP."""

    async def write(to: asyncio.StreamWriter) -> None:
        to.write(sent)

    return write


CHUNKED = b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n"
MALFORMED: dict[str, Write] = {
    "a chunk without size": raw(CHUNKED + b"ZZZ\r\nhello\r\n0\r\n\r\n"),
    "a chunk below zero": raw(CHUNKED + b"-5\r\nhello\r\n0\r\n\r\n"),
    "a banner": raw(b"SSH-2.0-OpenSSH_9.6\r\n"),
    "a key for a status": raw(f"HTTP/1.1 Bearer {KEY}\r\n\r\n".encode()),
    "a key for a version": raw(f"{KEY}/1.1 200 OK\r\n\r\n".encode()),
    "a header too long": http(b"{}", x_junk=KEY * 300),
    "too many headers": http(b"{}", **{f"x_{n}": KEY for n in range(5000)}),
    "a header without name": raw(f"HTTP/1.1 200 OK\r\n: {KEY}\r\n\r\n".encode()),
    "two lengths": raw(b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\ncontent-length: 3\r\n\r\n{}"),
    "a length that is none": raw(f"HTTP/1.1 200 OK\r\ncontent-length: {KEY}\r\n\r\n{{}}".encode()),
    "an address that is none": http(b"", "307 Temporary Redirect", location=f"http://[{KEY}"),
    "noise": raw(bytes(range(256)) * 4),
    "nothing": raw(b""),
}
ODD: dict[str, Write] = MALFORMED | {
    "endless": endless,
    "packed": http(BOMB, content_encoding="gzip"),
    "nested": http(DEEP + b"]" * 100_000 + b"}"),
    "nested, not closed": http(DEEP),
    "elsewhere": http(b"", "307 Temporary Redirect", location="http://127.0.0.1:9/v1/chat/completions"),
}


@pytest.mark.parametrize("kind", ODD)
async def test_what_is_no_answer_ends_as_one_attempt_and_takes_no_room(kind: str) -> None:
    log, before = Kept(), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    async with answering(ODD[kind]) as endpoint:
        heard = await asked(endpoint, log)
        with pytest.raises(Unreachable) as at_the_start:
            await endpoint.check()
    assert isinstance(heard, Unreachable)
    assert log.faults == ["unreachable"]
    assert "SECRET" not in f"{heard} {at_the_start.value} {log.attempts}"
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 200_000, "kilobytes"


async def test_a_prompt_goes_nowhere_but_to_its_address() -> None:
    """A redirect is no leave to send a seat's secrets to a host that nobody has named."""
    reached: list[bytes] = []

    async def other(asked: asyncio.StreamReader, to: asyncio.StreamWriter) -> None:
        reached.append(await asked.read(10))
        to.close()

    server = await asyncio.start_server(other, "127.0.0.1", 0)
    there = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1/chat/completions"
    async with answering(http(b"", "307 Temporary Redirect", location=there)) as endpoint:
        assert isinstance(await asked(endpoint, Kept()), Unreachable)
    server.close()
    assert reached == []


@pytest.mark.parametrize("key", ["sk-\nabc", "sk-é", "sk abc"])
def test_what_can_be_no_key_is_refused(monkeypatch: pytest.MonkeyPatch, key: str) -> None:
    monkeypatch.setenv("STAND_IN_KEY", key)
    plan = EndpointPlan(base_url="http://127.0.0.1:9/v1", model="m", key_env="STAND_IN_KEY")
    with pytest.raises(UnusableInput, match="STAND_IN_KEY holds no key"):
        plan.key()


STEERING = "\x1b[2J\x1b]0;pwn\x07evil \u202eabc\x9b31m\nline"


def told_plainly(text: str) -> bool:
    return text.isprintable() and "SECRET" not in re.sub(r"[^!-~]", "", text) and len(text) < 1200


@pytest.mark.parametrize("status", ["400 Bad Request", "401 Unauthorized", "500 Internal Server Error"])
async def test_a_refusal_steers_no_terminal(status: str) -> None:
    log, body = Kept(), json.dumps({"error": {"message": STEERING, "code": STEERING}}).encode()
    async with answering(http(body, status, connection="close")) as endpoint:
        heard = await asked(endpoint, log)
        with pytest.raises(Unreachable) as at_the_start:
            await endpoint.check()
    for text in (str(heard), str(at_the_start.value), *(attempt.detail for attempt in log.attempts)):
        assert told_plainly(text)
    assert "evil" in str(heard)


async def test_a_list_of_models_steers_no_terminal_and_repeats_no_key() -> None:
    names = [KEY, f"{STEERING} {' '.join(KEY)}", "\u200b".join(KEY), "x" * 5000, *(f"model {n}" for n in range(9))]
    body = json.dumps({"object": "list", "data": [{"id": name} for name in names]}).encode()
    async with answering(http(body)) as endpoint:
        with pytest.raises(Unreachable, match="it serves: ") as refused:
            await endpoint.check()
    assert told_plainly(str(refused.value))


async def test_what_an_answer_says_of_itself_is_one_line_and_its_words_steer_no_terminal() -> None:
    said = completion(f"{STEERING}\n{{}}", model=STEERING, refusal=STEERING, reasoning_content=STEERING)
    async with answering(http(json.dumps(said).encode())) as endpoint:
        heard = await asked(endpoint, Kept())
    assert isinstance(heard, Answer)
    assert told_plainly(heard.model)
    for text in (heard.text, heard.refusal, heard.reasoning):
        assert "line" in text.split("\n")
        assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f]", text)


@pytest.mark.parametrize("key", ["no", "x", "1", "speech", "target"])
async def test_a_key_that_guards_nothing_is_no_secret(monkeypatch: pytest.MonkeyPatch, key: str) -> None:
    monkeypatch.setenv("STAND_IN_KEY", key)
    content = '{"speech": "no, 1 x", "target": 1}'
    async with answering(http(json.dumps(completion(content)).encode())) as endpoint:
        heard = await asked(endpoint, Kept())
    assert isinstance(heard, Answer)
    assert heard.text == content


@pytest.mark.parametrize("counted", [(10**15, 10**15), (10**15, 9), (900, 10**15), (-1, 9)])
async def test_a_count_that_cannot_be_is_booked_as_none(counted: tuple[int, int]) -> None:
    log, said = (
        Kept(),
        completion() | {"usage": dict(zip(("prompt_tokens", "completion_tokens"), counted, strict=True))},
    )
    async with answering(http(json.dumps(said).encode()), price={"input": 1, "output": 4}) as endpoint:
        heard = await asked(endpoint, log)
    assert isinstance(heard, Answer)
    assert heard.usage is None
    assert heard.usd == log.worst[0] < 0.01


async def _after_an_answer(said: str, calls: int) -> list[type]:
    """What a first call comes to, and after an answer so many more, at an endpoint that says this to all others."""
    no = http(json.dumps({"error": {"message": said}}).encode(), "400 Bad Request", connection="close")
    yes, replies = http(json.dumps(completion()).encode(), connection="close"), list[Write]()

    async def in_turn(to: asyncio.StreamWriter) -> None:
        await (replies.pop(0) if replies else no)(to)

    async with answering(in_turn) as endpoint:
        ends = [await asked(endpoint, Kept())]
        replies.append(yes)
        assert isinstance(await asked(endpoint, Kept()), Answer)
        ends += [await asked(endpoint, Kept()) for _ in range(calls)]
    return [type(end) for end in ends]


async def test_who_has_never_answered_is_down_whatever_it_refuses() -> None:
    assert await _after_an_answer("That I dislike.", 1) == [Unreachable, Unanswered]


async def test_a_filter_that_dislikes_all_texts_is_no_outage() -> None:
    refused = await _after_an_answer("data_inspection_failed: inappropriate content", REFUSALS + 2)
    assert refused[1:] == [Unanswered] * (REFUSALS + 2)


async def test_an_account_that_is_dry_from_the_start_is_told_before_the_game() -> None:
    said = http(json.dumps({"error": {"message": "Arrearage"}}).encode(), "400 Bad Request", connection="close")
    async with answering(said) as endpoint:
        with pytest.raises(Unreachable, match="Arrearage"):
            await endpoint._knock()


async def test_who_refuses_all_calls_in_a_row_is_down() -> None:
    refused = await _after_an_answer("That I dislike.", REFUSALS + 1)
    assert refused == [Unreachable, *[Unanswered] * REFUSALS, Unreachable]


@pytest.mark.parametrize(
    "said",
    [
        "Arrearage: Access denied, please make sure your account is in good standing.",
        "billing_hard_limit_reached",
        "Your credit balance is too low to access the API.",
        "账户余额不足，请充值",
    ],
)
async def test_an_account_that_has_run_dry_is_an_outage_whatever_its_status(said: str) -> None:
    assert await _after_an_answer(said, 1) == [Unreachable, Unreachable]
