"""Putting points into words. No seat says the same sentence twice in a game, nor what it has heard today.

As long as there is another wording, not about another seat either.
"""

import re
from collections.abc import Iterable, Mapping
from functools import cache, lru_cache
from typing import Any

from arena.players.scripted.mind import Mind, Point
from arena.terms import Lang, Seat
from arena.texts import seat_names, texts

_NOT_SEATS = {"day", "percent", "role"}
_JUDGEMENTS = (
    *("reason", "suspect", "trust", "side", "lone", "seers", "change_", "turned_", "doubt_", "gold_"),
    *("proof_", "despite_"),
)
_ENDS = re.compile("(?<=[。！？.!?])")
_NUMBERS = re.compile(r"\d+")
_I = re.compile(r"I\b")


class Voice:
    """How one seat talks: its language, its tone, and what it has said and heard."""

    def __init__(self, mind: Mind, lang: Lang) -> None:
        self._mind = mind
        self._lang: Lang = lang
        self._words = texts(lang, "talk")
        self._manner: Mapping[str, Any] = self._words["manner"][mind.tone]
        self._own: set[str] = set()
        self._patterns: set[str] = set()
        self._today: set[str] = set()
        self._read = (0, 0, 0)

    def speech(self, points: Iterable[Point]) -> str:
        """The sentences for `points`, each one new from this seat; a point with nothing new to say is left out."""
        self._listen()
        said: set[str] = set()
        sentences: list[str] = []
        judged = 0
        for key, given in points:
            sentence = self._fresh(key, given, said)
            if sentence:
                said.add(_bare(sentence))
                self._patterns.add(_pattern(_bare(sentence)))
                sentences.append(self._joined(key, sentence, judged))
                judged += key.startswith(_JUDGEMENTS)
        if not sentences:
            sentences.append(self._fresh("enough", {}, said))
        return (" " if self._lang == "en" else "").join(sentences)

    def thought(self, point: Point) -> str:
        """Why a decision was made, in one sentence."""
        key, given = point
        return self._filled(str(self._words["thought"][key]), given)

    def _listen(self) -> None:
        """Take in the sentences said since the last time."""
        table = self._mind.table
        day, speeches, acts = self._read
        if day != table.day:
            self._today = set()
        for speech in table.speeches[speeches:]:
            if speech.day == table.day:
                self._today |= _sentences(self._lang, speech.text)
            if speech.seat == self._mind.seat:
                self._own |= _sentences(self._lang, speech.text)
        for _, act in table.acts[acts:]:
            if act.seat == self._mind.seat:
                self._own |= _sentences(self._lang, act.text)
        self._patterns = {_pattern(sentence) for sentence in self._own}
        self._read = (table.day, len(table.speeches), len(table.acts))

    def _fresh(self, key: str, given: Mapping[str, Any], said: set[str]) -> str:
        """A variant of `key` new from this seat, about whomever, and not heard today either.

        Where all have been used, one that is at least not word for word the same; empty if there is none left.
        """
        mind, by_tone = self._mind, self._words["speech"][key]
        rest: list[tuple[bool, bool, str]] = []
        for tone in dict.fromkeys((mind.tone, "plain")):
            variants = by_tone.get(tone, ())
            first = 0
            if len(variants) > 1:
                first = int(mind.chance("words", key, tone, mind.table.day) * len(variants))
            for variant in (*variants[first:], *variants[:first]):
                sentence = self._filled(variant, given)
                bare = _bare(sentence)
                if bare in self._own or bare in said:
                    continue
                used = _pattern(bare) in self._patterns
                if not used and bare not in self._today:
                    return sentence
                rest.append((bare in self._today, used, sentence))
        return min(rest, key=lambda choice: choice[:2])[-1] if rest else ""

    def _joined(self, key: str, sentence: str, judged: int) -> str:
        """`sentence` as the tone of this seat puts it, after `judged` judgements before it."""
        calls = key.startswith("call_vote")
        if not (calls or key.startswith(_JUDGEMENTS)):
            return sentence
        points = self._manner.get("points", ())
        join = self._manner.get("so", "") if calls else points[judged] if judged < len(points) else ""
        end = self._manner.get("end", "")
        if end and sentence[-1] in ".。":
            sentence = sentence[:-1] + end
        if not join:
            return sentence
        return f"{join}{sentence if _I.match(sentence) else sentence[:1].lower() + sentence[1:]}"

    def _filled(self, sentence: str, given: Mapping[str, Any]) -> str:
        """`sentence` with its fields, seats among them written as the table says them."""
        day = given.get("day", self._mind.table.day)
        if day == self._mind.table.day:
            for dated, said in self._words["today"].items():
                sentence = sentence.replace(dated, said)
        fields = {name: value if name in _NOT_SEATS else self._seats(value) for name, value in given.items()}
        if "role" in fields:
            fields["role"] = self._title(str(fields["role"]))
        filled = sentence.format(**{"day": day, **fields})
        return filled[:1].upper() + filled[1:]

    def _seats(self, value: Any) -> str:
        return _named(self._lang, value if isinstance(value, tuple) else (value,))

    def _title(self, role: str) -> str:
        title = str(self._mind.table.began.roles[role]["title"][self._lang])
        return title.lower() if self._lang == "en" else title


@lru_cache(maxsize=256)
def _named(lang: Lang, seats: tuple[Seat, ...]) -> str:
    """As `seat_names`; kept, because every sentence names seats, and mostly one."""
    return seat_names(lang, seats)


@lru_cache(maxsize=64)
def _sentences(lang: Lang, text: str) -> frozenset[str]:
    """The sentences of a speech, bare and without what joins them; kept, because every seat hears the same."""
    joins = _joins(lang)
    parts = (part.strip() for part in _ENDS.split(text))
    return frozenset(_bare(joins.sub("", part)) for part in parts if part)


@cache
def _joins(lang: Lang) -> re.Pattern[str]:
    """What may join a sentence to those before, in any tone."""
    manners = texts(lang, "talk")["manner"].values()
    joins = [join for manner in manners for join in (*manner.get("points", ()), manner.get("so", ""))]
    return re.compile(f"^(?:{'|'.join(map(re.escape, filter(None, joins)))})")


@lru_cache(maxsize=1024)
def _pattern(bare: str) -> str:
    """A bare sentence whatever seats and days it is about; kept, because a voice asks again for all it has said."""
    return _NUMBERS.sub("#", bare)


def _bare(sentence: str) -> str:
    """A sentence without its mark, for comparing: joined to another one it may have got another."""
    return sentence[:-1].lower()
