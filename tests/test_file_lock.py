"""Who comes second to a transcript, a tournament or the host's tables is told so; and so is who has no locks."""

import errno
import fcntl
from collections.abc import Callable
from pathlib import Path

import pytest

from arena.terms import UnusableInput
from arena.tournament.lock import Lock
from arena.transcript import Writer
from dashboard.hosting.tables import Tables
from tests.matches import header

TAKEN: dict[str, Callable[[Path], object]] = {
    "game": lambda path: Writer.create(path / "game.jsonl", header()),
    "tournament": lambda path: Lock(path).take(),
    "tables": lambda path: Tables(path / "lobby.sqlite").set_password("a long one"),
}


@pytest.mark.parametrize("name", TAKEN)
@pytest.mark.parametrize(
    ("error", "said"),
    [(errno.EAGAIN, "another (process|server)"), (errno.ENOLCK, "can't be locked here .*another disk")],
)
def test_a_lock_that_is_not_given_is_told_in_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, error: int, said: str
) -> None:
    def refused(descriptor: int, operation: int) -> None:
        raise OSError(error, "refused")

    monkeypatch.setattr(fcntl, "flock", refused)
    with pytest.raises(UnusableInput, match=f"{tmp_path}.*: .*{said}") as caught:
        TAKEN[name](tmp_path)
    assert len(str(caught.value).splitlines()) == 1
