"""What stands around the table in the replay room: tables, files of one's own, finding a game."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from arena.terms import LANGUAGES, Lang
from arena.texts import texts
from tests.browser.conftest import Visit, open_table, serious
from tests.records import HOSTILE, cut, whole

pytestmark = pytest.mark.browser

SAID = HOSTILE.replace("\u202e", "")


def choose(page: Page, label: str, option: str) -> None:
    page.get_by_role("combobox", name=label).click()
    page.get_by_role("option", name=option, exact=True).click()


@pytest.mark.parametrize(("theme", "width", "lang"), [("light", 1440, "en"), ("dark", 390, "zh")])
def test_axe_finds_no_serious_fault_on_the_page(visit: Visit, theme: str, width: int, lang: Lang) -> None:
    page = visit(file="whole.jsonl", view="god", lang=lang, theme=theme, width=width)
    found = {"first": serious(page)}
    for name in ("speeches", "claims", "votes", "factions", "thoughts", "accounts"):
        open_table(page, name, lang)
        # While the page is run again, what is on it stands there faded.
        page.locator("[data-test-script-state=notRunning]").wait_for()
        expect(page.locator("[data-stale=true]")).to_have_count(0)
        page.wait_for_timeout(300)
        found[name] = serious(page, within=".st-key-panels")
    page.get_by_role("button", name=texts(lang, "finding")["find"]).click()
    page.get_by_role("textbox", name=texts(lang, "finding")["words"]).wait_for()
    found["find"] = serious(page)
    page.keyboard.press("Escape")
    page.get_by_role("button", name=texts(lang, "panels")["upload"]).click()
    page.get_by_text(texts(lang, "panels")["upload_label"].split("(")[0].split("（")[0].strip()).first.wait_for()
    found["upload"] = serious(page)
    assert {state: some for state, some in found.items() if some} == {}


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_file_is_opened_and_closed_again(visit: Visit, tmp_path: Path, lang: Lang) -> None:
    mine = whole(tmp_path / "mine.jsonl", players=12, seed=5)
    page = visit(file="whole.jsonl", lang=lang)
    words = texts(lang, "panels")
    page.get_by_role("button", name=words["upload"]).click()
    page.locator("input[type=file]").set_input_files(mine)
    expect(page.locator(".seat")).to_have_count(12)
    page.keyboard.press("Escape")
    page.keyboard.press("End")
    expect(page).to_have_url(re.compile("file=mine.jsonl"))
    page.get_by_role("button", name=words["upload_close"]).click()
    expect(page.get_by_text(words["uploaded"].format(name="mine.jsonl"))).to_have_count(0)
    expect(page.get_by_role("combobox", name=texts(lang, "dashboard")["game"])).to_be_visible()
    expect(page.locator(".seat").first).to_be_visible()


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_file_that_is_refused_says_why(visit: Visit, tmp_path: Path, lang: Lang) -> None:
    foreign = tmp_path / "notes.txt"
    foreign.write_text("Milk, eggs", encoding="utf-8")
    people = cut(tmp_path / "people.jsonl", people=True)
    page = visit(file="whole.jsonl", lang=lang)
    words = texts(lang, "panels")
    page.get_by_role("button", name=words["upload"]).click()
    for file, why in ((foreign, "foreign"), (people, "people")):
        page.locator("input[type=file]").set_input_files(file)
        expect(page.get_by_text(words["refused"][why].format(name=file.name))).to_be_visible()
        expect(page.locator(".seat")).to_have_count(8)


def test_a_game_is_found_by_what_was_said_and_opened_there(visit: Visit) -> None:
    page = visit(file="whole.jsonl", view="god", lang="en")
    words = texts("en", "finding")
    page.get_by_role("button", name=words["find"]).click()
    page.get_by_role("textbox", name=words["words"]).fill("<script>")
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name=words["open"])).to_have_count(1)
    page.get_by_role("button", name=words["open"]).click()
    expect(page).to_have_url(re.compile("file=hostile.jsonl"))
    page.keyboard.press("Escape")
    expect(page.locator(".say p")).to_have_text(SAID)


def test_words_of_players_stay_words_in_every_table(visit: Visit) -> None:
    page = visit(file="hostile.jsonl", view="god", lang="en")
    open_table(page, "speeches")
    expect(page.locator(".sheet td.is-long").filter(has_text="<script>")).to_have_text(SAID)
    expect(page.locator(".sheet .chip").filter(has_text="<script>")).to_have_count(1)
    for name in ("claims", "votes", "nights", "thoughts", "accounts", "factions"):
        open_table(page, name)
        expect(page.locator(".sheet img, .sheet script, .sheet style, .sheet a")).to_have_count(0)


@pytest.mark.parametrize("view", ["god", "4"])
def test_a_link_leads_to_game_moment_and_view_after_a_reload(visit: Visit, view: str) -> None:
    page = visit(file="twelve.jsonl", view=view, lang="en", event="60")
    at = page.locator(".at").text_content() or ""
    note = page.locator(".note").text_content() or ""
    assert int(re.findall(r"\d+", at)[0]) > 20
    page.reload()
    expect(page.locator(".at")).to_have_text(at)
    expect(page.locator(".note")).to_have_text(note)
    expect(page.locator(".seat")).to_have_count(12)


def test_a_table_stands_beside_on_a_wide_window_and_below_on_a_narrow_one(visit: Visit) -> None:
    page = visit(file="whole.jsonl", view="god", lang="en", width=1280, height=720)
    open_table(page, "speeches")

    def corners(selector: str) -> tuple[float, float, float, float]:
        box = page.locator(selector).bounding_box()
        assert box
        return box["x"], box["y"], box["x"] + box["width"], box["y"] + box["height"]

    _, top, right, bottom = corners(".stage")
    left, sheet_top, _, _ = corners(".sheet")
    assert right <= left
    assert top <= sheet_top < bottom
    page.set_viewport_size({"width": 390, "height": 844})
    expect(page.locator(".dw.narrow")).to_be_visible()
    assert corners(".stage")[3] <= corners(".sheet")[1]


def test_the_number_on_the_page_is_that_of_the_address_and_of_a_fork(visit: Visit) -> None:
    page = visit(file="whole.jsonl", view="3", lang="en", event="60")
    page.keyboard.press("ArrowRight")
    number = (page.locator(".at b").text_content() or "").split(" ")[0]
    expect(page).to_have_url(re.compile(rf"event={number}$|event={number}&"))
    page.get_by_role("button", name=texts("en", "dashboard")["viewer"]["to_fork"]).click()
    expect(page).to_have_url(re.compile(rf"at={number}$|at={number}&"))
    expect(page.get_by_role("heading", name=texts("en", "lobby")["fork"])).to_be_visible()


@pytest.mark.parametrize("width", [1440, 390])
def test_the_rooms_lead_to_each_other(visit: Visit, width: int) -> None:
    page = visit(file="whole.jsonl", lang="en", width=width)
    page.get_by_role("link", name=texts("en", "lobby")["title"]).click()
    expect(page.get_by_role("heading", name=texts("en", "lobby")["new"])).to_be_visible()
    page.get_by_role("link", name=texts("en", "dashboard")["replay"], exact=True).click()
    expect(page.locator(".seat").first).to_be_visible()


def test_rows_of_one_seat_are_picked_out(visit: Visit) -> None:
    page = visit(file="whole.jsonl", view="public", lang="en")
    open_table(page, "speeches")
    rows = page.locator(".sheet tbody tr")
    everything = rows.count()
    page.get_by_role("button", name="3", exact=True).or_(page.get_by_role("radio", name="3", exact=True)).first.click()
    expect(rows).not_to_have_count(everything)
    assert set(page.locator(".sheet td.is-seats .mini").all_text_contents()) == {"3"}


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_page_is_no_wider_than_a_phone(visit: Visit, lang: Lang) -> None:
    page = visit(file="twelve.jsonl", view="god", lang=lang, width=390, height=844)
    for name in ("speeches", "claims", "votes", "nights", "factions", "thoughts", "accounts"):
        open_table(page, name, lang)
        assert page.evaluate("document.documentElement.scrollWidth") <= 390, name
