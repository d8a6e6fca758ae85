"""Thief: chooses between two cards that were left over."""

from collections.abc import Iterator, Mapping
from itertools import count

from arena.chance import shuffled
from arena.events import Event, Learned, Noted, Turned
from arena.knobs import Knob, Rules, flag
from arena.roles.ability import Ability, Choices, Dealing, Decisions, Item, Role, Seats
from arena.state import GameState
from arena.terms import Choice

LEFT_OVER = 2


def _deals(cards: Mapping[str, int], werewolves: frozenset[str], rules: Rules, seed: int) -> Iterator[Dealing]:
    """Two cards stay over; where the deck has them from the start, at most one is a werewolf's.

    A deck in which the thief itself stays over is a game without one, and then the other is no werewolf's.
    """
    deck = [role for role in sorted(cards) for _ in range(cards[role])]
    if rules["thief.extra"] == "villagers_added":
        deck += ["villager"] * LEFT_OVER
    attempts = count()
    while True:
        dealt = shuffled(deck, seed, "deal", next(attempts))
        seats, extra = tuple(dealt[:-LEFT_OVER]), tuple(dealt[-LEFT_OVER:])
        if not _leaves(extra, werewolves, rules):
            yield Dealing(seats, extra)


def _leaves(extra: tuple[str, ...], werewolves: frozenset[str], rules: Rules) -> str:
    over = sum(role in werewolves for role in extra)
    if rules["thief.extra"] == "deck" and over + ("thief" in extra) >= LEFT_OVER:
        return "under thief.extra: deck at most one werewolf, and none beside a thief"
    return ""


def _spares(rules: Rules) -> int:
    return LEFT_OVER if rules["thief.extra"] == "deck" else 0


def _wolves(state: GameState) -> tuple[str, ...]:
    return tuple(role for role in state.extra if state.role_facts[role]["kind"] == "werewolf")


def _tell(state: GameState, thieves: Seats) -> list[Event]:
    return [Learned((thief,), "left_over", (), role) for thief in thieves for role in state.extra]


def _ask(state: GameState, thieves: Seats) -> Choices:
    wolves = _wolves(state)
    rule = state.rules["thief.must_take_wolf"]
    must = bool(wolves) if rule == "if_any" else len(wolves) == LEFT_OVER and rule == "if_both"
    roles = wolves if must else state.extra
    choices = [Choice(role) for role in dict.fromkeys(roles)]
    if state.rules["thief.may_keep"] and not must:
        choices.insert(0, Choice("keep"))
    return dict.fromkeys(thieves, tuple(choices)) if choices else {}


def _take(state: GameState, thieves: Seats, decisions: Decisions) -> list[Item]:
    """Who keeps the thief's card is a plain villager, a civilian whatever the ruleset counts as one."""
    return [
        Noted(seat, "civilian", True) if decision.act == "keep" else Turned(seat, decision.act)
        for seat, decision in decisions.items()
    ]


ROLE = Role(
    name="thief",
    most=1,
    faction="village",
    title={"zh": "盗贼", "en": "Thief"},
    card={
        "zh": "你是盗贼。第一夜可以看剩下的两张牌，并换成其中一张。",
        "en": "You are the thief. On the first night you look at the two cards left over and take one of them.",
    },
    abilities=(
        Ability(
            name="thief", window="night", first_night=True, layer="first", apart=True, tell=_tell, ask=_ask, use=_take
        ),
    ),
    phrases={"left_over": {"zh": "剩下的牌里有：{role}。", "en": "Among the cards left over: {role}."}},
    knobs=(
        Knob("thief.extra", "deck", values=("villagers_added", "deck")),
        Knob("thief.must_take_wolf", "if_any", values=("if_any", "if_both", "never")),
        flag("thief.may_keep", False),
    ),
    deals=_deals,
    spares=_spares,
    leaves=_leaves,
)
