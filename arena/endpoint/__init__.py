"""Endpoints: where models answer, over any OpenAI-compatible interface.

- `plan` says where an endpoint is, which model it serves, its limits and prices; ``presets.yaml`` and a working
  folder's ``endpoints.yaml`` are such plans as data.
- `client.Endpoint` makes calls: one client, calls in flight and per minute bounded, retries when nobody answers, and
  what the endpoint can't do learnt from its first refusal (`ability`).
- `Purse` stops a call that could exceed the budget before it is made.
- `probe` asks an endpoint what it can do.

What may live here: what belongs to an endpoint whatever is asked of it. What may not: the game.
"""

from arena.endpoint.call import Answer, Call, Log, Overflow, Unanswered, Unreachable
from arena.endpoint.limits import Limits, OwnLimits, Rest
from arena.endpoint.opened import Endpoints
from arena.endpoint.plan import EndpointPlan, Sampling, completed, load_endpoints, resolve
from arena.endpoint.purse import OutOfBudget, Purse

__all__ = [
    "Answer",
    "Call",
    "EndpointPlan",
    "Endpoints",
    "Limits",
    "Log",
    "OutOfBudget",
    "Overflow",
    "OwnLimits",
    "Purse",
    "Rest",
    "Sampling",
    "Unanswered",
    "Unreachable",
    "completed",
    "load_endpoints",
    "resolve",
]
