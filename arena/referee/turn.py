"""One step of the referee in progress: the only place where a state is changed."""

from collections.abc import Iterable, Mapping

from arena.events import Event
from arena.roles import ROLES_WITH, abilities_of
from arena.roles.ability import Ability, Item, Window
from arena.state import GameState, apply
from arena.terms import PASS, Choice, Decision, Request, Seat, Step


class Turn:
    """A state of its own, changed event by event, and the events so far."""

    def __init__(self, state: GameState) -> None:
        self.state = state.copy()
        self.events: list[Event] = []

    def emit(self, *events: Event) -> None:
        """Let `events` happen."""
        self.events += events
        for event in events:
            apply(self.state, event)

    def push(self, *steps: Step) -> None:
        """Put `steps` on the front of the agenda, in this order."""
        self.state.agenda = (*steps, *self.state.agenda)

    def take(self, items: Iterable[Item]) -> None:
        """Let the events among `items` happen, and put the steps among them on the front of the agenda."""
        steps = []
        for item in items:
            if isinstance(item, Step):
                steps.append(item)
            else:
                self.emit(item)
        if steps:
            self.push(*steps)

    def ask(
        self,
        topic: str,
        choices: Mapping[Seat, tuple[Choice, ...]],
        *,
        window: bool = False,
        seconds: int = 0,
    ) -> None:
        """Ask each seat of `choices`, beside whoever is being asked already.

        Who doesn't answer passes; where that is not among the choices, the first choice counts, with the
        first seats it may name.
        """
        if not choices:
            return
        state = self.state
        asked = list(state.asked)
        requests = []
        table = state.players
        shared: tuple[Choice, ...] = ()
        answer = PASS
        for seat, legal in choices.items():
            if legal is not shared:
                shared, answer = legal, default(legal)
            asked[seat] = n = asked[seat] + 1
            requests.append(Request(seat, n, topic, legal, answer, window, seconds, table))
        state.asked = tuple(asked)
        state.pending += tuple(requests)


def default(choices: tuple[Choice, ...]) -> Decision:
    """What counts when no usable answer comes."""
    for choice in choices:
        if choice.act == "pass":
            return PASS
    return Decision(choices[0].act, choices[0].seats[: choices[0].least])


def holders(
    state: GameState, ability: Ability, seats: tuple[Seat, ...], *, even_lost: bool = False
) -> tuple[Seat, ...]:
    """Those of `seats` that hold `ability`: by a bond, or by their card, unless its power is lost.

    `even_lost`: those whose power is lost as well; they go out with what their card brings.
    """
    notes = state.notes
    if bond := ability.bond:
        return tuple([seat for seat in seats if notes.get((seat, bond))])
    if unless := ability.unless:
        seats = tuple([seat for seat in seats if not notes.get((seat, unless))])
    roles = ROLES_WITH[ability.name]
    if not even_lost and (lost := state.powers_lost):
        roles = roles.difference(lost)
    dealt = state.roles
    return tuple([seat for seat in seats if dealt[seat] in roles])


def in_window(state: GameState, *windows: Window) -> tuple[Ability, ...]:
    """What the cards of this game can do in `windows`, in the order in which it takes effect."""
    return abilities_of(state.deck, *windows)
