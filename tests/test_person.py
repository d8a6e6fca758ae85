"""A person at the table, from the first question to the last: what they are told, asked, and given time for."""

import asyncio
from collections.abc import Callable, Sequence
from io import StringIO
from itertools import count
from pathlib import Path

import pytest
from rich.console import Console

from arena import person as module
from arena.chance import draw
from arena.events import Called, Ended, Event, Exploded, view_of
from arena.match import Match
from arena.narrate import Narrator, show
from arena.person import Person
from arena.players.player import Player
from arena.seating import Clock
from arena.terms import LANGUAGES, Lang, Reply, Request, Seat
from arena.texts import texts
from arena.transcript import Header, Replied, Transcript, Writer, read, rerun
from tests.keyboard import DOWN, ENTER, ESC, somebody
from tests.matches import Passing, header, players_of

HASTE = Clock(pace=0)
WOLF = ("werewolf", "werewolf", "villager", "villager", "seer", "guard")


async def sit(
    path: Path, head: Header, seat: Seat, clock: Clock = HASTE, players: dict[Seat, Player] | None = None
) -> str:
    """Play a game with a person at `seat`: what they were shown."""
    shown = StringIO()
    person = Person(seat, head.lang, clock, Console(file=shown, width=10_000, highlight=False))
    others = {other: player for other, player in (players or players_of(head)).items() if other != seat}
    with Writer.create(path, head) as writer:
        async with asyncio.timeout(120):
            await person.play(Match(rerun(head), writer, others, person.listen, person.pace))
    return shown.getvalue()


def as_seen(lang: Lang, seat: Seat, events: Sequence[Event]) -> list[str]:
    """The account of a view, line by line."""
    shown = StringIO()
    console = Console(file=shown, width=10_000, highlight=False)
    narrator = Narrator(lang, seat)
    for event in view_of(events, seat).events:
        show(console, narrator.lines(event))
    return shown.getvalue().splitlines()


def replies(transcript: Transcript, seat: Seat) -> list[Reply]:
    return [record.reply for record in transcript.records if isinstance(record, Replied) and record.seat == seat]


def at_random(seed: int) -> Callable[[], str]:
    """Keys that choose something of any list, and are a speech where one is asked for."""
    numbers = count()
    return lambda: "j" * (draw(seed, next(numbers)) % 5) + ENTER


@pytest.mark.parametrize(("lang", "seat"), [("zh", 1), ("en", 4), ("zh", 9)])
async def test_a_whole_game_shows_a_person_what_their_seat_sees_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, lang: Lang, seat: Seat
) -> None:
    head = header(9, seat, "scripted").model_copy(update={"lang": lang})
    with somebody(monkeypatch, at_random(seat)):
        shown = await sit(tmp_path / "game", head, seat)
    played = read(tmp_path / "game")
    assert played.outcome
    assert rerun(played.header, played.records).state.outcome
    mark = texts(lang, "human")["decided"].split("{")[0].strip()
    told = [line for line in shown.splitlines() if not line.strip().startswith(mark)]
    assert told == as_seen(lang, seat, played.events)
    own = [reply.source for reply in replies(played, seat)]
    assert "human" in own
    assert set(own) <= {"human", "fallback"}


async def test_the_night_is_told_only_when_there_is_a_question_or_the_day_breaks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """How long a step takes would tell whether anybody is there to be asked."""
    head = header(6, 3).model_copy(update={"cards": WOLF})
    told_at: list[tuple[int, int]] = []
    tell = Person._tell

    def watched(person: Person, events: Sequence[Event]) -> None:
        told_at.append((len(read(tmp_path / "game").events), sum(isinstance(event, Called) for event in events)))
        tell(person, events)

    monkeypatch.setattr(Person, "_tell", watched)
    with somebody(monkeypatch, at_random(0)):
        await sit(tmp_path / "game", head, 3)
    events = read(tmp_path / "game").events
    for written, calls in told_at:
        last = events[:written][-1] if written else None
        assert not calls or not isinstance(last, Called)


# Chances beside the speeches of others


def table(seat: Seat) -> dict[Seat, Player]:
    return {other: Passing() for other in range(1, 7) if other != seat}


def by_topic(monkeypatch: pytest.MonkeyPatch, keys: Callable[[str], str | None]) -> Callable[[], str | None]:
    """Keys by the topic that is asked about."""
    topics: list[str] = []
    ask = Person._ask

    async def noted(person: Person, request: Request) -> None:
        topics.append(request.topic)
        await ask(person, request)

    monkeypatch.setattr(Person, "_ask", noted)
    return lambda: keys(topics[-1])


@pytest.mark.parametrize("way", ["takes it", "leaves it", "says nothing"])
async def test_a_chance_beside_a_speech_is_open_for_a_while(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, way: str
) -> None:
    monkeypatch.setattr(module, "WINDOW", 0.2 if way == "says nothing" else 60)
    head = header(6, 3, stalemate_cycles=1).model_copy(update={"cards": WOLF})
    exploding = iter([DOWN + ENTER, DOWN + ENTER])  # and yes, for sure

    def beside() -> str | None:
        if way == "says nothing":
            return None
        return next(exploding, ENTER) if way == "takes it" else ENTER

    keys = by_topic(monkeypatch, lambda topic: beside() if topic == "explode" else ENTER)
    with somebody(monkeypatch, keys):
        await sit(tmp_path / "game", head, 1, Clock(), table(1))
    played = read(tmp_path / "game")
    assert any(isinstance(event, Exploded) for event in played.events) == (way == "takes it")
    windows = {r.request.n for r in played.records if r.kind == "asked" and r.request.seat == 1 and r.request.window}
    sources = {r.reply.source for r in played.records if isinstance(r, Replied) and r.seat == 1 and r.n in windows}
    assert sources == {"fallback" if way == "says nothing" else "human"}


async def test_the_game_goes_on_no_faster_than_speeches_are_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    waited: list[float] = []
    sleep = asyncio.sleep

    async def noted(seconds: float, result: object = None) -> None:
        waited.append(seconds)
        await sleep(0)

    head = header(6, 3, "scripted")
    with somebody(monkeypatch, at_random(0)):
        monkeypatch.setattr(asyncio, "sleep", noted)
        await sit(tmp_path / "game", head, 3, Clock(pace=1))
    assert max(waited) > 3


# The clock


@pytest.mark.parametrize("lang", LANGUAGES)
async def test_who_is_late_is_reminded_and_the_default_counts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, lang: Lang
) -> None:
    head = header(6, 3, stalemate_cycles=1, discussion__seconds=1, discussion__last_speaker_seconds=1)
    head = head.model_copy(update={"lang": lang, "cards": ("villager", *WOLF[:2], *WOLF[3:])})
    with somebody(monkeypatch, lambda: None):
        shown = await sit(tmp_path / "game", head, 1, Clock(seconds=1, pace=0), table(1))
    own = replies(read(tmp_path / "game"), 1)
    assert own
    assert {reply.source for reply in own} == {"fallback"}
    assert shown.count(texts(lang, "human")["late"].split("{")[0]) == len(own)
    assert shown.count(texts(lang, "human")["soon"].format(seconds=0)) == len(own)


async def test_who_answers_in_time_has_decided(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with somebody(monkeypatch, at_random(1)):
        await sit(tmp_path / "game", header(6, 3), 2, Clock(seconds=60, pace=0))
    assert "human" in {reply.source for reply in replies(read(tmp_path / "game"), 2)}


# Leaving


async def test_who_leaves_can_come_back_to_the_same_question(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "game"
    head = header(6, 3).model_copy(update={"cards": WOLF})
    with somebody(monkeypatch, lambda: ESC), pytest.raises(KeyboardInterrupt):
        await sit(path, head, 1)
    before = read(path)
    assert before.outcome is None
    assert not replies(before, 1)
    shown = StringIO()
    person = Person(1, "en", HASTE, Console(file=shown, width=10_000))
    transcript, writer = Writer.resume(path)
    others = {seat: player for seat, player in players_of(head).items() if seat != 1}
    with writer, somebody(monkeypatch, at_random(0)):
        position = rerun(transcript.header, transcript.records)
        await person.play(Match(position, writer, others, person.listen, person.pace))
    after = read(path)
    assert after.outcome
    assert after.records[: len(before.records)] == before.records
    assert shown.getvalue().splitlines()[0] == as_seen("en", 1, after.events)[0]
    assert sum(isinstance(event, Ended) for event in after.events) == 1
