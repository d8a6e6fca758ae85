"""What an endpoint says, as it may be shown and kept: without the key that it was sent, or what steers a terminal."""

import base64
import html
import re
import unicodedata

from arena.texts import clean

LONGEST_LEFT = 11
"""Characters of a key in a row that may be repeated: so many tell nobody the rest, and words of a game are shorter."""

SHORTEST_KEY = 8
"""Characters of a key. What is shorter guards nothing, and stands in words of a game: no, x, speech."""

KEPT = 65_536
"""Characters of an answer that are kept; no answer a seat may give is a tenth of it."""

TIMES_SPELT = 3
"""How often escapes are read: those of an address in JSON in a string are escaped three times."""

_SPELT = re.compile(r"\\u([0-9a-fA-F]{4})|(?:%|\\x)([0-9a-fA-F]{2})|\\(/)")
_NO_KEY = re.compile(r"[^!-~]+")
_STEERS = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")


class Secrecy:
    """Masks `key` (None: there is none) and `address` wherever they stand, whole, in part or spelt otherwise."""

    def __init__(self, key: str | None, address: str) -> None:
        if key and len(key) < SHORTEST_KEY:
            key = None
        self._secrets = [secret for secret in (key, address, *_in_base64(key or "")) if secret]
        size = LONGEST_LEFT + 1
        self._runs = [key[at : at + size] for at in range(len(key) - size + 1)] if key else []

    def heard(self, said: object, length: int = 0) -> str:
        """What an endpoint `said`, on one line of `length` characters; 0: on as many lines as it has.

        Every text of an endpoint that is shown or kept comes through here. What is no text says nothing.
        """
        if not isinstance(said, str):
            return ""
        # Masked before it is cut: a part of a key is not known for one.
        masked = self._masked(said[:KEPT])
        text = clean(masked)[:length] if length else _STEERS.sub(" ", masked)
        # Lone surrogates can't be written down.
        return text.encode("utf-8", "replace").decode()

    def _masked(self, said: str) -> str:
        """`said` without secrets. Where one shows only once escapes are read, no more is left than can be read so."""
        masked = self._without(said)
        plain = _read(masked)
        unspelt = self._without(plain)
        return masked if unspelt == plain else unspelt

    def _without(self, said: str) -> str:
        for secret in self._secrets:
            said = said.replace(secret, "…")
        found = {at for run in self._runs if run in said for at in _places(run, said)}
        if not found:
            return said
        hidden = {place for at in found for place in range(at, at + LONGEST_LEFT + 1)}
        kept = ("…" if at in hidden else char for at, char in enumerate(said))
        return re.sub("…{2,}", "…", "".join(kept))


def _in_base64(key: str) -> list[str]:
    """What any text that holds `key` has of it in base64, wherever it begins in a group of three bytes."""
    shifted = [base64.b64encode(b"\0" * shift + key.encode()).decode() for shift in range(3)]
    # The first and the last group may hold letters of others.
    return [text[4:-4] for text in shifted if len(text) > 8 + LONGEST_LEFT]


def _places(run: str, said: str) -> list[int]:
    return [found.start() for found in re.finditer(re.escape(run), said)]


def _read(said: str) -> str:
    """The letters of `said` that a key may have, as whoever parses it would read them in the end."""
    spelt = said
    for _ in range(TIMES_SPELT):
        spelt = html.unescape(_SPELT.sub(lambda found: found[3] or chr(int(found[1] or found[2], 16)), spelt))
    return _NO_KEY.sub("", unicodedata.normalize("NFKC", spelt))
