"""The history: every event by round, its picture, the log; change, insert, delete, and what follows from it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from tests.dashboard.conftest import OpenPage, Service, WatchedTable, whose_turn
from tests.dashboard.test_screens import NAMES, faults_of

pytestmark = pytest.mark.browser

SIZES = [(1280, 800), (390, 844)]
OPENING = [(4, 2, 1), (6, 5, 2), (2, 2, 1)]
"""Ana leads."""
ROUND = [(6, 1, 1), (6, 5, 2), (2, 2, 1)]
"""Cy takes six chips from the pot, or what is left of its eleven."""


def two_rounds(table: WatchedTable) -> None:
    """Events 1 to 9: the opening and the whole charge."""
    table.start()
    for dice in (*OPENING, *ROUND, *ROUND):
        table.throw(*dice)


def into_discharge(table: WatchedTable) -> None:
    """Events 10 to 12: Ana throws and stands, Bo throws."""
    two_rounds(table)
    table.throw(6, 6, 1)
    table.stand()
    table.throw(6, 5, 2)


def open_history(page: Page) -> None:
    page.get_by_role("button", name="History", exact=True).click()
    expect(page.locator(".event").first).to_be_visible()


def event(page: Page, number: int) -> Locator:
    """The row of event `number`, of all that are listed, newest first."""
    rows = page.locator(".event-row")
    return rows.nth(rows.count() - number)


def change(page: Page) -> None:
    page.locator(".event-actions").get_by_role("button", name="Change").click()


def set_die(page: Page, place: int, value: int) -> None:
    page.locator(".editor .slot").nth(place).locator(".die-button").click()
    page.get_by_role("button", name=f"It shows {value}").click()


def chips(table: WatchedTable) -> list[int]:
    return [player["chips"] for player in table.view()["game"]["players"]]


def cells(page: Page) -> list[list[str]]:
    """The rounds of the preview: name, then what everybody holds, `before→after` where it changes."""
    return list(
        page.evaluate(
            """() => [...document.querySelectorAll(".round-row")].map((row) => [
              row.querySelector(".round-name").textContent,
              ...[...row.querySelectorAll(".cell")].map((cell) => {
                const [name, numbers] = [cell.querySelector(".name"), cell.querySelector(".from-to")];
                const parts = [...numbers.childNodes].map((part) => part.textContent).filter(Boolean);
                return name.textContent + " " + parts.join("→");
              }),
            ])"""
        )
    )


def test_all_events_by_round_newest_first(open_page: OpenPage, by_hand: WatchedTable) -> None:
    into_discharge(by_hand)
    page = open_page(by_hand.url)
    open_history(page)
    expect(page.locator(".round-events h2")).to_have_text(
        ["Discharge · round 3", "Charge · round 2", "Charge · round 1", "Opening"]
    )
    expect(page.locator(".event-row")).to_have_count(12)
    expect(page.locator(".event-row .name").first).to_have_text("Bo")
    expect(page.locator(".event-row").nth(1)).to_contain_text("stands")
    expect(page.locator(".round-events").nth(2).locator(".settled")).to_contain_text("6 chips")
    expect(page.locator(".event-row .how-hand")).to_have_count(12)
    page.get_by_role("button", name="Cy", exact=True).click()
    expect(page.locator(".event-row .name")).to_have_text(["Cy", "Cy", "Cy"])
    page.get_by_role("button", name="Everybody").click()
    expect(page.locator(".event-row")).to_have_count(12)
    page.get_by_role("button", name="Back to the game").click()
    whose_turn(page, "Cy")


def test_the_camera_s_throws_show_their_picture(open_page: OpenPage, watched: WatchedTable) -> None:
    watched.start()
    page = open_page(watched.url)
    watched.camera.roll(4, 2, 1)
    page.locator(".actions .confirm").click()
    whose_turn(page, "Bo")
    watched.camera.roll(6, 5, 2)
    page.locator(".slot").last.locator(".die-button").click()
    page.get_by_role("button", name="It shows 3").click()
    page.locator(".actions .confirm").click()
    whose_turn(page, "Cy")
    open_history(page)
    expect(page.locator(".event-row .how")).to_have_text(["corrected", "camera"])
    loaded = "(img) => img.decode().then(() => img.naturalWidth)"
    assert page.locator(".thumb").first.evaluate(loaded) == 960
    event(page, 1).click()
    assert page.locator(".evidence").evaluate(loaded) == 960
    expect(page.locator(".event-card")).to_contain_text("camera · number 1")
    expect(page.locator(".held li")).to_have_text(["Ana3", "Bo3", "Cy3"])


@pytest.mark.parametrize("size", SIZES)
def test_a_change_shows_what_follows_before_anything_is_done(
    open_page: OpenPage, by_hand: WatchedTable, size: tuple[int, int]
) -> None:
    two_rounds(by_hand)
    page = open_page(by_hand.url, size=size, has_touch=size[0] < 500)
    open_history(page)
    event(page, 4).click()
    change(page)
    set_die(page, 0, 4)
    expect(page.locator(".round-row")).to_have_count(2)
    assert cells(page) == [
        ["Round 1", "Ana 3", "Bo 3", "Cy 9→7"],
        ["Round 2", "Ana 3", "Bo 3", "Cy 14→13"],
    ]
    assert by_hand.view()["game"]["seq"] == 9
    page.get_by_role("button", name="Cancel").click()
    expect(page.locator(".editor")).to_have_count(0)
    assert by_hand.view()["game"]["seq"] == 9

    change(page)
    set_die(page, 0, 4)
    page.get_by_role("button", name="Correct", exact=True).click()
    expect(page.locator(".facts .corrected")).to_contain_text("corrected: Ana 611 → 411")
    expect(event(page, 4).locator(".how")).to_have_text("corrected")
    game = by_hand.view()["game"]
    assert game["pot"] == 1
    assert chips(by_hand) == [3, 3, 13]
    if size[0] < 500:
        page.get_by_role("button", name="Close").click()
    page.get_by_role("button", name="Log").click()
    expect(page.locator(".steps li").first).to_contain_text("corrected: Ana 611 → 411")
    expect(page.locator(".steps li").last).to_contain_text("Ana 421")

    page.get_by_role("button", name="Undo").click()
    expect(page.locator(".steps li").first).to_contain_text("taken back: Ana 411 → 611 (a correction)")
    assert chips(by_hand) == [3, 3, 14]
    page.get_by_role("button", name="Redo").click()
    expect(page.locator(".steps li").first).to_contain_text("done again: Ana 611 → 411")
    assert chips(by_hand) == [3, 3, 13]


def test_what_would_no_longer_stand_is_said_and_the_table_chooses(
    open_page: OpenPage, by_hand: WatchedTable
) -> None:
    into_discharge(by_hand)
    page = open_page(by_hand.url)
    open_history(page)
    event(page, 4).click()
    change(page)
    set_die(page, 0, 4)
    lost = page.locator(".broken")
    expect(lost).to_contain_text("Event 11 (Ana stands) could no longer stand.")
    assert len(lost.locator("p").last.inner_text()) > 20
    expect(page.get_by_role("button", name="Correct", exact=True)).to_have_count(0)
    page.get_by_role("button", name="Cancel").click()
    assert by_hand.view()["game"]["seq"] == 12
    change(page)
    set_die(page, 0, 4)
    page.get_by_role("button", name="Cut the game off there (2 events lost)").click()
    expect(page.locator(".event-row")).to_have_count(10)
    expect(page.locator(".facts .corrected")).to_contain_text("(2 later events cut off)")
    page.get_by_role("button", name="Undo").click()
    expect(page.locator(".event-row")).to_have_count(12)
    assert by_hand.view()["game"]["expected"]["player"] == "Cy"


def test_a_throw_that_was_missed_is_inserted_and_one_too_many_deleted(
    open_page: OpenPage, by_hand: WatchedTable
) -> None:
    two_rounds(by_hand)
    page = open_page(by_hand.url)
    open_history(page)
    # It is Bo's turn before event 5, and nobody else's.
    event(page, 5).click()
    page.get_by_role("button", name="Insert before").click()
    for value in (4, 2, 1):
        page.locator(".editor").get_by_role("button", name=f"Enter a {value}").click()
    expect(page.locator(".broken")).to_contain_text("Event")
    page.locator(".editor").get_by_role("button", name="Cy", exact=True).click()
    expect(page.locator(".preview .complaint")).to_contain_text("Bo")
    expect(page.locator(".preview-actions button")).to_have_text(["Cancel"])
    page.get_by_role("button", name="Cancel").click()
    page.get_by_role("button", name="Delete").click()
    expect(page.locator(".broken")).to_contain_text("Event 6")
    page.get_by_role("button", name="Cut the game off there").click()
    expect(page.locator(".event-row")).to_have_count(4)
    assert by_hand.view()["game"]["expected"]["player"] == "Bo"
    page.get_by_role("button", name="Log").click()
    expect(page.locator(".steps li").first).to_contain_text("deleted: Bo 652 (4 later events cut off)")


def test_a_die_was_kept_after_all(open_page: OpenPage, by_hand: WatchedTable) -> None:
    two_rounds(by_hand)
    by_hand.throw(4, 4, 1)
    by_hand.throw(4, 2, 1)
    page = open_page(by_hand.url)
    open_history(page)
    event(page, 11).click()
    change(page)
    page.locator(".editor").get_by_role("button", name="1: tap to keep it").click()
    expect(page.locator(".editor .slot.kept")).to_have_count(1)
    page.get_by_role("button", name="Correct", exact=True).click()
    expect(page.locator(".facts .corrected")).to_contain_text("kept 1")
    newest = by_hand.view()["game"]["throws"][0]
    assert (newest["dice"], newest["kept"]) == ([4, 2], [1])


def test_on_the_score_pad_the_number_is_changed(open_page: OpenPage, by_hand: WatchedTable) -> None:
    by_hand.table.start(("Ana", "Bo", "Cy"), "counter", {})
    for player, number in (("Bo", 5), ("Ana", -3)):
        by_hand.table.adjust(player, number, seq=by_hand.view()["game"]["seq"])
    page = open_page(by_hand.url)
    open_history(page)
    expect(page.locator(".round-events h2")).to_have_text(["Count"])
    event(page, 1).click()
    change(page)
    page.get_by_role("button", name="−2 chips").click()
    expect(page.locator(".editor output")).to_have_text("+3")
    expect(page.locator(".round-row")).to_have_count(1)
    assert cells(page) == [["In the end", "Ana 8", "Bo 16→14", "Cy 11"]]
    page.get_by_role("button", name="Correct", exact=True).click()
    expect(page.locator(".facts .corrected")).to_contain_text("Bo picks up 5 chips → Bo picks up 3 chips")
    assert chips(by_hand) == [8, 14, 11]


def test_the_game_goes_on_elsewhere_while_a_correction_is_put_together(
    open_page: OpenPage, by_hand: WatchedTable
) -> None:
    two_rounds(by_hand)
    page = open_page(by_hand.url)
    open_history(page)
    event(page, 4).click()
    change(page)
    set_die(page, 0, 4)
    expect(page.get_by_role("button", name="Correct", exact=True)).to_be_visible()
    # It is worked out anew with the new throws: now something would break.
    by_hand.throw(6, 6, 1)
    by_hand.stand()
    expect(page.locator(".broken")).to_contain_text("Event 11")
    expect(page.locator(".event-row")).to_have_count(11)
    # Taken back elsewhere to before the event itself, there is nothing to correct any more.
    for _ in range(8):
        by_hand.table.undo(seq=by_hand.view()["game"]["seq"])
    expect(page.locator(".hint.news")).to_have_text("The game was changed on another tablet; look again.")
    expect(page.locator(".editor")).to_have_count(0)
    expect(page.locator(".event-row")).to_have_count(3)


def late(page: Page, path: str, meanwhile: Callable[[], Any]) -> None:
    """Lets `meanwhile` happen once while the command of `page` is on its way."""

    seen: list[Route] = []

    def on_its_way(route: Route) -> None:
        seen.append(route)
        if len(seen) == 1:
            meanwhile()
        route.continue_()

    page.route(f"**{path}", on_its_way)


def test_a_correction_that_came_late_is_not_done_and_says_so(open_page: OpenPage, service: Service) -> None:
    service.post("api/games", {"players": ["Ana", "Bo", "Cy"], "ruleset": "rulebook"})
    for seq, (player, dice) in enumerate(zip(["Ana", "Bo", "Cy"], OPENING, strict=True)):
        service.post("api/throw", {"seq": seq, "player": player, "dice": list(dice)})
    one, two = open_page(service.url), open_page(service.url)
    for page, value in ((one, 6), (two, 5)):
        open_history(page)
        event(page, 3).click()
        change(page)
        set_die(page, 2, value)
        expect(page.get_by_role("button", name="Correct", exact=True)).to_be_visible()
    late(one, "/api/correct", lambda: two.get_by_role("button", name="Correct", exact=True).click())
    one.get_by_role("button", name="Correct", exact=True).click()
    expect(one.locator(".history-news")).to_be_visible()
    for page in (one, two):
        expect(event(page, 3).locator(".event-dice")).to_have_attribute("aria-label", "5 2 2")
    assert service.table()["game"]["seq"] == 4


def test_a_game_of_earlier_is_read_but_not_corrected(open_page: OpenPage, by_hand: WatchedTable) -> None:
    two_rounds(by_hand)
    by_hand.table.abandon(seq=9)
    by_hand.start("Dan", "Eve", "Flo")
    by_hand.table.abandon(seq=0)
    page = open_page(by_hand.url)
    page.get_by_role("button", name="New game").click()
    page.get_by_role("button", name="Earlier games").click()
    page.locator(".game").last.get_by_role("button", name="History").click()
    expect(page.locator(".event-row")).to_have_count(10)
    expect(page.locator(".event-row").first).to_contain_text("ends the game")
    event(page, 4).click()
    expect(page.locator(".held")).to_be_visible()
    expect(page.locator(".event-actions, .undo")).to_have_count(0)
    page.get_by_role("button", name="Back", exact=True).click()
    expect(page.locator(".games-card")).to_be_visible()


def test_a_game_ended_by_mistake_goes_on(open_page: OpenPage, by_hand: WatchedTable) -> None:
    two_rounds(by_hand)
    by_hand.table.abandon(seq=9)
    page = open_page(by_hand.url)
    expect(page.locator(".ending")).to_be_visible()
    open_history(page)
    event(page, 10).click()
    page.get_by_role("button", name="Delete").click()
    expect(page.locator(".over")).to_have_text("The game would go on.")
    page.get_by_role("button", name="Correct", exact=True).click()
    expect(page.locator(".event-row")).to_have_count(9)
    page.get_by_role("button", name="Back to the game").click()
    whose_turn(page, "Ana")


def test_a_history_that_does_not_come_is_asked_for_again(open_page: OpenPage, by_hand: WatchedTable) -> None:
    two_rounds(by_hand)
    page = open_page(by_hand.url)
    page.route("**/history", lambda route: route.abort())
    page.get_by_role("button", name="History", exact=True).click()
    expect(page.locator(".events-card")).to_contain_text("The history could not be fetched.")
    page.unroute("**/history")
    page.get_by_role("button", name="Try again").click()
    expect(page.locator(".event-row")).to_have_count(9)


@pytest.mark.parametrize(
    "size", [(1280, 800), (1024, 768), (390, 844), (844, 390), (800, 1280), (1920, 1080)]
)
@pytest.mark.parametrize("lang", ["en", "fr"])
def test_the_history_fits(
    open_page: OpenPage, watched: WatchedTable, size: tuple[int, int], lang: str
) -> None:
    watched.start(*NAMES)
    for number in range(24):
        game = watched.view()["game"]
        if game["expected"]["can_stand"]:
            watched.stand()
            continue
        dice = [(6, 5, 2), (4, 2, 1), (6, 6, 1)][number % 3][: game["expected"]["dice"]]
        watched.camera.roll(*dice)
        roll = watched.view()["roll"]["id"]
        watched.table.throw(game["expected"]["player"], dice, (), roll, seq=game["seq"])
    page = open_page(watched.url, size=size, locale=lang)
    page.locator(".to-history").click()
    page.wait_for_selector(".event")
    assert faults_of(page) == []
    page.locator(".event-row").nth(3).click()
    page.wait_for_selector(".evidence")
    assert faults_of(page) == []
    page.locator(".event-actions button").first.click()
    page.locator(".editor .die-button").last.click()
    page.wait_for_selector(".petal")
    assert faults_of(page) == []
    page.locator(".petal").nth(4).click()
    page.wait_for_selector(".outcome, .preview .complaint")
    assert faults_of(page) == []
    page.locator(".preview-actions .quiet").click()
    page.locator(".event-actions button").nth(1).click()
    page.wait_for_selector(".editor .faces")
    assert faults_of(page) == []
