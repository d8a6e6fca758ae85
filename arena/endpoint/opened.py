"""The endpoints of a run, opened as they are needed.

Only then is the client loaded, which takes longer than many a command that needs none.
"""

from typing import TYPE_CHECKING

from arena.endpoint.plan import EndpointPlan
from arena.endpoint.purse import Purse

if TYPE_CHECKING:
    from arena.endpoint.client import Endpoint


class Endpoints:
    """The endpoints of a run, each opened when it is first needed, with one purse."""

    def __init__(self, purse: Purse | None = None) -> None:
        self.purse = purse or Purse()
        self._open: dict[tuple[str, EndpointPlan | str], Endpoint] = {}

    def of(self, name: str, plan: EndpointPlan) -> "Endpoint":
        """The endpoint with this plan.

        Raises:
            UnusableInput: the variable for its key is not set.
        """
        from arena.endpoint.client import Endpoint

        key = (name, plan.model_dump_json())
        if key not in self._open:
            self._open[key] = Endpoint(name, plan, self.purse)
        return self._open[key]

    async def check(self) -> None:
        """Check all that are open.

        Raises:
            Unreachable: as `Endpoint.check`.
        """
        for endpoint in self._open.values():
            await endpoint.check()

    async def close(self) -> None:
        """Let go of all connections."""
        for endpoint in self._open.values():
            await endpoint.close()
