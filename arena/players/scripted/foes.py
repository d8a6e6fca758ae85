"""Who has to go besides werewolves, and what roles beyond the village's usual powers let a mind know."""

from math import log

from arena.players.scripted.bonds import faction
from arena.table import Table
from arena.terms import Seat

PIPER, GIRL = "piper", "little_girl"

SURELY = 0.95
"""How sure one may be of the last seat that can be the piper: something may have kept a charm from another."""

SIGHTING, CAUGHT_LYING, LEFT_OVER = 3.0, 5.0, 5.0
"""In log-odds: against a seat a little girl names, against one who named a good seat, against a claim to a card that
is known to lie beside the table."""


def is_foe(table: Table, role: str) -> bool:
    """Whether the village is better off without a card: werewolves, and all who win by themselves."""
    return faction(table, role) != "village"


def foes(table: Table) -> int:
    """How many such cards were dealt."""
    factions = table.factions
    return sum([number for role, number in table.began.cards.items() if factions.get(role) != "village"])


def seen(table: Table) -> set[Seat]:
    """The werewolves that this seat has seen awake."""
    return {seat for _, told in table.learned if told.key == "saw" for seat in told.seats}


def charmed(table: Table) -> set[Seat]:
    """The seats that are charmed as far as this table knows."""
    return {seat for _, told in table.learned if told.key == "charmed" for seat in told.seats}


def hidden_from_charm(table: Table, *, public: bool) -> tuple[Seat, ...]:
    """The seats among which the piper must be, since nobody charms itself; none if nothing is known about it.

    `public`: for one who knows no more than all do.
    """
    if not table.began.cards.get(PIPER) or PIPER in table.revealed.values():
        return ()
    if public and table.began.rules["piper.charmed"] != "announced":
        return ()
    nights = [day for day, told in table.learned if told.key == "charmed"]
    if not nights or nights[-1] < table.day - 1:
        return ()  # nothing heard for a whole day: the piper may be out
    known = charmed(table)
    return tuple(seat for seat in table.in_play if seat not in known and seat != (0 if public else table.seat))


def weigh(table: Table, claimed: dict[Seat, str], unary: list[float], *, public: bool) -> None:
    """Add to the log-odds in `unary` what such roles give away, as the holder of `table` or as `public` sees it.

    `claimed`: the card each seat claims.
    """
    cards = table.began.cards
    if cards.get(PIPER) and (public or table.role != PIPER):
        _scent_piper(table, unary, public=public)
    if cards.get(GIRL):
        _hear_girls(table, claimed, unary)
    if not public and cards.get("thief"):
        _remember_left_over(table, claimed, unary)


def _scent_piper(table: Table, unary: list[float], *, public: bool) -> None:
    """One of the seats that are not charmed is the piper, beside the other foes, who may be anywhere."""
    hidden = hidden_from_charm(table, public=public)
    if not hidden:
        return
    other, piper = (foes(table) - 1) / (table.players - 1), 1 / len(hidden)
    either = min(SURELY, piper + (1 - piper) * other)
    weight = log(either / (1 - either)) - log(other / (1 - other))
    for seat in hidden:
        unary[seat] += weight


def _hear_girls(table: Table, claimed: dict[Seat, str], unary: list[float]) -> None:
    """What is said by those who claim to have seen werewolves awake; two of them cancel each other out."""
    girls = [seat for seat, role in claimed.items() if role == GIRL]
    for speech, claim in table.claims("side"):
        if speech.seat not in girls:
            continue
        for seat in claim.seats:
            if seat in table.revealed and table.kind(table.revealed[seat]) != "werewolf":
                unary[speech.seat] += CAUGHT_LYING
            elif len(girls) == 1 and seat != speech.seat:
                unary[seat] += SIGHTING


def _remember_left_over(table: Table, claimed: dict[Seat, str], unary: list[float]) -> None:
    """A thief knows which two cards lay beside the table, and so which claims to them are lies."""
    cards = dict(table.began.cards)
    left = [told.value for _, told in table.learned if told.key == "left_over"]
    for role in left:
        cards[role] = cards.get(role, 0) - 1
    for seat, role in claimed.items():
        if role in left and cards[role] <= 0 and seat != table.seat and role != table.role:
            unary[seat] += LEFT_OVER
