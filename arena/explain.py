"""A ruleset in words: a sentence for every knob at its value, by topic, complete enough to play by.

It works from what the `began` event says, so that players, prompts and pages read the same rules the referee
goes by. The sentences are in ``prompts/<language>/rules.yaml``; a knob that means nothing under the others,
or belongs to a card that was not dealt, is left out.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

from arena.knobs import CAUSES, Rules
from arena.roles import ABILITIES, ROLES_WITH, steps
from arena.terms import Lang, record
from arena.texts import texts

RoleFacts = Mapping[str, Mapping[str, Any]]
"""What each role that is dealt says of itself, at least ``title``, ``card`` and ``faction``, as in `began`."""


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
    "elder.fall_takes": (("elder.fall_on", ()),),
    "elder.fall_takes_idiot": (("elder.fall_on", ()),),
    "lovers.cupid_alone_wins": (("cupid.sides", ("lovers", "village_unless_mixed")),),
    "lovers.widow_kill": (("win.losing", (True,)),),
}
"""Knobs that mean something only under others: at one of these values, or with one of these (or any) on the list."""


def explain(rules: Rules, roles: RoleFacts, players: int, lang: Lang) -> list[Topic]:
    """All rules of a game with these `roles` for `players` seats (0: for any number), topic by topic."""
    topics = []
    for name, topic in texts(lang, "rules")["topics"].items():
        always = _Words(roles, players, lang).always(topic)
        knobs = _knobs(name, topic, rules, roles, players, lang)
        topics.append(Topic(topic["title"], (*always, *knobs.values())))
        if name == "night":
            topics += [_role(role, rules, roles, players, lang) for role in roles]
    return topics


def by_knob(rules: Rules, roles: RoleFacts, players: int, lang: Lang) -> dict[str, str]:
    """The sentence for each knob that means something under the others and for the `roles`, by topic."""
    said = {}
    for name, topic in texts(lang, "rules")["topics"].items():
        said.update(_knobs(name, topic, rules, roles, players, lang))
        if name == "night":
            for role in roles:
                for part in _parts(role, roles, lang):
                    said.update(_knobs(role, part, rules, roles, players, lang))
    return said


def _role(role: str, rules: Rules, roles: RoleFacts, players: int, lang: Lang) -> Topic:
    """The topic of one card: what it says, then what there is to say about it."""
    words = _Words(roles, players, lang)
    said = [roles[role]["card"][lang]]
    for part in _parts(role, roles, lang):
        said += [*words.always(part), *_knobs(role, part, rules, roles, players, lang).values()]
    return Topic(roles[role]["title"][lang], tuple(said))


def _parts(role: str, roles: RoleFacts, lang: Lang) -> Iterator[Mapping[str, Any]]:
    """What there is to say about a card; what is about several cards stands with the first of them."""
    for cards, part in texts(lang, "rules")["cards"].items():
        needed = cards.split()
        if needed[0] == role and all(any(card in roles for card in one.split("/")) for one in needed):
            yield part


def _knobs(
    name: str, topic: Mapping[str, Any], rules: Rules, roles: RoleFacts, players: int, lang: Lang
) -> dict[str, str]:
    """The sentences for the knobs of a topic. At a table without sheriff only that is said of the election.

    Where another knob makes something else of one, `under` has the words for that.
    """
    keys = topic.get("knobs", ())
    if name == "election" and 0 < players < rules["sheriff.min_players"]:
        keys = ("sheriff.min_players",)
    under = [values.get(rules[other], {}) for other, values in topic.get("under", {}).items()]
    instead = {key: words for own in under for key, words in own.items()}
    return {
        key: _Words(roles, players, lang).of(
            instead.get(key, topic["knobs"][key]), steps(rules) if key == "night_order" else rules[key]
        )
        for key in keys
        if all(_holds(rules[other], values) for other, values in ONLY_WHEN.get(key, ()))
    }


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
        self._between = "" if lang == "zh" else " "

    def always(self, topic: Mapping[str, Any]) -> Iterator[str]:
        """The sentences of a topic that don't depend on the ruleset, and who wins together where it says so."""
        yield from self.told(topic.get("always", ()))
        if "factions" in topic:
            factions = dict.fromkeys(facts["faction"] for facts in self._roles.values())
            for faction in sorted(factions, key=list(self._terms["factions"]).index):
                own = [role for role, facts in self._roles.items() if facts["faction"] == faction]
                named = {"faction": self._terms["factions"][faction], "roles": self._names("roles", own)}
                sentence = topic["factions"].format(**named)
                yield sentence[:1].upper() + sentence[1:]

    def told(self, parts: Sequence[Any]) -> Iterator[str]:
        """Those of the `parts` of a text that concern the cards dealt."""
        for part in parts:
            if isinstance(part, str):
                yield part
            elif any(role in self._roles for role in part["with"]):
                yield part["say"] if isinstance(part["say"], str) else self._between.join(self.told(part["say"]))

    def of(self, words: Any, value: Any) -> str:
        """The sentence in `words` for `value`."""
        if isinstance(words, str):
            return words.format(value=value)
        if isinstance(words, list):
            return self._between.join(self.told(words)).format(value=value)
        if "row" in words:
            return self._table(words, value)
        if "list" in words:
            return self._list(words, value)
        if isinstance(value, dict):
            return self._between.join(self.of(words[key], part) for key, part in value.items())
        return self.of(words[value] if value in words else words["other"], value)

    def _list(self, words: Mapping[str, str], value: Sequence[str]) -> str:
        """A list by its members, or by what is not on it where that is shorter."""
        kind = words["list"]
        if kind == "roles":
            value = [role for role in value if role in self._roles]
        elif kind == "steps":
            value = [step for step in value if not ROLES_WITH[step].isdisjoint(self._roles)]
        if not value:
            return words["none"]
        missing = [cause for cause in CAUSES if cause not in value]
        if "all" in words and not missing:
            return words["all"]
        if "but" in words and len(missing) < len(value):
            return words["but"].format(list=self._names(kind, missing))
        said = [words["only"].format(list=self._names(kind, value))]
        first = [name for name in value if kind == "steps" and ABILITIES[name].first_night]
        if first:
            said.append(words["first"].format(list=self._names(kind, first)))
        return self._between.join(said)

    def _table(self, words: Mapping[str, str], value: Mapping[int, Sequence[str]]) -> str:
        """Lists of roles by number of players: the one for this table, or all of them, neighbours with the same."""
        rows = []
        tables = [size for size in sorted(value) if self._players in (0, size)]
        dealt = {size: tuple(role for role in value[size] if role in self._roles) for size in tables}
        shown = [size for size in tables if dealt[size]]
        for (listed, _), group in groupby(enumerate(shown), key=lambda item: (dealt[item[1]], item[1] - item[0])):
            sizes = [size for _, size in group]
            span = self._rules["range"].format(first=sizes[0], last=sizes[-1]) if len(sizes) > 1 else sizes[0]
            rows.append(words["row"].format(players=span, list=self._names("roles", listed)))
        return words["only"].format(list=self._rules["row_separator"].join(rows)) if rows else words["none"]

    def _names(self, kind: str, names: Sequence[str]) -> str:
        return str(self._terms["list_separator"]).join(self._name(kind, name) for name in names)

    def _name(self, kind: str, name: str) -> str:
        names = self._rules.get(kind) or self._terms.get(kind) or {}
        return str(names[name] if name in names else self._roles[name]["title"][self._lang])
