"""The little girl: when she peeks, and what a pack does that has noticed her."""

from arena.players.scripted.bonds import dear
from arena.players.scripted.foes import seen
from arena.players.scripted.mind import Mind, Move
from arena.terms import PASS, Decision, Request


def peek(mind: Mind, request: Request) -> Move:
    """Peek as boldly as she is, and no more while a werewolf she has seen is still there to be voted out."""
    known = seen(mind.table).intersection(mind.table.in_play)
    daring = 0.5 + 0.5 * mind.risk - mind.table.began.rules["girl.noticed"]
    if known or mind.chance("peek", mind.table.day) > daring:
        return Move(PASS, ("no_peek", {}))
    return Move(Decision("peek"), ("peek", {}))


def take(mind: Mind, request: Request) -> Move:
    """Take her who has seen them, unless tonight's victim is the seer they believe in; all know the same of this."""
    table = mind.table
    girl = next(told.seats[0] for _, told in reversed(table.learned) if told.key == "noticed_girl")
    victim = next((act.seats[0] for day, act in table.acts if day == table.day and act.act == "attack"), 0)
    if girl in dear(table) or mind.public.seer == victim != 0:
        return Move(PASS, ("leave_girl", {"seat": girl}))
    return Move(Decision("take"), ("take_girl", {"seat": girl}))
