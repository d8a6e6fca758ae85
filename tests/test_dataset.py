"""`arena export --parquet` and `--jsonl`: tables that other programs read and join, and what is not in them."""

from itertools import chain
from pathlib import Path
from typing import Any

import orjson
import pandas as pd
import pyarrow.parquet as pq
import pytest

from arena.dataset import TABLES, write_tables
from arena.events import Said, Tallied, Voted
from arena.terms import LANGUAGES, Lang, UnusableInput
from arena.texts import texts
from arena.tournament.report import read_report
from arena.transcript import Replied, read
from tests.command_line import CommandLine
from tests.records import cut, whole
from tests.tournament_games import planned, played

NAMES = list(TABLES)


@pytest.fixture
def arena(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> CommandLine:
    return CommandLine(monkeypatch, capsys)


def frames(folder: Path) -> dict[str, Any]:
    return {name: pd.read_parquet(folder / f"{name}.parquet") for name in NAMES}


def lines(folder: Path, table: str) -> list[dict[str, Any]]:
    return [orjson.loads(line) for line in (folder / f"{table}.jsonl").read_bytes().splitlines()]


def test_every_record_of_a_game_has_its_row(tmp_path: Path) -> None:
    path = whole(tmp_path / "game.jsonl")
    assert write_tables(path, tmp_path / "t", "parquet", None) == [tmp_path / "t" / f"{name}.parquet" for name in NAMES]
    transcript, tables = read(path), frames(tmp_path / "t")
    ended = transcript.outcome
    assert ended is not None
    (game,) = tables["games"].to_dict("records")
    assert (game["game"], game["finished"], game["winner"], game["seed"]) == ("game", True, ended.winner, 4)
    assert pd.isna(game["series_game"])
    assert list(tables["seats"]["role"]) == list(ended.cards)
    seats = tables["seats"]
    assert tuple(seats[seats["result"] == "won"]["seat"]) == ended.winners
    replies = [record for record in transcript.records if isinstance(record, Replied)]
    assert list(tables["decisions"]["thought"]) == [record.reply.thought for record in replies]
    assert list(map(tuple, tables["decisions"]["targets"])) == [record.reply.decision.seats for record in replies]
    said = [record for record in transcript.records if isinstance(record, Said) and record.to is None]
    claims = list(chain.from_iterable(record.claims for record in said))
    assert list(tables["claims"]["about"]) == [claim.about for claim in claims]
    voted = [record for record in transcript.records if isinstance(record, Voted)]
    assert len(tables["votes"]) == sum(len(record.votes) for record in voted)


def test_weights_of_votes_add_up_to_the_counts(tmp_path: Path) -> None:
    path = whole(tmp_path / "game.jsonl", players=12, seed=5)
    write_tables(path, tmp_path / "t", "parquet", None)
    votes = frames(tmp_path / "t")["votes"]
    counted = votes.dropna(subset="target").groupby(["number", "target"])["half_votes"].sum()
    tallies = [record for record in read(path).records if isinstance(record, Tallied)]
    assert counted.to_dict() == {
        (number, seat): count for number, tally in enumerate(tallies, start=1) for seat, count in tally.tally
    }
    # With every game of twelve there is a sheriff, whose vote weighs more.
    assert set(votes["half_votes"]) == {2, 3}


def test_the_tables_of_a_tournament_say_what_its_standings_say(tmp_path: Path) -> None:
    """Joined by game and seat, votes, seats and games give the rates of the report."""
    folder = played(planned(tmp_path), tmp_path / "cup")
    void = folder.fixtures()[0]
    folder.set_aside(void, "ours", "for the test")
    write_tables(folder.path, tmp_path / "t", "parquet", "zh")
    tables, report = frames(tmp_path / "t"), read_report(folder)
    games = tables["games"]
    assert len(games) == 8
    assert list(games["void"].dropna()) == ["ours: for the test"]
    rated = games[games["rated_winner"].notna()]
    assert len(rated) == report.standing.games == 7
    seats = tables["seats"].merge(rated[["game", "winner", "deal"]], on="game")
    by_side = seats.drop_duplicates(["game", "competitor", "faction"])
    assert list(seats["rated_result"]) == list(seats["result"]), "nobody has forfeited"
    won = by_side[by_side["rated_result"] == "won"].groupby("competitor").size()
    assert won.to_dict() == {name: tally.total.won for name, tally in report.tallies.items() if tally.total.won}
    exile = tables["votes"][tables["votes"]["ballot"].isin(["vote", "runoff"])].dropna(subset="target")
    voters = seats.rename(columns={"seat": "voter"})
    cast = exile.merge(voters, on=["game", "voter"])
    targets = seats[["game", "seat", "role"]].rename(columns={"seat": "target", "role": "of"})
    cast = cast[(cast["faction"] == "village") & (cast["voter"] != cast["target"])].merge(
        targets, on=["game", "target"]
    )
    for name, own in cast.groupby("competitor"):
        figure = report.metrics[name]["votes_on_wolves"].total
        assert figure.of == len(own)
        assert figure.value == pytest.approx((own["of"] == "werewolf").mean())


def test_lines_and_parquet_hold_the_same(tmp_path: Path) -> None:
    (tmp_path / "runs" / "deep").mkdir(parents=True)
    whole(tmp_path / "runs" / "a.jsonl")
    whole(tmp_path / "runs" / "deep" / "b.jsonl", players=9, seed=2)
    write_tables(tmp_path / "runs", tmp_path / "p", "parquet", None)
    write_tables(tmp_path / "runs", tmp_path / "l", "jsonl", None)
    for name, columns in TABLES.items():
        found = lines(tmp_path / "l", name)
        assert found == pq.read_table(tmp_path / "p" / f"{name}.parquet").to_pylist()
        assert list(found[0]) == list(columns)
        assert {row["game"] for row in found} == {"a", "deep/b"}


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_column_is_explained(lang: Lang, tmp_path: Path) -> None:
    words = texts(lang, "dataset")
    assert {table: list(words[table]["columns"]) for table in words} == {name: list(TABLES[name]) for name in NAMES}
    write_tables(whole(tmp_path / "game.jsonl"), tmp_path / "t", "parquet", lang)
    for name in NAMES:
        for field in pq.read_schema(tmp_path / "t" / f"{name}.parquet"):
            assert field.metadata[b"description"].decode() == words[name]["columns"][field.name]


def test_of_a_game_that_people_still_play_there_is_what_the_table_knows(tmp_path: Path) -> None:
    path = cut(tmp_path / "game.jsonl", people=True)
    write_tables(path, tmp_path / "t", "jsonl", None)
    assert lines(tmp_path / "t", "decisions") == []
    (game,) = lines(tmp_path / "t", "games")
    assert (game["seed"], game["finished"], game["winner"]) == (None, False, None)
    for seat in lines(tmp_path / "t", "seats"):
        assert {name for name, value in seat.items() if value is not None} == {"game", "seat"}
    assert all(claim["true"] is None for claim in lines(tmp_path / "t", "claims"))
    written = "".join((tmp_path / "t" / f"{name}.jsonl").read_text(encoding="utf-8") for name in NAMES)
    thoughts = [record.reply.thought for record in read(path).records if isinstance(record, Replied)]
    assert any(thoughts)
    assert not [thought for thought in thoughts if thought and thought in written]
    # The same game, ended, or played by nobody but scripts, has no secrets.
    write_tables(cut(tmp_path / "scripts.jsonl"), tmp_path / "s", "jsonl", None)
    assert lines(tmp_path / "s", "decisions")
    (game,) = lines(tmp_path / "s", "games")
    assert (game["finished"], game["seed"]) == (False, 4)


def test_a_failed_export_leaves_what_was_there(tmp_path: Path) -> None:
    (tmp_path / "runs").mkdir()
    whole(tmp_path / "runs" / "a.jsonl")
    write_tables(tmp_path / "runs", tmp_path / "t", "jsonl", None)
    before = {file.name: file.read_bytes() for file in (tmp_path / "t").iterdir()}
    for name in ("b", "c"):
        (tmp_path / "runs" / f"{name}.jsonl").write_text("{}\n", encoding="utf-8")
    with pytest.raises(UnusableInput) as refused:
        write_tables(tmp_path / "runs", tmp_path / "t", "jsonl", None)
    told = str(refused.value).splitlines()
    assert [line.partition(": no transcript")[0] for line in told] == [
        f"{tmp_path / 'runs' / name}: line 1" for name in ("b.jsonl", "c.jsonl")
    ]
    assert {file.name: file.read_bytes() for file in (tmp_path / "t").iterdir()} == before


def test_tables_trust_a_game_of_a_tournament_no_further_than_its_standings(tmp_path: Path) -> None:
    folder = played(planned(tmp_path), tmp_path / "cup")
    cut, changed, *_ = sorted((folder.path / "games").iterdir())
    cut.write_bytes(b"another\n")
    changed.write_bytes(changed.read_bytes().replace(b'"act":"vote"', b'"act":"veto"'))
    with pytest.raises(UnusableInput) as refused:
        write_tables(folder.path, tmp_path / "t", "jsonl", None)
    assert str(refused.value).splitlines() == read_report(folder).corrupt


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["game.jsonl"], "choose a format: --html, --parquet FOLDER or --jsonl FOLDER"),
        (["game.jsonl", "--jsonl", "x", "--parquet", "y"], "choose a format"),
        (["game.jsonl", "--jsonl", "x", "--view", "god"], "--view: goes with --html"),
        (["game.jsonl", "--jsonl", "game.jsonl"], "--jsonl game.jsonl: can't be written: File exists"),
        ([".", "--parquet", "x"], "no transcripts; a transcript, a folder of them, or that of a tournament"),
        (["none.jsonl", "--parquet", "x"], "none.jsonl: can't be read"),
    ],
)
def test_what_cannot_be_exported_is_one_line(
    arena: CommandLine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str], told: str
) -> None:
    monkeypatch.chdir(tmp_path)
    if arguments[0] == "game.jsonl":
        whole(tmp_path / "game.jsonl")
    ran = arena("export", *arguments)
    assert ran.status == 2
    assert told in ran.err
    assert ran.err.count("\n") == 1
    assert not list(tmp_path.glob("x/*"))


def test_the_command_names_the_files_it_has_written(arena: CommandLine, tmp_path: Path) -> None:
    ran = arena("export", whole(tmp_path / "game.jsonl"), "--jsonl", tmp_path / "t")
    assert ran.status == 0
    assert ran.out.splitlines() == [str(tmp_path / "t" / f"{name}.jsonl") for name in NAMES]
