"""A-T05: however a game ends, its end, its seats, its account and the standings say the same."""

from collections.abc import Iterator
from pathlib import Path

from arena.dataset.rows import rows
from arena.dataset.source import Source
from arena.narrate import Narrator
from arena.ruleset import load_ruleset
from arena.terms import GOD
from arena.texts import texts
from arena.tournament.game import DRAW
from arena.tournament.played import game_of
from arena.tournament.schedule import Fixture
from arena.tournament.tally import tally
from arena.transcript import Transcript
from tests.games import dealt
from tests.matches import header
from tests.small_games import at_random

SETUPS = (("duskwald", 9), ("lyingman-s2", 11), ("factions", 18), ("thiercelieux", 12))


def games() -> Iterator[tuple[Fixture, Transcript]]:
    """Games in which everybody decides by lot, and every seat is a competitor."""
    for ruleset, players in SETUPS:
        for seed in range(40):
            roles = dealt(load_ruleset(ruleset), players, seed).seats
            fixture = Fixture(f"{ruleset}-{seed}", 1, "d", 1, 1, seed, roles, tuple(map(str, range(1, players + 1))))
            records = tuple(at_random(load_ruleset(ruleset), players, seed))
            yield fixture, Transcript(Path("game.jsonl"), header(players, seed, ruleset=ruleset), records)


def test_end_seats_account_and_standings_agree() -> None:
    seen = set()
    for fixture, transcript in games():
        ended = transcript.outcome
        assert ended is not None
        game = game_of(fixture, transcript, "board", "duel", 5)
        counts = tally([game], fixture.competitors)
        seen.add(ended.winner)
        assert game.winner == ended.winner
        account = "".join(line.text for line in Narrator("en", GOD).lines(ended))
        if ended.winner != DRAW:
            assert texts("en", "terms")["factions"][ended.winner] in account
        for row in rows(Source(fixture.id, transcript, fixture))["seats"]:
            seat, count = row["seat"], counts[str(row["seat"])].total
            result = {(1, 0, 0): "won", (0, 1, 0): "lost", (0, 0, 1): "drawn"}[count.won, count.lost, count.drawn]
            assert row["result"] == result
            # Those who are out win with their side like those in play.
            assert (result == "won") == (seat in ended.winners)
            assert result != "won" or game.places[seat - 1].faction == ended.winner
    assert {"village", "werewolves", "lovers", "piper", "white_wolf", "prejudiced", DRAW} <= seen
