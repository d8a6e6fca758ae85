"""Conduct: which claims and phrases break the rules, and what a breach costs."""

import re
from functools import lru_cache

from arena.events import Warned
from arena.referee.turn import Turn
from arena.roles import ROLES
from arena.roles.ability import Breach
from arena.state import GameState
from arena.terms import Claim, Seat


def _claim_in_campaign(state: GameState, seat: Seat, topic: str, claim: Claim) -> bool:
    """A side claims a card where it is that of the werewolves, and one's own."""
    own_side = claim.seats == (seat,) and (claim.about, claim.value) == ("side", "werewolves")
    return topic.startswith("campaign") and (own_side or claim.about in {"role", "checked"})


CLAIM_RULES: dict[str, Breach] = {
    "claim_in_campaign": _claim_in_campaign,
    **{rule: breach for role in ROLES.values() for rule, breach in role.conduct.items()},
}


def broken_by_claims(state: GameState, seat: Seat, topic: str, claims: tuple[Claim, ...]) -> dict[Claim, str]:
    """The forbidden ones among `claims`, each with the rule it breaks."""
    if not claims:
        return {}
    rules = [rule for rule in state.rules["conduct"] if rule in CLAIM_RULES]
    return {claim: rule for claim in claims for rule in rules if CLAIM_RULES[rule](state, seat, topic, claim)}


def masked(state: GameState, text: str) -> tuple[str, tuple[str, ...]]:
    """`text` with every forbidden phrase struck out, and the rules it breaks."""
    broken: list[str] = []
    if not text:
        return text, ()
    for rule in state.rules["conduct"]:
        phrases = state.phrases.get(rule)
        if phrases:
            text, hits = _pattern(phrases).subn(lambda hit: "*" * len(hit.group()), text)
            if hits:
                broken.append(rule)
    return text, tuple(broken)


@lru_cache(maxsize=32)
def _pattern(phrases: tuple[str, ...]) -> re.Pattern[str]:
    # A phrase in Latin letters must stand as words of its own; Chinese has no spaces to go by.
    parts = (rf"\b{re.escape(p)}\b" if p.isascii() else re.escape(p) for p in phrases)
    return re.compile("|".join(parts), re.IGNORECASE)


def warn(turn: Turn, seat: Seat, rule: str) -> None:
    """Count a breach against `seat`; one too many is a red card."""
    state = turn.state
    turn.emit(Warned(seat, rule, state.breaches.get(seat, 0) + 1))
    if state.breaches[seat] >= state.rules["conduct.red_card_after"] and seat not in state.gone:
        state.gone = (*state.gone, seat)
