"""Plans of tournaments: what is wrong with one is told at once, and what one would be is shown before it is played."""

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import yaml

from arena.resources import resource
from arena.terms import UnusableInput
from arena.tournament import show
from arena.tournament.forecast import Forecast, forecast
from arena.tournament.loading import load_tournament
from tests.command_line import CommandLine

TWO: dict[str, Any] = {"cold": {"scripted": "cold-logician"}, "hot": {"scripted": "hot-charger"}}
PLAN: dict[str, Any] = {"players": 6, "language": "en", "question": {"games": 8}, "seed": 5, "competitors": TWO}

MISTAKES: dict[str, tuple[str, list[str]]] = {
    "nothing": ("", ["line 1: null is not allowed; allowed: a mapping with the keys title, ruleset"]),
    "no seed, no competitors": (
        "players: 6\n",
        ["line 1: competitors: missing", "line 1: seed: missing"],
    ),
    "out of range": (
        "seed: -1\nmargin: 0\nconcurrency: 0\nfaults: -1\ncap: {games: 0, usd: -1, hours: 0}\n",
        ["line 1: seed: ", "line 2: margin: ", "line 3: concurrency: ", "line 4: faults: "]
        + [f"line 5: cap: {key}: " for key in ("games", "hours", "usd")],
    ),
    "unknown words": (
        "seed: 1\nformat: duels\nquestion: best\nlanguage: fr\ncolour: red\n",
        [
            "line 2: format: 'duels' is not allowed; allowed: 'duel', 'trio', 'mixed' or 'series'",
            "line 3: question: one of leader, order, {top: NUMBER}, {games: NUMBER}",
            "line 4: language: 'fr' is not allowed; allowed: 'zh' or 'en'",
            "line 5: colour: unknown key; known: title, ruleset",
        ],
    ),
    "unknown keys deeper down": (
        "seed: 1\ncap: {euro: 3}\nendpoints:\n  home:\n    base_url: http://127.0.0.1:1/v1\n    model: m\n"
        "    price: {in: 1}\n    flights: 3\n",
        [
            "line 2: cap: euro: unknown key; known: games, usd, hours",
            "line 7: endpoints: home: price: in: unknown key; known: input, output, cached",
            "line 7: endpoints: home: price: input: missing",
            "line 7: endpoints: home: price: output: missing",
            "line 8: endpoints: home: flights: unknown key; known: base_url, model",
        ],
    ),
    "a ruleset nobody knows, beside another mistake": (
        "seed: x\nruleset: no-such\n",
        [
            "line 1: seed: 'x' is not allowed; allowed: a whole number",
            "line 2: ruleset: unknown ruleset 'no-such'; known: ",
        ],
    ),
    "a ruleset nobody knows, beside a wrong number of players": (
        "seed: 1\nruleset: no-such\nplayers: nine\n",
        [
            "line 2: ruleset: unknown ruleset 'no-such'; known: ",
            "line 3: players: 'nine' is not allowed; allowed: a whole number",
        ],
    ),
    "cards that make no game, beside an unknown knob": (
        "seed: 1\nplayers: 9\nrules: {sheriff.wait: 2}\ncards: {werewolf: 9}\n",
        ["line 3: rules: sheriff.wait: unknown knob", "line 4: cards: "],
    ),
    "every knob": (
        "seed: 1\nrules:\n  sheriff.wait: 2\n  sheriff.weight: 3\n",
        [
            "line 3: rules: sheriff.wait: unknown knob",
            "line 4: rules: sheriff.weight: 3 is not allowed; allowed: 1.5, 2",
        ],
    ),
    "knobs nobody knows": (
        "seed: 1\nrules:\n  sheriff.weigth: 2\n  x: 3\n  vote.tied: none\n",
        [
            "line 3: rules: sheriff.weigth: unknown knob 'sheriff.weigth'; the nearest is sheriff.weight; "
            "arena rulesets ID --json lists all",
            "line 4: rules: x: unknown knob 'x'",
            "line 5: rules: vote.tied: unknown knob 'vote.tied'; the nearest is vote.tie",
        ],
    ),
    "cards": (
        "seed: 1\nplayers: 9\ncards: {werewolf: 2, villager: 3}\n",
        ["line 3: cards: 5 cards for 9 players; both must be the same"],
    ),
    "players": ("seed: 1\nplayers: 40\n", ["line 2: players: ruleset duskwald: no setup for 40 players; there are "]),
    "keys that repeat, beside other mistakes": (
        "seed: 1\nplayers: 9\nseed: 2\nplayers: nine\ncap: {games: 0}\n",
        [
            "line 3: the key seed is in line 1 already; it may be given once",
            "line 4: players: 'nine' is not allowed; allowed: a whole number",
            "line 4: the key players is in line 2 already; it may be given once",
            "line 5: cap: games: 0 is not allowed; allowed: 1 or more",
        ],
    ),
    "mistakes in either value of a key that repeats": (
        "seed: 1\nplayers: nine\ncap:\n  games: 0\nplayers: 9\ncap:\n  usd: -1\n",
        [
            "line 2: players: 'nine' is not allowed; allowed: a whole number",
            "line 4: cap: games: 0 is not allowed; allowed: 1 or more",
            "line 5: the key players is in line 2 already; it may be given once",
            "line 6: the key cap is in line 3 already; it may be given once",
            "line 7: cap: usd: -1 is not allowed; allowed: more than 0",
        ],
    ),
    "a key that repeats, alone": ("seed: 1\nseed: 1\n", ["line 2: the key seed is in line 1 already"]),
    "trio of two": ("seed: 1\nformat: trio\n", ["line 2: format: trio takes three competitors or more; there are 2"]),
    "top of all": (
        "seed: 1\nquestion: {top: 2}\n",
        ["line 2: question: top: 2; from 1 to 1, one less than competitors"],
    ),
}

COMPETITORS: dict[str, tuple[str, list[str]]] = {
    "nobody to be": (
        "  a: {scripted: nobody}\n  b: {model: ollama/x, persona: noone}\n",
        ["line 3: competitors: a: scripted: unknown persona", "line 4: competitors: b: persona: unknown persona"],
    ),
    "two kinds, none": (
        "  a: {}\n  b: {scripted: cold-logician, model: ollama/x}\n"
        "  c: {scripted: cold-logician, persona: hot-charger}\n",
        [
            f"line {line}: competitors: {name}: {what}"
            for line, name, what in (
                (3, "a", "either scripted: PERSONA, or model: NAME"),
                (4, "b", "either scripted: PERSONA, or model: NAME"),
                (5, "c", "scripted: PERSONA stands alone"),
            )
        ],
    ),
    "a competitor nobody is, beside a question for more": (
        "  a: {scripted: nobody}\n  b: {scripted: cold-logician}\nquestion: {top: 2}\nformat: trio\n",
        [
            "line 3: competitors: a: scripted: unknown persona",
            "line 5: question: top: 2; from 1 to 1, one less than competitors",
            "line 6: format: trio takes three competitors or more; there are 2",
        ],
    ),
    "wrong values and wrong keys of one alone": (
        "  a: {scripted: nobody, persona: noone}\n",
        [
            "line 2: competitors: a tournament takes two or more; there is 1",
            "line 3: competitors: a: persona: unknown persona",
            "line 3: competitors: a: scripted: PERSONA stands alone",
            "line 3: competitors: a: scripted: unknown persona",
        ],
    ),
    "models nobody knows": (
        "  a: {model: home}\n  b: {model: nowhere/x, sampling: {temperature: 9, heat: 1}}\n",
        [
            "line 3: competitors: a: model: unknown model 'home'; known: openai/MODEL",
            "line 4: competitors: b: model: unknown model 'nowhere/x'",
            "line 4: competitors: b: sampling: heat: unknown key; known: temperature, top_p",
            "line 4: competitors: b: sampling: temperature: 9 is not allowed; allowed: 2.0 or less",
        ],
    ),
    "no price where money is capped": (
        "  a: {model: deepseek/one}\n  b: {model: ollama/free}\n  c: {model: deepseek/two}\n",
        [
            f"line {line}: competitors: {name}: model: what deepseek/{model} costs is not known, and cap: usd is set; "
            f"endpoints: deepseek/{model}: price: {{input: USD"
            for line, name, model in ((3, "a", "one"), (5, "c", "two"))
        ],
    ),
    "names that no table can hold": (
        '  "": {scripted: cold-logician}\n  "a\\nb": {scripted: cold-logician}\n  "  ": {scripted: cold-logician}\n'
        '  "a\\x1bb": {scripted: cold-logician}\n  " c": {scripted: cold-logician}\n'
        '  "a\\u202eb": {scripted: cold-logician}\n  "d\\te": {scripted: nobody}\n',
        [
            "line 3: competitors: '': no name; allowed: characters that can be seen, with single blanks between them",
            "line 4: competitors: 'a\\nb': no name; ",
            "line 5: competitors: '  ': no name; ",
            "line 6: competitors: 'a\\x1bb': no name; ",
            "line 7: competitors: ' c': no name; ",
            "line 8: competitors: 'a\\u202eb': no name; ",
            "line 9: competitors: 'd\\te': no name; ",
            "line 9: competitors: 'd\\te': scripted: unknown persona",
        ],
    ),
    "names that are alike": (
        "  Kimi K2: {scripted: cold-logician}\n  kimi k2: {scripted: cold-logician}\n"
        "  ＫＩＭＩ K2: {scripted: cold-logician}\n  甲: {scripted: cold-logician}\n",
        [
            "line 4: competitors: kimi k2: differs from 'Kimi K2' in case or width only; every name "
            "must be another one",
            "line 5: competitors: ＫＩＭＩ K2: differs from 'Kimi K2' in case or width only",
        ],
    ),
    "one alone": (
        "  a: {scripted: cold-logician}\n",
        ["line 2: competitors: {a: {scripted: cold-logician}} is not allowed; allowed: a mapping of at least 2"],
    ),
}


def mistakes(path: Path, text: str) -> list[str]:
    file = path / "plan.yaml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(UnusableInput) as caught:
        load_tournament(file)
    told = str(caught.value).splitlines()
    assert all(line.startswith(f"{file}: ") for line in told)
    return [line.removeprefix(f"{file}: ") for line in told]


def assert_told(told: list[str], expected: list[str]) -> None:
    assert len(told) == len(expected), told
    assert sum("lists all" in line for line in told) <= 1
    for line, beginning in zip(told, expected, strict=True):
        assert line.startswith(beginning), told


@pytest.mark.parametrize("name", MISTAKES)
def test_every_mistake_is_told_at_once_with_its_line_and_what_is_allowed(tmp_path: Path, name: str) -> None:
    text, expected = MISTAKES[name]
    if "competitors" not in name and text:
        text += "competitors:\n  a: {scripted: cold-logician}\n  b: {scripted: hot-charger}\n"
    assert_told(mistakes(tmp_path, text), expected)


def test_a_yes_is_no_number(tmp_path: Path) -> None:
    text = """seed: no
players: 9
margin: yes
cap: {games: yes, usd: on, hours: yes}
concurrency: yes
faults: no
endpoints:
  e: {base_url: "http://127.0.0.1:9/v1", model: m, in_flight: yes, thinking: off, price: {input: yes, output: 1}}
competitors:
  a: {model: e}
  b: {scripted: hot-charger}
"""
    told = mistakes(tmp_path, text)
    keys = ("seed", "margin", "games", "usd", "hours", "concurrency", "faults", "in_flight", "thinking", "input")
    assert [key for key in keys if not any(f"{key}: " in line and "number" in line for line in told)] == []


@pytest.mark.parametrize("name", COMPETITORS)
def test_every_competitor_that_cannot_play_is_told(tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    text, expected = COMPETITORS[name]
    assert_told(mistakes(tmp_path, f"cap: {{usd: 3}}\ncompetitors:\n{text}seed: 1\n"), expected)


@pytest.mark.parametrize("name", ["scripted", "models"])
def test_the_examples_can_be_planned(name: str) -> None:
    assert load_tournament(resource("personas") / "plans" / f"{name}.yaml").competitors


def file_of(path: Path, **keys: Any) -> Path:
    file = path / "plan.yaml"
    file.write_text(yaml.safe_dump({**PLAN, **keys}), encoding="utf-8")
    return file


@pytest.fixture
def arena(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> CommandLine:
    return CommandLine(monkeypatch, capsys)


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_a_dry_run_shows_schedule_balance_games_tokens_cost_and_time(
    arena: CommandLine, tmp_path: Path, lang: str
) -> None:
    models = {
        "cold": {"model": "home", "persona": "cold-logician"},
        "hot": {"model": "home", "persona": "hot-charger", "sampling": {"temperature": 1}},
    }
    home = {"base_url": "http://127.0.0.1:9/v1", "model": "m", "price": {"input": 1, "output": 2}, "in_flight": 4}
    file = file_of(tmp_path, language=lang, competitors=models, endpoints={"home": home})
    ran = arena("tournament", file, "--dry-run", "--out", tmp_path / "out")
    assert (ran.status, ran.err) == (0, "")
    assert not (tmp_path / "out").exists()
    cards = ("Werewolf", "Guard", "the village") if lang == "en" else ("狼人", "守卫", "好人阵营")
    for shown in ("b001-d001-l01", "b001-d001-l02", *cards):
        assert shown in ran.out
    said = "calls" if lang == "en" else "次调用"
    estimate = next(line for line in ran.out.splitlines() if said in line)
    calls, prompt = map(int, re.findall(r"\d+", estimate)[:2])
    assert prompt > 1000 * calls > 0
    assert ("8 games are expected" if lang == "en" else "预计约 8 局") in ran.out
    assert ("The time is for models" if lang == "en" else "时间按模型") in " ".join(ran.out.split())


def test_a_lopsided_board_is_warned_of_with_its_figure(arena: CommandLine, tmp_path: Path) -> None:
    lopsided = {"players": 6, "cards": {"werewolf": 1, "seer": 1, "guard": 1, "villager": 3}}
    tournament = load_tournament(file_of(tmp_path, **lopsided))
    assert show.village_rate(tournament) > show.EVEN[1]
    ran = arena("tournament", file_of(tmp_path, **lopsided), "--dry-run")
    assert "lopsided" in ran.out


def test_a_known_board_is_not_played_to_know_how_even_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(show, "results", None)
    assert show.village_rate(load_tournament(file_of(tmp_path))) == pytest.approx(0.464, abs=0.1)


def test_the_games_expected_are_what_such_tournaments_take(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In the benchmark's world, which knows more kinds of luck, a leader among six takes 210 games."""
    names = ("cold-logician", "dry-joker", "hot-charger", "paranoid-detective", "warm-host", "poker-shark")
    six = {"competitors": {name: {"scripted": name} for name in names}, "players": 9, "question": "leader"}
    tournament = load_tournament(file_of(tmp_path, **six))
    leader = forecast(tournament.schedule(), tournament.asked, 0.45)
    assert 120 <= leader.low < leader.mean < leader.high < 360
    assert 150 < leader.mean < 250
    monkeypatch.setattr("arena.tournament.forecast.FIELDS", 3)
    order = forecast(tournament.schedule(), replace(tournament.asked, aim="order"), 0.45)
    assert order.mean > 2 * leader.mean
    assert forecast(tournament.schedule(), replace(tournament.asked, games=90), 0.45) == Forecast(90, 90, 90, open=3)


def test_a_dry_run_expects_no_more_games_than_the_caps_leave_room_for(arena: CommandLine, tmp_path: Path) -> None:
    home = {"base_url": "http://127.0.0.1:9/v1", "model": "m", "price": {"input": 1, "output": 2}}
    models = {name: {"model": "home", "persona": name} for name in ("cold-logician", "hot-charger")}
    keys = {"competitors": models, "endpoints": {"home": home}, "question": "leader"}

    def expected(**cap: float) -> tuple[int, float, int, float]:
        said = " ".join(arena("tournament", file_of(tmp_path, **keys, cap=cap), "--dry-run").out.split())
        found = re.search(r"About (\d+) games .*?: ([\d.]+) USD, .*?; (\d+) at most: ([\d.]+) USD", said)
        assert found, said
        return int(found[1]), float(found[2]), int(found[3]), float(found[4])

    free = expected()
    each = free[3] / free[2]
    assert free[2] == 960
    mean, usd, most, all_usd = expected(usd=10 * each)
    assert (mean, most) == (10, 10)
    assert usd == all_usd == pytest.approx(10 * each, abs=0.01)
    assert expected(hours=0.5)[2] < 960
    said = " ".join(arena("tournament", file_of(tmp_path, **keys, cap={"usd": each / 2}), "--dry-run").out.split())
    found = re.search(r"The caps leave no room for one game, which takes about ([\d.]+) USD", said)
    assert found
    assert float(found[1]) == pytest.approx(each, abs=0.001)
