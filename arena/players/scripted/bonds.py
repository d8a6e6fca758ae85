"""Love: whom a seat is bound to, and what follows from it. Read off the seat's own table, before any belief."""

from arena.table import Table
from arena.terms import Seat

CUPID = "cupid"


def lover(table: Table) -> Seat:
    """The own lover (0: none)."""
    if not table.began.cards.get(CUPID):
        return 0
    return next((told.seats[0] for _, told in table.learned if told.key == "lover"), 0)


def linked(table: Table) -> tuple[Seat, ...]:
    """The two whom this seat has linked; none for most."""
    return next((act.seats for _, act in table.acts if act.act == "link"), ())


def dear(table: Table) -> tuple[Seat, ...]:
    """The seats this one stands by whatever it thinks of them: its lover, or the lovers it may win with.

    A cupid who always stays with the village owes the lovers nothing.
    """
    if not table.began.cards.get(CUPID):
        return ()
    own = lover(table)
    if own:
        return (own,)
    return linked(table) if table.began.rules["cupid.sides"] != "village" else ()


def lovers_card(table: Table) -> str:
    """The card of the own lover, where the rules show it; else nothing."""
    return next((told.value for _, told in table.learned if told.key == "lover_card"), "")


def faction(table: Table, role: str) -> str:
    """Whom a card wins with, love left aside."""
    return table.factions.get(role, "")


def stands_apart(table: Table) -> bool:
    """Whether a member of the pack knows that it can't win with the pack: by its card, or through mixed love."""
    if table.kind(table.role) != "werewolf":
        return False
    own = lover(table)
    return faction(table, table.role) != "werewolves" or (own != 0 and own not in table.pack)
