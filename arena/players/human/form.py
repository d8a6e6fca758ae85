"""What a person is asked for each request: everything legal, and nothing else."""

from arena.narrate import Narrator
from arena.players.human.asking import Asking
from arena.players.human.claims import ask_claims
from arena.players.model.form import acts, is_turn
from arena.terms import Choice, Decision, Lang, Request, Seat
from arena.texts import act_words, seat_names, texts

FOR_GOOD = {"explode", "shoot"}
"""Acts that turn a card up at once, for all to see; whoever hits the wrong key should not."""

SPEAK = Choice("speak")


class Form:
    """Puts requests to a person. `narrator` has told them the game so far."""

    def __init__(self, lang: Lang, asking: Asking, narrator: Narrator) -> None:
        self._lang = lang
        self._asking = asking
        self._narrator = narrator
        self._words = texts(lang, "human")

    async def fill(self, request: Request, speaker: Seat) -> Decision:
        """The person's decision; `speaker` is who has the floor (0: nobody).

        Raises:
            Left: the person has left.
        """
        while True:
            choice, seats = await self._choose(request, self._question(request, speaker))
            if choice.most > 1:
                options = [(seat, seat_names(self._lang, [seat])) for seat in choice.seats]
                most = min(choice.most, len(choice.seats))
                seats = await self._asking.tick(self._question(request, speaker), options, choice.least, most)
            decision = Decision(choice.act, seats)
            sure = self._words["sure"].format(decision=self.words(request, decision))
            if choice.act not in FOR_GOOD or await self._asking.confirm(sure):
                return await self._with_words(request, decision)

    def words(self, request: Request, decision: Decision) -> str:
        """What `decision` means, in words."""
        seats = seat_names(self._lang, decision.seats)
        return act_words(self._lang, request.topic, decision.act, seats, self._card(decision.act))

    def _question(self, request: Request, speaker: Seat) -> str:
        question = str(self._words["questions"][request.topic])
        if not request.window or not speaker:
            return question
        return str(self._words["window"].format(speaker=seat_names(self._lang, [speaker]), question=question))

    def _card(self, act: str) -> str:
        return self._narrator.title(act) if act in self._narrator.roles else ""

    async def _choose(self, request: Request, question: str) -> tuple[Choice, tuple[Seat, ...]]:
        """A choice, with its seat where it names one."""
        choices = ((SPEAK,) if is_turn(request) else ()) + acts(request)
        options = [option for choice in choices for option in self._options(request, choice)]
        if len(options) == 1 and (is_turn(request) or choices[0].most > 1):
            return options[0][0]
        usual = (request.default.act, request.default.seats)
        first = next((i for i, ((choice, seats), _) in enumerate(options) if (choice.act, seats) == usual), 0)
        return await self._asking.choose(question, options, first)

    def _options(self, request: Request, choice: Choice) -> list[tuple[tuple[Choice, tuple[Seat, ...]], str]]:
        if choice.most > 1:
            several = texts(self._lang, "model")["choice"]["several"]
            return [((choice, ()), act_words(self._lang, request.topic, choice.act, several))]
        named: list[tuple[Seat, ...]] = [(seat,) for seat in choice.seats] or [()]
        return [((choice, seats), self.words(request, Decision(choice.act, seats))) for seats in named]

    async def _with_words(self, request: Request, decision: Decision) -> Decision:
        """`decision` with what is said beside it, where words are heard. Who has nothing to say passes."""
        if not request.seconds:
            return decision
        if not is_turn(request):
            text = await self._asking.write(self._words["aside"], self._words["aside.how"])
            return Decision(decision.act, decision.seats, text)
        if decision.act != SPEAK.act:
            return decision
        question = f"{self._words['questions'][request.topic]} {self._words['speech']}"
        text = await self._asking.write(question, self._words["speech.how"])
        if not text:
            return request.default
        claims = await ask_claims(self._asking, self._narrator, request, self._lang)
        return Decision(SPEAK.act, (), text, claims)
