"""The tables and their columns. A row of any table belongs to the row of `games` with the same `game`."""

from collections.abc import Mapping
from typing import Any, Literal

Type = Literal["text", "texts", "whole", "number", "yes_no", "seats", "beliefs"]
"""What a column holds: `seats` lists whole numbers, `beliefs` a `seat` and its chance of being a `werewolf` each."""

Row = Mapping[str, Any]

_CALLS: dict[str, Type] = {
    "calls": "whole",
    "prompt_tokens": "whole",
    "cached_tokens": "whole",
    "completion_tokens": "whole",
    "usd": "number",
    "seconds": "number",
}

TABLES: Mapping[str, Mapping[str, Type]] = {
    "games": {
        "game": "text",
        "file": "text",
        "duskwald": "text",
        "started": "text",
        "lang": "text",
        "ruleset": "text",
        "players": "whole",
        "seed": "whole",
        "series_game": "whole",
        "format": "text",
        "block": "whole",
        "deal": "text",
        "leg": "whole",
        "finished": "yes_no",
        "winner": "text",
        "reason": "text",
        "days": "whole",
        "rated_winner": "text",
        "void": "text",
    },
    "seats": {
        "game": "text",
        "seat": "whole",
        "competitor": "text",
        "player": "text",
        "model": "text",
        "persona": "text",
        "dealt": "text",
        "role": "text",
        "faction": "text",
        "result": "text",
        "rated_result": "text",
        "points": "number",
        "out_day": "whole",
        "out_night": "yes_no",
        "out_cause": "text",
        "decisions": "whole",
        "defaults": "whole",
        **_CALLS,
    },
    "decisions": {
        "game": "text",
        "seat": "whole",
        "n": "whole",
        "day": "whole",
        "part": "text",
        "topic": "text",
        "act": "text",
        "targets": "seats",
        "text": "text",
        "source": "text",
        "thought": "text",
        "beliefs": "beliefs",
        "faults": "texts",
        **_CALLS,
    },
    "claims": {
        "game": "text",
        "number": "whole",
        "seat": "whole",
        "day": "whole",
        "topic": "text",
        "about": "text",
        "subjects": "seats",
        "value": "text",
        "true": "yes_no",
    },
    "votes": {
        "game": "text",
        "number": "whole",
        "day": "whole",
        "ballot": "text",
        "voter": "whole",
        "target": "whole",
        "half_votes": "whole",
        "decisive": "yes_no",
    },
}
