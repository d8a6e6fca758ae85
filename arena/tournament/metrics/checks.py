"""What checks tell, and whether the table hears of them."""

from collections import Counter
from collections.abc import Callable, Iterator
from math import log2

from arena.events import Ended, Learned, Phase, Revealed, Said
from arena.roles import ROLES
from arena.terms import Seat, record
from arena.tournament.metrics.facts import Facts
from arena.tournament.metrics.measure import Measure
from arena.tournament.schedule import VILLAGE
from arena.transcript import Record, Replied


@record
class Check:
    """A check that was made: by whom, of whom, and the answer."""

    seat: Seat
    target: Seat
    value: str


class Checks:
    """How much each check narrows down which cards may lie where, in bits, and whether it is told in time.

    A check of the first night is luck. Chance is the mean of what all seats would have told that could be
    checked. To be told in time, a check must have been followed by a day that its maker began in play.
    """

    def __init__(self) -> None:
        self._legal: dict[Seat, tuple[Seat, ...]] = {}
        self._known: dict[Seat, dict[Seat, str]] = {}
        self._turned_up: dict[Seat, str] = {}
        self._tonight: list[Check] = []
        self._tellable: dict[Check, bool] = {}

    def read(self, line: Record, facts: Facts) -> Iterator[Measure]:
        """As `Family` says."""
        match line:
            case Replied() if line.reply.decision.act == "check":
                self._legal[line.seat] = facts.could_name(line)
            case Learned(key="checked", to=(seat,), seats=(target,)):
                yield from self._told(Check(seat, target, line.value), facts)
            case Revealed():
                self._turned_up[line.seat] = line.role
            case Phase() if line.part != "night":
                self._tellable |= {check: False for check in self._tonight if check.seat in facts.in_play}
                self._tonight = []
            case Said(to=None) if line.seat in facts.in_play:
                claimed = [claim for claim in line.claims if claim.about == "checked"]
                told = {Check(line.seat, seat, claim.value) for claim in claimed for seat in claim.seats}
                self._tellable |= dict.fromkeys(told & self._tellable.keys(), True)
            case Ended():
                for check, heard in self._tellable.items():
                    yield Measure("checks_published", check.seat, heard)

    def _told(self, check: Check, facts: Facts) -> Iterator[Measure]:
        legal = self._legal.get(check.seat, (check.target,))
        self._tonight.append(check)
        # What cards say of a seat may not be so any more, where lovers are a faction: such a check has no measure.
        bits = {seat: self._bits(check.seat, seat, facts) for seat in legal}
        if None not in bits.values():
            metric = "first_check" if facts.day == 1 else "later_checks"
            chance = sum(told or 0 for told in bits.values()) / len(bits)
            yield Measure(metric, check.seat, bits[check.target] or 0, chance)
        self._known.setdefault(check.seat, {})[check.target] = check.value

    def _bits(self, seat: Seat, target: Seat, facts: Facts) -> float | None:
        """What a check of `target` tells `seat`; None where it would contradict what is known.

        The cards that lie where one doesn't know are in any order, so an answer is as likely as its cards are many.
        """
        answer = _answers(facts)
        known = {seat: answer(facts.card(seat))}
        known |= {other: answer(role) for other, role in self._turned_up.items()}
        known |= self._known.get(seat, {})
        if target in known:
            return 0.0
        left: Counter[str] = Counter()
        for role, number in facts.cards.items():
            left[answer(role)] += number
        left.subtract(known.values())
        fitting = left[answer(facts.card(target))]
        return log2(left.total() / fitting) if fitting > 0 else None


def _answers(facts: Facts) -> Callable[[str], str]:
    """What a check says of a card."""
    learns = facts.rules["seer.learns"]
    if learns == "role":
        return lambda role: role
    if learns == "faction":
        return lambda role: "village" if ROLES[role].faction == VILLAGE else "not_village"
    return lambda role: "werewolf" if ROLES[role].kind else "not_werewolf"
