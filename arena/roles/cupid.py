"""Cupid links two lovers on the first night; and what it is to be lovers."""

from arena.events import Acted, Event, Learned, Marked, Noted
from arena.knobs import Knob, flag
from arena.roles.ability import Ability, Choices, Decisions, Item, Role, Seats, choose, may_harm
from arena.state import GameState
from arena.terms import Choice, Claim, Seat, Step


def _ask(state: GameState, cupids: Seats) -> Choices:
    link = Choice("link", state.in_play, 2, 2)
    return dict.fromkeys(cupids, (link,) if state.rules["cupid.mandatory"] else (link, Choice("pass")))


def _link(state: GameState, cupids: Seats, decisions: Decisions) -> list[Item]:
    """Lovers whose cards belong to different factions leave them; the rules say whom cupid then sides with."""
    items: list[Item] = []
    for cupid, decision in decisions.items():
        if decision.act != "link":
            continue
        one, other = decision.seats
        items += [Acted((cupid,), cupid, "link", (one, other)), Noted(one, "lover", other), Noted(other, "lover", one)]
        mixed = state.faction(one) != state.faction(other)
        side = "lovers" if mixed else state.faction(one)
        if mixed:
            items += [Noted(seat, "faction", "lovers") for seat in (one, other)]
        rule = state.rules["cupid.sides"]
        if rule == "lovers" or (rule == "village_unless_mixed" and mixed):
            items.append(Noted(cupid, "faction", side))
    return items


CUPID = Ability(name="cupid", window="night", first_night=True, layer="first", apart=True, ask=_ask, use=_link)


def _meet(state: GameState, lovers: Seats) -> list[Event]:
    events: list[Event] = []
    for seat in lovers:
        other: Seat = state.note(seat, "lover")
        events.append(Learned((seat,), "lover", (other,)))
        if state.rules["lovers.see_roles"]:
            events.append(Learned((seat,), "lover_card", (other,), state.roles[other]))
    return events


LOVERS = Ability(name="lovers", window="night", bond="lover", first_night=True, depends=True, tell=_meet)


def _grieve(state: GameState, lovers: Seats, decisions: Decisions) -> list[Item]:
    """One lover out puts the other out at the same time."""
    return [Step("chained_out", state.note(seat, "lover"), ("lover", seat)) for seat in lovers]


GRIEF = Ability(name="grief", window="out", bond="lover", kills="lover", use=_grieve)


def _leave(state: GameState, lovers: Seats, decisions: Decisions) -> list[Item]:
    """When the werewolves have lost, one of them among mixed lovers leaves the pack (A1)."""
    step_exists = WIDOW.name in state.rules["night_order"]
    if not state.rules["lovers.widow_kill"] or not step_exists or "werewolves" not in state.lost:
        return []
    leaving = [
        seat
        for seat in lovers
        if state.kind(seat) == "werewolf" and state.faction(seat) == "lovers" and not state.note(seat, "left_pack")
    ]
    return [event for seat in leaving for event in (Noted(seat, "left_pack", True), Learned((seat,), "left_pack"))]


LEAVE = Ability(name="leave", window="loss", bond="lover", use=_leave)


def _may_attack(state: GameState, widows: Seats) -> Choices:
    return {seat: choose("attack", may_harm(state, seat, state.in_play)) for seat in widows}


def _attack(state: GameState, lovers: Seats, decisions: Decisions) -> list[Item]:
    items: list[Item] = []
    for seat, decision in decisions.items():
        if decision.seats:
            items += [Acted((seat,), seat, "attack_alone", decision.seats), Marked(decision.seats[0], "widow", seat)]
    return items


WIDOW = Ability(
    name="widow",
    window="night",
    bond="left_pack",
    needs="lovers.widow_kill",
    apart=True,
    layer="attack",
    rank=2,
    kills="widow",
    stopped_by=("protected", "healed"),
    ask=_may_attack,
    use=_attack,
)


def _wins(state: GameState) -> str:
    if any(state.faction(seat) != "lovers" for seat in state.in_play):
        return ""
    if any(state.note(seat, "lover") for seat in state.in_play):
        return "lovers_last"
    return "cupid_alone" if state.rules["lovers.cupid_alone_wins"] else ""


VICTORY = Ability(name="lovers_victory", window="victory", faction="lovers", rank=1, wins=_wins)


def _names_the_lovers(state: GameState, seat: Seat, topic: str, claim: Claim) -> bool:
    """A lover may say so; the cupid who linked others may not."""
    return claim.about == "lovers" and state.roles[seat] == ROLE.name and not state.note(seat, "lover")


ROLE = Role(
    name="cupid",
    most=1,
    faction="village",
    title={"zh": "丘比特", "en": "Cupid"},
    card={
        "zh": "你是丘比特。第一夜可以把两人（包括自己）连成情侣；一人出局，另一人殉情。",
        "en": "You are Cupid. On the first night you link two seats, perhaps your own, as lovers; when one goes out "
        "the other follows.",
    },
    abilities=(CUPID, LOVERS, GRIEF, LEAVE, WIDOW, VICTORY),
    phrases={
        "link": {"zh": "你把{seats}连成情侣。", "en": "You link {seats} as lovers."},
        "lover": {"zh": "你的情侣是{seats}。", "en": "Your lover is {seats}."},
        "lover_card": {"zh": "你的情侣{seats}的身份是{role}。", "en": "Your lover, {seats}, holds the card {role}."},
        "left_pack": {
            "zh": "狼队已经输了，从下一夜起你独自袭击。",
            "en": "The pack has lost. From the next night on you attack alone.",
        },
        "attack_alone": {"zh": "你独自袭击{seats}。", "en": "You attack {seats} on your own."},
    },
    knobs=(
        flag("cupid.mandatory", True),
        Knob("cupid.sides", "village_unless_mixed", values=("lovers", "village", "village_unless_mixed")),
        flag("lovers.see_roles", False),
        flag("lovers.may_vote_each_other", True),
        flag("lovers.may_kill_each_other", True),
        flag("lovers.cupid_alone_wins", False),
        flag("lovers.widow_kill", False),
    ),
    conduct={"cupid_names_lovers": _names_the_lovers},
)
