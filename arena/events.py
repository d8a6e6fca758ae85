"""Every event, and who sees it.

Only events change facts (`arena.state.apply`), and a seat knows exactly the events addressed to it. An
event is seen whole or not at all: where a secret has a public shadow, there are two events. The audience
belongs to the type; only `Learned`, `Acted` and `Said` take it as an argument. `seen_by` is the only gate
between the game and a seat.

Events carry facts, never sentences; `kind` is the tag under which they stand in a transcript.
"""

from collections.abc import Iterable
from typing import Any, ClassVar, Literal

from arena.terms import GOD, Audience, Claim, Part, Result, Seat, record

EVERYONE: Audience = None
NOBODY: Audience = ()

Votes = tuple[tuple[Seat, Seat], ...]
"""Pairs of voter and target, by voter; target 0 is an abstention."""


@record
class Began:
    """The game begins: everything about the rules that players, prompts and pages need to know.

    `title` is the name of the ruleset in both languages. `cards` counts each role in the order of the roles'
    names, so that it says nothing about seats; `rules` holds every knob; `roles` the names, cards and phrases of the
    roles dealt, in both languages.
    """

    ruleset: str
    title: dict[str, str]
    players: int
    cards: dict[str, int]
    rules: dict[str, Any]
    roles: dict[str, dict[str, Any]]
    protected: tuple[Seat, ...] = ()
    kind: Literal["began"] = "began"
    to: ClassVar[Audience] = EVERYONE


@record
class Dealt:
    """A seat is dealt its card."""

    seat: Seat
    role: str
    kind: Literal["dealt"] = "dealt"

    @property
    def to(self) -> Audience:
        return (self.seat,)


@record
class Turned:
    """A seat takes another card than it was dealt."""

    seat: Seat
    role: str
    kind: Literal["turned"] = "turned"

    @property
    def to(self) -> Audience:
        return (self.seat,)


@record
class Phase:
    """A part of a cycle begins. Day n follows night n."""

    day: int
    part: Part
    kind: Literal["phase"] = "phase"
    to: ClassVar[Audience] = EVERYONE


@record
class Called:
    """The narrator calls a step of the night, whether or not anybody is left to answer."""

    step: str
    kind: Literal["called"] = "called"
    to: ClassVar[Audience] = EVERYONE


@record
class Learned:
    """Some seats are told something in private: `key` names it, `seats` and `value` say it.

    The keys are those of the roles' phrases: ``pack`` (its members), ``victim`` (nobody: no seats), ``checked``
    (seat and result), ``may_shoot`` (value yes or no), ``gesture`` (who was asked, who asked) and so on.
    """

    to: Audience
    key: str
    seats: tuple[Seat, ...] = ()
    value: str = ""
    kind: Literal["learned"] = "learned"


@record
class Acted:
    """A seat has used a power; `to` are those who know. A pack's proposal carries its words."""

    to: Audience
    seat: Seat
    act: str
    seats: tuple[Seat, ...] = ()
    text: str = ""
    kind: Literal["acted"] = "acted"


@record
class Marked:
    """Tonight something has reached a seat: a cause of an out, or what stops one. Gone at nightfall."""

    seat: Seat
    mark: str
    by: Seat = 0
    kind: Literal["marked"] = "marked"
    to: ClassVar[Audience] = NOBODY


@record
class Noted:
    """The referee remembers something about a seat under `key`; an ability's private memory."""

    seat: Seat
    key: str
    value: Any
    kind: Literal["noted"] = "noted"
    to: ClassVar[Audience] = NOBODY


@record
class Ordered:
    """Who speaks, in this order, in the speeches of `topic` that now begin."""

    topic: str
    seats: tuple[Seat, ...]
    kind: Literal["ordered"] = "ordered"
    to: ClassVar[Audience] = EVERYONE


@record
class Floor:
    """It is the turn of `seat` in `topic`: to speak, or (``call``) to be voted on in a by-target ballot.

    Seat 0: the speeches of `topic` are over, and a last chance to explode follows.
    """

    seat: Seat
    topic: str
    kind: Literal["floor"] = "floor"
    to: ClassVar[Audience] = EVERYONE


@record
class Said:
    """A speech as it was heard. Empty text: the seat let its turn pass. `topic` says which kind."""

    to: Audience
    seat: Seat
    topic: str
    text: str = ""
    claims: tuple[Claim, ...] = ()
    kind: Literal["said"] = "said"


@record
class Warned:
    """A breach of conduct rule `rule` was counted against a seat; `count` is its number by now."""

    seat: Seat
    rule: str
    count: int
    kind: Literal["warned"] = "warned"

    @property
    def to(self) -> Audience:
        return (self.seat,)


@record
class Stood:
    """These seats stand for sheriff."""

    seats: tuple[Seat, ...]
    kind: Literal["stood"] = "stood"
    to: ClassVar[Audience] = EVERYONE


@record
class Withdrew:
    """These candidates have withdrawn."""

    seats: tuple[Seat, ...]
    kind: Literal["withdrew"] = "withdrew"
    to: ClassVar[Audience] = EVERYONE


@record
class Voted:
    """Ballots of `ballot` (`sheriff`, `sheriff_runoff`, `vote`, `runoff`) are shown to all."""

    ballot: str
    votes: Votes
    kind: Literal["voted"] = "voted"
    to: ClassVar[Audience] = EVERYONE


@record
class Tallied:
    """The count of a ballot in half-votes (a sheriff of weight 1.5 has 3, others 2), by seat, and who leads."""

    ballot: str
    tally: tuple[tuple[Seat, int], ...]
    leaders: tuple[Seat, ...]
    kind: Literal["tallied"] = "tallied"
    to: ClassVar[Audience] = EVERYONE


@record
class Badge:
    """What becomes of the badge, and whose it is now (0: nobody's).

    `how`: elected, unopposed, passed, torn, none (nobody elected), postponed (again next day), lost,
    removed (from the game, along with its holder).
    """

    how: Literal["elected", "unopposed", "passed", "torn", "none", "postponed", "lost", "removed"]
    seat: Seat = 0
    kind: Literal["badge"] = "badge"
    to: ClassVar[Audience] = EVERYONE


@record
class Exiled:
    """The exile vote is decided: against `seat`, or nobody (0)."""

    seat: Seat
    kind: Literal["exiled"] = "exiled"
    to: ClassVar[Audience] = EVERYONE


@record
class Exploded:
    """A werewolf turns up its card; the day ends. `topic` is the kind of speech it broke into."""

    seat: Seat
    topic: str
    kind: Literal["exploded"] = "exploded"
    to: ClassVar[Audience] = EVERYONE


@record
class Shot:
    """A seat that is out takes another one with it."""

    seat: Seat
    target: Seat
    kind: Literal["shot"] = "shot"
    to: ClassVar[Audience] = EVERYONE


@record
class RedCarded:
    """The referee puts a seat out, for conduct or because its player is gone."""

    seat: Seat
    kind: Literal["red_carded"] = "red_carded"
    to: ClassVar[Audience] = EVERYONE


@record
class Out:
    """A seat is out. `causes` are all that reached it, as they are settled. The table learns of it later."""

    seat: Seat
    causes: tuple[str, ...]
    day: int
    night: bool
    kind: Literal["out"] = "out"
    to: ClassVar[Audience] = NOBODY

    @property
    def cause(self) -> str:
        """The cause that is told: the first one."""
        return self.causes[0]

    @property
    def counts_as(self) -> str:
        """The cause that decides what an out brings or costs: the first one, but poison wherever it is among them."""
        return "poison" if "poison" in self.causes else self.cause


@record
class Announced:
    """The table is told that these seats are out, in this order. No seats: nobody."""

    seats: tuple[Seat, ...]
    kind: Literal["announced"] = "announced"
    to: ClassVar[Audience] = EVERYONE


@record
class Revealed:
    """A card is turned up for all."""

    seat: Seat
    role: str
    kind: Literal["revealed"] = "revealed"
    to: ClassVar[Audience] = EVERYONE


@record
class Ended:
    """The game is over: the outcome, all cards (by seat, from seat 1), and who went out when and why."""

    winner: str
    reason: str
    winners: tuple[Seat, ...]
    cards: tuple[str, ...]
    outs: tuple[Out, ...]
    kind: Literal["ended"] = "ended"
    to: ClassVar[Audience] = EVERYONE

    def result(self, seat: Seat) -> Result:
        """What the end is to a seat; who is out shares it."""
        return "drawn" if self.winner == "draw" else "won" if seat in self.winners else "lost"


Event = (
    Began
    | Dealt
    | Turned
    | Phase
    | Called
    | Learned
    | Acted
    | Marked
    | Noted
    | Ordered
    | Floor
    | Said
    | Warned
    | Stood
    | Withdrew
    | Voted
    | Tallied
    | Badge
    | Exiled
    | Exploded
    | Shot
    | RedCarded
    | Out
    | Announced
    | Revealed
    | Ended
)


@record
class View:
    """Everything one seat has seen, in order and without gaps. The spectator is seat 0."""

    seat: Seat
    events: list[Event]


def seen_by(event: Event, seat: Seat) -> bool:
    """Whether `seat` sees `event`; `GOD` sees everything, the spectator what everyone sees."""
    to = event.to
    return to is None or seat in to or seat == GOD


def view_of(events: Iterable[Event], seat: Seat) -> View:
    """What `seat` knows of a game with these `events`."""
    return View(seat, [event for event in events if seen_by(event, seat)])


class Views:
    """The views of all seats of one game, grown as its events come."""

    def __init__(self, players: int) -> None:
        self._views = [View(seat, []) for seat in range(players + 1)]

    def add(self, events: Iterable[Event]) -> None:
        """Show `events` to those they are addressed to."""
        for event in events:
            for view in self._views if event.to is None else [self._views[seat] for seat in event.to]:
                view.events.append(event)

    def of(self, seat: Seat) -> View:
        """The view of `seat` so far; it goes on growing."""
        return self._views[seat]
