"""Putting points into words. No seat says the same sentence twice in a game."""

from collections.abc import Iterable, Mapping
from typing import Any

from arena.chance import shuffled
from arena.players.scripted.mind import Mind, Point
from arena.terms import Lang
from arena.texts import seat_names, texts

_NOT_SEATS = {"day", "percent", "role"}


def speech_text(mind: Mind, lang: Lang, points: Iterable[Point]) -> str:
    """The sentences for `points`, each one new from this seat; a point with nothing new to say is left out."""
    said = [speech.text for speech in mind.table.speeches if speech.seat == mind.seat]
    said += [act.text for _, act in mind.table.acts if act.seat == mind.seat]
    sentences: list[str] = []
    for key, given in points:
        sentence = _fresh(mind, lang, key, given, [*said, *sentences])
        if sentence:
            sentences.append(sentence)
    if not sentences:
        sentences.append(_fresh(mind, lang, "enough", {}, said))
    return (" " if lang == "en" else "").join(sentences)


def thought_text(mind: Mind, lang: Lang, point: Point) -> str:
    """Why a decision was made, in one sentence."""
    key, given = point
    return _filled(mind, lang, str(texts(lang, "talk")["thought"][key]), given)


def _fresh(mind: Mind, lang: Lang, key: str, given: Mapping[str, Any], said: list[str]) -> str:
    """A variant of `key` that none of the texts `said` contains; empty if there is none left."""
    by_tone = texts(lang, "talk")["speech"][key]
    for name in dict.fromkeys((mind.tone, "plain")):
        for variant in shuffled(by_tone.get(name, ()), mind.seed, mind.seat, "words", key, mind.table.day):
            sentence = _filled(mind, lang, variant, given)
            if not any(sentence in text for text in said):
                return sentence
    return ""


def _filled(mind: Mind, lang: Lang, sentence: str, given: Mapping[str, Any]) -> str:
    """`sentence` with its fields, seats among them written as the table says them."""
    fields = {name: value if name in _NOT_SEATS else _seats(lang, value) for name, value in given.items()}
    if "role" in fields:
        fields["role"] = _title(mind, lang, str(fields["role"]))
    filled = sentence.format(**{"day": mind.table.day, **fields})
    return filled[:1].upper() + filled[1:]


def _seats(lang: Lang, value: Any) -> str:
    return seat_names(lang, value if isinstance(value, tuple) else (value,))


def _title(mind: Mind, lang: Lang, role: str) -> str:
    title = str(mind.table.began.roles[role]["title"][lang])
    return title.lower() if lang == "en" else title
