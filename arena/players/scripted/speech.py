"""What to say: the claims of a speech, and the points its sentences are made from."""

from arena.players.scripted.ledger import SEER, is_bad
from arena.players.scripted.lies import false_checks
from arena.players.scripted.mind import Mind, Move, Point
from arena.players.scripted.reasons import Stand, closing, opening, reaction, why_suspect, why_trust
from arena.players.scripted.votes import target
from arena.players.scripted.wolves import liar, real_seer, sides_with_liar
from arena.terms import PASS, Claim, Decision, Request, Seat

_VILLAGE_POWERS = ("witch", "hunter", "guard")


class Plan:
    """A speech in the making: whom it calls to vote out (0: nobody), following whom, and whom it believes."""

    def __init__(self, mind: Mind, topic: str) -> None:
        self.wanted = _wanted(mind) if topic in {"speech", "speech_runoff"} else 0
        self.caller = _caller(mind, self.wanted)
        self.believed = _believed(mind, self.wanted)
        self.claims: list[Claim] = []
        self.points: list[Point] = []

    def say(self, key: str, *claims: Claim, **fields: object) -> None:
        """Make a point, and the claims it amounts to."""
        self.points.append((key, fields))
        self.claims.extend(claims)

    def told(self, mind: Mind) -> dict[Seat, bool]:
        """The results told as a seer, before and in this speech (target: whether a werewolf)."""
        own = mind.ledger.seers.get(mind.seat)
        new = {c.seats[0]: is_bad(mind.table, c.value) for c in self.claims if c.about == "checked"}
        return {**(own.checks if own else {}), **new}


def speak(mind: Mind, request: Request) -> Move:
    """The speech for the topic of `request`."""
    topic = request.topic
    if mind.is_werewolf and mind.seat in mind.table.revealed:
        return Move(Decision("speak"), ("speak_exposed", {}), (("exposed", {}), ("close_exposed", {})))
    speech = Plan(mind, topic)
    if mind.words:
        speech.points += opening(mind, topic)
    if _may_claim(mind, topic):
        if _plays_seer(mind):
            _report(mind, speech, topic)
        else:
            _stand_by_card(mind, speech, topic)
            _judge_seers(mind, speech)
    if mind.words:
        speech.points += reaction(mind, speech.told(mind))
    _judge_seats(mind, speech)
    if speech.wanted:
        _call_vote(mind, speech)
    if mind.words:
        speech.points += closing(mind, topic, wants_badge=_plays_seer(mind))
    return Move(Decision("speak", claims=tuple(speech.claims)), (_why(mind), {}), tuple(speech.points))


def _plays_seer(mind: Mind) -> bool:
    return mind.table.role == SEER or liar(mind) == mind.seat or mind.seat in mind.ledger.seers


def _why(mind: Mind) -> str:
    if _plays_seer(mind):
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
    urgent = mind.is_cornered() or _plays_seer(mind)
    if mind.has_spoken_today():
        return Move(PASS, ("sit", {}))
    level = 3 if urgent else 1 + (mind.chance("bid", mind.table.day) < mind.talkativeness)
    return Move(Decision(f"bid_{level}"), (_why(mind), {}))


def _report(mind: Mind, speech: Plan, topic: str) -> None:
    """A seer, real or false: the claim, all results, and whom to check next."""
    me, table = mind.seat, mind.table
    own = mind.ledger.seers.get(me)
    told = own.checks if own else {}
    checks = false_checks(mind) if mind.is_werewolf else [(seat, bad) for _, seat, bad in mind.checks()]
    rivals = [seat for seat in mind.ledger.seers if seat != me]
    if not own:
        speech.say("claim_seer_against" if rivals else "claim_seer", Claim("role", (me,), SEER), rivals=tuple(rivals))
    new = [(seat, bad) for seat, bad in checks if seat not in told]
    for seat, bad in new:
        value = _result(mind, bad)
        speech.say("checked_bad" if bad else "checked_good", Claim("checked", (seat,), value), seat=seat)
    if not new:
        speech.say("checked_nothing_new")
    if topic != "last_words":
        flow = _flow(mind, {seat for seat, _ in checks})
        if flow:
            has_badge = topic.startswith("campaign") or me == table.sheriff
            key = "flow_one" if len(flow) == 1 else "flow_badge" if has_badge else "flow"
            speech.say(key, Claim("will_check", flow), first=flow[0], second=flow[-1])


def _result(mind: Mind, bad: bool) -> str:
    learns = mind.table.began.rules.get("seer.learns", "is_werewolf")
    if learns == "faction":
        return "not_village" if bad else "village"
    if learns == "role":
        return "werewolf" if bad else "villager"
    return "werewolf" if bad else "not_werewolf"


def _flow(mind: Mind, checked: set[Seat]) -> tuple[Seat, ...]:
    belief = mind.public if mind.is_werewolf else mind.own
    open_seats = [s for s in mind.others() if s not in checked and s not in mind.ledger.seers]
    open_seats.sort(key=lambda seat: -belief.wolf[seat] - 0.1 * mind.taste("flow", seat))
    return tuple(open_seats[:2])


def _stand_by_card(mind: Mind, speech: Plan, topic: str) -> None:
    """Turn up the own card in words, when it is time to."""
    me, table, ledger = mind.seat, mind.table, mind.ledger
    last_chance = topic == "last_words"
    if me in ledger.role and not last_chance:
        return
    cornered = mind.is_cornered() or topic == "speech_runoff"
    card = table.role
    if mind.is_werewolf:
        card = _cover(mind) if cornered and not last_chance else ""
    elif not (cornered or last_chance or _time_to_tell(mind)):
        card = ""
    if not card:
        return
    own_words = not last_chance and card in (*_VILLAGE_POWERS, "villager")
    speech.say(f"claim_{card}" if own_words else "claim_card", Claim("role", (me,), card), role=card)
    if not mind.is_werewolf:
        _tell_deeds(mind, speech)


def _cover(mind: Mind) -> str:
    """The card a cornered werewolf hides behind."""
    taken = set(mind.ledger.role.values())
    free = [role for role in ("hunter", "guard", "witch") if mind.has_card(role) and role not in taken]
    if free and mind.chance("cover") < 0.3 + 0.5 * mind.risk:
        return free[0]
    return "villager" if mind.has_card("villager") else ""


def _time_to_tell(mind: Mind) -> bool:
    """Whether a god comes out unasked: when few are left, or where there is no sheriff to lead.

    A witch also tells whom she saved or poisoned when both potions are gone, or the saved seat is in danger.
    """
    table = mind.table
    if table.role not in _VILLAGE_POWERS:
        return False
    leaderless = table.players < table.began.rules["sheriff.min_players"]
    if table.part == "discussion" and (leaderless or 2 * len(table.in_play) <= table.players):
        return True
    used = {act.act for _, act in table.acts}
    saved = next((act.seats[0] for _, act in table.acts if act.act == "antidote" and act.seats), 0)
    return {"antidote", "poison"} <= used or (saved != 0 and mind.next_to_go() == saved)


def _tell_deeds(mind: Mind, speech: Plan) -> None:
    for day, act in mind.table.acts:
        if act.act == "antidote" and act.seats != (mind.seat,):
            speech.say("tell_saved", Claim("saved", act.seats), seat=act.seats, day=day)
        elif act.act == "poison":
            speech.say("tell_poisoned", Claim("poisoned", act.seats), seat=act.seats, day=day)
    watched = [(day, act.seats) for day, act in mind.table.acts if act.act == "protect"]
    if watched:
        day, seats = watched[-1]
        itself = seats == (mind.seat,)
        speech.say("tell_guarded_me" if itself else "tell_guarded", Claim("guarded", seats), seat=seats, day=day)


def _judge_seers(mind: Mind, speech: Plan) -> None:
    """Take sides among the claimed seers."""
    seers = [seat for seat in mind.ledger.seers if seat != mind.seat]
    if not any(seat in mind.table.in_play for seat in seers) and mind.table.floor[1] != "last_words":
        return
    believed = speech.believed
    if believed and len(seers) > 1:
        rivals = tuple(seat for seat in seers if seat != believed)
        speech.say("side_with", Claim("trusts", (believed,)), seat=believed, rivals=rivals)
    elif believed:
        speech.say("lone_seer", Claim("trusts", (believed,)), seat=believed)
    elif len(seers) == 1:
        speech.say("lone_seer_doubted", seat=seers[0])
    else:
        speech.say("seers_open", seats=tuple(seers))


def _believed(mind: Mind, wanted: Seat) -> Seat:
    """The claimed seer to speak up for (0: nobody): never one whom the same speech is out to exile."""
    seer = _sides_with(mind)
    return 0 if seer in {wanted, mind.seat} else seer


def _sides_with(mind: Mind) -> Seat:
    if not mind.is_werewolf:
        return mind.own.seer
    fake, seer = liar(mind), real_seer(mind)
    if fake and fake in mind.ledger.seers and sides_with_liar(mind):
        return fake
    backed = seer if fake and seer and not sides_with_liar(mind) else mind.public.seer
    # Who believes the seer that condemned it calls itself a werewolf.
    return 0 if backed and mind.ledger.seers[backed].checks.get(mind.seat) else backed


def _judge_seats(mind: Mind, speech: Plan) -> None:
    """Whom one suspects and whom one trusts, and why."""
    belief = mind.public if mind.is_werewolf else mind.own
    suspects = _suspects(mind, speech)
    stand = Stand(belief, speech.believed, suspects, speech.told(mind))
    if suspects:
        speech.claims.append(Claim("suspects", suspects))
    if suspects and mind.words:
        speech.points.append(why_suspect(mind, stand, suspects[0]))
        speech.points += [("suspect_also", {"seat": seat}) for seat in suspects[1:]]
    trusted = _trusted(mind, {*suspects, speech.wanted, *speech.told(mind)})
    if trusted and mind.chance("trust", mind.table.day) < 0.4 + 0.5 * mind.talkativeness:
        speech.claims.append(Claim("trusts", trusted))
        if mind.words:
            speech.points.append(why_trust(mind, stand, trusted[0]))


def _suspects(mind: Mind, speech: Plan) -> tuple[Seat, ...]:
    """Whom to accuse: first the seat to vote out, unless the vote follows somebody else's call."""
    many = 1 + (mind.suspicion > 0.3)
    told = speech.told(mind)
    seats = [seat for seat in _ranked(mind) if seat != speech.believed and told.get(seat) is not False]
    if speech.wanted and not (speech.caller and seats):
        seats = [speech.wanted, *(seat for seat in seats if seat != speech.wanted)]
    return tuple(seats[:many])


def _ranked(mind: Mind) -> tuple[Seat, ...]:
    """All one might accuse, the most suspect first."""
    if not mind.is_werewolf:
        return tuple(mind.own.most_suspect(mind.others()))
    fake = liar(mind)
    if fake == mind.seat:
        return _liars_suspects(mind)
    if fake in mind.ledger.seers and not sides_with_liar(mind):
        return (fake,) if fake in mind.table.in_play else ()
    seats = tuple(seat for seat in mind.others() if seat not in mind.table.pack)
    return tuple(mind.public.most_suspect(seats))


def _liars_suspects(mind: Mind) -> tuple[Seat, ...]:
    """What fits the lie: those it condemns, then the rivals, then whoever looks worst and was not cleared."""
    told = dict(false_checks(mind))
    seats = [seat for seat in mind.others() if seat not in mind.table.pack and told.get(seat) is not False]
    rivals = mind.ledger.seers
    return tuple(sorted(seats, key=lambda seat: (seat not in told, seat not in rivals, -mind.public.wolf[seat])))


def _trusted(mind: Mind, judged: set[Seat]) -> tuple[Seat, ...]:
    """Whom to vouch for, besides the claimed seers and those the speech has `judged`."""
    belief = mind.public if mind.is_werewolf else mind.own
    spoken_of = {*judged, *mind.ledger.seers}
    limit = 0.4 if mind.is_werewolf else 0.2
    seats = [seat for seat in mind.others() if seat not in spoken_of and belief.wolf[seat] < limit]
    seats.sort(key=lambda seat: belief.wolf[seat] + 0.05 * mind.taste("trust", seat))
    return tuple(seats[:1])


def _wanted(mind: Mind) -> Seat:
    table = mind.table
    tied = table.orders.get("speech_runoff", ()) if table.floor[1] == "speech_runoff" else ()
    return target(mind, tied or table.in_play)


def _caller(mind: Mind, wanted: Seat) -> Seat:
    """Whose call for `wanted` this seat says it follows (0: nobody's)."""
    callers = [seat for seat, called in mind.ledger.pledge.items() if called == wanted and seat != mind.seat]
    leads = mind.seat == mind.table.sheriff
    return callers[-1] if callers and not leads and mind.chance("with", mind.table.day) < 0.5 else 0


def _call_vote(mind: Mind, speech: Plan) -> None:
    wanted = speech.wanted
    claim = Claim("will_vote", (wanted,))
    if mind.seat == mind.table.sheriff:
        speech.say("call_vote_sheriff", claim, seat=wanted)
    elif speech.caller:
        speech.say("call_vote_with", claim, seat=wanted, caller=speech.caller)
    else:
        speech.say("call_vote", claim, seat=wanted)
