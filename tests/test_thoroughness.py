"""How thorough the tests of the referee are: the branches they reach, and the mutants they let live."""

import json
import random
import subprocess
import sys
from pathlib import Path

import pytest

from arena.strict_yaml import read_yaml
from tests.repository import ROOT

pytestmark = pytest.mark.long

REFEREE = ("arena.referee", "arena.roles", "arena.state", "arena.events")
TESTS = ("scenarios", "referee", "secrecy", "golden", "every_ruleset")

TRIED, SEED, MOST = 500, 2026, 0.1
LIVED = {0, 5, 33, 34}
"""Exit statuses under which a mutant has not been found out: its tests passed, or there were none."""


EQUIVALENT = read_yaml(Path(__file__).parent / "equivalent_mutants.yaml")


def run(command: str, *arguments: str) -> str:
    # Commands are run as scripts, not by `-m`: mutants must be found before what lies in the current folder.
    program = str(Path(sys.executable).with_name(command))
    done = subprocess.run([program, *arguments], cwd=ROOT, capture_output=True, text=True, check=False)
    return done.stdout + done.stderr


def test_every_branch_of_the_referee_is_reached(tmp_path: Path) -> None:
    data = f"--data-file={tmp_path / 'coverage'}"
    files = [f"tests/test_{name}.py" for name in TESTS]
    run("coverage", "run", "--branch", data, f"--source={','.join(REFEREE)}", "-m", "pytest", "-q", *files)
    run("coverage", "json", data, "-o", str(tmp_path / "report.json"))
    report = json.loads((tmp_path / "report.json").read_text(encoding="utf-8"))
    missed = {
        name: (file["missing_lines"], file["missing_branches"])
        for name, file in report["files"].items()
        if file["missing_lines"] or file["missing_branches"]
    }
    assert report["totals"]["num_branches"] > 400
    assert missed == {}


def statuses() -> dict[str, int | None]:
    """Every mutant there is, and the exit status of its tests if they have run."""
    found: dict[str, int | None] = {}
    for path in sorted((ROOT / "mutants").rglob("*.meta")):
        found.update(json.loads(path.read_text(encoding="utf-8"))["exit_code_by_key"])
    return found


def test_fewer_than_one_in_ten_mutants_survives() -> None:
    """mutmut changes one thing in a function of referee or roles, and runs the tests that reach it."""
    run("mutmut", "run", "none of this name")  # makes the mutants, then finds that none is so called
    tried = sorted(random.Random(SEED).sample(sorted(statuses()), TRIED))
    output = run("mutmut", "run", "--max-children", "2", *tried)
    results = statuses()
    assert not [name for name in tried if results[name] is None], output[-2000:]
    survivors = {name: run("mutmut", "show", name) for name in tried if results[name] in LIVED}
    report = "\n".join(shown for name, shown in survivors.items() if not is_equivalent(name, shown))
    assert len(survivors) < MOST * TRIED, f"{len(survivors)} of {TRIED} mutants survive; not judged are:\n{report}"


def is_equivalent(name: str, shown: str) -> bool:
    """Whether a mutant, shown as a difference, is listed as one that no test can find out."""
    function = name.rpartition("__mutmut_")[0]
    added = [line[1:].strip() for line in shown.splitlines() if line.startswith("+")]
    return any(one["in"] == function and one.get("line", added[-1]) in added for one in EQUIVALENT)
