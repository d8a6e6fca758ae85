"""A server with nothing but live games, on the event loop of the test."""

from collections.abc import AsyncIterator, Callable
from pathlib import Path
from types import SimpleNamespace

import pytest

from tests.hosting.browsers import Server, serving


@pytest.fixture(autouse=True)
def deal(monkeypatch: pytest.MonkeyPatch) -> Callable[[int], None]:
    """Games of this process are dealt by one seed, or by the one that a test asks for."""

    def by(seed: int) -> None:
        monkeypatch.setattr("dashboard.hosting.game.secrets", SimpleNamespace(randbelow=lambda most: seed))

    by(987654321987)
    return by


@pytest.fixture
async def server(tmp_path: Path) -> AsyncIterator[Server]:
    async with serving(tmp_path) as running:
        yield running
