"""The day: its course, the order of speaking, and the exile vote."""

from collections.abc import Mapping

from arena.events import Exiled
from arena.referee.death import AFTER_OUTS, settle
from arena.referee.election import is_due
from arena.referee.speech import in_order, speeches
from arena.referee.turn import Turn, default, holders, in_window
from arena.referee.victory import check_last_two
from arena.roles.ability import others
from arena.state import GameState
from arena.terms import Choice, Decision, Seat, Step

Decisions = Mapping[Seat, Decision]
Seats = tuple[Seat, ...]

ELECTION = (Step("phase", data=("election",)), Step("election"))


def day_agenda(state: GameState) -> tuple[Step, ...]:
    """The course of the day that begins."""
    return (
        *(ELECTION if is_due(state, before_announcement=True) else ()),
        Step("phase", data=("announcement",)),
        Step("announce"),
        *AFTER_OUTS,
        Step("phase", data=("discussion",)),
        Step("discussion"),
        *(ELECTION if is_due(state, before_announcement=False) else ()),
        Step("phase", data=("vote",)),
        Step("vote"),
        Step("nightfall"),
    )


def discussion(turn: Turn, step: Step) -> None:
    """The discussion begins; a sheriff who chooses the order is asked first."""
    state = turn.state
    check_last_two(turn)
    if state.outcome is not None:
        return
    if state.rules["discussion.order"] == "sheriff_chooses" and state.sheriff:
        acts = ["self_left", "self_right"] + (["dead_left", "dead_right"] if last_dead(state) else [])
        choices = tuple(Choice(act) for act in acts)
        turn.ask("order", {state.sheriff: choices})
    else:
        _discuss(turn, *_start(state))


def order_chosen(turn: Turn, step: Step, decisions: Decisions) -> None:
    """The sheriff has chosen where the speeches start, and which way they go."""
    state = turn.state
    start, direction = decisions[state.sheriff].act.split("_")
    _discuss(turn, state.sheriff if start == "self" else last_dead(state), direction == "left")


def _discuss(turn: Turn, start: Seat, leftwards: bool) -> None:
    state = turn.state
    rounds = state.rules["discussion.rounds"]["first_day" if state.day == 1 else "later"]
    steps = speeches(turn, "speech", round_from(state, start, leftwards), rounds)
    if state.rules["discussion.mode"] == "bidding":
        steps = (Step("bids", data=(steps[:-1], ())), steps[-1])
    turn.push(*steps)


BIDS = (Choice("bid_1"), Choice("bid_2"), Choice("bid_3"), Choice("pass"))
"""How urgently a seat wants the word; more is more urgent."""


def bids(turn: Turn, step: Step) -> None:
    """Who wants the word? ``step.data``: the speeches in order, as many as may be made, and who has spoken."""
    speeches_in_order, spoken = step.data
    if len(spoken) < len(speeches_in_order):
        turn.ask("bid", dict.fromkeys(others(turn.state.in_play, *turn.state.silent), BIDS))


def bid(turn: Turn, step: Step, decisions: Decisions) -> None:
    """The most urgent has the word, of these the one that has spoken least, then the first in order."""
    speeches_in_order, spoken = step.data
    urgency = {seat: decision.act for seat, decision in decisions.items() if decision.act != "pass"}
    wanted = [speech for speech in speeches_in_order if speech.seat in urgency]
    if wanted:
        # `max` takes the first of equals, and acts sort by their number.
        speech = max(wanted, key=lambda speech: (urgency[speech.seat], -spoken.count(speech.seat)))
        turn.push(speech, Step("bids", data=(speeches_in_order, (*spoken, speech.seat))))


def _start(state: GameState) -> tuple[Seat, bool]:
    """From which seat the order goes, and whether to the left (clockwise)."""
    if state.rules["discussion.order"] == "alternate":
        leftwards = (state.day + state.game) % 2 == 0
        return state.sheriff or last_dead(state), leftwards
    return last_dead(state), True


def last_dead(state: GameState) -> Seat:
    """The last seat announced out this dawn, shots included; else the last one out of the day before; else 0."""
    tonight = {out.seat for out in state.outs if out.night and out.day == state.day}
    yesterday = {out.seat for out in state.outs if not out.night and out.day == state.day - 1}
    for seats in (tonight, yesterday):
        told = [seat for seat in state.announced if seat in seats]
        if told:
            return told[-1]
    return 0


def round_from(state: GameState, start: Seat, leftwards: bool) -> Seats:
    """The seats in play one after the other, from the neighbour of `start`, who comes last if in play.

    Without a seat to start from, seat 1 begins.
    """
    n = state.players
    step = 1 if leftwards else -1
    first = start + step if start else 1
    around = ((first - 1 + step * i) % n + 1 for i in range(n))
    return tuple(seat for seat in around if seat in state.in_play)


def vote(turn: Turn, step: Step) -> None:
    """All who may vote do so on all who may be voted for; one may vote for oneself."""
    state = turn.state
    turn.push(Step("ballot", data=("vote", in_order(state, "speech", votable(state)), voters(state), True)))


def votable(state: GameState) -> Seats:
    """The seats in play that have not lost their part in votes."""
    return others(state.in_play, *state.barred)


def voters(state: GameState) -> Seats:
    """Those of them that vote today: all, or those on a list that was made for this day."""
    named = state.note(0, f"may_vote_{state.day}")
    return tuple(seat for seat in votable(state) if named is None or seat in named)


def result(turn: Turn, step: Step) -> None:
    """The vote is counted (`step.data`: votes, leaders, targets): an exile, nobody, or a tie."""
    state = turn.state
    votes, leaders, _ = step.data
    if len(leaders) < 2:
        exile(turn, *leaders)
        return
    for ability in in_window(state, "tie"):
        instead = ability.use(state, holders(state, ability, state.in_play), {})
        if instead:
            turn.emit(Exiled(0))
            turn.take(instead)
            return
    rule = state.rules["sheriff.breaks_tie"] if state.sheriff else "never"
    if rule == "own_vote":
        choice = dict(votes).get(state.sheriff, 0)
        exile(turn, choice if choice in leaders else 0)
    elif rule == "decides":
        turn.push(Step("decide", data=(leaders,)))
    elif state.rules["vote.tie"] == "none":
        exile(turn)
    else:
        _run_off(turn, leaders)


def decide(turn: Turn, step: Step) -> None:
    """The sheriff chooses one of the tied, or nobody."""
    turn.ask("decide", {turn.state.sheriff: (Choice("exile", step.data[0]), Choice("pass"))})


def decided(turn: Turn, step: Step, decisions: Decisions) -> None:
    """The sheriff has decided a tie."""
    exile(turn, *decisions[turn.state.sheriff].seats)


def _run_off(turn: Turn, tied: Seats) -> None:
    """The tied speak again, in the order of before, and the others vote on them."""
    state = turn.state
    if not others(voters(state), *tied):
        exile(turn)
        return
    order = in_order(state, "speech", tied)
    turn.push(*speeches(turn, "speech_runoff", order), Step("runoff", data=order))


def runoff(turn: Turn, step: Step) -> None:
    """Those not tied vote on the tied (`step.data`)."""
    state = turn.state
    tied = tuple(seat for seat in step.data if seat in state.in_play)
    turn.push(Step("ballot", data=("runoff", tied, others(voters(state), *tied) if tied else (), False)))


def runoff_result(turn: Turn, step: Step) -> None:
    """The run-off is counted: an exile, nobody, or another run-off."""
    state = turn.state
    _, leaders, tied = step.data
    again = state.rules["vote.tie"] == "repeat" and state.runoffs < state.rules["vote.max_runoffs"]
    if len(leaders) == 1:
        exile(turn, leaders[0])
    elif again:
        _run_off(turn, leaders or tied)
    else:
        exile(turn)


def exile(turn: Turn, seat: Seat = 0) -> None:
    """The vote is against `seat`, or nobody (0)."""
    turn.emit(Exiled(seat))
    if seat:
        turn.push(Step("fate", seat))


def fate(turn: Turn, step: Step) -> None:
    """A seat the vote is against may have a way to stay. Where there is nothing to choose, it isn't asked."""
    state = turn.state
    for ability in in_window(state, "fate"):
        choices = ability.ask(state, holders(state, ability, (step.seat,)))
        if len(choices.get(step.seat, ())) == 1:
            turn.take(ability.use(state, (step.seat,), {step.seat: default(choices[step.seat])}))
            return
        turn.ask(ability.name, choices)
    if not state.pending:
        _put_out(turn, step.seat)


def fate_chosen(turn: Turn, step: Step, decisions: Decisions) -> None:
    """The seat stays, or goes after all."""
    if decisions[step.seat].act == "decline":
        _put_out(turn, step.seat)
        return
    for ability in in_window(turn.state, "fate"):
        turn.take(ability.use(turn.state, (step.seat,), decisions))


def _put_out(turn: Turn, seat: Seat) -> None:
    turn.push(*AFTER_OUTS)
    settle(turn, [(seat, ("exile",))], day=turn.state.day, night=False, announced=True)
