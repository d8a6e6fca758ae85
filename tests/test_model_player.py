"""A model at a seat: what each fault costs, what is asked again and how, and what counts when nothing comes."""

import json
from collections.abc import Iterator
from typing import Any

import pytest

from arena.endpoint.client import Endpoint
from arena.events import Views
from arena.players.model import ModelPlayer
from arena.players.model.record import tame
from arena.players.player import Past
from arena.seating import SeatPlan, mind_of
from arena.terms import LANGUAGES, Attempt, Halted, Lang, Reply, Request
from tests import endpoints
from tests.endpoints import a_call, endpoint_of, quick
from tests.games import at_random, batches, dealt, house
from tests.model_server import ModelServer
from tests.model_server.refusals import Refusal, response_format
from tests.model_server.schema import Json
from tests.narration import in_language


class Kept:
    """A journal."""

    def __init__(self) -> None:
        self.attempts: list[Attempt] = []

    def reserved(self, seat: int, n: int, usd: float) -> None:
        """Nothing costs anything here."""

    def attempted(self, seat: int, n: int, attempt: Attempt) -> None:
        self.attempts.append(attempt)


class Asked:
    """A seer of six in the first night, and what its endpoint was asked."""

    def __init__(self, server: ModelServer, lang: Lang = "en", *, halts: bool = False) -> None:
        self.server = server
        self.journal = Kept()
        ruleset = house()
        self.views = Views(6)
        for _, _, after, events in batches(ruleset, dealt(ruleset, 6, 1).seats, 1, at_random(1)):
            self.views.add(events)
            if found := [request for request in after.pending if request.topic == "seer"]:
                self.request: Request = found[0]
                break
        self.lang: Lang = lang
        self.halts = halts

    async def reply(self, *, past: Past | None = None, endpoint: Endpoint | None = None, **plan: Any) -> Reply:
        self.endpoint: Endpoint = endpoint or endpoint_of(self.server, **plan)
        mind = mind_of(self.request.seat, SeatPlan(player="model", model="x"), self.lang, beliefs=False)
        player = ModelPlayer(
            self.request.seat, mind, self.endpoint, self.journal, past or Past(), halts=self.halts
        )  # fmt: skip
        try:
            return await player.reply(self.views.of(self.request.seat), self.request)
        finally:
            await self.endpoint.close()

    @property
    def faults(self) -> list[str]:
        return [attempt.fault for attempt in self.journal.attempts]

    @property
    def bodies(self) -> list[Json]:
        return [request.body for request in self.server.requests]


@pytest.fixture(autouse=True)
def _quick() -> Iterator[None]:
    with quick():
        yield


AT_ONCE = (
    "fenced",
    "thinking",
    "thinking_not_opened",
    "thinking_empty",
    "two_objects",
    "extra_keys",
    "reasoning_field",
)
AGAIN = {
    "only_braces": "unreadable",
    "content_filter": "unreadable",
    "refusal": "unreadable",
    "wrong_seat": "illegal",
    "dead_seat": "illegal",
    "truncated": "truncated",
    "cut_in_body": "unreachable",
    "server_error": "unreachable",
}


@pytest.mark.parametrize("fault", AT_ONCE)
async def test_what_can_be_read_is_read_at_once(fault: str) -> None:
    with ModelServer() as server:
        server.next(fault)
        asked = Asked(server)
        reply = await asked.reply()
    assert reply.source == "model"
    assert asked.faults == [""]


@pytest.mark.parametrize(("fault", "named"), AGAIN.items())
async def test_after_one_fault_there_is_one_more_chance(fault: str, named: str) -> None:
    with ModelServer() as server:
        server.next(fault)
        asked = Asked(server)
        reply = await asked.reply()
    assert reply.source == "model"
    assert asked.faults == [named, ""]
    assert len(server.requests) == 2


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize(("fault", "chances"), [("refusal", 1), ("dead_seat", 1), ("truncated", 2), ("spaces", 1)])
async def test_when_the_chances_are_used_up_the_default_counts(fault: str, chances: int, lang: Lang) -> None:
    with ModelServer() as server:
        server.mix(1, faults=[fault])
        asked = Asked(server, lang)
        # What is asked for freely has no schema to write a wrong seat by.
        reply = await asked.reply()
    assert (reply.decision, reply.source) == (asked.request.default, "fallback")
    assert reply.thought.startswith(f"{asked.faults[-1]}: ")
    assert len(asked.faults) == chances + 1


@pytest.mark.parametrize("lang", LANGUAGES)
async def test_whoever_is_asked_again_is_told_why(lang: Lang) -> None:
    with ModelServer() as server:
        server.next("dead_seat")
        asked = Asked(server, lang)
        await asked.reply()
    first, second = (body["messages"][1]["content"] for body in asked.bodies)
    why = asked.journal.attempts[0].detail
    assert {"zh": "可选其中一个座位：[", "en": "; allowed: one seat of ["}[lang] in why
    assert in_language(lang, why, "check")
    assert why not in first
    assert tame(why) in second
    assert second.startswith(first.rstrip("\n")[:-200])


async def test_nothing_is_asked_for_again_without_a_form() -> None:
    with ModelServer() as server:
        server.next("empty")
        asked = Asked(server)
        target = asked.request.choices[0].seats[0]
        server.answer = lambda body: json.dumps({"decision": {"action": "check", "target": target}})
        reply = await asked.reply()
    assert reply.decision.seats == (target,)
    assert [response_format(body) for body in asked.bodies] == ["json_schema", "text"]
    assert asked.journal.attempts[0].detail == "empty"
    assert asked.endpoint.ability.form == "json_schema"


async def test_what_is_cut_is_asked_for_again_with_more_room() -> None:
    with ModelServer() as server:
        server.next("truncated", "truncated")
        asked = Asked(server)
        reply = await asked.reply()
    assert reply.source == "model"
    room = [body["max_tokens"] for body in asked.bodies]
    assert room == [room[0], 2 * room[0], 4 * room[0]]


REASONED = {
    "an object": ("{answer}", "stop", True),
    "an object behind words": ("I think so.\n{answer}", "stop", True),
    "words": ("I check {target}.", "stop", False),
    "an object, and a second thought": ("{answer} Or another one?", "stop", False),
    "an object that was cut": ("{answer}", "length", False),
}


@pytest.mark.parametrize(("form", "finish", "counts"), REASONED.values(), ids=REASONED.keys())
async def test_what_stands_where_models_reason_counts_if_it_is_whole(
    monkeypatch: pytest.MonkeyPatch, form: str, finish: str, counts: bool
) -> None:
    with ModelServer() as server:
        asked = Asked(server)
        target = asked.request.choices[0].seats[-1]
        answer = json.dumps({"decision": {"action": "check", "target": target}})
        said = form.replace("{answer}", answer).replace("{target}", str(target))
        choice = {"index": 0, "message": {"role": "assistant", "content": "", "reasoning_content": said}}
        completion = {"choices": [{**choice, "finish_reason": finish}], "model": "m"}
        monkeypatch.setattr(ModelServer, "_completion", lambda *_: completion)
        reply = await asked.reply()
    assert (reply.source == "model") == counts
    if counts:
        assert reply.decision.seats == (target,)
    else:
        assert asked.faults[0] == ("truncated" if finish == "length" else "unreadable")


async def test_half_a_draft_is_no_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    """The tokens were used up after a first thought, or in the middle of a number."""
    with ModelServer() as server:
        asked = Asked(server)
        target = asked.request.choices[0].seats[-1]
        for said in (f'{{"check": {target}}} No, rather', f"I check {target}"):
            completion = {
                "choices": [{"index": 0, "message": {"content": said}, "finish_reason": "length"}],
                "model": "m",
            }
            monkeypatch.setattr(ModelServer, "_completion", lambda *_, c=completion: c)
            assert (await asked.reply()).source == "fallback"
    assert set(asked.faults) == {"truncated"}


async def test_days_are_dropped_until_the_prompt_fits() -> None:
    """Where there is none to drop, the default counts, and the fault is named."""
    with ModelServer() as server:
        server.mix(1, faults=["context_overflow"])
        asked = Asked(server)
        reply = await asked.reply()
    assert (reply.decision, reply.source) == (asked.request.default, "fallback")
    assert reply.thought.startswith("overflow: ")
    assert set(asked.faults) == {"overflow"}
    assert len(server.requests) <= 3


async def test_a_prompt_that_was_cut_in_silence_is_no_answer() -> None:
    with ModelServer(context=300, truncates=True) as server:
        asked = Asked(server)
        reply = await asked.reply()
    assert reply.source == "fallback"
    assert set(asked.faults) == {"truncated"}
    assert asked.journal.attempts[0].detail == "the endpoint has not read the whole prompt"


@pytest.mark.parametrize("halts", [False, True])
async def test_an_endpoint_that_is_down_is_waited_for_or_not(halts: bool) -> None:
    with ModelServer() as server:
        server.mix(1, faults=["unavailable"])
        asked = Asked(server, halts=halts)
        if halts:
            with pytest.raises(Halted, match="stand-in: no answer within"):
                await asked.reply(patience=0.1)
            return
        reply = await asked.reply(patience=0.1)
    assert (reply.decision, reply.source) == (asked.request.default, "fallback")
    assert reply.thought.startswith("unreachable: stand-in: no answer within")


@pytest.mark.parametrize("has_answered", [False, True])
async def test_who_refuses_everything_is_down_and_who_refuses_one_call_is_not(has_answered: bool) -> None:
    with ModelServer() as server:
        asked = Asked(server, halts=True)
        endpoint = endpoint_of(server, patience=0)
        if has_answered:
            await endpoint.ask(a_call(), endpoints.Kept())
        server.refusals.append(lambda _: Refusal(400, "This I dislike."))
        if has_answered:
            assert (await asked.reply(endpoint=endpoint)).source == "fallback"
        else:
            with pytest.raises(Halted, match="This I dislike"):
                await asked.reply(endpoint=endpoint)


async def test_calls_that_were_recorded_are_not_made_again() -> None:
    """A fault that was recorded has used up its chance, and an answer that was recorded counts."""
    with ModelServer() as server:
        asked = Asked(server)
        target = asked.request.choices[0].seats[0]
        bad = Attempt("stand-in", "unreadable", "empty")
        down = Attempt("stand-in", "unreachable", "no answer in time")
        good = Attempt("stand-in", text=f'{{"check": {target}}}', finish="stop")
        reply = await asked.reply(past=Past(attempts=(down, bad, good)))
        assert reply.decision.seats == (target,)
        assert (await asked.reply(past=Past(attempts=(bad, down, bad)))).source == "fallback"
        assert not server.requests
        await asked.reply(past=Past(attempts=(bad, down)))
        assert [response_format(body) for body in asked.bodies] == ["text", "text"][: len(asked.bodies)]
