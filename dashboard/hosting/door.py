"""Who may come in: addresses, origins, the host's password, and how often somebody may try.

Two layers before everything else, Streamlit's pages included. `Guard` refuses requests to other addresses than the
server's own (so no name of somebody else can be made to mean this machine) and sends the policy with every page.
`Door` lets nobody but the host into the pages once there is a password; links to watch and to a seat are open.
"""

import asyncio
from collections import deque
from collections.abc import Iterable
from http.cookies import CookieError, SimpleCookie
from urllib.parse import urlsplit

import orjson
from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from arena.terms import LANGUAGES, Lang, UnusableInput, record
from arena.texts import texts
from dashboard.host import Host
from dashboard.hosting.tables import HOST

HOST_COOKIE = "dw_host"

OPEN = ("/watch/", "/seat/", "/join/", "/next/", "/playing", "/host", "/duskwald/", "/api/")
"""Where whoever knows the address may go; what is behind it looks for itself who has come."""

POLICY = (
    "default-src 'self'; script-src 'self' 'unsafe-inline' 'unsafe-eval' blob: data:; "
    "style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; font-src 'self' data:; "
    "connect-src 'self' blob: data:; frame-ancestors 'none'; base-uri 'self'; form-action 'self'"
)
"""What a page may load: nothing from elsewhere. Streamlit's own scripts need the looser words."""


@record
class Site:
    """Where the server is reached: by which hosts (with port), and from which origins its pages come.

    `link` is the beginning of the links that are given away.
    """

    hosts: frozenset[str]
    origins: frozenset[str]
    link: str


def site(port: int, addresses: Iterable[str] = (), public_url: str | None = None) -> Site:
    """The site on `port` of this machine, on its further `addresses`, and behind a `public_url`.

    Raises:
        UnusableInput: that is no address.
    """
    names = ["127.0.0.1", "localhost", "[::1]", *(f"[{a}]" if ":" in a else a for a in addresses)]
    hosts = {f"{name}:{port}" for name in names} | (set(names) if port == 80 else set())
    origins = {f"http://{host}" for host in hosts}
    link = f"http://{names[3] if len(names) > 3 else names[0]}:{port}"
    if public_url is None:
        return Site(frozenset(hosts), frozenset(origins), link)
    parts = urlsplit(public_url)
    if parts.scheme not in {"http", "https"} or not parts.hostname or parts.path.strip("/") or parts.query:
        raise UnusableInput(f"--public-url {public_url}: write https://HOST or http://HOST:PORT, without a path")
    origin = f"{parts.scheme}://{parts.netloc}"
    return Site(frozenset(hosts | {parts.netloc.lower()}), frozenset(origins | {origin.lower()}), origin)


class Attempts:
    """Counts what fails, by the address it comes from and by the name under which the server was asked.

    After `most` in a minute from one address, or `in_all` under one name, whoever fails has to wait. Names are counted
    apart because a tunnel may say of all its visitors that they come from this machine, or let them say where they come
    from: nobody out there can keep out whoever is here.
    """

    def __init__(self, most: int, in_all: int = 100) -> None:
        self._most = most
        self._in_all = in_all
        self._failed: dict[tuple[str, str], deque[float]] = {}

    def may_try(self, request: HTTPConnection) -> bool:
        """Whether whoever sends `request` may try now."""
        address, name = _from(request)
        return self._recent(name, address) < self._most and self._recent(name, "") < self._in_all

    def fail(self, request: HTTPConnection) -> None:
        """What `request` tried has failed."""
        if len(self._failed) > 10_000:
            self._failed.clear()
        address, name = _from(request)
        for key in ((name, address), (name, "")):
            self._failed.setdefault(key, deque()).append(_now())

    def _recent(self, name: str, address: str) -> int:
        failed = self._failed.get((name, address))
        while failed and failed[0] < _now() - 60:
            failed.popleft()
        if not failed:
            self._failed.pop((name, address), None)
        return len(failed or ())


def _from(request: HTTPConnection) -> tuple[str, str]:
    """The address of whoever sends a request (behind a tunnel, the one it forwards), and the name it asks for."""
    return request.client.host if request.client else "?", request.headers.get("host", "")


def _now() -> float:
    return asyncio.get_running_loop().time()


def language(scope: Scope) -> Lang:
    """The language that a request asks for: by ``lang`` in its address, else by its header; English by default."""
    query = scope.get("query_string", b"").decode("latin-1")
    asked = next((part[5:] for part in query.split("&") if part.startswith("lang=")), "")
    header = Headers(scope=scope).get("accept-language", "")
    return next((lang for given in (asked, header[:2]) for lang in LANGUAGES if given == lang), "en")


def cookie(scope: Scope, name: str) -> str:
    """A cookie of a request; empty without it."""
    try:
        found = SimpleCookie(Headers(scope=scope).get("cookie", "")).get(name)
    except CookieError:
        return ""
    return found.value if found else ""


def is_host(host: Host, scope: Scope) -> bool:
    """Whether a request is the host's: by its session, or by being here at all where there is no password."""
    if not host.guarded:
        return True
    session = cookie(scope, HOST_COOKIE)
    return bool(session) and host.tables.session(session) == ("", HOST)


class Guard:
    """Refuses requests to other hosts than `site`'s, and sends what every page must have."""

    def __init__(self, app: ASGIApp, site: Site) -> None:
        self._app = app
        self._site = site

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on what is meant for this server, with a few headers more."""
        if scope["type"] not in {"http", "websocket"}:
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        # A socket of a page from elsewhere would carry the visitor's cookies.
        strange = scope["type"] == "websocket" and headers.get("origin") not in self._site.origins
        if strange or headers.get("host", "").lower() not in self._site.hosts:
            await _refuse(scope, receive, send, 400, "host")
            return

        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers.setdefault("content-security-policy", POLICY)
                headers.setdefault("x-content-type-options", "nosniff")
                headers.setdefault("referrer-policy", "no-referrer")
            await send(message)

        await self._app(scope, receive, guarded)


class Door:
    """Lets only the host into the pages, where there is a password."""

    def __init__(self, app: ASGIApp, host: Host) -> None:
        self._app = app
        self._host = host

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on what is open, and what the host asks for; send others to where the password is asked for."""
        if scope["type"] not in {"http", "websocket"} or scope["path"].startswith(OPEN) or is_host(self._host, scope):
            await self._app(scope, receive, send)
        elif (
            scope["type"] == "http"
            and scope["method"] == "GET"
            and "text/html" in Headers(scope=scope).get("accept", "")
        ):
            headers = [(b"location", b"/host"), (b"content-length", b"0")]
            await send({"type": "http.response.start", "status": 303, "headers": headers})
            await send({"type": "http.response.body", "body": b""})
        else:
            await _refuse(scope, receive, send, 401, "not_host")


async def _refuse(scope: Scope, receive: Receive, send: Send, status: int, key: str) -> None:
    """One line of JSON; a socket is not opened."""
    if scope["type"] == "websocket":
        await receive()
        await send({"type": "websocket.close", "code": 1008})
        return
    body = orjson.dumps({"error": texts(language(scope), "hosting")["errors"][key]})
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
