"""Games of scripted players for tests: every request with its view and reply, and every event."""

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from arena.chance import draw
from arena.events import Event, View, Views
from arena.players.scripted import ScriptedPlayer
from arena.referee import legal, new_game, step
from arena.ruleset import Ruleset
from arena.state import GameState
from arena.terms import Lang, Reply, Request, Seat
from tests.games import dealt, house

Make = Callable[[int, Seat], ScriptedPlayer]


class Asked(NamedTuple):
    """One request: what was seen when it came, how it was answered, and why that is not allowed, if so."""

    view: View
    request: Request
    reply: Reply
    refusal: str


class Game(NamedTuple):
    """A whole game."""

    state: GameState
    events: list[Event]
    asked: list[Asked]

    def views(self) -> Iterator[View]:
        """What each seat has seen at the end."""
        for seat in range(1, self.state.players + 1):
            yield View(seat, [event for event in self.events if event.to is None or seat in event.to])


def player_for(lang: Lang = "zh", persona: str | None = None, *, words: bool = True) -> Make:
    """A maker of scripted players."""
    return lambda seed, seat: ScriptedPlayer(draw(seed, "player", seat), seat, persona, lang, words)


def play(players: int, seed: int, make: Make, **knobs: Any) -> Game:
    """One game of the house ruleset with `knobs` set differently."""
    return play_under(house(**knobs), players, seed, make)


def play_under(ruleset: Ruleset, players: int, seed: int, make: Make) -> Game:
    """One game of a setup of `ruleset`; the views in it are copies of their moment."""
    asked: list[Asked] = []

    def copied(state: GameState, view: View, request: Request, reply: Reply) -> None:
        asked.append(Asked(View(view.seat, view.events[:]), request, reply, legal(request, reply.decision)))

    state, told = watch(ruleset, players, seed, make, copied)
    return Game(state, told, asked)


Watcher = Callable[[GameState, View, Request, Reply], None]


def watch(ruleset: Ruleset, players: int, seed: int, make: Make, watcher: Watcher) -> tuple[GameState, list[Event]]:
    """Play a game before the eyes of `watcher`, who is shown every reply with the view it was made from, still growing.

    Returns the end of it, and all its events.
    """
    cards = dealt(ruleset, players, seed)
    state, events = new_game(ruleset, cards.seats, seed, extra=cards.extra)
    views = Views(players)
    views.add(events)
    minds = {seat: make(seed, seat) for seat in range(1, players + 1)}
    told = list(events)
    while state.outcome is None:
        decisions = {}
        for request in state.pending:
            view = views.of(request.seat)
            reply = minds[request.seat].answer(view, request)
            watcher(state, view, request, reply)
            decisions[request.seat] = reply.decision
        state, events = step(state, decisions)
        views.add(events)
        told += events
    return state, told
