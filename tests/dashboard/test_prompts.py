"""Prompts are rendered again as they were sent, and the page says so where they were not."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from arena.terms import GOD, LANGUAGES, SPECTATOR, Lang
from arena.texts import texts
from arena.transcript import Attempted, Transcript
from arena.transcript.schema import encode
from dashboard.panels.prompts import Rendered, prompts
from dashboard.panels.thoughts import thoughts
from tests.dashboard.conftest import Open
from tests.model_games import attempts, play, table, written
from tests.model_server import ModelServer
from tests.model_server.schema import Json


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Transcript]:
    """A game of models, some of whose answers were no use, so that they were asked again with a complaint."""

    def answer(body: Json) -> str:
        return "Hm." if len(body["messages"][-1]["content"]) % 5 == 0 else written(body)

    with ModelServer() as server:
        server.answer = answer
        yield play(tmp_path_factory.mktemp("game") / "game.jsonl", table(server, seed=2))


def rendered(transcript: Transcript) -> dict[tuple[int, int], list[Rendered]]:
    asked = dict.fromkeys((record.seat, record.n) for record in attempts(transcript))
    return {(seat, n): prompts(transcript, GOD, seat, n) for seat, n in asked}


def test_every_prompt_of_a_game_is_rendered_as_it_was_sent(played: Transcript) -> None:
    found = rendered(played)
    assert sum(map(len, found.values())) == len(attempts(played)) > 15
    assert any(len(some) > 1 for some in found.values())
    assert all(prompt.same for some in found.values() for prompt in some)
    assert all(prompt.system and prompt.user for some in found.values() for prompt in some)


def test_a_prompt_whose_templates_have_changed_is_said_to_differ(played: Transcript) -> None:
    last = attempts(played)[-1]
    changed = tuple(
        replace(record, attempt=replace(record.attempt, prompt="0" * 16)) if isinstance(record, Attempted) else record
        for record in played.records
    )
    [*_, prompt] = prompts(replace(played, records=changed), GOD, last.seat, last.n)
    assert not prompt.same
    assert prompt.user == prompts(played, GOD, last.seat, last.n)[-1].user


@pytest.mark.parametrize("view", [SPECTATOR, 1, 2])
def test_no_prompt_is_shown_but_to_god(played: Transcript, view: int) -> None:
    for record in attempts(played)[:10]:
        assert prompts(played, view, record.seat, record.n) == []


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_prompt_is_shown_as_bare_text(open_page: Open, folder: Path, played: Transcript, lang: Lang) -> None:
    (folder / "game.jsonl").write_bytes(b"".join(map(encode, (played.header, *played.records))))
    page = open_page(lang=lang, view="god")
    page.selectbox(key="panel").set_value("thoughts").run()
    words = texts(lang, "panels")
    [choice] = [box for box in page.selectbox if box.label == words["request"]]
    first = next(thought.request for thought in thoughts(played, GOD) if thought.calls)
    choice.select_index(0).run()
    assert not page.exception
    [shown, *_] = prompts(played, GOD, first.seat, first.n)
    assert {code.value for code in page.code} >= {shown.user.strip(), shown.system.strip()}
    assert words["sent"] in [caption.value for caption in page.caption]
