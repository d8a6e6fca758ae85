"""A script: scripted choices, and the decisions made of them when the referee asks.

Each choice of a scenario file is a `Line` that waits for a request of its topic. A line that is illegal when
its request comes, or whose request never comes, has been refused; the request's default stands instead.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from arena.referee import legal
from arena.referee.conduct import broken_by_claims
from arena.referee.turn import holders
from arena.roles import ABILITIES
from arena.roles.ability import say_nothing
from arena.scenario.file import Election, Explosion, Order, Phase, Potions
from arena.scenario.values import Seats, When
from arena.state import GameState
from arena.terms import PASS, Claim, Decision, Request, Seat, record

Value = Seats | str | Claim | Explosion
"""What a line decides: seats (none: to pass), the word for an act, a claim, or an explosion."""

ANSWERS = ("shoot", "badge")
"""What a night's script may hold for its dawn: the answers to an out."""


Fate = Literal["made", "illegal", "unasked", "over"]
"""What becomes of a choice: made, asked for but not allowed so, never asked for, or never because the game was over."""


@record
class Choice:
    """What has become of one seat's scripted choice: as a ruling reports it, and on which topic it was to be made."""

    entry: dict[str, Any]
    topic: str
    fate: Fate


@dataclass(eq=False)
class Line:
    """One scripted choice: in which phase, on which topic, under which key of the file, what.

    `by` is the seat that chooses (0: each seat that is asked), `target` what is reported of a refused choice,
    `runoff` the number of run-offs held before its own, `to` whose speech it answers. `asked` are the seats whose
    request has come, `made` those whose choice was legal.
    """

    when: When
    topic: str
    choice: str
    by: Seat
    value: Value
    target: Seat | str | None = None
    runoff: int | None = None
    to: Seat | None = None
    asked: set[Seat] = field(default_factory=set)
    made: set[Seat] = field(default_factory=set)

    def waits_for(self, state: GameState, request: Request) -> bool:
        """Whether this line answers `request`, which comes in `state`."""
        if self.by not in (0, request.seat) or not self._is_time(state):
            return False
        if isinstance(self.value, Explosion):
            return _is_chance(state, request, self.value)
        if isinstance(self.value, Claim) and self.asked and state.current.name != "speech_again":
            return False
        if self.to and (state.heard is None or state.heard.seat != self.to):
            return False
        return self.topic == request.topic and self.runoff in (None, state.runoffs)

    def _is_time(self, state: GameState) -> bool:
        if self.when == When(state.day, not state.night):
            return True
        dawn = state.part in {"election", "announcement"} and self.topic in ANSWERS
        return dawn and self.when == When(state.day, by_day=False)


def _is_chance(state: GameState, request: Request, explosion: Explosion) -> bool:
    offered = any(choice.act == "explode" for choice in request.choices)
    in_window = state.topic.removesuffix("_runoff") == explosion.window
    return offered and in_window and explosion.during in (None, state.current.seat)


class Script:
    """All lines of a scenario, and what has become of them."""

    def __init__(self, phases: Mapping[When, Phase]) -> None:
        self._lines = [line for when, phase in sorted(phases.items()) for line in _lines(when, phase)]

    def decide(self, state: GameState, request: Request) -> Decision:
        """What is scripted for `request`, if it is legal; else the request's default."""
        lines = [line for line in self._lines if line.waits_for(state, request)]
        for line in lines:
            line.asked.add(request.seat)
        for made, decision in _attempts(state, request, lines):
            if not legal(request, decision):
                for line in made:
                    line.made.add(request.seat)
                return decision
        return request.default

    def gone(self, when: When, in_play: Seats) -> Seats:
        """The seats whose players are gone from the phase `when` on, which begins."""
        lines = [line for line in self._lines if line.topic == "gone" and line.when == when and line.by in in_play]
        for line in lines:
            line.made.add(line.by)
        return tuple(line.by for line in lines)

    def is_silent(self, state: GameState) -> bool:
        """Whether nothing is scripted for any of those who are being asked."""
        return not any(line.waits_for(state, request) for request in state.pending for line in self._lines)

    def choices(self, state: GameState) -> list[Choice]:
        """What has become of every choice, in the order of the script; `state` is the last one."""
        found = []
        for line in self._lines:
            for seat in sorted(line.asked or line.made or _would_be_asked(state, line)):
                entry = {"phase": str(line.when), "by": seat, "choice": line.choice, "target": line.target}
                given = {key: value for key, value in entry.items() if value}
                found.append(Choice(given, line.topic, _fate(state, line, seat)))
        return found


def _fate(state: GameState, line: Line, seat: Seat) -> Fate:
    if seat in line.made:
        return "made"
    if seat in line.asked:
        return "illegal"
    over = state.outcome is not None and line.when >= When(state.day, not state.night)
    return "over" if over else "unasked"


def _would_be_asked(state: GameState, line: Line) -> Seats:
    """Who would have made a choice that was never asked for: the holders of the power, in play where there are any.

    A power that is shared goes on without those who are out; with none in play it is nobody's.
    """
    if line.by:
        return (line.by,)
    if line.topic in {"decide", "order"}:
        return (state.sheriff,)
    if line.topic not in ABILITIES:
        return (0,)
    ability = ABILITIES[line.topic]
    seats = holders(state, ability, tuple(range(1, state.players + 1)), even_lost=True)
    shared = ability.talk is not say_nothing
    return tuple(seat for seat in seats if seat in state.in_play) or (() if shared else seats) or (0,)


def _attempts(state: GameState, request: Request, lines: list[Line]) -> Iterator[tuple[list[Line], Decision]]:
    """Decisions that would carry out `lines`, the fullest first, each with the lines it does carry out."""
    for line in lines:
        if isinstance(line.value, Explosion):
            yield [line], Decision("explode")
    claims = [line for line in lines if isinstance(line.value, Claim)]
    if claims:
        yield _claiming(state, request, claims)
    if len(lines) > 1:
        seats = tuple(seat for line in lines if isinstance(line.value, tuple) for seat in line.value)
        yield lines, Decision("_and_".join(line.choice for line in lines), seats)
    for line in lines:
        if isinstance(line.value, str):
            yield [line], Decision(line.value)
        elif line.value == ():
            yield [line], PASS
        elif isinstance(line.value, tuple):
            for choice in request.choices:
                yield [line], Decision(choice.act, line.value)


def _claiming(state: GameState, request: Request, lines: list[Line]) -> tuple[list[Line], Decision]:
    """A speech with claims. One that breaks a rule is made once, and left out when the speech is asked for again."""
    if state.current.name == "speech_again":
        lines = [line for line in lines if line.made]
    claims = tuple(line.value for line in lines if isinstance(line.value, Claim))
    forbidden = broken_by_claims(state, request.seat, request.topic, claims)
    kept = [line for line in lines if line.value not in forbidden]
    return kept, Decision("speak", claims=claims)


def _lines(when: When, phase: Phase) -> Iterator[Line]:
    """The lines of one phase, key by key."""
    for key, value in phase.given():
        yield from _KEYS.get(key, _targets)(when, key, value)


def _line(when: When, key: str, by: Seat, value: Seats | str, topic: str = "") -> Line:
    """A line that names seats or says a word, which is also what is reported of it."""
    target = value if isinstance(value, str) else "none" if not value else value[0] if len(value) == 1 else None
    return Line(when, topic or key, key, by, value, target)


def _targets(when: When, key: str, value: Seats) -> Iterator[Line]:
    yield _line(when, key, 0, value)


def _word(when: When, key: str, value: str) -> Iterator[Line]:
    yield _line(when, key, 0, value)


def _pack(when: When, key: str, value: Seats | dict[Seat, Seats]) -> Iterator[Line]:
    for seat, target in value.items() if isinstance(value, dict) else [(0, value)]:
        yield _line(when, key, seat, target)


def _potions(when: When, key: str, value: Potions) -> Iterator[Line]:
    if value.antidote:
        yield Line(when, key, "antidote", 0, "antidote")
    if value.poison:
        yield _line(when, "poison", 0, (value.poison,), key)
    if not value.antidote and not value.poison:
        yield _line(when, key, 0, ())


def _gone(when: When, key: str, value: Seats) -> Iterator[Line]:
    for seat in value:
        yield Line(when, key, key, seat, ())


def _own(when: When, key: str, value: Mapping[Seat, Seat | str]) -> Iterator[Line]:
    """Choices by seat: a seat, none, or a word."""
    for seat, target in value.items():
        yield _line(when, key, seat, () if target == "none" else target if isinstance(target, str) else (target,))


def _election(when: When, key: str, value: Election) -> Iterator[Line]:
    for seat in value.run:
        yield Line(when, "stand", "run", seat, "stand")
    for seat in value.withdraw:
        yield Line(when, "withdraw", "withdraw", seat, "withdraw")
    for voter, target in value.votes.items():
        yield _line(when, "votes", voter, target, "sheriff")
    for voter, target in value.runoff.items():
        yield _line(when, "runoff", voter, target, "sheriff_runoff")


def _votes(when: When, key: str, value: Mapping[Seat, Seats]) -> Iterator[Line]:
    for voter, target in value.items():
        yield _line(when, key, voter, target, "vote")


def _runoffs(when: When, key: str, value: tuple[Mapping[Seat, Seats], ...]) -> Iterator[Line]:
    for number, votes in enumerate(value):
        for voter, target in votes.items():
            yield replace(_line(when, key, voter, target), runoff=number)


def _tie(when: When, key: str, value: Seat | str) -> Iterator[Line]:
    yield _line(when, key, 0, (value,) if isinstance(value, int) else (), "decide")


def _explosion(when: When, key: str, value: Explosion) -> Iterator[Line]:
    yield Line(when, key, key, value.seat, value)


def _order(when: When, key: str, value: Order) -> Iterator[Line]:
    yield Line(when, key, key, 0, f"{value.start}_{value.direction}")


def _claims(topic: str) -> Callable[[When, str, Mapping[Seat, list[Claim]]], Iterator[Line]]:
    def read(when: When, key: str, value: Mapping[Seat, list[Claim]]) -> Iterator[Line]:
        for seat, claims in value.items():
            for claim in claims:
                about = tuple(of or seat for of in claim.seats)
                yield Line(when, topic, key, seat, Claim(claim.about, about, claim.value))

    return read


def _declined(when: When, key: str, value: Seats) -> Iterator[Line]:
    for seat in value:
        yield Line(when, "last_words", key, seat, "pass")


def _gestures(when: When, key: str, value: Mapping[Seat, Mapping[Seat, str]]) -> Iterator[Line]:
    for seat, by_asker in value.items():
        for asker, gesture in by_asker.items():
            yield Line(when, "gesture", key, seat, "pass" if gesture == "none" else gesture, gesture, to=asker)


def _asks(when: When, key: str, value: Mapping[Seat, Seat]) -> Iterator[Line]:
    for asker, asked in value.items():
        yield Line(when, "speech", key, asker, Claim("asks", (asked,)), asked)


def _taken(when: When, key: str, value: bool) -> Iterator[Line]:
    yield Line(when, key, key, 0, "take" if value else "pass")


def _declines(when: When, key: str, value: bool) -> Iterator[Line]:
    """What happens by default is no choice."""
    if value:
        yield Line(when, "reveal", key, 0, "decline")


def _drawn(when: When, key: str, value: bool) -> Iterator[Line]:
    """What chance says is nobody's choice."""
    yield from ()


_KEYS: dict[str, Callable[[When, str, Any], Iterator[Line]]] = {
    "gone": _gone,
    "shoot": _own,
    "badge": _own,
    "werewolves": _pack,
    "witch": _potions,
    "thief": _word,
    "girl": _word,
    "take_girl": _taken,
    "girl_noticed": _drawn,
    "sheriff": _election,
    "votes": _votes,
    "runoff": _runoffs,
    "sheriff_decides": _tie,
    "explode": _explosion,
    "idiot_declines": _declines,
    "order": _order,
    "asks": _asks,
    "gestures": _gestures,
    "claims": _claims("speech"),
    "campaign_claims": _claims("campaign"),
    "last_words_claims": _claims("last_words"),
    "declines_last_words": _declined,
}
"""How each key becomes lines; a key that isn't here names seats, and is the topic itself."""
