"""Werewolf: hunts with the pack at night, and may explode by day."""

from collections import Counter

from arena.events import Acted, Event, Learned, Marked
from arena.knobs import Knob, flag
from arena.roles.ability import Ability, Choices, Decisions, Item, Role, Seats, choose, may_harm, others
from arena.state import GameState
from arena.terms import Choice, Claim, Seat, Step


def hunting(state: GameState) -> Seats:
    """The seats in play that hunt with the pack."""
    return tuple(s for s in state.in_play if state.kind(s) == "werewolf" and not state.note(s, "left_pack"))


def _tell(state: GameState, pack: Seats) -> list[Event]:
    return [Learned(pack, "pack", pack)] if state.day == 1 else []


def _ask(state: GameState, pack: Seats) -> Choices:
    """A member may propose nobody even where the pack may not skip; then it has simply not chosen."""
    targets = attackable(state)
    if not state.rules["werewolves.may_target_pack"]:
        targets = others(targets, *pack)
    return {seat: choose("attack", may_harm(state, seat, targets)) for seat in pack}


def attackable(state: GameState) -> Seats:
    """The seats that may be attacked tonight."""
    protected = state.protected if state.day == 1 and state.rules["first_kill_protection"] else ()
    return others(state.in_play, *protected)


def _rounds(state: GameState, pack: Seats) -> int:
    return int(state.rules["werewolves.rounds"]) if len(pack) > 1 else 1


def _talk(state: GameState, pack: Seats, decisions: Decisions) -> list[Event]:
    return [
        Acted(pack, seat, f"propose_{decision.act}", decision.seats, decision.text)
        for seat, decision in decisions.items()
    ]


def _use(state: GameState, pack: Seats, decisions: Decisions) -> list[Item]:
    target = _agreed(state, pack, [decision.seats[0] if decision.seats else 0 for decision in decisions.values()])
    if not target:
        return [Acted(pack, pack[0], "attack_nobody")]
    return [Acted(pack, pack[0], "attack", (target,)), Marked(target, "werewolves", pack[0])]


def _agreed(state: GameState, pack: Seats, proposals: list[Seat]) -> Seat:
    """Whom the pack attacks (0: nobody)."""
    ranked = Counter(proposals).most_common(2)
    clear = len(ranked) == 1 or (state.rules["werewolves.agreement"] == "plurality" and ranked[0][1] > ranked[1][1])
    target = ranked[0][0] if clear else 0
    if target or state.rules["werewolves.may_skip"]:
        return target
    targets = attackable(state)
    legal = {seat for member in pack for seat in may_harm(state, member, targets)}
    return min(legal.difference(pack), default=0)


HUNT = Ability(
    name="werewolves",
    window="night",
    unless="left_pack",
    layer="attack",
    rank=1,
    kills="werewolves",
    stopped_by=("protected", "healed", "replaced"),
    tell=_tell,
    ask=_ask,
    use=_use,
    talk=_talk,
    rounds=_rounds,
    seconds=30,
)


_WINDOWS = {
    "campaign": "campaign",
    "campaign_runoff": "campaign",
    "speech": "speech",
    "speech_runoff": "speech",
    "last_words": "last_words",
}
"""Under which value of `explode.windows` the speeches of each topic fall."""

_CHANCE = (Choice("explode"), Choice("pass"))


def _may_explode(state: GameState, wolves: Seats) -> Choices:
    rules = state.rules
    if not rules["explode.allowed"] or state.exploded_today or _WINDOWS[state.topic] not in rules["explode.windows"]:
        return {}
    return dict.fromkeys(wolves, _CHANCE)


def _explode(state: GameState, wolves: Seats, decisions: Decisions) -> list[Item]:
    for seat in sorted(decisions):
        if decisions[seat].act == "explode":
            return [Step("explosion", seat)]
    return []


EXPLODE = Ability(name="explode", window="speech", kills="explode", ask=_may_explode, use=_explode)


def _living_good_claims_werewolf(state: GameState, seat: Seat, topic: str, claim: Claim) -> bool:
    claims_it = claim.seats == (seat,) and (claim.about, claim.value) in {("role", "werewolf"), ("side", "werewolves")}
    return claims_it and seat in state.standing and state.kind(seat) != "werewolf"


ROLE = Role(
    name="werewolf",
    faction="werewolves",
    kind="werewolf",
    title={"zh": "狼人", "en": "Werewolf"},
    card={
        "zh": "你是狼人。每夜与同伴商量袭击一人，白天隐藏身份。规则允许时，你可以自爆，立刻结束白天。",
        "en": "You are a werewolf. Each night the pack agrees on a victim; by day you hide. Where the rules "
        "allow it you may explode and end the day at once.",
    },
    abilities=(HUNT, EXPLODE),
    phrases={
        "pack": {"zh": "狼队成员：{seats}。", "en": "The pack: {seats}."},
        "propose_attack": {"zh": "{seat}提议袭击{seats}。", "en": "{seat} proposes to attack {seats}."},
        "propose_pass": {"zh": "{seat}提议空刀。", "en": "{seat} proposes to attack nobody."},
        "attack": {"zh": "狼队决定袭击{seats}。", "en": "The pack attacks {seats}."},
        "attack_nobody": {"zh": "狼队今夜空刀。", "en": "The pack attacks nobody tonight."},
    },
    knobs=(
        Knob("werewolves.agreement", "plurality", values=("unanimous", "plurality")),
        Knob("werewolves.rounds", 2, least=1, most=9),
        flag("werewolves.may_skip", True),
        flag("werewolves.may_target_pack", True),
        flag("explode.allowed", True),
        Knob(
            "explode.windows",
            ("campaign", "speech", "last_words"),
            among=("campaign", "speech", "last_words"),
        ),
        flag("explode.last_words", True),
        flag("explode.silences_dead", False),
    ),
    conduct={"living_good_claims_werewolf": _living_good_claims_werewolf},
)
