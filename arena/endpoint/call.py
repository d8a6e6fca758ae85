"""What is asked of an endpoint, what it answers, and how it fails."""

from collections.abc import Mapping
from hashlib import blake2b
from typing import Any, Protocol

from arena.endpoint.plan import Sampling
from arena.endpoint.size import tokens
from arena.terms import Attempt, DuskwaldError, Usage, record


@record
class Call:
    """One question: what every seat shares comes first (`system`, and the beginning of `user`).

    `schema` is the JSON schema of the answer; `tokens` bounds its length. `freely` leaves the form of the answer to
    the words of the prompt, for a model that gave nothing when it was held to one.
    """

    system: str
    user: str
    schema: Mapping[str, Any]
    tokens: int
    sampling: Sampling = Sampling()
    freely: bool = False

    @property
    def prompt_tokens(self) -> int:
        """How many tokens are sent, about, without the schema."""
        return tokens(self.system) + tokens(self.user)

    @property
    def digest(self) -> str:
        """A hash of what is sent."""
        return digest_of(self.system, self.user)


def digest_of(system: str, user: str) -> str:
    """A hash of a prompt."""
    return blake2b(f"{system}\x1f{user}".encode(), digest_size=8).hexdigest()


@record
class Answer:
    """What a model answered, raw; `finish` is why it stopped, `usd` what it cost."""

    text: str
    reasoning: str
    finish: str
    refusal: str
    model: str
    usage: Usage | None
    seconds: float
    usd: float


class Log(Protocol):
    """Who writes down what calls cost, as it happens."""

    def reserved(self, usd: float) -> None:
        """A call begins that may cost so much."""
        ...

    def attempted(self, attempt: Attempt) -> None:
        """A call has ended so."""
        ...


class Unreachable(DuskwaldError):
    """An endpoint gives no answer, and was tried for as long as its plan says, or says that trying is useless.

    `status` is the HTTP status it gave last; 0 where it gave none.
    """

    def __init__(self, message: str, status: int = 0) -> None:
        super().__init__(message)
        self.status = status


class Unanswered(Unreachable):
    """This call gets no answer although its endpoint is up: it is refused in every form, or takes too long."""


class Overflow(DuskwaldError):
    """The prompt does not fit the model's context, which the endpoint has learnt from this."""
