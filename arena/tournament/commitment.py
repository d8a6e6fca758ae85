"""Commit and reveal: what was fixed before the first game, so that anybody can check it after the last.

The hash of a seed keeps the seed secret as far as it can't be guessed: a seed to be kept secret is drawn, not chosen.
"""

from collections.abc import Mapping
from hashlib import sha256

from arena.terms import record


@record
class Commitment:
    """SHA-256 of the tournament's seed (its decimal digits), and of the frozen version of each competitor."""

    seed: str
    competitors: Mapping[str, str]


def commit(seed: int, versions: Mapping[str, bytes]) -> Commitment:
    """The commitment to a seed and to the competitors' versions."""
    return Commitment(_digest(str(seed).encode()), {name: _digest(versions[name]) for name in sorted(versions)})


def broken(commitment: Commitment, seed: int, versions: Mapping[str, bytes]) -> tuple[str, ...]:
    """What of `commitment` was not kept: ``seed``, and competitors as ``competitors: NAME``, in order of name."""
    kept = commit(seed, versions)
    names = sorted(commitment.competitors.keys() | versions.keys())
    changed = [name for name in names if commitment.competitors.get(name) != kept.competitors.get(name)]
    return (*(["seed"] if commitment.seed != kept.seed else []), *(f"competitors: {name}" for name in changed))


def _digest(data: bytes) -> str:
    return sha256(data).hexdigest()
