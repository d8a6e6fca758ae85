"""The exported file as somebody meets it who was sent it: opened from disk, without a server or a network."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from arena.terms import LANGUAGES, Lang
from arena.texts import texts
from arena.transcript import read
from dashboard.export import page as exported
from tests.browser.conftest import MISPLACED, serious
from tests.records import HOSTILE, hostile, long, personas, whole

pytestmark = pytest.mark.browser

SAID = HOSTILE.replace("\u202e", "")

Open = Callable[..., Page]


@pytest.fixture(scope="session")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with exported games, all views in each."""
    folder = tmp_path_factory.mktemp("exported")
    games = {
        "whole": whole(folder / "whole.jsonl"),
        "nine": personas(folder / "nine.jsonl"),
        "twelve": personas(folder / "twelve.jsonl", players=12, seed=5),
        "eighteen": personas(folder / "eighteen.jsonl", players=18, seed=3, ruleset="thiercelieux"),
        "hostile": hostile(folder / "hostile.jsonl"),
    }
    for name, path in games.items():
        for lang in LANGUAGES:
            (folder / f"{name}-{lang}.html").write_text(exported(read(path), "all", lang), encoding="utf-8")
    (folder / "long.html").write_text(exported(read(long(folder / "long.jsonl")), "god", "en"), encoding="utf-8")
    public = exported(read(games["whole"]), "public", "en")
    (folder / "public-en.html").write_text(public, encoding="utf-8")
    return folder


@pytest.fixture
def opened(browser: Browser, files: Path) -> Iterator[Open]:
    """Open a file; in the end, the browser may have asked for nothing else and no script may have failed."""
    contexts: list[BrowserContext] = []
    asked: list[str] = []
    broken: list[str] = []

    def open_(
        name: str, address: str = "", *, width: int = 1440, height: int = 900, theme: str = "light", still: bool = True
    ) -> Page:
        context = browser.new_context(
            viewport={"width": width, "height": height},
            color_scheme="dark" if theme == "dark" else "light",
            reduced_motion="reduce" if still else "no-preference",
        )
        contexts.append(context)
        context.on("request", lambda request: asked.append(request.url))
        context.on("dialog", lambda dialog: broken.append(dialog.message))
        page = context.new_page()
        page.on("pageerror", lambda error: broken.append(str(error)))
        page.on("console", lambda message: broken.append(message.text))
        page.goto((files / f"{name}.html").as_uri() + address)
        page.locator(".seat").first.wait_for()
        return page

    yield open_
    for context in contexts:
        context.close()
    assert [url for url in asked if not url.startswith(files.as_uri())] == []
    assert broken == []


def place(page: Page) -> int:
    return int(page.locator(".scrub").input_value()) + 1


def last(page: Page) -> int:
    return int(page.locator(".scrub").get_attribute("max") or "") + 1


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_file_opens_in_both_languages(opened: Open, lang: Lang) -> None:
    page = opened(f"nine-{lang}")
    words = texts(lang, "dashboard")["viewer"]
    expect(page.locator("html")).to_have_attribute("lang", "zh-CN" if lang == "zh" else "en")
    expect(page.locator(".seat")).to_have_count(9)
    expect(page.locator(".note")).to_have_text(words["note.public"])
    expect(page.locator("[role=tab]")).to_have_text([words["log"], words["claims"], words["votes"]])
    expect(page.locator(".seat .model")).to_have_text([texts(lang, "dashboard")["players"]["scripted"]] * 9)
    assert page.get_by_role("combobox", name=words["views"]).locator("option").count() == 11


def test_one_view_has_no_switch(opened: Open) -> None:
    page = opened("public-en", "#view=god")
    expect(page.locator(".views")).to_have_count(0)
    page.keyboard.press("End")
    expect(page.locator(".note")).to_have_text("Only what the whole table knows")
    page.keyboard.press("Home")
    expect(page.locator(".seat .card")).to_have_count(0)


def test_a_view_is_switched_at_the_same_moment(opened: Open) -> None:
    page = opened("nine-en", "#event=40")
    moment = page.locator(".now").text_content() or ""
    page.locator(".views").select_option("god")
    expect(page.locator(".now")).to_have_text(moment)
    expect(page.locator(".seat .card")).to_have_count(9)
    page.locator(".views").select_option("4")
    expect(page.locator(".you")).to_have_count(1)
    expect(page.locator(".now")).to_have_text(moment)


def test_a_link_leads_to_event_and_view(opened: Open) -> None:
    page = opened("nine-en", "#event=30&view=god")
    at = place(page)
    assert at > 1
    address = page.url
    page.keyboard.press("ArrowRight")
    expect(page).not_to_have_url(address)
    assert re.search(r"#event=\d+&view=god$", page.url)
    page.reload()
    expect(page.locator(".note")).to_have_text("Every card")
    assert place(page) == at + 1
    page.evaluate("location.hash = '#event=0&view=2'")
    expect(page.locator(".you")).to_have_count(1)
    assert place(page) == 1


@pytest.mark.parametrize("address", ["#event=x&view=99", "#event=-4", "#%00", "?event=1e99", "#event=99999999"])
def test_an_address_that_leads_nowhere_still_shows_the_game(opened: Open, address: str) -> None:
    page = opened("nine-en", address)
    expect(page.locator(".note")).to_have_text("Only what the whole table knows")
    assert 1 <= place(page) <= last(page)


def test_the_keyboard_alone_will_do(opened: Open) -> None:
    page = opened("nine-en", "#view=god")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowLeft")
    assert place(page) == 2
    page.keyboard.press("Shift+ArrowRight")
    expect(page.locator(".round")).to_have_text("Night 1")
    page.keyboard.press("End")
    assert place(page) == last(page)
    page.keyboard.press("Home")
    page.keyboard.press(" ")
    expect(page.locator("[data-go=play]")).to_have_attribute("aria-label", "Pause")
    page.keyboard.press(" ")
    expect(page.locator("[data-go=play]")).to_have_attribute("aria-label", "Play")
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)


def test_every_control_is_reached_by_tab_and_pressed_by_enter(opened: Open) -> None:
    page = opened("nine-en", "#view=god")
    wanted = page.locator("button:not([disabled]):not([tabindex='-1']), select, input")
    names = set(wanted.evaluate_all("found => found.map(element => element.ariaLabel || element.textContent)"))
    reached = set()
    for _ in range(60):
        page.keyboard.press("Tab")
        name = page.evaluate("document.activeElement.ariaLabel || document.activeElement.textContent")
        reached.add(name)
        if name == "Next vote":
            page.keyboard.press("Enter")
    assert names <= reached
    assert page.locator(".board").count() == 1


@pytest.mark.parametrize(("key", "kind"), [("o", "out"), ("c", "claim"), ("v", "vote"), ("l", "lie")])
def test_jumps_lead_from_one_to_the_next(opened: Open, key: str, kind: str) -> None:
    page = opened("twelve-en", "#view=god")
    places: list[int] = []
    while True:
        page.keyboard.press(key)
        if places and place(page) == places[-1]:
            break
        places.append(place(page))
        if kind == "lie":
            assert page.locator(".say .chip.false").count() >= 1
        if kind == "vote":
            expect(page.locator(".board")).to_have_count(1)
    assert places == sorted(set(places))
    assert places
    page.keyboard.press(f"Shift+{key.upper()}")
    assert place(page) == (places[-2] if len(places) > 1 else places[-1])


@pytest.mark.parametrize("view", ["public", "3"])
def test_no_view_but_god_s_judges_a_claim(opened: Open, view: str) -> None:
    page = opened("nine-en", f"#view={view}&event=99999")
    page.locator("[data-tab=claims]").click()
    assert page.locator(".chip.fact").count() > 2
    expect(page.locator(".chip.true, .chip.false, .claim.true, .claim.false, .mark.lie")).to_have_count(0)
    expect(page.locator("[data-jump=lie]")).to_have_count(0)


def test_what_lies_ahead_is_hidden_until_it_is_asked_for(opened: Open) -> None:
    page = opened("nine-en")
    marks = page.locator(".marks .mark:visible")
    expect(marks).to_have_count(0)
    page.get_by_role("button", name="Markers ahead").click()
    assert marks.count() > 4
    marks.last.click()
    assert place(page) > 20


def test_the_end_tells_how_it_went_and_leads_there(opened: Open) -> None:
    page = opened("nine-en", "#view=public&event=99999")
    rows = page.locator(".recap button")
    expect(rows).to_have_count(9)
    rows.first.click()
    assert place(page) < last(page)
    assert page.locator(".seat.out").count() >= 1


def test_playing_types_the_speech_out_and_goes_on(opened: Open) -> None:
    page = opened("nine-en", still=False)
    while not page.locator(".say").count():
        page.keyboard.press("ArrowRight")
    whole_speech = page.locator(".say p").text_content() or ""
    page.locator(".speed").select_option("4")
    at = place(page)
    page.locator("[data-go=play]").click()
    expect(page.locator(".say .heard")).not_to_have_text(whole_speech)
    assert page.locator(".say p").text_content() == whole_speech
    expect(page.locator(".scrub")).not_to_have_value(str(at - 1))
    page.locator("[data-go=play]").click()
    stopped = place(page)
    page.wait_for_timeout(1500)
    assert place(page) == stopped


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_language_is_switched_at_the_same_moment(opened: Open, lang: Lang) -> None:
    page = opened(f"nine-{lang}", "#event=40&view=god")
    other: Lang = "en" if lang == "zh" else "zh"
    at, lines = place(page), page.locator(".log > li").count()
    names = {code: texts(code, "dashboard")["language." + code] for code in LANGUAGES}
    for now in (other, lang):
        page.get_by_role("button", name=names[now], exact=True).click()
        words = texts(now, "dashboard")
        expect(page.locator(".note")).to_have_text(words["viewer"]["note.god"])
        expect(page.locator("html")).to_have_attribute("lang", "zh-CN" if now == "zh" else "en")
        expect(page.locator(".views option").nth(1)).to_have_text(words["view.god"])
        assert place(page) == at
        assert page.locator(".log > li").count() == lines
        expect(page.locator(".seat .card")).to_have_count(9)
    page.get_by_role("button", name=names[other], exact=True).click()
    expect(page).to_have_url(re.compile(rf"&lang={other}$"))
    page.reload()
    expect(page.locator(".note")).to_have_text(texts(other, "dashboard")["viewer"]["note.god"])
    assert place(page) == at


def test_a_press_on_a_seat_tells_of_that_seat_alone(opened: Open) -> None:
    page = opened("nine-en", "#view=god&event=99999")
    log = page.locator(".log > li")
    whole_log = log.count()
    page.locator(".pick").nth(2).click()
    expect(page.locator(".filter")).to_have_text("Seat 3 · The charger only")
    expect(page.get_by_role("button", name=re.compile("^Seat 3.* only$"))).to_have_attribute("aria-pressed", "true")
    assert 0 < log.count() < whole_log / 2
    assert set(page.locator(".log .said .mini").all_text_contents()) == {"3"}
    at = place(page)
    page.keyboard.press("ArrowLeft")
    assert place(page) == at - 1
    for tab, rows in (("claims", 1), ("votes", 2)):
        page.locator(f"[data-tab={tab}]").click()
        expect(page.locator(f"[data-pane={tab}] tbody tr")).to_have_count(rows)
    page.locator("[data-tab=log]").click()
    page.keyboard.press("5")
    expect(page.locator(".filter")).to_have_text(re.compile("^Seat 5 · .+ only$"))
    log.first.click()
    page.keyboard.press("End")
    page.locator(".filter button").click()
    expect(page.locator(".filter")).to_be_hidden()
    expect(log).to_have_count(whole_log)


def test_a_seat_is_picked_by_keyboard_and_keeps_the_focus(opened: Open) -> None:
    page = opened("nine-en", "#view=god&event=30")
    page.locator(".pick").nth(6).focus()
    page.keyboard.press("Enter")
    expect(page.locator(".filter")).to_have_text("Seat 7 · The poker shark only")
    page.keyboard.press("ArrowRight")
    assert page.evaluate("document.activeElement.closest('.seat').dataset.seat") == "7"
    page.locator(".views").select_option("public")
    expect(page.locator(".filter")).to_have_text("Seat 7 · The poker shark only")


@pytest.mark.parametrize("address", ["?autoplay", "#autoplay", "#event=30&view=god&autoplay"])
def test_a_stream_plays_by_itself_without_anything_to_press(opened: Open, address: str) -> None:
    page = opened("nine-en", address, still=False)
    at = place(page)
    expect(page.locator(".top, .time, .tabs, .info").locator("visible=true")).to_have_count(0)
    expect(page.locator(".stage")).to_be_visible()
    expect(page.locator(".scrub")).not_to_have_value(str(at - 1))
    assert page.evaluate("document.documentElement.scrollHeight") <= 900


def test_words_of_players_stay_words_everywhere(opened: Open) -> None:
    page = opened("hostile-en", "#view=god&event=99999")
    page.locator("[data-tab=claims]").click()
    expect(page.locator("[data-pane=claims] .chip").filter(has_text="<script>")).to_have_count(1)
    page.locator("[data-tab=votes]").click()
    expect(page.locator("[data-pane=votes] .who .name").first).to_have_text(SAID)
    page.locator("[data-tab=log]").click()
    expect(page.locator(".log .said p").filter(has_text="<script>")).to_have_text(SAID)
    expect(page.locator(".seat .name").first).to_have_text(SAID)
    expect(page.locator(".seat .model").nth(1)).to_have_text(SAID)
    assert SAID in (page.locator(".seat .plate").first.get_attribute("title") or "")
    assert SAID in (page.locator(".seat").first.get_attribute("aria-label") or "")
    page.locator(".log .said p").filter(has_text="<script>").click()
    expect(page.locator(".say p")).to_have_text(SAID)
    assert SAID in (page.locator(".live").text_content() or "")
    assert SAID in (page.locator(".scrub").get_attribute("aria-valuetext") or "")
    expect(page.locator("main img, main script, main style, main a, main link, main iframe")).to_have_count(0)
    expect(page.locator(".seat")).to_have_count(8)


def test_the_browser_itself_refuses_what_a_script_would_ask_for(browser: Browser, files: Path) -> None:
    """The policy holds even if something had slipped through: nothing is fetched, and no other script is run."""
    page = browser.new_page()
    refused: list[str] = []
    page.on("console", lambda message: refused.append(message.text))
    page.goto((files / "public-en.html").as_uri())
    page.evaluate(
        """async () => {
            document.body.append(Object.assign(new Image(), {src: "http://127.0.0.1:9/x.png"}));
            document.body.append(Object.assign(document.createElement("script"), {textContent: "window.ran = true"}));
            await fetch("http://127.0.0.1:9/y").catch(() => 0);
        }"""
    )
    page.wait_for_timeout(300)
    assert page.evaluate("window.ran") is None
    for directive in ("img-src", "script-src", "connect-src"):
        assert any("Content Security Policy" in line and directive in line for line in refused), refused
    page.close()


# The look


# The page with the same table is looked at in a light wide window and in a dark narrow one.
@pytest.mark.parametrize(("theme", "width"), [("dark", 1440), ("light", 390)])
def test_axe_finds_no_serious_fault(opened: Open, theme: str, width: int) -> None:
    page = opened("nine-en", "#view=god", theme=theme, width=width)
    found: list[tuple[str, str, list[str]]] = []

    def look(state: str) -> None:
        found.extend((state, *fault) for fault in serious(page))

    look("deal")
    for key in ("c", "v", "o"):
        page.keyboard.press(key)
        look(f"jump {key}")
    page.keyboard.press("Shift+ArrowRight")
    look("night")
    for tab in ("claims", "votes"):
        page.locator(f"[data-tab={tab}]").click()
        look(tab)
    page.keyboard.press("?")
    look("help")
    page.keyboard.press("Escape")
    page.locator("[data-tab=log]").click()
    page.keyboard.press("End")
    look("end")
    assert found == []


SIZES = [(1440, 900), (1280, 720), (390, 844)]
LOOKS = [("nine-en", 1440, 900), ("twelve-zh", 1280, 720), ("twelve-en", 390, 844), ("eighteen-en", 390, 844)]
OTHERS = [
    pytest.param(name, width, height, marks=pytest.mark.long)
    for name in ("nine-en", "twelve-en", "twelve-zh", "eighteen-en")
    for width, height in SIZES
    if (name, width, height) not in LOOKS
]


@pytest.mark.parametrize(("name", "width", "height"), [*LOOKS, *OTHERS])
def test_nothing_overlaps_moves_or_is_cut_at_any_step(opened: Open, name: str, width: int, height: int) -> None:
    page = opened(name, "#view=god", width=width, height=height)
    assert page.locator(".dw").evaluate(MISPLACED) == []


def test_the_theme_is_switched(opened: Open) -> None:
    page = opened("nine-en", theme="light")
    dark = "getComputedStyle(document.querySelector('.panel')).backgroundColor"
    before = page.evaluate(dark)
    page.get_by_role("button", name="Light or dark").click()
    assert page.evaluate(dark) != before
    page.get_by_role("button", name="Light or dark").click()
    assert page.evaluate(dark) == before


def test_a_long_game_steps_without_a_wait(opened: Open) -> None:
    page = opened("long", "#event=1500")
    at = place(page)
    for _ in range(50):
        page.keyboard.press("ArrowRight")
    assert place(page) == at + 50
    expect(page.locator(".log > li").last).to_have_class("cur")
    assert page.locator(".log > li").count() < 400
    page.locator("[data-pane=log]").evaluate(
        "async pane => { while (pane.scrollTop) { pane.scrollTop -= 5000; "
        "await new Promise(done => setTimeout(done, 30)); } }"
    )
    expect(page.locator(".log > li")).to_have_count(at + 50)
