"""Whether claims are true."""

from collections.abc import Iterator
from dataclasses import replace
from math import comb

from arena.events import Phase, Said
from arena.terms import Claim, Seat
from arena.tournament.metrics.facts import Facts
from arena.tournament.metrics.measure import Measure
from arena.transcript import Record


class Words:
    """Claims made before everybody that cards and deeds can prove, each once a day and speaker.

    Chance is how often the same claim would be true of, or from, a seat drawn among all.
    """

    def __init__(self) -> None:
        self._said: set[tuple[Seat, Claim]] = set()

    def read(self, line: Record, facts: Facts) -> Iterator[Measure]:
        """As `Family` says."""
        if isinstance(line, Phase) and line.part == "night":
            self._said = set()
        if not isinstance(line, Said) or line.to is not None:
            return
        for claim in line.claims:
            truth = facts.truth.of(line.seat, claim)
            if truth is None or (line.seat, claim) in self._said:
                continue
            self._said.add((line.seat, claim))
            yield Measure("true_claims", line.seat, truth, _by_chance(line.seat, claim, facts))


def _by_chance(speaker: Seat, claim: Claim, facts: Facts) -> float:
    seats = range(1, facts.players + 1)
    if claim.about == "lovers":
        linked = any(facts.truth.of(speaker, replace(claim, seats=(one, two))) for one in seats for two in seats)
        return linked / comb(facts.players, 2)
    if claim.about in ("role", "side"):
        about_self = claim.seats == (speaker,)
        drawn = [seat for seat in seats if about_self or seat != speaker]
        found = [facts.truth.of(speaker, replace(claim, seats=(seat,))) for seat in drawn]
    else:
        found = [facts.truth.of(seat, claim) for seat in seats]
    return sum(map(bool, found)) / len(found)
