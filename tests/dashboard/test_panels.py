"""The tables beside the table: right about the game, and about nothing that a view has not seen."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import orjson
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from arena.events import Began, Event, Said, Tallied, view_of
from arena.referee import deal
from arena.roles import ROLES
from arena.ruleset import Ruleset
from arena.terms import GOD, LANGUAGES, SPECTATOR, Attempt, Claim, Fault, Lang, Seat, Source, UnusableInput, Usage
from arena.texts import texts
from arena.transcript import Asked, Attempted, Replied, Transcript, read
from arena.transcript.viewing import open_views, records_shown_to, shown_to
from dashboard.panels.accounts import accounts
from dashboard.panels.beliefs import averaged, beliefs
from dashboard.panels.charts import CHARTS, beliefs_charts
from dashboard.panels.claims import claims
from dashboard.panels.factions import factions
from dashboard.panels.nights import nights
from dashboard.panels.speeches import speeches
from dashboard.panels.thoughts import thoughts
from dashboard.panels.votes import ballots
from dashboard.panels.words import SHEETS, Words, offered
from tests.games import batches, house
from tests.matches import header
from tests.narration import in_language
from tests.records import HOSTILE, cut, hostile, whole
from tests.test_narrate import bare, fields, leaves
from tests.test_secrecy import GAMES, RULES, SMALL
from tests.varied_games import talkative

EVERY = (SPECTATOR, *range(1, 7), GOD)


def sheets(transcript: Transcript, seat: Seat, lang: Lang = "en") -> dict[str, dict[str, Any]]:
    words = Words(transcript, seat, lang)
    return {name: make(words).data(lang, judged=seat == GOD) for name, make in SHEETS.items()}


def transcript_of(events: list[Event], players: int = 6) -> Transcript:
    return Transcript(Path("game.jsonl"), header(players), tuple(events))


def played(ruleset: Ruleset, cards: dict[str, int], seed: int) -> list[Event]:
    """The events of a random game with these cards, full of claims."""
    deal_ = deal(cards, seed, ruleset.rules)
    steps = batches(ruleset, deal_.seats, seed, talkative(seed), deal_.extra)
    return [event for *_, events in steps for event in events]


@pytest.fixture
def game(tmp_path: Path) -> Transcript:
    return read(whole(tmp_path / "game.jsonl"))


# Secrets


@pytest.mark.parametrize(("cards", "rules"), GAMES)
@settings(max_examples=2, deadline=None, phases=[Phase.generate])
@given(seed=st.integers(0, 10**6))
def test_every_table_is_made_of_nothing_but_its_view(cards: str, rules: str, seed: int) -> None:
    """With all that the view has not seen taken away, each table and chart is the same."""
    events = played(house(**RULES[rules]), SMALL[cards], seed)
    transcript = transcript_of(events)
    for seat in EVERY[:-1]:
        alone = transcript_of(list(view_of(events, seat).events))
        assert sheets(transcript, seat) == sheets(alone, seat)
        for chart in CHARTS.values():
            assert [one.to_dict(validate=False) for one in chart(transcript, seat, "en")] == [
                one.to_dict(validate=False) for one in chart(alone, seat, "en")
            ]


def test_what_stands_beside_the_events_is_for_god_alone(tmp_path: Path) -> None:
    transcript = private(read(whole(tmp_path / "game.jsonl")))
    for table in (accounts, beliefs, thoughts):
        assert table(transcript, GOD)
        for seat in range(9):
            assert not table(transcript, seat)
    for seat in range(9):
        assert set(offered(transcript, seat)) == {"speeches", "claims", "votes", "nights", "factions"}
        assert all(record in transcript.events for record in records_shown_to(transcript, seat))
        assert beliefs_charts(transcript, seat, "en") == []
    assert offered(transcript, GOD) == list(SHEETS)


@pytest.mark.parametrize("seat", [1, 4, GOD])
def test_no_table_tells_a_seat_s_view_while_people_play(tmp_path: Path, seat: Seat) -> None:
    transcript = read(cut(tmp_path / "game.jsonl", people=True))
    assert offered(transcript, seat) == []
    for table in (accounts, beliefs, thoughts, speeches, claims, ballots, factions):
        with pytest.raises(UnusableInput, match="people play in this game"):
            table(transcript, seat)
    with pytest.raises(UnusableInput, match="people play in this game"):
        nights(transcript, seat, "en")
    assert speeches(transcript, SPECTATOR)


def test_no_verdict_is_given_but_to_god(game: Transcript) -> None:
    for seat in (SPECTATOR, 1, 5):
        assert {verdict for spoken in speeches(game, seat) for verdict in spoken.verdicts} == {None}
        assert {claimed.verdict for claimed in claims(game, seat)} == {None}
    assert {claimed.verdict for claimed in claims(game, GOD)} == {True, False}


# What they say


def test_every_word_that_was_heard_is_in_the_log(game: Transcript) -> None:
    heard = [event for event in shown_to(game, SPECTATOR).events if isinstance(event, Said) and event.text]
    log = speeches(game, SPECTATOR)
    assert [(spoken.seat, spoken.text) for spoken in log if spoken.text] == [(said.seat, said.text) for said in heard]
    assert all(shown_to(game, SPECTATOR).events[spoken.event].kind == "said" for spoken in log)


def test_every_vote_is_in_the_table_with_its_weight(game: Transcript) -> None:
    held = ballots(game, SPECTATOR)
    counted = [event for event in game.events if isinstance(event, Tallied)]
    assert [ballot.tally for ballot in held] == [event.tally for event in counted]
    for ballot in held:
        weights = dict(ballot.weights)
        for target, halves in ballot.tally:
            assert halves == sum(weights[voter] for voter, chosen in ballot.votes if chosen == target)


def test_the_strip_ends_with_those_who_are_left(game: Transcript) -> None:
    assert game.outcome
    out = {fallen.seat for fallen in game.outcome.outs}
    left = [ROLES[role].faction for seat, role in enumerate(game.outcome.cards, start=1) if seat not in out]
    for seat in (SPECTATOR, 2, GOD):
        strip = factions(game, seat)
        assert dict(strip[-1].in_play) == {faction: left.count(faction) for faction in set(left)}
        assert sum(dict(strip[0].in_play).values()) == 8


def test_cards_that_are_not_known_are_not_counted_to_a_faction(tmp_path: Path) -> None:
    transcript = read(cut(tmp_path / "game.jsonl", people=True))
    assert {faction for strength in factions(transcript, SPECTATOR) for faction, _ in strength.in_play} == {""}


def test_the_ledger_of_a_night_holds_deeds_marks_and_the_morning(game: Transcript) -> None:
    ledger = nights(game, GOD, "en")
    assert {"did", "told", "mark", "out", "dawn"} <= {entry.kind for entry in ledger}
    public = nights(game, SPECTATOR, "en")
    assert {entry.kind for entry in public} == {"dawn"}
    assert [entry.day for entry in public] == sorted({entry.day for entry in public})


# Claims against each other

CARDS = {"werewolf": 2, "seer": 1, "witch": 1, "guard": 1, "villager": 2}


def claimed(*made: tuple[Seat, Claim]) -> dict[tuple[Seat, Claim], tuple[Seat, ...]]:
    events = played(house(), CARDS, 1)
    began = [event for event in events if isinstance(event, Began)]
    said = [Said(None, speaker, "speech", "", (claim,)) for speaker, claim in made]
    return {(row.seat, row.claim): row.against for row in claims(transcript_of([*began, *said], 7), SPECTATOR)}


SEER = Claim("role", (1,), "seer")


@pytest.mark.parametrize(
    ("one", "other", "clash"),
    [
        ((1, SEER), (2, Claim("role", (2,), "seer")), True),
        ((1, SEER), (2, Claim("checked", (3,), "werewolf")), True),
        ((1, SEER), (2, Claim("role", (2,), "villager")), False),
        ((1, SEER), (2, Claim("side", (1,), "werewolves")), True),
        ((1, SEER), (2, Claim("side", (1,), "village")), False),
        ((1, SEER), (1, Claim("role", (1,), "witch")), True),
        ((1, SEER), (1, Claim("saved", (3,))), True),
        ((1, Claim("role", (1,), "witch")), (1, Claim("poisoned", (3,))), False),
        ((1, Claim("checked", (2,), "werewolf")), (2, Claim("role", (2,), "guard")), True),
        ((1, Claim("checked", (2,), "not_werewolf")), (2, Claim("role", (2,), "guard")), False),
        ((1, Claim("checked", (2,), "not_werewolf")), (3, Claim("side", (2,), "werewolves")), True),
        ((1, Claim("role", (1,), "villager")), (2, Claim("role", (2,), "villager")), False),
        ((1, Claim("guarded", (2,))), (3, Claim("guarded", (4,))), True),
        ((1, Claim("lovers", (2, 3))), (4, Claim("lovers", (2, 5))), False),
        ((1, Claim("role", (1,), "no such card")), (2, Claim("role", (2,), "seer")), False),
    ],
)
def test_claims_that_no_deal_allows_together_contradict_each_other(
    one: tuple[Seat, Claim], other: tuple[Seat, Claim], clash: bool
) -> None:
    against = claimed(one, other)
    assert against[one] == ((other[0],) if clash else ())
    assert against[other] == ((one[0],) if clash else ())


def test_a_claim_said_again_stands_once_and_opinions_are_no_claims() -> None:
    assert list(claimed((1, SEER), (1, SEER), (1, Claim("suspects", (3,))))) == [(1, SEER)]


# The private side


def private(transcript: Transcript) -> Transcript:
    """`transcript` as if models had played it, who were asked for beliefs with each vote."""
    records: list[Any] = []
    for record in transcript.records:
        if isinstance(record, Replied):
            usage = Usage(1000, 400, 50)
            fault: Fault = "illegal" if record.n == 2 else ""
            records.append(Attempted(record.seat, record.n, Attempt("m", fault, usage=usage, seconds=2.5, usd=0.25)))
            held = tuple((seat, seat / 10) for seat in range(1, 9)) if record.reply.decision.act == "vote" else ()
            source: Source = "fallback" if record.n == 3 else "model"
            reply = replace(record.reply, beliefs=held, source=source, thought=HOSTILE, notes="A note.")
            record = Replied(record.seat, record.n, reply)
        records.append(record)
    return replace(transcript, records=tuple(records))


def test_beliefs_are_kept_by_occasion_and_averaged_over_the_others(game: Transcript) -> None:
    found = beliefs(private(game), GOD)
    assert {belief.about for belief in found} == set(range(1, 9))
    assert all(belief.probability == belief.about / 10 for belief in found)
    places = [belief.place for belief in found]
    assert places == sorted(places)
    together: dict[int, object] = {}
    for belief in found:
        assert together.setdefault(belief.place, (belief.moment, belief.topic)) == (belief.moment, belief.topic)
    assert len({belief.holder for belief in found if belief.place == places[0]}) > 1
    assert all(round(10 * belief.probability) == belief.about for belief in averaged(found))


def test_cost_and_faults_are_counted_for_each_seat(game: Transcript) -> None:
    found = accounts(private(game), GOD)
    assert list(found) == list(range(1, 9))
    for account in found.values():
        decided = sum(account.sources.values())
        assert (account.calls.calls, account.calls.usd, account.seconds) == (decided, decided / 4, decided * 2.5)
        assert account.calls.faults == {"illegal": 1}
        assert account.calls.fallback == account.sources["fallback"] == 1


def test_thoughts_stand_beside_what_was_decided(game: Transcript) -> None:
    found = thoughts(private(game), GOD)
    replies = [record for record in game.records if isinstance(record, Replied)]
    assert [(thought.request.seat, thought.decision) for thought in found] == [
        (replied.seat, replied.reply.decision) for replied in replies
    ]
    assert {thought.thought for thought in found} == {HOSTILE}


# In words


@pytest.mark.parametrize("name", ["panels", "dashboard", "finding"])
def test_both_languages_have_the_same_words_with_the_same_fields(name: str) -> None:
    zh, en = leaves(texts("zh", name)), leaves(texts("en", name))
    assert zh.keys() == en.keys()
    for key in zh:
        assert fields(zh[key]) == fields(en[key]), key
        assert bare(zh[key]).strip(), key
        assert key == ("language.zh",) or in_language("en", bare(en[key])), key


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_table_has_words_in_both_languages(game: Transcript, lang: Lang) -> None:
    full = private(game)
    for name, sheet in sheets(full, GOD, lang).items():
        assert sheet["rows"], name
        assert all(len(row) == len(sheet["columns"]) for row in sheet["rows"]), name
        assert orjson.loads(orjson.dumps(sheet)) == sheet, name
    for name, chart in CHARTS.items():
        assert [drawn.to_dict() for drawn in chart(full, GOD, lang)], name


def test_the_words_of_requests_are_words(game: Transcript) -> None:
    topics = {record.request.topic for record in game.records if isinstance(record, Asked)}
    assert len(topics) > 6
    for lang in LANGUAGES:
        words = Words(game, GOD, lang)
        for record in game.records:
            if isinstance(record, Asked):
                assert "_" not in words.topic(record.request)
                assert lang == "en" or not words.topic(record.request).isascii()


def test_rows_are_picked_out_by_seat(game: Transcript) -> None:
    sheet = SHEETS["speeches"](Words(game, GOD, "en"))
    picked = sheet.of(3).rows
    assert picked
    assert {row.cells[1] for row in picked} == {(3,)}
    assert sheet.of(0) == sheet


def test_words_of_players_stay_data(tmp_path: Path) -> None:
    transcript = private(read(hostile(tmp_path / "game.jsonl")))
    said = HOSTILE.replace("\u202e", "")
    for name, column in (("speeches", 3), ("thoughts", 4)):
        assert said in [row[column] for row in sheets(transcript, GOD)[name]["rows"]]


@pytest.mark.parametrize("kept", [1, 2, 40])
def test_a_game_that_has_hardly_begun_has_tables_too(tmp_path: Path, kept: int) -> None:
    transcript = read(cut(tmp_path / "game.jsonl", at=kept))
    for seat in open_views(transcript):
        assert set(sheets(transcript, seat)) == set(SHEETS)


def test_a_record_without_events_has_empty_tables() -> None:
    for seat in EVERY:
        for sheet in sheets(transcript_of([]), seat).values():
            assert sheet["rows"] == []
        assert [chart(transcript_of([]), seat, "en") for chart in CHARTS.values()] == [[]] * len(CHARTS)
