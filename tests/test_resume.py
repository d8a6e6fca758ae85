"""Resuming: wherever a game stops, it goes on as if it hadn't, and nobody is asked twice."""

import multiprocessing
import time
from pathlib import Path

import pytest

from arena.chance import draw
from arena.terms import Reply, Seat, UnusableInput
from arena.transcript import Gone, Replied, Writer, read, rerun
from tests.matches import Asked, decisions, header, lines, play, play_slowly, players_of, resume

KILLS = 20


@pytest.mark.parametrize("torn", [0, 9], ids=["between lines", "within a line"])
def test_a_game_cut_off_anywhere_is_resumed_to_the_same_end(tmp_path: Path, torn: int) -> None:
    play(tmp_path / "whole", header(6, 6))
    whole = lines(tmp_path / "whole")
    assert len(whole) > 100
    cut = tmp_path / "cut"
    for kept in range(1, len(whole)):
        cut.write_bytes(b"".join(whole[:kept]) + whole[kept][:torn])
        before = resume(cut)
        assert len(before.records) == kept - 1
        assert lines(cut) == whole, f"after line {kept}"


def test_scripted_players_go_on_as_they_would_have(tmp_path: Path) -> None:
    """Their minds are made up anew from the view, wherever the game stops."""
    play(tmp_path / "whole", header(9, 0, "scripted"))
    whole = lines(tmp_path / "whole")
    cut = tmp_path / "cut"
    for kept in range(1, len(whole), 9):
        cut.write_bytes(b"".join(whole[:kept]))
        resume(cut)
        assert lines(cut) == whole, f"after line {kept}"


def test_nobody_is_asked_again_what_has_been_answered(tmp_path: Path) -> None:
    """Also within a batch: of those who decide at once, only the ones who had not answered are asked."""
    head = header(6, 5)
    play(tmp_path / "whole", head)
    whole = lines(tmp_path / "whole")
    everything = set(decisions(read(tmp_path / "whole")))
    cut = tmp_path / "cut"
    for kept in range(1, len(whole)):
        cut.write_bytes(b"".join(whole[:kept]))
        answered = set(decisions(read(cut)))
        asked: list[tuple[Seat, int]] = []
        resume(cut, {seat: Asked(player, asked) for seat, player in players_of(head).items()})
        assert len(asked) == len(set(asked))
        assert set(asked) == everything - answered


def test_a_game_that_is_over_is_left_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "game"
    play(path, header(6, 2))
    before = path.read_bytes()
    asked: list[tuple[Seat, int]] = []
    resume(path, {seat: Asked(player, asked) for seat, player in players_of(header(6, 2)).items()})
    assert path.read_bytes() == before
    assert not asked


def test_a_seat_that_was_gone_stays_gone(tmp_path: Path) -> None:
    """Cut off right after the record that says so, and right after the events that follow."""
    head = header(9, 3)
    play(tmp_path / "whole", head)
    whole = lines(tmp_path / "whole")
    first_reply = next(i for i, record in enumerate(read(tmp_path / "whole").records) if isinstance(record, Replied))
    path = tmp_path / "gone"
    path.write_bytes(b"".join(whole[: first_reply + 1]))
    transcript, writer = Writer.resume(path)
    with writer:
        position = rerun(transcript.header, transcript.records)
        for request in position.waiting:
            writer.append(Replied(request.seat, request.n, Reply(request.default, "fallback")))
        writer.append(Gone((2,)))
    resume(path)
    ended = read(path)
    assert [event.kind for event in ended.events].count("red_carded") == 1
    assert rerun(ended.header, ended.records).gone == (2,)


def test_a_game_that_is_being_played_cannot_be_resumed(tmp_path: Path) -> None:
    path = tmp_path / "game"
    with Writer.create(path, header()), pytest.raises(UnusableInput, match=r"game: this game is being played"):
        resume(path)


def test_a_game_is_taken_over_from_whoever_still_writes_it(tmp_path: Path) -> None:
    """Not even the lock keeps it, which may be held by a machine that nobody hears of; what it writes is lost."""
    path = tmp_path / "game"
    with Writer.create(path, header(6, 5)) as lost:
        play(tmp_path / "whole", header(6, 5))
        begun = lines(tmp_path / "whole")[:40]
        path.write_bytes(b"".join(begun) + b'{"kind":"half')
        before, writer = Writer.take_over(path)
        with writer:
            lost.append(Gone((2,)))
            assert read(path).records == before.records
            assert lines(path) == begun
    resume(path)
    assert lines(path) == lines(tmp_path / "whole")
    assert sorted(file.name for file in tmp_path.iterdir()) == ["game", "whole"]


def test_a_process_killed_at_any_moment_loses_nothing_that_counted(tmp_path: Path) -> None:
    """Twenty processes are really killed, each in another place of the game."""
    head = header(9, 13)
    play(tmp_path / "whole", head)
    whole = read(tmp_path / "whole")
    processes = multiprocessing.get_context("forkserver")
    processes.set_forkserver_preload(["tests.matches"])
    interrupted = 0
    for kill in range(KILLS):
        path = tmp_path / f"{kill}"
        player = processes.Process(target=play_slowly, args=(path, head))
        player.start()
        wait_for_lines(path, 1 + draw("kill", kill) % len(whole.records))
        player.kill()
        player.join()
        before = resume(path)
        interrupted += before.outcome is None
        after = read(path)
        assert after.events == whole.events
        assert decisions(after) == decisions(whole)
        assert decisions(before).items() <= decisions(after).items()
    assert interrupted > KILLS / 2


def wait_for_lines(path: Path, number: int) -> None:
    deadline = time.monotonic() + 60
    while not path.exists() or path.read_bytes().count(b"\n") < number:
        assert time.monotonic() < deadline, "the game never came so far"
        time.sleep(0.002)
