"""Deciding everything again: the referee is given the recorded replies, and must say what is recorded."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from arena.events import Event
from arena.referee import deal, legal, new_game, step
from arena.roles.ability import Dealing
from arena.state import GameState
from arena.terms import DuskwaldError, Reply, Request, Seat
from arena.transcript.schema import Asked, Call, Gone, Header, Record, Replied, encode

CLIP = 120
"""How many characters of a long record are shown around the first one that differs."""


class Difference(DuskwaldError):
    """A transcript is not what its header and replies lead to.

    `line` is the line of the file, `event` the number of the event that was due; `expected` and `actual`
    are as written in a transcript (empty: nothing). `why` is the referee's word (see `arena.referee.legal`)
    for a decision that is not allowed.
    """

    def __init__(self, line: int, event: int, expected: str, actual: str, why: str = "") -> None:
        same = next((i for i, (a, b) in enumerate(zip(expected, actual, strict=False)) if a != b), 0)
        start = max(0, same - CLIP // 2)
        shown = [_clipped(text, start) or "nothing" for text in (expected, actual)]
        refused = f" (not allowed: {why})" if why else ""
        super().__init__(f"line {line}, event {event}: expected {shown[0]}, found {shown[1]}{refused}")
        self.line = line
        self.event = event
        self.expected = expected
        self.actual = actual
        self.why = why


def _clipped(text: str, start: int) -> str:
    if len(text) <= 2 * CLIP:
        return text
    end = start + CLIP
    return ("…" if start else "") + text[start:end] + ("…" if end < len(text) else "")


@dataclass
class Position:
    """Where a game stands after some records.

    `replies` are those already given to the requests of `state`, `gone` the seats whose players have gone,
    `events` everything that has happened. `unwritten` is what the referee has said since the last record: a
    game goes on by writing it.
    """

    state: GameState
    events: list[Event]
    unwritten: Sequence[Record]
    replies: dict[Seat, Reply] = field(default_factory=dict)
    gone: tuple[Seat, ...] = ()

    def go_on(self, gone: tuple[Seat, ...] = ()) -> None:
        """Let the referee take the replies, and say what comes next.

        Raises:
            IllegalDecision: somebody has not replied.
        """
        decisions = {seat: reply.decision for seat, reply in self.replies.items()}
        self.state, events = step(self.state, decisions, gone)
        self.replies = {}
        self.gone += gone
        self.events += events
        self.unwritten = (*events, *map(Asked, self.state.pending))

    def ahead(self) -> "Position":
        """Where the game would stand next if everyone who has not replied yet decided by default; nothing changes."""
        decisions = {request.seat: request.default for request in self.state.pending}
        decisions |= {seat: reply.decision for seat, reply in self.replies.items()}
        state, events = step(self.state, decisions)
        return Position(state, events, (*events, *map(Asked, state.pending)))

    @property
    def waiting(self) -> list[Request]:
        """The requests that have no reply yet."""
        return [request for request in self.state.pending if request.seat not in self.replies]


def rerun(header: Header, records: Sequence[Record] = ()) -> Position:
    """The position that `records` lead to; without any, that of a game which is about to begin.

    Raises:
        Difference: the first record that does not follow from those before it.
        UnusableInput: no game can begin as `header` says.
    """
    ruleset, seed, cards = header.ruleset, header.seed, header.cards
    dealt = Dealing(cards, header.extra) if isinstance(cards, tuple) else deal(cards, seed, ruleset.rules)
    state, events = new_game(ruleset, dealt.seats, seed, header.game, header.protected, dealt.extra)
    return _Rerun(records, Position(state, events, tuple(events))).run()


class _Rerun:
    def __init__(self, records: Sequence[Record], position: Position) -> None:
        self._records = records
        self._position = position
        self._next = 0
        self._events = 0

    def run(self) -> Position:
        self._compare()
        position = self._position
        while self._next < len(self._records):
            record = self._records[self._next]
            if isinstance(record, Call):
                self._take_call(record)
            elif position.state.outcome is not None:
                raise self._difference("")
            elif position.waiting:
                self._take_reply(record)
            elif isinstance(record, Gone):
                self._take_gone(record)
            else:
                position.go_on()
                self._compare()
        return position

    def _compare(self) -> None:
        """Compare what the referee has said with the records, as far as they go."""
        due = self._position.unwritten
        written = self._records[self._next : self._next + len(due)]
        for expected, actual in zip(due, written, strict=False):
            if encode(expected) != encode(actual):
                raise self._difference(_text(expected))
            self._next += 1
            self._events += not isinstance(expected, Asked)
        self._position.unwritten = due[len(written) :]

    def _take_reply(self, record: Record) -> None:
        """A reply belongs to a request that waits for one, and is allowed by it."""
        for request in self._position.waiting:
            if isinstance(record, Replied) and (record.seat, record.n) == (request.seat, request.n):
                break
        else:
            first = self._position.waiting[0]
            raise self._difference(f'{{"kind":"replied","seat":{first.seat},"n":{first.n},…}}')
        why = legal(request, record.reply.decision)
        if why:
            raise self._difference(_text(Asked(request)), why)
        self._position.replies[record.seat] = record.reply
        self._next += 1

    def _take_call(self, record: Call) -> None:
        """A call to a model belongs to a request that has been made; it may end after that was decided otherwise."""
        asked = self._position.state.asked
        if not (1 <= record.seat < len(asked) and 1 <= record.n <= asked[record.seat]):
            raise self._difference("", "call")
        self._next += 1

    def _take_gone(self, record: Gone) -> None:
        seats = range(1, self._position.state.players + 1)
        if not record.seats or any(seat not in seats or seat in self._position.gone for seat in record.seats):
            raise self._difference("", "seats")
        self._next += 1
        self._position.go_on(record.seats)
        self._compare()

    def _difference(self, expected: str, why: str = "") -> Difference:
        actual = _text(self._records[self._next])
        return Difference(self._next + 2, self._events + 1, expected, actual, why)


def _text(record: Record) -> str:
    return encode(record).decode().strip()
