"""Forks: a game cut where seats are asked, and played on by others."""

import asyncio
from collections.abc import Mapping
from pathlib import Path

import pytest

from arena.match import Match
from arena.players.player import Player
from arena.seating import Seating, SeatPlan, make_players
from arena.terms import Reply, Seat, UnusableInput
from arena.transcript import Asked, Forked, Replied, Transcript, Writer, fork, read, rerun
from arena.transcript.schema import Beside, fingerprint
from tests.command_line import CommandLine
from tests.matches import Passing, header, play
from tests.model_games import attempts, table, written
from tests.model_games import play as play_models
from tests.model_server import ModelServer
from tests.records import cut, whole
from tests.repository import ROOT

GOLDEN = ROOT / "transcripts" / "golden" / "duskwald-6-zh.jsonl"
NOW = "2026-11-30T10:00:00+00:00"
SAME = Seating()


def play_on(path: Path, forked: Forked, players: Mapping[Seat, Player] | None = None) -> Transcript:
    head = forked.header
    with Writer.create(path, head) as writer:
        writer.append(*forked.records)
        given = players or make_players(head.seats, head.seed, head.lang)
        asyncio.run(Match(rerun(head, forked.records), writer, given).run())
    return read(path)


def batches(transcript: Transcript) -> list[int]:
    """How many events there were each time seats were asked."""
    found, events, asking = [], 0, False
    for record in transcript.records:
        if isinstance(record, Asked) and not asking:
            found.append(events)
        asking = isinstance(record, Asked)
        events += not isinstance(record, Beside)
    return found


@pytest.mark.parametrize("name", ["duskwald-6-zh", "duskwald-9-en"])
def test_a_fork_at_any_batch_with_the_same_players_is_the_same_game(tmp_path: Path, name: str) -> None:
    """A golden game of scripted players, whose minds are made up anew from the copied part."""
    whole_game = read(GOLDEN.with_stem(name))
    places = sorted(set(batches(whole_game)))
    assert len(places) > 12
    for number, at in enumerate(places):
        forked = fork(whole_game, at, SAME, NOW)
        assert forked.header.fork is not None
        assert forked.header.fork.at == at
        again = play_on(tmp_path / f"{number}.jsonl", forked)
        assert again.records == whole_game.records, at
        assert rerun(again.header, again.records).state.outcome


def test_others_play_on_from_a_batch_to_a_sound_end(tmp_path: Path) -> None:
    original = read(GOLDEN)
    others = Seating(seats=dict.fromkeys(range(1, 7), SeatPlan(player="random")))
    for at in sorted(set(batches(original)))[::7]:
        again = play_on(tmp_path / f"{at}.jsonl", fork(original, at, others, NOW))
        assert again.events[:at] == original.events[:at]
        assert rerun(again.header, again.records).state.outcome
        assert again.records[-1] == again.outcome


def test_a_fork_is_cut_at_the_last_batch_at_or_before_the_event() -> None:
    original = read(GOLDEN)
    places = sorted(set(batches(original)))
    for at in range(1, len(original.events) + 1):
        forked = fork(original, at, SAME, NOW)
        assert forked.header.fork is not None
        assert forked.header.fork.at == max((place for place in places if place <= at), default=0)


def test_a_fork_says_where_it_comes_from() -> None:
    original = read(GOLDEN)
    head = fork(original, 40, SAME, NOW).header
    assert head.fork is not None
    assert (head.fork.file, head.fork.game) == ("duskwald-6-zh.jsonl", fingerprint(original.header))
    assert (head.seed, head.cards, head.ruleset, head.started) == (
        original.header.seed,
        original.header.cards,
        original.header.ruleset,
        NOW,
    )


def test_what_a_seat_thought_goes_with_its_player() -> None:
    original = read(GOLDEN)
    plans = (original.header.seats[2], SeatPlan(player="random"))
    kept, gone = (fork(original, 60, Seating(seats={2: plan}), NOW) for plan in plans)
    before = [record for record in original.records if isinstance(record, Replied)]
    for forked, others in ((kept, set()), (gone, {2})):
        copied = [record for record in forked.records if isinstance(record, Replied)]
        for old, new in zip(before, copied, strict=False):
            reply = Reply(old.reply.decision, old.reply.source) if old.seat in others else old.reply
            assert new.reply == reply
    assert any(record.reply.thought for record in before if record.seat == 2)


def test_people_of_the_old_game_are_replaced(tmp_path: Path) -> None:
    """A finished game in which a person sat at seat 1; the person can't be asked again."""
    path = whole(tmp_path / "game.jsonl")
    head, rest = path.read_bytes().split(b"\n", 1)
    path.write_bytes(head.replace(b'"1":{"player":"scripted"}', b'"1":{"player":"human","name":"Ming"}') + b"\n" + rest)
    original = read(path)
    assert original.header.seats[1].player == "human"
    forked = fork(original, 60, SAME, NOW)
    assert forked.header.seats[1] == SeatPlan()
    assert not forked.header.practice
    assert play_on(tmp_path / "fork.jsonl", forked).outcome
    again = fork(original, 60, Seating(seats={1: SeatPlan(player="human", name="Hua")}), NOW)
    assert again.header.practice


def test_calls_stay_with_the_game_that_has_paid_for_them(tmp_path: Path) -> None:
    with ModelServer() as server:
        server.answer = written
        original = play_models(tmp_path / "game.jsonl", table(server))
        last = len(original.events)
        forked = fork(original, last, Seating(seats={1: SeatPlan()}, endpoints=dict(table(server).plans)), NOW)
    assert attempts(original)
    assert not attempts(Transcript(Path(), forked.header, forked.records))
    assert forked.header.models == original.header.models
    assert Transcript(Path(), forked.header, forked.records).spent == 0


def test_a_game_that_was_interrupted_can_be_forked(tmp_path: Path) -> None:
    original = read(cut(tmp_path / "game.jsonl"))
    forked = fork(original, len(original.events), SAME, NOW)
    assert play_on(tmp_path / "fork.jsonl", forked).outcome


def test_a_game_of_a_series_is_forked_alone(tmp_path: Path) -> None:
    head = header(6, 2).model_copy(update={"game": 2, "protected": (3,)})
    play(tmp_path / "game.jsonl", head, dict.fromkeys(range(1, 7), Passing()))
    original = read(tmp_path / "game.jsonl")
    forked = fork(original, 30, SAME, NOW)
    assert (forked.header.game, forked.header.protected, forked.header.series) == (2, (3,), None)
    assert play_on(tmp_path / "fork.jsonl", forked).outcome


# What can't be forked


def test_a_game_that_people_still_play_is_not_forked(tmp_path: Path) -> None:
    """Whoever could fork it would see its cards."""
    with pytest.raises(UnusableInput, match="until it ends it can't be forked"):
        fork(read(cut(tmp_path / "game.jsonl", people=True)), 10, SAME, NOW)


def test_a_game_that_was_told_otherwise_is_not_forked(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    path.write_bytes(GOLDEN.read_bytes().replace(b'"act":"check","seats":[', b'"act":"check","seats":[9,', 1))
    with pytest.raises(UnusableInput, match=r"game\.jsonl: line \d+, event"):
        fork(read(path), 60, SAME, NOW)


@pytest.fixture
def arena(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> CommandLine:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "game.jsonl").write_bytes(GOLDEN.read_bytes())
    return CommandLine(monkeypatch, capsys)


def test_the_command_tells_what_is_new_and_where_it_is(arena: CommandLine, tmp_path: Path) -> None:
    (tmp_path / "seats.yaml").write_text("seats: {1-6: random}\n", encoding="utf-8")
    ran = arena("fork", "game.jsonl", "--at", 40, "--seats", "seats.yaml", "--out", "fork.jsonl")
    assert ran.status == 0, ran.err
    assert "fork.jsonl" in ran.out
    assert arena("verify", "fork.jsonl").status == 0
    assert {plan.player for plan in read(tmp_path / "fork.jsonl").header.seats.values()} == {"random"}
    again = arena("fork", "game.jsonl", "--at", 40, "--seats", "seats.yaml", "--out", "fork.jsonl")
    assert (again.status, len(again.err.splitlines())) == (2, 1)
    quiet = arena("fork", "game.jsonl", "--at", 40, "--seats", "seats.yaml", "--quiet")
    assert "transcripts/runs/" in quiet.out
    assert len(quiet.out) < len(ran.out) / 2


@pytest.mark.parametrize(
    ("at", "seats", "complaint"),
    [
        (9999, "seats: {1: random}", "--at 9999: game.jsonl has the events 1 to "),
        (0, "seats: {1: random}", "--at"),
        (40, "seats: {7: random}", "seats: 7: there are only 6 seats"),
        (40, "ruleset: classic", "ruleset: classic; a fork goes on with duskwald"),
        (40, "players: 7", "players: 7; a fork goes on with 6"),
        (40, "language: en", "language: en; a fork goes on with zh"),
        (40, "rules: {sheriff.weight: 1}", "rules: sheriff.weight: a fork goes on with the rules of its game"),
        (40, "cards: {werewolf: 2, villager: 4}", "cards: a fork goes on with the cards of its game"),
        (40, "seats: {1: {model: nowhere}}", "nowhere"),
        (40, "seats: {1: {human: Ming}, 2: {human: Hua}}", "one person plays in a terminal"),
        (40, "seat: {}", "seats.yaml"),
    ],
)
def test_nonsense_is_one_line_and_nothing_is_written(
    arena: CommandLine, tmp_path: Path, at: int, seats: str, complaint: str
) -> None:
    (tmp_path / "seats.yaml").write_text(seats, encoding="utf-8")
    ran = arena("fork", "game.jsonl", "--at", at, "--seats", "seats.yaml", "--out", "fork.jsonl")
    assert (ran.status, ran.out) == (2, "")
    assert complaint in ran.err
    assert len(ran.err.splitlines()) == 1
    assert not (tmp_path / "fork.jsonl").exists()
