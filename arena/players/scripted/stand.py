"""Where a speech stands, decided before it is worded: the seer to side with, the seat to vote out, the suspects."""

from collections.abc import Mapping

from arena.players.scripted.ledger import EXILE_BALLOTS
from arena.players.scripted.mind import Mind
from arena.players.scripted.past import Past
from arena.players.scripted.seers import plays_seer, results
from arena.players.scripted.votes import target
from arena.players.scripted.wolves import condemner, liar, poses_with, sides_with_liar
from arena.terms import Seat, record

_GOOD, _BAD = 0.25, 0.7
EQUAL = 0.02
"""How far apart in suspicion two seats may be for taste to say which comes first."""


@record
class Stand:
    """A seat's stand, which its claims, its reasons and its vote follow.

    `wanted`: whom it calls to vote out, `caller`: whose call that follows; `seer`: the claimed one it sides with,
    `former`: the one it sided with before, where that has changed (0: nobody, for each of them). `suspects`: the
    wanted one first; `trusted`: whom it vouches for; `told`: the results it stands by as a seer (target: whether
    a werewolf); `cleared`: whom the seer it sides with found good; `spared`: whom these results, or the seer's, let
    nobody call a werewolf; `wolf`: how likely it calls each seat a werewolf; `gone`: who is out; `past`: what it has
    said and done before.
    """

    wanted: Seat
    caller: Seat
    seer: Seat
    former: Seat
    suspects: tuple[Seat, ...]
    trusted: tuple[Seat, ...]
    told: Mapping[Seat, bool]
    cleared: set[Seat]
    spared: set[Seat]
    wolf: list[float]
    gone: set[Seat]
    past: Past

    def good(self, seat: Seat) -> bool:
        """Whether the speech can call `seat` good, and blame others for attacking it.

        Of those who may yet turn out otherwise only whom it has itself spoken up for.
        """
        stands_by = {self.seer, *self.trusted, *self.past.backed_at, *self.gone, *self.cleared}
        return self.harmless(seat) and (self.told.get(seat) is False or (seat in stands_by and self.wolf[seat] < _GOOD))

    def bad(self, seat: Seat) -> bool:
        """Whether the speech can call `seat` a werewolf, and blame others for standing by it."""
        return seat not in self.spared and seat not in self.past.backed and self.wolf[seat] > _BAD

    def harmless(self, seat: Seat) -> bool:
        """Whether this seat has nothing against `seat`, and never had."""
        return (
            seat not in self.suspects
            and seat not in self.past.attacked
            and not self.told.get(seat)
            and self.wolf[seat] <= _BAD
        )


def take_stand(mind: Mind, topic: str) -> Stand:
    """Decide what a speech of `topic` stands for."""
    wanted = _wanted(mind) if topic in {"speech", "speech_runoff"} else 0
    told = results(mind)
    seer = 0 if plays_seer(mind) else _believed(mind, wanted)
    belief = mind.public if mind.is_werewolf else mind.own
    wolf = belief.under.get(seer, belief.wolf)
    spared = {seat for seat, bad in told.items() if not bad} | (mind.ledger.spared_by(seer) if seer else set())
    suspects = _suspects(mind, wanted, seer, told, spared, wolf)
    trusted = _trusted(mind, {*suspects, wanted, *told}, seer, wolf, _attacked_by(mind, suspects[:1]))
    side = mind.ledger.side.get(mind.seat)
    former = side.seer if side and side.seer in mind.ledger.seers and side.seer != seer else 0
    caller = _caller(mind, wanted, suspects, wolf)
    gone = {fall.seat for fall in mind.table.falls}
    cleared = {seat for seat, bad in mind.ledger.seers[seer].checks.items() if not bad} if seer else set()
    return Stand(wanted, caller, seer, former, suspects, trusted, told, cleared, spared, wolf, gone, mind.past)


def _wanted(mind: Mind) -> Seat:
    table = mind.table
    tied = table.orders.get("speech_runoff", ()) if table.floor[1] == "speech_runoff" else ()
    return target(mind, tied or table.in_play)


def _caller(mind: Mind, wanted: Seat, suspects: tuple[Seat, ...], wolf: list[float]) -> Seat:
    """Whose call for `wanted` this seat says it follows (0: nobody's), of those it has not doubted."""
    friendly = mind.past.friendly
    never = (mind.seat, *suspects)
    # Whoever is out by now is past doubting.
    callers = [
        seat
        for seat, called in mind.ledger.pledge.items()
        if called == wanted and seat not in never and friendly.get(seat, True)
        if wolf[seat] <= _BAD or seat not in mind.table.in_play
    ]
    leads = mind.seat == mind.table.sheriff
    return callers[-1] if callers and not leads and mind.chance("with", mind.table.day) < 0.5 else 0


def _believed(mind: Mind, wanted: Seat) -> Seat:
    """The claimed seer to speak up for (0: nobody): never one whom the call of the same speech goes against."""
    seer = poses_with(mind) if mind.is_werewolf else mind.side
    return 0 if not seer or seer == mind.seat or (wanted and _goes_against(mind, seer, wanted)) else seer


def _goes_against(mind: Mind, seer: Seat, wanted: Seat) -> bool:
    """Whether to call for `wanted` is to call `seer` a liar, or to let a werewolf go that it has found."""
    checks, in_play = mind.ledger.seers[seer].checks, mind.table.in_play
    finds = {seat for seat, bad in checks.items() if bad and seat in in_play and seat != mind.seat}
    return wanted in mind.ledger.spared_by(seer) or (bool(finds) and wanted not in finds)


def _suspects(
    mind: Mind, wanted: Seat, seer: Seat, told: Mapping[Seat, bool], spared: set[Seat], wolf: list[float]
) -> tuple[Seat, ...]:
    """Whom to accuse: the seat to vote out, then what seers have found, then the others as they are suspected.

    Nobody this seat has last spoken up for, unless it wants that one out and has to take its words back.
    """
    many = 1 + (mind.suspicion > 0.3 and mind.talkativeness > 0.3) + (mind.suspicion > 0.8)
    checks = mind.ledger.seers[seer].checks if seer else told
    others = mind.others()
    found = {seat for seat, bad in checks.items() if bad and seat in others}
    first = {condemner(mind): 1, **dict.fromkeys(found, 1), wanted: 0}
    praised = {seat for seat, friendly in mind.past.friendly.items() if friendly}
    seats = [
        seat
        for seat in {*_accusable(mind, wanted), *found}
        if seat in (wanted, *found) or not (seat in spared or seat in praised)
    ]
    taste = mind.tastes("suspect")
    seats.sort(key=lambda seat: (first.get(seat, 2), -wolf[seat] - EQUAL * taste[seat]))
    return tuple(seats[:many])


def _accusable(mind: Mind, wanted: Seat) -> tuple[Seat, ...]:
    """All one might accuse."""
    if not mind.is_werewolf:
        return mind.others()
    fake = liar(mind)
    if fake in mind.ledger.seers and fake != mind.seat and not sides_with_liar(mind) and not condemner(mind):
        return tuple(seat for seat in mind.others() if seat in {fake, wanted})
    return tuple(seat for seat in mind.others() if seat not in mind.table.pack or seat == wanted)


def _attacked_by(mind: Mind, suspects: tuple[Seat, ...]) -> list[Seat]:
    """Whom the first of `suspects` has accused or voted for, the latest first."""
    table = mind.table
    if not suspects:
        return []
    votes = [dict(ballot.votes) for ballot in table.ballots if ballot.name in EXILE_BALLOTS]
    spoken = [speech for speech in table.speeches if speech.seat in suspects]
    accused = [claim.seats[0] for speech in spoken for claim in speech.claims if claim.about == "suspects"]
    return [*reversed(accused), *(vote[seat] for seat in suspects for vote in reversed(votes) if vote.get(seat))]


def _trusted(mind: Mind, judged: set[Seat], seer: Seat, wolf: list[float], attacked: list[Seat]) -> tuple[Seat, ...]:
    """Whom to vouch for, if anybody, besides the claimed seers and those the speech has `judged`.

    First one of those `attacked` by the main suspect, since to blame an attack is to stand by its target. Nobody this
    seat has spoken or voted against, unless the seer it sides with has cleared that one; nor who sides with a rival.
    """
    checks = mind.ledger.seers[seer].checks if seer else {}
    own_seer = mind.seat if plays_seer(mind) else seer
    against = {
        seat for seat, side in mind.ledger.side.items() if own_seer and side.seer != own_seer and not side.dropped
    }
    opposed = {seat for seat, friendly in mind.past.friendly.items() if not friendly and checks.get(seat) is not False}
    found = {seat for seat, bad in checks.items() if bad}
    spoken_of = {*judged, *mind.ledger.seers, *opposed, *found, *(against - checks.keys())}
    limit = 0.4 if mind.is_werewolf else 0.2
    never = spoken_of | mind.past.attacked
    others = mind.others()
    wronged = [seat for seat in attacked if seat in others and seat not in never and wolf[seat] < _GOOD]
    if wronged:
        return (wronged[0],)
    if mind.talkativeness < 0.3 or mind.chance("trust", mind.table.day) >= 0.6 * mind.talkativeness + 0.5 * (
        1 - mind.suspicion
    ):
        return ()
    seats = [seat for seat in others if seat not in spoken_of and wolf[seat] < limit]
    seats.sort(key=lambda seat: wolf[seat] + 0.05 * mind.taste("trust", seat))
    return tuple(seats[:1])
