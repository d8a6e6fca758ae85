"""The prose of the models' prompts: equal in both languages, true of the ruleset at hand, and short."""

import re
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import product
from pathlib import Path
from typing import NamedTuple

import pytest
from jinja2 import Environment, FileSystemLoader, StrictUndefined

from arena.knobs import Rules
from arena.players.model.form import claim_kinds
from arena.resources import resource
from arena.roles import ABILITIES, ROLES, ROLES_WITH
from arena.ruleset import ALL_KNOBS, NAMES, load_ruleset, ruleset_ids
from arena.terms import LANGUAGES, Claim, Lang
from arena.texts import texts
from tests.repository import ROOT


class Board(NamedTuple):
    """What the templates are given."""

    name: str
    roles: frozenset[str]
    rules: Rules
    players: int


def setups() -> Iterator[Board]:
    for name in ruleset_ids():
        ruleset = load_ruleset(name)
        for players, cards in ruleset.setups.items():
            yield Board(f"{name}-{players}", frozenset(cards), ruleset.rules, players)


def variants() -> Iterator[Board]:
    """One knob set differently each time, at a table where every role is dealt."""
    rules = load_ruleset("factions").rules
    for key, knob in ALL_KNOBS.items():
        values = knob.values or ((0, 1) if knob.share else ())
        if knob.least is not None:
            values = (knob.least, knob.least + 1)
        if knob.among:
            values = ((), tuple(name for word in knob.among for name in NAMES.get(word, (word,))))
        for value in values:
            yield Board(f"{key}={value}", frozenset(ROLES), {**rules, key: value}, 18)


SETUPS = list(setups())
EVERYTHING = [*SETUPS, *variants()]
HOUSE = next(board for board in SETUPS if board.name == "duskwald-12")
SHARED = ("manners", "claims", "glossary", "tactics")
"""What stands in every prompt of a game."""


def folder(lang: Lang) -> Path:
    return resource("prompts") / lang / "model"


@cache
def templates(lang: Lang) -> list[str]:
    """The templates that hold prose; those in ``frame`` hold a prompt together."""
    names = (path.relative_to(folder(lang)).with_suffix("").as_posix() for path in folder(lang).rglob("*.*"))
    return sorted(name for name in names if not name.startswith("frame/"))


@cache
def environment(lang: Lang) -> Environment:
    return Environment(
        loader=FileSystemLoader(folder(lang)),
        undefined=StrictUndefined,
        auto_reload=False,
        trim_blocks=True,
        lstrip_blocks=True,
        autoescape=False,
    )


ACTS = ("antidote", "poison", "antidote_and_poison")
"""What a topic's words may depend on among the choices that are open."""


def rendered(lang: Lang, name: str, board: Board, acts: Iterable[str] = ACTS, *, shown: bool = False) -> str:
    """A template as a seat of `board` reads it; `shown`: with its card up."""
    template = environment(lang).get_template(f"{name}.j2")
    own = {"round": 1, "pack": 3, "acts": set(acts), "shown": shown}
    return template.render(roles=board.roles, rules=board.rules, players=board.players, **own)


def asked_topics() -> set[str]:
    """Every topic under which a seat is asked something."""
    sources = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "arena" / "referee").glob("*.py"))
    named = set(re.findall(r'turn\.ask\("(\w+)"', sources))
    return named | set(texts("en", "terms")["topics"]) | set(texts("en", "terms")["ballots"]) | set(ABILITIES)


BESIDE = {"soundproof": "piper"}
"""What a card is asked only where another one is dealt."""


def asked_here(name: str, board: Board) -> bool:
    """Whether a template can stand in a prompt of this game."""
    topic = name.removeprefix("topics/")
    holders = ROLES_WITH.get(topic)
    held = holders is None or not holders.isdisjoint(board.roles)
    return held and (topic not in BESIDE or BESIDE[topic] in board.roles)


def test_both_languages_have_the_same_templates() -> None:
    assert templates("zh") == templates("en")
    assert set(SHARED) <= set(templates("zh"))


def test_every_topic_with_a_template_is_asked() -> None:
    topics = {name.removeprefix("topics/") for name in templates("zh") if name.startswith("topics/")}
    assert topics <= asked_topics()


@pytest.mark.parametrize("board", EVERYTHING, ids=lambda board: board.name)
@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_template_is_plain_text_under_every_ruleset(lang: Lang, board: Board) -> None:
    for name, shown in product(templates(lang), (False, True)):
        text = rendered(lang, name, board, shown=shown)
        assert text.strip(), name
        assert not re.search(r"[{]%|%[}]|[{][{]|[}][}]|\*\*|`|^#", text, re.MULTILINE), name
        assert not re.search(r"[ \t]$|\n\n\n|,,|，，|。。|，。|；。| [.,;]|(?<=\S)  ", text, re.MULTILINE), name


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_witch_is_told_of_what_she_has_left(lang: Lang) -> None:
    whole = rendered(lang, "topics/witch", HOUSE)
    antidote, poison = (rendered(lang, "topics/witch", HOUSE, [act]) for act in ("antidote", "poison"))
    assert ("antidote" in antidote, "poison" in antidote) == (True, False)
    assert ("antidote" in poison, "poison" in poison) == (False, True)
    for text in (antidote, poison):
        assert len(text) < len(whole)
        assert not re.search(r"[ \t]$|,,|，，|，。|。，| [.,;]|(?<=\S)  ", text, re.MULTILINE), text


PARTS = re.compile(r"[{]%\+? *(if|elif) (.*?) *\+?%[}]")


@pytest.mark.parametrize("name", [name for name in templates("zh") if name != "glossary"])
def test_both_languages_say_it_under_the_same_conditions(name: str) -> None:
    zh, en = (PARTS.findall((folder(lang) / f"{name}.j2").read_text(encoding="utf-8")) for lang in LANGUAGES)
    assert sorted(zh) == sorted(en)


ROLE_WORDS: dict[Lang, dict[str, str]] = {
    "zh": {
        "seer": "预言家|查杀|金水|查验|悍跳|验[出到]",
        "witch": "女巫|银水|解药|毒",
        "guard": "守卫|空守|同救",
        "cupid": "丘比特|情侣",
        "piper": "吹笛|笛声|迷惑",
        "thief": "盗贼|剩下的两张",
        "white_wolf": "白狼",
    },
    "en": {
        "seer": "seers?|cleared|checks?|finds?|fake seer",
        "witch": "witch|silver|antidote|poison\\w*",
        "guard": "guard\\w*",
        "cupid": "cupid|lovers?",
        "piper": "piper|pipe|charm\\w*",
        "thief": "thief|left over",
    },
}
"""Words that speak of a role without its name."""

RULE_WORDS: dict[Lang, dict[str, str]] = {
    "zh": {"sheriff": "警", "explode": "自爆", "last_words": "遗言", "campaign": "上警|退警", "runoff": "PK"},
    "en": {
        "sheriff": "sheriff|badge",
        "explode": "explod\\w*",
        "last_words": "last words",
        "campaign": "stand for sheriff|withdraw",
        "runoff": "run-off",
    },
}


@cache
def pattern(lang: Lang, words: str) -> re.Pattern[str]:
    return re.compile(words if lang == "zh" else rf"(?<![\w-])(?:{words})(?![\w-])", re.IGNORECASE)


@cache
def role_words(lang: Lang, role: str) -> re.Pattern[str]:
    title = re.escape(ROLES[role].title[lang])
    return pattern(lang, "|".join(filter(None, [title, ROLE_WORDS[lang].get(role)])))


@pytest.mark.parametrize("board", SETUPS, ids=lambda board: board.name)
@pytest.mark.parametrize("lang", LANGUAGES)
def test_no_word_about_a_card_that_is_not_in_the_game(lang: Lang, board: Board) -> None:
    seerless = board._replace(roles=board.roles - {"seer"})
    for game in (board, seerless):
        absent = ROLES.keys() - game.roles - {"villager"}
        for name in (name for name in templates(lang) if asked_here(name, game) and name != "manners"):
            text = rendered(lang, name, game)
            for role in absent:
                assert not role_words(lang, role).search(text), (name, role)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_card_in_the_game_is_spoken_of(lang: Lang) -> None:
    for board in SETUPS:
        text = rendered(lang, "tactics", board)
        for role in board.roles - {"villager"}:
            assert role_words(lang, role).search(text), (board.name, role)


@pytest.mark.parametrize("board", SETUPS, ids=lambda board: board.name)
@pytest.mark.parametrize("lang", LANGUAGES)
def test_no_word_about_what_the_rules_do_not_have(lang: Lang, board: Board) -> None:
    rules = board.rules
    sheriff = board.players >= rules["sheriff.min_players"]
    has = {
        "sheriff": sheriff,
        "explode": rules["explode.allowed"],
        "last_words": rules["last_words.policy"] != "none",
        "campaign": sheriff and rules["sheriff.candidates"] == "volunteers",
        "runoff": rules["vote.tie"] != "none",
    }
    text = "\n".join(rendered(lang, name, board) for name in ("claims", "glossary", "tactics"))
    for rule, words in RULE_WORDS[lang].items():
        if not has[rule]:
            assert not pattern(lang, words).search(text), rule
    spoken_of = rendered(lang, "tactics", board)
    for rule in ("sheriff", "explode", "last_words"):
        assert bool(pattern(lang, RULE_WORDS[lang][rule]).search(spoken_of)) == has[rule], rule


TERMS = [
    "金水",
    "查杀",
    "对跳",
    "退水",
    "归票",
    "分票",
    "绑票",
    "警徽流",
    "银水",
    "悍跳",
    "倒钩",
    "上警",
    "退警",
    "平安夜",
    "空刀",
    "自刀",
    "抗推",
]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_glossary_has_every_term_of_the_table(lang: Lang) -> None:
    text = rendered(lang, "glossary", HOUSE)
    assert [term for term in TERMS if term not in text] == []


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_kind_of_claim_is_explained_with_an_example(lang: Lang) -> None:
    everything = HOUSE._replace(roles=frozenset(ROLES), rules={**HOUSE.rules, "piper.mutes": True})
    examples = re.findall(r'"about": "(\w+)"', rendered(lang, "claims", everything))
    assert sorted(examples) == sorted(Claim.__annotations__["about"].__args__)


@pytest.mark.parametrize("board", SETUPS, ids=lambda board: board.name)
def test_claims_that_may_be_made_are_those_that_are_explained(board: Board) -> None:
    explained = set(re.findall(r'"about": "(\w+)"', rendered("en", "claims", board)))
    # A question that may only be nodded to stands there where the piper mutes.
    assert {kind for kind in claim_kinds(board.roles) if kind != "asks"} == explained - {"asks"}
    assert explained <= set(claim_kinds(board.roles))


BUDGETS: dict[Lang, dict[str, tuple[int, int]]] = {
    "zh": {"manners": (400, 700), "claims": (200, 350), "glossary": (250, 450), "tactics": (900, 1400)},
    "en": {"manners": (300, 480), "claims": (200, 400), "glossary": (180, 320), "tactics": (700, 1000)},
}
"""Least and most of what every prompt of a game of the house with 12 seats holds: characters, and words."""

MANY_CARDS = 1.3
"""How much longer the tables with the most kinds of cards may make them."""

TOPIC_BUDGET: dict[Lang, int] = {"zh": 160, "en": 110}


def length(lang: Lang, text: str) -> int:
    return len(re.findall(r"[一-鿿]", text)) if lang == "zh" else len(text.split())


@pytest.mark.parametrize("name", SHARED)
@pytest.mark.parametrize("lang", LANGUAGES)
def test_what_stands_in_every_prompt_is_neither_thin_nor_long(lang: Lang, name: str) -> None:
    least, most = BUDGETS[lang][name]
    assert least <= length(lang, rendered(lang, name, HOUSE)) <= most
    assert max(length(lang, rendered(lang, name, board)) for board in SETUPS) <= MANY_CARDS * most


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_topic_takes_a_few_sentences(lang: Lang) -> None:
    for board in SETUPS:
        for name in (name for name in templates(lang) if name.startswith("topics/")):
            assert length(lang, rendered(lang, name, board)) <= TOPIC_BUDGET[lang], name
