"""A view as frames: what the table component draws, one frame for each event that has words.

Only the events of a view come in here, so nothing else can reach the page. A frame is plain JSON data: the
sentences, and what has changed since the frame before. The component adds the changes up.
"""

from collections.abc import Iterator
from typing import Any

from arena.events import Acted, Dealt, Ended, Event, Learned, Out, Revealed, Said, Shot, Tallied, Turned, View, Voted
from arena.narrate import Line, Narrator
from arena.table import Table
from arena.terms import GOD, Claim, Lang, Seat
from arena.texts import clean, seat_names, texts
from arena.truth import FACTS, Truth

Frame = dict[str, Any]


def frames(view: View, lang: Lang) -> list[Frame]:
    """The frames of `view`; each says under ``event`` which event of the view it shows, from 1."""
    teller = Teller(view.seat, lang)
    told = []
    for number, event in enumerate(view.events, start=1):
        frame = teller.frame(event)
        if frame:
            told.append({"event": number, **frame})
    return told


class Teller:
    """Turns the events of one view into frames, one after the other."""

    def __init__(self, reader: Seat, lang: Lang) -> None:
        self._lang = lang
        self._words = texts(lang, "dashboard")
        self._terms = texts(lang, "terms")
        self._narrator = Narrator(lang, reader)
        self._view = View(reader, [])
        self._table = Table(reader)
        self._truth = Truth() if reader == GOD else None
        self._cards: dict[Seat, str] = {}
        self._claimed: dict[Seat, Claim] = {}
        self._fallen: dict[Seat, list[str]] = {}
        self._shown: dict[str, Any] = {}

    def frame(self, event: Event) -> Frame:
        """What the next event adds; nothing where it has no words."""
        lines = self._narrator.lines(event)
        self._view.events.append(event)
        self._table.read(self._view)
        self._note(event)
        if not lines:
            return {}
        sheriff = self._shown.get("sheriff", 0)
        changes = self._changes()
        frame: Frame = {"kind": event.kind, **changes, **self._about(event, lines)}
        marks = list(_marks(frame, badge=self._table.sheriff not in (0, sheriff)))
        hint = self._hint(event)
        return frame | ({"marks": marks} if marks else {}) | ({"hint": hint} if hint else {})

    def _note(self, event: Event) -> None:
        if self._truth:
            self._truth.read(event)
        match event:
            case Dealt() | Turned() | Revealed():
                self._cards[event.seat] = event.role
            case Ended():
                self._cards = dict(enumerate(event.cards, start=1))
                for out in event.outs:
                    self._note(out)
            case Out():
                how = self._words["fate"].get(event.cause, event.cause)
                self._fallen[event.seat] = [how, self._round(event.day, event.night), event.cause]
            case Said():
                own = [claim for claim in event.claims if claim.about == "role" and claim.seats == (event.seat,)]
                self._claimed |= {event.seat: own[-1]} if own else {}

    def _round(self, day: int, night: bool) -> str:
        return str(self._words["round.night" if night else "round"].format(day=day))

    # What has changed

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
        fell = [int(seat) for seat, facts in changed.items() if facts["out"] and not self._was_out(seat)]
        self._shown = {**picture, **seats}
        return changes | ({"seats": changed} if changed else {}) | ({"fell": fell} if fell else {})

    def _was_out(self, seat: str) -> bool:
        return bool(self._shown.get(seat, {}).get("out"))

    def _seat(self, seat: Seat) -> Frame:
        role = self._cards.get(seat, "")
        mate = not role and seat in self._table.pack
        claimed = self._claimed.get(seat)
        claim = claimed if claimed and claimed.value != role else None
        return {
            "card": self._narrator.title(role) if role else self._words["pack"] if mate else "",
            "team": self._team(role) if role else self._team(self._table.role) if mate else "",
            "claim": [*self._claim(seat, claim), self._narrator.title(claim.value)] if claim else [],
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
        """How and when `seat` went out, and what kind of fate it is, as far as this view knows; empty in play."""
        if seat in self._fallen:
            return self._fallen[seat]
        fall = next((fall for fall in self._table.falls if fall.seat == seat), None)
        return [self._words["fell"][fall.how], self._round(fall.day, fall.how == "night"), fall.how] if fall else []

    # What happens

    def _about(self, event: Event, lines: list[Line]) -> Frame:
        """What a frame says besides the changes. A speech speaks for itself; all else has sentences."""
        told = [[line.style, line.text] for line in lines]
        match event:
            case Said():
                return {"lines": [], "said": self._said(event)}
            case Voted():
                return {"lines": told, "votes": [list(vote) for vote in sorted(self._table.open_votes.items())]}
            case Tallied():
                return {"lines": told, "ballot": self._ballot(event)}
            case Ended():
                return {"lines": told[: 2 if event.winners else 1], "recap": self._recap(event)}
            case Shot():
                return {"lines": told, "aims": [[event.seat, event.target]]}
            case Acted():
                aims = [[event.seat, seat] for seat in event.seats if seat != event.seat]
                return {"lines": told, "awake": list(event.to or ()), "aims": aims}
            case Learned(key="checked", to=(seat,)):
                return {"lines": told, "awake": [seat], "aims": [[seat, target] for target in event.seats]}
            case Learned():
                return {"lines": told, "awake": list(event.to or ())}
        return {"lines": told}

    def _said(self, event: Said) -> Frame:
        topic = self._terms["topics"].get(event.topic, event.topic)
        if event.to is not None:
            topic = self._words["heard_by"].format(topic=topic, seats=seat_names(self._lang, event.to))
        return {
            "seat": event.seat,
            "topic": topic,
            "text": clean(event.text),
            "claims": [self._claim(event.seat, claim) for claim in event.claims],
        }

    def _claim(self, speaker: Seat, claim: Claim) -> list[str]:
        """A claim in words, and whether it is ``true`` or ``false``, a ``fact`` not to be judged here, or neither."""
        own_card = claim.about == "role" and claim.seats == (speaker,)
        title = self._narrator.title(claim.value)
        text = clean(self._words["says"].format(role=title)) if own_card else self._narrator.claim(speaker, claim)
        judged = self._truth.of(speaker, claim) if self._truth else None
        kind = "fact" if claim.about in FACTS else "opinion"
        return [text, kind if judged is None else str(judged).lower()]

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

    def _recap(self, event: Ended) -> list[Seat]:
        """All seats in the order in which they went out; those in play come last."""
        fallen = [out.seat for out in event.outs]
        return [*fallen, *(seat for seat in range(1, len(event.cards) + 1) if seat not in fallen)]

    def _hint(self, event: Event) -> str:
        """The key of the sentence that says why this matters, for somebody who has never played."""
        keys = [f"{event.kind}.{self._table.part}", event.kind]
        return next((key for key in keys if key in self._words["viewer"]["hints"]), "")


def _marks(frame: Frame, *, badge: bool) -> Iterator[str]:
    """What on the timeline leads to `frame`."""
    codes = {code for _, code in frame.get("said", {}).get("claims", ())}
    if "fell" in frame:
        yield "out"
    if codes & {"true", "false", "fact"}:
        yield "claim"
    if "false" in codes:
        yield "lie"
    if "ballot" in frame:
        yield "vote"
    if badge:
        yield "badge"
