"""From what a model wrote to an answer: lenient about the form, never about the meaning.

The last complete object that fits counts, whatever stands around it: fences, thinking tags, words, drafts. Seats may
be written as people write them. What is not certain is `Unreadable`; what is certain but not allowed is `Illegal`.
Both say precisely why, for the model is told.
"""

import re
from collections.abc import Iterator, Mapping
from json import JSONDecoder
from typing import Any

from arena.narrate import clean
from arena.players.model.form import (
    ABOUT,
    BIDS,
    CLAIMS,
    STANDING,
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
_NO = {"false", "no", "none", "null", "", "否", "不", "无", "没有"}
_YES = {"true", "yes", "是"}
_BESIDE = {"thought", "notes", "beliefs", "explode", "bid", "speech", "claims", "decision", "reasoning"}
_ACTS = ("action", "act", "choice")
_SPEAKS = {"speak", "speech", *(_NO - {""})}
"""What stands for a decision where somebody speaks and decides nothing else."""
_TARGETS = ("targets", "target", "seat")
_OPENS = re.compile(r"[{\[]")


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
    for found in reversed(_objects(spoken)):
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


def _objects(text: str) -> list[dict[str, Any]]:
    """The complete JSON objects in `text` that are in no other one.

    Raises:
        Unreadable: which of them counts is not certain: the last one breaks off, a list holds several, or a key
            has two values.
    """
    found: list[dict[str, Any]] = []
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
                raise Unreadable("a list of several objects")
            if not broken_off or any(item.keys() & _WHOLE for item in inner):
                found += inner
                broken_off = False
        opens = _OPENS.search(text, end)
    if opens or broken_off:
        raise Unreadable("the last JSON object is not complete")
    return found


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object, its keys in small letters."""
    fields: dict[str, Any] = {}
    for key, value in ((key.strip().lower(), value) for key, value in pairs):
        if key in fields and fields[key] != value:
            raise Unreadable(f"two values for the key {key[:40]!r}")
        fields[key] = value
    return fields


_DECODER = JSONDecoder(strict=False, object_pairs_hook=_once)
_BEGUN = re.compile(r'\{\s*"|\[\s*\{')
_WHOLE = {"thought", "speech", "decision"}
"""Keys of an answer; what holds none of them, behind an object that breaks off, may be a part of that."""


def _bare_target(text: str, request: Request) -> tuple[str, Seat] | None:
    """The act and the seat that a short text without any object decides for, where only one thing can be meant."""
    choices = [choice for choice in acts(request) if choice.act != PASS.act]
    if request.seconds or len(choices) != 1 or not choices[0].seats or choices[0].least != 1:
        return None
    if len(text) > 400 or "{" in text:
        return None
    target = seat_in(text)
    return None if target is None else (choices[0].act, target)


def _answer(found: Mapping[str, Any], request: Request, asks: Asks) -> Answer:
    _refuse_unknown(found, request)
    decision = _with_words(_decision(found, request), found, request, asks)
    if decision.act == "antidote":
        _refuse_another_victim(found, asks)
    notes = found.get("notes")
    return Answer(
        decision,
        _text(found.get("thought") or found.get("reasoning"), asks.thought),
        None if notes is None else _text(notes, asks.notes),
        _beliefs(found.get("beliefs"), request),
        found["explode"] if asks.explosion and found.get("explode") in STANDING else "",
        _bid(found.get("bid")) if asks.bids else 0,
    )


def _refuse_another_victim(found: Mapping[str, Any], asks: Asks) -> None:
    """An antidote names nobody; one for somebody who was not attacked is meant for a night that isn't this one."""
    inner = found.get("decision")
    places = [found, inner] if isinstance(inner, Mapping) else [found]
    named = [place[key] for place in places for key in _TARGETS if place.get(key) is not None]
    for value in named:
        for item in value if isinstance(value, list) else [value]:
            if seat(item) not in {None, asks.victim}:
                raise Unreadable(f"antidote for {item!r:.40}; it can only save seat {asks.victim}, who was attacked")


def _refuse_unknown(found: Mapping[str, Any], request: Request) -> None:
    unknown = sorted(found.keys() - _known(request))
    # Further remarks do no harm beside a decision; without one, a misspelt key must not be read as "no".
    if unknown and not found.keys() & (_known(request) - {"thought", "notes", "reasoning"}):
        raise Unreadable(f"unknown key {unknown[0][:40]!r}")


def _known(request: Request) -> set[str]:
    return _BESIDE | {*_ACTS, *_TARGETS} | {choice.act for choice in request.choices}


def _decision(found: Mapping[str, Any], request: Request) -> Decision:
    """What is decided beside speaking."""
    beside = {key: value for key, value in found.items() if key not in _BESIDE}
    if found.get("explode", STANDING[0]) not in STANDING:
        beside["explode"] = found["explode"]
    inner = found.get("decision")
    if inner is None:
        return _one_decision(beside, found, request)
    if isinstance(inner, str) and seat(inner) is None:
        # The rest of the decision, if it has one, stands beside it.
        return _one_decision({**beside, "action": inner}, found, request)
    if isinstance(inner, str | int | float) and not isinstance(inner, bool):
        inner = {"target": inner}
    if not isinstance(inner, Mapping):
        raise Unreadable("decision is no object")
    decision = _one_decision(inner, found, request)
    if beside.keys() & _known(request) and _one_decision(beside, found, request) != decision:
        raise Unreadable("two decisions")
    return decision


def _one_decision(inner: Mapping[str, Any], found: Mapping[str, Any], request: Request) -> Decision:
    """The decision in `inner`, which is the answer `found` or a part of it."""
    choices = acts(request)
    named = [inner[key] for key in _ACTS if inner.get(key) is not None]
    if not named:
        return _by_key(inner, found, request, choices)
    if len(named) > 1 or not isinstance(named[0], str):
        raise Unreadable("action is not one word")
    act = named[0].strip().lower()
    if is_turn(request) and act in _SPEAKS:
        return Decision("speak")
    chosen = next((choice for choice in choices if choice.act == act), None)
    if chosen is None and not (act == PASS.act and is_turn(request)):
        allowed = (*(choice.act for choice in choices), *(("speak", PASS.act) if is_turn(request) else ()))
        raise Illegal(f"action {act[:40]!r}; allowed: {', '.join(allowed)}")
    if act == PASS.act and any(seat(inner.get(key)) for key in _TARGETS):
        raise Unreadable("a target, and the action pass")
    if chosen is None:
        return PASS
    return _decided(request, act, _targets(inner, chosen))


def _by_key(
    inner: Mapping[str, Any], found: Mapping[str, Any], request: Request, choices: tuple[Choice, ...]
) -> Decision:
    """A decision written as ``{"vote": 7}`` or ``{"antidote": false}``, or with a target alone."""
    named = {choice.act: inner[choice.act] for choice in choices if choice.act in inner}
    meant = {act: value for act, value in named.items() if not _is_no(value)}
    if len(meant) > 1:
        raise Unreadable(f"several actions at once: {', '.join(meant)}")
    if meant:
        [(act, value)] = meant.items()
        return _by_act(act, value, inner, request)
    choosing = [choice for choice in choices if choice.seats]
    if any(inner.get(key) is not None for key in _TARGETS):
        if len(choosing) != 1 or named:
            raise Unreadable("a target, and no action")
        return _decided(request, choosing[0].act, _targets(inner, choosing[0]))
    if is_turn(request) and "speech" in found:
        return Decision("speak")
    unknown = sorted(inner.keys() - _known(request))
    if unknown:
        raise Unreadable(f"unknown key {unknown[0][:40]!r}")
    if named and any(choice.act == PASS.act for choice in choices):
        return PASS
    if len(choices) == 1 and not choices[0].seats:
        return Decision(choices[0].act)
    raise Unreadable("no decision")


def _by_act(act: str, value: object, inner: Mapping[str, Any], request: Request) -> Decision:
    """The decision in an object with the key `act`, which says yes, or whom."""
    choice = next(choice for choice in request.choices if choice.act == act)
    if not choice.seats:
        if _is_yes(value):
            return Decision(act)
        raise Unreadable(f"{act}: {value!r:.40} is neither yes nor no")
    targets = {key: inner[key] for key in _TARGETS if key in inner}
    return _decided(request, act, _targets(targets if _is_yes(value) else {**targets, act: value}, choice))


def _targets(inner: Mapping[str, Any], choice: Choice) -> tuple[Seat, ...]:
    """The seats that an object names for `choice`."""
    if not choice.seats:
        return ()
    given = [inner[key] for key in dict.fromkeys((*_TARGETS, choice.act)) if inner.get(key) is not None]
    if not given:
        raise Unreadable(f"{choice.act}: no target")
    listed = [tuple(seat(item) for item in (one if isinstance(one, list) else [one])) for one in given]
    if any(one != listed[0] for one in listed):
        raise Unreadable(f"{choice.act}: several targets")
    seats = tuple(item for item in listed[0] if item is not None)
    if len(seats) < len(listed[0]):
        raise Unreadable(f"{choice.act}: {given[0]!r:.60} is not clearly a seat")
    return seats


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
        raise Illegal(f"{act} {list(seats)!s:.60}; allowed: {number} of {list(choice.seats)}")
    return Decision(act, seats)


def _with_words(decision: Decision, found: Mapping[str, Any], request: Request, asks: Asks) -> Decision:
    """`decision` with what is said, and claimed, along with it."""
    if not request.seconds:
        return decision
    speech = found.get("speech")
    if not isinstance(speech, str | None):
        raise Unreadable("speech is no text")
    words = _text(speech, speech_length(request, asks.lang))
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
    text = clean(value)
    return text if len(text) <= length else text[: max(0, length - 1)].rstrip() + "…"


def _bid(value: object) -> int:
    """How much the word is wanted; a true or a 2.0 is no number that a record could hold."""
    number = None if isinstance(value, bool) else value
    return int(number) if isinstance(number, int | float) and number in BIDS else 0


def _is_no(value: object) -> bool:
    return value is None or value is False or (isinstance(value, str) and value.strip().lower() in _NO)


def _is_yes(value: object) -> bool:
    return value is True or (isinstance(value, str) and value.strip().lower() in _YES)
