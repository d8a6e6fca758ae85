"""A transcript that a visitor brings along: looked at closely, since anybody may have written it, and kept nowhere."""

from pathlib import Path

from arena.events import Began
from arena.terms import Lang, UnusableInput
from arena.texts import clean, texts
from arena.transcript import Transcript, rerun
from arena.transcript.reader import parse
from arena.transcript.rerun import Difference
from arena.transcript.schema import is_header
from arena.transcript.viewing import open_views

LARGEST = 16
"""How large a file may be, in MB (of 1,048,576 bytes)."""


def opened(name: str, data: bytes, lang: Lang) -> Transcript:
    """The transcript in `data`, which a visitor calls `name`. The referee has decided it again, so it is sound.

    Raises:
        UnusableInput: in the visitor's language, why it is not opened: it is too large, or no transcript; it is
            damaged, or not what its decisions lead to; or people still play in it.
    """
    name = clean(Path(name).name)
    if len(data) > LARGEST << 20:
        raise _refused(lang, "large", name, size=LARGEST)
    if not is_header(data.split(b"\n", 1)[0]):
        raise _refused(lang, "foreign", name)
    try:
        transcript = parse(data, Path(name))
    except UnusableInput as error:
        raise _refused(lang, "damaged", name, reason=_without(name, error)) from None
    if len(open_views(transcript)) == 1:
        raise _refused(lang, "people", name)
    try:
        rerun(transcript.header, transcript.records)
    except Difference as error:
        raise _refused(lang, "different", name, line=error.line, event=error.event) from None
    except UnusableInput as error:
        raise _refused(lang, "damaged", name, reason=_without(name, error)) from None
    if not transcript.events or not isinstance(transcript.events[0], Began):
        raise _refused(lang, "empty", name)
    return transcript


def _without(name: str, error: UnusableInput) -> str:
    return clean(str(error)).removeprefix(f"{name}: ")


def _refused(lang: Lang, why: str, name: str, **fields: object) -> UnusableInput:
    return UnusableInput(texts(lang, "panels")["refused"][why].format(name=name, **fields))
