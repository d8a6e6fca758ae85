"""The money of a run: what a call could cost at worst is laid aside before it is made."""

import asyncio

from arena.terms import Halted

_CRUMB = 1e-12


class OutOfBudget(Halted):
    """The next call could cost more than is left: `spent` of a `budget`, in USD."""

    def __init__(self, spent: float, budget: float, usd: float) -> None:
        super().__init__(spent, budget, usd)
        self.spent = spent
        self.budget = budget
        self.usd = usd

    def __str__(self) -> str:
        return (
            f"budget: {self.spent:.4f} USD of {self.budget:g} are spent, and the next call may cost {self.usd:.4f}; "
            "a larger budget goes on"
        )


class Purse:
    """What may be spent, and what has been, in USD. Without a `budget` it only counts.

    Every call asks it first, so that whoever closes it (`close`) stops them all: those in flight are still settled.
    """

    def __init__(self, budget: float | None = None, spent: float = 0.0) -> None:
        self.budget = budget
        self.spent = spent
        self._reserved = 0.0
        self._settled = asyncio.Event()
        self._closed: Halted | None = None

    def close(self, why: Halted) -> None:
        """Let nobody begin another call; who wants to is told `why`."""
        self._closed = why
        self._settled.set()

    async def reserve(self, usd: float) -> None:
        """Lay `usd` aside; where calls in flight may turn out cheaper than they could be, wait for them.

        Raises:
            OutOfBudget: the budget could be exceeded.
            Halted: the purse is closed.
        """
        while self._reserved > 0 and self._exceeded(usd) and not self._closed:
            self._settled.clear()
            await self._settled.wait()
        if self._closed:
            raise Halted(str(self._closed))
        if self.budget is not None and self._exceeded(usd):
            raise OutOfBudget(self.spent, self.budget, usd)
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
