"""The roles: every module of this package that exports ``ROLE`` is a card of the game."""

from collections.abc import Mapping
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from typing import Any

from arena.roles.ability import LAYERS, Ability, Role, Window


def _found() -> dict[str, Role]:
    modules = (import_module(f"{__name__}.{info.name}") for info in iter_modules(__path__))
    roles = [module.ROLE for module in modules if hasattr(module, "ROLE")]
    return {role.name: role for role in sorted(roles, key=lambda role: role.name)}


ROLES: dict[str, Role] = _found()

WEREWOLVES = frozenset(role.name for role in ROLES.values() if role.kind == "werewolf")
"""The cards that are werewolves."""

ABILITIES: dict[str, Ability] = {ability.name: ability for role in ROLES.values() for ability in role.abilities}
"""Abilities by name; several roles may share one."""

ROLES_WITH: dict[str, frozenset[str]] = {
    name: frozenset(role.name for role in ROLES.values() if any(a.name == name for a in role.abilities))
    for name in ABILITIES
}


def steps(rules: Mapping[str, Any]) -> tuple[str, ...]:
    """The steps of the night under `rules`, in order: without those that nobody could ever be asked at."""
    return tuple(name for name in rules["night_order"] if rules.get(ABILITIES[name].needs, True))


@cache
def abilities_of(deck: tuple[str, ...], *windows: Window) -> tuple[Ability, ...]:
    """What the cards of `deck` can do in `windows`, in the order in which it takes effect."""
    held = (ability for ability in ABILITIES.values() if ability.window in windows)
    dealt = (ability for ability in held if not ROLES_WITH[ability.name].isdisjoint(deck))
    return tuple(sorted(dealt, key=lambda ability: (LAYERS.index(ability.layer), ability.rank)))
