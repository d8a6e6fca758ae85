"""All that the table component is given: the game's setting, and one view of it as a scene. Plain JSON data."""

from typing import Any

from arena.events import seen_by
from arena.personas import load_persona
from arena.seating import SeatPlan
from arena.terms import GOD, SPECTATOR, Lang, Seat, UnusableInput
from arena.texts import clean, seat_names, texts
from arena.transcript import Header, Transcript
from arena.transcript.viewing import open_views, shown_to
from dashboard.frames import frames


def view_code(seat: Seat) -> str:
    """How an address speaks of the view of `seat`."""
    return {SPECTATOR: "public", GOD: "god"}.get(seat, str(seat))


def view_name(seat: Seat, lang: Lang) -> str:
    """How a visitor reads of the view of `seat`."""
    words = texts(lang, "dashboard")
    if seat in (SPECTATOR, GOD):
        return str(words[f"view.{view_code(seat)}"])
    return str(words["view.seat"].format(seat=seat_names(lang, [seat])))


def setting(transcript: Transcript, lang: Lang) -> dict[str, Any]:
    """What all views of a game share: words, who sits where, and what a sheriff's vote weighs."""
    header = transcript.header
    words = texts(lang, "dashboard")
    return {
        "lang": lang,
        "words": dict(words["viewer"]),
        "names": [seat_names(lang, [seat]).capitalize() for seat in range(header.players + 1)],
        "people": _people(transcript, lang),
        "weight": str(header.ruleset.rules["sheriff.weight"]),
        "title": words["game_of"].format(ruleset=header.ruleset.title[lang], players=header.players),
    }


def scene(transcript: Transcript, seat: Seat, lang: Lang, *, alone: bool = False) -> dict[str, Any]:
    """A game in the view of `seat`.

    Events have the numbers that all of the record have, from 1, so the same moment is found in another view and by
    ``arena fork``. Where a view is to stay `alone`, or is the only one that is open, its own events are counted
    instead: gaps would tell how much happens in secret. ``counts`` says which.

    Raises:
        UnusableInput: that view is not open.
    """
    told = frames(shown_to(transcript, seat), lang)
    if alone or len(open_views(transcript)) == 1:
        return {**eyes(seat, lang), "frames": told, "counts": "view"}
    numbers = [number for number, event in enumerate(transcript.events, start=1) if seen_by(event, seat)]
    counted = [{**frame, "event": numbers[frame["event"] - 1]} for frame in told]
    return {**eyes(seat, lang), "frames": counted, "counts": "record"}


def eyes(seat: Seat, lang: Lang) -> dict[str, Any]:
    """Whose view a scene is, and what it holds in a few words."""
    note = {SPECTATOR: "note.public", GOD: "note.god"}.get(seat, "note.seat")
    return {
        "note": texts(lang, "dashboard")["viewer"][note].format(seat=seat_names(lang, [seat])),
        "you": max(seat, SPECTATOR),
        "open": seat == GOD,
    }


def _people(transcript: Transcript, lang: Lang) -> list[list[str]]:
    """Name and player of each seat; before the end of a game in which people play names alone, unless it shows more.

    Who has a persona, or none, would tell who is a person; and so would names that not all have.
    """
    header = transcript.header
    if len(open_views(transcript)) == 1 and header.show_players == "after":
        names = [clean(plan.name or "") for _, plan in sorted(header.seats.items())]
        return [[name if all(names) else "", ""] for name in names]
    return [_person(header, plan, lang) for _, plan in sorted(header.seats.items())]


def _person(header: Header, plan: SeatPlan, lang: Lang) -> list[str]:
    kinds = texts(lang, "dashboard")["players"]
    player = header.models.get(plan.model, plan.model) if plan.model else kinds[plan.player]
    try:
        persona = load_persona(plan.persona).name[lang] if plan.persona else ""
    except UnusableInput:
        persona = plan.persona or ""
    return [clean(plan.name or persona), clean(" · ".join([persona, player] if plan.name and persona else [player]))]
