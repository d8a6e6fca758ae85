"""The nouns of the game, shared by every other module.

Seat (a place) is not player (the mind that decides for it), nor persona (a voice), nor role (a card).
A *request* asks one seat for one *decision* and enumerates everything it may answer; a *reply* is a
decision with what belongs to the player alone (its thought, its usage). Only the decision enters the game.

Error tree::

    DuskwaldError            anything a user can cause; one line: what, where, what is allowed
    ├── UnusableInput        the input can't be used (exit status 2)
    ├── IllegalDecision      well formed, but not among the choices of its request
    └── Halted               the game has to stop here, and can be resumed: out of budget, or an endpoint is down
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, TypeVar, dataclass_transform, get_args

T = TypeVar("T")


Seat = int
Lang = Literal["zh", "en"]
LANGUAGES: tuple[Lang, ...] = get_args(Lang)

Part = Literal["night", "election", "announcement", "discussion", "vote"]
"""The parts of a cycle. `night` lasts until the outs of the dawn are settled; all others are day."""

Text = Mapping[str, str]
"""One sentence or name in each language: ``{"zh": …, "en": …}``."""

Audience = tuple[Seat, ...] | None
"""Who sees an event: some seats, nobody (``()``), or everyone (``None``)."""

SPECTATOR: Seat = 0
GOD: Seat = -1


@dataclass_transform(frozen_default=True, eq_default=True)
def record(cls: type[T]) -> type[T]:
    """Make `cls` an immutable value with slots.

    The type checker enforces that nothing is assigned after construction. At run time the class is a
    plain slotted dataclass, because the guard of ``frozen=True`` makes construction four times slower
    and the referee constructs several records for every decision.
    """
    return dataclass(slots=True, unsafe_hash=True)(cls)


@record
class Choice:
    """One kind of legal answer: `act`, naming from `least` to `most` different seats out of `seats`.

    An act without seats names nobody.
    """

    act: str
    seats: tuple[Seat, ...] = ()
    least: int = 1
    most: int = 1


@record
class Claim:
    """A structured claim made in a speech. The referee checks claims, never prose.

    =========== ======================= =====================================================
    about       seats                   value
    =========== ======================= =====================================================
    role        the one spoken of       a role
    side        the one spoken of       ``werewolves`` or ``village``
    checked     the one checked         what the seer learnt (a claimed check claims the seer)
    saved       the one saved           (claims the antidote)
    poisoned    the one poisoned        (claims the poison)
    guarded     the one guarded         (claims the watch)
    lovers      the two lovers
    suspects    most suspect first
    trusts      most trusted first
    will_vote   the one
    will_check  badge flow, in order
    asks        a yes/no question to one that may not speak
    =========== ======================= =====================================================
    """

    about: Literal[
        "role",
        "side",
        "checked",
        "saved",
        "poisoned",
        "guarded",
        "lovers",
        "suspects",
        "trusts",
        "will_vote",
        "will_check",
        "asks",
    ]
    seats: tuple[Seat, ...] = ()
    value: str = ""


@record
class Decision:
    """What a seat decides: one of the request's acts, the seats it names, and words where it may speak."""

    act: str
    seats: tuple[Seat, ...] = ()
    text: str = ""
    claims: tuple[Claim, ...] = ()


PASS = Decision("pass")


@record
class Request:
    """A question to one seat. A function of what that seat has seen, and of nothing else.

    `n` counts the requests of this seat from 1. `choices` enumerates everything legal. `default` is
    what counts when no usable answer comes. `window` marks an optional chance beside somebody else's
    turn, which nobody waits for. `seconds` is the length of the speech a person would be given (0: no
    words are heard), `table` the number of seats claims may speak of.
    """

    seat: Seat
    n: int
    topic: str
    choices: tuple[Choice, ...]
    default: Decision
    window: bool = False
    seconds: int = 0
    table: int = 0


@record
class Outcome:
    """How a game ended: the winning faction or ``draw``, the rule met, and all seats that share the win."""

    winner: str
    reason: str
    winners: tuple[Seat, ...]


@record
class Usage:
    """Tokens of one call to a model, as its endpoint counted them."""

    prompt_tokens: int = 0
    cached_tokens: int = 0
    completion_tokens: int = 0


Fault = Literal["", "unreachable", "refused", "overflow", "truncated", "unreadable", "illegal"]
"""What was wrong with a call to a model. Only the last two count against how it keeps to the form it was given.

=========== ==============================================================================================
unreachable no answer: no connection, too slow, too busy, an error of the server, or no answer one can read
refused     the endpoint does not do what was asked for (a schema, a parameter), and will not be asked again
overflow    the prompt is longer than the model's context
truncated   the answer, or the prompt, was cut off
unreadable  empty, a refusal, no object, or not clearly one decision
illegal     a clear decision that the request does not allow
=========== ==============================================================================================
"""


@record
class Attempt:
    """One call to a model on behalf of a request: what came back, and what was wrong with it (`fault`, `detail`).

    `endpoint` is its name at this table, `model` what the endpoint says has answered; `text` and `reasoning` are
    raw. `seconds` is how long it took, `usd` what it cost, `prompt` a hash of what was sent.
    """

    endpoint: str
    fault: Fault = ""
    detail: str = ""
    text: str = ""
    reasoning: str = ""
    finish: str = ""
    model: str = ""
    usage: Usage | None = None
    seconds: float = 0.0
    usd: float = 0.0
    prompt: str = ""


Result = Literal["won", "lost", "drawn"]
"""What the end of a game is to a seat, a side or a competitor."""

Source = Literal["script", "random", "model", "human", "fallback"]


@record
class Reply:
    """A decision and what stays outside the game.

    `source` says who decided. The rest belongs to the seat alone: the private `thought`; `notes`, with which a
    model rewrites its notebook (None: leaves it); `beliefs`, how likely each seat is to be a werewolf; `standing`, how
    it answers chances beside the speeches of others until it replies again; `bid`, how much it wants the word.
    """

    decision: Decision
    source: Source
    thought: str = ""
    notes: str | None = None
    beliefs: tuple[tuple[Seat, float], ...] = ()
    standing: str = ""
    bid: int = 0


class Step(NamedTuple):
    """One entry of the agenda: the name of what is left to do, for which seat, with which data."""

    name: str
    seat: Seat = 0
    data: tuple[Any, ...] = ()


class DuskwaldError(Exception):
    """Anything a user can cause. The message is one line: what, where, and what is allowed."""


class UnusableInput(DuskwaldError):
    """The input can't be used: an unknown name, a file that doesn't fit, a deal that would be over at once."""


class IllegalDecision(DuskwaldError):
    """A well-formed decision that its request does not allow. It has changed nothing."""


class Halted(DuskwaldError):
    """A game stops before its end, and nothing is lost: it can be resumed. The message says why."""
