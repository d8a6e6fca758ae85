"""The beginning of a game's transcript, from the table at which it is played."""

from collections.abc import Mapping

from arena.seating import SeatPlan, Sitting, with_names
from arena.terms import Seat
from arena.transcript.schema import Header

OF_THE_TABLE = ("outage", "beliefs", "clock", "absent", "out_sees", "show_players")
"""What a seats file says of how a game is played, which changes nothing in the game itself."""


def opening(
    sitting: Sitting, seats: Mapping[Seat, SeatPlan], seed: int, started: str, *, practice: bool = False
) -> Header:
    """The header of a game that begins at `sitting` with the players in `seats`, `started` at a time (ISO 8601)."""
    return Header(
        started=started,
        lang=sitting.lang,
        seed=seed,
        cards=sitting.cards,
        seats=with_names(seats, sitting.lang, seed),
        models={name: plan.model for name, plan in sitting.endpoints.items()},
        budget_usd=sitting.seating.budget_usd,
        practice=practice,
        ruleset=sitting.ruleset,
        **{key: getattr(sitting.seating, key) for key in OF_THE_TABLE},
    )
