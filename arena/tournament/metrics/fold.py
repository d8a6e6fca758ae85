"""All figures of one game, in one pass over its records."""

from collections.abc import Callable, Iterable, Sequence

from arena.tournament.metrics.beliefs import Beliefs
from arena.tournament.metrics.checks import Checks
from arena.tournament.metrics.claims import Claims
from arena.tournament.metrics.facts import Facts, Family
from arena.tournament.metrics.measure import BY_DAY, Sum
from arena.tournament.metrics.powers import Powers
from arena.tournament.metrics.survival import Survival
from arena.tournament.metrics.votes import Votes
from arena.tournament.metrics.words import Words
from arena.transcript import Record

FAMILIES: tuple[Callable[[], Family], ...] = (Votes, Survival, Claims, Words, Checks, Powers, Beliefs)

Key = tuple[str, str, str, int]


def measured(records: Iterable[Record], competitors: Sequence[str]) -> tuple[Sum, ...]:
    """What each of `competitors`, by seat from seat 1, has done in the game with these `records`."""
    facts, families = Facts(), [make() for make in FAMILIES]
    sums: dict[Key, list[float]] = {}
    known: dict[Key, bool] = {}
    for line in records:
        for family in families:
            for one in family.read(line, facts):
                day = facts.day if one.metric in BY_DAY else 0
                key = (competitors[one.seat - 1], one.metric, facts.side(one.seat), day)
                total = sums.setdefault(key, [0, 0.0, 0.0])
                total[0] += 1
                total[1] += one.got
                total[2] += one.chance or 0.0
                known[key] = one.chance is not None
        facts.read(line)
    return tuple(
        Sum(*key, int(of), round(got, 6), round(chance, 6) if known[key] else None)
        for key, (of, got, chance) in sums.items()
    )
