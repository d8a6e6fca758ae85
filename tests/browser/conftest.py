"""A real Chromium, headless, before a real server of the web app."""

import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Playwright, sync_playwright

from tests.records import cut, hostile, whole
from tests.repository import ROOT

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)

Visit = Callable[..., Page]


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server that shows some games, and to which no test adds any."""
    folder = tmp_path_factory.mktemp("games")
    whole(folder / "whole.jsonl")
    whole(folder / "twelve.jsonl", players=12, seed=5)
    cut(folder / "people.jsonl", people=True)
    hostile(folder / "hostile.jsonl")
    for name in ("duskwald-9-en.jsonl", "duskwald-12-zh.jsonl"):
        shutil.copy(ROOT / "transcripts" / "golden" / name, folder)
    with served(folder, tmp_path_factory.mktemp("cache")) as address:
        yield address


@contextmanager
def served(folder: Path, cache: Path) -> Iterator[str]:
    """A server over `folder`; its address."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "-c", "from arena.cli import main; main()", "dashboard", "--folder", str(folder)]
    log = (folder / "log").open("wb")
    own = {**os.environ, "XDG_CACHE_HOME": str(cache)}
    server = subprocess.Popen([*command, "--port", str(port)], cwd=ROOT, stdout=log, stderr=log, env=own)
    address = f"http://127.0.0.1:{port}"
    try:
        _wait_for(server, f"{address}/_stcore/health", folder / "log")
        yield address
    finally:
        server.terminate()
        server.wait()
        log.close()


def _wait_for(server: subprocess.Popen[bytes], address: str, log: Path) -> None:
    for _ in range(300):
        assert server.poll() is None, log.read_text()
        try:
            with urllib.request.urlopen(address, timeout=5):
                return
        except urllib.error.URLError:
            time.sleep(0.2)
    pytest.fail("the server did not answer")


def launch(playwright: Playwright) -> Browser:
    """Debian's Chromium; without one, the test is skipped."""
    if CHROMIUM is None:
        pytest.skip("no Chromium is installed (Debian: apt install chromium)")
    # Its sandbox does not run as root; the pages it opens are ours.
    arguments = ["--disable-gpu", "--disable-dev-shm-usage", "--disable-background-networking"]
    return playwright.chromium.launch(executable_path=CHROMIUM, chromium_sandbox=False, args=arguments)


# Of a module, not of the session: while it is open, its event loop keeps every other one from being run.
@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        opened = launch(playwright)
        yield opened
        opened.close()


@pytest.fixture
def visit(browser: Browser, site: str) -> Iterator[Visit]:
    """Open the replay room; in the end, no request may have left this machine and no script may have failed."""
    contexts: list[BrowserContext] = []
    left: list[str] = []
    broken: list[str] = []

    def visited(*, width: int = 1440, height: int = 900, theme: str = "light", **address: str) -> Page:
        context = browser.new_context(
            viewport={"width": width, "height": height},
            color_scheme="dark" if theme == "dark" else "light",
            locale="en-GB",
        )
        contexts.append(context)
        context.on("request", lambda request: left.append(request.url))
        context.on("dialog", lambda dialog: broken.append(dialog.message))
        page = context.new_page()
        page.on("pageerror", lambda error: broken.append(str(error)))
        query = "&".join(f"{key}={value}" for key, value in address.items())
        page.goto(f"{site}/?{query}")
        page.locator(".seat").first.wait_for(timeout=60_000)
        return page

    yield visited
    for context in contexts:
        context.close()
    assert [url for url in left if not url.startswith((site, "data:", "blob:"))] == []
    assert broken == []
