"""Where the games of a tournament are played if it is a cluster."""

import asyncio
import secrets
import shutil
from collections.abc import Mapping
from typing import Any

from distributed import Client
from distributed.client import FutureCancelledError
from distributed.comm.addressing import get_address_host_port
from distributed.scheduler import KilledWorker

from arena import __version__
from arena.endpoint import EndpointPlan, OutOfBudget, Unreachable
from arena.terms import Halted, UnusableInput
from arena.tournament.cluster import worker
from arena.tournament.cluster.allotter import Allotter
from arena.tournament.cluster.worker import Ended, Job
from arena.tournament.folder import Folder
from arena.tournament.plan import Tournament
from arena.tournament.play import Corrupt
from arena.tournament.schedule import Fixture

TIMEOUT = 30
"""Seconds in which a scheduler has to answer, and a worker to be there."""


class Cluster:
    """The workers of the Dask scheduler at `address`. Everything is as at `Here`, but for where games are played.

    Raises:
        UnusableInput: that is no address.
    """

    def __init__(self, address: str, tournament: Tournament, folder: Folder, plans: Mapping[str, EndpointPlan]) -> None:
        try:
            get_address_host_port(address)
        except ValueError:
            raise UnusableInput(f"--dask {address!r}: no address; allowed: HOST:PORT, tcp://HOST:PORT") from None
        self._address = address
        self._tournament = tournament
        self._plans = {name: plan.model_dump_json() for name, plan in plans.items()}
        self._job = Job(secrets.token_hex(8), tournament.model_dump_json(), self._plans, str(folder.path.resolve()))
        self._tokens = folder.path / ".cluster"
        self._tries = 0
        self._spent = 0.0
        self._client: Any = None
        self._closing: asyncio.Task[None] | None = None

    @property
    def spent(self) -> float:
        """What has been spent so far, in USD."""
        return self._spent

    async def open(self, spent: float) -> None:
        """As `Venue.open`: there are workers, and each sees the folder and reaches the endpoints."""
        self._spent = spent
        try:
            self._client = await Client(self._address, asynchronous=True, set_as_default=False, timeout=TIMEOUT)
            await self._client.wait_for_workers(1, timeout=TIMEOUT)
        except (OSError, TimeoutError, ValueError):
            raise Unreachable(f"--dask {self._address}: no scheduler with workers answers there") from None
        await self._client.register_plugin(Allotter())
        await self._client.scheduler.duskwald_open(
            run=self._job.run, client=self._client.id, plans=self._plans, budget=self._tournament.cap.usd, spent=spent
        )
        await self._look()

    async def _look(self) -> None:
        """See that all workers share the folder, have this version, and reach the endpoints."""
        self._tokens.mkdir(exist_ok=True)
        (self._tokens / worker.token_of(self._job, "run").name).write_text(__version__, encoding="utf-8")
        found: dict[str, str] = await self._client.run(worker.look, self._job)
        wrong = [line for line in found.values() if line]
        left = {file.read_text(encoding="utf-8") for file in self._tokens.glob(f"{self._job.run}-*")}
        if not wrong and len(list(self._tokens.glob(f"{self._job.run}-*"))) != len(found) + 1:
            wrong.append(f"{self._tokens}: not all workers have left a token here; all machines must share this folder")
        if not wrong and left != {__version__}:
            wrong.append(f"--dask {self._address}: workers run other versions of Duskwald than {__version__}")
        if wrong:
            raise UnusableInput("\n".join(wrong))

    async def play(self, fixture: Fixture) -> None:
        """As `Venue.play`."""
        self._tries += 1
        key = f"duskwald-{self._job.run}-{fixture.id}-{self._tries}"
        game = self._client.submit(worker.play, self._job, fixture, key=key, pure=False)
        try:
            ended: Ended = await game
        except KilledWorker:
            raise Halted(f"{fixture.id}: several workers were lost with it") from None
        except (FutureCancelledError, OSError):
            raise Unreachable(f"--dask {self._address}: the scheduler is gone; the same command goes on") from None
        finally:
            game.release()
        if self._tournament.cap.usd is not None or self._plans:
            self._spent = await self._client.scheduler.duskwald_spent(run=self._job.run)
        match ended.how:
            case "halted":
                raise Halted(ended.why) from Unreachable(ended.why, ended.status)
            case "budget":
                raise OutOfBudget(*ended.numbers)
            case "corrupt":
                raise Corrupt(ended.why)

    def close(self, why: Halted) -> None:
        """As `Venue.close`."""
        if self._client:
            closing = self._client.scheduler.duskwald_close(run=self._job.run, why=str(why))
            self._closing = asyncio.ensure_future(closing)

    async def leave(self) -> None:
        """As `Venue.leave`."""
        if self._client:
            await self._client.close()
        shutil.rmtree(self._tokens, ignore_errors=True)
