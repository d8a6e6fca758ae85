"""A player who chooses among everything legal, each as likely as the other."""

from arena.chance import draw, shuffled
from arena.events import View
from arena.terms import PASS, Choice, Decision, Reply, Request, Seat


class RandomPlayer:
    """Uniform over the legal choices; an optional chance is taken one time in twenty."""

    def __init__(self, seed: int) -> None:
        self._seed = seed

    def answer(self, view: View, request: Request) -> Reply:
        """Choose by a hash of the player's seed and the number of the request."""
        number = draw(self._seed, request.seat, request.n)
        if request.window and number % 20:
            return Reply(request.default, "random")
        choices = [choice for choice in request.choices if not request.window or choice.act != PASS.act]
        legal = [(choice, seat) for choice in choices for seat in (choice.seats or (0,))]
        choice, seat = legal[number // 20 % len(legal)]
        return Reply(Decision(choice.act, self._seats(request, choice, seat)), "random")

    def _seats(self, request: Request, choice: Choice, first: Seat) -> tuple[Seat, ...]:
        """The seats named: `first`, and others where more than one may be."""
        if choice.most == 1 or len(choice.seats) < 2:
            return (first,) if choice.seats else ()
        labels = (self._seed, request.seat, request.n, "seats")
        most = min(choice.most, len(choice.seats))
        number = choice.least + draw(*labels) % (most - choice.least + 1)
        rest = shuffled([seat for seat in choice.seats if seat != first], *labels)
        return (first, *rest[: number - 1])

    async def reply(self, view: View, request: Request) -> Reply:
        """As `answer`."""
        return self.answer(view, request)
