"""The golden games: the referee must still decide them in the same way, whole transcripts and digests of others."""

from pathlib import Path

import pytest

from arena.ruleset import load_ruleset
from arena.strict_yaml import read_yaml
from arena.transcript import read, rerun
from tests.regenerate_golden import DIGESTS, GOLDEN, golden_games
from tests.varied_games import digest, games

FILES = sorted(GOLDEN.glob("*.jsonl"))
VARIED = dict(games())
KEPT = read_yaml(DIGESTS)


def test_there_is_one_for_each_number_of_players_of_the_house_ruleset_and_no_other() -> None:
    assert [path.name for path in FILES] == sorted(golden_games())
    counts = {read(path).header.players for path in FILES}
    assert counts == set(load_ruleset("duskwald").setups)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_golden_game_is_decided_as_it_was(path: Path) -> None:
    written = read(path)
    position = rerun(written.header, written.records)
    assert written.outcome
    assert (position.waiting, position.unwritten) == ([], ())


def test_there_is_a_digest_for_each_setup_and_each_setting_of_a_knob() -> None:
    assert KEPT.keys() == VARIED.keys()


@pytest.mark.parametrize("name", VARIED)
def test_varied_games_go_as_they_went(name: str) -> None:
    """If a change is meant, ``make golden`` renews the digests."""
    assert digest(VARIED[name]) == KEPT[name]
