"""Idiot: when exiled, turns up the card and stays, without a vote."""

from arena.events import Noted, Revealed
from arena.knobs import Knob, flag
from arena.roles.ability import SPEAK, Ability, Choices, Decisions, Item, Role, Seats
from arena.state import GameState
from arena.terms import Choice, Step


def _may_reveal(state: GameState, seats: Seats) -> Choices:
    """The seats here are those the vote has just exiled."""
    reveal = (Choice("reveal"), Choice("decline")) if state.rules["idiot.may_decline"] else (Choice("reveal"),)
    return {seat: reveal for seat in seats if seat not in state.barred}


def _reveal(state: GameState, seats: Seats, decisions: Decisions) -> list[Item]:
    """Only who has not declined comes here."""
    items: list[Item] = []
    for seat in seats:
        items += [Revealed(seat, state.roles[seat]), Noted(seat, "barred", True)]
        items.append(Noted(seat, "silent", state.rules["idiot.after"] != "speaks_in_turn"))
        items += [*_take_badge(state, (seat,), {}), Step("badge")]
    return items


def _take_badge(state: GameState, seats: Seats, decisions: Decisions) -> list[Item]:
    """An idiot who is sheriff takes the badge along, revealed or out in any way."""
    return [Noted(seat, "takes_badge", True) for seat in seats if state.rules["idiot.badge"] == "removed"]


def _may_interject(state: GameState, idiots: Seats) -> Choices:
    if state.rules["idiot.after"] != "interjects":
        return {}
    return dict.fromkeys((seat for seat in idiots if seat in state.barred and seat not in state.muted), SPEAK)


ROLE = Role(
    name="idiot",
    faction="village",
    side="gods",
    title={"zh": "白痴", "en": "Idiot"},
    card={
        "zh": "你是白痴。被放逐时可以翻牌免死，此后留在场上，但不能投票、不能被投票，也不能当警长。",
        "en": "You are the idiot. When the vote exiles you, you turn up your card and stay, but from then on you "
        "neither vote nor can be voted for, and can't be sheriff.",
    },
    abilities=(
        Ability(name="reveal", window="fate", ask=_may_reveal, use=_reveal),
        Ability(name="removal", window="out", use=_take_badge),
        Ability(name="interjection", window="aftermath", ask=_may_interject, seconds=15),
    ),
    knobs=(
        flag("idiot.may_decline", False),
        Knob("idiot.after", "speaks_in_turn", values=("speaks_in_turn", "interjects", "silent")),
        Knob("idiot.badge", "passed", values=("passed", "removed")),
    ),
)
