"""The referee: a value and one function, ``step(state, decisions) -> state, events``.

What may live in this package: rules. What may not: I/O, clocks, randomness, prose, logging, the names of
roles. Chance has one place here, `deal`; every other draw would be a hash of (seed, label, day) whose
result is an event.

Theory of operation. What is left to do is data: the state carries an *agenda* of steps. `step` closes the
step that was waiting, with the decisions of the seats it asked, and then opens one step after the other
until somebody has to be asked, a part of the cycle begins, the night calls, or the game is over. Opening or
closing a step does three things only: it lets events happen (`Turn.emit`; only events change facts), it puts steps
on the front of the agenda (`Turn.push`), and it asks seats (`Turn.ask`). `STEPS` lists every step there is; the
course of a night is in `night.night_agenda`, that of a day in `day.day_agenda`.

One function, `legal`, says whether a decision is allowed and why not; everything else asks it.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from itertools import islice
from typing import Any

from arena.chance import shuffled
from arena.events import Began, Dealt, Event, Phase
from arena.knobs import Rules
from arena.referee import ballot, day, death, election, night, speech
from arena.referee.turn import Turn, holders, in_window
from arena.referee.victory import reached
from arena.roles import ROLES, WEREWOLVES
from arena.roles.ability import Dealing
from arena.ruleset import Ruleset, check_cards, listed, over_at_once
from arena.state import GameState, blank
from arena.terms import Decision, IllegalDecision, Request, Seat, Step, UnusableInput

Open = Callable[[Turn, Step], None]
Close = Callable[[Turn, Step, Mapping[Seat, Decision]], None]


def _phase(turn: Turn, step: Step) -> None:
    """A part of the cycle begins."""
    part = step.data[0]
    turn.emit(Phase(turn.state.day + (part == "night"), part))


STEPS: dict[str, tuple[Open, Close | None]] = {
    "phase": (_phase, None),
    # night
    "nightfall": (night.nightfall, None),
    "night": (night.call, night.called),
    "dawn": (night.dawn, None),
    # election
    "election": (election.election, election.stood),
    "withdraw": (election.withdraw, election.withdrew),
    "elect": (election.elect, None),
    "sheriff_result": (election.result, None),
    "sheriff_runoff": (election.runoff, None),
    "sheriff_runoff_result": (election.runoff_result, None),
    # outs
    "announce": (death.announce, None),
    "announce_day": (death.announce_day, None),
    "chained_out": (death.chained_out, None),
    "tie_out": (death.tie_out, None),
    "answers": (death.answers, None),
    "answer": (death.answer, death.answered),
    "words": (death.words, None),
    "badge": (death.badge, death.badge_passed),
    # speeches
    "speech": (speech.speech, speech.spoken),
    "speech_again": (speech.speech_again, speech.spoken),
    "last_words": (speech.last_words, speech.spoken),
    "aftermath": (speech.aftermath, speech.added),
    "window": (speech.window, speech.window_closed),
    "explosion": (speech.explosion, None),
    # discussion and votes
    "discussion": (day.discussion, day.order_chosen),
    "bids": (day.bids, day.bid),
    "vote": (day.vote, None),
    "ballot": (ballot.ballot, ballot.voted),
    "ballot_call": (ballot.call, ballot.called),
    "vote_result": (day.result, None),
    "decide": (day.decide, day.decided),
    "fate": (day.fate, day.fate_chosen),
    "runoff": (day.runoff, None),
    "runoff_result": (day.runoff_result, None),
}


_STOPS = {"phase", "night"}
"""Steps after which `step` returns, asked or not: its callers can then give each part, and each call, its time."""

_WITHIN_A_VOTE = {"ballot_call", "vote_result", "runoff_result", "sheriff_result", "sheriff_runoff_result", "decide"}
"""Steps before which nobody is red-carded: a vote that has begun is counted, and has its effect, first."""


DEALS = 1000
"""How many deals of a deck are tried before it is held to be unplayable."""


def deal(cards: Mapping[str, int], seed: int, rules: Rules) -> Dealing:
    """Shuffle `cards` and give one to each seat, from seat 1.

    Raises:
        UnusableInput: however the cards are dealt, the game would be over at once.
    """
    deals = next((ROLES[role].deals for role in sorted(cards) if cards[role] and ROLES[role].deals), None)
    if deals is None:
        return Dealing(tuple(shuffled([role for role in sorted(cards) for _ in range(cards[role])], seed, "deal")))
    for dealing in islice(deals(cards, WEREWOLVES, rules, seed), DEALS):
        if not over_at_once(Counter(dealing.seats), len(dealing.seats), rules):
            return dealing
    raise UnusableInput(f"cards: {listed(cards)}: the game would be over at once, whichever cards stay over")


def new_game(
    ruleset: Ruleset,
    roles: Sequence[str],
    seed: int,
    game: int = 1,
    protected: tuple[Seat, ...] = (),
    extra: tuple[str, ...] = (),
    draws: Mapping[str, Any] | None = None,
) -> tuple[GameState, list[Event]]:
    """A game in which `roles` lie at the seats, from seat 1, and `extra` cards beside them.

    `game` counts the games of a series; `protected` are the seats that can't be the first victim; `draws`
    fixes beforehand what chance would say, by the label of the draw.

    Raises:
        UnusableInput: an unknown role, a protected seat that isn't there, or a deal that would be over at once.
    """
    players = len(roles)
    deck = (*roles, *extra)
    cards = {role: deck.count(role) for role in sorted(set(deck))}
    check_cards(cards, len(deck), "cards")
    if any(not 1 <= seat <= players for seat in protected):
        raise UnusableInput(f"protected: {list(protected)}: seats go from 1 to {players}")
    turn = Turn(blank(ruleset.rules, ruleset.phrases, seed, game, players, extra, draws))
    facts = {role: _facts(role) for role in cards}
    turn.emit(Began(ruleset.id, dict(ruleset.title), players, cards, ruleset.rules, facts, protected))
    turn.emit(*(Dealt(seat, role) for seat, role in enumerate(roles, start=1)))
    for ability in in_window(turn.state, "deal"):
        turn.emit(*ability.tell(turn.state, holders(turn.state, ability, turn.state.in_play)))
    outcome = reached(turn.state)
    if outcome is not None:
        rule = f"win.{outcome.winner}: {outcome.reason}" if f"win.{outcome.winner}" in ruleset.rules else outcome.reason
        raise UnusableInput(f"cards: {listed(cards)}: the game would be over at once ({rule})")
    turn.state.agenda = night.night_agenda(turn.state)
    return turn.state, turn.events


def _facts(name: str) -> dict[str, object]:
    role = ROLES[name]
    return {
        "faction": role.faction,
        "kind": role.kind,
        "title": dict(role.title),
        "card": dict(role.card),
        "phrases": {key: dict(text) for key, text in role.phrases.items()},
    }


def step(
    state: GameState, decisions: Mapping[Seat, Decision], gone: tuple[Seat, ...] = ()
) -> tuple[GameState, list[Event]]:
    """Go on with the decisions of all seats that are being asked (none, where nobody is).

    `gone` are seats whose players can't play any more: they are red-carded, by day before the next step,
    by night at dawn. `state` is not changed.

    Raises:
        IllegalDecision: somebody has not decided, was not asked, or may not decide so.
    """
    if state.outcome is not None:
        raise IllegalDecision("the game is over")
    if len(decisions) != len(state.pending):
        raise IllegalDecision(f"asked: {[r.seat for r in state.pending]}; decided: {sorted(decisions)}")
    for request in state.pending:
        if request.seat not in decisions:
            raise IllegalDecision(f"seat {request.seat} has not decided")
        reason = legal(request, decisions[request.seat])
        if reason:
            raise IllegalDecision(f"seat {request.seat}: {request.topic}: {reason}")
    turn = Turn(state)
    if gone:
        turn.state.gone = (*state.gone, *(seat for seat in gone if seat not in state.gone))
    if state.pending:
        turn.state.pending = ()
        close = STEPS[state.current.name][1]
        assert close is not None
        close(turn, state.current, decisions)
    _advance(turn)
    return turn.state, turn.events


def _advance(turn: Turn) -> None:
    state = turn.state
    while state.outcome is None and not state.pending:
        if state.gone and state.agenda[0].name not in _WITHIN_A_VOTE:
            death.red_cards(turn)
            if state.outcome is not None:
                return
        state.current, state.agenda = state.agenda[0], state.agenda[1:]
        STEPS[state.current.name][0](turn, state.current)
        if state.current.name in _STOPS:
            return


def legal(request: Request, decision: Decision) -> str:
    """Why `decision` is not allowed by `request`, in one word; empty if it is.

    ``act`` (not among the choices), ``count`` (too few or too many seats), ``seats`` (not among those of
    the choice, or one twice), ``words`` (speech where none is heard), ``claims`` (about a seat that isn't there).
    """
    for choice in request.choices:
        if choice.act == decision.act:
            break
    else:
        return "act"
    seats = decision.seats
    if choice.seats:
        if not choice.least <= len(seats) <= choice.most:
            return "count"
        if len(seats) == 1:
            if seats[0] not in choice.seats:
                return "seats"
        elif not set(seats) <= set(choice.seats) or len(set(seats)) != len(seats):
            return "seats"
    elif seats:
        return "count"
    if decision.text or decision.claims:
        if not request.seconds:
            return "words"
        if any(not 1 <= seat <= request.table for claim in decision.claims for seat in claim.seats):
            return "claims"
    return ""
