"""A table as the page shows it: words and numbers in one language, as plain JSON data.

Cells hold data, never markup: whoever draws a sheet makes text of what is in it.
"""

from collections.abc import Sequence
from typing import Any, Literal

from arena.terms import Lang, Seat, record
from arena.texts import clean, seat_names, texts

Kind = Literal["text", "long", "seats", "chips", "number"]
"""What a column holds: a few words, words to read, seats, claims with their verdicts, or a number."""

Cell = str | float | Sequence[Any]


@record
class Column:
    """A column: the key of its heading in ``panels.yaml``, or where it has none there, the heading; and its kind."""

    key: str
    kind: Kind = "text"


@record
class Row:
    """A row; `seats` are those it is about, by which rows are picked out."""

    seats: tuple[Seat, ...]
    cells: tuple[Cell, ...]


@record
class Sheet:
    """A table with its name (the key of its words)."""

    name: str
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]

    def of(self, seat: Seat) -> "Sheet":
        """The rows that are about `seat` only; all of them for 0."""
        rows = tuple(row for row in self.rows if not seat or seat in row.seats)
        return Sheet(self.name, self.columns, rows)

    def data(self, lang: Lang, *, judged: bool) -> dict[str, Any]:
        """What the component in the page is given."""
        words = texts(lang, "panels")
        note = words["notes"][self.name] + (words["judged"].get(self.name, "") if judged else "")
        viewer = texts(lang, "dashboard")["viewer"]
        return {
            "lang": lang,
            "title": words["names"][self.name],
            "note": note,
            "empty": words["empty"][self.name],
            "columns": [[words["columns"].get(column.key, column.key), column.kind] for column in self.columns],
            "rows": [[_plain(cell) for cell in row.cells] for row in self.rows],
            "words": {key: viewer[key] for key in ("is_true", "is_false")},
            "names": {str(s): seat_names(lang, [s]).capitalize() for row in self.rows for s in _seats(row)},
        }


def _seats(row: Row) -> set[Seat]:
    return {seat for cell in row.cells if isinstance(cell, tuple) for seat in cell if isinstance(seat, int)} | set(
        row.seats
    )


def _plain(cell: Cell) -> Any:
    if isinstance(cell, str):
        return clean(cell)
    return [_plain(item) for item in cell] if isinstance(cell, Sequence) else cell
