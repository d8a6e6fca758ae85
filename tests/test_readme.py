"""The READMEs tell the truth: their commands work, and both give the same ones."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from arena.endpoint import load_endpoints
from tests.repository import ROOT, project_files

READMES = ("README.md", "README.zh.md")


def commands(readme: str) -> list[str]:
    """Return the commands of all fenced shell blocks, in order, without their comments."""
    text = (ROOT / readme).read_text(encoding="utf-8")
    blocks = re.findall(r"^```sh\n(.*?)^```$", text, flags=re.MULTILINE | re.DOTALL)
    lines = [line.split("  #")[0].strip() for block in blocks for line in block.splitlines()]
    return [line for line in lines if line]


def set_up_commands() -> list[str]:
    return [line for line in (ROOT / ".ci" / "run").read_text(encoding="utf-8").splitlines() if line]


def test_every_fenced_block_is_marked_as_shell_or_yaml() -> None:
    for readme in READMES:
        fences = re.findall(r"^```(.*)$", (ROOT / readme).read_text(encoding="utf-8"), flags=re.MULTILINE)
        assert set(fences) == {"sh", "yaml", ""}, readme


@pytest.mark.parametrize("readme", READMES)
def test_what_stands_as_yaml_is_a_list_of_endpoints(readme: str, tmp_path: Path) -> None:
    text = (ROOT / readme).read_text(encoding="utf-8")
    [block] = re.findall(r"^```yaml\n(.*?)^```$", text, flags=re.MULTILINE | re.DOTALL)
    file = tmp_path / "endpoints.yaml"
    file.write_text(block, encoding="utf-8")
    assert list(load_endpoints(file)) == ["home", "deepseek/deepseek-chat"]


def test_both_readmes_give_the_same_commands_in_the_same_order() -> None:
    assert commands("README.md") == commands("README.zh.md")


def test_set_up_commands_are_run_by_ci() -> None:
    missing = [
        line for line in commands("README.md") if not line.startswith("arena ") and line not in set_up_commands()
    ]
    assert not missing


def test_arena_commands_run_one_after_the_other(tmp_path: Path) -> None:
    for path in project_files():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / path, tmp_path / path)
    environment = os.environ | {"PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}
    for line in commands("README.md"):
        if line.startswith("arena "):
            done = subprocess.run(
                ["bash", "-c", line], cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
            )
            assert done.returncode == 0, f"{line}\n{done.stdout}\n{done.stderr}"
