"""What an endpoint says, without the key that it was sent or the address it was sent to."""

import re
import unicodedata

LONGEST_LEFT = 11
"""Characters of a key in a row that may be repeated: so many tell nobody the rest, and words of a game are shorter."""

_SPELT = re.compile(r"\\u([0-9a-fA-F]{4})|\\(/)")
_NO_KEY = re.compile(r"[^!-~]+")


class Secrecy:
    """Masks `key` (None: there is none) and `address` wherever they stand, whole, in part or spelt otherwise."""

    def __init__(self, key: str | None, address: str) -> None:
        self._secrets = [secret for secret in (key, address) if secret]
        size = LONGEST_LEFT + 1
        self._runs = [key[at : at + size] for at in range(len(key) - size + 1)] if key else []

    def masked(self, said: str) -> str:
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


def _places(run: str, said: str) -> list[int]:
    return [found.start() for found in re.finditer(re.escape(run), said)]


def _read(said: str) -> str:
    """The letters of `said` that a key may have, as whoever parses it would read them in the end."""
    spelt = _SPELT.sub(lambda found: found[2] or chr(int(found[1], 16)), said)
    return _NO_KEY.sub("", unicodedata.normalize("NFKC", spelt))
