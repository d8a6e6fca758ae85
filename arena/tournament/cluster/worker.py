"""A worker of a cluster, which plays single games."""

import asyncio
import secrets
from collections import deque
from collections.abc import Coroutine, Mapping
from pathlib import Path
from typing import Any, Literal

from distributed import get_worker

from arena import __version__
from arena.endpoint import EndpointPlan, Endpoints, OutOfBudget, Purse, Rest, Unreachable
from arena.terms import DuskwaldError, Halted, UnusableInput, record
from arena.tournament.folder import Folder
from arena.tournament.plan import Tournament
from arena.tournament.play import Corrupt, Taken, header_of, opened, play_on
from arena.tournament.schedule import Fixture
from arena.transcript import Header, Transcript, Writer

UNSHARED = "is not the folder of this run; all machines must share it under this name"


@record
class Job:
    """What a worker has to know of a run: its name, the plan, the endpoints, and the folder that all share."""

    run: str
    tournament: str
    plans: Mapping[str, str]
    folder: str


@record
class Ended:
    """How a game has left a worker: it is `over`, or why it is not. `numbers` are those of `OutOfBudget`."""

    how: Literal["over", "corrupt", "halted", "budget"]
    why: str = ""
    status: int = 0
    numbers: tuple[float, ...] = ()


class Allotted(Rest):
    """The limits of one endpoint, as the scheduler hands them out: several calls at a time, where several wait.

    With each of them it says for how long the endpoint is to be left alone, whichever worker was told.
    """

    def __init__(self, run: str, worker: Any, name: str, plan: EndpointPlan) -> None:
        super().__init__()
        self._scheduler = worker.scheduler
        self._call = {"run": run, "endpoint": name}
        self._worker = {"worker": worker.address}
        self._bounded = bool(plan.requests_per_minute or plan.tokens_per_minute)
        self._waiting: deque[asyncio.Future[None]] = deque()
        self._asking: asyncio.Task[None] | None = None
        self._telling: set[asyncio.Future[None]] = set()

    async def enter(self) -> None:
        """As `Limits.enter`."""
        mine: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append(mine)
        if self._asking is None or self._asking.done():
            self._asking = asyncio.create_task(self._ask())
        try:
            await mine
        except asyncio.CancelledError:
            if mine.done() and not mine.cancelled():
                self.leave()
            raise

    async def _ask(self) -> None:
        """Ask for as many calls as wait, until none does."""
        while self._waiting:
            wanted = len(self._waiting)
            try:
                answer = await self._scheduler.duskwald_enter(**self._call, **self._worker, wanted=wanted)
            except OSError as error:
                answer = {"given": 0, "closed": f"the scheduler is gone: {error}", "rest": 0.0}
            super().rest(answer["rest"])
            for _ in range(answer["given"]):
                if not self._answer(None):
                    self.leave()
            while answer["closed"] and self._answer(Halted(answer["closed"])):
                pass

    def _answer(self, halted: Halted | None) -> bool:
        """Let the first who still waits go on; whether there was one."""
        while self._waiting:
            first = self._waiting.popleft()
            if not first.done():
                first.set_exception(halted) if halted else first.set_result(None)
                return True
        return False

    def leave(self) -> None:
        """As `Limits.leave`."""
        self._tell(self._scheduler.duskwald_leave(**self._call, **self._worker))

    def rest(self, seconds: float) -> None:
        """As `Limits.rest`."""
        super().rest(seconds)
        self._tell(self._scheduler.duskwald_rest(**self._call, seconds=seconds))

    def _tell(self, message: Coroutine[Any, Any, None]) -> None:
        telling = asyncio.ensure_future(message)
        self._telling.add(telling)
        telling.add_done_callback(self._telling.discard)

    async def turn(self, tokens: int) -> None:
        """As `Limits.turn`."""
        if self._bounded:
            super().rest(await self._scheduler.duskwald_turn(**self._call, tokens=tokens))


class AllottedPurse(Purse):
    """The money of a run, as the scheduler hands it out."""

    def __init__(self, run: str, worker: Any, budget: float | None) -> None:
        super().__init__(budget)
        self._scheduler = worker.scheduler
        self._mine = {"run": run, "worker": worker.address}
        self._settling: set[asyncio.Task[None]] = set()

    async def reserve(self, usd: float) -> None:
        """As `Purse.reserve`."""
        if usd:
            answer = await self._scheduler.duskwald_reserve(**self._mine, usd=usd)
            if "numbers" in answer:
                raise OutOfBudget(*answer["numbers"])
            if "closed" in answer:
                raise Halted(answer["closed"])

    def settle(self, reserved: float, usd: float) -> None:
        """As `Purse.settle`."""
        if reserved:
            settling = asyncio.ensure_future(self._scheduler.duskwald_settle(**self._mine, reserved=reserved, usd=usd))
            self._settling.add(settling)
            settling.add_done_callback(self._settling.discard)


class Host:
    """What a worker keeps of a run while it plays games of it."""

    def __init__(self, job: Job, worker: Any) -> None:
        self.run = job.run
        self.tournament = Tournament.model_validate_json(job.tournament)
        self.plans = {name: EndpointPlan.model_validate_json(plan) for name, plan in job.plans.items()}
        self._folder = Folder(Path(job.folder))
        purse = AllottedPurse(job.run, worker, self.tournament.cap.usd)
        self.endpoints = Endpoints(purse, lambda name: Allotted(job.run, worker, name, self.plans[name]))

    async def play(self, fixture: Fixture) -> Ended:
        """Play a game on to its end, or until it has to stop."""
        try:
            header = header_of(self.tournament, fixture)
            await play_on(header, taken_over(header, self._folder.game(fixture)), self.endpoints, self.plans)
        except OutOfBudget as error:
            return Ended("budget", str(error), numbers=(error.spent, error.budget, error.usd))
        except Halted as error:
            status = error.__cause__.status if isinstance(error.__cause__, Unreachable) else 0
            return Ended("halted", str(error), status)
        except Corrupt as error:
            return Ended("corrupt", str(error))
        return Ended("over")


def taken_over(header: Header, path: Path) -> Taken:
    """The transcript in `path`, which no worker has any more, or a new one.

    Raises:
        Corrupt: it can't be read.
        UnusableInput: it can't be written.
    """
    try:
        # Whether it exists is what a shared folder knows last; that it can't be made is certain.
        return Transcript(path, header, ()), Writer.create(path, header)
    except UnusableInput:
        if not path.exists():
            raise
    return Writer.take_over(path)


_HOSTS: dict[str, Host] = {}


async def _host(job: Job, worker: Any) -> Host:
    """The host of a run; that of an earlier one makes room for it."""
    if job.run not in _HOSTS:
        for old in list(_HOSTS):
            await _HOSTS.pop(old).endpoints.close()
        _HOSTS[job.run] = Host(job, worker)
    return _HOSTS[job.run]


async def play(job: Job, fixture: Fixture) -> Ended:
    """A task of Dask: play the game of `fixture` on to its end."""
    worker = get_worker()
    if not _shares(job):
        raise UnusableInput(f"{worker.address}: {job.folder}: {UNSHARED}")
    return await (await _host(job, worker)).play(fixture)


async def look(job: Job, dask_worker: Any) -> str:
    """See whether this worker can play, and leave a token; what is wrong, or nothing."""
    try:
        if not _shares(job):
            return f"{dask_worker.address}: {job.folder}: {UNSHARED}"
        token_of(job, secrets.token_hex(8)).write_text(__version__, encoding="utf-8")
        host = await _host(job, dask_worker)
        await opened(host.endpoints, host.plans)
    except OSError as error:
        return f"{dask_worker.address}: {job.folder}: can't be written: {error.strerror}"
    except DuskwaldError as error:
        return "\n".join(f"{dask_worker.address}: {line}" for line in str(error).splitlines())
    return ""


def _shares(job: Job) -> bool:
    """Whether this machine sees the folder of the run."""
    return token_of(job, "run").exists()


def token_of(job: Job, name: object) -> Path:
    """A file by which machines see that they share a folder."""
    return Path(job.folder) / ".cluster" / f"{job.run}-{name}"
