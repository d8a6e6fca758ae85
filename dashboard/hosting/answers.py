"""What every route does alike: read a small JSON body, see where it comes from, and refuse in one line."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import orjson
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

from arena.terms import DuskwaldError
from arena.texts import texts
from dashboard.hosting.door import Site, language

SMALL, LARGE = 64 * 1024, 256 * 1024
"""Bytes of a body: an answer or notes, and a table that is laid."""

SLOW = 10.0
"""Seconds that a body may take to arrive."""

Handler = Callable[[Request], Awaitable[Response]]


class Refused(Exception):
    """A request is refused: with this status, and the words under `key` in ``hosting.yaml``."""

    def __init__(self, status: int, key: str, **fields: object) -> None:
        super().__init__(key)
        self.status = status
        self.key = key
        self.fields = fields


class Json(Response):
    """JSON that nobody keeps: what it says is for whoever asked, and for now."""

    media_type = "application/json"

    def __init__(self, data: Any, status: int = 200) -> None:
        super().__init__(orjson.dumps(data, option=orjson.OPT_NON_STR_KEYS), status, {"cache-control": "no-store"})


def answered(handler: Handler) -> Handler:
    """`handler`, whose refusals, and whatever a user has caused, become one line of JSON."""

    async def handle(request: Request) -> Response:
        try:
            return await handler(request)
        except Refused as refused:
            words = texts(language(request.scope), "hosting")["errors"][refused.key]
            return Json({"error": str(words).format(**refused.fields)}, refused.status)
        except DuskwaldError as error:
            return Json({"error": str(error)}, 400)
        except ClientDisconnect:
            return Response(status_code=400)  # nobody is there to read it

    return handle


async def body(request: Request, site: Site, most: int = SMALL) -> dict[str, Any]:
    """The JSON object that one of the server's own pages has sent.

    Raises:
        Refused: it comes from another origin, is too large, or is no JSON object.
    """
    if request.headers.get("origin") not in site.origins:
        raise Refused(403, "origin")
    if request.headers.get("content-type", "").split(";")[0].strip() != "application/json":
        raise Refused(415, "form", reason="content-type: application/json")
    data = b""
    try:
        async with asyncio.timeout(SLOW):
            async for chunk in request.stream():
                data += chunk
                if len(data) > most:
                    raise Refused(413, "too_long", bytes=most)
    except TimeoutError:
        raise Refused(408, "form", reason="too slow") from None
    try:
        found = orjson.loads(data or b"{}")
    except orjson.JSONDecodeError:
        found = None
    if not isinstance(found, dict):
        raise Refused(400, "form", reason="{…}")
    return found
