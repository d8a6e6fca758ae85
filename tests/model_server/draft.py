"""One answer in the making, before it is bytes."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from random import Random

from tests.model_server.refusals import response_format
from tests.model_server.schema import Json, Sampler, Twist


def tokens(text: str) -> int:
    """Estimate the tokens of a text: one for four bytes, which is about right in both languages."""
    return len(text.encode()) // 4 + 1


@dataclass(frozen=True)
class Pace:
    """How long faults take, in seconds: the delay of slow answers and the wait that is asked for."""

    slow: float
    retry_after: int


class Draft:
    """A choice of a completion; faults change it."""

    def __init__(self, body: Json, chance: Random, pace: Pace, write: Callable[[Json], str] | None) -> None:
        self.body = body
        self.chance = chance
        self.pace = pace
        self.finish_reason = "stop"
        self.chosen = True
        self.reports_usage = True
        self._write = write

    @cached_property
    def message(self) -> Json:
        """The message, made when first asked for: an endpoint that fails has written none."""
        content = self._write(self.body) if self._write else self.sample()
        limit = self.body.get("max_completion_tokens", self.body.get("max_tokens"))
        if limit and tokens(content) > limit:
            content = content.encode()[: 4 * limit - 1].decode(errors="ignore")
            self.finish_reason = "length"
        return {"role": "assistant", "content": content, "refusal": None}

    @property
    def content(self) -> str:
        return self.message["content"] or ""

    @content.setter
    def content(self, text: str | None) -> None:
        self.message["content"] = text

    @property
    def written(self) -> str:
        """All that was written, and is paid for."""
        return "".join(self.message.get(part) or "" for part in ("reasoning_content", "content", "refusal"))

    def sample(self, twist: Twist | None = None) -> str:
        """Write what the schema asks for; without one, the least there is.

        Raises:
            DoesNotFit: there is a twist and nothing to twist.
        """
        kind = response_format(self.body)
        sampler = Sampler({}, self.chance, twist)
        text = "{}" if kind == "json_object" else "ok"
        if kind == "json_schema":
            schema = self.body["response_format"]["json_schema"]["schema"]
            sampler = Sampler(schema, self.chance, twist)
            text = json.dumps(sampler.value(schema), ensure_ascii=False)
        if twist and not sampler.twisted:
            raise DoesNotFit("the request offers no seats in a schema")
        return text


class DoesNotFit(Exception):
    """A fault that this request cannot meet with."""
