"""A game as one HTML file that needs nothing else: no server, no network.

Its policy forbids the browser every request, and lets no script run but the one in it.
"""

import hashlib
from base64 import b64encode
from html import escape
from typing import Any

import orjson

from arena.terms import GOD, LANGUAGES, SPECTATOR, Lang, Seat, UnusableInput
from arena.texts import texts
from arena.transcript import Transcript
from dashboard.scene import scene, setting, view_code, view_name
from dashboard.viewer import markup, script, style

ALL = "all"
_POLICY = "default-src 'none'; script-src {script}; style-src {style}; base-uri 'none'; form-action 'none'"


def page(transcript: Transcript, view: str, lang: Lang) -> str:
    """The HTML of the game in `view`: ``public``, ``god``, a seat's number, or ``all`` to switch between them.

    Raises:
        UnusableInput: there is no such view, or it is not open.
    """
    if not transcript.events:
        raise UnusableInput(f"{transcript.path}: no game has begun in it")
    game = _game(transcript, _seats(transcript, view), lang)
    css, js = style("page"), script("page")
    words = texts(lang, "dashboard")
    title = escape(f"{words['title']} · {game['setting']['title']}")
    return _PAGE.format(
        lang="zh-CN" if lang == "zh" else "en",
        policy=_POLICY.format(script=_hash(js), style=_hash(css)),
        title=title,
        css=css,
        brand=escape(words["title"]),
        ruleset=escape(game["setting"]["title"]),
        table=markup(),
        without=escape(words["viewer"]["no_script"]),
        # Within an element of text only the end of it has a meaning, and that begins with this sign.
        data=orjson.dumps(game).decode().replace("<", "\\u003c"),
        js=js,
    )


def _seats(transcript: Transcript, view: str) -> list[Seat]:
    """Whose views the file is to hold."""
    players = transcript.header.players
    if view == ALL:
        if transcript.outcome is None:
            raise UnusableInput(f"--view {ALL}: {transcript.path} has not ended; choose public, god or a seat")
        return [SPECTATOR, GOD, *range(1, players + 1)]
    codes = {view_code(seat): seat for seat in (SPECTATOR, GOD, *range(1, players + 1))}
    if view not in codes:
        raise UnusableInput(f"--view {view}: public, god, {ALL}, or a seat from 1 to {players}")
    return [codes[view]]


def _game(transcript: Transcript, seats: list[Seat], lang: Lang) -> dict[str, Any]:
    """The setting and the scenes, and under ``other`` what differs in the other language.

    A frame that is the same in several views is there once.
    """
    [other] = [name for name in LANGUAGES if name != lang]
    # Whoever is sent one view is not told how many events it does not hold.
    alone = GOD not in seats
    pool: dict[bytes, int] = {}
    views, others = [], []
    for seat in seats:
        shown, translated = (scene(transcript, seat, name, alone=alone) for name in (lang, other))
        events = [frame.pop("event") for frame in shown["frames"]]
        places: list[int] = []
        for frame, there in zip(shown["frames"], translated["frames"], strict=True):
            assert events[len(places)] == there.pop("event")
            both = orjson.dumps([frame, _difference(frame, there)])
            places.append(pool.setdefault(both, len(pool)))
        told = {"events": events, "frames": places}
        views.append({**shown, **told, "code": view_code(seat), "name": view_name(seat, lang)})
        others.append({"note": translated["note"], "name": view_name(seat, other)})
    frames = [orjson.loads(both) for both in pool]
    return {
        "setting": _setting(transcript, lang),
        "frames": [frame for frame, _ in frames],
        "views": views,
        "other": {
            "setting": _setting(transcript, other),
            "frames": [difference for _, difference in frames],
            "views": others,
        },
    }


def _setting(transcript: Transcript, lang: Lang) -> dict[str, Any]:
    return {**setting(transcript, lang), "language": texts(lang, "dashboard")[f"language.{lang}"]}


def _difference(one: Any, other: Any) -> Any:
    """What of `other` is not so in `one`: of two objects the keys that differ; None where they are alike."""
    if one == other:
        return None
    if isinstance(one, dict) and isinstance(other, dict) and one.keys() == other.keys():
        return {key: _difference(one[key], value) for key, value in other.items() if one[key] != value}
    return other


def _hash(source: str) -> str:
    digest = b64encode(hashlib.sha256(source.encode()).digest()).decode()
    return f"'sha256-{digest}'"


_PAGE = """<!doctype html>
<html lang="{lang}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>{title}</title>
<style>{css}</style>
</head>
<body>
<header class="top"><h1 class="brand">{brand}</h1><span class="title">{ruleset}</span><div class="tools"></div></header>
<main>
{table}</main>
<noscript>{without}</noscript>
<script type="application/json" id="game">{data}</script>
<script type="module">{js}</script>
</body>
</html>
"""
