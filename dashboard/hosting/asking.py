"""A request as plain JSON data for a form, and what comes back as a decision.

The same choices that the referee enumerates become the buttons, so a page can offer nothing else; and whatever a
page sends is held to the request again.
"""

from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from arena.events import View
from arena.narrate import Narrator
from arena.players.human.form import FOR_GOOD
from arena.players.model.form import ABOUT, CLAIMS, acts, claim_kinds, claim_seats, claim_values, is_turn, speech_length
from arena.terms import Choice, Claim, Decision, Lang, Request, Seat
from arena.texts import act_words, clean, seat_names, texts

TALKATIVE = 3
"""How many times as many characters as a model's a person's speech may have: whoever types fast has much to say."""

FEW = 4
"""How many seats a choice may name before they stand under one heading, each with nothing but its number."""

SeatNumber = Annotated[int, Field(ge=1, le=99)]


class GivenClaim(BaseModel):
    """A claim as a page sends it."""

    model_config = ConfigDict(extra="forbid", strict=True)

    about: str
    seats: Annotated[list[SeatNumber], Field(max_length=30)] = []
    value: Annotated[str, Field(max_length=100)] = ""


class GivenAnswer(BaseModel):
    """An answer as a page sends it: to request `n`, one of its acts, seats, words and claims."""

    model_config = ConfigDict(extra="forbid", strict=True)

    n: int
    act: Annotated[str, Field(max_length=100)]
    seats: Annotated[list[SeatNumber], Field(max_length=30)] = []
    text: Annotated[str, Field(max_length=20_000)] = ""
    claims: Annotated[list[GivenClaim], Field(max_length=CLAIMS)] = []


class Form:
    """Puts the requests of one seat in words of `lang`. `narrator` has told the seat's game so far."""

    def __init__(self, lang: Lang, narrator: Narrator) -> None:
        self._lang = lang
        self._narrator = narrator
        self._words = texts(lang, "human")

    def question(self, request: Request, speaker: Seat) -> dict[str, Any]:
        """What a page needs to ask `request`; `speaker` has the floor (0: nobody)."""
        asked = str(self._words["questions"][request.topic])
        if request.window and speaker:
            asked = self._words["window"].format(speaker=seat_names(self._lang, [speaker]), question=asked)
            asked = asked[:1].upper() + asked[1:]
        return {
            "n": request.n,
            "topic": request.topic,
            "text": asked,
            "window": request.window,
            "turn": is_turn(request),
            "letters": letters(request, self._lang),
            "choices": [self._choice(request, choice) for choice in acts(request)],
            "default": self.words(request, request.default),
        }

    def claims(self, table: int) -> dict[str, Any]:
        """The claims a speech may carry: each with the seats it takes and the values it can have, in words."""
        kinds = []
        for about in claim_kinds(self._narrator.roles):
            least, most = claim_seats(about)
            values = claim_values(about, self._narrator.roles)
            named = [[value, self._value(about, value)] for value in values] if len(values) > 1 else []
            kinds.append(
                {"about": about, "words": self._words["about"][about], "least": least, "most": most or table}
                | ({"values": named} if named else {})
            )
        return {"most": CLAIMS, "kinds": kinds}

    def words(self, request: Request, decision: Decision) -> str:
        """What `decision` means, in words."""
        card = self._narrator.title(decision.act) if decision.act in self._narrator.roles else ""
        return act_words(self._lang, request.topic, decision.act, seat_names(self._lang, decision.seats), card)

    def _value(self, about: str, value: str) -> str:
        if value in self._narrator.roles:
            return self._narrator.title(value)
        found = (
            texts(self._lang, "hosting")["checked"] if about == "checked" else texts(self._lang, "terms")["factions"]
        )
        return str(found[value])

    def _choice(self, request: Request, choice: Choice) -> dict[str, Any]:
        several = choice.most > 1
        many = several or len(choice.seats) > FEW
        named: list[tuple[Seat, ...]] = [(seat,) for seat in choice.seats] or [()]
        seats = "…" if many else ""
        card = self._narrator.title(choice.act) if choice.act in self._narrator.roles else ""
        return {
            "act": choice.act,
            "least": choice.least if choice.seats else 0,
            "most": min(choice.most, len(choice.seats)),
            "for_good": choice.act in FOR_GOOD,
            "words": act_words(self._lang, request.topic, choice.act, seats, card) if many else "",
            "options": [
                {
                    "seats": list(one),
                    "words": seat_names(self._lang, one) if several else self._one(request, choice, one),
                    "short": seat_names(self._lang, one) if many else "",
                }
                for one in named
            ],
        }

    def _one(self, request: Request, choice: Choice, seats: tuple[Seat, ...]) -> str:
        return self.words(request, Decision(choice.act, seats))


def form_of(view: View, lang: Lang) -> Form:
    """The form for whoever has seen `view`."""
    narrator = Narrator(lang, view.seat)
    for event in view.events[:1]:
        narrator.lines(event)
    return Form(lang, narrator)


def letters(request: Request, lang: Lang) -> int:
    """How many characters a person's words may have; 0: none are heard."""
    return TALKATIVE * speech_length(request, lang)


def read_answer(data: object) -> GivenAnswer:
    """The answer in `data`.

    Raises:
        ValueError: it has another form; the message says where and what, without repeating what was sent.
    """
    try:
        return GivenAnswer.model_validate(data)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        raise ValueError(": ".join([*map(str, first["loc"]), first["msg"]])) from None


def decision_of(given: GivenAnswer, request: Request, roles: tuple[str, ...], lang: Lang) -> Decision | str:
    """What an answer decides; or, in one word as `arena.referee.legal`, why it is none: `long`, `claims`."""
    text = clean(given.text)
    if len(text) > letters(request, lang):
        return "long" if request.seconds else "words"
    claims = tuple(Claim(_about(c.about), tuple(c.seats), c.value) for c in given.claims if c.about in ABOUT)
    if len(claims) < len(given.claims) or not all(_sound(claim, roles, request.table) for claim in claims):
        return "claims"
    if given.act == "speak" and not text and not claims:
        return request.default
    return Decision(given.act, tuple(given.seats), text, claims)


def _sound(claim: Claim, roles: tuple[str, ...], table: int) -> bool:
    """Whether a claim names as many different seats as it should, and says of them what can be said."""
    least, most = claim_seats(claim.about)
    number = len(claim.seats)
    within = least <= number <= (most or table) and number == len(set(claim.seats))
    return within and claim.value in claim_values(claim.about, roles)


def _about(about: str) -> Any:
    return about
