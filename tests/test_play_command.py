"""`arena play`, `arena resume` and `arena verify`, as a user sees them."""

import fcntl
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import time
from functools import partial
from pathlib import Path
from types import ModuleType

import orjson
import pytest

from arena import terminal
from arena.__main__ import main as start
from arena.transcript import Asked, Replied, Writer, read
from tests.command_line import CommandLine
from tests.matches import lines

WITHOUT_TIME = re.compile(rb'"started":"[^"]*"')


@pytest.fixture
def arena(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> CommandLine:
    """The command line, in an empty folder."""
    monkeypatch.chdir(tmp_path)
    return CommandLine(monkeypatch, capsys)


def only_run(folder: Path) -> Path:
    [path] = (folder / "transcripts" / "runs").iterdir()
    return path


def test_a_game_is_told_and_its_transcript_named(arena: CommandLine, tmp_path: Path) -> None:
    ran = arena("play", "--players", 6, "--seed", 3)
    assert (ran.status, ran.err) == (0, "")
    path = only_run(tmp_path).relative_to(tmp_path)
    assert re.fullmatch(r"\d{8}-\d{6}-duskwald-6-3\.jsonl", path.name)
    *account, where, look = ran.out.strip().splitlines()
    assert "第1夜" in ran.out
    assert len(account) > 20
    assert str(path) in where
    assert f"arena replay {path} --god" in look
    assert read(path).outcome
    assert read(path).header.lang == "zh"
    assert len({plan.persona for plan in read(path).header.seats.values()} - {None}) == 6


@pytest.mark.parametrize(
    ("script", "found", "typed"),
    [
        ("/elsewhere/bin/arena", True, "arena"),
        ("/elsewhere/arena/__main__.py", True, "arena"),
        ("/elsewhere/arena/__main__.py", False, f"{os.path.relpath(sys.executable)} -m arena"),
        ("bin/arena", False, "bin/arena"),
    ],
)
def test_what_to_type_is_a_command_however_it_was_started(
    monkeypatch: pytest.MonkeyPatch, script: str, typed: str, *, found: bool
) -> None:
    monkeypatch.setattr(sys, "argv", [script])
    monkeypatch.setattr(shutil, "which", lambda name: name if found else None)
    assert terminal._command("resume", "game") == f"{typed} resume game"


def test_the_account_is_what_the_table_sees(arena: CommandLine, tmp_path: Path) -> None:
    """`replay` tells the same, and nothing of the night."""
    played = arena("play", "--seed", 4, "--lang", "en", "--out", "game.jsonl").out
    replayed = arena("replay", "game.jsonl").out
    assert played.startswith(replayed.rstrip("\n"))
    assert len(played.splitlines()) == len(replayed.splitlines()) + 2


def test_quiet_tells_only_where_the_transcript_is(arena: CommandLine, tmp_path: Path) -> None:
    assert len(arena("play", "--players", 6, "--quiet").out.splitlines()) == 2


def test_the_same_seed_is_the_same_game_and_no_file_is_written_over(arena: CommandLine, tmp_path: Path) -> None:
    for _ in range(3):
        assert arena("play", "--players", 6, "--seed", 3, "--quiet").status == 0
    games = list((tmp_path / "transcripts" / "runs").iterdir())
    assert len(games) == 3
    assert len({WITHOUT_TIME.sub(b"", path.read_bytes()) for path in games}) == 1


def test_a_seed_is_drawn_where_none_is_given(arena: CommandLine, tmp_path: Path) -> None:
    for _ in range(2):
        arena("play", "--players", 6, "--quiet")
    seeds = {read(path).header.seed for path in (tmp_path / "transcripts" / "runs").iterdir()}
    assert len(seeds) == 2


def test_out_names_a_file_or_a_folder_that_is_there(arena: CommandLine, tmp_path: Path) -> None:
    (tmp_path / "here").mkdir()
    arena("play", "--players", 6, "--seed", 1, "--quiet", "--out", "here")
    arena("play", "--players", 6, "--seed", 1, "--quiet", "--out", "new/game")
    [found] = (tmp_path / "here").iterdir()
    assert found.name.endswith("-duskwald-6-1.jsonl")
    assert read(tmp_path / "new" / "game").outcome


def test_options_choose_cards_and_rules(arena: CommandLine, tmp_path: Path) -> None:
    options = ("--cards", "werewolf=2, seer=1,villager=2", "--rule", "stalemate_cycles=1", "--rule", "gods=[seer]")
    assert arena("play", *options, "--out", "game", "--quiet").status == 0
    head = read(tmp_path / "game").header
    assert head.cards == {"werewolf": 2, "seer": 1, "villager": 2}
    assert (head.ruleset.rules["stalemate_cycles"], head.ruleset.rules["gods"]) == (1, ("seer",))


def test_without_seats_in_their_file_scripted_players_sit_everywhere(arena: CommandLine, tmp_path: Path) -> None:
    (tmp_path / "table.yaml").write_text("players: 6\nrules: {sheriff.weight: 2}\n", encoding="utf-8")
    assert arena("play", "--seats", "table.yaml", "--seed", 3, "--out", "game.jsonl", "--quiet").status == 0
    header = read(Path("game.jsonl")).header
    assert header.ruleset.rules["sheriff.weight"] == 2
    assert [header.seats[seat].player for seat in range(1, 7)] == ["scripted"] * 6
    assert len({plan.persona for plan in header.seats.values()} - {None}) == 6


def test_a_seats_file_says_who_plays_and_options_go_before_it(arena: CommandLine, tmp_path: Path) -> None:
    (tmp_path / "table.yaml").write_text(
        "language: en\nrules: {sheriff.weight: 2, stalemate_cycles: 2}\nseats: {1-3: random, 4: scripted, 5-6: random}",
        encoding="utf-8",
    )
    # This seed deals a card to seat 4 that is asked on the first night, so it certainly replies.
    options = ("--seed", "2", "--rule", "stalemate_cycles=1", "--lang", "zh", "--out", "game", "--quiet")
    arena("play", "--seats", "table.yaml", *options)
    written = read(tmp_path / "game")
    assert [written.header.seats[seat].player for seat in range(1, 7)] == [*["random"] * 3, "scripted", *["random"] * 2]
    assert written.header.lang == "zh"
    assert written.header.ruleset.rules["sheriff.weight"] == 2
    assert written.header.ruleset.rules["stalemate_cycles"] == 1
    sources = {(r.seat == 4, r.reply.source) for r in written.records if isinstance(r, Replied)}
    assert sources == {(False, "random"), (True, "script")}


def test_the_transcript_holds_no_seed_of_a_player(arena: CommandLine, tmp_path: Path) -> None:
    """Players get a hash of seed and seat; nothing that stands in the file would give them the deal."""
    arena("play", "--players", 6, "--seed", 987654321, "--out", "game", "--quiet")
    _, *records = lines(tmp_path / "game")
    assert not any(b"987654321" in record for record in records)


# Interrupted, resumed


def test_control_c_while_the_command_line_loads_is_no_traceback(monkeypatch: pytest.MonkeyPatch) -> None:
    """Loading is interrupted at its start; before that, Python itself is loading."""

    class Interrupted(ModuleType):
        def __getattr__(self, name: str) -> object:
            raise KeyboardInterrupt

    monkeypatch.setitem(sys.modules, "arena.cli", Interrupted("arena.cli"))
    with pytest.raises(SystemExit) as ended:
        start()
    assert ended.value.code == 130


def test_control_c_ends_with_130_and_says_how_to_go_on(arena: CommandLine, tmp_path: Path) -> None:
    """The game stands still because nobody reads its account; there it is interrupted."""
    path = tmp_path / "a game.jsonl"
    reading, writing = os.pipe()
    fcntl.fcntl(writing, fcntl.F_SETPIPE_SZ, 4096)
    command = [sys.executable, "-c", "from arena.cli import main; main()"]
    options = ["play", "--seats", str(tmp_path / "table.yaml"), "--seed", "2", "--lang", "en", "--out", str(path)]
    (tmp_path / "table.yaml").write_text("seats: {1-12: random}", encoding="utf-8")
    # It must hear Control-C also where this process doesn't, as in the background of a shell.
    heard = partial(signal.signal, signal.SIGINT, signal.default_int_handler)
    with subprocess.Popen(
        [*command, *options], stdout=writing, stderr=subprocess.PIPE, text=True, preexec_fn=heard
    ) as game:
        os.close(writing)
        deadline = time.monotonic() + 60
        while not path.exists() or len(lines(path)) < 60:
            assert time.monotonic() < deadline
            assert game.poll() is None, game.communicate()[1]
            time.sleep(0.01)
        game.send_signal(signal.SIGINT)
        with os.fdopen(reading, "rb") as account:
            account.read()
        _, err = game.communicate(timeout=60)
    assert game.returncode == 130
    assert err == f"Interrupted. To go on: arena resume {shlex.quote(str(path))}\n"
    assert read(path).outcome is None

    assert arena("resume", path).status == 0
    arena("play", *options[1:-1], "whole")
    assert read(path).events == read(tmp_path / "whole").events


def cut_off(source: Path, target: Path, part: float) -> Path:
    data = source.read_bytes()
    target.write_bytes(data[: int(len(data) * part)])
    return target


def test_resume_tells_the_rest_of_the_game(arena: CommandLine, tmp_path: Path) -> None:
    options = ("--players", 8, "--seed", 5, "--lang", "en", "--out")
    played = arena("play", *options, "whole").out.splitlines()[:-2]
    path = cut_off(tmp_path / "whole", tmp_path / "cut", 0.6)
    ran = arena("resume", path)
    told = ran.out.splitlines()[:-2]
    assert (ran.status, ran.err) == (0, "")
    assert 10 < len(told) < len(played)
    assert read(path).outcome
    assert played[-1] == told[-1]


def test_resuming_a_game_that_is_over_says_so(arena: CommandLine, tmp_path: Path) -> None:
    arena("play", "--players", 6, "--seed", 1, "--lang", "en", "--out", "game", "--quiet")
    ran = arena("resume", "game")
    assert (ran.status, ran.err) == (0, "This game is over; there is nothing to resume.\n")


def test_a_transcript_that_does_not_follow_is_not_resumed(arena: CommandLine, tmp_path: Path) -> None:
    arena("play", "--players", 6, "--seed", 1, "--lang", "en", "--out", "game", "--quiet")
    head, *records = lines(tmp_path / "game")
    (tmp_path / "game").write_bytes(b"".join([head, *records[1:60]]))
    ran = arena("resume", "game")
    assert ran.status == 2
    assert ran.err.startswith('arena: game: line 2, event 1: expected {"kind":"began"')
    assert len(ran.err.splitlines()) == 1
    assert len(lines(tmp_path / "game")) == 60


# Verified


@pytest.fixture
def games(arena: CommandLine, tmp_path: Path) -> Path:
    """A folder with a whole game, one cut off within a line, and one whose first vote was changed."""
    arena("play", "--players", 7, "--seed", 6, "--lang", "en", "--out", "whole", "--quiet")
    cut_off(tmp_path / "whole", tmp_path / "cut", 0.5)
    changed = (
        (tmp_path / "whole")
        .read_bytes()
        .replace(b'"decision":{"act":"vote","seats":[', b'"decision":{"act":"vote","seats":[9', 1)
    )
    (tmp_path / "changed").write_bytes(changed)
    return tmp_path


def test_verify_says_that_a_game_is_the_same(arena: CommandLine, games: Path) -> None:
    events = len(read(games / "whole").events)
    assert arena("verify", "whole") == (0, f"whole: the same, {events} events.\n", "")


def test_verify_tells_of_a_game_that_was_cut_off(arena: CommandLine, games: Path) -> None:
    cut = read(games / "cut")
    status, out, err = arena("verify", "cut")
    assert (status, err) == (0, "")
    assert out.splitlines() == [
        f"cut: the same, {len(cut.events)} events; the game is unfinished, arena resume goes on with it.",
        f"cut: the last line was cut off while it was written ({cut.half_written} bytes).",
    ]
    assert cut.half_written


def test_verify_names_the_first_difference(arena: CommandLine, games: Path) -> None:
    changed = next(i for i, line in enumerate(lines(games / "changed")) if line not in set(lines(games / "whole")))
    status, out, _ = arena("verify", "whole", "changed")
    assert status == 1
    _, what, expected, found = out.splitlines()
    assert what.startswith(f"changed: line {changed + 1}, at event ")
    assert what.endswith("a decision that is not allowed (seats).")
    assert '"kind":"asked"' in expected
    assert lines(games / "changed")[changed].decode().strip() in found


def test_verify_says_the_same_to_programs(arena: CommandLine, games: Path) -> None:
    status, out, _ = arena("verify", "--json", "whole", "cut", "changed")
    assert status == 1
    whole, cut, changed = map(orjson.loads, out.splitlines())
    assert whole == {
        "file": "whole",
        "same": True,
        "events": len(read(games / "whole").events),
        "finished": True,
        "half_written": 0,
        "difference": None,
    }
    assert (cut["same"], cut["finished"], cut["half_written"]) == (True, False, read(games / "cut").half_written)
    assert changed["same"] is False
    assert set(changed["difference"]) == {"line", "event", "expected", "actual", "why"}


def test_a_game_of_another_version_is_told_to_be_one_where_it_differs(arena: CommandLine, games: Path) -> None:
    data = (games / "changed").read_bytes()
    (games / "older").write_bytes(re.sub(rb'"duskwald":"[^"]*"', b'"duskwald":"0.0.1"', data, count=1))
    assert "written by Duskwald 0.0.1" in arena("verify", "older").out
    assert "written by" not in arena("verify", "changed").out


def test_requests_and_replies_match_one_to_one(games: Path) -> None:
    records = read(games / "whole").records
    asked = [(r.request.seat, r.request.n) for r in records if isinstance(r, Asked)]
    assert sorted(asked) == sorted((r.seat, r.n) for r in records if isinstance(r, Replied))


def test_a_game_that_is_being_played_can_be_verified_but_not_resumed(arena: CommandLine, games: Path) -> None:
    _, writer = Writer.resume(games / "cut")
    with writer:
        assert arena("verify", "cut").status == 0
        ran = arena("resume", "cut")
    assert ran.status == 2
    assert ran.err == "arena: cut: this game is being played by another process\n"
