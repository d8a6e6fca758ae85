from pathlib import Path
from typing import get_args

import pytest

from arena import resources


@pytest.mark.parametrize("name", get_args(resources.ResourceFolder))
def test_each_folder_is_found(name: resources.ResourceFolder) -> None:
    assert resources.resource(name).is_dir()


@pytest.mark.parametrize("places", [["arena/data/prompts"], ["prompts"], ["arena/data/prompts", "prompts"]])
def test_a_wheel_carries_its_folders_and_a_checkout_has_them_beside_the_package(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, places: list[str]
) -> None:
    for place in places:
        (tmp_path / place).mkdir(parents=True)
    monkeypatch.setattr(resources, "_PACKAGE", tmp_path / "arena")
    assert resources.resource("prompts") == tmp_path / places[0]


def test_an_incomplete_installation_is_told_where_it_was_looked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(resources, "_PACKAGE", tmp_path / "arena")
    with pytest.raises(FileNotFoundError) as caught:
        resources.resource("personas")
    assert str(tmp_path / "arena" / "data" / "personas") in str(caught.value)
    assert str(tmp_path / "personas") in str(caught.value)
