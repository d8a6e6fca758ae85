"""Games of other processes are watched while their transcripts grow."""

from pathlib import Path

import orjson
import pytest

from arena.events import view_of
from arena.terms import SPECTATOR
from arena.transcript import read
from dashboard import library
from dashboard.frames import frames
from tests.hosting.browsers import Server, serving
from tests.hosting.sitting import until
from tests.matches import lines
from tests.records import cut, game, whole


@pytest.fixture
def recorded() -> int:
    """The game in the files, played before there is an event loop."""
    return len(game()) + len(game(8, 4))


def written(path: Path, parts: list[bytes]) -> None:
    path.write_bytes(b"".join(parts))


async def test_a_game_of_the_command_line_is_watched_as_it_grows(
    recorded: int, server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(library, "_folders", [tmp_path])
    source = tmp_path.parent / f"{tmp_path.name}-source.jsonl"
    all_lines = lines(whole(source))
    growing = tmp_path / "other.jsonl"
    written(growing, all_lines[:40])
    async with server.browser() as host, host.follow_file("other.jsonl") as page:
        await page.until(lambda p: p.frames and p.status)
        assert page.status["state"] == "running"
        before = len(page.frames)
        half = all_lines[60][: len(all_lines[60]) // 2]
        written(growing, [*all_lines[:60], half])
        await page.until(lambda p: len(p.frames) > before)
        written(growing, all_lines)
        await page.until(lambda p: p.status["state"] == "ended")
        told = frames(view_of(read(source).events, SPECTATOR), "en")
        assert page.frames == orjson.loads(orjson.dumps(told))
    await until(lambda: server.host.tails.watching == 0, 5)


async def test_only_the_host_watches_files_and_people_s_games_in_public_only(
    recorded: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(library, "_folders", [tmp_path])
    cut(tmp_path / "people.jsonl", people=True)
    cut(tmp_path / "models.jsonl")
    async with (
        serving(tmp_path, password="owls and embers") as server,
        server.browser() as one,
        server.browser() as host,
    ):
        address = "/api/files/stream"
        assert (await one.get(address, file="models.jsonl")).status_code == 401
        await host.post("/api/login", {"password": "owls and embers"})
        for view in ("god", "1", "own"):
            assert (await host.get(address, file="people.jsonl", view=view)).status_code == 403
        for name in ("gone.jsonl", "../people.jsonl", "/etc/passwd", "lobby.sqlite", ""):
            assert (await host.get(address, file=name)).status_code == 400
        async with host.follow_file("models.jsonl", "god") as page:
            await page.until(lambda p: p.frames and p.scene["open"])
        async with host.follow_file("people.jsonl") as page:
            await page.until(lambda p: p.frames)
            assert page.scene["people"] == [["", ""]] * 8
