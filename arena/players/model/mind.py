"""What a model's seat keeps between decisions, and the calls it makes of them.

Notebook, last thought and standing answers stand in the seat's own recorded replies, so that a resumed game goes on as
it would have. Some requests are answered from them without a call.
"""

import re
from collections.abc import Iterator

from arena.endpoint import Call, Sampling
from arena.endpoint.size import tokens
from arena.events import Said, View
from arena.personas import load_persona
from arena.players.model.form import BRIEF, PRIVATE, Asks, answer_schema, longest
from arena.players.model.prompting import Prompt, Prompter, RulesInWords
from arena.players.model.record import PublicRecord
from arena.terms import PASS, Decision, Lang, Reply, Request, Seat, record

ROOM = 3
"""What is said of a game at its beginning may take one part in so many of a model's context; else it is kept brief."""


@record
class Terms:
    """How a request is put: why the last answer was no use, how long the answer may be, in which form it is wanted."""

    complaint: str = ""
    tokens: int = 0
    freely: bool = False


class Mind:
    """One seat's view in words, and what it has said to itself.

    `rules` puts the rules of a game in words. With `beliefs`, votes come with how likely each seat is a werewolf.
    `shared` is the public record where other seats of the game read it as well.
    """

    def __init__(
        self,
        seat: Seat,
        lang: Lang,
        rules: RulesInWords,
        *,
        persona: str | None = None,
        sampling: Sampling | None = None,
        beliefs: bool = False,
        shared: PublicRecord | None = None,
    ) -> None:
        self._seat = seat
        self._lang = lang
        self._persona = load_persona(persona) if persona else None
        self._sampling = sampling or Sampling()
        self._beliefs = beliefs
        self._prompter = Prompter(seat, lang, self._persona, rules, beliefs=beliefs, shared=shared)
        self._notes = ""
        self._last = Reply(PASS, "model")

    def read(self, view: View) -> None:
        """Take in what `view` holds beyond what was read before."""
        self._prompter.read(view)

    def remember(self, reply: Reply) -> None:
        """Keep what the seat has told itself. A reply that took no call, or no answer of its own, changes nothing."""
        if reply.source != "model":
            return
        if reply.thought or reply.notes or reply.standing or reply.bid:
            self._last = reply
        self._notes = reply.notes or self._notes

    # Answers that cost nothing

    def answer(self, view: View, request: Request) -> Decision | None:
        """What follows from the last reply: how urgent the word is, chances to explode, nothing to interject."""
        if request.topic == "bid":
            return self._bid()
        if not request.window:
            return None
        last = next((event for event in reversed(view.events) if isinstance(event, Said)), None)
        if any(choice.act == "explode" for choice in request.choices):
            standing = self._last.standing
            explodes = standing == "now" or (standing == "on_claim" and self._tells_a_check(last))
            return Decision("explode") if explodes else PASS
        if request.seconds and not self._speaks_of_me(last):
            return PASS
        return None

    def _bid(self) -> Decision:
        """As urgent as the last reply said; before the first one, as talkative as the persona is."""
        urgency = self._last.bid
        if self._persona and self._last == Reply(PASS, "model"):
            urgency = round(3 * self._persona.talkativeness)
        return Decision(f"bid_{urgency}") if urgency else PASS

    def _tells_a_check(self, said: Said | None) -> bool:
        pack = self._prompter.table.pack
        return said is not None and said.seat not in pack and any(claim.about == "checked" for claim in said.claims)

    def _speaks_of_me(self, said: Said | None) -> bool:
        if said is None:
            return False
        if any(self._seat in claim.seats for claim in said.claims):
            return True
        return bool(re.search(rf"(?<!\d){self._seat}\s*号|\bseat\s+{self._seat}\b", said.text, re.IGNORECASE))

    # Calls

    def asks(self, request: Request, context: int | None) -> Asks:
        """What a reply to `request` is asked for, by a model with so much `context` (in tokens)."""
        table = self._prompter.table
        rules = table.began.rules
        may_explode = table.kind(table.role) == "werewolf" and bool(rules["explode.allowed"])
        thought, notes = (BRIEF if self._is_tight(context) else PRIVATE)[self._lang]
        return Asks(
            self._lang,
            tuple(table.began.roles),
            thought=thought,
            notes=notes,
            beliefs=self._beliefs and any(choice.act == "vote" for choice in request.choices),
            explosion=may_explode and self._seat in table.in_play,
            bids=rules["discussion.mode"] == "bidding",
            alone=self._prompter.pack <= 1,
            victim=table.victim,
        )

    def first_terms(self, request: Request, context: int | None) -> Terms:
        """How a request is put at first."""
        return Terms(tokens=longest(request, self.asks(request, context)))

    def _is_tight(self, context: int | None) -> bool:
        """Whether what all seats share takes more than its part of the context."""
        return context is not None and tokens(self._prompter.shared(brief=False)) * ROOM > context

    def call(self, request: Request, terms: Terms, context: int | None, dropped: int = 0) -> tuple[Call, int]:
        """The call for `request`, and how many days' words are left out of it.

        These are at least `dropped`, and as many more as it takes to fit into the `context`. Before the words of
        today, advice is left out.
        """
        asks = self.asks(request, context)
        brief = self._is_tight(context)
        while True:
            prompt = self._prompter.write(
                request, asks, self._notes, self._last.thought, dropped, terms.complaint, brief=brief
            )
            size = tokens(prompt.system) + tokens(prompt.user) + terms.tokens
            if context is None or size <= context or (brief and not self.can_drop(dropped)):
                break
            # Today's words are worth more than advice.
            if brief or dropped < self._prompter.day - 1:
                dropped += 1
            else:
                brief = True
        schema = answer_schema(request, asks)
        return Call(prompt.system, prompt.user, schema, terms.tokens, self._sampling, terms.freely), dropped

    def renditions(self, request: Request, complaint: str) -> Iterator[Prompt]:
        """Every prompt for `request` that a model can have been sent, whatever its context, the whole one first."""
        for context, briefly in ((None, False), (None, True), (1, True)):
            asks = self.asks(request, context)
            for dropped in range(self._prompter.day + 1):
                yield self._prompter.write(
                    request, asks, self._notes, self._last.thought, dropped, complaint, brief=briefly
                )

    def can_drop(self, dropped: int) -> bool:
        """Whether there is a day left whose words can be left out, besides `dropped` first ones."""
        return dropped < self._prompter.day
