"""Who has claimed what: bluffs, what they are worth, and who believes the right one of two."""

from collections.abc import Iterator, Mapping

from arena.events import Ended, Said, Tallied
from arena.roles import ROLES
from arena.terms import Claim, Seat
from arena.tournament.metrics.facts import Ballot, Facts, ballot, share
from arena.tournament.metrics.measure import Measure
from arena.transcript import Record
from arena.truth import DEEDS

_TOLD = {"checked": "checked", **{about: act for about, act in DEEDS.items() if about != "lovers"}}
"""The phrase in which a card tells of the deed that a claim is about."""

_CARDS = {
    about: next((role.name for role in ROLES.values() if phrase in role.phrases), "") for about, phrase in _TOLD.items()
}
"""Whose card a claimed deed is a claim to."""

_GOOD = {"not_werewolf", "village"}
_BAD = {"werewolf", "not_village", "werewolves"}


class Claims:
    """The cards that seats claim before everybody, and how the table votes on them.

    A *bluff* is a werewolf's claim to a card with a power that it doesn't hold. It is *believed* in a vote if more of
    the village vote with it (for a rival claimant, or whom it has called a werewolf) than against it (for
    itself, or whom it has called good). Where a true and a false claimant of one card can be voted for,
    and one of the village votes for either, the *right side* is to vote for the false one.
    """

    def __init__(self) -> None:
        self._claimed: dict[Seat, str] = {}
        self._called: dict[Seat, dict[Seat, bool]] = {}
        self._bluffed: set[Seat] = set()
        self._votes: list[Ballot] = []

    def read(self, line: Record, facts: Facts) -> Iterator[Measure]:
        """As `Family` says."""
        if isinstance(line, Said) and line.to is None:
            for claim in line.claims:
                self._take(line.seat, claim, facts)
        elif isinstance(line, Tallied):
            yield from self._believed(facts)
            self._votes = []
        elif isinstance(line, Ended):
            for seat in range(1, facts.players + 1):
                if facts.wolf(seat):
                    yield Measure("bluffs", seat, seat in self._bluffed)
        elif (vote := ballot(line, facts)) and facts.of_village(vote.voter):
            self._votes.append(vote)
            yield from self._sided(vote, facts)

    def _take(self, speaker: Seat, claim: Claim, facts: Facts) -> None:
        own = claim.about == "role" and claim.seats == (speaker,)
        card = claim.value if own else _CARDS.get(claim.about, "")
        if card in ROLES:
            self._claimed[speaker] = card
            if self._bluffs(speaker, facts):
                self._bluffed.add(speaker)
        if len(claim.seats) == 1 and claim.about in ("checked", "role", "side") and not own:
            word = _calls_wolf(claim.value)
            if word is not None:
                self._called.setdefault(speaker, {})[claim.seats[0]] = word

    def _bluffs(self, seat: Seat, facts: Facts) -> bool:
        card = ROLES.get(self._claimed.get(seat, ""))
        if card is None or not card.abilities or card.kind:
            return False
        return facts.wolf(seat) and card.name != facts.card(seat)

    def _believed(self, facts: Facts) -> Iterator[Measure]:
        votes = [vote for vote in self._votes if vote.name == "vote"]
        for seat in facts.in_play:
            if votes and self._bluffs(seat, facts):
                words = self._words(seat)
                got = sum(words.get(vote.target, 0) for vote in votes)
                yield Measure("bluffs_believed", seat, got > 0, _majority(words, votes))

    def _words(self, bluffer: Seat) -> dict[Seat, int]:
        """1 for each seat a vote for which goes with a bluffer's claim, -1 for those against it."""
        words = {seat: 1 if wolf else -1 for seat, wolf in self._called.get(bluffer, {}).items()}
        words |= {seat: 1 for seat, card in self._claimed.items() if card == self._claimed[bluffer]}
        return words | {bluffer: -1}

    def _sided(self, vote: Ballot, facts: Facts) -> Iterator[Measure]:
        card = self._claimed.get(vote.target, "")
        rivals = [seat for seat in vote.others if self._claimed.get(seat) == card]
        false = [seat for seat in rivals if facts.card(seat) != card]
        disputed = card and 0 < len(false) < len(rivals) and self._claimed.get(vote.voter) != card
        if disputed and ROLES[card].abilities:
            yield Measure("right_side", vote.voter, vote.target in false, share(false, rivals))


def _calls_wolf(value: str) -> bool | None:
    if value in _GOOD | _BAD:
        return value in _BAD
    return bool(ROLES[value].kind) if value in ROLES else None


def _majority(words: Mapping[Seat, int], votes: list[Ballot]) -> float:
    """The chance that votes drawn among those each voter could have given are for a claim rather than against it."""
    chances = {0: 1.0}
    for vote in votes:
        following: dict[int, float] = {}
        for score, chance in chances.items():
            for seat in vote.others:
                reached = score + words.get(seat, 0)
                following[reached] = following.get(reached, 0.0) + chance / len(vote.others)
        chances = following
    return sum(chance for score, chance in chances.items() if score > 0)
