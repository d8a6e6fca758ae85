"""When things happen: the events of a view, each with the day and the part of the day it falls in."""

from collections.abc import Iterable, Iterator

from arena.events import Event, Phase
from arena.terms import Part, record
from arena.transcript.schema import Beside, Record


@record
class Moment:
    """A time in a game: day 0 is the deal; night n comes before day n."""

    day: int = 0
    part: Part = "night"

    @property
    def night(self) -> bool:
        """Whether it is the night before that day."""
        return self.part == "night"


def timed(records: Iterable[Record]) -> Iterator[tuple[Moment, Record]]:
    """Each of `records` with its moment; a phase belongs to the part it begins."""
    now = Moment()
    for record_ in records:
        if isinstance(record_, Phase):
            now = Moment(record_.day, record_.part)
        yield now, record_


def numbered(events: Iterable[Event]) -> Iterator[tuple[int, Moment, Event]]:
    """The events of a view with their places in it, from 0, and their moments."""
    for number, (moment, event) in enumerate(timed(events)):
        assert not isinstance(event, Beside)
        yield number, moment, event
