"""The transcript: written as the game goes on, folded without rules, and decided again to the last byte."""

import dataclasses
import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import get_args

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from arena.events import Ended, Noted, Phase, RedCarded, Said, Shot, Turned, Warned
from arena.ruleset import Ruleset
from arena.seating import SeatPlan
from arena.terms import SPECTATOR, Attempt, Choice, Claim, Decision, Reply, Request, UnusableInput, Usage
from arena.transcript import (
    Asked,
    Attempted,
    Beside,
    Difference,
    Gone,
    Header,
    Record,
    Replied,
    Reserved,
    Transcript,
    Writer,
    read,
    rerun,
)
from arena.transcript.schema import decode, decode_header, encode
from tests.matches import decisions, header, lines, play
from tests.repository import ROOT

GAMES = settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
"""Whole games: few of them, and as slow as the machine happens to be."""


@GAMES
@given(players=st.integers(6, 12), seed=st.integers(0, 10**6), target=st.booleans())
def test_rerun_and_fold_give_the_same_game(tmp_path: Path, players: int, seed: int, target: bool) -> None:
    path = tmp_path / f"{players}-{seed}-{target}.jsonl"
    path.unlink(missing_ok=True)
    rules = {"vote__ballot": "by_target", "sheriff__candidates": "everyone"} if target else {}
    match = play(path, header(players, seed, **rules))
    written = read(path)

    assert list(written.events) == match.position.events
    assert b"".join(map(encode, written.events)) == b"".join(map(encode, match.position.events))
    again = rerun(written.header, written.records)
    assert again.events == match.position.events
    assert (again.unwritten, again.waiting) == ((), [])
    folded = written.views()
    for seat in range(SPECTATOR, players + 1):
        assert folded.of(seat) == match.view(seat)


@GAMES
@given(players=st.integers(6, 12), seed=st.integers(0, 10**6))
def test_every_game_ends_and_nobody_is_asked_after_the_end(tmp_path: Path, players: int, seed: int) -> None:
    path = tmp_path / f"{players}-{seed}.jsonl"
    path.unlink(missing_ok=True)
    play(path, header(players, seed))
    written = read(path)
    assert [r.kind for r in written.records].count("ended") == 1
    assert written.outcome is written.records[-1]
    asked = [(r.request.seat, r.request.n) for r in written.records if isinstance(r, Asked)]
    assert sorted(asked) == sorted(decisions(written))
    assert len(asked) == len(set(asked))


def test_each_kind_of_record_is_read_back_as_it_was(tmp_path: Path) -> None:
    speech = Decision("speak", (), "文", (Claim("side", (3,), "village"),))
    seen: list[Record] = [
        Gone((1, 2)),
        Reserved(1, 2, 0.25),
        Attempted(1, 2, Attempt("local", "illegal", "why", "{", usage=Usage(5, 2, 1), seconds=0.5, usd=0.125)),
        Replied(1, 2, Reply(speech, "model", "思", "记", ((3, 0.75),), "now", 2)),
        Said((1, 2), 3, "speech", "文", (Claim("checked", (4,), "werewolf"), Claim("will_check", (1, 2)))),
        Warned(3, "oath", 1),
        RedCarded(3),
        Shot(3, 4),
        Turned(3, "werewolf"),
        Noted(3, "watched", ((1, "x"), True, None)),
    ]
    for seed in range(4):
        play(tmp_path / str(seed), header(12, seed))
        seen += read(tmp_path / str(seed)).records
    for record in seen:
        assert decode(encode(record)) == record
    kinds = [kind.__dataclass_fields__["kind"].default for kind in get_args(Record)]
    assert sorted(kinds) == sorted({record.kind for record in seen})


def test_a_line_leaves_out_what_is_default() -> None:
    assert encode(Replied(3, 1, Reply(Decision("pass"), "script"))) == (
        b'{"kind":"replied","seat":3,"n":1,"reply":{"decision":{"act":"pass"},"source":"script"}}\n'
    )


def test_a_game_of_twelve_who_talk_stays_under_300_kilobytes(tmp_path: Path) -> None:
    for seed in range(3):
        path = tmp_path / f"{seed}.jsonl"
        play(path, header(12, seed, "scripted"))
        assert any(event.kind == "said" and event.text for event in read(path).events)
        assert path.stat().st_size < 300_000


def test_the_seed_decides_everything(tmp_path: Path) -> None:
    for name, seed in (("a", 5), ("b", 5), ("c", 6)):
        play(tmp_path / name, header(9, seed))
    assert lines(tmp_path / "a") == lines(tmp_path / "b")
    assert lines(tmp_path / "a")[1:] != lines(tmp_path / "c")[1:]


# Writing


def test_a_record_is_in_the_file_before_the_game_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    with Writer.create(path, header()) as writer:
        for n in range(1, 4):
            writer.append(Gone((n,)))
            assert read(path).records[-1] == Gone((n,))


def test_the_file_is_forced_to_disk_at_nightfall_and_daybreak_and_at_the_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    forced: list[int] = []
    monkeypatch.setattr(os, "fsync", forced.append)
    with Writer.create(tmp_path / "game.jsonl", header()) as writer:
        counts = []
        for day, part in ((1, "night"), (1, "election"), (1, "announcement"), (1, "vote"), (2, "night"), (2, "vote")):
            writer.append(Phase(day, part))  # type: ignore[arg-type]
            counts.append(len(forced))
    assert counts == [1, 2, 2, 2, 3, 4]
    assert len(forced) == 5


def test_a_transcript_is_never_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    Writer.create(path, header()).close()
    before = path.read_bytes()
    with pytest.raises(UnusableInput, match="exists already"):
        Writer.create(path, header(seed=1))
    assert path.read_bytes() == before


def test_a_game_has_one_driver(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    with Writer.create(path, header()):
        with pytest.raises(UnusableInput, match="another process"):
            Writer.resume(path)
        assert read(path).records == ()
    Writer.resume(path)[1].close()


def test_a_full_disk_is_one_line() -> None:
    full = Path("/dev/full")
    writer = Writer(full, os.open(full, os.O_WRONLY))
    with pytest.raises(UnusableInput, match="/dev/full: can't be written: No space left"):
        writer.append(Gone((1,)))


# Reading


def test_a_half_written_last_line_is_no_record(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    play(path, header(6, 1))
    whole = read(path)
    path.write_bytes(path.read_bytes()[:-5])
    cut = read(path)
    assert cut.records == whole.records[:-1]
    assert cut.half_written == len(encode(whole.records[-1])) - 5
    assert cut.outcome is None


# Deciding again: what has been tampered with is found where it was done


def first(records: list[Record], kind: str, start: int = 0) -> int:
    return next(i for i, record in enumerate(records) if i >= start and record.kind == kind)


def drop(kind: str) -> Callable[[list[Record]], int]:
    def change(records: list[Record]) -> int:
        at = first(records, kind)
        del records[at]
        return at

    return change


def duplicate(kind: str) -> Callable[[list[Record]], int]:
    def change(records: list[Record]) -> int:
        at = first(records, kind)
        records.insert(at + 1, records[at])
        return at + 1

    return change


def event_in_the_batch_before(records: list[Record]) -> int:
    """The first event after the first replies is put before the last of them."""
    at = first(records, "replied")
    after = next(i for i in range(at, len(records)) if not isinstance(records[i], Replied))
    records.insert(after - 1, records.pop(after))
    return after - 1


def reply(**changes: object) -> Callable[[list[Record]], int]:
    def change(records: list[Record]) -> int:
        at = first(records, "replied")
        old = records[at]
        assert isinstance(old, Replied)
        new = {"seat": old.seat, "n": old.n, "reply": old.reply, **changes}
        records[at] = Replied(**new)  # type: ignore[arg-type]
        return at

    return change


def after_the_end(records: list[Record]) -> int:
    records.append(records[first(records, "replied")])
    return len(records) - 1


def nobody_gone(records: list[Record]) -> int:
    at = first(records, "called")
    records.insert(at, Gone((77,)))
    return at


TAMPERED: dict[str, tuple[Callable[[list[Record]], int], str]] = {
    "an event is missing": (drop("dealt"), ""),
    "an event stands twice": (duplicate("called"), ""),
    "an event stands in the batch before": (event_in_the_batch_before, ""),
    "a request is missing": (drop("asked"), ""),
    "a request is answered twice": (duplicate("replied"), ""),
    "a seat answers that is not there": (reply(seat=77), ""),
    "an answer to another request": (reply(n=77), ""),
    "a decision that is not allowed": (reply(reply=Reply(Decision("fly"), "script")), "act"),
    "somebody answers after the end": (after_the_end, ""),
    "a seat is gone that is not there": (nobody_gone, "seats"),
}


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Transcript:
    path = tmp_path_factory.mktemp("written") / "game.jsonl"
    play(path, header(9, 4))
    return read(path)


@pytest.mark.parametrize(("change", "why"), TAMPERED.values(), ids=TAMPERED.keys())
def test_a_changed_record_is_found(written: Transcript, change: Callable[[list[Record]], int], why: str) -> None:
    records = list(written.records)
    at = change(records)
    with pytest.raises(Difference) as found:
        rerun(written.header, records)
    assert found.value.line == at + 2
    assert found.value.event == 1 + sum(not isinstance(r, Beside) for r in records[:at])
    assert found.value.why == why
    assert found.value.actual == encode(records[at]).decode().strip()
    assert "\n" not in str(found.value)


def test_a_changed_decision_is_found_by_the_events_that_follow_from_it(written: Transcript) -> None:
    records = list(written.records)
    vote = next(i for i, r in enumerate(records) if isinstance(r, Replied) and r.reply.decision.act == "vote")
    old = records[vote]
    assert isinstance(old, Replied)
    records[vote] = Replied(old.seat, old.n, Reply(Decision("pass"), "random"))
    with pytest.raises(Difference) as found:
        rerun(written.header, records)
    assert '"kind":"voted"' in found.value.expected
    assert '"kind":"voted"' in found.value.actual


@pytest.mark.parametrize(
    ("changes", "event"),
    [
        ({"seed": 5}, "dealt"),
        ({"protected": (3,)}, "began"),
        ({"cards": {"werewolf": 3, "seer": 1, "witch": 1, "guard": 1, "villager": 3}}, "began"),
        ({"ruleset": header(9, 4, stalemate_cycles=4).ruleset}, "began"),
    ],
)
def test_a_changed_header_is_found(written: Transcript, changes: dict[str, object], event: str) -> None:
    with pytest.raises(Difference) as found:
        rerun(written.header.model_copy(update=changes), written.records)
    assert f'"kind":"{event}"' in found.value.actual


def test_the_order_of_replies_within_a_batch_decides_nothing(written: Transcript) -> None:
    records = list(written.records)
    turned: list[Record] = []
    batch: list[Record] = []
    for record in records:
        if isinstance(record, Replied):
            batch.insert(0, record)
        else:
            turned += [*batch, record]
            batch = []
    assert turned != records
    assert rerun(written.header, turned).events == list(written.events)


def test_cards_laid_by_hand_are_played_as_they_lie(tmp_path: Path) -> None:
    roles = ("villager", "werewolf", "seer", "villager", "werewolf", "guard")
    path = tmp_path / "game.jsonl"
    play(path, header(6, 1).model_copy(update={"cards": roles}))
    ended = read(path).outcome
    assert isinstance(ended, Ended)
    assert ended.cards == roles
    rerun(read(path).header, read(path).records)


# The description


def described() -> str:
    return (ROOT / "transcripts" / "README.md").read_text(encoding="utf-8")


def test_the_example_in_the_description_is_valid() -> None:
    [example] = re.findall(r"^```json\n(.*?)^```$", described(), flags=re.MULTILINE | re.DOTALL)
    head, *records = example.encode().splitlines()
    assert decode_header(head).players == 6
    for line in records:
        assert encode(decode(line)).strip() == line


def test_the_description_names_every_field_of_what_is_no_event() -> None:
    kinds = (Asked, Replied, Gone, Reserved, Attempted, Attempt, Request, Choice, Reply, Decision, Claim, Usage)
    fields = {*Header.model_fields, *SeatPlan.model_fields, *Ruleset.model_fields}
    fields |= {field.name for kind in kinds for field in dataclasses.fields(kind)}
    text = described()
    missing = [name for name in sorted(fields) if not re.search(rf"[`.]{name}`", text)]
    assert not missing
