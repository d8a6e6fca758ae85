"""What is sent to the page: as much as a view holds, and words for all of it."""

import json
from typing import Any, get_args

import pytest

from arena.events import Event, view_of
from arena.knobs import CAUSES
from arena.roles import ROLES
from arena.table import How
from arena.terms import GOD, LANGUAGES, SPECTATOR, Lang, Seat
from arena.texts import texts
from dashboard.frames import Frame, frames
from tests.games import at_random, batches, by_default, dealt, house, play


def told(events: list[Event], seat: Seat, lang: Lang = "en") -> list[Frame]:
    return frames(view_of(events, seat), lang)


def added_up(shown: list[Frame]) -> dict[str, Any]:
    """What the table shows after the last frame."""
    seats: dict[str, Any] = {}
    picture: dict[str, Any] = {}
    for frame in shown:
        seats |= frame.get("seats", {})
        picture |= frame
    return {**picture, "seats": seats}


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_tag_has_words(lang: Lang) -> None:
    words = texts(lang, "dashboard")
    assert set(words["fell"]) == set(get_args(How))
    assert set(words["fate"]) == set(CAUSES)
    assert set(words["ballot"]) == set(texts(lang, "terms")["ballots"])


@pytest.mark.parametrize("seat", [SPECTATOR, 1, GOD])
def test_the_last_picture_is_the_end_of_the_game(seat: Seat) -> None:
    state, events = play(house(), 9, 11, at_random(11))
    picture = added_up(told(events, seat))
    titles = [ROLES[role].title["en"] for role in state.roles[1:]]
    assert [picture["seats"][str(number)]["card"] for number in range(1, 10)] == titles
    out = {int(number) for number, facts in picture["seats"].items() if facts["out"]}
    assert out == {fallen.seat for fallen in state.outs}
    assert picture["in_play"] == len(state.in_play)
    assert picture["sheriff"] == state.sheriff
    assert state.outcome
    won = tuple(int(number) for number, facts in picture["seats"].items() if facts["mark"])
    assert won == state.outcome.winners


def test_every_frame_has_words_and_says_which_event_it_is() -> None:
    _, events = play(house(), 9, 2, at_random(2))
    for seat in (SPECTATOR, 4, GOD):
        view = view_of(events, seat).events
        shown = told(events, seat)
        numbers = [frame["event"] for frame in shown]
        assert numbers == sorted(set(numbers))
        assert all(view[frame["event"] - 1].kind == frame["kind"] for frame in shown)
        assert all(text for frame in shown for _, text in frame["lines"])


def test_a_ballot_carries_every_vote_and_its_exact_weight() -> None:
    _, events = play(house(explode__allowed=False), 9, 3, at_random(3))
    ballots = [frame["ballot"] for frame in told(events, SPECTATOR) if "ballot" in frame]
    held = [(event.votes, event.ballot) for event in events if event.kind == "voted"]
    assert [([tuple(vote) for vote in ballot["votes"]]) for ballot in ballots] == [list(votes) for votes, _ in held]
    for ballot in ballots:
        weights = {seat: 3 if seat == ballot["sheriff"] else 2 for seat in range(1, 10)}
        for target, halves in ballot["tally"]:
            assert halves == sum(weights[voter] for voter, chosen in ballot["votes"] if chosen == target)


# Secrets


def until_the_end(roles: tuple[str, ...], lang: Lang) -> list[Frame]:
    events = [event for *_, new in batches(house(), roles, 1, by_default) for event in new]
    return [frame for frame in told(events, SPECTATOR, lang) if frame["kind"] != "ended"]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_public_page_is_the_same_whatever_was_dealt(lang: Lang) -> None:
    """Field reports A-I01 and A-I03: names, colours, order and length of a public page follow from no card."""
    pages = [until_the_end(dealt(house(), 9, seed).seats, lang) for seed in range(5)]
    assert len(pages[0]) > 20
    assert all(page == pages[0] for page in pages[1:])


@pytest.mark.parametrize("seat", range(SPECTATOR, 10))
def test_a_page_names_no_card_that_its_view_has_not_seen(seat: Seat) -> None:
    """Field report A-I01: the pack is on the pages of the pack, and every other card on its own seat's page."""
    for seed in range(4):
        state, events = play(house(), 9, seed, at_random(seed))
        pack = {number for number in range(1, 10) if state.kind(number) == "werewolf"}
        revealed: set[int] = set()
        for frame in told(events, seat):
            if frame["kind"] == "ended":
                break
            event = view_of(events, seat).events[frame["event"] - 1]
            if event.kind == "revealed":
                revealed.add(event.seat)
            known = {seat} | revealed | (pack if seat in pack else set())
            for number, facts in frame.get("seats", {}).items():
                assert int(number) in known or (facts["card"], facts["team"]) == ("", ""), frame


def test_a_page_is_plain_json() -> None:
    _, events = play(house(), 12, 6, at_random(6))
    for seat in (SPECTATOR, GOD):
        shown = told(events, seat)
        assert json.loads(json.dumps(shown)) == shown
