"""How the screens behave and fit: keyboard, leaving, roll-off, names of all kinds, sizes, contrast, weight."""

from __future__ import annotations

import json
import re
from itertools import product
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.dashboard.conftest import DASHBOARD, OpenPage, WatchedTable, confirm, enter, whose_turn

browser_test = pytest.mark.browser

LONG = "Maximilian-Alexander von Hohen"
NAMES = [
    LONG,
    "بوبكر الصديق",
    "Zoë 🎲🎲🎉",
    "W" * 30,
    "<img src=x onerror=alert(1)>",
    "Fay",
    "Gil",
    "Hanna",
    "Ines",
    "Jo",
]
SIZES = [(1280, 800), (1024, 768), (390, 844), (844, 390), (800, 1280), (1920, 1080)]


def stream_of(view: dict[str, Any]) -> str:
    return f"event: table\ndata: {json.dumps(view)}\n\n"


def throws(table: WatchedTable, *hands: tuple[int, ...]) -> None:
    for hand in hands:
        table.throw(*hand)


@browser_test
def test_the_keyboard_enters_corrects_and_confirms(open_page: OpenPage, by_hand: WatchedTable) -> None:
    by_hand.start()
    page = open_page(by_hand.url)
    page.keyboard.type("465")
    page.keyboard.press("Backspace")
    page.keyboard.type("1")
    page.get_by_role("button", name="Die showing 6").focus()
    page.keyboard.press("2")
    expect(page.locator(".hand-name")).to_have_text("421")
    page.keyboard.press("Enter")
    whose_turn(page, "Bo")
    assert by_hand.view()["game"]["throws"][0]["dice"] == [4, 2, 1]
    enter(page, 6, 5, 2)
    # Right after a change Enter does as little as a tap.
    expect(page.get_by_role("button", name="Confirm", exact=True)).to_be_enabled()
    page.keyboard.press("Enter")
    whose_turn(page, "Cy")


@browser_test
def test_whose_turn_it_is_is_said_aloud(open_page: OpenPage, by_hand: WatchedTable) -> None:
    by_hand.start()
    page = open_page(by_hand.url)
    by_hand.throw(4, 2, 1)
    said = page.locator("#said")
    expect(said).to_contain_text("Bo to throw, throw 1 of 1.")
    expect(said).to_have_attribute("aria-live", "polite")


@browser_test
def test_what_is_said_aloud_follows_the_language(open_page: OpenPage, by_hand: WatchedTable) -> None:
    by_hand.start()
    page = open_page(by_hand.url)
    by_hand.throw(4, 2, 1)
    expect(page.locator("#said")).to_contain_text("Bo to throw, throw 1 of 1.")
    page.get_by_role("button", name="Français").click()
    expect(page.locator("#said")).to_contain_text("À Bo de lancer, lancer 1 sur 1.")
    page.get_by_role("button", name="English").click()
    expect(page.locator("#said")).to_contain_text("Bo to throw, throw 1 of 1.")


@browser_test
@pytest.mark.parametrize("size", [(1280, 800), (1024, 768)])
@pytest.mark.parametrize("tool", ["End game"])
def test_panels_leave_the_players_in_sight(
    open_page: OpenPage, by_hand: WatchedTable, size: tuple[int, int], tool: str
) -> None:
    by_hand.start(*NAMES)
    page = open_page(by_hand.url, size=size)
    page.get_by_role("button", name=tool).click()
    panel = page.locator(".question").bounding_box()
    last = page.locator("li.player").last.bounding_box()
    assert panel is not None and last is not None
    assert last["y"] + last["height"] <= panel["y"]


@browser_test
@pytest.mark.parametrize("size", SIZES)
def test_numbers_and_words_of_a_row_have_room(
    open_page: OpenPage, by_hand: WatchedTable, size: tuple[int, int]
) -> None:
    by_hand.start()
    throws(by_hand, (4, 2, 1), (6, 5, 2), (2, 2, 1), (4, 2, 1), (6, 5, 2), (2, 2, 1), (4, 2, 1), (6, 5, 2))
    page = open_page(by_hand.url, size=size)
    expect(page.locator("li.player .worst")).to_have_text(re.compile("worst so far"))
    overlaps = """() => [...document.querySelectorAll(".player")].flatMap(row => {
      const textOf = (element) => {
        const range = document.createRange();
        range.selectNodeContents(element);
        return range.getBoundingClientRect();
      };
      const [count, dice, words] = [".count", ".small-hand", ".hand-words"].map(name => row.querySelector(name));
      const faults = [];
      const own = row.getBoundingClientRect();
      const beside = dice && innerWidth >= 600;
      if (beside && textOf(count).right > dice.getBoundingClientRect().left - 4) faults.push("count");
      if (words && textOf(words).right > own.right - 8) faults.push("words");
      return faults;
    })"""
    assert page.evaluate(overlaps) == []


@browser_test
def test_leaving_asks_who_and_whether(open_page: OpenPage, by_hand: WatchedTable) -> None:
    by_hand.start("Ana", "Bo", "Cy", "Dan")
    throws(by_hand, (4, 2, 1), (6, 5, 2), (2, 2, 1), (6, 6, 5))
    page = open_page(by_hand.url)
    page.get_by_role("button", name="Leave").click()
    page.locator(".question").get_by_role("button", name="Dan").click()
    expect(page.locator(".question")).to_contain_text("The 3 chips go back to the pot.")
    page.get_by_role("button", name="No, play on").click()
    expect(page.locator(".question")).to_have_count(0)
    page.get_by_role("button", name="Leave").click()
    page.locator(".question").get_by_role("button", name="Dan").click()
    page.get_by_role("button", name="Yes, leave").click()
    expect(page.locator("li.player.left .name")).to_have_text("Dan")
    expect(page.locator(".pot .count")).to_have_text("14")


@browser_test
def test_a_roll_off_shows_who_is_in_it_and_every_pass(open_page: OpenPage, by_hand: WatchedTable) -> None:
    by_hand.start()
    throws(by_hand, (4, 2, 1), (6, 5, 2), (2, 2, 1), (4, 2, 1), (6, 5, 2))
    page = open_page(by_hand.url)
    by_hand.throw(6, 5, 2)
    expect(page.locator(".rolloff h2")).to_have_text("Roll-off")
    expect(page.locator(".rolloff-rows .name")).to_have_text(["Bo", "Cy"])
    # Nothing moves under a thumb: Leave keeps its place, dimmed.
    expect(page.get_by_role("button", name="Leave")).to_be_disabled()
    expect(page.locator(".camera-words .light")).to_have_text("No camera, by hand")
    expect(page.locator("li.player .hand-words small")).to_have_text(["best so far", "tied", "tied"])
    enter(page, 5)
    confirm(page)
    whose_turn(page, "Cy")
    row = page.locator(".rolloff-rows li").first
    expect(row.locator(".die:not(.hole)")).to_have_count(1)
    enter(page, 5)
    confirm(page)
    whose_turn(page, "Bo")
    expect(row.locator(".before")).to_have_count(1)
    expect(row.locator(".hole")).to_have_count(1)
    enter(page, 6)
    confirm(page)
    whose_turn(page, "Cy")
    enter(page, 1)
    confirm(page)
    expect(page.locator(".rolloff")).to_have_count(0)
    expect(page.locator(".pot .count")).to_have_text("1")


@browser_test
@pytest.mark.parametrize(("motion", "flown"), [("no-preference", True), ("reduce", False)])
def test_chips_fly_unless_less_motion_is_asked_for(
    open_page: OpenPage, by_hand: WatchedTable, motion: str, flown: bool
) -> None:
    by_hand.start()
    throws(by_hand, (4, 2, 1), (6, 5, 2), (2, 2, 1), (6, 1, 1), (6, 5, 2))
    page = open_page(by_hand.url, reduced_motion=motion)
    page.evaluate(
        """() => {
          window.flown = 0;
          window.longest = 0;
          new MutationObserver((changes) => {
            for (const change of changes) for (const chip of change.addedNodes) {
              window.flown += 1;
              queueMicrotask(() => {
                const timing = chip.getAnimations()[0].effect.getComputedTiming();
                window.longest = Math.max(window.longest, timing.endTime);
              });
            }
          }).observe(document.getElementById("flights"), {childList: true});
        }"""
    )
    by_hand.throw(2, 2, 1)
    expect(page.locator(".pot .count")).to_have_text("5")
    expect(page.locator("#flights > *")).to_have_count(0)
    assert page.evaluate("() => window.flown") == (6 if flown else 0)
    assert page.evaluate("() => window.longest") < 600
    page.get_by_role("button", name="Undo").click()
    expect(page.locator(".pot .count")).to_have_text("11")
    assert page.evaluate("() => window.flown") == (6 if flown else 0)


@browser_test
def test_chips_can_be_counted_in_piles_of_five(open_page: OpenPage, by_hand: WatchedTable) -> None:
    by_hand.start()
    throws(by_hand, (4, 2, 1), (6, 5, 2), (2, 2, 1), (4, 2, 1), (6, 5, 2), (2, 2, 1))
    page = open_page(by_hand.url)
    piles = page.locator("li.player").nth(2).locator(".stack")
    expect(piles).to_have_count(3)
    assert [piles.nth(at).locator("use").count() for at in range(3)] == [5, 5, 3]
    expect(page.get_by_role("img", name="13 chips")).to_be_visible()
    expect(page.get_by_role("img", name="1 chip", exact=True)).to_be_visible()


@browser_test
def test_a_name_is_a_name_whatever_it_says(open_page: OpenPage, by_hand: WatchedTable) -> None:
    page = open_page(by_hand.url)
    for name in NAMES[:5]:
        page.get_by_label("Name", exact=True).fill(name)
        page.get_by_role("button", name="Add", exact=True).click()
    page.get_by_role("button", name="Start the game").click()
    expect(page.locator("li.player .name")).to_have_text(NAMES[:5])
    assert page.locator("img[src=x]").count() == 0


@browser_test
def test_a_player_may_be_called_like_something_that_every_object_has(
    open_page: OpenPage, by_hand: WatchedTable
) -> None:
    names = ["constructor", "toString", "__proto__"]
    by_hand.start(*names)
    page = open_page(by_hand.url)
    expect(page.locator("li.player .name")).to_have_text(names)
    expect(page.locator("li.player .count")).to_have_text(["3", "3", "3"])


@browser_test
def test_what_the_whole_table_must_know_is_a_band(open_page: OpenPage, by_hand: WatchedTable) -> None:
    said = {**by_hand.view(), "notice": "The last game cannot be read. It is kept; start another."}
    page = open_page(by_hand.url, locale="fr", ready="body")
    page.route(
        "**/api/events", lambda route: route.fulfill(content_type="text/event-stream", body=stream_of(said))
    )
    page.reload()
    expect(page.locator(".band", has_text="The last game cannot be read.")).to_contain_text(
        "Le service signale"
    )


@browser_test
def test_names_that_will_not_do_are_refused_where_they_are_typed(
    open_page: OpenPage, by_hand: WatchedTable
) -> None:
    page = open_page(by_hand.url)
    field = page.get_by_label("Name", exact=True)
    for name, complaint in (("Ana", None), (" ana ", "seated already"), ("Pot", "cannot be a player's name")):
        field.fill(name)
        field.press("Enter")
        if complaint:
            expect(page.locator(".complaint")).to_contain_text(complaint)
    expect(page.locator(".seat .name")).to_have_text(["Ana"])


@browser_test
def test_seats_are_dragged_into_another_order_and_remembered(
    open_page: OpenPage, by_hand: WatchedTable
) -> None:
    page = open_page(by_hand.url)
    for name in ("Ana", "Bo", "Cy"):
        page.get_by_label("Name", exact=True).fill(name)
        page.get_by_label("Name", exact=True).press("Enter")
    grip = page.locator(".grip").first.bounding_box()
    last = page.locator(".seat").last.bounding_box()
    assert grip is not None and last is not None
    page.mouse.move(grip["x"] + 10, grip["y"] + 10)
    page.mouse.down()
    page.mouse.move(grip["x"] + 10, last["y"] + last["height"] / 2, steps=8)
    page.mouse.up()
    expect(page.locator(".seat .name")).to_have_text(["Bo", "Cy", "Ana"])
    page.get_by_role("button", name="Start the game").click()
    whose_turn(page, "Bo")
    page.get_by_role("button", name="End game").click()
    page.get_by_role("button", name="Yes, end it").click()
    page.get_by_role("button", name="New game").click()
    expect(page.locator(".seat .name")).to_have_text(["Bo", "Cy", "Ana"])
    page.get_by_role("button", name="Cy does not play").click()
    expect(page.locator(".why")).to_contain_text("one more")
    page.get_by_role("button", name="Seat Cy").click()
    expect(page.locator(".seat .name")).to_have_text(["Bo", "Ana", "Cy"])


@browser_test
def test_options_of_a_ruleset_are_chosen_and_sent(open_page: OpenPage, by_hand: WatchedTable) -> None:
    page = open_page(by_hand.url)
    for name in ("Ana", "Bo"):
        page.get_by_label("Name", exact=True).fill(name)
        page.get_by_label("Name", exact=True).press("Enter")
    page.get_by_role("radio", name="Marquoir").check()
    page.get_by_label("Chips in the pot").select_option("21")
    page.get_by_role("button", name="Start the game").click()
    expect(page.locator(".pot .count")).to_have_text("21")
    assert by_hand.view()["game"]["options"]["chips"] == 21


@browser_test
@pytest.mark.parametrize("locale", ["en-GB", "fr-FR"])
def test_on_a_phone_the_head_of_the_set_up_is_one_row(
    open_page: OpenPage, by_hand: WatchedTable, locale: str
) -> None:
    page = open_page(by_hand.url, size=(390, 844), locale=locale)
    tops = page.locator(".setup-head button").evaluate_all(
        "buttons => buttons.map((each) => Math.round(each.getBoundingClientRect().y))"
    )
    assert len(tops) == 3 and len(set(tops)) == 1


@browser_test
def test_felt_is_green_by_day_and_bordeaux_by_night(open_page: OpenPage, by_hand: WatchedTable) -> None:
    page = open_page(by_hand.url, color_scheme="dark")
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    page.get_by_role("button", name="Green or bordeaux felt").click()
    expect(page.locator("html")).to_have_attribute("data-theme", "light")
    page.reload()
    expect(page.locator("html")).to_have_attribute("data-theme", "light")


FAULTS = """() => {
  const faults = [];
  if (document.documentElement.scrollWidth > innerWidth) faults.push("the page is wider than the screen");
  const seen = (element) => element.checkVisibility() && element.getBoundingClientRect().width > 0;
  for (const button of document.querySelectorAll("button, a.button, select, label.option, label.ruleset")) {
    if (!seen(button)) continue;
    const box = button.getBoundingClientRect();
    const name = button.getAttribute("aria-label") || button.textContent;
    if (box.width < 55.5 || box.height < 55.5) faults.push(`${name}: ${box.width} x ${box.height}`);
    if (button.closest(".filters")) continue;
    if (box.left < -0.5 || box.right > innerWidth + 0.5) faults.push(`${name}: beside the screen`);
    const cut = button.scrollWidth > button.clientWidth + 1;
    if (cut && button.matches("button:not(.die-button)")) faults.push(`${name}: text is cut`);
  }
  const texts = ".count, .hand-words, .phase, .hand-name, .worth, .which, .small-hand";
  for (const text of document.querySelectorAll(texts)) {
    const own = text.getBoundingClientRect();
    const row = text.closest(".player, .heading, .throw, .pot, .pad-row, .why-card").getBoundingClientRect();
    if (own.right > row.right + 1 || own.left < row.left - 1) faults.push(`${text.textContent}: out of its row`);
  }
  const tools = [...document.querySelectorAll(".tools > button")].map((button) => button.offsetTop);
  if (innerWidth >= 900 && new Set(tools).size > 1) faults.push("the tools do not fit into one row");
  const board = document.querySelector(".players");
  if (board && board.scrollHeight > board.clientHeight + 1) faults.push("players are cut");
  return faults;
}"""


def faults_of(page: Page) -> list[str]:
    return list(page.evaluate(FAULTS))


@browser_test
@pytest.mark.parametrize(("size", "lang"), list(product(SIZES, ["en", "fr"])))
def test_everything_fits_and_is_large_enough(
    open_page: OpenPage, watched: WatchedTable, size: tuple[int, int], lang: str
) -> None:
    page = open_page(watched.url, size=size, locale=lang)
    page.wait_for_selector(".ruleset")
    assert faults_of(page) == []
    watched.start(*NAMES)
    page.wait_for_selector(".table")
    for number in range(10):
        watched.throw(6, 5, number % 3 + 2) if number else watched.throw(4, 2, 1)
    watched.camera.roll(4, 2, 1, doubt={2: "leaning on the rim"})
    page.wait_for_selector(".slot.doubtful")
    assert faults_of(page) == []
    page.locator(".slot").nth(2).locator(".die-button").click()
    page.wait_for_selector(".petal")
    assert faults_of(page) == []
    page.keyboard.press("Escape")
    # A roll in place of one that nobody confirmed, and back to that one.
    watched.camera.roll(6, 5, 2)
    watched.camera.roll(6, 6, 5, at=[(150, 550), (450, 550), (750, 550)])
    expect(page.locator(".hand-name")).to_have_text("665")
    assert faults_of(page) == []
    page.locator(".actions .plain").click()
    expect(page.locator(".hand-name")).to_have_text("652")
    assert faults_of(page) == []
    watched.camera.state("gone", "The camera is gone.")
    page.locator(".slot").nth(2).locator(".die-button").click()
    page.locator(".remove").click()
    page.wait_for_selector(".faces")
    assert faults_of(page) == []
    page.locator(".tools button", has=page.locator(".icon-end")).click()
    page.locator(".question .danger").click()
    page.wait_for_selector(".ending")
    assert faults_of(page) == []
    page.locator(".ending .stand").click()
    page.locator(".setup-head button").nth(1).click()
    page.wait_for_selector(".game")
    assert faults_of(page) == []


def colours(theme: str) -> dict[str, str]:
    css = (DASHBOARD / "css" / "base.css").read_text()
    block = css[css.index(":root {") :]
    found = dict(re.findall(r"--([a-z-]+): (#[0-9a-f]{6});", block[: block.index("}")]))
    if theme == "dark":
        night = css[css.index(':root[data-theme="dark"] {') :]
        found |= dict(re.findall(r"--([a-z-]+): (#[0-9a-f]{6});", night[: night.index("}")]))
    return found


def contrast(one: str, other: str) -> float:
    def light(colour: str) -> float:
        parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
        linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    high, low = sorted((light(one), light(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize(
    ("text", "ground"),
    [
        *product(
            ["ink", "ink-soft", "brass", "sure", "doubt", "pencil"],
            ["felt", "felt-light", "felt-deep", "felt-dark"],
        ),
        *product(["paper-ink", "paper-soft", "paper-accent"], ["paper", "field"]),
        ("brass-ink", "brass"),
    ],
)
def test_text_stands_out_from_its_ground(theme: str, text: str, ground: str) -> None:
    palette = colours(theme)
    # WCAG AA; brass is used for large text only.
    assert contrast(palette[text], palette[ground]) >= (3.0 if text in ("brass", "sure", "doubt") else 4.5)


def test_the_dashboard_is_light_and_stands_alone() -> None:
    files = [file for file in DASHBOARD.rglob("*") if file.is_file()]
    # A browser asks for the words of one language.
    words = [file.stat().st_size for file in files if file.parent.name == "words"]
    # The phone's page is another one, and the calibration is fetched by whoever opens it.
    later = {"phone", "calibrate", "calibratepicture", "outline", "sheet"}
    apart = [file for file in files if later & {file.stem, *(part.name for part in file.parents)}]
    at_once = sum(file.stat().st_size for file in files) - sum(file.stat().st_size for file in apart)
    assert len(apart) >= 8
    assert at_once - sum(words) + max(words) < 300_000
    for file in files:
        text = file.read_text()
        outside = [
            url for url in re.findall(r"https?://[^\s\"')$]+", text) if url != "http://www.w3.org/2000/svg"
        ]
        assert not outside, file.name
        assert "innerHTML" not in text and "insertAdjacentHTML" not in text and "eval(" not in text


def test_the_page_has_no_inline_script_or_style() -> None:
    page = (DASHBOARD / "index.html").read_text()
    assert not re.search(r"<style|\sstyle=|\son[a-z]+=", page)
    assert all(not body.strip() for body in re.findall(r"<script[^>]*>(.*?)</script>", page, re.DOTALL))
    policy = re.search(r'http-equiv="Content-Security-Policy" content="([^"]+)"', page)
    assert policy is not None
    assert "unsafe" not in policy.group(1)
    assert "default-src 'none'" in policy.group(1)
