"""Starting the web app: one process, reachable from this machine alone unless it is told otherwise."""

import asyncio
import errno
import getpass
import os
import signal
import socket
import sys
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from types import FrameType
from typing import Any
from urllib.parse import urlsplit

import streamlit as st
from starlette.middleware import Middleware

from arena.terminal import RUNS
from arena.terms import LANGUAGES, UnusableInput
from arena.texts import texts
from dashboard import current, library
from dashboard.host import Host
from dashboard.hosting.door import POLICY, Door, Guard, Site, site
from dashboard.hosting.links import addresses
from dashboard.hosting.pages import pages
from dashboard.hosting.routes import routes
from dashboard.upload import LARGEST

__all__ = ["CONFIG", "POLICY", "serve"]

CONFIG: dict[str, Any] = {
    "server.address": "127.0.0.1",
    "server.fileWatcherType": "none",
    "server.maxUploadSize": LARGEST,
    "server.showEmailPrompt": False,
    "browser.gatherUsageStats": False,
    # A string that stands alone in a room is a comment, not something to show.
    "runner.magicEnabled": False,
    "client.showErrorDetails": "none",
    "client.showErrorLinks": False,
    "client.toolbarMode": "minimal",
    "theme.light.primaryColor": "#823c13",
    "theme.light.backgroundColor": "#f1ece2",
    "theme.light.secondaryBackgroundColor": "#fbf8f1",
    "theme.light.textColor": "#262431",
    "theme.light.borderColor": "#d5ccbc",
    "theme.dark.primaryColor": "#eaa767",
    "theme.dark.backgroundColor": "#12131b",
    "theme.dark.secondaryBackgroundColor": "#1a1c27",
    "theme.dark.textColor": "#ebe6dc",
    "theme.dark.borderColor": "#333647",
}

PASSWORD = "DUSKWALD_HOST_PASSWORD"
"""The environment variable for the host's password, where there is no terminal to type it in."""

SHORTEST = 8
"""Characters of a password."""


def serve(folder: Path | None, port: int, address: str | None = None, public_url: str | None = None) -> None:
    """Serve the pages on `port` until interrupted; a browser is opened where there is one to open.

    `folder` holds the transcripts to show and those of new games; without one, they are in ``transcripts/`` under the
    current folder. Others than this machine reach the pages at its `address` (all of its addresses: ``0.0.0.0``), or
    through a tunnel that ends here and begins at `public_url`; then the host has to say a password.

    Raises:
        UnusableInput: there is no such folder, the address or port can't be had, or there is no password.
    """
    if folder is not None:
        library.use(folder)
    listens = address or str(CONFIG["server.address"])
    where = site(port, addresses(address) if address else (), public_url)
    try:
        socket.create_server((listens, port), family=socket.AF_INET6 if ":" in listens else socket.AF_INET).close()
    except OSError as error:
        option = "--host" if address and error.errno != errno.EADDRINUSE else "--port"
        given = address if option == "--host" else port
        raise UnusableInput(f"{option} {given}: {os.strerror(error.errno or 0)}; choose another") from None
    host = Host(folder or RUNS)
    host.tables.open()
    if address or public_url:
        _ask_password(host)
        _announce(where, address, public_url)
    run(host, where, listens, port)


def run(host: Host, where: Site, listens: str, port: int) -> None:
    """Serve the pages and `host`'s games until interrupted."""
    current.host, current.site = host, where
    app = st.App(
        Path(__file__).with_name("app.py"),
        routes=[*routes(host, where), *pages()],
        middleware=[Middleware(Guard, site=where), Middleware(Door, host=host)],
        lifespan=lambda app: _open(host),
    )
    config = {**CONFIG, "server.address": listens, "server.port": port}
    if where.link.startswith("https") or listens != CONFIG["server.address"]:
        # Otherwise Streamlit would ask a server elsewhere for the address to print.
        config["browser.serverAddress"] = urlsplit(where.link).hostname
    app.run(config=config)


@asynccontextmanager
async def _open(host: Host) -> AsyncIterator[None]:
    """The host's time within the server's."""
    await host.open()
    _end_streams_first(host)
    try:
        yield
    finally:
        await host.close()


def _end_streams_first(host: Host) -> None:
    """Let streams end when the server is told to: it waits for all connections, and these would never end."""
    if threading.current_thread() is not threading.main_thread():
        return
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        before = signal.getsignal(number)

        def ended(number: int, frame: FrameType | None, before: Any = before) -> None:
            loop.call_soon_threadsafe(host.end_streams)
            before(number, frame)

        signal.signal(number, ended)


def _ask_password(host: Host) -> None:
    """See that the host has a password: the one kept, or a new one from the environment or the terminal."""
    given = os.environ.get(PASSWORD, "")
    if not given and not host.tables.empty and host.tables.has_password:
        host.guarded = True
        return
    if not given and sys.stdin.isatty():
        given = getpass.getpass("Password for the host / 主持人的密码: ")
    if len(given) < SHORTEST:
        raise UnusableInput(f"a password for the host is needed, of {SHORTEST} characters or more: {PASSWORD}=…")
    host.tables.set_password(given)
    host.guarded = True


def _announce(where: Site, address: str | None, public_url: str | None) -> None:
    """Say who can reach the server now, and where."""
    for lang in LANGUAGES:
        words = texts(lang, "hosting")["console"]
        sys.stderr.write(f"{words['warning' if address else 'tunnel']}\n")
    for origin in sorted(where.origins):
        if not any(name in origin for name in ("127.0.0.1", "localhost", "[::1]")):
            sys.stderr.write(f"  {origin}\n")
