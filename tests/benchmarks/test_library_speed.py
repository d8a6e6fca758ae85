"""How long a folder of 10,000 games takes to open, and to be read for the first time. Figures are in README.md."""

import os
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TypeVar

import orjson
import pytest
from pytest_benchmark.fixture import BenchmarkFixture
from streamlit.testing.v1 import AppTest

from dashboard import library
from dashboard.index import Wanted
from tests.benchmarks.conftest import Note
from tests.repository import ROOT

pytestmark = pytest.mark.benchmark

GAMES = 10_000
GOLDEN = ("duskwald-6-zh", "duskwald-7-en", "duskwald-8-zh")

T = TypeVar("T")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Copies of golden games, each with a seed and a day of its own; half a gigabyte."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    games = tmp_path / "games"
    games.mkdir()
    for number in range(GAMES):
        data = (ROOT / "transcripts" / "golden" / f"{GOLDEN[number % 3]}.jsonl").read_bytes()
        head, rest = data.split(b"\n", 1)
        day = f"2026-{1 + number % 12:02}-{1 + number % 28:02}"
        header = {**orjson.loads(head), "seed": number, "started": f"{day}T10:00:00+00:00"}
        (games / f"{number:05}.jsonl").write_bytes(orjson.dumps(header) + b"\n" + rest)
    monkeypatch.setattr(library, "_folders", [games])
    return games


def busy() -> float:
    """Seconds of CPU so far, with those of the process that reads beside."""
    return sum(os.times()[:4])


def opened() -> AppTest:
    """The first page, for a visitor who has just come."""
    page = AppTest.from_file(str(ROOT / "dashboard" / "app.py"), default_timeout=60)
    page.query_params["lang"] = "en"
    page.run()
    assert not page.exception
    return page


def test_a_folder_of_ten_thousand_games(benchmark: BenchmarkFixture, note_rate: Note, folder: Path) -> None:
    def timed(unit: str, act: Callable[[], T]) -> T:
        start = time.monotonic()
        done = act()
        note_rate(unit, time.monotonic() - start)
        return done

    start, before = time.monotonic(), busy()
    timed("s until the page of a folder that was never read is there", opened)
    while True:
        index, progress = library.index_of(library.files())
        if progress is None:
            break
        time.sleep(1)
    note_rate("s for the first reading", time.monotonic() - start)
    note_rate("s of CPU for the first reading", busy() - before)
    library._keeper.cache_clear()
    assert timed("s until the page of a folder that was read before is there", opened).selectbox(key="file").options
    for words in ("查杀", "预言家", "I checked seat"):
        _, count = timed(f"s to look for {words!r}", partial(index.names, Wanted(words=words), 200))
        assert count > 1000
    # Opening, as pytest-benchmark measures it: the files looked up, compared, and a page of them listed.
    benchmark.pedantic(  # type: ignore[no-untyped-call]
        lambda: library.index_of(library.files())[0].names(Wanted(ruleset="duskwald"), 200), rounds=3
    )
