"""What an endpoint can do, learnt from its first refusal and not asked again.

The ladder of forms in which an answer is asked for, from the strictest: a JSON schema, the same without bounds that
some servers don't know, any JSON object, free text. A refusal goes one rung down: for good if it names the form, else
for the one call, until several calls were answered lower and none ever higher.
"""

import re
from collections import Counter
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


_FORM = re.compile(
    r"schema|response[_ ]?format|\bjson|structured|grammar|guided|additional_?properties|any_?of|\benum\b"
    r"|(?:max|min)_?(?:length|items)|\b(?:max|min)imum\b",
    re.I,
)
"""What names the form of an answer in a refusal."""

DOUBTS = 3
"""Calls answered in a lower form only, before a form is given up that no refusal has named."""


class Ability:
    """What is known of an endpoint so far.

    `context` is in tokens, None where nobody has said; it `cuts` what is longer without a word.
    """

    def __init__(self, context: int | None) -> None:
        self.form: Form = LADDER[0]
        self._floor: Form = LADDER[0]
        self._taken: set[Form] = set()
        self._doubts = Counter[Form]()
        self.system_role = True
        self.length_key: Literal["max_tokens", "max_completion_tokens"] = "max_tokens"
        self.dropped: set[str] = set()
        self.added: dict[str, Any] = {}
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

    @property
    def settled(self) -> bool:
        """Whether the form has been answered in."""
        return self.form in self._taken

    def answered(self, first: Form, form: Form) -> None:
        """A call was answered in `form` that was asked for in the form `first` before.

        A form that was ever answered in is there, whatever refuses it at times.
        """
        self._taken.add(form)
        if _rung(self._floor) <= _rung(form) < _rung(self.form):
            self.form = form
        elif form != first and first not in self._taken:
            self._doubts[first] += 1
            if self._doubts[first] >= DOUBTS:
                self.form = max(self.form, form, key=_rung)

    def restore(self, form: Form) -> None:
        """Forget what was learnt of forms below `form`."""
        self.form = self._floor = form

    def learn(self, sent: Mapping[str, Any], form: Form, complaint: str) -> Form | None:
        """Give up what `complaint` refuses of what was `sent` in `form`.

        Returns:
            The form in which asking again makes sense; None where it makes none.
        """
        said = complaint.lower()
        if "enable_thinking" in said and "false" in said and "enable_thinking" not in sent:
            # DashScope's open Qwen3 thinks unless told not to, and does so only where it may stream.
            self.added["enable_thinking"] = False
            return form
        if "max_completion_tokens" in said and "max_tokens" in sent and not self._renamed:
            self.length_key = "max_completion_tokens"
            return form
        refused = next((key for key in _SAMPLING if key in said and key in sent), None)
        if refused:
            self.dropped.add(refused)
            return form
        if "max_tokens" in said and "max_completion_tokens" in sent:
            self.length_key, self._renamed = "max_tokens", True
            return form
        if "system" in said and "role" in said and sent["messages"][0]["role"] == "system":
            self.system_role = False
            return form
        if form == "text":
            return None
        # A schema can be refused in words that nobody foresees; whatever else is wrong shows on the last rung.
        lower = LADDER[_rung(form) + 1]
        if _FORM.search(complaint):
            self._floor = max(self._floor, lower, key=_rung)
            self.form = max(self.form, lower, key=_rung)
        return lower


def _rung(form: Form) -> int:
    return LADDER.index(form)


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
