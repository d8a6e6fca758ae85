"""How a table is laid, as plain JSON data: the keys of a seats file, from the lobby and back from SQLite."""

from typing import Any

import orjson
from pydantic import ValidationError

from arena.chance import shuffled
from arena.mistakes import complaint
from arena.seating import Seating, SeatPlan
from arena.terms import UnusableInput
from arena.texts import texts


def read_setup(data: object, drawn: int) -> Seating:
    """The table in `data`. People without a name are given a neutral one, by the number `drawn`.

    Raises:
        UnusableInput: it does not fit; names the place and what is allowed there.
    """
    if not isinstance(data, dict):
        raise UnusableInput(f"a table is a mapping with some of the keys {', '.join(Seating.model_fields)}")
    lang = "en" if data.get("language") == "en" else "zh"
    names = iter(shuffled(texts(lang, "terms")["names"], drawn, "names"))
    seats = data.get("seats")
    if isinstance(seats, dict):
        seats = {seat: {"human": next(names)} if plan == "human" else plan for seat, plan in seats.items()}
    try:
        return Seating.model_validate({**_thawed(data), **({"seats": seats} if seats is not None else {})})
    except ValidationError as error:
        raise UnusableInput(complaint(error, Seating)) from None
    except StopIteration:
        raise UnusableInput(f"seats: give names to people from the {len(texts(lang, 'terms')['names'])}th on") from None


def pack(setup: Seating) -> str:
    """`setup` as JSON."""
    data = setup.model_dump(exclude_none=True)
    data["seats"] = {str(seat): _written(plan) for seat, plan in setup.seats.items()}
    return orjson.dumps(data, option=orjson.OPT_NON_STR_KEYS).decode()


def unpack(text: str) -> Seating:
    """What was packed."""
    return Seating.model_validate(_thawed(orjson.loads(text)))


def _written(plan: SeatPlan) -> object:
    match plan.player:
        case "scripted" if plan.persona:
            return {"scripted": plan.persona}
        case "human":
            return {"human": plan.name}
        case "model":
            return plan.model_dump(exclude_none=True, exclude={"player", "name"})
    return plan.player


def _thawed(value: Any) -> Any:
    """`value` with the keys that are numbers, as in the knobs by number of players."""
    if isinstance(value, dict):
        return {int(key) if str(key).isdecimal() else key: _thawed(item) for key, item in value.items()}
    return [_thawed(item) for item in value] if isinstance(value, list) else value
