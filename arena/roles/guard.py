"""Guard: watches over one seat each night, which the werewolves then can't put out."""

from arena.events import Acted, Event, Marked, Noted
from arena.knobs import Knob, flag
from arena.roles.ability import Ability, Choices, Decisions, Item, Role, Seats, choose, others, sequel
from arena.state import GameState
from arena.terms import Seat


def _used_up(state: GameState, guard: Seat) -> Seats:
    """The seats this guard may not watch tonight."""
    watched: Seats = state.note(guard, "watched") or ()
    if state.rules["guard.repeat"] == "once_per_target":
        return tuple(seat for seat in watched if seat)
    return watched[-1:]


def _ask(state: GameState, guards: Seats) -> Choices:
    refused = state.rules["guard.repeat_is"] == "refused"
    return {
        guard: choose("protect", others(state.in_play, *_used_up(state, guard)) if refused else state.in_play)
        for guard in guards
    }


def _use(state: GameState, guards: Seats, decisions: Decisions) -> list[Item]:
    """A void watch is remembered as last night's like any other, but protects nobody."""
    items: list[Item] = []
    for guard, decision in decisions.items():
        watched: Seats = state.note(guard, "watched") or ()
        target = decision.seats[0] if decision.seats else 0
        items.append(Noted(guard, "watched", (*watched, target)))
        if not target:
            continue
        items.append(Acted((guard,), guard, "protect", (target,)))
        if target not in _used_up(state, guard) and state.roles[target] not in state.rules["guard.cannot_protect"]:
            items.append(Marked(target, "protected", guard))
    if state.rules["guard.blocks_piper"] and state.cards.get("piper"):
        items.append(sequel("soundproof"))
    return items


def _clash(state: GameState) -> list[Event]:
    """Where guard and antidote undo each other, the victim both have reached is without help."""
    if state.rules["guard.with_antidote"] == "lives":
        return []
    both = set(state.marked("protected")) & set(state.marked("healed"))
    return [Marked(seat, "unhelped") for seat in sorted(both)]


def _may_soundproof(state: GameState, guards: Seats) -> Choices:
    return {
        guard: choose("soundproof", others(state.in_play, *(state.note(guard, "soundproofed") or ())))
        for guard in guards
    }


def _soundproof(state: GameState, guards: Seats, decisions: Decisions) -> list[Item]:
    """A second choice against a piper, each seat once in a game (A1)."""
    items: list[Item] = []
    for guard, decision in decisions.items():
        for seat in decision.seats:
            before: Seats = state.note(guard, "soundproofed") or ()
            items += [Acted((guard,), guard, "soundproof", (seat,)), Marked(seat, "soundproof", guard)]
            items.append(Noted(guard, "soundproofed", (*before, seat)))
    return items


ROLE = Role(
    name="guard",
    faction="village",
    side="gods",
    title={"zh": "守卫", "en": "Guard"},
    card={
        "zh": "你是守卫。每夜可以守护一人（包括自己），使其不被狼人袭击出局；守护挡不住毒药。",
        "en": "You are the guard. Each night you may watch over one seat, your own included: the werewolves can't "
        "put it out. Poison goes through.",
    },
    abilities=(
        Ability(name="guard", window="night", layer="protect", ask=_ask, use=_use, resolve=_clash),
        Ability(name="soundproof", window="sequel", layer="protect", ask=_may_soundproof, use=_soundproof),
    ),
    phrases={
        "protect": {"zh": "你守护了{seats}。", "en": "You watch over {seats}."},
        "soundproof": {"zh": "你让{seats}听不见笛声。", "en": "You stop the ears of {seats}."},
    },
    knobs=(
        Knob("guard.repeat", "not_consecutive", values=("not_consecutive", "once_per_target")),
        Knob("guard.repeat_is", "refused", values=("refused", "void")),
        Knob("guard.with_antidote", "dies", values=("dies", "lives")),
        Knob("guard.cannot_protect", (), among=("roles",)),
        flag("guard.blocks_piper", False),
    ),
)
