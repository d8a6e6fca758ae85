"""Cupid's choice, and the nights of those whom love or their card has set apart from the pack."""

from arena.players.scripted.aims import outgrown
from arena.players.scripted.mind import Mind, Move, offers, seats_of
from arena.terms import PASS, Decision, Request, Seat


def link(mind: Mind, request: Request) -> Move:
    """Link two seats: now and then its own, to have an ally for certain. Nothing is known of anybody yet.

    A cupid who stays with the village in any case gains nothing by lovers; a cautious one then links nobody.
    """
    loyal = mind.table.began.rules["cupid.sides"] == "village"
    if loyal and offers(request, "pass") and mind.chance("link") > mind.risk:
        return Move(PASS, ("link_nobody", {}))
    others = [seat for seat in seats_of(request, "link") if seat != mind.seat]
    others.sort(key=lambda seat: mind.taste("link", seat))
    itself = not loyal and mind.chance("link", "myself") < 0.15 + 0.3 * mind.risk
    if itself:
        return Move(Decision("link", (mind.seat, others[0])), ("link_me", {"seat": others[0]}))
    return Move(Decision("link", (others[0], others[1])), ("link", {"seats": (others[0], others[1])}))


def attack_alone(mind: Mind, request: Request) -> Move:
    """Attack as a widow: a believed seer first, else whoever the table trusts most."""
    prey = seats_of(request, "attack")
    if not prey:
        return Move(PASS, ("hunt_nobody", {}))
    seers, wolf = mind.public.seers, mind.public.wolf

    def worth(seat: Seat) -> float:
        return seers.get(seat, 0.0) - wolf[seat] + 0.3 * (seat == mind.table.sheriff) + 0.2 * mind.taste("hunt", seat)

    target = max(prey, key=worth)
    return Move(Decision("attack", (target,)), ("hunt", {"seat": target}))


def betray(mind: Mind, request: Request) -> Move:
    """A white wolf turns on the pack only once it no longer needs it against the village."""
    target = outgrown(mind, seats_of(request, "betray"))
    if not target:
        return Move(PASS, ("spare_pack", {}))
    return Move(Decision("betray", (target,)), ("betray", {"seat": target}))
