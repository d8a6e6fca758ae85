"""What an endpoint can do, learnt from its first refusal and not asked again.

The ladder of forms in which an answer is asked for, from the strictest: a JSON schema, the same without bounds that
some servers don't know, any JSON object, free text. A refusal goes one rung down.
"""

import re
from collections.abc import Mapping
from typing import Any, Literal

Form = Literal["json_schema", "json_schema_unbounded", "json_object", "text"]
LADDER: tuple[Form, ...] = ("json_schema", "json_schema_unbounded", "json_object", "text")

_BOUNDS = {"maxLength", "minLength", "minItems", "maxItems", "minimum", "maximum"}
_SAMPLING = ("temperature", "top_p", "presence_penalty", "frequency_penalty", "seed", "reasoning_effort")
_TOO_LONG = re.compile(
    r"context_length_exceeded|context (?:length|size|window)|maximum context|too many tokens|prompt is too long"
    r"|input length|token limit|超长",
    re.I,
)
_SIZE = re.compile(r"(?:context (?:length|size|window)|maximum context)\D{0,40}?(\d{4,7})", re.I)


class Ability:
    """What is known of an endpoint so far.

    `context` is in tokens, None where nobody has said; it `cuts` what is longer without a word.
    """

    def __init__(self, context: int | None) -> None:
        self.form: Form = LADDER[0]
        self.system_role = True
        self.length_key: Literal["max_tokens", "max_completion_tokens"] = "max_tokens"
        self.dropped: set[str] = set()
        self._renamed = False
        self.context = context
        self.cuts = False

    def too_long(self, complaint: str) -> bool:
        """Whether a refusal says that the prompt does not fit; the context it names is remembered."""
        if not _TOO_LONG.search(complaint):
            return False
        size = _SIZE.search(complaint)
        if size:
            self.context = min(self.context or int(size[1]), int(size[1]))
        return True

    def learn(self, sent: Mapping[str, Any], form: Form, complaint: str) -> bool:
        """Give up what `complaint` refuses of what was `sent` in `form`; whether asking again makes sense."""
        said = complaint.lower()
        if "max_completion_tokens" in said and "max_tokens" in sent and not self._renamed:
            self.length_key = "max_completion_tokens"
            return True
        refused = next((key for key in _SAMPLING if key in said and key in sent), None)
        if refused:
            self.dropped.add(refused)
            return True
        if "max_tokens" in said and "max_completion_tokens" in sent:
            self.length_key, self._renamed = "max_tokens", True
            return True
        if "system" in said and "role" in said and sent["messages"][0]["role"] == "system":
            self.system_role = False
            return True
        # A schema can be refused in many words; whatever else is wrong shows on the last rung.
        if form != "text":
            self.form = max(self.form, LADDER[LADDER.index(form) + 1], key=LADDER.index)
            return True
        return False


def response_format(form: Form, schema: Mapping[str, Any]) -> dict[str, Any] | None:
    """How an answer in `form` is asked for."""
    if form == "text":
        return None
    if form == "json_object":
        return {"type": "json_object"}
    wanted = _unbounded(schema) if form == "json_schema_unbounded" else schema
    return {"type": "json_schema", "json_schema": {"name": "reply", "strict": True, "schema": wanted}}


def _unbounded(schema: Any) -> Any:
    if isinstance(schema, Mapping):
        return {key: _unbounded(value) for key, value in schema.items() if key not in _BOUNDS}
    if isinstance(schema, list):
        return [_unbounded(item) for item in schema]
    return schema
