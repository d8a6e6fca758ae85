"""Names of people at a table: what one may not be called, because others would take it for a seat or the referee."""

import re
import unicodedata

from arena.players.model.naming import NUMBERS
from arena.players.model.naming import seat as seat_called
from arena.strict_yaml import quoted
from arena.terms import LANGUAGES, UnusableInput
from arena.texts import clean, texts

LONGEST = 40
"""Characters of a name."""

_CHINESE = "[〇零一二两三四五六七八九十壹贰貳叁參肆伍陆陸柒捌玖拾]{1,3}"
_ORDINALS = "first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|eleventh|twelfth"
_NUMBER = rf"(?:\d{{1,3}}(?:st|nd|rd|th)?|[ivx]{{1,5}}|{_CHINESE}|{'|'.join(NUMBERS)}|{_ORDINALS})"
_SEAT = r"(?:seat|player|number|座位|玩家|座|席|号|號)"
_LOOKS_LATIN = str.maketrans(
    "АВЕКМНОРСТУХІЈЅаеорсухіјѕԁһԛԝΑΒΕΖΗΙΚΜΝΟΡΤΥΧοαινκρ",
    "abekmhopctyxijsaeopcyxijsdhqwabezhikmnoptyxoaivkp",
)
"""Letters of other alphabets that nobody tells from Latin ones."""

_FRAME = re.compile(r"[=#*<>~_|-]{2,}")
"""What headings and rules of an account are drawn with."""

_BREAK = re.compile(r"[,:;()\[\]{}\"“”「」、|/·]+")
_LIKE_A_SEAT = re.compile(
    # Roman numerals are letters of names, as in Pi and Novi, unless a whole word for a seat stands by them.
    rf"(?:the)?(?:第?{_NUMBER}{_SEAT}位?(?:玩家|座位)?|{_SEAT}{{1,2}}(?:no|number)?第?{_NUMBER}(?:号|號)?位?|(?:p|no)\d{{1,3}}|第{_NUMBER}[位名个天夜晚轮]"
    rf"|(?:day|night|round)(?:\d{{1,3}}|{'|'.join(NUMBERS)}))"
)
_NUMBERED = re.compile(r"\d\s*[号號]")
"""A seat as Chinese speakers write it, wherever it stands in a name."""


def check_name(name: str) -> None:
    """Refuse a name that the table could take for a seat or the referee, or that can't be read.

    Raises:
        UnusableInput: it is none.
    """
    shown = unicodedata.normalize("NFKC", name)
    parts = [part.split() for part in (shown, *_BREAK.split(shown))]
    beginnings = (" ".join(part[:count]) for part in parts for count in range(1, len(part)))
    is_clear = clean(name) == " ".join(name.split()) and name.isprintable() and len(name) <= LONGEST
    is_taken = any(map(_is_taken, (shown, *_BREAK.split(shown)))) or any(map(_begins_as_a_seat, beginnings))
    if not is_clear or not letters_of(shown) or is_taken or _FRAME.search(shown) or _NUMBERED.search(shown):
        allowed = f"a name on one line, of at most {LONGEST} characters, neither like a seat's nor like the referee's"
        raise UnusableInput(f"human: {quoted(name)} is no name; allowed: {allowed}")


def letters_of(name: str) -> str:
    """What is left of `name` for whoever looks past signs, blanks and accents; names that leave the same look alike."""
    bare = (letter for letter in unicodedata.normalize("NFKD", name) if not unicodedata.combining(letter))
    return "".join(filter(str.isalnum, "".join(bare).translate(_LOOKS_LATIN).casefold()))


def _is_taken(name: str) -> bool:
    """Whether `name` is a seat's or the referee's, or stands for a choice."""
    letters = letters_of(name)
    is_seat = any(seat_called(read) is not None for read in (name, letters))
    offices, reserved = _called("offices"), _called("reserved")
    words = {letters, *map(letters_of, name.split())}
    holds_office = words & offices or any(office in letters for office in offices if not office.isascii())
    return bool(is_seat or _begins_as_a_seat(name) or holds_office or letters.removeprefix("the") in offices | reserved)


def _called(which: str) -> set[str]:
    return {"".join(name.split()) for lang in LANGUAGES for name in texts(lang, "terms")[which]}


def _begins_as_a_seat(words: str) -> bool:
    return _LIKE_A_SEAT.fullmatch(letters_of(words)) is not None
