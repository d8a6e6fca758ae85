"""A view as frames: what the table component draws, one frame for each event that has words.

Only the events of a view come in here, so nothing else can reach the page. A frame is plain JSON data: the
sentences, and what has changed since the frame before. The component adds the changes up.
"""

from typing import Any

from arena.events import Dealt, Ended, Out, Revealed, Said, Tallied, Turned, View, Voted
from arena.narrate import Narrator, clean
from arena.table import Table
from arena.terms import Lang, Seat
from arena.texts import texts

Frame = dict[str, Any]


def frames(view: View, lang: Lang) -> list[Frame]:
    """The frames of `view`; each says under ``event`` which event of the view it shows."""
    teller = _Teller(view.seat, lang)
    told = []
    for number, event in enumerate(view.events):
        frame = teller.frame(event)
        if frame:
            told.append({"event": number, **frame})
    return told


class _Teller:
    """Turns the events of one view into frames, one after the other."""

    def __init__(self, reader: Seat, lang: Lang) -> None:
        self._words = texts(lang, "dashboard")
        self._terms = texts(lang, "terms")
        self._narrator = Narrator(lang, reader)
        self._view = View(reader, [])
        self._table = Table(reader)
        self._cards: dict[Seat, str] = {}
        self._claimed: dict[Seat, str] = {}
        self._fallen: dict[Seat, list[str]] = {}
        self._shown: dict[str, Any] = {}

    def frame(self, event: Any) -> Frame:
        """What the next event adds; nothing where it has no words."""
        lines = self._narrator.lines(event)
        self._view.events.append(event)
        self._table.read(self._view)
        self._note(event)
        if not lines:
            return {}
        frame: Frame = {"kind": event.kind, "lines": [[line.style, line.text] for line in lines]}
        frame |= self._changes()
        if isinstance(event, Said):
            frame["said"] = self._said(event)
        if isinstance(event, Voted):
            frame["votes"] = [list(vote) for vote in sorted(self._table.open_votes.items())]
        if isinstance(event, Tallied):
            frame["ballot"] = self._ballot(event)
        return frame

    def _note(self, event: Any) -> None:
        if isinstance(event, Dealt | Turned | Revealed):
            self._cards[event.seat] = event.role
        elif isinstance(event, Ended):
            self._cards = dict(enumerate(event.cards, start=1))
            for out in event.outs:
                self._note(out)
        elif isinstance(event, Out):
            how = self._words["fate"].get(event.cause, event.cause)
            self._fallen[event.seat] = [how, self._round(event.day, event.night)]
        elif isinstance(event, Said):
            own = [claim.value for claim in event.claims if claim.about == "role" and claim.seats == (event.seat,)]
            self._claimed[event.seat] = own[-1] if own else self._claimed.get(event.seat, "")

    def _round(self, day: int, night: bool) -> str:
        return str(self._words["round.night" if night else "round"].format(day=day))

    def _changes(self) -> Frame:
        """The parts of the picture that differ from the last frame."""
        table = self._table
        night = table.part == "night"
        picture: Frame = {
            "round": self._round(table.day, night) if table.day else "",
            "part": table.part if table.day else "",
            "phase": self._terms["parts"][table.part] if table.day and not night else "",
            "day": table.day,
            "sheriff": table.sheriff,
            "order": list(table.orders.get(table.floor[1], ())) if table.floor[0] else [],
        }
        seats: Frame = {str(seat): self._seat(seat) for seat in range(1, table.players + 1)}
        picture["in_play"] = sum(not facts["out"] for facts in seats.values())
        changes = {key: value for key, value in picture.items() if self._shown.get(key) != value}
        changed = {seat: facts for seat, facts in seats.items() if self._shown.get(seat) != facts}
        self._shown = {**picture, **seats}
        return changes | ({"seats": changed} if changed else {})

    def _seat(self, seat: Seat) -> Frame:
        role = self._cards.get(seat, "")
        mate = not role and seat in self._table.pack
        claimed = self._claimed.get(seat, "")
        return {
            "card": self._narrator.title(role) if role else self._words["pack"] if mate else "",
            "team": self._team(role) if role else self._team(self._table.role) if mate else "",
            "claim": clean(self._words["says"].format(role=self._narrator.title(claimed)))
            if claimed not in ("", role)
            else "",
            "out": self._out(seat),
            "mark": self._mark(seat),
        }

    def _mark(self, seat: Seat) -> str:
        """The word beside the window: who stands for sheriff, and at the end who has won."""
        table = self._table
        if table.outcome:
            return str(self._words["won"]) if seat in table.outcome.winners else ""
        standing = table.part == "election" and not table.sheriff
        return str(self._words["stands"]) if standing and seat in set(table.stood) - set(table.withdrew) else ""

    def _team(self, role: str) -> str:
        """Which of three colours a card has: those of the werewolves, of the village, of anybody else."""
        facts = self._table.began.roles.get(role, {})
        return str(facts.get("kind") or (facts.get("faction") if facts.get("faction") == "village" else "other"))

    def _out(self, seat: Seat) -> list[str]:
        """How and when `seat` went out, as far as this view knows; empty while it is in play."""
        if seat in self._fallen:
            return self._fallen[seat]
        fall = next((fall for fall in self._table.falls if fall.seat == seat), None)
        return [self._words["fell"][fall.how], self._round(fall.day, fall.how == "night")] if fall else []

    def _said(self, event: Said) -> Frame:
        return {
            "seat": event.seat,
            "topic": self._terms["topics"].get(event.topic, event.topic),
            "text": clean(event.text),
            "claims": [self._narrator.claim(event.seat, claim) for claim in event.claims],
        }

    def _ballot(self, event: Tallied) -> Frame:
        held = self._table.ballots[-1]
        return {
            "name": self._words["ballot"].get(event.ballot, event.ballot),
            "title": self._terms["ballots"].get(event.ballot, event.ballot),
            "round": self._round(held.day, night=False),
            "votes": [list(pair) for pair in held.votes],
            "tally": sorted(([seat, halves] for seat, halves in event.tally), key=lambda pair: (-pair[1], pair[0])),
            "sheriff": self._table.sheriff,
        }
