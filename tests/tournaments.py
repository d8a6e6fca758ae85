"""Tournaments whose results are given, for the tests of schedules and ratings."""

from collections.abc import Callable, Iterable
from dataclasses import replace

import numpy as np

from arena.roles import ROLES
from arena.ruleset import load_ruleset
from arena.tournament.game import Game, Luck, Place
from arena.tournament.schedule import Fixture, Format, Plan, full_block

SIX = ("ash", "birch", "cedar", "dogwood", "elm", "fir")

Winner = Callable[[Fixture], str]


def plan(format: Format = "duel", names: tuple[str, ...] = SIX, players: int = 9, seed: int = 1) -> Plan:
    ruleset = load_ruleset("duskwald")
    return Plan(names, ruleset.cards(players), ruleset.rules, format, seed)


def blocks(plan: Plan, number: int) -> list[Fixture]:
    return [fixture for block in range(1, number + 1) for fixture in full_block(plan, block)]


def places(fixture: Fixture) -> tuple[Place, ...]:
    seats = zip(fixture.competitors, fixture.roles, strict=True)
    return tuple(Place(name, role, ROLES[role].faction) for name, role in seats)


def game(fixture: Fixture, winner: str, format: Format = "duel") -> Game:
    return Game(fixture.id, fixture.deal, "board", format, places(fixture), winner)


def games(fixtures: Iterable[Fixture], winner: Winner) -> list[Game]:
    return [game(fixture, winner(fixture)) for fixture in fixtures]


def holder(fixture: Fixture, faction: str) -> str:
    return next(place.competitor for place in places(fixture) if place.faction == faction)


def by_skill(skills: dict[str, float], seed: int, balance: float = 0.0) -> Winner:
    """The winner of a duel, drawn by the skills of the sides."""
    rng = np.random.default_rng(seed)

    def winner(fixture: Fixture) -> str:
        gap = balance + skills[holder(fixture, "werewolves")] - skills[holder(fixture, "village")]
        return "werewolves" if rng.random() < 1 / (1 + np.exp(-gap)) else "village"

    return winner


def lucky(games: Iterable[Game], seed: int) -> list[Game]:
    rng = np.random.default_rng(seed)
    return [replace(game, luck=(Luck("check", bool(rng.random() < 0.375), 0.375),)) for game in games]


def duel(number: int, wolves: str, village: str, winner: str, void: str = "") -> Game:
    """One game of three cards, on a deal of its own."""
    cards = ((wolves, "werewolf"), (village, "seer"), (village, "villager"))
    sides = tuple(Place(name, role, ROLES[role].faction) for name, role in cards)
    return Game(f"g{number:04}", f"d{number:04}", "board", "duel", sides, winner, void)
