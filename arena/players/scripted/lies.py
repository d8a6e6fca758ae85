"""The results a false seer tells: one for each night, none told twice, none that the table can prove wrong."""

from arena.players.scripted.mind import Mind
from arena.terms import Seat

CONDEMNS = 0.45
"""How often a false result names a werewolf."""


def false_checks(mind: Mind) -> list[tuple[Seat, bool]]:
    """All results to tell by now: those told before, and one for each night since."""
    own = mind.ledger.seers.get(mind.seat)
    told = dict(own.checks) if own else {}
    while len(told) < mind.table.day:
        lie = _next_lie(mind, told)
        if lie is None:
            break
        told[lie[0]] = lie[1]
    return list(told.items())


def _next_lie(mind: Mind, told: dict[Seat, bool]) -> tuple[Seat, bool] | None:
    """One more seat, and what is said of it."""
    table = mind.table
    night = len(told) + 1
    gone = {fall.seat for fall in table.falls if fall.day < night or fall.how != "night"}
    open_seats = [
        seat
        for seat in range(1, table.players + 1)
        if seat not in gone
        and seat not in told
        and seat != mind.seat
        and seat not in table.revealed
        and seat not in mind.ledger.seers
    ]
    good = [seat for seat in open_seats if seat not in table.pack]
    pack = [seat for seat in open_seats if seat in table.pack]
    wolves = len(table.pack)
    condemned = sum(told.values())
    draw = mind.pact("result", night)
    alive = [seat for seat in good if seat in table.in_play]
    if alive and condemned < wolves - 1 and draw < CONDEMNS:
        return max(alive, key=lambda seat: mind.public.wolf[seat] + 0.5 * mind.pact("condemn", night, seat)), True
    if pack and (draw > 0.8 or not good):
        return pack[0], False
    if good:
        return max(good, key=lambda seat: mind.pact("clear", night, seat)), False
    return None
