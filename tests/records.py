"""Transcripts for tests that read them: whole, cut off, or with strange things said in them."""

import re
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import orjson

from arena.events import Said
from arena.personas import persona_ids
from arena.terms import Lang
from arena.transcript.schema import Beside, decode
from tests.matches import header, lines, play

HOSTILE = (
    "<script>alert(1)</script><img src=x onerror=alert(2)><style>*{display:none}</style></div>"
    "[x](javascript:alert(3)) ![y](http://attacker.invalid/y.png) **bold** :material/home: $x$ \u202eabc"
)


@cache
def game(players: int = 8, seed: int = 4, ruleset: str = "duskwald") -> tuple[bytes, ...]:
    """The lines of a finished game of scripted players."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "game.jsonl"
        play(path, header(players, seed, "scripted", ruleset))
        return tuple(lines(path))


def whole(path: Path, *, lang: Lang = "en", players: int = 8, seed: int = 4) -> Path:
    """A finished game in `path`."""
    return _written(path, game(players, seed), {"lang": lang})


def first_speech(players: int = 8, seed: int = 4) -> int:
    """The place of the first speech among the events that everybody sees of that game."""
    events = [decode(line) for line in game(players, seed)[1:]]
    public = [event for event in events if not isinstance(event, Beside) and event.to is None]
    return next(n for n, event in enumerate(public) if isinstance(event, Said) and event.text)


def cut(path: Path, *, people: bool = False, at: int | None = None) -> Path:
    """In `path` the first `at` records of a game, or half of them. With `people`, a person sits at seat 1."""
    head, *records = game()
    seats = orjson.loads(head)["seats"] | ({"1": {"player": "human", "name": "Ming"}} if people else {})
    return _written(path, (head, *records[: at or len(records) // 2]), {"seats": seats})


def hostile(path: Path) -> Path:
    """A finished game in `path` made to break a page: its first speech, a claim in it, the names of all who play."""
    records = list(game())
    for number, line in enumerate(records):
        data = orjson.loads(line)
        if data.get("kind") == "said" and data.get("text"):
            data |= {"text": HOSTILE, "claims": [{"about": "role", "seats": [data["seat"]], "value": HOSTILE}]}
            records[number] = orjson.dumps(data) + b"\n"
            break
    seats = orjson.loads(records[0])["seats"] | {
        "1": {"player": "human", "name": HOSTILE},
        "2": {"player": "model", "model": "m", "persona": HOSTILE},
    }
    return _written(path, tuple(records), {"seats": seats, "models": {"m": HOSTILE}})


def long(path: Path, events: int = 3000) -> Path:
    """A finished game of so many public events in `path`: on its first day everybody speaks again and again."""
    head, *records = game(12, 5)
    kinds = [orjson.loads(line).get("kind") for line in records]
    first = kinds.index("ordered")
    last = kinds.index("voted", first)
    round_ = tuple(
        line for line, kind in zip(records[first:last], kinds[first:last], strict=True) if kind in {"floor", "said"}
    )
    more = round_ * (events // len(round_))
    return _written(path, (head, *records[:last], *more, *records[last:]), {})


def personas(path: Path, *, players: int = 9, seed: int = 4, ruleset: str = "duskwald") -> Path:
    """A finished game in `path` whose players have personas, as those of ``arena play`` have."""
    names = persona_ids()
    seats = {
        str(seat): {"player": "scripted", "persona": names[(seat - 1) % len(names)]} for seat in range(1, players + 1)
    }
    return _written(path, game(players, seed, ruleset), {"seats": seats})


def _written(path: Path, records: tuple[bytes, ...], changes: dict[str, object]) -> Path:
    head, *rest = records
    path.write_bytes(orjson.dumps({**orjson.loads(head), **changes}) + b"\n" + b"".join(rest))
    return path


def begun(path: Path, second: int) -> Path:
    """The game in `path`, as if it had begun at such a second of an hour."""
    started = f'"started":"2026-11-29T20:{second // 60:02}:{second % 60:02}+00:00"'
    path.write_bytes(re.sub(rb'"started":"[^"]*"', started.encode(), path.read_bytes(), count=1))
    return path
