"""How evenly a schedule deals out sides, cards and seats."""

from collections import Counter
from collections.abc import Iterable, Mapping

from arena.roles import ROLES
from arena.terms import Seat, record
from arena.tournament.schedule import Fixture


@record
class Balance:
    """For each competitor the number of seats on each side, of each card and of each seat that it has."""

    sides: Mapping[str, Mapping[str, int]]
    roles: Mapping[str, Mapping[str, int]]
    seats: Mapping[str, Mapping[Seat, int]]


def balance(fixtures: Iterable[Fixture]) -> Balance:
    """The balance of `fixtures`."""
    sides: dict[str, Counter[str]] = {}
    roles: dict[str, Counter[str]] = {}
    seats: dict[str, Counter[Seat]] = {}
    for fixture in fixtures:
        for competitor in sorted(set(fixture.competitors)):
            held = fixture.seats_of(competitor)
            cards = [fixture.roles[seat - 1] for seat in held]
            sides.setdefault(competitor, Counter()).update(ROLES[card].faction for card in cards)
            roles.setdefault(competitor, Counter()).update(cards)
            seats.setdefault(competitor, Counter()).update(held)
    return Balance(sides, roles, seats)
