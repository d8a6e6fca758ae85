"""Scripted players make sense: their faults, counted over a batch of seeded games."""

from collections import Counter
from functools import cache

import pytest

from tests.scripted_faults import faults

GAMES = 20
"""Games on each board from 6 to 12 players."""


@cache
def found(**knobs: bool) -> Counter[tuple[str, bool]]:
    return faults(((players, seed) for players in range(6, 13) for seed in range(1000, 1000 + GAMES)), **knobs)


# What may go wrong, how often at most (a share of the occasions), and how many occasions there must be at least.
BOUNDS = [
    ("call is no first suspect", 0.0, 1500),
    ("call against own side", 0.0, 500),
    ("vote against own side", 0.0, 400),
    ("lets the rival of its seer go", 0.005, 500),
    ("vote past a find of own side", 0.01, 25),
    ("pledge broken", 0.08, 1500),
    ("pledge broken without news", 0.0, 100),
    ("changes back", 0.02, 300),
    ("condemned werewolf backs the seer", 0.08, 20),
    ("real seer passes over a find", 0.0, 25),
    ("real seer votes past a find", 0.0, 20),
    ("real seer checks past its flow", 0.0, 40),
    ("false seer passes over a find", 0.0, 10),
    ("false seer votes past a find", 0.0, 10),
    ("false seer votes for its own cleared", 0.0, 60),
    ("false seer checks past its flow", 0.0, 12),
    ("check announced of the wanted", 0.0, 150),
    ("badge against the flow", 0.0, 15),
    ("poisons the real seer", 0.1, 20),
    ("guard told on day 1", 0.15, 20),
    ("guard votes for whom it has saved", 0.0, 10),
    ("leaves its card to a liar", 0.0, 5),
    ("votes past one who claims its card", 0.0, 5),
    ("suspects the cleared of its seer", 0.0, 500),
    ("sides with a seer who cleared its rival", 0.0, 200),
    ("false seer clears its rival", 0.0, 60),
    ("false seer calls past finds and rivals", 0.0, 60),
    ("real seer calls past finds and rivals", 0.02, 60),
    ("false seer calls for who backs it", 0.0, 60),
    ("real seer calls for who backs it", 0.0, 60),
    ("sides against its own vote for sheriff without news", 0.0, 150),
    ("sides against who has cleared it", 0.1, 100),
    ("sides against the real seer who has cleared it", 0.005, 100),
    ("elects against who has cleared it", 0.0, 50),
    ("hides its card when called for late", 0.0, 10),
    ("poisons its own side", 0.15, 30),
    ("shoots its own side", 0.15, 8),
    ("trusts whom it has shot", 0.1, 5),
    ("watches over a rival of its seer", 0.06, 15),
    ("votes for the one witch, who has told her deeds", 0.04, 60),
    ("votes for who has outlived the other claim to its card", 0.2, 10),
    ("witch comes out without need", 0.0, 20),
    ("poisons past those she has accused", 0.2, 30),
    ("poisons the good", 0.4, 30),
    ("false guard names no night", 0.0, 5),
    ("first to speak suspects the lowest number", 0.35, 40),
    ("votes for a god who has answered its call", 0.25, 60),
]

OPEN_CARDS = [
    ("sides with a seer whose card is a werewolf's", 0.0, 50),
    ("claims a card that lies face up", 0.0, 50),
    ("passes over a claim that a card refutes", 0.25, 10),
]
"""The same in games where those who go out turn up their cards."""


@pytest.mark.parametrize(
    ("fault", "share", "occasions"), BOUNDS, ids=lambda value: value if isinstance(value, str) else ""
)
def test_a_fault_is_rare(fault: str, share: float, occasions: int) -> None:
    assert_rare(found(), fault, share, occasions)


@pytest.mark.parametrize(("fault", "share", "occasions"), OPEN_CARDS)
def test_a_fault_is_rare_where_cards_are_open(fault: str, share: float, occasions: int) -> None:
    assert_rare(found(reveal_cards=True), fault, share, occasions)


def assert_rare(faults: Counter[tuple[str, bool]], fault: str, share: float, occasions: int) -> None:
    wrong, right = faults[fault, True], faults[fault, False]
    assert wrong + right >= occasions
    assert wrong <= share * (wrong + right)


@pytest.mark.parametrize("topic", ["campaign", "speech"])
def test_werewolves_explode_now_and_then(topic: str) -> None:
    exploded = sum(found()[f"explodes in {topic}", wrong] for wrong in (False, True))
    assert 0.02 <= exploded / found()["games", False] <= 0.14
