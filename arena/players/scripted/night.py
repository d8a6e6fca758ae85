"""What is done alone: the seer's check, the witch's potions, the guard's watch, the hunter's shot."""

from arena.players.scripted.mind import Mind, Move, offers, seats_of
from arena.terms import PASS, Decision, Request, Seat

POISON, LEAST, SURE = 0.6, 0.45, 0.85
"""How sure a cautious witch is of a werewolf before the first day has passed, anyone later, and of a claimed seer.

So sure she also has to be of one whom she has not accused in her latest speech, as long as one of those is in play.
"""
LAST_NIGHTS, LATE = 6, 0.35
"""With so many left in play a potion that is kept may never be used, and so much is enough."""
LAST_CIVILIAN, FEW = 6.0, 1.3
"""What a guard adds to the worth of who may be the last civilian, and below how many that one may be."""
SHOT = 0.8
"""How sure a hunter is who risks nothing; one who risks everything always shoots."""
LAST_SHOT = 4
"""With so many left in play, a hunter who holds fire may never see its side shoot again."""


def check(mind: Mind, request: Request) -> Move:
    """Check whoever was announced, else the seat most in doubt."""
    table = mind.table
    seen = {seat for _, seat, _ in mind.checks()}
    open_seats = [seat for seat in seats_of(request, "check") if seat not in seen and seat in table.in_play]
    if not open_seats:
        return Move(PASS, ("check_nobody", {}))
    flow = mind.ledger.seers[mind.seat].flow if mind.seat in mind.ledger.seers else ()
    for seat in flow:
        if seat in open_seats and seat not in mind.ledger.seers:
            return Move(Decision("check", (seat,)), ("check_flow", {"seat": seat}))
    belief = mind.own
    sure = [seat for seat in open_seats if belief.wolf[seat] < 0.9 and seat not in mind.ledger.seers]
    target = max(sure or open_seats, key=lambda seat: belief.wolf[seat] + 0.1 * mind.taste("check", seat))
    return Move(Decision("check", (target,)), ("check", {"seat": target}))


def potions(mind: Mind, request: Request) -> Move:
    """Save the first night's victim, later ones who are worth it; poison whoever is surely a werewolf."""
    table = mind.table
    victim = table.victim
    if offers(request, "antidote") and victim and _worth_saving(mind, victim):
        return Move(Decision("antidote"), ("save_me" if victim == mind.seat else "save", {"seat": victim}))
    target = _poison_target(mind, seats_of(request, "poison"), victim)
    if target:
        return Move(Decision("poison", (target,)), ("poison", {"seat": target, "percent": mind.percent(target)}))
    return Move(PASS, ("keep_potions", {}))


def _worth_saving(mind: Mind, victim: Seat) -> bool:
    return mind.table.day == 1 or mind.own.wolf[victim] < 0.3


def _poison_target(mind: Mind, legal: tuple[Seat, ...], victim: Seat) -> Seat:
    if mind.table.day == 1:
        return 0
    least = LEAST if len(mind.table.in_play) > LAST_NIGHTS else LATE
    need = max(least, POISON - 0.1 * mind.risk - 0.05 * mind.table.day)
    wolf, claimed, found = mind.own.wolf, mind.ledger.seers, mind.finds()
    suspects = [seat for seat in _suspects(mind, legal) if seat != victim]
    accused = [seat for seat in suspects if seat in mind.past.accused]
    first = suspects[0] if suspects else 0
    if first not in found and wolf[first] < SURE and accused:
        first = accused[0]
    # Where the first is a claimed seer of whom she is not sure enough, she keeps it: others are less suspected still.
    return first if wolf[first] > (SURE if first in claimed else need) else 0


def _suspects(mind: Mind, legal: tuple[Seat, ...]) -> list[Seat]:
    """Those of `legal` a power may be turned on, the finds of the own side's seer first: nobody it speaks for.

    Its word weighs what it is worth: a power spent can't be taken back as a vote can.
    """
    spared, found, wolf = mind.spared(), mind.finds(), mind.own.wolf
    options = [seat for seat in legal if seat not in spared]
    return sorted(options, key=lambda seat: (seat not in found, -wolf[seat] - 0.001 * mind.taste("power", seat)))


def watch(mind: Mind, request: Request) -> Move:
    """Watch over the seer one believes, else the sheriff, else whoever is most trusted."""
    table = mind.table
    legal = [seat for seat in seats_of(request, "protect") if seat in table.in_play]
    if not legal or (table.day == 1 and mind.has_card("witch")):
        return Move(PASS, ("watch_nobody", {}))
    if table.day == 1:
        # Anybody else may be a werewolf; the own seat is one the werewolves may attack for certain.
        target = mind.seat if mind.seat in legal else max(legal, key=lambda seat: mind.taste("watch", seat))
        return Move(Decision("protect", (target,)), (_why_watch(mind, target), {"seat": target}))
    seers, verdict, opponents = mind.own.seers, mind.verdict, mind.opponents()
    legal = [seat for seat in legal if seat not in opponents] or legal
    last = _last_civilians(mind)

    def worth(seat: Seat) -> float:
        value = 2.0 * seers.get(seat, 0.0) + 0.4 * (seat == table.sheriff) + 0.6 * (1 - verdict[seat])
        value += LAST_CIVILIAN * (1 - verdict[seat]) * (seat in last)
        return value + 0.3 * (seat == mind.seat) + 0.2 * mind.taste("watch", seat)

    target = max(legal, key=worth)
    return Move(Decision("protect", (target,)), (_why_watch(mind, target), {"seat": target}))


def _last_civilians(mind: Mind) -> set[Seat]:
    """Those who may be the last civilian, where its death would lose the game; nobody as long as there are others.

    That is: who claims no god's card, once the seats that are out and claimed none either were civilians but for one.
    """
    table, claimed = mind.table, mind.ledger.role
    rules = table.began.rules
    if rules["win.werewolves"] != "side":
        return set()
    dealt = sum(table.began.cards.get(role, 0) for role in rules["civilians"])
    plain = {seat for seat in range(1, table.players + 1) if claimed.get(seat) not in rules["gods"]} - {mind.seat}
    lost = sum(1 - mind.own.wolf[seat] for seat in plain.difference(table.in_play))
    return plain if dealt - lost < FEW else set()


def _why_watch(mind: Mind, target: Seat) -> str:
    return "watch_me" if target == mind.seat else "watch"


def shoot(mind: Mind, request: Request) -> Move:
    """Take the likeliest werewolf along; hold fire where it would be a guess."""
    suspects = _suspects(mind, seats_of(request, "shoot"))
    asked = SHOT * (1 - mind.risk) if len(mind.table.in_play) > LAST_SHOT else 0.0
    if not suspects or mind.own.wolf[suspects[0]] < asked:
        return Move(PASS, ("hold_fire", {}))
    target = suspects[0]
    return Move(Decision("shoot", (target,)), ("shoot", {"seat": target, "percent": mind.percent(target)}))
