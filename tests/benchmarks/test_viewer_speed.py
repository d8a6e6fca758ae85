"""How long a step takes in the page of a long game. Figures are in README.md of this folder."""

from pathlib import Path
from statistics import median

import pytest
from playwright.sync_api import CDPSession, sync_playwright
from pytest_benchmark.fixture import BenchmarkFixture

from arena.transcript import read
from dashboard.export import page as exported
from tests.benchmarks.conftest import Note
from tests.browser.conftest import launch
from tests.records import long

pytestmark = pytest.mark.benchmark

STEPS = """async () => {
    const times = [];
    for (let step = 0; step < 50; step++) {
        const start = performance.now();
        document.body.dispatchEvent(new KeyboardEvent("keydown", {key: "ArrowRight", bubbles: true}));
        await new Promise(drawn => requestAnimationFrame(() => setTimeout(drawn)));
        times.push(performance.now() - start);
    }
    return times;
}"""


def busy(session: CDPSession) -> float:
    """Seconds the page's thread has worked: what a step costs whatever else the machine does."""
    metrics = session.send("Performance.getMetrics")["metrics"]
    return float(next(metric["value"] for metric in metrics if metric["name"] == "TaskDuration"))


@pytest.mark.parametrize("width", [1440, 390])
def test_fifty_steps_in_a_game_of_3000_events(
    benchmark: BenchmarkFixture, note_rate: Note, tmp_path: Path, width: int
) -> None:
    file = tmp_path / "long.html"
    file.write_text(exported(read(long(tmp_path / "long.jsonl")), "god", "zh"), encoding="utf-8")
    with sync_playwright() as playwright:
        browser = launch(playwright)
        page = browser.new_page(viewport={"width": width, "height": 900})
        page.goto(f"{file.as_uri()}#event=2000")
        session = page.context.new_cdp_session(page)
        session.send("Performance.enable", {"timeDomain": "threadTicks"})
        before = busy(session)
        times = page.evaluate(STEPS)
        note_rate("ms for a step, until it is drawn (median)", median(times))
        note_rate("ms of the page's own thread for a step", 1000 * (busy(session) - before) / len(times))
        benchmark.pedantic(page.evaluate, args=(STEPS,), rounds=2)  # type: ignore[no-untyped-call]
        browser.close()
