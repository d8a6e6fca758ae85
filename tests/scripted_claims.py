"""What the seats of a game have claimed in public, kept apart from the books of the players themselves."""

from collections import defaultdict

from arena.table import Table
from arena.terms import Claim, Seat


class Claims:
    """Claims, sides and calls so far."""

    def __init__(self) -> None:
        self.read = 0
        self.checks: dict[Seat, dict[Seat, bool]] = defaultdict(dict)
        self.told_on: dict[tuple[Seat, Seat], int] = {}
        self.seers: list[Seat] = []
        self.role: dict[Seat, str] = {}
        self.flow: dict[Seat, tuple[int, tuple[Seat, ...]]] = {}
        self.pledge: dict[Seat, tuple[int, Seat]] = {}
        self.sides: dict[Seat, list[Seat]] = defaultdict(list)
        self.declared: dict[Seat, tuple[int, Seat]] = {}
        self.suspects: dict[Seat, tuple[int, tuple[Seat, ...]]] = {}
        self.news = self.heard = 0
        self.role_told: dict[Seat, int] = {}
        self.heard_then: dict[Seat, int] = {}
        self.news_then: dict[Seat, int] = {}
        self.elected: dict[Seat, tuple[int, Seat, int]] = {}
        self.shot: Seat = 0
        self.deeds: set[Seat] = set()

    def take_in(self, table: Table) -> None:
        for speech in table.speeches[self.read :]:
            self.declared[speech.seat] = 0, 0
            self.heard += 1
            for claim in speech.claims:
                self.claim(speech.day, speech.seat, claim)
            self.heard_then[speech.seat] = self.heard
            self.news_then[speech.seat] = self.news
        self.read = len(table.speeches)

    def claim(self, day: int, speaker: Seat, claim: Claim) -> None:
        about, seats = claim.about, claim.seats
        if about == "role":
            self.news += 1
            self.role[speaker] = claim.value
            self.role_told[speaker] = self.heard
            if claim.value == "seer":
                self.seers.append(speaker)
        elif about == "checked":
            self.news += 1
            self.checks[speaker][seats[0]] = claim.value == "werewolf"
            self.told_on[speaker, seats[0]] = day
        elif about in {"saved", "poisoned", "guarded"}:
            self.news += 1
            self.deeds.add(speaker)
        elif about == "will_check":
            self.flow[speaker] = day, seats
        elif about == "will_vote":
            self.pledge[speaker] = day, seats[0]
        elif about == "suspects":
            self.suspects[speaker] = day, seats
        elif about == "trusts" and seats[0] in self.seers:
            self.sides[speaker].append(seats[0])
            self.declared[speaker] = day, seats[0]

    def rivals_only(self, side: Seat, seat: Seat) -> bool:
        """Whether only rivals of the seer `side` have condemned `seat`."""
        by = {seer for seer, checks in self.checks.items() if checks.get(seat)}
        return bool(by) and side not in by and seat not in self.seers

    def backers(self, table: Table, seers: set[Seat]) -> set[Seat]:
        """Those in play who have last sided with one of `seers`, and claim no seer's card themselves."""
        last = {seat: sides[-1] for seat, sides in self.sides.items() if sides}
        return {seat for seat in table.in_play if last.get(seat) in seers and seat not in self.seers}

    def settled(self, seat: Seat) -> Seat:
        """The seer whose side `seat` took in its latest speech, if nothing was claimed since; else 0."""
        side = self.declared.get(seat, (0, 0))[1]
        return side if self.news == self.news_then.get(seat) else 0

    def lies_open(self, table: Table, role: str, seat: Seat) -> bool:
        """Whether as many cards of `role` as were dealt lie face up at others than `seat`."""
        shown = sum(card == role for other, card in table.revealed.items() if other != seat)
        return role != "" and seat not in table.revealed and shown >= table.began.cards.get(role, 0)

    def outlived(self, table: Table) -> set[Seat]:
        """Those in play who claim a god's card that somebody else claimed who was exiled since."""
        exiled = {seat for _, seat in table.exiles}
        gods = {seat: role for seat, role in self.role.items() if role in {"witch", "hunter", "guard"}}
        rivals = {seat: {s for s, r in gods.items() if r == role and s != seat} for seat, role in gods.items()}
        return {seat for seat in table.in_play if rivals.get(seat) and rivals[seat] <= exiled}

    def answered(self, seat: Seat, called: Seat) -> bool:
        """Whether `called` has claimed a god's card since `seat` spoke, that nobody disputes, and no check is on it."""
        role = self.role.get(called, "")
        alone = sum(card == role for card in self.role.values()) == 1 and role in {"witch", "hunter", "guard"}
        checked = any(called in checks for checks in self.checks.values())
        return alone and not checked and self.role_told[called] > self.heard_then[seat]

    def givers(self, seat: Seat) -> list[Seat]:
        """The claimed seers who have cleared `seat`."""
        return [seer for seer in dict.fromkeys(self.seers) if self.checks[seer].get(seat) is False]

    def liars(self, table: Table) -> set[Seat]:
        """Those in play who claim the card of the holder of `table`, of which there is one."""
        if table.began.cards[table.role] != 1 or table.role == "seer":
            return set()
        return {seat for seat in table.in_play if seat != table.seat and self.role.get(seat) == table.role}
