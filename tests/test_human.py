"""The questions a person is asked in the terminal, kind by kind, in both languages."""

import asyncio
from io import StringIO
from typing import Any

import pytest

from arena.narrate import Narrator
from arena.players.human import Asking, Form, Left
from arena.referee import deal, legal, new_game
from arena.roles import ROLES
from arena.terms import LANGUAGES, PASS, Choice, Claim, Decision, Lang, Request
from arena.texts import texts
from tests.games import batches, house
from tests.keyboard import CONTROL_C, CONTROL_D, DOWN, ENTER, ESC, SPACE, somebody, typing
from tests.test_prompt_prose import asked_topics
from tests.varied_games import games, talkative

SPEECH = (Choice("speak"), Choice("pass"))
VOTE = (Choice("vote", (2, 3, 5)), Choice("pass"))


def asked(topic: str, *choices: Choice, default: Decision = PASS, **more: Any) -> Request:
    return Request(4, 1, topic, choices, default, table=6, **more)


def form(lang: Lang) -> Form:
    narrator = Narrator(lang, 4)
    _, events = new_game(house(), ("werewolf", "seer", "guard", "villager", "villager", "werewolf"), 0)
    narrator.lines(events[0])
    return Form(lang, Asking(lang), narrator)


async def fill(request: Request, *keys: str, lang: Lang = "en", screen: StringIO | None = None) -> Decision:
    with typing(*keys, screen=screen):
        async with asyncio.timeout(20):
            decision = await form(lang).fill(request, 2)
    assert not legal(request, decision)
    return decision


@pytest.mark.parametrize("lang", LANGUAGES)
async def test_a_list_offers_everything_and_stands_on_the_default(lang: Lang) -> None:
    request = asked("vote", *VOTE)
    assert await fill(request, ENTER, lang=lang) == PASS
    assert await fill(request, DOWN, ENTER, lang=lang) == Decision("vote", (2,))
    assert await fill(request, DOWN, DOWN, ENTER, lang=lang) == Decision("vote", (3,))


async def test_an_act_on_a_seat_beside_acts_on_nobody() -> None:
    potions = (Choice("antidote"), Choice("poison", (2, 3)), Choice("antidote_and_poison", (2, 3)), Choice("pass"))
    request = asked("witch", *potions, default=Decision("antidote"))
    assert await fill(request, ENTER) == Decision("antidote")
    assert await fill(request, DOWN * 2, ENTER) == Decision("poison", (3,))
    assert await fill(request, DOWN * 3, ENTER) == Decision("antidote_and_poison", (2,))


async def test_several_seats_are_ticked_and_counted() -> None:
    link = asked("cupid", Choice("link", (1, 2, 3, 4), 2, 2), default=Decision("link", (1, 2)))
    too_few = (SPACE, ENTER)
    too_many = (DOWN, SPACE, DOWN, SPACE, ENTER)
    assert await fill(link, *too_few, *too_many, SPACE, ENTER) == Decision("link", (1, 2))
    charm = asked("piper", Choice("charm", (1, 2, 3), 1, 2), Choice("pass"))
    assert await fill(charm, ENTER) == PASS
    assert await fill(charm, DOWN, ENTER, DOWN, SPACE, ENTER) == Decision("charm", (2,))


@pytest.mark.parametrize("lang", LANGUAGES)
async def test_a_speech_is_a_line_of_text(lang: Lang) -> None:
    request = asked("speech", *SPEECH, seconds=120)
    assert await fill(request, "我是好人。", ENTER, ENTER, lang=lang) == Decision("speak", (), "我是好人。")
    assert await fill(request, ENTER, lang=lang) == PASS
    assert await fill(request, "  ", ENTER, lang=lang) == PASS


async def test_what_is_pasted_steers_no_terminal() -> None:
    pasted = "\x1b[200~one\x1b[2Jtwo\nthree\u202e\x1b[201~"
    decision = await fill(asked("speech", *SPEECH, seconds=120), pasted, ENTER, ENTER)
    assert decision.text.isprintable()
    assert decision.text == "one [2Jtwo three"


async def test_claims_are_made_one_after_the_other() -> None:
    request = asked("speech", *SPEECH, seconds=120)
    role = (DOWN, ENTER, ENTER, DOWN, ENTER)  # of the own seat, the second of the roles
    checked = (DOWN * 3, ENTER, DOWN, ENTER, DOWN, ENTER)  # seat 2, not a werewolf
    suspects = (DOWN * 5, ENTER, DOWN * 4, ENTER, DOWN * 2, ENTER, ENTER)  # seat 5, then seat 2
    decision = await fill(request, "Hello.", ENTER, *role, *checked, *suspects, ENTER)
    assert decision.claims == (
        Claim("role", (4,), form("en")._narrator.roles[1]),
        Claim("checked", (2,), "not_werewolf"),
        Claim("suspects", (5, 2)),
    )


WILL_VOTE = DOWN * 7
"""Where it stands among the claims of a game without witch, Cupid and piper."""


async def test_no_more_claims_are_asked_for_than_a_speech_may_have() -> None:
    keys = [key for n in range(6) for key in (WILL_VOTE, ENTER, DOWN * n, ENTER)]
    decision = await fill(asked("speech", *SPEECH, seconds=120), "Hello.", ENTER, *keys)
    assert decision.claims == tuple(Claim("will_vote", (seat,)) for seat in range(1, 7))


async def test_the_same_claim_is_not_made_twice() -> None:
    decision = await fill(asked("speech", *SPEECH, seconds=120), "Hello.", ENTER, *(WILL_VOTE, ENTER, ENTER) * 2, ENTER)
    assert decision.claims == (Claim("will_vote", (1,)),)


async def test_no_claim_is_offered_that_only_a_missing_card_could_make(monkeypatch: pytest.MonkeyPatch) -> None:
    offered: list[str] = []

    async def choose(_: Asking, _question: str, options: list[tuple[str, str]], _default: int = 0) -> str:
        offered.extend(kind for kind, _ in options)
        return ""

    monkeypatch.setattr(Asking, "choose", choose)
    assert await fill(asked("speech", *SPEECH, seconds=120), "Hello.", ENTER) == Decision("speak", (), "Hello.")
    assert offered == ["", "role", "side", "checked", "guarded", "suspects", "trusts", "will_vote", "will_check"]


async def test_the_pack_may_be_told_something_beside_a_proposal() -> None:
    request = asked("werewolves", Choice("attack", (2, 3)), Choice("pass"), seconds=30)
    assert await fill(request, DOWN, ENTER, "seer, surely", ENTER) == Decision("attack", (2,), "seer, surely")
    assert await fill(request, DOWN, ENTER, ENTER) == Decision("attack", (2,))


async def test_a_speaker_who_may_explode_is_asked_first() -> None:
    request = asked("speech", *SPEECH, Choice("explode"), seconds=120)
    assert await fill(request, DOWN, ENTER, DOWN, ENTER) == Decision("explode")
    assert await fill(request, DOWN, ENTER, ENTER, ENTER, "Hello.", ENTER, ENTER) == Decision("speak", (), "Hello.")


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize(
    ("request_", "decision"),
    [
        (asked("explode", Choice("explode"), Choice("pass"), window=True), Decision("explode")),
        (asked("shoot", Choice("pass"), Choice("shoot", (2,))), Decision("shoot", (2,))),
    ],
)
async def test_what_cannot_be_taken_back_is_confirmed(request_: Request, decision: Decision, lang: Lang) -> None:
    assert await fill(request_, DOWN, ENTER, DOWN, ENTER, lang=lang) == decision
    assert await fill(request_, DOWN, ENTER, ENTER, ENTER, lang=lang) == PASS


async def test_enter_leaves_a_chance_beside_a_speech_alone() -> None:
    screen = StringIO()
    request = asked("explode", Choice("explode"), Choice("pass"), window=True)
    assert await fill(request, ENTER, screen=screen) == PASS
    assert "seat 2 is speaking." in screen.getvalue().lower()


async def test_a_word_may_be_added_and_a_gesture_made() -> None:
    word = asked("interjection", *SPEECH, window=True, seconds=15)
    assert await fill(word, "No!", ENTER, ENTER) == Decision("speak", (), "No!")
    gesture = asked("gesture", Choice("nod"), Choice("shake"), Choice("pass"), window=True)
    assert await fill(gesture, "k", ENTER) == Decision("shake")


@pytest.mark.parametrize("keys", [ESC, CONTROL_C, ESC + ESC, ESC + CONTROL_C, ESC + ENTER, CONTROL_C + ESC])
@pytest.mark.parametrize(
    "request_",
    [
        asked("vote", *VOTE),
        asked("cupid", Choice("link", (1, 2, 3), 2, 2), default=Decision("link", (1, 2))),
        asked("speech", *SPEECH, seconds=120),
    ],
    ids=["list", "boxes", "text"],
)
async def test_esc_and_control_c_leave(request_: Request, keys: str) -> None:
    with pytest.raises(Left):
        async with asyncio.timeout(20):
            await fill(request_, keys)


@pytest.mark.parametrize("key", [ESC, CONTROL_C])
async def test_esc_and_control_c_leave_a_confirmation(key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    typed = iter(["k" + ENTER, key])
    with somebody(monkeypatch, lambda: next(typed)), pytest.raises(Left):
        async with asyncio.timeout(20):
            await form("en").fill(asked("shoot", Choice("shoot", (2,)), Choice("pass")), 0)


@pytest.mark.parametrize(
    ("pasted", "heard"),
    [("not\x1b[31m 3\x1b[0m", "not 3"), ("\x1b[200~not\x1b[31m 3\x1b[0m\x1b[201~", "not [31m 3 [0m")],
    ids=["as if typed", "as pasted"],
)
async def test_pasted_colours_steer_no_terminal(pasted: str, heard: str) -> None:
    async with asyncio.timeout(20):
        said = await fill(asked("speech", *SPEECH, seconds=120), pasted, ENTER, ENTER)
    assert said.text == heard


async def test_the_end_of_input_leaves() -> None:
    with pytest.raises(Left):
        await fill(asked("speech", *SPEECH, seconds=120), CONTROL_D)


async def test_what_was_typed_before_the_question_is_forgotten() -> None:
    asking = Asking("en")
    with typing(ENTER, DOWN, ENTER):
        assert await asking.choose("?", [(1, "one"), (2, "two")]) == 1
        asking.forget()
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(asking.choose("?", [(1, "one"), (2, "two")]), 0.2)


def asked_anywhere() -> set[tuple[str, str]]:
    """Every topic and act of a request, in games of every setup and every setting of a knob."""
    found: set[tuple[str, str]] = set()
    for _, game in games():
        dealing = deal(game.cards, 1, game.ruleset.rules)
        for _, _, after, _ in batches(game.ruleset, dealing.seats, 1, talkative(1), dealing.extra):
            found.update((request.topic, choice.act) for request in after.pending for choice in request.choices)
    return found


def test_every_topic_has_a_question_and_every_act_its_words() -> None:
    found = asked_anywhere()
    assert len(found) > 60
    for lang in LANGUAGES:
        assert {topic for topic, _ in found} <= texts(lang, "human")["questions"].keys() <= asked_topics()
        acts = {key.split(".")[-1] for key in texts(lang, "acts")}
        assert {act for _, act in found} - ROLES.keys() <= acts


@pytest.mark.parametrize("lang", LANGUAGES)
async def test_all_that_is_drawn_is_in_one_language(lang: Lang) -> None:
    """The library's own words are English, and none of them may show."""
    screen = StringIO()
    link = asked("cupid", Choice("link", (1, 2, 3, 4), 2, 2), default=Decision("link", (1, 2)))
    await fill(link, ENTER, SPACE, DOWN, SPACE, ENTER, lang=lang, screen=screen)
    await fill(asked("shoot", *VOTE[1:], Choice("shoot", (2,))), DOWN, ENTER, DOWN, ENTER, lang=lang, screen=screen)
    await fill(asked("speech", *SPEECH, seconds=120), "1", ENTER, ENTER, lang=lang, screen=screen)
    for words in ("Use arrow keys", "Yes", "(y/N)", "<space>", "Invalid"):
        assert words not in screen.getvalue()
