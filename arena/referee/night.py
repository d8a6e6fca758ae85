"""The night: the steps are called in order, and what was done takes effect at dawn."""

from collections.abc import Mapping

from arena.events import Called
from arena.referee.day import day_agenda
from arena.referee.death import settle
from arena.referee.turn import Turn, holders, in_window
from arena.referee.victory import check_attack_first, check_stalemate
from arena.roles import ABILITIES, RESOLUTION, ROLES_WITH
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
    for name in state.rules["night_order"]:
        if not any(state.cards.get(role) for role in ROLES_WITH[name]):
            continue
        if ABILITIES[name].first_night and state.day:
            continue
        if groups and not ABILITIES[name].depends:
            groups[-1] = (*groups[-1], name)
        else:
            groups.append((name,))
    return (Step("phase", data=("night",)), *(Step("night", data=(names, 1)) for names in groups), Step("dawn"))


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
    check_attack_first(turn)


def dawn(turn: Turn, step: Step) -> None:
    """What was done in the night takes effect, in the order of the layers; then the day begins."""
    state = turn.state
    for ability in (*RESOLUTION, *in_window("dawn")):
        turn.emit(*ability.resolve(state))
    deaths: dict[Seat, tuple[str, ...]] = {seat: ("red_card",) for seat in state.gone if seat in state.in_play}
    for ability in RESOLUTION:
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
