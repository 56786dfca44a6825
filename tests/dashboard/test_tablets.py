"""Several tablets at one table, broken lines, a service that dies: the page stays in step and says what happens."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, Request, Route, expect

from tests.dashboard.conftest import OpenPage, Service, WatchedTable, confirm, enter, whose_turn

pytestmark = pytest.mark.browser

PLAYERS = {"players": ["Ana", "Bo", "Cy"], "ruleset": "rulebook"}


def test_two_tablets_stay_in_step(open_page: OpenPage, service: Service) -> None:
    service.post("api/games", PLAYERS)
    one, two = open_page(service.url), open_page(service.url, size=(390, 844))
    enter(one, 4, 2, 1)
    confirm(one)
    whose_turn(two, "Bo")
    enter(two, 6, 5, 2)
    confirm(two)
    whose_turn(one, "Cy")
    enter(one, 2, 2, 1)
    confirm(one)
    for page in (one, two):
        whose_turn(page, "Ana")
        expect(page.locator(".phase")).to_have_text("Charge")
    two.get_by_role("button", name="Undo").click()
    for page in (one, two):
        whose_turn(page, "Cy")
        expect(page.locator(".phase")).to_have_text("Opening")


def slower(page: Page, path: str, meanwhile: object) -> None:
    """Lets `meanwhile` happen while a command of `page` is on its way."""

    def late(route: Route) -> None:
        meanwhile()  # type: ignore[operator]
        route.continue_()

    page.route(f"**{path}", late)


@pytest.mark.parametrize(
    ("path", "body", "sentence"),
    [
        ("api/throw", {"player": "Ana", "dice": [6, 5, 2]}, "Another tablet confirmed Ana's throw."),
        ("api/leave", {"player": "Cy"}, "Another tablet let Cy leave."),
        ("api/abandon", {}, "The game was ended on another tablet."),
    ],
)
def test_a_confirmation_that_came_late_says_what_happened(
    open_page: OpenPage, service: Service, path: str, body: dict[str, object], sentence: str
) -> None:
    service.post("api/games", PLAYERS)
    page = open_page(service.url)
    slower(page, "/api/throw", lambda: service.post(path, {"seq": 0, **body}))
    enter(page, 4, 2, 1)
    confirm(page)
    expect(page.locator(".hint.news")).to_have_text(sentence)
    assert service.table()["game"]["seq"] == 1


def test_an_undo_and_a_new_game_elsewhere_are_said_too(open_page: OpenPage, service: Service) -> None:
    service.post("api/games", PLAYERS)
    service.post("api/throw", {"seq": 0, "player": "Ana", "dice": [6, 5, 2]})
    page = open_page(service.url)
    whose_turn(page, "Bo")
    slower(page, "/api/throw", lambda: service.post("api/undo", {"seq": 1}))
    enter(page, 4, 2, 1)
    confirm(page)
    expect(page.locator(".hint.news")).to_have_text("Another tablet took the last step back.")
    whose_turn(page, "Ana")
    page.unroute("**/api/throw")
    slower(page, "/api/throw", lambda: service.post("api/games", {**PLAYERS, "replace": True}))
    enter(page, 4, 2, 1)
    confirm(page)
    expect(page.locator(".hint.news")).to_have_text("Another game is on the table now.")


def test_buttons_rest_while_a_command_is_on_its_way(open_page: OpenPage, by_hand: WatchedTable) -> None:
    by_hand.start()
    page = open_page(by_hand.url)
    held: list[Route] = []
    page.route("**/api/throw", lambda route: held.append(route))
    enter(page, 4, 2, 1)
    confirm(page)
    expect(page.get_by_role("button", name="Confirm", exact=True)).to_be_disabled()
    expect(page.get_by_role("button", name="End game")).to_be_disabled()
    page.locator(".confirm").click(force=True)
    assert len(held) == 1
    held[0].continue_()
    whose_turn(page, "Bo")


def test_a_command_is_sent_again_with_the_same_key_and_counts_once(
    open_page: OpenPage, by_hand: WatchedTable
) -> None:
    by_hand.start()
    page = open_page(by_hand.url)
    sent: list[Request] = []

    def answer_lost(route: Route) -> None:
        sent.append(route.request)
        if len(sent) == 1:
            # It arrives, but nobody hears the answer.
            route.fetch()
            route.abort("connectionreset")
        elif len(sent) == 2:
            route.abort("connectionreset")
        else:
            route.continue_()

    page.route("**/api/throw", answer_lost)
    enter(page, 4, 2, 1)
    confirm(page)
    whose_turn(page, "Bo")
    expect(page.get_by_role("button", name="End game")).to_be_enabled()
    expect(page.locator(".band, .hint.news, .hint.fault")).to_have_count(0)
    assert len({request.post_data for request in sent}) == 1
    assert len(sent) == 3
    assert by_hand.view()["game"]["seq"] == 1


def test_the_game_goes_on_after_the_service_was_killed(open_page: OpenPage, service: Service) -> None:
    service.post("api/games", PLAYERS)
    page = open_page(service.url)
    enter(page, 4, 2, 1)
    confirm(page)
    whose_turn(page, "Bo")
    service.kill()
    expect(page.locator(".band")).to_contain_text("No connection to the service.")
    enter(page, 6, 5, 2)
    confirm(page)
    service.start()
    whose_turn(page, "Cy")
    expect(page.locator(".band")).to_have_count(0)
    assert [item["dice"] for item in service.table()["game"]["throws"]] == [[6, 5, 2], [4, 2, 1]]


def test_a_page_that_wakes_up_looks_again(open_page: OpenPage, by_hand: WatchedTable) -> None:
    by_hand.start()
    page = open_page(by_hand.url)
    with page.expect_response("**/api/table"):
        page.evaluate("() => document.dispatchEvent(new Event('visibilitychange'))")
    with page.expect_response("**/api/table"):
        page.evaluate("() => dispatchEvent(new Event('pageshow'))")


def test_what_the_rules_forbid_is_said(open_page: OpenPage, by_hand: WatchedTable) -> None:
    by_hand.start()
    page = open_page(by_hand.url)
    page.route(
        "**/api/throw",
        lambda route: route.fulfill(
            status=422, json={"error": "illegal", "message": "Bo may not.", "table": by_hand.view()}
        ),
    )
    enter(page, 4, 2, 1)
    confirm(page)
    expect(page.locator(".hint.fault")).to_have_text("Bo may not.")
