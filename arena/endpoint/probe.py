"""Asking an endpoint what it can do, before a game depends on it. It takes a few calls, two of them long."""

import secrets
from typing import TYPE_CHECKING

import orjson

from arena.endpoint.ability import DOUBTS
from arena.endpoint.call import Answer, Call, Overflow, Unreachable
from arena.endpoint.plan import Sampling
from arena.terms import Attempt, record

if TYPE_CHECKING:
    from arena.endpoint.client import Endpoint

LONG = 12_000
"""Tokens of the long prompt, about, where the plan doesn't say how much the model takes; a late prompt of a game."""

ROOM = 200
"""Tokens of an answer."""

_WORD = "duskwald"
_FORM = {
    "type": "object",
    "properties": {"word": {"type": "string", "enum": [_WORD]}},
    "required": ["word"],
    "additionalProperties": False,
}
_OPEN = {**_FORM, "properties": {"word": {"type": "string", "maxLength": 40}}}


@record
class Finding:
    """One thing that was found: `key` names the sentence for it, with a value in it; `good` says whether it serves."""

    key: str
    good: bool
    value: str = ""


class _Calls:
    """What was refused on the way."""

    def __init__(self) -> None:
        self.refusals: list[str] = []

    def reserved(self, usd: float) -> None:
        """Nothing is kept: a probe is no game."""

    def attempted(self, attempt: Attempt) -> None:
        """Keep what was refused."""
        self.refusals.append(attempt.detail)


async def probe(endpoint: "Endpoint") -> list[Finding]:
    """What `endpoint` can do, from what matters most.

    Raises:
        Unreachable: nobody answers there, or not for this model and key.
    """
    await endpoint.check()
    calls = _Calls()
    system, room = "You answer with one JSON object.", ROOM + endpoint.plan.thinking
    asked = 'Say hello, as a JSON object with the key "word".'
    call, ability = Call(system, asked, _FORM, room, Sampling(temperature=0.7)), endpoint.ability
    short = await endpoint.ask(call, calls, once=True)
    for _ in range(DOUBTS - 1):
        if ability.settled:
            break
        # It refused, and nobody knows what.
        short = await endpoint.ask(call, calls, once=True)
    held = ability.form.startswith("json_schema") and _word(short) == _WORD
    found = [
        Finding("answers", True, short.model or endpoint.plan.model),
        Finding(f"form.{ability.form}", ability.form != "text"),
        Finding("schema.held" if held else "schema.loose", held),
        Finding("system" if ability.system_role else "system.none", ability.system_role),
        Finding(f"length.{ability.length_key}", True),
        Finding("temperature.refused" if "temperature" in ability.dropped else "temperature", True),
        Finding("reasoning" if short.reasoning else "reasoning.none", True),
        Finding("usage" if short.usage else "usage.none", short.usage is not None),
    ]
    return [*found, *await _long(endpoint, calls, room)]


async def _long(endpoint: "Endpoint", calls: _Calls, room: int) -> list[Finding]:
    """Whether a long prompt is read from its beginning, and remembered for the next call."""
    code = secrets.token_hex(3)
    size = min(LONG, (endpoint.ability.context or LONG + room) - room)
    filler = "\n".join(f"Line {number}: nothing happened here." for number in range(size // 12))
    system = f"The code word is {code}. You answer with one JSON object.\n{filler}"
    call = Call(system, 'What is the code word? Answer as {"word": "…"}.', _OPEN, room, Sampling(temperature=0))
    try:
        first = await endpoint.ask(call, calls, once=True)
        second = await endpoint.ask(call, calls, once=True)
    except Overflow:
        return [Finding("long.refused", False, str(endpoint.ability.context or size))]
    except Unreachable as error:
        return [Finding("long.failed", False, str(error))]
    counted = str(first.usage.prompt_tokens) if first.usage else "?"
    whole = endpoint.read_whole(call, first)
    said = code in first.text + first.reasoning
    cached = second.usage.cached_tokens if second.usage else 0
    return [
        read_long(whole=whole, said=said, counted=first.usage is not None, value=counted),
        Finding("cached" if cached else "cached.none", bool(cached), str(cached)),
    ]


def read_long(*, whole: bool, said: bool, counted: bool, value: str) -> Finding:
    """What follows for a long prompt; what nobody has counted, and nobody repeats, may have been cut."""
    if not whole:
        return Finding("long.cut", False, value)
    if said:
        return Finding("long.whole", True, value)
    return Finding("long.unsure", True, value) if counted else Finding("long.unknown", False)


def _word(answer: Answer) -> str:
    try:
        found = orjson.loads(answer.text)
    except orjson.JSONDecodeError:
        return ""
    return str(found.get("word", "")) if isinstance(found, dict) else ""
