"""Personas sound different: who speaks can be told from the words alone, far better than by chance."""

from collections import Counter
from functools import partial
from math import log

import pytest

from arena.events import Said
from arena.personas import persona_ids
from arena.players.scripted import ScriptedPlayer
from arena.terms import Lang, Seat
from tests.scripted_games import play, player_for

TRAINING, TESTING = range(16), range(16, 22)
GRAM = 3
"""Characters that are looked at together."""


def speeches(lang: Lang, seeds: range) -> dict[str, list[str]]:
    """What each persona said in games in which every seat has its own."""
    said: dict[str, list[str]] = {name: [] for name in persona_ids()}
    for seed in seeds:
        names = {seat: persona_ids()[(seat + seed) % len(persona_ids())] for seat in range(1, 13)}
        game = play(12, seed, partial(_with_persona, lang, names))
        for event in game.events:
            if isinstance(event, Said):
                said[names[event.seat]].append(event.text)
    return said


def _with_persona(lang: Lang, names: dict[Seat, str], seed: int, seat: Seat) -> ScriptedPlayer:
    return player_for(lang, names[seat])(seed, seat)


class NaiveBayes:
    """A classifier of texts by their character trigrams."""

    def __init__(self, texts: dict[str, list[str]]) -> None:
        self._counts = {name: Counter(gram for text in said for gram in grams(text)) for name, said in texts.items()}
        self._sums = {name: sum(counts.values()) for name, counts in self._counts.items()}
        self._known = len(set().union(*self._counts.values()))

    def guess(self, text: str) -> str:
        return max(self._counts, key=lambda name: self._likelihood(text, name))

    def _likelihood(self, text: str, name: str) -> float:
        counts, whole = self._counts[name], self._sums[name] + self._known
        return sum(log((counts[gram] + 1) / whole) for gram in grams(text))


def grams(text: str) -> list[str]:
    words = "".join(char for char in text if not char.isdigit())
    return [words[at : at + GRAM] for at in range(len(words) - GRAM + 1)]


def accuracy(lang: Lang) -> float:
    """The share of speeches, of games that were not learnt from, whose persona is guessed."""
    classifier = NaiveBayes(speeches(lang, TRAINING))
    guesses = [
        classifier.guess(text) == name
        for name, said in speeches(lang, TESTING).items()
        for text in said
        if len(text) > 20
    ]
    return sum(guesses) / len(guesses)


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_a_simple_classifier_tells_personas_apart(lang: Lang) -> None:
    assert accuracy(lang) > 0.5, "chance is one in twelve"
