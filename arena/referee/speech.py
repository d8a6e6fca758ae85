"""Speeches, the windows beside them, and the explosion that cuts everything short."""

from collections.abc import Mapping
from typing import Literal

from arena.events import EVERYONE, Badge, Exploded, Floor, Ordered, Revealed, Said
from arena.referee.conduct import broken_by_claims, masked, warn
from arena.referee.death import AFTER_OUTS, settle
from arena.referee.turn import Turn, holders, in_window
from arena.roles.ability import SPEAK, Ability, Choices, others
from arena.state import GameState
from arena.terms import Decision, Seat, Step

Decisions = Mapping[Seat, Decision]


def speeches(turn: Turn, topic: str, order: tuple[Seat, ...], rounds: int = 1) -> tuple[Step, ...]:
    """Announce an order of speaking, and give the steps of its speeches with one more window at the end.

    Who may not speak is left out.
    """
    order = others(order, *turn.state.silent)
    turn.emit(Ordered(topic, order))
    seconds = turn.state.rules["discussion.seconds"]
    last_seconds = turn.state.rules["discussion.last_speaker_seconds"]
    return (
        *(
            Step("speech", seat, (topic, last_seconds if seat == order[-1] else seconds))
            for _ in range(rounds)
            for seat in order
        ),
        Step("window", data=(topic,)),
    )


def in_order(state: GameState, topic: str, seats: tuple[Seat, ...]) -> tuple[Seat, ...]:
    """`seats` in the order of the last speeches of `topic`, and behind them, by number, those that had none."""
    order = tuple(dict.fromkeys(state.orders.get(topic, ())))
    return tuple(sorted(seats, key=lambda seat: (order.index(seat) if seat in order else len(order), seat)))


def speech(turn: Turn, step: Step) -> None:
    """A seat has the floor (`step.data`: topic, seconds); beside it, others may take their chance."""
    topic, seconds = step.data
    if step.seat in turn.state.standing:
        _give_floor(turn, step.seat, topic, seconds)


def last_words(turn: Turn, step: Step) -> None:
    """A seat that is out speaks once more."""
    _give_floor(turn, step.seat, "last_words", turn.state.rules["discussion.seconds"])


def _give_floor(turn: Turn, seat: Seat, topic: str, seconds: int) -> None:
    """Ask the speaker, and beside it, in one batch, whoever may break in; a speaker breaks in on itself."""
    turn.emit(Floor(seat, topic))
    chances = _chances(turn)
    own = tuple(choice for _, choices in chances for choice in choices.pop(seat, ()) if choice.act != "pass")
    turn.ask(topic, {seat: SPEAK + own}, seconds=seconds)
    _ask_chances(turn, chances)


def _chances(turn: Turn) -> list[tuple[Ability, Choices]]:
    """Everything that may break into a speech now. A seat whose player is gone is not asked."""
    state = turn.state
    seats = others(state.standing, *state.gone)
    return [(ability, ability.ask(state, holders(state, ability, seats))) for ability in in_window(state, "speech")]


def _ask_chances(turn: Turn, chances: list[tuple[Ability, Choices]]) -> None:
    for ability, choices in chances:
        turn.ask(ability.name, choices, window=True)


def window(turn: Turn, step: Step) -> None:
    """One more chance after the last speech of `step.data`."""
    turn.emit(Floor(0, step.data[0]))
    _ask_chances(turn, _chances(turn))


def window_closed(turn: Turn, step: Step, decisions: Decisions) -> None:
    """The last chance is taken, or not."""
    _taken(turn, decisions)


def _taken(turn: Turn, decisions: Decisions) -> bool:
    """Whether a chance was taken; it comes before the speech it breaks into."""
    for ability in in_window(turn.state, "speech"):
        items = ability.use(turn.state, tuple(decisions), decisions)
        if items:
            turn.take(items)
            return True
    return False


def spoken(turn: Turn, step: Step, decisions: Decisions) -> None:
    """The speech is heard, unless somebody broke into it."""
    topic = step.data[0] if step.data else step.name
    if _taken(turn, decisions):
        return
    may_repeat = step.name != "speech_again" and step.seat not in turn.state.gone
    if not _heard(turn, step.seat, topic, decisions[step.seat], may_repeat=may_repeat):
        turn.push(Step("speech_again", step.seat, (topic, turn.state.rules["discussion.seconds"])))
    elif topic == "last_words":
        turn.state.words_considered += 1
    elif in_window(turn.state, "aftermath"):
        turn.push(Step("aftermath", step.seat))


def _heard(turn: Turn, seat: Seat, topic: str, decision: Decision, *, may_repeat: bool) -> bool:
    """Let a speech be heard, without what breaks the rules of conduct. Not, where it had better be repeated."""
    state = turn.state
    text, broken = masked(state, decision.text)
    forbidden = broken_by_claims(state, seat, topic, decision.claims)
    for rule in (*broken, *dict.fromkeys(forbidden.values())):
        warn(turn, seat, rule)
    if forbidden and may_repeat and seat not in state.gone:
        return False
    claims = tuple(claim for claim in decision.claims if claim not in forbidden) if forbidden else decision.claims
    turn.emit(Said(EVERYONE, seat, topic, text, claims))
    return True


def aftermath(turn: Turn, step: Step) -> None:
    """Some may add a word to the speech of `step.seat`; a word is no power that can be lost."""
    seats = others(turn.state.standing, step.seat, *turn.state.gone)
    for ability in in_window(turn.state, "aftermath"):
        choices = ability.ask(turn.state, holders(turn.state, ability, seats, even_lost=True))
        turn.ask(ability.name, choices, window=True, seconds=ability.seconds)


def added(turn: Turn, step: Step, decisions: Decisions) -> None:
    """What they add is heard, in the order of seats."""
    for ability in in_window(turn.state, "aftermath"):
        seats = holders(turn.state, ability, tuple(sorted(decisions)), even_lost=True)
        for seat in seats:
            if decisions[seat].act == "speak":
                _heard(turn, seat, ability.name, decisions[seat], may_repeat=False)
        turn.take(ability.use(turn.state, seats, {seat: decisions[seat] for seat in seats}))


def speech_again(turn: Turn, step: Step) -> None:
    """A speech with a forbidden claim is asked for once more; nobody else has heard the first one."""
    topic, seconds = step.data
    turn.ask(topic, {step.seat: SPEAK}, seconds=seconds)


def explosion(turn: Turn, step: Step) -> None:
    """A werewolf turns up its card and goes out, and the day ends: what is owed to the dead, then night.

    One that was put out by night and not yet announced keeps that out; it could not know.
    """
    state = turn.state
    turn.emit(Exploded(step.seat, state.topic), Revealed(step.seat, state.roles[step.seat]))
    if state.part == "election":
        turn.emit(Badge(_badge_after_explosion(turn)))
    night_untold = tuple(left for left in state.agenda if left.name == "announce")
    state.agenda = (*night_untold, Step("announce_day"), *AFTER_OUTS, Step("nightfall"))
    settle(turn, [(step.seat, ("explode",))], day=state.day, night=False, announced=False)


def _badge_after_explosion(turn: Turn) -> Literal["lost", "postponed"]:
    state = turn.state
    rule = state.rules["sheriff.explode_in_campaign"]
    again = sum(topic.startswith("campaign") for _, topic in state.explosions) > 1
    return "lost" if rule == "lost" or (rule == "next_day_then_lost" and again) else "postponed"
