"""What a terminal is told while a tournament is played."""

import io
from pathlib import Path

import pytest
from rich.console import Console

from arena.terms import LANGUAGES, Lang
from arena.tournament.game import Game
from arena.tournament.run import Progress
from arena.tournament.ticker import Ticker
from tests.tournament_games import planned


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("question", ["leader", {"games": 240}])
def test_the_time_left_counts_games_in_play_as_half_done(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, lang: Lang, question: object
) -> None:
    """Twenty of 240 games are over, as many are being played, and a minute has passed: seven more for the rest."""
    now = 100.0
    monkeypatch.setattr("arena.tournament.ticker.time.monotonic", lambda: now)
    out = io.StringIO()
    tournament = planned(tmp_path, question=question, cap={"games": 240}, language=lang)
    ticker = Ticker(Console(file=out, width=200), tournament, lang)
    games = {str(number): Game(str(number), "d", "b", "duel", (), "village") for number in range(20)}
    now += 60
    ticker(Progress(games, running=20, played=20, block=2))
    at_most = {"en": "7 min at most", "zh": "至多 7 min"}[lang]
    assert ("ETA 7 min" if lang == "en" else "预计还要 7 min") in out.getvalue() or question == "leader"
    assert (at_most in out.getvalue()) == (question == "leader"), "an open question may be answered sooner"
