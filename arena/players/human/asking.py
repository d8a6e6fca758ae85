"""Questions in a terminal: lists, check boxes and lines of text.

Each vanishes once it is answered. The library's own words are English, so every instruction is given to it.
"""

import os
import termios
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from prompt_toolkit.application import get_app_session, run_in_terminal
from prompt_toolkit.application.current import set_app
from prompt_toolkit.input.typeahead import clear_typeahead
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent, merge_key_bindings
from prompt_toolkit.keys import Keys
from questionary import Choice, Question, checkbox, select, text

from arena.terms import Lang
from arena.texts import clean, texts

T = TypeVar("T")
Options = Sequence[tuple[T, str]]
"""What can be chosen, each with its words."""


class Left(Exception):
    """The person has left the terminal: by Esc, by Ctrl-C, or because there is no more input."""


_KEYS = KeyBindings()


# Not eager, because in a line of text Esc is also the beginning of longer keys.
@_KEYS.add(Keys.Escape)
@_KEYS.add(Keys.Escape, Keys.Enter)
@_KEYS.add(Keys.SIGINT)
def _leave(event: KeyPressEvent) -> None:
    event.app.exit(exception=KeyboardInterrupt)
    # A key that came together with Esc would be taken for an answer to a question that is over.
    event.key_processor.key_buffer.clear()


# No mouse is listened to; what looks like one is a colour in pasted text, on which the library's own handler fails.
@_KEYS.add(Keys.Vt100MouseEvent)
def _no_mouse(event: KeyPressEvent) -> None:
    pass


class Asking:
    """Puts one question after the other, in one language. Each raises `Left` when the person leaves."""

    def __init__(self, lang: Lang) -> None:
        self._words = texts(lang, "human")
        self._asked: Question | None = None

    async def choose(self, message: str, options: Options[T], first: int = 0) -> T:
        """One of `options`; the pointer stands on number `first`."""
        choices = [Choice(words, place) for place, (_, words) in enumerate(options)]
        how = f"({self._words['list.how']})"
        question = select(message, choices, choices[first], instruction=how, erase_when_done=True)
        place: int = await self._answer(question)
        return options[place][0]

    async def tick(self, message: str, options: Options[T], least: int, most: int) -> tuple[T, ...]:
        """From `least` to `most` of `options`, in their order."""
        choices = [Choice(words, place) for place, (_, words) in enumerate(options)]
        wrong = self._words["boxes.wrong"].format(least=least, most=most)
        question = checkbox(
            message,
            choices,
            validate=lambda ticked: least <= len(ticked) <= most or wrong,
            instruction=f"({self._words['boxes.how']})",
            erase_when_done=True,
        )
        places: list[int] = await self._answer(question)
        return tuple(options[place][0] for place in places)

    async def write(self, message: str, how: str) -> str:
        """A line of text, without anything that could steer a terminal."""
        return clean(await self._answer(text(message, instruction=f"({how})", erase_when_done=True)))

    async def confirm(self, message: str) -> bool:
        """Whether the person is sure; not, when only Enter is pressed."""
        return await self.choose(message, [(False, self._words["sure.no"]), (True, self._words["sure.yes"])])

    def forget(self) -> None:
        """Drop what was typed before there was anything to answer."""
        source = get_app_session().input
        clear_typeahead(source)
        if os.isatty(source.fileno()):
            termios.tcflush(source.fileno(), termios.TCIFLUSH)

    def interject(self, say: Callable[[], None]) -> None:
        """Have `say` print above the question that is being answered."""
        if self._asked is not None:
            with set_app(self._asked.application):
                run_in_terminal(say)

    async def _answer(self, question: Question) -> Any:
        application = question.application
        given = [application.key_bindings] if application.key_bindings else []
        application.key_bindings = merge_key_bindings([*given, _KEYS])
        self._asked = question
        try:
            return await question.unsafe_ask_async()
        except (KeyboardInterrupt, EOFError):
            raise Left from None
        finally:
            self._asked = None
