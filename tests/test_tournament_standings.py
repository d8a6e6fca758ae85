"""What is kept of the games of a tournament, and what its standings show."""

import csv
import io
import os
from collections import Counter, defaultdict
from dataclasses import replace
from pathlib import Path

import orjson
import pytest
from rich.cells import cell_len
from rich.console import Console

from arena.accounts import Account
from arena.roles import ROLES
from arena.series import points_of
from arena.terms import LANGUAGES, Lang
from arena.texts import texts
from arena.tournament.folder import Folder
from arena.tournament.metrics import METRICS
from arena.tournament.play import header_of
from arena.tournament.played import Conduct, game_of, points_in
from arena.tournament.report import Report, read_report, standings_csv, standings_data
from arena.tournament.result import decode_result
from arena.tournament.schedule import Fixture, full_block
from arena.tournament.show import preview
from arena.tournament.tables import details, first_tables, standings_table
from arena.transcript import Writer, read
from tests.tournament_games import planned, played


def test_what_is_kept_of_games_says_what_their_transcripts_say(tmp_path: Path) -> None:
    """Standings read no transcript of a game that has ended, unless it has changed since; nor trust a cut line."""
    folder = played(planned(tmp_path), tmp_path / "t")
    kept = folder.path / "results.jsonl"
    lines = kept.read_bytes().splitlines(keepends=True)
    assert len(lines) == 8
    table = standings_data(read_report(folder))
    for game in (folder.path / "games").iterdir():
        state = game.stat()
        game.write_bytes(b"x" * state.st_size)
        os.utime(game, ns=(state.st_atime_ns, state.st_mtime_ns))
    assert standings_data(read_report(folder)) == table
    again = played(planned(tmp_path), tmp_path / "again")
    kept = again.path / "results.jsonl"
    kept.write_bytes(b"".join([*kept.read_bytes().splitlines(keepends=True)[:3], b'{"id":"b001']))
    assert standings_data(read_report(again)) == table
    kept.unlink()
    assert standings_data(read_report(again)) == table


@pytest.mark.parametrize("lang", LANGUAGES)
def test_standings_name_every_corrupt_game_and_go_on_without_it(tmp_path: Path, lang: Lang) -> None:
    folder = played(planned(tmp_path), tmp_path / "t")
    first, second, *_ = files = sorted((folder.path / "games").iterdir())
    first.write_bytes(b"another\n")
    second.write_bytes(second.read_bytes().replace(b'"act":"vote"', b'"act":"veto"'))
    report = read_report(folder)
    assert (report.standing.games, len(report.corrupt)) == (len(files) - 2, 2)
    assert standings_data(report)["corrupt"] == report.corrupt
    shown = Console(width=80, record=True, file=io.StringIO())
    shown.print(standings_table(report, lang))
    told = "".join(shown.export_text().split())
    assert all(f"{path}:line" in told for path in (first, second))
    assert not read_report(played(planned(tmp_path), folder.path)).corrupt


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
    say = texts(lang, "tournament")
    rule = next(number for number, line in enumerate(lines) if "───" in line)
    headings = [line for heading in say["columns"].values() for line in heading.split("\n")]
    assert all(any(f" {heading} " in line for line in lines[rule - 2 : rule]) for heading in headings)
    for sentence in (say["caption"].split("{")[0], say["won"]["caption"], say["explained"]["caption"]):
        assert "".join(sentence.split()) in "".join(told.split()), "nothing is cut off at the right"
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
def test_standings_name_those_whom_void_games_could_make_change_places(tmp_path: Path, lang: Lang) -> None:
    folder = played(planned(tmp_path), tmp_path / "t")
    leader, other = (row.name for row in read_report(folder).standing.rows)
    say = texts(lang, "tournament")

    def told(report: Report) -> str:
        shown = Console(width=80, record=True, file=io.StringIO())
        shown.print(standings_table(report, lang))
        return "".join(shown.export_text().split())

    def set_aside(fixture: Fixture) -> Report:
        whole = folder.game(fixture).read_bytes()
        folder.set_aside(fixture, "ours", "for the test")
        folder.game(fixture).write_bytes(whole)
        return read_report(folder)

    games = [decode_result(orjson.loads(line)).game for line in folder.results().values()]
    won = {game.id for game in games if (leader, game.winner) in {(at.competitor, at.faction) for at in game.places}}
    report = set_aside(next(fixture for fixture in folder.fixtures() if fixture.id in won))
    points = next(row.points for row in report.standing.rows if row.name == leader)
    lost, as_it_was = report.points_with_voids(leader) or (0, 0)
    assert lost < points == as_it_was, "only how it ended is another"
    assert {one.games for both in report.with_voids.values() for one in both} == {report.standing.games}
    for fixture in folder.fixtures():
        report = set_aside(fixture)
    assert report.swapped == [(leader, other)]
    assert standings_data(report)["swapped_with_voids"] == report.swapped
    pairs = f"{leader}, {other}"
    assert "".join(say["voids.tied"].format(pairs=pairs).split()) in told(report)
    apart = replace(report, standing=replace(report.standing, ties=((leader,), (other,))))
    assert "".join(say["voids.other"].format(pairs=pairs).split()) in told(apart)
    assert "".join(say["voids.same"].split()) in told(replace(report, with_voids={}))


SERIES = {"format": "series", "question": {"games": 20}}


@pytest.fixture(scope="module")
def series(tmp_path_factory: pytest.TempPathFactory) -> Folder:
    """Two pairs of series, the last of which was cut short by a cap."""
    path = tmp_path_factory.mktemp("series")
    return played(planned(path, **SERIES, cap={"games": 18}), path / "t")


def test_series_are_counted_in_points(series: Folder) -> None:
    """By hand: a competitor's points in a game are what its seats got in the mean; pairs of series are clusters."""
    by_game: defaultdict[str, list[tuple[str, float]]] = defaultdict(list)
    for fixture in series.fixtures():
        points = points_of(read(series.game(fixture)))
        for name in ("cold", "hot"):
            seats = fixture.seats_of(name)
            by_game[name].append((fixture.id, float(sum(points[seat] for seat in seats)) / len(seats)))
    for row in standings_data(read_report(series))["competitors"]:
        got = [value for _, value in by_game[row["name"]]]
        assert row["series"]["points"] == pytest.approx(sum(got), abs=1e-4)
        assert row["series"]["per_game"]["of"] == len(got) == 18
        assert row["series"]["per_game"]["value"] == pytest.approx(sum(got) / 18, abs=1e-4)
        assert row["series"]["per_series"]["of"] == 3, "the fourth is not whole"
        assert row["series"]["per_series"]["value"] == pytest.approx(sum(got[:15]) / 3, abs=1e-4)
        one, other = sum(got[:10]), sum(got[10:])
        errors = [one - 10 * sum(got) / 18, other - 8 * sum(got) / 18]
        half = 12.7062 * (2 * sum(error**2 for error in errors)) ** 0.5 / 18
        low, high = row["series"]["per_game"]["interval"]
        assert low + high == pytest.approx(2 * sum(got) / 18, abs=1e-4)
        assert high - low >= 2 * half * 0.999


@pytest.mark.parametrize("lang", LANGUAGES)
def test_points_of_series_are_shown_in_every_form(series: Folder, lang: Lang) -> None:
    report = read_report(series)
    console = Console(width=80, record=True, file=io.StringIO())
    console.print(*first_tables(report, lang))
    told = console.export_text()
    assert texts(lang, "tournament")["series"]["title"] in told
    rows = list(csv.DictReader(io.StringIO(standings_csv(report))))
    for row, full in zip(rows, standings_data(report)["competitors"], strict=True):
        points = full["series"]
        assert float(row["series.per_game.interval.low"]) == points["per_game"]["interval"][0]
        assert float(row["series.points"]) == points["points"]
        for each in ("per_game", "per_series"):
            low, high = points[each]["interval"]
            assert f"{points[each]['value']:.2f} {low:.2f}–{high:.2f}" in told
        assert f"{points['points']:.2f}" in told


def test_a_forfeit_costs_the_points_of_a_win(series: Folder) -> None:
    """Whoever has forfeited a game gets what a loser gets, and the other side what a winner gets."""
    fixture = series.fixtures()[0]
    transcript = read(series.game(fixture))
    game = game_of(fixture, transcript, "", "series", 5)
    worth = transcript.header.ruleset.rules["points"]
    turned = replace(game, winner={"village": "werewolves", "werewolves": "village"}[game.winner], forfeits=("cold",))
    before, after = points_in(game, transcript), points_in(turned, transcript)
    for seat, place in enumerate(game.places, start=1):
        change = worth["win"] - worth["loss"]
        assert after[seat] - before[seat] == (-change if place.faction == game.winner else change)


def test_only_cards_that_fare_otherwise_than_their_side_have_a_row(tmp_path: Path) -> None:
    """In a duel all cards of a side win and lose together; on a mixed table they don't."""

    def labels(report: Report) -> set[str]:
        console = Console(width=80, record=True, file=io.StringIO())
        console.print(next(details(report, "en")))
        return {line.split("  ")[0].strip() for line in console.export_text().splitlines()}

    duels = read_report(played(planned(tmp_path), tmp_path / "duels"))
    mixed = read_report(played(planned(tmp_path, format="mixed"), tmp_path / "mixed"))
    assert not labels(duels) & {"Seer", "Villager", "Werewolf"}
    assert {"all games", "the village", "the werewolves"} <= labels(duels)
    assert {"the village", "Seer", "Guard"} <= labels(mixed)


def test_a_dry_run_lists_the_games_that_are_then_played(tmp_path: Path) -> None:
    """All of a fixed number, also where a block has more of them."""
    tournament = planned(tmp_path, question={"games": 11})
    console = Console(width=80, record=True, file=io.StringIO())
    console.print(preview(tournament, 0.5, "en"))
    told = console.export_text()
    assert "Balance of the first 11 games" in told
    listed = [line.split()[0] for line in told.splitlines() if line.startswith("b0")]
    fixtures = played(tournament, tmp_path / "t").fixtures()
    assert listed == [fixture.id for fixture in fixtures]
    assert len(fixtures) == 11
    open_end = planned(tmp_path, question="leader", cap={"games": 3})
    console.print(preview(open_end, 0.5, "en"))
    assert sum(line.startswith("b0") for line in console.export_text().splitlines()) == 3


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("ruleset", ["duskwald", "last-words"])
def test_no_heading_of_a_dry_run_is_broken(tmp_path: Path, lang: Lang, ruleset: str) -> None:
    names = ("cold-logician", "a competitor with a very long name indeed", "沉着冷静的逻辑学家")
    competitors = {name: {"scripted": "cold-logician"} for name in names}
    tournament = planned(tmp_path, players=12, ruleset=ruleset, language=lang, competitors=competitors)
    console = Console(width=80, record=True, file=io.StringIO())
    console.print(preview(tournament, 0.5, lang))
    lines = console.export_text().splitlines()
    assert max(map(cell_len, lines)) <= 80
    headings = [
        lines[number - 1].split() for number, line in enumerate(lines) if line.strip(" ─") == "" != line.strip()
    ]
    told = " ".join(word for heading in headings for word in heading)
    cards = tournament.board()[1]
    for heading in (*(ROLES[card].title[lang] for card in cards), "12", texts(lang, "terms")["factions"]["village"]):
        assert heading in told


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
