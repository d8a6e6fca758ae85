"""What is said of an endpoint: in a seats file, in ``endpoints.yaml`` of the working folder, or by a preset."""

import ipaddress
import os
import re
from collections.abc import Mapping
from functools import cache, cached_property
from pathlib import Path
from typing import Annotated, Any, Self
from urllib.parse import urlsplit

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError, field_validator, model_validator

from arena.mistakes import complaint
from arena.strict_yaml import read_yaml
from arena.terms import UnusableInput

TIMEOUT, PATIENCE = 120.0, 300.0
"""Seconds for one call, and for a request that nobody answers, where a plan doesn't say."""

OWN_ENDPOINTS = Path("endpoints.yaml")
"""Endpoints that every game started in this folder knows."""


class Price(BaseModel):
    """USD for a million tokens. Input that was in the endpoint's cache costs `cached`, by default as much as other."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    input: Annotated[float, Field(strict=True, ge=0)]
    output: Annotated[float, Field(strict=True, ge=0)]
    cached: Annotated[float | None, Field(strict=True, ge=0)] = None

    def of(self, prompt: int, cached: int, completion: int) -> float:
        """The price of a call in USD, by its tokens; `cached` are among those of the `prompt`."""
        cached_price = self.input if self.cached is None else self.cached
        return ((prompt - cached) * self.input + cached * cached_price + completion * self.output) / 1_000_000


class Sampling(BaseModel):
    """How a model chooses its words. What is not said is left to the endpoint."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    temperature: Annotated[float | None, Field(strict=True, ge=0, le=2)] = None
    top_p: Annotated[float | None, Field(strict=True, gt=0, le=1)] = None
    presence_penalty: Annotated[float | None, Field(strict=True, ge=-2, le=2)] = None
    frequency_penalty: Annotated[float | None, Field(strict=True, ge=-2, le=2)] = None
    seed: int | None = None
    reasoning_effort: str | None = None


class EndpointPlan(BaseModel):
    """Where a model answers, and what it costs.

    `base_url` is an OpenAI-compatible address up to ``/v1``; with port 0 on this machine nobody answers there yet, and
    `model` is a GGUF file that is served for the time of a game. `key_env` names the variable of the environment that
    holds the key, which is never stored. `in_flight` bounds the calls at one time, `requests_per_minute` and
    `tokens_per_minute` those in a minute; `context` is the model's context in tokens, prompt and answer together;
    `timeout` is in seconds, for one call, and `patience` for how long a request is tried again while nobody
    answers. `thinking` are tokens a model may spend on reasoning beside its answer. `extra` is sent along with every
    call as it is.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    base_url: str
    model: str
    key_env: str | None = None
    in_flight: Annotated[int, Field(strict=True, ge=1)] = 8
    requests_per_minute: Annotated[int | None, Field(strict=True, ge=1)] = None
    tokens_per_minute: Annotated[int | None, Field(strict=True, ge=1)] = None
    context: Annotated[int | None, Field(strict=True, ge=1024)] = None
    price: Price | None = None
    timeout: Annotated[float, Field(strict=True, gt=0)] = TIMEOUT
    patience: Annotated[float, Field(strict=True, ge=0)] = PATIENCE
    thinking: Annotated[int, Field(strict=True, ge=0)] = 0
    extra: dict[str, Any] = {}

    @field_validator("base_url")
    @classmethod
    def _an_address(cls, given: str) -> str:
        try:
            parts = urlsplit(given)
            usable = parts.scheme in {"http", "https"} and bool(parts.hostname) and (parts.port or 1) > 0
        except ValueError:
            usable = False
        if not usable:
            raise ValueError(f"{given!r} is no address; write http://HOST:PORT/v1")
        if parts.username or parts.password or parts.query or parts.fragment:
            raise ValueError("no name, password, query or fragment belongs into it; a key stands in the environment")
        return given.rstrip("/")

    @field_validator("key_env")
    @classmethod
    def _a_variable(cls, given: str | None) -> str | None:
        if given is not None and not given.isidentifier():
            raise ValueError("names a variable of the environment, as OPENAI_API_KEY; no key is ever written down")
        return given

    @model_validator(mode="after")
    def _nothing_twice(self) -> Self:
        taken = sorted(self.extra.keys() & {"model", "messages", "response_format", "stream", "n", "max_tokens"})
        if taken:
            raise ValueError(f"extra: {taken[0]} is not for you to set")
        return self

    @cached_property
    def local(self) -> bool:
        """Whether it is on this machine, where nothing is paid for."""
        host = urlsplit(self.base_url).hostname or ""
        try:
            return ipaddress.ip_address(host).is_loopback
        except ValueError:
            return host == "localhost"

    @property
    def to_be_served(self) -> bool:
        """Whether a server has to be started before anybody answers."""
        return self.local and urlsplit(self.base_url).port == 0

    @property
    def prices(self) -> Price | None:
        """What is paid; None where nobody has said."""
        return self.price or (Price(input=0, output=0) if self.local else None)

    def key(self) -> str:
        """The key in the environment; a word that stands for none, where none is needed.

        Raises:
            UnusableInput: the variable is not set, or holds what can be no key.
        """
        if self.key_env is None:
            return "none"
        key = os.environ.get(self.key_env, "").strip()
        if not key:
            raise UnusableInput(f"the environment variable {self.key_env}, for the key of {self.model}, is not set")
        if not re.fullmatch(r"[!-~]+", key):
            raise UnusableInput(
                f"the environment variable {self.key_env} holds no key: a key has no spaces and is ASCII"
            )
        return key


_PLANS: TypeAdapter[dict[str, EndpointPlan]] = TypeAdapter(dict[str, EndpointPlan])


class Preset(BaseModel):
    """What is known of a provider, beside the model: ``presets.yaml``."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    base_url: str
    key_env: str | None = None
    in_flight: int = 8
    timeout: float = TIMEOUT
    patience: float = PATIENCE
    extra: dict[str, Any] = {}


@cache
def presets() -> dict[str, Preset]:
    """The providers that need no entry, by name."""
    return TypeAdapter(dict[str, Preset]).validate_python(read_yaml(Path(__file__).with_name("presets.yaml")))


def completed(endpoints: object) -> object:
    """`endpoints` as they were written, those named ``PRESET/MODEL`` filled up with what is known of the provider."""
    if not isinstance(endpoints, Mapping):
        return endpoints
    return {name: _completed(str(name), given) for name, given in endpoints.items()}


def _completed(name: str, given: object) -> object:
    provider, slash, model = name.partition("/")
    if not slash or provider not in presets() or not isinstance(given, Mapping):
        return given
    return {"model": model, **presets()[provider].model_dump(), **given}


def load_endpoints(path: Path = OWN_ENDPOINTS) -> dict[str, EndpointPlan]:
    """The endpoints in the file `path`, by name; none where there is no such file.

    Raises:
        UnusableInput: it can't be read or does not fit; names the file, the key and what is wrong.
    """
    if not path.exists():
        return {}
    try:
        return _PLANS.validate_python(completed(read_yaml(path) or {}))
    except UnusableInput as error:
        raise UnusableInput(f"{path}: {error}") from None
    except ValidationError as error:
        raise UnusableInput(f"{path}: {complaint(error, dict[str, EndpointPlan])}") from None


def resolve(name: str, endpoints: dict[str, EndpointPlan]) -> EndpointPlan:
    """The endpoint that `name` means: one of `endpoints`, or ``PRESET/MODEL``.

    Raises:
        UnusableInput: naming what is known.
    """
    if name in endpoints:
        return endpoints[name]
    provider, slash, model = name.partition("/")
    if slash and model and provider in presets():
        return EndpointPlan.model_validate(_completed(name, {}))
    known = [*endpoints, *(f"{preset}/MODEL" for preset in presets())]
    raise UnusableInput(f"unknown model {name!r}; known: {', '.join(known)}")
