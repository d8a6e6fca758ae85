"""The scripted player: reads its view, decides by topic, and puts the decision into words."""

from collections.abc import Callable
from dataclasses import replace

from arena.events import View
from arena.players.scripted import election, girl, lovers, night, outcasts, piper, thief, turns, votes, wolves
from arena.players.scripted.aims import tactful
from arena.players.scripted.discretion import discreet
from arena.players.scripted.mind import Mind, Move, offers
from arena.players.scripted.speech import bid, speak
from arena.players.scripted.talk import Voice
from arena.terms import PASS, Decision, Lang, Reply, Request, Seat

KEEP_COVER = Move(PASS, ("keep_cover", {}))


class ScriptedPlayer:
    """Plays one seat by rule, and speaks as its persona does.

    A reply is a function of the view, the request and the seed. Without `words` it makes the same decisions and
    claims in silence, for speed.
    """

    def __init__(
        self, seed: int, seat: Seat, persona: str | None = None, lang: Lang = "zh", words: bool = True
    ) -> None:
        self._mind = Mind(seed, seat, persona, words=words)
        self._voice = Voice(self._mind, lang) if words else None

    def answer(self, view: View, request: Request) -> Reply:
        """Decide at once."""
        mind = self._mind
        mind.read(view)
        move = _TOPICS.get(request.topic, _speak)(mind, tactful(mind, request))
        decision = move.decision
        if not self._voice:
            return Reply(decision, "script")
        if move.points and request.seconds:
            decision = replace(decision, text=self._voice.speech(move.points))
        return Reply(decision, "script", self._voice.thought(move.why))

    async def reply(self, view: View, request: Request) -> Reply:
        """As `answer`."""
        return self.answer(view, request)


def _explode(mind: Mind, request: Request) -> Move:
    if wolves.explodes(mind, request):
        return Move(Decision("explode"), ("explode", {}))
    return KEEP_COVER


def _speak(mind: Mind, request: Request) -> Move:
    if not offers(request, "speak"):
        return _unknown(mind, request)
    if request.window:
        # Words beside somebody else's speech: this script keeps to its own turns.
        return Move(request.default, ("power", {}))
    if wolves.explodes(mind, request):
        return Move(Decision("explode"), ("explode", {}))
    return discreet(mind, request.topic, speak(mind, request))


def _unknown(mind: Mind, request: Request) -> Move:
    """A power this script does not know: any legal use of it."""
    usable = [choice for choice in request.choices if choice.seats and choice.least <= len(choice.seats)]
    if not usable:
        return Move(request.default, ("power", {}))
    choice = usable[int(mind.chance("power", request.n) * len(usable))]
    seats = sorted(choice.seats, key=lambda seat: mind.chance("target", request.n, seat))
    return Move(Decision(choice.act, tuple(seats[: max(1, choice.least)])), ("power", {}))


_TOPICS: dict[str, Callable[[Mind, Request], Move]] = {
    "werewolves": wolves.hunt,
    "guard": night.watch,
    "witch": night.potions,
    "seer": night.check,
    "shoot": night.shoot,
    "explode": _explode,
    "bid": bid,
    "stand": election.stand,
    "withdraw": election.withdraw,
    "order": turns.order,
    "badge": election.badge,
    "sheriff": votes.elect,
    "sheriff_runoff": votes.elect,
    "vote": votes.vote,
    "runoff": votes.vote,
    "decide": votes.decide,
    "cupid": lovers.link,
    "widow": lovers.attack_alone,
    "white_wolf": lovers.betray,
    "piper": piper.charm,
    "soundproof": piper.soundproof,
    "gesture": piper.gesture,
    "thief": thief.choose,
    "girl": girl.peek,
    "take_girl": girl.take,
    "reveal": outcasts.reveal,
    "interjection": outcasts.interject,
    "goat": outcasts.name_voters,
}
