"""Tournaments as they are run: planned, played, interrupted, gone on with, and read."""

import asyncio
from pathlib import Path
from typing import Any

import pytest
import yaml

from arena.resources import resource
from arena.terms import UnusableInput
from arena.tournament.folder import Folder
from arena.tournament.plan import Tournament, load_tournament
from arena.tournament.played import game_of
from arena.tournament.report import read_report, standings_csv, standings_data
from arena.tournament.run import Run, header_of
from arena.tournament.schedule import full_block
from arena.transcript import read
from tests.matches import play

PLAN: dict[str, Any] = {
    "players": 6,
    "language": "en",
    "question": {"games": 8},
    "seed": 5,
    "competitors": {"cold": {"scripted": "cold-logician"}, "hot": {"scripted": "hot-charger"}},
}


def planned(path: Path, **keys: Any) -> Tournament:
    file = path / "plan.yaml"
    file.write_text(yaml.safe_dump({**PLAN, **keys}), encoding="utf-8")
    return load_tournament(file)


def run(tournament: Tournament, path: Path) -> Folder:
    with Folder(path) as folder:
        folder.begin(tournament)
        asyncio.run(Run(tournament, folder).play())
    return folder


def test_the_same_plan_gives_the_same_standing_whole_or_interrupted(tmp_path: Path) -> None:
    tournament = planned(tmp_path)
    whole = run(tournament, tmp_path / "whole")
    assert len(list((tmp_path / "whole" / "games").iterdir())) == 8
    run(tournament, tmp_path / "cut")
    files = sorted((tmp_path / "cut" / "games").iterdir())
    files[0].unlink()
    lines = files[1].read_bytes().splitlines(keepends=True)
    files[1].write_bytes(b"".join(lines[: len(lines) // 2]))
    files[2].write_bytes(b"no transcript\n")
    cut = run(tournament, tmp_path / "cut")
    data = standings_data(read_report(whole))
    assert data["games"] == 8
    assert data["settled"]
    found = standings_data(read_report(cut))
    assert [void.cause.split(":")[0] for void in cut.voids()] == ["corrupt"]
    for row in (*data["competitors"], *found["competitors"]):
        row.pop("voids")
    assert found["competitors"] == data["competitors"]
    assert standings_csv(read_report(whole)).splitlines()[0].startswith("name,games,skill")


def test_a_folder_is_for_one_process_and_one_plan(tmp_path: Path) -> None:
    tournament = planned(tmp_path)
    with Folder(tmp_path / "t") as folder:
        folder.begin(tournament)
        with pytest.raises(UnusableInput, match="is being played by another process"), Folder(tmp_path / "t"):
            pass
    with Folder(tmp_path / "t") as folder, pytest.raises(UnusableInput, match="another plan is played here"):
        folder.begin(planned(tmp_path, seed=6))
    with pytest.raises(UnusableInput, match="no tournament"):
        Folder(tmp_path).tournament()


def test_every_mistake_of_a_plan_is_told_with_its_line(tmp_path: Path) -> None:
    file = tmp_path / "plan.yaml"
    file.write_text(
        "seed: -1\nformat: duels\nquestion: best\ncolour: red\n"
        "competitors:\n  a: {scripted: nobody}\n  b: {model: ollama/x, scripted: dry-joker}\n",
        encoding="utf-8",
    )
    with pytest.raises(UnusableInput) as caught:
        load_tournament(file)
    told = str(caught.value).splitlines()
    assert [line.split(": ")[1] for line in told] == ["line 2", "line 3", "line 1", "line 6", "line 7", "line 4"]
    assert "unknown key; known: title, ruleset" in told[-1]


@pytest.mark.parametrize("name", ["scripted", "models"])
def test_the_examples_can_be_planned(name: str) -> None:
    assert load_tournament(resource("personas") / "plans" / f"{name}.yaml").competitors


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
