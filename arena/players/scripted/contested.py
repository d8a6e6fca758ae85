"""How much a claimed card speaks for its claimant: cards face up, other claims to it, and what became of those."""

from collections.abc import Mapping

from arena.players.scripted.ledger import SEER, Ledger
from arena.table import Table
from arena.terms import Seat

# In log-odds of being a werewolf.
LONE_CLAIM, PRESSED_CLAIM, RIVAL_CLAIM, OUTLIVED_CLAIM, IMPOSSIBLE_CLAIM = -1.3, -0.5, 0.5, -2.0, 5.0
FITTING_STORY = -1.2
"""A claim nobody disputes says less on the day it was made by one who was called for: that is when packs claim too."""


def open_at(table: Table, role: str, seat: Seat) -> tuple[Seat, ...]:
    """Where cards of `role` lie face up, if they do elsewhere than at `seat` and it can hold none; else nothing."""
    if role not in table.revealed.values() or seat in table.revealed:
        return ()
    seats = tuple(other for other, card in table.revealed.items() if card == role)
    return seats if len(seats) >= table.began.cards.get(role, 0) and "thief" not in table.began.cards else ()


def exposed(table: Table, ledger: Ledger) -> dict[Seat, str]:
    """The claimed seers whose own card lies face up, and which other one it is."""
    revealed = table.revealed
    return {seat: revealed[seat] for seat in ledger.seers if revealed.get(seat, SEER) != SEER} if revealed else {}


def refuted(table: Table, ledger: Ledger) -> tuple[Seat, ...]:
    """Those in play who claim a card that lies face up elsewhere."""
    if not table.revealed:
        return ()
    return tuple(seat for seat, role in ledger.role.items() if seat in table.in_play and open_at(table, role, seat))


def rivals(table: Table, ledger: Ledger, seat: Seat) -> tuple[Seat, ...]:
    """Who else claims the card that `seat` does, if there are too few of it: not those since exiled, or refuted."""
    role = ledger.role.get(seat, "")
    others = [other for other, card in ledger.role.items() if card == role and other != seat]
    if len(others) < table.began.cards.get(role, 0) or not others:
        return ()
    exiled = _exiled(table)
    standing = tuple(s for s in others if s not in exiled and table.revealed.get(s, role) == role)
    return standing if len(standing) >= table.began.cards.get(role, 0) else ()


def disputed_claims(table: Table, ledger: Ledger) -> dict[Seat, tuple[Seat, ...]]:
    """Those in play who claim a card other than the seer's that others claim as well, and who these are."""
    claims = {seat: rivals(table, ledger, seat) for seat, card in ledger.role.items() if card not in {SEER, "villager"}}
    return {seat: others for seat, others in claims.items() if others and seat in table.in_play}


def settle(disputed: Mapping[Seat, tuple[Seat, ...]], sure: Mapping[Seat, bool], unary: list[float]) -> list[float]:
    """The log-odds in `unary` for who is `sure` that all rivals of a claim are werewolves: that claim stands alone."""
    settled = list(unary)
    for seat, others in disputed.items():
        if all(sure.get(other) for other in others):
            settled[seat] += OUTLIVED_CLAIM - RIVAL_CLAIM
    return settled


def undisputed(table: Table, ledger: Ledger, seat: Seat) -> str:
    """The god's card that `seat` claims, nobody else does and none face up refutes; empty if there is none."""
    role = ledger.role.get(seat, "")
    if role == SEER or role not in table.began.rules["gods"] or open_at(table, role, seat):
        return ""
    return role if sum([other == role for other in ledger.role.values()]) <= table.began.cards.get(role, 0) else ""


def weigh_claims(table: Table, ledger: Ledger, unary: list[float], *, seat: Seat, role: str) -> None:
    """Add to the log-odds in `unary` what the claimed cards say, to one at `seat` who holds `role` (0: an onlooker).

    Claims of seers are hypotheses, and weighed apart; anybody can claim a villager's card.
    """
    for claimant, card in ledger.role.items():
        if card == SEER:
            continue
        if open_at(table, card, claimant):
            unary[claimant] += IMPOSSIBLE_CLAIM
        elif card != "villager":
            known = card == role and claimant != seat and table.began.cards.get(card) == 1
            unary[claimant] += IMPOSSIBLE_CLAIM if known else _weight(table, ledger, claimant, card)


def _weight(table: Table, ledger: Ledger, claimant: Seat, card: str) -> float:
    dealt = table.began.cards.get(card, 0)
    if not dealt:
        return IMPOSSIBLE_CLAIM
    story = FITTING_STORY if _story_fits(table, ledger, claimant) else 0.0
    if sum([other == card for other in ledger.role.values()]) <= dealt:
        pressed = claimant in ledger.pressed and ledger.claimed[claimant] == table.day
        return (PRESSED_CLAIM if pressed else LONE_CLAIM) + story
    if rivals(table, ledger, claimant) or claimant in _exiled(table):
        return RIVAL_CLAIM
    return OUTLIVED_CLAIM + story


def _story_fits(table: Table, ledger: Ledger, witch: Seat) -> bool:
    """Whether a claimed witch has told of a potion, and the nights bear it out: one without an out, or that out."""
    if witch in ledger.poisoned:
        return ledger.poisoned[witch] in ledger.night_deaths
    if witch not in ledger.saved:
        return False
    fatal = {fall.day for fall in table.falls if fall.how == "night"}
    return len(fatal) < table.nights


def _exiled(table: Table) -> set[Seat]:
    return {seat for _, seat in table.exiles}
