"""The facts of the tables in words: a `Sheet` for each of them, as far as a view goes."""

from collections.abc import Callable, Iterable

from arena.accounts import FAULTS
from arena.events import Began
from arena.narrate import Narrator
from arena.terms import GOD, Claim, Lang, Request, Seat
from arena.texts import act_words, clean, seat_names, texts
from arena.transcript import Transcript
from arena.transcript.viewing import open_views, shown_to
from arena.truth import FACTS
from dashboard.panels.accounts import SeatAccount, accounts
from dashboard.panels.beliefs import averaged, beliefs
from dashboard.panels.claims import claims
from dashboard.panels.factions import factions
from dashboard.panels.moments import Moment
from dashboard.panels.nights import nights
from dashboard.panels.sheet import Cell, Column, Row, Sheet
from dashboard.panels.speeches import speeches
from dashboard.panels.thoughts import thoughts
from dashboard.panels.votes import Held, ballots


def when(moment: Moment, lang: Lang) -> str:
    """A day or a night in words."""
    pages = texts(lang, "dashboard")
    if not moment.day:
        return str(pages["viewer"]["setup"])
    return str(pages["round.night" if moment.night else "round"]).format(day=moment.day)


def ballot_name(held: Held, lang: Lang) -> str:
    """A ballot and its day in words."""
    return f"{when(Moment(held.day, 'vote'), lang)} · {texts(lang, 'dashboard')['ballot'].get(held.name, held.name)}"


class Words:
    """The tables of `transcript` in the view of `seat`, in words of `lang`.

    Raises:
        UnusableInput: that view is not open.
    """

    def __init__(self, transcript: Transcript, seat: Seat, lang: Lang) -> None:
        self._transcript = transcript
        self._seat = seat
        self._lang = lang
        self._words = texts(lang, "panels")
        self._terms = texts(lang, "terms")
        self._pages = texts(lang, "dashboard")
        self._narrator = Narrator(lang, seat)
        self._roles: dict[str, dict[str, str]] = {}
        for event in shown_to(transcript, seat).events:
            if isinstance(event, Began):
                self._narrator.lines(event)
                self._roles = {role: facts["title"] for role, facts in event.roles.items()}

    # The words that tables share

    def when(self, moment: Moment) -> str:
        """A day or a night."""
        return when(moment, self._lang)

    def name(self, seat: Seat) -> str:
        """A seat as it begins a line."""
        return seat_names(self._lang, [seat]).capitalize()

    def topic(self, request: Request) -> str:
        """What a request was about."""
        known: str = (
            self._terms["topics"].get(request.topic)
            or self._terms["ballots"].get(request.topic)
            or self._terms["steps"].get(request.topic)
            or self._roles.get(request.topic, {}).get(self._lang)
            or self._words["topics"].get(request.topic, request.topic)
        )
        return known

    def faction(self, faction: str) -> str:
        """A faction; that of cards which the view does not know is called so."""
        words = str(self._terms["factions"].get(faction, faction) or self._words["unknown"])
        return words[:1].upper() + words[1:]

    def _chip(self, speaker: Seat, claim: Claim, verdict: bool | None) -> Cell:
        own_card = claim.about == "role" and claim.seats == (speaker,)
        says = self._pages["says"].format(role=self._narrator.title(claim.value))
        text = clean(says) if own_card else self._narrator.claim(speaker, claim)
        kind = "fact" if claim.about in FACTS else "opinion"
        return [text, kind if verdict is None else str(verdict).lower()]

    # One sheet for each table

    def speeches(self) -> Sheet:
        """Who said what, and what it claims."""
        columns = (Column("when"), Column("seat", "seats"), Column("topic"), Column("text", "long"))
        rows = []
        for spoken in speeches(self._transcript, self._seat):
            topic = self._terms["topics"].get(spoken.topic, spoken.topic)
            if spoken.to is not None:
                topic = self._pages["heard_by"].format(topic=topic, seats=seat_names(self._lang, spoken.to))
            made = zip(spoken.claims, spoken.verdicts, strict=True)
            chips = [self._chip(spoken.seat, claim, verdict) for claim, verdict in made]
            cells = (self.when(spoken.moment), (spoken.seat,), topic, spoken.text, chips)
            rows.append(Row((spoken.seat,), cells))
        return Sheet("speeches", (*columns, Column("claims", "chips")), tuple(rows))

    def claims(self) -> Sheet:
        """Who claimed what, and who says otherwise."""
        columns = (Column("when"), Column("seat", "seats"), Column("claim", "chips"), Column("against", "seats"))
        rows = [
            Row(
                (claimed.seat, *claimed.claim.seats),
                (
                    self.when(claimed.moment),
                    (claimed.seat,),
                    [self._chip(claimed.seat, claimed.claim, claimed.verdict)],
                    claimed.against,
                ),
            )
            for claimed in claims(self._transcript, self._seat)
        ]
        return Sheet("claims", columns, tuple(rows))

    def votes(self) -> Sheet:
        """A row for each voter, a column for each ballot, and what each ballot came to."""
        held = ballots(self._transcript, self._seat)
        if not held:
            return Sheet("votes", (Column("voter"),), ())
        seats = range(1, self._transcript.header.players + 1)
        rows = [Row((seat,), ((seat,), *(self._vote(ballot, seat) for ballot in held))) for seat in seats]
        totals = [
            self._list(
                str(self._words["tally"]).format(seat=self.name(seat), count=f"{halves / 2:g}")
                for seat, halves in sorted(ballot.tally, key=lambda pair: -pair[1])
            )
            for ballot in held
        ]
        columns = (Column("voter", "seats"), *(Column(ballot_name(ballot, self._lang)) for ballot in held))
        return Sheet("votes", columns, (*rows, Row(tuple(seats), (self._words["columns"]["total"], *totals))))

    def _vote(self, ballot: Held, voter: Seat) -> str:
        target = dict(ballot.votes).get(voter)
        if target is None:
            return ""
        if not target:
            return str(self._words["abstains"])
        weight = dict(ballot.weights)[voter]
        name = self.name(target)
        return name if weight == 2 else str(self._words["weighted"]).format(target=name, weight=f"{weight / 2:g}")

    def nights(self) -> Sheet:
        """What happened at night."""
        columns = (Column("when"), Column("what"), Column("seats", "seats"), Column("text", "long"))
        rows = [
            Row(
                entry.seats,
                (self.when(Moment(entry.day)), self._words["kinds"][entry.kind], entry.seats, entry.text),
            )
            for entry in nights(self._transcript, self._seat, self._lang)
        ]
        return Sheet("nights", columns, tuple(rows))

    def factions(self) -> Sheet:
        """How many of each faction were in play, one line for each night and day."""
        strip = factions(self._transcript, self._seat)
        shown = list(dict.fromkeys(faction for strength in strip for faction, _ in strength.in_play))
        columns = (Column("when"), *(Column(self.faction(faction), "number") for faction in shown))
        rows = [
            Row((), (self.when(strength.moment), *(dict(strength.in_play).get(faction, 0) for faction in shown)))
            for strength in strip
        ]
        return Sheet("factions", columns, tuple(rows))

    def beliefs(self) -> Sheet:
        """What all seats held on average of each seat, one line for each time they were asked."""
        means = averaged(beliefs(self._transcript, self._seat))
        if not means:
            return Sheet("beliefs", (Column("when"),), ())
        seats = range(1, self._transcript.header.players + 1)
        held = {(belief.place, belief.about): belief.probability for belief in means}
        moments = {belief.place: belief.moment for belief in means}
        rows = [
            Row((), (self.when(moment), *(_percent(held.get((place, seat))) for seat in seats)))
            for place, moment in moments.items()
        ]
        columns = (Column("when"), *(Column(self.name(seat), "number") for seat in seats))
        return Sheet("beliefs", columns, tuple(rows))

    def thoughts(self) -> Sheet:
        """What each seat decided, and why."""
        found = thoughts(self._transcript, self._seat)
        noted = any(thought.notes for thought in found)
        heads = (
            Column("when"),
            Column("seat", "seats"),
            Column("asked"),
            Column("decision"),
            Column("thought", "long"),
        )
        private = (*((Column("notes", "long"),) if noted else ()), Column("source"))
        rows = [
            Row(
                (thought.request.seat,),
                (
                    self.when(thought.moment),
                    (thought.request.seat,),
                    self.topic(thought.request),
                    self._decided(thought.request, thought.decision.act, thought.decision.seats),
                    thought.thought,
                    *([thought.notes or ""] if noted else ()),
                    self._words["sources"].get(thought.source, thought.source),
                ),
            )
            for thought in found
        ]
        return Sheet("thoughts", (*heads, *private), tuple(rows))

    def _decided(self, request: Request, act: str, seats: tuple[Seat, ...]) -> str:
        card = self._roles.get(act, {}).get(self._lang, "")
        words = act_words(self._lang, request.topic, act, seat_names(self._lang, seats), card)
        return words[:1].upper() + words[1:]

    def accounts(self) -> Sheet:
        """What each seat took, and its faults; only those that occurred have a column."""
        found = accounts(self._transcript, self._seat)
        counts = texts(self._lang, "endpoints")["faults"]
        occurred = [fault for fault in FAULTS if any(account.calls.faults[fault] for account in found.values())]
        called = any(account.calls.calls for account in found.values())
        heads = ["decided", *(("calls", "prompt", "cached", "completion", "seconds", "usd") if called else ())]
        columns = [*heads, *(counts[fault] for fault in occurred), "fallback"]
        rows = []
        for seat, account in found.items():
            numbers = [*_numbers(account)[: len(heads)], *(account.calls.faults[fault] for fault in occurred)]
            rows.append(Row((seat,), ((seat,), *numbers, account.calls.fallback)))
        shown = (Column("seat", "seats"), *(Column(column, "number") for column in columns))
        return Sheet("accounts", shown, tuple(rows))

    def _list(self, items: Iterable[str]) -> str:
        return str(self._terms["list_separator"]).join(items)


def _percent(probability: float | None) -> Cell:
    return "" if probability is None else round(100 * probability)


def _numbers(account: SeatAccount) -> list[float]:
    calls = account.calls
    decided = sum(account.sources.values())
    return [decided, calls.calls, calls.prompt, calls.cached, calls.completion, round(account.seconds, 1), calls.usd]


SHEETS: dict[str, Callable[[Words], Sheet]] = {
    "speeches": Words.speeches,
    "claims": Words.claims,
    "votes": Words.votes,
    "nights": Words.nights,
    "factions": Words.factions,
    "beliefs": Words.beliefs,
    "thoughts": Words.thoughts,
    "accounts": Words.accounts,
}
"""The tables by name, in the order in which they are offered."""

_GOD_ONLY = ("beliefs", "thoughts", "accounts")


def offered(transcript: Transcript, seat: Seat) -> list[str]:
    """The names of the tables that the view of `seat` has: what stands beside the events is for god alone."""
    return [name for name in SHEETS if seat in open_views(transcript) and (seat == GOD or name not in _GOD_ONLY)]
