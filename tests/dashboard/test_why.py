"""Why a round was settled as it was: the card behind the sentence; undo and redo side by side."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.dashboard.conftest import OpenPage, WatchedTable, whose_turn
from tests.dashboard.test_history import OPENING, ROUND, two_rounds
from tests.dashboard.test_house_files import EXAMPLES
from tests.dashboard.test_screens import faults_of

pytestmark = pytest.mark.browser

COMPTOIR = EXAMPLES / "comptoir.toml"


@pytest.mark.parametrize(("size", "touch"), [((1280, 800), False), ((390, 844), True)])
def test_the_sentence_tells_why(
    open_page: OpenPage, by_hand: WatchedTable, size: tuple[int, int], touch: bool
) -> None:
    two_rounds(by_hand)
    page = open_page(by_hand.url, size=size, has_touch=touch)
    why = page.get_by_role("button", name="Why?")
    why.tap() if touch else why.click()
    card = page.locator(".why-card")
    expect(card.locator("h3")).to_have_text("Charge · round 2")
    expect(card.locator(".why-hands .name")).to_have_text(["Ana", "Bo", "Cy"])
    expect(card.locator(".why-hands b")).to_have_text(["611", "652", "221"])
    expect(card.locator(".why-hands li").first.locator(".best")).to_have_text("best")
    expect(card.locator(".why-hands li").last.locator(".worst")).to_have_text("worst")
    expect(card.locator(".why-reasons li")).to_have_text(
        [
            "The worst hand takes from the pot what the best is worth.",
            "611 is worth 6 chips.",
            "The pot held 5 chips.",
        ]
    )
    expect(card.locator(".why-moves li")).to_have_text(["PotCy5 chips"])
    assert faults_of(page) == []
    page.get_by_role("button", name="Close").click()
    expect(card).to_have_count(0)
    # The sentence itself may be tapped as well; Escape closes.
    page.locator(".sentence").click()
    expect(card).to_be_visible()
    page.keyboard.press("Escape")
    expect(card).to_have_count(0)


def test_a_roll_off_is_told(open_page: OpenPage, by_hand: WatchedTable) -> None:
    by_hand.start()
    for dice in (*OPENING, (4, 2, 1), (6, 5, 2), (6, 5, 2), (5,), (2,)):
        by_hand.throw(*dice)
    page = open_page(by_hand.url, locale="fr")
    page.get_by_role("button", name="Pourquoi ?").click()
    card = page.locator(".why-card")
    expect(card.locator(".why-rolloffs li")).to_have_text("Rampo pour la pire main : Bo 5, Cy 2")
    expect(card.locator(".why-reasons")).to_contain_text("421 vaut tous les jetons sauf un.")
    expect(card.locator(".why-reasons")).to_contain_text("Il y avait 11 jetons au pot.")
    expect(card.locator(".why-moves li")).to_have_text(["PotCy10 jetons"])
    assert faults_of(page) == []


def test_doubled_and_capped(open_page: OpenPage, by_hand: WatchedTable) -> None:
    """A house file by which 221 doubles what its holder takes."""
    by_hand.table.add_ruleset(COMPTOIR.name, COMPTOIR.read_text())
    by_hand.table.start(("Ana", "Bo", "Cy"), "comptoir", {})
    for dice in ((1,), (6,), (5,), (4, 2, 1), (6, 5, 2), (2, 2, 1)):
        by_hand.throw(*dice)
    page = open_page(by_hand.url)
    page.get_by_role("button", name="Why?").click()
    reasons = page.locator(".why-reasons li")
    worth = by_hand.view()["game"]["last"]["explanation"]["value"]
    expect(reasons.nth(1)).to_have_text(f"421 is worth {worth} chips.")
    expect(reasons.nth(2)).to_contain_text("221 is the worst hand and doubles it")


def test_points_are_told(open_page: OpenPage, by_hand: WatchedTable) -> None:
    by_hand.table.start(("Ana", "Bo"), "points", {})
    by_hand.throw(6, 5, 2)
    by_hand.throw(4, 2, 1)
    first = by_hand.view()["game"]["expected"]["player"]
    by_hand.throw(4, 2, 1)
    by_hand.stand()
    by_hand.throw(6, 5, 2)
    by_hand.stand()
    page = open_page(by_hand.url)
    page.get_by_role("button", name="Why?").click()
    expect(page.locator(".why-moves li").first).to_have_text(f"{first}2 points")
    expect(page.locator(".why-moves li").last).to_have_text(f"{first}1 point")


def test_nothing_is_asked_where_nothing_was_settled(open_page: OpenPage, by_hand: WatchedTable) -> None:
    by_hand.start()
    for dice in OPENING:
        by_hand.throw(*dice)
    page = open_page(by_hand.url)
    expect(page.locator(".sentence")).to_contain_text("Ana leads")
    expect(page.get_by_role("button", name="Why?")).to_have_count(0)


def test_undo_and_redo_stand_side_by_side(open_page: OpenPage, by_hand: WatchedTable) -> None:
    by_hand.start()
    for dice in (*OPENING, *ROUND):
        by_hand.throw(*dice)
    one, two = open_page(by_hand.url), open_page(by_hand.url, size=(390, 844))
    undo, redo = (one.get_by_role("button", name=name) for name in ("Undo", "Redo"))
    expect(redo).to_be_disabled()
    places = undo.bounding_box(), redo.bounding_box()
    for name in ("Cy", "Bo"):
        expect(undo).to_be_enabled()
        undo.click()
        for page in (one, two):
            whose_turn(page, name)
    assert (undo.bounding_box(), redo.bounding_box()) == places
    two.get_by_role("button", name="Redo").click()
    for page in (one, two):
        whose_turn(page, "Cy")
    expect(redo).to_be_enabled()
    redo.click()
    expect(one.locator(".pot .count")).to_have_text("5")
    expect(redo).to_be_disabled()
    # Something new, and there is nothing to be done again.
    expect(undo).to_be_enabled()
    undo.click()
    whose_turn(one, "Cy")
    by_hand.throw(6, 5, 2)
    expect(redo).to_be_disabled()
