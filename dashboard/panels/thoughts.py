"""The private side: what each seat decided, what it thought and wrote down for itself, and what it was sent."""

from arena.terms import Decision, Request, Seat, Source, record
from arena.transcript import Asked, Attempted, Replied, Transcript
from arena.transcript.viewing import records_shown_to
from dashboard.panels.moments import Moment, timed


@record
class Thought:
    """An answered request: the decision and its private side. `calls` is how many prompts with a hash were sent.

    `event` is how many events had happened when the request was made.
    """

    event: int
    moment: Moment
    request: Request
    decision: Decision
    source: Source
    thought: str
    notes: str | None
    calls: int


def thoughts(transcript: Transcript, seat: Seat) -> list[Thought]:
    """All answered requests in god's view, in the order in which they were answered; none in any other.

    Raises:
        UnusableInput: that view is not open.
    """
    asked: dict[tuple[Seat, int], tuple[int, Request]] = {}
    calls: dict[tuple[Seat, int], int] = {}
    event = 0
    found = []
    for moment, entry in timed(records_shown_to(transcript, seat)):
        match entry:
            case Asked(request=request):
                asked[request.seat, request.n] = (event, request)
            case Attempted():
                key = (entry.seat, entry.n)
                calls[key] = calls.get(key, 0) + bool(entry.attempt.prompt)
            case Replied() if (entry.seat, entry.n) in asked:
                key, reply = (entry.seat, entry.n), entry.reply
                when, request = asked[key]
                made = calls.get(key, 0)
                found.append(
                    Thought(when, moment, request, reply.decision, reply.source, reply.thought, reply.notes, made)
                )
            case _:
                event += 1
    return found
