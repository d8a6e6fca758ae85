"""Decks and rules of all kinds for random games: the setups of the house, and any mixture of all roles."""

from typing import Any, NamedTuple

from hypothesis import assume
from hypothesis import strategies as st

from arena.knobs import CAUSES
from arena.referee import deal, new_game
from arena.roles import ROLES
from arena.roles.ability import Dealing
from arena.ruleset import ALL_KNOBS, NAMES, Ruleset, spares
from arena.terms import UnusableInput
from tests.games import house

SEEDS = st.integers(0, 2**32)
SWITCHES = {key: knob.values for key, knob in ALL_KNOBS.items() if knob.values}
COMMON = {"werewolf": 2, "seer": 1, "villager": 3}
RARE = sorted(ROLES.keys() - {"werewolf", "villager"})


class Table(NamedTuple):
    """A ruleset, and the cards of one game."""

    ruleset: Ruleset
    cards: dict[str, int]

    @property
    def players(self) -> int:
        """The number of seats."""
        return sum(self.cards.values()) - spares(self.cards, self.ruleset.rules)

    def dealt(self, seed: int) -> Dealing:
        """The cards as a seed deals them; a deal that would be over at once is dealt again."""
        for attempt in range(20):
            dealing = deal(self.cards, seed + attempt, self.ruleset.rules)
            try:
                new_game(self.ruleset, dealing.seats, seed, extra=dealing.extra)
            except UnusableInput:
                continue
            return dealing
        assume(False)
        raise AssertionError


def some_of(names: tuple[str, ...]) -> st.SearchStrategy[list[str]]:
    """A list of some of `names`."""
    return st.lists(st.sampled_from(names), unique=True)


RULES: st.SearchStrategy[dict[str, Any]] = st.fixed_dictionaries(
    {},
    optional={
        **{key: st.sampled_from(values) for key, values in SWITCHES.items()},
        "night_order": st.permutations(NAMES["steps"]),
        "werewolves.rounds": st.integers(1, 3),
        "elder.lives": st.integers(1, 3),
        "elder.fall_on": some_of(CAUSES),
        "elder.fall_takes": some_of(tuple(ROLES)),
        "guard.cannot_protect": some_of(tuple(ROLES)),
        "hunter.may_shoot_after": some_of(CAUSES),
        "piper.targets": st.integers(1, 2),
        "girl.noticed": st.sampled_from([0, 0.5, 1]),
        "discussion.rounds": st.just({"first_day": 2, "later": 1}),
        "sheriff.min_players": st.just(0),
        "sheriff.election": st.fixed_dictionaries({"day": st.integers(1, 2), "before_announcement": st.booleans()}),
        "stalemate_max_seats": st.sampled_from([0, 6]),
        "key_figures": st.just({n: ["seer", "witch"] for n in range(6, 19)}),
        "explode.windows": some_of(("campaign", "speech", "last_words")),
    },
)


@st.composite
def tables(draw: st.DrawFn) -> Table:
    """A table of up to 13 seats: a setup of the house, or the common cards and some of the rare ones."""
    ruleset = house().with_rules(draw(RULES), "test")
    if draw(st.integers(0, 3)) == 0:
        return Table(ruleset, ruleset.cards(draw(st.integers(6, 12))))
    cards = dict(COMMON)
    for role in draw(st.lists(st.sampled_from(RARE), min_size=2, max_size=7, unique=True)):
        cards[role] = cards.get(role, 0) + 1
    cards["villager"] += spares(cards, ruleset.rules)
    return Table(ruleset, cards)
