"""Claims against the cards."""

from arena.events import Acted, Began, Dealt, Event, Learned
from arena.referee import new_game
from arena.terms import Claim, Seat
from arena.truth import FACTS, Truth
from tests.games import dealt, house

DEAL = dealt(house(), 9, 1).seats
SEER = DEAL.index("seer") + 1
WITCH = DEAL.index("witch") + 1
WOLF = DEAL.index("werewolf") + 1
VILLAGER = DEAL.index("villager") + 1


def after(*events: Event) -> Truth:
    truth = Truth()
    for event in [*new_game(house(), DEAL, 1)[1], *events]:
        truth.read(event)
    return truth


def claim(about: str, *seats: Seat, value: str = "") -> Claim:
    return Claim(about, seats, value)  # type: ignore[arg-type]


def test_a_card_is_claimed_truly_by_its_holder_alone() -> None:
    truth = after()
    assert truth.of(SEER, claim("role", SEER, value="seer")) is True
    assert truth.of(WOLF, claim("role", WOLF, value="seer")) is False
    assert truth.of(SEER, claim("role", WOLF, value="werewolf")) is True


def test_a_side_is_that_of_the_card() -> None:
    truth = after()
    assert truth.of(SEER, claim("side", VILLAGER, value="village")) is True
    assert truth.of(SEER, claim("side", WOLF, value="werewolves")) is True
    assert truth.of(SEER, claim("side", WOLF, value="village")) is False


def test_a_check_is_true_if_it_was_made_and_came_out_so() -> None:
    truth = after(Learned((SEER,), "checked", (WOLF,), "werewolf"))
    assert truth.of(SEER, claim("checked", WOLF, value="werewolf")) is True
    assert truth.of(SEER, claim("checked", WOLF, value="not_werewolf")) is False
    assert truth.of(SEER, claim("checked", VILLAGER, value="not_werewolf")) is False
    assert truth.of(WITCH, claim("checked", WOLF, value="werewolf")) is False


def test_a_deed_is_true_if_the_speaker_did_it() -> None:
    truth = after(Acted((WITCH,), WITCH, "antidote", (SEER,)), Acted((WITCH,), WITCH, "poison", (WOLF,)))
    assert truth.of(WITCH, claim("saved", SEER)) is True
    assert truth.of(WITCH, claim("poisoned", WOLF)) is True
    assert truth.of(WITCH, claim("poisoned", SEER)) is False
    assert truth.of(WOLF, claim("saved", SEER)) is False
    assert truth.of(WOLF, claim("guarded", SEER)) is False


def test_lovers_are_those_who_were_linked_whoever_says_so() -> None:
    truth = after(Acted((WITCH,), WITCH, "link", (SEER, WOLF)))
    assert truth.of(VILLAGER, claim("lovers", WOLF, SEER)) is True
    assert truth.of(VILLAGER, claim("lovers", WOLF, WITCH)) is False


def test_no_card_can_say_whether_an_opinion_is_right() -> None:
    truth = after()
    for about in ("suspects", "trusts", "will_vote", "will_check", "asks"):
        assert about not in FACTS
        assert truth.of(WOLF, claim(about, SEER)) is None


def test_before_the_cards_are_dealt_nothing_is_judged() -> None:
    truth = Truth()
    truth.read(next(event for event in new_game(house(), DEAL, 1)[1] if isinstance(event, Began)))
    assert truth.of(1, claim("role", 1, value="seer")) is None
    truth.read(Dealt(1, "seer"))
    assert truth.of(1, claim("role", 1, value="seer")) is True
