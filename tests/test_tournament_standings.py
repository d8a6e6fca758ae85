"""What is kept of the games of a tournament, and what its standings show."""

import csv
import io
from collections import Counter
from dataclasses import replace
from pathlib import Path

import orjson
import pytest
from rich.cells import cell_len
from rich.console import Console

from arena.accounts import Account
from arena.terms import LANGUAGES, Lang, UnusableInput
from arena.texts import texts
from arena.tournament.folder import Folder
from arena.tournament.metrics import METRICS
from arena.tournament.play import header_of
from arena.tournament.played import Conduct
from arena.tournament.report import read_report, standings_csv, standings_data
from arena.tournament.schedule import full_block
from arena.tournament.tables import details, standings_table
from arena.transcript import Writer
from tests.tournament_games import planned, played


def test_what_is_kept_of_games_says_what_their_transcripts_say(tmp_path: Path) -> None:
    """Standings read no transcript of a game that has ended, unless it has changed since; nor trust a cut line."""
    folder = played(planned(tmp_path), tmp_path / "t")
    kept = folder.path / "results.jsonl"
    lines = kept.read_bytes().splitlines(keepends=True)
    assert len(lines) == 8
    table = standings_data(read_report(folder))
    for game in (folder.path / "games").iterdir():
        game.write_bytes(b"x" * game.stat().st_size)
    assert standings_data(read_report(folder)) == table
    (folder.path / "games" / f"{orjson.loads(lines[0])['id']}.jsonl").write_bytes(b"another\n")
    with pytest.raises(UnusableInput, match="line 1"):
        read_report(folder)
    again = played(planned(tmp_path), tmp_path / "again")
    kept = again.path / "results.jsonl"
    kept.write_bytes(b"".join([*kept.read_bytes().splitlines(keepends=True)[:3], b'{"id":"b001']))
    assert standings_data(read_report(again)) == table
    kept.unlink()
    assert standings_data(read_report(again)) == table


@pytest.mark.parametrize("lang", LANGUAGES)
def test_standings_are_whole_at_eighty_columns(tmp_path: Path, lang: Lang) -> None:
    """Every name and number of six competitors is there, in tables side by side."""
    names = ("cold-logician", "dry-joker", "hot-charger", "paranoid-detective", "warm-host", "poker-shark")
    competitors = {name: {"scripted": name} for name in names}
    folder = played(planned(tmp_path, competitors=competitors, question={"games": 30}), tmp_path / "t")
    void = folder.fixtures()[0]
    folder.set_aside(void, "ours", "for the test")
    report = read_report(folder)
    console = Console(width=80, record=True, file=io.StringIO())
    console.print(standings_table(report, lang), *details(report, lang))
    lines = console.export_text().splitlines()
    assert max(map(cell_len, lines)) <= 80
    told = "".join(lines)
    assert "…" not in told
    for row in standings_data(report)["competitors"]:
        for figure in ("votes_on_wolves", "true_claims", "decisive_votes"):
            metric = row["metrics"][figure]
            assert f"{metric['value']:.0%} {100 * metric['low']:.0f}–{100 * metric['high']:.0f}" in told
            assert f"{metric['chance']:.0%} ·{metric['of']}" in told
        assert f"{row['points']:.0f}" in told
        assert f"{row['won']}-{row['lost']}-{row['drawn']}" in told
        for side in row["sides"].values():
            assert f"{side['rate']:.0%} {100 * side['interval'][0]:.0f}–{100 * side['interval'][1]:.0f}" in told
        if row["name"] in void.competitors:
            lost, won = row["points_with_voids"]
            assert lost < row["points"] < won
            assert f"{lost:.0f}–{won:.0f}" in told
        else:
            assert row["points_with_voids"] is None


@pytest.mark.parametrize("lang", LANGUAGES)
def test_standings_say_what_models_took_and_what_is_not_finished(tmp_path: Path, lang: Lang) -> None:
    tournament = planned(tmp_path)
    with Folder(tmp_path / "t") as folder:
        folder.begin(tournament)
        folder.schedule(full_block(tournament.schedule(), 1))
        void, running = folder.fixtures()
        folder.set_aside(void, "provider", "for the test")
        Writer.create(folder.game(running), header_of(tournament, running)).close()
    report = read_report(folder)
    account = Account(calls=1234, prompt=50_000, completion=6_789, usd=0.5, fallback=3, faults=Counter({"illegal": 17}))
    report = replace(report, conduct={"cold": Conduct(account, 2468.0, 3), "hot": Conduct(Account(calls=1), 1.0, 0)})
    console = Console(width=80, record=True, file=io.StringIO())
    console.print(standings_table(report, lang), *details(report, lang))
    say = texts(lang, "tournament")["took"]
    rows = {line.split("  ")[0].strip(): line.split() for line in console.export_text().splitlines() if line.strip()}
    cold = [row.name for row in report.standing.rows].index("cold")
    numbers = {
        label: rows[say[label]][-2:][cold] for label in ("running", "voids", "calls", "tokens", "usd", "seconds")
    }
    assert numbers == {
        "running": "1",
        "voids": "1",
        "calls": "1234",
        "tokens": "56789",
        "usd": "0.5000",
        "seconds": "2.0",
    }
    assert rows[texts(lang, "endpoints")["faults"]["illegal"]][-2:][cold] == "17"
    assert rows[say["defaults"]][-2:][cold] == "3"
    lost, won = report.points_with_voids("cold") or (0, 0)
    assert lost < 1000 < won
    for row in standings_data(report)["competitors"]:
        assert (row["won"], row["lost"], row["drawn"], row["running"], row["voids"]) == (0, 0, 0, 1, 1)


def test_the_standings_as_csv_hold_all_that_the_json_holds(tmp_path: Path) -> None:
    report = read_report(played(planned(tmp_path), tmp_path / "t"))
    rows = list(csv.DictReader(io.StringIO(standings_csv(report))))
    data = standings_data(report)["competitors"]
    assert [row["name"] for row in rows] == [row["name"] for row in data]
    for row, full in zip(rows, data, strict=True):
        assert float(row["metrics.votes_on_wolves.value"]) == full["metrics"]["votes_on_wolves"]["value"]
        assert float(row["sides.village.interval.low"]) == full["sides"]["village"]["interval"][0]
        assert float(row["usd"]) == full["usd"]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_figure_has_a_name(lang: Lang) -> None:
    assert list(texts(lang, "tournament")["metrics"]) == list(METRICS)
