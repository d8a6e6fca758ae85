"""The thief's choice between the two cards left over."""

from arena.players.scripted.mind import Mind, Move
from arena.terms import Decision, Request

WORTH = {
    "seer": 5.0,
    "witch": 4.5,
    "hunter": 3.5,
    "guard": 3.5,
    "white_wolf": 2.0,
    "elder": 3.0,
    "idiot": 2.5,
    "little_girl": 2.5,
    "piper": 2.5,
    "cupid": 2.0,
    "scapegoat": 1.2,
    "keep": 1.1,
    "villager": 1.0,
}
"""What a card is worth to one who may choose. Keeping the thief's card makes a villager that nobody can claim to be."""

WOLF = (2.0, 3.0)
"""The worth of a werewolf's card to a timid and, on top, to a bold mind."""


def choose(mind: Mind, request: Request) -> Move:
    """Take the more useful card; the choices hold to the rules about werewolves already."""

    def worth(act: str) -> float:
        if mind.table.kind(act) == "werewolf" and act not in WORTH:
            return WOLF[0] + WOLF[1] * mind.risk
        return WORTH.get(act, 0.0)

    act = max((choice.act for choice in request.choices), key=worth)
    return Move(Decision(act), ("keep_card", {}) if act == "keep" else ("take_card", {"role": act}))
