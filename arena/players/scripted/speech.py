"""A speech: the claims it makes, and the points its sentences are made from."""

from arena.players.scripted.arguments import card_news
from arena.players.scripted.cards import report, stand_by_card
from arena.players.scripted.contested import exposed
from arena.players.scripted.deeds import DEFENCES
from arena.players.scripted.mind import DEFAULT, Mind, Move, Point, Remarks
from arena.players.scripted.reasons import (
    change_of_side,
    changed_vote,
    closing,
    despite_claim,
    doubted,
    news,
    opening,
    reaction,
    vote_owned,
    why_suspect,
    why_trust,
    words_taken_back,
)
from arena.players.scripted.seers import plays_seer
from arena.players.scripted.stand import Stand, take_stand
from arena.players.scripted.wolves import liar, sides_with_liar
from arena.terms import PASS, Claim, Decision, Request, Seat

ANSWER, QUESTION, NEWS, SMALL_TALK = 1, 2, 3, 4
"""What goes first where words are few: points without a claim, the lightest kept longest."""


def speak(mind: Mind, request: Request) -> Move:
    """The speech for the topic of `request`."""
    topic = request.topic
    if mind.is_werewolf and mind.seat in mind.table.revealed:
        return Move(Decision("speak"), ("speak_exposed", {}), (("exposed", {}), ("close_exposed", {})))
    stand, remarks = take_stand(mind, topic), Remarks()
    if mind.words:
        remarks.add(SMALL_TALK, *opening(mind, topic))
        remarks.add(NEWS, *(news(mind) if topic == "speech" else ()))
        remarks.add(0, *changed_vote(mind))
    if _may_claim(mind, topic):
        if plays_seer(mind):
            report(mind, stand, remarks, topic)
        else:
            stand_by_card(mind, remarks, topic)
            _judge_seers(mind, stand, remarks)
        if mind.words:
            remarks.add(0, *(point for point in card_news(mind, stand) if point not in remarks.said))
    if mind.words and topic != "last_words":
        remarks.add(ANSWER, *reaction(mind, stand.told))
    defended = _judge_seats(mind, stand, remarks)
    if mind.words and topic != "last_words":
        remarks.add(QUESTION, *_question(mind, stand, topic))
    _trust(mind, stand, remarks, defended)
    if stand.wanted:
        _call_vote(mind, stand, remarks)
    if mind.words:
        remarks.add(SMALL_TALK, *closing(mind, topic, wants_badge=plays_seer(mind)))
    why = (_why(mind), {}) if mind.words else DEFAULT
    return Move(Decision("speak", claims=tuple(remarks.claims)), why, remarks.points(round(1 + 7 * mind.talkativeness)))


def _why(mind: Mind) -> str:
    if plays_seer(mind):
        return "speak_liar" if mind.is_werewolf else "speak_seer"
    if mind.is_cornered():
        return "speak_cornered"
    if not mind.is_werewolf:
        return "speak_good"
    if liar(mind) not in mind.ledger.seers:
        return "speak_hide"
    return "speak_charge" if sides_with_liar(mind) else "speak_hook"


def _may_claim(mind: Mind, topic: str) -> bool:
    """Whether the conduct rules of this game let cards be claimed here."""
    return not (topic.startswith("campaign") and "claim_in_campaign" in mind.table.began.rules["conduct"])


def bid(mind: Mind, request: Request) -> Move:
    """How urgently to ask for the word: a seer and the accused first, nobody twice without need."""
    urgent = mind.is_cornered() or plays_seer(mind)
    if mind.has_spoken_today():
        return Move(PASS, ("sit", {}))
    level = 3 if urgent else 1 + (mind.chance("bid", mind.table.day) < mind.talkativeness)
    return Move(Decision(f"bid_{level}"), (_why(mind), {}))


def _judge_seers(mind: Mind, stand: Stand, remarks: Remarks) -> None:
    """Take sides among the claimed seers, and say so where that has changed."""
    seers = [seat for seat in mind.ledger.seers if seat != mind.seat]
    claims = [mind.ledger.seers[seat] for seat in seers]
    believed, alive = stand.seer, any(seat in mind.table.in_play for seat in seers)
    if not (alive or mind.table.floor[1] == "last_words" or stand.former):
        return
    shown = exposed(mind.table, mind.ledger)
    giver = mind.ledger.giver(mind.seat)
    owned = vote_owned(mind, believed) if believed else []
    if owned:
        remarks.add(0, *owned)
    elif believed and not stand.former and mind.past.friendly.get(believed) is False:
        remarks.add(0, ("turned_to", {"seat": believed}))
    if believed and stand.former:
        (key, fields), *more = change_of_side(mind, stand)
        remarks.say(key, Claim("trusts", (believed,)), **fields)
        remarks.add(0, *more)
    elif believed and giver not in (0, believed):
        remarks.say("gold_refused", Claim("trusts", (believed,)), seat=giver, target=believed)
        remarks.add(0, *doubted(mind, giver))
    elif believed and len(seers) > 1:
        rivals = tuple(seat for seat in seers if seat != believed and seat not in shown)
        liars = tuple(seat for seat in seers if seat in shown)
        key = "side_with" if rivals else "seer_remains"
        remarks.say(key, Claim("trusts", (believed,)), seat=believed, rivals=rivals or liars)
    elif believed:
        remarks.say("lone_seer", Claim("trusts", (believed,)), seat=believed)
    elif stand.former in shown and _has_just_backed(mind, stand.former):
        remarks.say("side_exposed", former=stand.former, role=shown[stand.former])
    elif stand.former and _has_just_backed(mind, stand.former):
        remarks.say("side_reopened", former=stand.former)
        remarks.add(0, *doubted(mind, stand.former))
    elif alive and len(seers) == 1:
        remarks.say("lone_seer_doubted", seat=seers[0])
    elif alive and len(seers) - len(shown) > 1 and not any(claim.checks.get(mind.seat) for claim in claims):
        remarks.say("seers_open", seats=tuple(seat for seat in seers if seat not in shown))


def _has_just_backed(mind: Mind, seer: Seat) -> bool:
    """Whether the last speech of this seat spoke up for `seer`."""
    own = next((speech for speech in reversed(mind.table.speeches) if speech.seat == mind.seat), None)
    return own is not None and any(claim.about == "trusts" and seer in claim.seats for claim in own.claims)


def _judge_seats(mind: Mind, stand: Stand, remarks: Remarks) -> Seat:
    """Whom one suspects, and why: the first of them never without a reason. Returns whom the reason stands up for."""
    suspects = stand.suspects
    if suspects:
        remarks.claims.append(Claim("suspects", suspects))
    if not suspects or not mind.words:
        return 0
    key, fields = why_suspect(mind, stand, suspects[0], remarks.said)
    despite = despite_claim(mind, stand, suspects[0], key)
    remarks.add(0, *words_taken_back(mind, stand, suspects[0]), *despite, (key, fields))
    remarks.add(0, *(("suspect_also", {"seat": seat}) for seat in suspects[1:]))
    return int(fields["target"]) if key in DEFENCES else 0


def _question(mind: Mind, stand: Stand, topic: str) -> list[Point]:
    """A question to a suspect who can still answer it: one whose turn is to come."""
    turns = mind.table.orders.get(topic, ())
    asked = [seat for seat in stand.suspects if seat in turns and not mind.table.has_spoken(seat)]
    if not asked or mind.chance("ask", mind.table.day) >= mind.questions:
        return []
    seat = asked[-1]
    claimed = mind.ledger.role.get(seat, "villager") != "villager"
    return [("ask_claimed" if claimed else "ask_suspect", {"seat": seat})]


def _trust(mind: Mind, stand: Stand, remarks: Remarks, defended: Seat) -> None:
    """Whom one trusts, and why, unless the speech has `defended` that one already."""
    trusted = stand.trusted
    if trusted:
        remarks.claims.append(Claim("trusts", trusted))
    if trusted and mind.words and trusted[0] != defended:
        remarks.add(0, why_trust(mind, stand, trusted[0]))


def _call_vote(mind: Mind, stand: Stand, remarks: Remarks) -> None:
    claim = Claim("will_vote", (stand.wanted,))
    if mind.seat == mind.table.sheriff:
        remarks.say("call_vote_sheriff", claim, seat=stand.wanted)
    elif stand.caller:
        remarks.say("call_vote_with", claim, seat=stand.wanted, caller=stand.caller)
    else:
        remarks.say("call_vote", claim, seat=stand.wanted)
