"""Endpoints for tests: the stand-in's address in a plan, one call, and a log that keeps what it is told."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from arena.endpoint import Call, EndpointPlan, Purse, Sampling, client
from arena.endpoint.client import Endpoint
from arena.terms import Attempt
from tests.model_server import ModelServer
from tests.model_server.schema import closed

VOTE = closed(thought={"type": "string", "maxLength": 30}, target={"type": "integer", "enum": [2, 4, 5]})
PRICE = {"input": 1.0, "output": 2.0, "cached": 0.5}


def plan(server: ModelServer, **keys: Any) -> EndpointPlan:
    return EndpointPlan.model_validate({"base_url": server.base_url, "model": "test-model", "timeout": 5, **keys})


def a_call(words: str = "Vote.", tokens: int = 200, **keys: Any) -> Call:
    return Call("Rules. Answer in JSON.", words, VOTE, tokens, Sampling(temperature=0.7), **keys)


class Kept:
    """A log."""

    def __init__(self) -> None:
        self.attempts: list[Attempt] = []
        self.worst: list[float] = []

    def reserved(self, usd: float) -> None:
        self.worst.append(usd)

    def attempted(self, attempt: Attempt) -> None:
        self.attempts.append(attempt)

    @property
    def faults(self) -> list[str]:
        return [attempt.fault for attempt in self.attempts]


@contextmanager
def quick(pause: float = 0.01) -> Iterator[None]:
    """Let nobody wait long between attempts."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(client, "FIRST_PAUSE", pause)
        patch.setattr(client, "LONGEST_PAUSE", 4 * pause)
        yield


async def gathered(endpoint: Endpoint, *calls: Call, log: Kept | None = None) -> list[Any]:
    """What becomes of calls that are made at the same time."""
    log = log or Kept()
    try:
        return await asyncio.gather(*(endpoint.ask(call, log) for call in calls), return_exceptions=True)
    finally:
        await endpoint.close()


def endpoint_of(server: ModelServer, purse: Purse | None = None, **keys: Any) -> Endpoint:
    return Endpoint("stand-in", plan(server, **keys), purse)
