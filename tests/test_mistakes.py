"""Every place of every kind of file that people write, filled with what does not fit: told in our own words."""

import copy
import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from arena.endpoint import load_endpoints
from arena.personas import read_persona
from arena.ruleset import ALL_KNOBS, load_ruleset
from arena.scenario.file import load_scenario
from arena.seating import load_seating
from arena.strict_yaml import read_yaml
from arena.terms import UnusableInput
from arena.tournament.loading import load_tournament
from arena.transcript.schema import decode
from tests.regenerate_golden import GOLDEN
from tests.repository import ROOT

ENDPOINT = {"base_url": "http://127.0.0.1:9/v1", "model": "m", "price": {"input": 1, "output": 2, "cached": 0}}
SAMPLED = {"model": "local", "persona": "cold-logician", "sampling": {"temperature": 0.7, "top_p": 0.5}}

FILES: dict[str, tuple[Callable[[Path], object], Any]] = {
    "scenario": (
        lambda path: load_scenario(str(path)),
        {
            "name": "a question",
            "ruleset": "duskwald",
            "seats": ["werewolf", "werewolf", "seer", "witch", "hunter", "villager", "villager", "villager"],
            "play": {
                "night 1": {"werewolves": 6, "witch": {"antidote": True}, "seer": 1, "girl": "none", "thief": "keep"},
                "day 1": {
                    "gone": [7],
                    "sheriff": {"run": [1, 2], "withdraw": [1], "votes": {3: 2}},
                    "votes": {1: 2},
                    "runoff": [{1: 2}],
                    "explode": {"seat": 1, "window": "speech", "during": 2},
                    "order": {"from": "self", "direction": "left"},
                    "gestures": {3: {4: "nod"}},
                    "claims": {3: [{"role": "seer"}]},
                },
            },
            "expect": {"out": {6: ["night 1", "werewolves"]}, "winner": "none", "tally": {"day 1": {1: 2}}},
        },
    ),
    "seats file": (
        load_seating,
        {
            "ruleset": "duskwald",
            "players": 6,
            "language": "en",
            "cards": {"werewolf": 2, "seer": 1, "villager": 3},
            "rules": {"vote.tie": "none"},
            "endpoints": {"local": ENDPOINT},
            "seats": {1: SAMPLED, 2: {"human": "Ann"}, "3-6": "scripted"},
            "budget_usd": 1.5,
            "outage": "halt",
            "beliefs": True,
            "clock": {"seconds": 30, "pace": 1},
        },
    ),
    "endpoints": (load_endpoints, {"local": {**ENDPOINT, "in_flight": 2, "context": 8192, "timeout": 30}}),
    "tournament": (
        load_tournament,
        {
            "seed": 1,
            "players": 9,
            "format": "duel",
            "question": {"top": 1},
            "cap": {"games": 60, "usd": 1.5},
            "endpoints": {"local": ENDPOINT},
            "competitors": {"a": SAMPLED, "b": {"scripted": "cold-logician"}},
        },
    ),
    "persona": (
        read_persona,
        read_yaml(ROOT / "personas" / "cold-logician.yaml"),
    ),
    "ruleset": (
        lambda path: load_ruleset(str(path)),
        {"extends": "duskwald", "title": {"zh": "一", "en": "one"}, "rules": {"vote.tie": "none"}},
    ),
}

PYTHON = re.compile(r"\b(None|True|False)\b|[\[{]'|unhashable|unicode string")
"""Values as Python writes them, and what PyYAML says."""

ODD: list[Any] = [None, True, -1, 2.5, "x" * 300, [], [[None]], {}, {1: {"odd": []}}]

MISSING = object()

LIBRARY = re.compile(
    r"Input should|Field required|should have|should be|valid (string|integer|dict|list|tuple)|pydantic"
)


def places(value: Any) -> Iterator[tuple[Any, ...]]:
    """The way to each value within `value`, through mappings and lists."""
    yield ()
    within = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in within:
        yield from ((key, *rest) for rest in places(inner))


def changes(whole: Any) -> Iterator[Any]:
    """`whole` with an odd value at each place, and with each key missing."""
    yield from ODD
    for *way, last in filter(None, places(whole)):
        for odd in (*ODD, MISSING):
            changed = copy.deepcopy(whole)
            held = changed
            for key in way:
                held = held[key]
            held[last] = odd
            if odd is MISSING:
                del held[last]
            yield changed


def told(read: Callable[[Path], object], path: Path, content: object) -> str:
    path.write_text(yaml.safe_dump(content, allow_unicode=True), encoding="utf-8")
    try:
        read(path)
    except UnusableInput as error:
        return str(error)
    return ""


@pytest.mark.parametrize("kind", FILES)
def test_what_does_not_fit_is_told_in_our_words(tmp_path: Path, kind: str) -> None:
    read, whole = FILES[kind]
    path = tmp_path / "file.yaml"
    assert told(read, path, whole) == ""
    refused = [error for changed in changes(whole) if (error := told(read, path, changed))]
    assert len(refused) > 20
    lines = [line for error in refused for line in error.splitlines()]
    assert [line for line in lines if LIBRARY.search(line)] == []
    assert [line for line in lines if not re.match(r"(\S*/)?file\.yaml: .", line)] == []
    assert [line for line in lines if PYTHON.search(line)] == []
    if kind != "tournament":
        assert [error for error in refused if "\n" in error] == []


@pytest.mark.parametrize("knob", ALL_KNOBS)
def test_a_knob_refuses_what_does_not_fit_in_one_line(knob: str) -> None:
    ruleset = load_ruleset("duskwald")
    refused = []
    for odd in ODD:
        try:
            ruleset.with_rules({knob: odd}, "rules")
        except UnusableInput as error:
            refused.append(str(error))
    assert len(refused) >= 4
    assert [error for error in refused if re.search(r"\b(None|True|False)\b", error)] == []
    assert [error for error in refused if not error.startswith(f"rules: {knob}: ") or "\n" in error] == []


def records() -> dict[str, Any]:
    """A record of each kind that a golden game has: the longest, which leaves out the least."""
    lines = [line for path in GOLDEN.glob("*.jsonl") for line in path.read_bytes().splitlines()[1:]]
    return {json.loads(line)["kind"]: json.loads(line) for line in sorted(lines, key=len)}


def test_what_does_not_fit_in_a_transcript_is_told_in_our_words() -> None:
    refused = []
    for record in records().values():
        for changed in changes(record):
            try:
                decode(json.dumps(changed, default=str).encode())
            except UnusableInput as error:
                refused.append(str(error))
    assert len(refused) > 500
    assert [error for error in refused if LIBRARY.search(error) or "\n" in error or len(error) > 1000] == []
    assert [error for error in refused if re.search(r"\b(None|True|False)\b", error)] == []
