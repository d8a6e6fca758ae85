"""What a consequence follows from whatever the knobs say: a card, or the course of every game.

No card is named here. A card answers for the outs under the cause of its abilities, for what its phrases tell, for the
win of its faction, and for what it asks by day.
"""

from collections.abc import Iterator
from typing import Any

from arena.events import Badge, Event, Exiled, Noted, Out, Phase
from arena.roles import ABILITIES, ROLES, ROLES_WITH
from arena.scenario.consequences import BADGE_GRANTS, Path
from arena.scenario.file import Scenario
from arena.scenario.play import Played
from arena.scenario.values import When
from arena.terms import record


@record
class Ground:
    """A card by its name, or a rule of every game by its key among the words for rulings."""

    kind: str
    name: str


_TELLS = {"charmed": "charmed", "pack": "pack", "powers_lost": "powers_lost", "answers": "gesture"}
"""Which phrase of a card tells what a key of a ruling is about."""


def grounds(scenario: Scenario, played: Played, path: Path, value: Any) -> list[Ground]:
    """What the consequence at `path` follows from. Empty for a choice whose seat is always asked for it."""
    deck = {*scenario.seats, *scenario.extra}
    cards = [Ground("card", role) for role in dict.fromkeys(_cards(played, path, value)) if role in deck]
    return cards or [Ground("rule", rule) for rule in _rules(played, path, value)]


def _cards(played: Played, path: Path, value: Any) -> Iterator[str]:
    key, *rest = path
    if key == "out" and rest:
        yield from _putting_out(value[1])
    elif key == "told":
        yield from (role for told in value for role in _telling(told))
    elif key in _TELLS and value:
        yield from _telling(_TELLS[str(key)])
    elif key in {"winner", "winners", "reason"}:
        winner = played.ruling["winner"]
        yield from (role for ability in ABILITIES.values() if ability.faction == winner for role in _with(ability.name))
    elif key == "revealed" and rest:
        yield value
    elif key == "exiled" and value == "none":
        yield from _sparing(_of_day(played, str(rest[0])))
    elif key == "voters" and _is_listed(played, str(rest[0])):
        yield from _telling("may_vote")
    elif key in {"asked", "refused"}:
        yield from _holding(_topic(played, path), made=key == "asked")


def _putting_out(cause: str) -> Iterator[str]:
    return (role for ability in ABILITIES.values() if ability.kills == cause for role in _with(ability.name))


def _sparing(events: list[Event]) -> Iterator[str]:
    """The cards by which a vote put nobody out: that of who escaped it, or of who took the blame for a tie."""
    if any(isinstance(event, Exiled) and event.seat for event in events):
        yield from (role for ability in ABILITIES.values() if ability.window == "fate" for role in _with(ability.name))
    causes = {event.cause for event in events if isinstance(event, Out)}
    blamed = (ability for ability in ABILITIES.values() if ability.window == "tie" and ability.kills in causes)
    yield from (role for ability in blamed for role in _with(ability.name))


def _of_day(played: Played, phase: str) -> list[Event]:
    """What happened in the phase `phase`."""
    now, found = "", []
    for event in played.events:
        if isinstance(event, Phase):
            now = str(When(event.day, event.part != "night"))
        if now == phase:
            found.append(event)
    return found


def _telling(key: str) -> Iterator[str]:
    said = (key, f"{key}.")
    return (role.name for role in ROLES.values() if any(p == said[0] or p.startswith(said[1]) for p in role.phrases))


def _holding(topic: str, *, made: bool) -> Iterator[str]:
    """The cards that ask for a choice: for one that was made only where it is no ordinary step of the night."""
    ability = ABILITIES.get(topic)
    if ability and not (made and ability.window == "night"):
        yield from _with(ability.name)


def _topic(played: Played, path: Path) -> str:
    choice, by, phase, _ = path[1:]
    return next(
        one.topic
        for one in played.choices
        if (one.entry["choice"], one.entry.get("by", 0), one.entry["phase"]) == (choice, by, phase)
    )


def _with(ability: str) -> list[str]:
    return sorted(ROLES_WITH[ability])


def _is_listed(played: Played, phase: str) -> bool:
    """Whether the voters of `phase` were named beforehand."""
    note = f"may_vote_{phase.split()[1]}"
    return any(isinstance(event, Noted) and event.key == note for event in played.events)


_RULES = {
    "order_out": "settled",
    "in_play": "in_play",
    "last_words": "last_words",
    "exiled": "exile",
    "tally": "tally",
    "voters": "voters",
    "called": "called",
    "announced": "announced",
    "speakers": "speakers",
    "charmed": "nothing",
    "pack": "nothing",
    "powers_lost": "nothing",
    "answers": "nothing",
    "told": "nothing",
    "revealed": "nothing",
}
"""The rule behind a key of a ruling for which no card answers."""


def _rules(played: Played, path: Path, value: Any) -> Iterator[str]:
    key = str(path[0])
    if key == "out":
        yield value[1] if value else "nobody_out"
    elif key in {"winner", "winners", "reason"}:
        yield "end" if played.ruling["winner"] != "none" else "no_end"
    elif key == "sheriff":
        yield next(
            (f"badge_{event.how}" for event in reversed(played.events) if isinstance(event, Badge)), "badge_none"
        )
    elif key == "refused":
        yield str(value)
    elif key == "exiled" and value == "none":
        yield "no_exile"
    elif key == "asked":
        yield from (topic for topic in BADGE_GRANTS if topic == value)
    elif key in _RULES:
        yield _RULES[key]
