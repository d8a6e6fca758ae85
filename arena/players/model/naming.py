"""Which seat a text means, in both languages. What isn't certain is not guessed.

A text is read as a sentence or not at all: a seat alone, or clauses one of which says plainly that its speaker chooses
a seat. To look for numbers near certain words would find a seat in "anybody but 3", "if I vote 3" and "3 votes 5".
"""

import re
import unicodedata
from collections.abc import Iterator

_DIGITS = "〇一二三四五六七八九"
NUMBERS = [
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
    "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty",
]  # fmt: skip
"""The whole numbers from 0 in English words."""

_CHINESE = rf"[{_DIGITS}十]{{1,3}}"
_NUMBER = rf"(?:\d{{1,3}}|(?:{'|'.join(sorted(NUMBERS, key=len, reverse=True))})\b|{_CHINESE})"
# A Chinese numeral without 号 behind it is a seat only where it stands alone: 一起, 三天 and the like are none.
NAMED = (
    rf"(?:(?:the\s+)?(?:(?:seat|player|number|座位|玩家)[\s_-]*(?:no\.|#)?|no\.|[p#])[\s_-]*{_NUMBER}(?:\s*号(?:位|玩家)?)?"
    rf"|(?:\d{{1,3}}|{_CHINESE})\s*号(?:位|玩家|座位)?"
    r"|\d{1,3}(?![\d.%]))"
)
_AMONG = rf"(?:在?{NAMED}(?:\s*[和与跟或/]\s*{NAMED})*\s*(?:里面?|之?中|之间|当中)\s*)?"
_SUBJECT = (
    r"(?:(?:那么?|所以|因此|今天|这轮|本轮|最后|最终|综上|so|then|finally|therefore|today)\s*)*"
    r"(?:(?:我的?|i|i'll|i'm|i\s+am|i've\s+decided\s+to|i\s+have\s+decided\s+to|we|let's|let\s+us|my|the|final)\s*)*"
    r"(?:(?:今天|这轮|本轮|就|还是|会|要|想|准备|打算|决定|坚持|选择|will|now|decide\s+to|choose\s+to|chose\s+to|going\s+to|want\s+to"
    r"|would\s+like\s+to)\s*)*:?\s*"
)
CHOOSES = (
    r"(?:投票?给|票给|投票是?|投|选择?|归票?|出|查验?|验|刀|杀|守护?|毒|射|带走|救|答案是?|目标是?|决定是?"
    r"|vote(?:\s+(?:for|is(?:\s+for)?|goes\s+to|against|out))?|voting(?:\s+(?:for|against|out|to\s+exile))?"
    r"|choos(?:e|ing)|pick(?:ing)?|go(?:ing)?\s+(?:with|for)|exil(?:e|ing)|check|attack|kill|protect|save|decision(?:\s+is)?"
    r"|poison|shoot|target(?:\s+is)?|answer(?:\s+is)?|choice(?:\s+is)?)"
)
# A remark in brackets, unless it may name somebody else.
_ASIDE = rf"\((?![^()]*(?:\d|号|不|\b(?:no|not|wait|actually|{'|'.join(NUMBERS)})\b))[^()]*\)"
_END = rf"(?:\s*(?:票|吧|了|出局|out|today|now|instead|rather|{_ASIDE}))*\s*(?P<why>(?:因为|because\b|since\b).*)?"

_ALONE = re.compile(rf"(?P<seat>{NAMED}|{_NUMBER}(?:\.0+)?)\s*(?:{_ASIDE})?", re.IGNORECASE)
# "One" is somebody as well.
_CHOSEN = rf"(?:{NAMED}|(?:{'|'.join(NUMBERS[2:])})\b)"
_CHOICE = re.compile(rf"{_AMONG}{_SUBJECT}{CHOOSES}\s*:?\s*(?P<seat>{_CHOSEN}){_END}", re.IGNORECASE)
_CLAUSE = re.compile(r"[,;!。、\n]|\.(?!\d)")
_MENTIONED = re.compile(
    rf"(?<![a-z\d./])(?<!第)(?<!day )(?<!night )(?<!round ){NAMED}"
    r"(?!\s*(?:/\s*\d|[天夜晚轮票人个狼分点]|votes?\b|wolves\b|werewolves\b|players\b|days?\b|nights?\b|times\b|rounds?\b))",
    re.IGNORECASE,
)
_IN_NAME = re.compile(rf"\d{{1,3}}|{_NUMBER}", re.IGNORECASE)
# What can take a choice back, make it depend on something, or make it somebody else's.
_UNSURE = re.compile(
    r"\?|说|如果|要是|假如|除非|万一|或|但|不对|不是|算了|等等|开玩笑|可能|也许|不确定|不知道"
    r"|\b(?:said|says|saying|if|unless|or|but|no|wait|actually|maybe|perhaps|kidding|joking|unsure)\b",
    re.IGNORECASE,
)


_CORRECTS = re.compile(r"(?:但|不对|其实|算了|\b(?:but|no|wait|actually|really|rather|instead)\b).*\d", re.IGNORECASE)
"""A reason that ends in another seat than the one it was given for."""


_MARKS = " \"'`*_“”‘’「」:()→>=-"
"""What people put around what they say plainly."""


def number(text: str) -> int | None:
    """The whole number that `text` is, in digits of any width, Chinese numerals or English words."""
    text = unicodedata.normalize("NFKC", text).strip().lower()
    if re.fullmatch(r"\d{1,9}(?:\.0+)?", text):
        return int(text.partition(".")[0])
    if text in NUMBERS:
        return NUMBERS.index(text)
    text = text.replace("零", "〇")
    if re.fullmatch(rf"[{_DIGITS}]", text):
        return _DIGITS.index(text)
    tens = re.fullmatch(r"([一二三四五六七八九]?)十([一二三四五六七八九]?)", text)
    if tens:
        return (_DIGITS.index(tens[1]) if tens[1] else 1) * 10 + (_DIGITS.index(tens[2]) if tens[2] else 0)
    return None


def numeric(value: object) -> float | None:
    """The number that one value of an answer is, written as one, as a text or in percent; a true is none."""
    if isinstance(value, str) and len(value) <= 20:
        text = unicodedata.normalize("NFKC", value).strip()
        found = re.fullmatch(r"((?:\d+(?:\.\d*)?|\.\d+)(?:e-?\d)?)\s*(%?)", text, re.ASCII | re.IGNORECASE)
        value = float(found[1]) / (100 if found[2] else 1) if found else number(text)
    try:
        return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None
    except OverflowError:
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
    """The one seat that a text says its speaker chooses, or that is all it says; None where that isn't plain."""
    text = unicodedata.normalize("NFKC", text).strip(" \t\r\n\"'`*_“”‘’「」")
    alone = _ALONE.fullmatch(text.rstrip(" \t\n.。!,;"))
    if alone:
        return _numbered(alone["seat"])
    clauses = [clause.strip() for clause in _CLAUSE.split(text)]
    chosen = [choice for clause in clauses if (choice := _CHOICE.fullmatch(clause))]
    if any(_CORRECTS.search(choice["why"] or "") for choice in chosen):
        return None
    beside = [other for clause in clauses if (other := _ALONE.fullmatch(clause))]
    unsure = any(_UNSURE.search(clause) for clause in clauses if not _CHOICE.fullmatch(clause))
    seats = {_numbered(found["seat"]) for found in (*chosen, *beside)}
    return seats.pop() if chosen and len(seats) == 1 and not unsure else None


def clauses(words: str) -> Iterator[str]:
    """The parts of `words` between commas, full stops and the like."""
    return (clause.strip() for clause in _CLAUSE.split(words))


def chosen_in(clause: str) -> int | None:
    """The seat that a clause says plainly its speaker chooses."""
    choice = _CHOICE.fullmatch(clause.strip(_MARKS))
    return _numbered(choice["seat"]) if choice else None


def alone_in(clause: str) -> int | None:
    """The seat that is all a clause says."""
    alone = _ALONE.fullmatch(clause.strip(_MARKS))
    return _numbered(alone["seat"]) if alone else None


def named_in(clause: str) -> list[int]:
    """All that may be seats in a clause."""
    return [seat for found in _MENTIONED.finditer(clause) if (seat := _numbered(found[0])) is not None]


def _numbered(name: str) -> int | None:
    plain = number(name)
    return plain if plain is not None else number(_IN_NAME.findall(name)[0])
