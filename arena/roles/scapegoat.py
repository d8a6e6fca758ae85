"""Scapegoat: goes out instead of tied seats, and names who may vote on the next day."""

from arena.events import EVERYONE, Event, Learned, Noted
from arena.roles.ability import Ability, Choices, Decisions, Item, Role, Seats
from arena.state import GameState
from arena.terms import Choice, Step


def _take_the_blame(state: GameState, goats: Seats, decisions: Decisions) -> list[Item]:
    return [Step("tie_out", goat, ("scapegoat",)) for goat in goats[:1]]


def _owe_the_list(state: GameState, goats: Seats) -> list[Event]:
    blamed = (goat for goat in goats if (out := state.out(goat)) and out.cause == "scapegoat")
    return [Noted(goat, "owed", "goat") for goat in blamed]


def _ask(state: GameState, goats: Seats) -> Choices:
    everybody = Choice("everybody")
    return dict.fromkeys(goats, (everybody, Choice("may_vote", state.in_play, 1, len(state.in_play))))


def _name_the_voters(state: GameState, goats: Seats, decisions: Decisions) -> list[Item]:
    items: list[Item] = []
    for goat, decision in decisions.items():
        voters = tuple(sorted(decision.seats)) or state.in_play
        items += [Noted(goat, "owed", None), Noted(0, f"may_vote_{state.day + 1}", voters)]
        items.append(Learned(EVERYONE, "may_vote", voters))
    return items


ROLE = Role(
    name="scapegoat",
    faction="village",
    title={"zh": "替罪羊", "en": "Scapegoat"},
    card={
        "zh": "你是替罪羊。放逐投票平票时，你代替平票者出局，并指定明天谁可以投票。",
        "en": "You are the scapegoat. When the exile vote is tied you go out instead of the tied, and name who may "
        "vote tomorrow.",
    },
    abilities=(
        Ability(name="blame", window="tie", kills="scapegoat", use=_take_the_blame),
        Ability(name="goat", window="death", tell=_owe_the_list, ask=_ask, use=_name_the_voters),
    ),
    phrases={
        "may_vote": {
            "zh": "替罪羊指定，明天可以投票的是{seats}。",
            "en": "The scapegoat has named tomorrow's voters: {seats}.",
        },
    },
)
