"""Little girl: peeks while the werewolves choose; noticed, she may be taken instead of their victim."""

from arena.events import Learned, Marked, Noted
from arena.knobs import Knob
from arena.roles.ability import Ability, Choices, Decisions, Item, Role, Seats, may_harm, sequel
from arena.roles.werewolf import attackable, hunting
from arena.state import GameState
from arena.terms import Choice, Seat

MILLION = 1_000_000


def _ask(state: GameState, girls: Seats) -> Choices:
    return dict.fromkeys(girls, (Choice("peek"), Choice("pass")))


def _peek(state: GameState, girls: Seats, decisions: Decisions) -> list[Item]:
    items: list[Item] = []
    pack = hunting(state)
    for girl, decision in decisions.items():
        if decision.act != "peek":
            continue
        seen = pack
        if state.rules["girl.learns"] == "one" and pack:
            index = state.drawn(f"girl sees {state.day}", len(pack))
            seen = pack[index : index + 1]
        drawn = state.drawn(f"girl noticed {state.day}", MILLION)
        noticed = drawn if isinstance(drawn, bool) else drawn < state.rules["girl.noticed"] * MILLION
        items += [Learned((girl,), "saw", seen), Noted(girl, "noticed", noticed)]
        if noticed and pack:
            items += _caught(state, girl, pack)
    return items


def _caught(state: GameState, girl: Seat, pack: Seats) -> list[Item]:
    """The pack is asked whether to take her, unless she can't be its victim tonight."""
    told = Learned(pack, "noticed_girl", (girl,))
    if girl not in attackable(state):
        return [told]
    return [*(Noted(wolf, "noticed_girl", girl) for wolf in pack), told, sequel("take_girl")]


def _may_take(state: GameState, pack: Seats) -> Choices:
    """Who may not help to put her out has the same say as in an attack on her: only against it."""
    girl = state.note(pack[0], "noticed_girl")
    both = (Choice("take"), Choice("pass"))
    return {wolf: both if may_harm(state, wolf, (girl,)) else (Choice("pass"),) for wolf in pack}


def _take(state: GameState, pack: Seats, decisions: Decisions) -> list[Item]:
    """The pack agrees on this as on a victim. The victim is then unharmed, and no guard helps the girl."""
    items: list[Item] = [Noted(wolf, "noticed_girl", None) for wolf in pack]
    takes = sum(decision.act == "take" for decision in decisions.values())
    unanimous = state.rules["werewolves.agreement"] == "unanimous"
    if takes == len(decisions) or (not unanimous and 2 * takes > len(decisions)):
        girl = state.note(pack[0], "noticed_girl")
        items += [Marked(seat, "replaced") for seat in state.marked("werewolves")]
        items.append(Marked(girl, "girl", pack[0]))
    return items


ROLE = Role(
    name="little_girl",
    faction="village",
    title={"zh": "小女孩", "en": "Little girl"},
    card={
        "zh": "你是小女孩。狼人行动时可以偷看，得知狼人；若被发现，狼人可以改杀你，守卫也救不了你。",
        "en": "You are the little girl. While the werewolves choose you may peek and learn of them; if they notice, "
        "they may take you instead, and no guard can help.",
    },
    abilities=(
        Ability(name="girl", window="night", layer="inspect", depends=True, ask=_ask, use=_peek),
        Ability(
            name="take_girl",
            window="sequel",
            bond="noticed_girl",
            layer="attack",
            kills="girl",
            ask=_may_take,
            use=_take,
        ),
    ),
    phrases={
        "saw": {"zh": "你偷看到狼人：{seats}。", "en": "You peek, and among the werewolves see: {seats}."},
        "saw.nobody": {"zh": "你偷看了，没有狼人睁眼。", "en": "You peek, and see no werewolf."},
        "noticed_girl": {"zh": "你们发现了偷看的小女孩：{seats}。", "en": "You notice the little girl: {seats}."},
    },
    knobs=(
        Knob("girl.learns", "one", values=("one", "all")),
        Knob("girl.noticed", 0.25, share=True),
    ),
)
