"""The night: the steps are called in order, and what was done takes effect at dawn."""

from collections.abc import Mapping

from arena.events import Called, Out
from arena.referee.day import day_agenda
from arena.referee.death import put_out, settle
from arena.referee.turn import Turn, holders, in_window
from arena.referee.victory import check_stalemate, end, reached, won
from arena.roles import ABILITIES, ROLES_WITH, steps
from arena.roles.ability import Window, others
from arena.state import GameState
from arena.terms import Decision, Seat, Step


def nightfall(turn: Turn, step: Step) -> None:
    """The day is over; the next night begins."""
    check_stalemate(turn)
    if turn.state.outcome is None:
        turn.push(*night_agenda(turn.state))


def night_agenda(state: GameState) -> tuple[Step, ...]:
    """A night: its steps in order; neighbours that learn nothing of each other decide at the same time."""
    groups: list[tuple[str, ...]] = []
    for name in steps(state.rules):
        if not any(state.cards.get(role) for role in ROLES_WITH[name]):
            continue
        if ABILITIES[name].first_night and state.day:
            continue
        if groups and all(_beside(name, other) for other in groups[-1]):
            groups[-1] = (*groups[-1], name)
        else:
            groups.append((name,))
    return (Step("phase", data=("night",)), *(Step("night", data=(names, 1)) for names in groups), Step("dawn"))


def _beside(name: str, other: str) -> bool:
    """Whether the step `name` can be asked at the same time as the one before it, `other`."""
    apart = ABILITIES[name].depends or ABILITIES[name].apart or ABILITIES[other].apart
    return not apart and not ROLES_WITH[name] & ROLES_WITH[other]


def awake(state: GameState, name: str) -> tuple[Seat, ...]:
    """The seats that answer when a step is called. A seat whose player is gone is asked nothing more."""
    return tuple(seat for seat in holders(state, ABILITIES[name], state.in_play) if seat not in state.gone)


def call(turn: Turn, step: Step) -> None:
    """Call some steps of the night (`step.data`: their names, the round): tell first, then ask."""
    state = turn.state
    names, number = step.data
    for name in names:
        ability = ABILITIES[name]
        seats = awake(state, name)
        choices = ability.ask(state, seats) if seats else {}
        if number == 1:
            if choices or state.rules["call_all_steps"]:
                turn.emit(Called(name))
            if seats:
                turn.emit(*ability.tell(state, seats))
        if choices:
            turn.ask(name, choices, seconds=ability.seconds)


def called(turn: Turn, step: Step, decisions: Mapping[Seat, Decision]) -> None:
    """The choices of a step are made: the next round of talk, or its effect."""
    state = turn.state
    names, number = step.data
    for name in names:
        ability = ABILITIES[name]
        seats = awake(state, name)
        own = {seat: decisions[seat] for seat in seats if seat in decisions}
        if not own:
            continue
        turn.emit(*ability.talk(state, seats, own))
        if number < ability.rounds(state, seats):
            turn.push(Step("night", data=((name,), number + 1)))
        else:
            turn.take(ability.use(state, seats, own))
    _attack_first(turn)


def _attack_first(turn: Turn) -> None:
    """Let an attack that ends the game come before every power that would answer it (`wolf_attack_first`)."""
    state = turn.state
    rule = state.rules["wolf_attack_first"]
    victim = next(iter(others(state.marked("werewolves"), *state.marked("replaced"))), 0)
    if rule == "never" or not victim:
        return
    out = Out(victim, ("werewolves",), state.day, night=True)
    wins = _is_one_of_the_last_two(state, victim) if rule == "last_two" else _completes_the_win(state, out)
    if wins:
        put_out(turn, out, {}, announced=False)
        end(turn, won(state, "werewolves", "attack_first"))


def _is_one_of_the_last_two(state: GameState, victim: Seat) -> bool:
    """Whether nobody but `victim` and one of the werewolves is left; a victim that guards itself is not lost."""
    left = [state.kind(seat) and state.faction(seat) for seat in state.in_play if seat != victim]
    return left == ["werewolves"] and (victim, victim) not in state.marks.get("protected", ())


def _completes_the_win(state: GameState, out: Out) -> bool:
    """Whether the attack lands as the night stands now, and the werewolves have won with it."""
    trial = Turn(state)
    _resolve(trial)
    if is_stopped(trial.state, out.seat, ("protected",)):
        return False
    put_out(trial, out, {}, announced=False)
    outcome = reached(trial.state)
    return outcome is not None and outcome.winner == "werewolves"


ACTS: tuple[Window, ...] = ("night", "sequel")
"""The windows in which something is done that takes effect at dawn."""


def _resolve(turn: Turn) -> None:
    """Add what follows from the choices of the night, when all are known."""
    for ability in (*in_window(turn.state, *ACTS), *in_window(turn.state, "dawn")):
        turn.emit(*ability.resolve(turn.state))


def dawn(turn: Turn, step: Step) -> None:
    """What was done in the night takes effect, in the order of the layers; then the day begins."""
    state = turn.state
    _resolve(turn)
    deaths: dict[Seat, tuple[str, ...]] = {seat: ("red_card",) for seat in state.gone if seat in state.in_play}
    for ability in in_window(state, *ACTS):
        for seat in state.marked(ability.kills):
            if not is_stopped(state, seat, ability.stopped_by):
                deaths[seat] = (*deaths.get(seat, ()), ability.kills)
    settle(turn, deaths.items(), day=state.day, night=True, announced=False)
    if state.outcome is None:
        check_stalemate(turn)
    if state.outcome is None:
        turn.push(*day_agenda(state))


def is_stopped(state: GameState, seat: Seat, stopped_by: tuple[str, ...]) -> bool:
    """Whether something tonight keeps `seat` from going out."""
    helped = any(seat in state.marked(mark) for mark in stopped_by)
    return (helped and seat not in state.marked("unhelped")) or (bool(stopped_by) and seat in state.marked("scarred"))
