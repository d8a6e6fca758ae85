"""A terminal for tests: what is typed comes from a pipe, and what is drawn goes nowhere or into a text."""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from io import StringIO
from typing import Any

import pytest
from prompt_toolkit.application import create_app_session
from prompt_toolkit.data_structures import Size
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output import DummyOutput, Output
from prompt_toolkit.output.vt100 import Vt100_Output
from questionary import Question

DOWN, SPACE, ENTER, ESC, CONTROL_C, CONTROL_D = "\x1b[B", " ", "\r", "\x1b", "\x03", "\x04"


@contextmanager
def typing(*keys: str, screen: StringIO | None = None) -> Iterator[None]:
    """A terminal at which `keys` have been typed; what is drawn goes to `screen`."""
    output: Output = DummyOutput()
    if screen is not None:
        output = Vt100_Output(screen, lambda: Size(rows=40, columns=100), enable_cpr=False)
    with create_pipe_input() as pipe, create_app_session(input=pipe, output=output):
        pipe.send_text("".join(keys))
        yield


@contextmanager
def somebody(monkeypatch: pytest.MonkeyPatch, keys: Callable[[], str | None]) -> Iterator[None]:
    """A terminal at which, whenever a question is put, the next `keys` are typed; None: nothing is."""
    with create_pipe_input() as pipe, create_app_session(input=pipe, output=DummyOutput()):
        ask = Question.unsafe_ask_async

        async def asked(question: Question) -> Any:
            typed = keys()
            if typed is not None:
                asyncio.get_running_loop().call_later(0.001, pipe.send_text, typed)
            return await ask(question)

        with monkeypatch.context() as patched:
            patched.setattr(Question, "unsafe_ask_async", asked)
            yield
