"""The golden transcripts: committed games that the referee must still decide in the same way."""

from pathlib import Path

import pytest

from arena.ruleset import load_ruleset
from arena.transcript import read, rerun
from tests.regenerate_golden import GOLDEN, golden_games

FILES = sorted(GOLDEN.glob("*.jsonl"))


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
