"""Starting the web app: one process, reachable from this machine alone."""

import os
import socket
from pathlib import Path
from typing import Any

import streamlit as st
from starlette.datastructures import MutableHeaders
from starlette.middleware import Middleware
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from arena.terms import UnusableInput
from dashboard import library

CONFIG: dict[str, Any] = {
    "server.address": "127.0.0.1",
    "server.fileWatcherType": "none",
    "server.showEmailPrompt": False,
    "browser.gatherUsageStats": False,
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

POLICY = (
    "default-src 'self'; script-src 'self' 'unsafe-inline' 'unsafe-eval' blob: data:; "
    "style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; font-src 'self' data:; "
    "connect-src 'self' blob: data:; frame-ancestors 'none'; base-uri 'self'; form-action 'self'"
)
"""What a page may load: nothing from elsewhere. Streamlit's own scripts need the looser words."""


class Guard:
    """Sends `POLICY` with every page, so that the browser itself refuses requests to other hosts."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass everything on, with one header more."""

        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message)["content-security-policy"] = POLICY
            await send(message)

        await self._app(scope, receive, guarded)


def serve(folder: Path | None, port: int) -> None:
    """Serve the pages on `port` until interrupted; a browser is opened where there is one to open.

    `folder` holds the transcripts to show; without one, they are in ``transcripts/`` under the current folder.

    Raises:
        UnusableInput: there is no such folder, or the port can't be had.
    """
    if folder is not None:
        library.use(folder)
    try:
        socket.create_server((CONFIG["server.address"], port)).close()
    except OSError as error:
        raise UnusableInput(f"--port {port}: {os.strerror(error.errno or 0)}; choose another") from None
    app = st.App(Path(__file__).with_name("app.py"), middleware=[Middleware(Guard)])
    app.run(config={**CONFIG, "server.port": port})
