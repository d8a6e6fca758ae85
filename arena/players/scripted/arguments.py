"""Why one claimed seer is believed and not another: what everybody has heard and seen, for a speech to name."""

from collections import Counter
from collections.abc import Callable, Collection, Iterator

from arena.players.scripted.deeds import deeds
from arena.players.scripted.doubts import doubts, proofs
from arena.players.scripted.ledger import EXILE_BALLOTS
from arena.players.scripted.mind import Mind, Point
from arena.players.scripted.stand import Stand
from arena.terms import Seat

_NO_ARGUMENT = {"reason_two_claims", "reason_called", "reason_followed"}
"""Deeds that only say once more that there are two claims, or that others want one of them out."""


def against_rival(mind: Mind, stand: Stand, rival: Seat, said: Collection[Point] = ()) -> Point:
    """The best argument, not `said` yet, against the `rival` of the seer `stand` sides with, or of the own claim."""
    told = {"reason_rival_proof"} if "proof_find" in dict(said) else set()
    for kinds in _STRENGTHS if stand.seer else _OWN_STRENGTHS:
        points = (point for kind in kinds for point in kind(mind, stand, rival) if not _names(point, mind.seat))
        found = [point for point in points if point not in said and point[0] not in told]
        if found:
            return found[int(mind.chance("rival", mind.table.day, rival) * len(found))]
    return "reason_rival", {"seat": rival}  # to a seer its own card is the reason


def _names(point: Point, me: Seat) -> bool:
    """Whether it would have a seat speak of itself by its number."""
    return any(me in value if isinstance(value, tuple) else me == value for value in point[1].values())


def card_news(mind: Mind, stand: Stand) -> list[Point]:
    """What a card turned up since this seat last spoke says of a claimed seer's check: true, or false.

    Nothing that speaks against the seer this seat sides with, or for its rival.
    """
    table, me, side = mind.table, mind.seat, stand.seer
    spoken = [speech.day for speech in table.speeches if speech.seat == me and speech.topic == "speech"]
    last = max(spoken, default=0)
    fresh = {fall.seat for fall in table.falls if fall.day > last or (fall.day == last and fall.how != "night")}
    found: list[Point] = []
    for seer in mind.ledger.seers if fresh.intersection(table.revealed) else ():
        if seer != me and side in (0, seer) and not stand.told:
            found += proofs(table, mind.ledger, seer)
        if seer != me and seer != side:
            found += [point for point in doubts(table, mind.ledger, seer) if point[0] == "doubt_card"]
        if seer == me:
            found += [("proof_own", fields) for key, fields in proofs(table, mind.ledger, me) if key == "proof_find"]
    return [point for point in found if point[1]["target"] in fresh and not _names(point, me)][:1]


def _proven(mind: Mind, stand: Stand, rival: Seat) -> Iterator[Point]:
    for key, fields in proofs(mind.table, mind.ledger, stand.seer):
        if key == "proof_find":
            yield "reason_rival_proof", {**fields, "seat": rival, "seer": stand.seer}


def _refuted(mind: Mind, stand: Stand, rival: Seat) -> Iterator[Point]:
    yield from doubts(mind.table, mind.ledger, rival)


def _finds(mind: Mind, stand: Stand, rival: Seat) -> Iterator[Point]:
    """A find of the seer believed, where the rival has none: packs would rather clear than condemn."""
    ours, theirs = mind.ledger.seers[stand.seer].checks, mind.ledger.seers[rival].checks
    finds = [seat for seat, bad in ours.items() if bad and seat not in (mind.seat, rival)]
    if finds and theirs and not any(theirs.values()):
        yield "reason_rival_soft", {"seat": rival, "seer": stand.seer, "target": finds[-1]}


def _backing(mind: Mind, stand: Stand, rival: Seat) -> Iterator[Point]:
    """Who stands by which of the two, in words or with the vote for sheriff: the own seat left aside."""
    ledger, me = mind.ledger, mind.seat
    sides = {seat: side.seer for seat, side in ledger.side.items() if seat not in (me, side.seer) and not side.dropped}
    for seat, side in sides.items():
        if side == rival and stand.bad(seat):
            yield "reason_rival_company", {"seat": rival, "target": seat}
        if side == stand.seer and ledger.seers[rival].checks.get(seat) is False:
            yield "reason_rival_refused", {"seat": rival, "target": seat, "seer": side}
    backers = tuple(sorted(seat for seat, side in sides.items() if stand.seer and side == stand.seer))
    if backers and rival not in sides.values():
        yield "reason_rival_alone", {"seat": rival, "seer": stand.seer, "backers": backers[:3]}


def _badge(mind: Mind, stand: Stand, rival: Seat) -> Iterator[Point]:
    """More votes for the badge, in the latest ballot in which both of the two could be elected."""
    held = [ballot for ballot in mind.table.ballots if ballot.name not in EXILE_BALLOTS]
    votes = Counter(target for ballot in held[-1:] for _, target in ballot.votes)
    if votes[stand.seer] > votes[rival] > 0:
        yield "reason_rival_badge", {"seat": rival, "seer": stand.seer}


def _deeds(mind: Mind, stand: Stand, rival: Seat) -> Iterator[Point]:
    yield from (point for point in deeds(mind, stand, rival) if point[0] not in _NO_ARGUMENT)


def _order(mind: Mind, stand: Stand, rival: Seat) -> Iterator[Point]:
    """Which of the two claims came first, and which against the other."""
    order = list(mind.ledger.seers)
    later = order.index(rival) > order.index(stand.seer)
    yield "reason_rival_after" if later else "reason_rival_before", {"seat": rival, "seer": stand.seer}


_Kind = Callable[[Mind, Stand, Seat], Iterator[Point]]
_STRENGTHS: tuple[tuple[_Kind, ...], ...] = ((_proven, _refuted), (_finds, _backing, _badge, _deeds), (_order,))
_OWN_STRENGTHS: tuple[tuple[_Kind, ...], ...] = ((_refuted,), (_backing, _deeds))
"""Kinds of arguments, the strongest first: for those who side with a seer, and for one who is, or claims to be, it."""
