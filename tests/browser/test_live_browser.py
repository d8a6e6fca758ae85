"""People at a table in a real browser: they play a game to its end, and nothing but the game is on their pages."""

import contextlib
import re
import time
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect
from playwright.sync_api import Error as PlaywrightError

from arena.terms import LANGUAGES, Lang
from arena.texts import texts
from dashboard.lobby.seats import TYPED
from tests.browser.conftest import PATIENCE, serious, served
from tests.hosting.tables import table
from tests.model_server import ModelServer

pytestmark = pytest.mark.browser


class Table:
    """A table on the server at `site`, and the browsers of those who sit at it."""

    def __init__(self, browser: Browser, site: str) -> None:
        self.site = site
        self._browser = browser
        self._host = browser.new_context()
        self.contexts: list[BrowserContext] = [self._host]
        self.left: list[str] = []
        self.broken: list[str] = []
        self.game = ""
        self.links: dict[str, str] = {}

    def post(self, path: str, data: object) -> Any:
        answer = self._host.request.post(f"{self.site}{path}", data=data, headers={"origin": self.site})
        assert answer.ok, answer.text()
        return answer.json()

    def lay(self, setup: dict[str, Any], **more: Any) -> None:
        self.game = self.post("/api/games", {"setup": setup, **more})["id"]
        links = self._host.request.get(f"{self.site}/api/games/{self.game}/links").json()["seats"]
        self.links = {seat: found["link"] for seat, found in links.items()}

    def start(self) -> None:
        self.post(f"/api/games/{self.game}/start", {})

    def context(self, **more: Any) -> BrowserContext:
        context = self._browser.new_context(**{"viewport": {"width": 1280, "height": 800}, "locale": "en-GB", **more})
        context.set_default_timeout(PATIENCE)
        context.on("request", lambda request: self.left.append(request.url))
        self.contexts.append(context)
        return context

    def seat(self, seat: int, **more: Any) -> Page:
        page = self.opened(self.context(**more))
        page.goto(self.links[str(seat)])
        assert page.url.startswith(f"{self.site}/seat/{self.game}")
        return page

    def opened(self, context: BrowserContext) -> Page:
        page = context.new_page()
        page.on("pageerror", lambda error: self.broken.append(str(error)))
        page.on("dialog", lambda dialog: self.broken.append(dialog.message))
        return page


@pytest.fixture(scope="module")
def host(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server whose games are these tests' alone."""
    with served(tmp_path_factory.mktemp("tables"), tmp_path_factory.mktemp("cache")) as address:
        yield address


@pytest.fixture
def laid(browser: Browser, host: str) -> Iterator[Table]:
    made = Table(browser, host)
    yield made
    for context in made.contexts:
        context.close()
    assert [url for url in made.left if not url.startswith((host, "data:", "blob:"))] == []
    assert made.broken == []


def state(page: Page) -> str:
    return page.locator(".state").get_attribute("data-state") or ""


def act(page: Page, words: str = "Good evening.") -> None:
    """Do what is asked, if anything is: speak, or confirm the first choice."""
    # What is asked may be over at any moment, and its form gone.
    with contextlib.suppress(PlaywrightError):
        if page.locator(".question .speech").count():
            page.locator(".question .speech").fill(words, timeout=500)
            page.locator(".question .speak").click(timeout=500)
        elif page.locator(".question .confirm:visible").count():
            page.locator(".question .option").first.click(timeout=500)
            page.locator(".question .confirm").click(timeout=500)
            if page.locator("dialog.sure .yes").count():
                page.locator("dialog.sure .yes").click(timeout=500)


def until(what: Any, patience: float = 60) -> None:
    end = time.monotonic() + patience
    while not what():
        assert time.monotonic() < end, "nothing came of it"
        time.sleep(0.1)


def test_three_people_in_three_browsers_finish_a_game(laid: Table) -> None:
    """One of them loads the page anew all the time, one is away too long and comes back, one answers in two tabs."""
    clock = {"seconds": 4, "night": 3, "pace": 40, "misses": 2}
    rules = {"discussion.seconds": 6, "discussion.last_speaker_seconds": 6, "werewolves.rounds": 1}
    laid.lay(table(1, 2, 3, clock=clock, rules=rules))
    one, away, left = (laid.seat(seat) for seat in (1, 2, 3))
    right = laid.opened(left.context)
    right.goto(left.url)
    watching = laid.opened(laid.context())
    watching.goto(f"{laid.site}/watch/{laid.game}")
    laid.start()
    back = away.locator(".ask button.main", has_text=texts("en", "hosting")["page"]["back"])
    returned = False
    rounds = 0
    end = time.monotonic() + 240
    while state(watching) != "ended":
        assert time.monotonic() < end, "the game does not end"
        rounds += 1
        if rounds % 5 == 0:
            one.reload()
        act(one)
        if not returned and back.count():
            back.click()
            returned = True
        elif returned:
            act(away)
        act(left if rounds % 2 else right)
        act(right if rounds % 2 else left)
        time.sleep(0.05)
    assert returned
    for page in (one, away, left, right, watching):
        expect(page.locator(".state")).to_have_attribute("data-state", "ended")
        expect(page.locator(".note")).not_to_be_empty()
    results = texts("en", "hosting")["page"]["result"].values()
    for page in (one, away, left, right):
        expect(page.locator(".ask .result")).to_have_text(re.compile("|".join(results)))


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("width", [390, 1440])
def test_the_seat_page_reads_well_and_names_nothing_wrongly(laid: Table, lang: Lang, width: int) -> None:
    """Both languages, at a desk and on a phone: serious faults none, nothing sticks out to the side."""
    laid.lay({**table(1, clock={"seconds": 60, "night": 4, "pace": 100}), "language": lang})
    page = laid.seat(1, viewport={"width": width, "height": 844})
    page.goto(f"{page.url}?lang={lang}")
    words = texts(lang, "hosting")["page"]
    expect(page.locator(".ask")).to_contain_text(words["waiting"])
    laid.start()
    expect(page.locator(".card-part")).to_contain_text(words["card"].split("{")[0].strip())
    page.locator(".ask h2").wait_for()
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert serious(page) == []


def test_a_series_leads_from_game_to_game_and_counts_its_points(laid: Table) -> None:
    """From the list of games to a table, and with everybody who sits there on to the next game."""
    rules = {"discussion.seconds": 15, "discussion.last_speaker_seconds": 15, "win.werewolves": "parity"}
    clock = {"seconds": 1, "night": 0.3, "pace": 100, "misses": 1}
    laid.lay(table(1, players=6, clock=clock, rules=rules), games=2, listed=True)
    person = laid.seat(1)
    spectator = laid.opened(laid.context())
    spectator.goto(f"{laid.site}/playing?lang=en")
    spectator.locator(f"a[href*='{laid.game}']").wait_for()
    assert serious(spectator) == []
    spectator.locator(f"a[href*='{laid.game}']").click()
    laid.start()
    words = texts("en", "hosting")["page"]
    for page, place in ((person, "seat"), (spectator, "watch")):
        page.get_by_role("button", name=words["game_of_series"].format(number=1, games=2)).click()
        expect(page.locator("dialog .points tbody tr")).to_have_count(6)
        assert serious(page) == []
        page.keyboard.press("Escape")
        page.get_by_role("link", name=words["next_game"]).click()
        page.wait_for_url(re.compile(rf"/{place}/(?!{laid.game})"))


def test_what_people_and_names_say_is_text_on_every_page(laid: Table) -> None:
    """Field report A-U04."""
    hostile = "<script>alert(1)</script><img src=x onerror=alert(2)><style>*{display:none}</style></div>"
    laid.lay(table(1, 2, clock={"seconds": 30, "night": 1, "pace": 100}))
    pages = [laid.seat(1), laid.seat(2)]
    watching = laid.opened(laid.context())
    watching.goto(f"{laid.site}/watch/{laid.game}")
    laid.start()
    said = watching.locator(".log", has_text="onerror=alert(2)")
    end = time.monotonic() + 90
    while not said.count() and state(watching) != "ended":
        assert time.monotonic() < end
        for page in pages:
            act(page, hostile)
    for page in (*pages, watching):
        assert page.locator("main script, main img, main style").count() == 0


def test_a_seat_is_found_again_on_another_device_and_lost_without_a_cookie(laid: Table) -> None:
    """Field report A-U01: refresh, a phone, both at once; the clock goes on."""
    laid.lay(table(1, 2, 3, 4, 5, 6, 7, 8, 9, clock={"seconds": 600, "night": 600, "pace": 100}))
    laid.start()
    asked = next(page for page in map(laid.seat, range(1, 10)) if _asked(page))
    before = _left(asked)
    question = asked.locator(".ask h2").inner_text()
    asked.reload()
    expect(asked.locator(".ask h2")).to_have_text(question)
    assert _left(asked) <= before
    phone = laid.opened(laid.context())
    phone.goto(asked.url)
    expect(phone.locator(".ask")).to_contain_text(texts("en", "hosting")["page"]["no_seat"])


def _asked(page: Page) -> bool:
    page.locator(".card-part details").wait_for()
    return bool(page.locator(".ask h2").count())


def _left(page: Page) -> int:
    return int(page.locator(".clock").inner_text().split()[0])


def test_what_is_being_typed_when_the_time_is_up_is_said(laid: Table) -> None:
    rules = {"discussion.seconds": 15, "discussion.last_speaker_seconds": 15}
    laid.lay(table(1, players=6, clock={"seconds": 1, "night": 0.5, "pace": 100, "misses": 99}, rules=rules))
    page = laid.seat(1)
    laid.start()
    page.locator(".question .speech").fill("I had not finished my")
    expect(page.locator("[data-pane=log]")).to_contain_text("I had not finished my")


def test_a_key_that_is_left_with_the_tab_key_is_used(laid: Table) -> None:
    words = texts("en", "lobby")
    with ModelServer(key="sk-right-0123456789") as models:
        page = laid.opened(laid.context())
        page.goto(f"{laid.site}/lobby?lang=en")
        page.get_by_text(words["endpoints"], exact=True).click()
        for label, typed in (("base_url", models.base_url), ("served", "test-model"), ("key", "sk-right-0123456789")):
            page.get_by_label(words[label], exact=True).fill(typed)
            page.keyboard.press("Tab")
        page.get_by_role("button", name=words["use"], exact=True).click()
        for seat, kind in ((1, "model"), (2, "scripted")):
            page.locator("[data-test-script-state=notRunning]").wait_for()
            page.get_by_role("combobox", name=words["kind"]).nth(seat - 1).fill(words["kinds"][kind])
            page.keyboard.press("Enter")
        expect(page.get_by_role("combobox", name=words["model"])).to_have_value(TYPED)
        page.get_by_role("button", name=words["lay"], exact=True).click()
        expect(page.get_by_role("heading", name=words["made"])).to_be_visible()
        until(lambda: any(asked.fault is None for asked in models.requests))
