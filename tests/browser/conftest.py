"""A real Chromium, headless, before a real server of the web app."""

import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Literal

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Error, Page, Playwright, expect, sync_playwright

from arena.terms import Lang
from arena.texts import texts
from tests.records import cut, hostile, whole
from tests.repository import ROOT

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)

Visit = Callable[..., Page]

PATIENCE = 60_000
"""Milliseconds to wait for what must come, on the busiest machine; what holds is seen at once on any."""

expect.set_options(timeout=PATIENCE)


def serious(page: Page, within: str | None = None) -> list[tuple[str, list[str]]]:
    """What axe finds serious or worse on the page, or in a part of it, and where."""
    return [
        (fault["id"], [node["html"][:200] for node in fault["nodes"]][:4])
        for fault in Axe().run(page, context=within).response["violations"]
        if fault["impact"] in {"serious", "critical"}
    ]


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


def open_table(page: Page, name: str, lang: Lang = "en") -> None:
    """Choose one of the tables beside the table, and wait for it."""
    title = texts(lang, "panels")["names"][name]
    chooser = page.get_by_role("combobox", name=texts(lang, "panels")["choose"])
    chooser.scroll_into_view_if_needed()
    page.wait_for_timeout(300)  # a list that is open goes away when the page scrolls
    chooser.click()
    page.get_by_role("option", name=title, exact=True).click()
    page.get_by_role("region", name=title, exact=True).wait_for()  # the one before may still be there, hidden


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """A test that fails says what stood on its page."""
    report = yield
    page = getattr(item, "funcargs", {}).get("tab")
    if report.when == "call" and report.failed and page:
        with suppress(Error):  # of a page that is gone there is nothing to say
            report.sections.append(("the page", f"{page.url}\n{page.locator('body').aria_snapshot(timeout=5_000)}"))
    return report


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


@pytest.fixture(scope="module")
def tab(browser: Browser) -> Iterator[Page]:
    """A page to visit from test to test, where nothing moves by itself. What it has loaded and compiled it keeps."""
    context = browser.new_context(locale="en-GB", reduced_motion="reduce")
    context.set_default_timeout(PATIENCE)
    yield context.new_page()
    context.close()


@pytest.fixture
def visit(tab: Page, site: str) -> Iterator[Visit]:
    """Open the replay room; in the end, no request may have left this machine and no script may have failed."""
    left: list[str] = []
    broken: list[str] = []
    listeners: list[tuple[Literal["request", "dialog", "pageerror"], Callable[..., None]]] = [
        ("request", lambda request: left.append(request.url)),
        ("dialog", lambda dialog: broken.append(dialog.message)),
        ("pageerror", lambda error: broken.append(str(error))),
    ]

    def visited(*, width: int = 1440, height: int = 900, theme: str = "light", **address: str) -> Page:
        tab.set_viewport_size({"width": width, "height": height})
        tab.emulate_media(color_scheme="dark" if theme == "dark" else "light")
        query = "&".join(f"{key}={value}" for key, value in address.items())
        tab.goto(f"{site}/?{query}")
        tab.locator(".seat").first.wait_for()
        return tab

    for event, listener in listeners:
        tab.on(event, listener)
    yield visited
    tab.evaluate("url => location.origin == url && [localStorage, sessionStorage].forEach(kept => kept.clear())", site)
    tab.goto("about:blank")
    tab.context.clear_cookies()
    for event, listener in listeners:
        tab.remove_listener(event, listener)
    assert [url for url in left if not url.startswith((site, "data:", "blob:", "about:"))] == []
    assert broken == []


MISPLACED = """table => {
    const found = [];
    const touch = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
    const all = (selector) => [...table.querySelectorAll(selector)].map(item => item.getBoundingClientRect());
    const digits = (window_) => {
        const range = document.createRange();
        range.selectNodeContents(window_.firstChild);
        const { left, right, top, bottom, height } = range.getBoundingClientRect();
        return { left, right, top: top + height / 4, bottom: bottom - height / 4 };
    };
    const next = table.querySelector("[data-go=next]");
    const windows = JSON.stringify(all(".window"));
    while (true) {
        const at = table.querySelector(".at").textContent;
        const [seats, middle, [stage]] = [all(".seat"), all(".now > *"), all(".stage")];
        seats.forEach((one, i) => {
            if (seats.slice(0, i).some(other => touch(one, other))) found.push([at, "seats", i + 1]);
            if (one.top < stage.top || one.bottom > stage.bottom) found.push([at, "off", i + 1]);
            if (one.left < stage.left || one.right > stage.right) found.push([at, "off", i + 1]);
        });
        if (all(".arrows rect").some(weight => middle.some(item => touch(item, weight)))) found.push([at, "weight"]);
        for (const part of table.querySelectorAll(".name, .part, .tag .words, .tell.end"))
            if (part.scrollHeight > part.clientHeight + 1 || part.scrollWidth > part.clientWidth + 1)
                found.push([at, "cut", part.textContent]);
        for (const tag of all(".tag, .plate")) if (middle.some(item => touch(item, tag))) found.push([at, "covered"]);
        for (const mark of table.querySelectorAll(".window .mark, .window .number")) {
            const [box, own] = [mark.getBoundingClientRect(), mark.closest(".seat")];
            if (touch(box, digits(mark.parentElement))) found.push([at, "number", mark.textContent]);
            if (box.right > stage.right) found.push([at, "off", mark.textContent]);
            for (const other of table.querySelectorAll(".tag, .plate, .window"))
                if (!own.contains(other) && touch(box, other.getBoundingClientRect()))
                    found.push([at, mark.textContent, other.textContent]);
        }
        if (JSON.stringify(all(".window")) !== windows) found.push([at, "moved"]);
        if (document.documentElement.scrollWidth > innerWidth) found.push([at, "wide"]);
        if (next.disabled) return found;
        next.click();
    }
}"""
"""What is out of its place at any step of a table: overlaps, is cut, or has moved."""
