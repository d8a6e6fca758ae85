"""What the options of `arena play` add up to: who sits where, and what does not go together."""

from pathlib import Path
from typing import Any

from arena.local import SMALL
from arena.seating import Seating, Sitting, load_seating, person_among, sit_down
from arena.terms import Seat, UnusableInput


def refuse_known_seed(person: Seat, seed: int | None, *, practice: bool) -> None:
    """Refuse a seed that the person at the table has chosen, unless the game is marked as practice.

    Raises:
        UnusableInput: they know the seed, or nobody is there to practise.
    """
    if person and seed is not None and not practice:
        raise UnusableInput("--seed: a person who knows the seed knows the cards; with --practice it is allowed")
    if practice and not person:
        raise UnusableInput("--practice: nobody to practise; with --human SEAT, or a person in the seats file")


def one_format(*, html: bool, parquet: Path | None, jsonl: Path | None, only_html: dict[str, object]) -> None:
    """Check that `arena export` is told one format, and nothing that does not go with it.

    Raises:
        UnusableInput: no format or several; an option of pages beside tables.
    """
    if sum(bool(given) for given in (html, parquet, jsonl)) != 1:
        raise UnusableInput("export: choose a format: --html, --parquet FOLDER or --jsonl FOLDER, and no other")
    given = [option for option, value in only_html.items() if value is not None]
    if given and not html:
        raise UnusableInput(f"{given[0]}: goes with --html; tables are of all that may be seen")


def model_everywhere(seats: Path | None, model: str | None, weights: Path | None, *, local: bool) -> str | None:
    """The one model that options put in every seat, if they do.

    Raises:
        UnusableInput: more than one option says so, or a file of a model stands alone.
    """
    named = [option for option, given in (("--seats", seats), ("--model", model), ("--local", local)) if given]
    if len(named) > 1:
        raise UnusableInput(f"{' and '.join(named)}: choose one of them; a seats file says which models play")
    if weights and not local:
        raise UnusableInput(f"{weights}: a file of a model goes with --local")
    return f"local/{weights or SMALL.path}" if local else model


def sitting(seats: Path | None, model: str | None, human: Seat | None, given: dict[str, Any]) -> Sitting:
    """The table that a seats file and options describe.

    Raises:
        UnusableInput: it can't be sat down at; names the seats file, if there is one.
    """
    seating = load_seating(seats) if seats else Seating()
    try:
        seated = sit_down(seating.overridden(**given), model, human)
        person_among(seated.seats)
    except UnusableInput as error:
        raise UnusableInput(f"{error} (seats file: {seats})" if seats else str(error)) from None
    return seated
