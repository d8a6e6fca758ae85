"""Whom the ballots of an exile name, and whether they decide it."""

from collections import Counter
from collections.abc import Iterator, Mapping

from arena.events import Tallied, Voted
from arena.terms import Seat
from arena.tournament.metrics.facts import EXILE, Facts, ballot, share
from arena.tournament.metrics.measure import Measure
from arena.transcript import Record


class Votes:
    """Votes of the village on werewolves, of werewolves on their own, and votes without which the exile is another."""

    def __init__(self) -> None:
        self._cast: dict[Seat, Seat] = {}

    def read(self, line: Record, facts: Facts) -> Iterator[Measure]:
        """As `Family` says."""
        if isinstance(line, Voted) and line.ballot in EXILE:
            self._cast.update(line.votes)
        elif isinstance(line, Tallied) and line.ballot in EXILE:
            yield from _decisive(line.ballot, self._cast, facts)
            self._cast = {}
        elif vote := ballot(line, facts):
            wolves = [seat for seat in vote.others if facts.wolf(seat)]
            if facts.of_village(vote.voter):
                yield Measure("votes_on_wolves", vote.voter, vote.target in wolves, share(wolves, vote.others))
            elif facts.wolf(vote.voter):
                yield Measure("votes_on_own", vote.voter, vote.target in wolves, share(wolves, vote.others))


def _decisive(name: str, cast: Mapping[Seat, Seat], facts: Facts) -> Iterator[Measure]:
    """Chance is the share of such votes in the ballot: what a voter drawn among all would have cast."""
    voters = [voter for voter, target in cast.items() if target]
    decisive = deciding(name, cast, facts)
    for voter in voters:
        yield Measure("decisive_votes", voter, voter in decisive, len(decisive) / len(voters))


def deciding(name: str, cast: Mapping[Seat, Seat], facts: Facts) -> set[Seat]:
    """Those without whose vote the ballot `name` would have come out differently."""
    result = _result(name, cast, facts)
    return {voter for voter, target in cast.items() if target and _result(name, {**cast, voter: 0}, facts) != result}


def half_votes(voter: Seat, facts: Facts) -> int:
    """What a vote counts, in halves."""
    return int(2 * facts.rules["sheriff.weight"]) if voter == facts.sheriff else 2


def _result(name: str, cast: Mapping[Seat, Seat], facts: Facts) -> Seat:
    """Whom a ballot is against; 0 for nobody, or a tie that others settle."""
    tally: Counter[Seat] = Counter()
    for voter, target in cast.items():
        if target:
            tally[target] += half_votes(voter, facts)
    most = max(tally.values(), default=0)
    leaders = [seat for seat, count in tally.items() if count == most]
    if len(leaders) == 1:
        return leaders[0]
    breaks = name == "vote" and facts.rules["sheriff.breaks_tie"] == "own_vote"
    choice = cast.get(facts.sheriff, 0) if breaks else 0
    return choice if choice in leaders else 0
