"""Rulesets in words: every knob and value has them, in both languages, and they say what the referee does."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from arena.events import Began
from arena.explain import ONLY_WHEN, explain, say
from arena.knobs import Knob
from arena.referee import deal, new_game
from arena.roles import ROLES
from arena.ruleset import ALL_KNOBS, load_ruleset, ruleset_ids
from arena.scenario.influence import alternatives
from arena.terms import LANGUAGES, Lang
from arena.texts import texts
from tests.command_line import CommandLine

TITLES = {role.name: {"title": role.title, "card": role.card} for role in ROLES.values()}
FIGURES = {8: ("seer", "witch"), 12: ("seer", "witch", "hunter")}


def values(knob: Knob) -> Iterator[Any]:
    """Every value of a few; a number and its neighbours; a list whole, empty, and with each member changed."""
    yield knob.default
    yield from alternatives(knob, knob.default)
    if knob.among and len(knob.default) > 1:
        yield ()
    if knob.table:
        yield FIGURES


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("key", ALL_KNOBS)
def test_every_value_of_a_knob_has_words_of_its_own(key: str, lang: Lang) -> None:
    said = [say(key, value, TITLES, 0, lang) for value in values(ALL_KNOBS[key])]
    assert len(set(said)) == len(said)
    for sentence in said:
        assert sentence.endswith("。" if lang == "zh" else ".")
        assert not set("{}") & set(sentence)
        alien = r"[A-Za-z]{3}" if lang == "zh" else r"[\u3000-\uffef]"
        assert not re.search(alien, sentence), sentence


def structure(tree: Any) -> Any:
    """The keys of nested mappings, in order."""
    return [(key, structure(branch)) for key, branch in tree.items()] if isinstance(tree, dict) else type(tree)


def test_both_languages_say_the_same_things_in_the_same_order() -> None:
    zh, en = texts("zh", "rules"), texts("en", "rules")
    assert structure(zh["cards"]) == structure(en["cards"])
    assert [(name, structure(topic)) for name, topic in zh["topics"].items()] == [
        (name, structure(topic)) for name, topic in en["topics"].items()
    ]
    for name in zh["topics"]:
        assert len(zh["topics"][name].get("always", ())) == len(en["topics"][name].get("always", ()))


def test_there_are_words_for_the_knobs_there_are_and_no_others() -> None:
    words = texts("en", "rules")
    told = [key for topic in (*words["topics"].values(), *words["cards"].values()) for key in topic.get("knobs", ())]
    assert sorted(told) == sorted(ALL_KNOBS)
    assert ONLY_WHEN.keys() <= ALL_KNOBS.keys()
    for cards in words["cards"]:
        assert set(cards.split()) <= ROLES.keys()


def meaningful(key: str) -> dict[str, Any]:
    """The house rules, changed so that the knob `key` means something."""
    rules = dict(load_ruleset("duskwald").rules)
    for other, allowed in ONLY_WHEN.get(key, ()):
        if allowed and not isinstance(rules[other], tuple) and rules[other] not in allowed:
            rules[other] = allowed[0]
    return rules


def full_text(rules: dict[str, Any], lang: Lang) -> list[str]:
    return [sentence for topic in explain(rules, TITLES, 12, lang) for sentence in topic.sentences]


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("key", ALL_KNOBS)
def test_turning_a_knob_changes_the_rules_as_they_are_told(key: str, lang: Lang) -> None:
    rules = meaningful(key)
    before = full_text(rules, lang)
    others = [value for value in values(ALL_KNOBS[key]) if value != rules[key]]
    assert others or len(ALL_KNOBS[key].values) == 1
    for value in others:
        assert full_text({**rules, key: value}, lang) != before, value


@pytest.mark.parametrize("key", ONLY_WHEN)
def test_a_knob_that_means_nothing_is_not_told(key: str) -> None:
    rules = meaningful(key)
    sentence = say(key, rules[key], TITLES, 12, "en")
    assert sentence in full_text(rules, "en")
    for other, allowed in ONLY_WHEN[key]:
        off = () if isinstance(rules[other], tuple) else next(v for v in ALL_KNOBS[other].values if v not in allowed)
        meaningless = {**rules, other: off}
        assert sentence not in full_text(meaningless, "en")


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("players", load_ruleset("duskwald").setups)
def test_the_first_event_of_a_game_is_enough_to_tell_its_rules(players: int, lang: Lang) -> None:
    house = load_ruleset("duskwald")
    _, events = new_game(house, deal(house.cards(players), 1), 1)
    began = next(event for event in events if isinstance(event, Began))
    topics = explain(began.rules, began.roles, began.players, lang)
    text = "\n".join(sentence for topic in topics for sentence in topic.sentences)
    titles = {topic.title for topic in topics}
    for role in ROLES.values():
        dealt = house.cards(players).get(role.name, 0) > 0
        assert (role.title[lang] in titles) == dealt
        assert (role.card[lang] in text) == dealt
    assert (say("sheriff.weight", 1.5, began.roles, players, lang) in text) == (players >= 7)


@pytest.fixture
def arena(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> CommandLine:
    return CommandLine(monkeypatch, capsys)


def test_the_list_names_every_ruleset(arena: CommandLine) -> None:
    status, out, err = arena("rulesets")
    assert (status, err) == (0, "")
    status, lines, err = arena("rulesets", "--json", "--lang", "en")
    assert (status, err) == (0, "")
    listed = [json.loads(line) for line in lines.splitlines()]
    assert [ruleset["id"] for ruleset in listed] == list(ruleset_ids())
    assert "Duskwald" in {ruleset["title"] for ruleset in listed}
    for ruleset in listed:
        assert ruleset["id"] in out


@pytest.mark.parametrize(("lang", "expected"), [("zh", "同守同救"), ("en", "When guard and antidote both reach")])
def test_a_ruleset_is_explained_in_words(arena: CommandLine, lang: Lang, expected: str) -> None:
    status, out, err = arena("rulesets", "duskwald", "--lang", lang)
    assert (status, err) == (0, "")
    assert expected in out
    for topic in texts(lang, "rules")["topics"].values():
        assert topic["title"] in out
    status, line, err = arena("rulesets", "duskwald", "--lang", lang, "--json")
    assert (status, err) == (0, "")
    told = json.loads(line)
    assert told["rules"]["guard.with_antidote"] == "dies"
    assert told["setups"]["6"] == {"werewolf": 2, "seer": 1, "guard": 1, "villager": 2}
    assert any(expected in sentence for topic in told["topics"] for sentence in topic["sentences"])


OWN: dict[str, Any] = {
    "title": {"zh": "我家", "en": "Ours"},
    "description": {"zh": "我家的规则。", "en": "The rules of our house."},
    "source": "own",
    "setups": {6: {"werewolf": 2, "seer": 1, "witch": 1, "villager": 2}},
    "rules": {"witch.self_save": "never"},
}
MISTAKES = yaml.safe_load((Path(__file__).parent / "mistakes" / "rulesets.yaml").read_text(encoding="utf-8"))


def own(folder: Path, **keys: Any) -> Path:
    file = folder / "ours.yaml"
    file.write_text(yaml.safe_dump({key: value for key, value in {**OWN, **keys}.items() if value is not None}))
    return file


def test_a_ruleset_of_ones_own_is_checked_and_explained(tmp_path: Path, arena: CommandLine) -> None:
    file = own(tmp_path)
    status, out, err = arena("rulesets", "--check", file, "--lang", "en")
    assert (status, out, err) == (0, f"{file}: ok, with setups for 6 players.\n", "")
    status, out, err = arena("rulesets", file, "--lang", "en")
    assert (status, err) == (0, "")
    assert "The witch may not save their own seat." in out
    assert "Hunter" not in out, "only roles of the setups are explained"


@pytest.mark.parametrize(
    ("command", "mistake"),
    [(command, mistake) for mistake in MISTAKES for command in mistake.get("commands", ["--check", "--lang=en"])],
    ids=lambda value: value if isinstance(value, str) else value["message"][:50],
)
def test_a_ruleset_that_cannot_be_used_is_one_line(
    tmp_path: Path, arena: CommandLine, command: str, mistake: dict[str, Any]
) -> None:
    status, out, err = arena("rulesets", command, own(tmp_path, **mistake["keys"]))
    assert (status, out) == (2, "")
    assert err.startswith("arena: ")
    assert "ours.yaml: " in err
    assert mistake["message"] in err
    assert err.count("\n") == 1


def test_an_unknown_ruleset_is_answered_with_those_there_are(arena: CommandLine) -> None:
    status, out, err = arena("rulesets", "duskwood")
    assert (status, out) == (2, "")
    assert err == f"arena: unknown ruleset 'duskwood'; known: {', '.join(ruleset_ids())}, or a .yaml file\n"
