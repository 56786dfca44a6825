"""The camera is chosen and the table calibrated on screen, with only what is to be seen there."""

from __future__ import annotations

import threading
import time as clock
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
import uvicorn
from playwright.sync_api import Page, Route, expect

from calibration.profilefile import read_profile
from calibration.tray import Found
from scorer.service.app import create_app
from scorer.service.server import listen
from scorer.service.setting import Setting
from scorer.service.store import sqlite_store
from scorer.service.table import Table
from scorer.service.watching import CameraStatus, Flag
from tests.dashboard.conftest import DASHBOARD, OpenPage
from tests.dashboard.test_words import marked_words, unmarked
from vision.frames import Image
from vision.roll import DieReading, Reading, Roll

pytestmark = pytest.mark.browser

SAMPLES = DASHBOARD.parents[1] / "sample_images"
SIZE = (800, 600)
OUTLINE = np.array([(200.0, 100), (600, 120), (620, 480), (180, 460)])
LEAST = 56
"""Pixels of anything that a thumb needs."""


@dataclass
class SetTable:
    """A table whose camera is set on screen, served in this process."""

    url: str
    table: Table
    setting: Setting
    folder: Path

    def calibration(self) -> Any:
        return self.setting.view(here=True)["calibration"]

    def roll(self, *values: int, sure: bool = True) -> None:
        """Dice come to rest, as the camera's thread would say."""
        dice = tuple(
            DieReading(value, 0.99, (200.0 + 150 * at, 200.0, 260.0 + 150 * at, 260.0))
            for at, value in enumerate(values)
        )
        reading = Reading(dice, sure, () if sure else ("dice overlap",), 5.0, *SIZE)
        self.table.roll_seen(Roll(1, 1.0, reading, 3, b""))


def nothing(image: Image) -> Reading:
    return Reading((), True, (), 1.0, image.shape[1], image.shape[0])


@contextmanager
def serving(folder: Path, **more: Any) -> Iterator[SetTable]:
    store = sqlite_store(folder)
    table = Table(store)
    setting = Setting(table, folder, **more)
    sock = listen("127.0.0.1", 0)
    app = create_app(table, setting=setting)
    server = uvicorn.Server(uvicorn.Config(app, log_config=None, lifespan="off", ws="none"))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [sock]}, daemon=True)
    thread.start()
    try:
        yield SetTable(f"http://127.0.0.1:{sock.getsockname()[1]}/", table, setting, folder)
    finally:
        setting.stop()
        server.should_exit = True
        table.hub.close()
        thread.join(timeout=20)
        sock.close()
        store.close()


@pytest.fixture
def bare(tmp_path: Path) -> Iterator[SetTable]:
    """A table without a camera; what reads pictures finds nothing in them."""
    with serving(tmp_path, reader=lambda: nothing) as table:
        yield table


@pytest.fixture
def found(monkeypatch: pytest.MonkeyPatch) -> list[Found]:
    """What is found in place of the tray: the last of these."""
    answers = [Found(OUTLINE, "square", True, 0.95)]
    monkeypatch.setattr("calibration.tray.find", lambda *_: answers[-1])
    return answers


@pytest.fixture
def watched(bare: SetTable, found: list[Found], tmp_path: Path) -> SetTable:
    """A table under a camera that shows a felt, for as long as anybody looks."""
    image = np.random.default_rng(421).integers(150, 180, (SIZE[1], SIZE[0], 3), dtype=np.uint8)
    cv2.fillPoly(image, [OUTLINE.astype(np.int32)], (60, 110, 40))
    assert cv2.imwrite(str(tmp_path / "felt.png"), image)
    bare.setting.start(str(tmp_path / "felt.png"), demo=True)
    until(lambda: bare.setting.frame() is not None)
    return bare


def until(true: Callable[[], Any], seconds: float = 20.0) -> None:
    end = clock.monotonic() + seconds
    while not true():
        assert clock.monotonic() < end, "it did not come to that"
        clock.sleep(0.02)


def rest(watched: SetTable) -> None:
    """Waits until the camera has nothing more to say: its picture is always the same."""
    until(lambda: watched.table.view()["camera"]["state"] in ("empty", "still"))


def calibrate(page: Page) -> None:
    """Opens the calibration from set-up."""
    page.get_by_role("button", name="Calibrate", exact=True).click()
    page.wait_for_selector(".handle")


def press(page: Page, name: str) -> None:
    page.get_by_role("button", name=name, exact=True).click()


def outline(page: Page) -> list[tuple[float, float]]:
    """The corners of the line that is on show."""
    points = page.locator("polygon.tray-line").get_attribute("points")
    assert points is not None
    return [tuple(map(float, point.split(","))) for point in points.split()]  # type: ignore[misc]


def place(page: Page, x: float, y: float) -> tuple[float, float]:
    """Where a point of the picture is on the page."""
    box = page.locator(".calibrate-picture").bounding_box()
    assert box is not None
    return box["x"] + box["width"] * x / SIZE[0], box["y"] + box["height"] * y / SIZE[1]


# The camera


LINES = """element => {
  const range = document.createRange();
  range.selectNodeContents(element);
  return range.getClientRects().length;
}"""


def test_a_camera_is_chosen_on_screen(open_page: OpenPage, bare: SetTable) -> None:
    page = open_page(bare.url)
    expect(page.locator(".camera-card")).to_contain_text("No camera is chosen")
    press(page, "Choose a camera")
    page.get_by_label("Address").fill(str(SAMPLES / "ivory-hexagon.jpg"))
    page.get_by_label("Address").press("Enter")
    expect(page.locator(".picture img.loaded")).to_be_visible()
    expect(page.locator(".camera-card h2 small")).to_have_text("ivory-hexagon.jpg")
    expect(page.locator(".chooser")).to_have_count(0)
    press(page, "Change the camera")
    # Beside a picture the card is narrow.
    take, typed = page.get_by_role("button", name="Take it"), page.get_by_label("Address")
    assert take.evaluate(LINES) == 1 and typed.evaluate("field => field.clientWidth") > 240
    page.get_by_role("button", name="No camera").click()
    expect(page.locator(".camera-card")).to_contain_text("No camera is chosen")
    assert page.evaluate("scrollY") == 0
    press(page, "Choose a camera")
    page.locator(".source-row", has_text="ivory-hexagon.jpg").click()
    expect(page.locator(".picture img.loaded")).to_be_visible()


def test_a_camera_that_is_not_there_is_said_in_words(open_page: OpenPage, bare: SetTable) -> None:
    page = open_page(bare.url)
    press(page, "Choose a camera")
    page.get_by_label("Address").fill("/nowhere/film.mp4")
    press(page, "Take it")
    expect(page.locator(".start .why")).to_contain_text("there is no such file or folder")
    expect(page.locator(".chooser")).to_be_visible()


def test_the_cameras_of_the_machine_are_listed_with_what_they_are(
    open_page: OpenPage, bare: SetTable
) -> None:
    row = {"number": 0, "size": [1280, 720], "in_use": False, "own": False, "problem": None}
    rows = [
        {**row, "source": "usb:Brio", "name": "Brio"},
        {**row, "source": "usb:Old", "name": "Old", "number": 1, "in_use": True},
    ]
    page = open_page(bare.url)
    page.route("**/api/cameras", lambda route: route.fulfill(json=rows))
    press(page, "Choose a camera")
    expect(page.locator(".source-row", has_text="Brio")).to_be_enabled()
    expect(page.locator(".source-row", has_text="Old")).to_contain_text("another program uses it")
    expect(page.locator(".source-row", has_text="Old")).to_have_attribute("aria-disabled", "true")


def test_a_tablet_is_told_where_addresses_are_typed(open_page: OpenPage, bare: SetTable) -> None:
    page = open_page(bare.url)

    def elsewhere(route: Route) -> None:
        answer = route.fetch()
        route.fulfill(json={**answer.json(), "here": False})

    page.route("**/api/camera", elsewhere)
    page.reload()
    press(page, "Choose a camera")
    expect(page.locator(".chooser")).to_contain_text("typed on the machine that Piste runs on")
    expect(page.get_by_label("Address")).to_have_count(0)


# The tray


def test_the_tray_that_was_found_is_outlined_and_taken_by_one_tap(
    open_page: OpenPage, watched: SetTable
) -> None:
    page = open_page(watched.url)
    calibrate(page)
    expect(page.locator(".calibrate-card")).to_contain_text("Does the line run along its rim?")
    assert outline(page) == [tuple(point) for point in OUTLINE.tolist()]
    press(page, "Looks right")
    expect(page.locator(".calibrate-card h2")).to_have_text("Is the light good?")
    assert watched.calibration()["tray"]["outline"] == OUTLINE.tolist()


def test_a_tray_that_was_not_found_is_outlined_by_taps(
    open_page: OpenPage, watched: SetTable, found: list[Found]
) -> None:
    found.append(Found(None, "picture", False, 0.1, "none"))
    page = open_page(watched.url)
    calibrate(page)
    expect(page.locator(".calibrate-card")).to_contain_text("No tray was found.")
    corners = [(210, 110), (610, 130), (600, 470), (190, 450)]
    for corner in corners:
        page.mouse.click(*place(page, *corner))
    assert outline(page) == [pytest.approx(corner, abs=2) for corner in corners]
    press(page, "Looks right")
    until(lambda: watched.calibration()["told"])
    assert watched.calibration()["tray"]["shape"] == "square"


def test_a_corner_is_dragged_and_moved_by_arrow_keys(open_page: OpenPage, watched: SetTable) -> None:
    page = open_page(watched.url)
    calibrate(page)
    handle = page.get_by_role("button", name="Tray, dot 2 of 4")
    page.mouse.move(*place(page, 600, 120))
    page.mouse.down()
    page.mouse.move(*place(page, 640, 90), steps=4)
    expect(page.locator(".loupe")).to_be_visible()
    page.mouse.up()
    expect(page.locator(".loupe")).to_have_count(0)
    assert outline(page)[1] == pytest.approx((640, 90), abs=2)
    x, y = outline(page)[1]
    expect(handle).to_be_focused()
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Shift+ArrowDown")
    assert outline(page)[1] == pytest.approx((x - 1, y + 10), abs=0.11)
    for _ in range(40):
        page.keyboard.press("Shift+ArrowRight")
    assert outline(page)[1][0] == SIZE[0]


def test_a_finger_drags_a_corner(open_page: OpenPage, watched: SetTable) -> None:
    page = open_page(watched.url, size=(390, 844), has_touch=True, is_mobile=True)
    calibrate(page)
    session = page.context.new_cdp_session(page)
    before, after = place(page, 200, 100), place(page, 150, 60)
    for kind, points in (("touchStart", [before]), ("touchMove", [after]), ("touchEnd", [])):
        touches = [{"x": x, "y": y} for x, y in points]
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": touches})
    assert outline(page)[0] == pytest.approx((150, 60), abs=4)


def test_a_round_tray_stays_an_ellipse_however_it_is_dragged(open_page: OpenPage, watched: SetTable) -> None:
    page = open_page(watched.url)
    calibrate(page)
    page.get_by_role("radio", name="Round").click()
    page.mouse.click(*place(page, 700, 300))
    press(page, "Looks right")
    until(lambda: watched.calibration()["told"])
    tray = watched.calibration()["tray"]
    assert tray["shape"] == "round"
    (_, axes, _) = cv2.fitEllipse(np.array(tray["outline"], np.float32))
    drawn = np.pi * axes[0] * axes[1] / 4
    assert drawn == pytest.approx(cv2.contourArea(np.array(tray["outline"], np.float32)), rel=0.02)
    assert max(x for x, _ in tray["outline"]) == pytest.approx(700, abs=3)


def test_the_ellipse_that_was_found_is_the_one_with_handles(
    open_page: OpenPage, watched: SetTable, found: list[Found]
) -> None:
    turn = np.linspace(0, 2 * np.pi, 64, endpoint=False)
    tilt = np.array([[np.cos(0.4), -np.sin(0.4)], [np.sin(0.4), np.cos(0.4)]])
    round_one = np.column_stack([250 * np.cos(turn), 170 * np.sin(turn)]) @ tilt.T + (400, 300)
    found.append(Found(round_one, "round", True, 0.95))
    page = open_page(watched.url)
    calibrate(page)
    expect(page.locator(".handle")).to_have_count(4)
    drawn = np.array(outline(page), np.float32)
    far = [cv2.pointPolygonTest(drawn, (float(x), float(y)), True) for x, y in round_one]
    assert np.abs(far).max() < 2


def test_another_outline_can_be_meant(open_page: OpenPage, watched: SetTable, found: list[Found]) -> None:
    other = OUTLINE + 20
    found.append(Found(OUTLINE, "square", False, 0.8, "several", ((other, "square"),)))
    page = open_page(watched.url)
    calibrate(page)
    expect(page.locator(".calibrate-card")).to_contain_text("More than one outline could be the tray.")
    press(page, "Another outline")
    assert outline(page) == [tuple(point) for point in other.tolist()]
    press(page, "Another outline")
    assert outline(page) == [tuple(point) for point in OUTLINE.tolist()]


def test_the_whole_picture_and_a_place_for_kept_dice(open_page: OpenPage, watched: SetTable) -> None:
    page = open_page(watched.url)
    calibrate(page)
    page.get_by_role("radio", name="Whole picture").click()
    expect(page.locator(".handle")).to_have_count(0)
    press(page, "Mark where kept dice lie")
    expect(page.locator(".handle.of-kept")).to_have_count(4)
    page.mouse.click(*place(page, 790, 20))
    press(page, "Looks right")
    until(lambda: watched.calibration()["told"])
    tray = watched.calibration()["tray"]
    assert tray["outline"] is None
    assert [790, 20] in [[round(x), round(y)] for x, y in tray["kept"]]


def test_an_outline_that_crosses_itself_is_refused_in_words(open_page: OpenPage, watched: SetTable) -> None:
    page = open_page(watched.url)
    calibrate(page)
    page.mouse.move(*place(page, 200, 100))
    page.mouse.down()
    page.mouse.move(*place(page, 700, 400), steps=4)
    page.mouse.up()
    press(page, "Looks right")
    expect(page.locator(".calibrate-card .complaint")).to_contain_text("cross")


# Throws, saving, leaving


def to_throws(page: Page) -> None:
    calibrate(page)
    press(page, "Looks right")
    expect(page.locator(".calibrate-card h2")).to_have_text("Is the light good?")
    page.locator(".calibrate-buttons .confirm").click()
    expect(page.locator(".trial")).to_be_visible()


def test_each_throw_is_shown_as_it_is_read(open_page: OpenPage, watched: SetTable) -> None:
    page = open_page(watched.url)
    to_throws(page)
    expect(page.locator(".trial .next .trial-words")).to_have_text("throw now")
    watched.roll(4, 2, 1)
    expect(page.locator(".trial .sure")).to_have_count(1)
    expect(page.locator(".trial .sure .trial-dice")).to_have_attribute("aria-label", "4 2 1")
    watched.roll(6, 6, 5, sure=False)
    expect(page.locator(".trial .unsure .trial-words")).to_have_text("not sure: dice overlap")
    for _ in range(3):
        watched.roll(3, 2, 1)
    expect(page.locator(".calibrate-card")).to_contain_text(
        "These dice are read well here: 4 of 5 throws were sure."
    )
    expect(page.locator(".advice")).to_have_count(0)
    page.locator(".calibrate-buttons .confirm").click()
    expect(page.locator(".summary")).to_contain_text("4 of 5 sure")


def test_what_goes_wrong_with_the_throws_is_told_at_the_end(open_page: OpenPage, watched: SetTable) -> None:
    page = open_page(watched.url)
    to_throws(page)
    for at in range(5):
        watched.roll(4, 2, 1, sure=at == 0)
    expect(page.locator(".calibrate-card")).to_contain_text("1 of 5 throws were read for sure.")
    expect(page.locator(".advice")).to_have_text(
        "Not all throws were sure. The light check says what to change."
    )
    press(page, "Once more")
    expect(page.locator(".trial .next")).to_have_count(1)
    expect(page.locator(".advice")).to_have_count(0)


def test_it_is_saved_under_a_name_and_used(open_page: OpenPage, watched: SetTable) -> None:
    page = open_page(watched.url)
    to_throws(page)
    page.locator(".calibrate-buttons .confirm").click()
    page.get_by_label("Name of the profile").fill("Bar")
    press(page, "Save and use it")
    expect(page.locator(".start .why")).to_have_text("The profile “Bar” is saved and in use.")
    expect(page.locator(".profiles .source-row.chosen")).to_contain_text("Bar")
    profile = read_profile(watched.folder / "profiles" / "Bar.toml")
    assert profile.tray is not None and profile.tray.tolist() == OUTLINE.tolist()
    # The tray's line is in set-up's picture from now on.
    expect(page.locator(".camera-card .tray-line")).to_have_count(1)
    calibrate(page)
    expect(page.locator(".step-list .now")).to_contain_text("Tray")


def test_what_cannot_be_a_name_is_said_in_the_language_of_the_page(
    open_page: OpenPage, watched: SetTable
) -> None:
    page = open_page(watched.url)
    to_throws(page)
    page.locator(".calibrate-buttons .confirm").click()
    page.get_by_label("Name of the profile").fill("a/b")
    press(page, "Save and use it")
    complaint = page.locator(".calibrate-card")
    expect(complaint).to_contain_text("'a/b' cannot be the name of a profile")
    page.locator("header button", has_text="FR").click()
    press(page, "Garder et utiliser")
    expect(complaint).to_contain_text("Ce nom ne convient pas à un profil")
    assert not (watched.folder / "profiles").exists()


def test_a_name_that_is_taken_is_asked_about_first(open_page: OpenPage, watched: SetTable) -> None:
    for name in ("Bar", "Cafe"):
        page = open_page(watched.url)
        to_throws(page)
        page.locator(".calibrate-buttons .confirm").click()
        page.get_by_label("Name of the profile").fill(name)
        press(page, "Save and use it")
        expect(page.locator(".start .why")).to_contain_text(name)
    to_throws(page)
    page.locator(".calibrate-buttons .confirm").click()
    page.get_by_label("Name of the profile").fill("Bar")
    press(page, "Save and use it")
    expect(page.locator(".calibrate-card")).to_contain_text("It takes the place of the profile “Bar”.")
    press(page, "Save and use it")
    expect(page.locator(".start .why")).to_have_text("The profile “Bar” is saved and in use.")


def test_two_screens_do_not_calibrate_at_once(open_page: OpenPage, watched: SetTable) -> None:
    one = open_page(watched.url)
    calibrate(one)
    two = open_page(watched.url)
    press(two, "Calibrate")
    expect(two.locator(".calibrate-card")).to_contain_text("Another screen is calibrating just now.")
    press(two, "Begin anew")
    two.wait_for_selector(".handle")
    expect(one.locator(".calibrate-card")).to_contain_text("Another screen has begun to calibrate since.")
    expect(one.locator(".handle")).to_have_count(0)
    press(two, "Close")
    expect(two.locator(".setup")).to_be_visible()
    assert watched.calibration() is None


def test_a_page_opened_again_goes_on_where_it_was(open_page: OpenPage, watched: SetTable) -> None:
    page = open_page(watched.url)
    to_throws(page)
    watched.roll(4, 2, 1)
    expect(page.locator(".trial .sure")).to_have_count(1)
    page.reload()
    press(page, "Calibrate")
    press(page, "Go on with it")
    expect(page.locator(".trial .sure")).to_have_count(1)
    watched.roll(6, 5, 2)
    expect(page.locator(".trial .sure")).to_have_count(2)


def test_closing_gives_the_rolls_back_to_the_game(open_page: OpenPage, watched: SetTable) -> None:
    watched.table.start(("Ana", "Bo", "Cy"), "rulebook", {})
    page = open_page(watched.url)
    page.evaluate("import('./js/store.js').then(({change}) => change({route: 'setup'}))")
    to_throws(page)
    watched.roll(4, 2, 1)
    expect(page.locator(".trial .sure")).to_have_count(1)
    assert watched.table.view()["roll"] is None
    press(page, "Close")
    until(lambda: watched.calibration() is None)
    watched.roll(6, 5, 2)
    assert watched.table.view()["roll"] is not None


# While a game is played


def test_a_camera_that_has_moved_is_looked_at_or_calibrated(open_page: OpenPage, watched: SetTable) -> None:
    page = open_page(watched.url)
    to_throws(page)
    page.locator(".calibrate-buttons .confirm").click()
    press(page, "Save and use it")
    expect(page.locator(".profiles .source-row.chosen")).to_be_visible()
    watched.table.start(("Ana", "Bo", "Cy"), "rulebook", {})
    page.wait_for_selector(".table")
    expect(page.locator(".tray-line")).to_have_count(0)
    reference = watched.folder / "profiles" / "Table.jpg"
    reference.unlink()
    rest(watched)
    watched.table.camera_is(CameraStatus("moved", "The camera has moved.", "felt.png", *SIZE, 5))
    expect(page.locator(".band")).to_contain_text("does the line in the picture still run around the tray?")
    expect(page.locator(".tray-line")).to_have_count(1)
    expect(page.locator(".faces")).to_be_visible()
    press(page, "It is right")
    until(reference.is_file)
    rest(watched)
    watched.table.camera_is(CameraStatus("moved", "The camera has moved.", "felt.png", *SIZE, 5))
    press(page, "Calibrate")
    page.wait_for_selector(".handle")
    press(page, "Close")
    expect(page.locator(".table")).to_be_visible()


@pytest.mark.parametrize(
    ("kind", "words"),
    [("changed", "Did somebody turn it?"), ("missing", "A die is missing."), ("beside", "beside the tray")],
)
def test_what_is_wrong_with_the_dice_is_said(
    open_page: OpenPage, watched: SetTable, kind: str, words: str
) -> None:
    watched.table.start(("Ana", "Bo", "Cy"), "rulebook", {})
    page = open_page(watched.url)
    rest(watched)
    watched.table.camera_is(CameraStatus("read", None, "felt.png", *SIZE, 5, flags=(Flag(kind, "~"),)))
    expect(page.locator(".camera-words .flag")).to_contain_text(words)
    expect(page.locator(".hint.doubt")).to_contain_text("die")
    watched.table.camera_is(CameraStatus("empty", None, "felt.png", *SIZE, 5))
    expect(page.locator(".camera-words .flag")).to_have_count(0)


def test_a_profile_of_another_picture_is_done_without(open_page: OpenPage, watched: SetTable) -> None:
    page = open_page(watched.url)
    to_throws(page)
    page.locator(".calibrate-buttons .confirm").click()
    press(page, "Save and use it")
    expect(page.locator(".profiles .source-row.chosen")).to_be_visible()
    rest(watched)
    watched.table.camera_is(CameraStatus("unfit", "It was made for another.", "felt.png", *SIZE, 5))
    press(page, "Do without it")
    until(lambda: watched.setting.view(here=True)["profile"] is None)


def test_nothing_visible_is_written_into_the_code_of_the_calibration(
    open_page: OpenPage, watched: SetTable
) -> None:
    page = open_page(watched.url)
    page.context.route("**/words/en.json", marked_words)
    page.reload()
    page.wait_for_selector(".setup .ruleset")
    rulesets = page.request.get(watched.url + "api/rulesets").json()
    own = {text for ruleset in rulesets for field in ("name", "about") for text in ruleset[field].values()}
    own |= {"felt.png"}
    press(page, "⟦Change the camera⟧")
    page.wait_for_selector(".chooser")
    assert not unmarked(page, own)
    press(page, "⟦Calibrate⟧")
    page.wait_for_selector(".handle")
    press(page, "⟦Mark where kept dice lie⟧")
    press(page, "⟦Printed sheet (not needed)⟧")
    assert not unmarked(page, own)
    press(page, "⟦Looks right⟧")
    page.wait_for_selector(".calibrate-buttons .plain")
    assert not unmarked(page, own)
    page.locator(".calibrate-buttons .confirm").click()
    page.wait_for_selector(".trial")
    watched.roll(4, 2, 1, sure=False)
    page.wait_for_selector(".trial .unsure")
    assert not unmarked(page, own)
    page.locator(".calibrate-buttons .confirm").click()
    page.wait_for_selector(".summary")
    assert not unmarked(page, own)


@pytest.mark.parametrize("size", [(1280, 800), (800, 1280), (390, 844)])
def test_whatever_a_thumb_needs_is_large_and_in_sight(
    open_page: OpenPage, watched: SetTable, size: tuple[int, int]
) -> None:
    page = open_page(watched.url, size=size)
    calibrate(page)
    press(page, "Mark where kept dice lie")

    def all_large() -> None:
        wide = page.evaluate("document.documentElement.scrollWidth")
        assert wide <= size[0]
        for button in page.locator("main button, main a.button").all():
            box = button.bounding_box()
            assert box is not None
            assert box["height"] >= LEAST and box["width"] >= LEAST, button.inner_text()
        next_one = page.locator(".calibrate-buttons .confirm").bounding_box()
        assert next_one is not None
        assert next_one["y"] + next_one["height"] <= size[1]

    all_large()
    press(page, "Looks right")
    page.wait_for_selector(".calibrate-buttons .plain")
    all_large()
    page.locator(".calibrate-buttons .confirm").click()
    page.wait_for_selector(".trial")
    for _ in range(5):
        watched.roll(4, 2, 1)
    all_large()


def test_a_newcomer_calibrates_a_rendered_table_with_what_is_on_screen(
    open_page: OpenPage, tmp_path: Path
) -> None:
    """The film of the demo, the networks, the finding of the tray: all as they are."""
    with serving(tmp_path) as filmed:
        filmed.setting.start(str(SAMPLES / "table.mp4"), demo=True)
        page = open_page(filmed.url)
        press(page, "Calibrate")
        page.wait_for_selector(".handle", timeout=120_000)
        # The film's tray is round; where a hand hides its rim, or its outside could be meant, the dots help.
        if page.get_by_role("radio", name="Round").get_attribute("aria-checked") != "true":
            page.get_by_role("radio", name="Round").click()
            for point in ((85, 300), (715, 300), (400, 55), (400, 545)):
                page.mouse.click(*place(page, *point))
        drawn = np.array(outline(page), np.float32)
        truth = cv2.ellipse2Poly((397, 298), (316, 253), 0, 0, 360, 8).astype(np.float32)
        assert overlap(drawn, truth) > 0.8
        press(page, "Looks right")
        expect(page.locator(".calibrate-card h2")).to_have_text("Is the light good?")
        expect(page.locator(".calibrate-card [role=status]")).not_to_have_text(
            "The picture is being checked …", timeout=60_000
        )
        page.locator(".calibrate-buttons .confirm").click()
        expect(page.locator(".trial .sure, .trial .unsure")).to_have_count(5, timeout=240_000)
        page.locator(".calibrate-buttons .confirm").click()
        expect(page.locator(".summary")).to_contain_text("pixels wide")
        press(page, "Save and use it")
        expect(page.locator(".profiles .source-row.chosen")).to_contain_text("Table")
        profile = read_profile(tmp_path / "profiles" / "Table.toml")
        assert (profile.shape, profile.dice, profile.size) == ("round", 3, SIZE)
        assert profile.die_px is not None
        assert profile.die_px == pytest.approx(62, abs=12)
        # The dice of the last throw, which is nobody's, go first. It reads on with that profile.
        until(lambda: filmed.table.view()["camera"]["state"] == "empty", 60)
        filmed.table.start(("Ana", "Bo", "Cy"), "rulebook", {})
        page.wait_for_selector(".table")
        expect(page.get_by_role("button", name="Confirm", exact=True)).to_be_enabled(timeout=120_000)
        page.get_by_role("button", name="Confirm", exact=True).click()
        until(lambda: filmed.table.view()["game"]["throws"])
        assert filmed.table.view()["game"]["throws"][0]["source"] == "camera"


def overlap(one: Any, other: Any) -> float:
    """Of two outlines (n, 2): the area that both have, as a share of what either has."""
    masks = []
    for each in (one, other):
        mask = np.zeros((SIZE[1], SIZE[0]), np.uint8)
        cv2.fillPoly(mask, [np.round(each).astype(np.int32)], (1,))
        masks.append(mask > 0)
    return float((masks[0] & masks[1]).sum() / (masks[0] | masks[1]).sum())
