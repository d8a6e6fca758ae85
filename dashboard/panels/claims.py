"""The claims table: who claimed what when, and who has contradicted it.

Two claims contradict each other where no deal of this game's cards allows both: about one seat's card, or about
a card of which there is only one. A claimed deed claims the card that does it.
"""

from arena.events import Began
from arena.terms import Claim, Seat, record
from arena.transcript import Transcript
from arena.transcript.viewing import shown_to
from arena.truth import DEEDS, FACTS
from dashboard.panels.moments import Moment
from dashboard.panels.speeches import speeches


@record
class Claimed:
    """A claim that cards or deeds can prove; `event` is the place of the speech in the view.

    `against` are the speakers of all claims that contradict it, before or after; its own speaker may be among them.
    """

    event: int
    moment: Moment
    seat: Seat
    claim: Claim
    verdict: bool | None
    against: tuple[Seat, ...]


def claims(transcript: Transcript, seat: Seat) -> list[Claimed]:
    """The claims that `seat` has heard, in order; a claim that its speaker repeats stands there once.

    Raises:
        UnusableInput: that view is not open.
    """
    deck = _Deck(next((e for e in shown_to(transcript, seat).events if isinstance(e, Began)), None))
    made: dict[tuple[Seat, Claim], tuple[int, Moment, bool | None]] = {}
    for spoken in speeches(transcript, seat):
        for claim, verdict in zip(spoken.claims, spoken.verdicts, strict=True):
            if claim.about in FACTS:
                made.setdefault((spoken.seat, claim), (spoken.event, spoken.moment, verdict))
    says = {(speaker, claim): deck.says(speaker, claim) for speaker, claim in made}
    found = []
    for (speaker, claim), (event, moment, verdict) in made.items():
        rivals = (other for (other, _), said in says.items() if deck.clash(says[speaker, claim], said))
        against = tuple(sorted(set(rivals)))
        found.append(Claimed(event, moment, speaker, claim, verdict, against))
    return found


Cards = dict[Seat, frozenset[str]]
"""Which cards a claim leaves possible for the seats it speaks of."""


class _Deck:
    """The cards of a game, and what claims say about where they lie."""

    def __init__(self, began: Began | None) -> None:
        self._roles = began.roles if began else {}
        self._cards = began.cards if began else {}

    def says(self, speaker: Seat, claim: Claim) -> Cards:
        """What `claim` says of the cards of seats, its speaker's own included. Lovers can have any card."""
        if claim.about == "role":
            return dict.fromkeys(claim.seats, frozenset({claim.value}))
        if claim.about == "side":
            return dict.fromkeys(claim.seats, self._of("werewolf" if claim.value == "werewolves" else claim.value))
        if claim.about == "lovers":
            return {}
        said = dict.fromkeys(claim.seats, self._of(claim.value)) if claim.about == "checked" else {}
        doers = self._doers(DEEDS.get(claim.about, claim.about))
        return {**said, speaker: doers} if doers else said

    def _of(self, what: str) -> frozenset[str]:
        """The cards that are ``werewolf``, ``village``, ``not_`` one of these, or the one card of that name."""
        if what.startswith("not_"):
            return frozenset(self._roles) - self._of(what.removeprefix("not_"))
        if what not in ("werewolf", "village"):
            return frozenset({what})
        sides = {role: facts.get("kind") or facts.get("faction") for role, facts in self._roles.items()}
        return frozenset(role for role, side in sides.items() if side == what)

    def _doers(self, act: str) -> frozenset[str]:
        """The cards that can do `act`, by the phrases they have for it."""
        return frozenset(
            role
            for role, facts in self._roles.items()
            if any(key.split(".")[0] == act for key in facts.get("phrases", {}))
        )

    def clash(self, one: Cards, other: Cards) -> bool:
        """Whether no deal allows both."""
        if any(not one[seat] & other[seat] for seat in one.keys() & other.keys()):
            return True
        single = {role for role, count in self._cards.items() if count == 1}
        return any(
            first != second and cards == rival and len(cards) == 1 and cards <= single
            for first, cards in one.items()
            for second, rival in other.items()
        )
