"""How long werewolves are in play: the days they live through, against everybody's."""

from collections.abc import Iterator

from arena.events import Ended, Exploded, Out, Phase
from arena.terms import Seat
from arena.tournament.metrics.facts import Facts
from arena.tournament.metrics.measure import Measure
from arena.transcript import Record


class Survival:
    """Each day that a werewolf begins and ends in play.

    Chance is the share of all who began the day that end it. Who explodes has given up hiding, and who is carded has
    left: they aren't counted that day; nor is anybody whom the night before still takes along.
    """

    def __init__(self) -> None:
        self._began: set[Seat] = set()
        self._day = False

    def read(self, line: Record, facts: Facts) -> Iterator[Measure]:
        """As `Family` says."""
        match line:
            case Phase() if line.part != "night":
                if not self._day:
                    self._began, self._day = set(facts.in_play), True
            case Phase() | Ended():
                if self._day:
                    yield from self._ended(facts)
                self._day = False
            case Exploded():
                self._began.discard(line.seat)
            case Out() if line.night or line.cause == "red_card":
                self._began.discard(line.seat)

    def _ended(self, facts: Facts) -> Iterator[Measure]:
        left = self._began.intersection(facts.in_play)
        for seat in sorted(self._began):
            if facts.wolf(seat):
                yield Measure("days_survived", seat, seat in left, len(left) / len(self._began))
