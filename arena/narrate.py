"""The account of a game: event → sentences, made after the filter.

A `Narrator` is shown the events of one view, one after the other, and gives the lines for each. It knows
what the view holds and nothing else: titles and private phrases come from the `began` event, all other words
from ``prompts/<language>/``. Every line is clean text on one line; markup in a speech has no meaning here.
"""

from collections.abc import Callable, Iterable
from fractions import Fraction
from typing import Any, Literal

from rich.console import Console
from rich.text import Text as RichText

from arena.events import (
    Acted,
    Announced,
    Badge,
    Began,
    Called,
    Dealt,
    Ended,
    Event,
    Exiled,
    Exploded,
    Floor,
    Learned,
    Marked,
    Noted,
    Ordered,
    Out,
    Phase,
    RedCarded,
    Revealed,
    Said,
    Shot,
    Stood,
    Tallied,
    Turned,
    Voted,
    Warned,
    Withdrew,
)
from arena.terms import SPECTATOR, Claim, Lang, Seat, record
from arena.texts import clean, seat_names, texts

Style = Literal["heading", "plain", "speech", "claims", "vote", "out", "secret", "end"]


@record
class Line:
    """One line of the account and what kind of line it is."""

    style: Style
    text: str


class Narrator:
    """Tells one view in one language.

    `reader` is the seat whose view it is; a private line that is addressed to others as well, or to
    others only (as in the view of `GOD`), says to whom.
    """

    def __init__(self, lang: Lang, reader: Seat = SPECTATOR) -> None:
        self._lang = lang
        self._reader = reader
        self._words = texts(lang, "events")
        self._terms = texts(lang, "terms")
        self._roles: dict[str, dict[str, Any]] = {}
        self._dealt: dict[Seat, str] = {}
        self._extra = Fraction(0)
        self._sheriff: Seat = 0
        self._bids = False
        self._dawn_is_told = True

    def lines(self, event: Event) -> list[Line]:
        """The lines for the next event of the view; none for one that needs no words."""
        return _TELL[type(event)](self, event)

    def claim(self, speaker: Seat, claim: Claim) -> str:
        """A claim made by `speaker`, in a few words."""
        key = f"claim.{claim.about}"
        variant = "self" if claim.seats == (speaker,) else claim.value
        key = f"{key}.{variant}" if f"{key}.{variant}" in self._words else key
        side = self._term("factions", claim.value)
        return clean(self._say(key, seats=self._seats(claim.seats), role=self.title(claim.value), side=side))

    def title(self, role: str) -> str:
        """The name on a card, as far as the game has said it."""
        return str(self._roles[role]["title"][self._lang]) if role in self._roles else role

    @property
    def roles(self) -> tuple[str, ...]:
        """The roles of the game, as far as it has said them."""
        return tuple(self._roles)

    # Words

    def _say(self, key: str, **fields: object) -> str:
        return str(self._words[key]).format(**fields)

    def _line(self, style: Style, key: str, **fields: object) -> list[Line]:
        return [_line(style, self._say(key, **fields))]

    def _term(self, group: str, key: str) -> str:
        return str(self._terms[group].get(key, key))

    def _list(self, items: Iterable[str]) -> str:
        return str(self._terms["list_separator"]).join(items)

    def _seats(self, *seats: Seat | tuple[Seat, ...]) -> str:
        flat = [seat for item in seats for seat in (item if isinstance(item, tuple) else (item,))]
        return seat_names(self._lang, flat)

    def _named(self, style: Style, key: str, seats: tuple[Seat, ...]) -> list[Line]:
        """A line about `seats`, or the one that says nobody."""
        return self._line(style, key if seats else f"{key}.nobody", seats=self._seats(seats))

    def _time(self, out: Out) -> str:
        return self._say("time.night" if out.night else "time.day", day=out.day)

    def _causes(self, out: Out) -> str:
        return self._list(self._term("causes", cause) for cause in out.causes)

    def _phrased(self, event: Learned | Acted, keys: tuple[str, ...], fields: dict[str, str], words: str) -> list[Line]:
        """A phrase of the card of those concerned, or of whichever card knows the first key that fits.

        What everybody is told is no secret.
        """
        holders = [self._dealt[seat] for seat in event.to or () if seat in self._dealt]
        cards = [self._roles[role]["phrases"] for role in (*holders, *self._roles) if role in self._roles]
        phrase = next((card[key][self._lang] for key in keys for card in cards if key in card), None)
        if phrase is None:
            text = self._say("unknown", what=keys[-1], details=self._list(dict.fromkeys(filter(None, fields.values()))))
        else:
            text = str(phrase).format(**fields)
        if words:
            text = self._say("quoted", text=text, words=words)
        if event.to is None:
            return [_line("plain", text)]
        if event.to != (self._reader,):
            text = self._say("to", seats=self._seats(event.to), text=text)
        return [_line("secret", text)]

    # The deal and the night

    def _began(self, event: Began) -> list[Line]:
        self._roles = event.roles
        self._extra = Fraction(event.rules["sheriff.weight"])
        self._bids = event.rules["discussion.mode"] == "bidding"
        cards = self._list(self._say("card", role=self.title(role), count=n) for role, n in event.cards.items())
        lines = self._line("plain", "began", ruleset=event.title[self._lang], players=event.players, cards=cards)
        if event.protected:
            lines += self._line("plain", "protected", seats=self._seats(event.protected))
        return lines

    def _was_dealt(self, event: Dealt) -> list[Line]:
        self._dealt[event.seat] = event.role
        key = "dealt.you" if event.seat == self._reader else "dealt"
        return self._line("secret", key, seat=self._seats(event.seat), role=self.title(event.role))

    def _turned(self, event: Turned) -> list[Line]:
        self._dealt[event.seat] = event.role
        key = "turned.you" if event.seat == self._reader else "turned"
        return self._line("secret", key, seat=self._seats(event.seat), role=self.title(event.role))

    def _phase(self, event: Phase) -> list[Line]:
        if event.part == "announcement":
            self._dawn_is_told = False
        key = "phase.night" if event.part == "night" else "phase"
        return self._line("heading", key, day=event.day, part=self._term("parts", event.part))

    def _called(self, event: Called) -> list[Line]:
        step = self._terms["steps"].get(event.step) or self.title(event.step)
        return self._line("plain", "called", step=step)

    def _learned(self, event: Learned) -> list[Line]:
        exact = f"{event.key}.{event.value}" if event.value or event.seats else f"{event.key}.nobody"
        fields = {
            "seat": self._seats(event.seats[:1]),
            "seats": self._seats(event.seats),
            "role": self.title(event.value),
        }
        return self._phrased(event, (exact, event.key), fields, "")

    def _acted(self, event: Acted) -> list[Line]:
        fields = {"seat": self._seats(event.seat), "seats": self._seats(event.seats)}
        return self._phrased(event, (event.act,), fields, event.text)

    def _marked(self, event: Marked) -> list[Line]:
        mark = self._term("marks" if event.mark in self._terms["marks"] else "causes", event.mark)
        key = "marked.by" if event.by else "marked"
        return self._line("secret", key, seat=self._seats(event.seat), mark=mark, by=self._seats(event.by))

    def _noted(self, event: Noted) -> list[Line]:
        """What an ability remembers has been told by the act before it."""
        return []

    # Speeches

    def _ordered(self, event: Ordered) -> list[Line]:
        # Where the word is bid for, the order only decides between equals.
        key = "ordered.bidding" if self._bids and event.topic == "speech" else "ordered"
        return self._line("plain", key, topic=self._term("topics", event.topic), seats=self._seats(event.seats))

    def _floor(self, event: Floor) -> list[Line]:
        """A speech tells who had the floor; only the call of a ballot needs words."""
        return self._line("vote", "floor.call", seat=self._seats(event.seat)) if event.topic == "call" else []

    def _said(self, event: Said) -> list[Line]:
        key = "said" if event.text else "said.claims" if event.claims else "said.nothing"
        topic = self._term("topics", event.topic)
        text = self._say(key, seat=self._seats(event.seat), topic=topic, text=event.text)
        if event.to is not None and event.to != (self._reader,):
            text = self._say("to", seats=self._seats(event.to), text=text)
        lines = [_line("speech", text)]
        if event.claims:
            claims = self._say("claims_separator").join(self.claim(event.seat, claim) for claim in event.claims)
            lines += self._line("claims", "claims", claims=claims)
        return lines

    def _warned(self, event: Warned) -> list[Line]:
        rule = self._term("conduct", event.rule)
        return self._line("secret", "warned", seat=self._seats(event.seat), rule=rule, count=event.count)

    # Election and votes

    def _stood(self, event: Stood) -> list[Line]:
        return self._named("plain", "stood", event.seats)

    def _withdrew(self, event: Withdrew) -> list[Line]:
        return self._line("plain", "withdrew", seats=self._seats(event.seats))

    def _voted(self, event: Voted) -> list[Line]:
        lines = self._line("vote", "ballot", ballot=self._term("ballots", event.ballot))
        targets = sorted({target for _, target in event.votes}, key=lambda target: (not target, target))
        for target in targets:
            voters = self._list(self._voter(voter, target) for voter, chosen in event.votes if chosen == target)
            key = "vote" if target else "vote.nobody"
            lines += self._line("vote", key, target=self._seats(target), voters=voters)
        return lines if targets else self._line("vote", "no_hands")

    def _voter(self, voter: Seat, target: Seat) -> str:
        if not target or voter != self._sheriff or self._extra == 1:
            return self._seats(voter)
        return self._say("voter.weighted", seat=self._seats(voter), weight=_decimal(self._extra))

    def _tallied(self, event: Tallied) -> list[Line]:
        if not event.tally:
            return self._line("vote", "tally.nobody")
        counts = sorted(event.tally, key=lambda item: (-item[1], item[0]))
        tally = (self._say("tally.seat", seat=self._seats(s), count=_decimal(Fraction(n, 2))) for s, n in counts)
        lines = self._line("vote", "tally", tally=self._list(tally))
        return lines if len(event.leaders) < 2 else lines + self._line("vote", "tied", seats=self._seats(event.leaders))

    def _badge(self, event: Badge) -> list[Line]:
        self._sheriff = event.seat
        return self._line("plain", f"badge.{event.how}", seat=self._seats(event.seat))

    # Outs and the end

    def _exiled(self, event: Exiled) -> list[Line]:
        return self._line("out", "exiled" if event.seat else "exiled.nobody", seat=self._seats(event.seat))

    def _exploded(self, event: Exploded) -> list[Line]:
        return self._line("out", "exploded", seat=self._seats(event.seat))

    def _shot(self, event: Shot) -> list[Line]:
        return self._line("out", "shot", seat=self._seats(event.seat), target=self._seats(event.target))

    def _red_carded(self, event: RedCarded) -> list[Line]:
        return self._line("out", "red_carded", seat=self._seats(event.seat))

    def _out(self, event: Out) -> list[Line]:
        return self._line(
            "secret", "out", seat=self._seats(event.seat), causes=self._causes(event), time=self._time(event)
        )

    def _announced(self, event: Announced) -> list[Line]:
        key = "announced" if self._dawn_is_told else "announced.night"
        self._dawn_is_told = True
        return self._named("out", key if event.seats else "announced", event.seats)

    def _revealed(self, event: Revealed) -> list[Line]:
        return self._line("out", "revealed", seat=self._seats(event.seat), role=self.title(event.role))

    def _ended(self, event: Ended) -> list[Line]:
        key = "ended.draw" if event.winner == "draw" else "ended"
        winner = self._term("factions", event.winner)
        lines = self._line("end", key, winner=winner, reason=self._term("reasons", event.reason))
        if event.winners:
            lines += self._line("end", "winners", seats=self._seats(event.winners))
        outs = {out.seat: out for out in event.outs}
        for seat, role in enumerate(event.cards, start=1):
            fields = {"seat": self._seats(seat), "role": self.title(role)}
            out = outs.get(seat)
            if out is None:
                lines += self._line("end", "card_of.in_play", **fields)
            else:
                lines += self._line("end", "card_of", time=self._time(out), causes=self._causes(out), **fields)
        return lines

    def unfinished(self) -> Line:
        """The line that says that the record stops before the end."""
        return _line("end", self._say("unfinished"))


def _line(style: Style, text: str) -> Line:
    text = clean(text)
    return Line(style, text[:1].upper() + text[1:])


def _decimal(number: Fraction) -> str:
    """A whole number of halves as a table says it: 2, 2.5."""
    return f"{number.numerator // number.denominator}{'.5' if number.denominator == 2 else ''}"


_TELL: dict[type, Callable[[Narrator, Any], list[Line]]] = {
    Began: Narrator._began,
    Dealt: Narrator._was_dealt,
    Turned: Narrator._turned,
    Phase: Narrator._phase,
    Called: Narrator._called,
    Learned: Narrator._learned,
    Acted: Narrator._acted,
    Marked: Narrator._marked,
    Noted: Narrator._noted,
    Ordered: Narrator._ordered,
    Floor: Narrator._floor,
    Said: Narrator._said,
    Warned: Narrator._warned,
    Stood: Narrator._stood,
    Withdrew: Narrator._withdrew,
    Voted: Narrator._voted,
    Tallied: Narrator._tallied,
    Badge: Narrator._badge,
    Exiled: Narrator._exiled,
    Exploded: Narrator._exploded,
    Shot: Narrator._shot,
    RedCarded: Narrator._red_carded,
    Out: Narrator._out,
    Announced: Narrator._announced,
    Revealed: Narrator._revealed,
    Ended: Narrator._ended,
}

_STYLES: dict[Style, tuple[str, str]] = {
    "heading": ("bold", "\n"),
    "plain": ("", "  "),
    "speech": ("", "  "),
    "claims": ("cyan", "      "),
    "vote": ("dim", "  "),
    "out": ("bold red", "  "),
    "secret": ("magenta", "  "),
    "end": ("bold", "  "),
}
"""How the terminal shows each kind of line: style, and what stands before it."""


def show(console: Console, lines: Iterable[Line]) -> None:
    """Print `lines`. The text is data: no markup in it is read. A pipe gets one line for each, unbroken."""
    for line in lines:
        style, before = _STYLES[line.style]
        console.print(RichText(before + line.text, style=style), soft_wrap=not console.is_terminal)
