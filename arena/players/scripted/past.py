"""What a seat has itself said and done by now, so that it blames nobody for what it did as well."""

from arena.players.scripted.ledger import EXILE_BALLOTS
from arena.table import Ballot, Speech, Table
from arena.terms import Seat

_OPPOSES = {"suspects", "will_vote"}


class Past:
    """The own words and votes of `seat`, read from its table step by step.

    `attacked`: all it has suspected, called for, voted for, poisoned or shot, the last two being `harmed`; `backed`:
    all it has vouched for or sided with; `friendly`: its latest word or vote about a seat, True for one it backed, and
    `backed_at` how many speeches had then been heard; `vouched`: the same of its words alone; `elected`: whom it has
    voted for as sheriff; `accused`: the suspects of its latest speech; `flow`: the checks announced today.
    """

    def __init__(self, seat: Seat) -> None:
        self.seat = seat
        self.friendly: dict[Seat, bool] = {}
        self.vouched: dict[Seat, bool] = {}
        self.backed_at: dict[Seat, int] = {}
        self.attacked: set[Seat] = set()
        self.harmed: set[Seat] = set()
        self.backed: set[Seat] = set()
        self.elected: set[Seat] = set()
        self.accused: tuple[Seat, ...] = ()
        self.flow: tuple[Seat, ...] = ()
        self._day = 0
        self._speeches = self._ballots = self._harms = 0

    def read(self, table: Table) -> None:
        """Take in what `table` has learnt since the last time."""
        if table.day != self._day:
            self._day, self.flow = table.day, ()
        for ballot in table.ballots[self._ballots :]:
            self._hear(table, ballot.after)
            self._vote(ballot)
        self._ballots = len(table.ballots)
        self._hear(table, len(table.speeches))
        if len(table.acts) + len(table.shots) > self._harms:
            self._harm(table)

    def _harm(self, table: Table) -> None:
        """Whoever this seat has poisoned or shot."""
        self._harms = len(table.acts) + len(table.shots)
        poisoned = [act.seats[0] for _, act in table.acts if act.act == "poison" and act.seat == self.seat]
        for seat in (*poisoned, *(target for shooter, target in table.shots if shooter == self.seat)):
            self._oppose(seat)
            self.harmed.add(seat)

    def _hear(self, table: Table, until: int) -> None:
        for heard, speech in enumerate(table.speeches[self._speeches : until], start=self._speeches + 1):
            if speech.seat == self.seat:
                self._say(speech, heard)
        self._speeches = until

    def _say(self, speech: Speech, heard: int) -> None:
        self.accused = next((claim.seats for claim in speech.claims if claim.about == "suspects"), ())
        for claim in speech.claims:
            if claim.about == "trusts":
                for seat in claim.seats:
                    self._back(seat, heard)
                    self.vouched[seat] = True
            elif claim.about in _OPPOSES:
                for seat in claim.seats:
                    self._oppose(seat)
                    self.vouched[seat] = False
            elif claim.about == "will_check" and speech.day == self._day:
                self.flow = claim.seats

    def _vote(self, ballot: Ballot) -> None:
        target = dict(ballot.votes).get(self.seat, 0)
        if target and ballot.name in EXILE_BALLOTS:
            self._oppose(target)
        elif target:
            self.elected.add(target)

    def _back(self, seat: Seat, heard: int) -> None:
        self.backed.add(seat)
        self.friendly[seat] = True
        self.backed_at[seat] = heard

    def _oppose(self, seat: Seat) -> None:
        self.attacked.add(seat)
        self.friendly[seat] = False
        self.backed_at.pop(seat, None)
