"""Why: the knobs that mattered to a ruling, found by turning each one and asking again.

A knob mattered if turning it alone, to any other value, changes the ruling. This needs no bookkeeping in the
referee and can't be wrong about it; the referee is fast enough to be asked a hundred times. A knob is a reason only for
those consequences that then are no more.
"""

from collections.abc import Iterator
from itertools import islice, pairwise
from typing import Any

from arena.knobs import Knob
from arena.roles import ROLES_WITH
from arena.ruleset import ALL_KNOBS, NAMES
from arena.scenario.consequences import ASKED, Path, changed, consequences
from arena.scenario.expect import Difference, answer, differences, questions
from arena.scenario.file import Day, Scenario
from arena.scenario.play import Played, play
from arena.terms import UnusableInput, record


@record
class Influence:
    """A knob that mattered: its value, another value, and what the ruling would have been with that.

    `follows` are the consequences that would not have come about.
    """

    knob: str
    value: Any
    other: Any
    changes: list[Difference]
    follows: list[Path]


def influences(scenario: Scenario, played: Played) -> Iterator[Influence]:
    """The knobs from which a consequence follows, each with the first other value under which one does not.

    A list on which no card stands exempts none, and nothing follows from that.
    """
    for key, knob in ALL_KNOBS.items():
        if knob.among != ("roles",) or scenario.ruleset.rules[key]:
            found = (one for one in turned(scenario, played, key) if one.follows)
            yield from islice(found, 1)


def turned(scenario: Scenario, played: Played, key: str) -> Iterator[Influence]:
    """Every other value of the knob `key` that changes the ruling.

    Nothing follows where the other value only forces an act on a seat for which the script has none: then the seat has
    not used what the knob allows.
    """
    asked = questions({key: played.ruling[key] for key in ASKED})
    if scenario.expect is not None:
        asked = {path: answer(played.ruling, path) for path in scenario.expect}
    before = consequences(scenario, played)
    value = scenario.ruleset.rules[key]
    deck = {*scenario.seats, *scenario.extra}
    missing = tuple(step for step in NAMES["steps"] if ROLES_WITH[step].isdisjoint(deck))
    numbers = _numbers(scenario, played)
    knob, players = ALL_KNOBS[key], len(scenario.seats)
    others = _other_rows(value, players) if knob.table else alternatives(knob, value, missing, numbers)
    for other in others:
        try:
            turn = play(scenario, scenario.ruleset.with_rules({key: other}, key))
        except UnusableInput:
            continue
        changes = differences(asked, turn.ruling)
        if changes:
            follows = [] if turn.unscripted - played.unscripted else changed(before, turn)
            yield Influence(key, value, other, changes, follows)


def _numbers(scenario: Scenario, played: Played) -> tuple[int, ...]:
    """The numbers at which a count may turn the game.

    Of seats: how many there are, and one to either side. Of days and run-offs: the first few, how many the script has,
    and one more.
    """
    sizes = (len(scenario.seats), len(played.ruling["in_play"]))
    near = {size + step for size in sizes for step in (-1, 0, 1)}
    runoffs = (len(phase.runoff) for phase in scenario.play.values() if isinstance(phase, Day))
    ends = {count + step for count in (max(scenario.play).day, *runoffs) for step in (0, 1)}
    return tuple(sorted({*range(_FEW), *ends, *near}))


_FEW = 5
"""Up to here every number is tried."""


def alternatives(knob: Knob, value: Any, missing: tuple[str, ...] = (), numbers: tuple[int, ...] = ()) -> Iterator[Any]:
    """The values next to `value` that `knob` allows: the others of a few, one more or less, one member in or out.

    `missing`: steps of the night that no card brings; they are not in the way of two others that change places.
    `numbers`: what a whole number may be besides, the nearest first.
    """
    if knob.values:
        yield from (other for other in knob.values if other != value)
    elif knob.least is not None:
        far = sorted({*numbers} - {value - 1, value, value + 1}, key=lambda number: abs(number - value))
        yield from (number for number in (value + 1, value - 1, *far) if knob.least <= number <= knob.most)
    elif knob.number:
        yield from (value + 1, value - 1)
    elif knob.share:
        yield from (share for share in (0, 1) if share != value)
    elif knob.among:
        yield from _other_lists(knob, value, missing)
    elif knob.keys:
        for part in knob.keys:
            yield from ({**value, part.key: other} for other in alternatives(part, value[part.key], missing, numbers))


def _other_rows(value: dict[int, tuple[str, ...]], players: int) -> Iterator[dict[int, tuple[str, ...]]]:
    """A table with one role more or less where it speaks of tables of this size."""
    if value.get(players):
        yield from ({**value, players: row} for row in _other_lists(_ROW, value[players], ()))


_ROW = Knob("", (), among=("roles",))
"""What each row of a table is."""


def _other_lists(knob: Knob, value: tuple[str, ...], missing: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """Where a list is an order, a step comes before the one that it follows; all others keep their places."""
    if knob.among == ("steps",):
        called = [step for step in value if step not in missing]
        for first, second in pairwise(called):
            others = [step for step in value if step != second]
            place = others.index(first)
            yield (*others[:place], second, *others[place:])
        return
    for member in (name for word in knob.among for name in NAMES.get(word, (word,))):
        yield tuple(other for other in value if other != member) if member in value else (*value, member)
