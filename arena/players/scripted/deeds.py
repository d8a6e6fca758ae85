"""What can be held against a seat: facts of this game, and never one that the speaker shares."""

from collections.abc import Callable, Iterator

from arena.players.scripted.contested import rivals
from arena.players.scripted.ledger import EXILE_BALLOTS
from arena.players.scripted.mind import Mind, Point
from arena.players.scripted.stand import Stand
from arena.table import Ballot, Speech
from arena.terms import Seat

_UNDECIDED = 0.25
"""From which suspicion on a seat may be called a fair target: the speaker's own vote for it needs no excuse then."""

DEFENCES = {"reason_picked", "reason_attacked_good", "reason_voted_good"}
"""Reasons that stand up for their `target`."""


def exile_ballots(mind: Mind, seat: Seat = 0) -> list[Ballot]:
    """The ballots to exile so far; for a reason against `seat` those since this mind last spoke up for it."""
    since = mind.past.backed_at.get(seat, 0)
    return [ballot for ballot in mind.table.ballots if ballot.name in EXILE_BALLOTS and ballot.after >= since]


def cast(mind: Mind, seat: Seat, day: int) -> Seat:
    """Whom `seat` voted for in the first ballot of `day` (0: nobody, or not held yet)."""
    first = next((b for b in exile_ballots(mind) if b.day == day and b.name == "vote"), None)
    return dict(first.votes).get(seat, 0) if first else 0


def deeds(mind: Mind, stand: Stand, seat: Seat) -> list[Point]:
    """The strongest kind of facts that `stand` lets this mind hold against `seat`; none if there are none."""
    for kinds in _STRENGTHS:
        found = [point for kind in kinds for point in kind(mind, stand, seat)]
        if found:
            return found
    return []


def _against_the_good(mind: Mind, stand: Stand, seat: Seat) -> Iterator[Point]:
    for ballot in exile_ballots(mind, seat):
        target = dict(ballot.votes).get(seat, 0)
        if target == mind.seat:
            yield "reason_voted_me", {"seat": seat, "day": ballot.day}
        elif target and _fair_to(mind, stand, target):
            yield "reason_voted_good", {"seat": seat, "target": target, "day": ballot.day}
    for speech, target in _first_suspects(mind, seat):
        if target == mind.seat:
            yield "reason_accused_me", {"seat": seat, "day": speech.day}
        elif _fair_to(mind, stand, target):
            yield "reason_attacked_good", {"seat": seat, "target": target}


def _fair_to(mind: Mind, stand: Stand, target: Seat) -> bool:
    """Whether going for `target` can be held against others; a seer has no reason to defend its rival."""
    rival = bool(stand.told) and target in mind.ledger.seers
    return stand.good(target) and not rival


def _for_the_bad(mind: Mind, stand: Stand, seat: Seat) -> Iterator[Point]:
    # What the table thinks of the own seat is no reason to give.
    never = {mind.seat, seat}
    for speech in _speeches(mind, seat):
        for claim in speech.claims:
            if claim.about == "trusts":
                backed = [other for other in claim.seats if other not in never and stand.bad(other)]
                if backed:
                    yield "reason_backed_wolf", {"seat": seat, "target": backed[0]}
    since = mind.past.backed_at.get(seat, 0)
    for ballot in mind.table.ballots:
        held = ballot.name not in EXILE_BALLOTS and ballot.after >= since
        target = dict(ballot.votes).get(seat, 0) if held else 0
        if target and target not in never and target not in mind.past.elected and stand.bad(target):
            yield "reason_elected_wolf", {"seat": seat, "target": target}


def _broken_word(mind: Mind, stand: Stand, seat: Seat) -> Iterator[Point]:
    """A vote that was announced, and not cast so."""
    for speech in _speeches(mind, seat):
        said = _called(speech)
        target = cast(mind, seat, speech.day)
        if not said or target in {0, said, mind.seat, *mind.past.attacked}:
            continue
        fields = {"seat": seat, "target": target, "day": speech.day}
        if said == mind.seat:
            yield "reason_broke_pledge_me", fields
        else:
            yield "reason_broke_pledge", {**fields, "said": said}


def _doubtful_claim(mind: Mind, stand: Stand, seat: Seat) -> Iterator[Point]:
    """A check that has hit the seat, or a claim of its own that others dispute, for those who side with nobody."""
    ledger, table = mind.ledger, mind.table
    counter = tuple(other for other in rivals(table, ledger, seat) if other != mind.seat)
    condemned_by = [seer for seer, claim in ledger.seers.items() if claim.checks.get(seat) and seer != mind.seat]
    if condemned_by and not stand.seer and not stand.told:
        yield "reason_condemned", {"seat": seat, "seer": condemned_by[-1]}
    role = ledger.role.get(seat, "")
    if role != "villager" and counter and not all(map(stand.bad, counter)):
        yield "reason_two_claims", {"seat": seat, "rivals": counter, "role": role}
    if seat in ledger.seers and table.nights > ledger.seers[seat].day and seat != stand.seer:
        yield "reason_survived", {"seat": seat, "day": ledger.seers[seat].day}


def _sides(mind: Mind, stand: Stand, seat: Seat) -> Iterator[Point]:
    """Having gone over to another seer, or having said nothing about one."""
    seers = mind.ledger.seers
    speeches = [speech for speech in _speeches(mind, seat) if speech.topic == "speech"]
    sides = [other for speech in speeches for other in _backed(speech) if other in seers]
    own = {other for other in mind.past.backed if other in seers}
    if len(set(sides)) > 1 and len(own) < 2 and sides[-1] != stand.seer and mind.seat not in (sides[0], sides[-1]):
        yield "reason_changed_side", {"seat": seat, "former": sides[0], "target": sides[-1]}
    open_seers = tuple(seer for seer in seers if seer not in (mind.seat, seat) and seer in mind.table.in_play)
    if speeches and open_seers and seat not in seers and not sides and stand.seer in open_seers:
        claimed = min(mind.table.speeches.index(s) for s in mind.table.speeches if s.seat == stand.seer)
        if mind.table.speeches.index(speeches[-1]) > claimed:
            yield "reason_silent", {"seat": seat, "seer": stand.seer}


def _company(mind: Mind, stand: Stand, seat: Seat) -> Iterator[Point]:
    """Company with a werewolf known by now: that one's good word for the seat, or a vote they shared."""
    for speech in mind.table.speeches:
        backed = seat in _backed(speech) and speech.seat not in {seat, mind.seat} and stand.bad(speech.seat)
        if backed and seat not in mind.ledger.seers:
            yield "reason_backed_by_wolf", {"seat": seat, "target": speech.seat}
    for ballot in exile_ballots(mind, seat):
        votes = dict(ballot.votes)
        target = votes.get(seat, 0)
        if not target or target in {mind.seat, votes.get(mind.seat)} or not stand.harmless(target):
            continue
        for wolf, shared in votes.items():
            if shared == target and wolf not in {seat, mind.seat} and stand.bad(wolf):
                yield "reason_voted_with_wolf", {"seat": seat, "wolf": wolf, "target": target, "day": ballot.day}


def _opened(mind: Mind, stand: Stand, seat: Seat) -> Iterator[Point]:
    """Having been the first to call for one who was exiled then, and in whom this mind sees no harm."""
    since = mind.past.backed_at.get(seat, 0)
    for day, exiled in mind.table.exiles:
        if not exiled or exiled in {seat, mind.seat} or not stand.harmless(exiled):
            continue
        callers = [
            (place, speech.seat)
            for place, speech in enumerate(mind.table.speeches)
            if speech.day == day and exiled in {_called(speech), *_first(speech)}
        ]
        if callers and callers[0][1] == seat and callers[0][0] >= since:
            yield "reason_opened", {"seat": seat, "target": exiled, "day": day}


def _feared(mind: Mind, stand: Stand, seat: Seat) -> Iterator[Point]:
    """Having been the first suspect of somebody whom the werewolves then killed, at the latest in its last words."""
    for dead, alone in mind.ledger.night_deaths.items():
        last = next((speech for speech in reversed(mind.table.speeches) if speech.seat == dead), None)
        if alone and last and dead != mind.seat and seat in _first(last) and stand.harmless(dead):
            left = last.topic == "last_words"
            yield "reason_last_words" if left else "reason_victim_suspected", {"seat": seat, "dead": dead}


def _other_vote(mind: Mind, stand: Stand, seat: Seat) -> Iterator[Point]:
    """A vote that went elsewhere than the own one."""
    for ballot in exile_ballots(mind, seat):
        votes = dict(ballot.votes)
        target, mine = votes.get(seat, 0), votes.get(mind.seat, 0)
        fair = mine and mine not in stand.spared and stand.wolf[mine] >= _UNDECIDED
        if not fair or mine == seat or target == mine or seat not in votes:
            continue
        fields = {"seat": seat, "mine": mine, "day": ballot.day}
        if not target:
            yield "reason_abstained", fields
        elif stand.harmless(target):
            yield "reason_voted_other", {**fields, "target": target}


def _weak_case(mind: Mind, stand: Stand, seat: Seat) -> Iterator[Point]:
    """Whom the seat accuses, or that it accuses nobody."""
    for speech, target in _first_suspects(mind, seat):
        if speech.day == mind.table.day and target != mind.seat and stand.good(target):
            yield "reason_picked", {"seat": seat, "target": target}
    latest = next(iter(reversed(_speeches(mind, seat))), None)
    if latest and latest.topic == "speech" and not any(c.about in {"suspects", "will_vote"} for c in latest.claims):
        yield "reason_named_nobody", {"seat": seat, "day": latest.day}


def _echo(mind: Mind, stand: Stand, seat: Seat) -> Iterator[Point]:
    """Having called for somebody only after another had, where the own call came before or was another."""
    calls: dict[int, list[tuple[Seat, Seat]]] = {}
    for speech in mind.table.speeches:
        called = _called(speech)
        if called:
            calls.setdefault(speech.day, []).append((speech.seat, called))
    for day, called_that_day in calls.items():
        callers = [caller for caller, _ in called_that_day]
        if seat not in callers:
            continue
        place = callers.index(seat)
        target = called_that_day[place][1]
        before = [caller for caller, other in called_that_day[:place] if other == target]
        echoed = mind.seat in callers and (mind.seat, target) in called_that_day[place:]
        if before and before[0] != mind.seat and not echoed and target != mind.seat and stand.harmless(target):
            yield "reason_followed", {"seat": seat, "target": target, "caller": before[0], "day": day}


def _spared_the_bad(mind: Mind, stand: Stand, seat: Seat) -> Iterator[Point]:
    """A vote elsewhere while a werewolf was up for it."""
    for ballot in exile_ballots(mind, seat):
        votes = dict(ballot.votes)
        target, mine = votes.get(seat, 0), votes.get(mind.seat, 0)
        up = [other for other in set(votes.values()) if other not in (0, seat, mind.seat) and stand.bad(other)]
        if target and target not in up and mine in up:
            yield "reason_spared_wolf", {"seat": seat, "target": mine, "day": ballot.day}


def _vouched(mind: Mind, stand: Stand, seat: Seat) -> Iterator[Point]:
    """A good word for somebody the speaker knows nothing good of."""
    known = {mind.seat, seat, *stand.spared, *stand.trusted, *mind.past.backed, *mind.ledger.seers}
    for speech in _speeches(mind, seat):
        for target in _backed(speech):
            if target not in known and stand.wolf[target] > _UNDECIDED:
                yield "reason_vouched", {"seat": seat, "target": target, "day": speech.day}


def _left_alive(mind: Mind, stand: Stand, seat: Seat) -> Iterator[Point]:
    """Being spared by the werewolves, where there is nothing else to go by."""
    dead = mind.table.deaths(mind.table.day)
    if len(dead) == 1 and mind.seat not in dead and mind.past.attacked.isdisjoint(dead) and mind.table.day > 1:
        yield "reason_left_alive", {"seat": seat, "dead": dead}


def _left_by_wolf(mind: Mind, stand: Stand, seat: Seat) -> Iterator[Point]:
    """Never having been a target of a werewolf known by now, who did go for the speaker."""
    for wolf in {speech.seat for speech in mind.table.speeches if stand.bad(speech.seat)} - {seat, mind.seat}:
        named = {s for speech in mind.table.speeches if speech.seat == wolf for s in (_called(speech), *_first(speech))}
        voted = {dict(ballot.votes).get(wolf, 0) for ballot in exile_ballots(mind)}
        if mind.seat in named | voted and seat not in named | voted:
            yield "reason_left_by_wolf", {"seat": seat, "wolf": wolf}


def _remaining(mind: Mind, stand: Stand, seat: Seat) -> Iterator[Point]:
    """Being left once those whom the own seer has cleared are left out."""
    table, ledger = mind.table, mind.ledger
    cleared = tuple(s for s in sorted(stand.cleared) if s in table.in_play and s not in {mind.seat, seat})
    if cleared and stand.seer != seat and seat not in stand.cleared and seat not in ledger.role:
        yield "reason_remaining", {"seat": seat, "seer": stand.seer, "cleared": cleared}


def _unproven(mind: Mind, stand: Stand, seat: Seat) -> Iterator[Point]:
    """That nothing speaks for it, no check and no card, or one that anybody can claim."""
    ledger = mind.ledger
    checked = any(seat in claim.checks for claim in ledger.seers.values())
    if ledger.seers and not (
        checked or seat in ledger.role or seat in ledger.saved.values() or seat in mind.past.backed_at
    ):
        yield "reason_unproven", {"seat": seat}
    if ledger.role.get(seat) == "villager" and not checked:
        yield "reason_plain_claim", {"seat": seat}


def _called_today(mind: Mind, stand: Stand, seat: Seat) -> Iterator[Point]:
    """That others want it out, from one who does not say so again when it calls."""
    never = {mind.seat, *stand.suspects}
    callers = tuple(
        caller
        for caller, called in mind.ledger.pledge.items()
        if called == seat and caller not in never and stand.wolf[caller] <= _UNDECIDED * 2
    )
    if callers and not (stand.caller and seat == stand.wanted):
        yield "reason_called", {"seat": seat, "callers": callers[:2]}


def _led(mind: Mind, stand: Stand, seat: Seat) -> Iterator[Point]:
    """An exile the speaker has voted for as well, owned up to: the other had called for it before."""
    since, called = mind.past.backed_at.get(seat, 0), set[tuple[int, Seat]]()
    calls: list[Speech] = []
    for heard, speech in enumerate(mind.table.speeches):
        call = speech.day, _called(speech)
        if speech.seat == mind.seat:
            called.add(call)
        elif speech.seat == seat and heard >= since and call not in called:
            calls.append(speech)
    for speech in calls:
        target = _called(speech)
        votes = {cast(mind, seat, speech.day), cast(mind, mind.seat, speech.day)}
        exiled = (speech.day, target) in mind.table.exiles
        if exiled and votes == {target} and not stand.wolf[target] > _UNDECIDED:
            yield "reason_led", {"seat": seat, "target": target, "day": speech.day}


def _speeches(mind: Mind, seat: Seat) -> list[Speech]:
    """What `seat` has said since this mind last spoke up for it: what came before is no reason against it."""
    since = mind.past.backed_at.get(seat, 0)
    return [speech for speech in mind.table.speeches[since:] if speech.seat == seat]


def _first_suspects(mind: Mind, seat: Seat) -> Iterator[tuple[Speech, Seat]]:
    for speech in _speeches(mind, seat):
        yield from ((speech, suspect) for suspect in _first(speech))


def _first(speech: Speech) -> list[Seat]:
    return [claim.seats[0] for claim in speech.claims if claim.about == "suspects" and claim.seats]


def _backed(speech: Speech) -> list[Seat]:
    return [seat for claim in speech.claims if claim.about == "trusts" for seat in claim.seats]


def _called(speech: Speech) -> Seat:
    return next((c.seats[0] for c in speech.claims if c.about == "will_vote" and c.seats), 0)


_STRENGTHS: tuple[tuple[Callable[[Mind, Stand, Seat], Iterator[Point]], ...], ...] = (
    (_against_the_good, _for_the_bad, _broken_word, _doubtful_claim),
    (_sides, _other_vote, _spared_the_bad, _company, _opened, _feared, _weak_case),
    (_left_by_wolf,),
    (_echo, _called_today, _led, _vouched, _remaining),
    (_left_alive,),
    (_unproven,),
)
"""Kinds of facts, the strongest first."""
