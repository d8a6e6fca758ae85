"""What came out of a game, by the keys of a scenario's `expect`."""

from collections.abc import Callable, Iterable
from typing import Any

from arena.events import (
    Announced,
    Badge,
    Event,
    Exiled,
    Floor,
    Learned,
    Noted,
    Out,
    Phase,
    Revealed,
    Said,
    Tallied,
    Voted,
)
from arena.referee.night import awake
from arena.scenario.values import When
from arena.state import GameState
from arena.terms import Seat

BALLOTS = {"vote": "", "runoff": " runoff", "sheriff": " sheriff", "sheriff_runoff": " sheriff runoff"}
"""What follows the day in the key of each ballot."""

SPEECHES = {"speech": "", "speech_runoff": " runoff", "campaign": " campaign", "campaign_runoff": " sheriff runoff"}
"""What follows the day in the key of each kind of speech; others are not counted."""


def ruling(state: GameState, events: Iterable[Event], refused: list[dict[str, Any]]) -> dict[str, Any]:
    """The ruling on a game that has come to `state` by `events`, in which `refused` choices were scripted."""
    record = _Record()
    for event in events:
        record.read(event)
    outcome = state.outcome
    return {
        "out": {out.seat: (str(When(out.day, not out.night)), out.cause) for out in state.outs},
        "in_play": state.in_play,
        "order_out": tuple(out.seat for out in state.outs),
        "winner": outcome.winner if outcome else "none",
        "winners": outcome.winners if outcome else (),
        "reason": outcome.reason if outcome else "none",
        "sheriff": record.sheriff,
        "last_words": tuple(dict.fromkeys(record.last_words)),
        "told": record.told,
        "announced": record.announced,
        "revealed": record.revealed,
        "tally": record.tally,
        "exiled": record.exiled,
        "called": record.called,
        "answers": record.answers,
        "speakers": {key: tuple(seats) for key, seats in record.speakers.items()},
        "voters": record.voters,
        "powers_lost": record.powers_lost,
        "charmed": tuple(sorted(record.charmed)),
        "pack": awake(state, "werewolves"),
        "refused": refused,
    }


class _Record:
    """What the events say, gathered one by one."""

    def __init__(self) -> None:
        self.sheriff: Seat | str = "none"
        self.last_words: list[Seat] = []
        self.told: dict[Seat, dict[str, dict[str, Any]]] = {}
        self.announced: dict[str, tuple[Seat, ...]] = {}
        self.revealed: dict[Seat, str] = {}
        self.tally: dict[str, dict[Seat, int | float]] = {}
        self.exiled: dict[str, Seat | str] = {}
        self.called: dict[str, tuple[Seat, ...]] = {}
        self.answers: dict[str, dict[Seat, dict[Seat, str]]] = {}
        self.speakers: dict[str, list[Seat]] = {}
        self.voters: dict[str, tuple[Seat, ...]] = {}
        self.powers_lost = False
        self.charmed: set[Seat] = set()
        self._now = When(0, by_day=True)
        self._outs: dict[Seat, Out] = {}
        self._calls: list[Seat] = []
        self._voted: set[Seat] = set()

    @property
    def _day(self) -> str:
        return f"day {self._now.day}"

    def read(self, event: Event) -> None:
        """Take in the next event."""
        reader = _READ.get(type(event))
        if reader is not None:
            reader(self, event)

    def _phase(self, event: Phase) -> None:
        self._now = When(event.day, event.part != "night")

    def _badge(self, event: Badge) -> None:
        self.sheriff = event.seat or ("none" if event.how == "postponed" else event.how)

    def _floor(self, event: Floor) -> None:
        if event.topic == "last_words":
            self.last_words.append(event.seat)
        elif event.topic == "call":
            self._calls.append(event.seat)

    def _learned(self, event: Learned) -> None:
        if event.key == "gesture":
            seat, asker = event.seats
            self.answers.setdefault(self._day, {}).setdefault(seat, {})[asker] = event.value
        for seat in event.to or ():
            phase = str(self._told_in(seat, event))
            before = self.told.get(seat, {}).get(phase, {})
            told = _told(event, before)
            if told:
                self.told.setdefault(seat, {})[phase] = {**before, **told}

    def _told_in(self, seat: Seat, event: Learned) -> When:
        """The phase in which something was told: what an out grants belongs to the phase of the out."""
        out = self._outs.get(seat)
        return self._now if out is None or event.key != "may_shoot" else When(out.day, not out.night)

    def _out(self, event: Out) -> None:
        self._outs[event.seat] = event
        if event.cause == "exile":
            self.exiled[self._day] = event.seat

    def _announced(self, event: Announced) -> None:
        """The night's dead are announced all at once; later outs of that time answer them."""
        if all(self._outs[seat].night for seat in event.seats):
            self.announced.setdefault(self._day, event.seats)

    def _revealed(self, event: Revealed) -> None:
        self.revealed[event.seat] = event.role

    def _voted_now(self, event: Voted) -> None:
        self._voted |= {voter for voter, _ in event.votes}

    def _tallied(self, event: Tallied) -> None:
        key = self._day + BALLOTS[event.ballot]
        self.tally[key] = {
            seat: half_votes // 2 if half_votes % 2 == 0 else half_votes / 2 for seat, half_votes in event.tally
        }
        self.voters[key] = tuple(sorted(self._voted))
        self.called[key] = tuple(self._calls)
        self._voted, self._calls = set(), []

    def _exiled(self, event: Exiled) -> None:
        self.exiled[self._day] = "none"

    def _said(self, event: Said) -> None:
        if event.topic in SPEECHES:
            self.speakers.setdefault(self._day + SPEECHES[event.topic], []).append(event.seat)

    def _noted(self, event: Noted) -> None:
        if event.key == "powers_lost":
            self.powers_lost = True
        elif event.key == "charmed":
            self.charmed.add(event.seat)


def _told(event: Learned, told: dict[str, Any]) -> dict[str, Any]:
    """What a private event tells, under the key of `told`; nothing for one that `told` doesn't hold."""
    if event.key in {"victim", "lover"}:
        return {event.key: event.seats[0] if event.seats else "none"}
    if event.key in {"saw", "charmed"}:
        return {event.key: list(event.seats)}
    if event.key == "checked":
        return {event.key: {**told.get(event.key, {}), **dict.fromkeys(event.seats, event.value)}}
    if event.key == "may_shoot":
        return {event.key: event.value == "yes"}
    return {event.key: event.value} if event.key == "lover_card" else {}


_READ: dict[type, Callable[[_Record, Any], None]] = {
    Phase: _Record._phase,
    Badge: _Record._badge,
    Floor: _Record._floor,
    Learned: _Record._learned,
    Out: _Record._out,
    Announced: _Record._announced,
    Revealed: _Record._revealed,
    Voted: _Record._voted_now,
    Tallied: _Record._tallied,
    Exiled: _Record._exiled,
    Said: _Record._said,
    Noted: _Record._noted,
}
