"""Ballots: who votes, simultaneous or called target by target, and the exact count in half-votes."""

from collections import Counter
from collections.abc import Mapping

from arena.events import Floor, Tallied, Voted, Votes
from arena.referee.turn import Turn
from arena.roles.ability import Choices, others
from arena.state import GameState
from arena.terms import Choice, Decision, Seat, Step

Decisions = Mapping[Seat, Decision]
Seats = tuple[Seat, ...]

ABSTAIN = Choice("pass")
WAIT = Choice("wait")


def ballot(turn: Turn, step: Step) -> None:
    """Vote on some seats. ``step.data``: name of the ballot, targets, voters, whether one may vote for oneself."""
    name, targets, voters, own_vote = step.data
    if turn.state.rules["vote.ballot"] == "by_target" and targets:
        turn.push(Step("ballot_call", targets[0], (name, targets, voters, own_vote, ())))
    else:
        turn.ask(name, _choices(turn, voters, targets, own_vote, ABSTAIN))
        if not voters:
            _close(turn, name, targets, ())


def _choices(turn: Turn, voters: Seats, targets: Seats, own_vote: bool, *more: Choice) -> Choices:
    targets = tuple(sorted(targets))
    everyone = (Choice("vote", targets), *more)
    choices: Choices = dict.fromkeys(voters, everyone)
    for voter in voters:
        spared = _spared(turn.state, voter, own_vote)
        if any(seat in targets for seat in spared):
            left = others(targets, *spared)
            choices[voter] = (Choice("vote", left), *more) if left else more
    return choices


def _spared(state: GameState, voter: Seat, own_vote: bool) -> Seats:
    """The seats that `voter` may not vote for."""
    lover = state.note(voter, "lover")
    loyal = (lover,) if lover and not state.rules["lovers.may_vote_each_other"] else ()
    return loyal if own_vote else (voter, *loyal)


def voted(turn: Turn, step: Step, decisions: Decisions) -> None:
    """All have voted at once; everybody sees all ballots."""
    name, targets, _, _ = step.data
    votes = tuple(sorted((seat, (d.seats or (0,))[0]) for seat, d in decisions.items()))
    turn.emit(Voted(name, votes))
    _close(turn, name, targets, votes)


def call(turn: Turn, step: Step) -> None:
    """One target is called; who has not decided yet names a seat for the whole call, abstains, or waits."""
    name, targets, voters, own_vote, votes = step.data
    turn.emit(Floor(step.seat, "call"))
    left = targets[targets.index(step.seat) :]
    waiting = tuple(voter for voter in voters if voter not in dict(votes))
    choices = _choices(turn, waiting, left, own_vote, *((WAIT,) if len(left) > 1 else ()), ABSTAIN)
    turn.ask(name, {voter: acts for voter, acts in choices.items() if acts[0] != ABSTAIN})
    if not turn.state.pending:
        called(turn, step, {})


def called(turn: Turn, step: Step, decisions: Decisions) -> None:
    """The hands raised for this target are seen by all before the next one is called."""
    name, targets, voters, own_vote, votes = step.data
    new = tuple((seat, (d.seats or (0,))[0]) for seat, d in sorted(decisions.items()) if d.act != WAIT.act)
    votes = (*votes, *new)
    turn.emit(Voted(name, tuple(sorted((seat, target) for seat, target in votes if target == step.seat))))
    following = targets[targets.index(step.seat) + 1 :]
    if following:
        turn.push(Step("ballot_call", following[0], (name, targets, voters, own_vote, votes)))
        return
    named = dict(votes)
    abstained = tuple((voter, 0) for voter in sorted(voters) if not named.get(voter))
    if abstained:
        turn.emit(Voted(name, abstained))
    _close(turn, name, targets, tuple(sorted((voter, named.get(voter, 0)) for voter in voters)))


def _close(turn: Turn, name: str, targets: Seats, votes: Votes) -> None:
    """Count: a vote is two half-votes, a sheriff's as many more as the rules say; only exact whole numbers."""
    state = turn.state
    tally: Counter[Seat] = Counter()
    for voter, target in votes:
        if target:
            tally[target] += int(2 * state.rules["sheriff.weight"]) if voter == state.sheriff else 2
    most = max(tally.values(), default=0)
    leaders = tuple(seat for seat in sorted(tally) if tally[seat] == most)
    turn.emit(Tallied(name, tuple(sorted(tally.items())), leaders))
    turn.push(Step(f"{name}_result", data=(votes, leaders, targets)))
