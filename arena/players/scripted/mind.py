"""One seat's mind: its table, its beliefs, its temperament, and its chance."""

from typing import Any

from arena.chance import draw
from arena.events import View
from arena.personas import TONES, Tone, load_persona
from arena.players.scripted.belief import Belief, Eyes, believe
from arena.players.scripted.bonds import dear
from arena.players.scripted.contested import open_at, refuted
from arena.players.scripted.doubts import doubts, secret_doubt
from arena.players.scripted.foes import is_foe, seen
from arena.players.scripted.ledger import Ledger, is_bad
from arena.players.scripted.past import Past
from arena.table import Table
from arena.terms import Claim, Decision, Request, Seat, record

Point = tuple[str, dict[str, Any]]
"""Something to say: the key of its sentences in ``prompts/<language>/talk.yaml``, and their fields."""

DEFAULT: Point = ("default", {})
"""The thought of one who has nothing to say about a decision, or nobody to say it to."""

PROPOSALS = {"propose_attack", "propose_pass"}
"""The acts in which members of a pack propose a victim."""

DOUBT, STEADY, LEAN, REFUTED, HARDLY = 0.3, 0.4, 0.6, 0.05, 0.1
"""Below which chance a seat drops the seer it has sided with; how much likelier, and how likely, another must be.

And up to which it doesn't go back to one it has left, nor over to one for having been cleared.
"""
FAR = 0.9
"""How likely another seer must be before a seat leaves the one who has cleared it."""

_GOLDEN = 0x9E3779B97F4A7C15
"""2**64 divided by the golden ratio: its multiples are spread evenly, and no draw is needed for each seat."""
_LAST = 2**64 - 1
"""The largest draw: what is beyond it begins anew."""


@record
class Move:
    """What a mind decides, why (the key and the fields of its thought), and the points it would make."""

    decision: Decision
    why: Point = DEFAULT
    points: tuple[Point, ...] = ()


class Remarks:
    """A speech in the making: the points it makes, and the claims they amount to.

    A point may come without a claim; then `weight` says how much it matters, 0 being what may not be missing.
    """

    def __init__(self) -> None:
        self.claims: list[Claim] = []
        self._points: list[tuple[int, Point]] = []

    def say(self, key: str, *claims: Claim, **fields: Any) -> None:
        """Make a point, and the claims it amounts to."""
        self._points.append((0, (key, fields)))
        self.claims.extend(claims)

    def add(self, weight: int, *points: Point) -> None:
        """Make points that claim nothing, and are left out of a short speech, the heavier ones first."""
        self._points.extend((weight, point) for point in points)

    @property
    def said(self) -> list[Point]:
        """The points made so far."""
        return [point for _, point in self._points]

    def points(self, many: int) -> tuple[Point, ...]:
        """About `many` points in order: all that claim something, and the lightest of the rest."""
        lightest = sorted(range(len(self._points)), key=lambda place: self._points[place][0])
        kept = {place for rank, place in enumerate(lightest) if rank < many or not self._points[place][0]}
        return tuple(point for place, (_, point) in enumerate(self._points) if place in kept)


class Mind:
    """Everything a decision is made from. What it keeps between requests is a cache of the view."""

    def __init__(self, seed: int, seat: Seat, persona: str | None, *, words: bool) -> None:
        self.seed = seed
        self.seat = seat
        self.words = words
        given = load_persona(persona) if persona else None
        self.risk = given.risk if given else self._temper("risk")
        self.talkativeness = given.talkativeness if given else self._temper("talkativeness")
        self.suspicion = given.suspicion if given else self._temper("suspicion")
        self.questions = given.questions if given else 0.3 * self._temper("questions")
        self.tone: Tone = given.tone if given else TONES[int(self.chance("tone") * len(TONES))]
        self.table = Table(seat)
        self.ledger = Ledger(0)
        self.past = Past(seat)
        self._own: Belief | None = None
        self._public: Belief | None = None
        self._side: Seat | None = None
        self._pressure: list[float] = []
        self._pact = ""
        self._agreed: dict[tuple[int | str, ...], float] = {}
        self._tastes: dict[tuple[str, int], list[float]] = {}
        self._news: tuple[int, ...] = ()
        self.awaited: tuple[tuple[int, ...], Seat] = (), 0

    def _temper(self, trait: str) -> float:
        """A trait of one who was given no persona: nothing extreme."""
        return 0.2 + 0.6 * self.chance(trait)

    def read(self, view: View) -> None:
        """Take in what is new in `view`."""
        table = self.table
        if table.day <= 1 and table.part == "night":
            # It is made of the first night's proposals, and more of them may have come.
            self._pact, self._agreed = "", {}
        table.read(view)
        if len(self.ledger.if_bad) <= table.players:
            self.ledger = Ledger(table.players)
        self.ledger.read(table)
        news = table.news
        if news != self._news:
            self._news = news
            self._own = self._public = self._side = None
            self._pressure = []
            self.past.read(table)

    def pact(self, *label: int | str) -> float:
        """A number from 0 up to 1 that the whole pack draws alike, from what all its members know."""
        table = self.table
        if not self._pact:
            first = [(act.seat, act.seats) for day, act in table.acts if day == 1 and act.act in PROPOSALS]
            self._pact = f"{table.pack}{first}"
        if label not in self._agreed:
            self._agreed[label] = draw(self._pact, *label) / 2**64
        return self._agreed[label]

    def chance(self, *label: int | str) -> float:
        """A number from 0 up to 1, the same for the same label on every machine."""
        return draw(self.seed, self.seat, *label) / 2**64

    def taste(self, matter: str, seat: Seat) -> float:
        """A number from 0 up to 1 for each seat, in some matter of today: what tips the scales among equals."""
        return self.tastes(matter)[seat]

    def tastes(self, matter: str) -> list[float]:
        """The same for all seats, by seat."""
        key = (matter, self.table.day)
        if key not in self._tastes:
            first = draw(self.seed, self.seat, *key)
            places = range(first, first + (self.table.players + 1) * _GOLDEN, _GOLDEN)
            self._tastes[key] = [(place & _LAST) * 2.0**-64 for place in places]
        return self._tastes[key]

    @property
    def is_werewolf(self) -> bool:
        """Whether the own card is a werewolf."""
        return self.table.kinds.get(self.table.role) == "werewolf"

    @property
    def own(self) -> Belief:
        """What this seat believes, all it knows included."""
        if self._own is None:
            self._own = believe(self.table, self.ledger, self._eyes())
            for seat in dear(self.table):
                self._own.wolf[seat] = 0.0  # love is blind
        return self._own

    @property
    def public(self) -> Belief:
        """What somebody must believe who knows no more than the table."""
        if self._public is None:
            self._public = believe(self.table, self.ledger, Eyes(0))
        return self._public

    @property
    def side(self) -> Seat:
        """The claimed seer a good seat sides with (0: none).

        That is the one it has spoken or voted for, or one clearly likelier by what has come to be known since; a
        further claim makes it compare anew, and so does an own vote to exile that one; nobody sides with one it has
        shot or poisoned. Whom a seer has cleared sides with that one, unless it is hardly to be believed or there is
        something to say against it.
        """
        if self._side is None:
            self._side = self._chosen_side()
        return self._side

    def _chosen_side(self) -> Seat:
        ledger, seers, best = self.ledger, self.own.seers, self.own.seer
        if best in self.past.harmed:
            best = 0
        giver = ledger.giver(self.seat)
        if giver and seers.get(giver, 0.0) > HARDLY and not self._outweighs(best, giver):
            return giver
        side = ledger.side.get(self.seat)
        if not side or side.dropped or side.seer in self.past.harmed:
            return best
        kept, since = seers.get(side.seer, 0.0), ledger.since(self.seat)
        reopened = any(told.kind == "claim" for told in since)
        steady = not reopened and kept > DOUBT and seers.get(best, 0.0) - kept < STEADY
        returns = best != side.seer and best in self.past.backed
        if kept and (not since or steady or (returns and kept > REFUTED)):
            return side.seer
        return best if seers.get(best, 0.0) > LEAN else 0

    @property
    def verdict(self) -> list[float]:
        """How likely each seat is a werewolf to one who takes the seer it sides with for real."""
        return self.own.under.get(self.side, self.own.wolf)

    def spared(self) -> set[Seat]:
        """Those whom nobody on the side of this seat can call a werewolf, itself among them."""
        side = self.side
        return {self.seat, *(self.ledger.spared_by(side) if side else ())}

    def opponents(self) -> set[Seat]:
        """The rivals of the seer this seat sides with, and those that one has found: none to be helped."""
        return {*(self.ledger.seers.keys() - {self.side}), *self.finds()} if self.side else set()

    def finds(self) -> set[Seat]:
        """The werewolves found by the seer this seat sides with."""
        return {seat for seat, bad in self.ledger.seers[self.side].checks.items() if bad} if self.side else set()

    def _outweighs(self, best: Seat, giver: Seat) -> bool:
        """Whether the seer `best` is so much likelier than `giver`, who has cleared this seat, and it can say why."""
        likelier = best != giver and self.own.seers.get(best, 0.0) > FAR
        return likelier and (any(doubts(self.table, self.ledger, giver)) or self.knows_better(giver))

    def knows_better(self, seer: Seat) -> bool:
        """Whether this seat has seen something of the nights that speaks against `seer`; it may keep that to itself."""
        return not self.is_werewolf and secret_doubt(self.ledger, self._eyes(), seer)

    def _eyes(self) -> Eyes:
        table = self.table
        known = {seat: bad for _, seat, bad in self.checks()}
        poisoned = frozenset([act.seats[0] for _, act in table.acts if act.act == "poison" and act.seats])
        attacked = frozenset([told.seats[0] for _, told in table.learned if told.key == "victim" and told.seats])
        if self.is_werewolf:
            known = {seat: seat in table.pack for seat in range(1, table.players + 1)}
        else:
            known.update(dict.fromkeys(self.usurpers(), True))
        known.update(dict.fromkeys(seen(table), True))
        known[self.seat] = is_foe(table, table.role)
        return Eyes(self.seat, table.role, known, attacked, poisoned, frozenset(self.watched()))

    def usurpers(self) -> tuple[Seat, ...]:
        """Those who claim the own card, where there is only one of it: liars for certain."""
        card = self.table.role
        if self.table.began.cards.get(card) != 1:
            return ()
        return tuple([seat for seat, role in self.ledger.role.items() if role == card and seat != self.seat])

    def liars(self) -> tuple[Seat, ...]:
        """Those whose claims can't be true: to the own card, or to one that lies face up elsewhere."""
        return (*self.usurpers(), *refuted(self.table, self.ledger))

    def watched(self) -> dict[Seat, int]:
        """Whom the own watch may have kept alive, and in which night: nobody died, and no witch has said why since."""
        table = self.table
        nights = {act.seats[0]: day for day, act in table.acts if act.act == "protect" and act.seats}
        if not nights:
            return {}
        saves = [(speech.day, claim.seats) for speech, claim in table.claims("saved") if claim.seats]
        out = {fall.seat: fall.day for fall in table.falls} if saves else {}
        return {
            seat: day
            for seat, day in nights.items()
            if seat != self.seat and day <= table.nights and not table.deaths(day)
            if all(told < day or saved == (seat,) or out.get(saved[0], day) < day for told, saved in saves)
        }

    def checks(self) -> list[tuple[int, Seat, bool]]:
        """What the own checks have shown: night, seat, whether a werewolf."""
        return [
            (day, told.seats[0], is_bad(self.table, told.value))
            for day, told in self.table.learned
            if told.key == "checked" and told.seats
        ]

    def others(self) -> tuple[Seat, ...]:
        """The seats in play besides the own."""
        return tuple([seat for seat in self.table.in_play if seat != self.seat])

    def percent(self, seat: Seat) -> int:
        """How likely this mind finds `seat` a werewolf, in percent."""
        return round(100 * self.own.wolf[seat])

    def has_card(self, role: str) -> bool:
        """Whether `role` was dealt in this game."""
        return bool(self.table.began.cards.get(role))

    def can_hold(self, role: str) -> bool:
        """Whether the table must take this seat's word for having `role`: it was dealt, and lies nowhere face up."""
        return self.has_card(role) and not open_at(self.table, role, self.seat)

    def has_spoken_today(self) -> bool:
        """Whether this seat has had a speech in today's discussion."""
        speeches = self.table.speeches
        return any(s.seat == self.seat and s.topic == "speech" and s.day == self.table.day for s in speeches)

    def next_to_go(self) -> Seat:
        """The seat the table is most likely to exile today, by what has been announced and is suspected."""
        return max(self.table.in_play, key=self.pressures().__getitem__, default=0)

    def pressure(self, seat: Seat) -> float:
        """How close `seat` is to being exiled: suspicion, and announced votes as a share of the table."""
        return self.pressures()[seat]

    def pressures(self) -> list[float]:
        """The same for all seats, by seat."""
        if not self._pressure:
            self._pressure = self.public.wolf[:]
            for target in self.ledger.pledge.values():
                self._pressure[target] += 1 / len(self.table.in_play)
        return self._pressure

    def is_cornered(self) -> bool:
        """Whether it looks as if this seat goes today: somebody wants that, and it is nearer to it than others."""
        return self.is_endangered(self.seat) and self.pressure(self.seat) > 0.55

    def is_endangered(self, seat: Seat) -> bool:
        """Whether somebody wants `seat` out, by a call or by a check, and it is nearer to that than others."""
        condemned = any(claim.checks.get(seat) for claim in self.ledger.seers.values())
        return (condemned or seat in self.ledger.pledge.values()) and self.next_to_go() == seat


def seats_of(request: Request, act: str) -> tuple[Seat, ...]:
    """The seats that `act` may name; none where it is not among the choices."""
    return next((choice.seats for choice in request.choices if choice.act == act), ())


def offers(request: Request, act: str) -> bool:
    """Whether `act` is among the choices."""
    return act in [choice.act for choice in request.choices]
