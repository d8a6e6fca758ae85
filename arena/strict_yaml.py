"""YAML as people write it here: plain values only, and no key twice in one mapping.

YAML forbids keys that repeat, and PyYAML takes the last one without a word: half of what was written would be lost.
"""

from pathlib import Path
from typing import Any

import yaml

from arena.terms import UnusableInput

_MERGE = "tag:yaml.org,2002:merge"


class _Repeated(yaml.YAMLError):
    """A key that stands twice in one mapping."""


class _Loader(yaml.SafeLoader):
    """Keys are compared as they were written, before ``<<`` puts others among them, which may then be overridden."""

    def compose_mapping_node(self, anchor: Any) -> yaml.MappingNode:
        node = super().compose_mapping_node(anchor)
        lines: dict[Any, int] = {}
        for key_node, _ in node.value:
            if not isinstance(key_node, yaml.ScalarNode):
                continue
            key = key_node.value if key_node.tag == _MERGE else self.construct_object(key_node)
            line = key_node.start_mark.line + 1
            if key in lines:
                raise _Repeated(f"line {line}: the key {key} is in line {lines[key]} already; each may be given once")
            lines[key] = line
        return node


def parse_yaml(text: str) -> Any:
    """The value that `text` stands for.

    Raises:
        UnusableInput: it is no YAML, or gives a key twice; names the line.
    """
    try:
        return yaml.load(text, _Loader)
    except _Repeated as error:
        raise UnusableInput(str(error)) from None
    except (yaml.YAMLError, ValueError) as error:
        raise UnusableInput(f"not readable as YAML: {' '.join(str(error).split())}") from None


def read_yaml(path: Path) -> Any:
    """The value that stands in the file.

    Raises:
        UnusableInput: it can't be read, is no YAML, or gives a key twice; names the line, not the file.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise UnusableInput(f"can't be read: {error.strerror}") from None
    except UnicodeDecodeError as error:
        raise UnusableInput(f"not readable as YAML: {error}") from None
    return parse_yaml(text)


def lines_of(path: Path) -> dict[tuple[str, ...], int]:
    """The line of every key in the file, by its place: the keys that lead to it. The file has been read before."""
    return _lines(yaml.compose(path.read_text(encoding="utf-8"), yaml.SafeLoader))


def _lines(node: yaml.Node | None, place: tuple[str, ...] = ()) -> dict[tuple[str, ...], int]:
    if node is None:
        return {(): 1}
    lines = {place: node.start_mark.line + 1}
    if isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            inner = (*place, str(key.value))
            lines |= {**_lines(value, inner), inner: key.start_mark.line + 1}
    return lines
