"""What a role and an ability are: the contract between the role files and the referee.

The unit of power is the ability. It belongs to one *window*, the place in a game where it works, and answers
three questions there, each a plain function of the state:

- ``tell`` returns the events that holders are told first (everything their choices give away must be told);
- ``ask`` returns the choices of each seat that is asked; a seat left out is not asked;
- ``use`` turns decisions into events, and steps to put on the front of the agenda.

An ability whose holders confer is asked in several rounds: ``talk`` gives what they hear of each other after
each round, and the decisions of the last one are used.

An ability asks about factions, kinds and marks, never about the names of roles, and keeps its memory in
notes. A role is one file of this package that exports ``ROLE``; adding one touches no other.

Windows:

=========== ================================================================================
deal        the cards are dealt; holders are told, or something is noted about them
night       called in `night_order`
sequel      asked in secret after a step of the night, whose `use` returns `sequel`
dawn        the choices of the night are known and about to take effect (`resolve`)
speech      a chance beside a speech, which it breaks into
aftermath   a word or sign after somebody else's speech
fate        the vote has just exiled the holder, who may escape: any act but ``decline`` does
tie         the exile vote is tied; a step returned by `use` comes instead of what the rules say
out         the holder has just gone out, its power lost or not; nobody is asked
announced   the table has just learnt that the holder is out; what was kept from it may be told
loss        a faction has just lost for good (`win.losing`); nobody is asked
death       the holder is out, its power lost or not; it is told, and may answer where `owed` says so
victory     a faction of its own has won (`wins`); looked at by `rank`
=========== ================================================================================
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import field
from typing import Literal, get_args

from arena.events import Event
from arena.knobs import Knob, Rules
from arena.state import GameState
from arena.terms import Choice, Claim, Decision, Seat, Step, Text, record

Window = Literal[
    "deal",
    "night",
    "sequel",
    "dawn",
    "speech",
    "aftermath",
    "tie",
    "fate",
    "out",
    "announced",
    "loss",
    "death",
    "victory",
]
Layer = Literal["first", "protect", "attack", "charm", "rescue", "inspect"]
LAYERS: tuple[Layer, ...] = get_args(Layer)
"""The order in which the acts of a night take effect, whatever the order in which they were asked."""

Seats = tuple[Seat, ...]
Choices = dict[Seat, tuple[Choice, ...]]
Decisions = Mapping[Seat, Decision]
Item = Event | Step


SPEAK: tuple[Choice, ...] = (Choice("speak"), Choice("pass"))


def ask_nobody(state: GameState, holders: Seats) -> Choices:
    """The `ask` of an ability that works by itself."""
    return {}


def do_nothing(state: GameState, holders: Seats, decisions: Decisions) -> list[Item]:
    """The `use` of an ability that consists in words."""
    return []


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
    - `bond`: it is held by the seats that have a note of this key, whatever their card; else by its roles.
    - `unless`: a note of this key takes it away from a seat.
    - `first_night`: it is called on the first night only. `needs`: a knob without which it is never called.
    - `kills`: the cause under which it puts seats out; at night also the mark that does so.
    - `layer` and `stopped_by` belong to the night: when its marks take effect, and the marks that stop `kills`.
    - `depends`: what it tells depends on what has been done earlier in the same night, so it can't be
      asked beside the step before. `apart`: nothing is asked beside it, because it changes who holds what,
      or because its holders hold more than one power.
    - `rounds`: how often its holders are asked in one step. `seconds`: for words, in each round.
    - `faction` and `wins`: a faction, and the name of the rule by which it has won, or nothing.
    - `rank`: which comes first, of several ways to win, or of several acts of a layer.
    - `resolve`: marks to add at dawn, when all choices of the night are known.
    - `fires`: its answer may put a seat out, so an end that is looked at when all is settled waits for it.
    """

    name: str
    window: Window
    ask: Callable[[GameState, Seats], Choices] = ask_nobody
    use: Callable[[GameState, Seats, Decisions], list[Item]] = do_nothing
    tell: Callable[[GameState, Seats], list[Event]] = tell_nothing
    bond: str = ""
    unless: str = ""
    first_night: bool = False
    needs: str = ""
    layer: Layer = "inspect"
    kills: str = ""
    stopped_by: tuple[str, ...] = ()
    depends: bool = False
    apart: bool = False
    talk: Callable[[GameState, Seats, Decisions], list[Event]] = say_nothing
    rounds: Callable[[GameState, Seats], int] = once
    seconds: int = 0
    resolve: Callable[[GameState], list[Event]] = resolve_nothing
    faction: str = ""
    wins: Callable[[GameState], str] | None = None
    rank: int = 0
    fires: bool = False


Breach = Callable[[GameState, Seat, str, Claim], bool]
"""Whether a claim, made by a seat in a speech of a topic, breaks a conduct rule."""


@record
class Dealing:
    """Which card lies at each seat, from seat 1, and which cards stay over."""

    seats: tuple[str, ...]
    extra: tuple[str, ...] = ()


Deals = Callable[[Mapping[str, int], frozenset[str], Rules, int], Iterator[Dealing]]
"""From the cards of a setup, which cards are werewolves, the rules and a seed.

The first one with which the game isn't over at once counts.
"""


Leaves = Callable[[tuple[str, ...], frozenset[str], Rules], str]
"""From the cards that stay over, which cards are werewolves, and the rules: what is allowed, if these are not."""


def leaves_anything(extra: tuple[str, ...], werewolves: frozenset[str], rules: Rules) -> str:
    """The `leaves` of a role that has no say in which cards stay over."""
    return ""


def no_spares(rules: Rules) -> int:
    """The `spares` of a role that leaves no card over."""
    return 0


@record
class Role:
    """A card.

    - `faction`: who it wins with. `kind`: ``werewolf`` or empty; what a seer sees and the pack is made of.
    - `side`: to which side of the village it counts unless a ruleset says otherwise.
    - `title`, `card`: its name, and what it says on the card, in both languages.
    - `phrases`: sentences for what it learns and does in private: key of the event, then language. The
      fields of the event stand in braces.
    - `knobs`: the knobs it brings. `conduct`: conduct rules that speak of it.
    - `most`: how many of this card a deck may have (0: any number).
    - `deals`: how a deck with this card is dealt, where not one card to each seat; `spares`: how many of the
      cards of a setup then stay over, and `leaves` what is allowed where certain cards can't.
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
    most: int = 0
    deals: Deals | None = None
    spares: Callable[[Rules], int] = no_spares
    leaves: Leaves = leaves_anything


def others(seats: Seats, *without: Seat) -> Seats:
    """`seats` except `without`."""
    return tuple([seat for seat in seats if seat not in without]) if without else seats


def sequel(name: str) -> Step:
    """A step of the night that follows in secret: as a second round, which is not called aloud."""
    return Step("night", data=((name,), 2))


def owing(state: GameState) -> Seats:
    """The seats that are out and may still answer it."""
    return tuple([seat for (seat, key), value in state.notes.items() if key == "owed" and value])


def may_harm(state: GameState, seat: Seat, seats: Seats) -> Seats:
    """`seats` without the one whom `seat` may not help to put out."""
    return seats if state.rules.get("lovers.may_kill_each_other", True) else others(seats, state.note(seat, "lover"))


def choose(act: str, seats: Seats) -> tuple[Choice, ...]:
    """The choices of an ability that may be used on one of `seats` or left alone."""
    return (Choice(act, seats), Choice("pass")) if seats else (Choice("pass"),)
