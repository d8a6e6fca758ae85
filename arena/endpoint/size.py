"""How long a text is in tokens, by rule of thumb: no tokeniser is asked, because each model has its own."""

import re

# Ideographs, kana, hangul and full-width signs: about a token each. Other scripts: some four letters.
_WIDE = re.compile(r"[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef]")


def tokens(text: str) -> int:
    """An estimate that today's tokenisers stay below, mostly."""
    wide = len(_WIDE.findall(text))
    return wide + (len(text) - wide) // 3 + 1


def fewest(text: str) -> int:
    """An estimate that no tokeniser goes below: a prompt that counts less was not read whole."""
    wide = len(_WIDE.findall(text))
    return wide // 4 + (len(text) - wide) // 12
