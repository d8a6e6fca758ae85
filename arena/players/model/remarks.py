"""What stands within an answer under keys that nobody has asked for: remarks do no harm, a second decision does."""

import re
from collections.abc import Iterable, Iterator, Mapping

from arena.players.model.around import undone_within
from arena.players.model.faults import Unreadable
from arena.players.model.naming import seat
from arena.players.model.yes_and_no import is_no, is_nobody, is_yes
from arena.terms import PASS, Decision, Request, Seat

Remarks = Iterable[tuple[str, object]]
TARGETS = ("targets", "target", "seat")
_SAVED = (*TARGETS, "seats", "victim", "player", "save", "saved", "who", "whom")
"""Keys that may say for whom an antidote is."""
NOTHING = {PASS.act, "decline"}
"""Acts that decide to do nothing."""
_MEASURES = re.compile(
    r"confidence|certainty|probability|score|rating|priority|level|version|day|night|round|turn|step|phase|index|id"
    r"|.*_?(?:count|length|score|level|id|probability|confidence)|suspects?|suspicions?|.*wolves|信心|置信度|天数|版本|字数|轮次|.*概率"
    r"|嫌疑人?|怀疑对象|狼坑",
)
"""Keys of remarks whose numbers are no seats, or seats that are only spoken of."""
_OPINIONS = re.compile(
    r"why|think|thought|reason|rationale|justif|evidence|monologue|plan|motiv|explan|analys|comment|思|想|分析|理由|原因|说明|看法"
)
"""Keys of remarks that say why."""
_ELSE = re.compile(
    r"abstain|skip|ignore|except|refus|cancel|draft|example|sample|test|invalid|withdr|retract|void|弃票|弃权|作废|撤回|示例|草稿"
)
"""Keys that say something else than the decision beside them, where they say yes."""
_SURE = re.compile(r"confirm|final|valid|sure|certain|确认|确定|有效|最终")
"""Keys that say that the decision is none, where they say no."""


def refuse_victims(remarks: Remarks, victim: Seat, request: Request) -> None:
    """An antidote names nobody; one for somebody who was not attacked is meant for a night that isn't this one."""
    for key, value in remarks:
        for item in value if isinstance(value, list) else [value]:
            named = seat(item)
            another = not is_nobody(item) if key in _SAVED else named in range(1, request.table + 1)
            if another and (named != victim or not victim):
                raise Unreadable("victim", value=f"{item!r:.40}", seat=victim)


def refuse_remarks(remarks: Remarks, decision: Decision, request: Request) -> None:
    """A key that nobody has asked for may hold remarks, but none that the decision could be undone by."""
    for key, value in remarks:
        if not _MEASURES.fullmatch(key) and set(_seats_within(value, request)) - set(decision.seats):
            raise Unreadable("another_seat", key=f"{key[:40]!r}", value=f"{value!r:.40}")
        if _undoes(key, value, decision):
            raise Unreadable("remark", key=f"{key[:40]!r}", value=f"{value!r:.40}")


def _undoes(key: str, value: object, decision: Decision) -> bool:
    """Whether a remark takes the decision back: in words, by denying it, or by an act of another name."""
    if isinstance(value, bool) or is_yes(value) or is_no(value):
        return bool(_ELSE.search(key)) if is_yes(value) else bool(_SURE.search(key)) and not _ELSE.search(key)
    if not isinstance(value, str):
        return False
    return undone_within(value, decision.seats, why=bool(_OPINIONS.search(key)), nothing=decision.act in NOTHING)


def _seats_within(value: object, request: Request) -> Iterator[Seat]:
    """The seats that `value` names. Who says which seat is its own names nobody, unless it may choose that."""
    if isinstance(value, Mapping | list):
        for item in value.values() if isinstance(value, Mapping) else value:
            yield from _seats_within(item, request)
        return
    named = seat(value)
    own = named == request.seat and not any(named in choice.seats for choice in request.choices)
    if named is not None and 1 <= named <= request.table and not own:
        yield named
