"""The claims of a person's speech: as many as they like, and Enter for none."""

from collections.abc import Mapping
from typing import Any

from arena.narrate import Narrator
from arena.players.human.asking import Asking
from arena.players.model.form import CLAIMS, claim_kinds, claim_seats, claim_values
from arena.terms import Claim, Lang, Request, Seat
from arena.texts import seat_names, texts


async def ask_claims(asking: Asking, narrator: Narrator, request: Request, lang: Lang) -> tuple[Claim, ...]:
    """What the speaker wants to be on record.

    Raises:
        Left: the person has left.
    """
    words = texts(lang, "human")
    kinds = claim_kinds(narrator.roles)
    made: list[Claim] = []
    while len(made) < CLAIMS:
        so_far = "".join(f"\n  » {narrator.claim(request.seat, claim)}" for claim in made)
        options = [("", str(words["claim.none"])), *((kind, str(words["about"][kind])) for kind in kinds)]
        about: Any = await asking.choose(f"{words['claim']}{so_far}", options)
        if not about:
            break
        seats = await _seats(asking, words, request, about, lang)
        named = [Claim(about, seats, value) for value in claim_values(about, narrator.roles)]
        claim = named[0]
        if len(named) > 1:
            claim = await asking.choose(words["claim.value"], [(c, narrator.claim(request.seat, c)) for c in named])
        if claim not in made:
            made.append(claim)
    return tuple(made)


async def _seats(
    asking: Asking, words: Mapping[str, Any], request: Request, about: Any, lang: Lang
) -> tuple[Seat, ...]:
    """The seats of a claim, one after the other, because their order has a meaning."""
    least, most = claim_seats(about)
    seats: tuple[Seat, ...] = ()
    left = list(range(1, request.table + 1))
    while left and len(seats) < (most or request.table):
        options = [(seat, seat_names(lang, [seat])) for seat in left]
        if len(seats) >= least:
            options.insert(0, (0, str(words["claim.done"])))
        own = left.index(request.seat) if not seats and about == "role" else 0
        seat = await asking.choose(words["claim.next" if seats else "claim.seat"], options, own)
        if not seat:
            break
        seats += (seat,)
        left.remove(seat)
    return seats
