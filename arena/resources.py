"""Where the prompts, personas and rulesets lie, in a wheel as in a checkout."""

from pathlib import Path
from typing import Literal

ResourceFolder = Literal["prompts", "personas", "rulesets"]

_PACKAGE = Path(__file__).resolve().parent


def resource(name: ResourceFolder) -> Path:
    """Return the folder of that name which belongs to this installation.

    Rulesets lie inside the package. Prompts and personas are written beside it in a checkout, and a
    wheel carries them in `arena/data`.

    Raises:
        FileNotFoundError: the installation is incomplete.
    """
    places = [_PACKAGE / name] if name == "rulesets" else [_PACKAGE / "data" / name, _PACKAGE.parent / name]
    for place in places:
        if place.is_dir():
            return place
    raise FileNotFoundError(f"incomplete installation: no folder {' or '.join(map(str, places))}")
