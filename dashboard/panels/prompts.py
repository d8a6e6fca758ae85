"""Prompts, rendered again: a transcript holds only a hash of each, from which is seen whether this is what was sent."""

from arena.events import View, seen_by
from arena.players.model.player import SECOND_CHANCES, judge, put_again
from arena.seating import mind_of
from arena.terms import GOD, Attempt, Request, Seat, record
from arena.transcript import Asked, Attempted, Replied, Transcript
from arena.transcript.schema import Beside
from arena.transcript.viewing import records_shown_to


@record
class Rendered:
    """A prompt as it is written now. `same`: by its hash, it is what was sent; else templates have changed since."""

    system: str
    user: str
    same: bool


def prompts(transcript: Transcript, view: Seat, seat: Seat, n: int) -> list[Rendered]:
    """The prompts of all calls for request number `n` of `seat`, in god's view; none in any other.

    Raises:
        UnusableInput: that view is not open.
    """
    records = records_shown_to(transcript, view)
    plan = transcript.header.seats[seat]
    if view != GOD or plan.player != "model":
        return []
    mind = mind_of(seat, plan, transcript.header.lang, beliefs=transcript.header.beliefs)
    seen = View(seat, [])
    request: Request | None = None
    attempts: list[Attempt] = []
    for entry in records:
        match entry:
            case Asked() if (entry.request.seat, entry.request.n) == (seat, n):
                request = entry.request
            case Replied() if entry.seat == seat and entry.n < n:
                mind.remember(entry.reply)
            case Attempted() if (entry.seat, entry.n) == (seat, n):
                attempts.append(entry.attempt)
            case _:
                if request is None and not isinstance(entry, Beside) and seen_by(entry, seat):
                    seen.events.append(entry)
    if request is None:
        return []
    mind.read(seen)
    asks = mind.asks(request, None)
    terms = mind.first_terms(request, None)
    rendered = []
    for attempt in attempts:
        ways = list(mind.renditions(request, terms.complaint))
        sent = next((way for way in ways if way.digest == attempt.prompt), None)
        shown = sent or ways[0]
        rendered.append(Rendered(shown.system, shown.user, sent is not None))
        judged = judge(attempt, request, asks)[1]
        # What never reached the model is sent again as it was.
        terms = put_again(terms, judged) if judged.fault in SECOND_CHANCES else terms
    return rendered
