"""What is wrong with an answer. The model is told in the language of its game; the words stand in ``prompts/``."""

from arena.terms import DuskwaldError, Lang
from arena.texts import texts


class Faulty(DuskwaldError):
    """An answer that can't be used: `key` names the sentence that says why, with `values` in it."""

    def __init__(self, key: str, /, **values: object) -> None:
        super().__init__(key, values)
        self._key = key
        self._values = values

    def in_words(self, lang: Lang) -> str:
        """Why, in `lang`."""
        return complaint(lang, self._key, **self._values)

    def __str__(self) -> str:
        return self.in_words("en")


class Unreadable(Faulty):
    """The text is not clearly one answer."""


class Illegal(Faulty):
    """The answer is clear, and the request does not allow it."""


def complaint(lang: Lang, key: str, /, **values: object) -> str:
    """What a model is told of an answer that could not be used."""
    return str(texts(lang, "model")["complaints"][key]).format(**values)
