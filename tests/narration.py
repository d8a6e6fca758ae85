"""The account of a game, for tests: the lines a reader is told, and whether they are in one language."""

import re
from collections.abc import Iterable

from arena.events import Event, view_of
from arena.narrate import Line, Narrator
from arena.terms import Lang, Seat

CHINESE = re.compile(r"[\u3000-\u303f\u4e00-\u9fff\uff00-\uffef]")
LATIN = re.compile(r"[A-Za-z]")


def told(lang: Lang, reader: Seat, events: Iterable[Event]) -> list[Line]:
    narrator = Narrator(lang, reader)
    return [line for event in view_of(events, reader).events for line in narrator.lines(event)]


def words(lines: Iterable[Line]) -> str:
    return "\n".join(line.text for line in lines)


def in_language(lang: Lang, text: str, *names: str) -> bool:
    """Whether `text` is in `lang`, but for `names`."""
    if lang == "en":
        return not CHINESE.search(text)
    for name in ("PK", "duskwald", "unheard_of", *names):
        text = re.sub(name, "", text, flags=re.IGNORECASE)
    return not LATIN.search(text)
