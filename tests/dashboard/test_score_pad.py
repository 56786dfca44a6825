"""The score pad: steps up and down, the number pad, the last change in words, and its end."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.dashboard.conftest import OpenPage, WatchedTable
from tests.dashboard.test_screens import NAMES, faults_of
from tests.dashboard.test_whole_game import seat

pytestmark = pytest.mark.browser


def start(table: WatchedTable, *players: str) -> None:
    table.table.start(players or ("Ana", "Bo", "Cy"), "counter", {})


def adjust(table: WatchedTable, player: str, chips: int) -> None:
    """A change entered on another tablet."""
    table.table.adjust(player, chips, seq=table.view()["game"]["seq"])


def row(page: Page, name: str) -> Locator:
    return page.locator(".pad-row").filter(has=page.locator("bdi", has_text=re.compile(f"^{name}$")))


def count(page: Page, name: str) -> Locator:
    return row(page, name).locator(".count")


def test_from_the_set_up_to_the_last_holder(open_page: OpenPage, by_hand: WatchedTable) -> None:
    page = open_page(by_hand.url)
    page.get_by_role("radio", name=re.compile("Score pad")).check()
    page.get_by_label("Chips at the start").fill("6")
    page.get_by_label("Chips at the start").blur()
    seat(page, "Ana", "Bo")
    expect(page.locator(".why")).to_contain_text("chips are entered by hand")
    page.get_by_role("button", name="Start the game").click()
    expect(page.locator(".pad-row .name")).to_have_text(["Ana", "Bo"])
    expect(count(page, "Ana")).to_have_text("6")
    # Neither dice nor camera.
    expect(page.locator(".camera, .throw, .pot")).to_have_count(0)

    page.get_by_role("button", name="+2: Bo picks up 2 chips").click()
    expect(count(page, "Bo")).to_have_text("8")
    expect(page.locator(".sentence")).to_have_text("Bo picks up 2 chips.")
    expect(row(page, "Bo").get_by_role("img", name="8 chips")).to_be_visible()
    page.get_by_role("button", name="Undo").click()
    expect(count(page, "Bo")).to_have_text("6")
    page.get_by_role("button", name="Redo").click()
    expect(count(page, "Bo")).to_have_text("8")
    page.get_by_role("button", name="−3: Ana gets rid of 3 chips").click()
    expect(count(page, "Ana")).to_have_text("3")
    # Nobody gets rid of more than he has.
    page.get_by_role("button", name="−1: Ana gets rid of 1 chip").click()
    expect(count(page, "Ana")).to_have_text("2")
    expect(page.get_by_role("button", name="−3: Ana gets rid of 3 chips")).to_be_disabled()
    page.get_by_role("button", name="−2: Ana gets rid of 2 chips").click()
    expect(page.locator(".ending h2")).to_contain_text("Ana wins")
    expect(page.locator(".ending")).to_contain_text("Bo loses")
    expect(page.locator(".ending")).not_to_contain_text("round")
    expect(page.locator("li.player").last.get_by_role("img", name="8 chips")).to_be_visible()
    page.get_by_role("button", name="Undo").click()
    expect(count(page, "Ana")).to_have_text("2")


def test_two_quick_taps_are_two_changes(open_page: OpenPage, by_hand: WatchedTable) -> None:
    start(by_hand)
    page = open_page(by_hand.url)
    plus = page.get_by_role("button", name="+1: Bo picks up 1 chip")
    plus.click()
    expect(count(page, "Bo")).to_have_text("12")
    plus.click()
    expect(count(page, "Bo")).to_have_text("13")


@pytest.mark.parametrize(("size", "touch"), [((1280, 800), False), ((390, 844), True)])
def test_any_number_is_typed(
    open_page: OpenPage, by_hand: WatchedTable, size: tuple[int, int], touch: bool
) -> None:
    start(by_hand)
    page = open_page(by_hand.url, size=size, has_touch=touch)
    pad = page.locator(".number-pad")

    def press(button: Locator) -> None:
        button.tap() if touch else button.click()

    press(page.get_by_role("button", name="+n: Bo picks up more"))
    for digit in "104":
        press(pad.get_by_role("button", name=digit, exact=True))
    # Three digits are too many: the third one is not taken.
    expect(pad.locator(".typed")).to_have_text("+10")
    press(pad.get_by_role("button", name="Take the last digit away"))
    press(pad.get_by_role("button", name="5", exact=True))
    press(pad.get_by_role("button", name="Enter"))
    expect(count(page, "Bo")).to_have_text("26")
    expect(pad).to_have_count(0)

    press(page.get_by_role("button", name="−n: Bo gets rid of more"))
    for digit in "27":
        press(pad.get_by_role("button", name=digit, exact=True))
    expect(pad).to_contain_text("Bo holds 26 chips only.")
    expect(pad.get_by_role("button", name="Enter")).to_be_disabled()
    page.keyboard.press("Backspace")
    page.keyboard.press("4")
    page.keyboard.press("Enter")
    expect(count(page, "Bo")).to_have_text("2")
    press(page.get_by_role("button", name="+n: Ana picks up more"))
    page.keyboard.press("Escape")
    expect(pad).to_have_count(0)


def test_two_tablets_and_a_number_half_typed(open_page: OpenPage, by_hand: WatchedTable) -> None:
    start(by_hand)
    one, two = open_page(by_hand.url), open_page(by_hand.url, size=(390, 844), locale="fr")
    one.get_by_role("button", name="+n: Bo picks up more").click()
    one.locator(".number-pad").get_by_role("button", name="7", exact=True).click()
    two.get_by_role("button", name="+3 : Ana ramasse 3 jetons").click()
    expect(two.locator(".sentence")).to_have_text("Ana ramasse 3 jetons.")
    expect(count(one, "Ana")).to_have_text("14")
    expect(one.locator(".typed")).to_have_text("+7")
    one.locator(".number-pad").get_by_role("button", name="Enter").click()
    for page in (one, two):
        expect(count(page, "Bo")).to_have_text("18")


def test_a_change_that_came_late_says_what_happened(open_page: OpenPage, by_hand: WatchedTable) -> None:
    start(by_hand)
    page = open_page(by_hand.url)

    def late(route: object) -> None:
        adjust(by_hand, "Cy", -2)
        route.continue_()  # type: ignore[attr-defined]

    page.route("**/api/adjust", late)
    page.get_by_role("button", name="+1: Bo picks up 1 chip").click()
    expect(page.locator(".hint.news")).to_have_text("From another tablet: Cy gets rid of 2 chips.")
    expect(count(page, "Bo")).to_have_text("11")


def test_who_is_out_has_no_steps(open_page: OpenPage, by_hand: WatchedTable) -> None:
    start(by_hand)
    adjust(by_hand, "Ana", -11)
    page = open_page(by_hand.url)
    expect(row(page, "Ana")).to_contain_text("out")
    expect(row(page, "Ana").locator(".step")).to_have_count(0)
    expect(row(page, "Bo").locator(".step")).to_have_count(8)
    page.get_by_role("button", name="Leave").click()
    page.locator(".question").get_by_role("button", name="Bo").click()
    page.get_by_role("button", name="Yes, leave").click()
    expect(page.locator(".ending h2")).to_contain_text("Ana wins")


@pytest.mark.parametrize(
    "size", [(1280, 800), (1024, 768), (390, 844), (844, 390), (800, 1280), (1920, 1080)]
)
@pytest.mark.parametrize("lang", ["en", "fr"])
def test_ten_players_fit(
    open_page: OpenPage, by_hand: WatchedTable, size: tuple[int, int], lang: str
) -> None:
    start(by_hand, *NAMES)
    adjust(by_hand, NAMES[0], 88)
    page = open_page(by_hand.url, size=size, locale=lang)
    expect(page.locator(".pad-row .step")).to_have_count(80)
    assert faults_of(page) == []
    rows = page.evaluate(
        """() => [...document.querySelectorAll(".pad-row, .pad .told")].map((row) => {
          const box = row.getBoundingClientRect();
          return [Math.round(box.top), Math.round(box.bottom)];
        }).sort(([one], [other]) => one - other)"""
    )
    assert all(above[1] <= below[0] + 1 for above, below in pairwise(rows))
    page.locator(".step").last.click()
    page.wait_for_selector(".number-pad")
    assert faults_of(page) == []
