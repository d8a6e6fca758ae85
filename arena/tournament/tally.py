"""Results counted: wins, losses and draws of each competitor, in all and by side and card.

A competitor with several seats of a side has one result in the game there; one who sits on both sides has two. All
seats of a faction share its result, whoever of them is still in play. Results on one deal are dependent, and intervals
take that into account as those of the rating do.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping
from dataclasses import field

import numpy as np

from arena.simulate import wilson
from arena.terms import Result, record
from arena.tournament.game import DRAW, Game, check_games
from arena.tournament.interval import Interval, share_interval

Group = tuple[str, str]
"""A competitor, and the side or card that it had; in all, nothing."""


@record
class Count:
    """Results of finished games.

    `interval` is the 95 % interval of the rate, by deal; None where there are no results, or several of one deal only.
    """

    won: int = 0
    lost: int = 0
    drawn: int = 0
    interval: Interval | None = field(default=None, compare=False)

    @property
    def counted(self) -> int:
        """Wins, losses and draws."""
        return self.won + self.lost + self.drawn

    @property
    def rate(self) -> float | None:
        """Wins and half the draws by results counted; None where there are none."""
        return (self.won + self.drawn / 2) / self.counted if self.counted else None


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
    totals, sides, roles = _Results(), _Results(), _Results()
    voids: Counter[tuple[str, str]] = Counter()
    running: Counter[str] = Counter()
    for game in games:
        if game.winner:
            results = {faction: result(game, faction) for faction in {place.faction for place in game.places}}
            for name, faction in {(place.competitor, place.faction) for place in game.places}:
                totals.add(game.deal, (name, ""), results[faction])
                sides.add(game.deal, (name, faction), results[faction])
            for name, role, faction in {(place.competitor, place.role, place.faction) for place in game.places}:
                roles.add(game.deal, (name, role), results[faction])
        elif game.void:
            voids.update({(place.competitor, game.void) for place in game.places})
        else:
            running.update({place.competitor for place in game.places})
    return {
        name: Tally(
            total=totals.count((name, "")),
            sides=sides.counts(name),
            roles=roles.counts(name),
            void={void: number for (who, void), number in sorted(voids.items()) if who == name},
            running=running[name],
        )
        for name in sorted(competitors)
    }


class _Results:
    """Results by group, and within each by deal."""

    def __init__(self) -> None:
        self._of: defaultdict[Group, Counter[Result]] = defaultdict(Counter)
        # Of each deal, how many results, and twice what was won of them.
        self._deals: defaultdict[Group, dict[str, list[int]]] = defaultdict(dict)

    def add(self, deal: str, group: Group, how: Result) -> None:
        self._of[group][how] += 1
        sums = self._deals[group].setdefault(deal, [0, 0])
        sums[0] += 1
        sums[1] += _DOUBLED[how]

    def counts(self, name: str) -> dict[str, Count]:
        """The counts of a competitor, by what it had."""
        return {had: self.count((who, had)) for who, had in sorted(self._of) if who == name}

    def count(self, group: Group) -> Count:
        results = self._of.get(group, Counter())
        won, lost, drawn = results["won"], results["lost"], results["drawn"]
        deals = sorted(self._deals.get(group, {}).items())
        interval: Interval | None = None
        if won + lost + drawn == 1:
            interval = wilson(won + drawn / 2, 1)
        elif deals:
            of, doubled = np.array([sums for _, sums in deals], dtype=np.float64).T
            interval = share_interval(of, doubled / 2, won + drawn / 2)
        return Count(won, lost, drawn, interval)


_DOUBLED: Mapping[Result, int] = {"won": 2, "lost": 0, "drawn": 1}
