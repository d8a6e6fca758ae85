"""Names of people at a table: what one may not be called, because others would take it for a seat or the referee."""

import re
import unicodedata

from arena.narrate import clean
from arena.players.model.naming import NUMBERS
from arena.players.model.naming import seat as seat_called
from arena.strict_yaml import quoted
from arena.terms import LANGUAGES, UnusableInput
from arena.texts import texts

LONGEST = 40
"""Characters of a name."""

_CHINESE = "[〇零一二两三四五六七八九十壹贰貳叁參肆伍陆陸柒捌玖拾]{1,3}"
_ORDINALS = "first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|eleventh|twelfth"
_NUMBER = rf"(?:\d{{1,3}}(?:st|nd|rd|th)?|[ivx]{{1,5}}|{_CHINESE}|{'|'.join(NUMBERS)}|{_ORDINALS})"
_SEAT = r"(?:seat|player|number|座位|玩家|座|席|号|號)"
_LIKE_A_SEAT = re.compile(
    # Roman numerals are letters of names, as in Pi and Novi, unless a whole word for a seat stands by them.
    rf"(?:the)?(?:第?{_NUMBER}{_SEAT}位?(?:玩家|座位)?|{_SEAT}{{1,2}}(?:no|number)?第?{_NUMBER}(?:号|號)?位?|(?:p|no)\d{{1,3}})"
)


def check_name(name: str) -> None:
    """Refuse a name that the table could take for a seat or the referee, or that can't be read.

    Raises:
        UnusableInput: it is none.
    """
    # Whoever reads it looks past signs and blanks.
    letters = "".join(filter(str.isalnum, unicodedata.normalize("NFKC", name).casefold()))
    offices = {"".join(office.split()) for lang in LANGUAGES for office in texts(lang, "terms")["offices"]}
    is_shown = bool(letters) and clean(name) == " ".join(name.split()) and name.isprintable() and len(name) <= LONGEST
    is_seat = any(seat_called(read) is not None for read in (name, letters)) or _LIKE_A_SEAT.fullmatch(letters)
    if not is_shown or is_seat or letters.removeprefix("the") in offices:
        allowed = f"a name on one line, of at most {LONGEST} characters, neither like a seat's nor like the referee's"
        raise UnusableInput(f"human: {quoted(name)} is no name; allowed: {allowed}")
