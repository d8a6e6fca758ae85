"""Whom poison, shots, guards, antidotes and packs meet."""

from collections.abc import Iterator

from arena.events import Acted, Ended, Marked, Out, Phase
from arena.roles import ABILITIES, ROLES
from arena.terms import Seat
from arena.tournament.metrics.facts import Facts, share
from arena.tournament.metrics.measure import Measure
from arena.transcript import Record, Replied

_HARM = {"poison": "poison", "antidote_and_poison": "poison", "shoot": "shots"}
"""The acts that put a seat out, and the figure they belong to."""

WATCHED, HEALED = "protected", "healed"

_STOPPED = {ability.kills for ability in ABILITIES.values() if WATCHED in ability.stopped_by}
"""The marks of attacks that a guard stops."""

_PRIZE, _PLAIN = 2.0, 1.0
"""What a card with a power counts, and any other of one's own side; an enemy counts nothing."""


class Powers:
    """What powers were used on, against a draw among those they could have been used on.

    Poison and shots are right where they meet another side; a guard where the attack comes, in nights with an attack
    that it could have stopped; a pack attacks its own by design. What an antidote or a guard *saves* is the weight of
    the seat that an attack then leaves in play: 2 for a card that counts as a god, 1 for another of the same side,
    0 for an enemy or where it was in vain.
    """

    def __init__(self) -> None:
        self._watches: dict[Seat, tuple[Seat, tuple[Seat, ...]]] = {}
        self._healed: dict[Seat, Seat] = {}
        self._attacked: set[Seat] = set()
        self._out: set[Seat] = set()
        self._prey: dict[Seat, tuple[Seat, ...]] = {}

    def read(self, line: Record, facts: Facts) -> Iterator[Measure]:
        """As `Family` says."""
        match line:
            case Replied() if line.reply.decision.seats:
                yield from self._used(line, facts)
            case Acted(act="attack"):
                yield from self._pack(line, facts)
            case Marked():
                self._mark(line)
            case Out():
                self._out.add(line.seat)
            case Phase() | Ended():
                yield from self._dawn(facts)

    def _used(self, line: Replied, facts: Facts) -> Iterator[Measure]:
        act, target = line.reply.decision.act, line.reply.decision.seats[0]
        legal = facts.could_name(line)
        if act in _HARM:
            enemies = [seat for seat in legal if facts.side(seat) != facts.side(line.seat)]
            yield Measure(_HARM[act], line.seat, target in enemies, share(enemies, legal))
        elif act == "protect":
            self._watches[line.seat] = (target, legal)
        elif act == "attack":
            self._prey[line.seat] = legal

    def _pack(self, line: Acted, facts: Facts) -> Iterator[Measure]:
        for seat in line.to or ():
            prey = self._prey.get(seat, ())
            own = [other for other in prey if facts.wolf(other)]
            if own:
                yield Measure("own_attacked", seat, line.seats[0] in own, share(own, prey))

    def _mark(self, line: Marked) -> None:
        if line.mark in _STOPPED:
            self._attacked.add(line.seat)
        elif line.mark == HEALED:
            self._healed[line.by] = line.seat

    def _dawn(self, facts: Facts) -> Iterator[Measure]:
        """The night is over. Where none was, nothing is left to say."""
        table = (*facts.in_play, *self._out)
        for guard, (target, legal) in self._watches.items():
            if self._attacked.intersection(legal):
                yield Measure("guards", guard, target in self._attacked, share(self._attacked, legal))
                chance = sum(_weight(guard, seat, facts) for seat in legal if seat in self._attacked) / len(legal)
                kept = target in self._attacked and target not in self._out
                yield Measure("saved", guard, kept * _weight(guard, target, facts), chance)
        for healer, target in self._healed.items():
            chance = sum(_weight(healer, seat, facts) for seat in table) / len(table)
            yield Measure("saved", healer, (target not in self._out) * _weight(healer, target, facts), chance)
        self._watches, self._healed, self._attacked, self._out = {}, {}, set(), set()


def _weight(own: Seat, seat: Seat, facts: Facts) -> float:
    if facts.side(seat) != facts.side(own):
        return 0.0
    return _PRIZE if ROLES[facts.card(seat)].side == "gods" else _PLAIN
