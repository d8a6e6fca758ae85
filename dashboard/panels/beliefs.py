"""The beliefs: how likely each seat was held to be a werewolf, by whom and when, where that was asked for."""

from arena.terms import Seat, record
from arena.transcript import Asked, Replied, Transcript
from arena.transcript.viewing import records_shown_to
from dashboard.panels.moments import Moment, timed


@record
class Belief:
    """`holder` held `about` to be a werewolf with `probability`, when asked about `topic`.

    `place` numbers the occasions on which seats were asked, from 0: one is shared by all who were asked at once.
    """

    place: int
    moment: Moment
    topic: str
    holder: Seat
    about: Seat
    probability: float


def beliefs(transcript: Transcript, seat: Seat) -> list[Belief]:
    """All beliefs that the view of `seat` may hold, in order: god's all of them, any other none.

    Raises:
        UnusableInput: that view is not open.
    """
    topics: dict[tuple[Seat, int], str] = {}
    occasions: dict[tuple[Moment, str, int], int] = {}
    batch = 0
    asking = False
    found = []
    for moment, record_ in timed(records_shown_to(transcript, seat)):
        match record_:
            case Asked(request=request):
                batch += not asking
                topics[request.seat, request.n] = request.topic
            case Replied():
                topic = topics.get((record_.seat, record_.n), "")
                key = (moment, topic, batch)
                if record_.reply.beliefs:
                    place = occasions.setdefault(key, len(occasions))
                    found += [
                        Belief(place, moment, topic, record_.seat, about, probability)
                        for about, probability in record_.reply.beliefs
                    ]
        asking = isinstance(record_, Asked)
    return found


def averaged(found: list[Belief]) -> list[Belief]:
    """The mean over all holders (holder 0) on each occasion, without what seats hold of themselves."""
    held: dict[tuple[int, Seat], list[Belief]] = {}
    for belief in found:
        if belief.holder != belief.about:
            held.setdefault((belief.place, belief.about), []).append(belief)
    means = []
    for (place, about), some in sorted(held.items()):
        mean = sum(belief.probability for belief in some) / len(some)
        means.append(Belief(place, some[0].moment, some[0].topic, 0, about, mean))
    return means
