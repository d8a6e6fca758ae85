"""The JSON objects in what a model wrote, whatever stands around them: fences, thinking tags, words, drafts."""

import re
from json import JSONDecoder
from typing import Any

from arena.players.model.faults import Unreadable

DRAFTS = 200
"""Objects that are tried; a text of braces alone would take for ever."""

_THINKING = re.compile(r"<(think|thinking|reasoning)>.*?(?:</\1>|$)", re.DOTALL | re.IGNORECASE)
_CLOSED = re.compile(r"^.*</(?:think|thinking|reasoning)>", re.DOTALL | re.IGNORECASE)
_OPENS = re.compile(r"[{\[]")


def without_thinking(text: str) -> str:
    """`text` without what stands between thinking tags, or before a closing one alone.

    Where the whole text is an object, tags are what somebody says.
    """
    if _is_object(text):
        return text
    unthought = _THINKING.sub("", text)
    return unthought if _is_object(unthought) else _CLOSED.sub("", unthought)


def _is_object(text: str) -> bool:
    try:
        return isinstance(_DECODER.decode(text.strip()), dict)
    except (ValueError, RecursionError):
        return False


def objects(text: str) -> list[tuple[dict[str, Any], int, int]]:
    """The complete JSON objects in `text` that are in no other one, each with where it begins and ends.

    Raises:
        Unreadable: which of them counts is not certain: the last one breaks off, a list holds several, or a key
            has two values.
    """
    found: list[tuple[dict[str, Any], int, int]] = []
    broken_off = False
    opens = _OPENS.search(text)
    for _ in range(DRAFTS):
        if not opens:
            break
        try:
            value, end = _DECODER.raw_decode(text, opens.start())
        except (ValueError, RecursionError):
            broken_off |= bool(_BEGUN.match(text, opens.start()))
            end = opens.end()
        else:
            inner = [item for item in value if isinstance(item, dict)] if isinstance(value, list) else [value]
            if len(inner) > 1 and not broken_off:
                raise Unreadable("list")
            if not broken_off or any(item.keys() & _WHOLE for item in inner):
                found += [(item, opens.start(), end) for item in inner]
                broken_off = False
        opens = _OPENS.search(text, end)
    if opens or broken_off:
        raise Unreadable("broken_off")
    return found


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object, its keys in small letters."""
    fields: dict[str, Any] = {}
    for key, value in ((key.strip().lower(), value) for key, value in pairs):
        if key in fields and fields[key] != value:
            raise Unreadable("key_twice", key=f"{key[:40]!r}")
        fields[key] = value
    return fields


_DECODER = JSONDecoder(strict=False, object_pairs_hook=_once)
_BEGUN = re.compile(r'\{\s*"|\[\s*\{')
_WHOLE = {"thought", "speech", "decision"}
"""Keys of an answer; what holds none of them, behind an object that breaks off, may be a part of that."""
