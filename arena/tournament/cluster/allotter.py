"""What the scheduler of a cluster hands out: calls in flight, requests and tokens a minute, and money."""

from collections import Counter, defaultdict
from collections.abc import Mapping
from typing import Any

from distributed.diagnostics.plugin import SchedulerPlugin

from arena.endpoint import EndpointPlan, OutOfBudget, OwnLimits, Purse
from arena.terms import Halted

OVER = "the run that this game belongs to is over"


class _Books:
    """What one run has handed out, to which worker."""

    def __init__(self, client: str, plans: Mapping[str, EndpointPlan], purse: Purse) -> None:
        self.client = client
        self.purse = purse
        self.limits = {name: OwnLimits(plan) for name, plan in plans.items()}
        self.calls: defaultdict[str, Counter[str]] = defaultdict(Counter)
        self.money: defaultdict[str, list[float]] = defaultdict(list)
        self.closed = ""

    def close(self, why: str) -> None:
        """Hand out nothing any more."""
        self.closed = self.closed or why
        self.purse.close(Halted(self.closed))

    def lose(self, worker: str) -> None:
        """A worker is gone: its calls are over, and have cost what they could at worst."""
        for endpoint, number in self.calls.pop(worker, Counter()).items():
            for _ in range(number):
                self.limits[endpoint].leave()
        for usd in self.money.pop(worker, []):
            self.purse.settle(usd, usd)


class Allotter(SchedulerPlugin):
    """Keeps the books of all runs on a scheduler. Its methods that begin with ``duskwald_`` are called by others."""

    name = "duskwald"
    idempotent = True

    def __init__(self) -> None:
        self._books: dict[str, _Books] = {}
        self._scheduler: Any = None

    async def start(self, scheduler: Any) -> None:
        """Called by Dask: be there for workers and clients."""
        self._scheduler = scheduler
        handlers = [name for name in dir(self) if name.startswith("duskwald_")]
        scheduler.handlers.update({name: getattr(self, name) for name in handlers})

    def remove_worker(self, scheduler: Any, worker: str, **_: Any) -> None:
        """Called by Dask: a worker is gone."""
        for books in self._books.values():
            books.lose(worker)

    def remove_client(self, scheduler: Any, client: str) -> None:
        """Called by Dask: a client is gone, and its games must not go on without it."""
        for run, books in list(self._books.items()):
            if books.client == client:
                books.close(OVER)
                del self._books[run]

    async def duskwald_open(
        self, run: str, client: str, plans: dict[str, str], budget: float | None, spent: float
    ) -> None:
        """A run begins."""
        read = {name: EndpointPlan.model_validate_json(plan) for name, plan in plans.items()}
        self._books[run] = _Books(client, read, Purse(budget, spent))

    async def duskwald_close(self, run: str, why: str) -> None:
        """A run is to end: calls in flight are the last ones."""
        if run in self._books:
            self._books[run].close(why)

    async def duskwald_spent(self, run: str) -> float:
        """What a run has spent."""
        return self._books[run].purse.spent

    async def duskwald_enter(self, run: str, worker: str, endpoint: str, wanted: int) -> dict[str, Any]:
        """Wait for a call in flight: how many are `given`, up to what is `wanted`, or why none is (`closed`).

        `rest`: for how many seconds the endpoint is to be left alone first.
        """
        books = self._books.get(run)
        if books is None:
            return {"given": 0, "closed": OVER, "rest": 0.0}
        limits, given = books.limits[endpoint], 0
        while given < wanted and not books.closed and (given == 0 or limits.is_free):
            await limits.enter()
            given += 1
        # What it waited for may have come too late: for a worker that is gone, none would be returned.
        if books.closed or worker not in self._scheduler.workers:
            for _ in range(given):
                limits.leave()
            return {"given": 0, "closed": books.closed or OVER, "rest": 0.0}
        books.calls[worker][endpoint] += given
        return {"given": given, "closed": "", "rest": limits.resting}

    async def duskwald_leave(self, run: str, worker: str, endpoint: str) -> None:
        """A call in flight is over."""
        books = self._books.get(run)
        if books and books.calls[worker][endpoint]:
            books.calls[worker][endpoint] -= 1
            books.limits[endpoint].leave()

    async def duskwald_rest(self, run: str, endpoint: str, seconds: float) -> None:
        """An endpoint has asked a worker to be left alone for so long."""
        if run in self._books:
            self._books[run].limits[endpoint].rest(seconds)

    async def duskwald_turn(self, run: str, endpoint: str, tokens: int) -> float:
        """Wait until a request is within what a minute allows; for how many seconds to rest then."""
        if run not in self._books:
            return 0.0
        limits = self._books[run].limits[endpoint]
        await limits.turn(tokens)
        return limits.resting

    async def duskwald_reserve(self, run: str, worker: str, usd: float) -> dict[str, Any]:
        """Lay money aside, or say why not: it is ``closed``, or the numbers of `OutOfBudget`."""
        books = self._books.get(run)
        if books is None:
            return {"closed": OVER}
        try:
            await books.purse.reserve(usd)
        except OutOfBudget as error:
            return {"numbers": [error.spent, error.budget, error.usd]}
        except Halted as error:
            return {"closed": str(error)}
        if worker not in self._scheduler.workers:
            books.purse.settle(usd, 0.0)
            return {"closed": OVER}
        books.money[worker].append(usd)
        return {}

    async def duskwald_settle(self, run: str, worker: str, reserved: float, usd: float) -> None:
        """What was laid aside has cost `usd`."""
        books = self._books.get(run)
        if books and reserved in books.money[worker]:
            books.money[worker].remove(reserved)
            books.purse.settle(reserved, usd)
