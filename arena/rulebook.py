"""Shows rulesets: the list, one of them in words, and whether a file of one's own can be played."""

from typing import Any

from rich import box
from rich.console import Console
from rich.table import Table

from arena.explain import RoleFacts, by_knob, explain
from arena.narrate import Line, show
from arena.roles import ROLES
from arena.ruleset import ALL_KNOBS, Ruleset, load_ruleset, ruleset_ids, spares
from arena.terms import Lang
from arena.texts import texts


def show_list(console: Console, lang: Lang) -> None:
    """Print all rulesets that come with Duskwald, as a table."""
    labels = texts(lang, "rules")["labels"]
    table = Table(box=box.SIMPLE_HEAD)
    for column in ("id", "title", "players", "description"):
        table.add_column(labels[column], overflow="fold")
    for ruleset in map(load_ruleset, ruleset_ids()):
        table.add_row(ruleset.id, ruleset.title[lang], _sizes(ruleset), ruleset.description[lang])
    console.print(table)


def show_ruleset(console: Console, ruleset: Ruleset, lang: Lang) -> None:
    """Print one ruleset in words: what it is, its setups, and its rules by topic."""
    setups = texts(lang, "rules")["labels"]["setups"]
    title = Line("heading", f"{ruleset.title[lang]} ({ruleset.id})")
    show(console, [title, Line("plain", ruleset.description[lang]), Line("heading", setups)])
    show(console, [Line("plain", _setup(ruleset, players, lang)) for players in sorted(ruleset.setups)])
    for topic in explain(ruleset.rules, _roles(ruleset), 0, lang):
        show(console, [Line("heading", topic.title), *(Line("plain", sentence) for sentence in topic.sentences)])


def _roles(*rulesets: Ruleset) -> RoleFacts:
    """The roles of all setups, werewolves first."""
    dealt = {role for ruleset in rulesets for cards in ruleset.setups.values() for role in cards}
    roles = sorted((ROLES[name] for name in dealt), key=lambda role: (not role.kind, role.name))
    return {role.name: {"title": role.title, "card": role.card, "faction": role.faction} for role in roles}


def show_differences(console: Console, one: Ruleset, other: Ruleset, lang: Lang) -> None:
    """Print what differs between two rulesets, and nothing else: setups, and rules in words."""
    table = Table(box=box.SIMPLE_HEAD, show_lines=True)
    for ruleset in (one, other):
        table.add_column(f"{ruleset.title[lang]} ({ruleset.id})", overflow="fold", ratio=1)
    for players in sorted({*one.setups, *other.setups}):
        if one.setups.get(players) != other.setups.get(players):
            table.add_row(_setup(one, players, lang), _setup(other, players, lang))
    for here, there in _differing_sentences(one, other, lang).values():
        table.add_row(here, there)
    console.print(table)


def _setup(ruleset: Ruleset, players: int, lang: Lang) -> str:
    words = texts(lang, "rules")["labels"]
    cards = ruleset.setups.get(players)
    if cards is None:
        return ""
    dealt = (words["card"].format(role=_roles(ruleset)[role]["title"][lang], count=n) for role, n in cards.items())
    separator = texts(lang, "terms")["list_separator"]
    over = spares(cards, ruleset.rules)
    return str(words["setup"].format(players=players, cards=separator.join(dealt))) + (
        words["left_over"].format(cards=sum(cards.values()), over=over) if over else ""
    )


def _differing_sentences(one: Ruleset, other: Ruleset, lang: Lang) -> dict[str, tuple[str, str]]:
    """By knob, what each of two rulesets says of its own cards where they don't say the same.

    A difference that only cards of the other ruleset would make is none.
    """
    both = (one, other)
    own = [by_knob(ruleset.rules, _roles(ruleset), 0, lang) for ruleset in both]
    said = [by_knob(ruleset.rules, _roles(*both), 0, lang) for ruleset in both]
    differing = [key for key in {**said[0], **said[1]} if said[0].get(key) != said[1].get(key)]
    pairs = {key: (own[0].get(key, ""), own[1].get(key, "")) for key in differing}
    return {key: (here, there) for key, (here, there) in pairs.items() if here != there}


def differences(one: Ruleset, other: Ruleset) -> dict[str, Any]:
    """What differs between two rulesets, as plain data: setups and knobs, each with the value of both."""
    return {
        "rulesets": [one.id, other.id],
        "setups": {
            players: [one.setups.get(players), other.setups.get(players)]
            for players in sorted({*one.setups, *other.setups})
            if one.setups.get(players) != other.setups.get(players)
        },
        "rules": {key: [one.rules[key], other.rules[key]] for key in ALL_KNOBS if one.rules[key] != other.rules[key]},
    }


def _sizes(ruleset: Ruleset) -> str:
    return ", ".join(str(players) for players in sorted(ruleset.setups))


def as_data(ruleset: Ruleset, lang: Lang) -> dict[str, Any]:
    """One ruleset as plain data: every knob, and the rules in words by topic."""
    topics = explain(ruleset.rules, _roles(ruleset), 0, lang)
    return {
        **_summary(ruleset, lang),
        "setups": ruleset.setups,
        "rules": ruleset.rules,
        "topics": [{"title": topic.title, "sentences": topic.sentences} for topic in topics],
    }


def summaries(lang: Lang) -> list[dict[str, Any]]:
    """The list of all rulesets that come with Duskwald, as plain data."""
    return [_summary(load_ruleset(name), lang) for name in ruleset_ids()]


def _summary(ruleset: Ruleset, lang: Lang) -> dict[str, Any]:
    return {
        "id": ruleset.id,
        "title": ruleset.title[lang],
        "description": ruleset.description[lang],
        "source": ruleset.source,
        "players": sorted(ruleset.setups),
    }


def checked(file: str, lang: Lang) -> str:
    """One line that says that the ruleset in `file` can be played.

    Raises:
        UnusableInput: naming the file and what can't be used, a setup that would be over at once included.
    """
    ruleset = load_ruleset(file)
    return str(texts(lang, "rules")["labels"]["ok"].format(file=file, players=_sizes(ruleset)))
