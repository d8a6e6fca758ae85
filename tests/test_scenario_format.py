"""What a scenario file may hold, what each mistake in one is answered with, and how a ruling is compared."""

from pathlib import Path
from typing import Any

import pytest
import yaml

from arena.scenario.expect import Difference, Expect, differences, expected
from arena.scenario.file import Day, Election, Night, Scenario, load_scenario
from arena.scenario.play import play
from arena.strict_yaml import read_yaml
from arena.terms import UnusableInput

SEATS = ["werewolf", "werewolf", "seer", "witch", "hunter", "villager", "villager", "villager"]
MISTAKES = read_yaml(Path(__file__).parent / "mistakes" / "scenarios.yaml")


def scenario(folder: Path, **keys: Any) -> Scenario:
    """A scenario that can be used, with these keys set differently; a key set to None is left out."""
    whole = {"name": "a question", "ruleset": "duskwald", "seats": SEATS, "play": {"day 1": {}}, **keys}
    file = folder / "question.yaml"
    file.write_text(yaml.safe_dump({key: value for key, value in whole.items() if value is not None}), encoding="utf-8")
    return load_scenario(str(file))


@pytest.mark.parametrize("mistake", MISTAKES, ids=lambda mistake: mistake["message"][:60])
def test_an_unusable_file_is_one_line_with_file_key_and_choices(tmp_path: Path, mistake: dict[str, Any]) -> None:
    with pytest.raises(UnusableInput) as caught:
        play(scenario(tmp_path, **mistake["keys"]))
    assert str(caught.value).startswith(f"{tmp_path / 'question.yaml'}: ")
    assert mistake["message"] in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"name: [", "not readable as YAML: line 1, column 8: a value is missing"),
        (b"\xff\xfe\x00", "not readable as YAML: line 1, column 1: this is no text in UTF-8"),
        (b"name: a\nseats: []\nname: b", "line 3: the key name is in line 1 already; each may be given once"),
        (b"play: {day 1: {votes: {1: 2, 1: 3}}}", "line 1: the key 1 is in line 1 already; each may be given once"),
        (b"- name", "[name] is not allowed; allowed: a mapping with the keys name,"),
        (b"", "null is not allowed; allowed: a mapping with the keys name,"),
    ],
)
def test_a_file_that_is_no_scenario_is_one_line(tmp_path: Path, content: bytes, message: str) -> None:
    file = tmp_path / "question.yaml"
    file.write_bytes(content)
    with pytest.raises(UnusableInput) as caught:
        load_scenario(str(file))
    assert str(caught.value).startswith(f"{file}: {message}")
    assert "\n" not in str(caught.value)


def test_a_scenario_without_a_name_goes_by_its_file_s(tmp_path: Path) -> None:
    assert scenario(tmp_path, name=None).name == "question"


def test_a_table_takes_as_many_seats_as_a_seats_file_can_name(tmp_path: Path) -> None:
    assert len(scenario(tmp_path, seats=["werewolf", "seer", *["villager"] * 97]).seats) == 99
    with pytest.raises(UnusableInput, match="seats: 100 seats; allowed: at most 99"):
        scenario(tmp_path, seats=["werewolf", "seer", *["villager"] * 98])


def test_a_pack_of_which_nobody_is_left_is_nobody(tmp_path: Path) -> None:
    seats = ["werewolf", "white_wolf", "villager", "villager", "cupid", "seer", "villager"]
    question = scenario(
        tmp_path,
        ruleset="factions",
        seats=seats,
        play={"night 1": {"cupid": [2, 3]}, "day 1": {"votes": {4: 1, 5: 1}}, "night 2": {"werewolves": 4}},
    )
    assert play(question).ruling["refused"] == [{"phase": "night 2", "choice": "werewolves", "target": 4}]


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(UnusableInput, match=r"nothing\.yaml: can't be read: No such file"):
        load_scenario(str(tmp_path / "nothing.yaml"))


NIGHT_KEYS: dict[str, Any] = {
    "gone": [8],
    "shoot": {5: 1},
    "badge": {3: "tear"},
    "guard": 6,
    "seer": 1,
    "piper": [6, 7],
    "white_wolf": 2,
    "widow": 6,
    "cupid": [6, 7],
    "soundproof": 6,
    "werewolves": {1: 6, 2: 6},
    "witch": {"antidote": True, "poison": 1},
    "thief": "keep",
    "girl": "peek",
    "girl_noticed": True,
    "take_girl": True,
}
ELECTION_KEYS: dict[str, Any] = {"run": [3, 4], "withdraw": [4], "votes": {1: 3}, "runoff": {1: 3}}
DAY_KEYS: dict[str, Any] = {
    "gone": [8],
    "shoot": {5: 1},
    "badge": {3: 4},
    "sheriff": ELECTION_KEYS,
    "votes": {1: 3},
    "runoff": [{1: 3}, {1: 4}],
    "sheriff_decides": 3,
    "explode": {"seat": 1, "window": "speech", "during": 2},
    "idiot_declines": True,
    "goat": [1, 2],
    "order": {"from": "self", "direction": "left"},
    "asks": {3: 4},
    "gestures": {4: {3: "nod"}},
    "claims": {3: [{"role": "seer", "of": 5}, {"side": "village", "of": 2}, {"checked": 3, "as": "werewolf"}]},
    "campaign_claims": {3: [{"lovers": [3, 4]}, {"will_check": [1, 2]}]},
    "last_words_claims": {3: [{"saved": 6}]},
    "declines_last_words": [3],
}


def test_every_key_of_a_script_is_read_and_refused_where_nobody_asks_for_it(tmp_path: Path) -> None:
    assert set(Night.keys()) >= set(NIGHT_KEYS)
    assert set(Day.keys()) == set(DAY_KEYS)
    assert set(Election.keys()) == set(ELECTION_KEYS)
    question = scenario(
        tmp_path,
        seats=["werewolf", "seer", *["villager"] * 6],
        play={"day 2": DAY_KEYS, "night 2": NIGHT_KEYS, "night 1": {"werewolves": 2}},
    )
    ruling = play(question).ruling
    assert ruling["reason"] == "side", "the game is over before the choices are asked for"
    refused = {(entry["phase"], entry["choice"]) for entry in ruling["refused"]}
    asked_at_night = {*NIGHT_KEYS, "antidote", "poison"} - {"witch", "girl_noticed"}
    asked_by_day = {*DAY_KEYS, *ELECTION_KEYS} - {"sheriff"}
    assert refused == {
        *(("night 2", choice) for choice in asked_at_night),
        *(("day 2", choice) for choice in asked_by_day),
    }


RULING: dict[str, Any] = {
    "out": {6: ("night 1", "werewolves")},
    "in_play": (1, 2, 3),
    "winner": "none",
    "winners": (),
    "told": {4: {"night 1": {"victim": 6}, "night 2": {"victim": "none"}}},
    "announced": {"day 1": (6,)},
    "tally": {"day 1": {1: 2.5}},
    "exiled": {"day 1": 1},
    "refused": [
        {"phase": "night 2", "by": 8, "choice": "guard", "target": 3},
        {"phase": "day 1", "by": 3, "choice": "votes", "target": 4},
    ],
}
ALL_REFUSED = [{"choice": "votes"}, {"phase": "night 2", "by": 8, "choice": "guard", "target": 3}]


@pytest.mark.parametrize(
    "expect",
    [
        {},
        {"out": {6: ["night 1", "werewolves"]}},
        {"in_play": [3, 1, 2]},
        {"told": {4: {"night 1": {"victim": 6}}}},
        {"told": {4: {"night 3": {}}, 5: {"night 1": {}}}},
        {"announced": {"day 1": [6], "day 2": []}},
        {"tally": {"day 1": {1: 2.5}, "day 2": {}}},
        {"exiled": {"day 1": 1, "day 2": "none"}},
    ],
    ids=str,
)
def test_what_is_expected_and_came_is_no_difference(expect: dict[str, Any]) -> None:
    asked = Expect.model_validate({**expect, "refused": ALL_REFUSED}, context={"players": 8})
    assert differences(expected(asked), RULING) == []


@pytest.mark.parametrize(
    ("expect", "key"),
    [
        ({"out": {}}, "out"),
        ({"out": {6: ["day 1", "werewolves"]}}, "out"),
        ({"in_play": [1, 2]}, "in_play"),
        ({"winner": "draw"}, "winner"),
        ({"told": {4: {"night 1": {}}}}, "told.4.night 1"),
        ({"told": {4: {"night 3": {"victim": 6}}}}, "told.4.night 3"),
        ({"announced": {"day 1": []}}, "announced.day 1"),
        ({"tally": {"day 1": {1: 2}}}, "tally.day 1"),
        ({"exiled": {"day 1": "none"}}, "exiled.day 1"),
        ({"refused": []}, "refused"),
        ({"refused": [{"choice": "votes"}, {"choice": "votes"}]}, "refused"),
        ({"refused": [{"choice": "votes", "target": 5}, {"choice": "guard"}]}, "refused"),
        ({"refused": [*ALL_REFUSED, {"choice": "seer"}]}, "refused"),
    ],
    ids=str,
)
def test_what_is_expected_and_did_not_come_is_a_difference(expect: dict[str, Any], key: str) -> None:
    asked = Expect.model_validate({"refused": ALL_REFUSED, **expect}, context={"players": 8})
    found = differences(expected(asked), RULING)
    assert [difference.key for difference in found] == [key]
    assert found[0].expected != found[0].actual


def test_a_refusal_nobody_expected_is_a_difference() -> None:
    asked = Expect.model_validate({"winner": "none"}, context={"players": 8})
    assert differences(expected(asked), RULING) == [Difference("refused", [], RULING["refused"])]
