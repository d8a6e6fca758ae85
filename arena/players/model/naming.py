"""Which seat a text means, in both languages. What isn't certain is not guessed."""

import re
import unicodedata

_DIGITS = "〇一二三四五六七八九"
_WORDS = [
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
    "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty",
]  # fmt: skip

_NUMBER = rf"\d{{1,3}}|[{_DIGITS}十两]{{1,3}}|\b(?:{'|'.join(sorted(_WORDS, key=len, reverse=True))})\b"
# A Chinese numeral is a seat only with 号 or 号位 behind it: 一起, 三天 and the like are none.
_SEAT = re.compile(
    rf"(?:(?:seat|player|number|no\.|座位|玩家|[p#])\s*(?P<named>{_NUMBER}))"
    rf"|(?P<zh>{_NUMBER})\s*号"
    rf"|(?<![\w.])(?P<bare>\d{{1,3}})(?![\w.%])"
    rf"|(?<![\w.])(?P<last>\d{{1,3}})(?=\.?\s*$)",
    re.IGNORECASE,
)
_NOT = re.compile(
    r"(?:不(?:会|要|想|能)?(?:再)?(?:投|选|查|验|打|杀|刀|是|归|站)|别(?:投|选|查|验|打|杀|刀)|而不是|除了|\bnot\s+(?:for\s+|vote\s+(?:for\s+)?|choose\s+)?|"
    r"\bnever\s+|\binstead of\s+|\brather than\s+|\bexcept\s+)(?:the\s+)?$",
    re.IGNORECASE,
)
_CHOOSE = re.compile(
    r"(?:投(?:给|票给)?|选择?|归票?|出|查验?|验|刀|杀|票给?|\bvote(?:s)?\s+(?:for|on|against)?|\bchoose|\bpick|\bgo\s+(?:with|for)|\bexile|"
    r"\bcheck|\battack|\bkill|\btarget(?:\s+is)?|\banswer(?:\s+is)?:?|答案(?:是|：)?|目标(?:是|：)?)\s*(?:the\s+)?[:：]?\s*$",
    re.IGNORECASE,
)
_OR = re.compile(r"^\s*(?:号位?)?\s*(?:或者?|还是|和|跟|、|/|,\s*or|\bor\b|\band\b)", re.IGNORECASE)


def number(text: str) -> int | None:
    """The whole number that `text` is, in digits of any width, Chinese numerals or English words."""
    text = unicodedata.normalize("NFKC", text).strip().lower()
    if text.isdecimal():
        return int(text)
    if text in _WORDS:
        return _WORDS.index(text)
    text = text.replace("两", "二").replace("零", "〇")
    if re.fullmatch(rf"[{_DIGITS}]", text):
        return _DIGITS.index(text)
    tens = re.fullmatch(r"([一二三四五六七八九]?)十([一二三四五六七八九]?)", text)
    if tens:
        return (_DIGITS.index(tens[1]) if tens[1] else 1) * 10 + (_DIGITS.index(tens[2]) if tens[2] else 0)
    return None


def seat(value: object) -> int | None:
    """The seat that one value of an answer names: a number, or a short text like ``3``, ``3号``, ``seat 3``."""
    if isinstance(value, bool):
        return None
    if isinstance(value, int):
        return value
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if not isinstance(value, str) or len(value) > 200:
        return None
    plain = number(value)
    return plain if plain is not None else seat_in(value)


def seat_in(text: str) -> int | None:
    """The one seat that a free text decides for; None where it names none, or leaves it open.

    A seat that is expressly not meant doesn't count. Of several, the one that stands behind a word of choosing counts,
    if there is one such seat and no other stands beside it.
    """
    text = unicodedata.normalize("NFKC", text)
    named: list[int] = []
    chosen: list[int] = []
    for match in _SEAT.finditer(text):
        value = number(next(part for part in match.groups() if part))
        before, after = text[: match.start()], text[match.end() :]
        if value is None or _NOT.search(before[-24:]):
            continue
        named.append(value)
        if _CHOOSE.search(before[-24:]):
            if _OR.match(after) and _SEAT.search(after[:12]):
                return None
            chosen.append(value)
    for found in (named, chosen):
        if len(set(found)) == 1:
            return found[0]
    return None
