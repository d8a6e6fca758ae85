"""From what models write to decisions: what is read, what is refused and why, and that nothing is ever guessed."""

import json
import time
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.players.model.faults import Illegal, Unreadable
from arena.players.model.form import Asks, answer_schema
from arena.players.model.parsing import Answer, read_answer
from arena.referee import legal
from arena.strict_yaml import read_yaml
from arena.terms import PASS, Choice, Decision, Lang, Reply, Request
from arena.transcript.schema import Replied, decode, encode
from tests.model_server.schema import Sampler
from tests.repository import ROOT

OTHERS = (1, 2, 3, 5, 6, 7, 9, 10, 11, 12)


def asked(topic: str, *choices: Choice, seconds: int = 0, default: Decision = PASS) -> Request:
    return Request(4, 1, topic, choices, default, seconds=seconds, table=12)


NOBODY, TALK = Choice("pass"), Choice("speak")
REQUESTS = {
    "vote": asked("vote", NOBODY, Choice("vote", OTHERS)),
    "check": asked("seer", Choice("check", OTHERS), default=Decision("check", (1,))),
    "attack": asked("werewolves", NOBODY, Choice("attack", OTHERS), seconds=30),
    "witch": asked("witch", NOBODY, Choice("antidote"), Choice("poison", OTHERS)),
    "poison": asked("witch", NOBODY, Choice("poison", OTHERS)),
    "charm": asked("piper", NOBODY, Choice("charm", OTHERS, 1, 2)),
    "shoot": asked("shoot", NOBODY, Choice("shoot", OTHERS)),
    "speech": asked("speech", NOBODY, TALK, Choice("explode"), seconds=60),
    "stand": asked("stand", NOBODY, Choice("stand")),
    "reveal": asked("reveal", Choice("decline"), Choice("reveal"), default=Decision("reveal")),
}
CASES = [
    pytest.param(case, id=f"{group}: {name}")
    for group, cases in read_yaml(ROOT / "tests" / "parsing.yaml").items()
    for name, case in cases.items()
]
LANGS: tuple[Lang, ...] = ("zh", "en")


def asks(request: Request, lang: Lang = "zh") -> Asks:
    spoken = any(choice.act == "speak" for choice in request.choices)
    return Asks(
        lang, ("werewolf", "seer", "villager"), victim=5, beliefs=request.topic == "vote", explosion=spoken, bids=spoken
    )


def read(text: str, request: Request, lang: Lang = "zh") -> Answer | None:
    """The answer in `text`, which is allowed and can be written down; None where there is none."""
    begun = time.process_time()
    try:
        answer = read_answer(text, request, asks(request, lang))
    except (Unreadable, Illegal) as error:
        why = str(error)
    else:
        why = ""
    assert time.process_time() - begun < 2
    if why:
        assert why.isprintable()
        assert len(why.encode()) < 300
        return None
    assert legal(request, answer.decision) == ""
    reply = Reply(
        answer.decision, "model", answer.thought, answer.notes, answer.beliefs, answer.standing, answer.bid
    )  # fmt: skip
    assert decode(encode(Replied(4, 1, reply))) == Replied(4, 1, reply)
    return answer


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("case", CASES)
def test_what_models_write(case: dict[str, Any], lang: Lang) -> None:
    request = REQUESTS[case["at"]]
    if "reads" in case:
        answer = read(case["text"], request, lang)
        assert answer is not None
        act, *seats = case["reads"]
        assert (answer.decision.act, answer.decision.seats) == (act, tuple(seats))
        assert answer.decision.text == case.get("says", "")
        return
    fault, why = (Illegal, case["illegal"]) if "illegal" in case else (Unreadable, case["unreadable"])
    with pytest.raises(fault) as refused:
        read_answer(case["text"], request, asks(request, lang))
    assert why in str(refused.value)
    assert read(case["text"], request, lang) is None


HUGE = 4 * 1024 * 1024
HEAVY = {
    "braces": "{" * HUGE,
    "brackets": "[" * HUGE,
    "braces and quotes": '{"' * (HUGE // 2),
    "deep objects": '{"a":' * (HUGE // 5),
    "deep lists": '{"vote":' + "[" * (HUGE // 2) + "]" * (HUGE // 2) + "}",
    "a number": '{"vote": ' + "9" * 50_000 + "}",
    "a very long number": '{"vote": ' + "9" * HUGE + "}",
    "backslashes": '{"vote": "' + "\\" * HUGE,
    "thinking": "<think>" * (HUGE // 7),
    "thinking closed": "</think>" * (HUGE // 8),
    "words": "我投3号，" * (HUGE // 5),
    "subjects": "所以那么我就还是要投" * 40,
    "one of many": "1号和" * 100,
    "many targets": '{"vote": [' + ", ".join(["3"] * 9_000) + "]}",
    "a long word": '{"action": "' + "x" * 50_000 + '"}',
    "a long key": '{"' + "x" * 50_000 + '": 1}',
}


@pytest.mark.parametrize("text", HEAVY.values(), ids=HEAVY.keys())
def test_whatever_is_heavy_is_refused_quickly(text: str) -> None:
    for request in REQUESTS.values():
        assert read(text, request) is None


def test_an_answer_behind_much_else_counts() -> None:
    answer = read("word " * (HUGE // 5) + '{"vote": 7}', REQUESTS["vote"])
    assert answer is not None
    assert answer.decision == Decision("vote", (7,))


def test_of_more_objects_than_are_looked_at_none_is_taken() -> None:
    assert read('{"vote": 3}' + " {x" * 500 + '{"vote": 5}', REQUESTS["vote"]) is None


NUMBERS = st.integers(-3, 14) | st.floats() | st.sampled_from(["7", "7号", "seat 7", "8号", "not 3", "", "否", "true"])
VALUES = st.recursive(
    st.none() | st.booleans() | NUMBERS | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["target", "x"]), inner, max_size=2),
    max_leaves=6,
)
KEYS = [
    *("thought", "notes", "beliefs", "explode", "bid", "speech", "claims", "decision", "action", "act", "choice"),
    *("target", "targets", "seat", "vote", "check", "attack", "antidote", "poison", "charm", "stand", "pass", "Vote"),
    *("reveal", "speak", "antidot", ""),
]
ACTS = st.sampled_from([*KEYS, "VOTE", "pass", "5", "explode"])
CLAIMS = st.fixed_dictionaries(
    {
        "about": st.sampled_from(["role", "side", "checked", "suspects", "lovers", "asks", "x"]) | VALUES,
        "seats": st.lists(NUMBERS, max_size=3) | VALUES,
        "value": st.sampled_from(["seer", "werewolf", "village", "", "x"]) | VALUES,
    }
)
BELIEFS = st.fixed_dictionaries({"seat": NUMBERS, "werewolf": st.floats() | VALUES})
OBJECTS = st.dictionaries(st.sampled_from(KEYS), VALUES | ACTS, max_size=6) | st.fixed_dictionaries(
    {},
    optional={
        "thought": st.text(max_size=9),
        "beliefs": st.lists(BELIEFS, max_size=3) | VALUES,
        "explode": st.sampled_from(["no", "now", "on_claim"]) | VALUES,
        "bid": st.integers(-1, 4) | VALUES,
        "speech": st.text(max_size=500) | VALUES,
        "claims": st.lists(CLAIMS, max_size=8) | VALUES,
        "decision": st.fixed_dictionaries({"action": ACTS}, optional={"target": VALUES, "targets": VALUES}) | VALUES,
    },
)
AROUND = st.sampled_from(["", "```json\n", "\n```", "<think>x</think>", "{", "}", "[", '"', "我投3号", "ok ", "\ud800"])
ANYTHING = (
    st.text(max_size=300)
    | st.lists(st.tuples(AROUND, OBJECTS.map(json.dumps), AROUND).map("".join), max_size=3).map("".join)
    | st.tuples(OBJECTS.map(json.dumps), st.integers(0, 200)).map(lambda cut: cut[0][: cut[1]])
    | st.lists(st.sampled_from([*'我投不号三十1234{}[]":,.。，', "vote ", "seat ", "not ", "if "]), max_size=30).map(
        "".join
    )
)


@given(ANYTHING, st.sampled_from(sorted(REQUESTS)), st.sampled_from(LANGS))
@settings(deadline=None, max_examples=200)
def test_whatever_is_written_is_a_legal_decision_or_refused(text: str, name: str, lang: Lang) -> None:
    read(text, REQUESTS[name], lang)


@pytest.mark.parametrize("name", REQUESTS)
def test_whatever_the_schema_allows_is_read(name: str) -> None:
    """A model that is held to the schema is never misunderstood, whatever letters its texts are made of."""

    request = REQUESTS[name]
    schema = answer_schema(request, asks(request))
    for seed in range(150):
        value = Sampler(schema, Random(seed)).value(schema)
        answer = read(json.dumps(value, ensure_ascii=False), request)
        decided = value["decision"]
        named = decided.get("targets", [decided["target"]] if "target" in decided else [])
        if len(set(named)) < len(named):
            assert answer is None
            continue
        assert answer is not None
        if decided["action"] != "speak":
            assert (answer.decision.act, list(answer.decision.seats)) == (decided["action"], named)


@pytest.mark.parametrize("filler", [*" \n*`#:>[(a不", "3号", "seat 3 ", "because "])
def test_long_rambling_is_read_in_time(filler: str) -> None:
    """Around an object, and in a remark within it: the games of a whole event loop wait for one answer."""
    request, ramble = REQUESTS["vote"], filler * (60_000 // len(filler))
    for length in (800, 1600, 60_000):
        some = ramble[:length]
        read(f'because {some}3\n{{"vote": 3}}\n{some}', request)
        read(json.dumps({"vote": 3, "note": f"{some}!"}), request)


def test_a_chance_is_a_number_however_it_is_written() -> None:
    written = {1: 0.7, 2: "0.7", 3: "70%", 5: "７０％", 6: "7e-1", 7: 70, 9: "likely", 10: True}
    beliefs = [{"seat": seat, "werewolf": chance} for seat, chance in written.items()]
    answer = read(json.dumps({"beliefs": beliefs, "vote": 3}), REQUESTS["vote"])
    assert answer is not None
    assert answer.beliefs == tuple((seat, 0.7) for seat in (1, 2, 3, 5, 6))


def test_claims_to_cards_that_were_not_dealt_are_none() -> None:
    kinds = {"role": "witch", "checked": "seer", "saved": "", "suspects": ""}
    claims = [
        {"about": about, "seats": [4 if about == "role" else 3], "value": value} for about, value in kinds.items()
    ]
    answer = read(json.dumps({"speech": "hi", "claims": claims}), REQUESTS["speech"])
    assert answer is not None
    assert [claim.about for claim in answer.decision.claims] == ["checked", "suspects"]
