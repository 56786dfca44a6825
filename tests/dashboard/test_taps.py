"""Taps that come at the wrong moment: a double tap, a roll that comes while somebody corrects the one before."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.dashboard.conftest import OpenPage, WatchedTable, confirm, enter, whose_turn
from tests.dashboard.test_camera import to_discharge

pytestmark = pytest.mark.browser

ELSEWHERE = [(150, 550), (450, 550), (750, 550)]


def action(page: Page, name: str) -> Locator:
    return page.locator(".actions").get_by_role("button", name=name, exact=True)


def stop_the_clock(page: Page) -> None:
    page.clock.pause_at(page.evaluate("() => Date.now() + 1000"))


def tap(page: Page, spot: tuple[float, float]) -> None:
    """A tap on the glass, whatever lies there."""
    page.mouse.click(*spot)


def middle(button: Locator) -> tuple[float, float]:
    box = button.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


@pytest.mark.parametrize("size", [(1280, 800), (390, 844)])
def test_a_double_tap_on_confirm_does_not_end_the_turn(
    open_page: OpenPage, watched: WatchedTable, size: tuple[int, int]
) -> None:
    to_discharge(watched)
    watched.camera.roll(6, 6, 1)
    page = open_page(watched.url, size=size)
    action(page, "Confirm").dblclick()
    expect(page.locator(".which")).to_contain_text("throw 2 of 3")
    expect(page.locator(".turn-name .name")).to_have_text("Ana")
    expect(action(page, "Stand")).to_be_enabled()
    newest = watched.view()["game"]
    assert newest["expected"]["player"] == "Ana"
    assert newest["throws"][0]["dice"] == [6, 6, 1]


def test_buttons_keep_their_places_and_rest_after_each_change(
    open_page: OpenPage, watched: WatchedTable
) -> None:
    to_discharge(watched)
    page = open_page(watched.url)
    buttons = [page.locator(f".actions .{kind}") for kind in ("confirm", "stand")]
    places = [button.bounding_box() for button in buttons]
    page.clock.install()
    page.reload()
    expect(action(page, "Confirm")).to_be_disabled()
    expect(action(page, "Stand")).to_be_disabled()
    watched.camera.roll(6, 6, 1)
    expect(page.locator(".hand-name")).to_have_text("661")
    assert [button.bounding_box() for button in buttons] == places
    page.clock.run_for(1_000)
    stop_the_clock(page)
    spots = [middle(button) for button in (*buttons, action(page, "Again"))]
    confirm(page)
    expect(page.locator(".which")).to_contain_text("throw 2 of 3")
    assert [button.bounding_box() for button in buttons] == places
    # However often somebody taps now: it was meant for what is there no more.
    seq = watched.view()["game"]["seq"]
    page.clock.run_for(350)
    for spot in (*spots, middle(page.get_by_role("button", name="Undo"))):
        tap(page, spot)
    page.keyboard.press("Enter")
    expect(action(page, "Stand")).to_be_disabled()
    expect(action(page, "By hand")).to_be_visible()
    assert watched.view()["game"]["seq"] == seq
    page.clock.run_for(50)
    expect(action(page, "Stand")).to_be_enabled()
    tap(page, spots[1])
    whose_turn(page, "Bo")
    assert watched.view()["game"]["seq"] == seq + 1


def test_a_roll_that_comes_lets_the_buttons_rest_too(open_page: OpenPage, watched: WatchedTable) -> None:
    watched.start()
    page = open_page(watched.url)
    watched.camera.roll(4, 2, 1)
    expect(action(page, "Confirm")).to_be_enabled()
    page.clock.install()
    stop_the_clock(page)
    watched.camera.roll(6, 5, 2, at=ELSEWHERE)
    expect(page.locator(".hand-name")).to_have_text("652")
    page.clock.run_for(350)
    tap(page, middle(action(page, "Confirm")))
    page.keyboard.press("Enter")
    expect(action(page, "Confirm")).to_be_disabled()
    assert watched.view()["game"]["seq"] == 0
    page.clock.run_for(50)
    confirm(page)
    whose_turn(page, "Bo")


def correct_last(page: Page, value: int) -> None:
    page.locator(".slot").last.locator(".die-button").click()
    page.get_by_role("button", name=f"It shows {value}").click()


def test_a_correction_outlives_a_new_roll_which_is_next(open_page: OpenPage, watched: WatchedTable) -> None:
    watched.start()
    page = open_page(watched.url)
    watched.camera.roll(4, 2, 6)
    expect(page.locator(".hand-name")).to_have_text("642")
    correct_last(page, 1)
    first = watched.view()["roll"]["id"]
    watched.camera.roll(6, 5, 2, at=ELSEWHERE)
    expect(page.locator(".hint")).to_have_text(
        "A new roll lies there (6 5 2): confirm this throw first, or take the new one."
    )
    expect(page.locator(".hand-name")).to_have_text("421")
    confirm(page)
    whose_turn(page, "Bo")
    expect(page.locator(".hand-name")).to_have_text("652")
    confirm(page)
    whose_turn(page, "Cy")
    newest = watched.view()["game"]["throws"]
    assert [(item["player"], item["dice"]) for item in newest] == [("Bo", [6, 5, 2]), ("Ana", [4, 2, 1])]
    assert newest[1]["roll"] == first


def test_the_new_roll_is_taken_by_a_tap(open_page: OpenPage, watched: WatchedTable) -> None:
    watched.start()
    page = open_page(watched.url)
    watched.camera.roll(4, 2, 6)
    expect(page.locator(".hand-name")).to_have_text("642")
    correct_last(page, 1)
    watched.camera.roll(6, 5, 2, at=ELSEWHERE)
    action(page, "New roll").click()
    expect(page.locator(".hand-name")).to_have_text("652")
    # The first one is not gone: a tap brings it back as it was read, another the new one.
    action(page, "Roll before").click()
    expect(page.locator(".hand-name")).to_have_text("642")
    action(page, "New roll").click()
    confirm(page)
    whose_turn(page, "Bo")
    assert watched.view()["game"]["throws"][0]["dice"] == [6, 5, 2]


def test_a_roll_that_another_took_the_place_of_is_confirmed_first(
    open_page: OpenPage, watched: WatchedTable
) -> None:
    watched.start()
    watched.camera.roll(4, 2, 1)
    watched.camera.roll(6, 5, 2, at=ELSEWHERE)
    page = open_page(watched.url)
    expect(page.locator(".hand-name")).to_have_text("652")
    expect(page.locator(".hint")).to_have_text(
        "The roll before (4 2 1) was not confirmed: if it was a throw, take it first."
    )
    action(page, "Roll before").click()
    expect(page.locator(".hand-name")).to_have_text("421")
    confirm(page)
    whose_turn(page, "Bo")
    expect(page.locator(".hand-name")).to_have_text("652")
    assert watched.view()["game"]["throws"][0]["dice"] == [4, 2, 1]
    assert watched.view()["game"]["throws"][0]["source"] == "camera"


def test_dice_entered_by_hand_outlive_a_roll(open_page: OpenPage, watched: WatchedTable) -> None:
    watched.start()
    watched.camera.state("gone", "The camera is gone.")
    page = open_page(watched.url)
    enter(page, 4, 2)
    watched.camera.roll(6, 5, 2)
    expect(page.locator(".hint")).to_contain_text("A new roll lies there (6 5 2)")
    expect(page.locator(".slot:not(.empty)")).to_have_count(2)
    action(page, "New roll").click()
    expect(page.locator(".hand-name")).to_have_text("652")
