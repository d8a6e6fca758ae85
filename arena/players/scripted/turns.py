"""In which order a sheriff lets the others speak."""

from arena.players.scripted.mind import Mind, Move
from arena.terms import Decision, Request, Seat


def order(mind: Mind, request: Request) -> Move:
    """The later somebody speaks, the more it has heard: that place is for those this seat trusts, or hunts with."""
    trust = {seat: float(seat in mind.table.pack) for seat in mind.table.in_play}
    if not mind.is_werewolf:
        trust = {seat: 1 - mind.own.wolf[seat] for seat in mind.table.in_play}

    def worth(act: str) -> float:
        return sum(place * trust[seat] for place, seat in enumerate(_speakers(mind, act)))

    act = max((choice.act for choice in request.choices), key=worth)
    return Move(Decision(act), ("order_lie" if mind.is_werewolf else "order", {}))


def _speakers(mind: Mind, act: str) -> list[Seat]:
    """The other seats in the order of speaking that `act` stands for: the side of whom, and which."""
    table = mind.table
    of, side = act.split("_")
    start = mind.seat if of == "self" else table.falls[-1].seat
    step = 1 if side == "left" else -1
    around = ((start - 1 + step * place) % table.players + 1 for place in range(1, table.players + 1))
    return [seat for seat in around if seat in table.in_play and seat != mind.seat]
