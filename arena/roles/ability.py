"""What a role and an ability are: the contract between the role files and the referee.

The unit of power is the ability. It belongs to one *window*, the place in a game where it works, and answers
three questions there, each a plain function of the state:

- ``tell`` returns the events that holders are told first (everything their choices give away must be told);
- ``ask`` returns the choices of each seat that is asked; a seat left out is not asked;
- ``use`` turns decisions into events, and steps to put on the front of the agenda.

An ability whose holders confer is asked in several rounds: ``talk`` gives what they hear of each other after
each round, and the decisions of the last one are used.

An ability asks about factions, kinds and marks, never about the names of roles, and keeps its memory in
notes. Windows in use: ``night`` (called in `night_order`), ``speech`` (a chance beside a speech), ``death``
(the holder is out). A role is one file of this package that exports ``ROLE``; adding one touches no other.
"""

from collections.abc import Callable, Mapping
from dataclasses import field
from typing import Literal

from arena.events import Event
from arena.knobs import Knob
from arena.state import GameState
from arena.terms import Choice, Claim, Decision, Seat, Step, Text, record

Window = Literal["night", "speech", "death"]
Layer = Literal["protect", "attack", "rescue", "inspect"]
LAYERS: tuple[Layer, ...] = ("protect", "attack", "rescue", "inspect")
"""The order in which the acts of a night take effect, whatever the order in which they were asked."""

Seats = tuple[Seat, ...]
Choices = dict[Seat, tuple[Choice, ...]]
Decisions = Mapping[Seat, Decision]
Item = Event | Step


def tell_nothing(state: GameState, holders: Seats) -> list[Event]:
    """The `tell` of an ability that has nothing to tell."""
    return []


def say_nothing(state: GameState, holders: Seats, decisions: Decisions) -> list[Event]:
    """The `talk` of an ability whose holders don't confer."""
    return []


def once(state: GameState, holders: Seats) -> int:
    """The `rounds` of an ability whose holders don't confer."""
    return 1


def resolve_nothing(state: GameState) -> list[Event]:
    """The `resolve` of an ability whose marks speak for themselves."""
    return []


@record
class Ability:
    """One power.

    - `name` is also the topic of its requests and, at night, the step that is called.
    - `layer`, `kills` and `stopped_by` belong to the night: when its marks take effect; the mark that puts
      a seat out, which is also the cause; the marks that stop this.
    - `depends`: what it tells depends on what has been done earlier in the same night, so it can't be
      asked beside the step before.
    - `rounds`: how often its holders are asked in one step. `seconds`: of private talk in each round.
    - `resolve`: marks to add at dawn, when all choices of the night are known.
    """

    name: str
    window: Window
    ask: Callable[[GameState, Seats], Choices]
    use: Callable[[GameState, Seats, Decisions], list[Item]]
    tell: Callable[[GameState, Seats], list[Event]] = tell_nothing
    layer: Layer = "inspect"
    kills: str = ""
    stopped_by: tuple[str, ...] = ()
    depends: bool = False
    talk: Callable[[GameState, Seats, Decisions], list[Event]] = say_nothing
    rounds: Callable[[GameState, Seats], int] = once
    seconds: int = 0
    resolve: Callable[[GameState], list[Event]] = resolve_nothing


Breach = Callable[[GameState, Seat, str, Claim], bool]
"""Whether a claim, made by a seat in a speech of a topic, breaks a conduct rule."""


@record
class Role:
    """A card.

    - `faction`: who it wins with. `kind`: ``werewolf`` or empty; what a seer sees and the pack is made of.
    - `side`: to which side of the village it counts unless a ruleset says otherwise.
    - `title`, `card`: its name, and what it says on the card, in both languages.
    - `phrases`: sentences for what it learns and does in private: key of the event, then language. The
      fields of the event stand in braces.
    - `knobs`: the knobs it brings. `conduct`: conduct rules that speak of it.
    """

    name: str
    faction: str
    title: Text
    card: Text
    kind: str = ""
    side: Literal["gods", "civilians", ""] = ""
    abilities: tuple[Ability, ...] = ()
    phrases: Mapping[str, Text] = field(default_factory=dict)
    knobs: tuple[Knob, ...] = ()
    conduct: Mapping[str, Breach] = field(default_factory=dict)


def others(seats: Seats, *without: Seat) -> Seats:
    """`seats` except `without`."""
    return tuple([seat for seat in seats if seat not in without]) if without else seats


def choose(act: str, seats: Seats) -> tuple[Choice, ...]:
    """The choices of an ability that may be used on one of `seats` or left alone."""
    return (Choice(act, seats), Choice("pass")) if seats else (Choice("pass"),)
