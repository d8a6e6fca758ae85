"""Every scenario comes out as it says, and together they pin down every value of every knob."""

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from arena.events import Acted, Learned
from arena.knobs import POINTS, Knob
from arena.roles import ROLES
from arena.ruleset import ALL_KNOBS, NAMES
from arena.scenario.consequences import consequences
from arena.scenario.expect import differences
from arena.scenario.file import Scenario, load_scenario
from arena.scenario.grounds import grounds
from arena.scenario.influence import turned
from arena.scenario.play import Played, play
from arena.scenario.report import sentence
from arena.scenario.wording import consequence
from arena.terms import LANGUAGES

FILES = sorted((Path(__file__).parent / "scenarios").glob("*.yaml"))

GRANTED = {"shoot", "goat", "badge", "sheriff_decides", "order", "explode", "take_girl", "gestures", "soundproof"}
"""Choices that are asked for because a card or the badge grants them, not because it is everybody's turn."""

LISTS_OF_CAUSES = ("hunter.may_shoot_after", "last_words.entitled", "last_words.uses", "elder.fall_on")
NO_WAY_OUT = {
    "hunter.may_shoot_after": ("explode", "girl", "scapegoat", "idiot", "white_wolf"),
    "elder.fall_on": ("explode", "girl", "scapegoat", "idiot", "white_wolf"),
}
CHECKED_BY_PHRASES = ("oath", "outside_information", "abuse")
EITHER_WAY = ("+", "-")

UNPINNED: dict[str, str] = {
    "call_all_steps=True": "changes what the narrator says at night, which a ruling doesn't hold",
    "call_all_steps=False": "changes what the narrator says at night, which a ruling doesn't hold",
    "discussion.seconds": "a script has no clock",
    "discussion.last_speaker_seconds": "a script has no clock",
    "werewolves.rounds": "a script holds the last proposals, which are made in every round",
    "thief.extra=villagers_added": "a scenario lays the cards beside the table itself",
    **{f"points.{what}": "points are counted when a game is over" for what in POINTS},
    "thief.extra=deck": "a scenario lays the cards beside the table itself",
    **{f"conduct{way}{rule}": "claims have no text" for way in EITHER_WAY for rule in CHECKED_BY_PHRASES},
    **{
        f"{key}{way}{cause}": "neither a hunter nor an elder goes out so"
        for key, causes in NO_WAY_OUT.items()
        for way in EITHER_WAY
        for cause in causes
    },
    **{
        f"{key}{way}red_card": "means nothing on any list but the elder's"
        for key in LISTS_OF_CAUSES[:3]
        for way in EITHER_WAY
    },
}
"""Settings that no scenario can tell from others, each with the reason."""


@cache
def played(file: Path) -> tuple[Scenario, Played]:
    scenario = load_scenario(str(file))
    return scenario, play(scenario)


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_the_referee_rules_as_expected(file: Path) -> None:
    scenario, came = played(file)
    assert scenario.expect is not None, "a scenario without `expect` tests nothing"
    assert differences(scenario.expect, came.ruling) == []


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_what_is_done_and_learnt_can_be_told(file: Path) -> None:
    phrases = {key for role in ROLES.values() for key in role.phrases}
    for event in played(file)[1].events:
        if isinstance(event, Acted):
            assert event.act in phrases
        elif isinstance(event, Learned):
            assert {event.key, f"{event.key}.{event.value}"} & phrases


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_every_consequence_has_a_reason(file: Path) -> None:
    scenario, came = played(file)
    for path, value in consequences(scenario, came).items():
        found = grounds(scenario, came, path, value)
        assert found or (path[0] == "asked" and path[1] not in GRANTED), path
        assert all(sentence(ground, lang) for ground in found for lang in LANGUAGES)
        assert all(consequence(path, lang) for lang in LANGUAGES)


def settings(knob: Knob, prefix: str = "") -> Iterator[str]:
    """Everything a knob can be set to: each value, each member on a list and off it, the default of a number."""
    key = prefix + knob.key
    for part in knob.keys:
        yield from settings(part, f"{key}.")
    for value in knob.values:
        yield f"{key}={value}"
    if knob.among == ("roles",):
        yield from (f"{key}+", f"{key}-")
    elif knob.among and knob.among != ("steps",):
        for member in (name for word in knob.among for name in NAMES.get(word, (word,))):
            yield from (f"{key}+{member}", f"{key}-{member}")
    if knob.least is not None or knob.number or knob.table or knob.among == ("steps",):
        yield key


def pinned(knob: Knob, value: Any, other: Any, prefix: str = "") -> str:
    """The setting that is at work where turning `knob` from `value` to `other` changes a ruling."""
    key = prefix + knob.key
    if knob.keys:
        part = next(part for part in knob.keys if value[part.key] != other[part.key])
        return pinned(part, value[part.key], other[part.key], f"{key}.")
    if knob.values:
        return f"{key}={value}"
    if not knob.among or knob.among == ("steps",):
        return key
    (member,) = set(value) ^ set(other)
    return f"{key}{'+' if member in value else '-'}{'' if knob.among == ('roles',) else member}"


@pytest.mark.parametrize("key", ALL_KNOBS)
def test_every_setting_of_a_knob_decides_some_ruling(key: str) -> None:
    knob = ALL_KNOBS[key]
    missing = set(settings(knob))
    # Files that speak of the knob come first; most often they are enough.
    for file in sorted(FILES, key=lambda file: key not in file.read_text(encoding="utf-8")):
        if missing <= UNPINNED.keys():
            break
        for found in turned(*played(file), key):
            missing.discard(pinned(knob, found.value, found.other))
    assert missing == UNPINNED.keys() & set(settings(knob))
