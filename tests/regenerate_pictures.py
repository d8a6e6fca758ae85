"""Take the pictures in the READMEs again (``make pictures``), after a change of the pages that can be seen."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from PIL import Image
from playwright.sync_api import Browser, sync_playwright

from arena.events import Said, Tallied
from arena.terms import LANGUAGES, Lang
from arena.transcript import Transcript, read
from tests.browser.conftest import CHROMIUM, launch, open_table, served
from tests.repository import ROOT

PICTURES = ROOT / "docs"


def main() -> None:
    """Take all of them, in both languages."""
    if CHROMIUM is None:
        raise SystemExit("no Chromium is installed (Debian: apt install chromium)")
    with TemporaryDirectory() as folder, sync_playwright() as playwright:
        games = {lang: played(Path(folder), lang) for lang in LANGUAGES}
        browser = launch(playwright)
        with served(Path(folder), Path(folder) / "cache") as site:
            for lang, game in games.items():
                vote, rival = moments(game)
                address = f"{site}/?file={game.path.name}&view=god&lang={lang}"
                take(browser, f"{address}&event={vote}", PICTURES / f"table-{lang}.webp")
                take(browser, f"{address}&event={rival}", PICTURES / f"claims-{lang}.webp", claims=lang, dark=True)
                take(browser, f"{address}&event={rival}", PICTURES / f"phone-{lang}.webp", phone=True)
        browser.close()


def played(folder: Path, lang: Lang) -> Transcript:
    """A game of twelve in that language."""
    path = folder / f"duskwald-12-{lang}.jsonl"
    command = [sys.executable, "-m", "arena", "play", "--players", "12", "--seed", "5", "--quiet"]
    subprocess.run([*command, "--lang", lang, "--out", path], check=True)
    return read(path)


def moments(game: Transcript) -> tuple[int, int]:
    """The numbers of two events: the first count of an exile vote, and the first speech of a second seer."""
    count = next(
        n for n, event in enumerate(game.events, start=1) if isinstance(event, Tallied) and event.ballot == "vote"
    )
    (first, _), *others = seers(game)
    return count, next(n for seat, n in others if seat != first)


def seers(game: Transcript) -> Iterator[tuple[int, int]]:
    """Who claims to be the seer, and in which event."""
    for number, event in enumerate(game.events, start=1):
        if isinstance(event, Said) and any((claim.about, claim.value) == ("role", "seer") for claim in event.claims):
            yield event.seat, number


def take(
    browser: Browser, address: str, file: Path, *, claims: Lang | None = None, dark: bool = False, phone: bool = False
) -> None:
    """A picture of the page at `address`; with the table of claims beside it, in that language."""
    page = browser.new_page(
        viewport={"width": 390, "height": 844} if phone else {"width": 1440, "height": 900},
        device_scale_factor=1.5 if phone else 1,
        color_scheme="dark" if dark else "light",
        reduced_motion="reduce",
    )
    page.goto(address)
    page.locator(".seat").first.wait_for()
    if claims:
        open_table(page, "claims", claims)
    page.locator("[data-test-script-state=notRunning]").wait_for()
    page.mouse.move(0, 0)
    page.wait_for_timeout(1000)  # until what fades in is there
    shot = file.with_suffix(".png")
    page.screenshot(path=shot)
    with Image.open(shot) as image:
        image.save(file, quality=80)
    shot.unlink()
    page.close()


if __name__ == "__main__":
    main()
