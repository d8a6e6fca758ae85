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
    rf"(?:the)?(?:第?{_NUMBER}{_SEAT}位?(?:玩家|座位)?|{_SEAT}{{1,2}}(?:no|number)?第?{_NUMBER}(?:号|號)?位?|(?:p|no)\d{{1,3}}|第{_NUMBER}[位名个])"
)


def check_name(name: str) -> None:
    """Refuse a name that the table could take for a seat or the referee, or that can't be read.

    Raises:
        UnusableInput: it is none.
    """
    shown = unicodedata.normalize("NFKC", name)
    words = shown.split()
    beginnings = (" ".join(words[:count]) for count in range(1, len(words)))
    is_clear = clean(name) == " ".join(name.split()) and name.isprintable() and len(name) <= LONGEST
    is_taken = any(map(_is_taken, (shown, *_BREAK.split(shown)))) or any(map(_begins_as_a_seat, beginnings))
    if not is_clear or not _letters(shown) or is_taken or _FRAME.search(shown):
        allowed = f"a name on one line, of at most {LONGEST} characters, neither like a seat's nor like the referee's"
        raise UnusableInput(f"human: {quoted(name)} is no name; allowed: {allowed}")


def _letters(name: str) -> str:
    """What is left of `name` for whoever looks past signs and blanks."""
    return "".join(filter(str.isalnum, name.translate(_LOOKS_LATIN).casefold()))


def _is_taken(name: str) -> bool:
    """Whether `name` is a seat's or the referee's."""
    letters = _letters(name)
    offices = {"".join(office.split()) for lang in LANGUAGES for office in texts(lang, "terms")["offices"]}
    is_seat = any(seat_called(read) is not None for read in (name, letters))
    return is_seat or _begins_as_a_seat(name) or letters.removeprefix("the") in offices


def _begins_as_a_seat(words: str) -> bool:
    return _LIKE_A_SEAT.fullmatch(_letters(words)) is not None
