from typing import Any

import pytest

from arena.events import (
    EVERYONE,
    Announced,
    Badge,
    Began,
    Dealt,
    Ended,
    Event,
    Exiled,
    Exploded,
    Floor,
    Learned,
    Ordered,
    Phase,
    RedCarded,
    Revealed,
    Said,
    Shot,
    Stood,
    Tallied,
    View,
    Voted,
    Withdrew,
)
from arena.table import Ballot, Fall, Table
from arena.terms import Claim, Outcome
from tests.scripted_games import play, player_for

BEGAN = Began("house", {}, 6, {"a": 4, "b": 2}, {}, {"a": {"kind": ""}, "b": {"kind": "werewolf"}})
NIGHT = Phase(1, "night")
MORNING = Phase(1, "announcement")
TALK = Phase(1, "discussion")
SUSPECTS = Claim("suspects", (3,))
SPEECH = Said(EVERYONE, 2, "speech", "words", (SUSPECTS,))

CASES: list[tuple[str, list[Event], dict[str, Any]]] = [
    ("all sit down", [BEGAN], {"players": 6, "in_play": (1, 2, 3, 4, 5, 6), "falls": []}),
    ("own card", [BEGAN, Dealt(1, "b")], {"role": "b"}),
    ("another one's card", [BEGAN, Dealt(2, "b")], {"role": ""}),
    ("the pack", [BEGAN, Learned((1, 4), "pack", (1, 4))], {"pack": (1, 4)}),
    ("a quiet night", [BEGAN, NIGHT, MORNING, Announced(())], {"nights": 1, "in_play": (1, 2, 3, 4, 5, 6)}),
    (
        "two in a night",
        [BEGAN, NIGHT, MORNING, Announced((2, 5))],
        {"falls": [Fall(2, 1, "night"), Fall(5, 1, "night")], "in_play": (1, 3, 4, 6)},
    ),
    (
        "a shot that answers the night",
        [BEGAN, NIGHT, MORNING, Announced((2,)), Revealed(2, "a"), Shot(2, 3), Announced((3,))],
        {"falls": [Fall(2, 1, "night"), Fall(3, 1, "shot")], "shots": [(2, 3)], "revealed": {2: "a"}},
    ),
    (
        "an exile and who goes along",
        [BEGAN, NIGHT, MORNING, Announced(()), Exiled(4), Announced((4,)), Announced((6,))],
        {"falls": [Fall(4, 1, "exile"), Fall(6, 1, "chained")], "exiles": [(1, 4)]},
    ),
    ("nobody exiled", [BEGAN, NIGHT, MORNING, Announced(()), Exiled(0)], {"exiles": [(1, 0)], "falls": []}),
    (
        "an explosion before the night is announced",
        [BEGAN, NIGHT, Phase(1, "election"), Exploded(4, "campaign"), Announced((2,)), Announced((4,))],
        {"falls": [Fall(2, 1, "night"), Fall(4, 1, "explode")], "exploded": [(1, 4)]},
    ),
    (
        "a red card",
        [BEGAN, NIGHT, MORNING, Announced(()), RedCarded(5), Announced((5,))],
        {"falls": [Fall(5, 1, "red_card")]},
    ),
    ("candidates", [BEGAN, Stood((1, 3)), Withdrew((3,))], {"stood": (1, 3), "withdrew": (3,)}),
    ("another election", [BEGAN, Stood((1,)), Withdrew((1,)), Phase(2, "election")], {"stood": (), "withdrew": ()}),
    (
        "the badge",
        [BEGAN, NIGHT, Badge("elected", 3), Phase(2, "night"), Badge("passed", 5)],
        {"sheriff": 5, "badges": [(1, Badge("elected", 3)), (2, Badge("passed", 5))]},
    ),
    ("the badge torn", [BEGAN, Badge("elected", 3), Badge("torn")], {"sheriff": 0}),
    ("hands raised so far", [BEGAN, Voted("vote", ((2, 1),)), Voted("vote", ((4, 3),))], {"open_votes": {2: 1, 4: 3}}),
    (
        "a ballot called one by one",
        [BEGAN, NIGHT, Voted("vote", ((4, 1),)), Voted("vote", ((2, 3),)), Tallied("vote", ((1, 2), (3, 2)), (1, 3))],
        {"ballots": [Ballot(1, "vote", ((2, 3), (4, 1)), (1, 3), 0)], "open_votes": {}},
    ),
    ("the order", [BEGAN, Ordered("speech", (2, 1))], {"orders": {"speech": (2, 1)}}),
    (
        "the end",
        [BEGAN, Ended("village", "no_werewolves", (1, 2), ("a", "b"), ())],
        {"outcome": Outcome("village", "no_werewolves", (1, 2)), "cards": ("a", "b")},
    ),
]


def read(events: list[Event], seat: int = 1) -> Table:
    return Table(seat).read(View(seat, events))


@pytest.mark.parametrize(("events", "known"), [case[1:] for case in CASES], ids=[case[0] for case in CASES])
def test_events_become_facts(events: list[Event], known: dict[str, Any]) -> None:
    table = read(events)
    assert {name: getattr(table, name) for name in known} == known


def test_speeches_and_their_claims() -> None:
    table = read([BEGAN, NIGHT, TALK, Floor(2, "speech"), SPEECH])
    assert table.floor == (2, "speech")
    assert table.has_spoken(2)
    assert not table.has_spoken(3)
    assert [(speech.seat, claim) for speech, claim in table.claims("suspects")] == [(2, SUSPECTS)]
    assert table.claims("trusts") == []


def test_who_has_spoken_is_asked_anew_each_day() -> None:
    assert not read([BEGAN, NIGHT, TALK, Floor(2, "speech"), SPEECH, Phase(2, "discussion")]).has_spoken(2)


def test_deaths_of_a_night_leave_out_the_day() -> None:
    table = read([BEGAN, NIGHT, MORNING, Announced((2,)), Exiled(4), Announced((4,))])
    assert table.deaths(1) == (2,)
    assert table.deaths(2) == ()


def test_kinds_come_from_the_cards_of_this_game() -> None:
    table = read([BEGAN])
    assert [table.kind(role) for role in ("a", "b", "unknown")] == ["", "werewolf", ""]


def test_it_reads_a_growing_view_as_it_reads_the_whole() -> None:
    for view in play(12, 1, player_for(words=False)).views():
        grown = Table(view.seat)
        for end in range(0, len(view.events) + 7, 7):
            grown.read(View(view.seat, view.events[:end]))
        assert vars(grown) == vars(Table(view.seat).read(view))


def test_at_the_end_the_public_facts_are_those_of_the_referee() -> None:
    for seed in range(3):
        game = play(9, seed, player_for(words=False))
        table = Table(0).read(View(0, [event for event in game.events if event.to is None]))
        state = game.state
        assert {fall.seat for fall in table.falls} == set(state.announced)
        assert (table.day, table.sheriff, table.outcome) == (state.day, state.sheriff, state.outcome)
        exiled = {out.seat for out in state.outs if out.cause == "exile"}
        assert {fall.seat for fall in table.falls if fall.how == "exile"} == exiled
