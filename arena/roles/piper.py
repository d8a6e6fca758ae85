"""Piper: charms seats night by night, and wins when all others are charmed."""

from arena.events import EVERYONE, Acted, Event, Learned, Marked, Noted
from arena.knobs import Knob, flag
from arena.roles.ability import Ability, Choices, Decisions, Item, Role, Seats, others
from arena.state import GameState
from arena.terms import Choice


def _ask(state: GameState, pipers: Seats) -> Choices:
    seats = others(state.in_play, *pipers)
    charm = (Choice("charm", seats, 1, state.rules["piper.targets"]),) if seats else ()
    return dict.fromkeys(pipers, (*charm, Choice("pass")))


def _pipe(state: GameState, pipers: Seats, decisions: Decisions) -> list[Item]:
    items: list[Item] = []
    for piper, decision in decisions.items():
        if decision.seats:
            items.append(Acted((piper,), piper, "charm", decision.seats))
            items += [Marked(seat, "piped", piper) for seat in decision.seats]
    return items


def _charm(state: GameState) -> list[Event]:
    """Lovers may be immune, and a guard may have stopped their ears; the piper doesn't learn of either."""
    immune = state.rules["piper.lovers_immune"]
    tonight = tuple(
        seat
        for seat in sorted(set(state.marked("piped")))
        if seat not in state.marked("soundproof") and not (immune and state.note(seat, "lover"))
    )
    if not tonight:
        return []
    events: list[Event] = [Noted(seat, "charmed", True) for seat in tonight]
    if state.rules["piper.mutes"]:
        events += [Noted(seat, "muted", True) for seat in tonight]
    charmed = tuple(seat for seat in state.in_play if seat in tonight or state.note(seat, "charmed"))
    know_each_other = state.rules["piper.charmed"] == "know_each_other"
    return [*events, Learned(charmed, "charmed", charmed) if know_each_other else Learned(EVERYONE, "charmed", tonight)]


def _release(state: GameState, pipers: Seats) -> list[Event]:
    """With the piper out, the charmed have their voices back; not before the table may know why."""
    return [Noted(seat, "muted", False) for seat in state.muted] if pipers else []


def _may_gesture(state: GameState, muted: Seats) -> Choices:
    """A charmed seat that was asked a question by the speech just heard."""
    claims = state.heard.claims if state.heard else ()
    asked = {seat for claim in claims if claim.about == "asks" for seat in claim.seats}
    if not asked:
        return {}
    gestures = (Choice("nod"), Choice("shake"), Choice("pass"))
    return dict.fromkeys((seat for seat in muted if seat in asked), gestures)


def _gesture(state: GameState, muted: Seats, decisions: Decisions) -> list[Item]:
    assert state.heard is not None
    asker = state.heard.seat
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
        "zh": "你是吹笛者。每夜迷惑别人；该迷惑的人都被迷惑时，你独自获胜。",
        "en": "You are the piper. Each night you charm others; once all who have to be are charmed, you win alone.",
    },
    abilities=(
        Ability(name="piper", window="night", layer="charm", ask=_ask, use=_pipe, resolve=_charm),
        Ability(name="release", window="announced", tell=_release),
        Ability(name="gesture", window="aftermath", bond="muted", ask=_may_gesture, use=_gesture),
        Ability(name="piper_victory", window="victory", faction="piper", rank=2, wins=_wins),
    ),
    phrases={
        "charm": {"zh": "你迷惑了{seats}。", "en": "You charm {seats}."},
        "charmed": {"zh": "被吹笛者迷惑的有：{seats}。", "en": "Charmed by the piper: {seats}."},
        "gesture.nod": {"zh": "{seat}点头。", "en": "{seat} answers with a nod."},
        "gesture.shake": {"zh": "{seat}摇头。", "en": "{seat} answers with a shake of the head."},
        "gesture.none": {"zh": "{seat}没有回应。", "en": "{seat} gives no answer."},
    },
    knobs=(
        Knob("piper.targets", 1, values=(1, 2)),
        Knob("piper.charmed", "announced", values=("announced", "know_each_other")),
        flag("piper.mutes", False),
        flag("piper.lovers_immune", False),
        Knob("win.piper", "all_charmed", values=("all_charmed", "all_single_charmed")),
    ),
)
