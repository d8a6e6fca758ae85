"""Games of a few records, written down by hand: for what is counted in them."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import count
from typing import Any

from arena.chance import draw
from arena.events import Acted, Began, Dealt, Ended, Event, Learned, Marked, Phase, Said, Tallied, View, Voted
from arena.players.random import RandomPlayer
from arena.referee import new_game, step
from arena.roles import ROLES
from arena.ruleset import Ruleset, load_ruleset
from arena.terms import Choice, Claim, Decision, Part, Reply, Request, Seat
from arena.transcript import Asked, Record, Replied
from tests.games import dealt

CARDS = ("werewolf", "werewolf", "seer", "witch", "guard", "hunter", "villager")
"""Who holds what at the table of small games, from seat 1."""

ALL = tuple(range(1, len(CARDS) + 1))


_NUMBERS = count(1)


def began(cards: Sequence[str] = CARDS, **rules: Any) -> list[Event]:
    """The beginning of a game of the house with these cards; ``__`` stands for the dot in the names of rules."""
    knobs = {**load_ruleset("duskwald").rules, **{key.replace("__", "."): value for key, value in rules.items()}}
    counts = {card: cards.count(card) for card in sorted(set(cards))}
    facts = {card: {"faction": ROLES[card].faction, "kind": ROLES[card].kind} for card in counts}
    return [
        Began("duskwald", {}, len(cards), counts, knobs, facts),
        *(Dealt(seat, card) for seat, card in enumerate(cards, start=1)),
    ]


def night(day: int) -> Event:
    return Phase(day, "night")


def day(number: int, part: Part = "vote") -> Event:
    return Phase(number, part)


def does(seat: Seat, act: str, target: Seat, among: Sequence[Seat], topic: str = "night", **more: Any) -> list[Record]:
    """A seat is asked whom to do something to, and decides; 0 for nobody."""
    n = next(_NUMBERS)
    choices = (Choice(act, tuple(among)), Choice("pass"))
    decision = Decision(act, (target,)) if target else Decision("pass")
    request = Request(seat, n, topic, choices, Decision("pass"))
    return [Asked(request), Replied(seat, n, Reply(decision, "script", **more))]


def votes(cast: Mapping[Seat, Seat], among: Sequence[Seat] = ALL, topic: str = "vote", **more: Any) -> list[Record]:
    """A ballot with its requests and replies; the count is that of votes of equal weight."""
    records = [record for seat, target in cast.items() for record in does(seat, "vote", target, among, topic, **more)]
    given = [target for target in cast.values() if target]
    tally = tuple((seat, 2 * given.count(seat)) for seat in sorted(set(given)))
    most = max((number for _, number in tally), default=0)
    leaders = tuple(seat for seat, number in tally if number == most)
    return [*records, Voted(topic, tuple(sorted(cast.items()))), Tallied(topic, tally, leaders)]


def says(seat: Seat, *claims: Claim, to: tuple[Seat, ...] | None = None) -> Event:
    return Said(to, seat, "speech", "", claims)


def checks(seat: Seat, target: Seat, value: str, among: Sequence[Seat]) -> list[Record]:
    return [*does(seat, "check", target, among), Learned((seat,), "checked", (target,), value)]


def attack(pack: Sequence[Seat], target: Seat, among: Sequence[Seat] = ALL) -> list[Record]:
    asked = [record for seat in pack for record in does(seat, "attack", target, among)]
    return [*asked, Acted(tuple(pack), pack[0], "attack", (target,)), Marked(target, "werewolves", pack[0])]


def ended(winner: str = "village", cards: Sequence[str] = CARDS) -> Event:
    return Ended(winner, "no_werewolves", (), tuple(cards), ())


def at_random(ruleset: Ruleset, players: int, seed: int) -> Iterator[Record]:
    """The records of a game in which everybody decides by lot."""
    cards = dealt(ruleset, players, seed)
    state, events = new_game(ruleset, cards.seats, seed, extra=cards.extra)
    minds = {seat: RandomPlayer(draw(seed, "player", seat)) for seat in range(1, players + 1)}
    yield from events
    while state.outcome is None:
        decisions = {}
        for request in state.pending:
            reply = minds[request.seat].answer(View(request.seat, []), request)
            decisions[request.seat] = reply.decision
            yield Asked(request)
            yield Replied(request.seat, request.n, reply)
        state, events = step(state, decisions)
        yield from events
