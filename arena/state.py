"""The state of a game as the referee holds it: facts, and what is left to do.

Facts change only through `apply`. Every field holds an immutable value, or one that is replaced and never
changed in place; so a copy of a state is shallow, cheap, and shares everything with its original.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from arena.chance import draw
from arena.events import (
    Announced,
    Badge,
    Began,
    Dealt,
    Ended,
    Event,
    Exploded,
    Floor,
    Marked,
    Noted,
    Ordered,
    Out,
    Phase,
    Revealed,
    Said,
    Stood,
    Tallied,
    Turned,
    Warned,
    Withdrew,
)
from arena.knobs import Rules
from arena.terms import Outcome, Part, Request, Seat, Step


@dataclass
class GameState:
    """One moment of a game. Seats are counted from 1; sequences of seats are tuples.

    The first block is set when the game is made, the second holds the facts (`apply` alone changes
    them), the third is control: what is left to do and who is being asked.
    """

    rules: Rules
    phrases: dict[str, tuple[str, ...]]
    seed: int
    draws: Mapping[str, Any]
    game: int
    players: int
    extra: tuple[str, ...]

    cards: dict[str, int]
    deck: tuple[str, ...]
    role_facts: dict[str, dict[str, Any]]
    protected: tuple[Seat, ...]
    roles: tuple[str, ...]
    kinds: tuple[str, ...]
    factions: tuple[str, ...]
    day: int
    part: Part
    in_play: tuple[Seat, ...]
    outs: tuple[Out, ...]
    announced: tuple[Seat, ...]
    revealed: tuple[Seat, ...]
    notes: dict[tuple[Seat, str], Any]
    marks: dict[str, tuple[tuple[Seat, Seat], ...]]
    sheriff: Seat
    election_open: bool
    stood: tuple[Seat, ...]
    withdrew: tuple[Seat, ...]
    orders: dict[str, tuple[Seat, ...]]
    topic: str
    heard: Said | None
    runoffs: int
    breaches: dict[Seat, int]
    explosions: tuple[tuple[int, str], ...]
    outcome: Outcome | None

    agenda: tuple[Step, ...]
    current: Step
    pending: tuple[Request, ...]
    asked: tuple[int, ...]
    gone: tuple[Seat, ...]
    words_considered: int

    def drawn(self, label: str, number: int) -> Any:
        """What chance says under `label`: what was fixed beforehand, else one of 0 … `number` - 1."""
        return self.draws[label] if label in self.draws else draw(self.seed, label, self.day) % number

    def copy(self) -> "GameState":
        """A state of its own that shares every value with this one."""
        new = object.__new__(GameState)
        new.__dict__ = self.__dict__.copy()
        return new

    @property
    def night(self) -> bool:
        """Whether the time is a night."""
        return self.part == "night"

    @property
    def standing(self) -> tuple[Seat, ...]:
        """Seats that sit at the table as far as it has been told: in play, or out and not yet announced."""
        if len(self.announced) == len(self.outs):
            return self.in_play
        announced = self.announced
        return tuple([seat for seat in range(1, self.players + 1) if seat not in announced])

    def kind(self, seat: Seat) -> str:
        """``werewolf`` if the card of `seat` is one, else empty."""
        return self.kinds[seat]

    def faction(self, seat: Seat) -> str:
        """Whom `seat` wins with."""
        return self.factions[seat]

    def out(self, seat: Seat) -> Out | None:
        """How `seat` went out, or None while it is in play."""
        return next((out for out in self.outs if out.seat == seat), None)

    @property
    def barred(self) -> tuple[Seat, ...]:
        """The seats in play that may neither vote, nor be voted for, nor be sheriff."""
        return tuple([seat for (seat, key), value in self.notes.items() if key == "barred" and value])

    @property
    def muted(self) -> tuple[Seat, ...]:
        """The seats that may not say a word."""
        return tuple([seat for (seat, key), value in self.notes.items() if key == "muted" and value])

    @property
    def silent(self) -> tuple[Seat, ...]:
        """The seats that have no turn in the day's speeches, the muted among them."""
        return tuple([seat for (seat, key), value in self.notes.items() if key in {"silent", "muted"} and value])

    @property
    def powers_lost(self) -> tuple[str, ...]:
        """The roles whose powers are gone for good."""
        lost: tuple[str, ...] = self.notes.get((0, "powers_lost"), ())
        return lost

    @property
    def lost(self) -> tuple[str, ...]:
        """The factions that have lost for good (`win.losing`)."""
        lost: tuple[str, ...] = self.notes.get((0, "lost"), ())
        return lost

    @property
    def exploded_today(self) -> bool:
        """Whether a werewolf has exploded this day."""
        return bool(self.explosions) and self.explosions[-1][0] == self.day

    def marked(self, mark: str) -> tuple[Seat, ...]:
        """The seats that `mark` has reached tonight."""
        return tuple([seat for seat, _ in self.marks.get(mark, ())])

    def note(self, seat: Seat, key: str) -> Any:
        """What is remembered about `seat` under `key`, or None."""
        return self.notes.get((seat, key))


def blank(
    rules: Rules,
    phrases: dict[str, tuple[str, ...]],
    seed: int,
    game: int,
    players: int,
    extra: tuple[str, ...] = (),
    draws: Mapping[str, Any] | None = None,
) -> GameState:
    """The state before the first event of a game for `players` seats, with `extra` cards beside them."""
    return GameState(
        rules=rules,
        phrases=phrases,
        seed=seed,
        draws=draws or {},
        game=game,
        players=players,
        cards={},
        deck=(),
        role_facts={},
        protected=(),
        extra=extra,
        roles=("",) * (players + 1),
        kinds=("",) * (players + 1),
        factions=("",) * (players + 1),
        day=0,
        part="vote",
        in_play=tuple(range(1, players + 1)),
        outs=(),
        announced=(),
        revealed=(),
        notes={},
        marks={},
        sheriff=0,
        election_open=players >= rules["sheriff.min_players"],
        stood=(),
        withdrew=(),
        orders={},
        topic="",
        heard=None,
        runoffs=0,
        breaches={},
        explosions=(),
        outcome=None,
        agenda=(),
        current=Step(""),
        pending=(),
        asked=(0,) * (players + 1),
        gone=(),
        words_considered=0,
    )


def apply(state: GameState, event: Event) -> None:
    """Change the facts of `state`, a copy nobody else holds, by `event`. Most events change none."""
    if change := _CHANGES.get(type(event)):
        change(state, event)


def _began(state: GameState, event: Began) -> None:
    state.cards = event.cards
    state.deck = tuple(event.cards)
    state.role_facts = event.roles
    state.protected = event.protected


def _dealt(state: GameState, event: Dealt | Turned) -> None:
    """A card brings its faction, unless a bond binds the seat to another one."""
    seat, facts = event.seat, state.role_facts[event.role]
    state.roles = _with(state.roles, seat, event.role)
    state.kinds = _with(state.kinds, seat, facts["kind"])
    state.factions = _with(state.factions, seat, state.note(seat, "faction") or facts["faction"])


def _with(values: tuple[str, ...], seat: Seat, value: str) -> tuple[str, ...]:
    return (*values[:seat], value, *values[seat + 1 :])


def _phase(state: GameState, event: Phase) -> None:
    state.day = event.day
    state.part = event.part
    if event.part == "night":
        state.marks = {}
        state.runoffs = 0
    elif event.part == "election":
        state.stood = state.withdrew = ()


def _marked(state: GameState, event: Marked) -> None:
    state.marks = {**state.marks, event.mark: (*state.marks.get(event.mark, ()), (event.seat, event.by))}


def _noted(state: GameState, event: Noted) -> None:
    state.notes = {**state.notes, (event.seat, event.key): event.value}
    if event.key == "faction":
        state.factions = _with(state.factions, event.seat, event.value)


def _ordered(state: GameState, event: Ordered) -> None:
    state.orders = {**state.orders, event.topic: event.seats}


def _floor(state: GameState, event: Floor) -> None:
    state.topic = event.topic


def _said(state: GameState, event: Said) -> None:
    state.heard = event


def _warned(state: GameState, event: Warned) -> None:
    state.breaches = {**state.breaches, event.seat: event.count}


def _stood(state: GameState, event: Stood) -> None:
    state.stood = event.seats


def _withdrew(state: GameState, event: Withdrew) -> None:
    state.withdrew = event.seats


def _tallied(state: GameState, event: Tallied) -> None:
    if event.ballot == "runoff":
        state.runoffs += 1


def _badge(state: GameState, event: Badge) -> None:
    state.sheriff = event.seat
    state.election_open = event.how == "postponed"


def _exploded(state: GameState, event: Exploded) -> None:
    state.explosions = (*state.explosions, (state.day, event.topic))


def _out(state: GameState, event: Out) -> None:
    state.in_play = tuple(seat for seat in state.in_play if seat != event.seat)
    state.outs = (*state.outs, event)


def _announced(state: GameState, event: Announced) -> None:
    state.announced = (*state.announced, *event.seats)


def _revealed(state: GameState, event: Revealed) -> None:
    state.revealed = (*state.revealed, event.seat)


def _ended(state: GameState, event: Ended) -> None:
    state.outcome = Outcome(event.winner, event.reason, event.winners)


_CHANGES: dict[type, Callable[[GameState, Any], None]] = {
    Began: _began,
    Dealt: _dealt,
    Turned: _dealt,
    Phase: _phase,
    Marked: _marked,
    Noted: _noted,
    Ordered: _ordered,
    Floor: _floor,
    Said: _said,
    Warned: _warned,
    Stood: _stood,
    Withdrew: _withdrew,
    Tallied: _tallied,
    Badge: _badge,
    Exploded: _exploded,
    Out: _out,
    Announced: _announced,
    Revealed: _revealed,
    Ended: _ended,
}
