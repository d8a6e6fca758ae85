"""From what a model wrote to an answer: lenient about the form, never about the meaning.

The last complete object that fits counts, whatever stands around it: fences, thinking tags, words, drafts. Seats may
be written as people write them. What is not certain is `Unreadable`; what is certain but not allowed is `Illegal`.
Both say precisely why, for the model is told.
"""

from collections.abc import Collection, Iterator, Mapping
from typing import Any

from arena.players.model.around import undone
from arena.players.model.faults import Faulty, Illegal, Unreadable
from arena.players.model.form import (
    BIDS,
    CLAIMS,
    STANDING,
    Asks,
    acts,
    claim_kinds,
    claim_seats,
    claim_values,
    is_turn,
    speech_length,
)  # fmt: skip
from arena.players.model.naming import numeric, seat, seat_in
from arena.players.model.objects import objects, without_thinking
from arena.players.model.remarks import NOTHING, TARGETS, refuse_remarks, refuse_victims
from arena.players.model.yes_and_no import NO, is_empty, is_no, is_nobody, is_yes
from arena.terms import PASS, Choice, Claim, Decision, Request, Seat, record
from arena.texts import clean

LONGEST = 60_000
"""Characters that are looked at, from the end of a text: more is not an answer."""

_BESIDE = {"thought", "notes", "beliefs", "explode", "bid", "speech", "claims", "decision", "reasoning"}
_ACTS = ("action", "act", "choice")
_WORDS = {"speak", "speech"}
_SPEAKS = _WORDS | NO
"""What stands for a decision where somebody speaks and decides nothing else."""
_SAID = ("speech", "claims")


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
    spoken = without_thinking(text)[-LONGEST:]
    first: Faulty | None = None
    several = objects(spoken)
    ends = (0, *(end for _, _, end in several))
    for (found, begin, end), before in reversed(list(zip(several, ends, strict=False))):
        try:
            answer = _answer(found, request, asks)
        except Faulty as error:
            first = first or error
        else:
            decision = answer.decision
            saved = (asks.victim,) if decision.act == "antidote" and asks.victim else decision.seats
            seats = None if is_turn(request) else saved
            if undone(spoken[before:begin], spoken[end:], seats, nothing=decision.act in NOTHING):
                raise Unreadable("undone")
            return answer
    if first:
        raise first
    target = _bare_target(spoken, request)
    if target is None:
        raise Unreadable("no_object")
    return Answer(_decided(request, target[0], (target[1],)))


def _bare_target(text: str, request: Request) -> tuple[str, Seat] | None:
    """The act and the seat that a short text without any object decides for, where only one thing can be meant."""
    choices = [choice for choice in acts(request) if choice.act != PASS.act]
    if request.seconds or len(choices) != 1 or not choices[0].seats or choices[0].least != 1:
        return None
    if len(text) > 400 or "{" in text:
        return None
    target = seat_in(text)
    return None if target is None else (choices[0].act, target)


def _answer(given: Mapping[str, Any], request: Request, asks: Asks) -> Answer:
    found = _without_own_seat(_spoken_beside(given) if request.seconds else given, request)
    _refuse_unknown(found, request)
    decision = _with_words(_decision(found, request), found, request, asks)
    if decision.act == "antidote":
        refuse_victims(_remarks(found, {*_BESIDE, *_ACTS}), asks.victim, request)
        refuse_remarks(_remarks(found, _known(request)), Decision("antidote", (asks.victim,)), request)
    elif not is_turn(request):
        refuse_remarks(_remarks(found, _known(request)), decision, request)
    notes = found.get("notes")
    return Answer(
        decision,
        _text(found.get("thought") or found.get("reasoning"), asks.thought),
        None if notes is None else _text(notes, asks.notes),
        _beliefs(found.get("beliefs"), request),
        found["explode"] if asks.explosion and found.get("explode") in STANDING else "",
        _bid(found.get("bid")) if asks.bids else 0,
    )


def _spoken_beside(found: Mapping[str, Any]) -> Mapping[str, Any]:
    """`found` with what is said beside the decision, where it stood within."""
    inner = found.get("decision")
    within = {key: inner[key] for key in _SAID if inner.get(key) is not None} if isinstance(inner, Mapping) else {}
    if any(found.get(key) not in (None, "", [], value) for key, value in within.items()):
        raise Unreadable("two_speeches")
    return {**found, **within}


def _without_own_seat(found: Mapping[str, Any], request: Request) -> Mapping[str, Any]:
    """`found` without who answers, where that can't be whom it chooses."""
    chosen = {
        key for key in found if key in {*TARGETS, "decision"} or any(key == choice.act for choice in request.choices)
    }
    own = seat(found.get("seat")) == request.seat and not any(request.seat in one.seats for one in request.choices)
    return {key: value for key, value in found.items() if key != "seat"} if own and chosen - {"seat"} else found


def _remarks(found: Mapping[str, Any], asked: Collection[str]) -> list[tuple[str, object]]:
    """All keys that aren't `asked` for, of an answer and of the decision within it, with what stands under them."""
    inner = found.get("decision")
    places = (found, inner) if isinstance(inner, Mapping) else (found,)
    return [(key, place[key]) for place in places for key in sorted(place.keys() - set(asked))]


def _refuse_unknown(found: Mapping[str, Any], request: Request) -> None:
    unknown = sorted(found.keys() - _known(request))
    # Further remarks do no harm beside a decision; without one, a misspelt key must not be read as "no".
    if unknown and not found.keys() & (_known(request) - {"thought", "notes", "reasoning"}):
        raise Unreadable("unknown_key", key=f"{unknown[0][:40]!r}")


def _known(request: Request) -> set[str]:
    return _BESIDE | {*_ACTS, *TARGETS} | {choice.act for choice in request.choices}


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
        raise Unreadable("decision")
    decision = _one_decision(inner, found, request)
    if beside.keys() & _known(request) and _one_decision(beside, found, request) != decision:
        raise Unreadable("two_decisions")
    return decision


def _one_decision(inner: Mapping[str, Any], found: Mapping[str, Any], request: Request) -> Decision:
    """The decision in `inner`, which is the answer `found` or a part of it."""
    choices = acts(request)
    named = [inner[key] for key in _ACTS if inner.get(key) is not None]
    if not named:
        return _by_key(inner, found, request, choices)
    if len(named) > 1 or not isinstance(named[0], str):
        raise Unreadable("action")
    act = named[0].strip().lower()
    speaks = is_turn(request) and act in _SPEAKS
    _refuse_other_acts("speak" if speaks else act, inner, choices)
    if speaks:
        return Decision("speak") if act in _WORDS else PASS
    chosen = next((choice for choice in choices if choice.act == act), None)
    if chosen is None and not (act == PASS.act and is_turn(request)):
        allowed = (*(choice.act for choice in choices), *(("speak", PASS.act) if is_turn(request) else ()))
        raise Illegal("unknown_action", act=f"{act[:40]!r}", allowed=", ".join(allowed))
    if act == PASS.act and not all(is_nobody(inner[key]) for key in TARGETS if key in inner):
        raise Unreadable("pass_and_target")
    if chosen is None:
        return PASS
    return _decided(request, act, _targets(inner, chosen))


def _refuse_other_acts(act: str, inner: Mapping[str, Any], choices: tuple[Choice, ...]) -> None:
    """An object with an action may say yes to that in another key as well, and no to all others, not the reverse."""
    said = {choice.act: inner[choice.act] for choice in choices if not is_empty(inner.get(choice.act))}
    others = [key for key, value in said.items() if key != act and not is_no(value)]
    if others:
        raise Unreadable("several_actions", acts=", ".join((act[:40], *others)))
    if act in said and is_no(said[act]):
        raise Unreadable("action_denied", act=act)


def _by_key(
    inner: Mapping[str, Any], found: Mapping[str, Any], request: Request, choices: tuple[Choice, ...]
) -> Decision:
    """A decision written as ``{"vote": 7}`` or ``{"antidote": false}``, or with a target alone."""
    named = {choice.act: inner[choice.act] for choice in choices if choice.act in inner}
    meant = {act: value for act, value in named.items() if not is_no(value) and not is_empty(value)}
    if len(meant) > 1:
        raise Unreadable("several_actions", acts=", ".join(meant))
    if meant:
        [(act, value)] = meant.items()
        return _by_act(act, value, inner, request)
    choosing = [choice for choice in choices if choice.seats]
    if any(inner.get(key) is not None for key in TARGETS):
        if len(choosing) != 1 or named:
            raise Unreadable("target_without_action")
        return _decided(request, choosing[0].act, _targets(inner, choosing[0]))
    if is_turn(request) and "speech" in found:
        return Decision("speak")
    unknown = sorted(inner.keys() - _known(request))
    if unknown:
        raise Unreadable("unknown_key", key=f"{unknown[0][:40]!r}")
    blank = next((act for act, value in named.items() if is_empty(value) and value is not None), "")
    if blank:
        raise Unreadable("yes_or_no", act=blank, value=f"{named[blank]!r:.40}")
    if named and any(choice.act == PASS.act for choice in choices):
        return PASS
    if len(choices) == 1 and not choices[0].seats:
        return Decision(choices[0].act)
    raise Unreadable("no_decision")


def _by_act(act: str, value: object, inner: Mapping[str, Any], request: Request) -> Decision:
    """The decision in an object with the key `act`, which says yes, or whom."""
    choice = next(choice for choice in request.choices if choice.act == act)
    if not choice.seats:
        if is_yes(value):
            return Decision(act)
        raise Unreadable("yes_or_no", act=act, value=f"{value!r:.40}")
    targets = {key: inner[key] for key in TARGETS if key in inner}
    return _decided(request, act, _targets(targets if is_yes(value) else {**targets, act: value}, choice))


def _targets(inner: Mapping[str, Any], choice: Choice) -> tuple[Seat, ...]:
    """The seats that an object names for `choice`."""
    if not choice.seats:
        return ()
    given = [inner[key] for key in dict.fromkeys((*TARGETS, choice.act)) if inner.get(key) is not None]
    if not given:
        raise Unreadable("no_target", act=choice.act)
    listed = [tuple(seat(item) for item in (one if isinstance(one, list) else [one])) for one in given]
    if any(one != listed[0] for one in listed):
        raise Unreadable("several_targets", act=choice.act)
    seats = tuple(item for item in listed[0] if item is not None)
    if len(seats) < len(listed[0]):
        raise Unreadable("no_seat", act=choice.act, value=f"{given[0]!r:.60}")
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
        raise Illegal(
            "wrong_seats" if choice.most > 1 else "wrong_seat",
            act=act,
            seats=f"{list(seats)!s:.60}",
            allowed=list(choice.seats),
            least=choice.least,
            most=choice.most,
        )
    return Decision(act, seats)


def _with_words(decision: Decision, found: Mapping[str, Any], request: Request, asks: Asks) -> Decision:
    """`decision` with what is said, and claimed, along with it."""
    if not request.seconds:
        return decision
    speech = found.get("speech")
    if not isinstance(speech, str | None):
        raise Unreadable("speech")
    words = _text(speech, speech_length(request, asks.lang))
    claims = tuple(dict.fromkeys(_claims(found.get("claims"), request, asks)))
    if decision.act == "speak" and speech is None and not claims:
        raise Unreadable("no_speech")
    if decision.act in {"speak", PASS.act} and is_turn(request):
        return Decision("speak", (), words, claims) if words or claims else PASS
    if is_turn(request):
        # Whoever turns up its card instead of speaking says nothing.
        return decision
    return Decision(decision.act, decision.seats, words, claims)


def _claims(given: object, request: Request, asks: Asks) -> Iterator[Claim]:
    """The claims that are well formed; one that isn't is no claim, for the words stand beside it."""
    for item in given[:CLAIMS] if isinstance(given, list) else ():
        if not isinstance(item, Mapping) or item.get("about") not in claim_kinds(asks.roles):
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
            one, chance = seat(item.get("seat")), numeric(item.get("werewolf"))
            if one and 1 <= one <= request.table and chance is not None and 0 <= chance <= 1:
                beliefs[one] = chance
    return tuple(sorted(beliefs.items()))


def _text(value: object, length: int) -> str:
    """A text of an answer on one line, cut where the time for it is up."""
    if not isinstance(value, str):
        return ""
    text = clean(value)
    return text if len(text) <= length else text[: max(0, length - 1)].rstrip() + "…"


def _bid(value: object) -> int:
    """How much the word is wanted."""
    wanted = numeric(value)
    return int(wanted) if wanted is not None and wanted in BIDS else 0
