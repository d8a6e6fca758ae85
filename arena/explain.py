"""A ruleset in words: a sentence for every knob at its value, by topic, complete enough to play by.

It works from what the `began` event says, so that players, prompts and pages read the same rules the referee
goes by. The sentences are in ``prompts/<language>/rules.yaml``; a knob that means nothing under the others,
or belongs to a card that was not dealt, is left out.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from arena.knobs import CAUSES, Rules
from arena.terms import Lang, record
from arena.texts import texts

RoleFacts = Mapping[str, Mapping[str, Any]]
"""What each role that is dealt says of itself, at least its ``title`` and ``card``, as in the `began` event."""


@record
class Topic:
    """The rules of one topic, one sentence after the other."""

    title: str
    sentences: tuple[str, ...]


ONLY_WHEN: dict[str, tuple[tuple[str, tuple[Any, ...]], ...]] = {
    "vote.max_runoffs": (("vote.tie", ("repeat",)),),
    "gods": (("win.werewolves", ("side",)),),
    "civilians": (("win.werewolves", ("side", "civilians", "civilians_or_key_figures")),),
    "key_figures": (("win.werewolves", ("civilians_or_key_figures",)),),
    "last_words.entitled": (("last_words.policy", ("quota",)),),
    "last_words.uses": (("last_words.policy", ("quota",)),),
    "explode.windows": (("explode.allowed", (True,)),),
    "explode.last_words": (("explode.allowed", (True,)),),
    "explode.silences_dead": (("explode.allowed", (True,)),),
    "sheriff.may_withdraw": (("sheriff.candidates", ("volunteers",)),),
    "sheriff.runoff_electors": (("sheriff.tie", ("runoff_then_none", "runoff_then_next_day")),),
    "sheriff.explode_in_campaign": (("explode.allowed", (True,)), ("explode.windows", ("campaign",))),
    "conduct.red_card_after": (("conduct", ()),),
}
"""Knobs that mean something only under others: at one of these values, or with one of these (or any) on the list."""


def explain(rules: Rules, roles: RoleFacts, players: int, lang: Lang) -> list[Topic]:
    """All rules of a game with these `roles` for `players` seats (0: for any number), topic by topic."""
    words = texts(lang, "rules")
    topics = []
    for name, topic in words["topics"].items():
        if name == "election" and 0 < players < rules["sheriff.min_players"]:
            sentences = [say("sheriff.min_players", rules["sheriff.min_players"], roles, players, lang)]
        else:
            sentences = [*topic.get("always", ()), *_sentences(topic, rules, roles, players, lang)]
        topics.append(Topic(topic["title"], tuple(sentences)))
        if name == "night":
            topics += [_role(role, rules, roles, players, lang) for role in roles]
    return topics


def _role(role: str, rules: Rules, roles: RoleFacts, players: int, lang: Lang) -> Topic:
    """The topic of one card: what it says, then the knobs about it; those about two cards stand with the first."""
    sentences = [roles[role]["card"][lang]]
    for cards, topic in texts(lang, "rules")["cards"].items():
        needed = cards.split()
        if needed[0] == role and set(needed) <= set(roles):
            sentences += [*topic.get("always", ()), *_sentences(topic, rules, roles, players, lang)]
    return Topic(roles[role]["title"][lang], tuple(sentences))


def _sentences(topic: Mapping[str, Any], rules: Rules, roles: RoleFacts, players: int, lang: Lang) -> Iterator[str]:
    for key in topic.get("knobs", ()):
        if all(_holds(rules[other], values) for other, values in ONLY_WHEN.get(key, ())):
            yield say(key, rules[key], roles, players, lang)


def _holds(value: Any, allowed: tuple[Any, ...]) -> bool:
    if isinstance(value, tuple):
        return bool(set(value) & set(allowed) if allowed else value)
    return value in allowed


def say(key: str, value: Any, roles: RoleFacts, players: int, lang: Lang) -> str:
    """The sentence for the knob `key` at `value`.

    Raises:
        KeyError: there are no words for it.
    """
    words = texts(lang, "rules")
    for topic in (*words["topics"].values(), *words["cards"].values()):
        if key in topic.get("knobs", ()):
            return _Words(roles, players, lang).of(topic["knobs"][key], value)
    raise KeyError(key)


class _Words:
    """Turns values into sentences, for one table and one language."""

    def __init__(self, roles: RoleFacts, players: int, lang: Lang) -> None:
        self._roles = roles
        self._players = players
        self._lang = lang
        self._rules = texts(lang, "rules")
        self._terms = texts(lang, "terms")

    def of(self, words: Any, value: Any) -> str:
        """The sentence in `words` for `value`."""
        if isinstance(words, str):
            return words.format(value=value)
        if "row" in words:
            return self._table(words, value)
        if "list" in words:
            return self._list(words, value)
        if isinstance(value, dict):
            between = "" if self._lang == "zh" else " "
            return between.join(self.of(words[key], part) for key, part in value.items())
        return str(words[value] if value in words else words["other"]).format(value=value)

    def _list(self, words: Mapping[str, str], value: Sequence[str]) -> str:
        """A list by its members, or by what is not on it where that is shorter."""
        kind = words["list"]
        if kind == "roles":
            value = [role for role in value if role in self._roles]
        elif kind == "steps":
            value = [step for step in value if step in self._roles or step not in self._rules["cards"]]
        if not value:
            return words["none"]
        missing = [cause for cause in CAUSES if cause not in value]
        if "all" in words and not missing:
            return words["all"]
        if "but" in words and len(missing) < len(value):
            return words["but"].format(list=self._names(kind, missing))
        return words["only"].format(list=self._names(kind, value))

    def _table(self, words: Mapping[str, str], value: Mapping[int, Sequence[str]]) -> str:
        """Lists of roles by number of players: the one for this table, or all of them."""
        sizes = [size for size in sorted(value) if self._players in (0, size)]
        rows = [words["row"].format(players=size, list=self._names("roles", value[size])) for size in sizes]
        return words["only"].format(list=self._rules["row_separator"].join(rows)) if rows else words["none"]

    def _names(self, kind: str, names: Sequence[str]) -> str:
        return str(self._terms["list_separator"]).join(self._name(kind, name) for name in names)

    def _name(self, kind: str, name: str) -> str:
        names = self._rules.get(kind) or self._terms.get(kind) or {}
        return str(names[name] if name in names else self._roles[name]["title"][self._lang])
