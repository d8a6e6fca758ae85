"""From what a model wrote to an answer: lenient about the form, never about the meaning.

The last complete object that fits counts, whatever stands around it: fences, thinking tags, words, drafts. Seats may
be written as people write them. What is not certain is `Unreadable`; what is certain but not allowed is `Illegal`.
Both say precisely why, for the model is told.
"""

import re
from collections.abc import Iterator, Mapping
from json import JSONDecodeError, JSONDecoder
from typing import Any

from arena.players.model.form import (
    ABOUT,
    BIDS,
    CLAIMS,
    NOTES,
    STANDING,
    THOUGHT,
    Asks,
    acts,
    claim_seats,
    claim_values,
    is_turn,
    speech_length,
)  # fmt: skip
from arena.players.model.naming import seat, seat_in
from arena.terms import PASS, Choice, Claim, Decision, DuskwaldError, Request, Seat, record

LONGEST = 60_000
"""Characters that are looked at, from the end of a text: more is not an answer."""

DRAFTS = 200
"""Objects that are tried; a text of braces alone would take for ever."""

_THINKING = re.compile(r"<(think|thinking|reasoning)>.*?(?:</\1>|$)", re.DOTALL | re.IGNORECASE)
_CLOSED = re.compile(r"^.*</(?:think|thinking|reasoning)>", re.DOTALL | re.IGNORECASE)
_NO = {"false", "no", "none", "null", "", "0", "否", "不", "无", "没有"}
_YES = {"true", "yes", "是", "1"}
_BESIDE = {"thought", "notes", "beliefs", "explode", "bid", "speech", "claims", "decision", "reasoning"}


class Unreadable(DuskwaldError):
    """The text is not clearly one answer."""


class Illegal(DuskwaldError):
    """The answer is clear, and the request does not allow it."""


@record
class Answer:
    """What a model has answered, and what it said for itself alone."""

    decision: Decision
    thought: str = ""
    notes: str | None = None
    beliefs: tuple[tuple[Seat, float], ...] = ()
    standing: str = ""
    bid: int = 0


def read_answer(text: str, request: Request, asks: Asks) -> Answer:
    """The answer to `request` in `text`.

    Raises:
        Unreadable: there is none, or it is not certain which.
        Illegal: it is not allowed.
    """
    spoken = _without_thinking(text)[-LONGEST:]
    first: DuskwaldError | None = None
    for found in _objects(spoken):
        try:
            return _answer(found, request, asks)
        except (Unreadable, Illegal) as error:
            first = first or error
    if first:
        raise first
    target = _bare_target(spoken, request)
    if target is None:
        raise Unreadable("no complete JSON object")
    return Answer(_decided(request, target[0], (target[1],)))


def _without_thinking(text: str) -> str:
    """`text` without what stands between thinking tags, or before a closing one alone."""
    return _CLOSED.sub("", _THINKING.sub("", text))


def _objects(text: str) -> Iterator[dict[str, Any]]:
    """The complete JSON objects in `text` that are in no other one, the last first."""
    decoder = JSONDecoder(strict=False)
    found: list[dict[str, Any]] = []
    at = text.find("{")
    for _ in range(DRAFTS):
        if at < 0:
            break
        try:
            value, end = decoder.raw_decode(text, at)
        except (JSONDecodeError, RecursionError):
            end = at + 1
        else:
            found.append(value)
        at = text.find("{", end)
    yield from reversed(found)


def _bare_target(text: str, request: Request) -> tuple[str, Seat] | None:
    """The act and the seat that a short text without any object decides for, where only one thing can be meant."""
    choices = [choice for choice in acts(request) if choice.seats]
    if request.seconds or len(choices) != 1 or choices[0].least != 1 or len(text) > 400:
        return None
    target = seat_in(text)
    return None if target is None else (choices[0].act, target)


def _answer(found: Mapping[str, Any], request: Request, asks: Asks) -> Answer:
    found = {str(key).strip().lower(): value for key, value in found.items()}
    _refuse_unknown(found, request)
    decision = _with_words(_decision(found, request), found, request, asks)
    notes = found.get("notes")
    return Answer(
        decision,
        _text(found.get("thought") or found.get("reasoning"), THOUGHT),
        None if notes is None else _text(notes, NOTES),
        _beliefs(found.get("beliefs"), request),
        found["explode"] if asks.explosion and found.get("explode") in STANDING else "",
        found["bid"] if asks.bids and found.get("bid") in BIDS else 0,
    )


def _refuse_unknown(found: Mapping[str, Any], request: Request) -> None:
    known = _BESIDE | {"action", "act", "target", "targets", "seat", "choice", "vote"}
    known |= {choice.act for choice in request.choices}
    unknown = sorted(found.keys() - known)
    # Further remarks do no harm beside a decision; without one, a misspelt key must not be read as "no".
    if unknown and not found.keys() & (known - {"thought", "notes", "reasoning"}):
        raise Unreadable(f"unknown key {unknown[0][:40]!r}")


def _decision(found: Mapping[str, Any], request: Request) -> Decision:
    """What is decided beside speaking."""
    inner = found.get("decision", found)
    if isinstance(inner, str | int) and not isinstance(inner, bool):
        inner = {"action": inner} if isinstance(inner, str) and not _is_seat(inner) else {"target": inner}
    if not isinstance(inner, Mapping):
        raise Unreadable("decision is no object")
    inner = {str(key).strip().lower(): value for key, value in inner.items()}
    choices = acts(request)
    act = inner.get("action", inner.get("act", inner.get("choice")))
    if act is None:
        return _by_key(inner, request, choices)
    act = str(act).strip().lower()
    if act == "speak" and is_turn(request):
        return Decision("speak")
    chosen = next((choice for choice in choices if choice.act == act), None)
    if chosen is None:
        if act == PASS.act and is_turn(request):
            return PASS
        raise Illegal(f"action {act[:40]!r}; allowed: {', '.join(choice.act for choice in choices)}")
    return _decided(request, act, _targets(inner, chosen))


def _by_key(inner: Mapping[str, Any], request: Request, choices: tuple[Choice, ...]) -> Decision:
    """A decision written as ``{"vote": 7}`` or ``{"antidote": false}``, or with a target alone."""
    named = {choice.act: inner[choice.act] for choice in choices if choice.act in inner}
    meant = {act: value for act, value in named.items() if not _is_no(value)}
    if len(meant) > 1:
        raise Unreadable(f"several actions at once: {', '.join(meant)}")
    if meant:
        [(act, value)] = meant.items()
        choice = next(choice for choice in choices if choice.act == act)
        if not choice.seats:
            if _is_yes(value):
                return Decision(act)
            raise Unreadable(f"{act}: {value!r:.40} is neither yes nor no")
        return _decided(request, act, _targets({"target": inner.get("target") if value is True else value}, choice))
    target = inner.get("target", inner.get("targets", inner.get("seat", inner.get("vote"))))
    choosing = [choice for choice in choices if choice.seats]
    if target is not None and len(choosing) == 1:
        return _decided(request, choosing[0].act, _targets({"target": target}, choosing[0]))
    if is_turn(request) and "speech" in inner:
        return Decision("speak")
    if named and any(choice.act == PASS.act for choice in choices):
        return PASS
    if len(choices) == 1 and not choices[0].seats:
        return Decision(choices[0].act)
    raise Unreadable("no decision")


def _targets(inner: Mapping[str, Any], choice: Choice) -> tuple[Seat, ...]:
    """The seats that an object names for `choice`."""
    if not choice.seats:
        return ()
    given = inner.get("targets", inner.get("target", inner.get("seat")))
    if given is None:
        raise Unreadable(f"{choice.act}: no target")
    listed = given if isinstance(given, list) else [given]
    seats = tuple(seat(item) for item in listed)
    if any(item is None for item in seats):
        raise Unreadable(f"{choice.act}: {given!r:.60} is not clearly a seat")
    return tuple(item for item in seats if item is not None)


def _decided(request: Request, act: str, seats: tuple[Seat, ...]) -> Decision:
    """The decision, if the request allows it.

    Raises:
        Illegal: saying which seats are allowed.
    """
    choice = next(choice for choice in request.choices if choice.act == act)
    if not choice.seats:
        return Decision(act)
    wrong = [s for s in seats if s not in choice.seats]
    if wrong or len(set(seats)) != len(seats) or not choice.least <= len(seats) <= choice.most:
        number = f"{choice.least} to {choice.most} different seats" if choice.most > 1 else "one seat"
        raise Illegal(f"{act} {list(seats)}; allowed: {number} of {list(choice.seats)}")
    return Decision(act, seats)


def _with_words(decision: Decision, found: Mapping[str, Any], request: Request, asks: Asks) -> Decision:
    """`decision` with what is said, and claimed, along with it."""
    if not request.seconds:
        return decision
    words = _text(found.get("speech"), speech_length(request, asks.lang))
    claims = tuple(_claims(found.get("claims"), request, asks))
    if decision.act in {"speak", PASS.act} and is_turn(request):
        return Decision("speak", (), words, claims) if words or claims else PASS
    if is_turn(request):
        # Whoever turns up its card instead of speaking says nothing.
        return decision
    return Decision(decision.act, decision.seats, words, claims)


def _claims(given: object, request: Request, asks: Asks) -> Iterator[Claim]:
    """The claims that are well formed; one that isn't is no claim, for the words stand beside it."""
    for item in given[:CLAIMS] if isinstance(given, list) else ():
        if not isinstance(item, Mapping) or item.get("about") not in ABOUT:
            continue
        about, value, listed = item["about"], item.get("value") or "", item.get("seats", [])
        named = dict.fromkeys(seat(one) for one in (listed if isinstance(listed, list) else [listed]))
        seats = tuple(one for one in named if one is not None and 1 <= one <= request.table)
        least, most = claim_seats(about)
        whole = len(seats) == len(named) and least <= len(seats) <= (most or len(seats))
        if whole and value in claim_values(about, asks.roles):
            yield Claim(about, seats, value)


def _beliefs(given: object, request: Request) -> tuple[tuple[Seat, float], ...]:
    """How likely each seat is a werewolf; what isn't a probability of a seat is left out."""
    beliefs: dict[Seat, float] = {}
    for item in given if isinstance(given, list) else ():
        if isinstance(item, Mapping):
            one, chance = seat(item.get("seat")), item.get("werewolf")
            if one and 1 <= one <= request.table and isinstance(chance, int | float) and 0 <= chance <= 1:
                beliefs[one] = float(chance)
    return tuple(sorted(beliefs.items()))


def _text(value: object, length: int) -> str:
    """A text of an answer on one line, cut where the time for it is up."""
    if not isinstance(value, str):
        return ""
    text = " ".join("".join(char if char.isprintable() else " " for char in value).split())
    return text if len(text) <= length else text[: max(0, length - 1)].rstrip() + "…"


def _is_seat(text: str) -> bool:
    return seat(text) is not None


def _is_no(value: object) -> bool:
    return value is None or value is False or (isinstance(value, str) and value.strip().lower() in _NO)


def _is_yes(value: object) -> bool:
    return value is True or (isinstance(value, str) and value.strip().lower() in _YES)
