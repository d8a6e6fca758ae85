"""The file of a tournament, checked whole before anything is played.

All mistakes are told at once, each with its line and what is allowed there: those of form, and those of sense, which
are looked for wherever the form allows it.
"""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any
from unicodedata import normalize

from pydantic import ValidationError

from arena.endpoint import EndpointPlan, completed, load_endpoints, resolve
from arena.mistakes import mistakes
from arena.ruleset import ALL_LISTED, load_ruleset
from arena.seating import DEFAULT_RULESET, Seating, sit_down
from arena.strict_yaml import Repeated, lines_of, read_yaml
from arena.terms import UnusableInput
from arena.texts import clean
from arena.tournament.plan import Asked, Tournament, mixed_up
from arena.tournament.stopping import MARGIN, Question, check_question

Place = tuple[str, ...]


def load_tournament(path: Path) -> Tournament:
    """The tournament in the file `path`.

    Raises:
        UnusableInput: it can't be read or does not fit; a line for each mistake, with its place and what is allowed.
    """
    told: set[tuple[int, str]] = set()
    try:
        data = read_yaml(path)
    except Repeated as error:
        # Where a key stands twice, what is wrong with either value is to be told.
        data = error.last
        told |= {(line, f"{wrong}; it may be given once") for line, wrong in error.keys}
        told |= _mistakes(error.first, lines_of(path, first=True))
    except UnusableInput as error:
        raise UnusableInput(f"{path}: {error}") from None
    told |= _mistakes(data, lines_of(path))
    if told:
        raise UnusableInput("\n".join(f"{path}: line {line}: {what}" for line, what in _once(sorted(told))))
    return Tournament.model_validate(data)


def _mistakes(data: object, lines: Mapping[Place, int]) -> set[tuple[int, str]]:
    """The line of each mistake in `data`, whose places stand in these `lines`, and what to say of it."""
    found: list[tuple[Place, str]] = []
    try:
        Tournament.model_validate(data)
    except ValidationError as error:
        found += mistakes(error, Tournament)
    if isinstance(data, Mapping):
        found += _senseless(data, {place for place, _ in found if place})
    return {(_line(lines, place), ": ".join((*map(_named, place), what))) for place, what in found}


def _named(key: str) -> str:
    """A key as it can stand in a line."""
    return key if _is_plain(key) else repr(key)


def _once(told: Sequence[tuple[int, str]]) -> Iterator[tuple[int, str]]:
    """`told`, in which only the first unknown knob says where all are listed."""
    said = False
    for line, what in told:
        yield line, what.removesuffix(ALL_LISTED) if said else what
        said |= what.endswith(ALL_LISTED)


def _line(lines: Mapping[Place, int], place: Place) -> int:
    return next(lines[place[:end]] for end in range(len(place), -1, -1) if place[:end] in lines)


def _senseless(data: Mapping[str, Any], wrong: set[Place]) -> Iterator[tuple[Place, str]]:
    """What is well formed and can't be played, apart from the places that are known to be `wrong`."""
    misshapen = {place[0] for place in wrong}
    board = ("ruleset", "players", "cards", "rules")
    yield from _board({key: data[key] for key in board if key in data and key not in misshapen}, misshapen)
    competitors = data.get("competitors")
    if not isinstance(competitors, Mapping):
        return
    yield from _names(competitors)
    yield from _models(data, competitors)
    yield from _mixed_up(competitors, wrong)
    if len(competitors) < 2:
        if ("competitors",) not in wrong:
            yield ("competitors",), f"a tournament takes two or more; there is {len(competitors)}"
        return
    if "question" not in misshapen:
        yield from _question(data, len(competitors))
    if data.get("format") == "trio" and len(competitors) < 3:
        yield ("format",), f"trio takes three competitors or more; there are {len(competitors)}"


def _board(given: dict[str, Any], misshapen: set[str]) -> Iterator[tuple[Place, str]]:
    if "ruleset" in misshapen:
        return
    try:
        ruleset = load_ruleset(given.get("ruleset", DEFAULT_RULESET))
    except UnusableInput as error:
        yield ("ruleset",), str(error)
        return
    right = dict(given.get("rules", {}))
    for knob, value in given.get("rules", {}).items():
        try:
            ruleset.with_rules({knob: value}, "rules")
        except UnusableInput as error:
            del right[knob]
            yield ("rules", knob), str(error).removeprefix("rules: ").removeprefix(f"{knob}: ")
    if not misshapen.isdisjoint({"players", "cards"}):
        return
    try:
        sit_down(
            Seating.model_validate({"players": Tournament.model_fields["players"].default, **given, "rules": right})
        )
    except UnusableInput as error:
        said = str(error)
        place = next((key for key in given if said.startswith(f"{key}: ")), "players")
        yield (place,), said.removeprefix(f"{place}: ")


def _names(competitors: Mapping[Any, Any]) -> Iterator[tuple[Place, str]]:
    """Names that can't be told apart in a table, or can't stand in one."""
    known: dict[str, str] = {}
    for name in filter(lambda key: isinstance(key, str), competitors):
        if not _is_plain(name):
            yield (
                ("competitors", name),
                "no name; allowed: characters that can be seen, with single blanks between them",
            )
            continue
        alike = known.setdefault(normalize("NFKC", normalize("NFKC", name).casefold()), name)
        if alike != name:
            yield ("competitors", name), f"differs from {alike!r} in case or width only; every name must be another one"


def _mixed_up(competitors: Mapping[Any, Any], wrong: set[Place]) -> Iterator[tuple[Place, str]]:
    """Competitors with a wrong value for a key who have the wrong keys as well, which is looked at only then."""
    for name in {place[1] for place in wrong if place[0] == "competitors" and len(place) > 2}:
        competitor = competitors.get(name)
        said = mixed_up([key for key, value in competitor.items() if value is not None]) if competitor else ""
        if said:
            yield ("competitors", name), said


def _is_plain(name: str) -> bool:
    return clean(name) == name != ""


def _models(data: Mapping[str, Any], competitors: Mapping[str, Any]) -> Iterator[tuple[Place, str]]:
    """Models nobody knows, and those without a price where money is capped."""
    cap = data.get("cap")
    capped = isinstance(cap, Mapping) and cap.get("usd") is not None
    own = _endpoints(data.get("endpoints"))
    known = {**load_endpoints(), **{name: plan for name, plan in own.items() if plan}}
    for name, competitor in competitors.items():
        model = competitor.get("model") if isinstance(competitor, Mapping) else None
        if not isinstance(model, str) or (model in own and not own[model]):
            continue
        place = ("competitors", str(name), "model")
        try:
            plan = resolve(model, known)
        except UnusableInput as error:
            yield place, str(error)
            continue
        if capped and plan.prices is None:
            wanted = "{input: USD, output: USD, cached: USD} for a million tokens"
            yield place, f"what {model} costs is not known, and cap: usd is set; endpoints: {model}: price: {wanted}"


def _endpoints(given: object) -> dict[str, EndpointPlan | None]:
    """The plan's own endpoints; None for one that is misshapen."""
    own = completed(given)
    if not isinstance(own, Mapping):
        return {}
    found: dict[str, EndpointPlan | None] = {}
    for name, plan in own.items():
        try:
            found[str(name)] = EndpointPlan.model_validate(plan)
        except ValidationError:
            found[str(name)] = None
    return found


def _question(data: Mapping[str, Any], competitors: int) -> Sequence[tuple[Place, str]]:
    asked = Asked.model_validate(data.get("question", "leader"))
    try:
        check_question(Question(asked.aim, 1, asked.top, MARGIN), competitors)
    except UnusableInput as error:
        return [(("question",), str(error))]
    return []
