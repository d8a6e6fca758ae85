"""What a seat has itself said and done by now, so that it blames nobody for what it did as well."""

from arena.players.scripted.ledger import EXILE_BALLOTS
from arena.table import Ballot, Speech, Table
from arena.terms import Seat

_OPPOSES = {"suspects", "will_vote"}


class Past:
    """The own words and votes of `seat`, read from its table step by step.

    `attacked`: all it has suspected, called for or voted for; `backed`: all it has vouched for or sided with;
    `friendly`: its latest word or vote about a seat, True for one it backed, and `backed_at` how many speeches had then
    been heard; `elected`: whom it has voted for as sheriff; `flow`: the checks it has announced today.
    """

    def __init__(self, seat: Seat) -> None:
        self.seat = seat
        self.friendly: dict[Seat, bool] = {}
        self.backed_at: dict[Seat, int] = {}
        self.attacked: set[Seat] = set()
        self.backed: set[Seat] = set()
        self.elected: set[Seat] = set()
        self.flow: tuple[Seat, ...] = ()
        self._day = 0
        self._speeches = self._ballots = 0

    def read(self, table: Table) -> None:
        """Take in what `table` has learnt since the last time."""
        if table.day != self._day:
            self._day, self.flow = table.day, ()
        for ballot in table.ballots[self._ballots :]:
            self._hear(table, ballot.after)
            self._vote(ballot)
        self._ballots = len(table.ballots)
        self._hear(table, len(table.speeches))

    def _hear(self, table: Table, until: int) -> None:
        for heard in range(self._speeches, until):
            if table.speeches[heard].seat == self.seat:
                self._say(table.speeches[heard], heard + 1)
        self._speeches = until

    def _say(self, speech: Speech, heard: int) -> None:
        for claim in speech.claims:
            if claim.about == "trusts":
                for seat in claim.seats:
                    self._back(seat, heard)
            elif claim.about in _OPPOSES:
                for seat in claim.seats:
                    self._oppose(seat)
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
