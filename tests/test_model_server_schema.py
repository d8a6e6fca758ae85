"""The values that the stand-in for an endpoint makes for a schema."""

from random import Random

import jsonschema  # type: ignore[import-untyped] # comes with Streamlit
from hypothesis import given
from hypothesis import strategies as st

from tests.model_server.schema import Json, Sampler, closed, complaint

SCALARS: list[Json] = [
    {"type": "string", "minLength": 2, "maxLength": 5},
    {"type": "string"},
    {"type": "integer", "minimum": -3, "maximum": 3},
    {"type": "integer", "maximum": -7},
    {"type": "number", "minimum": 0.5, "maximum": 0.75},
    {"type": "boolean"},
    {"type": ["integer", "null"]},
    {"enum": [1, "3号", None, False]},
    {"const": "speak"},
    {"$ref": "#/$defs/seat"},
]
SCHEMAS = st.recursive(
    st.sampled_from(SCALARS),
    lambda inner: (
        st.builds(lambda items: {"type": "array", "items": items, "minItems": 1, "maxItems": 2}, inner)
        | st.builds(lambda items: {"type": "array", "items": items}, inner)
        | st.builds(lambda branches: {"anyOf": branches}, st.lists(inner, min_size=1, max_size=3))
        | st.builds(lambda parts: closed(**parts), st.dictionaries(st.sampled_from("abcd"), inner))
        | st.builds(lambda part: {**closed(a=part, b=part), "required": ["a"]}, inner)
    ),
    max_leaves=8,
)


@given(SCHEMAS, st.integers(0, 2**32))
def test_a_value_fits_whatever_the_schema(schema: Json, seed: int) -> None:
    schema = {**schema, "$defs": {"seat": {"enum": [1, 2]}}}
    assert complaint(schema, strict=False) is None
    jsonschema.validate(Sampler(schema, Random(seed)).value(schema), schema)


@given(SCHEMAS, st.integers(0, 2**32))
def test_a_twisted_value_does_not_fit_where_there_is_an_enum(schema: Json, seed: int) -> None:
    schema = {**closed(target={"enum": ["3号", "5号", "pass"]}, rest=schema), "$defs": {"seat": {"enum": [1, 2]}}}
    sampler = Sampler(schema, Random(seed), lambda numbers: 99)
    assert sampler.value(schema)["target"] == "99号"
    assert sampler.twisted
