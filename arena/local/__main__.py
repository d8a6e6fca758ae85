"""``python -m arena.local``: fetch the small model, and say in both languages what it is."""

import sys

from arena.local.weights import fetched
from arena.terms import LANGUAGES, DuskwaldError
from arena.texts import texts


def main() -> None:
    """Fetch, then tell. Exit status 2 if the model can't be had, 130 if interrupted."""
    try:
        path = fetched()
    except (DuskwaldError, OSError) as error:
        sys.stderr.write(f"arena: {error}\n")
        sys.exit(2)
    except KeyboardInterrupt:
        sys.exit(130)
    for lang in LANGUAGES:
        sys.stdout.write(texts(lang, "local")["about"].format(path=path) + "\n")


if __name__ == "__main__":
    main()
