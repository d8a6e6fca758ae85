"""Tables that are whole in a terminal of 80 columns: what is too wide for one table goes to several."""

from collections.abc import Sequence
from itertools import pairwise
from textwrap import wrap
from typing import TypeVar

from rich import box
from rich.cells import cell_len
from rich.table import Table
from rich.text import Text as RichText

T = TypeVar("T")

WIDTH = 80
LONGEST = 24
"""Cells of a name that stand on one line."""


def width_of(text: str) -> int:
    """How many cells a name takes, in one line as far as it may."""
    return min(cell_len(text), LONGEST)


def broken(name: str, width: int) -> str:
    """`name` in lines of `width` cells, broken between its words and behind hyphens where it can be."""
    return name if cell_len(name) <= width else "\n".join(wrap(name, width * len(name) // cell_len(name)))


def whole_width(columns: int) -> int:
    """How many cells all columns of a table have together."""
    return WIDTH - 2 * columns - 1


def in_tables(columns: Sequence[T], widths: Sequence[int], first: int) -> list[Sequence[T]]:
    """`columns` for as few tables as hold them, about equally many in each; `first` is the width of a column before."""
    room = whole_width(1) - first
    for tables in range(1, len(columns)):
        ends = [number * len(columns) // tables for number in range(tables + 1)]
        spans = list(pairwise(ends))
        if all(sum(width + 2 for width in widths[start:end]) <= room for start, end in spans):
            return [columns[start:end] for start, end in spans]
    return [[column] for column in columns]


def plain_table(title: str | None = None, caption: str | None = None) -> Table:
    """A table with nothing but a line below its headings."""
    return Table(
        box=box.SIMPLE_HEAD,
        padding=(0, 1, 0, 0),
        title=None if title is None else RichText(title),
        caption=None if caption is None else RichText(caption),
        caption_justify="left",
    )
