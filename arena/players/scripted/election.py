"""Standing for sheriff, withdrawing, and what becomes of the badge."""

from arena.players.scripted.ledger import SEER
from arena.players.scripted.mind import Mind, Move, offers, seats_of
from arena.players.scripted.seers import heir
from arena.players.scripted.wolves import liar
from arena.terms import PASS, Decision, Request


def stand(mind: Mind, request: Request) -> Move:
    """The seer stands, and so does who will claim to be; others as bold as they are."""
    if mind.table.role == SEER:
        return Move(Decision("stand"), ("stand_seer", {}))
    if liar(mind) == mind.seat:
        return Move(Decision("stand"), ("stand_liar", {}))
    if mind.chance("stand", mind.table.day) < 0.7 * mind.risk**2:
        return Move(Decision("stand"), ("stand", {}))
    return Move(PASS, ("sit", {}))


def withdraw(mind: Mind, request: Request) -> Move:
    """Whoever is no seer makes way for one."""
    claimed = [seat for seat in mind.ledger.seers if seat in mind.table.stood]
    if mind.seat in claimed or not claimed or mind.chance("withdraw") > 0.9:
        return Move(PASS, ("stay", {}))
    return Move(Decision("withdraw"), ("withdraw", {}))


def badge(mind: Mind, request: Request) -> Move:
    """A seer passes it by its flow, the good to whom they trust most, a werewolf to its own, if nobody sees why."""
    legal = seats_of(request, "pass_badge")
    if mind.seat in mind.ledger.seers:
        named = heir(mind, legal)
        if named or not offers(request, "tear"):
            seat = named or min(legal)
            return Move(Decision("pass_badge", (seat,)), ("badge", {"seat": seat}))
        return Move(Decision("tear"), ("tear", {}))
    if mind.is_werewolf:
        trusted = [seat for seat in legal if seat in mind.table.pack and mind.public.wolf[seat] < 0.4]
        if not trusted and offers(request, "tear"):
            return Move(Decision("tear"), ("tear", {}))
        trustee = max(trusted or legal, key=lambda seat: mind.taste("badge", seat))
    else:
        seers, verdict, opponents = mind.own.seers, mind.verdict, mind.opponents()
        trusted = [seat for seat in legal if seat not in opponents]
        trustee = max(trusted or legal, key=lambda seat: 0.5 * seers.get(seat, 0.0) - verdict[seat])
        if (not trusted or verdict[trustee] > 0.35) and offers(request, "tear"):
            return Move(Decision("tear"), ("tear", {}))
    return Move(Decision("pass_badge", (trustee,)), ("badge", {"seat": trustee}))
