"""The format of a scenario file, and reading one.

The keys of a night are the names of night abilities, those of a day what the referee asks by day; so a role
that is added brings no change here. Everything is checked on reading, and what can't be used is one line:
the file, the key, and what is allowed.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, StrictBool, ValidationError

from arena.mistakes import mistakes
from arena.roles import ABILITIES, ROLES, WEREWOLVES
from arena.ruleset import Ruleset, load_ruleset
from arena.scenario.expect import Expect, Questions, expected
from arena.scenario.values import (
    NOTHING,
    Ballots,
    Cards,
    CardToTake,
    Claims,
    Proposals,
    SeatList,
    SeatNo,
    SeatOrNone,
    SeatOrTear,
    Seats,
    Strict,
    Votes,
    When,
    read_when,
)
from arena.strict_yaml import flow, read_yaml
from arena.terms import UnusableInput, record


class Phase(Strict):
    """What may be scripted in any phase. `gone`: players who are gone for good before its first step."""

    gone: SeatList = ()
    shoot: dict[SeatNo, SeatOrNone] = NOTHING
    badge: dict[SeatNo, SeatOrTear] = NOTHING


class Potions(Strict):
    """What a witch uses."""

    antidote: StrictBool = False
    poison: SeatNo | None = None


def _no_potion(value: object) -> object:
    return {} if value == "none" else value


class Night(Phase):
    """The script of a night. A night ability that has no field here names seats, under its own name."""

    model_config = ConfigDict(extra="allow")
    __pydantic_extra__: dict[str, SeatList]

    guard: SeatList = ()
    seer: SeatList = ()
    piper: SeatList = ()
    white_wolf: SeatList = ()
    widow: SeatList = ()
    cupid: SeatList = ()
    soundproof: SeatList = ()
    werewolves: Proposals = ()
    witch: Annotated[Potions, BeforeValidator(_no_potion)] = Potions()
    thief: CardToTake = "keep"
    girl: Literal["peek", "none"] = "none"
    girl_noticed: StrictBool = False
    take_girl: StrictBool = False

    @classmethod
    def keys(cls) -> tuple[str, ...]:
        steps = (name for name, ability in ABILITIES.items() if ability.window == "night")
        return tuple(dict.fromkeys((*super().keys(), *steps)))


class Election(Strict):
    """The script of an election of a sheriff."""

    run: SeatList = ()
    withdraw: SeatList = ()
    votes: Votes = NOTHING
    runoff: Votes = NOTHING


class Explosion(Strict):
    """Who explodes, in which window, and whose turn this breaks into (left out: at the first chance)."""

    seat: SeatNo
    window: Literal["campaign", "speech", "last_words"]
    during: SeatNo | None = None


class Order(Strict):
    """Where a sheriff who chooses lets the speeches start, and which way they go."""

    start: Literal["self", "dead"] = Field(alias="from")
    direction: Literal["left", "right"]


class Day(Phase):
    """The script of a day."""

    sheriff: Election = Election()
    votes: Votes = NOTHING
    runoff: Ballots = ()
    sheriff_decides: SeatOrNone = "none"
    explode: Explosion | None = None
    idiot_declines: StrictBool = False
    goat: SeatList = ()
    order: Order | None = None
    asks: dict[SeatNo, SeatNo] = NOTHING
    gestures: dict[SeatNo, dict[SeatNo, Literal["nod", "shake", "none"]]] = NOTHING
    claims: Claims = NOTHING
    campaign_claims: Claims = NOTHING
    last_words_claims: Claims = NOTHING
    declines_last_words: SeatList = ()


CARDS_LEFT_OVER = 2
GROUPS = 2


def _some(value: object) -> object:
    if value == {}:
        raise ValueError("{} is not allowed; allowed: a mapping from phases, one or more, to what is done in them")
    return value


class _Head(Strict):
    """Everything in a scenario file but its phases, which `play` holds as they were written."""

    name: str | None = None
    why: str = ""
    ruleset: str
    rules: dict[str, Any] = NOTHING
    seats: Cards
    extra: Cards = ()
    protected: SeatList = ()
    groups: tuple[SeatList, ...] = ()
    play: Annotated[dict[str, Any], BeforeValidator(_some)]
    expect: Expect | None = None


@record
class Scenario:
    """A question to the referee: these cards, these choices; and, where `expect` is given, the answer.

    `file` is the name under which it was read, `name` its own or else the file's, `seats` the cards from seat 1,
    `extra` those beside them, `protected` the seats that can't be the first victim, `draws` what chance says, by the
    label of the draw. `expect` is None where the file has none.
    """

    file: str
    name: str
    why: str
    ruleset: Ruleset
    seats: tuple[str, ...]
    extra: tuple[str, ...]
    protected: Seats
    draws: dict[str, Any]
    play: dict[When, Phase]
    expect: Questions | None


def load_scenario(file: str) -> Scenario:
    """Read the scenario in `file`.

    Raises:
        UnusableInput: naming the file, the key and what is allowed.
    """
    try:
        data = read_yaml(Path(file))
    except UnusableInput as error:
        raise UnusableInput(f"{file}: {error}") from None
    seats = data.get("seats") if isinstance(data, dict) else None
    players = len(seats) if isinstance(seats, list) else 0
    head = _validated(_Head, data, file, players)
    _check_use(head, file, players)
    phases = _phases(head.play, file, players)
    ruleset = _ruleset(head, file)
    _check_extra(head, ruleset, file)
    return Scenario(
        file=file,
        name=Path(file).stem if head.name is None else head.name,
        why=" ".join(head.why.split()),
        ruleset=ruleset,
        seats=head.seats,
        extra=head.extra,
        protected=head.protected,
        draws=_draws(head, phases),
        play=phases,
        expect=expected(head.expect) if head.expect else None,
    )


def _ruleset(head: _Head, file: str) -> Ruleset:
    try:
        ruleset = load_ruleset(head.ruleset)
    except UnusableInput as error:
        raise UnusableInput(f"{file}: ruleset: {error}") from None
    return ruleset.with_rules(head.rules, f"{file}: rules")


def _check_extra(head: _Head, ruleset: Ruleset, file: str) -> None:
    """Refuse cards beside the seats that no deal under the rules leaves over."""
    for role in {*head.seats, *head.extra}:
        wrong = ROLES[role].leaves(head.extra, WEREWOLVES, ruleset.rules)
        if wrong:
            raise UnusableInput(f"{file}: extra: {flow(list(head.extra))} is not allowed; allowed: {wrong}")


def _check_use(head: _Head, file: str, players: int) -> None:
    """Refuse extra cards and groups that no card asks for, or that don't fit the table."""
    deck = (*head.seats, *head.extra)
    dividing = any(ability.name == "groups" for role in deck for ability in ROLES[role].abilities)
    for key, used in (("extra", any(ROLES[role].deals for role in deck)), ("groups", dividing)):
        if getattr(head, key) and not used:
            raise UnusableInput(f"{file}: {key}: none of the cards has a use for it")
    if not head.extra and any(ROLES[role].deals for role in head.seats):
        raise UnusableInput(f"{file}: extra: missing; {CARDS_LEFT_OVER} cards are needed beside these seats")
    if head.extra and len(head.extra) != CARDS_LEFT_OVER:
        raise UnusableInput(f"{file}: extra: {len(head.extra)} cards; allowed: {CARDS_LEFT_OVER}")
    grouped = sorted(seat for group in head.groups for seat in group)
    sizes = [len(group) for group in head.groups]
    fits = len(sizes) == GROUPS and grouped == list(range(1, players + 1)) and max(sizes) - min(sizes) <= 1
    if head.groups and not fits:
        raise UnusableInput(
            f"{file}: groups: {GROUPS} lists are needed, with each seat from 1 to {players} in one, "
            "their lengths the same or one apart"
        )


def _draws(head: _Head, phases: Mapping[When, Phase]) -> dict[str, Any]:
    """What the file fixes of what chance would say."""
    draws: dict[str, Any] = {"groups": head.groups} if head.groups else {}
    for when, phase in phases.items():
        if isinstance(phase, Night) and "girl_noticed" in phase.model_fields_set:
            draws[f"girl noticed {when.day}"] = phase.girl_noticed
    return draws


def _phases(written: dict[str, Any], file: str, players: int) -> dict[When, Phase]:
    phases: dict[When, Phase] = {}
    for name, script in written.items():
        try:
            when = read_when(name)
        except ValueError as error:
            raise UnusableInput(f"{file}: play: {error}") from None
        model: type[Phase] = Day if when.by_day else Night
        phases[when] = _validated(model, {} if script is None else script, f"{file}: play.{name}", players)
    return phases


Model = TypeVar("Model", bound=BaseModel)


def _validated(model: type[Model], data: object, where: str, players: int) -> Model:
    try:
        return model.model_validate(data, context={"players": players})
    except ValidationError as error:
        place, wrong = next(mistakes(error, model))
        raise UnusableInput(": ".join(part for part in (where, ".".join(place), wrong) if part)) from None
