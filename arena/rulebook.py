"""Shows rulesets: the list, one of them in words, and whether a file of one's own can be played."""

from typing import Any

from rich import box
from rich.console import Console
from rich.table import Table

from arena.explain import RoleFacts, explain
from arena.narrate import Line, show
from arena.referee import deal, new_game
from arena.roles import ROLES
from arena.ruleset import Ruleset, load_ruleset, ruleset_ids
from arena.terms import Lang, UnusableInput
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
    console.print(_setups(ruleset, lang))
    for topic in explain(ruleset.rules, _roles(ruleset), 0, lang):
        show(console, [Line("heading", topic.title), *(Line("plain", sentence) for sentence in topic.sentences)])


def _setups(ruleset: Ruleset, lang: Lang) -> Table:
    roles = _roles(ruleset)
    table = Table(box=box.SIMPLE_HEAD)
    table.add_column(texts(lang, "rules")["labels"]["players"], justify="right")
    for facts in roles.values():
        table.add_column(facts["title"][lang], justify="right")
    for players, cards in sorted(ruleset.setups.items()):
        table.add_row(str(players), *(str(cards.get(role, 0) or "") for role in roles))
    return table


def _roles(ruleset: Ruleset) -> RoleFacts:
    """The roles of all setups, werewolves first."""
    dealt = {role for cards in ruleset.setups.values() for role in cards}
    roles = sorted((ROLES[name] for name in dealt), key=lambda role: (not role.kind, role.name))
    return {role.name: {"title": role.title, "card": role.card} for role in roles}


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
    for players in ruleset.setups:
        try:
            new_game(ruleset, deal(ruleset.cards(players), 0), 0)
        except UnusableInput as error:
            raise UnusableInput(f"{file}: setups: {players}: {error}") from None
    return str(texts(lang, "rules")["labels"]["ok"].format(file=file, players=_sizes(ruleset)))
