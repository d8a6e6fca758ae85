"""What a command loads: those that read must not wait for what plays, rates or calls."""

import subprocess
import sys

import pytest

from tests.repository import ROOT

HEAVY = {"langgraph", "openai", "scipy", "streamlit", "prompt_toolkit"}


@pytest.mark.parametrize(
    "arguments", ["--help", "rulesets duskwald", "personas", "replay {game}", "verify {game}", "ruling {asked}"]
)
def test_a_command_that_reads_loads_nothing_heavy(arguments: str) -> None:
    game = min((ROOT / "transcripts" / "golden").glob("*.jsonl"))
    asked = min((ROOT / "tests" / "scenarios").rglob("*.yaml"))
    script = (
        "import sys; from arena.cli import app\n"
        "try:\n    app(sys.argv[1:])\nexcept SystemExit:\n    pass\n"
        f"print(sorted({HEAVY!r} & set(sys.modules)), file=sys.stderr)"
    )
    words = arguments.format(game=game, asked=asked).split()
    done = subprocess.run([sys.executable, "-c", script, *words], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stderr.splitlines()[-1] == "[]"
