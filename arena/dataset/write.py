"""Files of tables, written game by game, so that no more than a few games are in memory."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType
from typing import BinaryIO, Literal, Protocol, Self

import orjson

from arena.dataset.columns import TABLES, Row
from arena.dataset.rows import rows
from arena.dataset.source import sources
from arena.terms import Lang, UnusableInput
from arena.texts import texts

Form = Literal["parquet", "jsonl"]

BATCH = 10_000
"""Rows of a table that are written together."""


class Sheet(Protocol):
    """The file of one table, open for writing."""

    def write(self, batch: Sequence[Row]) -> None:
        """Append rows; a column that a row lacks is empty in it."""

    def close(self) -> None:
        """Finish the file."""


class _Lines:
    """A table as JSON lines."""

    def __init__(self, path: Path, table: str) -> None:
        self._columns = tuple(TABLES[table])
        self._file: BinaryIO = path.open("wb")

    def write(self, batch: Sequence[Row]) -> None:
        for row in batch:
            whole = {column: row.get(column) for column in self._columns}
            self._file.write(orjson.dumps(whole, option=orjson.OPT_APPEND_NEWLINE))

    def close(self) -> None:
        self._file.close()


class _Table:
    """Rows on their way to a file, which bears its name only once it is whole."""

    def __init__(self, path: Path, open_sheet: Callable[[Path], Sheet]) -> None:
        self.path = path
        self._draft = path.with_name(f".{path.name}")
        self._sheet = open_sheet(self._draft)
        self._waiting: list[Row] = []

    def add(self, more: Sequence[Row]) -> None:
        self._waiting += more
        if len(self._waiting) >= BATCH:
            self._flush()

    def _flush(self) -> None:
        self._sheet.write(self._waiting)
        self._waiting = []

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        if error is None:
            self._flush()
        self._sheet.close()
        if error is None:
            self._draft.replace(self.path)
        else:
            self._draft.unlink()


def write_tables(path: Path, out: Path, form: Form, lang: Lang | None) -> list[Path]:
    """Write the tables of the games at `path` into the folder `out`; the files. Those of before are replaced.

    `lang`: in which language the columns of Parquet files are described; by default that of the first game.

    Raises:
        UnusableInput: there is no game at `path`, something in it is no transcript, or `out` can't be written.
    """
    try:
        out.mkdir(parents=True, exist_ok=True)
        return _write(path, out, form, lang)
    except OSError as error:
        raise UnusableInput(f"--{form} {out}: can't be written: {error.strerror}") from None


def _write(path: Path, out: Path, form: Form, lang: Lang | None) -> list[Path]:
    with ExitStack() as stack:
        tables: dict[str, _Table] = {}
        for source in sources(path):
            if not tables:
                opened = _opener(form, lang or source.transcript.header.lang)
                tables = {name: stack.enter_context(_Table(out / f"{name}.{form}", opened(name))) for name in TABLES}
            for name, more in rows(source).items():
                tables[name].add(more)
    return [table.path for table in tables.values()]


def _opener(form: Form, lang: Lang) -> Callable[[str], Callable[[Path], Sheet]]:
    """From a table to what opens a file for it."""
    if form == "jsonl":
        return lambda table: lambda path: _Lines(path, table)
    # Takes a while to import, and nothing else needs it.
    from arena.dataset.parquet import ParquetSheet

    words: Mapping[str, Mapping[str, Mapping[str, str]]] = texts(lang, "dataset")
    return lambda table: lambda path: ParquetSheet(path, TABLES[table], words[table]["columns"])
