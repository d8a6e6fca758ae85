"""How good suspicions are: how likely each seat is called a werewolf, against the cards."""

from collections.abc import Iterator
from math import log2

from arena.tournament.metrics.facts import Facts, share
from arena.tournament.metrics.measure import Measure
from arena.transcript import Record, Replied

SUREST = 0.99
"""No suspicion counts as surer than this, so that a single mistake doesn't cost without bounds."""


class Beliefs:
    """The log score of each suspicion that a seat without a werewolf's card states of another in play, in bits.

    Chance is the score of who knows how many werewolves are among the others, and nothing more.
    """

    def read(self, line: Record, facts: Facts) -> Iterator[Measure]:
        """As `Family` says."""
        if not isinstance(line, Replied) or not line.reply.beliefs or facts.wolf(line.seat):
            return
        others = [seat for seat in facts.in_play if seat != line.seat]
        base = share([seat for seat in others if facts.wolf(seat)], others)
        for seat, chance in line.reply.beliefs:
            if seat in others:
                truth = facts.wolf(seat)
                yield Measure("beliefs", line.seat, _score(chance, truth), _score(base, truth))


def _score(chance: float, truth: bool) -> float:
    bounded = min(max(chance, 1 - SUREST), SUREST)
    return log2(bounded if truth else 1 - bounded)
