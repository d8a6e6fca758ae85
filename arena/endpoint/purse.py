"""The money of a run: what a call could cost at worst is laid aside before it is made."""

import asyncio

from arena.terms import Halted

_CRUMB = 1e-12


class OutOfBudget(Halted):
    """The next call could cost more than is left."""


class Purse:
    """What may be spent, and what has been, in USD. Without a `budget` it only counts."""

    def __init__(self, budget: float | None = None, spent: float = 0.0) -> None:
        self.budget = budget
        self.spent = spent
        self._reserved = 0.0
        self._settled = asyncio.Event()

    async def reserve(self, usd: float) -> None:
        """Lay `usd` aside; where calls in flight may turn out cheaper than they could be, wait for them.

        Raises:
            OutOfBudget: the budget could be exceeded.
        """
        while self._reserved > 0 and self._exceeded(usd):
            self._settled.clear()
            await self._settled.wait()
        if self._exceeded(usd):
            raise OutOfBudget(
                f"budget: {self.spent:.4f} USD of {self.budget:g} are spent, and the next call may cost {usd:.4f}; "
                "a larger --budget goes on"
            )
        self._reserved += usd

    def _exceeded(self, usd: float) -> bool:
        return self.budget is not None and usd > 0 and self.spent + self._reserved + usd > self.budget

    def settle(self, reserved: float, usd: float) -> None:
        """What was laid aside has cost `usd`."""
        # Sums of fractions leave crumbs, for which nobody should wait.
        left = self._reserved - reserved
        self._reserved = left if left > _CRUMB else 0.0
        self.spent += usd
        self._settled.set()
