"""Personas: the voice and temperament a player is given. Each is one YAML file of the folder `personas`."""

from functools import cache
from pathlib import Path
from typing import Annotated, Literal, get_args

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError

from arena.mistakes import complaint
from arena.resources import resource
from arena.strict_yaml import read_yaml
from arena.terms import LANGUAGES, Lang, UnusableInput

Tone = Literal["plain", "cool", "warm", "blunt", "wry", "wary", "terse", "firm"]
TONES: tuple[Tone, ...] = get_args(Tone)


def _in_both(words: dict[Lang, str]) -> dict[Lang, str]:
    missing = [lang for lang in LANGUAGES if not words.get(lang, "").strip()]
    if missing:
        raise ValueError(f"no words in {', '.join(missing)}; both {' and '.join(LANGUAGES)} are needed")
    return words


Words = Annotated[dict[Lang, str], AfterValidator(_in_both)]
"""One text in each language."""


class Persona(BaseModel):
    """A voice and a temperament.

    `name` and `description` are for readers, `style` and `habits` tell a model how to speak and
    what it tends to do; none of it says anything about rules or cards. The numbers go from 0
    to 1: `risk` (bluffs, stands, shoots early), `talkativeness` (how much it says), `suspicion` (how
    readily it accuses rather than vouches), `questions` (how often it asks those it accuses). `tone` picks the
    wording of scripted players, and how they join their sentences.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: str
    name: Words
    description: Words
    style: Words
    habits: Words
    risk: float = Field(ge=0, le=1)
    talkativeness: float = Field(ge=0, le=1)
    suspicion: float = Field(ge=0, le=1)
    questions: float = Field(ge=0, le=1)
    tone: Tone


@cache
def persona_ids() -> tuple[str, ...]:
    """The ids of the personas that come with Duskwald."""
    return tuple(sorted(path.stem for path in resource("personas").glob("*.yaml")))


@cache
def load_persona(name: str) -> Persona:
    """The persona with the id `name`.

    Raises:
        UnusableInput: naming the known ids, or the file, the key and what is wrong with it.
    """
    if name not in persona_ids():
        raise UnusableInput(f"unknown persona {name!r}; known: {', '.join(persona_ids())}")
    return read_persona(resource("personas") / f"{name}.yaml")


def read_persona(path: Path) -> Persona:
    """The persona in the file `path`.

    Raises:
        UnusableInput: naming the file, the key and what is wrong with it.
    """
    try:
        data = read_yaml(path)
    except UnusableInput as error:
        raise UnusableInput(f"{path.name}: {error}") from None
    if not isinstance(data, dict):
        known = ", ".join(key for key in Persona.model_fields if key != "id")
        raise UnusableInput(f"{path.name}: a persona is a mapping with the keys {known}")
    try:
        return Persona.model_validate({**data, "id": path.stem})
    except ValidationError as error:
        raise UnusableInput(f"{path.name}: {complaint(error, Persona)}") from None
