"""Browsers without a window: they speak HTTP with a server on this machine, follow streams and answer questions."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import httpx2
import orjson
import uvicorn
from starlette.applications import Starlette
from starlette.middleware import Middleware

from dashboard.host import Host
from dashboard.hosting.door import Door, Guard, site
from dashboard.hosting.pages import pages
from dashboard.hosting.routes import routes

PATIENCE = 60
"""Seconds that a test waits for anything."""


class Server:
    """A host of its own over `folder`, on this event loop; `base` is its address."""

    def __init__(self, host: Host, port: int) -> None:
        self.host = host
        self.base = f"http://127.0.0.1:{port}"

    def browser(self, **headers: str) -> "Browser":
        return Browser(self.base, headers)


@asynccontextmanager
async def serving(folder: Path, *, password: str = "", public_url: str | None = None) -> AsyncIterator[Server]:
    host = Host(folder)
    if password:
        host.tables.set_password(password)
        host.guarded = True
    config = uvicorn.Config(Starlette(), port=0, log_level="warning", lifespan="off", ws="none")
    server = uvicorn.Server(config)
    sockets = [config.bind_socket()]
    port = sockets[0].getsockname()[1]
    where = site(port, public_url=public_url)
    app = Starlette(
        routes=[*routes(host, where), *pages()], middleware=[Middleware(Guard, site=where), Middleware(Door, host=host)]
    )
    config.app = app
    await host.open()
    task = asyncio.create_task(server.serve(sockets))
    while not server.started:  # noqa: ASYNC110 - uvicorn offers nothing to wait for
        await asyncio.sleep(0.01)
    try:
        yield Server(host, port)
    finally:
        await host.close()
        server.should_exit = True
        await task


class Browser:
    """One browser: its cookies, and what its page would send along."""

    def __init__(self, base: str, headers: dict[str, str] | None = None) -> None:
        self.base = base
        self.client = httpx2.AsyncClient(
            base_url=base,
            headers={"accept-language": "en", **(headers or {})},
            timeout=PATIENCE,
            trust_env=False,
            # There is no TLS here, and getting ready for it takes 60 ms.
            verify=False,
            limits=httpx2.Limits(keepalive_expiry=2),
        )

    async def __aenter__(self) -> "Browser":
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.client.aclose()

    async def get(self, path: str, **query: str) -> httpx2.Response:
        return await self.client.get(path, params=query)

    async def post(self, path: str, data: object = None, **headers: str) -> httpx2.Response:
        return await self.client.post(
            path,
            content=orjson.dumps({} if data is None else data),
            headers={"origin": self.base, "content-type": "application/json", **headers},
        )

    async def join(self, link: str) -> str:
        """Open a seat's link; the address it leads to."""
        return str((await self.client.get(link[link.index("/join/") :])).headers["location"])

    def follow(self, game: str, view: str = "public", last: str = "", lang: str = "en") -> "Following":
        return Following(self, game, view, last, lang)

    def follow_file(self, name: str, view: str = "public") -> "Following":
        followed = Following(self, "", view)
        followed.path = f"/api/files/stream?file={name}"
        return followed


class Following:
    """A page that follows a stream: everything it has been sent, and what it shows of it."""

    def __init__(self, browser: Browser, game: str, view: str, last: str = "", lang: str = "en") -> None:
        self.browser = browser
        self.game = game
        self.path = f"/api/games/{game}/stream"
        self.view = view
        self.last = last
        self.lang = lang
        self.status_code = 0
        self.raw: list[tuple[str, Any]] = []
        self.frames: list[dict[str, Any]] = []
        self.scene: dict[str, Any] = {}
        self.seat: dict[str, Any] = {}
        self.status: dict[str, Any] = {}
        self.times: list[tuple[float, str]] = []
        self.changed = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    async def __aenter__(self) -> "Following":
        self._task = asyncio.create_task(self._follow())
        return self

    async def __aexit__(self, *_: object) -> None:
        assert self._task
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)

    async def _follow(self) -> None:
        """Read until the stream ends, or the connection breaks, as it does when a server is killed."""
        headers = {"last-event-id": self.last} if self.last else {}
        path = f"{self.path}{'&' if '?' in self.path else '?'}view={self.view}&lang={self.lang}"
        with suppress(httpx2.TransportError):
            async with self.browser.client.stream("GET", path, headers=headers) as response:
                self.status_code = response.status_code
                await self._read(response)
        self.status_code = 0
        self.changed.set()

    async def _read(self, response: httpx2.Response) -> None:
        lines: dict[str, str] = {}
        async for line in response.aiter_lines():
            if line:
                key, _, value = line.partition(": ")
                lines[key] = value
            elif lines:
                self._take(lines)
                lines = {}

    def _take(self, lines: dict[str, str]) -> None:
        kind = lines.get("event", "")
        self.times.append((asyncio.get_running_loop().time(), kind))
        if not kind:
            return
        data = orjson.loads(lines["data"])
        self.raw.append((kind, data))
        self.last = lines.get("id", self.last)
        if kind == "game":
            self.scene = data
            if data["from"] == 0:
                self.frames = []
        elif kind == "frame":
            self.frames.append(data)
        elif kind == "seat":
            self.seat = data
        elif kind == "status":
            self.status = data
        self.changed.set()

    async def until(self, what: Callable[["Following"], Any], patience: float = PATIENCE) -> Any:
        """Wait until `what` of this page is so."""
        async with asyncio.timeout(patience):
            while not (found := what(self)):
                self.changed.clear()
                await self.changed.wait()
        return found

    @property
    def question(self) -> dict[str, Any] | None:
        return self.seat.get("question")

    async def answer(self, **answer: Any) -> httpx2.Response:
        return await self.browser.post(f"/api/games/{self.game}/answer", answer)


def some_answer(question: dict[str, Any], word: str = "Hello, all.") -> dict[str, Any]:
    """An answer that a question allows: a speech where there is a turn, else the first choice."""
    if question["turn"]:
        return {"n": question["n"], "act": "speak", "text": word}
    choice = question["choices"][0]
    seats = [seat for option in choice["options"][: choice["least"]] for seat in option["seats"]]
    return {"n": question["n"], "act": choice["act"], "seats": seats}


async def play_along(
    page: Following,
    choose: Callable[[dict[str, Any]], dict[str, Any] | None] = some_answer,
    stop: Callable[[dict[str, Any]], bool] = lambda question: False,
) -> None:
    """Answer every question until the game is over, or there is one at which to stop."""
    asked = [0]
    while True:
        await page.until(lambda p: p.status.get("state") == "ended" or (p.question and p.question["n"] > asked[-1]))
        if page.status["state"] == "ended":
            return
        question = page.question
        assert question
        if stop(question):
            return
        asked.append(question["n"])
        given = choose(question)
        if given is not None:
            await page.answer(**given)
