"""Words: every sentence of the program is read from ``prompts/<language>/``, none stands in code."""

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any

from arena.resources import resource
from arena.strict_yaml import read_yaml
from arena.terms import Lang, Seat


@cache
def texts(lang: Lang, name: str) -> Mapping[str, Any]:
    """The sentences in ``prompts/<lang>/<name>.yaml``, by key."""
    path = resource("prompts") / lang / f"{name}.yaml"
    loaded: Mapping[str, Any] = read_yaml(path)
    return loaded


def seat_names(lang: Lang, seats: Iterable[Seat]) -> str:
    """Seats as the table speaks of them: ``3号、5号`` or ``seats 3 and 5``."""
    words, numbers = texts(lang, "terms"), tuple(seats)
    if len(numbers) < 2:
        return "".join(str(words["seat"]).format(seat=seat) for seat in numbers)
    *first, last = (str(words["seat_of_several"]).format(seat=seat) for seat in numbers)
    listed = str(words["list_separator"]).join(first) + str(words["last_separator"]) + last
    return str(words["seats"]).format(seats=listed)


def act_words(lang: Lang, topic: str, act: str, seats: str, card: str = "") -> str:
    """What it means to decide on `act` when asked about `topic`.

    `seats` is put where seats are named; `card` is the title of the role that the act is, if it is one.
    """
    words = texts(lang, "acts")
    meaning = words.get(f"{topic}.{act}") or words.get("card" if card else act, act)
    return str(meaning).format(seats=seats, card=card)


_UNSEEN = frozenset("\u115f\u1160\u2800\u3164\uffa0")
"""Characters that count as printable, and show nothing."""


def clean(text: str) -> str:
    """`text` on one line, without anything that could steer a terminal or disturb the order of letters."""
    if not text.isprintable() or not _UNSEEN.isdisjoint(text):
        text = "".join(char if char.isprintable() and char not in _UNSEEN else " " for char in text)
    return " ".join(text.split())
