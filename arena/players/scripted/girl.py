"""The little girl: when she peeks, and what a pack does that has noticed her."""

from arena.players.scripted.bonds import dear
from arena.players.scripted.foes import seen
from arena.players.scripted.mind import Mind, Move, offers
from arena.terms import PASS, Decision, Request

MOST_TO_LOSE = 1.5
"""What a timid girl has to lose by being noticed, where to see a werewolf unnoticed is worth 1."""


def peek(mind: Mind, request: Request) -> Move:
    """Peek where what she may learn outweighs the risk, and not while a werewolf she has seen may yet be voted out.

    Noticed, she may be taken and all is lost; but then the pack's first victim lives. What that is worth to her is a
    matter of temper.
    """
    known = seen(mind.table).intersection(mind.table.in_play)
    noticed, loss = mind.table.began.rules["girl.noticed"], MOST_TO_LOSE - mind.risk
    if known or noticed * loss > 1 - noticed:
        return Move(PASS, ("no_peek", {}))
    return Move(Decision("peek"), ("peek", {}))


def take(mind: Mind, request: Request) -> Move:
    """Take her who has seen them, unless tonight's victim is the seer they believe in; all know the same of this."""
    table = mind.table
    girl = next(told.seats[0] for _, told in reversed(table.learned) if told.key == "noticed_girl")
    victim = next((act.seats[0] for day, act in table.acts if day == table.day and act.act == "attack"), 0)
    if not offers(request, "take") or girl in dear(table) or mind.public.seer == victim != 0:
        return Move(PASS, ("leave_girl", {"seat": girl}))
    return Move(Decision("take"), ("take_girl", {"seat": girl}))
