"""Hunter: may shoot a seat when out, after some causes."""

from arena.events import Event, Learned, Noted, Revealed, Shot
from arena.knobs import CAUSES, Knob
from arena.roles.ability import Ability, Choices, Decisions, Item, Role, Seats, choose, may_harm
from arena.state import GameState
from arena.terms import Seat, Step


def _may_shoot(state: GameState, hunter: Seat) -> bool:
    """A red card leaves no shot, whatever the list says."""
    out = state.out(hunter)
    if out is None or "red_card" in out.causes or state.roles[hunter] in state.powers_lost:
        return False
    return out.counts_as in state.rules["hunter.may_shoot_after"]


def _tell(state: GameState, hunters: Seats) -> list[Event]:
    events: list[Event] = []
    for hunter in hunters:
        may = _may_shoot(state, hunter)
        events.append(Learned((hunter,), "may_shoot", (), "yes" if may else "no"))
        if may:
            events.append(Noted(hunter, "owed", "shoot"))
    return events


def _ask(state: GameState, hunters: Seats) -> Choices:
    return {hunter: choose("shoot", may_harm(state, hunter, state.in_play)) for hunter in hunters}


def _use(state: GameState, hunters: Seats, decisions: Decisions) -> list[Item]:
    items: list[Item] = []
    for hunter, decision in decisions.items():
        items.append(Noted(hunter, "owed", None))
        if decision.seats:
            target = decision.seats[0]
            if hunter not in state.revealed:
                items.append(Revealed(hunter, state.roles[hunter]))
            items += [
                Shot(hunter, target),
                Step("chained_out", target, ("shot", hunter)),
            ]
    return items


ROLE = Role(
    name="hunter",
    faction="village",
    side="gods",
    title={"zh": "猎人", "en": "Hunter"},
    card={
        "zh": "你是猎人。出局时，若规则允许，你可以翻牌开枪，带走一名在场的人，也可以放弃。",
        "en": "You are the hunter. When you go out, and the rules allow it after that cause, you may turn up your "
        "card and take a seat in play with you; you may also decline.",
    },
    abilities=(
        Ability(name="hunter", window="night"),
        Ability(name="hunter_confirmed", window="night", first_night=True),
        Ability(name="shoot", window="death", kills="shot", tell=_tell, ask=_ask, use=_use, fires=True),
    ),
    phrases={
        "may_shoot.yes": {"zh": "你已出局，可以开枪。", "en": "You are out, and you may shoot."},
        "may_shoot.no": {"zh": "你已出局，不能开枪。", "en": "You are out, and you may not shoot."},
    },
    knobs=(
        Knob(
            "hunter.may_shoot_after",
            tuple(cause for cause in CAUSES if cause not in {"poison", "lover", "red_card"}),
            among=("causes",),
        ),
    ),
)
