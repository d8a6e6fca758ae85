"""The form in which a model answers a request, as a strict JSON schema made from the request's choices.

An answer is one object: the private thought first, then what the run asks for beside it, then what is said, and last
the decision. Whoever may speak has no act for it: an empty speech lets the turn pass.
"""

from collections.abc import Collection, Mapping
from typing import Any, get_args

from arena.terms import PASS, Choice, Claim, Lang, Request, Seat, record

Lengths = Mapping[Lang, tuple[int, int]]

PRIVATE: Lengths = {"zh": (120, 160), "en": (300, 400)}
"""Characters of a private thought, and of a notebook."""

BRIEF: Lengths = {"zh": (60, 80), "en": (160, 200)}
"""The same for a model that can't take much."""

ABOUT: tuple[str, ...] = get_args(Claim.__annotations__["about"])

_OF_CARDS = {
    "checked": "seer",
    "will_check": "seer",
    "saved": "witch",
    "poisoned": "witch",
    "guarded": "guard",
    "lovers": "cupid",
    "asks": "piper",
}
"""Claims that say something only where a card is in the game."""

CLAIMS = 6
"""Claims in one speech."""

_SPEED: dict[Lang, float] = {"zh": 4.0, "en": 14.0}
"""Characters that a person says in a second."""

SPOKEN = {"speak", PASS.act}
"""The acts of somebody whose turn it is to speak, beside what else it may do."""

STANDING = ("no", "now", "on_claim")
"""How a model answers chances to explode until it replies again: not, at the next one, once somebody tells checks."""

BIDS = (0, 1, 2, 3)


@record
class Asks:
    """What a reply is asked for beside its decision. `roles` are those that claims may speak of.

    `thought` and `notes` are their lengths, in characters. `alone`: nobody of its pack would hear what it says at
    night. `victim` is whom an antidote would save (0: unknown).
    """

    lang: Lang
    roles: tuple[str, ...]
    thought: int = 0
    notes: int = 0
    beliefs: bool = False
    explosion: bool = False
    bids: bool = False
    alone: bool = False
    victim: Seat = 0


def speech_length(request: Request, lang: Lang) -> int:
    """How many characters a speech may have; 0: no words are heard."""
    return round(request.seconds * _SPEED[lang])


def is_turn(request: Request) -> bool:
    """Whether the request gives a seat the word."""
    return any(choice.act == "speak" for choice in request.choices)


def is_heard(request: Request, asks: Asks) -> bool:
    """Whether anybody hears what is said along with the answer."""
    return bool(request.seconds) and (is_turn(request) or not asks.alone)


def acts(request: Request) -> tuple[Choice, ...]:
    """What is to be decided beside speaking."""
    if is_turn(request):
        return tuple(choice for choice in request.choices if choice.act not in SPOKEN)
    return request.choices


def open_acts(request: Request) -> tuple[Choice, ...]:
    """The decisions that an answer names: where somebody may do something else than speak, speaking is one of them."""
    choices = acts(request)
    return (*choices, Choice("speak")) if is_turn(request) and choices else choices


def answer_schema(request: Request, asks: Asks) -> dict[str, Any]:
    """The JSON schema of an answer to `request`."""
    fields: dict[str, Any] = {"thought": _text(asks.thought), "notes": _text(asks.notes)}
    if asks.beliefs:
        fields["beliefs"] = {"type": "array", "maxItems": request.table, "items": _object(_belief(request.table))}
    if asks.explosion:
        fields["explode"] = {"type": "string", "enum": list(STANDING)}
    if asks.bids:
        fields["bid"] = {"type": "integer", "enum": list(BIDS)}
    if is_heard(request, asks):
        fields["speech"] = _text(speech_length(request, asks.lang))
    if is_turn(request):
        fields["claims"] = {"type": "array", "maxItems": CLAIMS, "items": _object(_claim(request.table, asks.roles))}
    choices = open_acts(request)
    if choices:
        variants = [_object(_decision(choice)) for choice in choices]
        fields["decision"] = variants[0] if len(variants) == 1 else {"anyOf": variants}
    return _object(fields)


def claim_kinds(roles: Collection[str]) -> tuple[str, ...]:
    """What claims can be about in a game with these roles."""
    return tuple(about for about in ABOUT if _OF_CARDS.get(about) in {None, *roles})


def claim_values(about: str, roles: tuple[str, ...]) -> tuple[str, ...]:
    """What a claim about something can say of a seat: a role, a side, or what a check can tell; else nothing."""
    match about:
        case "role":
            return roles
        case "side":
            return ("werewolves", "village")
        case "checked":
            return tuple(dict.fromkeys(("werewolf", "not_werewolf", "village", "not_village", *roles)))
    return ("",)


def claim_seats(about: str) -> tuple[int, int | None]:
    """How many seats, at least and at most, a claim about something names."""
    if about in {"suspects", "trusts", "will_check"}:
        return 1, None
    return (2, 2) if about == "lovers" else (1, 1)


def keys(request: Request, asks: Asks) -> tuple[str, ...]:
    """The keys of an answer to `request`, in their order."""
    return tuple(answer_schema(request, asks)["properties"])


def longest(request: Request, asks: Asks) -> int:
    """How many tokens an answer within its bounds can have, about."""
    characters = asks.thought + asks.notes + speech_length(request, asks.lang) + 120
    tokens = characters * (1.1 if asks.lang == "zh" else 0.4)
    beliefs = 20 * request.table if asks.beliefs else 0
    claims = 40 * CLAIMS if is_turn(request) else 0
    return round(tokens) + beliefs + claims + 100


def _text(length: int) -> dict[str, Any]:
    return {"type": "string", "maxLength": length}


def _object(fields: dict[str, Any]) -> dict[str, Any]:
    return {"type": "object", "properties": fields, "required": list(fields), "additionalProperties": False}


def _seat(seats: tuple[Seat, ...] | range) -> dict[str, Any]:
    return {"type": "integer", "enum": list(seats)}


def _belief(table: int) -> dict[str, Any]:
    return {"seat": _seat(range(1, table + 1)), "werewolf": {"type": "number", "minimum": 0, "maximum": 1}}


def _claim(table: int, roles: tuple[str, ...]) -> dict[str, Any]:
    kinds = claim_kinds(roles)
    return {
        "about": {"type": "string", "enum": list(kinds)},
        "seats": {"type": "array", "maxItems": table, "items": _seat(range(1, table + 1))},
        "value": {
            "type": "string",
            "enum": list(dict.fromkeys(v for about in kinds for v in claim_values(about, roles))),
        },
    }


def _decision(choice: Choice) -> dict[str, Any]:
    fields: dict[str, Any] = {"action": {"type": "string", "enum": [choice.act]}}
    if choice.seats and choice.most == 1:
        fields["target"] = _seat(choice.seats)
    elif choice.seats:
        most = min(choice.most, len(choice.seats))
        fields["targets"] = {
            "type": "array", "minItems": choice.least, "maxItems": most, "items": _seat(choice.seats),
        }  # fmt: skip
    return fields
