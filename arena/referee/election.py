"""The election of a sheriff: standing, campaign speeches, withdrawal, ballot, run-off."""

from collections.abc import Mapping

from arena.events import Badge, Stood, Withdrew
from arena.referee.speech import in_order, speeches
from arena.referee.turn import Turn
from arena.roles.ability import others
from arena.state import GameState
from arena.terms import Choice, Decision, Seat, Step

Decisions = Mapping[Seat, Decision]

STAND = (Choice("stand"), Choice("pass"))
WITHDRAW = (Choice("withdraw"), Choice("pass"))


def eligible(state: GameState) -> tuple[Seat, ...]:
    """The seats that may stand and vote: as far as the table has been told, in play and with a voice in votes."""
    return others(state.standing, *state.barred)


def is_due(state: GameState, *, before_announcement: bool) -> bool:
    """Whether today's course holds an election before the announcement, or after the discussion."""
    when = state.rules["sheriff.election"]
    return state.election_open and state.day >= when["day"] and when["before_announcement"] == before_announcement


def election(turn: Turn, step: Step) -> None:
    """Ask who stands; where everyone is a candidate, go straight to the ballot."""
    state = turn.state
    if state.rules["sheriff.candidates"] == "everyone":
        turn.emit(Stood(eligible(state)))
        turn.push(Step("elect"))
    else:
        turn.ask("stand", dict.fromkeys(eligible(state), STAND))


def stood(turn: Turn, step: Step, decisions: Decisions) -> None:
    """The candidates are shown; several of them speak, by number, upwards and downwards by turns in a series."""
    state = turn.state
    turn.emit(Stood(tuple(seat for seat in sorted(decisions) if decisions[seat].act == "stand")))
    if len(state.stood) > 1:
        order = state.stood if state.game % 2 else state.stood[::-1]
        withdrawal = (Step("withdraw"),) if state.rules["sheriff.may_withdraw"] else ()
        turn.push(*speeches(turn, "campaign", order), *withdrawal, Step("elect"))
    else:
        turn.push(Step("elect"))


def withdraw(turn: Turn, step: Step) -> None:
    """Ask the candidates whether they withdraw."""
    state = turn.state
    turn.ask("withdraw", dict.fromkeys((seat for seat in state.stood if seat in state.standing), WITHDRAW))


def withdrew(turn: Turn, step: Step, decisions: Decisions) -> None:
    """Those who withdrew are shown."""
    seats = tuple(seat for seat in sorted(decisions) if decisions[seat].act == "withdraw")
    if seats:
        turn.emit(Withdrew(seats))


def candidates(state: GameState) -> tuple[Seat, ...]:
    """The seats that stand and have not withdrawn."""
    return tuple(seat for seat in state.stood if seat in state.standing and seat not in state.withdrew)


def electors(state: GameState) -> tuple[Seat, ...]:
    """The seats that vote in the election: all, or those who never stood."""
    if state.rules["sheriff.electors"] == "all":
        return eligible(state)
    return others(eligible(state), *state.stood)


def elect(turn: Turn, step: Step) -> None:
    """A single candidate is elected unopposed; several are voted on, if anybody may vote."""
    state = turn.state
    standing = candidates(state)
    if len(standing) == 1:
        turn.emit(Badge("unopposed", standing[0]))
    elif standing and electors(state):
        targets = in_order(state, "campaign", standing)
        turn.push(Step("ballot", data=("sheriff", targets, electors(state), False)))
    else:
        _nobody(turn)


def _nobody(turn: Turn) -> None:
    again = turn.state.rules["sheriff.tie"] == "runoff_then_next_day"
    turn.emit(Badge("postponed" if again else "none"))


def result(turn: Turn, step: Step) -> None:
    """Somebody is elected, nobody voted, or the leaders are tied (`step.data`: votes, leaders, targets)."""
    state = turn.state
    _, leaders, _ = step.data
    if len(leaders) == 1:
        turn.emit(Badge("elected", leaders[0]))
    elif not leaders:
        _nobody(turn)
    elif state.rules["sheriff.tie"] == "none":
        turn.emit(Badge("lost"))
    else:
        order = in_order(state, "campaign", leaders)
        voters = electors(state)
        if state.rules["sheriff.runoff_electors"] == "all_but_tied":
            voters = others(eligible(state), *leaders)
        turn.push(*speeches(turn, "campaign_runoff", order), Step("sheriff_runoff", data=(order, voters)))


def runoff(turn: Turn, step: Step) -> None:
    """The tied are voted on again (`step.data`: they, the voters), of both those that still sit at the table."""
    tied, voters = (tuple(seat for seat in seats if seat in turn.state.standing) for seats in step.data)
    if len(tied) == 1:
        turn.emit(Badge("unopposed", tied[0]))
    else:
        turn.push(Step("ballot", data=("sheriff_runoff", tied, voters if tied else (), False)))


def runoff_result(turn: Turn, step: Step) -> None:
    """The run-off elects somebody, or is tied too; without any vote it counts as tied."""
    _, leaders, _ = step.data
    if len(leaders) == 1:
        turn.emit(Badge("elected", leaders[0]))
    else:
        again = turn.state.rules["sheriff.tie"] == "runoff_then_next_day"
        turn.emit(Badge("postponed" if again else "lost"))
