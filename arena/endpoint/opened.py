"""The endpoints of a run, opened as they are needed.

Only then is the client loaded, which takes longer than many a command that needs none.
"""

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING

from arena.endpoint.call import Unreachable
from arena.endpoint.limits import Limits
from arena.endpoint.plan import EndpointPlan
from arena.endpoint.purse import Purse

if TYPE_CHECKING:
    from arena.endpoint.client import Endpoint


class Endpoints:
    """The endpoints of a run, each opened when it is first needed, with one purse.

    `limits` gives those of an endpoint by its name; without it, each keeps to its plan by itself.
    """

    def __init__(self, purse: Purse | None = None, limits: Callable[[str], Limits] | None = None) -> None:
        self.purse = purse or Purse()
        self._limits = limits
        self._open: dict[tuple[str, EndpointPlan | str], Endpoint] = {}

    def of(self, name: str, plan: EndpointPlan) -> "Endpoint":
        """The endpoint with this plan.

        Raises:
            UnusableInput: the variable for its key is not set.
        """
        from arena.endpoint.client import Endpoint

        key = (name, plan.model_dump_json())
        if key not in self._open:
            limits = self._limits(name) if self._limits else None
            self._open[key] = Endpoint(name, plan, self.purse, limits)
        return self._open[key]

    async def check(self) -> None:
        """Check all that are open.

        Raises:
            Unreachable: as `Endpoint.check`; a line for each that doesn't answer.
        """
        found = await asyncio.gather(*(one.check() for one in self._open.values()), return_exceptions=True)
        wrong = [one for one in found if one is not None]
        for one in wrong:
            if not isinstance(one, Unreachable):
                raise one
        if wrong:
            raise Unreachable("\n".join(map(str, wrong)))

    async def close(self) -> None:
        """Let go of all connections."""
        for endpoint in self._open.values():
            await endpoint.close()
