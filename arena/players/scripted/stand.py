"""Where a speech stands, decided before it is worded: the seer to side with, the seat to vote out, the suspects."""

from collections.abc import Mapping

from arena.players.scripted.mind import Mind
from arena.players.scripted.seers import plays_seer, results
from arena.players.scripted.votes import target
from arena.players.scripted.wolves import condemner, liar, real_seer, sides_with_liar
from arena.terms import Seat, record

_GOOD, _BAD = 0.25, 0.7


@record
class Stand:
    """A seat's stand, which its claims, its reasons and its vote follow.

    `wanted`: whom it calls to vote out, `caller`: whose call that follows; `seer`: the claimed one it sides with,
    `former`: the one it sided with before, where that has changed (0: nobody, for each of them). `suspects`: the
    wanted one first; `trusted`: whom it vouches for; `told`: the results it stands by as a seer (target: whether
    a werewolf); `wolf`: how likely it calls each seat a werewolf.
    """

    wanted: Seat
    caller: Seat
    seer: Seat
    former: Seat
    suspects: tuple[Seat, ...]
    trusted: tuple[Seat, ...]
    told: Mapping[Seat, bool]
    wolf: list[float]

    def good(self, seat: Seat) -> bool:
        """Whether the speech can call `seat` good."""
        return seat not in self.suspects and not self.told.get(seat) and self.wolf[seat] < _GOOD

    def bad(self, seat: Seat) -> bool:
        """Whether the speech can call `seat` a werewolf."""
        return seat != self.seer and self.told.get(seat) is not False and self.wolf[seat] > _BAD


def take_stand(mind: Mind, topic: str) -> Stand:
    """Decide what a speech of `topic` stands for."""
    wanted = _wanted(mind) if topic in {"speech", "speech_runoff"} else 0
    told = results(mind)
    seer = 0 if plays_seer(mind) else _believed(mind, wanted)
    said, _ = mind.ledger.side.get(mind.seat, (0, 0))
    wolf = mind.public.wolf if mind.is_werewolf else mind.own.under.get(seer, mind.own.wolf)
    suspects = _suspects(mind, wanted, seer, told, wolf)
    trusted = _trusted(mind, {*suspects, wanted, *told}, wolf)
    former = said if said in mind.ledger.seers and said != seer else 0
    return Stand(wanted, _caller(mind, wanted), seer, former, suspects, trusted, told, wolf)


def _wanted(mind: Mind) -> Seat:
    table = mind.table
    tied = table.orders.get("speech_runoff", ()) if table.floor[1] == "speech_runoff" else ()
    return target(mind, tied or table.in_play)


def _caller(mind: Mind, wanted: Seat) -> Seat:
    """Whose call for `wanted` this seat says it follows (0: nobody's)."""
    callers = [seat for seat, called in mind.ledger.pledge.items() if called == wanted and seat != mind.seat]
    leads = mind.seat == mind.table.sheriff
    return callers[-1] if callers and not leads and mind.chance("with", mind.table.day) < 0.5 else 0


def _believed(mind: Mind, wanted: Seat) -> Seat:
    """The claimed seer to speak up for (0: nobody): never one whom the same speech is out to exile."""
    seer = _werewolfs_seer(mind) if mind.is_werewolf else mind.side
    return 0 if seer in {wanted, mind.seat} else seer


def _werewolfs_seer(mind: Mind) -> Seat:
    """Who believes the seer that condemned it calls itself a werewolf."""
    fake, seer = liar(mind), real_seer(mind)
    if fake in mind.ledger.seers and (sides_with_liar(mind) or condemner(mind)):
        return fake
    if fake and seer and not sides_with_liar(mind):
        return 0 if condemner(mind) else seer
    return 0 if mind.public.seer == condemner(mind) else mind.public.seer


def _suspects(mind: Mind, wanted: Seat, seer: Seat, told: Mapping[Seat, bool], wolf: list[float]) -> tuple[Seat, ...]:
    """Whom to accuse: the seat to vote out, then the others in the order they are suspected."""
    many = 1 + (mind.suspicion > 0.3 and mind.talkativeness > 0.3) + (mind.suspicion > 0.8)
    first = {condemner(mind): 1, **dict.fromkeys((seat for seat in told if told[seat]), 1), wanted: 0}
    seats = [seat for seat in _accusable(mind, wanted) if seat != seer and told.get(seat) is not False]
    seats.sort(key=lambda seat: (first.get(seat, 2), -wolf[seat]))
    return tuple(seats[:many])


def _accusable(mind: Mind, wanted: Seat) -> tuple[Seat, ...]:
    """All one might accuse."""
    if not mind.is_werewolf:
        return mind.others()
    fake = liar(mind)
    if fake in mind.ledger.seers and fake != mind.seat and not sides_with_liar(mind) and not condemner(mind):
        return tuple(seat for seat in mind.others() if seat in {fake, wanted})
    return tuple(seat for seat in mind.others() if seat not in mind.table.pack or seat == wanted)


def _trusted(mind: Mind, judged: set[Seat], wolf: list[float]) -> tuple[Seat, ...]:
    """Whom to vouch for, if anybody, besides the claimed seers and those the speech has `judged`."""
    if mind.talkativeness < 0.3 or mind.chance("trust", mind.table.day) >= 0.6 * mind.talkativeness + 0.5 * (
        1 - mind.suspicion
    ):
        return ()
    spoken_of = {*judged, *mind.ledger.seers}
    limit = 0.4 if mind.is_werewolf else 0.2
    seats = [seat for seat in mind.others() if seat not in spoken_of and wolf[seat] < limit]
    seats.sort(key=lambda seat: wolf[seat] + 0.05 * mind.taste("trust", seat))
    return tuple(seats[:1])
