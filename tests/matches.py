"""Whole matches for tests: a table of players, played into a transcript, interrupted and resumed."""

import asyncio
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from arena.chance import draw
from arena.events import View
from arena.match import Match
from arena.players.player import Player
from arena.seating import Seating, SeatPlan, make_players, sit_down
from arena.terms import Decision, Reply, Request, Seat
from arena.transcript import Header, Replied, Transcript, Writer, rerun


def header(players: int = 9, seed: int = 0, player: str = "random", ruleset: str = "duskwald", **rules: Any) -> Header:
    """A table of a ruleset, with knobs set differently; ``__`` stands for the dot in their names."""
    overrides = {key.replace("__", "."): value for key, value in rules.items()}
    plan = SeatPlan.model_validate({"player": player})
    seats = dict.fromkeys(range(1, players + 1), plan)
    sitting = sit_down(Seating(ruleset=ruleset, players=players, rules=overrides, seats=seats))
    return Header(
        started="2026-11-29T20:00:00+00:00",
        lang="en",
        seed=seed,
        cards=sitting.cards,
        seats=sitting.seats,
        ruleset=sitting.ruleset,
    )


def players_of(head: Header) -> dict[Seat, Player]:
    return make_players(head.seats, head.seed, head.lang)


def play(path: Path, head: Header, players: Mapping[Seat, Player] | None = None) -> Match:
    """Play a whole game into `path`."""
    with Writer.create(path, head) as writer:
        match = Match(rerun(head), writer, players_of(head) if players is None else players)
        asyncio.run(match.run())
    return match


def resume(path: Path, players: Mapping[Seat, Player] | None = None) -> Transcript:
    """Play the game in `path` to its end; what had been written before."""
    before, writer = Writer.resume(path)
    with writer:
        position = rerun(before.header, before.records)
        asyncio.run(Match(position, writer, players_of(before.header) if players is None else players).run())
    return before


def decisions(transcript: Transcript) -> dict[tuple[Seat, int], Decision]:
    """Every decision, by seat and number of the request."""
    return {(r.seat, r.n): r.reply.decision for r in transcript.records if isinstance(r, Replied)}


def lines(path: Path) -> list[bytes]:
    return path.read_bytes().splitlines(keepends=True)


class Slow:
    """A random player who is no script: it lets others go first, differently each time."""

    def __init__(self, player: Player, hurry: int, seconds: float = 0) -> None:
        self._player = player
        self._hurry = hurry
        self._seconds = seconds

    async def reply(self, view: View, request: Request) -> Reply:
        for _ in range(draw(self._hurry, request.seat, request.n) % 5):
            await asyncio.sleep(self._seconds)
        return await self._player.reply(view, request)


class Passing:
    """A script that never does anything."""

    def answer(self, view: View, request: Request) -> Reply:
        return Reply(request.default, "script")

    async def reply(self, view: View, request: Request) -> Reply:
        return self.answer(view, request)


class Asked:
    """A player that notes which requests it was given."""

    def __init__(self, player: Player, asked: list[tuple[Seat, int]]) -> None:
        self._player = player
        self._asked = asked

    async def reply(self, view: View, request: Request) -> Reply:
        self._asked.append((request.seat, request.n))
        return await self._player.reply(view, request)


def play_slowly(path: Path, head: Header) -> None:
    """Play a game that takes long enough to be killed in the middle of; for a process of its own."""
    play(path, head, {seat: Slow(player, 0, 0.001) for seat, player in players_of(head).items()})


def seats_of(requests: Sequence[Request]) -> list[Seat]:
    return [request.seat for request in requests]
