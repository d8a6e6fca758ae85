"""The connections to one endpoint. What comes back is bounded in time and size, whoever sends it."""

import asyncio
import ssl
from collections.abc import AsyncIterator, Iterator, Mapping
from functools import cache
from typing import Any

import aiohttp
import httpx2
import openai
import orjson

from arena.endpoint.plan import EndpointPlan

LARGEST = 16 * 2**20
"""Bytes of an answer that are read. No answer a seat may give is a thousandth of it."""

GRACE = 1.0
"""Seconds after the client's own time limit, which begins anew with every byte that comes."""

BROKEN = (aiohttp.ClientError, aiohttp.http_exceptions.HttpProcessingError, httpx2.TransportError, OSError)
"""What breaks beneath the client and reaches its caller as it is. Their texts quote what was sent and received."""

_KEYS = orjson.OPT_NON_STR_KEYS
"""What a plan sends along may have numbers for keys."""


_MACHINE = ("Lang", "Package-Version", "OS", "Arch", "Runtime", "Runtime-Version")
_CALL = ("Async", "Retry-Count", "Read-Timeout")
UNASKED = {f"X-Stainless-{what}": openai.omit for what in (*_MACHINE, *_CALL)}
"""What the client would tell every endpoint about this machine, with every call."""


class Connections:
    """An OpenAI client, through aiohttp: the client's own transport takes the longer the more calls are in flight.

    Raises:
        UnusableInput: the variable for the key is not set.
    """

    def __init__(self, plan: EndpointPlan) -> None:
        self.key = plan.key()
        self._timeout = plan.timeout + GRACE
        self._completions = f"{plan.base_url}/chat/completions"
        # Whatever is not given here the client copies from its defaults, deeply.
        self._options: openai.RequestOptions = {
            "headers": UNASKED,
            "timeout": plan.timeout,
            "max_retries": 0,
            "params": {},
        }
        self._client = openai.AsyncOpenAI(
            base_url=plan.base_url,
            api_key=self.key,
            max_retries=0,
            timeout=plan.timeout,
            organization="",
            project="",
            # Packed, a small answer may be one of any size.
            default_headers={"Accept-Encoding": "identity"},
            http_client=openai.DefaultAioHttpClient(
                verify=_trusted(),
                # A proxy of the environment can't reach this machine.
                trust_env=not plan.local,
                # Prompts hold secrets of a game, and go to the address in the plan or nowhere.
                follow_redirects=False,
                event_hooks={"response": [_bound]},
            ),
        )

    async def models(self) -> list[str]:
        """The models that the endpoint lists. Errors are those of `post`."""
        async with asyncio.timeout(self._timeout):
            return [str(model.id) async for model in self._client.models.list()]

    async def post(self, body: Mapping[str, Any]) -> object:
        """The JSON that comes back for a chat completion. Errors are those of the client, and TimeoutError."""
        # Not `chat.completions.create`: it goes through every schema for parts that are files, and makes of what comes
        # back objects that are checked no better. A whole address is not put together anew for every call.
        data = orjson.dumps(body, option=_KEYS)
        async with asyncio.timeout(self._timeout):
            response = await self._client.post(
                self._completions, cast_to=httpx2.Response, content=data, options=self._options
            )
        return response.json()

    async def close(self) -> None:
        """Let go of them."""
        await self._client.close()


@cache
def _trusted() -> ssl.SSLContext:
    """Whose certificates count. Reading them takes as long as a dozen calls."""
    return httpx2.create_ssl_context()


class _Bounded(httpx2.AsyncByteStream):
    """A body that ends in an error where it grows too large."""

    def __init__(self, body: httpx2.AsyncByteStream) -> None:
        self._body = body

    async def __aiter__(self) -> AsyncIterator[bytes]:
        size = 0
        async for part in self._body:
            size += len(part)
            if size > LARGEST:
                raise ValueError("an answer without end")
            yield part

    async def aclose(self) -> None:
        await self._body.aclose()


async def _bound(response: httpx2.Response) -> None:
    """Bound the body of a response, before any of it is read."""
    if response.headers.get("content-encoding", "identity") != "identity":
        raise ValueError("an answer that is packed although it must not be")
    assert isinstance(response.stream, httpx2.AsyncByteStream)
    response.stream = _Bounded(response.stream)


def was_reached(error: Exception) -> bool:
    """Whether a call that brought no answer may have come to somebody."""
    nobody = aiohttp.ClientConnectorError, aiohttp.ConnectionTimeoutError
    return not any(isinstance(cause, nobody) for cause in _causes(error))


def timed_out(error: Exception) -> bool:
    """Whether somebody was reached, and took longer over a call than it may."""
    # The client says so of connections that were cut as well.
    cut = any(isinstance(cause, aiohttp.ServerDisconnectedError | aiohttp.ClientOSError) for cause in _causes(error))
    late = isinstance(error, openai.APITimeoutError) and was_reached(error) and not cut
    return late or isinstance(error, TimeoutError)


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    while error:
        yield error
        error = error.__cause__
