"""Witch: one antidote for the attack's victim and one poison, each once in a game."""

from arena.events import Acted, Event, Learned, Marked, Noted
from arena.knobs import Knob, flag
from arena.roles.ability import Ability, Choices, Decisions, Item, Role, Seats, may_harm, others
from arena.roles.elder import lives
from arena.roles.werewolf import hunting
from arena.state import GameState
from arena.terms import Choice, Seat


def _victim(state: GameState) -> Seats:
    """The victim a witch is told of: none when nobody was attacked, or where prevented attacks are hidden.

    The victim of a werewolf who attacks alone is spoken of only where no pack hunts beside it.
    """
    attacked = state.marked("werewolves") if hunting(state) else state.marked("widow")
    victim = others(attacked, *state.marked("replaced"))
    if state.rules["witch.hides_prevented"]:
        return tuple(s for s in victim if s not in state.marked("protected") and lives(state, s) < 2)
    return victim


def _is_told(state: GameState, witch: Seat) -> bool:
    return state.rules["witch.told"] == "always" or not state.note(witch, "antidote_used")


def _tell(state: GameState, witches: Seats) -> list[Event]:
    return [Learned((witch,), "victim", _victim(state)) for witch in witches if _is_told(state, witch)]


def _may_save_herself(state: GameState) -> bool:
    rule = state.rules["witch.self_save"]
    if rule == "unless_guard_alive":
        return not any(state.roles[seat] == "guard" for seat in state.in_play)
    return rule == "always" or (rule == "first_night" and state.day == 1)


def _saveable(state: GameState, witch: Seat) -> Seats:
    if state.note(witch, "antidote_used"):
        return ()
    victim = _victim(state)
    return () if witch in victim and not _may_save_herself(state) else victim


def _ask(state: GameState, witches: Seats) -> Choices:
    choices: Choices = {}
    for witch in witches:
        saveable = _saveable(state, witch)
        poison = not state.note(witch, "poison_used")
        targets = may_harm(state, witch, state.in_play)
        acts: list[Choice] = []
        if saveable:
            acts.append(Choice("antidote"))
        if poison:
            acts.append(Choice("poison", targets))
        if saveable and poison and state.rules["witch.both_one_night"]:
            acts.append(Choice("antidote_and_poison", targets))
        if acts:
            choices[witch] = (*acts, Choice("pass"))
    return choices


def _use(state: GameState, witches: Seats, decisions: Decisions) -> list[Item]:
    items: list[Item] = []
    for witch, decision in decisions.items():
        if decision.act in {"antidote", "antidote_and_poison"}:
            victim = _victim(state)
            items += [Acted((witch,), witch, "antidote", victim), Noted(witch, "antidote_used", True)]
            items += [Marked(seat, "healed", witch) for seat in victim]
        if decision.act in {"poison", "antidote_and_poison"}:
            items += [Acted((witch,), witch, "poison", decision.seats), Noted(witch, "poison_used", True)]
            items += [Marked(seat, "poison", witch) for seat in decision.seats]
    return items


ROLE = Role(
    name="witch",
    faction="village",
    side="gods",
    title={"zh": "女巫", "en": "Witch"},
    card={
        "zh": "你是女巫。你有一瓶解药，可救当夜被袭击的人；一瓶毒药，可毒杀任意一人。每瓶只能用一次。",
        "en": "You are the witch. One antidote saves the seat attacked this night, one poison puts any seat out. "
        "Each works once.",
    },
    abilities=(
        Ability(
            name="witch",
            window="night",
            layer="rescue",
            kills="poison",
            depends=True,
            tell=_tell,
            ask=_ask,
            use=_use,
        ),
    ),
    phrases={
        "victim": {"zh": "今夜遭袭击的是{seats}。", "en": "Attacked tonight: {seats}."},
        "victim.nobody": {"zh": "今夜无人遭到袭击。", "en": "Nobody was attacked tonight."},
        "antidote": {"zh": "你用解药救了{seats}。", "en": "You save {seats} with the antidote."},
        "poison": {"zh": "你毒了{seats}。", "en": "You poison {seats}."},
    },
    knobs=(
        Knob("witch.told", "until_antidote_used", values=("until_antidote_used", "always")),
        flag("witch.hides_prevented", False),
        Knob(
            "witch.self_save",
            "first_night",
            values=("always", "never", "unless_guard_alive", "first_night"),
        ),
        flag("witch.both_one_night", False),
    ),
)
