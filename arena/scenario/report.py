"""A ruling for people and for programs: the account, what came out, why, and whether it was expected."""

from collections.abc import Iterator
from typing import Any

from arena.explain import say
from arena.narrate import Line, Narrator
from arena.roles import ROLES
from arena.ruleset import ALL_KNOBS
from arena.scenario.consequences import ASKED, Path, consequences
from arena.scenario.expect import Difference, differences
from arena.scenario.file import Scenario
from arena.scenario.grounds import Ground, grounds
from arena.scenario.influence import Influence, influences
from arena.scenario.play import Played, play
from arena.scenario.wording import consequence
from arena.strict_yaml import flow
from arena.terms import GOD, Lang, record
from arena.texts import texts


@record
class Report:
    """A ruling on a scenario, what its consequences follow from, and where it differs from what was expected."""

    scenario: Scenario
    played: Played
    why: list[Influence]
    grounds: dict[Ground, list[Path]]
    differences: list[Difference]


def report(scenario: Scenario) -> Report:
    """Play `scenario`, find out why it came out so, and compare.

    Raises:
        UnusableInput: naming the file, when its deal can't be played.
    """
    played = play(scenario)
    why = list(influences(scenario, played))
    by_knobs = {path for influence in why for path in influence.follows}
    found = differences(scenario.expect or {}, played.ruling)
    return Report(scenario, played, why, _grounds(scenario, played, by_knobs), found)


def _grounds(scenario: Scenario, played: Played, by_knobs: set[Path]) -> dict[Ground, list[Path]]:
    """Each card and rule that is a reason, with its consequences; a rule only where no knob is one."""
    found: dict[Ground, list[Path]] = {}
    for path, value in consequences(scenario, played).items():
        for ground in grounds(scenario, played, path, value):
            if ground.kind == "card" or path not in by_knobs:
                found.setdefault(ground, []).append(path)
    return found


def lines(report: Report, lang: Lang) -> Iterator[Line]:
    """The report as lines to read: the account with all cards open, the ruling by key, the reasons, the comparison."""
    words = texts(lang, "ruling")
    scenario, ruling = report.scenario, report.played.ruling
    yield Line("heading", scenario.name)
    narrator = Narrator(lang, GOD)
    for event in report.played.events:
        yield from narrator.lines(event)
    yield Line("heading", words["ruling"])
    asked = {"out", *(str(key) for key, *_ in scenario.expect or ())}
    for key, value in ruling.items():
        if key in asked or (key in ASKED and value and value != "none"):
            yield Line("plain", _flow(key, value))
    if report.why or report.grounds:
        yield Line("heading", words["why"])
        for influence in report.why:
            yield from _reason(influence, len(scenario.seats), lang)
        for ground, paths in report.grounds.items():
            yield Line("plain", words["ground"].format(name=_name(ground, lang), sentence=sentence(ground, lang)))
            yield Line("vote", "  " + words["follows"].format(paths=_consequences(paths, lang)))
    if scenario.expect is not None:
        yield Line("heading", words["not_as_expected" if report.differences else "as_expected"])
        for found in report.differences:
            yield Line("out", _difference(found, lang))


def _reason(influence: Influence, players: int, lang: Lang) -> Iterator[Line]:
    words = texts(lang, "ruling")
    value, other = influence.value, influence.other
    said = say(influence.knob, value, _TITLES, players, lang)
    if ALL_KNOBS[influence.knob].table:
        value, other = value[players], other[players]
    yield Line("plain", words["because"].format(knob=influence.knob, value=_value(value), sentence=said))
    # That choices of the script are no longer asked for says nothing where the outcome changes as well.
    telling = [change for change in influence.changes if change.key != "refused"] or influence.changes
    changes = ", ".join(_flow(change.key, change.actual) for change in telling)
    yield Line("vote", "  " + words["otherwise"].format(other=_other(value, other, lang), changes=changes))
    yield Line("vote", "  " + words["follows"].format(paths=_consequences(influence.follows, lang)))


def _consequences(paths: list[Path], lang: Lang) -> str:
    return str(texts(lang, "rules")["row_separator"]).join(dict.fromkeys(consequence(path, lang) for path in paths))


def _name(ground: Ground, lang: Lang) -> str:
    return ROLES[ground.name].title[lang] if ground.kind == "card" else str(texts(lang, "ruling")["rule"])


def sentence(ground: Ground, lang: Lang) -> str:
    """What a card says, or a rule of every game."""
    return ROLES[ground.name].card[lang] if ground.kind == "card" else str(texts(lang, "ruling")["rules"][ground.name])


def _other(value: Any, other: Any, lang: Lang) -> str:
    """The other value; of a list, what is on it now or no more, or comes before what it came after."""
    words = texts(lang, "ruling")
    if isinstance(value, tuple) and set(value) != set(other):
        key = "with" if len(other) > len(value) else "without"
        return str(words[key].format(items=", ".join(sorted(set(value) ^ set(other)))))
    if isinstance(value, tuple):
        later, sooner = next(both for both in zip(value, other, strict=True) if both[0] != both[1])
        return str(words["sooner"].format(sooner=sooner, later=later))
    return str(words["value"].format(value=_value(other)))


def _difference(found: Difference, lang: Lang) -> str:
    words = texts(lang, "ruling")
    expected, actual = _value(found.expected), _value(found.actual)
    return str(words["difference"].format(key=found.key, expected=expected, actual=actual))


def as_data(report: Report, lang: Lang) -> dict[str, Any]:
    """The report as plain data. `as_expected` is null where nothing was expected."""
    scenario = report.scenario
    return {
        "file": scenario.file,
        "name": scenario.name,
        "ruleset": scenario.ruleset.id,
        "ruling": report.played.ruling,
        "why": [
            {
                "knob": influence.knob,
                "value": influence.value,
                "sentence": say(influence.knob, influence.value, _TITLES, len(scenario.seats), lang),
                "other": influence.other,
                "changes": [{"key": c.key, "ruling": c.expected, "other": c.actual} for c in influence.changes],
                "follows": [list(path) for path in influence.follows],
            }
            for influence in report.why
        ],
        "grounds": [
            {
                "kind": ground.kind,
                "name": ground.name,
                "sentence": sentence(ground, lang),
                "follows": [list(path) for path in paths],
            }
            for ground, paths in report.grounds.items()
        ],
        "differences": [{"key": d.key, "expected": d.expected, "actual": d.actual} for d in report.differences],
        "as_expected": None if scenario.expect is None else not report.differences,
    }


_TITLES = {role.name: {"title": role.title, "card": role.card} for role in ROLES.values()}


def _flow(key: str, value: Any) -> str:
    """`key: value` as a scenario file writes it, on one line."""
    return flow({key: _plain(value)})[1:-1]


def _value(value: Any) -> str:
    return flow(_plain(value))


def _plain(value: Any) -> Any:
    """`value` with lists for tuples."""
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    return [_plain(item) for item in value] if isinstance(value, list | tuple) else value
