"""Play a scenario: the script answers whoever is asked, up to the end of its last phase."""

from collections.abc import Sequence
from typing import Any

from arena.events import Event, Marked
from arena.events import Phase as Begun
from arena.referee import new_game, step
from arena.ruleset import Ruleset
from arena.scenario.file import Scenario
from arena.scenario.ruling import ruling
from arena.scenario.script import Choice, Script
from arena.scenario.values import When
from arena.terms import Seat, UnusableInput, record


@record
class Played:
    """A scenario that has been played: all that happened in its phases, and the ruling, by the keys of `expect`.

    `choices` says what has become of the script; `unscripted` are the acts of a night that the script left out and the
    rules enforced: the phase, the mark and the seat it reached.
    """

    events: list[Event]
    ruling: dict[str, Any]
    choices: list[Choice]
    unscripted: frozenset[tuple[str, str, Seat]]


def play(scenario: Scenario, ruleset: Ruleset | None = None) -> Played:
    """Play `scenario`, by `ruleset` instead of its own where one is given.

    Raises:
        UnusableInput: naming the file, when its deal can't be played.
    """
    try:
        state, events = new_game(
            ruleset or scenario.ruleset,
            scenario.seats,
            seed=0,
            protected=scenario.protected,
            extra=scenario.extra,
            draws=scenario.draws,
        )
    except UnusableInput as error:
        raise UnusableInput(f"{scenario.file}: {error}") from None
    script = Script(scenario.play)
    last = max(scenario.play)
    now = When(0, by_day=True)
    unscripted = set()
    while state.outcome is None and not _is_over(last, events):
        gone: tuple[int, ...] = ()
        if events and isinstance(events[-1], Begun) and When(state.day, not state.night) != now:
            now = When(state.day, not state.night)
            gone = script.gone(now, state.in_play)
        decisions = {request.seat: script.decide(state, request) for request in state.pending}
        silent = state.night and script.is_silent(state)
        state, new = step(state, decisions, gone)
        events += new
        if silent:
            unscripted |= {(str(now), mark.mark, mark.seat) for mark in new if isinstance(mark, Marked) and mark.by}
    if state.outcome is None:
        events = events[:-1]  # a phase that the script doesn't reach has begun
    choices = script.choices(state)
    refused = [choice.entry for choice in choices if choice.fate != "made"]
    return Played(events, ruling(state, events, refused), choices, frozenset(unscripted))


def _is_over(last: When, events: Sequence[Event]) -> bool:
    """Whether what follows the script's last phase begins: the discussion after a night, the night after a day."""
    event = events[-1]
    if not isinstance(event, Begun):
        return False
    return event.day > last.day or (event.day == last.day and event.part == "discussion" and not last.by_day)
