"""Claiming one's card, or another, and telling what was done with it."""

from arena.players.scripted.ledger import SEER
from arena.players.scripted.mind import Mind, Remarks
from arena.players.scripted.seers import flow
from arena.players.scripted.stand import Stand
from arena.terms import Claim, Seat

_VILLAGE_POWERS = ("witch", "hunter", "guard")
_DECISIVE = 4
"""With how many seats in play a god speaks up unasked: then one good seat more or less decides."""


def report(mind: Mind, stand: Stand, remarks: Remarks, topic: str) -> None:
    """A seer, real or false: the claim, all results, and whom to check next."""
    me = mind.seat
    own = mind.ledger.seers.get(me)
    rivals = tuple(seat for seat in mind.ledger.seers if seat != me)
    if not own:
        remarks.say("claim_seer_against" if rivals else "claim_seer", Claim("role", (me,), SEER), rivals=rivals)
    new = {seat: bad for seat, bad in stand.told.items() if not own or seat not in own.checks}
    for seat, bad in new.items():
        value = _result(mind, bad)
        gone = "" if seat in mind.table.in_play else "_gone"
        remarks.say(f"checked_{value}{gone}", Claim("checked", (seat,), value), seat=seat)
    if not new:
        remarks.say("checked_nothing_new")
    planned = flow(mind, stand.wanted) if topic != "last_words" else ()
    if planned and planned != mind.past.flow:
        has_badge = topic.startswith("campaign") or me == mind.table.sheriff
        key = "flow_one" if len(planned) == 1 else "flow_badge" if has_badge else "flow"
        key = "flow_changed" if mind.past.flow and len(planned) > 1 else key
        remarks.say(key, Claim("will_check", planned), first=planned[0], second=planned[-1])


def _result(mind: Mind, bad: bool) -> str:
    learns = mind.table.began.rules.get("seer.learns", "is_werewolf")
    if learns == "faction":
        return "not_village" if bad else "village"
    return "werewolf" if bad else "not_werewolf"


def stand_by_card(mind: Mind, remarks: Remarks, topic: str) -> None:
    """Turn up the own card in words, when it is time to."""
    me, ledger = mind.seat, mind.ledger
    last_chance = topic == "last_words"
    if me in ledger.role and not last_chance:
        return
    cornered = mind.is_cornered() or topic == "speech_runoff" or _is_pressed(mind)
    card = mind.table.role
    rival = usurper(mind)
    if rival:
        remarks.say("claim_against", Claim("role", (me,), card), role=card, seat=rival)
        _tell_deeds(mind, remarks)
        return
    if mind.is_werewolf:
        card = _cover(mind) if cornered and not last_chance else ""
    elif not (cornered or last_chance or _time_to_tell(mind)):
        card = ""
    if not card:
        return
    own_words = not last_chance and card in (*_VILLAGE_POWERS, "villager")
    remarks.say(f"claim_{card}" if own_words else "claim_card", Claim("role", (me,), card), role=card)
    if not mind.is_werewolf:
        _tell_deeds(mind, remarks)
    elif card == "guard":
        _tell_false_watch(mind, remarks)


def _is_pressed(mind: Mind) -> bool:
    """Whether a god is called for when the village can't spare it: then there is nothing to gain by hiding."""
    table = mind.table
    if table.role not in _VILLAGE_POWERS or table.day == 1 or mind.seat not in mind.ledger.pledge.values():
        return False
    return 2 * len(table.in_play) <= table.players + 1 or mind.next_to_go() == mind.seat


def usurper(mind: Mind) -> Seat:
    """Who claims the own card (0: nobody), so that it pays to claim it too: that is a werewolf found for certain."""
    if mind.table.role not in _VILLAGE_POWERS:
        return 0
    return next((seat for seat in mind.usurpers() if seat in mind.table.in_play), 0)


def _cover(mind: Mind) -> str:
    """The card a cornered werewolf hides behind."""
    taken = {*mind.ledger.role.values(), *mind.table.revealed.values()}
    free = [role for role in ("hunter", "guard", "witch") if mind.has_card(role) and role not in taken]
    if free and mind.chance("cover") < 0.3 + 0.5 * mind.risk:
        return free[0]
    return "villager" if mind.can_hold("villager") else ""


def _time_to_tell(mind: Mind) -> bool:
    """Whether a god comes out unasked: when it decides the game, or where there is no sheriff to lead.

    A witch also tells whom she saved or poisoned when both potions are gone, or the saved seat is in danger. A
    guard is of use as long as nobody knows, and leads nobody.
    """
    table = mind.table
    if table.role not in _VILLAGE_POWERS:
        return False
    decisive = table.day > 1 and len(table.in_play) <= _DECISIVE
    leaderless = table.players < table.began.rules["sheriff.min_players"] and table.role != "guard"
    if table.part == "discussion" and (decisive or leaderless):
        return True
    if table.role != "witch":
        return False
    used = {act.act for _, act in table.acts}
    saved = next((act.seats[0] for _, act in table.acts if act.act == "antidote" and act.seats), 0)
    return {"antidote", "poison"} <= used or (saved != 0 and mind.is_endangered(saved))


def _tell_deeds(mind: Mind, remarks: Remarks) -> None:
    for day, act in mind.table.acts:
        if act.act == "antidote":
            key = "tell_saved_me" if act.seats == (mind.seat,) else "tell_saved"
            remarks.say(key, Claim("saved", act.seats), seat=act.seats, day=day)
        elif act.act == "poison":
            remarks.say("tell_poisoned", Claim("poisoned", act.seats), seat=act.seats, day=day)
    _tell_watches(mind, remarks)


def _tell_watches(mind: Mind, remarks: Remarks) -> None:
    """A guard's nights without an out, and its last night."""
    table = mind.table
    watches: list[tuple[int, tuple[Seat, ...]]] = [(day, act.seats) for day, act in table.acts if act.act == "protect"]
    for day, seats in watches:
        quiet = day <= table.nights and not table.deaths(day)
        if quiet or day == watches[-1][0]:
            key = f"tell_{'quiet' if quiet else 'guarded'}{'_me' if seats == (mind.seat,) else ''}"
            remarks.say(key, Claim("guarded", seats), seat=seats, day=day)


def _tell_false_watch(mind: Mind, remarks: Remarks) -> None:
    """Last night as a guard would have spent it, over whom the table trusts; the first is best passed over."""
    table, wolf = mind.table, mind.public.wolf
    open_seats = [seat for seat in mind.others() if seat not in table.pack]
    if table.day > 1 and open_seats:
        seat = min(open_seats, key=lambda seat: wolf[seat] - 0.1 * mind.taste("watch", seat))
        key = "tell_guarded" if table.deaths(table.day) else "tell_quiet"
        remarks.say(key, Claim("guarded", (seat,)), seat=seat, day=table.day)
