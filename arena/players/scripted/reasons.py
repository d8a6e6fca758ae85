"""Why a seat is suspected or trusted, in facts of this game, and the small talk around it."""

from collections.abc import Iterator

from arena.players.scripted.belief import Belief
from arena.players.scripted.mind import Mind, Point
from arena.table import Ballot
from arena.terms import Seat

_EXILE = {"vote", "runoff"}
_GOOD, _BAD = 0.25, 0.7


def why_suspect(mind: Mind, belief: Belief, seat: Seat) -> Point:
    """The best reason there is against `seat`: certainties first, then what it did, then a feeling."""
    certain = _certain(mind, belief, seat)
    if certain:
        return certain
    found = list(_deeds(mind, belief, seat))
    if not found:
        return "reason_gut", {"seat": seat}
    return found[int(mind.chance("reason", mind.table.day, seat) * len(found))]


def _certain(mind: Mind, belief: Belief, seat: Seat) -> Point | None:
    own = mind.ledger.seers.get(mind.seat)
    found = any(checked == seat and bad for _, checked, bad in mind.checks())
    if found or (own and own.checks.get(seat)):
        return "reason_own_check", {"seat": seat}
    if own and seat in mind.ledger.seers:
        return "reason_rival", {"seat": seat}
    seer = belief.seer
    if seer and seer != seat and mind.ledger.seers[seer].checks.get(seat):
        return "reason_checked", {"seat": seat, "seer": seer}
    if seer and seer != seat and seat in mind.ledger.seers:
        return "reason_rival", {"seat": seat}
    return None


def _deeds(mind: Mind, belief: Belief, seat: Seat) -> Iterator[Point]:
    for ballot in _exile_ballots(mind):
        target = dict(ballot.votes).get(seat, 0)
        if target == mind.seat:
            yield "reason_voted_me", {"seat": seat, "day": ballot.day}
        elif target and belief.wolf[target] < _GOOD:
            yield "reason_voted_good", {"seat": seat, "target": target, "day": ballot.day}
    for speech in mind.table.speeches:
        if speech.seat != seat:
            continue
        for claim in speech.claims:
            if claim.about == "trusts" and any(belief.wolf[s] > _BAD for s in claim.seats):
                yield "reason_backed_wolf", {"seat": seat, "target": belief.most_suspect(claim.seats)[0]}
            elif claim.about == "suspects" and claim.seats and belief.wolf[claim.seats[0]] < _GOOD:
                if claim.seats[0] != mind.seat:
                    yield "reason_attacked_good", {"seat": seat, "target": claim.seats[0]}
            elif claim.about == "will_vote" and claim.seats:
                yield from _broken(mind, seat, speech.day, claim.seats[0])


def _broken(mind: Mind, seat: Seat, day: int, said: Seat) -> Iterator[Point]:
    """A vote that was announced, and not cast so."""
    first = next((b for b in _exile_ballots(mind) if b.day == day and b.name == "vote"), None)
    target = dict(first.votes).get(seat, 0) if first else 0
    if target and target != said:
        yield "reason_broke_pledge", {"seat": seat, "said": said, "target": target, "day": day}


def _exile_ballots(mind: Mind) -> list[Ballot]:
    return [ballot for ballot in mind.table.ballots if ballot.name in _EXILE]


def why_trust(mind: Mind, belief: Belief, seat: Seat) -> Point:
    """The best reason there is for `seat`."""
    seer = belief.seer
    if seer and seer != mind.seat and mind.ledger.seers[seer].checks.get(seat) is False:
        return "trust_checked", {"seat": seat, "seer": seer}
    if any(saved == seat and witch != mind.seat for witch, saved in mind.ledger.saved.items()):
        return "trust_saved", {"seat": seat}
    for ballot in reversed(_exile_ballots(mind)):
        target = dict(ballot.votes).get(seat, 0)
        if target and target != mind.seat and belief.wolf[target] > _BAD:
            return "trust_voted_wolf", {"seat": seat, "target": target, "day": ballot.day}
    return "trust_gut", {"seat": seat}


def opening(mind: Mind, topic: str) -> list[Point]:
    """How a speech of `topic` begins."""
    table = mind.table
    if topic == "speech":
        order = table.orders.get("speech", ())
        place = {order[0]: "_first", order[-1]: "_last"} if len(order) > 1 else {}
        return [(f"open_speech{place.get(mind.seat, '')}", {}), *_news(mind)]
    key = {"speech_runoff": "open_runoff"}.get(topic, f"open_{topic}")
    return [(key, {})]


def _news(mind: Mind) -> list[Point]:
    """What has happened, remarked on by those who like to talk."""
    table = mind.table
    if mind.chance("news", table.day) > mind.talkativeness:
        return []
    dead = table.deaths(table.day)
    yesterday = [seat for day, seat in table.exiles if day == table.day - 1]
    if yesterday and mind.chance("yesterday", table.day) < 0.4:
        return [("yesterday_exile", {"target": yesterday[-1]}) if yesterday[-1] else ("yesterday_nobody", {})]
    if not dead:
        return [("night_peace", {})]
    return [("night_one" if len(dead) == 1 else "night_many", {"dead": dead})]


def reaction(mind: Mind) -> list[Point]:
    """An answer to the last one who has accused this seat today."""
    for speech in reversed(mind.table.speeches):
        if speech.day != mind.table.day or speech.seat == mind.seat:
            break
        if any(c.about in {"suspects", "will_vote"} and mind.seat in c.seats[:1] for c in speech.claims):
            return [("answer_accuser", {"accuser": speech.seat})]
    return []


def closing(mind: Mind, topic: str, *, wants_badge: bool) -> list[Point]:
    """How a speech of `topic` ends."""
    if topic.startswith("campaign"):
        return [("close_campaign" if wants_badge else "close_campaign_yield", {})]
    if topic == "last_words":
        return [("close_last_words", {})]
    return [("close_speech", {})] if mind.chance("close", mind.table.day) < 0.5 else []
