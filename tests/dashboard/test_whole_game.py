"""A game through the screens of `piste serve`, from names to the record, as a table would play it."""

from __future__ import annotations

import csv
import json
import subprocess
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.dashboard.conftest import PISTE, OpenPage, Service, confirm, enter, whose_turn

pytestmark = pytest.mark.browser


def seat(page: Page, *names: str) -> None:
    for name in names:
        page.get_by_label("Name", exact=True).fill(name)
        page.get_by_label("Name", exact=True).press("Enter")


def throw(page: Page, player: str, *dice: int) -> None:
    whose_turn(page, player)
    enter(page, *dice)
    confirm(page)


def chips(page: Page, player: str) -> int:
    row = page.locator("li.player").filter(has=page.locator("bdi", has_text=player))
    return int(row.locator(".count").inner_text())


def test_from_names_to_the_record(open_page: OpenPage, service: Service, tmp_path: Path) -> None:
    page = open_page(service.url)
    start = page.get_by_role("button", name="Start the game")
    expect(page.locator(".why")).to_contain_text("3 more")
    expect(start).to_be_disabled()
    seat(page, "Bo", "Ana", "Cy", "Nobody")
    page.get_by_role("button", name="Nobody does not play").click()
    page.get_by_role("button", name="Ana one seat up").click()
    expect(page.locator(".seat .name")).to_have_text(["Ana", "Bo", "Cy"])
    start.click()

    # Opening: the best hand leads; the second die was read wrong and is corrected, one die too few is not confirmed.
    whose_turn(page, "Ana")
    enter(page, 6, 2)
    expect(page.get_by_role("button", name="Confirm", exact=True)).to_be_disabled()
    expect(page.locator(".hint")).to_contain_text("One die is missing")
    enter(page, 2)
    page.get_by_role("button", name="Die showing 2").first.click()
    page.get_by_role("button", name="It shows 5").click()
    expect(page.locator(".hand-name")).to_have_text("652")
    confirm(page)
    throw(page, "Bo", 1, 2, 4)
    throw(page, "Cy", 2, 2, 1)
    whose_turn(page, "Bo")
    expect(page.locator(".lead")).to_contain_text("Bo leads")

    # Charge, one throw each. 421 leaves one chip of eleven, which goes in the next round.
    expect(page.locator(".phase")).to_have_text("Charge")
    throw(page, "Bo", 4, 2, 1)
    throw(page, "Cy", 6, 5, 2)
    throw(page, "Ana", 3, 2, 2)
    expect(page.locator(".pot .count")).to_have_text("1")
    expect(page.locator(".sentence")).to_contain_text("10 chips")
    assert [chips(page, name) for name in ("Ana", "Bo", "Cy")] == [13, 3, 3]
    expect(page.locator("li.player").first.locator(".stack")).to_have_count(3)
    throw(page, "Bo", 6, 6, 6)
    throw(page, "Cy", 6, 5, 2)

    # The last throw was entered wrongly: it is taken back and entered again.
    throw(page, "Ana", 6, 6, 5)
    expect(page.locator(".phase")).to_have_text("Discharge")
    page.get_by_role("button", name="Undo").click()
    expect(page.locator(".phase")).to_have_text("Charge")
    throw(page, "Ana", 2, 2, 1)
    expect(page.locator(".phase")).to_have_text("Discharge")
    assert [chips(page, name) for name in ("Ana", "Bo", "Cy")] == [14, 3, 3]
    expect(page.locator(".pot .count")).to_have_text("0")

    # Discharge: the leader keeps a die, throws on, stands.
    whose_turn(page, "Bo")
    enter(page, 4, 4, 1)
    confirm(page)
    expect(page.locator(".which")).to_contain_text("throw 2 of 3")
    page.get_by_role("button", name="1: tap to keep it").click()
    page.get_by_role("button", name="4: tap to keep it").first.click()
    enter(page, 2)
    expect(page.locator(".hand-name")).to_have_text("421")
    page.get_by_role("button", name="Confirm + stand", exact=True).click()
    whose_turn(page, "Cy")
    expect(page.locator(".lead")).to_contain_text("up to 2 throws")

    page.get_by_role("button", name="End game").click()
    page.get_by_role("button", name="Yes, end it").click()
    expect(page.locator(".ending h2")).to_have_text("The game ended without a winner")
    with page.expect_download() as started:
        page.get_by_role("link", name="Save the record").click()
    record = tmp_path / "record.json"
    started.value.save_as(record)
    with page.expect_download() as started:
        page.get_by_role("link", name="Save as CSV").click()
    started.value.save_as(tmp_path / "record.csv")

    replay = subprocess.run(
        [*PISTE, "replay", str(record), "--json"],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert replay.returncode == 0, replay.stderr
    states = [json.loads(line) for line in replay.stdout.splitlines()]
    assert states[-1]["phase"] == "over"
    assert states[-2]["chips"] == {"Ana": 14, "Bo": 3, "Cy": 3}
    throws = [event for event in json.loads(record.read_text())["events"] if event["type"] == "throw"]
    assert sorted(throws[0]["dice"]) == [2, 5, 6]
    assert throws[-1]["kept"] == [4, 1]
    assert throws[-1]["dice"] == [2]
    with (tmp_path / "record.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == len(throws) == 11


def test_the_winner_is_shown_and_the_same_players_play_again(open_page: OpenPage, service: Service) -> None:
    page = open_page(service.url)
    seat(page, "Ana", "Bo", "Cy")
    page.get_by_role("button", name="Start the game").click()
    for player, dice in (("Ana", (4, 2, 1)), ("Bo", (6, 5, 2)), ("Cy", (2, 2, 1))):
        throw(page, player, *dice)
    # Two rounds of 611 and more take the pot of eleven; Ana keeps her three chips.
    for player, dice in (("Ana", (6, 1, 1)), ("Bo", (6, 5, 2)), ("Cy", (2, 2, 1))):
        throw(page, player, *dice)
    for player, dice in (("Ana", (6, 1, 1)), ("Bo", (6, 5, 2)), ("Cy", (2, 2, 1))):
        throw(page, player, *dice)
    expect(page.locator(".phase")).to_have_text("Discharge")
    whose_turn(page, "Ana")
    enter(page, 6, 6, 6)
    page.get_by_role("button", name="Confirm + stand", exact=True).click()
    throw(page, "Bo", 6, 5, 2)
    throw(page, "Cy", 2, 2, 1)
    expect(page.locator(".ending h2")).to_contain_text("Ana wins")
    expect(page.locator("li.player.won .name")).to_have_text("Ana")
    page.get_by_role("button", name="Play again").click()
    whose_turn(page, "Ana")
    expect(page.locator(".phase")).to_have_text("Opening")
    assert service.table()["setup"]["players"] == ["Ana", "Bo", "Cy"]
