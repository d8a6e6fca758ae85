"""What scripted players say: in the voice of their persona, never twice, and open about a change of mind."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable
from functools import cache
from itertools import pairwise

import pytest

from arena.chance import draw
from arena.events import View
from arena.personas import load_persona, persona_ids
from arena.players.scripted import ScriptedPlayer
from arena.state import GameState
from arena.table import Table
from arena.terms import LANGUAGES, Lang, Reply, Request, Seat
from arena.texts import texts
from tests.games import house
from tests.scripted_games import Make, player_for, watch

ENDS = re.compile("(?<=[。！？.!?])")


class Heard:
    """Speeches of some games by persona; and what was changed, repeated, and said at all."""

    def __init__(self) -> None:
        self.sentences: dict[str, list[list[str]]] = defaultdict(list)
        self.silent_changes = self.changes = 0
        self.silent_votes = self.changed_votes = 0
        self.repeated = self.said = 0

    def share(self, persona: str, mark: str) -> float:
        sentences = [sentence for speech in self.sentences[persona] for sentence in speech]
        return sum(sentence.endswith(tuple(mark)) for sentence in sentences) / len(sentences)

    def length(self, persona: str) -> float:
        speeches = self.sentences[persona]
        return sum(map(len, speeches)) / len(speeches)


def _sentences(text: str) -> list[str]:
    return [sentence.strip() for sentence in ENDS.split(text) if sentence.strip()]


def _persona(seed: int, seat: Seat) -> str:
    return persona_ids()[(seat + seed) % len(persona_ids())]


def _made(lang: Lang) -> Make:
    return lambda seed, seat: ScriptedPlayer(draw(seed, "player", seat), seat, _persona(seed, seat), lang)


def _patterns(lang: Lang, keys: str) -> re.Pattern[str]:
    """Matches every sentence whose key begins with `keys`, after anything that joins it and with any mark."""
    speech = texts(lang, "talk")["speech"]
    variants = [v for key, tones in speech.items() if key.startswith(keys) for some in tones.values() for v in some]
    bodies = (re.sub(r"\\{\w+\\}", ".+", re.escape(variant[:-1])) for variant in variants)
    return re.compile("|".join(bodies), re.IGNORECASE)


def _watched(heard: Heard, lang: Lang, seed: int) -> None:
    tables: dict[Seat, Table] = defaultdict(lambda: Table(0))
    sides: dict[Seat, Seat] = {}
    today: dict[int, dict[str, Seat]] = defaultdict(dict)
    changes, changed_votes = _patterns(lang, "change_"), _patterns(lang, "changed_vote")
    owes: dict[Seat, bool] = {}

    def look(state: GameState, view: View, request: Request, reply: Reply) -> None:
        seat, decision = request.seat, reply.decision
        table = tables.setdefault(seat, Table(seat)).read(view)
        if request.topic == "vote" and decision.seats:
            pledged = [
                c.seats[0]
                for s in table.speeches
                if s.day == table.day and s.seat == seat
                for c in s.claims
                if c.about == "will_vote"
            ]
            owes[seat] = bool(pledged) and pledged[-1] != decision.seats[0]
        if request.topic != "speech" or decision.act != "speak" or seat in table.revealed:
            return
        sentences = _sentences(decision.text)
        heard.sentences[_persona(seed, seat)].append(sentences)
        if owes.pop(seat, False):
            heard.changed_votes += 1
            heard.silent_votes += not changed_votes.search(decision.text)
        seers = {c.seats[0] for s in table.speeches for c in s.claims if c.about == "role" and c.value == "seer"}
        backed = next((s for c in decision.claims if c.about == "trusts" for s in c.seats if s in seers), 0)
        if backed:
            if sides.get(seat, backed) != backed:
                heard.changes += 1
                heard.silent_changes += not changes.search(decision.text)
            sides[seat] = backed
        for sentence in sentences:
            heard.said += 1
            heard.repeated += today[table.day].setdefault(sentence, seat) != seat

    watch(house(), 12, seed, _made(lang), look)


@cache
def heard(lang: Lang) -> Heard:
    told = Heard()
    for seed in range(300, 318):
        _watched(told, lang, seed)
    return told


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_change_of_mind_is_admitted(lang: Lang) -> None:
    told = heard(lang)
    assert told.changes >= 10
    assert told.silent_changes == 0
    assert told.changed_votes >= 10
    assert told.silent_votes == 0


@pytest.mark.parametrize("lang", LANGUAGES)
def test_hardly_a_sentence_is_heard_from_two_seats_on_one_day(lang: Lang) -> None:
    assert heard(lang).said >= 1500
    assert heard(lang).repeated <= 0.002 * heard(lang).said


def _ordered(values: Iterable[float]) -> bool:
    values = list(values)
    return all(a + 0.3 < b for a, b in pairwise(values))


@pytest.mark.parametrize("lang", LANGUAGES)
def test_who_is_talkative_says_more(lang: Lang) -> None:
    told = heard(lang)
    personas = ("quiet-observer", "cold-logician", "hot-charger", "warm-host")
    assert _ordered(map(told.length, personas)), [told.length(persona) for persona in personas]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_who_is_curious_asks_and_who_is_hot_exclaims(lang: Lang) -> None:
    told = heard(lang)
    for persona in persona_ids():
        assert (told.share(persona, "?？") > 0.35) == (persona == "paranoid-detective"), persona
        assert (told.share(persona, "!！") > 0.35) == (persona == "hot-charger"), persona


@pytest.mark.parametrize(
    ("lang", "persona", "words"),
    [("zh", "cold-logician", "首先，.*所以，"), ("en", "cold-logician", "First, .*Therefore, "),
     ("zh", "warm-host", "谢谢|辛苦|抱歉|一起"), ("en", "warm-host", "[Tt]hank|sorry|together"),
     ("zh", "seasoned-captain", "第一，.*最后，"), ("en", "seasoned-captain", "One, .*Finally, ")],
)  # fmt: skip
def test_a_tone_has_words_of_its_own(lang: Lang, persona: str, words: str) -> None:
    def share(name: str) -> float:
        speeches = heard(lang).sentences[name]
        return sum(bool(re.search(words, " ".join(speech))) for speech in speeches) / len(speeches)

    others = [other for other in persona_ids() if load_persona(other).tone != load_persona(persona).tone]
    assert share(persona) > 0.6
    assert max(share(other) for other in others) < 0.5 * share(persona)


def _rates(persona: str) -> dict[str, float]:
    """How often seats that all have one persona stand for sheriff, and shoot, when asked."""
    asked: Counter[tuple[str, bool]] = Counter()

    def count(state: GameState, view: View, request: Request, reply: Reply) -> None:
        asked[request.topic, reply.decision.act != "pass"] += 1

    for seed in range(60):
        watch(house(), 9, seed, player_for(persona=persona, words=False), count)
    return {topic: asked[topic, True] / (asked[topic, True] + asked[topic, False]) for topic in ("stand", "shoot")}


def test_who_takes_risks_stands_and_shoots() -> None:
    bold, careful = _rates("hot-charger"), _rates("quiet-observer")
    assert bold["stand"] > careful["stand"] + 0.2
    assert bold["shoot"] > careful["shoot"] + 0.2


@pytest.mark.parametrize("lang", LANGUAGES)
def test_both_languages_have_as_many_variants(lang: Lang) -> None:
    counts = {
        language: {
            (key, tone): len(variants)
            for key, tones in texts(language, "talk")["speech"].items()
            for tone, variants in tones.items()
        }
        for language in LANGUAGES
    }
    assert counts["zh"] == counts["en"]
    assert texts("zh", "talk")["manner"].keys() == texts("en", "talk")["manner"].keys()
