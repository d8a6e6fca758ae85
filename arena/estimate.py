"""What a game will take of its endpoints, before anything is paid for: it is rehearsed with scripted players.

In the rehearsal scripts decide for the models, and each prompt that a model would be sent is written and measured.
How much of it an endpoint can have in its cache follows from the prompts themselves: the longest beginning that is,
byte for byte, that of an earlier one at the same endpoint.
"""

from bisect import bisect
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from rich.table import Table
from rich.text import Text as RichText

from arena.chance import draw
from arena.endpoint import Call, EndpointPlan
from arena.endpoint.size import tokens
from arena.events import Event, Views
from arena.players.model import Asks, Mind
from arena.players.player import Player, Script
from arena.seating import SeatPlan, make_players, mind_of
from arena.terms import Reply, Request
from arena.texts import texts
from arena.transcript import Header, Position, rerun
from arena.transcript.schema import LARGEST_SEED

GAMES = 3
"""Rehearsals; games differ in length by half."""

FRAME = 60
"""Tokens of an answer beside its words: keys, quotation marks, a claim or two."""

FILL = 0.6
"""How much of the room for thoughts and notes models are taken to use; scripts think in fewer words."""

Plans = Mapping[str, EndpointPlan]


@dataclass
class Load:
    """What one endpoint has to do in a game, about: calls and tokens. `cached` are among those of the prompts.

    `rounds` is how often it has to be waited for: calls for one moment of the game are made together.
    """

    calls: float = 0
    prompt: float = 0
    cached: float = 0
    completion: float = 0
    rounds: float = 0
    _sent: list[str] = field(default_factory=list, repr=False)

    def add(self, call: Call, reply: Reply, plan: EndpointPlan) -> None:
        """Count a call that is answered with `reply`."""
        prompt = f"{call.system}\x1f{call.user}"
        self.calls += 1
        self.prompt += tokens(prompt)
        # Of all earlier prompts, sorted, a neighbour has most in common with this one.
        place = bisect(self._sent, prompt)
        neighbours = self._sent[max(0, place - 1) : place + 1]
        self.cached += tokens(prompt[: max((_common(prompt, sent) for sent in neighbours), default=0)])
        self._sent.insert(place, prompt)
        self.completion += (
            FRAME + tokens(reply.thought) + tokens(reply.notes or "") + tokens(reply.decision.text) + plan.thinking
        )

    def usd(self, plan: EndpointPlan) -> float | None:
        """What it costs; None where nobody has said the prices."""
        price = plan.prices
        return price.of(round(self.prompt), round(self.cached), round(self.completion)) if price else None


def rehearse(header: Header, plans: Plans, games: int = GAMES) -> dict[str, Load]:
    """What each endpoint has to do in one game as in `header`, the mean of some rehearsals. `plans` are by name.

    Raises:
        UnusableInput: no game can begin so.
    """
    loads = {name: Load() for name in plans}
    for game in range(games):
        seed = draw(header.seed, "rehearsal", game) % (LARGEST_SEED + 1)
        _rehearsal(header.model_copy(update={"seed": seed}), plans, loads)
    for load in loads.values():
        for count in ("calls", "prompt", "cached", "completion", "rounds"):
            setattr(load, count, getattr(load, count) / games)
    return loads


def _rehearsal(header: Header, plans: Plans, loads: Mapping[str, Load]) -> None:
    for load in loads.values():
        load._sent.clear()
    models = {seat: plan for seat, plan in header.seats.items() if plan.model}
    minds = {seat: mind_of(seat, plan, header.lang, beliefs=header.beliefs) for seat, plan in models.items()}
    understudies = {seat: SeatPlan(persona=plan.persona) for seat, plan in header.seats.items()}
    players = make_players(understudies, header.seed, header.lang)
    position = rerun(header)
    views = Views(header.players)
    views.add(position.events)
    while position.state.outcome is None:
        asked = set()
        for request in position.waiting:
            reply = _decided(players[request.seat], views, request)
            if request.seat in minds:
                asked.add(_count(header, plans, minds[request.seat], views, request, reply, loads))
            position.replies[request.seat] = reply
        for name in asked & loads.keys():
            loads[name].rounds += 1
        views.add(_gone_on(position))


def _decided(player: Player, views: Views, request: Request) -> Reply:
    assert isinstance(player, Script)
    return player.answer(views.of(request.seat), request)


def _count(
    header: Header,
    plans: Plans,
    mind: Mind,
    views: Views,
    request: Request,
    reply: Reply,
    loads: Mapping[str, Load],
) -> str:
    """Count the call that a model would make, if it would make one; the name of its endpoint, or nothing."""
    view = views.of(request.seat)
    mind.read(view)
    if mind.answer(view, request) is not None:
        return ""
    name = header.seats[request.seat].model or ""
    plan = plans[name]
    reply = _wordier(reply, mind.asks(request, plan.context))
    call, _ = mind.call(request, mind.first_terms(request, plan.context), plan.context)
    loads[name].add(call, reply, plan)
    mind.remember(reply)
    return name


def _wordier(reply: Reply, asks: Asks) -> Reply:
    """`reply` with as long a thought and notebook as a model may have."""
    filler = "想一想" if asks.lang == "zh" else "let me see "
    thought, notes = ((filler * length)[: round(FILL * length)] for length in (asks.thought, asks.notes))
    return replace(reply, thought=thought, notes=notes)


def _gone_on(position: Position) -> Sequence[Event]:
    before = len(position.events)
    position.go_on()
    return position.events[before:]


def _common(one: str, other: str) -> int:
    """How many characters two texts have in common at their beginning."""
    least, most = 0, min(len(one), len(other))
    while least < most:
        middle = (least + most + 1) // 2
        if one[:middle] == other[:middle]:
            least = middle
        else:
            most = middle - 1
    return least


def estimate_table(header: Header, plans: Plans, loads: Mapping[str, Load]) -> Table:
    """The estimate as a table for the terminal, in the language of the game."""
    words = texts(header.lang, "endpoints")["estimate"]
    shown = Table(title=RichText(words["title"].format(games=GAMES)))
    shown.add_column(words["endpoint"])
    for column in ("seats", "calls", "prompt", "cached", "completion", "usd"):
        shown.add_column(words[column], justify="right")
    for name, load in loads.items():
        seats = sum(plan.model == name for plan in header.seats.values())
        usd = load.usd(plans[name])
        cost = words["unknown"] if usd is None else f"{usd:.4f}"
        share = load.cached / load.prompt if load.prompt else 0
        cells = (seats, round(load.calls), round(load.prompt), f"{share:.0%}", round(load.completion), cost)
        shown.add_row(RichText(name), *map(str, cells))
    return shown
