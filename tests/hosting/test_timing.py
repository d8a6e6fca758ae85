"""When things are told and asked at a table with people: nothing in it may say who answers, or whether anybody does."""

import asyncio
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from arena.events import Announced, Called, Event, Exploded, Floor, Phase, Said, View
from arena.players.model.form import is_turn
from arena.seating import Clock
from arena.terms import Halted, Reply, Request
from arena.transcript import Gone, Header, Replied, read, rerun
from dashboard.hosting.asking import GivenAnswer
from tests.hosting.sitting import (
    Choose,
    Told,
    asked,
    first_choice,
    match_of,
    number_of,
    silent,
    sitting,
    until,
    with_people,
)
from tests.hosting.virtual import in_no_time
from tests.matches import Passing

NIGHT = 0.6
WITCH = ("werewolf", "werewolf", "villager", "villager", "seer", "witch")
QUICK = Clock(seconds=1, pace=100, night=NIGHT)


def hasty(head: Header) -> Header:
    """The same game with speeches of one second."""
    rules = {"discussion.seconds": 1, "discussion.last_speaker_seconds": 1}
    return head.model_copy(update={"ruleset": head.ruleset.with_rules(rules, "test")})


def calls(event: Event) -> bool:
    return isinstance(event, Called)


def day_breaks(event: Event) -> bool:
    return isinstance(event, Phase) and event.part != "night"


def dawn_is_told(event: Event) -> bool:
    return isinstance(event, Phase) and event.part == "announcement"


class Stuck(Passing):
    """A model that never answers."""

    async def reply(self, view: View, request: Request) -> Reply:
        await asyncio.Event().wait()
        raise AssertionError

    answer = None  # type: ignore[assignment]


class Down(Stuck):
    """A model whose endpoint is down, in a run that waits for it."""

    async def reply(self, view: View, request: Request) -> Reply:
        raise Halted("nobody answers")


@pytest.mark.parametrize(
    "people",
    [
        {"s1": first_choice, "s5": first_choice},
        {"s1": silent, "s5": silent},
        {"s3": silent},
        {"s1": first_choice, "s2": silent, "s6": first_choice},
    ],
    ids=["at once", "never", "nobody is asked", "some"],
)
@in_no_time
async def test_every_call_of_a_night_takes_the_same_time(tmp_path: Path, people: dict[str, Choose]) -> None:
    """Whoever wakes: people at once or too late, a pack in two rounds, nobody at all."""
    head = with_people(*(int(seat[1:]) for seat in people), clock=QUICK, cards=WITCH)
    async with sitting(tmp_path / "game", head, None, **people) as (_, told):
        await until(lambda: told.when(day_breaks))
        times = [*dict.fromkeys(told.when(calls)), told.when(day_breaks)[0]]
    # Witch and seer learn nothing of each other and are called together.
    assert len(times) == 3
    for one, next_ in pairwise(times):
        assert next_ - one == pytest.approx(NIGHT, abs=0.03)


@in_no_time
async def test_a_night_is_as_long_when_a_card_is_out(tmp_path: Path) -> None:
    """The seer is attacked in the first night; in the second one it is called as before."""
    attack: Choose = lambda request: ("attack", (5,)) if request.topic == "werewolves" else None  # noqa: E731
    head = hasty(with_people(1, 2, clock=Clock(seconds=1, pace=100, night=NIGHT, misses=99), cards=WITCH))
    async with sitting(tmp_path / "game", head, s1=attack, s2=attack) as (_, told):
        await until(lambda: told.when(lambda event: isinstance(event, Announced) and event.seats == (5,)), 60)
        await until(lambda: len(told.when(dawn_is_told)) == 2, 60)
        night = told.when(lambda event: isinstance(event, Phase) and event.part == "night")[1]
        calls_then = [time for time in dict.fromkeys(told.when(calls)) if time >= night]
        dawn = next(time for time in told.when(day_breaks) if time > night)
    assert len(calls_then) == 2
    for one, next_ in pairwise([*calls_then, dawn]):
        assert next_ - one == pytest.approx(NIGHT, abs=0.03)


@in_no_time
async def test_a_model_that_is_late_by_night_gets_the_default(tmp_path: Path) -> None:
    head = with_people(3, clock=QUICK)
    async with sitting(tmp_path / "game", head, {5: Stuck()}) as (_, told):
        await until(lambda: told.when(day_breaks))
    seer = [r.reply for r in read(tmp_path / "game").records if isinstance(r, Replied) and r.seat == 5]
    assert seer[0].source == "fallback"


@in_no_time
async def test_an_endpoint_that_is_down_by_night_stops_the_game_at_dawn(tmp_path: Path) -> None:
    head = with_people(3, clock=QUICK)
    async with sitting(tmp_path / "game", head, {5: Down()}) as (play, told):
        await until(lambda: told.when(day_breaks))
        times = told.when(calls) + told.when(day_breaks)
        assert times[-1] - times[-2] == pytest.approx(NIGHT, abs=0.03)
        with pytest.raises(Halted):
            await asyncio.wait_for(match_of(play).run(), 5)


@in_no_time
async def test_both_rounds_of_a_pack_fit_into_its_call(tmp_path: Path) -> None:
    head = with_people(1, 2, clock=QUICK)
    rounds: list[tuple[float, float]] = []
    async with sitting(tmp_path / "game", head) as (play, told):
        place = play.places[1]
        for _ in range(2):
            await until(lambda: asked(place, "werewolves") and number_of(place) == len(rounds) + 1)
            assert place.question
            assert place.question.ends
            rounds.append((place.question.opens, place.question.ends))
        await until(lambda: told.when(day_breaks))
        call = told.when(lambda event: isinstance(event, Called) and event.step == "werewolves")[0]
    (first, half), (second, end) = rounds
    assert half - first == pytest.approx(NIGHT / 2, abs=0.03)
    assert second == pytest.approx(half, abs=0.03)
    assert call + NIGHT - 0.15 < end < call + NIGHT


# By day


@in_no_time
async def test_a_chance_beside_a_speech_lasts_as_long_whoever_could_take_it(tmp_path: Path) -> None:
    """Neither a person who holds the chance nor one who has declined it changes how long the table waits."""
    waits: list[list[float]] = []
    clock = Clock(seconds=1, pace=20, night=0.2)
    decline: Choose = lambda request: ("pass", ()) if request.window else None  # noqa: E731
    for name, people in (("holder", {"s1": silent}), ("declining", {"s1": decline}), ("villager", {"s3": silent})):
        head = hasty(with_people(int(next(iter(people))[1:]), clock=clock))
        async with sitting(tmp_path / name, head, None, **people) as (_, told):
            others = [s for s in range(1, 7) if s not in {1, 3}]
            await until(partial(_heard, told, others))
            times = {lot[0]: lot[1] for lot in told.lots}
        starts = sorted(times)
        waits.append(
            [
                after - before
                for before, after in pairwise(starts)
                if any(_floor_of(others)(event) for event in times[before])
                and any(isinstance(event, Said) for event in times[after])
            ]
        )
    assert all(waits)
    for lengths in waits:
        for length in lengths:
            assert length == pytest.approx(6 / 20, abs=0.03)


def _heard(told: Told, seats: list[int]) -> bool:
    return len(told.when(_floor_of(seats))) >= 3


def _floor_of(seats: list[int]) -> Any:
    return lambda event: isinstance(event, Floor) and event.topic == "speech" and event.seat in seats


@in_no_time
async def test_a_clock_runs_once_everything_before_has_been_read(tmp_path: Path) -> None:
    head = with_people(3, clock=Clock(seconds=5, pace=10, night=0.2))
    async with sitting(tmp_path / "game", head) as (play, told):
        place = play.places[3]
        await until(lambda: asked(place, "speech"))
        assert place.question
        last = told.lots[-1][0]
        assert place.question.opens >= last + 0.5
        assert place.question.ends == place.question.opens + place.question.request.seconds


@in_no_time
async def test_a_person_is_reminded_and_then_decided_for(tmp_path: Path) -> None:
    """Field report A-U07: a reminder for whoever is silent, then the vote closes without them."""
    head = with_people(3, 4, clock=Clock(seconds=1, pace=100, night=0.2, misses=99), absent="default")
    head = hasty(head)
    async with sitting(tmp_path / "game", head) as (play, _):
        place = play.places[3]
        await until(lambda: asked(place, "vote"))
        assert place.question
        assert not place.question.reminded
        n = place.question.request.n
        await until(lambda: place.question and place.question.reminded)
        await until(lambda: n in place.held)
        assert place.held[n][1] == place.held[n][0].default
        assert place.missed > 1


@pytest.mark.parametrize("absent", ["stand_in", "default", "red_card"])
@in_no_time
async def test_whoever_misses_too_much_is_away_as_the_table_has_it(tmp_path: Path, absent: str) -> None:
    """Field report A-U07: a seat whose person is gone is played for, passed over, or out; the game goes on."""
    head = hasty(with_people(5, clock=Clock(seconds=1, pace=100, night=0.2, misses=2), absent=absent))
    async with sitting(tmp_path / "game", head) as (play, told):
        place = play.places[5]
        await until(lambda: place.away, 60)
        if absent == "red_card":
            await until(lambda: 5 in play.gone)
            assert not play.come_back(5)
        nightfalls: Any = lambda: told.when(lambda event: isinstance(event, Phase) and event.part == "night")  # noqa: E731
        await until(lambda: told.ended or len(nightfalls()) >= 3, 60)
        assert absent == "red_card" or play.come_back(5)
    transcript = read(tmp_path / "game")
    rerun(transcript.header, transcript.records)
    sources = [r.reply.source for r in transcript.records if isinstance(r, Replied) and r.seat == 5]
    assert ("script" in sources) == (absent == "stand_in")
    assert any(isinstance(r, Gone) for r in transcript.records) == (absent == "red_card")


@in_no_time
async def test_who_says_goodbye_is_away_at_once_and_finds_the_seat_again(tmp_path: Path) -> None:
    head = with_people(5, clock=Clock(seconds=60, pace=100, night=0.4))
    async with sitting(tmp_path / "game", head) as (play, _):
        place = play.places[5]
        await until(lambda: asked(place, "seer"))
        play.leave(5)
        assert place.away
        assert place.question is None
        assert play.come_back(5)
        await until(lambda: place.question)
        assert not place.away


@in_no_time
async def test_a_pause_by_night_begins_at_dawn(tmp_path: Path) -> None:
    head = with_people(5, clock=QUICK)
    async with sitting(tmp_path / "game", head) as (play, told):
        await until(lambda: told.when(calls))
        play.pause()
        assert play.will_stand
        assert not play.stands
        await until(lambda: told.when(day_breaks))
        assert play.stands
        assert not play.will_stand
        lots = len(told.lots)
        await asyncio.sleep(0.5)
        assert len(told.lots) == lots
        play.go_on()
        await until(lambda: len(told.lots) > lots)


@in_no_time
async def test_a_werewolf_explodes_in_its_window(tmp_path: Path) -> None:
    head = with_people(1, clock=Clock(seconds=20, pace=10, night=0.2))
    choose: Choose = lambda request: ("explode", ()) if request.window else first_choice(request)  # noqa: E731
    async with sitting(tmp_path / "game", head, s1=choose) as (_, told):
        await until(lambda: told.when(lambda event: isinstance(event, Exploded)))


@in_no_time
async def test_an_explosion_waits_for_nobody_not_even_for_who_is_speaking(tmp_path: Path) -> None:
    head = with_people(1, 3, clock=Clock(seconds=600, pace=10, night=0.2))
    speaks: Choose = lambda request: None if is_turn(request) else first_choice(request)  # noqa: E731
    waits: Choose = lambda request: None if request.window else ("pass", ())  # noqa: E731
    async with sitting(tmp_path / "game", head, s1=waits, s3=speaks) as (play, told):
        speaker, wolf = play.places[3], play.places[1]
        await until(lambda: asked(speaker, "speech") and asked(wolf, "explode"))
        spoken = number_of(speaker)
        assert play.answer(1, GivenAnswer(n=number_of(wolf), act="explode")) == "taken"
        await until(lambda: told.when(lambda event: isinstance(event, Exploded)), 5)
        assert spoken in speaker.held


@in_no_time
async def test_questions_of_one_call_of_the_night_are_missed_as_one(tmp_path: Path) -> None:
    head = with_people(1, clock=Clock(seconds=20, pace=10, night=0.2, misses=9))
    async with sitting(tmp_path / "game", head, s1=silent) as (play, told):
        await until(lambda: told.when(day_breaks))
        assert len(play.places[1].held) == 2
        assert play.places[1].missed == 1
