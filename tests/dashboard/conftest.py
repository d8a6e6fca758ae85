"""The pages, run without a browser over a folder of games."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from dashboard import library
from tests.repository import ROOT

Open = Callable[..., AppTest]


@pytest.fixture
def folder(tmp_path: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder whose transcripts the pages show."""
    monkeypatch.setattr(library, "_folders", [tmp_path])
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
    return tmp_path


@pytest.fixture
def open_page(folder: Path) -> Open:
    """Open the first page with these parameters in its address."""

    def opened(**address: str) -> AppTest:
        page = AppTest.from_file(str(ROOT / "dashboard" / "app.py"), default_timeout=60)
        page.query_params.update(address)
        page.run()
        assert not page.exception
        return page

    return opened


def data_of(page: AppTest) -> dict[str, Any]:
    """What the page sends to the table in the browser."""
    assert not page.exception
    [component] = page.get("bidi_component")
    [data] = json.loads(component.proto.json)
    return dict(data)
