"""What a user can get wrong with games, seats and transcripts: one line each, exit status 2, nothing left behind."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.command_line import CommandLine
from tests.matches import header, lines, play

OPTIONS = {
    "unknown ruleset": (["--ruleset", "no-such"], "unknown ruleset 'no-such'; known: "),
    "unknown knob": (
        ["--rule", "sheriff.wait=2"],
        "rules: unknown knob 'sheriff.wait'; the nearest is sheriff.weight; arena rulesets ID --json lists all",
    ),
    "knob out of range": (
        ["--rule", "sheriff.weight=3"],
        "rules: sheriff.weight: 3 is not allowed; allowed: 1.5, 2",
    ),
    "no value": (["--rule", "sheriff.weight"], "--rule sheriff.weight: write KEY=VALUE"),
    "value no YAML": (["--rule", "gods=[seer"], "--rule gods=[seer: write KEY=VALUE"),
    "a part of a value twice": (
        ["--rule", "discussion.rounds={later: 1, later: 2}"],
        "the value as in a ruleset file: line 1: the key later is in line 1 already; each may be given once",
    ),
    "unknown role": (["--cards", "werewolf=1,dragon=4"], "cards: unknown role 'dragon'; known: "),
    "cards badly written": (["--cards", "werewolf:1"], "--cards werewolf:1: write ROLE=NUMBER"),
    "cards don't add up": (
        ["--players", "9", "--cards", "werewolf=2,villager=3"],
        "cards: 5 cards for 9 players; both must be the same",
    ),
    "over at once": (["--cards", "werewolf=1,villager=1,seer=0"], "the game would be over at once (win.werewolves: "),
    "a role twice": (
        ["--cards", "werewolf=1,seer=1,werewolf=2"],
        "--cards werewolf=1,seer=1,werewolf=2: a role is given",
    ),
    "no setup": (["--players", "40"], "ruleset duskwald: no setup for 40 players; there are setups for 6, "),
    "output below a file": (["--out", "file/game"], "file/game: can't be written: "),
    "output exists": (["--out", "file"], "file: exists already; a transcript is never overwritten"),
    "unknown language": (["--lang", "fr"], "Invalid value for '--lang': "),
    "players no number": (["--players", "nine"], "Invalid value for '--players': "),
    "unknown option": (["--wolves", "3"], "No such option: --wolves"),
    "no seats file": (["--seats", "nowhere.yaml"], "nowhere.yaml: can't be read: No such file or directory"),
}

SEATS = {
    "no YAML": ("seats: {", "not readable as YAML: "),
    "no text": ("\udcff", "not readable as YAML: "),
    "empty": ("", "a seats file is a mapping with some of the keys ruleset, players, language, "),
    "a list": ("- scripted", "a seats file is a mapping with some of the keys ruleset, players, language, "),
    "seats of nobody": ("players: 6\nseats:", "seats: a mapping from seats, as 4 or 5-9, to one of scripted, "),
    "a key twice": ("players: 6\nlanguage: en\nplayers: 7", "line 3: the key players is in line 1 already; each may"),
    "a range twice": ("seats:\n  1-6: random\n  1-6: scripted", "line 3: the key 1-6 is in line 2 already; each may"),
    "seats no mapping": ("seats: [scripted]", "seats: a mapping from seats, as 4 or 5-9, to one of scripted, "),
    "unknown key": ("seets: 1\nseats: {1-6: random}", "seets: unknown key; known: ruleset, players, language, "),
    "unknown language": ("language: fr\nseats: {1-6: random}", "language: 'fr' is not allowed; allowed: 'zh' or 'en'"),
    "seat no number": ("seats: {first: random}", "seats: 'first' is no seat; write 4 for one, 5-9 for several"),
    "seat zero": ("seats: {0: random}", "seats: 0 is no seat"),
    "range backwards": ("seats: {6-1: random}", "seats: '6-1' is no seat"),
    "seat given twice": ("seats: {1-6: random, 3: scripted}", "seats: 3: seat 3 is given twice"),
    "seat missing": ("seats: {1-3: random, 5-6: random}", "seats: nobody plays seat 4 of 6"),
    "too few seats": ("players: 7\nseats: {1-6: random}", "seats: nobody plays seat 7 of 7"),
    "too many seats": ("players: 6\nseats: {1-7: random}", "seats: 7: there are only 6 seats"),
    "a seat that is not there": ("players: 9\nseats: {12: random}", "seats: 12: there are only 9 seats"),
    "too many players": ("players: 100", "players: 100 is not allowed; allowed: 99 or less"),
    "too many cards": ("cards: {werewolf: 500, seer: 1, villager: 600}", "cards: 1101 players; allowed: 1 to 99"),
    "too few cards": ("cards: {thief: 1}", "cards: 1 cards for 9 players; 11 are needed, because 2 stay over"),
    "a knob that is no text": ("rules: {yes: 1}", "rules: the key true is not allowed; allowed: text"),
    "knobs that need a table": (
        "rules: {win.werewolves: civilians_or_key_figures}",
        "rules: win.werewolves: civilians_or_key_figures needs key_figures for 9 players; there are some for: none",
    ),
    "cards that need a table": (
        "ruleset: last-words\ncards: {werewolf: 5, seer: 1, villager: 13}",
        "cards: win.werewolves: civilians_or_key_figures needs key_figures for 19 players; there are some for: 2, 3",
    ),
    "knobs at odds": (
        "rules: {win.village: last_standing}",
        "rules: win.village: last_standing needs win.losing: true",
    ),
    "unknown player": ("seats: {1-6: robot}", "seats: 1-6: 'robot' is no player; allowed: scripted, random, "),
    "two players": ("seats: {1-6: {scripted: calm, human: Li}}", "is no player; allowed: "),
    "unknown persona": (
        "seats: {1-6: {scripted: nobody-at-all}}",
        "seats: 1-6: unknown persona 'nobody-at-all'; known: ",
    ),
    "a model": ("seats: {1-6: {model: local}}", "unknown model 'local'; known: openai/MODEL, "),
    "two people": (
        "seats: {1-4: random, 5: {human: Ann}, 6: {human: 小明}}",
        "seats: 6: one person plays in a terminal; more play in the dashboard",
    ),
    "a person called like a seat": ("seats: {1-5: random, 6: {human: 3号}}", "seats: 6: human: '3号' is no name"),
    "a person called like another seat": (
        "seats: {1-5: random, 6: {human: 'Player #3'}}",
        "seats: 6: human: 'Player #3' is no name",
    ),
    "a person called like the referee": (
        "seats: {1-5: random, 6: {human: 裁判}}",
        "seats: 6: human: '裁判' is no name",
    ),
    "a person called like the moderator": (
        "seats: {1-5: random, 6: {human: ' Moderator'}}",
        "seats: 6: human: ' Moderator' is no name",
    ),
    "a person called like a seat, in signs": (
        "seats: {1-5: random, 6: {human: '[裁 判]'}}",
        "seats: 6: human: '[裁 判]' is no name",
    ),
    "a person without a name": ("seats: {1-5: random, 6: {human: ' '}}", "seats: 6: human: ' ' is no name"),
    "a name that steers a terminal": ('seats: {1-5: random, 6: {human: "A\\e[2J"}}', 'seats: 6: human: "A\\e[2J"'),
    "no time at all": ("clock: {seconds: 0}\nseats: {1-6: random}", "clock: seconds: "),
    "backwards": ("clock: {pace: -1}\nseats: {1-6: random}", "clock: pace: "),
    "cards don't add up": ("cards: {werewolf: 1}\nseats: {1-6: random}", "cards: 1 cards for 6 players"),
    "negative cards": ("cards: {werewolf: -1}\nseats: {1-6: random}", "cards: werewolf: -1 is no number of cards"),
    "yes for a number": (
        "cards: {werewolf: true}\nseats: {1-6: random}",
        "cards: werewolf: true is not allowed; allowed: a whole number",
    ),
    "unknown key of an endpoint": (
        "endpoints: {a: {base_url: 'http://127.0.0.1:9/v1', model: m, api_key: x}}\nseats: {1-6: random}",
        "endpoints: a: api_key: unknown key; known: base_url, model, ",
    ),
    "unknown ruleset": ("ruleset: duskwood\nseats: {1-6: random}", "ruleset: unknown ruleset 'duskwood'; known: "),
    "a list for a name": (
        "ruleset: [a, null]\nseats: {1-6: random}",
        "ruleset: [a, null] is not allowed; allowed: text",
    ),
    "unknown knob": ("rules: {x: 1}\nseats: {1-6: random}", "rules: unknown knob 'x'"),
}

TRANSCRIPTS = {
    "empty": (lambda head, records: b"", "line 1: no transcript of Duskwald"),
    "something else": (lambda head, records: b"Dear diary\n", "line 1: no transcript of Duskwald"),
    "other JSON": (lambda head, records: b'{"format":"chess"}\n', "line 1: no transcript of Duskwald"),
    "binary": (lambda head, records: b"\x00\xff\n" * 9, "line 1: no transcript of Duskwald"),
    "header half written": (lambda head, records: head[:50], "line 1: no transcript of Duskwald"),
    "later version": (
        lambda head, records: head.replace(b'"version":1', b'"version":2'),
        "line 1: a transcript of version 2; this Duskwald (",
    ),
    "unknown key in the header": (
        lambda head, records: head.replace(b'"lang"', b'"tongue":1,"lang"'),
        "line 1: tongue: ",
    ),
    "seats that don't fit": (
        lambda head, records: head.replace(b'"6":{"player":"random"}', b'"7":{"player":"random"}'),
        "line 1: ",
    ),
    "unknown knob in the header": (
        lambda head, records: head.replace(b'"sheriff.weight"', b'"sheriff.wait"'),
        "line 1: rules: unknown knob 'sheriff.wait'",
    ),
    "no record": (lambda head, records: head + b"".join(records[:9]) + b"nothing\n", "line 11: no JSON: "),
    "unknown kind": (lambda head, records: head + b'{"kind":"flood"}\n', "line 2: "),
    "unknown field": (
        lambda head, records: head + b'{"kind":"dealt","seat":1,"role":"seer","x":1}\n',
        "line 2: dealt: x: ",
    ),
    "wrong type": (
        lambda head, records: head + b'{"kind":"dealt","seat":"1","role":"seer"}\n',
        "line 2: dealt: seat: ",
    ),
    "missing field": (lambda head, records: head + b'{"kind":"dealt","seat":1}\n', "line 2: dealt: role: "),
    "empty line": (lambda head, records: head + b"\n", "line 2: "),
    "a number without end": (
        lambda head, records: head + b'{"kind":"dealt","seat":%d,"role":"seer"}\n' % 10**30,
        "line 2: what no transcript can hold: ",
    ),
}


@pytest.fixture
def arena(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> CommandLine:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "file").write_bytes(b"")
    return CommandLine(monkeypatch, capsys)


def refused(ran: tuple[object, str, str], what: str) -> None:
    status, out, err = ran
    assert (status, out) == (2, "")
    assert len(err.splitlines()) == 1
    assert err.startswith("arena: ")
    assert what in err


@pytest.mark.parametrize(("options", "what"), OPTIONS.values(), ids=OPTIONS.keys())
def test_options(arena: CommandLine, tmp_path: Path, options: list[str], what: str) -> None:
    refused(arena("play", *options), what)
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


@pytest.mark.parametrize(("text", "what"), SEATS.values(), ids=SEATS.keys())
def test_seats_files(arena: CommandLine, tmp_path: Path, text: str, what: str) -> None:
    (tmp_path / "table.yaml").write_bytes(text.encode(errors="surrogateescape"))
    ran = arena("play", "--seats", "table.yaml")
    refused(ran, what)
    assert "table.yaml" in ran.err
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file", "table.yaml"]


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> list[bytes]:
    path = tmp_path_factory.mktemp("game") / "game"
    play(path, header(6, 1))
    return lines(path)


@pytest.mark.parametrize("command", ["verify", "resume", "replay"])
@pytest.mark.parametrize(("write", "what"), TRANSCRIPTS.values(), ids=TRANSCRIPTS.keys())
def test_transcripts(
    arena: CommandLine, tmp_path: Path, game: list[bytes], command: str, write: object, what: str
) -> None:
    data = write(game[0], game[1:])  # type: ignore[operator]
    (tmp_path / "game").write_bytes(data)
    refused(arena(command, "game"), f"arena: game: {what}")
    assert (tmp_path / "game").read_bytes() == data


@pytest.mark.parametrize("command", ["verify", "resume"])
def test_a_transcript_whose_cards_are_no_game(
    arena: CommandLine, tmp_path: Path, game: list[bytes], command: str
) -> None:
    head = game[0].replace(b'"werewolf":2', b'"werewolf":0', 1).replace(b'"villager":2', b'"villager":4', 1)
    (tmp_path / "game").write_bytes(head)
    refused(arena(command, "game"), "game: line 1: cards: 1 guard, 1 seer, 4 villager: the game would be over at once")


@pytest.mark.parametrize(
    ("command", "what"), [("verify", "can't be read"), ("resume", "no series"), ("replay", "can't be read")]
)
def test_no_transcript_at_all(arena: CommandLine, tmp_path: Path, command: str, what: str) -> None:
    (tmp_path / "folder").mkdir()
    refused(arena(command, "nowhere"), "nowhere: can't be read")
    refused(arena(command, "folder"), f"folder: {what}")


@pytest.mark.parametrize("command", [["rulesets"], ["rulesets", "--json"], ["play", "--players", "6"]])
def test_a_full_disk_behind_the_output_is_one_line(tmp_path: Path, command: list[str]) -> None:
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "arena", *command], cwd=tmp_path, stdout=full, stderr=subprocess.PIPE, text=True
        )
    *hints, complaint = done.stderr.splitlines()
    assert (done.returncode, complaint) == (2, "arena: standard output: No space left on device")
    assert [hint.split("：")[0] for hint in hints] == ["对局中断。继续"] * (command[0] == "play")


def test_verify_goes_on_after_a_file_it_cannot_use(arena: CommandLine, tmp_path: Path, game: list[bytes]) -> None:
    (tmp_path / "game").write_bytes(b"".join(game))
    status, out, err = arena("verify", "file", "game")
    assert status == 2
    assert err == "arena: file: line 1: no transcript of Duskwald\n"
    assert out.startswith("game: ")


def test_a_person_is_not_asked_without_a_terminal(arena: CommandLine, tmp_path: Path, game: list[bytes]) -> None:
    data = game[0].replace(b'{"player":"random"}', b'{"player":"human","name":"Li"}', 1) + b"".join(game[1:20])
    (tmp_path / "game").write_bytes(data)
    refused(arena("resume", "game"), "a person plays in a terminal; neither input nor output may be a file or a pipe")
    assert (tmp_path / "game").read_bytes() == data
