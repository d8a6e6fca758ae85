"""The faction strip: how many of each faction were in play as the game went on, as far as a view knows the cards."""

from collections import Counter

from arena.events import Announced, Began, Dealt, Ended, Event, Out, Phase, Revealed, Turned
from arena.terms import GOD, Seat, record
from arena.transcript import Transcript
from arena.transcript.viewing import shown_to
from dashboard.panels.moments import Moment, timed

UNKNOWN = ""
"""The faction of a card that the view does not know."""


@record
class Strength:
    """Who was in play when a part of the game ended: factions (`UNKNOWN`: cards not known), and how many of each."""

    moment: Moment
    in_play: tuple[tuple[str, int], ...]


def factions(transcript: Transcript, seat: Seat) -> list[Strength]:
    """The strengths at the end of each night and each day, in the view of `seat`; the first one is the deal.

    Cards count as the view knows them at its end: a game that is over is told with all cards.

    Raises:
        UnusableInput: that view is not open.
    """
    events = shown_to(transcript, seat).events
    began = next((event for event in events if isinstance(event, Began)), None)
    if began is None:
        return []
    factions_ = {role: str(facts["faction"]) for role, facts in began.roles.items()}
    cards = _cards(events)
    left = set(range(1, began.players + 1))

    def strength(moment: Moment) -> Strength:
        counts = Counter(factions_.get(cards.get(number, ""), UNKNOWN) for number in left)
        return Strength(moment, tuple(sorted(counts.items(), key=lambda item: (not item[0], item[0]))))

    strip = []
    now = Moment()
    for moment, event in timed(events):
        if isinstance(event, Phase) and (moment.day, moment.night) != (now.day, now.night):
            strip.append(strength(now))
            now = moment
        left -= set(_fallen(event, god=seat == GOD))
    return [*strip, strength(now)]


def _fallen(event: object, *, god: bool) -> tuple[Seat, ...]:
    """The seats that go out with `event`: for god when they do, for the others when they are told."""
    match event:
        case Out() if god:
            return (event.seat,)
        case Announced() if not god:
            return event.seats
        case Ended():
            return tuple(out.seat for out in event.outs)
    return ()


def _cards(events: list[Event]) -> dict[Seat, str]:
    cards: dict[Seat, str] = {}
    for event in events:
        match event:
            case Dealt() | Turned() | Revealed():
                cards[event.seat] = event.role
            case Ended():
                cards = dict(enumerate(event.cards, start=1))
    return cards
