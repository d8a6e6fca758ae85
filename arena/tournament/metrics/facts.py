"""What is so at a moment of a game, to whoever sees all cards."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Protocol

from arena.events import Badge, Began, Dealt, Noted, Out, Phase, Turned
from arena.roles import ROLES
from arena.terms import Request, Seat, record
from arena.tournament.metrics.measure import Measure
from arena.tournament.schedule import VILLAGE
from arena.transcript import Asked, Beside, Record, Replied
from arena.truth import Truth

EXILE = ("vote", "runoff")
"""The ballots that decide an exile."""


class Facts:
    """The facts of one game so far, read record by record.

    `cards` counts each role of the deck, those that stay over among them; `in_play` are the seats in play, in order.
    """

    def __init__(self) -> None:
        self.rules: Mapping[str, Any] = {}
        self.cards: Mapping[str, int] = {}
        self.players = 0
        self.day = 0
        self.part = ""
        self.sheriff: Seat = 0
        self.in_play: tuple[Seat, ...] = ()
        self.truth = Truth()
        self._card: dict[Seat, str] = {}
        self._bond: dict[Seat, str] = {}
        self._asked: dict[tuple[Seat, int], Request] = {}

    def read(self, record: Record) -> None:
        """Take in the next record."""
        match record:
            case Began():
                self.rules, self.cards, self.players = record.rules, record.cards, record.players
                self.in_play = tuple(range(1, record.players + 1))
            case Dealt() | Turned():
                self._card[record.seat] = record.role
            case Noted(key="faction"):
                self._bond[record.seat] = record.value
            case Phase():
                self.day, self.part = record.day, record.part
            case Badge():
                self.sheriff = record.seat
            case Out():
                self.in_play = tuple(seat for seat in self.in_play if seat != record.seat)
            case Asked():
                self._asked[record.request.seat, record.request.n] = record.request
        if not isinstance(record, Beside):
            self.truth.read(record)

    def card(self, seat: Seat) -> str:
        """The card of `seat`."""
        return self._card[seat]

    def wolf(self, seat: Seat) -> bool:
        """Whether the card of `seat` is a werewolf, for whomever it plays."""
        return bool(ROLES[self._card[seat]].kind)

    def side(self, seat: Seat) -> str:
        """Whom `seat` wins with."""
        return self._bond.get(seat) or ROLES[self._card[seat]].faction

    def of_village(self, seat: Seat) -> bool:
        """Whether `seat` wins with the village."""
        return self.side(seat) == VILLAGE

    def request(self, replied: Replied) -> Request | None:
        """What was answered."""
        return self._asked.get((replied.seat, replied.n))

    def could_name(self, replied: Replied) -> tuple[Seat, ...]:
        """The seats that the act of a reply could have named."""
        request, act = self.request(replied), replied.reply.decision.act
        return next((choice.seats for choice in request.choices if choice.act == act), ()) if request else ()


@record
class Ballot:
    """A vote for another seat in a ballot that decides an exile; `others` are those it could have been for."""

    name: str
    voter: Seat
    target: Seat
    others: tuple[Seat, ...]


def ballot(line: Record, facts: Facts) -> Ballot | None:
    """The vote that a record is, if it is one. One for oneself says nothing of others, like an abstention."""
    if not isinstance(line, Replied) or line.reply.decision.act != "vote":
        return None
    request, (target, *_) = facts.request(line), line.reply.decision.seats
    if request is None or request.topic not in EXILE or target == line.seat:
        return None
    return Ballot(request.topic, line.seat, target, tuple(s for s in facts.could_name(line) if s != line.seat))


def share(seats: Iterable[Seat], among: Iterable[Seat]) -> float:
    """How many of the seats `among` which one is drawn belong to `seats`, as a share."""
    drawn, meant = tuple(among), set(seats)
    return sum(seat in meant for seat in drawn) / len(drawn) if drawn else 0.0


class Family(Protocol):
    """Figures that go together: what each record of a game adds to them, `facts` being those before it."""

    def read(self, line: Record, facts: Facts) -> Iterator[Measure]:
        """The measures that end with this record."""
