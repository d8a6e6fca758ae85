"""A server with nothing but live games, on the event loop of the test."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.hosting.browsers import Server, serving


@pytest.fixture
async def server(tmp_path: Path) -> AsyncIterator[Server]:
    async with serving(tmp_path) as running:
        yield running
