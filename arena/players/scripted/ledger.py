"""The public record a mind keeps: who claimed what, who stood against whom."""

from typing import Literal

from arena.events import Badge
from arena.table import Ballot, Fall, Speech, Table
from arena.terms import Claim, Seat, record

SEER = "seer"
CLAIMS_ROLE = {"checked": SEER, "saved": "witch", "poisoned": "witch", "guarded": "guard"}
"""Claims of having used a power claim its card as well."""

SUSPECTS = (0.1, 0.05)
TRUSTS = -0.1
EXILE_BALLOTS = {"vote", "runoff"}
BALLOTS = {"vote": 1.2, "runoff": 1.2, "sheriff": -0.2, "sheriff_runoff": -0.2}
"""How much words and votes weigh: a vote to exile is an attack, a vote for a sheriff is support."""

ATTACKS_WEREWOLF, ATTACKED_BY_WEREWOLF, ATTACKS_GOOD = -0.2, -0.03, 0.12
"""What a unit of attack says, in log-odds of being a werewolf, once one of the two seats is certain."""


@record
class Tidings:
    """What may change a mind about seers: a claim by `seer`, its check of `seat`, or the fall of `seat` (seer 0)."""

    kind: Literal["claim", "check", "fall"]
    seer: Seat
    seat: Seat


@record
class Side:
    """The claimed seer a seat has taken the side of, in a speech or with its vote for sheriff.

    `heard`: how many tidings there were by then; `dropped`: whether it has voted to exile that one since.
    """

    seer: Seat
    heard: int
    dropped: bool = False


class SeerClaim:
    """A seat's claim to be the seer: since which day, with which results (target: whether a werewolf).

    `told`: on which day it told each of them.
    """

    def __init__(self, seat: Seat, day: int) -> None:
        self.seat = seat
        self.day = day
        self.checks: dict[Seat, bool] = {}
        self.told: dict[Seat, int] = {}
        self.flow: tuple[Seat, ...] = ()
        self.contradicts_itself = False


class Ledger:
    """Claims and stances of all seats, read from a table step by step.

    Attacks and supports add up in `if_bad` and `if_good`: what the stance of seat t towards s, and that of s
    towards t, says of t in log-odds of being a werewolf, should s be a werewolf (`if_bad[s][t]`) or good.
    `role` is the card each seat claims by now; `side` is the claimed seer each seat has last spoken up or voted for,
    and `tidings` is what has come to be known about such seers; `pledge` is whom each seat has said, today, it will
    vote for; `claimed` is the day of each seat's claim to its card, and `pressed` who was called for when it claimed.
    """

    def __init__(self, players: int) -> None:
        self.seers: dict[Seat, SeerClaim] = {}
        self.role: dict[Seat, str] = {}
        self.saved: dict[Seat, Seat] = {}
        self.poisoned: dict[Seat, Seat] = {}
        self.if_bad = [[0.0] * (players + 1) for _ in range(players + 1)]
        self.if_good = [[0.0] * (players + 1) for _ in range(players + 1)]
        self.night_deaths: dict[Seat, bool] = {}
        self.pledge: dict[Seat, Seat] = {}
        self.side: dict[Seat, Side] = {}
        self.tidings: list[Tidings] = []
        self.claimed: dict[Seat, int] = {}
        self.pressed: set[Seat] = set()
        self._pledge_day = 0
        self._news = 0
        self._heard: dict[Seat, int] = {}
        self._claimed_at: dict[Seat, int] = {}
        self._known: dict[Seat, int] = {}
        self._called: set[tuple[int, Seat]] = set()
        self._read = self._badges = 0

    def read(self, table: Table) -> None:
        """Take in what `table` has learnt since the last time."""
        if table.day != self._pledge_day:
            self._pledge_day, self.pledge = table.day, {}
        # In order, however much has come at once: a seat that goes on after a break decides as if there had been none.
        for one in table.course[self._read :]:
            match one:
                case Speech():
                    self._hear(table, one)
                case Ballot():
                    self._vote(one)
                case Fall():
                    self._fall(table, one)
                case Badge():
                    self._pass_on(table)
        self._read = len(table.course)

    def _hear(self, table: Table, speech: Speech) -> None:
        for claim in speech.claims:
            self._claim(table, speech, claim)
        self._heard[speech.seat] = self._news
        self._known[speech.seat] = len(self.tidings)

    def since(self, seat: Seat) -> list[Tidings]:
        """What has come to be known since `seat` took its side, beside its own fall."""
        return [told for told in self.tidings[self.side[seat].heard :] if (told.kind, told.seat) != ("fall", seat)]

    def giver(self, seat: Seat) -> Seat:
        """The one claimed seer who has cleared `seat` (0: none has, or several have)."""
        givers = [seer for seer, claim in self.seers.items() if claim.checks.get(seat) is False]
        return givers[0] if len(givers) == 1 else 0

    def new_seers(self, seat: Seat) -> set[Seat]:
        """Who has come to claim the seer's card since `seat` last spoke or voted."""
        return {told.seer for told in self.tidings[self._known.get(seat, 0) :] if told.kind == "claim"}

    def has_claimed_since(self, seat: Seat, listener: Seat) -> bool:
        """Whether `seat` has claimed its card since `listener` last spoke."""
        return self._claimed_at.get(seat, 0) > self._heard.get(listener, 0)

    def has_news_for(self, seat: Seat) -> bool:
        """Whether a card was claimed or a check told since `seat` last spoke."""
        return self._news > self._heard.get(seat, 0)

    def spared_by(self, seer: Seat) -> set[Seat]:
        """Those whom nobody who sides with `seer` can call a werewolf: itself, its cleared, and its rivals' finds."""
        checks = self.seers[seer].checks
        cleared = {seat for seat, bad in checks.items() if not bad}
        others = [claim.checks for rival, claim in self.seers.items() if rival != seer]
        finds = {seat for results in others for seat, bad in results.items() if bad}
        return {seer, *cleared, *(finds - checks.keys() - self.seers.keys())}

    def _claim(self, table: Table, speech: Speech, claim: Claim) -> None:
        speaker, about, seats = speech.seat, claim.about, claim.seats
        if about == "suspects":
            for place, seat in enumerate(seats):
                self._lean(speaker, seat, SUSPECTS[place > 0])
        elif about == "trusts":
            for seat in seats:
                self._lean(speaker, seat, TRUSTS)
                if seat in self.seers:
                    self.side[speaker] = Side(seat, len(self.tidings))
        elif about == "will_vote" and seats:
            self._called.add((speech.day, seats[0]))
            if speech.day == table.day:
                self.pledge[speaker] = seats[0]
        elif about == "role" and seats == (speaker,):
            self._claim_role(speaker, claim.value, speech.day)
        elif about == "will_check":
            if speaker in self.seers:
                self.seers[speaker].flow = seats
        elif about in CLAIMS_ROLE:
            self._claim_role(speaker, CLAIMS_ROLE[about], speech.day)
            self._claim_use(table, speech, claim)

    def _claim_role(self, speaker: Seat, role: str, day: int) -> None:
        if self.role.get(speaker) != role:
            self._news += 1
            self._claimed_at[speaker], self.claimed[speaker] = self._news, day
            self.pressed.discard(speaker)
            if (day, speaker) in self._called:
                self.pressed.add(speaker)
        self.role[speaker] = role
        if role != SEER:
            self.seers.pop(speaker, None)
        elif speaker not in self.seers:
            self.seers[speaker] = SeerClaim(speaker, day)
            self.tidings.append(Tidings("claim", speaker, speaker))

    def _claim_use(self, table: Table, speech: Speech, claim: Claim) -> None:
        speaker = speech.seat
        if claim.about == "checked":
            own = self.seers[speaker]
            for seat in claim.seats:
                bad = is_bad(table, claim.value)
                if seat not in own.checks:
                    self._news += 1
                    self.tidings.append(Tidings("check", speaker, seat))
                    own.told.setdefault(seat, speech.day)
                own.contradicts_itself |= own.checks.get(seat, bad) != bad
                own.checks[seat] = bad
        elif claim.about == "saved" and claim.seats:
            self.saved[speaker] = claim.seats[0]
        elif claim.about == "poisoned" and claim.seats:
            self.poisoned[speaker] = claim.seats[0]

    def _pass_on(self, table: Table) -> None:
        """What the next passing of the badge, by a seer who died by night, says of the check announced for it (警徽流).

        It goes to the first of the flow if that one was found good, and to another, or to nobody, if not.
        """
        place, self._badges = self._badges, self._badges + 1
        day, badge = table.badges[place]
        holder = table.badges[place - 1][1].seat if place else 0
        if holder not in self.seers or not self.seers[holder].flow or holder not in table.deaths(day):
            return
        own, first = self.seers[holder], self.seers[holder].flow[0]
        gone = {fall.seat for fall in table.falls if fall.day < day or (fall.day == day and fall.how == "night")}
        if badge.how not in {"passed", "torn"} or first in gone:
            return
        if first not in own.checks and badge.seat in (0, *own.flow):
            own.checks[first] = badge.seat != first
            self.tidings.append(Tidings("check", holder, first))

    def _vote(self, ballot: Ballot) -> None:
        weight = BALLOTS.get(ballot.name, 0.0)
        known = len(self.tidings)
        for voter, target in ballot.votes:
            self._known[voter] = known
            if target:
                self._lean(voter, target, weight)
                if ballot.name in EXILE_BALLOTS:
                    side = self.side.get(voter)
                    if side and side.seer == target:
                        self.side[voter] = Side(target, side.heard, dropped=True)
                elif target in self.seers:
                    self.side[voter] = Side(target, len(self.tidings))

    def _lean(self, seat: Seat, other: Seat, weight: float) -> None:
        if seat != other:
            self.if_bad[other][seat] += ATTACKS_WEREWOLF * weight
            self.if_bad[seat][other] += ATTACKED_BY_WEREWOLF * weight
            self.if_good[other][seat] += ATTACKS_GOOD * weight

    def _fall(self, table: Table, fall: Fall) -> None:
        """Who died by night, and whether alone: alone it was the attack, else poison may have been at work."""
        self.tidings.append(Tidings("fall", 0, fall.seat))
        if fall.how == "night":
            self.night_deaths[fall.seat] = len(table.deaths(fall.day)) == 1


def is_bad(table: Table, value: str) -> bool:
    """Whether a seer's result speaks of a werewolf."""
    return value in {"werewolf", "not_village"} or table.kind(value) == "werewolf"
