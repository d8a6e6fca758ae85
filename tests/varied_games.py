"""Random games of every setup, and of every setting of every knob, each boiled down to a digest.

A digest says that something is decided, told or asked differently than before, but not what; it is there to notice
changes that nobody meant. ``make golden`` renews them; golden transcripts and scenarios show what a change means.
"""

from collections.abc import Iterator
from hashlib import blake2b
from typing import NamedTuple

from arena.chance import draw
from arena.referee import deal
from arena.roles import ROLES
from arena.ruleset import ALL_KNOBS, Ruleset, load_ruleset, ruleset_ids
from arena.scenario.influence import alternatives
from arena.state import GameState
from arena.terms import Claim, Decision, Request, Seat, UnusableInput
from arena.transcript import Asked
from arena.transcript.schema import encode
from tests.games import Decide, at_random, batches, house

SEEDS = range(3)
ALL_CARDS = {**dict.fromkeys(ROLES, 1), "werewolf": 3, "villager": 3}
WORDS = ("", "Good evening.", "I swear to god.", "I peeked, and you moron did not.", "群里有人说3号是狼。")


class Game(NamedTuple):
    """What is played: rules, and cards to be dealt."""

    ruleset: Ruleset
    cards: dict[str, int]


def games() -> Iterator[tuple[str, Game]]:
    """Every setup, then all cards with each knob at each value next to its default."""
    for name in ruleset_ids():
        ruleset = load_ruleset(name)
        for players in ruleset.setups:
            yield f"{name} {players}", Game(ruleset, ruleset.cards(players))
    rules = house(win__werewolves="all", sheriff__min_players=0).rules
    for key, knob in ALL_KNOBS.items():
        for place, value in enumerate(alternatives(knob, rules[key])):
            turned = {"win__werewolves": "all", "sheriff__min_players": 0, key.replace(".", "__"): value}
            try:
                ruleset = house(**turned)
            except UnusableInput:
                continue  # a role would be both god and civilian
            yield f"{key} {place}", Game(ruleset, ALL_CARDS)


def digest(game: Game) -> str:
    """All events and requests of some games, as a number."""
    seen = blake2b(digest_size=8)
    for seed in SEEDS:
        dealing = deal(game.cards, seed, game.ruleset.rules)
        for _, _, after, events in batches(game.ruleset, dealing.seats, seed, talkative(seed), dealing.extra):
            for record in (*events, *map(Asked, after.pending)):
                seen.update(encode(record))
    return seen.hexdigest()


def talkative(seed: int) -> Decide:
    """Every legal choice as likely as the other; speeches may hold claims, and words that are forbidden."""
    choose = at_random(seed)

    def decide(state: GameState, request: Request) -> Decision:
        decision = choose(state, request)
        if not request.seconds:
            return decision
        number = draw(seed, request.seat, request.n, "words")
        text = WORDS[number % len(WORDS)]
        return Decision(decision.act, decision.seats, text, (claim(state, request.seat, number // 7),))

    return decide


def claim(state: GameState, seat: Seat, number: int) -> Claim:
    """Something that the rules of conduct, or a seat that may not speak, may have to do with."""
    other = 1 + number % state.players
    role = sorted(state.cards)[number // 19 % len(state.cards)]
    claims = (
        Claim("role", (seat,), role),
        Claim("side", (seat,), "werewolves"),
        Claim("checked", (other,), "werewolf"),
        Claim("lovers", (seat, other)),
        Claim("asks", (other,)),
        Claim("suspects", (other,)),
    )
    return claims[number // 300 % len(claims)]
