"""A player who chooses among everything legal, each as likely as the other."""

from arena.chance import draw
from arena.events import View
from arena.terms import Decision, Reply, Request


class RandomPlayer:
    """Uniform over the legal choices; an optional chance is taken one time in twenty."""

    def __init__(self, seed: int) -> None:
        self._seed = seed

    def answer(self, view: View, request: Request) -> Reply:
        """Choose by a hash of the player's seed and the number of the request."""
        number = draw(self._seed, request.seat, request.n)
        if request.window and number % 20:
            return Reply(request.default, "random")
        legal = [(choice, seat) for choice in request.choices for seat in (choice.seats or (0,))]
        choice, seat = legal[number // 20 % len(legal)]
        return Reply(Decision(choice.act, (seat,) if choice.seats else ()), "random")

    async def reply(self, view: View, request: Request) -> Reply:
        """As `answer`."""
        return self.answer(view, request)
