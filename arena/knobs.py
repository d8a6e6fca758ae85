"""What a knob is, and the knobs that belong to no single role.

A ruleset sets knobs; a role's own knobs stand in the role's file. Every knob has a default, so a ruleset
lists only what differs. The words for each knob and value are in ``prompts/<language>/rules.yaml``.
"""

from typing import Any

from arena.strict_yaml import flow, quoted
from arena.terms import UnusableInput, record

MOST = 9999
"""What no number in a ruleset exceeds, so that every transcript can hold it."""

Rules = dict[str, Any]
"""Every knob's value by key. Lists are tuples, so that values can be shared and compared."""

CAUSES = (
    "werewolves",
    "poison",
    "exile",
    "shot",
    "lover",
    "explode",
    "girl",
    "scapegoat",
    "idiot",
    "red_card",
    "widow",
    "white_wolf",
)
"""Why a seat can be out."""


@record
class Knob:
    """One knob: its key, default and what is allowed.

    Exactly one of these says what is allowed: `values` (one of them), `among` (a list of some of them; ``"roles"``
    means any known roles), `least` (a whole number from there to `most`), `share` (a number from 0 to 1), `number`
    (any number of up to `MOST`, also below zero), `keys` (a mapping with these keys, each held to the knob given),
    `table` (a mapping from numbers of players to lists of roles).
    """

    key: str
    default: Any
    values: tuple[Any, ...] = ()
    among: tuple[str, ...] = ()
    least: int | None = None
    most: int = MOST
    share: bool = False
    number: bool = False
    keys: "tuple[Knob, ...]" = ()
    table: bool = False


def flag(key: str, default: bool) -> Knob:
    """A yes/no knob."""
    return Knob(key, default, values=(True, False))


NIGHT_ORDER = (
    "thief",
    "cupid",
    "lovers",
    "guard",
    "werewolves",
    "girl",
    "widow",
    "white_wolf",
    "witch",
    "seer",
    "piper",
    "hunter",
)
"""The order of the house; steps of roles that are not in the deck are not called."""

POINTS = {"win": 1, "draw": 0.5, "loss": 0, "good_vote": 0.5, "breach": -0.5}
"""What a player of a series gets for a game. The sources' tables are lost; these are the house's."""

KNOBS = (
    Knob("key_figures", {}, table=True),
    Knob("night_order", NIGHT_ORDER, among=("steps",)),
    flag("call_all_steps", True),
    flag("first_kill_protection", False),
    Knob("sheriff.weight", 1.5, values=(1.5, 2)),
    Knob("sheriff.min_players", 7, least=0),
    Knob(
        "sheriff.election",
        {"day": 1, "before_announcement": True},
        keys=(Knob("day", 1, least=1), flag("before_announcement", True)),
    ),
    Knob("sheriff.electors", "non_candidates", values=("non_candidates", "all")),
    Knob("sheriff.candidates", "volunteers", values=("volunteers", "everyone")),
    flag("sheriff.may_withdraw", True),
    Knob("sheriff.tie", "runoff_then_none", values=("none", "runoff_then_none", "runoff_then_next_day")),
    Knob("sheriff.runoff_electors", "same", values=("same", "all_but_tied")),
    Knob("sheriff.succession", "pass_or_tear", values=("must_pass", "pass_or_tear")),
    Knob("sheriff.breaks_tie", "never", values=("never", "own_vote", "decides")),
    Knob("sheriff.explode_in_campaign", "next_day_then_lost", values=("lost", "next_day", "next_day_then_lost")),
    flag("sheriff.wins_last_two", False),
    Knob(
        "discussion.rounds",
        {"first_day": 1, "later": 1},
        keys=(Knob("first_day", 1, least=1, most=9), Knob("later", 1, least=1, most=9)),
    ),
    Knob("discussion.mode", "order", values=("order", "bidding")),
    Knob("discussion.order", "alternate", values=("alternate", "sheriff_chooses", "left_of_dead")),
    Knob("discussion.seconds", 120, least=1),
    Knob("discussion.last_speaker_seconds", 120, least=1),
    flag("reveal_cards", False),
    Knob("announce_order", "seat", values=("seat", "cause")),
    Knob("vote.ballot", "simultaneous", values=("simultaneous", "by_target")),
    Knob("vote.tie", "runoff_then_none", values=("none", "runoff_then_none", "repeat")),
    Knob("vote.max_runoffs", 5, least=1, most=99),
    Knob(
        "last_words.policy",
        "quota",
        values=("quota", "first_night_and_day", "first_night_and_first_exile", "none"),
    ),
    Knob("last_words.entitled", tuple(c for c in CAUSES if c != "red_card"), among=("causes",)),
    Knob("last_words.uses", tuple(c for c in CAUSES if c != "red_card"), among=("causes",)),
    Knob(
        "win.werewolves",
        "side",
        values=("all", "parity", "side", "civilians", "civilians_or_key_figures"),
    ),
    Knob("win.village", "no_werewolves", values=("no_werewolves", "no_evil", "last_standing")),
    flag("win.losing", False),
    Knob("settlement", "sequential", values=("sequential", "simultaneous")),
    Knob("wolf_attack_first", "never", values=("never", "last_two", "always")),
    Knob("stalemate_cycles", 3, least=1),
    Knob("stalemate_max_seats", 0, least=0),
    Knob("conduct", ("oath", "outside_information", "abuse"), among=("conduct",)),
    Knob("conduct.red_card_after", 3, least=1),
    Knob("points", POINTS, keys=tuple(Knob(what, points, number=True) for what, points in POINTS.items())),
)


def checked(knob: Knob, value: Any, names: dict[str, tuple[str, ...]], where: str) -> Any:
    """`value` in the form in which rules hold it, if `knob` allows it.

    `names` lists what the words ``roles``, ``steps``, ``causes`` and ``conduct`` of `Knob.among` stand for.

    Raises:
        UnusableInput: naming `where`, the knob, the value and what is allowed.
    """
    if knob.keys or knob.table:
        return _checked_mapping(knob, value, names, where)
    known = tuple(name for word in knob.among for name in names.get(word, (word,)))
    if not _fits(knob, value, known):
        raise UnusableInput(f"{where}: {knob.key}: {quoted(value)} is not allowed; allowed: {_allowed(knob, known)}")
    return tuple(value) if knob.among else value


def _allowed(knob: Knob, known: tuple[str, ...]) -> str:
    if knob.values:
        return ", ".join(flow(value) for value in knob.values)
    if knob.share:
        return "a number from 0 to 1"
    if knob.number:
        return f"a number from {-MOST} to {MOST}"
    if knob.among:
        return f"a list of {', '.join(known)}, none of them twice"
    return f"a whole number from {knob.least} to {knob.most}"


def _fits(knob: Knob, value: Any, known: tuple[str, ...]) -> bool:
    if knob.values:
        # `1 == True` in Python, so the type has to agree as well.
        return any(value == v and isinstance(value, bool) == isinstance(v, bool) for v in knob.values)
    if knob.among:
        listed = isinstance(value, list | tuple) and all(item in known for item in value)
        return listed and len(set(value)) == len(value)
    if isinstance(value, bool):
        return False
    if knob.share:
        return isinstance(value, int | float) and 0 <= value <= 1
    if knob.number:
        return isinstance(value, int | float) and -MOST <= value <= MOST
    return isinstance(value, int) and knob.least is not None and knob.least <= value <= knob.most


def _checked_mapping(knob: Knob, value: Any, names: dict[str, tuple[str, ...]], where: str) -> dict[Any, Any]:
    def refuse(allowed: str) -> UnusableInput:
        return UnusableInput(f"{where}: {knob.key}: {quoted(value)} is not allowed; allowed: {allowed}")

    if not isinstance(value, dict):
        raise refuse("a mapping")
    if knob.table:
        if not all(str(players).isdecimal() for players in value):
            raise refuse("a mapping from numbers of players to lists of roles")
        return {
            int(players): checked(Knob(str(players), (), among=("roles",)), cards, names, f"{where}: {knob.key}")
            for players, cards in value.items()
        }
    for key in value:
        if key not in {k.key for k in knob.keys}:
            raise refuse("the keys " + ", ".join(k.key for k in knob.keys))
    return {k.key: checked(k, value.get(k.key, k.default), names, f"{where}: {knob.key}") for k in knob.keys}
