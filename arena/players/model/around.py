"""What stands around an object: chatter does no harm, but what takes it back, or shows it as no answer, undoes it.

Words are not understood here. Whatever may name another seat than was decided, says no to anything without being a
reason, or speaks of something corrected, shown or refused is enough to ask once more: that is cheaper than a decision
nobody meant.
"""

import re
import unicodedata
from collections.abc import Collection, Iterator

from arena.players.model.naming import alone_in, chosen_in, clauses, named_in
from arena.players.model.phrases import (
    DENIES,
    HARMLESS,
    NO,
    NOBODY,
    REASON,
    REFUSED,
    SHOWN,
    TAKEN_BACK,
    TURNS,
    UNCHOSEN,
    UNDECIDED,
    WHY,
)

_NEAR = 2000
"""Characters that are looked at before an answer, right behind it, and at the end of what stands behind it."""

_SENTENCE = re.compile(r"[!?。\n]|\.(?!\w)")
_BETWEEN = re.compile(r"\s*(?:[和与跟及&+/]|\band\b)\s*", re.IGNORECASE)
_LISTED = re.compile(r"(?m)^\s*\d{1,2}[.)、]\s*(?=[^\s\d])")
_MARKS = " \t\r\n`:*#>["
"""What stands between words and the object they lead to."""
_CURT = 24
"""Characters of a sentence that says no and nothing else."""


def undone(before: str, behind: str, seats: Collection[int] | None, *, nothing: bool = False) -> bool:
    """Whether the words around a decision for `seats` take it back, show it only, or choose another seat.

    None: it is a speech, and what is said beside it of seats is no other decision. `nothing`: it is a decision to do
    nothing, which words that say no confirm.
    """
    before, behind = _plain(before[-_NEAR:]), _ends(behind)
    if (REFUSED.search(before) and not nothing) or _is_taken_back(behind, nothing=nothing):
        return True
    *_, last, lead = ("", *_SENTENCE.split(_without_marks(before)))
    if SHOWN.search(lead):
        return True
    if seats is None:
        return False
    clause = [*clauses(lead)][-1] or (last if len(last) < _CURT and not named_in(last) else "")
    denied = not nothing and _denies(clause, seats)
    return denied or _leads_astray(before, seats) or _turns_away(behind, seats, nothing=nothing)


def undone_within(remark: str, seats: Collection[int], *, why: bool, nothing: bool) -> bool:
    """Whether a remark within the object does so; one that says `why` may deny much, and name others."""
    words = _ends(remark)
    if why or _is_taken_back(words, nothing=nothing):
        return _is_taken_back(words, nothing=nothing)
    return SHOWN.search(words) is not None or _turns_away(words, seats, nothing=nothing)


def _ends(words: str) -> str:
    return _plain(f"{words[:_NEAR]}\n{words[_NEAR:][-_NEAR:]}")


def _plain(words: str) -> str:
    return unicodedata.normalize("NFKC", words).replace("’", "'")


def _is_taken_back(behind: str, *, nothing: bool) -> bool:
    # To refuse, or not to know, is to decide for nothing.
    return any(taken.search(behind) for taken in ((TAKEN_BACK,) if nothing else (REFUSED, UNDECIDED, TAKEN_BACK)))


def _denies(words: str, seats: Collection[int]) -> bool:
    """Whether words say no, and not as a reason for the decision."""
    confirmed = False
    for said in _SENTENCE.split(HARMLESS.sub("", words)):
        no = DENIES.search(said)
        if no and not _explains(said, no.start(), seats, confirmed=confirmed):
            return True
        confirmed |= any(map(_chosen, clauses(said)))
    return False


def _explains(said: str, denial: int, seats: Collection[int], *, confirmed: bool) -> bool:
    """Whether a sentence with a denial gives a reason: it says so before, chooses the same seat, or speaks of it."""
    why = WHY.search(said)
    if why and why.start() < denial:
        return True
    if UNCHOSEN.search(said):
        return False
    named = named_in(said[:denial])
    chosen = [seat for clause in clauses(said[:denial]) for seat in _chosen(clause)]
    return (confirmed or bool(named or chosen)) and {*named[:1], *chosen} <= set(seats)


def _without_marks(before: str) -> str:
    """`before` without the fence, the heading or the label that an object follows."""
    words = before.rstrip(_MARKS)
    for label in ("json", "answer"):
        if words.lower().endswith(label):
            return words[: -len(label)].rstrip(_MARKS)
    return words


def _leads_astray(before: str, seats: Collection[int]) -> bool:
    """Whether the last choice that is plain in what leads to a decision is another."""
    chosen = [found for clause in clauses(_without_marks(before)) if (found := _chosen(clause))]
    return bool(chosen) and not chosen[-1] <= set(seats)


def _turns_away(behind: str, seats: Collection[int], *, nothing: bool) -> bool:
    """Whether words behind a decision for `seats` may name another."""
    words = _LISTED.sub("", behind).lstrip()
    said = list(clauses(words))
    if not nothing and not REASON.match(words) and _denies(words, seats):
        return True
    if any(TURNS.search(clause) and (named_in(clause) or not nothing) for clause in said):
        return True
    if any(not _chosen(clause) <= set(seats) for clause in said):
        return True
    if not seats:
        return False
    if any(NOBODY.fullmatch(clause) or NO.fullmatch(clause) for clause in said):
        return True
    return any(seat not in seats for seat in _unexplained(words, said, seats))


def _unexplained(words: str, said: Collection[str], seats: Collection[int]) -> Iterator[int]:
    """The seats that are named in `words`, which are no reasons: those say so, or speak of the choice."""
    named = [seat for clause in said for seat in named_in(clause)]
    if named and named[0] not in seats and not REASON.match(words) and not any(map(_chosen, said)):
        yield from named


def _chosen(clause: str) -> set[int]:
    """The seats that a clause says plainly its speaker chooses, or that are all it says."""
    listed = [alone_in(part) for part in _BETWEEN.split(clause)]
    alone = {seat for seat in listed if seat is not None} if None not in listed else set()
    chosen = chosen_in(clause)
    return alone if chosen is None else {*alone, chosen}
