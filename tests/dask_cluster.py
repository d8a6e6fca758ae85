"""A Dask cluster of two workers on this machine, in processes of their own: ``python -m tests.dask_cluster``.

Prints the scheduler's address and the processes of the workers as a line of JSON, and ends with its standard input.
"""

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from tests.repository import ROOT

WORKERS, GAMES = 2, 6


@dataclass(frozen=True)
class Cluster:
    address: str
    workers: list[int]


def main() -> None:
    from distributed import LocalCluster

    with LocalCluster(
        n_workers=WORKERS, threads_per_worker=GAMES, processes=True, host="127.0.0.1", dashboard_address=None
    ) as cluster:
        pids = [nanny.pid for nanny in cluster.workers.values()]
        print(json.dumps({"address": cluster.scheduler_address, "workers": pids}), flush=True)  # noqa: T201
        sys.stdin.read()


@contextmanager
def dask_cluster() -> Iterator[Cluster]:
    """A cluster for the time of a `with` block."""
    command = [sys.executable, "-m", "tests.dask_cluster"]
    with subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            yield Cluster(**json.loads(process.stdout.readline()))
        finally:
            process.stdin.close()
            process.wait(30)


if __name__ == "__main__":
    main()
