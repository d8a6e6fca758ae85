"""Rates per CPU second, which the table of pytest-benchmark has no column for, printed before it."""

from collections.abc import Callable

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

RATES: list[str] = []

Note = Callable[[str, float], None]


@pytest.fixture
def note_rate(request: pytest.FixtureRequest, benchmark: BenchmarkFixture) -> Note:
    """Keep a rate: in the benchmark's own data, and for the end of the run."""

    def note(unit: str, rate: float) -> None:
        benchmark.extra_info[unit] = rate
        RATES.append(f"{request.node.name}: {rate:,.1f} {unit}")

    return note


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    terminalreporter.section("rates")
    for line in RATES:
        terminalreporter.line(line)
