"""The tables that come as examples can be sat down at."""

from pathlib import Path

import pytest

from arena.resources import resource
from arena.seating import load_seating, sit_down

TABLES = sorted((resource("personas") / "tables").glob("*.yaml"))


@pytest.mark.parametrize("file", TABLES, ids=lambda file: file.stem)
def test_each_can_be_sat_down_at(file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "endpoints.yaml").write_text('table: {base_url: "http://127.0.0.1:8080/v1", model: qwen3}\n')
    monkeypatch.chdir(tmp_path)
    sitting = sit_down(load_seating(file))
    assert sitting.endpoints
    assert {plan.player for plan in sitting.seats.values()} >= {"model"}
