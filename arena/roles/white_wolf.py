"""White wolf: hunts with the pack, and against it; wins alone."""

from arena.events import Acted, Marked
from arena.roles.ability import Ability, Choices, Decisions, Item, Role, Seats, choose, may_harm
from arena.roles.werewolf import EXPLODE, HUNT
from arena.state import GameState


def _ask(state: GameState, wolves: Seats) -> Choices:
    """On even nights it may put out another werewolf."""
    if state.day % 2:
        return {}
    others_of_its_kind = tuple(s for s in state.in_play if state.kind(s) == "werewolf" and s not in wolves)
    return {wolf: choose("betray", may_harm(state, wolf, others_of_its_kind)) for wolf in wolves}


def _use(state: GameState, wolves: Seats, decisions: Decisions) -> list[Item]:
    items: list[Item] = []
    for seat, decision in decisions.items():
        if decision.seats:
            items += [Acted((seat,), seat, "betray", decision.seats), Marked(decision.seats[0], "white_wolf", seat)]
    return items


def _wins(state: GameState) -> str:
    alone = len(state.in_play) == 1 and state.faction(state.in_play[0]) == "white_wolf"
    return "white_wolf_last" if alone else ""


ROLE = Role(
    name="white_wolf",
    faction="white_wolf",
    kind="werewolf",
    title={"zh": "白狼", "en": "White wolf"},
    card={
        "zh": "你是白狼。你随狼队一起袭击，偶数夜还可以另外带走一名狼人；只有你独自留到最后才算赢。",
        "en": "You are the white wolf. You hunt with the pack, and on even nights you may put out another werewolf. "
        "You win only as the last one in play.",
    },
    abilities=(
        HUNT,
        EXPLODE,
        Ability(
            name="white_wolf",
            window="night",
            layer="attack",
            rank=3,
            kills="white_wolf",
            stopped_by=("protected",),
            ask=_ask,
            use=_use,
        ),
        Ability(name="white_wolf_victory", window="victory", faction="white_wolf", rank=3, wins=_wins),
    ),
    phrases={"betray": {"zh": "你背叛狼队，袭击{seats}。", "en": "You turn against the pack and attack {seats}."}},
)
