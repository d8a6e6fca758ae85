"""A match: seats at the same time, players that fail, people, and the graph's own limits."""

import asyncio
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from langgraph.errors import GraphRecursionError
from langsmith.utils import get_env_var, tracing_is_enabled

from arena import match as module
from arena.endpoint import Unanswered
from arena.events import Ended, Event, RedCarded, Said, View
from arena.match import Match
from arena.players.player import Player
from arena.terms import PASS, SPECTATOR, Decision, Reply, Request, Seat
from arena.transcript import Gone, Header, Replied, Writer, read, rerun
from tests.matches import Passing, Slow, decisions, header, play, players_of, seats_of


@asynccontextmanager
async def running(path: Path, head: Header, players: dict[Seat, Player]) -> AsyncIterator[Match]:
    """A match that is being played beside the test."""
    with Writer.create(path, head) as writer:
        match = Match(rerun(head), writer, players)
        run = asyncio.create_task(match.run())
        async with asyncio.timeout(60):
            yield match
            await run


async def settled(match: Match) -> tuple[Request, ...]:
    """What people are asked once nobody else is thinking any more."""
    for _ in range(200):
        await asyncio.sleep(0)
    return match.questions()


# Players


@pytest.mark.parametrize("hurry", range(3))
def test_the_order_of_arrival_decides_nothing(tmp_path: Path, hurry: int) -> None:
    head = header(9, 11)
    at_once, late = tmp_path / "at_once", tmp_path / "late"
    play(at_once, head)
    play(late, head, {seat: Slow(player, hurry) for seat, player in players_of(head).items()})
    assert at_once.read_bytes() != late.read_bytes()
    assert read(at_once).events == read(late).events
    assert decisions(read(at_once)) == decisions(read(late))


class Failing:
    """A player that breaks in one way or the other."""

    def __init__(self, how: object) -> None:
        self._how = how

    async def reply(self, view: View, request: Request) -> Reply:
        if isinstance(self._how, Exception):
            raise self._how
        return self._how  # type: ignore[return-value]


class FailingScript(Failing):
    def answer(self, view: View, request: Request) -> Reply:
        if isinstance(self._how, Exception):
            raise self._how
        return self._how  # type: ignore[return-value]


@pytest.mark.parametrize("kind", [Failing, FailingScript])
@pytest.mark.parametrize(
    ("how", "reason"),
    [
        (ValueError("Bearer sk-SECRET"), "ValueError"),
        (Unanswered("stand-in: no"), "Unanswered: stand-in: no"),
        (TimeoutError(), "TimeoutError"),
        (Reply(Decision("fly"), "model", "I can fly."), "act: I can fly."),
        (Reply(Decision("pass", (1,)), "model"), "count: "),
        (None, "AttributeError"),
    ],
)
def test_a_player_that_fails_is_replied_for_and_the_reason_kept(
    tmp_path: Path, kind: type[Failing], how: object, reason: str
) -> None:
    head = header(6, 1)
    play(tmp_path / "game", head, {**players_of(head), 2: kind(how)})
    written = read(tmp_path / "game")
    requests = {(r.request.seat, r.request.n): r.request for r in written.records if r.kind == "asked"}
    replies = [r for r in written.records if isinstance(r, Replied) and r.seat == 2]
    assert replies
    for replied in replies:
        assert replied.reply.decision == requests[2, replied.n].default
        assert (replied.reply.source, replied.reply.thought) == ("fallback", reason)


def test_many_games_are_played_in_one_loop(tmp_path: Path) -> None:
    async def one(seed: int) -> None:
        head = header(6, seed)
        players: dict[Seat, Player] = {seat: Slow(player, 1) for seat, player in players_of(head).items()}
        async with running(tmp_path / str(seed), head, players):
            pass

    async def all_of_them() -> None:
        await asyncio.gather(*(one(seed) for seed in range(8)))

    asyncio.run(all_of_them())
    for seed in range(8):
        play(tmp_path / "alone", header(6, seed))
        assert read(tmp_path / str(seed)).events == read(tmp_path / "alone").events
        (tmp_path / "alone").unlink()


def test_events_are_heard_as_they_are_written(tmp_path: Path) -> None:
    path = tmp_path / "game"
    heard: list[Event] = []

    with Writer.create(path, header(6, 2)) as writer:

        def listen(events: Sequence[Event]) -> None:
            written = read(path).events
            assert written[len(written) - len(events) :] == tuple(events)
            heard.extend(events)

        position = rerun(header(6, 2))
        begun = list(position.events)
        asyncio.run(Match(position, writer, players_of(header(6, 2)), listen).run())
    assert [*begun, *heard] == list(read(path).events)


# The graph


def test_sixty_days_on_which_nobody_does_anything_are_played_to_the_end(tmp_path: Path) -> None:
    head = header(12, stalemate_cycles=60)
    match = play(tmp_path / "game", head, {seat: Passing() for seat in range(1, 13)})
    ended = match.position.events[-1]
    assert isinstance(ended, Ended)
    assert ended.reason == "stalemate"
    assert match.position.state.day == 60
    assert sum(isinstance(event, Said) for event in match.position.events) == 60 * 12


def test_a_runaway_graph_is_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "LONGEST", 10)
    with pytest.raises(GraphRecursionError):
        play(tmp_path / "game", header(6, 1))


@pytest.fixture
def _traced(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("LANGSMITH_TRACING", "true")
    get_env_var.cache_clear()  # type: ignore[attr-defined]
    yield
    monkeypatch.undo()
    get_env_var.cache_clear()  # type: ignore[attr-defined]


@pytest.mark.usefixtures("_traced")
def test_nothing_is_traced_even_where_tracing_is_on_for_other_work(tmp_path: Path) -> None:
    traced: list[object] = []

    class Looking(Passing):
        def answer(self, view: View, request: Request) -> Reply:
            traced.append(tracing_is_enabled())
            return super().answer(view, request)

    assert tracing_is_enabled()
    play(tmp_path / "game", header(6, 1), {seat: Looking() for seat in range(1, 7)})
    assert traced
    assert not any(traced)


# People


def with_people(head: Header, *people: Seat) -> dict[Seat, Player]:
    return {seat: player for seat, player in players_of(head).items() if seat not in people}


async def answer_all(match: Match, backwards: bool) -> int:
    """Answer as the random player of each seat would, in one order or the other; the most that waited at once."""
    minds = players_of(header(9, 21))
    most = 0
    while match.outcome is None:
        waiting = [request for request in await settled(match) if not request.window]
        most = max(most, len(waiting))
        for request in sorted(waiting, key=lambda request: request.seat, reverse=backwards):
            reply = await minds[request.seat].reply(match.view(request.seat), request)
            assert match.answer(request.seat, request.n, reply.decision) == ""
            await asyncio.sleep(0)
    return most


async def test_people_may_answer_in_any_order(tmp_path: Path) -> None:
    """Two people, once each first; the game is the one that players of the same mind play, windows apart."""
    head = header(9, 21, explode__allowed=False)
    for backwards in (False, True):
        async with running(tmp_path / str(backwards), head, with_people(head, 2, 7)) as match:
            assert await answer_all(match, backwards) == 2
    with Writer.create(tmp_path / "players", head) as writer:
        await Match(rerun(head), writer, players_of(head)).run()
    games = [read(tmp_path / name) for name in ("players", "False", "True")]
    assert games[0].events == games[1].events == games[2].events
    people = [r for r in games[1].records if isinstance(r, Replied) and r.seat in {2, 7}]
    assert {replied.reply.source for replied in people} == {"human"}


async def test_an_answer_that_is_not_allowed_or_not_asked_for_changes_nothing(tmp_path: Path) -> None:
    head = header(6, 3).model_copy(update={"cards": ("seer", "werewolf", "villager", "villager", "werewolf", "guard")})
    async with running(tmp_path / "game", head, with_people(head, 1)) as match:
        [request] = await settled(match)
        assert (request.seat, request.topic) == (1, "seer")
        before = (tmp_path / "game").read_bytes()
        refused = {
            (1, request.n, Decision("vote", (2,))): "act",
            (1, request.n, Decision("check", (1,))): "seats",
            (1, request.n, Decision("check", ())): "count",
            (1, request.n, Decision("check", (2,), "hello")): "words",
            (1, request.n + 1, Decision("check", (2,))): "late",
            (1, request.n - 1, Decision("check", (2,))): "late",
            (2, 1, Decision("pass")): "late",
        }
        assert {key: match.answer(*key) for key in refused} == refused
        assert match.questions() == (request,)
        assert (tmp_path / "game").read_bytes() == before

        assert match.answer(1, request.n, Decision("check", (2,))) == ""
        assert match.answer(1, request.n, Decision("check", (3,))) == "late"
        assert match.questions() == ()
        while match.outcome is None:
            for question in await settled(match):
                match.answer(1, question.n, question.default)
    assert decisions(read(tmp_path / "game"))[1, request.n] == Decision("check", (2,))


async def test_an_answer_is_on_disk_before_the_others_have_answered(tmp_path: Path) -> None:
    head = header(6, 3).model_copy(update={"cards": ("werewolf", "werewolf", "villager", "villager", "seer", "guard")})
    async with running(tmp_path / "game", head, with_people(head, 1, 2)) as match:
        requests = await settled(match)
        assert seats_of(requests) == [1, 2]
        match.answer(2, requests[1].n, PASS)
        assert await settled(match) == requests[:1]
        assert decisions(read(tmp_path / "game"))[2, requests[1].n] == PASS
        while match.outcome is None:
            for question in await settled(match):
                match.answer(question.seat, question.n, question.default)


class Speaker:
    """A player that speaks only when the test lets it."""

    def __init__(self) -> None:
        self.is_asked = asyncio.Event()
        self.may_speak = asyncio.Event()

    async def reply(self, view: View, request: Request) -> Reply:
        if request.topic == "speech":
            self.is_asked.set()
            await self.may_speak.wait()
            return Reply(Decision("speak", (), "Good day."), "model")
        return Reply(request.default, "model")


@pytest.mark.parametrize("explodes", [False, True])
async def test_a_person_s_window_is_open_while_others_speak_and_nobody_waits_for_it(
    tmp_path: Path, explodes: bool
) -> None:
    head = header(6, 3).model_copy(update={"cards": ("werewolf", "werewolf", "villager", "villager", "seer", "guard")})
    speaker = Speaker()
    players: dict[Seat, Player] = dict.fromkeys(range(3, 7), speaker)
    async with running(tmp_path / "game", head, {2: Passing(), **players}) as match:
        while not (question := (await settled(match))[0]).window:
            assert match.answer(1, question.n, question.default) == ""
        assert (question.seat, question.topic) == (1, "explode")
        if explodes:
            assert match.answer(1, question.n, Decision("explode")) == ""
        speaker.may_speak.set()
        await settled(match)
        assert match.answer(1, question.n, Decision("explode")) == "late"
        while match.outcome is None:
            for request in await settled(match):
                match.answer(1, request.n, request.default)
    events = read(tmp_path / "game").events
    assert any(event.kind == "exploded" for event in events) == explodes
    [replied] = [
        r for r in read(tmp_path / "game").records if isinstance(r, Replied) and (r.seat, r.n) == (1, question.n)
    ]
    assert replied.reply.source == ("human" if explodes else "fallback")


async def test_a_person_s_question_comes_with_all_it_is_about(tmp_path: Path) -> None:
    """Tell before ask: at the time of the question, the seat's view is complete."""
    head = header(9, 4)
    async with running(tmp_path / "game", head, with_people(head, 5)) as match:
        while match.outcome is None:
            for question in await settled(match):
                assert match.view(5) == read(tmp_path / "game").views().of(5)
                match.answer(5, question.n, question.default)
    assert match.view(SPECTATOR) == read(tmp_path / "game").views().of(SPECTATOR)


async def test_who_leaves_is_replied_for_and_red_carded_and_the_game_can_be_decided_again(tmp_path: Path) -> None:
    path = tmp_path / "game"
    head = header(9, 6)
    async with running(path, head, {seat: Passing() for seat in head.seats if seat != 4}) as match:
        await settled(match)
        match.leave(4)
        match.leave(4)
    written = read(path)
    assert [r for r in written.records if isinstance(r, Gone)] == [Gone((4,))]
    assert [event for event in written.events if isinstance(event, RedCarded)] == [RedCarded(4)]
    assert rerun(written.header, written.records).gone == (4,)
    assert {r.reply.source for r in written.records if isinstance(r, Replied) and r.seat == 4} <= {"fallback"}


async def test_a_reply_that_comes_after_its_player_has_left_does_not_count(tmp_path: Path) -> None:
    head = header(6, 3).model_copy(update={"cards": ("seer", "werewolf", "villager", "villager", "werewolf", "guard")})
    speaker = Speaker()
    others = dict.fromkeys(range(1, 7), Passing())
    async with running(tmp_path / "game", head, {**others, 3: speaker}) as match:
        await speaker.is_asked.wait()
        match.leave(3)
        speaker.may_speak.set()
    written = read(tmp_path / "game")
    assert RedCarded(3) in written.events
    assert not any(isinstance(event, Said) and event.text for event in written.events)
    assert not any(isinstance(r, Replied) and r.reply.decision.text for r in written.records)
