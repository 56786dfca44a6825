"""The record and its CSV: of the game that is being played, and of every game kept."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from tests.dashboard.conftest import OpenPage, WatchedTable, whose_turn

pytestmark = pytest.mark.browser


def saved(page: Page, link: Locator, path: Path) -> str:
    with page.expect_download() as started:
        link.click()
    started.value.save_as(path)
    return path.read_text()


@pytest.mark.parametrize("size", [(1280, 800), (390, 844)])
def test_the_record_so_far_is_two_taps_away(
    open_page: OpenPage, by_hand: WatchedTable, tmp_path: Path, size: tuple[int, int]
) -> None:
    by_hand.start()
    by_hand.throw(4, 2, 1)
    page = open_page(by_hand.url, size=size)
    page.get_by_role("button", name="History").click()
    record = json.loads(saved(page, page.get_by_role("link", name="Record"), tmp_path / "a.json"))
    assert record["players"] == ["Ana", "Bo", "Cy"]
    assert [event["dice"] for event in record["events"]] == [[4, 2, 1]]
    table = saved(page, page.get_by_role("link", name="CSV"), tmp_path / "a.csv")
    assert len(list(csv.DictReader(table.splitlines()))) == 1
    page.get_by_role("button", name="Back to the game").click()
    whose_turn(page, "Bo")


def played(table: WatchedTable, *games: tuple[str, ...]) -> None:
    """Games that were stopped after a throw, oldest first."""
    for players in games:
        table.start(*players)
        table.throw(4, 2, 1)
        table.table.abandon(seq=1)


def open_games(page: Page) -> None:
    page.get_by_role("button", name="New game").click()
    page.get_by_role("button", name="Earlier games").click()


def test_games_kept_are_listed_newest_first_and_taken_along(
    open_page: OpenPage, by_hand: WatchedTable, tmp_path: Path
) -> None:
    played(by_hand, ("Ana", "Bo", "Flo"), ("Cy", "Dan", "Eve"))
    page = open_page(by_hand.url)
    open_games(page)
    rows = page.locator(".game")
    expect(rows).to_have_count(2)
    expect(rows.first.locator(".name")).to_have_text(["Cy", "Dan", "Eve"])
    expect(rows.last).to_contain_text("ended without a winner")
    assert rows.last.locator("a").first.get_attribute("aria-label") is not None
    record = json.loads(saved(page, rows.last.locator("a").first, tmp_path / "b.json"))
    assert record["players"] == ["Ana", "Bo", "Flo"]
    table = saved(page, rows.first.locator("a").last, tmp_path / "b.csv")
    assert next(csv.DictReader(table.splitlines()))["player"] == "Cy"
    page.locator(".games-card").get_by_role("button", name="Close").click()
    expect(page.locator(".players-card")).to_be_visible()
    expect(page.locator(".games-card")).to_have_count(0)


def test_the_game_under_way_is_among_them_and_who_has_won_is_said(
    open_page: OpenPage, by_hand: WatchedTable
) -> None:
    played(by_hand, ("Ana", "Bo", "Cy"))
    page = open_page(by_hand.url)
    won = {
        "id": "g1", "ruleset": "rulebook", "players": ["Ana", "Bo"], "started_at": "2026-05-03T19:30:00.000Z",
        "ended_at": "2026-05-03T20:10:00.000Z", "winners": ["Bo"], "losers": ["Ana"],
    }  # fmt: skip
    on = {**won, "id": "g2", "ended_at": None, "winners": [], "losers": []}
    page.route("**/api/games", lambda route: route.fulfill(json=[on, won]))
    open_games(page)
    expect(page.locator(".game").first).to_contain_text("not over yet")
    expect(page.locator(".game").last).to_contain_text("Bo wins")
    expect(page.locator(".game-player.won")).to_have_text(["Bo"])


def test_a_long_list_is_opened_bit_by_bit(open_page: OpenPage, by_hand: WatchedTable) -> None:
    played(by_hand, *[("Ana", "Bo", "Cy")] * 23)
    page = open_page(by_hand.url)
    open_games(page)
    expect(page.locator(".game")).to_have_count(20)
    page.get_by_role("button", name="3 more").click()
    expect(page.locator(".game")).to_have_count(23)
    expect(page.locator(".games-card > button")).to_have_count(0)


def test_a_list_that_does_not_come_is_asked_for_again(open_page: OpenPage, by_hand: WatchedTable) -> None:
    page = open_page(by_hand.url)
    refused: list[Route] = []

    def fail_once(route: Route) -> None:
        refused.append(route)
        if len(refused) == 1:
            route.abort("connectionreset")
        else:
            route.continue_()

    page.route("**/api/games", fail_once)
    page.get_by_role("button", name="Earlier games").click()
    expect(page.locator(".games-card")).to_contain_text("The games could not be fetched.")
    page.get_by_role("button", name="Try again").click()
    expect(page.locator(".games-card")).to_contain_text("No game has been played here yet.")


def test_a_start_over_a_running_game_names_the_game_it_was_shown(
    open_page: OpenPage, by_hand: WatchedTable
) -> None:
    """So that of two tablets that start at once only one replaces it."""
    by_hand.start("Cy", "Dan", "Eve")
    page = open_page(by_hand.url)
    whose_turn(page, "Cy")
    running = page.evaluate(
        "fetch('/api/table').then((answer) => answer.json()).then((view) => view.game.id)"
    )
    with page.expect_request(lambda request: request.method == "POST") as sent:
        page.evaluate(
            "import('/js/actions.js').then((it) => it.startGame(['Flo', 'Gil', 'Hal'], 'rulebook', {}))"
        )
    body = sent.value.post_data_json
    assert body["replace"] is True
    assert body["game"] == running
    whose_turn(page, "Flo")
