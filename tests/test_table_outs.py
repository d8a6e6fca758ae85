"""What the reader of a view knows: the own card, and how seats went out."""

import pytest

from arena.events import Announced, Dealt, Event, Exiled, Phase, RedCarded, Shot, Turned, View
from arena.referee import new_game
from arena.table import How, Table
from arena.terms import SPECTATOR
from tests.games import house

ROLES = ("seer", "werewolf", "villager", "villager", "villager", "witch")
NIGHT = (Phase(1, "night"), Phase(1, "announcement"))
VOTE = (Announced(()), Phase(1, "vote"))


@pytest.mark.parametrize(
    ("events", "how"),
    [
        ((*NIGHT, Announced((3,))), ["night"]),
        ((*NIGHT, Announced((3, 4)), Shot(4, 5), Announced((5,))), ["night", "night", "shot"]),
        ((*NIGHT, *VOTE, Exiled(3), Announced((3,)), Announced((4,))), ["exile", "chained"]),
        ((*NIGHT, *VOTE, Exiled(0), Announced((3,)), Announced((4,))), ["tie", "chained"]),
        ((*NIGHT, *VOTE, Exiled(0), Phase(2, "night"), Phase(2, "announcement"), Announced((3,))), ["night"]),
        ((*NIGHT, *VOTE, Exiled(0), RedCarded(3), Announced((3,))), ["red_card"]),
    ],
)
def test_the_table_can_tell_how_a_seat_went_out(events: tuple[Event, ...], how: list[How]) -> None:
    _, first = new_game(house(), ROLES, 1)
    table = Table(SPECTATOR).read(View(SPECTATOR, [first[0], *events]))
    assert [fall.how for fall in table.falls] == how
    assert set(table.in_play) == set(range(1, 7)) - {fall.seat for fall in table.falls}


def test_a_card_that_was_taken_is_the_own_card() -> None:
    table = Table(3).read(View(3, [Dealt(3, "villager"), Turned(3, "werewolf")]))
    assert table.role == "werewolf"
