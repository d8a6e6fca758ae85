"""One game of a tournament, played from where its transcript stands."""

from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Protocol

from arena.endpoint import EndpointPlan, Endpoints, Purse
from arena.match import Match
from arena.seating import Models, make_players
from arena.terms import DuskwaldError, Halted, UnusableInput
from arena.tournament.folder import Folder
from arena.tournament.plan import Tournament
from arena.tournament.schedule import Fixture
from arena.transcript import Header, Position, Transcript, Writer, rerun

Taken = tuple[Transcript, Writer]
"""A transcript as far as it has come, and who writes on."""


class Corrupt(UnusableInput):
    """A transcript that is not what has been played of its game."""


class Venue(Protocol):
    """Where games are played."""

    @property
    def spent(self) -> float:
        """What has been spent so far, in USD."""
        ...

    async def open(self, spent: float) -> None:
        """See that games can be played; `spent` is what earlier ones have cost.

        Raises:
            DuskwaldError: they can't; a line for each reason.
        """
        ...

    async def play(self, fixture: Fixture) -> None:
        """Play the game of `fixture` on to its end.

        Raises:
            Corrupt: its transcript can't be gone on from.
            Halted: it has to wait; the money may be at its end (`OutOfBudget`).
        """
        ...

    def close(self, why: Halted) -> None:
        """Let nobody begin another call. Games end as soon as those in flight are answered."""
        ...

    async def leave(self) -> None:
        """Let go of everything."""
        ...


class Here:
    """This process: all games in one event loop."""

    def __init__(self, tournament: Tournament, folder: Folder, plans: Mapping[str, EndpointPlan]) -> None:
        self._tournament = tournament
        self._folder = folder
        self._plans = plans
        self._endpoints = Endpoints(Purse(tournament.cap.usd))

    @property
    def spent(self) -> float:
        """What has been spent so far, in USD."""
        return self._endpoints.purse.spent

    async def open(self, spent: float) -> None:
        """As `Venue.open`."""
        self._endpoints.purse.spent = spent
        await opened(self._endpoints, self._plans)

    async def play(self, fixture: Fixture) -> None:
        """As `Venue.play`."""
        header = header_of(self._tournament, fixture)
        await play_on(header, taken(header, self._folder.game(fixture)), self._endpoints, self._plans)

    def close(self, why: Halted) -> None:
        """As `Venue.close`."""
        self._endpoints.purse.close(why)

    async def leave(self) -> None:
        """As `Venue.leave`."""
        await self._endpoints.close()


async def opened(endpoints: Endpoints, plans: Mapping[str, EndpointPlan]) -> None:
    """Open the endpoints of `plans`, and see that each answers.

    Raises:
        UnusableInput: variables for keys are not set; a line for each.
        Unreachable: as `Endpoints.check`.
    """
    wrong = []
    for name, plan in plans.items():
        try:
            endpoints.of(name, plan)
        except UnusableInput as error:
            wrong.append(str(error))
    if wrong:
        raise UnusableInput("\n".join(wrong))
    await endpoints.check()


async def play_on(header: Header, taken: Taken, endpoints: Endpoints, plans: Mapping[str, EndpointPlan]) -> None:
    """Play the game that begins as `header` says, from where its transcript stands, to its end.

    Raises:
        Corrupt: the transcript is another game's, or its records are not what they lead to.
        Halted: it has to wait.
        UnusableInput: the transcript can't be written.
    """
    transcript, writer = taken
    with writer:
        position = position_of(transcript, header)
        if position.state.outcome:
            return
        models = Models(endpoints, plans, writer, transcript.past, beliefs=header.beliefs, halts=True)
        await Match(position, writer, make_players(header.seats, header.seed, header.lang, models)).run()


def taken(header: Header, path: Path) -> Taken:
    """The transcript in `path`, begun as `header` says where there is none yet.

    Raises:
        UnusableInput: it can't be read or written, or another process has it.
    """
    if path.exists():
        return Writer.resume(path)
    return Transcript(path, header, ()), Writer.create(path, header)


def position_of(transcript: Transcript, header: Header) -> Position:
    """Where the game stands that begins as `header` says.

    Raises:
        Corrupt: as `play_on` says.
    """
    check_header(transcript, header)
    try:
        return rerun(header, transcript.records)
    except DuskwaldError as error:
        raise Corrupt(f"{transcript.path}: {error}") from None
    except Exception as error:
        # Records that fit their schema can still be such as no referee has said.
        raise Corrupt(f"{transcript.path}: {type(error).__name__}: {error}") from None


def check_header(transcript: Transcript, header: Header) -> None:
    """Check that a transcript is that of the game that begins as `header` says, whenever it was begun.

    Raises:
        Corrupt: it is another game's.
    """
    same = {"started": header.started, "duskwald": header.duskwald}
    if transcript.header.model_copy(update=same) != header:
        raise Corrupt(f"{transcript.path}: line 1: another game than the one that is due here")


def header_of(tournament: Tournament, fixture: Fixture) -> Header:
    """The beginning of the game of `fixture`."""
    ruleset, cards = tournament.board()
    return Header(
        started=datetime.now(UTC).isoformat(timespec="seconds"),
        lang=tournament.language,
        seed=fixture.seed,
        game=fixture.game,
        cards=cards,
        seats={seat: tournament.competitors[name].seat for seat, name in enumerate(fixture.competitors, start=1)},
        models={name: plan.model for name, plan in tournament.plans().items()},
        outage="halt",
        beliefs=tournament.beliefs,
        ruleset=ruleset,
    )
