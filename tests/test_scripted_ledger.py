"""What scripted players read from the record."""

import pytest

from arena.events import Acted, Announced, Badge, Dealt, Event, Learned, Phase, Said, View
from arena.players.scripted.ledger import SEER, Ledger
from arena.players.scripted.mind import Mind
from arena.players.scripted.votes import target
from arena.referee import new_game
from arena.table import Table
from arena.terms import Claim
from tests.games import dealt, house

FLOW = (Claim("role", (2,), SEER), Claim("checked", (5,), "not_werewolf"), Claim("will_check", (3, 4)))


def began(players: int = 9) -> Event:
    ruleset = house()
    return new_game(ruleset, dealt(ruleset, players, 0).seats, 0)[1][0]


def read(*events: Event) -> Ledger:
    table, ledger = Table(1).read(View(1, [began(), Phase(1, "discussion"), *events])), Ledger(9)
    ledger.read(table)
    return ledger


@pytest.mark.parametrize(
    ("badge", "seats", "found"),
    [
        (Badge("passed", 3), (2,), {3: False}),
        (Badge("passed", 4), (2,), {3: True}),
        (Badge("torn"), (2,), {3: True}),
        (Badge("passed", 6), (2,), {}),
        (Badge("passed", 4), (2, 3), {}),
        (Badge("passed", 3), (), {}),
    ],
)
def test_the_badge_of_a_seer_who_died_by_night_tells_its_last_check(
    badge: Badge, seats: tuple[int, ...], found: dict[int, bool]
) -> None:
    said = Said(None, 2, "campaign", "", FLOW)
    night = (Phase(2, "night"), Phase(2, "announcement"), Announced(seats))
    assert read(said, Badge("elected", 2), *night, badge).seers[2].checks == {5: False, **found}


def test_news_is_what_was_claimed_since_the_last_own_speech() -> None:
    call = Said(None, 6, "speech", "", (Claim("will_vote", (2,)),))
    chat = Said(None, 7, "speech", "", (Claim("suspects", (2,)),))
    seer = Said(None, 2, "speech", "", FLOW)
    assert not read(seer, call, chat).has_news_for(6)
    assert read(call, chat, seer).has_news_for(6)


@pytest.mark.parametrize("saved", [3, 9], ids=["rival", "other"])
def test_a_witch_who_saved_one_seer_does_not_go_over_to_the_other_for_a_good_check(saved: int) -> None:
    night = (Acted((1,), 1, "antidote", (saved,)), Learned((1,), "victim", (saved,)), Announced(()))
    claims = {2: 1, 3: 4}
    told = [
        Said(None, seer, "speech", "", (Claim("role", (seer,), SEER), Claim("checked", (cleared,), "not_werewolf")))
        for seer, cleared in claims.items()
    ]
    mind = Mind(0, 1, None, words=False)
    mind.read(View(1, [began(), Dealt(1, "witch"), Phase(1, "night"), *night, Phase(1, "discussion"), *told]))
    assert mind.side == (3 if saved == 3 else 2)
    assert mind.knows_better(2) == (saved == 3)


@pytest.mark.parametrize(
    ("watched", "dead", "spares"), [(3, (), True), (4, (), False), (3, (9,), False)], ids=["saved", "other", "attacked"]
)
def test_a_guard_spares_whom_its_watch_may_have_saved(watched: int, dead: tuple[int, ...], spares: bool) -> None:
    night = (Phase(2, "night"), Acted((1,), 1, "protect", (watched,)), Phase(2, "announcement"), Announced(dead))
    against = (Claim("suspects", (3,)), Claim("will_vote", (3,)))
    calls = [Said(None, seat, "speech", "", against) for seat in range(4, 9)]
    mind = Mind(0, 1, None, words=False)
    mind.read(View(1, [began(10), Dealt(1, "guard"), *night, Phase(2, "discussion"), *calls]))
    assert (target(mind, mind.table.in_play) != 3) == spares
