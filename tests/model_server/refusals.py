"""What an endpoint will not take, in the words of real ones."""

import json
from collections.abc import Callable
from dataclasses import dataclass, field

from tests.model_server.schema import Json, complaint
from tests.model_server.wire import Response


@dataclass(frozen=True)
class Refusal:
    """An error as OpenAI-compatible endpoints report one."""

    status: int
    message: str
    param: str | None = None
    code: str | None = None
    kind: str = "invalid_request_error"
    headers: dict[str, str] = field(default_factory=dict)

    def response(self) -> Response:
        error = {"message": self.message, "type": self.kind, "param": self.param, "code": self.code}
        headers = {"content-type": "application/json", **self.headers}
        return Response(self.status, json.dumps({"error": error}).encode(), headers)


def response_format(body: Json) -> str:
    """The kind of `response_format` a request asks for."""
    return str((body.get("response_format") or {}).get("type", "text"))


def _format(kind: str) -> Callable[[Json], Refusal | None]:
    message = f"Invalid parameter: 'response_format' of type '{kind}' is not supported with this model."
    return lambda body: Refusal(400, message, "response_format") if response_format(body) == kind else None


def _system(body: Json) -> Refusal | None:
    for number, message in enumerate(body["messages"]):
        if message["role"] == "system":
            at = f"messages[{number}].role"
            said = f"Unsupported value: '{at}' does not support 'system' with this model."
            return Refusal(400, said, at, "unsupported_value")
    return None


def _temperature(body: Json) -> Refusal | None:
    if body.get("temperature", 1) == 1:
        return None
    said = (
        f"Unsupported value: 'temperature' does not support {body['temperature']} with this model. "
        "Only the default (1) value is supported."
    )
    return Refusal(400, said, "temperature", "unsupported_value")


def _parameter(name: str, instead: str) -> Callable[[Json], Refusal | None]:
    said = f"Unsupported parameter: '{name}' is not supported with this model. Use '{instead}' instead."
    return lambda body: Refusal(400, said, name, "unsupported_parameter") if name in body else None


REFUSALS: dict[str, Callable[[Json], Refusal | None]] = {
    "json_schema": _format("json_schema"),
    "json_object": _format("json_object"),
    "system": _system,
    "temperature": _temperature,
    "max_tokens": _parameter("max_tokens", "max_completion_tokens"),
    "max_completion_tokens": _parameter("max_completion_tokens", "max_tokens"),
}
"""What a request may hold that some endpoints refuse; each gives the refusal if the request does hold it."""


def bad_key() -> Refusal:
    return Refusal(401, "Incorrect API key provided.", code="invalid_api_key")


def wrong_model(name: str) -> Refusal:
    said = f"The model `{name}` does not exist or you do not have access to it."
    return Refusal(404, said, code="model_not_found")


def context_overflow(limit: int, count: int) -> Refusal:
    said = (
        f"This model's maximum context length is {limit} tokens. However, your messages resulted in {count} tokens. "
        "Please reduce the length of the messages."
    )
    return Refusal(400, said, "messages", "context_length_exceeded")


def malformed(body: Json) -> Refusal | None:
    """What every endpoint refuses."""
    if not body.get("messages"):
        return Refusal(400, "Invalid 'messages': empty array.", "messages", "empty_array")
    if body.get("stream"):
        return Refusal(400, "Unsupported value: 'stream' does not support true.", "stream", "unsupported_value")
    kind = response_format(body)
    if kind == "json_object" and "json" not in json.dumps(body["messages"]).lower():
        said = "'messages' must contain the word 'json' in some form, to use 'response_format' of type 'json_object'."
        return Refusal(400, said, "messages")
    if kind == "json_schema":
        wanted = body["response_format"]["json_schema"]
        if found := complaint(wanted.get("schema"), strict=wanted.get("strict", False)):
            said = f"Invalid schema for response_format '{wanted.get('name')}': {found}."
            return Refusal(400, said, "response_format", "invalid_json_schema")
    return None
