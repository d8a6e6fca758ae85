"""What a ruling consists of, one consequence at a time, so that each can be given its own reasons.

A consequence is a path into the ruling, and its value: ``out, 7`` with the time and cause, ``winner``, what a seat was
told in a phase, a scripted choice that was made (``asked``, with its topic) or refused (with its fate).
"""

from collections.abc import Mapping
from typing import Any

from arena.roles import ABILITIES
from arena.scenario.expect import Questions, answer, questions
from arena.scenario.file import Scenario
from arena.scenario.play import Played
from arena.scenario.script import Choice
from arena.terms import Seat

Path = tuple[str | Seat, ...]

ASKED = (
    "out",
    "order_out",
    "winner",
    "winners",
    "reason",
    "sheriff",
    "last_words",
    "told",
    "revealed",
    "exiled",
    "refused",
)
"""What a ruling is about where the scenario doesn't say by `expect` what it asks."""

BADGE_GRANTS = ("badge", "decide", "order")
"""Topics on which a sheriff is asked: who gets the badge, who goes at a tie, in which order to speak."""

_BY_SEAT = ("out", "revealed")


def consequences(scenario: Scenario, played: Played) -> Questions:
    """All that follows in `played` and was asked about, piece by piece; where nobody is out, this as a whole."""
    found: Questions = {}
    for path, value in _asked(scenario, played).items():
        if path[0] in _BY_SEAT and value:
            found |= {(path[0], seat): one for seat, one in value.items()}
        elif path != ("refused",):
            found[path] = value
    for choice in played.choices:
        made = choice.fate == "made"
        found["asked" if made else "refused", *_key(choice)] = choice.topic if made else choice.fate
    return found


def _asked(scenario: Scenario, played: Played) -> Questions:
    """What the scenario asks: the keys of `expect`, and who is out; without `expect` all that has come about."""
    if scenario.expect is not None:
        return {path: answer(played.ruling, path) for path in (*scenario.expect, ("out",))}
    asked = questions({key: played.ruling[key] for key in ASKED})
    return {path: value for path, value in asked.items() if value and value != "none"}


def _key(choice: Choice) -> Path:
    entry = choice.entry
    return entry["choice"], entry.get("by", 0), entry["phase"], str(entry.get("target", ""))


def changed(before: Questions, other: Played) -> list[Path]:
    """The consequences that are not the same in `other`; also the seats that stayed in play and don't there.

    A choice that is made counts as changed where it isn't allowed, or where what a card or the badge grants isn't asked
    for although the seat is there to answer; not where the game has merely taken another course.
    """
    fates = {_key(choice): choice.fate for choice in other.choices}
    out = other.ruling["out"]
    found = [path for path, value in before.items() if _differs(path, value, other, fates)]
    if ("out",) not in before:
        found += [("in_play", seat) for seat in out if ("out", seat) not in before]
    return found


def _differs(path: Path, value: Any, other: Played, fates: Mapping[Path, str]) -> bool:
    kind, *rest = path
    if kind == "refused":
        return fates.get(tuple(rest), "made") == "made"
    if kind == "asked":
        fate, by = fates.get(tuple(rest), "unasked"), rest[1]
        granted = value in ABILITIES or value in BADGE_GRANTS
        return fate == "illegal" or (fate == "unasked" and granted and by in other.ruling["in_play"])
    if kind in _BY_SEAT and rest:
        return bool(other.ruling[str(kind)].get(rest[0]) != value)
    return bool(answer(other.ruling, path) != value)
