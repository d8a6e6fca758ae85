"""Tournaments as they are run: planned, played, interrupted, gone on with, and read."""

import asyncio
import gc
import json
import os
import re
import sys
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from arena.match import Match
from arena.terms import Halted, UnusableInput
from arena.tournament.folder import Folder
from arena.tournament.plan import Tournament
from arena.tournament.play import header_of
from arena.tournament.played import game_of
from arena.tournament.report import read_report, standings_csv, standings_data
from arena.tournament.run import ALLOCATIONS, TRIES, Run
from arena.tournament.schedule import full_block, next_block
from arena.transcript import read
from tests.command_line import CommandLine
from tests.matches import play
from tests.tournament_games import file_of, lines, planned, played, run_of


@pytest.fixture
def arena(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> CommandLine:
    return CommandLine(monkeypatch, capsys)


def test_the_same_plan_gives_the_same_standing_whole_or_interrupted(tmp_path: Path) -> None:
    tournament = planned(tmp_path)
    whole = played(tournament, tmp_path / "whole")
    assert len(list((tmp_path / "whole" / "games").iterdir())) == 8
    played(tournament, tmp_path / "cut")
    files = sorted((tmp_path / "cut" / "games").iterdir())
    files[0].unlink()
    half = files[1].read_bytes().splitlines(keepends=True)
    files[1].write_bytes(b"".join(half[: len(half) // 2]))
    files[2].write_bytes(b"no transcript\n")
    files[3].write_bytes(files[4].read_bytes())
    changed = files[5].read_bytes().splitlines(keepends=True)
    files[5].write_bytes(b"".join(changed[: len(changed) // 2] + changed[-3:-1]))
    cut = played(tournament, tmp_path / "cut")
    data = standings_data(read_report(whole))
    assert data["games"] == 8
    assert data["settled"]
    found = standings_data(read_report(cut))
    assert sorted((void.id, void.cause) for void in cut.voids()) == [(files[n].stem, "ours") for n in (2, 3, 5)]
    assert all(str(files[n]) in void.why for n, void in zip((2, 3, 5), sorted(cut.voids(), key=id_of), strict=True))
    assert len(list((tmp_path / "cut" / "voids").iterdir())) == 3
    for row in (*data["competitors"], *found["competitors"]):
        row.pop("voids"), row.pop("points_with_voids")
    assert found["competitors"] == data["competitors"]
    assert standings_csv(read_report(whole)).splitlines()[0].startswith("name,games,skill")


def test_a_game_that_was_changed_after_its_end_is_not_rated(tmp_path: Path) -> None:
    tournament = planned(tmp_path)
    folder = played(tournament, tmp_path / "t")
    true = standings_data(read_report(folder))["competitors"]
    changed = min((tmp_path / "t" / "games").iterdir())
    text = changed.read_text(encoding="utf-8")
    winner, other = ("village", "werewolves") if '"winner":"village"' in text else ("werewolves", "village")
    assert text.count(f'"winner":"{winner}"') == 1
    changed.write_text(text.replace(f'"winner":"{winner}"', f'"winner":"{other}"'), encoding="utf-8")
    report = read_report(folder)
    assert (report.standing.games, *(str(changed) in why for why in report.corrupt)) == (7, True)
    again = played(tournament, tmp_path / "t")
    assert [(stop.id, stop.cause) for stop in again.voids()] == [(changed.stem, "ours")]
    found = standings_data(read_report(again))["competitors"]
    for row in (*true, *found):
        row.pop("voids"), row.pop("points_with_voids")
    assert found == true


def id_of(stop: object) -> str:
    return str(getattr(stop, "id", ""))


def test_a_folder_is_for_one_process_and_one_plan(tmp_path: Path) -> None:
    tournament = planned(tmp_path)
    with Folder(tmp_path / "t") as folder:
        folder.begin(tournament)
        folder.schedule(full_block(tournament.schedule(), 1))
        with pytest.raises(UnusableInput, match="is being played by another process"), Folder(tmp_path / "t"):
            pass
    other = planned(tmp_path, seed=6, margin=0.5)
    with (
        Folder(tmp_path / "t") as folder,
        pytest.raises(UnusableInput, match=r"another plan is played here \(margin, seed\)"),
    ):
        folder.begin(other)
    with pytest.raises(UnusableInput, match="no tournament"):
        Folder(tmp_path).tournament()


def test_how_long_and_how_fast_it_is_played_may_change(tmp_path: Path) -> None:
    played(planned(tmp_path, cap={"games": 3}), tmp_path / "t")
    assert len(list((tmp_path / "t" / "games").iterdir())) == 3
    played(planned(tmp_path, cap={"games": 5}, concurrency=2), tmp_path / "t")
    assert len(list((tmp_path / "t" / "games").iterdir())) == 5


def test_what_was_committed_to_can_be_checked_from_what_is_revealed(tmp_path: Path) -> None:
    tournament = planned(tmp_path)
    with Folder(tmp_path / "t") as folder:
        folder.begin(tournament)
        assert not list((tmp_path / "t" / "games").iterdir())
        commitment = json.loads((tmp_path / "t" / "commitment.json").read_bytes())
    folder = played(tournament, tmp_path / "t")
    folder.reveal(tournament)
    revealed = json.loads((tmp_path / "t" / "revealed.json").read_bytes())
    assert json.loads((tmp_path / "t" / "commitment.json").read_bytes()) == commitment
    assert sha256(str(revealed["seed"]).encode()).hexdigest() == commitment["seed"]
    for name, version in revealed["competitors"].items():
        assert sha256(version.encode()).hexdigest() == commitment["competitors"][name]
    again = planned(tmp_path, seed=revealed["seed"]).schedule()
    blocks = [fixture for number in range(1, 4) for fixture in next_block(again, number, [("cold", "hot")])]
    assert folder.fixtures() == blocks[:8]


@pytest.mark.parametrize(
    ("question", "caps"),
    [
        ({"games": 8}, [{"games": 3}, {"games": 8}]),
        # A standing of so few games is provisional, so no question is answered.
        ("leader", [{"games": 2}, {"games": 6}]),
    ],
)
def test_the_seed_stays_sealed_as_long_as_a_larger_cap_would_play_on(
    arena: CommandLine, tmp_path: Path, question: Any, caps: list[Any]
) -> None:
    out = tmp_path / "t"
    fixed = question != "leader"
    for cap in caps:
        over = fixed and cap == caps[-1]
        ran = arena("tournament", file_of(tmp_path, question=question, cap=cap), "--out", out)
        assert ran.status == 0
        assert (out / "revealed.json").exists() == over
        assert ("The seed stays sealed" in ran.err) != over
        report = read_report(Folder(out))
        assert report.settled == over
        assert ("answered" in ran.out) == over


def test_a_question_answered_within_the_first_blocks_stays_sealed_while_they_are_not_whole(tmp_path: Path) -> None:
    """Both first blocks are played whatever they say."""
    names = ("cold-logician", "hot-charger", "dry-joker")
    keys = {"competitors": {name: {"scripted": name} for name in names}, "question": "leader"}
    with pytest.MonkeyPatch.context() as patch, Folder(tmp_path / "t") as folder:
        patch.setattr("arena.tournament.run.open_pairs", lambda standing, question: ())
        for games, over in ((6, False), (8, True), (12, True)):
            tournament = planned(tmp_path, **keys, cap={"games": games})
            folder.begin(tournament)
            run = run_of(tournament, folder)
            asyncio.run(_play(run))
            assert run.is_over_for_good == over


async def _play(run: Run) -> None:
    await run.play()


def test_who_comes_second_is_refused_before_anything_is_loaded(
    arena: CommandLine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "arena.tournaments", None)
    with Folder(tmp_path / "t"):
        ran = arena("tournament", file_of(tmp_path), "--out", tmp_path / "t")
    assert (ran.status, ran.out) == (2, "")
    assert ran.err == f"arena: {tmp_path / 't'}: this tournament is being played by another process\n"


def test_the_folder_is_taken_before_the_board_is_tried_out(
    arena: CommandLine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def tried(tournament: Tournament) -> float:
        with pytest.raises(UnusableInput, match="is being played by another process"), Folder(tmp_path / "t"):
            pass
        return 0.5

    monkeypatch.setattr("arena.tournaments.village_rate", tried)
    assert arena("tournament", file_of(tmp_path), "--out", tmp_path / "t").status == 0


def test_a_vote_that_was_changed_is_noticed_though_the_file_is_as_long_as_before(tmp_path: Path) -> None:
    folder = played(planned(tmp_path), tmp_path / "t")
    game = min((tmp_path / "t" / "games").iterdir())
    text = game.read_text(encoding="utf-8")
    [*_, vote] = re.finditer(r'"votes":\[\[\d+,(\d)\]', text)
    forged = "2" if vote[1] == "1" else "1"
    game.write_text(text[: vote.start(1)] + forged + text[vote.end(1) :], encoding="utf-8")
    report = read_report(folder)
    assert (report.standing.games, *(str(game) in why for why in report.corrupt)) == (7, True)
    played(planned(tmp_path), tmp_path / "t")
    assert [(stop.id, stop.cause) for stop in folder.voids()] == [(game.stem, "ours")]


def test_games_that_were_copied_are_the_same(tmp_path: Path) -> None:
    folder = played(planned(tmp_path), tmp_path / "t")
    table = standings_data(read_report(folder))
    for game in (tmp_path / "t" / "games").iterdir():
        os.utime(game, ns=(1, 1))
    assert set(Folder(tmp_path / "t").results()) == {fixture.id for fixture in folder.fixtures()}
    assert standings_data(read_report(folder)) == table


def test_until_games_are_scheduled_another_plan_may_take_the_folder(tmp_path: Path) -> None:
    with Folder(tmp_path / "t") as folder:
        folder.begin(planned(tmp_path, seed=6))
    assert played(planned(tmp_path), tmp_path / "t").tournament().seed == 5
    with pytest.raises(UnusableInput, match="another plan is played here"), Folder(tmp_path / "t") as folder:
        folder.begin(planned(tmp_path, seed=6))


def test_a_persona_that_has_changed_is_another_competitor(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tournament = planned(tmp_path)
    with Folder(tmp_path / "t") as folder:
        folder.begin(tournament)
        folder.schedule(full_block(tournament.schedule(), 1))
    versions = {**tournament.versions(), "hot": b"another"}
    monkeypatch.setattr(type(tournament), "versions", lambda self: versions)
    with Folder(tmp_path / "t") as folder, pytest.raises(UnusableInput, match="competitors: hot: not what was"):
        folder.begin(tournament)


@pytest.mark.parametrize("change", [{"extra": {"top_k": 3}}, {"thinking": 500}, {"context": 9000}])
def test_what_an_endpoint_sends_along_belongs_to_the_competitor(tmp_path: Path, change: dict[str, object]) -> None:
    """It outdoes the sampling; where the endpoint stands, and how fast it may be asked, is another matter."""
    plan = {"base_url": "http://127.0.0.1:9/v1", "model": "m"}
    competitors = {"m": {"model": "home"}, "hot": {"scripted": "hot-charger"}}
    with Folder(tmp_path / "t") as folder:
        tournament = planned(tmp_path, endpoints={"home": plan}, competitors=competitors)
        folder.begin(tournament)
        folder.schedule(full_block(tournament.schedule(), 1))
        elsewhere = {**plan, "base_url": "http://127.0.0.1:8/v1", "in_flight": 2}
        folder.begin(planned(tmp_path, endpoints={"home": elsewhere}, competitors=competitors))
        with pytest.raises(UnusableInput, match="competitors: m: not what was"):
            folder.begin(planned(tmp_path, endpoints={"home": {**plan, **change}}, competitors=competitors))


def test_a_schedule_once_written_is_kept_though_a_game_ends_differently(tmp_path: Path) -> None:
    """Blocks that follow from a standing would otherwise no longer follow from it."""
    tournament = planned(tmp_path, question="leader", cap={"games": 30})
    folder = played(tournament, tmp_path / "t")
    before = folder.fixtures()
    written = (tmp_path / "t" / "fixtures.jsonl").read_bytes()
    assert max(fixture.block for fixture in before) > 2
    (tmp_path / "t" / "fixtures.jsonl").write_bytes(written + b'{"id": "half')
    for file in sorted((tmp_path / "t" / "games").iterdir())[:3]:
        file.unlink()
    assert played(tournament, tmp_path / "t").fixtures() == before


def test_a_log_that_was_cut_off_goes_on_and_one_that_was_changed_is_named(tmp_path: Path) -> None:
    tournament = planned(tmp_path)
    with Folder(tmp_path / "t") as folder:
        folder.begin(tournament)
        fixture = full_block(tournament.schedule(), 1)[0]
        folder.stop(fixture, "person", "first")
        stops = tmp_path / "t" / "stops.jsonl"
        stops.write_bytes(stops.read_bytes() + b'{"id": "half')
        folder.stop(fixture, "provider", "second")
        assert [stop.why for stop in folder.stops()] == ["first", "second"]
        stops.write_bytes(b"{}\n" + stops.read_bytes())
        with pytest.raises(UnusableInput, match=r"stops\.jsonl: line 1: was changed"):
            folder.stops()


def test_a_game_that_we_fail_to_play_is_set_aside_and_played_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tournament = planned(tmp_path)
    first, second = full_block(tournament.schedule(), 1)
    failing = {first.id: 1, second.id: TRIES}
    ran = Match.run

    async def run(match: Match) -> object:
        name = match.writer.path.stem
        if failing.get(name):
            failing[name] -= 1
            raise ZeroDivisionError("of ours")
        return await ran(match)

    monkeypatch.setattr(Match, "run", run)
    folder = played(tournament, tmp_path / "t")
    report = read_report(folder)
    assert report.standing.games == 7, "one is left out, and the others go on"
    assert [(v.id, v.number, v.cause, v.why) for v in sorted(folder.voids(), key=id_of)] == [
        (first.id, 1, "ours", "ZeroDivisionError: of ours"),
        *((second.id, number, "ours", "ZeroDivisionError: of ours") for number in range(1, TRIES + 1)),
    ]
    assert not standings_data(report)["settled"]
    assert read_report(played(tournament, tmp_path / "t")).standing.games == 8, "the same command tries again"


def test_a_full_disk_ends_the_run_and_blames_no_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def run(match: Match) -> object:
        raise UnusableInput(f"{match.writer.path}: can't be written: No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(Match, "run", run)
        with pytest.raises(UnusableInput, match="No space left"):
            played(planned(tmp_path), tmp_path / "t")
    folder = played(planned(tmp_path), tmp_path / "t")
    assert not folder.voids()
    assert read_report(folder).standing.games == 8


def test_hours_count_over_all_processes(tmp_path: Path) -> None:
    tournament = planned(tmp_path, cap={"hours": 1})
    with Folder(tmp_path / "t") as folder:
        folder.begin(tournament)
        folder.keep_clock(3600.1)
    with pytest.raises(Halted, match="cap: hours: 1 hours have been played; a larger cap goes on"):
        played(tournament, tmp_path / "t")
    folder = played(planned(tmp_path, cap={"hours": 2}), tmp_path / "t")
    assert read_report(folder).standing.games == 8
    assert folder.clock() > 3600.1


def test_a_cap_that_is_reached_is_an_end_with_a_table(arena: CommandLine, tmp_path: Path) -> None:
    plan = file_of(tmp_path, question={"games": 2000}, cap={"hours": 0.0005})
    for _ in range(2):
        ran = arena("tournament", plan, "--out", tmp_path / "t")
        assert ran.status == 0
        assert "cap: hours: 0.0005 hours have been played; a larger cap goes on" in ran.err
        assert "Paused" not in ran.err
        assert "cold" in ran.out
        assert "are missing" in " ".join(ran.out.split())
    assert 0 < read_report(Folder(tmp_path / "t")).standing.games < 2000


def test_a_run_that_is_stopped_goes_on_and_says_who_stopped_it(tmp_path: Path) -> None:
    tournament = planned(tmp_path)

    async def stopped(folder: Folder) -> None:
        run = run_of(tournament, folder)
        asyncio.get_running_loop().call_soon(run.stop, Halted("enough"))
        await run.play()

    with Folder(tmp_path / "t") as folder:
        folder.begin(tournament)
        with pytest.raises(Halted, match="enough"):
            asyncio.run(stopped(folder))
    assert read_report(played(tournament, tmp_path / "t")).standing.games == 8


def test_garbage_is_collected_as_before_once_a_run_has_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before, seen = gc.get_threshold(), set()
    monkeypatch.setattr(Match, "run", lambda match: seen.add(gc.get_threshold()[0]))
    played(planned(tmp_path), tmp_path / "t")
    assert seen == {ALLOCATIONS}
    assert (gc.get_threshold(), gc.get_freeze_count()) == (before, 0)


def test_a_faction_is_that_after_the_first_night(tmp_path: Path) -> None:
    """Mixed lovers, their cupid and a thief win with whom they belong to by then."""
    tournament = planned(tmp_path, ruleset="lyingman-s2", players=11)
    seen = set()
    for fixture in full_block(tournament.schedule(), 1) + full_block(tournament.schedule(), 2):
        path = tmp_path / f"{fixture.id}.jsonl"
        play(path, header_of(tournament, fixture))
        game = game_of(fixture, read(path), "board", "duel", 5)
        factions = {place.faction for place in game.places}
        assert game.winner in factions | {"draw"}
        seen |= factions
    assert "lovers" in seen


def test_stops_are_a_line_each(tmp_path: Path) -> None:
    tournament = planned(tmp_path)
    with Folder(tmp_path / "t") as folder:
        folder.begin(tournament)
        folder.stop(full_block(tournament.schedule(), 1)[0], "person", "paused")
    (stop,) = lines(tmp_path / "t" / "stops.jsonl")
    assert stop == {"id": "b001-d001-l01", "number": 0, "cause": "person", "why": "paused", "usd": 0.0}
    assert file_of(tmp_path).exists()
