"""Rulesets in words: every knob and value has them, in both languages, and they say what the referee does."""

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pytest
import yaml

from arena.events import Began
from arena.explain import ONLY_WHEN, by_knob, explain, say
from arena.knobs import Knob
from arena.referee import new_game
from arena.resources import resource
from arena.roles import ROLES, steps
from arena.rulebook import _differing_sentences, differences
from arena.ruleset import ALL_KNOBS, check_setup, load_ruleset, ruleset_ids
from arena.scenario.influence import alternatives
from arena.strict_yaml import read_yaml
from arena.terms import LANGUAGES, Lang
from arena.texts import texts
from tests.command_line import CommandLine
from tests.games import dealt, house

FACTS = {role.name: {"title": role.title, "card": role.card, "faction": role.faction} for role in ROLES.values()}
SETUPS = [(name, players) for name in ruleset_ids() for players in load_ruleset(name).setups]
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
    said = [say(key, value, FACTS, 0, lang) for value in values(ALL_KNOBS[key])]
    assert len(set(said)) == len(said)
    for sentence in said:
        assert sentence.endswith("。" if lang == "zh" else ".")
        assert not set("{}") & set(sentence)
        alien = r"[A-Za-z]{3}" if lang == "zh" else r"[\u3000-\uffef]"
        assert not re.search(alien, sentence), sentence


def structure(tree: Any) -> Any:
    """The keys of nested mappings and the parts of lists, in order, with the cards that a part is about."""
    if isinstance(tree, dict):
        return [(key, branch if key == "with" else structure(branch)) for key, branch in tree.items()]
    return [structure(part) for part in tree] if isinstance(tree, list) else type(tree)


def test_both_languages_say_the_same_things_in_the_same_order() -> None:
    zh, en = texts("zh", "rules"), texts("en", "rules")
    assert structure(zh["cards"]) == structure(en["cards"])
    assert [(name, structure(topic)) for name, topic in zh["topics"].items()] == [
        (name, structure(topic)) for name, topic in en["topics"].items()
    ]


def test_there_are_words_for_the_knobs_there_are_and_no_others() -> None:
    words = texts("en", "rules")
    told = [key for topic in (*words["topics"].values(), *words["cards"].values()) for key in topic.get("knobs", ())]
    assert sorted(told) == sorted(ALL_KNOBS)
    assert ONLY_WHEN.keys() <= ALL_KNOBS.keys()
    for cards in words["cards"]:
        assert {card for one in cards.split() for card in one.split("/")} <= ROLES.keys()


def test_a_villager_is_the_only_civilian_where_a_ruleset_names_no_others() -> None:
    assert load_ruleset("duskwald").rules["civilians"] == ("villager",)


def meaningful(key: str) -> dict[str, Any]:
    """The house rules, changed so that the knob `key` means something."""
    rules = dict(load_ruleset("duskwald").rules)
    for other, allowed in ONLY_WHEN.get(key, ()):
        if allowed and not isinstance(rules[other], tuple) and rules[other] not in allowed:
            rules[other] = allowed[0]
    return rules


def full_text(rules: dict[str, Any], lang: Lang) -> list[str]:
    return [sentence for topic in explain(rules, FACTS, 12, lang) for sentence in topic.sentences]


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
    sentence = say(key, rules[key], FACTS, 12, "en")
    assert sentence in full_text(rules, "en")
    for other, allowed in ONLY_WHEN[key]:
        off = () if isinstance(rules[other], tuple) else next(v for v in ALL_KNOBS[other].values if v not in allowed)
        meaningless = {**rules, other: off}
        assert sentence not in full_text(meaningless, "en")


@pytest.mark.parametrize(
    ("lang", "one_each", "bidders"),
    [
        (
            "en",
            ("everybody speaks once", "The last speaker has"),
            ("at most as many speeches", "several times, or never"),
        ),
        (
            "zh",
            ("每人发言一轮", "最后一位发言"),
            ("最多发言的次数等于能发言的人数", "一人可以发言多次，也可以一次不说"),
        ),
    ],
)
def test_where_the_word_is_bid_for_nobody_is_told_that_all_speak(
    lang: Lang, one_each: tuple[str, ...], bidders: tuple[str, ...]
) -> None:
    rules = house().rules
    in_order = "\n".join(full_text(rules, lang))
    by_bids = "\n".join(full_text({**rules, "discussion.mode": "bidding"}, lang))
    for words in one_each:
        assert words in in_order
        assert words not in by_bids
    for words in bidders:
        assert words in by_bids
        assert words not in in_order


@pytest.mark.parametrize(("lang", "said"), [("en", "In a series, "), ("zh", "系列赛中，")])
def test_a_first_victim_that_is_not_spared_says_nothing_of_the_guard(lang: Lang, said: str) -> None:
    assert say("first_kill_protection", False, FACTS, 12, lang).startswith(said)


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize(("name", "players"), SETUPS)
def test_the_first_event_of_a_game_is_enough_to_tell_its_rules(name: str, players: int, lang: Lang) -> None:
    ruleset = load_ruleset(name)
    cards = dealt(ruleset, players, 1)
    _, events = new_game(ruleset, cards.seats, 1, extra=cards.extra)
    began = next(event for event in events if isinstance(event, Began))
    topics = explain(began.rules, began.roles, began.players, lang)
    text = "\n".join(sentence for topic in topics for sentence in topic.sentences)
    titles = {topic.title for topic in topics}
    for role in ROLES.values():
        in_the_deck = ruleset.cards(players).get(role.name, 0) > 0
        assert (role.title[lang] in titles) == in_the_deck
        assert (role.card[lang] in text) == in_the_deck
    weight = say("sheriff.weight", ruleset.rules["sheriff.weight"], began.roles, players, lang)
    assert (weight in text) == (players >= ruleset.rules["sheriff.min_players"])


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


@pytest.mark.parametrize(
    ("lang", "told"),
    [
        (
            "zh",
            ("超过12人时，是前两局的首刀和首个被放逐的人", "玩家无法继续时，他的号码由红牌罚下", "警长按座位顺序发言"),
        ),
        (
            "en",
            (
                "above 12 players, the first victims and the first exiles of the last two games",
                "A seat whose player can no longer play is put out by a red card",
                "speaks in their own place when it starts from the dead",
            ),
        ),
    ],
)
def test_last_words_tells_who_is_protected_put_out_and_speaks_where(lang: Lang, told: tuple[str, ...]) -> None:
    text = "\n".join(full_text(load_ruleset("last-words").rules, lang))
    for words in told:
        assert words in text


@pytest.mark.parametrize(
    ("lang", "first", "always"),
    [
        ("zh", "只在第一夜叫到：盗贼、丘比特、情侣、猎人、长老。", "每夜"),
        ("en", "On night 1 only: Thief, Cupid, lovers, hunter, Elder.", "every night"),
    ],
)
def test_the_steps_of_the_first_night_are_named(lang: Lang, first: str, always: str) -> None:
    said = by_knob(load_ruleset("last-words").rules, FACTS, 0, lang)
    assert said["night_order"].endswith(first)
    assert always not in said["call_all_steps"]
    without = {name: FACTS[name] for name in ("werewolf", "seer", "witch", "villager")}
    assert first[:5] not in say("night_order", load_ruleset("last-words").rules["night_order"], without, 0, lang)


@pytest.mark.parametrize(
    ("lang", "words"),
    [
        ("zh", ("遗言按被毒算", "是否失去能力按被毒算", "同一夜既被袭击又被毒，按被毒算")),
        ("en", ("poisoned for last words", "poisoned for the village's powers", "in one night counts as poisoned.")),
    ],
)
def test_what_attacked_and_poisoned_counts_as_is_said_wherever_it_matters(lang: Lang, words: tuple[str, ...]) -> None:
    rules = load_ruleset("last-words").rules
    assert [one for one in words if one not in "\n".join(full_text(rules, lang))] == []
    facts = {role: FACTS[role] for role in ("werewolf", "elder", "villager")}
    told = "\n".join(sentence for topic in explain(rules, facts, 12, lang) for sentence in topic.sentences)
    assert [one for one in words if one in told] == []


@pytest.mark.parametrize(
    ("roles", "said"),
    [
        (("werewolf", "witch", "villager"), "Key figures: with 12 players Witch. One that wasn't dealt doesn't count."),
        (("werewolf", "elder", "villager"), "There are no key figures, so that way of winning is closed."),
    ],
)
def test_key_figures_that_were_not_dealt_are_not_told(roles: tuple[str, ...], said: str) -> None:
    rules = load_ruleset("last-words").rules
    assert by_knob(rules, {role: FACTS[role] for role in roles}, 12, "en")["key_figures"] == said


OWN: dict[str, Any] = {
    "title": {"zh": "我家", "en": "Ours"},
    "description": {"zh": "我家的规则。", "en": "The rules of our house."},
    "source": "own",
    "setups": {6: {"werewolf": 2, "seer": 1, "witch": 1, "villager": 2}},
    "rules": {"witch.self_save": "never"},
}
MISTAKES = read_yaml(Path(__file__).parent / "mistakes" / "rulesets.yaml")


def own(folder: Path, keys: Mapping[Any, Any] = MappingProxyType({})) -> Path:
    file = folder / "ours.yaml"
    whole = {key: value for key, value in {**OWN, **keys}.items() if value is not None}
    file.write_text(yaml.safe_dump(whole, sort_keys=False))
    return file


def test_a_ruleset_of_ones_own_is_checked_and_explained(tmp_path: Path, arena: CommandLine) -> None:
    file = own(tmp_path)
    status, out, err = arena("rulesets", "--check", file, "--lang", "en")
    assert (status, out, err) == (0, f"{file}: ok, with setups for 6 players.\n", "")
    status, out, err = arena("rulesets", file, "--lang", "en")
    assert (status, err) == (0, "")
    assert "The witch may not save their own seat." in out
    assert "Hunter" not in out, "only roles of the setups are explained"


@pytest.mark.parametrize("players", range(2, 19))
def test_last_words_has_key_figures_for_tables_of_every_size(players: int) -> None:
    figures = ("seer", "witch", *("hunter",) * (players >= 10), *("guard",) * (players >= 12))
    ruleset = load_ruleset("last-words")
    assert ruleset.rules["key_figures"][players] == figures
    check_setup({"werewolf": 1, "villager": players - 1}, players, ruleset.rules, "cards")


@pytest.mark.parametrize(
    ("command", "mistake"),
    [(command, mistake) for mistake in MISTAKES for command in mistake.get("commands", ["--check", "--lang=en"])],
    ids=lambda value: value if isinstance(value, str) else value["message"][:50],
)
def test_a_ruleset_that_cannot_be_used_is_one_line(
    tmp_path: Path, arena: CommandLine, command: str, mistake: dict[str, Any]
) -> None:
    status, out, err = arena("rulesets", command, own(tmp_path, mistake["keys"]))
    assert (status, out) == (2, "")
    assert err.startswith("arena: ")
    assert "ours.yaml: " in err
    assert "Input should" not in err, "the words of the library, not of who writes rulesets"
    assert mistake["message"] in err
    assert err.count("\n") == 1


def test_a_ruleset_inherits_what_it_does_not_say(tmp_path: Path) -> None:
    parent = own(tmp_path)
    child = tmp_path / "theirs.yaml"
    child.write_text(
        "extends: ours.yaml\ntitle: {en: Theirs}\n"
        "setups: {7: {werewolf: 2, seer: 1, witch: 1, villager: 3}}\nrules: {sheriff.weight: 2}\n"
    )
    ours, theirs = load_ruleset(str(parent)), load_ruleset(str(child))
    assert theirs.id == "theirs"
    assert theirs.title == {"zh": "我家", "en": "Theirs"}
    assert (theirs.description, theirs.source) == (ours.description, ours.source)
    assert theirs.setups == {**ours.setups, 7: {"werewolf": 2, "seer": 1, "witch": 1, "villager": 3}}
    assert theirs.rules == {**ours.rules, "sheriff.weight": 2}


@pytest.mark.parametrize("name", ruleset_ids())
def test_a_ruleset_lists_only_what_differs_from_the_defaults(name: str) -> None:
    listed = read_yaml(resource("rulesets") / f"{name}.yaml").get("rules", {})
    rules = load_ruleset(name).rules
    assert not [key for key in listed if rules[key] == ALL_KNOBS[key].default]


def test_an_heir_among_the_rulesets_differs_in_what_it_says() -> None:
    one, other = load_ruleset("thiercelieux"), load_ruleset("thiercelieux-v101")
    assert differences(one, other) == {
        "rulesets": ["thiercelieux", "thiercelieux-v101"],
        "setups": {},
        "rules": {"win.werewolves": ["all", "civilians"]},
    }


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_comparison_shows_what_differs_and_nothing_else(arena: CommandLine, lang: Lang) -> None:
    status, out, err = arena("rulesets", "--diff", "thiercelieux", "thiercelieux-v101", "--lang", lang)
    assert (status, err) == (0, "")
    shown = "".join(out.split())
    first, second = load_ruleset("thiercelieux"), load_ruleset("thiercelieux-v101")
    said = [by_knob(ruleset.rules, FACTS, 0, lang) for ruleset in (first, second)]
    for here in said:
        for key, sentence in here.items():
            # Columns break sentences into lines; the first line tells whether it is there.
            start = "".join(sentence.split())[: 12 if lang == "zh" else 20]
            assert (start in shown) == (key in {"win.werewolves", "civilians"}), sentence
    status, line, err = arena("rulesets", "--diff", "duskwald", "factions", "--json")
    assert (status, err) == (0, "")
    told = json.loads(line)
    assert told["rulesets"] == ["duskwald", "factions"]
    assert told["rules"]["sheriff.weight"] == [1.5, 2]
    assert told["setups"]["6"] == [{"werewolf": 2, "seer": 1, "guard": 1, "villager": 2}, None]


def test_a_comparison_says_nothing_of_cards_that_a_ruleset_lacks() -> None:
    pairs = _differing_sentences(load_ruleset("duskwald"), load_ruleset("village"), "en")
    here, there = pairs["night_order"]
    assert here == "Called in this order: Guard, werewolves, Witch, Seer."
    assert "Cupid" in there
    assert pairs["cupid.sides"][0] == ""
    assert [key for key, (one, other) in pairs.items() if one == other] == []


def test_an_unknown_ruleset_is_answered_with_those_there_are(arena: CommandLine) -> None:
    status, out, err = arena("rulesets", "duskwood")
    assert (status, out) == (2, "")
    assert err == f"arena: unknown ruleset 'duskwood'; known: {', '.join(ruleset_ids())}, or a .yaml file\n"


@pytest.mark.parametrize(
    ("lang", "campaign", "discussion"),
    [
        ("zh", "平票的人按竞选发言的顺序（没有竞选发言就按号码）再发言", "按讨论的发言顺序再发言"),
        ("en", "in the order of the campaign (without one, by number),", "in the order of the discussion,"),
    ],
)
def test_where_the_tied_speak_again_the_rules_say_in_which_order(
    arena: CommandLine, lang: Lang, campaign: str, discussion: str
) -> None:
    for name in ruleset_ids():
        rules = load_ruleset(name).rules
        said = "".join(arena("rulesets", name, "--lang", lang).out.split())
        assert (campaign.replace(" ", "") in said) == (rules["sheriff.tie"] != "none")
        assert (discussion.replace(" ", "") in said) == (rules["vote.tie"] != "none")


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("name", ruleset_ids())
def test_no_step_is_called_at_which_nobody_could_ever_answer(name: str, lang: Lang) -> None:
    """Who hears of a lone werewolf takes it for a hidden role."""
    ruleset = load_ruleset(name)
    attacks_alone = ruleset.rules["lovers.widow_kill"]
    assert ("widow" in steps(ruleset.rules)) == attacks_alone
    told = "".join(sentence for topic in explain(ruleset.rules, FACTS, 0, lang) for sentence in topic.sentences)
    assert (texts(lang, "terms")["steps"]["widow"] in told) == attacks_alone
