"""What endpoints and models do wrong, each fault by its name."""

import json
import time
from collections.abc import Callable
from dataclasses import replace
from email.utils import formatdate
from functools import partial
from typing import Any

from tests.model_server import refusals
from tests.model_server.draft import DoesNotFit, Draft, tokens
from tests.model_server.refusals import REFUSALS, Refusal
from tests.model_server.schema import Json
from tests.model_server.wire import Response

HUGE = 4 * 1024 * 1024
RUBBISH = ("soon", "-5", "nan", "1e999", "Thu, 99 Foo 2026")


def _rate_limited(draft: Draft, retry_after: Callable[[Draft], str]) -> Refusal:
    said = "Rate limit reached. Please try again later."
    return Refusal(429, said, None, "rate_limit_exceeded", "requests", {"retry-after": retry_after(draft)})


def _seconds(draft: Draft) -> str:
    return str(draft.pace.retry_after)


def _date(draft: Draft) -> str:
    return formatdate(time.time() + draft.pace.retry_after, usegmt=True)


def _rubbish(draft: Draft) -> str:
    return draft.chance.choice(RUBBISH)


def _unavailable(draft: Draft) -> Refusal:
    said = "The engine is currently overloaded, please try again later."
    return Refusal(503, said, None, "unavailable", "server_error", {"retry-after": _seconds(draft)})


def _overflow(draft: Draft) -> Refusal:
    count = tokens(json.dumps(draft.body["messages"], ensure_ascii=False))
    return refusals.context_overflow(count // 2, count)


def _refused(draft: Draft, name: str) -> Refusal:
    if refusal := REFUSALS[name](draft.body):
        return refusal
    raise DoesNotFit(f"the request holds no {name}")


ERRORS: dict[str, Callable[[Draft], Refusal]] = {
    "rate_limited_seconds": partial(_rate_limited, retry_after=_seconds),
    "rate_limited_date": partial(_rate_limited, retry_after=_date),
    "rate_limited_rubbish": partial(_rate_limited, retry_after=_rubbish),
    "server_error": lambda _: Refusal(500, "The server had an error.", kind="server_error"),
    "unavailable": _unavailable,
    "bad_key": lambda _: refusals.bad_key(),
    "wrong_model": lambda draft: refusals.wrong_model(draft.body["model"]),
    "context_overflow": _overflow,
    **{f"{name}_refused": partial(_refused, name=name) for name in REFUSALS},
}
"""Instead of an answer."""


def _say(draft: Draft, form: str) -> None:
    draft.content = form.replace("…", draft.content)


def _none(draft: Draft) -> None:
    draft.message["content"] = None


def _reasoning_field(draft: Draft) -> None:
    draft.message |= {"content": "", "reasoning_content": draft.content}


def _object(draft: Draft) -> Json:
    try:
        value: Any = json.loads(draft.content)
    except ValueError:
        value = None
    if not isinstance(value, dict) or not value:
        raise DoesNotFit("the answer is no object with something in it")
    return value


def _two_objects(draft: Draft) -> None:
    """The first one lacks the last key."""
    value = _object(draft)
    start = json.dumps({name: value[name] for name in list(value)[:-1]}, ensure_ascii=False)
    draft.content = f"{start}\n\n{draft.content}"


def _unfinished_draft(draft: Draft) -> None:
    """The draft breaks off in the middle of a string."""
    first = next(iter(_object(draft)))
    draft.content = f'{{"{first}": "no, wait\n\n{draft.content}'


def _extra_keys(draft: Draft) -> None:
    draft.content = json.dumps({"confidence": 0.9, **_object(draft), "notes": ["x", {}]}, ensure_ascii=False)


def _huge(draft: Draft) -> None:
    draft.content = (draft.content + "\n") * (HUGE // len(draft.content.encode() + b"\n") + 1)


def _only_braces(draft: Draft) -> None:
    draft.content = "{" * HUGE


def _truncated(draft: Draft) -> None:
    draft.content = draft.content[: len(draft.content) // 2]
    draft.finish_reason = "length"


def _filtered(draft: Draft) -> None:
    draft.content, draft.finish_reason = "", "content_filter"


def _refusal(draft: Draft) -> None:
    draft.message |= {"content": None, "refusal": "I'm sorry, but I can't help with that."}


def _no_seat(numbers: list[int]) -> int:
    return 99


def _missing_seat(numbers: list[int]) -> int:
    """A seat that may well be at the table, only not among those to choose from."""
    return next(seat for seat in range(1, len(numbers) + 2) if seat not in numbers)


ANSWERS: dict[str, Callable[[Draft], None]] = {
    "empty": partial(_say, form=""),
    "none": _none,
    "spaces": partial(_say, form=" \n \t "),
    "reasoning_field": _reasoning_field,
    "fenced": partial(_say, form="```json\n…\n```"),
    "prose_around": partial(_say, form="Sure, {here} it is:\n…\nGood luck! :}"),
    "thinking": partial(_say, form='<think>\nMaybe {"target": 1}? No.\n</think>\n…'),
    "thinking_not_opened": partial(_say, form="Seat 3 looks odd.\n</think>\n\n…"),
    "thinking_empty": partial(_say, form="<think>\n\n</think>\n\n…"),
    "two_objects": _two_objects,
    "unfinished_draft": _unfinished_draft,
    "wrong_seat": lambda draft: setattr(draft, "content", draft.sample(_no_seat)),
    "dead_seat": lambda draft: setattr(draft, "content", draft.sample(_missing_seat)),
    "extra_keys": _extra_keys,
    "huge": _huge,
    "only_braces": _only_braces,
    "truncated": _truncated,
    "content_filter": _filtered,
    "refusal": _refusal,
    "no_choices": lambda draft: setattr(draft, "chosen", False),
    "no_usage": lambda draft: setattr(draft, "reports_usage", False),
}
"""A completion with something wrong in it."""


def _invalid_utf8(response: Response) -> bytes:
    return response.data.replace(b'"content": "', b'"content": "\xff\xc3(\xe4\xbd', 1)


HTML = b"<!DOCTYPE html><html><head><title>Sign in</title></head><body><h1>Sign in</h1></body></html>"

WIRE: dict[str, Callable[[Response, Draft], Response]] = {
    "slow": lambda response, draft: replace(response, delay=draft.pace.slow),
    "cut_at_once": lambda response, _: replace(response, cut="at once"),
    "cut_in_headers": lambda response, _: replace(response, cut="in headers"),
    "cut_in_body": lambda response, _: replace(response, cut="in body"),
    "invalid_utf8": lambda response, _: replace(response, data=_invalid_utf8(response)),
    "html": lambda *_: Response(200, HTML, {"content-type": "text/html; charset=utf-8"}),
}
"""A completion that does not arrive as it should."""

FAULTS = (*ERRORS, *ANSWERS, *WIRE)
"""All names."""
