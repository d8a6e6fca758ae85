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
    """Seats as the table speaks of them: ``3号、5号`` or ``seat 3, seat 5``."""
    words = texts(lang, "terms")
    return str(words["list_separator"]).join(str(words["seat"]).format(seat=seat) for seat in seats)
