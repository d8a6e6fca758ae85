"""How long the standings of ten thousand games take, and how much memory: of results as they are kept."""

import io
import resource
import sys
from dataclasses import replace
from pathlib import Path
from time import process_time

import pytest
from rich.console import Console

from arena.accounts import Account
from arena.ruleset import load_ruleset
from arena.tournament.folder import Folder
from arena.tournament.loading import load_tournament
from arena.tournament.metrics import measured
from arena.tournament.played import Conduct
from arena.tournament.report import read_report, standings_csv
from arena.tournament.result import Result, encode_result
from arena.tournament.schedule import full_block
from arena.tournament.seal import Seal
from arena.tournament.tables import details, standings_table
from tests.benchmarks.conftest import RATES
from tests.small_games import at_random
from tests.tournaments import by_skill, game

pytestmark = pytest.mark.benchmark

GAMES = 10_000
SAMPLES = 40
"""Games that are played by lot; each of the others has done what one of these has."""

PLAN = """
players: 9
seed: 1
competitors:
  a: {scripted: cold-logician}
  b: {scripted: dry-joker}
  c: {scripted: hot-charger}
  d: {scripted: paranoid-detective}
  e: {scripted: warm-host}
  f: {scripted: poker-shark}
"""


def filled(path: Path) -> Folder:
    """A folder with so many results, beside transcripts of no content."""
    (path / "plan.yaml").write_text(PLAN, encoding="utf-8")
    tournament = load_tournament(path / "plan.yaml")
    winner = by_skill(dict.fromkeys(tournament.competitors, 0.0), 1)
    samples = [measured(at_random(load_ruleset("duskwald"), 9, seed), NINE) for seed in range(SAMPLES)]
    blocks = range(1, GAMES // 30 + 2)
    fixtures = [fixture for block in blocks for fixture in full_block(tournament.schedule(), block)][:GAMES]
    with Folder(path / "t") as folder:
        folder.begin(tournament)
        folder.schedule(fixtures)
        with (folder.path / "results.jsonl").open("wb") as log:
            for number, fixture in enumerate(fixtures):
                folder.game(fixture).write_bytes(b"")
                seats = [fixture.competitors[int(one.competitor)] for one in samples[number % SAMPLES]]
                own = zip(samples[number % SAMPLES], seats, strict=True)
                sums = tuple(replace(one, competitor=name) for one, name in own)
                conduct = {name: Conduct(Account(), 0.0, 0) for name in set(fixture.competitors)}
                log.write(
                    encode_result(Result(game(fixture, winner(fixture)), conduct, sums), Seal.of(folder.game(fixture)))
                )
    return folder


NINE = tuple(map(str, range(9)))


def test_the_standings_of_ten_thousand_games(tmp_path: Path) -> None:
    folder = filled(tmp_path)
    begun = process_time()
    report = read_report(folder)
    Console(width=80, file=io.StringIO()).print(standings_table(report, "en"), *details(report, "en"))
    standings_csv(report)
    seconds = process_time() - begun
    used = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (2**20 if sys.platform == "darwin" else 2**10)
    RATES.append(f"standings of {GAMES:,} games: {seconds:.2f} CPU s, {used:.0f} MB at most")
    assert report.standing.games == GAMES
    assert seconds < 5
    assert used < 1000
