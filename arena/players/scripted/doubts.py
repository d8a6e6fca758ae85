"""What speaks for or against a claimed seer, in facts everybody knows and a speech can name."""

from collections.abc import Iterator
from typing import Any

from arena.players.scripted.belief import Eyes
from arena.players.scripted.contested import exposed
from arena.players.scripted.foes import is_foe
from arena.players.scripted.ledger import SEER, Ledger
from arena.table import Table
from arena.terms import Seat

TOO_LONG = 2
"""How many nights the werewolves leave no real seer alone, as the table sees it."""


def doubts(table: Table, ledger: Ledger, seer: Seat) -> Iterator[tuple[str, dict[str, Any]]]:
    """The points there are against `seer`, for the holder of `table`, the strongest first."""
    checks = ledger.seers[seer].checks
    for liar, role in exposed(table, ledger).items():
        if liar == seer:
            yield "doubt_own_card", {"seat": seer, "role": role}
    victims = {seat for seat, alone in ledger.night_deaths.items() if alone} - set(ledger.poisoned.values())
    for seat, bad in checks.items():
        fields = {"seat": seer, "target": seat}
        if bad and seat == table.seat:
            yield "doubt_condemned_me", {"seat": seer}
        elif seat in table.revealed and is_foe(table, table.revealed[seat]) != bad:
            yield "doubt_card", {**fields, "role": table.revealed[seat]}
        elif bad and seat in victims:
            yield "doubt_victim", fields
        elif bad and seat in ledger.saved.values():
            yield "doubt_saved", fields
        elif not bad and seat in ledger.seers:
            yield "doubt_cleared_rival", fields
    yield from _left_alone(table, ledger, seer)


def proofs(table: Table, ledger: Ledger, seer: Seat) -> Iterator[tuple[str, dict[str, Any]]]:
    """The checks of `seer` that cards have borne out since they were told, its finds first; none of an exposed one."""
    claim, revealed = ledger.seers[seer], table.revealed
    for found in (True, False):
        for fall in table.falls if revealed and revealed.get(seer, SEER) == SEER else ():
            seat, told = fall.seat, claim.told.get(fall.seat, table.day)
            later = told < fall.day or (told == fall.day and fall.how != "night")
            if later and seat in revealed and claim.checks.get(seat) is found is is_foe(table, revealed[seat]):
                yield "proof_find" if found else "proof_cleared", {"seat": seer, "target": seat, "role": revealed[seat]}


def secret_doubt(ledger: Ledger, eyes: Eyes, seer: Seat) -> bool:
    """Whether what only this seat has seen of the nights speaks against `seer`: its find, or its rival, was attacked.

    Or a check of its own, or one it saw awake, is not what `seer` says.
    """
    checks, good = ledger.seers[seer].checks, eyes.attacked | eyes.watched
    rivals = ledger.seers.keys() - {seer}
    wrong = (eyes.known.get(seat, bad) != bad for seat, bad in checks.items() if seat != eyes.seat)
    return any(checks.get(seat) or seat in rivals for seat in good) or any(wrong)


def _left_alone(table: Table, ledger: Ledger, seer: Seat) -> Iterator[tuple[str, dict[str, Any]]]:
    """Its being alive, while a rival was killed by night, or for a suspiciously long time."""
    if seer not in table.in_play:
        return
    for rival in ledger.seers:
        if rival in ledger.night_deaths:
            yield "doubt_spared", {"seat": seer, "target": rival}
    if table.nights - ledger.seers[seer].day >= TOO_LONG:
        yield "doubt_survived", {"seat": seer, "day": ledger.seers[seer].day}
