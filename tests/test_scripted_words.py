"""What scripted players say fits what happened, and what they did themselves: counted over a batch of seeded games."""

import re
from collections import Counter
from functools import cache

import pytest

from arena.terms import LANGUAGES, Lang
from arena.texts import texts
from tests.scripted_words import word_faults

GAMES = 16
"""Games on each board from 6 to 12 players, for each language."""


@cache
def found(lang: Lang) -> Counter[tuple[str, bool]]:
    return word_faults(lang, ((players, seed) for players in range(6, 13) for seed in range(500, 500 + GAMES)))


# What may go wrong, how often at most (a share of the occasions), and how many occasions there must be at least.
BOUNDS = [
    ("sentence from nowhere", 0.0, 4000),
    ("call without a reason", 0.0, 600),
    ("call from day 2 without a fact", 0.01, 300),
    ("suspects one more before the first", 0.0, 400),
    ("blames an attack it has made", 0.0, 80),
    ("blames support it has given", 0.0, 30),
    ("asks who pushed whom it pushed", 0.0, 3),
    ("turns against a seat within a day in silence", 0.0, 5),
    ("turns to a seat within a day in silence", 0.0, 3),
    ("judges the speech of one who has not spoken", 0.0, 40),
    ("praises the acting of one who has not spoken", 0.0, 100),
    ("tells an open card to come out", 0.0, 500),
    ("warns of one who is out", 0.0, 50),
    ("question in last words", 0.0, 300),
    ("the same of another seat", 0.02, 3000),
    ("asks one who has had its turn", 0.0, 30),
    ("blames what it has done itself", 0.0, 15),
    ("calls today by its number", 0.0, 4000),
    ("sides against its vote for sheriff in silence", 0.0, 100),
    ("speaks of itself by number", 0.0, 3000),
    ("turns on a seat it has backed without news", 0.01, 200),
    ("turns on a seat it has defended in silence", 0.0, 60),
    ("means to go on watching in last words", 0.0, 800),
    ("leaves a seer it has voted out", 0.0, 60),
    ("changes sides for its own deed", 0.0, 3),
    ("blames a call it has made before", 0.0, 3),
    ("changes sides for one who stood elsewhere", 0.0, 3),
    ("leaves an exposed seer for another reason", 0.0, 60),
    ("weighs its seer against an exposed one", 0.0, 100),
    ("calls a card open that isn't", 0.0, 20),
    ("calls for a rival seer without a fact", 0.0, 300),
    ("argues untruly", 0.0, 150),
    ("goes over to a seer it has voted out in silence", 0.0, 30),
    ("calls a claim new after which it has spoken or voted", 0.0, 5),
    ("passes over the proof of its seer", 0.0, 5),
    ("passes over the claim of a god", 0.0, 20),
]


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize(
    ("fault", "share", "occasions"), BOUNDS, ids=lambda value: value.replace(" ", "_") if isinstance(value, str) else ""
)
def test_a_fault_of_words_is_rare(lang: Lang, fault: str, share: float, occasions: int) -> None:
    wrong, right = found(lang)[fault, True], found(lang)[fault, False]
    assert wrong + right >= occasions
    assert wrong <= share * (wrong + right)


ORDINALS = {
    "zh": "^(?:首先|其次|再次|另外|还有|第[一二三四]|最后|再往后|所以|那么)",
    "en": "^(?:first|second|third|further|then|also|one|two|three|finally|therefore|so|right)\\b|my (?:first|second) ",
}


@pytest.mark.parametrize("lang", LANGUAGES)
def test_no_judgement_begins_with_what_may_join_it(lang: Lang) -> None:
    joined = ("reason_", "suspect_", "trust_", "side_", "lone_", "seers_", "change_", "turned_", "call_vote")
    begins = re.compile(ORDINALS[lang], re.IGNORECASE)
    for key, tones in texts(lang, "talk")["speech"].items():
        for variant in (variant for variants in tones.values() for variant in variants):
            assert not (key.startswith(joined) and begins.search(variant)), variant
