"""Games whose seats are played by the stand-in for models."""

import asyncio
import json
import re
from collections.abc import Mapping
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from arena.endpoint import EndpointPlan, Endpoints, Purse
from arena.match import Match
from arena.seating import Models, Seating, make_players, sit_down
from arena.terms import Lang, Reply
from arena.transcript import Attempted, Header, Replied, Transcript, Writer, read, rerun
from tests.model_server import ModelServer
from tests.model_server.refusals import response_format
from tests.model_server.schema import Json, Sampler


class Table(NamedTuple):
    """A game that is about to begin, and where its models are."""

    head: Header
    plans: Mapping[str, EndpointPlan]


def table(server: ModelServer, players: int = 6, lang: Lang = "en", *, seed: int = 1, **keys: Any) -> Table:
    """A table of models; `endpoint` adds to the plan of their endpoint, the rest is as in a seats file."""
    plan = {"base_url": server.base_url, "model": "test-model", "timeout": 5, **keys.pop("endpoint", {})}
    seats = {f"1-{players}": {"model": "stand-in"}}
    sitting = sit_down(
        Seating.model_validate({"language": lang, "seats": seats, "endpoints": {"stand-in": plan}, **keys})
    )
    head = Header(
        started="2026-11-29T20:00:00+00:00",
        lang=lang,
        seed=seed,
        cards=sitting.cards,
        seats=sitting.seats,
        models={name: plan.model for name, plan in sitting.endpoints.items()},
        budget_usd=sitting.seating.budget_usd,
        outage=sitting.seating.outage,
        ruleset=sitting.ruleset,
    )
    return Table(head, sitting.endpoints)


async def _played(writer: Writer, transcript: Transcript, plans: Mapping[str, EndpointPlan], purse: Purse) -> None:
    head = transcript.header
    endpoints = Endpoints(purse)
    models = Models(endpoints, plans, writer, transcript.past, halts=head.outage == "halt")
    try:
        players = make_players(head.seats, head.seed, head.lang, models)
        await Match(rerun(head, transcript.records), writer, players).run()
    finally:
        await endpoints.close()


def play(path: Path, table: Table) -> Transcript:
    """Play a game into `path`."""
    head, plans = table
    with Writer.create(path, head) as writer:
        asyncio.run(_played(writer, Transcript(path, head, ()), plans, Purse(head.budget_usd)))
    return read(path)


def resume(path: Path, table: Table, budget: float | None = None) -> Transcript:
    """Play the game in `path` to its end."""
    transcript, writer = Writer.resume(path)
    purse = Purse(budget or transcript.header.budget_usd, transcript.spent)
    with writer:
        asyncio.run(_played(writer, transcript, table.plans, purse))
    return read(path)


def written(body: Json) -> str:
    """An answer that depends on nothing but the question, whatever form it is asked for in."""
    prompt = body["messages"][-1]["content"]
    chance = Random(prompt)
    if response_format(body) == "json_schema":
        schema = body["response_format"]["json_schema"]["schema"]
        return json.dumps(Sampler(schema, chance).value(schema))
    choices = re.findall(r'(?m)^- \{"action": "(\w+)".*? — .*?((?:\d+, )*\d+)?$', prompt)
    if not choices:
        return json.dumps({"speech": "Hm."})
    act, seats = chance.choice(choices)
    return json.dumps({"decision": {"action": act, **({"target": chance.choice(seats.split(", "))} if seats else {})}})


def attempts(transcript: Transcript) -> list[Attempted]:
    return [record for record in transcript.records if isinstance(record, Attempted)]


def replies(transcript: Transcript) -> Mapping[tuple[int, int], Reply]:
    return {(r.seat, r.n): r.reply for r in transcript.records if isinstance(r, Replied)}
