import io
import re
import string
from typing import Any, get_args, get_type_hints

import pytest
from rich.console import Console

from arena.events import (
    EVERYONE,
    Acted,
    Announced,
    Badge,
    Began,
    Called,
    Dealt,
    Ended,
    Event,
    Exiled,
    Exploded,
    Floor,
    Learned,
    Marked,
    Noted,
    Ordered,
    Out,
    Phase,
    RedCarded,
    Revealed,
    Said,
    Shot,
    Stood,
    Tallied,
    Turned,
    Voted,
    Warned,
    Withdrew,
    view_of,
)
from arena.knobs import CAUSES
from arena.narrate import Narrator, show
from arena.referee import new_game
from arena.roles import ROLES, abilities_of
from arena.ruleset import PHRASE_RULES
from arena.terms import GOD, LANGUAGES, SPECTATOR, Claim, Lang, Part, Seat
from arena.texts import seat_names, texts
from tests.games import at_random, batches, by_default, house, play
from tests.narration import in_language, told, words
from tests.vocabulary import marks, private_keys, reasons

NO_WORDS = {Noted}

OUT = Out(3, ("werewolves", "poison"), 2, True)
ENDED = Ended("village", "no_werewolves", (1, 3), ("seer", "werewolf", "villager"), (OUT,))
CLAIMS = (
    Claim("role", (1,), "seer"),
    Claim("role", (2,), "werewolf"),
    Claim("side", (1,), "village"),
    Claim("side", (2,), "werewolves"),
    *(Claim("checked", (2,), value) for value in ("werewolf", "not_werewolf", "village", "not_village", "villager")),
    Claim("saved", (2,)),
    Claim("poisoned", (2,)),
    Claim("guarded", (2,)),
    Claim("lovers", (2, 3)),
    Claim("suspects", (2, 3)),
    Claim("trusts", (3,)),
    Claim("will_vote", (2,)),
    Claim("will_check", (2, 3)),
    Claim("asks", (3,)),
)


def began() -> Event:
    _, events = new_game(house(), ("seer", "werewolf", "villager", "villager", "villager"), seed=1, protected=(2,))
    return events[0]


# At least one event of every kind, and one for every turn that its sentence can take.
SAMPLES: list[Event] = [
    Dealt(1, "seer"),
    *(Phase(2, part) for part in get_args(Part)),
    Called("seer"),
    Called("werewolves"),
    Learned((2,), "pack", (2,)),
    Learned((1,), "checked", (2,), "werewolf"),
    Learned((1,), "unheard_of", (2,)),
    Acted((2,), 2, "propose_attack", (3,), "3"),
    Acted((2,), 2, "attack_nobody"),
    Marked(3, "werewolves", 2),
    Marked(3, "unhelped"),
    Noted(3, "watched", (1,)),
    Turned(3, "werewolf"),
    Learned(EVERYONE, "unheard_of", (2,)),
    *(Ordered(topic, (1, 2)) for topic in texts("en", "terms")["topics"]),
    Floor(1, "call"),
    Said(EVERYONE, 1, "speech", "1", CLAIMS),
    Said(EVERYONE, 1, "campaign", "", CLAIMS),
    Said((1, 2), 1, "last_words"),
    *(Warned(1, rule, 1) for rule in texts("en", "terms")["conduct"]),
    Stood((1, 2)),
    Stood(()),
    Withdrew((1,)),
    *(Voted(ballot, ((1, 2), (2, 0))) for ballot in texts("en", "terms")["ballots"]),
    Voted("vote", ()),
    Tallied("vote", ((1, 5), (2, 4)), (1,)),
    Tallied("vote", ((1, 4), (2, 4)), (1, 2)),
    Tallied("vote", (), ()),
    *(Badge(how, 1) for how in get_args(get_type_hints(Badge)["how"])),
    Exiled(1),
    Exiled(0),
    Exploded(1, "speech"),
    Shot(1, 2),
    RedCarded(1),
    *(Out(3, (cause,), 1, cause != "exile") for cause in CAUSES),
    Announced((1, 2)),
    Announced(()),
    Revealed(1, "seer"),
    *(Ended(winner, "side", (1,), ("seer",), ()) for winner in texts("en", "terms")["factions"]),
    *(Ended("draw", reason, (), ("seer",), ()) for reason in texts("en", "terms")["reasons"]),
    ENDED,
]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_kind_of_event_has_words(lang: Lang) -> None:
    assert {type(event) for event in SAMPLES} | {Began} == set(get_args(Event))
    for event in SAMPLES:
        narrator = Narrator(lang, GOD)
        assert narrator.lines(began())
        lines = narrator.lines(event)
        assert bool(lines) == (type(event) not in NO_WORDS), event
        for line in lines:
            assert line.text, event
            assert not set("{}") & set(line.text), line
            assert in_language(lang, line.text), line


def fields(template: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(template) if name}


def bare(template: str) -> str:
    return re.sub(r"\{\w+\}", "", template)


def leaves(tree: Any, path: tuple[str, ...] = ()) -> dict[tuple[str, ...], str]:
    if isinstance(tree, str):
        return {path: tree}
    if isinstance(tree, list):
        tree = dict(enumerate(tree))
    return {key: text for name, branch in tree.items() for key, text in leaves(branch, (*path, str(name))).items()}


@pytest.mark.parametrize("name", ["acts", "events", "human", "terms"])
def test_both_languages_have_the_same_sentences_with_the_same_fields(name: str) -> None:
    zh, en = leaves(texts("zh", name)), leaves(texts("en", name))
    assert zh.keys() == en.keys()
    for key in zh:
        assert fields(zh[key]) == fields(en[key]), key
        assert zh[key]
        assert en[key]
        assert in_language("zh", bare(zh[key])), key
        assert in_language("en", bare(en[key])), key


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_name_the_referee_uses_has_a_word(lang: Lang) -> None:
    terms = texts(lang, "terms")
    assert set(CAUSES) <= set(terms["causes"])
    assert set(get_args(Part)) == set(terms["parts"])
    assert {role.faction for role in ROLES.values()} <= set(terms["factions"])
    assert {*PHRASE_RULES, *(rule for role in ROLES.values() for rule in role.conduct)} <= set(terms["conduct"])
    acts = abilities_of(tuple(ROLES), "night", "sequel")
    words_after = abilities_of(tuple(ROLES), "aftermath")
    assert {ability.name for ability in acts} <= {*terms["steps"], *ROLES}
    assert marks() <= {*terms["marks"], *terms["causes"]}
    assert {mark for ability in acts for mark in ability.stopped_by} <= set(terms["marks"])
    assert {ability.kills for ability in acts if ability.kills} <= set(terms["causes"])
    assert {ability.name for ability in words_after if ability.seconds} <= set(terms["topics"])
    assert reasons() == set(terms["reasons"])


@pytest.mark.parametrize("role", ROLES)
def test_a_card_has_a_phrase_for_everything_it_tells_and_does(role: str) -> None:
    phrases = {key.partition(".")[0] for key in ROLES[role].phrases}
    assert private_keys(role) <= phrases


@pytest.mark.parametrize("role", ROLES.values(), ids=lambda role: role.name)
def test_the_words_on_a_card_are_in_their_language(role: Any) -> None:
    sentences = [role.title, role.card, *role.phrases.values()]
    for sentence in sentences:
        assert set(sentence) == set(LANGUAGES)
        assert fields(sentence["zh"]) == fields(sentence["en"]) <= {"seat", "seats", "role"}
        for lang in LANGUAGES:
            assert bare(sentence[lang]).strip()
            assert in_language(lang, bare(sentence[lang])), sentence


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("players", [6, 9, 12])
def test_whole_games_are_told_without_a_missing_word(lang: Lang, players: int) -> None:
    for seed in range(4):
        _, events = play(house(), players, seed, at_random(seed))
        for reader in (GOD, SPECTATOR, 1, players):
            for line in told(lang, reader, events):
                text = re.sub(r"word-\d+-\d+-\d+", "", line.text)
                assert in_language(lang, text), line
                assert "_" not in text, line


def test_a_game_can_be_told_event_by_event() -> None:
    _, events = play(house(), 9, 5, at_random(5))
    narrator = Narrator("en", 4)
    piecemeal = [narrator.lines(event) for event in view_of(events, 4).events]
    assert [line for lines in piecemeal for line in lines] == told("en", 4, events)


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("topic", texts("en", "terms")["topics"])
def test_an_order_that_only_decides_between_equal_bids_is_told_as_that(lang: Lang, topic: str) -> None:
    ordered, accounts = Ordered(topic, (3, 1, 2)), []
    for mode in ("order", "bidding"):
        roles = ("seer", "werewolf", "villager", "villager", "villager")
        _, events = new_game(house(discussion__mode=mode), roles, seed=1)
        narrator = Narrator(lang)
        narrator.lines(events[0])
        accounts.append(words(narrator.lines(ordered)))
    assert all(seat_names(lang, (3, 1, 2)) in account for account in accounts)
    assert (accounts[0] == accounts[1]) == (topic != "speech")
    assert ({"zh": "急切程度", "en": "bids"}[lang] in accounts[1]) == (topic == "speech")


@pytest.mark.parametrize(
    ("lang", "expected"),
    [
        ("zh", ["放逐投票：", "投1号：2号、4号（1.5票）", "投2号：3号", "弃票：1号", "票数：1号 2.5票、2号 1票。"]),
        (
            "en",
            [
                "Exile vote:",
                "For seat 1: seat 2, seat 4 (weight 1.5)",
                "For seat 2: seat 3",
                "Abstaining: seat 1",
                "Count: seat 1 with 2.5, seat 2 with 1.",
            ],
        ),
    ],
)
def test_votes_are_told_by_target_and_counted_in_exact_halves(lang: Lang, expected: list[str]) -> None:
    narrator = Narrator(lang)
    for event in (began(), Badge("elected", 4)):
        narrator.lines(event)
    ballots = Voted("vote", ((1, 0), (2, 1), (3, 2), (4, 1)))
    lines = narrator.lines(ballots) + narrator.lines(Tallied("vote", ((1, 5), (2, 2)), (1,)))
    assert [line.text for line in lines] == expected


@pytest.mark.parametrize(("lang", "expected"), [("zh", "无人得票。"), ("en", "Nobody received a vote.")])
def test_a_ballot_in_which_all_abstain_is_told(lang: Lang, expected: str) -> None:
    assert [line.text for line in Narrator(lang).lines(Tallied("vote", (), ()))] == [expected]


def test_a_rule_of_conduct_for_the_good_names_them() -> None:
    """A god who claims werewolf breaks it as much as a villager does."""
    assert texts("en", "terms")["conduct"]["living_good_claims_werewolf"] == "claiming werewolf as a living good seat"
    assert texts("zh", "terms")["conduct"]["living_good_claims_werewolf"] == "在场好人自称狼人"


def test_a_private_line_names_its_readers_only_to_others() -> None:
    checked = Learned((1,), "checked", (2,), "werewolf")
    alone, god = Narrator("en", 1), Narrator("en", GOD)
    for narrator in (alone, god):
        narrator.lines(began())
    assert [line.text for line in alone.lines(checked)] == ["You check seat 2: a werewolf."]
    assert [line.text for line in god.lines(checked)] == ["(seat 1 only) You check seat 2: a werewolf."]


HOSTILE = (
    "[red]x[/red] [link=http://a.b]y[/link] :smile: {seat} \x1b[31m\x1b]8;;http://a.b\x07z\x9b1m\r\n\u202eq\u2028Day 9"
)


@pytest.mark.parametrize(
    "event", [Said(EVERYONE, 1, "speech", HOSTILE), Acted((2,), 2, "propose_attack", (3,), HOSTILE)]
)
def test_text_of_a_player_stays_text(event: Event) -> None:
    narrator = Narrator("en", GOD)
    narrator.lines(began())
    lines = narrator.lines(event)
    assert len(lines) == 1
    assert lines[0].text.isprintable()
    shown = io.StringIO()
    show(Console(file=shown, force_terminal=True, color_system=None, width=400), lines)
    for literal in ("[red]x[/red]", "[link=http://a.b]y[/link]", ":smile:", "{seat}"):
        assert literal in shown.getvalue()
    assert shown.getvalue().count("\n") == 1
    assert not any(char in shown.getvalue() for char in "\x1b\x07\x9b\r\u202e\u2028")


# What the public is told


def public_until_the_end(roles: tuple[str, ...], lang: Lang) -> list[str]:
    events = [event for *_, new in batches(house(), roles, 1, by_default) for event in new]
    return [line.text for line in told(lang, SPECTATOR, events[:-1])]


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("pack", [(2, 5, 9), (1, 3, 4), (7, 8, 9)])
def test_the_public_account_is_the_same_whoever_is_in_the_pack(lang: Lang, pack: tuple[Seat, ...]) -> None:
    """Field report A-I01: a public line must not follow from who the werewolves are."""

    def dealt(werewolves: tuple[Seat, ...]) -> tuple[str, ...]:
        others = iter(("seer", "witch", "hunter", "villager", "villager", "villager"))
        return tuple("werewolf" if seat in werewolves else next(others) for seat in range(1, 10))

    account = public_until_the_end(dealt(pack), lang)
    assert len(account) > 20
    assert account == public_until_the_end(dealt((1, 2, 3)), lang)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_pack_is_named_to_the_pack_alone(lang: Lang) -> None:
    """Field report A-I01, the other half."""
    roles = ("villager", "werewolf", "seer", "witch", "werewolf", "hunter", "villager", "villager", "werewolf")
    events = [event for *_, new in batches(house(), roles, 1, by_default) for event in new]
    named = ROLES["werewolf"].phrases["pack"][lang].format(seats=seat_names(lang, (2, 5, 9)))
    for seat in range(SPECTATOR, 10):
        assert (named in words(told(lang, seat, events))) == (seat in (2, 5, 9)), seat


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_cards_in_play_are_listed_in_the_same_order_whatever_the_deal(lang: Lang) -> None:
    """Field report A-I03: the list of roles must not follow the list of seats."""
    one = ("werewolf", "seer", "villager", "witch", "villager", "hunter", "werewolf", "villager")
    first = [told(lang, SPECTATOR, new_game(house(), roles, seed=1)[1]) for roles in (one, one[::-1])]
    assert first[0]
    assert first[0] == first[1]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_no_card_is_named_in_public_before_it_is_turned_up(lang: Lang) -> None:
    titles = [role.title[lang].lower() for role in ROLES.values()]
    for seed in range(6):
        _, events = play(house(), 9, seed, at_random(seed))
        narrator = Narrator(lang, SPECTATOR)
        for event in view_of(events, SPECTATOR).events:
            lines = narrator.lines(event)
            if not isinstance(event, Began | Called | Revealed | Ended):
                assert not [title for title in titles if title in words(lines).lower()], lines


def test_no_ballot_is_told_before_all_are_in() -> None:
    """Field report A-I04: while a vote is open, no account differs from what it was before anybody voted."""
    roles = ("villager", "werewolf", "seer", "witch", "werewolf", "hunter", "villager", "villager")
    seen: list[Event] = []
    open_votes = 0
    for before, decisions, _, new in batches(house(explode__allowed=False), roles, 3, at_random(3)):
        if before.pending and all(request.topic == "vote" for request in before.pending):
            open_votes += 1
            assert len(decisions) == len(before.in_play)
            assert not any(isinstance(event, Voted) for event in seen[seen.index(Phase(before.day, "vote")) :])
        seen += new
    assert open_votes
