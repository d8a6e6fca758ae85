"""The speech log: what was said when, by whom and to whom, and what it claims."""

from arena.events import Said
from arena.terms import GOD, Audience, Claim, Seat, record
from arena.transcript import Transcript
from arena.transcript.viewing import shown_to
from arena.truth import Truth
from dashboard.panels.moments import Moment, numbered


@record
class Spoken:
    """A speech; `event` is its place in the view. The verdicts on its claims are None where nothing can be said."""

    event: int
    moment: Moment
    seat: Seat
    topic: str
    to: Audience
    text: str
    claims: tuple[Claim, ...]
    verdicts: tuple[bool | None, ...]


def speeches(transcript: Transcript, seat: Seat) -> list[Spoken]:
    """The speeches that `seat` has heard, in order. Claims are judged for god only.

    Raises:
        UnusableInput: that view is not open.
    """
    truth = Truth() if seat == GOD else None
    heard = []
    for number, moment, event in numbered(shown_to(transcript, seat).events):
        if truth:
            truth.read(event)
        if isinstance(event, Said) and (event.text or event.claims):
            verdicts = tuple(truth.of(event.seat, claim) if truth else None for claim in event.claims)
            spoken = Spoken(number, moment, event.seat, event.topic, event.to, event.text, event.claims, verdicts)
            heard.append(spoken)
    return heard
