"""One reader for all YAML: it refuses what PyYAML would pass over in silence."""

import ast
from pathlib import Path

import pytest

from arena.strict_yaml import parse_yaml, read_yaml
from arena.terms import UnusableInput
from tests.repository import ROOT


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("a: 1\nb: 2\na: 3", "line 3: the key a is in line 1 already; each may be given once"),
        ("a:\n  b: 1\n  b: 1", "line 3: the key b is in line 2 already; each may be given once"),
        ("- {1: a, 2: b, 1: a}", "line 1: the key 1 is in line 1 already; each may be given once"),
        ("{a: {b: 1}, c: [{d: 1, d: 2}]}", "line 1: the key d is in line 1 already; each may be given once"),
        ("4: a\n0x4: b", "line 2: the key 4 is in line 1 already; each may be given once"),
        ("<<: {a: 1}\n<<: {b: 1}", "line 2: the key << is in line 1 already; each may be given once"),
        ("a: [", "not readable as YAML: while parsing"),
        ("a: !!python/name:os.system", "not readable as YAML: could not determine a constructor"),
        ("[a]: 1", "not readable as YAML: while constructing a mapping"),
        ("a: 2026-13-41", "not readable as YAML: month must be in 1..12"),
    ],
)
def test_what_is_refused(text: str, complaint: str) -> None:
    with pytest.raises(UnusableInput) as caught:
        parse_yaml(text)
    assert str(caught.value).startswith(complaint)
    assert "\n" not in str(caught.value)


def test_the_same_key_in_mappings_beside_each_other_is_fine() -> None:
    assert parse_yaml("- {a: 1}\n- {a: 2}") == [{"a": 1}, {"a": 2}]
    assert parse_yaml("a: {a: 1}") == {"a": {"a": 1}}


def test_what_is_merged_may_be_overridden() -> None:
    assert parse_yaml("x: &x {a: 1, b: 2}\ny: {<<: *x, a: 3}") == {"x": {"a": 1, "b": 2}, "y": {"a": 3, "b": 2}}


def test_a_file_that_cannot_be_read_is_said_to_be_so(tmp_path: Path) -> None:
    with pytest.raises(UnusableInput, match=r"^can't be read: No such file or directory$"):
        read_yaml(tmp_path / "nowhere")
    (tmp_path / "binary").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(UnusableInput, match=r"^not readable as YAML: 'utf-8' codec can't decode"):
        read_yaml(tmp_path / "binary")


def test_nothing_is_read_by_another_reader() -> None:
    """A reader of PyYAML anywhere else would let repeated keys pass again."""
    for folder in ("arena", "dashboard"):
        for file in (ROOT / folder).rglob("*.py"):
            if file.name == "strict_yaml.py":
                continue
            for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
                if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "yaml":
                    assert node.attr.endswith("dump"), f"{file.name}: line {node.lineno}: yaml.{node.attr}"
