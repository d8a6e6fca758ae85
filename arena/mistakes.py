"""What does not fit in a file that somebody wrote, in words for who wrote it: the place, and what is allowed there."""

import types
from collections.abc import Iterator, Mapping
from textwrap import shorten
from typing import Annotated, Any, Union, get_args, get_origin

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from arena.strict_yaml import quoted

_ALLOWED = {
    "bool_type": "true or false",
    "bool_parsing": "true or false",
    "int_type": "a whole number",
    "int_parsing": "a whole number",
    "int_from_float": "a whole number",
    "int_parsing_size": "a smaller number",
    "float_type": "a number",
    "float_parsing": "a number",
    "finite_number": "a number that is not infinite",
    "string_type": "text",
    "dict_type": "a mapping",
    "dataclass_type": "a mapping",
    "mapping_type": "a mapping",
    "list_type": "a list",
    "tuple_type": "a list",
    "literal_error": "{expected}",
    "union_tag_invalid": "a kind of {expected_tags}",
    "union_tag_not_found": "a mapping with the key {discriminator}",
    "greater_than": "more than {gt}",
    "greater_than_equal": "{ge} or more",
    "less_than": "less than {lt}",
    "less_than_equal": "{le} or less",
    "too_short": "{what} of at least {min_length}",
    "too_long": "{what} of at most {max_length}",
    "string_too_short": "{min_length} characters or more",
    "string_too_long": "{max_length} characters or fewer",
}
"""What fits where something does not, by pydantic's name of the mistake."""


def mistakes(error: ValidationError, kind: Any = None) -> Iterator[tuple[tuple[str, ...], str]]:
    """Each mistake in what was to become a value of `kind`: the keys that lead to it, and what is wrong.

    None: of a kind without models, whose keys aren't listed.
    """
    for one in error.errors(include_url=False):
        loc = tuple(part for part in one["loc"] if part != "[key]")
        if loc != one["loc"] and one["type"] in _ALLOWED:
            yield tuple(map(str, loc[:-1])), f"the key {_misfit(one)}"
            continue
        yield tuple(map(str, loc)), _wrong(one, kind, loc)


def complaint(error: ValidationError, kind: Any = None) -> str:
    """The first mistake, in one line."""
    place, wrong = next(mistakes(error, kind))
    return ": ".join([*place, wrong])


def _wrong(one: ErrorDetails, within: Any, loc: tuple[int | str, ...]) -> str:
    match one["type"]:
        case "value_error":
            return one["msg"].removeprefix("Value error, ")
        case "missing":
            return "missing"
        case "json_invalid":
            return f"no JSON: {one['ctx']['error']}"
        case "extra_forbidden" | "invalid_key":
            return f"unknown key; known: {_keys(within, loc[:-1])}"
        case "unexpected_keyword_argument":
            return "unknown key"
        case "model_type" | "model_attributes_type":
            allowed = f"a mapping with the keys {_keys(within, loc)}"
        case _:
            return _misfit(one)
    return f"{_short(one)} is not allowed; allowed: {allowed}"


def _misfit(one: ErrorDetails) -> str:
    given = one.get("ctx", {})
    what = "a mapping" if given.get("field_type") == "Dictionary" else "a list"
    allowed = _ALLOWED[one["type"]].format(what=what, **given)
    return f"{_short(one)} is not allowed; allowed: {allowed}"


def _short(one: ErrorDetails) -> str:
    return shorten(quoted(one["input"]), 80, placeholder="…")


def _keys(within: Any, loc: tuple[int | str, ...]) -> str:
    """The keys of the mapping at a place within a kind of value."""
    found = next(_models(within, loc))
    return ", ".join(field.alias or name for name, field in found.model_fields.items())


def _models(kind: Any, loc: tuple[int | str, ...]) -> Iterator[type[BaseModel]]:
    """The models that a value at a place within a `kind` of value may become."""
    if get_origin(kind) in {Union, types.UnionType, Annotated}:
        for one in get_args(kind):
            yield from _models(one, loc)
    elif get_origin(kind) in {dict, Mapping, list, tuple}:
        if loc:
            yield from _models([part for part in get_args(kind) if part is not ...][-1], loc[1:])
    elif isinstance(kind, type) and issubclass(kind, BaseModel):
        fields = {field.alias or name: field for name, field in kind.model_fields.items()}
        if not loc:
            yield kind
        elif loc[0] in fields:
            yield from _models(fields[str(loc[0])].annotation, loc[1:])
