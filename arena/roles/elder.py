"""Elder: has several lives against the werewolves; the village that puts it out loses its powers."""

from arena.events import Event, Learned, Marked, Noted
from arena.knobs import Knob, flag
from arena.roles.ability import Ability, Decisions, Item, Role, Seats, others, owing
from arena.state import GameState
from arena.terms import Seat, Step


def lives(state: GameState, seat: Seat) -> int:
    """How many attacks by werewolves it takes to put `seat` out."""
    if state.roles[seat] != ROLE.name:
        return 1
    return int(state.rules["elder.lives"]) - (state.note(seat, "lives_lost") or 0)


def _scar(state: GameState) -> list[Event]:
    """An attack that no guard stopped takes a life, and puts the elder out only with the last one.

    One that the witch has undone takes a life where the rules say so, while another is left.
    """
    events: list[Event] = []
    attacked = (*others(state.marked("werewolves"), *state.marked("replaced")), *state.marked("widow"))
    for seat in dict.fromkeys(attacked):
        helped = seat not in state.marked("unhelped")
        if lives(state, seat) < 2 or (helped and seat in state.marked("protected")):
            continue
        saved = helped and seat in state.marked("healed")
        if not saved:
            events.append(Marked(seat, "scarred"))
        if not saved or state.rules["elder.life_lost_when_saved"]:
            events.append(Noted(seat, "lives_lost", (state.note(seat, "lives_lost") or 0) + 1))
    return events


def _fall(state: GameState, elders: Seats, decisions: Decisions) -> list[Item]:
    """The elder has just gone out: after some causes the village loses its powers for good."""
    items: list[Item] = []
    for elder in elders:
        out = state.out(elder)
        if out is None or out.counts_as not in state.rules["elder.fall_on"]:
            continue
        lost: tuple[str, ...] = state.rules["elder.fall_takes"]
        items.append(Noted(0, "powers_lost", lost))
        items += [Noted(seat, "owed", None) for seat in owing(state) if state.roles[seat] in lost]
        if state.rules["elder.fall_takes_idiot"]:
            items += [Step("chained_out", seat, ("idiot", elder)) for seat in state.barred]
    return items


def _tell(state: GameState, elders: Seats) -> list[Event]:
    """Those whose powers are lost are told when the table learns of the elder."""
    weakened = (seat for seat in state.in_play if state.roles[seat] in state.powers_lost)
    return [Learned((seat,), "powers_lost") for seat in weakened] if elders else []


ROLE = Role(
    name="elder",
    faction="village",
    title={"zh": "长老", "en": "Elder"},
    card={
        "zh": "你是长老。面对狼人的袭击你不止一条命；但若好人害你出局，好人阵营会失去能力。",
        "en": "You are the elder. The werewolves must attack you more than once; but if the village itself puts you "
        "out, it loses its powers.",
    },
    abilities=(
        Ability(name="elder", window="night", first_night=True),
        Ability(name="scar", window="dawn", resolve=_scar),
        Ability(name="fall", window="out", kills="idiot", use=_fall),
        Ability(name="weakness", window="announced", tell=_tell),
    ),
    phrases={
        "powers_lost": {
            "zh": "好人阵营失去了能力，你的能力也不再有。",
            "en": "The village has lost its powers, yours included.",
        },
    },
    knobs=(
        Knob("elder.lives", 2, least=1),
        flag("elder.life_lost_when_saved", False),
        Knob("elder.fall_on", ("exile", "poison", "shot"), among=("causes",)),
        Knob(
            "elder.fall_takes",
            ("guard", "hunter", "idiot", "little_girl", "scapegoat", "seer", "witch"),
            among=("roles",),
        ),
        flag("elder.fall_takes_idiot", True),
    ),
)
