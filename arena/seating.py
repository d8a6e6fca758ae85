"""Who sits at a table: seats files, and the players made from them."""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StrictInt, ValidationError, field_validator

from arena.chance import draw, shuffled
from arena.endpoint import EndpointPlan, Endpoints, Sampling, completed, load_endpoints, resolve
from arena.events import Began
from arena.explain import explain
from arena.mistakes import complaint
from arena.names import check_name
from arena.personas import load_persona, persona_ids
from arena.players.model import Journal, Mind, ModelPlayer, PublicRecord
from arena.players.player import Past, Player
from arena.players.random import RandomPlayer
from arena.players.scripted import ScriptedPlayer
from arena.ruleset import MOST_SEATS, Ruleset, check_setup, load_ruleset, spares
from arena.strict_yaml import flow, parse_yaml, quoted, read_yaml
from arena.terms import SPECTATOR, Lang, Seat, UnusableInput, record
from arena.texts import texts

DEFAULT_RULESET = "duskwald"
DEFAULT_PLAYERS = 9
ALLOWED = "scripted, random, {scripted: PERSONA}, {human: NAME}, {model: NAME, persona: …, sampling: …}"
"""What a seats file can say about a seat."""


class SeatPlan(BaseModel):
    """Who plays a seat: the kind of player, a persona that gives it a voice, its name at a table of people.

    A `model` is named as among the endpoints of the table, and its `sampling` says how it chooses its words.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    player: Literal["scripted", "random", "human", "model"] = "scripted"
    persona: str | None = None
    name: str | None = None
    model: str | None = None
    sampling: Sampling | None = None


Outage = Literal["default", "halt"]
"""What happens when an endpoint doesn't answer: the default of its request counts, or the game stops to be resumed."""


Absent = Literal["stand_in", "default", "red_card"]
"""What happens to the seat of a person who is away: a scripted player decides until they return, the default of each
question counts, or they are out."""


ShowPlayers = Literal["after", "always"]
"""When it is shown who plays which seat at a table of people."""


class Clock(BaseModel):
    """How long people are given.

    `seconds` for each question, and for a speech those of the ruleset; by default as long as they like. `pace` is how
    fast the game goes on beside them: 1 as fast as people read, 2 twice as fast, 0 without waiting for readers.
    At a table of the dashboard, `night` is how many seconds every step of a night takes, whoever is there to answer,
    and after so many `misses` in a row a person counts as away.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    seconds: int | None = Field(default=None, ge=1)
    pace: float = Field(default=1, ge=0, le=100)
    night: float = Field(default=30, gt=0, le=600)
    misses: int = Field(default=2, ge=1)


class Seating(BaseModel):
    """What a seats file says; every key may be left out. Without `seats`, scripted players sit everywhere.

    `players` is the number of seats, by default as many as there are in `seats`, or as the `cards` are for;
    `rules` sets knobs of the `ruleset` differently. `endpoints` are known beside those of the working folder;
    `budget_usd` is what the game may cost; `beliefs` asks models how likely each seat is a werewolf, with each vote;
    `clock` is for people, `absent` what happens when one of them is away, and `out_sees` what those may see who are
    out and owed nothing more: the public view, or all of the game. `show_players` says whether all may know during a
    game in which people play who plays which seat, or only afterwards.
    """

    model_config = ConfigDict(extra="forbid")

    ruleset: str = DEFAULT_RULESET
    players: int | None = Field(default=None, ge=1, le=MOST_SEATS)
    language: Lang = "zh"
    cards: dict[str, StrictInt] = {}
    rules: dict[str, Any] = {}
    seats: dict[Seat, SeatPlan] = {}
    endpoints: dict[str, EndpointPlan] = {}
    budget_usd: float | None = Field(default=None, ge=0)
    outage: Outage = "default"
    beliefs: bool = False
    clock: Clock = Clock()
    absent: Absent = "stand_in"
    out_sees: Literal["public", "god"] = "public"
    show_players: ShowPlayers = "after"

    @field_validator("endpoints", mode="before")
    @classmethod
    def _with_presets(cls, given: Any) -> Any:
        return completed(given)

    @field_validator("seats", mode="before")
    @classmethod
    def _one_by_one(cls, given: Any) -> dict[Seat, SeatPlan]:
        if not isinstance(given, Mapping):
            raise UnusableInput(f"seats: a mapping from seats, as 4 or 5-9, to one of {ALLOWED}")
        seats: dict[Seat, SeatPlan] = {}
        for key, player in given.items():
            try:
                plan = _plan(player)
            except UnusableInput as error:
                raise UnusableInput(f"seats: {key}: {error}") from None
            except ValidationError as error:
                raise UnusableInput(f"seats: {key}: {complaint(error, SeatPlan)}") from None
            for seat in _range(key):
                if seat in seats:
                    raise UnusableInput(f"seats: {key}: seat {seat} is given twice")
                seats[seat] = plan
        return seats

    def overridden(self, **options: Any) -> "Seating":
        """This seating with `options`, named as the keys of a seats file, going before it; None says nothing."""
        given = {key: value for key, value in options.items() if value is not None}
        return self.model_copy(update={**given, "rules": {**self.rules, **given.get("rules", {})}})


@record
class Sitting:
    """A table that is complete: the rules with all overrides, the cards, and a plan for each seat."""

    ruleset: Ruleset
    cards: dict[str, int]
    seats: dict[Seat, SeatPlan]
    lang: Lang
    endpoints: dict[str, EndpointPlan]
    seating: Seating


def _range(key: object) -> range:
    """The seats that a key of a seats file means: ``4``, or ``5-9``."""
    match = re.fullmatch(r"([1-9]\d?)(?:-([1-9]\d?))?", str(key))
    first, last = (int(match[1]), int(match[2] or match[1])) if match else (1, 0)
    if first > last:
        raise UnusableInput(f"seats: {quoted(key)} is no seat; write 4 for one, 5-9 for several")
    return range(first, last + 1)


def _plan(player: object) -> SeatPlan:
    match player:
        case SeatPlan():
            return player
        case "scripted" | "random":
            return SeatPlan(player=player)
        case {"scripted": str(persona), **rest} if not rest:
            return SeatPlan(player="scripted", persona=load_persona(persona).id)
        case {"human": str(name), **rest} if not rest:
            check_name(name)
            return SeatPlan(player="human", name=name)
        case {"model": str(model), **rest} if not rest.keys() - {"persona", "sampling"}:
            named = rest.get("persona")
            if named is not None:
                load_persona(named if isinstance(named, str) else flow(named))
            return SeatPlan.model_validate({"player": "model", "model": model, **rest})
    raise UnusableInput(f"{quoted(player)} is no player; allowed: {ALLOWED}")


def load_seating(path: Path) -> Seating:
    """Read a seats file.

    Raises:
        UnusableInput: it can't be read or does not fit; names the file, the place and what is allowed there.
    """
    try:
        data = read_yaml(path)
    except UnusableInput as error:
        raise UnusableInput(f"{path}: {error}") from None
    known = ", ".join(Seating.model_fields)
    if not isinstance(data, dict):
        raise UnusableInput(f"{path}: a seats file is a mapping with some of the keys {known}")
    try:
        return Seating.model_validate(data)
    except ValidationError as error:
        raise UnusableInput(f"{path}: {complaint(error, Seating)}") from None
    except UnusableInput as error:
        raise UnusableInput(f"{path}: {error}") from None


def read_cards(text: str) -> dict[str, int]:
    """The cards in ``werewolf=3,seer=1``.

    Raises:
        UnusableInput: it isn't written so.
    """
    pairs = [part.strip().partition("=") for part in text.split(",")]
    if not all(role and number.isdecimal() for role, _, number in pairs):
        raise UnusableInput(f"--cards {text}: write ROLE=NUMBER,ROLE=NUMBER,…")
    cards = {role: int(number) for role, _, number in pairs}
    if len(cards) < len(pairs):
        raise UnusableInput(f"--cards {text}: a role is given twice")
    return cards


def read_rules(texts: Iterable[str]) -> dict[str, Any]:
    """The knobs in ``key=value``, each value as in a ruleset file.

    Raises:
        UnusableInput: one isn't written so.
    """
    rules = {}
    for text in texts:
        key, equals, value = text.partition("=")
        if not equals:
            raise UnusableInput(f"--rule {text}: write KEY=VALUE, the value as in a ruleset file")
        try:
            rules[key] = parse_yaml(value)
        except UnusableInput as error:
            raise UnusableInput(f"--rule {text}: write KEY=VALUE, the value as in a ruleset file: {error}") from None
    return rules


def sit_down(seating: Seating, model: str | None = None, human: Seat | None = None) -> Sitting:
    """Complete `seating` from its ruleset; where it names no seats, `model` plays them, or scripted players do.

    A person takes the seat `human`, whoever was to play it.

    Raises:
        UnusableInput: an unknown ruleset, knob or role, a number of players without setup, cards or seats
            that don't go with the number of players, a model nobody knows.
    """
    try:
        ruleset = load_ruleset(seating.ruleset)
    except UnusableInput as error:
        raise UnusableInput(f"ruleset: {error}") from None
    ruleset = ruleset.with_rules(seating.rules, "rules")
    needed = max(sum(seating.cards.values()) - spares(seating.cards, ruleset.rules), 0)
    players = seating.players or max(seating.seats, default=0) or needed
    if not players:
        players = DEFAULT_PLAYERS if DEFAULT_PLAYERS in ruleset.setups else min(ruleset.setups, default=0)
    cards = seating.cards or ruleset.cards(players)
    check_setup(cards, players, ruleset.rules, "cards", seating.rules)
    everywhere = SeatPlan(player="model", model=model) if model else SeatPlan()
    seats = seating.seats or dict.fromkeys(range(1, players + 1), everywhere)
    if max(seats) > players:
        raise UnusableInput(f"seats: {max(seats)}: there are only {players} seats")
    for seat in range(1, players + 1):
        if seat not in seats:
            raise UnusableInput(f"seats: nobody plays seat {seat} of {players}")
    if human is not None:
        if human > players:
            raise UnusableInput(f"--human {human}: there are only {players} seats")
        if seats[human].player != "human":
            seats = {**seats, human: SeatPlan(player="human")}
    endpoints = endpoints_of(seats, seating.endpoints)
    if seating.budget_usd is not None:
        refuse_unpriced(endpoints)
    return Sitting(ruleset, cards, seats, seating.language, endpoints, seating)


def endpoints_of(seats: Mapping[Seat, SeatPlan], own: Mapping[str, EndpointPlan]) -> dict[str, EndpointPlan]:
    """The endpoints of all models at `seats`, by name: of their `own`, of the working folder, or of a provider.

    Raises:
        UnusableInput: a model nobody knows.
    """
    known = {**load_endpoints(), **own}
    names = dict.fromkeys(plan.model for plan in seats.values() if plan.model)
    return {name: resolve(name, known) for name in names}


def refuse_unpriced(endpoints: Mapping[str, EndpointPlan]) -> None:
    """Refuse a budget where nobody knows what a call costs.

    Raises:
        UnusableInput: naming the first such endpoint, and the key to set.
    """
    for name, plan in endpoints.items():
        if plan.prices is None:
            raise UnusableInput(
                f"budget: what {name} costs is not known; in endpoints.yaml: "
                "price: {input: USD, output: USD, cached: USD} for a million tokens"
            )


def with_personas(seats: Mapping[Seat, SeatPlan], seed: int) -> dict[Seat, SeatPlan]:
    """`seats` with personas dealt by `seed` to scripts and models without one, each as seldom as possible."""
    dealt = dict(seats)
    bare = [seat for seat, plan in seats.items() if plan.player in {"scripted", "model"} and not plan.persona]
    for place, seat in enumerate(bare):
        hands, card = divmod(place, len(persona_ids()))
        persona = shuffled(persona_ids(), seed, "personas", hands)[card]
        dealt[seat] = seats[seat].model_copy(update={"persona": persona})
    return dealt


def with_names(seats: Mapping[Seat, SeatPlan], lang: Lang, seed: int) -> dict[Seat, SeatPlan]:
    """`seats` with a name for each where people play, drawn by `seed`: who has one must not tell who is a person."""
    if not people_among(seats):
        return dict(seats)
    taken = {plan.name.casefold() for plan in seats.values() if plan.name}
    drawn = shuffled(texts(lang, "terms")["names"], seed, "names")
    free = iter([name for name in drawn if name.casefold() not in taken])
    return {
        seat: plan if plan.name else plan.model_copy(update={"name": next(free, None)}) for seat, plan in seats.items()
    }


@dataclass(frozen=True)
class Models:
    """What the models at a table need beside their seats.

    `plans` are the endpoints of the table by name, `journal` writes their calls down, and `past` says what is
    already recorded of a seat.
    """

    endpoints: Endpoints
    plans: Mapping[str, EndpointPlan]
    journal: Journal
    past: Callable[[Seat], Past]
    beliefs: bool = False
    halts: bool = False

    def player(self, seat: Seat, plan: SeatPlan, lang: Lang, shared: PublicRecord | None = None) -> ModelPlayer:
        """The model that `plan` puts at `seat`; it reads the record that it has in common with others, if any."""
        name = plan.model or ""
        mind = mind_of(seat, plan, lang, beliefs=self.beliefs, shared=shared)
        endpoint = self.endpoints.of(name, self.plans[name])
        return ModelPlayer(seat, mind, endpoint, self.journal, self.past(seat), halts=self.halts)


def mind_of(seat: Seat, plan: SeatPlan, lang: Lang, *, beliefs: bool, shared: PublicRecord | None = None) -> Mind:
    """What the model that `plan` puts at `seat` goes by."""
    return Mind(seat, lang, _in_words, persona=plan.persona, sampling=plan.sampling, beliefs=beliefs, shared=shared)


def _in_words(began: Began, lang: Lang) -> list[tuple[str, tuple[str, ...]]]:
    """What people are shown as the rules, players are told."""
    cards = {role["card"][lang] for role in began.roles.values()}
    quoted = str(texts(lang, "model")["card"])
    return [
        # A card speaks to its holder; whoever reads the rules need not be that.
        (topic.title, tuple(quoted.format(text=text) if text in cards else text for text in topic.sentences))
        for topic in explain(began.rules, began.roles, began.players, lang)
    ]


def make_players(
    seats: Mapping[Seat, SeatPlan], seed: int, lang: Lang, models: Models | None = None
) -> dict[Seat, Player]:
    """The players of all seats but those of people. Each is given a hash of `seed`, never `seed` itself."""
    players: dict[Seat, Player] = {}
    shared = PublicRecord(lang)
    for seat, plan in seats.items():
        own = draw(seed, "player", seat)
        if plan.player == "random":
            players[seat] = RandomPlayer(own)
        elif plan.player == "scripted":
            players[seat] = ScriptedPlayer(own, seat, plan.persona, lang)
        elif plan.player == "model" and models:
            players[seat] = models.player(seat, plan, lang, shared)
    return players


def people_among(seats: Mapping[Seat, SeatPlan]) -> tuple[Seat, ...]:
    """The seats of people."""
    return tuple(sorted(seat for seat, plan in seats.items() if plan.player == "human"))


def person_among(seats: Mapping[Seat, SeatPlan]) -> Seat:
    """The seat of the person who plays at this terminal; 0 if no person plays.

    Raises:
        UnusableInput: people sit at two seats, so that one would read what only the other may.
    """
    people = people_among(seats)
    if len(people) > 1:
        raise UnusableInput(f"seats: {people[1]}: one person plays in a terminal; more play in the dashboard")
    return people[0] if people else SPECTATOR
