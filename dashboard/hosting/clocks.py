"""Clocks that outlive the server: when the time for what waits is over, by the clock on the wall.

The loop's own clock means nothing to the next process. What is left goes on there, but nobody who could not answer
meanwhile finds a question closed: as long as a reminder comes before the end, there is always left.
"""

import time

from arena.pace import REMINDER
from arena.terms import Seat
from dashboard.hosting.tables import Tables
from dashboard.hosting.timing import now

CALL: Seat = 0
"""Stands for a call of the night, whose time is everybody's."""


class Clocks:
    """The clocks of one game. All times are those of the event loop."""

    def __init__(self, tables: Tables, game: str) -> None:
        self._tables = tables
        self._game = game

    def keep(self, seat: Seat, n: int, ends: float) -> None:
        """The time for question `n` of a seat is over at `ends`."""
        self._tables.set_clock(self._game, seat, n, time.time() + ends - now())

    def go_on(self, seat: Seat, n: int, ends: float) -> float:
        """When the time for question `n` is over, as it was kept before the server ended; at the latest at `ends`."""
        kept = self._tables.clock(self._game, seat)
        if kept is None or kept[0] != n:
            return ends
        return min(ends, now() + max(REMINDER, kept[1] - time.time()))

    def forget(self) -> None:
        """The game stands, and so do its clocks."""
        self._tables.forget_clocks(self._game)
