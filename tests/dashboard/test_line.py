"""The line to the service: a silent one is opened again, views that come late are dropped, words are asked again."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from tests.dashboard.conftest import OpenPage, Service, WatchedTable, confirm, enter, whose_turn

pytestmark = pytest.mark.browser

# Event streams that say what the test says, and nothing else.
STREAMS = """
  window.streams = [];
  window.EventSource = class {
    static CONNECTING = 0;
    static OPEN = 1;
    static CLOSED = 2;
    constructor() {
      this.readyState = 1;
      this.heard = {};
      window.streams.push(this);
    }
    addEventListener(name, listener) { this.heard[name] = listener; }
    close() { this.readyState = 2; }
    say(name, data) { if (this.readyState !== 2) this.heard[name]?.({data: JSON.stringify(data)}); }
  };
"""


def streamed(page: Page, url: str) -> None:
    """Opens the page anew with streams of the test's own."""
    page.clock.install()
    page.add_init_script(STREAMS)
    page.goto(url)
    page.wait_for_function("() => window.streams.length === 1")


def say(page: Page, name: str, data: dict[str, Any]) -> None:
    page.evaluate("([name, data]) => window.streams.at(-1).say(name, data)", [name, data])


def count(page: Page) -> int:
    return int(page.evaluate("() => window.streams.length"))


def test_a_line_that_has_fallen_silent_is_said_to_be_lost_and_opened_again(
    open_page: OpenPage, by_hand: WatchedTable
) -> None:
    by_hand.start()
    page = open_page(by_hand.url)
    streamed(page, by_hand.url)
    say(page, "table", by_hand.view())
    whose_turn(page, "Ana")
    page.clock.run_for(34_000)
    say(page, "ping", {"version": 1})
    page.clock.run_for(34_000)
    expect(page.locator(".band")).to_have_count(0)
    assert count(page) == 1
    page.clock.run_for(2_000)
    expect(page.locator(".band")).to_contain_text("No connection to the service.")
    assert count(page) == 2
    assert page.evaluate("() => window.streams[0].readyState") == 2
    by_hand.throw(4, 2, 1)
    say(page, "table", by_hand.view())
    whose_turn(page, "Bo")
    expect(page.locator(".band")).to_have_count(0)


def test_an_older_view_is_dropped_unless_a_new_stream_begins_with_it(
    open_page: OpenPage, by_hand: WatchedTable
) -> None:
    by_hand.start()
    page = open_page(by_hand.url)
    streamed(page, by_hand.url)
    old = by_hand.view()
    say(page, "table", old)
    whose_turn(page, "Ana")
    enter(page, 4, 2, 1)
    confirm(page)
    whose_turn(page, "Bo")
    # The stream brings late what was there before the answer.
    say(page, "table", old)
    say(page, "ping", {"version": old["version"]})
    page.evaluate("() => new Promise(requestAnimationFrame)")
    whose_turn(page, "Bo")
    expect(page.locator(".throws, .turn-name .name")).to_have_text(["Bo"])
    # Another data folder behind the same address: its versions may be lower, and it is right all the same.
    page.clock.run_for(36_000)
    say(page, "table", old)
    whose_turn(page, "Ana")


def test_words_that_do_not_come_at_once_are_asked_for_again(
    open_page: OpenPage, by_hand: WatchedTable
) -> None:
    by_hand.start()
    page = open_page(by_hand.url)
    tried: list[str] = []

    def fail_twice(route: Route) -> None:
        tried.append(route.request.url)
        if len(tried) == 1:
            route.abort("connectionreset")
        elif len(tried) == 2:
            route.fulfill(status=500, body="")
        else:
            route.continue_()

    page.route("**/words/en.json", fail_twice)
    page.reload()
    whose_turn(page, "Ana")
    assert len(tried) == 3


def test_another_language_that_does_not_come_leaves_the_page_as_it_is(
    open_page: OpenPage, by_hand: WatchedTable
) -> None:
    by_hand.start()
    page = open_page(by_hand.url)
    page.route("**/words/fr.json", lambda route: route.abort("connectionreset"))
    with page.expect_event("requestfailed"):
        page.get_by_role("button", name="Français").click()
    expect(page.locator(".phase")).to_have_text("Opening")
    page.unroute("**/words/fr.json")
    page.get_by_role("button", name="Français").click()
    expect(page.locator(".phase")).to_have_text("Ouverture")


def test_an_answer_that_never_came_is_not_said_to_have_changed_nothing(
    open_page: OpenPage, by_hand: WatchedTable
) -> None:
    by_hand.start()
    page = open_page(by_hand.url)
    page.clock.install()
    tried: list[Route] = []

    def arrives_unanswered(route: Route) -> None:
        tried.append(route)
        if len(tried) == 1:
            route.fetch()
        route.abort("connectionreset")

    page.route("**/api/throw", arrives_unanswered)
    enter(page, 4, 2, 1)
    confirm(page)
    for _ in range(400):
        page.clock.run_for(5_000)
        if page.locator(".hint.fault").count():
            break
    expect(page.locator(".hint.fault")).to_have_text(
        "The service does not answer. Look at the table before you try again."
    )
    whose_turn(page, "Bo")


def test_while_the_line_is_lost_no_light_is_on_and_no_box_stays(
    open_page: OpenPage, watched: WatchedTable
) -> None:
    watched.start()
    watched.camera.roll(4, 2, 1)
    page = open_page(watched.url)
    streamed(page, watched.url)
    say(page, "table", watched.view())
    expect(page.locator(".outlines .box")).to_have_count(3)
    expect(page.locator(".camera-words")).to_contain_text("All faces sure")
    page.clock.run_for(36_000)
    expect(page.locator(".band")).to_contain_text("No connection to the service.")
    expect(page.locator(".outlines")).to_have_count(0)
    expect(page.locator(".camera-words")).to_have_text("Camera unknown")
    expect(page.locator(".light.unknown")).to_have_count(1)
    say(page, "table", watched.view())
    expect(page.locator(".outlines .box")).to_have_count(3)
    expect(page.locator(".camera-words")).to_contain_text("All faces sure")


def test_a_service_that_starts_over_without_the_game_is_not_taken_for_another_tablet(
    open_page: OpenPage, service: Service
) -> None:
    for _ in range(3):  # so that the versions of the service to come are lower
        service.stop()
        service.start()
    service.post("api/games", {"players": ["Ana", "Bo", "Cy"], "ruleset": "rulebook"})
    page = open_page(service.url)
    enter(page, 4, 2, 1)
    service.kill()
    expect(page.locator(".band")).to_contain_text("No connection to the service.")
    confirm(page)
    service.data = service.data.with_name("others")
    service.start()
    expect(page.locator(".why")).to_have_text("The service was started anew and has no game: start one.")


def test_an_answer_counts_though_the_service_has_begun_its_numbers_anew(
    open_page: OpenPage, by_hand: WatchedTable
) -> None:
    page = open_page(by_hand.url)
    streamed(page, by_hand.url)
    # What the page saw last came from a service that had counted further; its stream has not been opened anew yet.
    say(page, "table", {**by_hand.view(), "version": 10**12})
    for name in ("Ana", "Bo", "Cy"):
        page.get_by_label("Name", exact=True).fill(name)
        page.get_by_label("Name", exact=True).press("Enter")
    page.get_by_role("button", name="Start the game").click()
    whose_turn(page, "Ana")
    enter(page, 4, 2, 1)
    page.clock.run_for(1_000)
    confirm(page)
    whose_turn(page, "Bo")
    expect(page.locator(".hint.news, .hint.fault")).to_have_count(0)


def test_a_table_without_a_camera_has_a_grey_light(open_page: OpenPage, by_hand: WatchedTable) -> None:
    by_hand.start()
    page = open_page(by_hand.url)
    expect(page.locator(".camera-words .light.unknown")).to_have_text("No camera, by hand")
    expect(page.locator(".light.trouble")).to_have_count(0)
