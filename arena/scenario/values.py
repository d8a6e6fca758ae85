"""What the values in a scenario file may be: seats, cards, phases, votes, claims; and how each is refused.

The number of seats is the `players` of the validation context.
"""

import re
from collections.abc import Callable, Iterator
from typing import Annotated, Any, NamedTuple, get_args

from pydantic import BaseModel, ConfigDict, PlainValidator, ValidationInfo, model_validator

from arena.roles import ROLES
from arena.ruleset import MOST_SEATS
from arena.strict_yaml import quoted
from arena.terms import Claim, Seat

Seats = tuple[Seat, ...]

NOTHING: dict[Any, Any] = {}
"""The default of a key that holds a mapping; each model has its own copy."""


class Strict(BaseModel):
    """A mapping with known keys only."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    @model_validator(mode="before")
    @classmethod
    def _known_keys(cls, given: Any) -> Any:
        known = cls.keys()
        if not isinstance(given, dict):
            raise ValueError(f"{quoted(given)} is not allowed; allowed: a mapping with the keys {', '.join(known)}")
        for key in given:
            if key not in known:
                raise ValueError(f"unknown key {quoted(key)}; known: {', '.join(known)}")
        return given

    @classmethod
    def keys(cls) -> tuple[str, ...]:
        """The keys that may be given."""
        return tuple(field.alias or name for name, field in cls.model_fields.items())

    def given(self) -> Iterator[tuple[str, Any]]:
        """The keys that were given, in the order of `keys`, with their values."""
        for key in self.keys():
            if key in self.model_fields_set:
                yield key, getattr(self, key)


class When(NamedTuple):
    """A phase of a script. Phases follow each other as these pairs do: night 1, day 1, night 2 and so on."""

    day: int
    by_day: bool

    def __str__(self) -> str:
        return f"{'day' if self.by_day else 'night'} {self.day}"


LAST_DAY = 30
"""The last day of a script. A ruling plays it a hundred times over, and hardly any game lasts so long."""

_WHEN = re.compile(r"(night|day) ([1-9]\d*)")
_DAY = re.compile(r"day ([1-9]\d*)( sheriff runoff| sheriff| runoff| campaign)?")


def _is_near(day: str) -> bool:
    return len(day) <= len(str(LAST_DAY)) and int(day) <= LAST_DAY


def read_when(value: object) -> When:
    """`night N` or `day N`.

    Raises:
        ValueError: anything else.
    """
    found = _WHEN.fullmatch(str(value))
    if not found or not _is_near(found[2]):
        raise ValueError(f"{quoted(value)} is no phase; a phase is `night N` or `day N`, N from 1 to {LAST_DAY}")
    return When(int(found[2]), found[1] == "day")


def _phase(value: object) -> str:
    return str(read_when(value))


def _day_key(value: object) -> str:
    found = _DAY.fullmatch(str(value))
    if not found or not _is_near(found[1]):
        allowed = f"`day N`, N from 1 to {LAST_DAY}, alone or with `runoff`, `sheriff`, `sheriff runoff` or `campaign`"
        raise ValueError(f"{quoted(value)} is not allowed; allowed: {allowed}")
    return str(value)


def _seat(value: object, info: ValidationInfo) -> Seat:
    players = info.context["players"] if info.context else 0
    if not isinstance(value, int) or isinstance(value, bool) or not 1 <= value <= players:
        raise ValueError(f"{quoted(value)} is no seat here; seats go from 1 to {players}")
    return value


def _seats(value: object, info: ValidationInfo) -> Seats:
    """A seat, a list of different seats, or the word none."""
    if value == "none":
        return ()
    seats = tuple(_seat(item, info) for item in (value if isinstance(value, list) else [value]))
    if len(set(seats)) != len(seats):
        raise ValueError(f"{quoted(value)} names a seat twice")
    return seats


def seat_or(*words: str) -> Callable[[object, ValidationInfo], Seat | str]:
    """What reads a seat, or one of `words`."""

    def read(value: object, info: ValidationInfo) -> Seat | str:
        if not isinstance(value, str):
            return _seat(value, info)
        if value not in words:
            raise ValueError(f"{quoted(value)} is not allowed; allowed: a seat, {', '.join(words)}")
        return value

    return read


def _role(value: object) -> str:
    if not isinstance(value, str) or value not in ROLES:
        raise ValueError(f"unknown role {quoted(value)}; known: {', '.join(ROLES)}")
    return str(value)


def _cards(value: object) -> tuple[str, ...]:
    """The cards of a list of seats, from seat 1."""
    if not isinstance(value, list) or not value:
        raise ValueError(f"{quoted(value)} is not allowed; allowed: a list of roles")
    if len(value) > MOST_SEATS:
        raise ValueError(f"{len(value)} seats; allowed: at most {MOST_SEATS}")
    for seat, role in enumerate(value, start=1):
        if not isinstance(role, str) or role not in ROLES:
            raise ValueError(f"seat {seat}: unknown role {quoted(role)}; known: {', '.join(ROLES)}")
    return tuple(value)


def one_of(*words: str) -> Callable[[object], str]:
    """What reads one of `words`."""

    def read(value: object) -> str:
        if value not in words:
            raise ValueError(f"{quoted(value)} is not allowed; allowed: {', '.join(words)}")
        return str(value)

    return read


def _card_to_take(value: object) -> str:
    return "keep" if value == "keep" else _role(value)


def _proposals(value: object, info: ValidationInfo) -> dict[Seat, Seats] | Seats:
    """One target for the whole pack, or each member's own."""
    return _votes(value, info) if isinstance(value, dict) else _seats(value, info)


def _votes(value: Any, info: ValidationInfo) -> dict[Seat, Seats]:
    return {_seat(seat, info): _seats(target, info) for seat, target in value.items()}


def _ballots(value: object, info: ValidationInfo) -> tuple[dict[Seat, Seats], ...]:
    """The votes of one run-off, or a list of such maps when run-offs repeat."""
    maps = value if isinstance(value, list) else [value]
    if not all(isinstance(votes, dict) for votes in maps):
        raise ValueError(f"{quoted(value)} is not allowed; allowed: a map of voters and seats, or a list of such maps")
    return tuple(_votes(votes, info) for votes in maps)


_CLAIMS = "{role: R, of: seat}, {side: S, of: seat}, {checked: seat, as: R}, {lovers: [seat, seat]}"
_ABOUT: dict[str, Any] = {str(about): about for about in get_args(Claim.__annotations__["about"])}
_BESIDE = {"role": "of", "side": "of", "checked": "as"}
"""The second key of a claim, by the first, where there is one."""

_side = one_of("werewolves", "village")
_result = one_of(*dict.fromkeys(("werewolf", "not_werewolf", "village", "not_village", *ROLES)))


def _claim(value: object, info: ValidationInfo) -> Claim:
    """A claim; seat 0 stands for the speaker, whom it is about where `of` is left out."""
    about = [str(key) for key in value if key not in {"of", "as"}] if isinstance(value, dict) else []
    if not isinstance(value, dict) or len(about) != 1 or about[0] not in _ABOUT:
        known = ", ".join(_ABOUT)
        raise ValueError(f"{quoted(value)} is no claim; claims are {_CLAIMS}, or a seat or seats under one of {known}")
    alien = [key for key in value if key not in {about[0], _BESIDE.get(about[0])}]
    if alien:
        raise ValueError(
            f"{quoted(value)} is no claim: {about[0]} goes without {quoted(alien[0])}; claims are {_CLAIMS}"
        )
    return _claim_about(about[0], value, info)


def _claim_about(about: str, value: dict[str, Any], info: ValidationInfo) -> Claim:
    if about in {"role", "side"}:
        of = _seats(value["of"], info) if "of" in value else (0,)
        return Claim(_ABOUT[about], of, (_role if about == "role" else _side)(value[about]))
    return Claim(_ABOUT[about], _seats(value[about], info), _result(value.get("as")) if about == "checked" else "")


SeatNo = Annotated[Seat, PlainValidator(_seat)]
SeatList = Annotated[Seats, PlainValidator(_seats)]
SeatOrNone = Annotated[Seat | str, PlainValidator(seat_or("none"))]
SeatOrTear = Annotated[Seat | str, PlainValidator(seat_or("tear"))]
RoleName = Annotated[str, PlainValidator(_role)]
Cards = Annotated[tuple[str, ...], PlainValidator(_cards)]
CardToTake = Annotated[str, PlainValidator(_card_to_take)]
Proposals = Annotated[dict[Seat, Seats] | Seats, PlainValidator(_proposals)]
Votes = dict[SeatNo, SeatList]
Ballots = Annotated[tuple[dict[Seat, Seats], ...], PlainValidator(_ballots)]
Claims = dict[SeatNo, list[Annotated[Claim, PlainValidator(_claim)]]]
PhaseKey = Annotated[str, PlainValidator(_phase)]
DayKey = Annotated[str, PlainValidator(_day_key)]
