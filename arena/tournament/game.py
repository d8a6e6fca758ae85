"""What a rating is made from: games, in which a competitor sat where, and how they ended."""

from collections.abc import Collection, Iterable
from typing import Final

from arena.terms import UnusableInput, record

DRAW: Final = "draw"
"""The winner of a game that nobody has won."""


@record
class Place:
    """A seat: its competitor, the card it was dealt, and the faction it played for.

    A card's faction is that after the first night: mixed lovers are a faction of their own, and a thief
    plays for the card it has taken.
    """

    competitor: str
    role: str
    faction: str


@record
class Luck:
    """Something that chance alone decides, with its known probability: who is met in the first night, unknowing."""

    event: str
    happened: bool
    probability: float

    @property
    def surprise(self) -> float:
        """How much more than expected has happened; zero on average."""
        return float(self.happened) - self.probability


@record
class Game:
    """One game of a schedule, as far as it has come.

    Games on one `deal` are dependent; those with the same `board` and `format` have a common balance of sides.
    `winner` is a faction or ``draw``; without one the game is still running, or was given up, for the reason `void`.
    `forfeits` are competitors whose sides have lost for their faults.
    """

    id: str
    deal: str
    board: str
    format: str
    places: tuple[Place, ...]
    winner: str = ""
    void: str = ""
    luck: tuple[Luck, ...] = ()
    forfeits: tuple[str, ...] = ()


def finished(games: Iterable[Game]) -> list[Game]:
    """The games that count, in an order that does not depend on how they were given."""
    return sorted((game for game in games if game.winner), key=lambda game: game.id)


def check_games(games: Collection[Game], competitors: Collection[str]) -> None:
    """Check that `games` can be rated.

    Raises:
        UnusableInput: a game that is there twice, that knows a competitor who isn't there, or whose winner didn't play.
    """
    known = set(competitors)
    seen: set[str] = set()
    for game in games:
        if game.id in seen:
            raise UnusableInput(f"game {game.id}: is there twice; every game counts once")
        seen.add(game.id)
        for place in game.places:
            if place.competitor not in known:
                names = ", ".join(sorted(known))
                raise UnusableInput(f"game {game.id}: unknown competitor {place.competitor!r}; known: {names}")
        factions = {place.faction for place in game.places}
        if game.winner and game.winner not in factions | {DRAW}:
            allowed = ", ".join((*sorted(factions), DRAW))
            raise UnusableInput(f"game {game.id}: winner {game.winner!r}; allowed: {allowed}")
        if game.winner and game.void:
            raise UnusableInput(f"game {game.id}: has a winner and is void ({game.void}); one or the other")
