"""The votes: who voted for whom in which ballot, with what weight, and what came of it."""

from arena.events import Badge, Began, Tallied, Votes
from arena.table import Table
from arena.terms import Seat, record
from arena.transcript import Transcript
from arena.transcript.viewing import shown_to


@record
class Held:
    """A ballot: pairs of voter and target (0: abstained); `tally` and `weights` in half-votes, by seat."""

    day: int
    name: str
    votes: Votes
    weights: tuple[tuple[Seat, int], ...]
    tally: tuple[tuple[Seat, int], ...]
    leaders: tuple[Seat, ...]


def ballots(transcript: Transcript, seat: Seat) -> list[Held]:
    """The ballots that `seat` has seen counted, in order.

    Raises:
        UnusableInput: that view is not open.
    """
    view = shown_to(transcript, seat)
    table = Table(seat)
    table.read(view)
    sheriff: Seat = 0
    extra = 2
    counted = iter(table.ballots)
    held = []
    for event in view.events:
        match event:
            case Began():
                extra = round(2 * float(event.rules["sheriff.weight"]))
            case Badge():
                sheriff = event.seat
            case Tallied():
                ballot = next(counted)
                weights = tuple((voter, extra if voter == sheriff else 2) for voter, target in ballot.votes if target)
                held.append(Held(ballot.day, ballot.name, ballot.votes, weights, event.tally, ballot.leaders))
    return held
