"""The pages of live games that are not Streamlit's: plain HTML and JavaScript modules, and the policy they run under.

Only what lies in ``web/`` and in the viewer is served, by names that are looked up and lead nowhere else. Pages hold
words and a game's id, nothing of the game; that comes by the stream, to whoever may have it.
"""

from functools import cache
from html import escape
from pathlib import Path

import orjson
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from arena.terms import Lang
from arena.texts import texts
from dashboard.hosting.answers import Refused, answered
from dashboard.hosting.door import language
from dashboard.viewer import markup, style

HERE = Path(__file__).parent
_FOLDERS = (HERE / "web", HERE.parent / "viewer")
_TYPES = {".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml"}

STRICT = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
"""Scripts and styles are files of this server; nothing within a page is one, so no word of a player can be."""


def pages() -> list[BaseRoute]:
    """The routes of these pages."""
    return [
        Route("/watch/{id}", answered(_watch)),
        Route("/watch", answered(_watch)),
        Route("/seat/{id}", answered(_seat)),
        Route("/playing", answered(_playing)),
        Route("/host", answered(_host)),
        Route("/duskwald/{name}", answered(_asset)),
    ]


async def _watch(request: Request) -> Response:
    return _page(request, "watch", markup())


async def _seat(request: Request) -> Response:
    return _page(request, "seat", _part("seat").replace("TABLE", markup()))


async def _playing(request: Request) -> Response:
    return _page(request, "playing", _part("playing"))


async def _host(request: Request) -> Response:
    return _page(request, "host", _part("host"))


async def _asset(request: Request) -> Response:
    found = _asset_named(request.path_params["name"])
    if found is None:
        raise Refused(404, "no_page")
    content, kind = found
    return Response(content, 200, {"cache-control": "no-cache"}, kind)


@cache
def _asset_named(name: str) -> tuple[bytes, str] | None:
    """A file by its name; the style of the table is put together from its parts."""
    if name == "table.css":
        return style().encode(), "text/css"
    if name == "icon.svg":
        return (HERE.parent / name).read_bytes(), "image/svg+xml"
    for folder in _FOLDERS:
        for path in folder.iterdir():
            if path.name == name and path.suffix in _TYPES:
                return path.read_bytes(), _TYPES[path.suffix]
    return None


@cache
def _part(name: str) -> str:
    return (HERE / "web" / f"{name}.html").read_text(encoding="utf-8")


def _page(request: Request, name: str, main: str) -> Response:
    lang = language(request.scope)
    words = texts(lang, "hosting")["page"]
    filled = _part("page").format(
        lang="zh-CN" if lang == "zh" else "en",
        title=escape(words["title"]),
        name=name,
        main=main,
        data=orjson.dumps(_data(lang)).decode().replace("<", "\\u003c"),
    )
    headers = {"content-security-policy": STRICT, "cache-control": "no-store", "referrer-policy": "no-referrer"}
    return Response(filled, 200, headers, "text/html")


def _data(lang: Lang) -> dict[str, object]:
    return {"lang": lang, "words": dict(texts(lang, "hosting")["page"])}
