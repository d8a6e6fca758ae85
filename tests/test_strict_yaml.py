"""One reader for all YAML: it refuses what PyYAML would pass over in silence."""

import ast
from pathlib import Path

import pytest

from arena.strict_yaml import flow, parse_yaml, quoted, read_yaml
from arena.terms import UnusableInput
from tests.repository import ROOT


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("a: 1\nb: 2\na: 3", "line 3: the key a is in line 1 already; each may be given once"),
        ("a:\n  b: 1\n  b: 1", "line 3: the key b is in line 2 already; each may be given once"),
        ("- {1: a, 2: b, 1: a}", "line 1: the key 1 is in line 1 already; each may be given once"),
        ("{a: {b: 1}, c: [{d: 1, d: 2}]}", "line 1: the key d is in line 1 already; each may be given once"),
        (
            "a: 1\na: {b: 1, b: 2}\nb: 1",
            "line 2: the key a is in line 1 already; line 2: the key b is in line 2 already; each may be given once",
        ),
        ("4: a\n0x4: b", "line 2: the key 4 is in line 1 already; each may be given once"),
        ("<<: {a: 1}\n<<: {b: 1}", "line 2: the key << is in line 1 already; each may be given once"),
        ("b: 1\na: [", "not readable as YAML: line 2, column 5: a value is missing"),
        ("a: !!python/name:os.system", "not readable as YAML: line 1, column 4: tags, as !this, can't be used"),
        ("a: 1\n[a]: 1", "not readable as YAML: line 2, column 1: a list or a mapping can't be a key"),
        ("a: 2026-13-41", "not readable as YAML: line 1, column 4: a date or a number that does not exist"),
        ("a: b: c", "not readable as YAML: line 1, column 5: a colon where none can be"),
        ("a:\n\tb: 1", "not readable as YAML: line 2, column 1: a tab; only spaces can indent"),
        ("a: 'x\n  y", "not readable as YAML: line 1, column 4: text in quotes that are not closed"),
        ("a: [1 2", "not readable as YAML: line 1, column 8: a list in brackets lacks a comma, or the ]"),
        ("{a: 1 b: 2}", "not readable as YAML: line 1, column 8: a mapping in braces lacks a comma, or the }"),
        ("- a\nb", "not readable as YAML: line 2, column 2: a key needs a colon and a space after it"),
        ("- a\nb: 1", "not readable as YAML: line 2, column 1: does not go on as the lines above began"),
        ("a: @x", "not readable as YAML: line 1, column 4: a value can't begin with this character"),
        ('a: "\\q"', "not readable as YAML: line 1, column 6: no such escape"),
        ("a: *b", "not readable as YAML: line 1, column 4: an alias of what is not named before"),
        ("a: 1\n---\nb: 2", "not readable as YAML: line 2, column 1: a second document; a file holds one"),
        ("a: 1\nb: \x07", "not readable as YAML: line 2, column 4: the character U+0007 is not allowed"),
        ("%x", "not readable as YAML: line 1, column 3: this is no YAML"),
        ("[" * 100_000, "not readable as YAML: lists or mappings lie in each other too deeply"),
        ("null: 1\n~: 2", "line 2: the key null is in line 1 already; each may be given once"),
    ],
)
def test_what_is_refused(text: str, complaint: str) -> None:
    with pytest.raises(UnusableInput) as caught:
        parse_yaml(text)
    assert str(caught.value).startswith(complaint)
    assert "\n" not in str(caught.value)
    assert "unicode string" not in str(caught.value)


def test_the_same_key_in_mappings_beside_each_other_is_fine() -> None:
    assert parse_yaml("- {a: 1}\n- {a: 2}") == [{"a": 1}, {"a": 2}]
    assert parse_yaml("a: {a: 1}") == {"a": {"a": 1}}


def test_what_is_merged_may_be_overridden() -> None:
    assert parse_yaml("x: &x {a: 1, b: 2}\ny: {<<: *x, a: 3}") == {"x": {"a": 1, "b": 2}, "y": {"a": 3, "b": 2}}


def test_a_file_that_cannot_be_read_is_said_to_be_so(tmp_path: Path) -> None:
    with pytest.raises(UnusableInput, match=r"^can't be read: No such file or directory$"):
        read_yaml(tmp_path / "nowhere")
    (tmp_path / "binary").write_bytes("a\n一b".encode() + b"\xff\x00")
    with pytest.raises(UnusableInput, match=r"^not readable as YAML: line 2, column 3: this is no text in UTF-8$"):
        read_yaml(tmp_path / "binary")


@pytest.mark.parametrize(
    ("value", "written", "in_quotes"),
    [
        (None, "null", "null"),
        (True, "true", "true"),
        (2.5, "2.5", "2.5"),
        (("a", None), "[a, null]", "[a, null]"),
        ({"a": {1: False}}, "{a: {1: false}}", "{a: {1: false}}"),
        (["two\nlines"], '["two\\nlines"]', '["two\\nlines"]'),
        ("小明", "小明", "'小明'"),
        ("it's", "it's", "'it''s'"),
        ("\x1b[2J", '"\\e[2J"', '"\\e[2J"'),
    ],
)
def test_a_value_is_written_as_yaml_writes_it(value: object, written: str, in_quotes: str) -> None:
    assert (flow(value), quoted(value)) == (written, in_quotes)
    assert parse_yaml(in_quotes) == (list(value) if isinstance(value, tuple) else value)


def test_nothing_is_read_by_another_reader() -> None:
    """A reader of PyYAML anywhere else would let repeated keys pass again."""
    for folder in ("arena", "dashboard"):
        for file in (ROOT / folder).rglob("*.py"):
            if file.name == "strict_yaml.py":
                continue
            for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
                if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "yaml":
                    assert node.attr.endswith("dump"), f"{file.name}: line {node.lineno}: yaml.{node.attr}"
