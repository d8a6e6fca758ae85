"""The money of a run: what a call could cost at worst is laid aside before it is made."""

from arena.terms import Halted


class OutOfBudget(Halted):
    """The next call could cost more than is left."""


class Purse:
    """What may be spent, and what has been, in USD. Without a `budget` it only counts."""

    def __init__(self, budget: float | None = None, spent: float = 0.0) -> None:
        self.budget = budget
        self.spent = spent
        self._reserved = 0.0

    def reserve(self, usd: float) -> None:
        """Lay `usd` aside.

        Raises:
            OutOfBudget: the budget could be exceeded.
        """
        if self.budget is not None and usd and self.spent + self._reserved + usd > self.budget:
            raise OutOfBudget(
                f"budget: {self.spent:.4f} USD of {self.budget:g} are spent, and the next call may cost {usd:.4f}; "
                "a larger --budget goes on"
            )
        self._reserved += usd

    def settle(self, reserved: float, usd: float) -> None:
        """What was laid aside has cost `usd`."""
        self._reserved -= reserved
        self.spent += usd
