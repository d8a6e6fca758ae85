"""Decks that tables call by name: ``decks.yaml``."""

from functools import cache
from pathlib import Path

from pydantic import BaseModel, ConfigDict, TypeAdapter

from arena.strict_yaml import read_yaml


class Deck(BaseModel):
    """A deck: its name in both languages, and how many cards of each role."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    title: dict[str, str]
    cards: dict[str, int]


@cache
def decks() -> dict[str, Deck]:
    """All decks, by id."""
    return TypeAdapter(dict[str, Deck]).validate_python(read_yaml(Path(__file__).with_suffix(".yaml")))
