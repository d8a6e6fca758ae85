"""Whom to vote for, to exile and as sheriff."""

from arena.players.scripted.aims import is_swayed, own_aim, votable
from arena.players.scripted.contested import undisputed
from arena.players.scripted.mind import DEFAULT, Mind, Move, Point, offers, seats_of
from arena.players.scripted.seers import plays_seer, results
from arena.players.scripted.wolves import companions, condemner, liar, poses_with, real_seer, sides_with_liar
from arena.terms import PASS, Decision, Request, Seat

CALL = 0.4
SHERIFFS_CALL = 0.1
KEPT = 0.5
"""How much a call adds to a suspicion, in chances: of the whole table, of a sheriff who is believed to be the seer.

And how much the own announcement does, once there is news.
"""
STALE = 0.5
"""What is left of a call once the called seat has claimed a god's card."""
CLEARED_UP = 0.06
"""Down to which suspicion an announcement binds: it doesn't if what came since has cleared the seat."""
STOOD_BY = 0.1
"""How much having last spoken up for a seat takes away: a change of mind needs more than a first thought."""


def target(mind: Mind, seats: tuple[Seat, ...]) -> Seat:
    """Whom among `seats` this mind wants exiled (0: nobody of them).

    What it has announced today stands, until it hears something new.
    """
    options = votable(mind, seats)
    if not options:
        return 0
    aim = own_aim(mind, options)
    if aim:
        return aim
    if mind.is_werewolf and _pack_decides(mind):
        return _joint_target(mind, options)
    pledge = mind.ledger.pledge.get(mind.seat, 0)
    if pledge in options and not mind.ledger.has_news_for(mind.seat) and not _is_called(mind, options):
        return pledge
    told = results(mind)
    found = [seat for seat in options if told.get(seat)]
    if found:
        return pledge if pledge in found else found[-1]
    options = [seat for seat in options if told.get(seat) is not False]
    if not options:
        return 0
    if plays_seer(mind):
        options = _against_the_rival(mind, options)
    return _werewolfs_target(mind, options, pledge) if mind.is_werewolf else _good_target(mind, options, pledge)


def _against_the_rival(mind: Mind, options: list[Seat]) -> list[Seat]:
    """Those of `options` a seer goes for who has found none of them: its rival, or those who side with that one.

    Where there are none, at least nobody who sides with the seer itself.
    """
    ledger = mind.ledger
    sides = {seat: side.seer for seat, side in ledger.side.items() if side.seer != seat and not side.dropped}
    rivals = ledger.seers.keys() - {mind.seat, *mind.table.pack}
    return (
        [seat for seat in options if seat in rivals]
        or [seat for seat in options if sides.get(seat) in rivals and seat not in mind.table.pack]
        or [seat for seat in options if sides.get(seat) != mind.seat]
        or options
    )


def _is_called(mind: Mind, options: list[Seat]) -> bool:
    """Whether a sheriff this mind believes to be the seer has called for one of `options`."""
    sheriff, ledger = mind.table.sheriff, mind.ledger
    if sheriff not in ledger.seers or ledger.pledge.get(sheriff) not in options:
        return False
    return not mind.is_werewolf and sheriff == mind.side


def _good_target(mind: Mind, options: list[Seat], pledge: Seat) -> Seat:
    """The likeliest werewolf for one who takes the seer it sides with for real: first those that one condemned.

    Whoever claims the own card, or one that lies face up, comes next: of that no seer needs to tell.
    """
    side = mind.side
    wolf = mind.verdict
    liars = [seat for seat in mind.liars() if seat in options]
    if side:
        spared = mind.ledger.spared_by(side)
        options = (
            [seat for seat in options if mind.ledger.seers[side].checks.get(seat)]
            or liars
            or [seat for seat in options if seat not in spared]
            or options
        )
    elif liars:
        options = liars
    calls, taste = _calls(mind), mind.tastes("vote")
    if _is_answered(mind, pledge, mind.seat):
        pledge = 0
    return max(
        options,
        key=lambda seat: wolf[seat] + calls.get(seat, 0.0) + _bound(mind, seat, pledge, wolf) + 0.04 * taste[seat],
    )


def _is_answered(mind: Mind, called: Seat, caller: Seat) -> bool:
    """Whether `called` has claimed a god's card since `caller` spoke, undisputed: news that frees a vote."""
    return mind.ledger.has_claimed_since(called, caller) and bool(undisputed(mind.table, mind.ledger, called))


def _bound(mind: Mind, seat: Seat, pledge: Seat, wolf: list[float]) -> float:
    """What this mind's own words weigh for or against a vote for `seat`, its `pledge` among them, as it looks now."""
    kept = seat == pledge and wolf[seat] > CLEARED_UP
    return KEPT * kept - STOOD_BY * (seat in mind.past.backed_at)


def _calls(mind: Mind) -> dict[Seat, float]:
    """What the announced votes of others weigh: a village that splits its votes loses them."""
    table, belief = mind.table, mind.own
    calls: dict[Seat, float] = {}
    for caller, called in mind.ledger.pledge.items():
        if caller != mind.seat:
            trust = 1 - belief.wolf[caller]
            leads = caller == table.sheriff and caller == mind.side
            weight = CALL / len(table.in_play) + (SHERIFFS_CALL if leads else 0.0)
            if called in mind.ledger.role and _is_answered(mind, called, caller):
                weight *= STALE
            calls[called] = calls.get(called, 0.0) + weight * trust
    return calls


def _werewolfs_target(mind: Mind, options: list[Seat], pledge: Seat) -> Seat:
    """A good seat that can be pushed out; a companion who is lost anyway, for the looks of it."""
    lost = mind.next_to_go()
    if lost in companions(mind) and lost in options and mind.pressure(lost) > 1.1 and _lets_go(mind, lost):
        return lost
    seer = real_seer(mind)
    if condemner(mind) in options:
        return seer
    prey = [seat for seat in options if seat not in mind.table.pack]
    prey = _as_posed(mind, options) or prey
    wolf, taste = mind.public.wolf, mind.tastes("vote")

    def worth(seat: Seat) -> float:
        return mind.pressure(seat) + _bound(mind, seat, pledge, wolf) + 0.02 * taste[seat]

    return max(prey, key=worth, default=0)


def _pack_decides(mind: Mind) -> bool:
    """Whether the pack has more votes than all the others: there is nobody left to look good for."""
    table = mind.table
    votes = {seat: 3 if seat == table.sheriff else 2 for seat in table.in_play}  # halves of a vote
    return 2 * sum(votes[seat] for seat in votes if seat in table.pack) > sum(votes.values())


def _joint_target(mind: Mind, options: list[Seat]) -> Seat:
    """Whom such a pack votes out, all its members alike, and as its false seer would have it."""
    ledger, false = mind.ledger, liar(mind)
    prey = [seat for seat in options if seat not in mind.table.pack]
    if false in ledger.seers and false not in mind.table.revealed:
        checks = results(mind) or ledger.seers[false].checks
        open_seats = [seat for seat in prey if checks.get(seat) is not False]
        backers = {seat for seat, side in ledger.side.items() if side.seer == false and not side.dropped}
        prey = (
            [seat for seat in prey if checks.get(seat)]
            or [seat for seat in prey if seat in ledger.seers]
            or [seat for seat in open_seats if seat not in backers]
            or open_seats
            or prey
        )
    return max(prey, key=lambda seat: mind.pressure(seat) + 0.02 * mind.pact("decide", mind.table.day, seat), default=0)


def _as_posed(mind: Mind, options: list[Seat]) -> list[Seat]:
    """Those of `options` whom the seer that a werewolf poses with would have out: it votes as it talks.

    First whom that one has found, then its rivals, as the good do; to let them go would give the werewolf away.
    """
    ledger, side = mind.ledger, poses_with(mind)
    if not side or side == mind.seat:
        return []
    found = [seat for seat in options if ledger.seers[side].checks.get(seat)]
    rivals = [seat for seat in options if seat in ledger.seers and seat != side]
    return found or rivals


def _lets_go(mind: Mind, lost: Seat) -> bool:
    return not sides_with_liar(mind) or mind.chance("bus", mind.table.day, lost) < 0.5


def vote(mind: Mind, request: Request) -> Move:
    """Vote to exile. Where seats are called one by one: wait for the one wanted."""
    legal = seats_of(request, "vote")
    wanted = _awaited(mind) if offers(request, "wait") else target(mind, legal)
    if not wanted:
        return Move(PASS, ("abstain", {}))
    why = _why(mind, wanted)
    if offers(request, "wait"):
        called = mind.table.floor[0]
        if wanted == called and wanted in legal:
            return Move(Decision("vote", (wanted,)), why)
        return Move(Decision("wait") if wanted in legal else PASS, ("wait", {"seat": wanted}))
    return Move(Decision("vote", (wanted,)), why)


def _awaited(mind: Mind) -> Seat:
    """Whom to wait for: the same seat from call to call, except that raised hands sway a scapegoat."""
    news, wanted = mind.awaited
    if news != mind.table.news or is_swayed(mind):
        wanted = target(mind, mind.table.in_play)
        mind.awaited = mind.table.news, wanted
    return wanted


def elect(mind: Mind, request: Request) -> Move:
    """Vote for a sheriff."""
    legal = seats_of(request, "vote")
    calling = offers(request, "wait")
    wanted = _candidate(mind, legal)
    if not wanted:
        return Move(PASS, ("abstain", {}))
    why = ("elect", {"seat": wanted})
    if calling and wanted != mind.table.floor[0]:
        return Move(Decision("wait"), ("wait", {"seat": wanted}))
    return Move(Decision("vote", (wanted,)), why)


def _candidate(mind: Mind, legal: tuple[Seat, ...]) -> Seat:
    options = [seat for seat in legal if seat != mind.seat]
    if not options:
        return 0
    backed = mind.ledger.giver(mind.seat) or (_packs_candidate(mind) if mind.is_werewolf else 0)
    if backed in options:
        return backed
    belief = mind.public if mind.is_werewolf else mind.own
    return max(
        options, key=lambda seat: 1.5 * belief.seers.get(seat, 0.0) - belief.wolf[seat] + 0.2 * mind.taste("vote", seat)
    )


def _packs_candidate(mind: Mind) -> Seat:
    """The pack's false seer, or the real one for some of those who are to look good beside it.

    The smaller the pack, the less its votes can decide, and the more they give away.
    """
    hooks = (
        not sides_with_liar(mind)
        and not condemner(mind)
        and mind.pact("elect", mind.seat) < 1.3 / (len(mind.table.pack) - 0.5)
    )
    return real_seer(mind) if hooks else liar(mind)


def decide(mind: Mind, request: Request) -> Move:
    """The sheriff decides a tie."""
    wanted = target(mind, seats_of(request, "exile"))
    if not wanted:
        return Move(PASS, ("abstain", {}))
    return Move(Decision("exile", (wanted,)), _why(mind, wanted))


def _why(mind: Mind, wanted: Seat) -> Point:
    if not mind.words:
        return DEFAULT  # and no belief asked for what nobody will read
    if not mind.is_werewolf:
        return "vote", {"seat": wanted, "percent": mind.percent(wanted)}
    return "vote_bus" if wanted in mind.table.pack else "vote_push", {"seat": wanted}
