import socket

import pytest

from tests import conftest


@pytest.mark.parametrize("address", [("192.0.2.1", 80), ("2001:db8::1", 80)])
def test_a_connection_to_another_machine_is_refused(address: tuple[str, int]) -> None:
    family = socket.AF_INET6 if ":" in address[0] else socket.AF_INET
    with socket.socket(family) as client, pytest.raises(ConnectionRefusedError, match="only reach this machine"):
        client.connect(address)
    assert conftest._refused == [f"socket.connect {address[0]}"]
    conftest._refused.clear()


def test_a_name_of_another_machine_is_not_looked_up() -> None:
    with pytest.raises(ConnectionRefusedError, match=r"not example\.invalid"):
        socket.getaddrinfo("example.invalid", 80)
    conftest._refused.clear()


def test_this_machine_can_be_reached() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        socket.create_connection(server.getsockname()).close()
