import asyncio
import itertools
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from string import Formatter
from typing import Any

import pytest

from arena.events import Acted, Phase, Said, View
from arena.personas import TONES, persona_ids
from arena.players.scripted import ScriptedPlayer
from arena.players.scripted.belief import Eyes, believe
from arena.players.scripted.ledger import SEER, Ledger
from arena.referee import new_game
from arena.table import Table
from arena.terms import LANGUAGES, PASS, Choice, Claim, Decision, Lang, Request
from arena.texts import texts
from tests.games import house
from tests.scripted_games import Asked, Game, play, player_for

CHINESE = re.compile("[\u3400-\u9fff\u3000-\u303f\uff00-\uffef]")
END = {"zh": "。！？", "en": ".!?"}


@cache
def game(players: int, seed: int, lang: Lang = "zh") -> Game:
    return play(players, seed, player_for(lang))


GAMES = [(players, seed) for players in (6, 7, 8, 9, 12) for seed in range(4)]

KNOBS: list[dict[str, Any]] = [
    {"vote__ballot": "by_target"},
    {"vote__ballot": "by_target", "sheriff__candidates": "everyone", "sheriff__electors": "all"},
    {"sheriff__candidates": "everyone", "sheriff__succession": "must_pass", "sheriff__breaks_tie": "decides"},
    {"discussion__order": "sheriff_chooses", "sheriff__tie": "runoff_then_next_day"},
    {"discussion__mode": "bidding", "discussion__rounds": {"first_day": 2, "later": 1}},
    {"sheriff__election": {"day": 1, "before_announcement": False}, "sheriff__runoff_electors": "all_but_tied"},
    {"sheriff__election": {"day": 2, "before_announcement": True}, "sheriff__may_withdraw": False},
    {"seer__learns": "role", "reveal_cards": True, "vote__tie": "repeat"},
    {"seer__learns": "faction", "witch__told": "always", "witch__both_one_night": True},
    {"guard__repeat_is": "void", "werewolves__may_target_pack": False, "werewolves__may_skip": False},
    {"conduct": ["claim_in_campaign", "first_night_dead_claims_seer", "living_good_claims_werewolf"]},
    {"werewolves__agreement": "unanimous", "werewolves__rounds": 3, "explode__allowed": False},
    {"last_words__policy": "none", "settlement": "simultaneous", "sheriff__breaks_tie": "own_vote"},
]


@pytest.mark.parametrize("knobs", KNOBS, ids=lambda knobs: "-".join(knobs))
def test_every_answer_is_legal_whatever_the_rules(knobs: dict[str, Any]) -> None:
    for players, seed in ((9, 1), (12, 2), (12, 3)):
        for asked in play(players, seed, player_for("en"), **knobs).asked:
            assert not asked.refusal, (asked.request, asked.reply)


@pytest.mark.parametrize("players", range(6, 13))
def test_every_answer_is_legal_on_every_board(players: int) -> None:
    for seed in range(100, 108):
        refused = [asked for asked in play(players, seed, player_for(words=False)).asked if asked.refusal]
        assert not refused


def test_conduct_is_never_broken() -> None:
    forbidden = ["claim_in_campaign", "first_night_dead_claims_seer", "living_good_claims_werewolf"]
    for seed in range(4):
        assert "warned" not in {event.kind for event in play(12, seed, player_for(), conduct=forbidden).events}


def _fresh_reply(players: int, seed: int, asked: Asked) -> Any:
    return player_for()(seed, asked.request.seat).answer(asked.view, asked.request)


@pytest.mark.parametrize(("players", "seed"), [(6, 3), (7, 4), (8, 5), (9, 0), (10, 6), (11, 7), (12, 1)])
def test_a_reply_is_a_function_of_the_view(players: int, seed: int) -> None:
    for asked in game(players, seed).asked:
        assert _fresh_reply(players, seed, asked) == asked.reply


def test_a_reply_can_be_awaited() -> None:
    asked = game(9, 0).asked[-1]
    player = player_for()(0, asked.request.seat)
    assert asyncio.run(player.reply(asked.view, asked.request)) == asked.reply


def test_words_change_no_decision() -> None:
    silent = play(12, 3, player_for(words=False))
    assert all(not asked.reply.decision.text and not asked.reply.thought for asked in silent.asked)
    for loud, quiet in zip(game(12, 3).asked, silent.asked, strict=True):
        ours, theirs = loud.reply.decision, quiet.reply.decision
        assert (ours.act, ours.seats, ours.claims) == (theirs.act, theirs.seats, theirs.claims)


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("persona", [None, *persona_ids()])
def test_no_seat_repeats_a_sentence(lang: Lang, persona: str | None) -> None:
    for seed in range(3):
        played = play(12, seed, player_for(lang, persona))
        said: Counter[tuple[int, str]] = Counter()
        # As it was heard: a speech that an explosion cuts off never is, and its sentences stay new.
        for event in played.events:
            if isinstance(event, Said | Acted):
                sentences = re.split(f"[{re.escape(END[lang])}]", event.text)
                said.update((event.seat, sentence.strip()) for sentence in sentences if sentence.strip())
        assert said
        assert not [sentence for sentence, times in said.items() if times > 1]


@pytest.mark.parametrize(("players", "seed"), GAMES)
@pytest.mark.parametrize("lang", LANGUAGES)
def test_everybody_speaks_its_language_and_says_why(lang: Lang, players: int, seed: int) -> None:
    for asked in game(players, seed, lang).asked:
        decision = asked.reply.decision
        assert asked.reply.thought
        if decision.act == "speak":
            assert decision.text
        for text in filter(None, (asked.reply.thought, decision.text)):
            assert bool(CHINESE.search(text)) == (lang == "zh")
            assert lang == "en" or not re.search("[A-Za-z]", text.replace("PK", ""))
            assert not re.search("[{}]", text)


def _entries(lang: Lang) -> dict[tuple[str, ...], str]:
    words = texts(lang, "talk")
    speech: dict[tuple[str, ...], str] = {
        (key, tone, str(place)): variant
        for key, tones in words["speech"].items()
        for tone, variants in tones.items()
        for place, variant in enumerate(variants)
    }
    return {**speech, **{("thought", key): sentence for key, sentence in words["thought"].items()}}


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_entry_is_one_sentence(lang: Lang) -> None:
    for place, sentence in _entries(lang).items():
        marks = [at for at, letter in enumerate(sentence) if letter in END[lang]]
        assert marks == [len(sentence) - 1], place


def test_both_languages_have_the_same_keys_with_the_same_fields() -> None:
    fields: dict[Lang, dict[str, set[str]]] = {}
    for lang in LANGUAGES:
        fields[lang] = {}
        for place, sentence in _entries(lang).items():
            key = "/".join(place[:1] if place[0] != "thought" else place)
            fields[lang].setdefault(key, set()).update(name for _, name, _, _ in Formatter().parse(sentence) if name)
    optional = {"day"}
    assert {k: v - optional for k, v in fields["zh"].items()} == {k: v - optional for k, v in fields["en"].items()}
    for lang in LANGUAGES:
        assert {tone for tones in texts(lang, "talk")["speech"].values() for tone in tones} == set(TONES)


def _liars(played: Game) -> list[tuple[int, list[Said]]]:
    """The werewolves who claimed to be the seer, and all they said."""
    speeches = [event for event in played.events if isinstance(event, Said)]
    liars = []
    for seat in range(1, played.state.players + 1):
        own = [speech for speech in speeches if speech.seat == seat]
        if played.state.kind(seat) == "werewolf" and any(c.about == "checked" for s in own for c in s.claims):
            liars.append((seat, own))
    return liars


def test_a_lie_stays_consistent() -> None:
    lied = 0
    for players, seed in GAMES:
        played = game(players, seed)
        table = Table(0).read(View(0, [event for event in played.events if event.to is None]))
        announced = {fall.seat: fall.day for fall in table.falls}
        for seat, speeches in _liars(played):
            lied += 1
            days = [speech.day for speech in table.speeches if speech.seat == seat]
            told: dict[int, str] = {}
            for day, speech in zip(days, speeches, strict=True):
                for claim in speech.claims:
                    if claim.about == "checked":
                        (target,) = claim.seats
                        assert target not in told
                        assert target != seat
                        told[target] = claim.value
                        assert announced.get(target, 99) >= len(told)
                assert len(told) <= day
                assert not any(c.about == "role" and c.value != SEER and c.seats == (seat,) for c in speech.claims)
    assert lied >= 10


def test_a_seer_reports_what_it_learnt_and_nothing_else() -> None:
    for players, seed in GAMES:
        played = game(players, seed)
        seer = played.state.roles.index(SEER)
        view = next(view for view in played.views() if view.seat == seer)
        learnt = {(e.seats, e.value) for e in view.events if e.kind == "learned" and e.key == "checked"}
        claimed = [c for e in view.events if isinstance(e, Said) and e.seat == seer for c in e.claims]
        told = {(c.seats, c.value) for c in claimed if c.about == "checked"}
        assert told <= learnt
        assert told


def test_a_seer_who_says_two_things_of_one_seat_contradicts_itself() -> None:
    began = game(9, 0).events[0]
    words = [
        Claim("checked", (2,), "werewolf"),
        Claim("checked", (3,), "not_werewolf"),
        Claim("checked", (2,), "village"),
    ]
    contradictions = []
    for told in range(1, len(words) + 1):
        said = Said(None, 4, "speech", "", tuple(words[:told]))
        table, ledger = Table(1).read(View(1, [began, Phase(1, "discussion"), said])), Ledger(9)
        ledger.read(table)
        contradictions.append(ledger.seers[4].contradicts_itself)
    assert contradictions == [False, False, True]


def test_the_condemned_knows_who_lies() -> None:
    events = [*game(9, 0).events[:1], Phase(1, "discussion")]
    for seat, target in ((4, 1), (5, 6)):
        claims = (Claim("role", (seat,), SEER), Claim("checked", (target,), "werewolf"))
        events.append(Said(None, seat, "speech", "", claims))
    table, ledger = Table(1).read(View(1, events)), Ledger(9)
    ledger.read(table)
    onlooker = believe(table, ledger, Eyes(0))
    condemned = believe(table, ledger, Eyes(1, "villager", {1: False}))
    assert 0.3 < onlooker.seers[4] < 0.7
    assert condemned.seers[4] < 0.01
    assert condemned.seer == 5
    assert condemned.wolf[6] > 0.9
    for belief in (onlooker, condemned):
        assert sum(belief.wolf[1:]) == pytest.approx(3, abs=0.15)


def test_players_see_nothing_but_their_view() -> None:
    # Two deals that one seat can't tell apart must get the same answers from it until it learns more.
    ruleset = house()
    roles = ["villager", "werewolf", "werewolf", "werewolf", "seer", "witch", "hunter", "villager", "villager"]
    replies = []
    for swapped in (roles, [*roles[:7], *roles[7:][::-1]], ["villager", *roles[:0:-1]]):
        state, events = new_game(ruleset, swapped, 1)
        view = View(1, [event for event in events if event.to is None or 1 in event.to])
        request = Request(1, 1, "stand", (Choice("stand"), Choice("pass")), default=PASS)
        replies.append(ScriptedPlayer(8, 1).answer(view, request))
        assert state.roles[1] == "villager"
    assert replies[0] == replies[1] == replies[2]


def test_an_unknown_power_is_used_within_its_bounds() -> None:
    view = View(1, game(9, 0).asked[0].view.events[:1])
    request = Request(1, 1, "juggle", (Choice("juggle", (2, 3, 4), 2, 3), Choice("pass")), default=PASS)
    decision = ScriptedPlayer(5, 1).answer(view, request).decision
    assert decision.act == "juggle"
    assert len(set(decision.seats)) == 2


ON_SPEECH = ("reason_speech", "trust_speech")
"""Remarks on how a seat speaks."""


def _speeches(lang: Lang) -> Iterator[tuple[Table, int, Decision]]:
    """Every speech of some games: the table as its speaker saw it, the speaker, and the speech."""
    for players, seed in itertools.product((6, 9, 10, 12), range(50, 57)):
        for asked in game(players, seed, lang).asked:
            if asked.reply.decision.act == "speak":
                yield Table(asked.view.seat).read(asked.view), asked.view.seat, asked.reply.decision


def _about(decision: Decision, about: str) -> list[int]:
    return [seat for claim in decision.claims if claim.about == about for seat in claim.seats]


def _remarks(lang: Lang) -> list[re.Pattern[str]]:
    """Patterns for all remarks on how a seat speaks; their group is the seat."""
    seat = {"zh": "([0-9]+)号", "en": "[Ss]eat ([0-9]+)"}[lang]
    entries = [variant for (key, *_), variant in _entries(lang).items() if key in ON_SPEECH]
    return [re.compile(re.escape(variant).replace(r"\{seat\}", seat)) for variant in entries]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_nobody_speaks_of_itself_by_number(lang: Lang) -> None:
    number = {"zh": "(?<![0-9]){}号", "en": r"\b[Ss]eat {}\b"}[lang]
    for _, seat, decision in _speeches(lang):
        assert not re.search(number.format(seat), decision.text), (seat, decision.text)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_only_who_has_spoken_is_judged_by_its_speech(lang: Lang) -> None:
    remarks, found = _remarks(lang), 0
    for table, _, decision in _speeches(lang):
        spoken = {speech.seat for speech in table.speeches}
        for remark in remarks:
            for match in remark.finditer(decision.text):
                found += 1
                assert int(match[1]) in spoken, decision.text
    assert found >= 12


def test_nobody_is_suspected_and_trusted_in_one_breath() -> None:
    both = 0
    for _, _, decision in _speeches("zh"):
        suspects, trusts = _about(decision, "suspects"), _about(decision, "trusts")
        both += bool(suspects and trusts)
        assert not set(suspects) & set(trusts), decision
        assert not set(_about(decision, "will_vote")) & set(trusts), decision
    assert both >= 100


def test_a_vote_called_for_is_explained() -> None:
    follows = re.compile("跟.*(不分票|走)|归的.*我同意|和.*一样，我这一票")
    led = 0
    for _, _, decision in _speeches("zh"):
        called = _about(decision, "will_vote")
        if called and not follows.search(decision.text):
            led += 1
            assert _about(decision, "suspects")[:1] == called, decision
    assert led >= 100


def test_no_reason_leans_on_a_suspect() -> None:
    sources = [
        re.compile(re.escape(variant).replace(r"\{seat\}", "[0-9]+号").replace(r"\{seer\}", "([0-9]+)号"))
        for (key, *_), variant in _entries("zh").items()
        if key in {"reason_checked", "trust_checked"}
    ]
    found = 0
    for _, _, decision in _speeches("zh"):
        for match in filter(None, (source.search(decision.text) for source in sources)):
            found += 1
            assert int(match[1]) not in _about(decision, "suspects"), decision
    assert found >= 20


def test_nobody_counts_itself_among_the_werewolves() -> None:
    for table, seat, decision in _speeches("zh"):
        assert seat not in _about(decision, "suspects")
        for seer in _about(decision, "trusts"):
            condemned = {
                s
                for speech, c in table.claims("checked")
                if speech.seat == seer
                for s in c.seats
                if c.value == "werewolf"
            }
            assert seat not in condemned, decision


def test_the_accuser_answered_can_hear_it() -> None:
    answers = [
        re.compile(re.escape(variant).replace(r"\{accuser\}", "([0-9]+)号"))
        for (key, *_), variant in _entries("zh").items()
        if key == "answer_accuser"
    ]
    found = 0
    for table, _, decision in _speeches("zh"):
        for match in filter(None, (answer.search(decision.text) for answer in answers)):
            found += 1
            assert int(match[1]) in table.in_play
    assert found >= 20


def test_last_words_announce_no_vote() -> None:
    last = [asked for players, seed in GAMES for asked in game(players, seed).asked]
    texts_said = [a.reply.decision.text for a in last if a.request.topic == "last_words"]
    assert len(texts_said) >= 40
    for text in texts_said:
        assert not re.search("今天(就)?出他|我要出他|我票", text)


def test_a_poisoned_seat_was_not_taken_by_the_werewolves() -> None:
    guesses = [
        re.compile(re.escape(variant.split("{dead}")[1][:6]))
        for (key, *_), variant in _entries("zh").items()
        if key in {"night_one", "night_many"}
    ]
    told = guessed = 0
    for table, seat, decision in _speeches("zh"):
        own = {act.seats[0] for _, act in table.acts if act.act == "poison" and act.seats}
        reported = {s for _, claim in table.claims("poisoned") for s in claim.seats}
        guess = any(pattern.search(decision.text) for pattern in guesses)
        guessed += guess
        if (own | reported) & set(table.deaths(table.day)):
            told += 1
            assert not guess, (seat, decision.text)
    assert told >= 5
    assert guessed >= 20
