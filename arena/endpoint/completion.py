"""What a chat completion says, as plain facts. Endpoints are many, and so are the forms of what comes back."""

from collections.abc import Callable, Mapping
from typing import Any

from arena.endpoint.call import Answer
from arena.endpoint.plan import Price
from arena.endpoint.size import MOST_TOKENS
from arena.terms import Usage, record

NAMED = 100
"""Characters of a name that an endpoint gives."""

UNSEEN = 10_000
"""Tokens that an endpoint may put around a prompt: templates, and rules of its own."""

OVERRUN = 100
"""Times the length asked for that an answer may count: some endpoints let a model reason without end, and bill it."""

Heard = Callable[[object, int], str]
"""Makes of what an endpoint says a text of at most so many characters that may be shown and kept (0: as it is)."""


@record
class Asked:
    """What an answer is measured by: the estimated tokens of the `prompt`, and the `length` that was asked for.

    `usd` is what the call costs where nobody counts, or not as it can be; `price` and `seconds` are those of the call.
    """

    prompt: int
    length: int
    price: Price | None
    usd: float
    seconds: float


def answer_in(completion: object, asked: Asked, heard: Heard) -> Answer:
    """The answer in `completion`.

    Raises:
        ValueError: it is no completion.
    """
    choices = _mapping(completion).get("choices")
    if not isinstance(choices, list) or not choices:
        raise ValueError("not a completion")
    choice = _mapping(choices[0])
    if not isinstance(choice.get("message"), dict):
        raise ValueError("a completion without a message")
    message = _mapping(choice["message"])
    usage = _usage(_mapping(completion).get("usage"), asked)
    usd = asked.usd
    if asked.price and usage:
        usd = asked.price.of(usage.prompt_tokens, usage.cached_tokens, usage.completion_tokens)
    return Answer(
        text=heard(_content(message.get("content")), 0),
        reasoning=heard(message.get("reasoning_content") or message.get("reasoning"), 0),
        finish=heard(choice.get("finish_reason"), NAMED),
        refusal=heard(message.get("refusal"), 0),
        model=heard(_mapping(completion).get("model"), NAMED),
        usage=usage,
        seconds=round(asked.seconds, 3),
        usd=usd,
    )


def _content(given: object) -> object:
    """What is said: a text, or the texts among a list of parts."""
    if isinstance(given, list):
        return "".join(part["text"] for part in map(_mapping, given) if isinstance(part.get("text"), str))
    return given


def _usage(counted: object, asked: Asked) -> Usage | None:
    prompt = _count(_mapping(counted).get("prompt_tokens"))
    written = _count(_mapping(counted).get("completion_tokens"))
    if prompt is None or written is None:
        return None
    if prompt > MOST_TOKENS * asked.prompt + UNSEEN or written > OVERRUN * asked.length:
        return None
    details = _mapping(_mapping(counted).get("prompt_tokens_details"))
    return Usage(prompt, min(_count(details.get("cached_tokens")) or 0, prompt), written)


def _mapping(given: object) -> Mapping[str, Any]:
    return given if isinstance(given, dict) else {}


def _count(given: object) -> int | None:
    """A number of tokens; None for anything else."""
    return given if type(given) is int and 0 <= given < 2**53 else None
