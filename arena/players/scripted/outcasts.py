"""Those who stay without a vote, or leave the vote to others: the revealed idiot, and the scapegoat."""

from arena.players.scripted.bonds import dear
from arena.players.scripted.foes import foes
from arena.players.scripted.mind import Mind, Move, Point, seats_of
from arena.players.scripted.piper import asked_about
from arena.terms import PASS, Claim, Decision, Request, Seat

GAP = 0.12
"""How much more a revealed idiot must suspect one of two, the speaker and whom it speaks against, to take sides."""

DAILY = 2
"""How often it speaks up in a day: one who always interrupts is no longer heard."""


def reveal(mind: Mind, request: Request) -> Move:
    """Turn up the card and stay: without a vote, but with a voice nobody can doubt."""
    return Move(Decision("reveal"), ("reveal", {}))


def interject(mind: Mind, request: Request) -> Move:
    """Answer the speech just heard where it accuses this seat, or gets something important wrong or right."""
    table = mind.table
    today = [s for s in table.speeches if s.seat == mind.seat and s.topic == "interjection" and s.day == table.day]
    point, claims = _answer(mind)
    if len(today) >= DAILY or not claims:
        return Move(PASS, ("listen", {}))
    return Move(Decision("speak", claims=claims), ("interject", {}), (point,))


def _answer(mind: Mind) -> tuple[Point, tuple[Claim, ...]]:
    heard, wolf = mind.table.speeches[-1], mind.own.wolf
    speaker, subject = heard.seat, asked_about(heard)
    if speaker in dear(mind.table) or not subject:
        return ("listen", {}), ()
    if subject == mind.seat:
        return ("interject_accused", {"seat": speaker}), (Claim("suspects", (speaker,)),)
    if wolf[speaker] - wolf[subject] >= GAP:
        claims = (Claim("suspects", (speaker,)), Claim("trusts", (subject,)))
        return ("interject_doubt", {"seat": speaker, "target": subject}), claims
    if wolf[subject] - wolf[speaker] >= 2 * GAP:
        return ("interject_agree", {"seat": speaker, "target": subject}), (Claim("suspects", (subject,)),)
    return ("listen", {}), ()


def name_voters(mind: Mind, request: Request) -> Move:
    """Leave tomorrow's vote to those the scapegoat trusts more than chance would; to all if there are none."""
    table, legal = mind.table, seats_of(request, "may_vote")
    voters = tuple(seat for seat in legal if mind.own.wolf[seat] < min(0.5, foes(table) / table.players))
    if not voters or len(voters) == len(legal):
        return Move(Decision("everybody"), ("everybody", {}))
    return Move(Decision("may_vote", voters), ("voters", {"seats": voters}))


def has_vote(mind: Mind) -> bool:
    """Whether this seat votes in today's exile vote, as far as it can know."""
    table = mind.table
    if mind.seat in table.revealed:
        return False
    named: list[tuple[Seat, ...]] = [
        told.seats for day, told in table.learned if told.key == "may_vote" and day == table.day - 1
    ]
    return not named or mind.seat in named[-1]
