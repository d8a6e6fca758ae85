"""Charms: whom a piper charms, who is kept from it, and how the charmed answer without words."""

from arena.players.scripted.bonds import dear
from arena.players.scripted.foes import charmed, hidden_from_charm
from arena.players.scripted.mind import Mind, Move, seats_of
from arena.table import Speech
from arena.terms import PASS, Decision, Request, Seat

YES, NO = 0.6, 0.3
"""Above which suspicion a charmed seat nods when it is asked about somebody, and below which it shakes its head."""


def charm(mind: Mind, request: Request) -> Move:
    """Charm those who will be there to the end, and leave for last those whom everybody watches or hunts."""
    tried = [seat for _, act in mind.table.acts if act.act == "charm" for seat in act.seats]
    announced = mind.table.began.rules["piper.charmed"] == "announced"
    known = charmed(mind.table) if announced else set(tried)
    fresh = [seat for seat in seats_of(request, "charm") if seat not in known]
    if not fresh:
        return Move(PASS, ("charm_nobody", {}))
    seers, sheriff = mind.public.seers, mind.table.sheriff

    def watched(seat: Seat) -> float:
        prominent = 0.6 * seers.get(seat, 0.0) + 0.4 * (seat == sheriff) + 0.4 * tried.count(seat)
        return mind.pressure(seat) + prominent + 0.3 * mind.taste("charm", seat)

    most = next(choice.most for choice in request.choices if choice.act == "charm")
    seats = tuple(sorted(sorted(fresh, key=watched)[:most]))
    return Move(Decision("charm", seats), ("charm", {"seats": seats}))


def soundproof(mind: Mind, request: Request) -> Move:
    """A guard stops the ears of somebody trusted who is not charmed yet; each seat only once, so not too early."""
    known = charmed(mind.table)
    open_seats = [seat for seat in seats_of(request, "soundproof") if seat not in known and seat in mind.table.in_play]
    if not open_seats:
        return Move(PASS, ("soundproof_nobody", {}))
    target = min(open_seats, key=lambda seat: mind.own.wolf[seat] + 0.2 * mind.taste("soundproof", seat))
    return Move(Decision("soundproof", (target,)), ("soundproof", {"seat": target}))


def scent(mind: Mind, seat: Seat) -> float:
    """How much a pack must fear that `seat` is the piper: the more are charmed, the fewer it can be."""
    hidden = [s for s in hidden_from_charm(mind.table, public=False) if s not in mind.table.pack]
    if seat not in hidden:
        return 0.0
    return (len(charmed(mind.table).intersection(mind.table.in_play)) / len(mind.table.in_play)) / len(hidden)


def gesture(mind: Mind, request: Request) -> Move:
    """Nod or shake the head to the question just put, or give no answer where this mind has none."""
    subject = asked_about(mind.table.speeches[-1])
    if not subject or subject == mind.seat:
        return Move(PASS, ("no_gesture", {}))
    if mind.is_werewolf:
        yes = subject not in mind.table.pack and subject not in dear(mind.table)
        return Move(Decision("nod" if yes else "shake"), ("gesture_lie", {"seat": subject}))
    doubt = mind.own.wolf[subject]
    if NO <= doubt <= YES:
        return Move(PASS, ("no_gesture", {}))
    return Move(Decision("nod" if doubt > YES else "shake"), ("gesture", {"seat": subject}))


def asked_about(speech: Speech) -> Seat:
    """The seat a question in `speech` is about: whom it calls for, else its first suspect (0: nobody)."""
    about = {claim.about: claim.seats[0] for claim in reversed(speech.claims) if claim.seats}
    return about.get("will_vote", about.get("suspects", 0))
