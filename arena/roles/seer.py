"""Seer: checks one seat each night."""

from arena.events import Learned
from arena.knobs import Knob
from arena.roles.ability import Ability, Choices, Decisions, Item, Role, Seats, choose, others
from arena.state import GameState
from arena.terms import Claim, Seat


def _ask(state: GameState, seers: Seats) -> Choices:
    return {seat: choose("check", others(state.in_play, seat)) for seat in seers}


def _use(state: GameState, seers: Seats, decisions: Decisions) -> list[Item]:
    return [
        Learned((seat,), "checked", decision.seats, _result(state, decision.seats[0]))
        for seat, decision in decisions.items()
        if decision.act == "check"
    ]


def _result(state: GameState, target: Seat) -> str:
    learns = state.rules["seer.learns"]
    if learns == "role":
        return state.roles[target]
    if learns == "faction":
        return "village" if state.faction(target) == "village" else "not_village"
    return "werewolf" if state.kind(target) == "werewolf" else "not_werewolf"


def _first_night_dead_claims_seer(state: GameState, seat: Seat, topic: str, claim: Claim) -> bool:
    claims_it = claim.about == "checked" or (claim.seats == (seat,) and (claim.about, claim.value) == ("role", "seer"))
    out_first = any(out.seat == seat and out.night and out.day == 1 for out in state.outs)
    return claims_it and out_first and state.kind(seat) != "werewolf" and state.roles[seat] != "seer"


ROLE = Role(
    name="seer",
    faction="village",
    side="gods",
    title={"zh": "预言家", "en": "Seer"},
    card={
        "zh": "你是预言家。每夜可以查验一人，得知其身份信息。白天把信息带给好人，也要小心成为狼人的目标。",
        "en": "You are the seer. Each night you may check one seat. Bring what you learn to the village by day, "
        "and mind that the werewolves are looking for you.",
    },
    abilities=(Ability(name="seer", window="night", layer="inspect", ask=_ask, use=_use),),
    phrases={
        "checked.werewolf": {"zh": "你查验了{seats}：狼人。", "en": "You check {seats}: a werewolf."},
        "checked.not_werewolf": {"zh": "你查验了{seats}：不是狼人。", "en": "You check {seats}: not a werewolf."},
        "checked.village": {"zh": "你查验了{seats}：好人阵营。", "en": "You check {seats}: of the village."},
        "checked.not_village": {
            "zh": "你查验了{seats}：不属于好人阵营。",
            "en": "You check {seats}: not of the village.",
        },
        "checked": {"zh": "你查验了{seats}：{role}。", "en": "You check {seats}: {role}."},
    },
    knobs=(Knob("seer.learns", "is_werewolf", values=("is_werewolf", "faction", "role")),),
    conduct={"first_night_dead_claims_seer": _first_night_dead_claims_seer},
)
