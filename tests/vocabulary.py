"""The words in which roles and referee speak of what happens, read off their source."""

import ast
import inspect
from collections.abc import Iterator
from importlib import import_module
from pkgutil import iter_modules

from arena import referee
from arena.referee import victory
from arena.roles import ABILITIES, ROLES
from arena.ruleset import ALL_KNOBS


def marks() -> set[str]:
    """Every mark that a role sets."""
    return {word for role in ROLES for word in _arguments(_tree(role), "Marked", 1)}


def private_keys(role: str) -> set[str]:
    """Every key under which the file of a role tells something or acts."""
    return {*_arguments(_tree(role), "Learned", 1), *_arguments(_tree(role), "Acted", 2)}


def reasons() -> set[str]:
    """Every reason for which a game can end."""
    said = set(_returned(ast.parse(inspect.getsource(victory))))
    for module in iter_modules(referee.__path__):
        tree = ast.parse(inspect.getsource(import_module(f"arena.referee.{module.name}")))
        said |= {*_arguments(tree, "Outcome", 1), *_arguments(tree, "won", 2)}
    for ability in ABILITIES.values():
        if ability.wins:
            said.update(_returned(ast.parse(inspect.getsource(ability.wins))))
    return said | {*ALL_KNOBS["win.village"].values, *ALL_KNOBS["win.piper"].values}


def _tree(role: str) -> ast.AST:
    return ast.parse(inspect.getsource(import_module(f"arena.roles.{role}")))


def _arguments(tree: ast.AST, name: str, place: int) -> Iterator[str]:
    """The words that stand at one place in the calls of `name`."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == name:
            for argument in node.args[place : place + 1]:
                yield from _word(argument)


def _returned(tree: ast.AST) -> Iterator[str]:
    """The words that functions return."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Return) and node.value:
            found = [node.value.body, node.value.orelse] if isinstance(node.value, ast.IfExp) else [node.value]
            yield from (word for part in found for word in _word(part) if word)


def _word(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
