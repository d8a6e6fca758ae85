"""The parts of hosting by themselves: what is kept, who may try, what a page may send."""

import stat
from pathlib import Path
from typing import Any

import orjson
import pytest
from starlette.requests import HTTPConnection

from arena import roles as all_roles
from arena.events import Began, Ended
from arena.players.model.form import ABOUT, claim_kinds
from arena.referee import legal
from arena.seating import Clock, Seating, sit_down, with_personas
from arena.terms import LANGUAGES, Choice, Claim, Decision, Lang, Request, UnusableInput
from arena.texts import texts
from arena.transcript import Transcript, opening, rerun
from dashboard.host import Host
from dashboard.hosting.asking import decision_of, form_of, read_answer
from dashboard.hosting.door import Attempts, site
from dashboard.hosting.keys import TypedKey, known_to
from dashboard.hosting.links import addresses, qr
from dashboard.hosting.setup import pack, read_setup, unpack
from dashboard.hosting.tables import GameRow, Tables
from dashboard.hosting.telling import Telling, place_in
from dashboard.scene import setting
from tests.hosting.sitting import with_people
from tests.hosting.tables import table
from tests.test_human import asked_anywhere

ROLES = ("seer", "villager", "werewolf")


def request(*choices: Choice, seconds: int = 0, topic: str = "speech") -> Request:
    return Request(4, 7, topic, choices, Decision("pass"), seconds=seconds, table=6)


SPEECH = request(Choice("speak"), Choice("pass"), seconds=60)
VOTE = request(Choice("vote", (2, 3, 5)), Choice("pass"), topic="vote")


def decided(request: Request, **answer: Any) -> Decision | str:
    given = read_answer({"n": 7, **answer})
    decision = decision_of(given, request, ROLES, "en")
    return (legal(request, decision) or decision) if isinstance(decision, Decision) else decision


def test_an_answer_becomes_a_decision() -> None:
    assert decided(VOTE, act="vote", seats=[3]) == Decision("vote", (3,))
    claims = [{"about": "role", "seats": [4], "value": "seer"}, {"about": "suspects", "seats": [2, 1]}]
    said = decided(SPEECH, act="speak", text=" I\n am\u202e here. ", claims=claims)
    assert said == Decision("speak", (), "I am here.", (Claim("role", (4,), "seer"), Claim("suspects", (2, 1))))
    assert decided(SPEECH, act="speak", text=" \n ") == Decision("pass")


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        ({"act": "speak", "text": "x" * 5000}, "long"),
        ({"act": "speak", "claims": [{"about": "role", "seats": [4], "value": "<b>"}]}, "claims"),
        ({"act": "speak", "claims": [{"about": "role", "seats": [4, 5], "value": "seer"}]}, "claims"),
        ({"act": "speak", "claims": [{"about": "lovers", "seats": [4]}]}, "claims"),
        ({"act": "speak", "claims": [{"about": "suspects", "seats": [4, 4]}]}, "claims"),
        ({"act": "speak", "claims": [{"about": "gossip", "seats": [4]}]}, "claims"),
        ({"act": "speak", "text": "x", "claims": [{"about": "trusts", "seats": [7]}]}, "claims"),
        ({"act": "fly"}, "act"),
    ],
)
def test_what_a_speech_may_not_hold(answer: dict[str, Any], why: str) -> None:
    assert decided(SPEECH, **answer) == why


def test_a_choice_that_is_not_offered_is_no_decision() -> None:
    assert decided(VOTE, act="vote", seats=[4]) == "seats"
    assert decided(VOTE, act="vote", seats=[2, 3]) == "count"
    assert decided(VOTE, act="pass", text="words") == "words"


@pytest.mark.parametrize(
    "data",
    [None, [], {"n": 7}, {"act": "pass"}, {"n": True, "act": "pass"}, {"n": 7, "act": "pass", "more": 1},
     {"n": 7, "act": "pass", "seats": [0]}, {"n": 7, "act": "pass", "claims": [{}] * 7}],
)  # fmt: skip
def test_an_answer_of_another_form_is_refused_in_one_line(data: object) -> None:
    with pytest.raises(ValueError, match=r".+") as refused:
        read_answer(data)
    assert len(str(refused.value).splitlines()) == 1


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_question_anywhere_has_a_form(lang: Lang) -> None:
    """Whatever any setup or knob can ask a person, in words of one language."""
    head = with_people(4, clock=Clock())
    telling = Telling(Path("x"), head)
    telling.add(rerun(head).events)
    form = form_of(telling.view(4), lang)
    for topic, act in sorted(asked_anywhere()):
        for choice in (Choice(act), Choice(act, (1, 2)), Choice(act, (1, 2, 3), 1, 2)):
            asked = request(choice, Choice("pass"), topic=topic, seconds=30)
            question = form.question(asked, 2)
            assert question["text"]
            assert orjson.dumps(question)
            for shown in question["choices"]:
                for option in shown["options"]:
                    assert legal(asked, Decision(shown["act"], tuple(option["seats"]))) in {"", "count"}
                    assert option["words"]
                    assert "{" not in option["words"]
    kinds = form.claims(6)["kinds"]
    began = telling.view(4).events[0]
    assert isinstance(began, Began)
    assert [kind["about"] for kind in kinds] == list(claim_kinds(began.roles))
    assert all(kind["words"] for kind in kinds)
    assert set(texts(lang, "human")["about"]) == set(claim_kinds(all_roles.ROLES)) == set(ABOUT)


# What is kept


def test_the_tables_are_made_when_there_is_something_to_keep_and_are_the_owner_s(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "lobby.sqlite"
    tables = Tables(path)
    assert tables.empty
    tables.add_game(GameRow("g", tmp_path / "g.jsonl", "{}", "waiting"), (3,))
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    link = tables.new_link("g", 3)
    session = tables.open_session("g", 3)
    tables.close()
    again = Tables(path)
    assert (again.linked(link), again.session(session)) == (("g", 3), ("g", 3))
    assert again.linked(link[:-1]) is None
    again.set_password("owls and embers")
    assert again.is_password("owls and embers")
    assert not again.is_password("owls")
    again.close()
    for kept in tmp_path.glob("deep/*"):
        for secret in (link, session, "owls and embers"):
            assert secret.encode() not in kept.read_bytes()


def test_tables_that_cannot_be_used_are_one_line(tmp_path: Path) -> None:
    (tmp_path / "lobby.sqlite").write_bytes(b"no database" * 100)
    with pytest.raises(UnusableInput) as refused:
        list(Tables(tmp_path / "lobby.sqlite").games())
    assert len(str(refused.value).splitlines()) == 1


def test_a_setup_comes_back_as_it_was() -> None:
    setup = read_setup(
        {
            "language": "en",
            "players": 6,
            "rules": {"key_figures": {"6": ["seer"]}},
            "endpoints": {"m": {"base_url": "http://127.0.0.1:1/v1", "model": "m"}},
            "seats": {
                "1": {"human": "Anna"},
                "2": "human",
                "3": {"model": "m", "persona": "cold-logician", "sampling": {"temperature": 0.5}},
                "4": {"scripted": "cold-logician"},
                "5": "random",
                "6": "scripted",
            },
        },
        1,
    )
    assert setup.rules == {"key_figures": {6: ["seer"]}}
    assert setup.seats[2].name in texts("en", "terms")["names"]
    assert unpack(pack(setup)) == setup
    assert sit_down(unpack(pack(setup))).seats == setup.seats


@pytest.mark.parametrize("name", ["小明", "3号", "seat 3", "Player 2", "", " ", "a\nb"])
async def test_names_at_a_table_are_unlike_seats_and_each_other(tmp_path: Path, name: str) -> None:
    """Field report A-U06."""
    host = Host(tmp_path)
    seats: dict[int, object] = dict.fromkeys(range(1, 7), "scripted")
    game = host.create(Seating.model_validate({"seats": {**seats, 1: {"human": "小明"}, 2: {"human": "阿华"}}}))
    with pytest.raises(UnusableInput):
        game.rename(2, name)
    game.rename(2, "老王")
    assert game.seats[2].name == "老王"
    with pytest.raises(UnusableInput, match="two people"):
        host.create(Seating.model_validate({"seats": {**seats, 1: {"human": "Ming"}, 2: {"human": "MING"}}}))
    game.state = "running"
    with pytest.raises(UnusableInput, match="has begun"):
        game.rename(2, "阿强")
    await host.close()


# Keys


def test_a_typed_key_is_in_nothing_that_is_written() -> None:
    setup = read_setup({"endpoints": {"m": {"base_url": "https://models.example/v1", "model": "m", "key_env": "K"}}}, 0)
    keyed = known_to(setup.endpoints, {"m": "sk-secret"})["m"]
    assert isinstance(keyed, TypedKey)
    assert keyed.key() == "sk-secret"
    copied = keyed.model_copy(update={"context": 4096})
    assert copied.key() == "sk-secret"
    for written in (repr(keyed), str(keyed.model_dump()), keyed.model_dump_json(), pack(setup)):
        assert "sk-secret" not in written
    with pytest.raises(UnusableInput, match="variable K"):
        known_to(setup.endpoints, {"m": ""})


# Who may try, and from where


async def test_failures_are_counted_by_where_they_come_from(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = [0.0]
    monkeypatch.setattr("dashboard.hosting.door._now", lambda: clock[0])
    attempts = Attempts(2, in_all=4)
    a, b, c = (asking(address, "night.example") for address in "abc")
    for _ in range(2):
        assert attempts.may_try(a)
        attempts.fail(a)
    assert not attempts.may_try(a)
    for _ in range(2):
        assert attempts.may_try(b)
        attempts.fail(b)
    assert not attempts.may_try(c), "whoever can invent addresses is not stopped"
    assert attempts.may_try(asking("a", "127.0.0.1:8501")), "a host at the machine is kept out from elsewhere"
    clock[0] = 61
    assert attempts.may_try(a)


def asking(address: str, name: str) -> HTTPConnection:
    return HTTPConnection({"type": "http", "client": (address, 1), "headers": [(b"host", name.encode())]})


@pytest.mark.parametrize("url", ["night.example", "ftp://night.example", "https://", "https://a/b", "https://a?b=c"])
def test_a_public_address_is_an_origin(url: str) -> None:
    with pytest.raises(UnusableInput, match="--public-url"):
        site(8501, public_url=url)


def test_addresses_are_those_of_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dashboard.hosting.links.own_addresses", lambda: ["192.168.1.7"])
    assert addresses("127.0.0.1") == ["127.0.0.1"]
    assert addresses("0.0.0.0") == ["192.168.1.7"]
    with pytest.raises(UnusableInput, match="--host"):
        addresses("night.example")


def test_a_link_as_a_picture_holds_nothing_from_elsewhere() -> None:
    assert qr("http://127.0.0.1:8501/join/x").startswith("data:image/svg+xml;charset=utf-8,")


def test_a_key_of_another_view_counts_for_nothing() -> None:
    assert place_in("3:7", "3") == 8
    for key in ("", ":", "3:", "3:x", "4:7", "3:-1", "3:1:7", "3:99999999999"):
        assert place_in(key, "3") is None


def test_the_folder_of_the_games_may_be_missing_or_closed(tmp_path: Path) -> None:
    closed = tmp_path / "closed"
    closed.write_text("a file")
    host = Host(closed)
    with pytest.raises(UnusableInput):
        host.create(Seating.model_validate({"seats": {"1-6": "scripted"}}))
    assert list(tmp_path.iterdir()) == [closed]


@pytest.mark.parametrize("show_players", ["after", "always"])
def test_while_people_play_the_table_shows_names_and_no_more_than_it_wants(tmp_path: Path, show_players: str) -> None:
    setup = read_setup(table(2, players=6, show_players=show_players), 3)
    header = opening(sit_down(setup), with_personas(setup.seats, 7), 7, "2026-11-30T12:00:00Z")
    begun = setting(Transcript(tmp_path / "game.jsonl", header, ()), "en")["people"]
    assert len({name for name, _ in begun}) == 6
    assert begun[1][0] == "Bao"
    assert {bool(player) for _, player in begun} == {show_players == "always"}
    over = Ended("village", "no_werewolves", (2,), ("villager",) * 6, ())
    after = setting(Transcript(tmp_path / "game.jsonl", header, (over,)), "en")["people"]
    assert all(player for _, player in after)


def test_a_record_in_which_only_people_have_names_shows_none_before_its_end(tmp_path: Path) -> None:
    setup = read_setup(table(2, players=6), 3)
    header = opening(sit_down(setup), setup.seats, 7, "2026-11-30T12:00:00Z")
    bare = header.model_copy(update={"seats": setup.seats})
    assert setting(Transcript(tmp_path / "game.jsonl", bare, ()), "en")["people"] == [["", ""]] * 6
