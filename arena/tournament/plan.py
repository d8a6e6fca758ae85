"""What a tournament is, as its file says it."""

from collections.abc import Collection
from functools import cache, cached_property
from hashlib import sha256
from typing import Annotated, Any, Self

import orjson
from pydantic import BaseModel, ConfigDict, Field, StrictInt, field_validator, model_validator

from arena.endpoint import EndpointPlan, Sampling, completed, load_endpoints, resolve
from arena.personas import load_persona, persona_ids
from arena.resources import resource
from arena.ruleset import MOST_SEATS, Ruleset
from arena.seating import Seating, SeatPlan, sit_down
from arena.terms import Lang
from arena.tournament.schedule import Format, Plan
from arena.tournament.stopping import Aim, Question
from arena.transcript.schema import LARGEST_SEED


class Competitor(BaseModel):
    """One who competes: a model with a persona and its sampling, or a scripted player with a persona."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    scripted: str | None = None
    model: str | None = None
    persona: str | None = None
    sampling: Sampling | None = None

    @field_validator("scripted", "persona")
    @classmethod
    def _a_known_persona(cls, given: str | None) -> str | None:
        if given is not None and given not in persona_ids():
            raise ValueError(f"unknown persona {given!r}; known: {', '.join(persona_ids())}")
        return given

    @model_validator(mode="after")
    def _one_kind(self) -> Self:
        wrong = mixed_up(self.model_dump(exclude_none=True))
        if wrong:
            raise ValueError(wrong)
        return self

    @property
    def seat(self) -> SeatPlan:
        """Who sits where this competitor plays."""
        if self.scripted:
            return SeatPlan(persona=self.scripted)
        return SeatPlan(player="model", model=self.model, persona=self.persona, sampling=self.sampling)


def mixed_up(keys: Collection[str]) -> str:
    """Why no competitor has just these keys; empty where one may."""
    if ("scripted" in keys) == ("model" in keys):
        return "either scripted: PERSONA, or model: NAME with persona and sampling"
    if "scripted" in keys and not {"persona", "sampling"}.isdisjoint(keys):
        return "scripted: PERSONA stands alone"
    return ""


class Asked(BaseModel):
    """What is to be found out: who leads, who the `top` are, the whole order; or nothing, after so many `games`.

    Written as ``leader``, ``order``, ``{top: 3}`` or ``{games: 240}``.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    aim: Aim = "leader"
    top: Annotated[int, Field(strict=True, ge=1)] = 1
    games: Annotated[int | None, Field(strict=True, ge=1)] = None

    @model_validator(mode="before")
    @classmethod
    def _short(cls, given: Any) -> Any:
        match given:
            case "leader" | "order":
                return {"aim": given}
            case {"top": number, **rest} if not rest:
                return {"aim": "top", "top": number}
            case {"games": number, **rest} if not rest:
                return {"aim": "fixed", "games": number}
            case {"aim": _}:
                return given
        raise ValueError("one of leader, order, {top: NUMBER}, {games: NUMBER}")


class Cap(BaseModel):
    """Where a tournament ends although its question is open: games, USD, hours of playing."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    games: Annotated[int, Field(strict=True, ge=1)] = 960
    usd: Annotated[float | None, Field(strict=True, gt=0)] = None
    hours: Annotated[float | None, Field(strict=True, gt=0)] = None


class Tournament(BaseModel):
    """A whole tournament, as its file says it.

    `margin` is the gap, in logits, under which neighbours count as tied; `concurrency` how many games are played at
    once; more than `faults` unreadable or illegal answers of a competitor in one game forfeit it.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    title: str = ""
    ruleset: str = "duskwald"
    players: Annotated[int, Field(strict=True, ge=1, le=MOST_SEATS)] = 9
    cards: dict[str, StrictInt] = {}
    rules: dict[str, Any] = {}
    language: Lang = "zh"
    format: Format = "duel"
    question: Asked = Asked(aim="leader")
    margin: Annotated[float, Field(strict=True, gt=0)] = 0.6
    cap: Cap = Cap()
    seed: Annotated[int, Field(strict=True, ge=0, le=LARGEST_SEED)]
    concurrency: Annotated[int, Field(strict=True, ge=1)] = 16
    faults: Annotated[int, Field(strict=True, ge=0)] = 5
    beliefs: bool = False
    endpoints: dict[str, EndpointPlan] = {}
    competitors: Annotated[dict[str, Competitor], Field(min_length=2)]

    @field_validator("endpoints", mode="before")
    @classmethod
    def _with_presets(cls, given: Any) -> Any:
        return completed(given)

    @property
    def asked(self) -> Question:
        """The question, with what bounds it."""
        games = min(self.cap.games, self.question.games or self.cap.games)
        return Question(self.question.aim, games, self.question.top, self.margin)

    def schedule(self) -> Plan:
        """What the games follow from.

        Raises:
            UnusableInput: as `board` says.
        """
        ruleset, cards = self.board()
        return Plan(tuple(self.competitors), cards, ruleset.rules, self.format, self.seed)

    def versions(self) -> dict[str, bytes]:
        """What each competitor is, frozen: itself, the words of its persona, its model, and how that is prompted."""
        plans = self.plans()
        frozen = {}
        for name, competitor in self.competitors.items():
            voice = competitor.scripted or competitor.persona
            parts: list[Any] = [competitor.model_dump(), load_persona(voice).model_dump() if voice else None]
            if competitor.model:
                # What an endpoint sends along outdoes the sampling of a competitor; where it stands may change.
                served = plans[competitor.model].model_dump(include={"model", "context", "thinking", "extra"})
                parts += [served, _prompts(self.language)]
            frozen[name] = orjson.dumps(parts, option=orjson.OPT_SORT_KEYS)
        return frozen

    @property
    def seating(self) -> Seating:
        """The table without its players."""
        return Seating(
            ruleset=self.ruleset, players=self.players, cards=self.cards, rules=self.rules, language=self.language
        )

    def board(self) -> tuple[Ruleset, dict[str, int]]:
        """The rules of the games, and the cards that are dealt.

        Raises:
            UnusableInput: an unknown ruleset, knob or role, or cards that don't go with the number of players.
        """
        return self._board

    @cached_property
    def _board(self) -> tuple[Ruleset, dict[str, int]]:
        sitting = sit_down(self.seating)
        return sitting.ruleset, sitting.cards

    def plans(self) -> dict[str, EndpointPlan]:
        """The endpoints of all models, by name.

        Raises:
            UnusableInput: a model nobody knows.
        """
        known = {**load_endpoints(), **self.endpoints}
        names = dict.fromkeys(competitor.model for competitor in self.competitors.values() if competitor.model)
        return {name: resolve(name, known) for name in names}


@cache
def _prompts(lang: Lang) -> str:
    """A hash of the words in which models are told the game."""
    folder = resource("prompts") / lang
    files = [folder / "model.yaml", *sorted(path for path in (folder / "model").rglob("*") if path.is_file())]
    return sha256(b"\0".join(path.read_bytes() for path in files)).hexdigest()
