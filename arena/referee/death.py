"""Going out: settling, announcing, answering, last words, the badge of a dead sheriff, red cards."""

from collections.abc import Iterable, Mapping

from arena.events import Announced, Badge, Event, Out, RedCarded, Revealed
from arena.knobs import Rules
from arena.referee.turn import Turn, holders, in_window
from arena.referee.victory import check_end, waits
from arena.roles.ability import others, owing
from arena.state import GameState
from arena.terms import Choice, Decision, Seat, Step

AFTER_OUTS = (Step("answers"), Step("words"), Step("badge"))
"""What follows when outs have been announced: shots, last words, and then the badge."""

Causes = tuple[str, ...]
Deaths = Iterable[tuple[Seat, Causes]]
Decisions = Mapping[Seat, Decision]


def settle(turn: Turn, deaths: Deaths, *, day: int, night: bool, announced: bool) -> None:
    """Put seats out one by one, each with its causes, and look whether the game is over.

    In a sequential settlement the end is looked at after each, and nothing more is settled once it is
    reached. `announced`: whether the table sees it happen.
    """
    state = turn.state
    settled: list[Seat] = []
    reached = dict(deaths)
    for seat, causes in reached.items():
        settled += put_out(turn, Out(seat, causes, day, night), reached, announced=announced)
        if not waits(state):
            check_end(turn)
            if state.outcome is not None:
                return
    for ability in in_window(state, "death"):
        dead = holders(state, ability, tuple(settled), even_lost=True)
        if dead:
            turn.emit(*ability.tell(state, dead))
    check_end(turn)


def put_out(turn: Turn, out: Out, reached: Mapping[Seat, Causes], *, announced: bool) -> list[Seat]:
    """Put a seat out, and at the same time those that go with it. Returns them all, in this order.

    `reached`: the causes that have reached seats by themselves, which a seat that goes with another one keeps.
    """
    state = turn.state
    if out.seat not in state.in_play:
        return []
    turn.emit(out)
    if announced:
        turn.emit(*_announcement(state, (out.seat,)))
    seats = [out.seat]
    for ability in in_window(state, "out"):
        for item in ability.use(state, holders(state, ability, (out.seat,), even_lost=True), {}):
            if isinstance(item, Step):
                causes = (item.data[0], *reached.get(item.seat, ()))
                seats += put_out(turn, Out(item.seat, causes, out.day, out.night), reached, announced=announced)
            else:
                turn.emit(item)
    if announced:
        _tell_announced(turn, (out.seat,))
    return seats


def _tell_announced(turn: Turn, seats: tuple[Seat, ...]) -> None:
    """What must not be known before the table knows that `seats` are out."""
    for ability in in_window(turn.state, "announced"):
        turn.emit(*ability.tell(turn.state, holders(turn.state, ability, seats, even_lost=True)))


def _announcement(state: GameState, seats: tuple[Seat, ...]) -> list[Event]:
    events: list[Event] = [Announced(seats)]
    if state.rules["reveal_cards"]:
        events += [Revealed(seat, state.roles[seat]) for seat in seats if seat not in state.revealed]
    return events


def announce(turn: Turn, step: Step) -> None:
    """Tell the table who is out since the night began, in the order the rules say; perhaps nobody."""
    state = turn.state
    night = [out for out in state.outs if out.night and out.seat not in state.announced]
    if state.rules["announce_order"] == "seat":
        night.sort(key=lambda out: out.seat)
    else:
        night.sort(key=lambda out: _CAUSE_ORDER.get(out.cause, 0))
    turn.emit(*(RedCarded(out.seat) for out in night if out.cause == "red_card"))
    seats = tuple(out.seat for out in night)
    turn.emit(*_announcement(state, seats))
    _tell_announced(turn, seats)


def announce_day(turn: Turn, step: Step) -> None:
    """Tell the table who has gone out today and has not been announced."""
    state = turn.state
    seats = tuple(out.seat for out in state.outs if not out.night and out.seat not in state.announced)
    if seats:
        turn.emit(*_announcement(state, seats))
        _tell_announced(turn, seats)


_CAUSE_ORDER = {"poison": 1, "lover": 2}
"""Announced by cause: the attack's victim first, then the poisoned, then the lover."""


def chained_out(turn: Turn, step: Step) -> None:
    """A seat goes out through another one's out (`step.data`: cause, that seat), and takes its time."""
    cause, by = step.data
    first = turn.state.out(by)
    assert first is not None
    turn.push(Step("answers"))
    settle(turn, [(step.seat, (cause,))], day=first.day, night=first.night, announced=True)


def tie_out(turn: Turn, step: Step) -> None:
    """A seat goes out instead of the tied (`step.data`: the cause)."""
    turn.push(*AFTER_OUTS)
    settle(turn, [(step.seat, step.data)], day=turn.state.day, night=False, announced=True)


def answers(turn: Turn, step: Step) -> None:
    """Those who may answer their out do so, in the order in which they were announced."""
    waiting = owing(turn.state)
    turn.push(*(Step("answer", seat) for seat in turn.state.announced if seat in waiting))


def answer(turn: Turn, step: Step) -> None:
    """One seat may answer its out."""
    state = turn.state
    for ability in in_window(state, "death"):
        if state.note(step.seat, "owed") == ability.name:
            turn.ask(ability.name, ability.ask(state, (step.seat,)))


def answered(turn: Turn, step: Step, decisions: Decisions) -> None:
    """The answer takes effect; where the end waited for an answer that puts nobody out, look again."""
    state = turn.state
    owed = state.note(step.seat, "owed")
    ability = next(ability for ability in in_window(state, "death") if ability.name == owed)
    items = ability.use(state, (step.seat,), decisions)
    turn.take(items)
    if not any(isinstance(item, Step) for item in items):
        check_end(turn)


def words(turn: Turn, step: Step) -> None:
    """The next of those announced who is entitled to last words has them; the rest follow."""
    state = turn.state
    while state.words_considered < len(state.announced):
        seat = state.announced[state.words_considered]
        if has_last_words(state, seat):
            turn.push(Step("last_words", seat), step)
            return
        state.words_considered += 1


def has_last_words(state: GameState, seat: Seat) -> bool:
    """Whether an announced seat is offered last words."""
    rules = state.rules
    out = state.out(seat)
    if out is None or "red_card" in out.causes or seat in state.muted:
        return False
    if out.cause == "explode" and not rules["explode.last_words"]:
        return False
    if out.night and rules["explode.silences_dead"] and state.exploded_today:
        return False
    return _POLICIES[rules["last_words.policy"]](state, out)


def _by_quota(state: GameState, out: Out) -> bool:
    rules = state.rules
    if out.counts_as not in rules["last_words.entitled"]:
        return False
    quota = state.kinds.count("werewolf")
    before = state.announced[: state.announced.index(out.seat)]
    used = sum(_uses_a_place(other, rules) for other in state.outs if other.seat in before)
    return used < quota


def _uses_a_place(out: Out, rules: Rules) -> bool:
    """A red card uses none, whatever the list says."""
    return "red_card" not in out.causes and out.counts_as in rules["last_words.uses"]


def _first_night_and_day(state: GameState, out: Out) -> bool:
    return not out.night or out.day == 1


def _first_night_and_first_exile(state: GameState, out: Out) -> bool:
    exiled = next((other.seat for other in state.outs if other.cause == "exile"), 0)
    return (out.night and out.day == 1) or out.seat == exiled


def _none(state: GameState, out: Out) -> bool:
    return False


_POLICIES = {
    "quota": _by_quota,
    "first_night_and_day": _first_night_and_day,
    "first_night_and_first_exile": _first_night_and_first_exile,
    "none": _none,
}


def badge(turn: Turn, step: Step) -> None:
    """A sheriff who is out, or may not be sheriff any more, passes the badge, tears it or takes it along."""
    state = turn.state
    if not state.sheriff or state.sheriff not in (*state.announced, *state.barred):
        return
    if state.note(state.sheriff, "takes_badge"):
        turn.emit(Badge("removed"))
        return
    choices: tuple[Choice, ...] = (Choice("pass_badge", others(state.in_play, *state.barred)),)
    if state.rules["sheriff.succession"] == "pass_or_tear":
        choices = (Choice("tear"), *choices)
    turn.ask("badge", {state.sheriff: choices})


def badge_passed(turn: Turn, step: Step, decisions: Decisions) -> None:
    """The badge goes to another seat, or out of the game."""
    decision = decisions[turn.state.sheriff]
    turn.emit(Badge("passed", decision.seats[0]) if decision.seats else Badge("torn"))


def red_cards(turn: Turn) -> None:
    """By day, put out those in play whose players are gone, or who have been carded for conduct."""
    state = turn.state
    carded = tuple(seat for seat in state.gone if seat in state.in_play)
    if not carded or state.night:
        return
    turn.emit(*(RedCarded(seat) for seat in carded))
    settle(turn, [(seat, ("red_card",)) for seat in carded], day=state.day, night=False, announced=True)
    if state.outcome is None:
        turn.push(*AFTER_OUTS)
