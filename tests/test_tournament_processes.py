"""Tournaments in processes of their own: interrupted, killed, and started twice."""

import signal
from pathlib import Path

from tests.model_server import ModelServer
from tests.tournament_games import (
    calls,
    events,
    file_of,
    lines,
    planned,
    played,
    playing,
    serving,
    through,
    wait_until,
    with_models,
)

IN_FLIGHT = 8


def half_way(server: ModelServer, number: int) -> None:
    wait_until(lambda: len(server.requests) >= number)


def test_control_c_pauses_and_the_same_command_goes_on(tmp_path: Path) -> None:
    with serving(slow=0.05) as server:
        server.meets = lambda body: "slow"
        plan = file_of(tmp_path, **with_models(server))
        played(planned(tmp_path, **with_models(server)), tmp_path / "whole")
        asked = len(server.requests)
        with playing(plan, tmp_path / "t") as process:
            half_way(server, asked + 20)
            process.send_signal(signal.SIGINT)
            status, out, err = through(process)
        assert status == 130
        assert out == ""
        assert "Traceback" not in err
        assert f"arena tournament {plan} --out {tmp_path / 't'}" in err.replace("\n", " ")
        before = calls(tmp_path / "t")
        assert len(server.requests) - asked == len(before), "what was in flight was waited for"
        assert {stop["cause"] for stop in lines(tmp_path / "t" / "stops.jsonl")} == {"person"}
        with playing(plan, tmp_path / "t") as process:
            status, out, err = through(process)
    assert status == 0, err
    assert "after 4 games" in out
    assert set(before) < set(calls(tmp_path / "t"))
    assert len(server.requests) - asked == len(calls(tmp_path / "t")) == len(set(calls(tmp_path / "t")))
    assert events(tmp_path / "t") == events(tmp_path / "whole")


def test_a_killed_process_loses_no_reply_and_plays_no_game_twice(tmp_path: Path) -> None:
    with serving(slow=0.05) as server:
        server.meets = lambda body: "slow"
        keys = with_models(server, endpoint={"in_flight": IN_FLIGHT // 2})
        plan = file_of(tmp_path, **keys)
        played(planned(tmp_path, **keys), tmp_path / "whole")
        asked = len(server.requests)
        for kill in range(2):
            with playing(plan, tmp_path / "t") as process:
                half_way(server, asked + 25 * (kill + 1))
                process.kill()
                process.communicate()
            files = {file: file.read_bytes() for file in (tmp_path / "t" / "games").iterdir()}
            assert files
        with playing(plan, tmp_path / "t") as process:
            status, _, err = through(process)
        assert status == 0, err
        for file, data in files.items():
            kept = data[: data.rfind(b"\n") + 1]
            assert file.read_bytes().startswith(kept)
    made = calls(tmp_path / "t")
    assert len(made) == len(set(made))
    assert len(server.requests) - asked <= len(made) + 2 * IN_FLIGHT, "only what was in flight was asked again"
    assert not (tmp_path / "t" / "voids").exists()
    assert events(tmp_path / "t") == events(tmp_path / "whole")


def test_a_second_process_is_refused_in_one_line(tmp_path: Path) -> None:
    with serving(slow=60) as server:
        server.meets = lambda body: "slow"
        plan = file_of(tmp_path, **with_models(server))
        with playing(plan, tmp_path / "t") as first:
            half_way(server, 1)
            with playing(plan, tmp_path / "t") as second:
                status, out, err = through(second)
            assert first.poll() is None
    assert (status, out) == (2, "")
    assert err == f"arena: {tmp_path / 't'}: this tournament is being played by another process\n"


def test_endpoints_that_do_not_answer_are_all_named_before_anything_is_played(tmp_path: Path) -> None:
    with serving(models=("good",)) as server:
        keys = with_models(server)
        keys["endpoints"]["good"]["base_url"] = "http://127.0.0.1:9/v1"
        with playing(file_of(tmp_path, **keys), tmp_path / "t") as process:
            status, out, err = through(process)
    assert (status, out) == (2, "")
    assert "good (http://127.0.0.1:9/v1): no connection" in err
    assert f"bad ({server.base_url}): no model 'bad'; it serves: good" in err
    assert not server.requests
    assert not list((tmp_path / "t" / "games").iterdir())
