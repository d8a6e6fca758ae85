"""The wheel, installed alone, plays."""

import subprocess
import sys
import sysconfig
import venv
import zipfile
from pathlib import Path

import pytest

from arena import __version__
from tests.repository import ROOT, project_files


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    run([sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(folder), str(ROOT)])
    [built] = folder.glob("*.whl")
    return built


def run(command: list[str], cwd: Path | None = None) -> str:
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, encoding="utf-8", check=False)
    assert done.returncode == 0, f"{command} ended with {done.returncode}\n{done.stdout}\n{done.stderr}"
    return done.stdout


def test_the_wheel_carries_the_code_and_its_data_and_nothing_else(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
    assert {name.split("/")[0] for name in names} == {"arena", "dashboard", f"duskwald-{__version__}.dist-info"}
    for folder in ("prompts", "personas"):
        packed = {name.removeprefix("arena/data/") for name in names if name.startswith(f"arena/data/{folder}/")}
        assert packed == files_under(folder)
    rulesets = {name for name in names if name.startswith("arena/rulesets/")}
    assert rulesets == files_under("arena/rulesets")


def files_under(folder: str) -> set[str]:
    found = {path.as_posix() for path in project_files() if path.is_relative_to(folder)}
    assert found, f"{folder} is empty"
    return found


def test_the_wheel_plays_in_an_empty_folder(wheel: Path, tmp_path: Path) -> None:
    home = tmp_path / "venv"
    venv.create(home, with_pip=False)
    python = home / "bin" / "python"
    run([sys.executable, "-m", "pip", "--python", str(python), "install", "--no-deps", "--no-index", str(wheel)])
    # The dependencies are those installed here. A path entry does not read the .pth files of the folder it
    # names, so the editable install of the checkout stays out of sight.
    [site_packages] = home.glob("lib/*/site-packages")
    (site_packages / "dependencies.pth").write_text(sysconfig.get_path("purelib") + "\n", encoding="utf-8")

    empty = tmp_path / "empty"
    empty.mkdir()
    module = run([str(python), "-P", "-c", "import arena; print(arena.__file__)"], cwd=empty)
    assert Path(module.strip()).is_relative_to(home)
    played = run([str(home / "bin" / "arena"), "play", "--seed", "1", "--lang", "en"], cwd=empty)
    assert played.strip()
