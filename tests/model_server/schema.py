"""Random values that a JSON schema allows, as a server with constrained decoding writes them."""

import math
import re
from collections.abc import Callable
from random import Random
from typing import Any

Json = dict[str, Any]
Twist = Callable[[list[int]], int]
"""Makes a number that is not among those given."""

KEYWORDS = {
    *("$defs", "$ref", "additionalProperties", "anyOf", "const", "description", "enum", "items", "maxItems"),
    *("maxLength", "maximum", "minItems", "minLength", "minimum", "properties", "required", "title", "type"),
}
# What a careless reader of replies stumbles over is among the letters.
LETTERS = list("abc XYZ 019 ３ 狼人预言家号。，“” {}[]\"'\\/\n\t`<>🐺é")


def closed(**properties: Json) -> Json:
    """The schema of an object as strict endpoints want it: with these keys and no other."""
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def complaint(schema: Any, *, strict: bool, at: str = "schema") -> str | None:
    """Say why a server refuses this schema: an unknown keyword, or an object that is open although `strict`."""
    if not isinstance(schema, dict):
        return f"{at}: not an object"
    if unknown := sorted(schema.keys() - KEYWORDS):
        return f"{at}: {unknown[0]!r} is not permitted"
    inner = schema.get("properties", {})
    if strict and schema.get("type") == "object":
        if schema.get("additionalProperties") is not False:
            return f"{at}: 'additionalProperties' is required to be supplied and to be false"
        if set(schema.get("required", [])) != inner.keys():
            return f"{at}: 'required' is required to be an array including every key in properties"
    parts = {**inner, **schema.get("$defs", {}), **dict(enumerate(schema.get("anyOf", [])))}
    if "items" in schema:
        parts["items"] = schema["items"]
    found = (complaint(part, strict=strict, at=f"{at}.{name}") for name, part in parts.items())
    return next(filter(None, found), None)


class Sampler:
    """Draws values from a schema; a `twist` puts a number that is not allowed wherever an enum offers numbers."""

    def __init__(self, root: Json, chance: Random, twist: Twist | None = None) -> None:
        self.twisted = False
        self._root = root
        self._chance = chance
        self._twist = twist

    def value(self, schema: Json) -> Any:
        """Draw a value; `schema` is the root or a part of it."""
        schema = self._resolved(schema)
        if "const" in schema:
            return schema["const"]
        if "enum" in schema:
            return self._option(schema["enum"])
        if "anyOf" in schema:
            branches = schema["anyOf"]
            return self.value(self._chance.choice([b for b in branches if self._wants(b)] or branches))
        kind = schema["type"]
        return getattr(self, f"_{self._chance.choice(kind) if isinstance(kind, list) else kind}")(schema)

    def _resolved(self, schema: Json) -> Json:
        while "$ref" in schema:
            schema = self._root["$defs"][schema["$ref"].removeprefix("#/$defs/")]
        return schema

    def _wants(self, schema: Json) -> bool:
        """Whether there is something to twist."""
        schema = self._resolved(schema)
        parts = [*schema.get("properties", {}).values(), *schema.get("anyOf", []), schema.get("items", {})]
        return self._twist is not None and (
            bool(_numbers(schema.get("enum", []))) or any(self._wants(part) for part in parts if part)
        )

    def _option(self, options: list[Any]) -> Any:
        numbers = _numbers(options)
        if not self._twist or not numbers:
            return self._chance.choice(options)
        self.twisted = True
        example = next(option for option in options if _number(option) is not None)
        number = self._twist(numbers)
        return number if isinstance(example, int) else re.sub(r"\d+", str(number), example, count=1)

    def _object(self, schema: Json) -> Json:
        required = schema.get("required", [])
        return {
            name: self.value(part)
            for name, part in schema.get("properties", {}).items()
            if name in required or self._wants(part) or self._chance.random() < 0.5
        }

    def _array(self, schema: Json) -> list[Any]:
        least = schema.get("minItems", 0)
        most = schema.get("maxItems", least + 3)
        least = max(least, min(most, int(self._wants(schema["items"]))))
        return [self.value(schema["items"]) for _ in range(self._chance.randint(least, most))]

    def _string(self, schema: Json) -> str:
        least = schema.get("minLength", 0)
        most = min(schema.get("maxLength", least + 60), least + 60)
        return "".join(self._chance.choices(LETTERS, k=self._chance.randint(least, most)))

    def _integer(self, schema: Json) -> int:
        low, high = _bounds(schema)
        return self._chance.randint(math.ceil(low), math.floor(high))

    def _number(self, schema: Json) -> float:
        return self._chance.uniform(*_bounds(schema))

    def _boolean(self, _: Json) -> bool:
        return self._chance.random() < 0.5

    def _null(self, _: Json) -> None:
        return None


def _bounds(schema: Json) -> tuple[float, float]:
    low = schema.get("minimum", min(0, schema.get("maximum", 0)))
    return low, schema.get("maximum", low + 100)


def _number(option: Any) -> int | None:
    if isinstance(option, str) and (found := re.search(r"\d+", option)):
        return int(found[0])
    return option if isinstance(option, int) and not isinstance(option, bool) else None


def _numbers(options: list[Any]) -> list[int]:
    return [number for number in map(_number, options) if number is not None]
