"""Chance, in named places only: every draw is a hash of the seed and a label, the same on every machine."""

from collections.abc import Sequence
from hashlib import blake2b
from typing import TypeVar

T = TypeVar("T")


def draw(seed: int | str, *label: int | str) -> int:
    """A whole number from 0 to 2**64 - 1 that depends on `seed` and `label` alone."""
    text = "\x1f".join(map(str, (seed, *label)))
    return int.from_bytes(blake2b(text.encode(), digest_size=8).digest(), "big")


def shuffled(items: Sequence[T], seed: int | str, *label: int | str) -> list[T]:
    """`items` in an order that depends on `seed` and `label` alone."""
    order = sorted(range(len(items)), key=lambda i: draw(seed, *label, i))
    return [items[i] for i in order]
