"""Claims against the cards: which of those made in speeches are true.

Only the view of `GOD` holds what this needs: every card, and what every seat has done and learnt.
"""

from typing import Any

from arena.events import Acted, Began, Dealt, Event, Learned, Turned
from arena.terms import Claim, Seat

DEEDS = {"saved": "antidote", "poisoned": "poison", "guarded": "protect", "lovers": "link"}
"""The act that a claim of a deed tells of."""

FACTS = ("role", "side", "checked", *DEEDS)
"""What claims are about that cards and deeds can prove; the others are opinions and plans."""


class Truth:
    """The cards and deeds of a game so far, read event by event from the view of `GOD`."""

    def __init__(self) -> None:
        self._roles: dict[str, dict[str, Any]] = {}
        self._cards: dict[Seat, str] = {}
        self._checked: set[tuple[Seat, tuple[Seat, ...], str]] = set()
        self._deeds: set[tuple[Seat, str, frozenset[Seat]]] = set()

    def read(self, event: Event) -> None:
        """Take in the next event."""
        match event:
            case Began():
                self._roles = event.roles
            case Dealt() | Turned():
                self._cards[event.seat] = event.role
            case Learned(key="checked", to=to):
                self._checked |= {(seat, event.seats, event.value) for seat in to or ()}
            case Acted():
                self._deeds.add((event.seat, event.act, frozenset(event.seats)))

    def of(self, speaker: Seat, claim: Claim) -> bool | None:
        """Whether what `speaker` claims is so; None where no card can say."""
        if claim.about == "checked":
            return (speaker, claim.seats, claim.value) in self._checked
        if claim.about in ("role", "side"):
            return self._is(claim)
        if claim.about == "lovers":
            return any(act == "link" and seats == frozenset(claim.seats) for _, act, seats in self._deeds)
        deed = DEEDS.get(claim.about)
        return None if deed is None else (speaker, deed, frozenset(claim.seats)) in self._deeds

    def _is(self, claim: Claim) -> bool | None:
        cards = [self._cards.get(seat, "") for seat in claim.seats]
        if not cards or not all(cards):
            return None
        if claim.about == "side":
            return all(self._side(card) == claim.value for card in cards)
        return all(card == claim.value for card in cards)

    def _side(self, card: str) -> str:
        """The side of a card as claims name it."""
        facts = self._roles.get(card, {})
        return "werewolves" if facts.get("kind") == "werewolf" else str(facts.get("faction", ""))
