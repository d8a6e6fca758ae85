"""What a chat completion says, as plain facts. Endpoints are many, and so are the forms of what comes back."""

from collections.abc import Mapping
from typing import Any

from arena.endpoint.call import Answer
from arena.endpoint.plan import Price
from arena.terms import Usage

KEPT = 65_536
"""Characters of an answer that are kept; no answer a seat may give is a tenth of it."""

NAMED = 100
"""Characters of a name that an endpoint gives."""


def answer_in(completion: object, price: Price | None, seconds: float, usd: float) -> Answer:
    """The answer in `completion`. What nobody has counted has cost `usd`.

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
    usage = _usage(_mapping(completion).get("usage"))
    if price and usage:
        usd = price.of(usage.prompt_tokens, usage.cached_tokens, usage.completion_tokens)
    return Answer(
        text=kept(_content(message.get("content"))),
        reasoning=kept(message.get("reasoning_content") or message.get("reasoning")),
        finish=kept(choice.get("finish_reason")),
        refusal=kept(message.get("refusal")),
        model=kept(_mapping(completion).get("model"))[:NAMED],
        usage=usage,
        seconds=round(seconds, 3),
        usd=usd,
    )


def _content(given: object) -> object:
    """What is said: a text, or the texts among a list of parts."""
    if isinstance(given, list):
        return "".join(part["text"] for part in map(_mapping, given) if isinstance(part.get("text"), str))
    return given


def kept(text: object) -> str:
    """Text that can be written down: no lone surrogates, and not without end."""
    if not isinstance(text, str):
        return ""
    return text[:KEPT].encode("utf-8", "replace").decode()


def _usage(counted: object) -> Usage | None:
    prompt = _count(_mapping(counted).get("prompt_tokens"))
    written = _count(_mapping(counted).get("completion_tokens"))
    if prompt is None or written is None:
        return None
    details = _mapping(_mapping(counted).get("prompt_tokens_details"))
    return Usage(prompt, min(_count(details.get("cached_tokens")) or 0, prompt), written)


def _mapping(given: object) -> Mapping[str, Any]:
    return given if isinstance(given, dict) else {}


def _count(given: object) -> int | None:
    """A number of tokens; None for anything else."""
    return given if type(given) is int and 0 <= given < 2**53 else None
