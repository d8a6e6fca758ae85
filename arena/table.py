"""What the reader of a view knows about the table: events folded, one by one, into facts.

A `Table` holds nothing but what its view has shown, so it may be handed to a player, a narrator or a page
without giving anything away. It reads on from where it stopped: keep one for each view that grows.
"""

from collections.abc import Callable
from typing import Any, Literal

from arena.events import (
    Acted,
    Announced,
    Badge,
    Began,
    Dealt,
    Ended,
    Exiled,
    Exploded,
    Floor,
    Learned,
    Ordered,
    Phase,
    RedCarded,
    Revealed,
    Said,
    Shot,
    Stood,
    Tallied,
    Turned,
    View,
    Voted,
    Votes,
    Withdrew,
)
from arena.terms import Claim, Outcome, Part, Seat, record

How = Literal["night", "exile", "tie", "explode", "shot", "red_card", "chained"]
"""How a seat went out as far as the table can tell. `tie`: instead of the tied. `chained`: with another, by day."""


@record
class Speech:
    """A speech as it was heard."""

    day: int
    topic: str
    seat: Seat
    text: str
    claims: tuple[Claim, ...]


@record
class Ballot:
    """A ballot that was held: pairs of voter and target (0: abstained), by voter, and who led.

    `after`: how many speeches of the game had been heard before it.
    """

    day: int
    name: str
    votes: Votes
    leaders: tuple[Seat, ...]
    after: int


@record
class Fall:
    """A seat that the table was told is out."""

    seat: Seat
    day: int
    how: How


class Table:
    """The facts one seat knows (the spectator, seat 0: the public ones).

    - `began`: the rules, the cards and what each role is; `players` is the number of seats. `kinds`, `factions`: what
      kind of card each role is, and whom it wins with.
    - `day`, `part`: where the game stands; `nights`: how many nights' outs have been announced.
      `floor`: who has the turn, and in which topic.
    - `in_play`: seats not announced out, in order; `falls`: the others, in the order announced.
    - `sheriff` (0: nobody), `badges`: days and events; `stood`, `withdrew`: of the latest election.
    - `course`: speeches, ballots, falls and badges in the order in which they came.
    - `speeches`, `ballots`, `open_votes` (those already shown of a ballot that is going on), `orders`: by topic.
    - `revealed`: cards turned up; `exploded`: days and seats; `shots`: pairs of shooter and target.
    - `role`: the own card; `pack`: the own pack; `learned`, `acts`: days and events of what was told and done.
    """

    def __init__(self, seat: Seat) -> None:
        self.seat = seat
        self.began = Began("", {}, 0, {}, {}, {})
        self.kinds: dict[str, str] = {}
        self.factions: dict[str, str] = {}
        self.players = 0
        self.day = 0
        self.nights = 0
        self.part: Part = "night"
        self.floor: tuple[Seat, str] = (0, "")
        self.in_play: tuple[Seat, ...] = ()
        self.course: list[Speech | Ballot | Fall | Badge] = []
        self.falls: list[Fall] = []
        self.sheriff: Seat = 0
        self.badges: list[tuple[int, Badge]] = []
        self.stood: tuple[Seat, ...] = ()
        self.withdrew: tuple[Seat, ...] = ()
        self.speeches: list[Speech] = []
        self.ballots: list[Ballot] = []
        self.open_votes: dict[Seat, Seat] = {}
        self.orders: dict[str, tuple[Seat, ...]] = {}
        self.exiles: list[tuple[int, Seat]] = []
        self.revealed: dict[Seat, str] = {}
        self.exploded: list[tuple[int, Seat]] = []
        self.shots: list[tuple[Seat, Seat]] = []
        self.role = ""
        self.pack: tuple[Seat, ...] = ()
        self.learned: list[tuple[int, Learned]] = []
        self.acts: list[tuple[int, Acted]] = []
        self.outcome: Outcome | None = None
        self.cards: tuple[str, ...] = ()
        self._read = 0
        self._how: dict[Seat, How] = {}
        self._nobody_exiled = False

    def read(self, view: View) -> "Table":
        """Take in what `view` holds beyond what was read before; returns this table."""
        events = view.events
        for event in events[self._read :]:
            change = _CHANGES.get(type(event))
            if change is not None:
                change(self, event)
        self._read = len(events)
        return self

    def kind(self, role: str) -> str:
        """What kind of card `role` is: ``werewolf`` or empty."""
        return self.kinds.get(role, "")

    @property
    def victim(self) -> Seat:
        """Whom the werewolves attack in the night that goes on, as far as this seat knows (0: nobody)."""
        nights = (told for day, told in self.learned if told.key == "victim" and day == self.day and told.seats)
        return next((told.seats[0] for told in nights), 0)

    def deaths(self, day: int) -> tuple[Seat, ...]:
        """The seats that went out in night `day`, as announced."""
        return tuple(fall.seat for fall in self.falls if fall.day == day and fall.how == "night")

    @property
    def news(self) -> tuple[int, ...]:
        """Changes whenever something has come to be known; not when only the turn has passed on."""
        told = len(self.learned) + len(self.acts) + len(self.revealed)
        happened = len(self.falls) + len(self.ballots) + len(self.badges)
        return (self.day, self.nights, told, len(self.speeches), happened)

    def claims(self, about: str) -> list[tuple[Speech, Claim]]:
        """All claims of one kind, each with the speech it was made in, oldest first."""
        return [(speech, claim) for speech in self.speeches for claim in speech.claims if claim.about == about]

    def has_spoken(self, seat: Seat) -> bool:
        """Whether `seat` has had its turn in the speeches going on now."""
        topic = self.floor[1]
        for speech in reversed(self.speeches):
            if speech.day != self.day:
                break
            if speech.seat == seat and speech.topic == topic:
                return True
        return False


def _began(table: Table, event: Began) -> None:
    table.began = event
    table.kinds = {role: str(facts.get("kind", "")) for role, facts in event.roles.items()}
    table.factions = {role: str(facts.get("faction", "")) for role, facts in event.roles.items()}
    table.players = event.players
    table.in_play = tuple(range(1, event.players + 1))


def _dealt(table: Table, event: Dealt | Turned) -> None:
    if event.seat == table.seat:
        table.role = event.role


def _phase(table: Table, event: Phase) -> None:
    table.day, table.part = event.day, event.part
    table.floor = (0, "")
    table._nobody_exiled = False
    if event.part == "election":
        table.stood = table.withdrew = ()


def _learned(table: Table, event: Learned) -> None:
    table.learned.append((table.day, event))
    if event.key == "pack":
        table.pack = event.seats


def _acted(table: Table, event: Acted) -> None:
    table.acts.append((table.day, event))


def _ordered(table: Table, event: Ordered) -> None:
    table.orders[event.topic] = event.seats


def _floor(table: Table, event: Floor) -> None:
    table.floor = (event.seat, event.topic)


def _said(table: Table, event: Said) -> None:
    speech = Speech(table.day, event.topic, event.seat, event.text, event.claims)
    table.speeches.append(speech)
    table.course.append(speech)


def _stood(table: Table, event: Stood) -> None:
    table.stood = event.seats


def _withdrew(table: Table, event: Withdrew) -> None:
    table.withdrew = event.seats


def _voted(table: Table, event: Voted) -> None:
    table.open_votes.update(event.votes)


def _tallied(table: Table, event: Tallied) -> None:
    votes = tuple(sorted(table.open_votes.items()))
    ballot = Ballot(table.day, event.ballot, votes, event.leaders, len(table.speeches))
    table.ballots.append(ballot)
    table.course.append(ballot)
    table.open_votes = {}


def _badge(table: Table, event: Badge) -> None:
    table.badges.append((table.day, event))
    table.course.append(event)
    table.sheriff = event.seat


def _exiled(table: Table, event: Exiled) -> None:
    table.exiles.append((table.day, event.seat))
    table._how[event.seat] = "exile"
    table._nobody_exiled = not event.seat


def _exploded(table: Table, event: Exploded) -> None:
    table.exploded.append((table.day, event.seat))
    table._how[event.seat] = "explode"


def _shot(table: Table, event: Shot) -> None:
    table.shots.append((event.seat, event.target))
    table._how[event.target] = "shot"


def _red_carded(table: Table, event: RedCarded) -> None:
    table._how[event.seat] = "red_card"


def _announced(table: Table, event: Announced) -> None:
    untold: How = "night" if table.nights != table.day else "tie" if table._nobody_exiled else "chained"
    falls = [Fall(seat, table.day, table._how.get(seat, untold)) for seat in event.seats]
    table.falls += falls
    table.course += falls
    table._nobody_exiled = False
    table.in_play = tuple([seat for seat in table.in_play if seat not in event.seats])
    table.nights = table.day


def _revealed(table: Table, event: Revealed) -> None:
    table.revealed[event.seat] = event.role


def _ended(table: Table, event: Ended) -> None:
    table.outcome = Outcome(event.winner, event.reason, event.winners)
    table.cards = event.cards


_CHANGES: dict[type, Callable[[Table, Any], None]] = {
    Began: _began,
    Dealt: _dealt,
    Turned: _dealt,
    Phase: _phase,
    Learned: _learned,
    Acted: _acted,
    Ordered: _ordered,
    Floor: _floor,
    Said: _said,
    Stood: _stood,
    Withdrew: _withdrew,
    Voted: _voted,
    Tallied: _tallied,
    Badge: _badge,
    Exiled: _exiled,
    Exploded: _exploded,
    Shot: _shot,
    RedCarded: _red_carded,
    Announced: _announced,
    Revealed: _revealed,
    Ended: _ended,
}
