"""How long a text is in tokens, by rule of thumb: no tokeniser is asked, because each model has its own."""

from functools import lru_cache

MOST_TOKENS = 3
"""Times the estimate: no tokeniser makes more tokens of a text than it has bytes."""


def tokens(text: str) -> int:
    """An estimate that today's tokenisers stay below, mostly: an ideograph is a token, three other letters are one."""
    wide = _wide(text)
    return wide + (len(text) - wide) // 3 + 1


def fewest(text: str) -> int:
    """An estimate that hardly any tokeniser goes below: a prompt that counts less was not read whole."""
    wide = _wide(text)
    return wide * 2 // 5 + (len(text) - wide) // 6


@lru_cache(maxsize=256)
def _wide(text: str) -> int:
    """About how many ideographs there are: three bytes each, where a letter has one. Most is counted several times."""
    return (len(text.encode("utf-8", "replace")) - len(text)) // 2
