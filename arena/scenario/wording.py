"""The consequences of a ruling in words, for whoever reads what a knob, a card or a rule is a reason for."""

from typing import Any

from arena.roles import ROLES, ROLES_WITH
from arena.scenario.consequences import Path
from arena.terms import Lang, Seat
from arena.texts import seat_names, texts


def consequence(path: Path, lang: Lang) -> str:
    """What the consequence at `path` is about."""
    words = texts(lang, "ruling")["consequences"]
    key, *rest = path
    if key in {"asked", "refused"}:
        choice, by, phase, target = rest
        what = _choice(str(choice), str(target), lang)
        said = str(words[key if by else "nobody"]).format(seat=seat_names(lang, [int(by)]), choice=what)
        return _at(said, str(phase), lang)
    seats: list[Seat] = [part for part in rest if isinstance(part, int)]
    phase = next((part for part in rest if isinstance(part, str)), "")
    said = str(words[f"{key}.seat" if seats else key]).format(seat=seat_names(lang, seats))
    return _at(said, phase, lang) if phase else said


def _at(said: str, phase: str, lang: Lang) -> str:
    """What is `said`, with its time; after its day a phase may say which ballot or speeches are meant."""
    words = texts(lang, "ruling")
    part, day, *within = phase.split(maxsplit=2)
    time = texts(lang, "events")[f"time.{part}"].format(day=day)
    when = texts(lang, "terms")["list_separator"].join([time, *(words["within"][name] for name in within)])
    return str(words["at"]).format(what=said, when=when)


def _choice(choice: str, target: str, lang: Lang) -> str:
    """A scripted choice as something that can be done. No target where it has several or none."""
    words: dict[str, Any] = texts(lang, "ruling")["choices"]
    forms = words.get(choice, words["other"])
    if isinstance(forms, str):
        return forms
    if target in ROLES:
        return str(forms["card"]).format(target=ROLES[target].title[lang])
    seats = seat_names(lang, [int(target)]) if target.isdecimal() else str(words["several"])
    # A step of the night that has no words of its own goes by the card it belongs to.
    step = "" if choice in words else ROLES[min(ROLES_WITH[choice])].title[lang]
    return str(forms.get(target, forms["seat"])).format(target=seats, step=step)
