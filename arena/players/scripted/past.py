"""What a seat has itself said and done by now, so that it blames nobody for what it did as well."""

from collections.abc import Iterator
from itertools import chain

from arena.table import Table
from arena.terms import Seat

EXILE_BALLOTS = {"vote", "runoff"}


class Past:
    """The own words and votes, read from `table`, whose holder is `seat`.

    `attacked`: all it has suspected, called for or voted for; `backed`: all it has vouched for or sided with;
    `friendly`: its latest word or vote about a seat, True for one it backed; `elected`: whom it has voted for as
    sheriff; `flow`: the checks it has announced today.
    """

    def __init__(self, table: Table, seat: Seat) -> None:
        self.friendly: dict[Seat, bool] = {}
        self.attacked: set[Seat] = set()
        self.backed: set[Seat] = set()
        self.elected: set[Seat] = set()
        self.flow: tuple[Seat, ...] = ()
        # Within a day words come before votes.
        stances = sorted(chain(_words(table, seat), _votes(table, seat)), key=lambda stance: stance[0])
        for _, target, friendly in stances:
            self.friendly[target] = friendly
            (self.backed if friendly else self.attacked).add(target)
        for ballot in table.ballots:
            if ballot.name not in EXILE_BALLOTS:
                self.elected.add(dict(ballot.votes).get(seat, 0))
        for speech, claim in table.claims("will_check"):
            if speech.seat == seat and speech.day == table.day:
                self.flow = claim.seats


def _words(table: Table, seat: Seat) -> Iterator[tuple[int, Seat, bool]]:
    for speech in table.speeches:
        if speech.seat == seat:
            for claim in speech.claims:
                if claim.about in {"suspects", "will_vote", "trusts"}:
                    yield from ((speech.day, target, claim.about == "trusts") for target in claim.seats)


def _votes(table: Table, seat: Seat) -> Iterator[tuple[int, Seat, bool]]:
    for ballot in table.ballots:
        target = dict(ballot.votes).get(seat, 0) if ballot.name in EXILE_BALLOTS else 0
        if target:
            yield ballot.day, target, False
