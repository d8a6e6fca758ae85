"""Whether the game is over, who has won, and by which rule."""

from collections.abc import Callable

from arena.events import Ended, Noted
from arena.referee.turn import Turn, holders, in_window
from arena.roles import ABILITIES
from arena.roles.ability import owing
from arena.state import GameState
from arena.terms import Outcome, Seat


def check_end(turn: Turn) -> None:
    """End the game if an end is reached. Where all is settled first, wait while a shot is owed."""
    state = turn.state
    if state.outcome is None and not (waits(state) and _shot_is_owed(state)):
        if state.rules["win.losing"] or state.rules["lovers.widow_kill"]:
            _note_losses(turn)
        outcome = reached(state)
        if outcome is not None:
            end(turn, outcome)


def _shot_is_owed(state: GameState) -> bool:
    """Whether somebody may still put out one of those in play; other answers change no end."""
    return bool(state.in_play) and any(ABILITIES[state.note(seat, "owed")].fires for seat in owing(state))


def _note_losses(turn: Turn) -> None:
    """Factions lose one by one and for good: by having nobody in play or, in A1, nobody left who is uncharmed."""
    state = turn.state
    new = [faction for faction in _factions(state) if faction not in state.lost and _has_lost(state, faction)]
    if new:
        turn.emit(Noted(0, "lost", (*state.lost, *new)))
        for ability in in_window(state, "loss"):
            turn.take(ability.use(state, holders(state, ability, state.in_play), {}))


def _factions(state: GameState) -> tuple[str, ...]:
    """The factions of the game, also those that all of their seats have left."""
    by_card = [state.role_facts[role]["faction"] for role in state.roles[1:]]
    return tuple(dict.fromkeys((*by_card, *state.factions[1:])))


def _has_lost(state: GameState, faction: str) -> bool:
    factions = state.factions
    own = tuple([seat for seat in state.in_play if factions[seat] == faction])
    if faction == "lovers":
        return not any(state.note(seat, "lover") for seat in own)
    if faction == "werewolves":
        own = tuple(seat for seat in own if state.kind(seat) == "werewolf")
    if state.rules["win.losing"] and faction in {"werewolves", "village"}:
        return all(state.note(seat, "charmed") for seat in own)
    return not own


def waits(state: GameState) -> bool:
    """Whether the end is looked at only when everything is settled."""
    return bool(state.rules["settlement"] == "simultaneous")


def end(turn: Turn, outcome: Outcome) -> None:
    """The game is over; nothing is left to do."""
    state = turn.state
    turn.emit(Ended(outcome.winner, outcome.reason, outcome.winners, state.roles[1:], state.outs))
    state.agenda = ()
    state.pending = ()


def reached(state: GameState) -> Outcome | None:
    """The first end that is met: nobody in play, factions of their own, the werewolves, the village, the last one."""
    if not state.in_play:
        return Outcome("draw", "nobody_left", ())
    lost = state.lost if state.rules["win.losing"] else ()
    for faction, rule in (
        *((ability.faction, ability.wins) for ability in in_window(state, "victory") if ability.wins),
        ("werewolves", _werewolves),
        ("village", _village),
    ):
        reason = "" if faction in lost else rule(state)
        if reason:
            return won(state, faction, reason)
    if state.rules["win.losing"]:
        left = [faction for faction in _factions(state) if faction not in lost]
        if len(left) == 1:
            return won(state, left[0], "last_standing")
    return None


def _werewolves(state: GameState) -> str:
    """The werewolves win only with a werewolf of their own in play; one among mixed lovers isn't counted."""
    own = tuple(s for s in state.in_play if state.kind(s) == "werewolf" and state.faction(s) == "werewolves")
    return _WEREWOLVES[state.rules["win.werewolves"]](state, own) if own else ""


def _village(state: GameState) -> str:
    rule: str = state.rules["win.village"]
    if rule == "last_standing" or any(state.kind(seat) == "werewolf" for seat in state.in_play):
        return ""
    evil = rule == "no_evil" and any(state.faction(seat) in {"lovers", "werewolves"} for seat in state.in_play)
    return "" if evil else rule


def won(state: GameState, faction: str, reason: str) -> Outcome:
    """All seats of `faction` win, in play or out."""
    winners = tuple(seat for seat in range(1, state.players + 1) if state.faction(seat) == faction)
    return Outcome(faction, reason, winners)


def _none_in_play(state: GameState, roles: tuple[str, ...]) -> bool:
    return not any(state.roles[seat] in roles for seat in state.in_play)


def _all(state: GameState, werewolves: tuple[Seat, ...]) -> str:
    return "all" if len(werewolves) == len(state.in_play) else ""


def _parity(state: GameState, werewolves: tuple[Seat, ...]) -> str:
    return "parity" if 2 * len(werewolves) >= len(state.in_play) else ""


def _side(state: GameState, werewolves: tuple[Seat, ...]) -> str:
    wiped_out = _none_in_play(state, state.rules["gods"]) or _civilians(state, werewolves)
    return "side" if wiped_out else ""


def _civilians(state: GameState, werewolves: tuple[Seat, ...]) -> str:
    """A seat may have become a civilian without having the card of one."""
    if not _none_in_play(state, state.rules["civilians"]):
        return ""
    return "" if any(state.note(seat, "civilian") for seat in state.in_play) else "civilians"


def _civilians_or_key_figures(state: GameState, werewolves: tuple[Seat, ...]) -> str:
    figures = tuple(role for role in state.rules["key_figures"].get(state.players, ()) if role in state.roles)
    if figures and _none_in_play(state, figures):
        return "key_figures"
    return _civilians(state, werewolves)


_WEREWOLVES: dict[str, Callable[[GameState, tuple[Seat, ...]], str]] = {
    "all": _all,
    "parity": _parity,
    "side": _side,
    "civilians": _civilians,
    "civilians_or_key_figures": _civilians_or_key_figures,
}


def check_stalemate(turn: Turn) -> None:
    """Draw the game when the last ``2 * stalemate_cycles`` phases, nights and days in a row, put nobody out."""
    state = turn.state
    limit = state.rules["stalemate_max_seats"]
    if limit and len(state.in_play) > limit:
        return
    last = max((_phase(out.day, out.night) for out in state.outs), default=0)
    if _phase(state.day, state.night) - last >= 2 * state.rules["stalemate_cycles"]:
        end(turn, Outcome("draw", "stalemate", ()))


def _phase(day: int, night: bool) -> int:
    """Nights and days counted in a row: night 1 is 1, day 1 is 2."""
    return 2 * day - night


def check_last_two(turn: Turn) -> None:
    """With two seats left when the discussion would begin, the sheriff's faction wins where the rules say so."""
    state = turn.state
    if state.rules["sheriff.wins_last_two"] and len(state.in_play) == 2 and state.sheriff in state.in_play:
        end(turn, won(state, state.faction(state.sheriff), "sheriff_last_two"))
