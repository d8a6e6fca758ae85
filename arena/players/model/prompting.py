"""Prompts: what a seat is told, in the order that lets one call warm the endpoint's cache for the next.

First what all seats share and what never changes (the rules, how to talk and play), then the public record, which only
grows at its end, then the seat's own part, then the request. Templates are in ``prompts/<language>/model/``.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache

import orjson
from jinja2 import Environment, FileSystemLoader, StrictUndefined

from arena.endpoint.call import digest_of
from arena.events import Began, View
from arena.personas import Persona
from arena.players.model.form import BRIEF, CLAIMS, PRIVATE, Asks, is_heard, is_turn, keys, open_acts, speech_length
from arena.players.model.record import PublicRecord, Record, tame
from arena.resources import resource
from arena.table import Table
from arena.terms import Choice, Lang, Request, Seat, record
from arena.texts import act_words, seat_names, texts

RulesInWords = Callable[[Began, Lang], Sequence[tuple[str, Sequence[str]]]]
"""The rules that a game began with, in words: titles, each with its sentences."""


@record
class Prompt:
    """What is sent: `system` is the same for all seats of a game, `user` begins as for all others."""

    system: str
    user: str

    @property
    def digest(self) -> str:
        """The hash by which a transcript knows it."""
        return digest_of(self.system, self.user)


@cache
def _templates(lang: Lang) -> Environment:
    environment = Environment(
        loader=FileSystemLoader(resource("prompts") / lang / "model"),
        undefined=StrictUndefined,
        auto_reload=False,
        trim_blocks=True,
        lstrip_blocks=True,
        autoescape=False,
    )
    environment.filters["seats"] = lambda seats: seat_names(lang, [seats] if isinstance(seats, int) else seats)
    return environment


@cache
def _names(lang: Lang) -> frozenset[str]:
    return frozenset(_templates(lang).list_templates())


@dataclass(frozen=True)
class _Beginning:
    """What all seats of all games with the same beginning are told alike."""

    key: bytes
    lang: Lang
    rules: RulesInWords
    beliefs: bool
    began: Began = field(compare=False)


@lru_cache(maxsize=32)
def _system(game: _Beginning, *, brief: bool) -> str:
    thought, notes = (BRIEF if brief else PRIVATE)[game.lang]
    return _templates(game.lang).get_template("frame/system.j2").render(
        topics=game.rules(game.began, game.lang),
        rules=game.began.rules,
        roles=set(game.began.roles),
        players=game.began.players,
        thought=thought,
        notes=notes,
        claims=CLAIMS,
        beliefs=game.beliefs,
        brief=brief,
    )  # fmt: skip


def _character(persona: Persona, lang: Lang) -> dict[str, str]:
    """A persona in words, which may come from anybody, and steer no more than a speech does."""
    words = {"name": persona.name, "description": persona.description, "style": persona.style, "habits": persona.habits}
    return {key: tame(text[lang]) for key, text in words.items()}


class Prompter:
    """Writes the prompts of one seat. `rules` puts the rules of a game in words, `shared` is as for `Record`."""

    def __init__(
        self,
        seat: Seat,
        lang: Lang,
        persona: Persona | None,
        rules: RulesInWords,
        *,
        beliefs: bool,
        shared: PublicRecord | None = None,
    ) -> None:
        self._lang = lang
        self._rules = rules
        self._beliefs = beliefs
        self._character = _character(persona, lang) if persona else None
        self._words = texts(lang, "model")
        self._record = Record(seat, lang, shared)
        self._system: dict[bool, str] = {}
        self.table = Table(seat)

    def read(self, view: View) -> None:
        """Take in what `view` holds beyond what was read before."""
        self.table.read(view)
        self._record.read(view)

    def write(
        self, request: Request, asks: Asks, notes: str, thought: str, dropped: int, complaint: str, *, brief: bool
    ) -> Prompt:
        """The prompt for `request`.

        `notes` and `thought` are the seat's own notebook and last thought. The words of the first `dropped` days are
        left out. `complaint` says why the last answer to this request could not be used. `brief` as for `shared`.
        """
        table, template = self.table, _templates(self._lang).get_template
        own = template("frame/own.j2").render(
            table=table,
            role=table.began.roles.get(table.role),
            persona=self._character,
            lang=self._lang,
            told=self._record.told(dropped),
            notes=tame(notes),
            thought=tame(thought),
            hows=self._words["hows"],
        )
        asked = template("frame/request.j2").render(
            request=request,
            topic=self._topic(request),
            turn=is_turn(request),
            heard=is_heard(request, asks),
            choices=[self._choice(request, choice) for choice in open_acts(request)],
            length=speech_length(request, self._lang),
            keys=keys(request, asks),
            complaint=tame(complaint),
        )
        public = self._record.text(dropped, self._words["dropped"].format(days=dropped))
        return Prompt(self.shared(brief=brief), f"{public}\n\n{own}\n{asked}")

    @property
    def day(self) -> int:
        """The day that the record has come to; the words of earlier ones can be dropped."""
        return self._record.day

    def shared(self, *, brief: bool) -> str:
        """What all seats are told of the game; if `brief`, without the terms of the game and how to play well."""
        if brief not in self._system:
            began = self.table.began
            key = orjson.dumps(began, option=orjson.OPT_NON_STR_KEYS)
            game = _Beginning(key, self._lang, self._rules, self._beliefs, began)
            self._system[brief] = _system(game, brief=brief)
        return self._system[brief]

    def _topic(self, request: Request) -> str:
        """What the request is about: a template of its own, where a few words are not enough."""
        environment = _templates(self._lang)
        name = f"topics/{request.topic}.j2"
        if name in _names(self._lang):
            began = self.table.began
            return (
                environment.get_template(name)
                .render(
                    rules=began.rules,
                    roles=set(began.roles),
                    players=began.players,
                    pack=self.pack,
                    round=self._proposals() + 1,
                    acts={choice.act for choice in request.choices},
                    shown=self._is_shown(),
                )
                .strip()
            )
        return str(self._words["decide"])

    @property
    def pack(self) -> int:
        """How many of the seat's pack are in play, itself included."""
        return len(set(self.table.pack) & set(self.table.in_play))

    def _is_shown(self) -> bool:
        """Whether everybody has seen the seat's card: it was turned up, or the seat has exploded."""
        table = self.table
        return table.seat in table.revealed or any(seat == table.seat for _, seat in table.exploded)

    def _proposals(self) -> int:
        """How often the seat has proposed a victim tonight."""
        table = self.table
        tonight = (act for day, act in table.acts if day == table.day and act.seat == table.seat)
        return sum(act.act.startswith("propose_") for act in tonight)

    def _choice(self, request: Request, choice: Choice) -> str:
        """One legal decision, as it is to be written, and what it means."""
        key = "seats" if choice.most > 1 else "seat" if choice.seats else "none"
        say = self._words["choice"]
        roles = self.table.began.roles
        card = str(roles[choice.act]["title"][self._lang]) if choice.act in roles else ""
        means = act_words(self._lang, request.topic, choice.act, say["several" if choice.most > 1 else "one"], card)
        return str(say[key]).format(
            act=choice.act,
            seats=", ".join(map(str, choice.seats)),
            least=choice.least,
            most=min(choice.most, len(choice.seats)),
            means=means,
        )
