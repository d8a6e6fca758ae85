"""Links for other devices: as QR codes, and the addresses of this machine that they can be opened at."""

import ipaddress
import socket
from functools import lru_cache
from urllib.parse import urlencode

import segno

from arena.terms import Lang, UnusableInput


@lru_cache(1000)
def qr(link: str) -> str:
    """`link` as a QR code: an SVG image in a data address."""
    return segno.make(link, micro=False).svg_data_uri(scale=4, border=2)


def page_of_file(name: str, lang: Lang) -> str:
    """The page that follows a game that another process plays, by the name of its transcript."""
    return f"/watch?{urlencode({'file': name, 'lang': lang})}"


def addresses(host: str) -> list[str]:
    """The addresses of this machine at which a server on `host` is reached.

    Raises:
        UnusableInput: that is no address of this machine.
    """
    try:
        given = ipaddress.ip_address(host)
    except ValueError:
        raise UnusableInput(f"--host {host}: write an address of this machine, or 0.0.0.0 for all of them") from None
    return own_addresses() if given.is_unspecified else [host]


def own_addresses() -> list[str]:
    """The address at which others in the same network reach this machine, if there is one."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            # Nothing is sent: the system only says which of its addresses it would send from.
            probe.connect(("192.0.2.1", 9))
        except OSError:
            return []
        return [str(probe.getsockname()[0])]
