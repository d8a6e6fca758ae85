"""What an endpoint may be asked at one time, in a minute, and after it has asked to be left alone."""

import asyncio
import time
from typing import Protocol

from aiolimiter import AsyncLimiter

from arena.endpoint.plan import EndpointPlan


class Limits(Protocol):
    """Whom every call to one endpoint asks first."""

    async def enter(self) -> None:
        """Wait until another call may be in flight.

        Raises:
            Halted: none may begin any more.
        """
        ...

    def leave(self) -> None:
        """A call that was in flight is over."""
        ...

    async def turn(self, tokens: int) -> None:
        """Wait until a request of so many tokens is within what a minute allows."""
        ...

    def rest(self, seconds: float) -> None:
        """The endpoint has asked to be left alone for so long, by all."""
        ...

    @property
    def resting(self) -> float:
        """For how many seconds it is still to be left alone."""
        ...


class Rest:
    """Until when an endpoint is to be left alone: as long as anybody was told."""

    def __init__(self) -> None:
        self._until = 0.0

    def rest(self, seconds: float) -> None:
        """As `Limits.rest`."""
        self._until = max(self._until, time.monotonic() + seconds)

    @property
    def resting(self) -> float:
        """As `Limits.resting`."""
        return max(0.0, self._until - time.monotonic())


class OwnLimits(Rest):
    """The limits of a plan, for all calls of this process."""

    def __init__(self, plan: EndpointPlan) -> None:
        super().__init__()
        self._in_flight = asyncio.Semaphore(plan.in_flight)
        # What a minute allows could all go out in its first second, and as much again over the rest; so in ten.
        self._requests = plan.requests_per_minute and AsyncLimiter(max(1, plan.requests_per_minute / 6), 10)
        self._tokens = plan.tokens_per_minute and AsyncLimiter(plan.tokens_per_minute, 60)

    @property
    def is_free(self) -> bool:
        """Whether a call may begin at once, and nobody waits."""
        return not self._in_flight.locked()

    async def enter(self) -> None:
        """As `Limits.enter`."""
        await self._in_flight.acquire()

    def leave(self) -> None:
        """As `Limits.leave`."""
        self._in_flight.release()

    async def turn(self, tokens: int) -> None:
        """As `Limits.turn`."""
        if self._requests:
            await self._requests.acquire()
        if self._tokens:
            await self._tokens.acquire(min(tokens, self._tokens.max_rate))
