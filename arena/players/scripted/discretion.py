"""What a seat adds to its speech for its card's sake, and what it leaves unsaid."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from arena.players.scripted.bonds import CUPID, dear
from arena.players.scripted.foes import GIRL, PIPER, charmed, is_foe, seen
from arena.players.scripted.mind import Mind, Move
from arena.players.scripted.outcasts import has_vote
from arena.players.scripted.piper import asked_about
from arena.table import Speech
from arena.terms import Claim, Decision, Seat

HINTS = 0.35
"""How often an elder hints at its card."""

_ACCUSES = (
    *("reason_", "doubt_", "despite_", "turned_against", "suspect_", "ask_"),
    *("checked_werewolf", "checked_not_village", "call_vote"),
)
"""How the keys of points begin that are directed against their `seat`."""

_CONDEMNS = {("checked", "werewolf"), ("checked", "not_village")}


class Draft:
    """A speech of a mind on its way to being heard."""

    def __init__(self, mind: Mind, move: Move) -> None:
        self.mind = mind
        self.points = list(move.points)
        self.claims = list(move.decision.claims)
        self._place = int(bool(self.points) and self.points[0][0].startswith("open_"))

    def say(self, key: str, *claims: Claim, **fields: Any) -> None:
        """Make one more point, at the beginning after those added so before, and the claims it amounts to."""
        self.points.insert(self._place, (key, fields))
        self._place += 1
        self.claims += claims

    def ask(self, key: str, claim: Claim, **fields: Any) -> None:
        """Put a question at the end, before the farewell."""
        last = bool(self.points) and self.points[-1][0].startswith("close_")
        self.points.insert(len(self.points) - last, (key, fields))
        self.claims.append(claim)

    def has_claimed(self) -> bool:
        """Whether the table has been told the own card, in this speech at the latest."""
        seat = self.mind.seat
        return seat in self.mind.ledger.role or any(c.about == "role" and c.seats == (seat,) for c in self.claims)

    def spare(self, loved: tuple[Seat, ...]) -> None:
        """Say nothing against somebody dear."""
        self.points = [p for p in self.points if not (p[0].startswith(_ACCUSES) and p[1].get("seat") in loved)]
        claims: list[Claim] = []
        for claim in self.claims:
            if claim.about == "suspects":
                suspects = tuple(seat for seat in claim.seats if seat not in loved)
                claims += [replace(claim, seats=suspects)] if suspects else []
            elif (claim.about, claim.value) not in _CONDEMNS or claim.seats[0] not in loved:
                claims.append(claim)
        self.claims = claims

    def call_nothing(self) -> None:
        """Announce no vote."""
        self.points = [point for point in self.points if not point[0].startswith("call_vote")]
        self.claims = [claim for claim in self.claims if claim.about != "will_vote"]

    def hide_card(self) -> None:
        """Call oneself a villager where the own card would be told; where there are none, say nothing of it."""
        mind = self.mind
        role = Claim("role", (mind.seat,), mind.table.role)
        if role not in self.claims:
            return
        self.claims.remove(role)
        shown = [point for point in self.points if point[1].get("role") == mind.table.role]
        place = self.points.index(shown[0]) if shown else 0
        self.points = [point for point in self.points if point not in shown]
        if mind.can_hold("villager"):
            self.claims.insert(0, replace(role, value="villager"))
            self.points.insert(place, ("claim_villager", {}))


def discreet(mind: Mind, topic: str, move: Move) -> Move:
    """`move`, a speech for `topic`, with what its card adds, and without what this seat had better not say."""
    table, draft = mind.table, Draft(mind, move)
    loved = dear(table)
    if loved:
        draft.spare(loved)
    if _wins_alone(mind):
        draft.hide_card()
    if not has_vote(mind) or _would_lead(mind, draft):
        draft.call_nothing()
    if topic in {"speech", "last_words"} and table.role in _ADDITIONS:
        _ADDITIONS[table.role](draft, topic)
    if topic == "speech":
        _question(draft)
    decision = Decision(move.decision.act, move.decision.seats, move.decision.text, tuple(draft.claims))
    return Move(decision, move.why, tuple(draft.points))


def _wins_alone(mind: Mind) -> bool:
    """Whether the card had better not be known although it is no werewolf's."""
    table = mind.table
    if table.role == CUPID:
        return bool(table.began.rules["cupid.sides"] != "village")
    return not mind.is_werewolf and is_foe(table, table.role)


def _would_lead(mind: Mind, draft: Draft) -> bool:
    """Whether this is a piper about to call for somebody whom nobody else has called for."""
    if mind.table.role != PIPER:
        return False
    called = {seat for caller, seat in mind.ledger.pledge.items() if caller != mind.seat}
    return any(claim.about == "will_vote" and claim.seats[0] not in called for claim in draft.claims)


def _hint(draft: Draft, topic: str) -> None:
    """An elder hints that its exile would be dear, and says why only when few are left."""
    mind = draft.mind
    if draft.has_claimed():
        return
    if _few_left(mind):
        draft.say("claim_elder", Claim("role", (mind.seat,), mind.table.role))
    elif topic == "speech" and mind.chance("hint", mind.table.day) < HINTS:
        draft.say("hint_elder")


def _come_out(draft: Draft, topic: str) -> None:
    """An idiot comes out when few are left: a vote spent on it would be missed."""
    mind = draft.mind
    if not draft.has_claimed() and _few_left(mind):
        draft.say("claim_idiot", Claim("role", (mind.seat,), mind.table.role))


def _few_left(mind: Mind) -> bool:
    return 2 * len(mind.table.in_play) <= mind.table.players


def _tell_seen(draft: Draft, topic: str) -> None:
    """A little girl names those she has seen when it helps: several, few seats left, or the last chance to."""
    mind, table = draft.mind, draft.mind.table
    told = {seat for speech, claim in table.claims("side") if speech.seat == mind.seat for seat in claim.seats}
    news = seen(table).intersection(table.in_play) - told
    if not news:
        return
    urgent = topic == "last_words" or len(news) > 1 or _few_left(mind) or mind.is_cornered()
    if not (urgent or draft.has_claimed()):
        return
    if not draft.has_claimed():
        draft.say("claim_little_girl", Claim("role", (mind.seat,), GIRL))
    for seat in sorted(news):
        draft.say("tell_seen", Claim("side", (seat,), "werewolves"), seat=seat)


_ADDITIONS: dict[str, Callable[[Draft, str], None]] = {"elder": _hint, "idiot": _come_out, GIRL: _tell_seen}


def _question(draft: Draft) -> None:
    """Ask one of those who may not speak about the seat this speech is about."""
    mind, table = draft.mind, draft.mind.table
    if not table.began.rules.get("piper.mutes") or mind.chance("ask", table.day) > mind.talkativeness:
        return
    silent = charmed(table).intersection(table.in_play).difference(table.orders.get("speech", ()))
    subject = asked_about(Speech(table.day, "speech", mind.seat, "", tuple(draft.claims)))
    answered = {s for speech, claim in table.claims("asks") if asked_about(speech) == subject for s in claim.seats}
    open_seats = [seat for seat in sorted(silent - answered) if seat not in (mind.seat, subject)]
    if subject and open_seats:
        seat = min(open_seats, key=lambda seat: (mind.public.wolf[seat], seat))
        draft.ask("ask_silent", Claim("asks", (seat,)), seat=seat, target=subject)
