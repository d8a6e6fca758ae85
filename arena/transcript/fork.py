"""Forks: a game that begins as another one did, and is played on by others.

What may live here: what of a game is copied, and who sits where then. What may not: playing on.
"""

from collections.abc import Mapping
from dataclasses import replace

from arena import __version__
from arena.endpoint import EndpointPlan
from arena.seating import Seating, SeatPlan, endpoints_of, people_among, refuse_unpriced, with_names
from arena.terms import Reply, Seat, UnusableInput, record
from arena.transcript.opening import OF_THE_TABLE
from arena.transcript.reader import Transcript
from arena.transcript.rerun import Difference, rerun
from arena.transcript.schema import Asked, Beside, Call, Fork, Header, Record, Replied, fingerprint
from arena.transcript.viewing import open_views


@record
class Forked:
    """A game that is about to be played on: its header, the records it begins with, the endpoints of its models."""

    header: Header
    records: tuple[Record, ...]
    plans: Mapping[str, EndpointPlan]


def fork(transcript: Transcript, at: int, seating: Seating, started: str, budget: float | None = None) -> Forked:
    """The game of `transcript` up to its event number `at`, counted from 1, with the players of `seating`.

    It is cut where seats are asked: at the last time at or before that event. Seats that `seating` does not name keep
    their player; people can't be asked again, so scripted players replace them. Of a seat that changes its player only
    the decisions are copied, because nobody knows what another has thought. Calls are not: the other game has paid for
    them. A `budget` (USD) replaces that of `seating`.

    Raises:
        UnusableInput: there is no such event or seat, `seating` describes another game, people still play in this one,
            or its records differ from what the referee says.
    """
    old = transcript.header
    if len(open_views(transcript)) == 1:
        raise UnusableInput(f"{transcript.path}: people play in this game; until it ends it can't be forked")
    if not 1 <= at <= len(transcript.events):
        raise UnusableInput(f"--at {at}: {transcript.path} has the events 1 to {len(transcript.events)}")
    _refuse_another_game(old, seating)
    stayed = {seat: SeatPlan() if plan.player == "human" else plan for seat, plan in old.seats.items()}
    seats = with_names({**stayed, **seating.seats}, old.lang, old.seed)
    plans = endpoints_of(seats, seating.endpoints)
    budget = seating.budget_usd if budget is None else budget
    if budget is not None:
        refuse_unpriced(plans)
    before = _before(transcript.records, at)
    try:
        rerun(old, before)
    except Difference as difference:
        raise UnusableInput(f"{transcript.path}: {difference}") from None
    records = tuple(entry for entry in before if not isinstance(entry, Call))
    header = old.model_copy(
        update={
            **{key: getattr(seating, key) for key in OF_THE_TABLE if key in seating.model_fields_set},
            "duskwald": __version__,
            "started": started,
            "series": None,
            "seats": seats,
            "models": {name: plan.model for name, plan in plans.items()},
            "budget_usd": budget,
            # Whoever forks a game may know its cards.
            "practice": bool(people_among(seats)),
            "fork": Fork(file=transcript.path.name, game=fingerprint(old), at=_events_in(records)),
        }
    )
    others = {seat for seat in seats if _player(header, seat) != _player(old, seat)}
    return Forked(header, tuple(_copied(record_, others) for record_ in records), plans)


def _refuse_another_game(old: Header, seating: Seating) -> None:
    """Refuse a seats file that wants what a game in progress can't change; what it says anew must be the same."""
    said = seating.model_fields_set
    for seat in seating.seats:
        if seat > old.players:
            raise UnusableInput(f"seats: {seat}: there are only {old.players} seats")
    kept = {"ruleset": old.ruleset.id, "players": old.players, "language": old.lang}
    for key, value in kept.items():
        if key in said and getattr(seating, key) not in (None, value):
            raise UnusableInput(f"{key}: {getattr(seating, key)}; a fork goes on with {value}")
    for key, value in seating.rules.items():
        if key not in old.ruleset.rules or old.ruleset.rules[key] != value:
            raise UnusableInput(f"rules: {key}: a fork goes on with the rules of its game; without this key")
    if seating.cards:
        raise UnusableInput("cards: a fork goes on with the cards of its game; without this key")


def _before(records: tuple[Record, ...], at: int) -> tuple[Record, ...]:
    """The records before the last batch that was asked at or before event `at`; none if that is too early for one."""
    events = end = 0
    asking = False
    for place, entry in enumerate(records):
        if isinstance(entry, Asked) and not asking and events <= at:
            end = place
        asking = isinstance(entry, Asked)
        events += not isinstance(entry, Beside)
    return records[:end]


def _events_in(records: tuple[Record, ...]) -> int:
    return sum(not isinstance(entry, Beside) for entry in records)


def _player(header: Header, seat: Seat) -> tuple[SeatPlan, str | None]:
    """Who plays a seat, and which model that is."""
    plan = header.seats[seat]
    return plan, header.models.get(plan.model) if plan.model else None


def _copied(entry: Record, others: set[Seat]) -> Record:
    """A record as it stands in a fork in which `others` have another player."""
    if not isinstance(entry, Replied) or entry.seat not in others:
        return entry
    return replace(entry, reply=Reply(entry.reply.decision, entry.reply.source))
