"""What a scenario expects, and where the ruling differs from it."""

from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import PlainValidator, StrictBool

from arena.knobs import CAUSES
from arena.scenario.values import (
    NOTHING,
    DayKey,
    PhaseKey,
    RoleName,
    SeatList,
    SeatNo,
    SeatOrNone,
    Strict,
    one_of,
    seat_or,
)
from arena.terms import Seat, record
from arena.texts import texts

_ENDS = texts("en", "terms")

Badge = Annotated[Seat | str, PlainValidator(seat_or("none", "torn", "lost", "removed"))]
Cause = Annotated[str, PlainValidator(one_of(*CAUSES))]
Winner = Annotated[str, PlainValidator(one_of(*_ENDS["factions"], "draw", "none"))]
Reason = Annotated[str, PlainValidator(one_of(*_ENDS["reasons"], "none"))]


class Refused(Strict):
    """A scripted choice that is refused or never asked for; what is left out is not compared."""

    phase: PhaseKey | None = None
    by: SeatNo | None = None
    choice: str | None = None
    target: Any = None


class Expect(Strict):
    """What should come out. Keys that are left out are not looked at."""

    out: dict[SeatNo, tuple[PhaseKey, Cause]] = NOTHING
    in_play: SeatList = ()
    order_out: SeatList = ()
    winner: Winner = "none"
    winners: SeatList = ()
    reason: Reason = "none"
    sheriff: Badge = "none"
    last_words: SeatList = ()
    told: dict[SeatNo, dict[PhaseKey, dict[str, Any]]] = NOTHING
    announced: dict[DayKey, SeatList] = NOTHING
    revealed: dict[SeatNo, RoleName] = NOTHING
    tally: dict[DayKey, dict[SeatNo, int | float]] = NOTHING
    exiled: dict[DayKey, SeatOrNone] = NOTHING
    called: dict[DayKey, SeatList] = NOTHING
    answers: dict[DayKey, dict[SeatNo, dict[SeatNo, str]]] = NOTHING
    speakers: dict[DayKey, tuple[SeatNo, ...]] = NOTHING
    voters: dict[DayKey, SeatList] = NOTHING
    powers_lost: StrictBool = False
    charmed: SeatList = ()
    pack: SeatList = ()
    refused: tuple[Refused, ...] = ()


Questions = dict[tuple[str | Seat, ...], Any]
"""What is asked of a ruling, and the answer: the way to each value (key; seat or phase where they are apart)."""


@record
class Difference:
    """Where a ruling differs from what was expected: the key, and both values."""

    key: str
    expected: Any
    actual: Any


_ABSENT: dict[str, Any] = {
    "announced": (),
    "tally": {},
    "exiled": "none",
    "called": (),
    "answers": {},
    "speakers": (),
    "voters": (),
}
"""Keys that are compared phase by phase; and what one stands for that never came."""

_UNORDERED = ("in_play", "winners", "charmed", "pack")


def questions(expect: Mapping[str, Any]) -> Questions:
    """What `expect`, or a ruling, says: phase by phase in `told` and its like, the other keys whole."""
    asked: Questions = {}
    for key, value in expect.items():
        if key == "told":
            asked |= {(key, seat, phase): told for seat, phases in value.items() for phase, told in phases.items()}
        elif key in _ABSENT:
            asked |= {(key, phase): came for phase, came in value.items()}
        else:
            asked[key,] = tuple(sorted(value)) if key in _UNORDERED else value
    return asked


def expected(expect: Expect) -> Questions:
    """What a file expects. Where it says nothing of refusals, it expects none."""
    given = {"refused": (), **dict(expect.given())}
    return questions({**given, "refused": [dict(refused.given()) for refused in given["refused"]]})


def differences(asked: Questions, ruling: Mapping[str, Any]) -> list[Difference]:
    """Where `ruling` answers differently."""
    found = []
    for path, wanted in asked.items():
        came = answer(ruling, path)
        if not (_same_refusals(wanted, came) if path == ("refused",) else wanted == came):
            found.append(Difference(".".join(str(part) for part in path), wanted, came))
    return found


def answer(ruling: Mapping[str, Any], path: tuple[str | Seat, ...]) -> Any:
    """What `ruling` says at the end of `path`."""
    key, *rest = path
    if key == "told":
        seat, phase = rest
        return ruling[key].get(seat, {}).get(phase, {})
    return ruling[str(key)].get(rest[0], _ABSENT[str(key)]) if rest else ruling[str(key)]


def _same_refusals(expected: list[dict[str, Any]], actual: list[dict[str, Any]]) -> bool:
    """Whether each refusal is expected once. The one that says most about itself finds its match first."""
    left = list(actual)
    for wanted in sorted(expected, key=len, reverse=True):
        match = next((came for came in left if wanted.items() <= came.items()), None)
        if match is None:
            return False
        left.remove(match)
    return not left
