"""`arena ruling`: the account, the ruling, the reasons, the comparison; exit status; JSON."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from arena.scenario.consequences import Path as Way
from arena.scenario.expect import Expect
from arena.scenario.file import Day, Election, Night, load_scenario
from arena.scenario.influence import influences
from arena.scenario.play import play
from arena.scenario.wording import consequence
from arena.terms import LANGUAGES, Lang
from tests.command_line import CommandLine

RAW: dict[Lang, str] = {"zh": r"[A-Za-z]{3}|[._{}]", "en": r"[._{}]"}
"""What no consequence that is told in words has in it."""

CLASH: dict[str, Any] = {
    "name": "guard and witch on the same victim",
    "ruleset": "duskwald",
    "seats": ["werewolf", "werewolf", "seer", "witch", "guard", "hunter", "villager", "villager"],
    "play": {"night 1": {"guard": 7, "werewolves": 7, "witch": {"antidote": True}}},
    "expect": {"out": {7: ["night 1", "werewolves"]}},
}


@pytest.fixture
def arena(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> CommandLine:
    return CommandLine(monkeypatch, capsys)


def written(folder: Path, name: str = "clash", **keys: Any) -> Path:
    file = folder / f"{name}.yaml"
    whole = {key: value for key, value in {**CLASH, **keys}.items() if value is not None}
    file.write_text(yaml.safe_dump(whole), encoding="utf-8")
    return file


@pytest.mark.parametrize(
    ("lang", "account", "reason", "verdict"),
    [
        ("zh", "昨夜出局：7号。", "guard.with_antidote: dies　同守同救：", "与预期一致。"),
        ("en", "Out last night: seat 7.", "guard.with_antidote: dies · When guard and antidote", "As expected."),
    ],
)
def test_a_ruling_is_told_with_its_reasons(
    tmp_path: Path, arena: CommandLine, lang: Lang, account: str, reason: str, verdict: str
) -> None:
    ran = arena("ruling", written(tmp_path), "--lang", lang)
    assert (ran.status, ran.err) == (0, "")
    lines = [line.strip() for line in ran.out.splitlines()]
    assert lines[1] == CLASH["name"]
    assert account in lines
    assert "out: {7: [night 1, werewolves]}" in lines
    because = next(i for i, line in enumerate(lines) if line.startswith(reason))
    assert "lives" in lines[because + 1]
    assert "out: {}" in lines[because + 1]
    assert lines[-1] == verdict


def test_the_reasons_are_the_knobs_that_would_have_changed_what_was_asked(tmp_path: Path) -> None:
    scenario = load_scenario(str(written(tmp_path)))
    found = {influence.knob: influence for influence in influences(scenario, play(scenario))}
    assert set(found) == {"night_order", "guard.with_antidote", "witch.hides_prevented"}
    assert found["guard.with_antidote"].other == "lives"
    assert [(change.key, change.actual) for change in found["guard.with_antidote"].changes] == [("out", {})]


FAR: dict[str, tuple[dict[str, Any], str, Any]] = {
    "a table too small for a sheriff": (
        {
            "ruleset": "last-words",
            "seats": [*["werewolf"] * 3, "seer", "witch", "hunter", *["villager"] * 3],
            "play": {"day 1": {"sheriff": {"run": [4]}}},
            "expect": {"sheriff": "none", "refused": [{"phase": "day 1", "by": 4, "choice": "run"}]},
        },
        "sheriff.min_players",
        9,
    ),
    "a sheriff at any table": (
        {
            "ruleset": "village",
            "rules": {"sheriff.min_players": 0},
            "play": {"day 1": {"sheriff": {"votes": {1: 4}}}},
            "expect": {"sheriff": 4},
        },
        "sheriff.min_players",
        9,
    ),
    "too many in play for a draw": (
        {
            "ruleset": "lyingman-s2",
            "seats": [*["werewolf"] * 3, "seer", "witch", "hunter", *["villager"] * 3],
            "play": {"day 2": {}},
            "expect": {"winner": "none"},
        },
        "stalemate_max_seats",
        9,
    ),
    "few enough in play for a draw": (
        {
            "ruleset": "lyingman-s2",
            "seats": ["werewolf", "seer", "witch", "villager"],
            "play": {"day 1": {}},
            "expect": {"winner": "draw", "reason": "stalemate"},
        },
        "stalemate_max_seats",
        3,
    ),
    "a draw long after": (
        {"play": {"day 1": {}}, "expect": {"winner": "none"}},
        "stalemate_cycles",
        1,
    ),
    "an election the day after": (
        {
            "ruleset": "tournament",
            "seats": [*["werewolf"] * 4, "seer", "witch", "hunter", "guard", *["villager"] * 4],
            "play": {"day 2": {"sheriff": {"run": [5, 6], "votes": {9: 5}}}},
            "rules": {"sheriff.election": {"day": 2}},
            "expect": {"sheriff": 5},
        },
        "sheriff.election",
        {"day": 3, "before_announcement": True},
    ),
}


@pytest.mark.parametrize(("keys", "knob", "other"), FAR.values(), ids=FAR.keys())
def test_a_number_is_a_reason_however_far_off_it_would_turn_the_game(
    tmp_path: Path, keys: dict[str, Any], knob: str, other: object
) -> None:
    scenario = load_scenario(str(written(tmp_path, **keys)))
    found = {influence.knob: influence.other for influence in influences(scenario, play(scenario))}
    assert found[knob] == other


@pytest.mark.parametrize(
    ("lang", "other"), [("zh", "若 witch 排在 werewolves 之前："), ("en", "with witch before werewolves: ")]
)
def test_an_order_that_is_a_reason_names_the_two_that_change_places(
    tmp_path: Path, arena: CommandLine, lang: Lang, other: str
) -> None:
    lines = [line.strip() for line in arena("ruling", written(tmp_path), "--lang", lang).out.splitlines()]
    [at] = [i for i, line in enumerate(lines) if line.startswith("night_order: ")]
    assert lines[at + 1].startswith(other)


FIGURES: dict[str, Any] = {
    "ruleset": "last-words",
    "seats": [*["werewolf"] * 4, "seer", "witch", "hunter", "guard", *["villager"] * 4],
    "play": {"night 1": {"werewolves": 5, "witch": {"poison": 7}}, "day 1": {"votes": {1: 6}}},
    "expect": {
        "out": {5: ["night 1", "werewolves"], 7: ["night 1", "poison"], 6: ["day 1", "exile"]},
        "winner": "none",
    },
}


@pytest.mark.parametrize(
    ("lang", "reason", "other"),
    [
        ("zh", "关键人物：12人局预言家、女巫、猎人、守卫。没发的牌不算。", "若去掉 guard：winner: werewolves"),
        (
            "en",
            "Key figures: with 12 players Seer, Witch, Hunter, Guard. One that wasn't dealt doesn't count.",
            "with guard left out: winner: werewolves",
        ),
    ],
)
def test_a_key_figure_is_a_reason_by_itself(
    tmp_path: Path, arena: CommandLine, lang: Lang, reason: str, other: str
) -> None:
    ran = arena("ruling", written(tmp_path, **FIGURES), "--lang", lang)
    assert (ran.status, ran.err) == (0, "")
    lines = [line.strip() for line in ran.out.splitlines()]
    [at] = [i for i, line in enumerate(lines) if line.startswith("key_figures: [seer, witch, hunter, guard]")]
    assert lines[at].endswith(reason)
    assert lines[at + 1] == other


BLAMED: dict[str, Any] = {
    "name": "a scapegoat in love",
    "seats": ["werewolf", "werewolf", "seer", "scapegoat", "cupid", "villager", "villager", "villager"],
    "play": {"night 1": {"cupid": [4, 6]}, "day 1": {"votes": {1: 7, 2: 8}, "goat": [3]}, "day 2": {}},
    "expect": {"out": {4: ["day 1", "scapegoat"], 6: ["day 1", "lover"]}, "voters": {"day 2": [3]}},
}


@pytest.mark.parametrize(
    ("lang", "reasons"),
    [
        (
            "zh",
            {
                "替罪羊　你是替罪羊。": "因此：4号出局；谁投票（第2天）；4号可以指定3号明天投票（第1天）",
                "丘比特　你是丘比特。": "因此：6号出局",
            },
        ),
        (
            "en",
            {
                "Scapegoat · You are the scapegoat.": "so: seat 4 goes out; who votes (day 2); "
                "seat 4 can name seat 3 for tomorrow's vote (day 1)",
                "Cupid · You are Cupid.": "so: seat 6 goes out",
            },
        ),
    ],
)
def test_what_follows_from_a_card_alone_names_the_card(
    tmp_path: Path, arena: CommandLine, lang: Lang, reasons: dict[str, str]
) -> None:
    ran = arena("ruling", written(tmp_path, **BLAMED), "--lang", lang)
    assert (ran.status, ran.err) == (0, "")
    lines = [line.strip() for line in ran.out.splitlines()]
    for card, consequences in reasons.items():
        [at] = [i for i, line in enumerate(lines) if line.startswith(card)]
        assert lines[at + 1] == consequences
    assert "may_skip" not in ran.out, "the script says nothing of an attack, so nothing follows from what forbids none"


def test_what_holds_in_every_game_is_a_reason_where_nothing_else_is(tmp_path: Path, arena: CommandLine) -> None:
    file = written(
        tmp_path, play={"day 1": {"votes": {1: 7}, "shoot": {6: 1}}}, expect={"out": {7: ["day 1", "exile"]}}
    )
    [told] = [json.loads(line) for line in arena("ruling", "--json", "--lang", "en", file).out.splitlines()]
    grounds = {(ground["kind"], ground["name"]): ground for ground in told["grounds"]}
    assert grounds["rule", "exile"]["sentence"] == "The seat with the most votes is exiled."
    assert grounds["rule", "exile"]["follows"] == [["out", 7]]
    assert grounds["card", "hunter"]["follows"] == [["refused", "shoot", 6, "day 1", "1"]]


KEYS = ("antidote", "poison", *dict.fromkeys((*Night.keys(), *Day.keys(), *Election.keys())))
"""What a script can let a seat choose, and the headings under which some of it stands."""


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("kind", ["asked", "refused"])
def test_every_choice_of_a_script_has_words(lang: Lang, kind: str) -> None:
    for key in KEYS:
        if key in {"girl_noticed", "sheriff"}:
            continue  # chance, and a heading
        for by, target in ((1, ""), (1, "3"), (1, "none"), (0, "seer")):
            if target == "seer" and key != "thief":
                continue
            said = consequence((kind, key, by, "day 2", target), lang)
            assert not re.search(RAW[lang], said), said
            assert ("3" in said) <= (target == "3")


@pytest.mark.parametrize("key", sorted({*Expect.keys()} - {"refused"}))
def test_every_key_of_a_ruling_has_words(key: str) -> None:
    for lang in LANGUAGES:
        path: Way = (key, 3, "night 2") if key == "told" else (key,)
        assert not re.search(RAW[lang], consequence(path, lang))


def test_the_words_for_a_consequence_say_who_what_and_when() -> None:
    assert (
        consequence(("asked", "werewolves", 1, "night 1", "2"), "en") == "seat 1 can propose to attack seat 2 (night 1)"
    )
    assert consequence(("asked", "werewolves", 1, "night 1", "2"), "zh") == "1号可以提议袭击2号（第1夜）"
    assert consequence(("refused", "hunter", 0, "night 1", "2"), "en") == "nobody can act on seat 2 as Hunter (night 1)"
    assert consequence(("in_play", 4), "zh") == "4号留在场上"
    assert (
        consequence(("tally", "day 2 sheriff runoff"), "en")
        == "how the votes are counted (day 2, run-off of the election)"
    )
    assert consequence(("told", 5, "night 2"), "zh") == "5号得知什么（第2夜）"


SPARED: dict[str, tuple[dict[str, Any], tuple[str, str]]] = {
    "an idiot escapes": (
        {"seats": [*CLASH["seats"][:-1], "idiot"], "play": {"day 1": {"votes": {1: 8}}}},
        ("card", "idiot"),
    ),
    "a scapegoat takes the blame": (
        {"seats": [*CLASH["seats"][:-1], "scapegoat"], "play": {"day 1": {"votes": {1: 3, 2: 4}, "goat": [3]}}},
        ("card", "scapegoat"),
    ),
    "the votes are equal": (
        {"play": {"day 1": {"votes": {1: 3, 2: 4}}}},
        ("rule", "no_exile"),
    ),
    "nobody votes": ({"play": {"day 1": {}}}, ("rule", "no_exile")),
}


@pytest.mark.parametrize(("keys", "ground"), SPARED.values(), ids=SPARED.keys())
def test_an_exile_that_does_not_come_is_explained_by_what_prevents_it(
    tmp_path: Path, arena: CommandLine, keys: dict[str, Any], ground: tuple[str, str]
) -> None:
    file = written(tmp_path, **keys, expect={"exiled": {"day 1": "none"}})
    [told] = [json.loads(line) for line in arena("ruling", "--json", "--lang", "en", file).out.splitlines()]
    assert told["as_expected"]
    found = [(one["kind"], one["name"]) for one in told["grounds"] if ["exiled", "day 1"] in one["follows"]]
    assert found == [ground]


RULED = [
    "guard-and-antidote-clash",
    "mixed-lovers-win-with-their-cupid",
    "an-idiot-sheriff-passes-the-badge",
    "a-tied-election-without-run-off",
    "exiled-elder-strips-the-idiot",
]


@pytest.mark.parametrize("name", RULED)
def test_no_knob_is_a_reason_for_what_would_be_the_same_without_it(name: str) -> None:
    scenario = load_scenario(str(Path(__file__).parent / "scenarios" / f"{name}.yaml"))
    came = play(scenario).ruling
    found = list(influences(scenario, play(scenario)))
    assert found
    for influence in found:
        other = play(scenario, scenario.ruleset.with_rules({influence.knob: influence.other}, "turned")).ruling
        for key, *rest in influence.follows:
            if key == "asked":
                continue
            if key == "in_play":
                assert set(rest) <= set(came["in_play"]) - set(other["in_play"])
            elif key in {"out", "revealed"} and rest:
                assert came[str(key)][rest[0]] != other[str(key)].get(rest[0])
            else:
                assert came[str(key)] != other[str(key)]


def test_a_knob_that_was_turned_already_is_told_at_its_value(tmp_path: Path, arena: CommandLine) -> None:
    file = written(tmp_path, rules={"guard.with_antidote": "lives"}, expect=None)
    ran = arena("ruling", file, "--lang", "en")
    assert ran.status == 0
    assert "guard.with_antidote: lives" in ran.out
    assert "with dies: out: {7: [night 1, werewolves]}" in ran.out
    assert "xpected" not in ran.out


@pytest.mark.parametrize(
    ("lang", "difference"),
    [
        ("zh", "out：预期 {8: [night 1, werewolves]}，裁定 {7: [night 1, werewolves]}"),
        ("en", "out: expected {8: [night 1, werewolves]}, ruled {7: [night 1, werewolves]}"),
    ],
)
def test_a_difference_is_named_and_is_exit_status_1(
    tmp_path: Path, arena: CommandLine, lang: Lang, difference: str
) -> None:
    file = written(tmp_path, expect={"out": {8: ["night 1", "werewolves"]}, "winner": "none"})
    ran = arena("ruling", file, "--lang", lang)
    assert (ran.status, ran.err) == (1, "")
    assert [line.strip() for line in ran.out.splitlines()][-1] == difference


def test_a_refusal_nobody_expected_is_exit_status_1(tmp_path: Path, arena: CommandLine) -> None:
    file = written(tmp_path, play={"night 1": {"seer": 3}}, expect={"out": {}})
    ran = arena("ruling", file, "--lang", "en")
    assert ran.status == 1
    assert "refused: expected [], ruled [{phase: night 1, by: 3, choice: seer, target: 3}]" in ran.out


def test_json_is_one_object_a_file_and_an_unusable_file_stops_no_other(tmp_path: Path, arena: CommandLine) -> None:
    right = written(tmp_path)
    unasked = written(tmp_path, "unasked", expect=None)
    wrong = written(tmp_path, "wrong", expect={"winner": "draw"})
    unusable = written(tmp_path, "unusable", seats=["wizard"])
    ran = arena("ruling", "--json", right, unusable, unasked, wrong)
    assert ran.status == 2
    assert ran.err.startswith(f"arena: {unusable}: seats: seat 1: unknown role 'wizard'; known: ")
    assert ran.err.count("\n") == 1
    told = [json.loads(line) for line in ran.out.splitlines()]
    assert [(ruling["file"], ruling["as_expected"]) for ruling in told] == [
        (str(right), True),
        (str(unasked), None),
        (str(wrong), False),
    ]
    assert told[0]["ruling"]["out"] == {"7": ["night 1", "werewolves"]}
    assert told[0]["differences"] == []
    assert "guard.with_antidote" in {why["knob"] for why in told[0]["why"]}
    assert told[2]["differences"] == [{"key": "winner", "expected": "draw", "actual": "none"}]


def test_a_game_that_is_over_is_told_to_its_end(tmp_path: Path, arena: CommandLine) -> None:
    file = written(
        tmp_path,
        seats=["werewolf", "witch", "seer", "villager"],
        play={"night 1": {"werewolves": 4}, "day 3": {}},
        expect={"winner": "werewolves", "winners": [1], "reason": "side"},
    )
    ran = arena("ruling", file, "--lang", "en")
    assert ran.status == 0
    assert "Winning seats: seat 1." in ran.out
    assert "winner: werewolves" in ran.out
