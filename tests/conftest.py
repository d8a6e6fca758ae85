"""What every test shares: no test reaches the network, and an endpoint on this machine stands in for models."""

import ipaddress
import sys
from collections.abc import Iterator

import pytest

from tests.model_server import ModelServer

_refused: list[str] = []


def _is_local(host: object) -> bool:
    """Say whether a host as given to the socket module means this machine."""
    if isinstance(host, bytes):
        host = host.decode()
    if host in (None, "", "localhost"):
        return True
    try:
        return ipaddress.ip_address(str(host)).is_loopback
    except ValueError:
        return False


def _refuse_network(event: str, args: tuple[object, ...]) -> None:
    if event == "socket.getaddrinfo":
        host = args[0]
    elif event == "socket.connect" and isinstance(args[1], tuple):  # the address of a Unix socket is no tuple
        host = args[1][0]
    else:
        return
    if not _is_local(host):
        _refused.append(f"{event} {host}")
        raise ConnectionRefusedError(f"tests may only reach this machine, not {host}")


# An audit hook sees every socket, also those opened by libraries and by other threads.
sys.addaudithook(_refuse_network)


@pytest.fixture(autouse=True)
def _no_network() -> Iterator[None]:
    """Fail the test even where the code under test has swallowed the refusal."""
    _refused.clear()
    yield
    if _refused:
        pytest.fail(f"the test reached for the network: {', '.join(_refused)}")


@pytest.fixture
def model_server() -> Iterator[ModelServer]:
    """An endpoint without faults; for other ones there is `with ModelServer(...)`."""
    with ModelServer() as server:
        yield server
