"""What is kept of a game that has ended, so that nobody has to read its transcript again to know how it went."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict, astuple, field
from typing import Any

import orjson

from arena.accounts import Account
from arena.terms import record
from arena.tournament.game import Game, Luck, Place
from arena.tournament.metrics import Sum, measured
from arena.tournament.played import Conduct, conduct_of, game_of, points_by_competitor
from arena.tournament.schedule import Fixture, Format
from arena.tournament.seal import Seal
from arena.transcript import Transcript

EDITION = 4
"""To be raised when figures are reckoned otherwise: what another edition has kept is reckoned again."""


@record
class Result:
    """One game as far as it has come: what it is rated by, how competitors behaved, and, at its end, what they did.

    `points` are those of each competitor for a game of a series.
    """

    game: Game
    conduct: Mapping[str, Conduct]
    sums: tuple[Sum, ...] = ()
    points: Mapping[str, float] = field(default_factory=dict)


def result_of(fixture: Fixture, transcript: Transcript, board: str, kind: Format, faults: int) -> Result:
    """The result of `fixture`; arguments as for `game_of`."""
    game = game_of(fixture, transcript, board, kind, faults)
    sums = measured(transcript.records, fixture.competitors) if game.winner else ()
    points = points_by_competitor(game, transcript) if game.winner and kind == "series" else {}
    return Result(game, conduct_of(fixture, transcript), sums, points)


def encode_result(result: Result, seal: Seal) -> bytes:
    """`result` as a line of JSON; by the `seal` of its transcript a change of it is noticed."""
    line = {
        "id": result.game.id,
        "seal": astuple(seal),
        "edition": EDITION,
        "game": asdict(result.game)
        | {
            "places": [astuple(place) for place in result.game.places],
            "luck": [astuple(one) for one in result.game.luck],
        },
        "conduct": {name: _plain(conduct) for name, conduct in result.conduct.items()},
        "sums": [astuple(one) for one in result.sums],
        "points": result.points,
    }
    return orjson.dumps(line, option=orjson.OPT_APPEND_NEWLINE)


def _plain(conduct: Conduct) -> dict[str, Any]:
    # `asdict` makes of a counter one that counts its pairs.
    account = {**vars(conduct.account), "faults": dict(conduct.account.faults)}
    return {"account": account, "seconds": conduct.seconds, "defaults": conduct.defaults}


def decode_result(data: Mapping[str, Any]) -> Result:
    """The result in the object of a line."""
    game = data["game"]
    return Result(
        Game(
            **game
            | {
                "places": tuple(Place(*one) for one in game["places"]),
                "luck": tuple(Luck(*one) for one in game["luck"]),
                "forfeits": tuple(game["forfeits"]),
            }
        ),
        {name: _conduct(conduct) for name, conduct in data["conduct"].items()},
        tuple(Sum(*one) for one in data["sums"]),
        data["points"],
    )


def _conduct(data: Mapping[str, Any]) -> Conduct:
    account = Account(**data["account"] | {"faults": Counter(data["account"]["faults"])})
    return Conduct(account, data["seconds"], data["defaults"])
