"""Prejudiced: the table falls into two groups, and the other one has to go."""

from arena.chance import shuffled
from arena.events import EVERYONE, Event, Learned, Noted
from arena.roles.ability import Ability, Role, Seats
from arena.state import GameState


def _divide(state: GameState, prejudiced: Seats) -> list[Event]:
    """Two groups, drawn, named to all; their sizes differ by at most one.

    Also where the card has been left over: the table can't know, and somebody may take it.
    """
    drawn = shuffled(range(1, state.players + 1), state.seed, "groups")
    half = (state.players + 1) // 2
    groups = state.draws.get("groups") or (sorted(drawn[:half]), sorted(drawn[half:]))
    events: list[Event] = []
    for number, group in enumerate(groups, start=1):
        events.append(Learned(EVERYONE, "group", tuple(group), str(number)))
        events += [Noted(seat, "group", number) for seat in group]
    return events


def _wins(state: GameState) -> str:
    own = {state.note(seat, "group") for seat in state.in_play if state.faction(seat) == "prejudiced"}
    left = {state.note(seat, "group") for seat in state.in_play}
    return "other_group_out" if own and left == own and len(own) == 1 else ""


ROLE = Role(
    name="prejudiced",
    faction="prejudiced",
    title={"zh": "偏见者", "en": "Prejudiced"},
    card={
        "zh": "你是偏见者。全场分成公开的两组；另一组的人全部出局而你还在场，你就赢了。",
        "en": "You are the prejudiced. The table is split into two groups known to all; you win when everybody of the "
        "other group is out and you are in play.",
    },
    abilities=(
        Ability(name="groups", window="deal", tell=_divide),
        Ability(name="prejudiced_victory", window="victory", faction="prejudiced", rank=4, wins=_wins),
    ),
    phrases={"group": {"zh": "分组：{seats}为一组。", "en": "One group: {seats}."}},
)
