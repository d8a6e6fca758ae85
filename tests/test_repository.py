import ast
import re
from pathlib import Path

import pytest

from arena.roles import ROLES
from tests.repository import ROOT, project_files

# Put together here, so that this file passes its own test.
REGISTRIES = [".".join(name) for name in (("pypi", "org"), ("pythonhosted", "org"), ("npmjs", "org"), ("crates", "io"))]
MACHINE_PATH = re.compile(rf"(?<![\w.~-])/(?:{'|'.join(['root', 'work', 'home', 'Users'])})/")

MODULES = [path for path in project_files() if path.suffix == ".py" and path.parts[0] in {"arena", "dashboard"}]


def test_no_file_names_a_registry_or_a_path_of_somebody_s_machine() -> None:
    found = []
    for path in project_files():
        text = (ROOT / path).read_text(encoding="utf-8", errors="replace")
        for number, line in enumerate(text.splitlines(), start=1):
            if MACHINE_PATH.search(line) or any(host in line for host in REGISTRIES):
                found.append(f"{path}:{number}: {line.strip()}")
    assert not found, "\n".join(found)


@pytest.mark.parametrize("path", MODULES, ids=str)
def test_a_module_is_short_enough_to_be_read_at_once(path: Path) -> None:
    source = (ROOT / path).read_text(encoding="utf-8")
    assert len(source.splitlines()) <= 400
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            assert node.end_lineno is not None
            length = node.end_lineno - node.lineno + 1
            assert length <= 50, f"{path}:{node.lineno}: {node.name} has {length} lines"


BLIND_TO_ROLES = ("arena/referee/", "arena/transcript/", "dashboard/", "arena/state", "arena/events", "arena/match")
KINDS = {role.kind for role in ROLES.values()}
NAMED = [role for role in ROLES.values() if role.name not in KINDS]
ENGLISH = {word for role in NAMED for word in (role.name, role.name.replace("_", " "), role.title["en"].lower())}
PLURALS = {form for word in ENGLISH for form in (re.sub("lf$", "lves", word), f"{word}s", f"{word}es")}
CHINESE = {role.title["zh"] for role in NAMED}
WORDS = "|".join(sorted(ENGLISH | PLURALS))
ROLE_NAME = re.compile(rf"(?<![a-z])(?:{WORDS})(?![a-z])|{'|'.join(sorted(CHINESE))}", re.IGNORECASE)

ANOTHER_SENSE = {
    "arena/referee/night.py": ("a victim that guards itself is not lost",),
    "dashboard/hosting/door.py": ("`Guard` refuses requests", "class Guard:"),
    "dashboard/server.py": ("import POLICY, Door, Guard, Site", "Middleware(Guard, "),
}
"""Where such a word means no card: to guard, and the guard of the server's door."""


@pytest.mark.parametrize(
    ("line", "named"),
    [
        ("if role == 'seer':", True),
        ("# Seers are told", True),
        ("class Hunter:", True),
        ("two white wolves", True),
        ("LITTLE_GIRL = 1", True),
        ("# 女巫", True),
        ("the thief's choice", True),
        ("overseer, guardian, switch", False),
        ("werewolves", False),
    ],
)
def test_a_role_is_noticed_however_it_is_written(line: str, named: bool) -> None:
    assert bool(ROLE_NAME.search(line)) == named


@pytest.mark.parametrize("path", [path for path in project_files() if str(path).startswith(BLIND_TO_ROLES)], ids=str)
def test_what_knows_no_role_names_none(path: Path) -> None:
    """Roles are data there. A kind of card is none, although a role may have the same name."""
    text = (ROOT / path).read_text(encoding="utf-8")
    for allowed in ANOTHER_SENSE.get(path.as_posix(), ()):
        assert allowed in text
        text = text.replace(allowed, "")
    assert not [line for line in text.splitlines() if ROLE_NAME.search(line)]
