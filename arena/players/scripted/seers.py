"""Playing the seer, in truth or not: which results to tell, whom to check next, who gets the badge."""

from arena.players.scripted.ledger import SEER
from arena.players.scripted.mind import Mind
from arena.players.scripted.wolves import liar
from arena.terms import Seat

CONDEMNS = 0.2
"""How often a false result names a werewolf: what helps a pack most whose table knows that share."""


def plays_seer(mind: Mind) -> bool:
    """Whether this mind speaks as the seer: it is, or claims to be."""
    return mind.table.role == SEER or mind.seat in mind.ledger.seers or liar(mind) == mind.seat


def results(mind: Mind) -> dict[Seat, bool]:
    """All results this mind stands by as a seer by now (target: whether a werewolf); none for others."""
    if not plays_seer(mind):
        return {}
    return _false_results(mind) if mind.is_werewolf else {seat: bad for _, seat, bad in mind.checks()}


def flow(mind: Mind, wanted: Seat) -> tuple[Seat, ...]:
    """Whom to check tonight and the night after: seats in doubt, and not the one `wanted` out today.

    What has been announced today stands, as far as it still can.
    """
    belief = mind.public if mind.is_werewolf else mind.own
    spoken_of = {wanted, *results(mind), *mind.ledger.seers}
    open_seats = [seat for seat in mind.others() if seat not in spoken_of]
    said = mind.past.flow
    doubt = {seat: belief.wolf[seat] + 0.1 * mind.taste("flow", seat) for seat in open_seats}
    open_seats.sort(key=lambda seat: (said.index(seat) if seat in said else len(said), -doubt[seat]))
    return tuple(open_seats[:2])


def heir(mind: Mind, legal: tuple[Seat, ...]) -> Seat:
    """Who gets the badge of a seer (0: nobody, torn).

    The first of the announced flow, if last night's check found it good; if it found a werewolf, the second.
    Where the flow says nothing, a seat that was checked and found good, else one that means nothing.
    """
    told = results(mind)
    own = mind.ledger.seers.get(mind.seat)
    first, second = (*own.flow, 0, 0)[:2] if own else (0, 0)
    if told.get(first):
        return second if second in legal and not told.get(second) else 0
    if first in told and first in legal:
        return first
    cleared = [seat for seat in legal if told.get(seat) is False]
    others = [seat for seat in legal if seat not in (first, second) and not told.get(seat)]
    belief = mind.public if mind.is_werewolf else mind.own
    return cleared[-1] if cleared else min(others, key=lambda seat: belief.wolf[seat], default=0)


def _false_results(mind: Mind) -> dict[Seat, bool]:
    """Those told before, and one for each night since: none told twice, none that the table can prove wrong."""
    own = mind.ledger.seers.get(mind.seat)
    told = dict(own.checks) if own else {}
    while len(told) < mind.table.day:
        lie = _next_lie(mind, told)
        if lie is None:
            break
        told[lie[0]] = lie[1]
    return told


def _next_lie(mind: Mind, told: dict[Seat, bool]) -> tuple[Seat, bool] | None:
    """One more seat, the announced one if it can be, and what is said of it."""
    table = mind.table
    night = len(told) + 1
    open_seats = [seat for seat in _checkable(mind, night) if seat not in told]
    own = mind.ledger.seers.get(mind.seat)
    announced = [seat for seat in (own.flow if own else ()) if seat in open_seats]
    if announced:
        return announced[0], _condemns(mind, announced[0], told, night)
    good = [seat for seat in open_seats if seat not in table.pack and not _may_be_rival(mind, seat)]
    prey = [seat for seat in good if _condemns(mind, seat, told, night)]
    if prey:
        return max(prey, key=lambda seat: mind.public.wolf[seat] + 0.5 * mind.pact("condemn", night, seat)), True
    # A companion it had cleared would fall with it.
    cleared = good or [seat for seat in open_seats if seat in table.pack]
    return (max(cleared, key=lambda seat: mind.pact("clear", night, seat)), False) if cleared else None


def _may_be_rival(mind: Mind, seat: Seat) -> bool:
    """Whether `seat` may yet claim to be the seer: to have cleared it, or condemned it, would show the lie."""
    table = mind.table
    if table.day > 1 or any(rival not in table.pack for rival in mind.ledger.seers):
        return False
    if table.floor[1] == "campaign":
        return seat in table.stood and not table.has_spoken(seat)
    return not any(speech.seat == seat for speech in table.speeches)


def _checkable(mind: Mind, night: int) -> list[Seat]:
    """The seats a seer could have checked in `night` without their cards being known."""
    table = mind.table
    gone = {fall.seat for fall in table.falls if fall.day < night or fall.how != "night"}
    known = {mind.seat, *gone, *table.revealed, *mind.ledger.seers}
    return [seat for seat in range(1, table.players + 1) if seat not in known]


def _condemns(mind: Mind, seat: Seat, told: dict[Seat, bool], night: int) -> bool:
    """Whether the lie of `night`, if it is about `seat`, names a werewolf."""
    table = mind.table
    if seat in table.pack or seat not in table.in_play or sum(told.values()) >= len(table.pack) - 1:
        return False
    return mind.pact("result", night) < CONDEMNS
