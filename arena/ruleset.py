"""Rulesets: YAML files that say how one house plays, as deviations from the defaults of the knobs."""

import errno
import os
from collections.abc import Collection, Mapping
from difflib import get_close_matches
from functools import cache
from pathlib import Path
from typing import Any, Self

from pydantic import BaseModel, ConfigDict, StrictInt, ValidationError, ValidationInfo, field_validator, model_validator
from pydantic_core import ErrorDetails

from arena.knobs import CAUSES, KNOBS, NIGHT_ORDER, Knob, Rules, checked
from arena.resources import resource
from arena.roles import ABILITIES, ROLES, ROLES_WITH
from arena.roles.ability import ask_nobody
from arena.strict_yaml import flow, quoted, read_yaml
from arena.terms import LANGUAGES, UnusableInput

_SIDES = tuple(
    Knob(side, tuple(role.name for role in ROLES.values() if role.side == side), among=("roles",))
    for side in ("gods", "civilians")
)

ALL_KNOBS: dict[str, Knob] = {
    knob.key: knob for knob in (*_SIDES, *KNOBS, *(knob for role in ROLES.values() for knob in role.knobs))
}

PHRASE_RULES = ("oath", "outside_information", "abuse")
"""Conduct rules that are checked by lists of phrases."""

NAMES = {
    "roles": tuple(ROLES),
    "steps": tuple(name for name, ability in ABILITIES.items() if ability.window == "night"),
    "causes": CAUSES,
    "conduct": (*PHRASE_RULES, "claim_in_campaign", *(rule for role in ROLES.values() for rule in role.conduct)),
}


_SHAPES = {
    "id": "a text",
    "title": "a text in each of " + ", ".join(LANGUAGES),
    "description": "a text in each of " + ", ".join(LANGUAGES),
    "source": "a text",
    "setups": "for each number of players, a mapping of roles to numbers of cards",
    "rules": "a mapping of knobs to values",
    "phrases": f"a mapping of some of {', '.join(PHRASE_RULES)} to lists of phrases",
}
"""What each key of a ruleset file holds."""

_KEYS = ", ".join(["extends", *(name for name in _SHAPES if name != "id")])


class Ruleset(BaseModel):
    """Everything a game needs to know about its rules, complete: also what a transcript's header holds.

    `setups` gives the cards for each number of players (those that stay over included), `rules` every knob,
    `phrases` the word lists of the conduct rules that are checked by phrases.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", validate_default=True)

    id: str
    title: dict[str, str]
    description: dict[str, str]
    source: str
    setups: dict[int, dict[str, StrictInt]]
    rules: dict[str, Any] = {}
    phrases: dict[str, tuple[str, ...]] = {}

    @field_validator("title", "description")
    @classmethod
    def _in_every_language(cls, given: dict[str, str], info: ValidationInfo) -> dict[str, str]:
        wrong = [lang for lang in given if lang not in LANGUAGES]
        lacking = [lang for lang in LANGUAGES if not given.get(lang, "").strip()]
        if wrong or lacking:
            what = f"unknown language {quoted(wrong[0])}" if wrong else f"lacks {', '.join(lacking)}"
            raise UnusableInput(f"{info.field_name}: {what}; a text is needed in each of {', '.join(LANGUAGES)}")
        return given

    @field_validator("setups", mode="before")
    @classmethod
    def _by_number(cls, given: Any) -> Any:
        """A yes is a number to Python, and would pass for 1."""
        if isinstance(given, Mapping) and any(isinstance(players, bool) for players in given):
            raise UnusableInput(f"setups: true is not allowed; allowed: {_SHAPES['setups']}")
        return given

    @field_validator("rules")
    @classmethod
    def _complete(cls, given: dict[str, Any]) -> dict[str, Any]:
        return complete_rules(given, "rules")

    @field_validator("phrases")
    @classmethod
    def _of_known_rules(cls, given: dict[str, tuple[str, ...]]) -> dict[str, tuple[str, ...]]:
        for rule in given:
            if rule not in PHRASE_RULES:
                raise UnusableInput(f"phrases.{rule}: {quoted(rule)} is not allowed; allowed: {_SHAPES['phrases']}")
        return given

    @model_validator(mode="after")
    def _playable(self) -> Self:
        for players, cards in self.setups.items():
            check_setup(cards, players, self.rules, f"setups: {players}")
        return self

    def cards(self, players: int) -> dict[str, int]:
        """The cards of the setup for `players`.

        Raises:
            UnusableInput: naming the numbers of players that have a setup.
        """
        if players not in self.setups:
            known = ", ".join(str(n) for n in sorted(self.setups))
            raise UnusableInput(f"ruleset {self.id}: no setup for {players} players; there are setups for {known}")
        return self.setups[players]

    def with_rules(self, overrides: Rules, where: str) -> "Ruleset":
        """This ruleset with some knobs set differently.

        Raises:
            UnusableInput: naming `where`, the knob and what is allowed.
        """
        rules = {**self.rules, **checked_rules(overrides, where)}
        check_sides(rules, where)
        return self.model_copy(update={"rules": rules})


ALL_LISTED = "; arena rulesets ID --json lists all"
"""Ends the complaint of a knob that nobody knows: too many are known to name them."""


def complete_rules(given: Rules, where: str) -> Rules:
    """`given`, checked and completed with the defaults.

    Raises:
        UnusableInput: naming `where`, the knob and what is allowed.
    """
    rules = {**{key: knob.default for key, knob in ALL_KNOBS.items()}, **checked_rules(given, where)}
    check_sides(rules, where)
    return rules


def checked_rules(given: Rules, where: str) -> Rules:
    """`given` in the form in which rules hold it, if every knob of it is known and allows its value.

    Raises:
        UnusableInput: naming `where`, the knob and what is allowed.
    """
    for key in given:
        if key not in ALL_KNOBS:
            near = get_close_matches(str(key), ALL_KNOBS, n=1)
            nearest = f"; the nearest is {near[0]}" if near else ""
            raise UnusableInput(f"{where}: unknown knob {quoted(key)}{nearest}{ALL_LISTED}")
    return {key: checked(ALL_KNOBS[key], value, NAMES, where) for key, value in given.items()}


def check_sides(rules: Rules, where: str) -> None:
    """Check that no card is on two sides, and that only cards of the village are listed as its own.

    Raises:
        UnusableInput: naming `where` and the card.
    """
    both = [role for role in rules["gods"] if role in rules["civilians"]]
    if both:
        raise UnusableInput(f"{where}: {both[0]} is listed under gods and civilians; a role can be on one side only")
    key_figures = (role for listed in rules["key_figures"].values() for role in listed)
    for role in (*rules["gods"], *rules["civilians"], *key_figures):
        if ROLES[role].faction != "village":
            raise UnusableInput(
                f"{where}: {role} is no card of the village; gods, civilians and key_figures list only such"
            )


MOST_SEATS = 99
"""How many can sit at a table."""


def check_players(players: int, where: str) -> None:
    """Check that `players` can sit at a table.

    Raises:
        UnusableInput: naming `where`, and how many can.
    """
    if not 1 <= players <= MOST_SEATS:
        raise UnusableInput(f"{where}: {players} players; allowed: 1 to {MOST_SEATS}")


def check_cards(cards: Mapping[str, int], players: int, where: str, over: int = 0) -> None:
    """Check that `cards` are known roles, as many as `players` and the cards that stay `over`.

    Raises:
        UnusableInput: naming `where` and what is wrong.
    """
    for role, count in cards.items():
        if role not in ROLES:
            raise UnusableInput(f"{where}: unknown role {quoted(role)}; known: {', '.join(ROLES)}")
        if not isinstance(count, int) or isinstance(count, bool) or count < 0:
            raise UnusableInput(f"{where}: {role}: {quoted(count)} is no number of cards")
        if 0 < ROLES[role].most < count:
            raise UnusableInput(f"{where}: {role}: {count} cards; at most {ROLES[role].most} can be dealt")
    number = sum(cards.values())
    if number != players + over:
        needed = f"{players + over} are needed, because {over} stay over" if over else "both must be the same"
        raise UnusableInput(f"{where}: {number} cards for {players} players; {needed}")


def spares(cards: Mapping[str, int], rules: Rules) -> int:
    """How many of `cards` stay over when every seat has one."""
    return sum(role.spares(rules) for role in ROLES.values() if cards.get(role.name))


def check_setup(
    cards: Mapping[str, int], players: int, rules: Rules, where: str, overrides: Collection[str] = ()
) -> None:
    """Check that `cards` can be dealt to `players` under `rules`, and that the game would not be over at once.

    `overrides` are the knobs that stand under a key ``rules`` beside the cards.

    Raises:
        UnusableInput: naming `where`, the knob concerned and what is allowed.
    """
    check_players(players, where)
    check_cards(cards, players, where, spares(cards, rules))
    _check_knobs(cards, players, rules, where, overrides)
    ended = over_at_once(cards, players, rules)
    if ended:
        raise UnusableInput(f"{where}: {listed(cards)}: the game would be over at once ({ended})")


def _check_knobs(cards: Mapping[str, int], players: int, rules: Rules, where: str, overrides: Collection[str]) -> None:
    """Check that the knobs go with each other, and with the deck."""

    def place(*knobs: str) -> str:
        return where if set(knobs).isdisjoint(overrides) else "rules"

    if rules["win.village"] == "last_standing" and not rules["win.losing"]:
        at = place("win.village", "win.losing")
        raise UnusableInput(f"{at}: win.village: last_standing needs win.losing: true")
    if rules["win.werewolves"] == "civilians_or_key_figures" and players not in rules["key_figures"]:
        known = ", ".join(map(str, sorted(rules["key_figures"]))) or "none"
        raise UnusableInput(
            f"{place('win.werewolves', 'key_figures')}: win.werewolves: civilians_or_key_figures needs key_figures "
            f"for {players} players; there are some for: {known}"
        )
    for step in NIGHT_ORDER:
        ability = ABILITIES[step]
        needed = ability.ask is not ask_nobody and not ability.bond and any(cards.get(r) for r in ROLES_WITH[step])
        if needed and step not in rules["night_order"]:
            raise UnusableInput(
                f"{place('night_order')}: night_order: lacks {step}, at which cards of this deck are asked"
            )


def listed(cards: Mapping[str, int]) -> str:
    """`cards` as complaints list them."""
    return ", ".join(f"{count} {role}" for role, count in sorted(cards.items()) if count)


def over_at_once(cards: Mapping[str, int], players: int, rules: Rules) -> str:
    """The knob and the rule by which the game would be over before it begins, or nothing.

    It counts the cards as if all of them were in play: whether one that stays over is missed is known only
    when the cards are dealt, and looked at then.
    """
    werewolves = sum(count for role, count in cards.items() if ROLES[role].kind == "werewolf")
    hunting = sum(count for role, count in cards.items() if count and ROLES[role].faction == "werewolves")
    if not werewolves:
        return f"win.village: {rules['win.village']}"
    rule = rules["win.werewolves"]
    gods, civilians = (any(cards.get(role) for role in rules[side]) for side in ("gods", "civilians"))
    reached = {
        "all": hunting == players,
        "parity": 2 * hunting >= players,
        "side": not (gods and civilians),
        "civilians": not civilians,
        "civilians_or_key_figures": not civilians,
    }
    return f"win.werewolves: {rule}" if hunting and reached[rule] else ""


@cache
def ruleset_ids() -> tuple[str, ...]:
    """The ids of the rulesets that come with Duskwald."""
    return tuple(sorted(path.stem for path in resource("rulesets").glob("*.yaml") if path.stem != "phrases"))


def load_ruleset(name: str) -> Ruleset:
    """The ruleset with the id `name`, or the one in the file of that name.

    A file that `extends` another ruleset has all of its keys, and those under `title`, `setups`, `rules` and the
    like, where it has none of its own.

    Raises:
        UnusableInput: naming the known ids, or the file, the key and what is allowed there.
    """
    return _shipped(name) if name in ruleset_ids() else _read(_path(name))


@cache
def _shipped(name: str) -> Ruleset:
    return _read(_path(name))


def _read(path: Path) -> Ruleset:
    try:
        return Ruleset.model_validate({"id": path.stem, "phrases": _phrases(), **_inherited(path, ())})
    except ValidationError as error:
        raise UnusableInput(f"{path.name}: {_complaint(error)}") from None
    except UnusableInput as error:
        raise UnusableInput(f"{path.name}: {error}") from None


def _complaint(error: ValidationError) -> str:
    """What is wrong with a ruleset file, and what is allowed there."""
    found = error.errors()
    unknown = [f"{one['loc'][0]}: unknown key; known: {_KEYS}" for one in found if one["loc"][0] not in _SHAPES]
    # A key that is written wrong is missing under its right name.
    if unknown:
        missing = [_wrong(one) for one in found if one["type"] == "missing"]
        return "; ".join([unknown[0], *missing[:1]])
    return _wrong(found[0])


def _wrong(one: ErrorDetails) -> str:
    field, *within = (str(part) for part in one["loc"])
    allowed = _SHAPES[field]
    if one["type"] == "missing":
        return f"{field}: missing; needed: {allowed}"
    if one["loc"][-1] == "[key]":
        return f"{'.'.join([field, *within[:-2]])}: the key {quoted(one['input'])} is not allowed; allowed: {allowed}"
    return f"{'.'.join([field, *within])}: {quoted(one['input'])} is not allowed; allowed: {allowed}"


def _path(name: str) -> Path:
    if name in ruleset_ids():
        return resource("rulesets") / f"{name}.yaml"
    # Path.is_file raises for what is too long for a name.
    if name.endswith((".yaml", ".yml")) and os.path.isfile(name):  # noqa: PTH113
        return Path(name)
    if name.endswith((".yaml", ".yml")):
        raise UnusableInput(f"{name}: can't be read: {os.strerror(errno.ENOENT)}")
    raise UnusableInput(f"unknown ruleset {quoted(name)}; known: {', '.join(ruleset_ids())}, or a .yaml file")


def _inherited(path: Path, heirs: tuple[Path, ...]) -> dict[str, Any]:
    """What stands in the file, completed from what it extends; `heirs` are the files that extend it."""
    data = read_yaml(path)
    if not isinstance(data, dict):
        raise UnusableInput("a ruleset file is a mapping")
    if "extends" not in data:
        return data
    extended = data.pop("extends")
    name = extended if isinstance(extended, str) else flow(extended)
    try:
        parent = _path(str(path.parent / name) if name.endswith((".yaml", ".yml")) else name)
        if parent.resolve() in (path.resolve(), *heirs):
            raise UnusableInput("a ruleset can't extend itself")
        return _completed(data, _inherited(parent, (path.resolve(), *heirs)))
    except UnusableInput as error:
        raise UnusableInput(f"extends: {name}: {error}") from None


def _completed(own: dict[str, Any], inherited: dict[str, Any]) -> dict[str, Any]:
    """`own` and what it lacks, one level deep."""
    both = {**inherited, **own}
    for key in own.keys() & inherited.keys():
        if isinstance(own[key], dict) and isinstance(inherited[key], dict):
            both[key] = {**inherited[key], **own[key]}
    return both


@cache
def _phrases() -> dict[str, tuple[str, ...]]:
    lists = read_yaml(resource("rulesets") / "phrases.yaml")
    return {
        rule: tuple(phrase for phrases in by_lang.values() for phrase in phrases) for rule, by_lang in lists.items()
    }
