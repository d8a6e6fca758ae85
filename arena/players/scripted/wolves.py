"""The werewolves: what the pack has agreed on without a word, whom it attacks, and when one explodes.

The pack's plan is drawn from what all its members know (their seats and what they proposed in the first
night), so each of them comes to the same one.
"""

from collections import Counter

from arena.players.scripted.bonds import stands_apart
from arena.players.scripted.foes import is_foe
from arena.players.scripted.ledger import SEER
from arena.players.scripted.mind import PROPOSALS, Mind, Move, offers, seats_of
from arena.players.scripted.piper import scent
from arena.terms import PASS, Decision, Request, Seat

GUARDED = (1.2, 0.3)
"""What a guard takes from the worth of attacking the seer, in even nights and in odd ones."""
CHARGES = 0.15
"""How often a member of the pack backs its false seer in the open."""
WORTH = {"witch": 0.5, "guard": 0.4, "hunter": -0.3, "elder": -0.6, "little_girl": 0.4}
"""How much more than others the pack wants whoever claims one of these cards out."""
LOST = 0.7
"""How sure the table must be of a werewolf before it explodes; whether it then does is a matter of its risk."""


def companions(mind: Mind) -> tuple[Seat, ...]:
    """The other members of the pack who are in play as far as the table knows."""
    return tuple([seat for seat in mind.table.pack if seat != mind.seat and seat in mind.table.in_play])


def liar(mind: Mind) -> Seat:
    """Who of the pack claims to be the seer (0: nobody): a seer left alone in the claim would lead the village.

    Once somebody has, it stays so.
    """
    table, ledger = mind.table, mind.ledger
    if len(table.pack) < 2 or not mind.has_card(SEER):
        return 0
    for seat in ledger.seers:
        if seat in table.pack and seat not in table.revealed:
            return seat
    if table.day > 1 or SEER in table.revealed.values():
        return 0
    return table.pack[int(mind.pact("liar") * len(table.pack))]


def sides_with_liar(mind: Mind) -> bool:
    """Whether this member backs the pack's false seer (冲锋), or plays against it (倒钩).

    In a pack of two the one who backs a liar is found as soon as the liar is.
    """
    return len(mind.table.pack) > 2 and mind.pact("side", mind.seat) < CHARGES


def poses_with(mind: Mind) -> Seat:
    """Whom a werewolf says it believes, as the good would: its vote for sheriff, but nobody turned up as a foe."""
    ledger, table = mind.ledger, mind.table
    exposed = {seat for seat, role in table.revealed.items() if is_foe(table, role)}
    giver, side = ledger.giver(mind.seat), ledger.side.get(mind.seat)
    if giver and giver not in exposed:
        return giver
    posed = _planned_side(mind)
    if side and not side.dropped and side.seer in ledger.seers and side.seer not in {condemner(mind), *exposed}:
        returns = posed != side.seer and posed in mind.past.backed
        return side.seer if returns or not ledger.since(mind.seat) else posed
    return posed


def _planned_side(mind: Mind) -> Seat:
    """By the plan of the pack; who believed the seer that condemned it would call itself a werewolf."""
    fake, seer = liar(mind), real_seer(mind)
    if fake in mind.ledger.seers and (sides_with_liar(mind) or condemner(mind)):
        return fake
    if fake and seer and not sides_with_liar(mind):
        return 0 if condemner(mind) else seer
    return 0 if mind.public.seer == condemner(mind) else mind.public.seer


def hunt(mind: Mind, request: Request) -> Move:
    """Propose a victim; in later rounds, what most of the pack proposed."""
    table = mind.table
    tonight = [act for day, act in table.acts if day == table.day and act.act in PROPOSALS]
    legal = seats_of(request, "attack")
    if tonight:
        latest = {act.seat: (act.seats or (0,))[0] for act in tonight}
        ranked = Counter(latest.values())
        target = max(ranked, key=lambda seat: (ranked[seat], mind.pact("agree", table.day, seat)))
        seat = {"seat": target}
        if target in legal:
            return Move(Decision("attack", (target,)), ("hunt_agree", seat), (("hunt_agree", seat),))
        return Move(PASS, ("hunt_nobody", {}), (("hunt_nobody", {}),))
    prey = [seat for seat in legal if seat not in table.pack and seat in table.in_play]
    if not prey:
        return Move(PASS, ("hunt_nobody", {}), (("hunt_nobody", {}),))
    chances = _gods(mind)
    gods = sum(chances.values())
    values = {seat: _value(mind, seat, chances.get(seat, 0.0), gods, len(chances) - gods) for seat in prey}
    target = max(prey, key=lambda seat: values[seat])
    return Move(Decision("attack", (target,)), ("hunt", {"seat": target}), (("hunt_propose", {"seat": target}),))


def real_seer(mind: Mind) -> Seat:
    """The seer as the pack knows it: the claimant who is none of them."""
    pack = mind.table.pack
    for seat in mind.ledger.seers:
        if seat not in pack:
            return seat
    return 0


def _value(mind: Mind, seat: Seat, god: float, gods: float, civilians: float) -> float:
    """What it is worth to the pack to be rid of `seat` tonight: the side it takes away from, its power, its voice.

    `god`: how likely it holds a god's card; `gods` and `civilians`: how many of them are expected in play.
    """
    table = mind.table
    role = mind.ledger.role.get(seat, "")
    value = 1.2 * god / max(1.0, gods) + 1.2 * (1 - god) / max(1.0, civilians)
    if role == SEER:
        # One who is not believed is worth more alive: each night survived makes the claim look false.
        believed = mind.public.seers.get(seat, 0.0) * (1.2 if len(table.pack) > 2 else 0.7)
        value += believed - 0.5 - (_guarded(mind) if mind.has_card("guard") else 0.0)
    value += WORTH.get(role, 0.0)
    value += 2.0 * scent(mind, seat)
    value += 0.3 * (seat == table.sheriff) + 0.5 * (1 - mind.public.wolf[seat])
    return value + 0.4 * mind.pact("taste", table.day, seat) + 0.15 * mind.taste("hunt", seat)


def _guarded(mind: Mind) -> float:
    """How much a guard who may not watch the same seat twice running spoils an attack on the seer tonight."""
    return GUARDED[mind.table.day % 2] * mind.pact("guarded", mind.table.day)


def _gods(mind: Mind) -> dict[Seat, float]:
    """How likely each good seat in play holds a god's card."""
    table, claimed = mind.table, mind.ledger.role
    gods, civilians = table.began.rules["gods"], table.began.rules["civilians"]
    good = [seat for seat in range(1, table.players + 1) if seat not in table.pack]
    open_gods = sum([claimed.get(seat) in gods for seat in good])
    cards = sum(number for role, number in table.began.cards.items() if role in gods)
    hidden = max(0.0, cards - open_gods) / max(1, len(good) - open_gods)
    by_claim = {**dict.fromkeys(gods, 0.95), **dict.fromkeys(civilians, 0.15)}
    return {seat: by_claim.get(claimed.get(seat, ""), hidden) for seat in good if seat in table.in_play}


def condemner(mind: Mind) -> Seat:
    """The real seer, if it has told the table that this seat is a werewolf; else 0."""
    seer = real_seer(mind)
    return seer if seer and mind.ledger.seers[seer].checks.get(mind.seat) else 0


def explodes(mind: Mind, request: Request) -> bool:
    """Whether to explode now: lost for certain, and there is still something to spoil."""
    seer, claims = real_seer(mind), mind.ledger.seers
    exposed = seer and (mind.seat in claims or claims[seer].checks.get(mind.seat))
    if not exposed or seer not in mind.table.in_play:
        return False  # so it mostly is, after every speech
    if not offers(request, "explode") or not companions(mind) or stands_apart(mind.table):
        return False
    speaker, topic = mind.table.floor
    if topic.startswith("campaign"):
        # Only once all have spoken: a companion may still counter the claim.
        pays = not speaker
    else:
        pays = topic == "speech" and (not speaker or not mind.table.has_spoken(seer))
    return pays and mind.chance("explode", mind.table.day) < mind.risk and _is_lost(mind, seer)


def _is_lost(mind: Mind, seer: Seat) -> bool:
    """Whether the table believes `seer`, and so finds this seat a werewolf."""
    return mind.public.seer == seer and mind.public.wolf[mind.seat] > LOST
