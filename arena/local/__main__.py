"""``python -m arena.local``: fetch the small model, and say in both languages what it is."""

import sys

from arena.local.weights import fetched
from arena.terms import LANGUAGES, DuskwaldError
from arena.texts import texts


def main() -> None:
    """Fetch, then tell. Exit status 2 if the model can't be had."""
    try:
        path = fetched()
    except DuskwaldError as error:
        sys.exit(_complained(error))
    for lang in LANGUAGES:
        sys.stdout.write(texts(lang, "local")["about"].format(path=path) + "\n")


def _complained(error: DuskwaldError) -> int:
    sys.stderr.write(f"arena: {error}\n")
    return 2


if __name__ == "__main__":
    main()
