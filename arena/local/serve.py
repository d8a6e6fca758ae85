"""Servers for the time of a game: one process for each local model, ended whatever happens."""

import http.client
import importlib.util
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import orjson

from arena.endpoint import EndpointPlan
from arena.local.weights import check_weights
from arena.terms import UnusableInput

CHILD = Path(__file__).with_name("child.py")
"""The server, as a script."""

FAREWELL = 10
"""Seconds a server is given to end by itself."""


@contextmanager
def serving(plans: Mapping[str, EndpointPlan]) -> Iterator[dict[str, EndpointPlan]]:
    """`plans`, with a server behind those that have none, and the context that it gives them.

    Raises:
        UnusableInput: a file that is no model, one that can't be loaded, or the server is not installed.
    """
    with ExitStack() as servers:
        yield {
            name: servers.enter_context(_served(plan)) if plan.to_be_served else plan for name, plan in plans.items()
        }


@contextmanager
def _served(plan: EndpointPlan) -> Iterator[EndpointPlan]:
    path = Path(plan.model)
    check_weights(path)
    if importlib.util.find_spec("xllamacpp") is None:
        raise UnusableInput(
            f"{path}: xllamacpp, which serves it, is not installed; make local, or pip install -e '.[local]'"
        )
    # A session of its own: Control-C is for whoever plays, and ends the server through the pipe.
    with subprocess.Popen(
        [sys.executable, "-P", str(CHILD), str(path), plan.model],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        start_new_session=True,
    ) as server:
        try:
            address = _address(server, path)
            context = plan.context or _context(address)
            yield plan.model_copy(update={"base_url": f"{address}/v1", "context": context})
        finally:
            _end(server)


def _address(server: "subprocess.Popen[str]", path: Path) -> str:
    """What the server says once it has loaded the model."""
    address = server.stdout.readline().strip() if server.stdout else ""
    if address:
        return address
    status = server.wait()
    # The wheels are compiled for processors with AVX2; others stop at the first such instruction.
    why = f"its server was ended by signal {-status}" if status < 0 else "no model that its server can load"
    raise UnusableInput(f"{path}: {why}")


def _context(address: str) -> int:
    """The tokens that the server takes, prompt and answer together."""
    connection = http.client.HTTPConnection(urlsplit(address).netloc, timeout=60)
    try:
        connection.request("GET", "/v1/models")
        listed = orjson.loads(connection.getresponse().read())
    finally:
        connection.close()
    return int(listed["data"][0]["meta"]["n_ctx"])


def _end(server: "subprocess.Popen[str]") -> None:
    if server.stdin:
        server.stdin.close()
    try:
        server.wait(FAREWELL)
    except subprocess.TimeoutExpired:
        server.kill()
