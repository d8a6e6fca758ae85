import gc
import json
from dataclasses import replace
from typing import Any

import pytest

from arena.simulate import CHUNK, Kind, Result, Trial, play, results, summary_data, summed, wilson
from tests.command_line import CommandLine
from tests.games import house

NINE = house().cards(9)
TRIAL = Trial(house(), NINE, seed=3)


@pytest.fixture
def arena(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> CommandLine:
    return CommandLine(monkeypatch, capsys)


def test_a_game_depends_on_seed_and_number_alone() -> None:
    games = [play(TRIAL, number) for number in range(6)]
    assert games == [play(TRIAL, number) for number in range(6)]
    assert games != [play(replace(TRIAL, seed=4), number) for number in range(6)]


def test_the_number_of_processes_changes_nothing() -> None:
    games = CHUNK + 3
    alone = list(results(TRIAL, games, 1))
    assert [len(chunk) for chunk in alone] == [CHUNK, 3]
    assert list(results(TRIAL, games, 2)) == alone


@pytest.mark.parametrize("kind", ["scripted", "random"])
def test_a_game_leaves_no_reference_cycles(kind: Kind) -> None:
    """So nothing piles up while the collector of cycles rests."""
    trial = replace(TRIAL, village=kind, wolves=kind, words=True)
    play(trial, 0)
    gc.collect()
    gc.disable()
    try:
        play(trial, 1)
        assert gc.collect() == 0
    finally:
        gc.enable()


def test_words_change_no_result() -> None:
    assert [play(replace(TRIAL, words=True), n) for n in range(4)] == [play(TRIAL, n) for n in range(4)]


# Published values of the interval of Wilson at 95 %.
@pytest.mark.parametrize(
    ("wins", "games", "low", "high"),
    [(0, 10, 0.0, 0.2775), (5, 10, 0.2366, 0.7634), (10, 10, 0.7225, 1.0), (81, 263, 0.2553, 0.3662)],
)
def test_intervals(wins: int, games: int, low: float, high: float) -> None:
    assert wilson(wins, games) == pytest.approx((low, high), abs=5e-5)


def test_results_are_counted() -> None:
    chunks = [[Result("village", "x", 2), Result("draw", "stalemate", 4)], [Result("village", "y", 3)]]
    summary = summed(chunks)
    assert (summary.games, summary.days, summary.mean_days) == (3, 9, 3.0)
    assert summary.wins == {"village": 2, "draw": 1}
    data = summary_data(TRIAL, summary)
    assert data["reasons"] == {"stalemate": 1, "x": 1, "y": 1}
    assert data["outcomes"]["village"]["wins"] == 2


@pytest.mark.parametrize(("weak", "strong", "least"), [("village", "werewolves", 36), ("wolves", "village", 34)])
def test_scripted_players_beat_random_ones(weak: str, strong: str, least: int) -> None:
    trial = Trial(house(), NINE, 5, **{weak: "random"})  # type: ignore[arg-type]
    assert summed(results(trial, 40, 1)).wins[strong] >= least


def test_the_command_prints_one_json_object(arena: CommandLine) -> None:
    ran = arena("simulate", "--games", 5, "--players", 6, "--jobs", 1, "--seed", 9, "--json")
    data: dict[str, Any] = json.loads(ran.out)
    assert ran.status == 0
    assert (data["games"], data["seed"], sum(data["cards"].values())) == (5, 9, 6)
    assert sum(outcome["wins"] for outcome in data["outcomes"].values()) == 5


@pytest.mark.parametrize(("lang", "words"), [("zh", ("狼人", "95%", "5局")), ("en", ("werewolves", "95 %", "5 games"))])
def test_the_command_prints_a_table(arena: CommandLine, lang: str, words: tuple[str, ...]) -> None:
    cards = "werewolf=1,seer=1,villager=3"
    ran = arena("simulate", "--games", 5, "--cards", cards, "--jobs", 1, "--lang", lang, "--words")
    assert ran.status == 0
    for word in words:
        assert word in ran.out


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (("--players", 99), "no setup for 99 players"),
        (("--ruleset", "nowhere"), "unknown ruleset 'nowhere'"),
        (("--cards", "werewolf"), "--cards werewolf"),
        (("--rule", "vote.tie=perhaps"), "vote.tie"),
        (("--cards", "werewolf=3,villager=2", "--jobs", 1), "over at once"),
    ],
)
def test_what_can_not_be_played_is_one_line(arena: CommandLine, arguments: tuple[object, ...], complaint: str) -> None:
    ran = arena("simulate", "--games", 2, *arguments)
    assert ran.status == 2
    assert complaint in ran.err
    assert len(ran.err.strip().splitlines()) == 1
