"""Piper: charms seats night by night, and wins when all others are charmed."""

from arena.events import EVERYONE, Acted, Event, Learned, Marked, Noted
from arena.knobs import Knob, flag
from arena.roles.ability import Ability, Choices, Decisions, Item, Role, Seats, others
from arena.state import GameState
from arena.terms import Choice


def _ask(state: GameState, pipers: Seats) -> Choices:
    most = state.rules["piper.targets"]
    return {p: (Choice("charm", others(state.in_play, *pipers), 1, most), Choice("pass")) for p in pipers}


def _charm(state: GameState, pipers: Seats, decisions: Decisions) -> list[Item]:
    """Lovers may be immune, and a guard may have stopped their ears; the piper doesn't learn of either."""
    items: list[Item] = []
    for piper, decision in decisions.items():
        if not decision.seats:
            continue
        items.append(Acted((piper,), piper, "charm", decision.seats))
        immune = state.rules["piper.lovers_immune"]
        for seat in decision.seats:
            if seat in state.marked("soundproof") or (immune and state.note(seat, "lover")):
                continue
            items += [Marked(seat, "charmed", piper), Noted(seat, "charmed", True)]
            if state.rules["piper.mutes"]:
                items.append(Noted(seat, "muted", True))
    if state.rules["piper.charmed"] == "know_each_other":
        items += _introduce(state, items)
    return items


def _introduce(state: GameState, items: list[Item]) -> list[Item]:
    new = {event.seat for event in items if isinstance(event, Marked)}
    charmed = tuple(seat for seat in state.in_play if seat in new or state.note(seat, "charmed"))
    return [Learned(charmed, "charmed", charmed)] if charmed else []


def _announce(state: GameState) -> list[Event]:
    tonight = tuple(sorted(state.marked("charmed")))
    public = tonight and state.rules["piper.charmed"] == "announced"
    return [Learned(EVERYONE, "charmed", tonight)] if public else []


def _release(state: GameState, pipers: Seats, decisions: Decisions) -> list[Item]:
    """With the piper out, the charmed have their voices back."""
    return [Noted(seat, "muted", False) for seat in state.muted] if pipers else []


def _may_gesture(state: GameState, muted: Seats) -> Choices:
    """A charmed seat that was asked a question by the speech just heard."""
    said = state.heard
    asked = {seat for claim in said.claims if claim.about == "asks" for seat in claim.seats} if said else set()
    gestures = (Choice("nod"), Choice("shake"), Choice("pass"))
    return dict.fromkeys((seat for seat in muted if seat in asked), gestures)


def _gesture(state: GameState, muted: Seats, decisions: Decisions) -> list[Item]:
    asker = state.heard.seat if state.heard else 0
    return [
        Learned(EVERYONE, "gesture", (seat, asker), "none" if decision.act == "pass" else decision.act)
        for seat, decision in sorted(decisions.items())
    ]


def _wins(state: GameState) -> str:
    rule: str = state.rules["win.piper"]
    pipers = tuple(seat for seat in state.in_play if state.faction(seat) == "piper")
    if not pipers:
        return ""
    needed = others(state.in_play, *pipers)
    if rule == "all_single_charmed":
        needed = tuple(seat for seat in needed if state.faction(seat) in {"village", "werewolves"})
        if state.rules["piper.lovers_immune"]:
            needed = tuple(seat for seat in needed if not state.note(seat, "lover"))
    return rule if all(state.note(seat, "charmed") for seat in needed) else ""


ROLE = Role(
    name="piper",
    faction="piper",
    title={"zh": "吹笛者", "en": "Piper"},
    card={
        "zh": "你是吹笛者。每夜迷惑别人；当在场的其他人都被迷惑时，你独自获胜。",
        "en": "You are the piper. Each night you charm others; when all others in play are charmed, you win alone.",
    },
    abilities=(
        Ability(name="piper", window="night", layer="charm", ask=_ask, use=_charm),
        Ability(name="charm_announcement", window="dawn", resolve=_announce),
        Ability(name="release", window="out", use=_release),
        Ability(name="gesture", window="aftermath", bond="muted", ask=_may_gesture, use=_gesture),
        Ability(name="piper_victory", window="victory", faction="piper", rank=2, wins=_wins),
    ),
    phrases={
        "charm": {"zh": "你迷惑了{seats}。", "en": "You charm {seats}."},
        "charmed": {"zh": "被吹笛者迷惑的有：{seats}。", "en": "Charmed by the piper: {seats}."},
        "gesture.nod": {"zh": "被问者点头：{seats}。", "en": "A nod in answer: {seats}."},
        "gesture.shake": {"zh": "被问者摇头：{seats}。", "en": "A shake of the head in answer: {seats}."},
        "gesture.none": {"zh": "被问者没有回应：{seats}。", "en": "No answer: {seats}."},
    },
    knobs=(
        Knob("piper.targets", 1, least=1),
        Knob("piper.charmed", "announced", values=("announced", "know_each_other")),
        flag("piper.mutes", False),
        flag("piper.lovers_immune", False),
        Knob("win.piper", "all_charmed", values=("all_charmed", "all_single_charmed")),
    ),
)
