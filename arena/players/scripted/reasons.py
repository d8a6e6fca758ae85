"""Why a seat is suspected or trusted, in facts of this game, and the small talk around it."""

from collections.abc import Collection, Mapping

from arena.players.scripted.arguments import against_rival
from arena.players.scripted.cards import usurper
from arena.players.scripted.contested import exposed, open_at, undisputed
from arena.players.scripted.deeds import cast, deeds, exile_ballots
from arena.players.scripted.doubts import doubts, proofs
from arena.players.scripted.ledger import Tidings
from arena.players.scripted.mind import Mind, Point
from arena.players.scripted.stand import Stand
from arena.terms import Seat

_ON_SPEECH = 0.6
"""How often a feeling about a seat that has spoken is put down to its speech."""


_CHECKS = {"reason_checked", "reason_own_check", "reason_condemned"}


def why_suspect(mind: Mind, stand: Stand, seat: Seat, said: Collection[Point] = ()) -> Point:
    """The best reason there is against `seat`, not `said` yet: certainties first, then what it did, then a feeling."""
    certain = _certain(mind, stand, seat, said)
    if certain:
        return certain
    found = deeds(mind, stand, seat)
    if not found:
        return _feeling(mind, "reason", seat)
    return found[int(mind.chance("reason", mind.table.day, seat) * len(found))]


def despite_claim(mind: Mind, stand: Stand, seat: Seat, reason: str) -> list[Point]:
    """A word on the god's card that `seat` claims and nobody disputes, before a `reason` (its key) against it."""
    role = undisputed(mind.table, mind.ledger, seat)
    if not role or role == mind.table.role:
        return []
    return [("despite_check" if reason in _CHECKS else "despite_claim", {"seat": seat, "role": role})]


def words_taken_back(mind: Mind, stand: Stand, seat: Seat) -> list[Point]:
    """An admission that this seat has spoken up for `seat` before, unless its change of side has said so."""
    turned = mind.past.vouched.get(seat, False) and seat != stand.former
    return [("turned_against", {"seat": seat})] if turned else []


def _feeling(mind: Mind, kind: str, seat: Seat) -> Point:
    """A feeling about `seat`; about how it speaks only once it has spoken."""
    heard = any(speech.seat == seat for speech in mind.table.speeches)
    on_speech = heard and mind.chance(kind, "heard", mind.table.day, seat) < _ON_SPEECH
    return f"{kind}_speech" if on_speech else f"{kind}_gut", {"seat": seat}


def _certain(mind: Mind, stand: Stand, seat: Seat, said: Collection[Point]) -> Point | None:
    own = mind.ledger.seers.get(mind.seat)
    if stand.told.get(seat):
        return "reason_own_check", {"seat": seat}
    if own and seat in mind.ledger.seers:
        return against_rival(mind, stand, seat, said)
    if seat in mind.ledger.seers and mind.ledger.seers[seat].checks.get(mind.seat):
        return "reason_condemned_me", {"seat": seat}
    if seat == usurper(mind):
        return "reason_my_card", {"seat": seat, "role": mind.table.role}
    role = mind.ledger.role.get(seat, "")
    shown = open_at(mind.table, role, seat)
    if shown:
        return "reason_card_open", {"seat": seat, "role": role, "target": shown[-1]}
    seer = stand.seer
    if seer and seer != seat and mind.ledger.seers[seer].checks.get(seat):
        return "reason_checked", {"seat": seat, "seer": seer}
    if seer and seer != seat and seat in mind.ledger.seers:
        return against_rival(mind, stand, seat, said)
    return None


def changed_vote(mind: Mind) -> list[Point]:
    """An own vote, in the latest ballot, that went elsewhere than announced, and why: news that came in between."""
    for speech in reversed(mind.table.speeches):
        if speech.seat == mind.seat and speech.topic == "speech":
            said = next((c.seats[0] for c in speech.claims if c.about == "will_vote"), 0)
            voted = cast(mind, mind.seat, speech.day)
            changed = said and voted not in {0, said}
            return [("changed_vote", {"said": said, "target": voted, "day": speech.day})] if changed else []
    return []


def why_trust(mind: Mind, stand: Stand, seat: Seat) -> Point:
    """The best reason there is for `seat`."""
    seer = stand.seer
    if seer and mind.ledger.seers[seer].checks.get(seat) is False:
        doubted = mind.past.friendly.get(seat) is False
        return "trust_checked_now" if doubted else "trust_checked", {"seat": seat, "seer": seer}
    never = (seat, mind.seat, *stand.suspects)
    if any(saved == seat and witch not in never for witch, saved in mind.ledger.saved.items()):
        return "trust_saved", {"seat": seat}
    for ballot in reversed(exile_ballots(mind)):
        target = dict(ballot.votes).get(seat, 0)
        if target and target != mind.seat and stand.bad(target):
            return "trust_voted_wolf", {"seat": seat, "target": target, "day": ballot.day}
    return _feeling(mind, "trust", seat)


def vote_owned(mind: Mind, seer: Seat) -> list[Point]:
    """An admission of having voted `seer` out, from one who speaks up for it now, unless it has done so before."""
    if mind.past.friendly.get(seer) is not False:
        return []
    votes = [ballot.day for ballot in exile_ballots(mind) if dict(ballot.votes).get(mind.seat) == seer]
    days = [day for day, exiled in mind.table.exiles if exiled == seer and day in votes]
    return [("turned_to_exiled", {"seat": seer, "day": day}) for day in days]


def change_of_side(mind: Mind, stand: Stand) -> list[Point]:
    """Why this seat no longer sides with the seer it spoke or voted for: what has come to be known since."""
    ledger, seer, former = mind.ledger, stand.seer, stand.former
    fields = {"seat": seer, "former": former}
    since = ledger.since(mind.seat)
    shown = exposed(mind.table, ledger)
    if former in shown:
        return [("change_exposed", {**fields, "role": shown[former]})]
    if ledger.seers[former].checks.get(mind.seat):
        return [("change_condemned_me", fields)]
    fallen = [told.seat for told in since if told.kind == "fall"]
    proof = [point for point in proofs(mind.table, ledger, seer) if point[1]["target"] in fallen][:1]
    if proof:
        return [("change_proven", fields), *proof]
    if ledger.side[mind.seat].dropped:
        return [("change_voted_out", fields)]
    if ledger.new_seers(mind.seat) == ledger.seers.keys() - {former}:
        return [("change_new_claim", fields)]
    if Tidings("check", seer, mind.seat) in since and ledger.giver(mind.seat) == seer:
        return [("change_cleared_me", fields)]
    own_deeds = mind.past.attacked
    if seer in ledger.night_deaths and former in mind.table.in_play and seer not in own_deeds:
        return [("change_survived", fields)]
    doubt = list(doubts(mind.table, ledger, former))[:1]
    if doubt:
        return [("change_doubted", fields), *doubt]
    checks = [told for told in since if told.kind == "check" and told.seat != mind.seat]
    if checks:
        return [("change_checked", {**fields, "seer": checks[-1].seer, "target": checks[-1].seat})]
    fallen = [seat for seat in fallen if seat not in own_deeds and _sided(mind, seat) == seer]
    return [("change_fallen", {**fields, "target": fallen[-1]}) if fallen else ("change_weighed", fields)]


def _sided(mind: Mind, seat: Seat) -> Seat:
    side = mind.ledger.side.get(seat)
    return side.seer if side else 0


def doubted(mind: Mind, seer: Seat) -> list[Point]:
    """The strongest fact there is against `seer`, or that there is one this seat keeps to itself; else none."""
    secret = [("doubt_secret", {"seat": seer})] if mind.knows_better(seer) else []
    return [*doubts(mind.table, mind.ledger, seer), *secret][:1]


def opening(mind: Mind, topic: str) -> list[Point]:
    """How a speech of `topic` begins."""
    table = mind.table
    if topic == "speech":
        order = table.orders.get("speech", ())
        place = {order[0]: "_first", order[-1]: "_last"} if len(order) > 1 else {}
        return [(f"open_speech{place.get(mind.seat, '')}", {}), *_courtesy(mind)]
    key = {"speech_runoff": "open_runoff"}.get(topic, f"open_{topic}")
    return [(key, {})]


def _courtesy(mind: Mind) -> list[Point]:
    """A word to who has spoken before, from those whose manner it is."""
    speeches = mind.table.speeches
    if not speeches or speeches[-1].day != mind.table.day or speeches[-1].seat not in mind.others():
        return []
    return [("courtesy", {"seat": speeches[-1].seat})]


def news(mind: Mind) -> list[Point]:
    """What has happened, remarked on by those who like to talk."""
    table = mind.table
    if mind.chance("news", table.day) > mind.talkativeness:
        return []
    dead, past = table.deaths(table.day), mind.past
    yesterday = [seat for day, seat in table.exiles if day == table.day - 1]
    if yesterday and yesterday[-1] != mind.seat and mind.chance("yesterday", table.day) < 0.4:
        if not yesterday[-1]:
            return [("yesterday_nobody", {})]
        shared = yesterday[-1] in past.attacked
        return [("yesterday_exile" if shared else "yesterday_pushed", {"target": yesterday[-1]})]
    if not dead:
        return [("night_peace", {})]
    poisoned = {act.seats[0] for _, act in table.acts if act.act == "poison" and act.seats}
    if not poisoned.union(mind.ledger.poisoned.values(), past.attacked).isdisjoint(dead):
        return []  # how they died is known, and needs no guess; or this seat had doubts about them
    return [("night_one" if len(dead) == 1 else "night_many", {"dead": dead})]


def reaction(mind: Mind, told: Mapping[Seat, bool]) -> list[Point]:
    """An answer to the last one who has accused this seat today, unless it is out, found out or a rival."""
    for speech in reversed(mind.table.speeches):
        if speech.day != mind.table.day or speech.seat == mind.seat:
            break
        if any(c.about in {"suspects", "will_vote"} and mind.seat in c.seats[:1] for c in speech.claims):
            lost = told.get(speech.seat) or {speech.seat, mind.seat} <= mind.ledger.seers.keys()
            hears = speech.seat in mind.table.in_play and not lost
            return [("answer_accuser", {"accuser": speech.seat})] if hears else []
    return []


def closing(mind: Mind, topic: str, *, wants_badge: bool) -> list[Point]:
    """How a speech of `topic` ends."""
    if topic.startswith("campaign"):
        return [("close_campaign" if wants_badge else "close_campaign_yield", {})]
    if topic == "last_words":
        return [("close_last_words", {})]
    return [("close_speech", {})] if mind.chance("close", mind.table.day) < 0.5 else []
