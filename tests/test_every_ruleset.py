"""Every setup of every ruleset can be played, told and decided again."""

from pathlib import Path

import pytest
from pydantic import ValidationError

from arena import simulate
from arena.events import Dealt, Learned
from arena.referee import deal
from arena.ruleset import load_ruleset, ruleset_ids, spares
from arena.simulate import Trial
from arena.terms import GOD, LANGUAGES, SPECTATOR, Lang, UnusableInput
from arena.transcript import Header, read, rerun
from tests.command_line import CommandLine
from tests.games import dealt, house
from tests.matches import header, play
from tests.narration import in_language, told

SETUPS = [(name, players) for name in ruleset_ids() for players in load_ruleset(name).setups]


@pytest.mark.parametrize(("name", "players"), SETUPS)
def test_a_setup_is_played_to_its_end_and_decided_the_same_again(tmp_path: Path, name: str, players: int) -> None:
    file = tmp_path / "game.jsonl"
    play(file, header(players, 3, ruleset=name))
    written = read(file)
    assert written.header.players == len(written.header.seats) == players
    position = rerun(written.header, written.records)
    assert written.outcome
    assert (position.waiting, position.unwritten) == ([], ())
    assert tuple(position.events) == written.events
    for lang in LANGUAGES:
        for reader in (GOD, SPECTATOR, players):
            for line in told(lang, reader, written.events):
                assert in_language(lang, line.text, written.header.ruleset.title[lang]), line
                assert not set("_{}") & set(line.text), line


@pytest.mark.parametrize(("name", "players"), SETUPS)
def test_cards_that_stay_over_lie_beside_the_table(name: str, players: int) -> None:
    ruleset = load_ruleset(name)
    cards = ruleset.cards(players)
    assert sum(cards.values()) == players + spares(cards, ruleset.rules)
    for seed in range(20):
        dealing = dealt(ruleset, players, seed)
        assert len(dealing.seats) == players
        deck = (*dealing.seats, *dealing.extra)
        added = len(deck) - sum(cards.values())
        assert {role: deck.count(role) for role in cards} == {**cards, "villager": cards["villager"] + added}
        assert len(dealing.extra) == (2 if cards.get("thief") else 0)


def test_of_the_cards_that_stay_over_at_most_one_is_a_werewolfs() -> None:
    """And none where the other one is the thief's; where villagers are added, both may be."""
    cards = {"werewolf": 2, "white_wolf": 1, "seer": 1, "thief": 1, "villager": 3}
    found = {
        extra: {
            tuple(sorted(deal(cards, seed, house(thief__extra=extra, win__werewolves="all").rules).extra))
            for seed in range(200)
        }
        for extra in ("deck", "villagers_added")
    }
    both = {("werewolf", "werewolf"), ("werewolf", "white_wolf")}
    assert not found["deck"] & {*both, ("thief", "werewolf"), ("thief", "white_wolf")}
    assert found["deck"] >= {("seer", "werewolf"), ("villager", "white_wolf"), ("thief", "villager")}
    assert found["villagers_added"] >= both


def test_cards_can_lie_at_seats_and_beside_them(tmp_path: Path) -> None:
    roles = ("thief", "werewolf", "werewolf", "seer", "villager", "villager", "villager", "villager")
    drawn = header(8, 1, ruleset="last-words")
    head = Header.model_validate({**drawn.model_dump(), "cards": roles, "extra": ("hunter", "witch")})
    play(tmp_path / "game.jsonl", head)
    written = read(tmp_path / "game.jsonl")
    assert [event.role for event in written.events if isinstance(event, Dealt)] == list(roles)
    seen = [event.value for event in written.events if isinstance(event, Learned) and event.key == "left_over"]
    assert seen == ["hunter", "witch"]
    assert rerun(written.header, written.records).state.extra == ("hunter", "witch")
    with pytest.raises(ValidationError, match="only beside cards that lie at seats"):
        Header.model_validate({**drawn.model_dump(), "extra": ("hunter", "witch")})


def test_a_table_with_a_thief_is_played_from_the_command_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    arena = CommandLine(monkeypatch, capsys)
    seats = tmp_path / "seats.yaml"
    seats.write_text("seats: {1-12: random}\n")
    file = tmp_path / "game.jsonl"
    options = ("--ruleset", "lyingman-s3-thief", "--seed", 5, "--seats", seats, "--out", file, "--quiet")
    status, _, err = arena("play", *options, "--cards", "werewolf=3,villager=9,seer=1,thief=1")
    assert (status, err) == (0, "")
    assert read(file).header.players == 12
    status, _, err = arena("play", *options, "--cards", "werewolf=3,villager=7,seer=1,thief=1")
    assert status == 2
    assert err == f"arena: cards: 12 cards for 12 players; 14 are needed, because 2 stay over (seats file: {seats})\n"


@pytest.mark.parametrize(("name", "players"), SETUPS)
def test_scripted_players_play_and_talk_under_every_ruleset(name: str, players: int) -> None:
    ruleset = load_ruleset(name)
    lang: Lang = LANGUAGES[players % len(LANGUAGES)]
    trial = Trial(ruleset, ruleset.cards(players), 3, "scripted", "scripted", words=True, lang=lang)
    assert simulate.play(trial, 0).days > 0


def test_cards_are_left_over_so_that_the_game_can_begin() -> None:
    """Were the only god left over, the werewolves would have wiped out a side at once."""
    cards = {"werewolf": 2, "seer": 1, "thief": 1, "villager": 5}
    for seed in range(50):
        assert "seer" in deal(cards, seed, house().rules).seats
    with pytest.raises(UnusableInput, match="whichever cards stay over"):
        deal({"werewolf": 1, "seer": 1, "thief": 1, "villager": 1}, 1, house().rules)
