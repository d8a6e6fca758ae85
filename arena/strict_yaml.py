"""YAML as people write it here: plain values only, and no key twice in one mapping; and values as YAML writes them.

YAML forbids keys that repeat, and PyYAML takes the last one without a word: half of what was written would be lost.
"""

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import yaml

from arena.terms import UnusableInput

_Pair = tuple[yaml.Node, yaml.Node]

_MERGE = "tag:yaml.org,2002:merge"


class Repeated(UnusableInput):
    """Keys that stand twice in one mapping: the line of each and what is wrong.

    `last` is the value that the last ones make, `first` that of the first.
    """

    def __init__(self, keys: list[tuple[int, str]], last: Any, first: Any) -> None:
        told = "; ".join(f"line {line}: {wrong}" for line, wrong in keys)
        super().__init__(f"{told}; each may be given once")
        self.keys = keys
        self.last = last
        self.first = first


class _NoValue(yaml.MarkedYAMLError):
    """What looks like a date or a number, and is none."""


class _Strict(yaml.constructor.SafeConstructor):
    """Keys are compared as they were written, before ``<<`` puts others among them, which may then be overridden."""

    def construct_document(self, node: yaml.Node) -> Any:
        again = list(self._repeated(node))
        value = super().construct_document(node)
        if again:
            for mapping, pair, _, _ in again:
                mapping.value = [other for other in mapping.value if other is not pair]
            raise Repeated(sorted((line, wrong) for *_, line, wrong in again), value, super().construct_document(node))
        return value

    def _repeated(self, document: yaml.Node) -> Iterator[tuple[yaml.MappingNode, _Pair, int, str]]:
        """Each mapping with a key and value whose key stands in it already, the line, and what to say of it."""
        waiting: list[yaml.Node] = [document]
        seen: set[int] = set()
        while waiting:
            node = waiting.pop()
            if id(node) in seen:
                continue
            seen.add(id(node))
            if isinstance(node, yaml.SequenceNode):
                waiting += node.value
            if not isinstance(node, yaml.MappingNode):
                continue
            waiting += [part for pair in node.value for part in pair]
            lines: dict[Any, int] = {}
            for pair in (pair for pair in node.value if isinstance(pair[0], yaml.ScalarNode)):
                key_node = pair[0]
                key = key_node.value if key_node.tag == _MERGE else self.construct_object(key_node)
                line = key_node.start_mark.line + 1
                if key in lines:
                    name = key if isinstance(key, str) else flow(key)
                    yield node, pair, line, f"the key {name} is in line {lines[key]} already"
                lines[key] = line

    def construct_object(self, node: Any, deep: bool = False) -> Any:
        try:
            return super().construct_object(node, deep)
        except ValueError:
            raise _NoValue(problem="no such value", problem_mark=node.start_mark) from None


class _Loader(_Strict, yaml.SafeLoader):
    """PyYAML's own, whose complaints can be put plainly."""


class _Quick(_Strict, getattr(yaml, "CSafeLoader", yaml.SafeLoader)):  # type: ignore[misc]
    """libyaml's, ten times as quick: what it refuses is read again for the complaint."""


def parse_yaml(text: str) -> Any:
    """The value that `text` stands for.

    Raises:
        UnusableInput: it is no YAML, or gives a key twice (`Repeated`); names the line.
    """
    with suppress(yaml.YAMLError):
        return yaml.load(text, _Quick)
    try:
        return yaml.load(text, _Loader)
    except RecursionError:
        raise UnusableInput("not readable as YAML: lists or mappings lie in each other too deeply") from None
    except yaml.MarkedYAMLError as error:
        raise UnusableInput(f"not readable as YAML: {_place(error)}: {_plainly(error)}") from None
    except yaml.reader.ReaderError as error:
        wrong = f"the character U+{int(error.character):04X} is not allowed"
        raise UnusableInput(f"not readable as YAML: {_at(text[: error.position])}: {wrong}") from None


_PLAINLY = {
    "no such value": "a date or a number that does not exist; put it in quotes if it is text",
    "found unhashable key": "a list or a mapping can't be a key",
    "mapping values are not allowed here": "a colon where none can be; text with a colon in it needs quotes",
    "could not find expected ':'": "a key needs a colon and a space after it",
    "expected <block end>": "does not go on as the lines above began; what belongs together begins in the same column",
    "expected ',' or ']'": "a list in brackets lacks a comma, or the ] at its end",
    "expected ',' or '}'": "a mapping in braces lacks a comma, or the } at its end",
    "expected the node content": "a value is missing",
    "found unexpected end of stream": "text in quotes that are not closed",
    "found character '\\t'": "a tab; only spaces can indent",
    "that cannot start any token": "a value can't begin with this character; put the text in quotes",
    "unknown escape character": "no such escape; in single quotes a backslash is only a backslash",
    "found undefined alias": "an alias of what is not named before",
    "could not determine a constructor for the tag": "tags, as !this, can't be used",
    "but found another document": "a second document; a file holds one",
}
"""What is wrong, by what PyYAML says of it."""


def _plainly(error: yaml.MarkedYAMLError) -> str:
    said = str(error.problem)
    return next((words for problem, words in _PLAINLY.items() if problem in said), "this is no YAML")


def _place(error: yaml.MarkedYAMLError) -> str:
    """Where the mistake is; of quotes that are not closed, where they open."""
    unclosed = error.context_mark and "end of stream" in str(error.problem)
    mark = error.context_mark if unclosed else error.problem_mark or error.context_mark
    return f"line {mark.line + 1}, column {mark.column + 1}" if mark else "line 1"


def _at(before: str) -> str:
    """The place that comes after the text `before`."""
    lines = before.split("\n")
    return f"line {len(lines)}, column {len(lines[-1]) + 1}"


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
        place = _at(error.object[: error.start].decode("utf-8"))
        raise UnusableInput(f"not readable as YAML: {place}: this is no text in UTF-8") from None
    return parse_yaml(text)


def lines_of(path: Path, *, first: bool = False) -> dict[tuple[str, ...], int]:
    """The line of every key in the file, by its place: the keys that lead to it. The file has been read before.

    `first`: of a key that is repeated the first line, not the last.
    """
    return _lines(yaml.compose(path.read_text(encoding="utf-8"), yaml.SafeLoader), (), first=first)


def _lines(node: yaml.Node | None, place: tuple[str, ...], *, first: bool) -> dict[tuple[str, ...], int]:
    if node is None:
        return {(): 1}
    lines = {place: node.start_mark.line + 1}
    if isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            inner = (*place, str(key.value))
            if not (first and inner in lines):
                lines |= {**_lines(value, inner, first=first), inner: key.start_mark.line + 1}
    return lines


def flow(value: Any) -> str:
    """`value` as YAML writes it, on one line."""
    written = yaml.dump(
        [value], Dumper=_Dumper, default_flow_style=True, width=float("inf"), allow_unicode=True, sort_keys=False
    )
    return str(written).strip()[1:-1]


def quoted(value: Any) -> str:
    """`value` as YAML writes it, on one line, a text in quotes, so that a message shows where it begins and ends."""
    plain = isinstance(value, str) and value.isprintable()
    return "'" + value.replace("'", "''") + "'" if plain else flow(value)


class _Dumper(yaml.SafeDumper):
    """Tuples are lists to those who write YAML, and no text goes on in a second line."""

    def represent_str(self, data: str) -> yaml.ScalarNode:
        return self.represent_scalar("tag:yaml.org,2002:str", data, style=None if data.isprintable() else '"')


_Dumper.add_representer(tuple, yaml.SafeDumper.represent_list)
_Dumper.add_representer(str, _Dumper.represent_str)
