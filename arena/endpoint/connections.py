"""The connections to one endpoint."""

from collections.abc import Iterator, Mapping
from typing import Any

import aiohttp
import openai

from arena.endpoint.plan import EndpointPlan


class Connections:
    """An OpenAI client, through aiohttp: the client's own transport takes the longer the more calls are in flight.

    Raises:
        UnusableInput: the variable for the key is not set.
    """

    def __init__(self, plan: EndpointPlan) -> None:
        self.key = plan.key()
        self._client = openai.AsyncOpenAI(
            base_url=plan.base_url,
            api_key=self.key,
            max_retries=0,
            timeout=plan.timeout,
            organization="",
            project="",
            # A proxy of the environment can't reach this machine.
            http_client=openai.DefaultAioHttpClient(trust_env=not plan.local),
        )

    async def models(self) -> list[str]:
        """The models that the endpoint lists."""
        return [model.id async for model in self._client.models.list()]

    async def post(self, body: Mapping[str, Any]) -> object:
        """The JSON that comes back for a chat completion, as it is. Errors are those of the client."""
        # Not `chat.completions.create`: it goes through every schema for parts that are files, and makes of what comes
        # back objects that are checked no better.
        return await self._client.post("/chat/completions", cast_to=object, body=body)

    async def close(self) -> None:
        """Let go of them."""
        await self._client.close()


def was_reached(error: Exception) -> bool:
    """Whether a call that brought no answer may have come to somebody."""
    nobody = aiohttp.ClientConnectorError, aiohttp.ConnectionTimeoutError
    return not any(isinstance(cause, nobody) for cause in _causes(error))


def timed_out(error: Exception) -> bool:
    """Whether somebody was reached, and took longer over a call than it may."""
    # The client says so of connections that were cut as well.
    cut = any(isinstance(cause, aiohttp.ServerDisconnectedError | aiohttp.ClientOSError) for cause in _causes(error))
    return isinstance(error, openai.APITimeoutError) and was_reached(error) and not cut


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    while error:
        yield error
        error = error.__cause__
