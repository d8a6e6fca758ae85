"""Results counted: wins, losses and draws of each competitor, in all and by side and card.

A competitor with several seats of a side has one result in the game there; one who sits on both sides has two. All
seats of a faction share its result, whoever of them is still in play.
"""

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import field
from typing import Literal

from arena.simulate import wilson
from arena.terms import record
from arena.tournament.game import DRAW, Game, check_games

Result = Literal["won", "lost", "drawn"]


@record
class Count:
    """Results of finished games."""

    won: int = 0
    lost: int = 0
    drawn: int = 0

    @property
    def counted(self) -> int:
        """Wins, losses and draws."""
        return self.won + self.lost + self.drawn

    @property
    def rate(self) -> float | None:
        """Wins and half the draws by results counted; None where there are none."""
        return (self.won + self.drawn / 2) / self.counted if self.counted else None

    @property
    def interval(self) -> tuple[float, float] | None:
        """The 95 % interval of Wilson for the rate, each result a trial of its own; None where there are none."""
        return wilson(self.won + self.drawn / 2, self.counted) if self.counted else None


@record
class Tally:
    """Counts of one competitor. `void` counts games given up by reason, `running` those without an end yet."""

    total: Count = field(default_factory=Count)
    sides: Mapping[str, Count] = field(default_factory=dict)
    roles: Mapping[str, Count] = field(default_factory=dict)
    void: Mapping[str, int] = field(default_factory=dict)
    running: int = 0


def result(game: Game, faction: str) -> Result:
    """How a finished game went for a faction."""
    if game.winner == DRAW:
        return "drawn"
    return "won" if game.winner == faction else "lost"


def tally(games: Collection[Game], competitors: Collection[str]) -> dict[str, Tally]:
    """The counts of each competitor, in order of name.

    Raises:
        UnusableInput: as `check_games` says.
    """
    check_games(games, competitors)
    sides: Counter[tuple[str, str, Result]] = Counter()
    roles: Counter[tuple[str, str, Result]] = Counter()
    voids: Counter[tuple[str, str]] = Counter()
    running: Counter[str] = Counter()
    for game in games:
        if game.winner:
            sides.update({(p.competitor, p.faction, result(game, p.faction)) for p in game.places})
            roles.update({(p.competitor, p.role, result(game, p.faction)) for p in game.places})
        elif game.void:
            voids.update({(place.competitor, game.void) for place in game.places})
        else:
            running.update({place.competitor for place in game.places})
    return {
        name: Tally(
            total=Count(**_results(sides, name)),
            sides=_counts(sides, name),
            roles=_counts(roles, name),
            void={void: number for (who, void), number in sorted(voids.items()) if who == name},
            running=running[name],
        )
        for name in sorted(competitors)
    }


def _results(results: Counter[tuple[str, str, Result]], name: str, group: str = "") -> dict[str, int]:
    counted: Counter[str] = Counter()
    for (who, among, how), number in results.items():
        if who == name and group in ("", among):
            counted[how] += number
    return dict(counted)


def _counts(results: Counter[tuple[str, str, Result]], name: str) -> dict[str, Count]:
    groups = sorted({group for who, group, _ in results if who == name})
    return {group: Count(**_results(results, name, group)) for group in groups}
