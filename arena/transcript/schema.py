"""The lines of a transcript: what each may hold, and how it is written.

The first line is the `Header`; every other one is a `Record`: an event, a request (`Asked`), a reply
(`Replied`), a call to a model (`Reserved` before it, where it costs anything, and `Attempted` after it) or seats
whose players are gone (`Gone`). A record is written as a JSON object whose ``kind``
comes first; fields that have their default are left out.
"""

from dataclasses import MISSING, fields, replace
from functools import cache
from hashlib import blake2b
from typing import Annotated, Any, Final, Literal, Self

import orjson
from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError, model_validator

from arena import __version__
from arena.events import Began, Event, Noted
from arena.mistakes import complaint
from arena.ruleset import Ruleset, spares
from arena.seating import Absent, Clock, Outage, SeatPlan, ShowPlayers
from arena.terms import Attempt, Lang, Reply, Request, Seat, UnusableInput, record

FORMAT: Final = "duskwald-transcript"
VERSION: Final = 1
LARGEST_SEED: Final = 2**63 - 1
"""What a whole number in JSON can be for every reader."""


class Series(BaseModel):
    """The series a game belongs to: how many games it has, and which of its players sits at each seat, from seat 1.

    Players are numbered by their seats in the first game.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    games: Annotated[int, Field(ge=1)]
    players: tuple[int, ...]


class Fork(BaseModel):
    """Where a forked game comes from: the name of its `file`, the `fingerprint` of that `game`.

    `at` is how many events are that game's.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    file: str
    game: str
    at: Annotated[int, Field(ge=0)]


class Header(BaseModel):
    """Everything a game needs to be played again, and who played it. The first line of a transcript.

    `cards` is either how many there are of each role, dealt by the `seed`, or the role at each seat, from
    seat 1, with the `extra` cards beside them. `game` counts the games of a series. `protected` are the seats
    that can't be the first victim. `lang` is the language in which the players speak, `started` the time
    (ISO 8601) and `duskwald` the version that wrote the transcript. `models` says which model each endpoint at the
    `seats` serves, `budget_usd`, `outage`, `beliefs`, `clock`, `absent`, `out_sees` and `show_players` are as in a
    seats file. `practice`: a person may have known the seed. A `fork` has begun as another game. Neither keys nor
    secrets nor addresses are kept.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    format: Literal["duskwald-transcript"] = FORMAT
    version: Literal[1] = VERSION
    duskwald: str = __version__
    started: str
    lang: Lang
    seed: Annotated[int, Field(ge=0, le=LARGEST_SEED)]
    game: Annotated[int, Field(ge=1)] = 1
    series: Series | None = None
    cards: dict[str, Annotated[int, Field(ge=0)]] | tuple[str, ...]
    extra: tuple[str, ...] = ()
    protected: tuple[Seat, ...] = ()
    seats: dict[Seat, SeatPlan]
    models: dict[str, str] = {}
    budget_usd: float | None = None
    outage: Outage = "default"
    beliefs: bool = False
    clock: Clock = Clock()
    absent: Absent = "stand_in"
    out_sees: Literal["public", "god"] = "public"
    show_players: ShowPlayers = "after"
    practice: bool = False
    fork: Fork | None = None
    ruleset: Ruleset

    @property
    def players(self) -> int:
        """The number of seats."""
        if isinstance(self.cards, tuple):
            return len(self.cards)
        return sum(self.cards.values()) - spares(self.cards, self.ruleset.rules)

    @model_validator(mode="after")
    def _seats_fit(self) -> Self:
        # Counted first: a file from elsewhere may speak of more cards than fit into memory.
        if len(self.seats) != self.players or sorted(self.seats) != list(range(1, self.players + 1)):
            raise ValueError(f"seats: {sorted(self.seats)}; there are cards for {self.players}")
        if self.extra and not isinstance(self.cards, tuple):
            raise ValueError("extra: only beside cards that lie at seats; others are dealt")
        if self.series and sorted(self.series.players) != sorted(self.seats):
            raise ValueError(f"series: players: {list(self.series.players)}; each from 1 to {self.players} once")
        return self


@record
class Asked:
    """A seat is asked."""

    request: Request
    kind: Literal["asked"] = "asked"


@record
class Replied:
    """What counts as the answer of a seat to its request number `n`. Replies of one batch may come in any order."""

    seat: Seat
    n: int
    reply: Reply
    kind: Literal["replied"] = "replied"


@record
class Gone:
    """The players of these seats are gone for good; the referee learns of it with the replies before."""

    seats: tuple[Seat, ...]
    kind: Literal["gone"] = "gone"


@record
class Reserved:
    """A call to a model begins, for a seat's request number `n`; it is counted with `usd` until it is `Attempted`."""

    seat: Seat
    n: int
    usd: float
    kind: Literal["reserved"] = "reserved"


@record
class Attempted:
    """What came of a call to a model for a seat's request number `n`. The referee knows nothing of it."""

    seat: Seat
    n: int
    attempt: Attempt
    kind: Literal["attempted"] = "attempted"


Call = Reserved | Attempted

Beside = Asked | Replied | Gone | Call
"""What stands in a transcript beside the events."""

Record = Event | Beside

_RECORD: TypeAdapter[Record] = TypeAdapter(
    Annotated[Record, Field(discriminator="kind")], config=ConfigDict(extra="forbid", strict=True)
)


def encode(line: Header | Record) -> bytes:
    """`line` as it stands in a transcript, with its end of line."""
    if isinstance(line, Header):
        return orjson.dumps(line.model_dump(mode="json", exclude_none=True), option=orjson.OPT_APPEND_NEWLINE)
    return orjson.dumps(line, default=_plain, option=_OPTIONS)


def fingerprint(header: Header) -> str:
    """A hash by which a game is known whatever its file is called."""
    return blake2b(encode(header), digest_size=8).hexdigest()


_OPTIONS = orjson.OPT_PASSTHROUGH_DATACLASS | orjson.OPT_NON_STR_KEYS | orjson.OPT_APPEND_NEWLINE


def _plain(value: Any) -> dict[str, Any]:
    """The fields of a record that differ from their default, `kind` first and always."""
    kind = getattr(value, "kind", "")
    plain: dict[str, Any] = {"kind": kind} if kind else {}
    for name, default in _fields(value.__class__):
        item = getattr(value, name)
        if default is MISSING or item != default:
            plain[name] = item
    return plain


@cache
def _fields(kind: type) -> tuple[tuple[str, Any], ...]:
    return tuple((field.name, field.default) for field in fields(kind) if field.name != "kind")


def decode(line: bytes) -> Record:
    """The record in one line.

    Raises:
        UnusableInput: saying in one line what does not fit.
    """
    try:
        decoded = _RECORD.validate_json(line)
        encode(decoded)
    except ValidationError as error:
        raise UnusableInput(complaint(error)) from None
    except orjson.JSONEncodeError as error:
        raise UnusableInput(f"what no transcript can hold: {error}") from None
    if isinstance(decoded, Began):
        return replace(decoded, rules=_thawed(decoded.rules))
    if isinstance(decoded, Noted):
        return replace(decoded, value=_thawed(decoded.value))
    return decoded


def _thawed(value: Any) -> Any:
    """`value` as the referee had it: JSON knows neither tuples nor keys that are numbers."""
    if isinstance(value, list):
        return tuple(_thawed(item) for item in value)
    if isinstance(value, dict):
        return {int(key) if key.isdecimal() else key: _thawed(item) for key, item in value.items()}
    return value


def is_header(line: bytes) -> bool:
    """Whether `line` begins a transcript, of whichever version."""
    try:
        data = orjson.loads(line)
    except orjson.JSONDecodeError:
        return False
    return isinstance(data, dict) and data.get("format") == FORMAT


def decode_header(line: bytes) -> Header:
    """The header in the first line of a transcript.

    Raises:
        UnusableInput: the line is no header, one of a later version, or does not fit.
    """
    if not is_header(line):
        raise UnusableInput("no transcript of Duskwald")
    data = orjson.loads(line)
    version = data.get("version")
    if version != VERSION:
        raise UnusableInput(f"a transcript of version {version!r}; this Duskwald ({__version__}) reads {VERSION}")
    try:
        return Header.model_validate(data)
    except ValidationError as error:
        raise UnusableInput(complaint(error, Header)) from None
