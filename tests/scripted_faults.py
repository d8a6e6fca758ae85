"""What scripted players may get wrong, counted in whole games: each kind of fault with the occasions for it."""

from collections import Counter
from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Any

from arena.events import Event, View
from arena.state import GameState
from arena.table import Table
from arena.terms import Decision, Reply, Request, Seat
from tests.games import house
from tests.scripted_claims import Claims
from tests.scripted_games import player_for, watch

Found = Iterator[tuple[str, bool]]
"""Occasions by name, each with whether something was wrong."""


class Audit:
    """Watches one game and notes every occasion."""

    def __init__(self, players: int) -> None:
        self.tables = {seat: Table(seat) for seat in range(1, players + 1)}
        self.claims = {seat: Claims() for seat in range(1, players + 1)}
        self.found: Counter[tuple[str, bool]] = Counter()

    def __call__(self, state: GameState, view: View, request: Request, reply: Reply) -> None:
        seat, decision = request.seat, reply.decision
        table, claims = self.tables[seat].read(view), self.claims[seat]
        claims.take_in(table)
        for topics, check in CHECKS:
            if request.topic in topics:
                self.found.update(check(state, table, claims, seat, decision))


Check = Callable[[GameState, Table, Claims, Seat, Decision], Found]


def _about(decision: Decision, about: str) -> tuple[Seat, ...]:
    return next((claim.seats for claim in decision.claims if claim.about == about), ())


def _is_wolf(state: GameState, seat: Seat) -> bool:
    return state.kind(seat) == "werewolf"


def _living_found(table: Table, checks: dict[Seat, bool]) -> set[Seat]:
    return {seat for seat, bad in checks.items() if bad and seat in table.in_play}


def speech(state: GameState, table: Table, claims: Claims, seat: Seat, decision: Decision) -> Found:
    if decision.act != "speak" or seat in table.revealed:
        return
    wanted, suspects = _about(decision, "will_vote"), _about(decision, "suspects")
    sides = [s for c in decision.claims if c.about == "trusts" for s in c.seats if s in claims.seers]
    if wanted and suspects:
        yield "call is no first suspect", wanted[0] != suspects[0]
    if sides and wanted:
        yield "call against own side", claims.rivals_only(sides[0], wanted[0])
        rivals = set(claims.seers).intersection(table.in_play) - {sides[0]}
        if rivals and not _living_found(table, claims.checks[sides[0]]):
            yield "lets the rival of its seer go", wanted[0] not in rivals.union(claims.liars(table))
    own = dict(claims.checks.get(seat, {}))
    own |= {c.seats[0]: c.value == "werewolf" for c in decision.claims if c.about == "checked"}
    if _living_found(table, own) and suspects:
        yield f"{_kind(state, seat)} seer passes over a find", suspects[0] not in _living_found(table, own)
    if wanted and _about(decision, "will_check"):
        yield "check announced of the wanted", wanted[0] in _about(decision, "will_check")
    if wanted and (seat in claims.seers or ("role", "seer") in {(c.about, c.value) for c in decision.claims}):
        yield from _pushed(state, table, claims, seat, own, wanted[0])
    yield from _loyal(state, table, claims, seat, sides)
    yield from _condemned(state, table, claims, seat, decision)
    yield from _sided(claims, sides, suspects)
    told = {claims.role.get(seat)} | {c.value for c in decision.claims if c.about == "role"}
    if claims.liars(table):
        yield "leaves its card to a liar", table.role not in told
    yield from _cards_open(state, table, claims, seat, decision)
    called = (table.day, seat) in claims.pledge.values()
    if called and table.role in {"witch", "hunter", "guard"} and 2 * len(table.in_play) <= table.players + 1:
        yield "hides its card when called for late", table.role not in told


def _cards_open(state: GameState, table: Table, claims: Claims, seat: Seat, decision: Decision) -> Found:
    """Whether a card that lies face up is claimed again; and whether the good see it."""
    for claim in decision.claims:
        if claim.about == "role" and table.revealed:
            yield "claims a card that lies face up", claims.lies_open(table, claim.value, seat)
    exposed = {s for s in claims.seers if table.kind(table.revealed.get(s, "villager")) == "werewolf"}
    if exposed:
        yield "sides with a seer whose card is a werewolf's", not exposed.isdisjoint(_about(decision, "trusts"))
    refuted = {s for s in table.in_play if s != seat and claims.lies_open(table, claims.role.get(s, ""), s)}
    suspects = _about(decision, "suspects")
    found = {find for side in claims.sides[seat][-1:] for find in _living_found(table, claims.checks[side])}
    if refuted and suspects and not _is_wolf(state, seat) and seat not in claims.seers:
        yield "passes over a claim that a card refutes", suspects[0] not in refuted | found | claims.liars(table)


def _pushed(state: GameState, table: Table, claims: Claims, seat: Seat, own: dict[Seat, bool], wanted: Seat) -> Found:
    """What a seer's call pushes: a find of its own, else its rival, else who sides with that one."""
    rivals = set(claims.seers) - {seat}
    siding = {s for s in claims.backers(table, rivals) if own.get(s) is not False}
    if _is_wolf(state, seat):
        siding = {s for s in siding if not _is_wolf(state, s)}
    kinds = [_living_found(table, own), rivals.intersection(table.in_play), siding]
    pushed = next((kind for kind in kinds if kind), set())
    if pushed:
        yield f"{_kind(state, seat)} seer calls past finds and rivals", wanted not in pushed
    backers = claims.backers(table, {seat}) - _living_found(table, own)
    others = {s for s in table.in_play if s not in backers and s != seat and own.get(s) is not False}
    if _is_wolf(state, seat):
        others = {s for s in others if not _is_wolf(state, s)}
    if others:
        yield f"{_kind(state, seat)} seer calls for who backs it", wanted in backers


def _loyal(state: GameState, table: Table, claims: Claims, seat: Seat, sides: list[Seat]) -> Found:
    """Whether a side is that of the own vote for sheriff today, and of the seer who has cleared one."""
    day, elected, news = claims.elected.get(seat, (0, 0, 0))
    if sides and day == table.day and elected in claims.seers and news == claims.news:
        yield "sides against its own vote for sheriff without news", sides[0] != elected
    givers = claims.givers(seat)
    if sides and len(givers) == 1:
        left = sides[0] != givers[0]
        yield "sides against who has cleared it", left
        yield "sides against the real seer who has cleared it", left and state.roles[givers[0]] == "seer"


def _sided(claims: Claims, sides: list[Seat], suspects: tuple[Seat, ...]) -> Found:
    for side in sides:
        cleared = {other for other, bad in claims.checks[side].items() if not bad}
        yield "suspects the cleared of its seer", not cleared.isdisjoint(suspects)
        if len(set(claims.seers)) > 1:
            yield "sides with a seer who cleared its rival", not cleared.isdisjoint(claims.seers)


def _kind(state: GameState, seat: Seat) -> str:
    return "false" if _is_wolf(state, seat) else "real"


def _condemned(state: GameState, table: Table, claims: Claims, seat: Seat, decision: Decision) -> Found:
    if _is_wolf(state, seat):
        for seer in claims.seers:
            if state.roles[seer] == "seer" and claims.checks[seer].get(seat):
                backs = any(c.about == "trusts" and seer in c.seats for c in decision.claims)
                attacks = seer in _about(decision, "suspects") or seer not in table.in_play
                yield "condemned werewolf backs the seer", backs or not attacks


def vote(state: GameState, table: Table, claims: Claims, seat: Seat, decision: Decision) -> Found:
    if not decision.seats:
        return
    target, own = decision.seats[0], claims.checks.get(seat, {})
    fresh = claims.news == claims.news_then.get(seat)
    yield from _pledged(state, table, claims, seat, target)
    if _living_found(table, own):
        yield f"{_kind(state, seat)} seer votes past a find", target not in _living_found(table, own)
    # A pack that can decide the game has nobody to look good for.
    others = {
        s for s in table.in_play if own.get(s) is not False and not (_is_wolf(state, seat) and _is_wolf(state, s))
    }
    if own and others:
        yield f"{_kind(state, seat)} seer votes for its own cleared", own.get(target) is False
    finds = {find for side in claims.sides[seat][-1:] for find in _living_found(table, claims.checks[side])}
    if claims.liars(table) - finds:
        yield "votes past one who claims its card", target not in claims.liars(table) | finds
    outlived = claims.outlived(table) - {seat} - claims.liars(table)
    if outlived and not _is_wolf(state, seat):
        yield "votes for who has outlived the other claim to its card", target in outlived
    witches = {s for s, role in claims.role.items() if role == "witch"}
    if len(witches) == 1 and witches <= claims.deeds.intersection(table.in_play) - {seat} and not _is_wolf(state, seat):
        yield "votes for the one witch, who has told her deeds", target in witches - claims.liars(table) - finds
    watched = [act.seats[0] for day, act in table.acts if act.act == "protect" and day == table.day and act.seats]
    if watched and watched != [seat] and not table.deaths(table.day):
        yield "guard votes for whom it has saved", target in watched
    day, side = claims.declared.get(seat, (0, 0))
    if day == table.day and fresh:
        yield "vote against own side", claims.rivals_only(side, target)
        if _living_found(table, claims.checks[side]):
            yield "vote past a find of own side", target not in _living_found(table, claims.checks[side])


def _pledged(state: GameState, table: Table, claims: Claims, seat: Seat, target: Seat) -> Found:
    """Whether a vote is the one announced, unless the seat that was called for has claimed a god's card since."""
    day, said = claims.pledge.get(seat, (0, 0))
    if day != table.day or said not in table.in_play:
        return
    if not _is_wolf(state, seat) and claims.answered(seat, said):
        yield "votes for a god who has answered its call", target == said
        return
    yield "pledge broken", said != target
    if claims.news == claims.news_then.get(seat) and claims.pledge.get(table.sheriff, (0, 0))[0] != table.day:
        yield "pledge broken without news", said != target


def potions(state: GameState, table: Table, claims: Claims, seat: Seat, decision: Decision) -> Found:
    if decision.act == "poison":
        yield "poisons the real seer", state.roles[decision.seats[0]] == "seer"
        accused = {s for s in claims.suspects.get(seat, (0, ()))[1] if s in table.in_play}
        if accused:
            yield "poisons past those she has accused", decision.seats[0] not in accused
        yield "poisons the good", not _is_wolf(state, decision.seats[0])
        yield from _harms_own_side(claims, seat, decision.seats[0], "poisons")


def _harms_own_side(claims: Claims, seat: Seat, target: Seat, harms: str) -> Found:
    """Whether a power is turned on the seer its holder has sided with, or on whom that one speaks for."""
    side = claims.sides[seat][-1] if claims.sides[seat] else 0
    if side:
        cleared = claims.checks[side].get(target) is False
        yield f"{harms} its own side", target == side or cleared or claims.rivals_only(side, target)


def shot(state: GameState, table: Table, claims: Claims, seat: Seat, decision: Decision) -> Found:
    if decision.act == "shoot":
        yield "shoots the real seer", state.roles[decision.seats[0]] == "seer"
        yield from _harms_own_side(claims, seat, decision.seats[0], "shoots")
        claims.shot = decision.seats[0]


def last_words(state: GameState, table: Table, claims: Claims, seat: Seat, decision: Decision) -> Found:
    if claims.shot:
        yield "trusts whom it has shot", any(c.about == "trusts" and claims.shot in c.seats for c in decision.claims)


def watch_over(state: GameState, table: Table, claims: Claims, seat: Seat, decision: Decision) -> Found:
    side = claims.settled(seat)
    if side and decision.act == "protect":
        rival = decision.seats[0] in claims.seers and decision.seats[0] != side
        yield "watches over a rival of its seer", rival or claims.checks[side].get(decision.seats[0]) is True


def elect(state: GameState, table: Table, claims: Claims, seat: Seat, decision: Decision) -> Found:
    claims.elected[seat] = table.day, decision.seats[0] if decision.seats else 0, claims.news
    givers = claims.givers(seat)
    if decision.seats and decision.seats[0] in claims.seers and len(givers) == 1:
        yield "elects against who has cleared it", decision.seats[0] != givers[0]


def first_speech(state: GameState, table: Table, claims: Claims, seat: Seat, decision: Decision) -> Found:
    """Whether the first to speak of all, to whom all look alike, takes the lowest number."""
    suspects = _about(decision, "suspects")
    if not table.speeches and suspects:
        alike = [s for s in table.in_play if s != seat and not (_is_wolf(state, seat) and _is_wolf(state, s))]
        yield "first to speak suspects the lowest number", suspects[0] == alike[0]


def campaign(state: GameState, table: Table, claims: Claims, seat: Seat, decision: Decision) -> Found:
    """Whether a witch comes out in a campaign although nobody is after her, or after whom she has saved."""
    if state.roles[seat] == "witch":
        dear = {seat, *(s for _, act in table.acts if act.act == "antidote" for s in act.seats)}
        accused = any(claims.checks[seer].get(s) for seer in claims.seers for s in dear)
        yield "witch comes out without need", not accused and any(c.about in {"role", "saved"} for c in decision.claims)


def badge(state: GameState, table: Table, claims: Claims, seat: Seat, decision: Decision) -> Found:
    day, flow = claims.flow.get(seat, (0, ()))
    if flow and day == table.day - 1 and seat in table.deaths(table.day):
        results = {t.seats[0]: t.value for d, t in table.learned if t.key == "checked" and d == table.day}
        if not _is_wolf(state, seat) and flow[0] in results and flow[0] in table.in_play:
            good = results[flow[0]] != "werewolf"
            yield "badge against the flow", (decision.seats == (flow[0],)) != good


def explode(state: GameState, table: Table, claims: Claims, seat: Seat, decision: Decision) -> Found:
    if decision.act == "explode":
        yield f"explodes in {state.topic}", False


SPEECHES = {"speech"}
CHECKS: list[tuple[set[str], Check]] = [
    (SPEECHES, speech),
    ({"vote"}, vote),
    ({"witch"}, potions),
    ({"shoot"}, shot),
    ({"campaign"}, campaign),
    ({"campaign", "speech"}, first_speech),
    ({"last_words"}, last_words),
    ({"guard"}, watch_over),
    ({"badge"}, badge),
    ({"sheriff", "sheriff_runoff"}, elect),
    ({"explode", "speech", "campaign"}, explode),
]


def at_the_end(players: int, state: GameState, events: list[Event]) -> Found:
    """What only the whole public record shows."""
    table, claims = Table(0).read(View(0, [e for e in events if e.to is None])), Claims()
    claims.take_in(table)
    for seat in set(claims.seers):
        yield from _flow_kept(state, table, seat)
    for sides in claims.sides.values():
        turns = [b for a, b in pairwise(sides) if a != b]
        yield "sides with a seer", False
        yield "changes sides", bool(turns)
        yield "changes back", len(turns) > 1
    for speech in table.speeches:
        for claim in speech.claims:
            if claim.about == "checked" and claim.value == "not_werewolf" and _is_wolf(state, speech.seat):
                yield "false seer clears its rival", claim.seats[0] in set(claims.seers)
            if claim.about == "role" and claim.value == "guard" and speech.topic == "speech":
                yield "guard told on day 1", speech.day == 1 and state.roles[speech.seat] == "guard"
                if speech.day > 1 and _is_wolf(state, speech.seat):
                    yield "false guard names no night", all(c.about != "guarded" for c in speech.claims)


def _flow_kept(state: GameState, table: Table, seat: Seat) -> Found:
    """Whether each first seat of a flow was the next one checked, unless it was out or claimed the seer's card."""
    flow: tuple[int, Seat] | None = None
    gone = {fall.seat: fall.day - (fall.how != "exile") for fall in table.falls}
    for speech in (s for s in table.speeches if s.seat == seat):
        checks = [c.seats[0] for c in speech.claims if c.about == "checked"]
        seers = {s.seat for s in table.speeches for c in s.claims if c.about == "role" and c.value == "seer"}
        if flow and flow[0] < speech.day and checks:
            out = gone.get(flow[1], 99) <= flow[0] or flow[1] in seers or flow[1] in table.revealed
            if not out:
                yield f"{_kind(state, seat)} seer checks past its flow", flow[1] not in checks
        told = flow if flow and flow[0] == speech.day else None  # what was announced today still stands
        flow = next(((speech.day, c.seats[0]) for c in speech.claims if c.about == "will_check"), told)


def faults(boards: Iterator[tuple[int, int]], **knobs: Any) -> Counter[tuple[str, bool]]:
    """Occasions and faults in games of these (players, seed), under the house rules with `knobs` set differently."""
    found: Counter[tuple[str, bool]] = Counter()
    for players, seed in boards:
        audit = Audit(players)
        state, events = watch(house(**knobs), players, seed, player_for(words=False), audit)
        found.update(audit.found)
        found.update(at_the_end(players, state, events))
        found["games", False] += 1
        found["won by the village", state.outcome is not None and state.outcome.winner == "village"] += 1
    return found
