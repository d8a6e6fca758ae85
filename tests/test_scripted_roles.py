"""Scripted players play every role and rule with sense, counted over many seeded games."""

from collections import Counter
from collections.abc import Iterator
from functools import cache
from statistics import mean
from types import SimpleNamespace
from typing import cast

import pytest

from arena.events import Acted, Badge, Learned, Ordered, Phase, Revealed, Said, Turned, View
from arena.players.scripted import ScriptedPlayer, girl
from arena.players.scripted.belief import Eyes, believe
from arena.players.scripted.ledger import Ledger
from arena.players.scripted.mind import Mind
from arena.ruleset import load_ruleset, ruleset_ids
from arena.table import Table
from arena.terms import LANGUAGES, PASS, Choice, Claim, Decision, Lang, Request, Seat
from arena.texts import texts
from tests.scripted_games import Asked, Game, play_under, player_for

HARMS = {"vote", "poison", "shoot"}
LARGEST = [(name, max(load_ruleset(name).setups)) for name in ruleset_ids()]


@cache
def game(name: str, players: int, seed: int) -> Game:
    return play_under(load_ruleset(name), players, seed, player_for(words=False))


def games(*tables: tuple[str, int], seeds: int) -> Iterator[Game]:
    for name, players in tables:
        for seed in range(seeds):
            yield game(name, players, seed)


def asked_of(played: Game, *topics: str) -> Iterator[Asked]:
    return (asked for asked in played.asked if asked.request.topic in topics)


def role_of(played: Game, seat: Seat) -> str:
    return played.state.roles[seat]


def lover_of(asked: Asked) -> Seat:
    return next((e.seats[0] for e in asked.view.events if isinstance(e, Learned) and e.key == "lover"), 0)


def table_of(asked: Asked) -> Table:
    return Table(asked.view.seat).read(asked.view)


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize(("name", "players"), LARGEST)
def test_no_power_is_used_at_random_and_no_speech_earns_a_warning(name: str, players: int, lang: Lang) -> None:
    played = play_under(load_ruleset(name), players, 11, player_for(lang))
    unknown = texts(lang, "talk")["thought"]["power"]
    assert [
        asked.request for asked in played.asked if asked.reply.thought == unknown and not asked.request.window
    ] == []
    assert [asked for asked in played.asked if asked.refusal] == []
    assert "warned" not in {event.kind for event in played.events}


LOVERS = (("lyingman-s2", 11), ("lyingman-s3-thief", 12), ("factions", 14), ("last-words", 12))


def test_lovers_never_harm_or_accuse_each_other() -> None:
    chances, mixed, harmed = 0, 0, []
    for played in games(*LOVERS, seeds=8):
        for asked in played.asked:
            lover = lover_of(asked)
            if not lover:
                continue
            decision = asked.reply.decision
            mixed += played.state.faction(asked.view.seat) == "lovers"
            named = [c for c in decision.claims if c.about in {"suspects", "will_vote"} and lover in c.seats]
            if asked.request.topic not in {"sheriff", "sheriff_runoff"} and decision.act in {
                "vote",
                "attack",
                "poison",
            }:
                chances += any(lover in choice.seats for choice in asked.request.choices)
                harmed += [asked] if lover in decision.seats else []
            harmed += [asked] if named or (decision.act in {"shoot", "exile"} and lover in decision.seats) else []
    assert chances >= 60
    assert mixed >= 60
    assert not harmed


def test_a_cupid_who_stands_with_the_lovers_spares_them() -> None:
    votes = 0
    for played in games(("lyingman-s2", 11), ("factions", 14), seeds=12):
        for asked in asked_of(played, "vote"):
            pair = next((e.seats for e in asked.view.events if isinstance(e, Acted) and e.act == "link"), ())
            if any(set(pair) & set(choice.seats) - {asked.view.seat} for choice in asked.request.choices):
                votes += 1
                assert not set(asked.reply.decision.seats) & set(pair)
    assert votes >= 15


def test_a_cupid_links_itself_now_and_then_and_may_link_nobody() -> None:
    acts: Counter[str] = Counter()
    for played in games(("tournament", 13), ("lyingman-s2", 11), seeds=14):
        for asked in asked_of(played, "cupid"):
            decision = asked.reply.decision
            acts["itself" if asked.view.seat in decision.seats else decision.act] += 1
    assert min(acts["pass"], acts["itself"]) >= 3
    assert acts["link"] > acts["itself"]


THIEVES = (("village", 18), ("last-words", 18), ("thiercelieux", 18), ("tournament", 14))
POWERS = {"seer", "witch", "hunter", "guard"}


def test_a_thief_never_passes_over_a_power_for_a_villager() -> None:
    chosen: Counter[str] = Counter()
    for played in games(*THIEVES, seeds=14):
        for asked in asked_of(played, "thief"):
            offered = {choice.act for choice in asked.request.choices}
            act = asked.reply.decision.act
            if offered & POWERS:
                chosen[act] += 1
                assert act in POWERS | {"werewolf"}
            assert act != "villager" or offered <= {"villager"}
    assert chosen.total() >= 8


def test_a_thief_plays_the_card_it_took() -> None:
    used = 0
    for played in games(*THIEVES, seeds=14):
        turned = {event.seat: event.role for event in played.events if isinstance(event, Turned)}
        for seat, role in turned.items():
            used += any(a.view.seat == seat and a.request.topic == role for a in played.asked if a.reply.decision.seats)
    assert used >= 4


OUTSPOKEN = (("thiercelieux", 12), ("thiercelieux", 14), ("last-words", 16))


def test_a_revealed_idiot_interjects_with_measure_and_announces_no_vote() -> None:
    spoken, silent = 0, 0
    for played in games(*OUTSPOKEN, seeds=20):
        per_day: Counter[tuple[int, int]] = Counter()
        for asked in asked_of(played, "interjection"):
            decision = asked.reply.decision
            if decision.act != "speak":
                silent += 1
                continue
            spoken += 1
            per_day[asked.view.seat, table_of(asked).day] += 1
            assert decision.claims
            assert {claim.about for claim in decision.claims} <= {"suspects", "trusts"}
        assert all(times <= 2 for times in per_day.values())
    assert spoken >= 5
    assert silent >= spoken


def test_a_revealed_idiot_who_speaks_in_turn_announces_no_vote() -> None:
    speeches = 0
    for played in games(("factions", 12), seeds=60):
        revealed: set[Seat] = set()
        for event in played.events:
            if isinstance(event, Revealed) and event.role == "idiot":
                revealed.add(event.seat)
            elif isinstance(event, Said) and event.topic == "speech" and event.seat in revealed:
                speeches += 1
                assert not any(claim.about == "will_vote" for claim in event.claims)
    assert speeches >= 4


def test_an_exiled_idiot_turns_up_its_card() -> None:
    asked = [a for played in games(*OUTSPOKEN, ("factions", 12), seeds=16) for a in asked_of(played, "reveal")]
    assert len(asked) >= 2
    assert {a.reply.decision.act for a in asked} == {"reveal"}


def test_idiot_and_elder_come_out_late() -> None:
    early, late = 0, 0
    for played in games(("factions", 12), ("thiercelieux", 14), ("last-words", 16), seeds=10):
        for asked in asked_of(played, "speech"):
            table = table_of(asked)
            if table.role not in {"idiot", "elder"} or asked.view.seat in table.revealed:
                continue
            claims = [c for c in asked.reply.decision.claims if c.about == "role" and c.seats == (asked.view.seat,)]
            late += bool(claims) and 2 * len(table.in_play) <= table.players
            early += bool(claims) and table.day == 1
    assert late >= 8
    assert early <= late / 2


def test_an_elder_hints_before_it_claims() -> None:
    for lang in LANGUAGES:
        hints = texts(lang, "talk")["speech"]["hint_elder"]["plain"]
        found = 0
        for seed in range(6):
            played = play_under(load_ruleset("factions"), 12, seed, player_for(lang))
            for asked in asked_of(played, "speech"):
                hinted = any(hint in asked.reply.decision.text for hint in hints)
                assert not hinted or table_of(asked).role == "elder"
                found += hinted
        assert found >= 2


def test_a_believed_elder_is_harmed_by_nobody_of_the_village() -> None:
    chances, hits = 0, 0
    for played in games(("factions", 12), ("thiercelieux", 14), ("last-words", 16), seeds=10):
        for asked in asked_of(played, "witch", "shoot", "vote"):
            table = table_of(asked)
            if played.state.kind(asked.view.seat):
                continue
            claimed = {s.seat for s, c in table.claims("role") if c.value == "elder" and c.seats == (s.seat,)}
            for choice in asked.request.choices:
                if choice.act in HARMS and len((claimed - {asked.view.seat}).intersection(choice.seats)) == 1:
                    chances += 1
                    hits += bool(claimed.intersection(asked.reply.decision.seats))
    assert chances >= 100
    assert hits <= chances / 50


PIPERS = (("thiercelieux", 16), ("factions", 13))


def test_a_piper_charms_as_many_as_it_may_and_nobody_twice_in_vain() -> None:
    nights, again = 0, 0
    for played in games(*PIPERS, seeds=10):
        known: set[Seat] = set()
        for asked in asked_of(played, "piper"):
            charm = next((choice for choice in asked.request.choices if choice.act == "charm"), None)
            told = [e.seats for e in asked.view.events if isinstance(e, Learned) and e.key == "charmed"]
            reached = known if charm and charm.most > 1 else {seat for seats in told for seat in seats}
            fresh = set(charm.seats) - reached if charm else set()
            seats = asked.reply.decision.seats
            assert len(seats) == min(charm.most if charm else 0, len(fresh))
            again += len(reached & set(seats))
            known |= set(seats)
            nights += 1
    assert nights >= 50
    assert again == 0


def test_who_wins_alone_keeps_its_card_to_itself_and_a_piper_calls_no_vote_first() -> None:
    speeches, calls = 0, 0
    for played in games(*PIPERS, ("factions", 18), seeds=10):
        for asked in asked_of(played, "speech", "speech_runoff", "last_words", "campaign"):
            table = table_of(asked)
            if table.role not in {"piper", "prejudiced"}:
                continue
            speeches += 1
            claims = asked.reply.decision.claims
            assert not any(claim.value in {"piper", "prejudiced"} for claim in claims)
            mine = [claim.seats[0] for claim in claims if claim.about == "will_vote"]
            if mine and table.role == "piper":
                calls += 1
                called = [
                    c.seats[0] for s, c in table.claims("will_vote") if s.day == table.day and s.seat != table.seat
                ]
                assert mine[0] in called
    assert speeches >= 60
    assert calls >= 10


def test_the_charmed_answer_with_signs_that_help_their_side() -> None:
    signs: dict[str, list[bool]] = {"nod": [], "shake": [], "pass": []}
    for played in games(("factions", 13), ("factions", 16), seeds=20):
        for asked in asked_of(played, "gesture"):
            speech = table_of(asked).speeches[-1]
            about = {claim.about: claim.seats[0] for claim in speech.claims if claim.seats}
            subject = about.get("will_vote", about.get("suspects", 0))
            act = asked.reply.decision.act
            if not played.state.kind(asked.view.seat):
                signs[act].append(played.state.faction(subject) != "village")
            elif act != "pass":
                assert (act == "shake") == bool(played.state.kind(subject))
    assert len(signs["nod"]) >= 15
    assert mean(signs["nod"]) > mean([foe for act in signs.values() for foe in act]) + 0.05


GIRLS = (("village", 15), ("village", 16), ("thiercelieux", 18))


def test_a_little_girl_peeks_with_measure_and_uses_what_she_saw() -> None:
    peeks: Counter[str] = Counter()
    votes: Counter[bool] = Counter()
    reports = 0
    for played in games(*GIRLS, seeds=10):
        for asked in played.asked:
            table = table_of(asked) if asked.request.topic in {"girl", "vote", "speech"} else None
            if table is None or table.role != "little_girl":
                continue
            seen = {seat for _, told in table.learned if told.key == "saw" for seat in told.seats} & set(table.in_play)
            if asked.request.topic == "girl":
                peeks[asked.reply.decision.act] += 1
                assert not (seen and asked.reply.decision.act == "peek")
            elif seen and asked.request.topic == "vote":
                votes[bool(set(asked.reply.decision.seats) & seen)] += 1
            for claim in asked.reply.decision.claims:
                assert not (claim.about == "trusts" and set(claim.seats) & seen)
                if claim.about == "side":
                    reports += 1
                    assert set(claim.seats) <= seen
    assert peeks["peek"] >= 10
    assert peeks["pass"] >= 10
    assert votes[True] >= 10 * votes[False]
    assert reports >= 3


@pytest.mark.parametrize(
    ("noticed", "risk", "act"),
    [(0, 0.0, "peek"), (0.25, 0.0, "peek"), (0.5, 0.0, "pass"), (0.5, 1.0, "peek"), (1, 1.0, "pass")],
)
def test_a_little_girl_weighs_what_she_may_learn_against_the_risk(noticed: float, risk: float, act: str) -> None:
    began = SimpleNamespace(rules={"girl.noticed": noticed})
    mind = SimpleNamespace(risk=risk, table=SimpleNamespace(learned=[], in_play=(1, 2, 3), began=began))
    assert girl.peek(cast(Mind, mind), Request(1, 1, "girl", (), PASS)).decision.act == act


def test_a_scapegoat_leaves_the_vote_to_the_good() -> None:
    named: Counter[bool] = Counter()
    left: Counter[bool] = Counter()
    for played in games(("thiercelieux", 14), ("last-words", 17), seeds=5):
        for asked in asked_of(played, "vote"):
            table = table_of(asked)
            if played.state.kind(asked.view.seat) or table.day < 2:
                continue
            seats = tuple(seat for seat in table.in_play if seat != asked.view.seat)
            choices = (Choice("everybody"), Choice("may_vote", seats, 1, len(seats)))
            request = Request(asked.view.seat, asked.request.n, "goat", choices, Decision("everybody"))
            chosen = ScriptedPlayer(5, asked.view.seat).answer(asked.view, request).decision.seats
            for seat in seats if chosen else ():
                (named if seat in chosen else left)[not played.state.kind(seat)] += 1
    assert named.total() >= 100
    assert named[False] / named.total() < 0.75 * left[False] / left.total()


def test_a_pack_that_has_noticed_the_girl_agrees_what_to_do() -> None:
    taken = 0
    for played in games(*GIRLS, seeds=10):
        by_night: dict[int, set[str]] = {}
        for asked in asked_of(played, "take_girl"):
            by_night.setdefault(table_of(asked).day, set()).add(asked.reply.decision.act)
        assert all(len(acts) == 1 for acts in by_night.values())
        taken += sum(acts == {"take"} for acts in by_night.values())
    assert taken >= 1


def test_a_widow_attacks_the_seer_it_believes_and_never_its_lover() -> None:
    attacks, seers = 0, 0
    for played in games(("lyingman-s2", 11), ("factions", 14), seeds=8):
        for asked in asked_of(played, "vote"):
            table, lover = table_of(asked), lover_of(asked)
            if not lover or not played.state.kind(asked.view.seat):
                continue
            prey = tuple(seat for seat in table.in_play if seat != asked.view.seat)
            choices = (Choice("attack", prey), Choice("pass"))
            request = Request(asked.view.seat, asked.request.n, "widow", choices, PASS)
            seats = ScriptedPlayer(5, asked.view.seat).answer(asked.view, request).decision.seats
            attacks += len(seats)
            seers += role_of(played, seats[0]) == "seer"
            assert lover not in seats
    assert attacks >= 15
    assert seers >= attacks / 6


def test_a_werewolf_in_mixed_love_fears_a_pack_that_grows_too_strong() -> None:
    votes: Counter[bool] = Counter()
    for played in games(*LOVERS, seeds=8):
        for asked in asked_of(played, "vote"):
            table, lover = table_of(asked), lover_of(asked)
            others = [seat for seat in table.pack if seat in table.in_play and seat != asked.view.seat]
            strong = 3 * len(others) + 2 >= len(table.in_play)
            if lover and others and lover not in table.pack and strong:
                votes[bool(set(others) & set(asked.reply.decision.seats))] += 1
    assert votes[True] >= 3
    assert votes[True] > votes[False]


def test_a_white_wolf_needs_the_pack_at_first_and_turns_on_it_in_the_end() -> None:
    early: list[bool] = []
    late: list[bool] = []
    for played in games(("factions", 18), seeds=32):
        for asked in asked_of(played, "white_wolf"):
            table = table_of(asked)
            pack = len([seat for seat in table.pack if seat in table.in_play])
            betrayed = asked.reply.decision.act == "betray"
            (early if 3 * pack < len(table.in_play) else late).append(betrayed)
    assert len(early) >= 5
    assert not any(early)
    assert sum(late) >= 5


def test_the_prejudiced_votes_for_the_other_group() -> None:
    votes: Counter[bool] = Counter()
    for played in games(("factions", 18), seeds=24):
        for asked in asked_of(played, "vote"):
            if role_of(played, asked.view.seat) == "prejudiced" and asked.reply.decision.seats:
                groups = [e.seats for e in asked.view.events if isinstance(e, Learned) and e.key == "group"]
                own = next(group for group in groups if asked.view.seat in group)
                votes[asked.reply.decision.seats[0] not in own] += 1
    assert votes[True] >= 20
    assert votes[True] > 2 * votes[False]


def test_a_sheriff_lets_the_doubtful_speak_before_the_trusted() -> None:
    places: dict[bool, list[float]] = {True: [], False: []}
    for played in games(("last-words", 14), ("last-words", 16), ("last-words", 18), seeds=10):
        for place, event in enumerate(played.events):
            if isinstance(event, Ordered) and event.topic == "speech":
                sheriff = next((e.seat for e in reversed(played.events[:place]) if isinstance(e, Badge)), 0)
                if sheriff and not played.state.kind(sheriff) and played.state.faction(sheriff) == "village":
                    others = [seat for seat in event.seats if seat != sheriff]
                    for when, seat in enumerate(others):
                        places[bool(played.state.kind(seat))].append(when / len(others))
    assert min(len(found) for found in places.values()) >= 100
    assert mean(places[True]) < mean(places[False]) - 0.03


def _believed(view: View, eyes: Eyes) -> list[float]:
    table = Table(view.seat).read(view)
    ledger = Ledger(table.players)
    ledger.read(table)
    return believe(table, ledger, eyes).wolf


def test_what_a_lone_little_girl_has_seen_is_believed() -> None:
    began = game("village", 15, 0).events[0]
    claims = (Claim("role", (4,), "little_girl"), Claim("side", (7,), "werewolves"))
    seen = [began, Phase(1, "discussion"), Said(None, 4, "speech", "", claims)]
    rival = Said(None, 5, "speech", "", (Claim("role", (5,), "little_girl"),))
    table, ledger = Table(0).read(View(0, seen)), Ledger(15)
    ledger.read(table)
    assert believe(table, ledger, Eyes(0)).wolf[7] > 0.7
    table, ledger = Table(0).read(View(0, [*seen, rival])), Ledger(15)
    ledger.read(table)
    assert believe(table, ledger, Eyes(0)).wolf[7] < 0.4


def test_the_fewer_are_left_to_charm_the_more_they_are_suspected() -> None:
    began = game("factions", 13, 0).events[0]
    doubt = []
    for charmed in ((2,), (2, 3, 4, 5, 6), (2, 3, 4, 5, 6, 7, 8, 9, 10)):
        events = [began, Phase(1, "night"), Learned(None, "charmed", charmed), Phase(1, "discussion")]
        doubt.append(_believed(View(0, events), Eyes(0))[12])
    assert doubt == sorted(set(doubt))
    assert doubt[-1] > doubt[0] + 0.1


def test_a_thief_knows_who_claims_a_card_that_lies_beside_the_table() -> None:
    began = game("village", 17, 0).events[0]
    events = [began, Learned((1,), "left_over", (), "hunter"), Learned((1,), "left_over", (), "villager")]
    events += [Phase(1, "discussion"), Said(None, 4, "speech", "", (Claim("role", (4,), "hunter"),))]
    assert _believed(View(1, events), Eyes(1, "villager", {1: False}))[4] > 0.85
    assert _believed(View(2, events), Eyes(0))[4] < 0.3
