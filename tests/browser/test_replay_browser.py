"""The replay room as a visitor meets it."""

import re

import pytest
from playwright.sync_api import Page, WebSocket, expect

from arena.roles import ROLES
from arena.terms import LANGUAGES, Lang
from arena.texts import texts
from tests.browser.conftest import MISPLACED, Visit
from tests.records import HOSTILE, first_speech

pytestmark = pytest.mark.browser


def place(page: Page) -> int:
    """The number of the frame that is shown, from 1."""
    return int(page.locator(".scrub").input_value()) + 1


def go(page: Page, where: str, times: int = 1) -> None:
    for _ in range(times):
        page.locator(f"[data-go={where}]").click()


def choose(page: Page, label: str, option: str) -> None:
    page.get_by_role("combobox", name=label).click()
    page.get_by_role("option", name=option, exact=True).click()


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_page_opens_in_both_languages(visit: Visit, lang: Lang) -> None:
    page = visit(file="whole.jsonl", lang=lang)
    words = texts(lang, "dashboard")["viewer"]
    expect(page).to_have_title(texts(lang, "dashboard")["title"])
    expect(page.locator(".seat")).to_have_count(8)
    expect(page.locator(".note")).to_have_text(words["note.public"])
    expect(page.locator("[role=tab]")).to_have_text([words["log"], words["claims"], words["votes"]])
    go(page, "next")
    expect(page.locator(".round")).to_have_text(texts(lang, "dashboard")["round.night"].format(day=1))


def test_without_a_language_in_the_address_the_browser_s_own_counts(visit: Visit) -> None:
    expect(visit(file="whole.jsonl").locator("[data-tab=log]")).to_have_text("Account")


def test_steps_go_forward_and_back(visit: Visit) -> None:
    page = visit(file="whole.jsonl", lang="en")
    log = page.locator(".log > li")
    first = log.all_text_contents()
    go(page, "next", 6)
    assert place(page) == 7
    expect(log).to_have_count(7)
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    assert place(page) == 6
    go(page, "previous", 5)
    assert log.all_text_contents() == first
    expect(page.locator("[data-go=previous]")).to_be_disabled()
    page.keyboard.press("End")
    expect(page.locator(".now")).to_contain_text("Game over")
    page.keyboard.press("Home")
    assert log.all_text_contents() == first


def test_a_jump_leads_to_the_next_night_and_back(visit: Visit) -> None:
    page = visit(file="whole.jsonl", lang="en")
    rounds = []
    for _ in range(2):
        go(page, "next_day")
        rounds.append(page.locator(".round").text_content())
    assert rounds == ["Night 1", "Night 2"]
    go(page, "previous_day")
    expect(page.locator(".round")).to_have_text("Night 1")


CHANGED_PICTURES = """table => {
    const go = where => table.querySelector(`[data-go=${where}]`).click();
    const next = table.querySelector("[data-go=next]");
    const changed = [];
    for (let steps = 0; !next.disabled; steps++) {
        const there = table.querySelector(".stage").innerHTML;
        go("next");
        const after = table.querySelector(".stage").innerHTML;
        go("previous");
        if (table.querySelector(".stage").innerHTML !== there) changed.push(steps);
        go("next");
        if (after === there && steps > 0) changed.push(-steps);
    }
    return changed;
}"""


def test_the_picture_is_the_same_from_whichever_side_a_step_is_reached(visit: Visit) -> None:
    page = visit(file="whole.jsonl", view="god", lang="en")
    assert page.locator(".dw").evaluate(CHANGED_PICTURES) == []


def test_another_view_shows_other_cards_at_the_same_moment(visit: Visit) -> None:
    page = visit(file="whole.jsonl", view="public", lang="en", event=str(first_speech()))
    cards = page.locator(".seat .card")
    expect(cards).to_have_count(0)
    go(page, "next")
    bubble = page.locator(".now").text_content() or ""
    assert len(bubble) > 40
    choose(page, "View", "All cards")
    expect(cards).to_have_count(8)
    expect(page.locator(".now")).to_have_text(bubble)
    choose(page, "View", "View of seat 3")
    expect(page.locator(".you")).to_have_count(1)
    expect(page.locator(".now")).to_have_text(bubble)
    choose(page, "View", "Public")
    expect(cards).to_have_count(0)
    expect(page.locator(".now")).to_have_text(bubble)


def test_another_language_and_a_reload_keep_the_moment(visit: Visit) -> None:
    page = visit(file="whole.jsonl", view="public", lang="zh")
    go(page, "next", 9)
    at = place(page)
    page.get_by_role("radio", name="English").or_(page.get_by_role("button", name="English")).first.click()
    expect(page.locator("[data-tab=log]")).to_have_text("Account")
    assert place(page) == at
    page.wait_for_url(re.compile(r"event=\d+"))
    address = page.url
    go(page, "next")
    expect(page).not_to_have_url(address)
    page.reload()
    page.locator(".seat").first.wait_for()
    expect(page.locator(".scrub")).to_have_value(str(at))
    expect(page.locator("[data-tab=log]")).to_have_text("Account")


def test_back_leads_to_the_game_before_and_then_away(visit: Visit) -> None:
    page = visit(file="whole.jsonl", view="god", lang="en", event="20")
    at = place(page)
    choose(page, "Game", "twelve.jsonl")
    expect(page.locator(".seat")).to_have_count(12)
    assert place(page) == 1
    page.keyboard.press("ArrowRight")  # the select box still has the focus
    assert place(page) == 2
    page.go_back()
    expect(page.locator(".seat")).to_have_count(8)
    expect(page.locator(".scrub")).to_have_value(str(at - 1))
    expect(page.locator(".note")).to_have_text("Every card")
    page.go_back()
    expect(page).to_have_url("about:blank")


def test_a_plain_address_becomes_a_link_to_what_is_shown(visit: Visit) -> None:
    page = visit()
    page.keyboard.press("ArrowRight")
    expect(page).to_have_url(re.compile(r"file=[\w.-]+&view=public&event=\d+"))
    page.go_back()
    expect(page).to_have_url("about:blank")


def test_claims_votes_and_outs_are_shown(visit: Visit) -> None:
    page = visit(file="whole.jsonl", view="public", lang="en", event="9999")
    page.locator("[data-tab=votes]").click()
    expect(page.locator(".matrix tr")).to_have_count(10)
    page.locator("[data-tab=claims]").click()
    assert page.locator("[data-pane=claims] .chip").count() > 3
    assert page.locator(".seat.out .fate").count() > 2
    expect(page.locator(".seat .card")).to_have_count(8)


# What must not reach the browser


def received(socket: WebSocket, into: list[str]) -> None:
    socket.on(
        "framereceived", lambda data: into.append(data if isinstance(data, str) else data.decode(errors="replace"))
    )


@pytest.mark.parametrize(
    ("file", "view", "secret"), [("people", "god", False), ("people", "1", False), ("whole", "god", True)]
)
def test_no_card_of_a_game_that_people_still_play_is_sent(visit: Visit, file: str, view: str, secret: bool) -> None:
    """The last case shows that the check would find one."""
    page = visit(file="whole.jsonl", view="public", lang="en")
    sent: list[str] = []
    page.on("websocket", lambda socket: received(socket, sent))
    page.goto(re.sub(r"\?.*", f"?file={file}.jsonl&view={view}&lang=en", page.url))
    page.locator(".seat").first.wait_for()
    everything = "".join(sent)
    assert '"frames"' in everything
    kinds = {role.kind or role.faction for role in ROLES.values()}
    found = [mark for kind in kinds for mark in (f'"team": "{kind}"', f'"team":"{kind}"') if mark in everything]
    assert bool(found) == secret
    page.keyboard.press("End")
    expect(page.locator(".seat .card")).to_have_count(8 if secret else 0)


def test_words_of_players_stay_words(visit: Visit) -> None:
    page = visit(file="hostile.jsonl", view="public", lang="en", event="9999")
    said = HOSTILE.replace("\u202e", "")
    expect(page.locator(".log .said p").filter(has_text="<script>")).to_have_text(said)
    page.locator("[data-tab=claims]").click()
    expect(page.locator("[data-pane=claims] .chip").filter(has_text="<script>")).to_have_count(1)
    page.locator("[data-tab=log]").click()
    page.locator(".log .said p").filter(has_text="<script>").click()
    expect(page.locator(".say p")).to_have_text(said)
    expect(page.locator(".dw img, .dw script, .dw style, .dw a")).to_have_count(0)
    expect(page.locator(".seat")).to_have_count(8)


# The look


@pytest.mark.parametrize(("width", "height", "lang"), [(1280, 720, "en"), (390, 844, "zh")])
def test_nothing_overlaps_moves_or_is_cut_at_any_step(visit: Visit, width: int, height: int, lang: Lang) -> None:
    page = visit(file="duskwald-12-zh.jsonl", view="god", lang=lang, width=width, height=height)
    assert page.locator(".dw").evaluate(MISPLACED) == []


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_table_follows_the_theme_and_is_dark_at_night(visit: Visit, theme: str) -> None:
    page = visit(file="whole.jsonl", lang="en", theme=theme)

    def tone(selector: str) -> str:
        color = page.locator(selector).evaluate("element => getComputedStyle(element).color")
        return "light" if sum(map(int, re.findall(r"\d+", color)[:3])) < 380 else "dark"

    assert tone(".panel") == theme
    assert tone(".round") == theme
    go(page, "next")
    assert (tone(".panel"), tone(".round")) == (theme, "dark")
