"""HTTP/1.1 by hand, because no library sends half a header or bytes that are no text."""

import asyncio
import contextlib
import json
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Literal, Self


@dataclass(frozen=True)
class Call:
    """A request as it came in; names of headers are in lower case."""

    method: str
    path: str
    headers: dict[str, str]
    data: bytes


@dataclass(frozen=True)
class Response:
    """What is sent `delay` seconds after the call, whole or `cut` somewhere."""

    status: int
    data: bytes
    headers: dict[str, str] = field(default_factory=lambda: {"content-type": "application/json"})
    delay: float = 0.0
    cut: Literal["at once", "in headers", "in body"] | None = None

    def encoded(self) -> bytes:
        lines = [f"HTTP/1.1 {self.status} {HTTPStatus(self.status).phrase}"]
        lines += [f"{name}: {value}" for name, value in self.headers.items()]
        lines += [f"content-length: {len(self.data)}", "", ""]
        head = "\r\n".join(lines).encode("latin-1")
        if self.cut == "in headers":
            return head[: len(head) // 2]
        return head + (self.data[: len(self.data) // 2] if self.cut == "in body" else self.data)


class Loopback:
    """Answers calls in a thread and an event loop of its own, so that tests with and without a loop can use it.

    What `handle` raises is raised again where the `with` block ends; the client sees status 500.
    """

    def __init__(self, handle: Callable[[Call], Response], port: int = 0) -> None:
        self.port = port
        self.most_in_flight = 0
        self._handle = handle
        self._in_flight = 0
        self._talks: set[asyncio.Task[None]] = set()
        self._mistake: Exception | None = None
        self._started = threading.Event()
        self._thread = threading.Thread(target=lambda: asyncio.run(self._serve()), daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        if not self._started.wait(10):
            raise TimeoutError("the loopback server did not start within 10 seconds")
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join()
        if self._mistake and kind is None:
            raise self._mistake

    async def _serve(self) -> None:
        self._loop, self._stop = asyncio.get_running_loop(), asyncio.Event()
        server = await asyncio.start_server(self._talk, "127.0.0.1", self.port)
        self.port = server.sockets[0].getsockname()[1]
        self._started.set()
        await self._stop.wait()
        server.close()
        for talk in self._talks:
            talk.cancel()
        await asyncio.gather(*self._talks, return_exceptions=True)
        await server.wait_closed()

    async def _talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        talk = asyncio.current_task()
        assert talk is not None
        self._talks.add(talk)
        try:
            # A client that goes away ends the talk, and so does the end of the server.
            with contextlib.suppress(ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError):
                while await self._answer(await _read(reader), writer):
                    pass
                writer.close()
                await writer.wait_closed()
        finally:
            self._talks.discard(talk)
            writer.transport.abort()

    async def _answer(self, call: Call, writer: asyncio.StreamWriter) -> bool:
        """Send the response; say whether the connection stays open."""
        self._in_flight += 1
        self.most_in_flight = max(self.most_in_flight, self._in_flight)
        begun = time.monotonic()
        try:
            response = self._handled(call)
            await asyncio.sleep(response.delay - (time.monotonic() - begun))
        finally:
            self._in_flight -= 1
        if response.cut == "at once":
            writer.transport.abort()
            return False
        writer.write(response.encoded())
        await writer.drain()
        return response.cut is None

    def _handled(self, call: Call) -> Response:
        try:
            return self._handle(call)
        except Exception as mistake:
            self._mistake = self._mistake or mistake
            return Response(500, json.dumps({"error": {"message": repr(mistake)}}).encode())


async def _read(reader: asyncio.StreamReader) -> Call:
    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
    first, *lines = head.rstrip().split("\r\n")
    method, path, _ = first.split(" ")
    headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
    return Call(method, path, headers, await reader.readexactly(int(headers.get("content-length", 0))))
