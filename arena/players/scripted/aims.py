"""Whom a seat wants out that has an aim of its own: lovers, pipers, the prejudiced, scapegoats, girls, lone wolves."""

from collections import Counter
from collections.abc import Callable
from dataclasses import replace

from arena.players.scripted.bonds import dear, lover, stands_apart
from arena.players.scripted.foes import GIRL, PIPER, charmed, seen
from arena.players.scripted.mind import Mind
from arena.terms import Choice, Request, Seat

ELDER, SCAPEGOAT = "elder", "scapegoat"
HARMS = {"attack": "werewolves", "poison": "poison", "shoot": "shot", "betray": "white_wolf"}
"""The acts that put a seat out, and the causes of outs they are."""

DOUBTED_ELDER = 0.6
"""From which chance of being a foe a claimed elder is not spared any more."""


def votable(mind: Mind, seats: tuple[Seat, ...]) -> list[Seat]:
    """Those of `seats` this mind could want exiled: not itself, nobody dear, nobody who can't be exiled any more.

    Nor does a guard want out whom it may have saved last night.
    """
    table = mind.table
    never = {mind.seat, *dear(table), *table.revealed}
    options = [seat for seat in seats if seat not in never and seat in table.in_play]
    rescued = {seat for seat, night in mind.watched().items() if night == table.day}
    options = [seat for seat in options if seat not in rescued] or options
    elder = believed_elder(mind, "exile")
    return [seat for seat in options if seat != elder] or options if elder else options


def believed_elder(mind: Mind, cause: str) -> Seat:
    """The claimed elder whom this mind believes, and whose out by `cause` would cost the village its powers; else 0."""
    table = mind.table
    if not table.began.cards.get(ELDER) or mind.is_werewolf or cause not in table.began.rules["elder.fall_on"]:
        return 0
    claimed = [seat for seat, role in mind.ledger.role.items() if role == ELDER and seat in table.in_play]
    return claimed[0] if len(claimed) == 1 and mind.own.wolf[claimed[0]] < DOUBTED_ELDER else 0


def tactful(mind: Mind, request: Request) -> Request:
    """`request` without what this mind would never do: harm somebody dear, or an elder it believes."""
    loved, table = dear(mind.table), mind.table
    if not loved and not table.began.cards.get(ELDER):
        return request
    if not any(choice.act in HARMS or choice.act == "protect" for choice in request.choices):
        return request
    choices = [_tactful(mind, choice, loved) for choice in request.choices]
    kept = tuple(choice for choice in choices if choice)
    return replace(request, choices=kept) if kept else request


def _tactful(mind: Mind, choice: Choice, loved: tuple[Seat, ...]) -> Choice | None:
    if choice.act == "protect" and lover(mind.table) in choice.seats and mind.chance("protect", mind.table.day) < 0.5:
        return replace(choice, seats=(lover(mind.table),))
    if choice.act not in HARMS or not choice.seats:
        return choice
    spared = {*loved, believed_elder(mind, HARMS[choice.act])}
    seats = tuple(seat for seat in choice.seats if seat not in spared)
    return replace(choice, seats=seats) if seats else None


def own_aim(mind: Mind, options: list[Seat]) -> Seat:
    """Whom among `options` a seat wants exiled that does not simply play for its card's side (0: it does)."""
    table = mind.table
    accuser = _accuser(mind)
    if accuser in options:
        return accuser
    if stands_apart(table):
        return outgrown(mind, options)
    aim = _AIMS.get(table.role)
    return aim(mind, options) if aim and options else 0


def _accuser(mind: Mind) -> Seat:
    """The claimed seer who named the own lover a werewolf: it lies, or it endangers the lovers."""
    own = lover(mind.table)
    if not own:
        return 0
    return next((seat for seat, claim in mind.ledger.seers.items() if claim.checks.get(own)), 0)


def outgrown(mind: Mind, options: list[Seat] | tuple[Seat, ...]) -> Seat:
    """A companion of the pack among `options`, once the pack is so strong that one who stands apart must fear it.

    The least suspected one is the most dangerous.
    """
    table = mind.table
    pack = [seat for seat in table.pack if seat != mind.seat and seat in table.in_play]
    rest = len(table.in_play) - len(pack)
    turned_on = [seat for seat in pack if seat in options]
    if not turned_on or 2 * (len(pack) + 1) < rest:
        return 0
    return min(turned_on, key=lambda seat: mind.public.wolf[seat])


def _follow(mind: Mind, options: list[Seat]) -> Seat:
    """A piper goes with the crowd, and likes to see those go that still have to be charmed."""
    known = charmed(mind.table)
    return max(
        options, key=lambda seat: mind.pressure(seat) + 0.15 * (seat not in known) + 0.02 * mind.taste("vote", seat)
    )


def _other_group(mind: Mind, options: list[Seat]) -> Seat:
    """The prejudiced wants the other group gone, beginning with whom the table is ready to exile."""
    groups = [told.seats for _, told in mind.table.learned if told.key == "group"]
    others = {seat for group in groups if mind.seat not in group for seat in group}
    return max(options, key=lambda seat: mind.pressure(seat) + 0.5 * (seat in others) + 0.02 * mind.taste("vote", seat))


def _avoid_a_tie(mind: Mind, options: list[Seat]) -> Seat:
    """A scapegoat pays for ties, so it joins the larger party wherever that is not out for somebody it trusts."""
    votes = Counter([*mind.ledger.pledge.values(), *mind.table.open_votes.values()])
    belief = mind.own
    return max(
        options,
        key=lambda seat: (
            belief.wolf[seat] - belief.seers.get(seat, 0.0) + 0.12 * votes[seat] + 0.02 * mind.taste("vote", seat)
        ),
    )


def _whom_she_saw(mind: Mind, options: list[Seat]) -> Seat:
    """A little girl needs no seer: she votes for a werewolf she has seen, of several for the one easiest to exile."""
    return max(seen(mind.table).intersection(options), key=mind.pressure, default=0)


def is_swayed(mind: Mind) -> bool:
    """Whether the hands raised so far in a ballot may change this mind."""
    return mind.table.role == SCAPEGOAT


_AIMS: dict[str, Callable[[Mind, list[Seat]], Seat]] = {
    PIPER: _follow,
    "prejudiced": _other_group,
    GIRL: _whom_she_saw,
    SCAPEGOAT: _avoid_a_tie,
}
