"""Rulesets: YAML files that say how one house plays, as deviations from the defaults of the knobs."""

from functools import cache
from pathlib import Path
from typing import Any

import yaml
from pydantic import BaseModel, ConfigDict, ValidationError, field_validator

from arena.knobs import CAUSES, KNOBS, Knob, Rules, checked
from arena.resources import resource
from arena.roles import ABILITIES, ROLES
from arena.terms import UnusableInput

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


class Ruleset(BaseModel):
    """Everything a game needs to know about its rules, complete: also what a transcript's header holds.

    `setups` gives the cards for each number of players, `rules` every knob, `phrases` the word lists of
    the conduct rules that are checked by phrases.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", validate_default=True)

    id: str
    title: dict[str, str]
    description: dict[str, str]
    source: str
    setups: dict[int, dict[str, int]]
    rules: dict[str, Any] = {}
    phrases: dict[str, tuple[str, ...]] = {}

    @field_validator("rules")
    @classmethod
    def _complete(cls, given: dict[str, Any]) -> dict[str, Any]:
        return complete_rules(given, "rules")

    @field_validator("setups")
    @classmethod
    def _known_roles(cls, setups: dict[int, dict[str, int]]) -> dict[int, dict[str, int]]:
        for players, cards in setups.items():
            check_cards(cards, players, f"setups: {players}")
        return setups

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
        rules = complete_rules({**self.rules, **complete_rules(overrides, where, defaults=False)}, where)
        return self.model_copy(update={"rules": rules})


def complete_rules(given: Rules, where: str, *, defaults: bool = True) -> Rules:
    """`given` checked knob by knob, with the defaults of all others where `defaults` is set."""
    for key in given:
        if key not in ALL_KNOBS:
            raise UnusableInput(f"{where}: unknown knob {key!r}; known: {', '.join(sorted(ALL_KNOBS))}")
    values = {key: checked(ALL_KNOBS[key], value, NAMES, where) for key, value in given.items()}
    return {**{key: knob.default for key, knob in ALL_KNOBS.items()}, **values} if defaults else values


def check_cards(cards: dict[str, int], players: int, where: str) -> None:
    """Check that `cards` are known roles, as many as `players`.

    Raises:
        UnusableInput: naming `where` and what is wrong.
    """
    for role, count in cards.items():
        if role not in ROLES:
            raise UnusableInput(f"{where}: unknown role {role!r}; known: {', '.join(ROLES)}")
        if not isinstance(count, int) or count < 0:
            raise UnusableInput(f"{where}: {role}: {count!r} is no number of cards")
    if sum(cards.values()) != players:
        raise UnusableInput(f"{where}: {sum(cards.values())} cards for {players} players; both must be the same")


@cache
def ruleset_ids() -> tuple[str, ...]:
    """The ids of the rulesets that come with Duskwald."""
    return tuple(sorted(path.stem for path in resource("rulesets").glob("*.yaml") if path.stem != "phrases"))


def load_ruleset(name: str) -> Ruleset:
    """The ruleset with the id `name`, or the one in the file of that name.

    Raises:
        UnusableInput: naming the known ids, or the file, the key and what is allowed there.
    """
    path = Path(name) if name.endswith((".yaml", ".yml")) else resource("rulesets") / f"{name}.yaml"
    if name not in ruleset_ids() and not path.is_file():
        raise UnusableInput(f"unknown ruleset {name!r}; known: {', '.join(ruleset_ids())}, or a .yaml file")
    try:
        data = yaml.safe_load(path.read_text(encoding="utf-8"))
    except (yaml.YAMLError, UnicodeDecodeError, OSError) as error:
        raise UnusableInput(f"{path.name}: not readable as YAML: {' '.join(str(error).split())}") from None
    if not isinstance(data, dict):
        raise UnusableInput(f"{path.name}: a ruleset file is a mapping")
    try:
        return Ruleset(**{"id": path.stem, "phrases": _phrases(), **data})
    except ValidationError as error:
        first = error.errors()[0]
        key = ".".join(str(part) for part in first["loc"])
        raise UnusableInput(f"{path.name}: {key}: {first['msg']}") from None
    except UnusableInput as error:
        raise UnusableInput(f"{path.name}: {error}") from None


@cache
def _phrases() -> dict[str, tuple[str, ...]]:
    lists = yaml.safe_load((resource("rulesets") / "phrases.yaml").read_text(encoding="utf-8"))
    return {
        rule: tuple(phrase for phrases in by_lang.values() for phrase in phrases) for rule, by_lang in lists.items()
    }
