"""The roles: every module of this package that exports ``ROLE`` is a card of the game."""

from importlib import import_module
from pkgutil import iter_modules

from arena.roles.ability import LAYERS, Ability, Role


def _found() -> dict[str, Role]:
    modules = (import_module(f"{__name__}.{info.name}") for info in iter_modules(__path__))
    roles = [module.ROLE for module in modules if hasattr(module, "ROLE")]
    return {role.name: role for role in sorted(roles, key=lambda role: role.name)}


ROLES: dict[str, Role] = _found()

ABILITIES: dict[str, Ability] = {ability.name: ability for role in ROLES.values() for ability in role.abilities}
"""Abilities by name; several roles may share one."""

ROLES_WITH: dict[str, frozenset[str]] = {
    name: frozenset(role.name for role in ROLES.values() if any(a.name == name for a in role.abilities))
    for name in ABILITIES
}

RESOLUTION: tuple[Ability, ...] = tuple(
    sorted(
        (ability for ability in ABILITIES.values() if ability.window in {"night", "sequel"}),
        key=lambda ability: (LAYERS.index(ability.layer), ability.rank),
    )
)
"""The abilities of the night in the order in which they take effect."""
