"""Exposure, focus and white balance held where the camera found them; what cannot be is said."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.settings import CHECK_S, SETTLE_S, STRAY_S, Settings

AUTO_EXPOSURE, EXPOSURE = cv2.CAP_PROP_AUTO_EXPOSURE, cv2.CAP_PROP_EXPOSURE
AUTOFOCUS, FOCUS = cv2.CAP_PROP_AUTOFOCUS, cv2.CAP_PROP_FOCUS
AUTO_WB, WB = cv2.CAP_PROP_AUTO_WB, cv2.CAP_PROP_WB_TEMPERATURE
MANUAL, APERTURE = 1.0, 3.0


class Driver:
    """A camera as Video4Linux shows it, or others: properties that it has, and how bright its pictures are.

    On automatic it finds `right` for its exposure; on manual its pictures are as bright as `EXPOSURE` makes them.
    """

    def __init__(self, backend: str = "V4L2", lacks: set[int] | None = None, jumps: int = 0) -> None:
        self.backend = backend
        self.lacks = lacks or set()
        self.jumps = jumps  # so many times it forgets its exposure when it is switched to manual
        self.light = 1.0
        self.right = 156.0
        auto = APERTURE if backend == "V4L2" else 1.0
        self.values = {AUTO_EXPOSURE: auto, AUTOFOCUS: 1.0, AUTO_WB: 1.0, FOCUS: 40.0, WB: 4600.0}
        self.values[EXPOSURE] = self.right if backend == "V4L2" else -6.0
        self.sets: list[tuple[int, float]] = []

    def getBackendName(self) -> str:
        return self.backend

    def get(self, key: int) -> float:
        return -1.0 if key in self.lacks else self.values.get(key, -1.0)

    def set(self, key: int, value: float) -> bool:
        if key in self.lacks or key not in self.values:
            return False
        self.sets.append((key, value))
        self.values[key] = value
        if key == AUTO_EXPOSURE and self.backend != "V4L2" and value == 0.0:
            self.values[key] = 1.0  # the switch says little there
        if key == EXPOSURE and self.backend != "V4L2":
            self.values[AUTO_EXPOSURE] = 0.0
        return True

    def picture(self) -> np.ndarray:
        auto = self.values[AUTO_EXPOSURE] != (MANUAL if self.backend == "V4L2" else 0.0)
        level = 110.0
        if not auto:
            made_for = 2.5 if self.jumps > 0 else 1.0
            level = 110.0 * self.light / made_for
        return np.full((48, 64, 3), min(255, round(level)), np.uint8)


def run(settings: Settings, driver: Driver, begin: float, seconds: float) -> float:
    """Show it frames, thirty a second; the time after that."""
    for frame in range(round(seconds * 30)):
        auto = driver.values[AUTO_EXPOSURE]
        settings.look(driver, driver.picture(), begin + frame / 30)
        if auto == MANUAL and driver.values[AUTO_EXPOSURE] != MANUAL:
            driver.jumps -= 1
    return begin + seconds


def test_after_a_moment_all_is_held_where_the_camera_found_it() -> None:
    driver, settings = Driver(), Settings()
    now = run(settings, driver, 50.0, SETTLE_S - 0.1)
    assert driver.sets == []
    run(settings, driver, now, 3.0)
    assert settings.notes == ()
    assert driver.values[AUTO_EXPOSURE] == MANUAL and driver.values[EXPOSURE] == driver.right
    assert driver.values[AUTOFOCUS] == 0 and driver.values[AUTO_WB] == 0
    count = len(driver.sets)
    run(settings, driver, now + 3.0, 30.0)
    assert len(driver.sets) == count  # and nothing is touched again


def test_what_a_profile_remembers_is_set_at_once() -> None:
    driver = Driver()
    settings = Settings({"exposure": 90.0, "white_balance": 5200.0, "other": 1.0})
    settings.look(driver, driver.picture(), 0.0)
    assert driver.values[AUTO_EXPOSURE] == MANUAL and driver.values[EXPOSURE] == 90.0
    assert driver.values[AUTO_WB] == 0 and driver.values[WB] == 5200.0
    assert driver.values[AUTOFOCUS] == 1
    run(settings, driver, 0.0, SETTLE_S + CHECK_S + 1)
    assert driver.values[AUTOFOCUS] == 0 and driver.values[EXPOSURE] == 90.0
    assert settings.notes == ()


def test_focus_and_white_balance_may_be_remembered_but_not_the_exposure_of_one_noon() -> None:
    driver, settings = Driver(lacks={AUTO_WB}), Settings()
    run(settings, driver, 0.0, SETTLE_S - 0.1)
    assert settings.held == {}
    run(settings, driver, SETTLE_S - 0.1, 1.0)
    assert settings.held == {"focus": 40.0}
    driver, settings = Driver(), Settings()
    run(settings, driver, 0.0, SETTLE_S + 1.0)
    assert settings.held == {"focus": 40.0, "white_balance": 4600.0}


def test_what_the_driver_lacks_is_said() -> None:
    driver = Driver(lacks={AUTO_EXPOSURE, AUTO_WB})
    settings = Settings()
    run(settings, driver, 0.0, 5.0)
    assert settings.notes == ("exposure", "white_balance")


def test_a_camera_that_cannot_focus_lacks_nothing() -> None:
    driver = Driver(lacks={AUTOFOCUS, FOCUS})
    settings = Settings()
    run(settings, driver, 0.0, 5.0)
    assert settings.notes == ()


def test_a_value_that_cannot_be_read_back_is_not_believed() -> None:
    class Stubborn(Driver):
        def set(self, key: int, value: float) -> bool:
            return True if key in (AUTO_EXPOSURE, WB) else super().set(key, value)

    settings = Settings({"white_balance": 2800.0})
    run(settings, Stubborn(), 0.0, 5.0)
    assert settings.notes == ("exposure", "white_balance")


def test_an_exposure_that_jumps_when_it_is_held_is_tried_once_more() -> None:
    driver, settings = Driver(jumps=1), Settings()
    run(settings, driver, 0.0, SETTLE_S + CHECK_S + 0.1)
    assert driver.values[AUTO_EXPOSURE] == APERTURE and settings.notes == ("exposure",)
    run(settings, driver, SETTLE_S + CHECK_S + 0.1, 5.0)
    assert driver.values[AUTO_EXPOSURE] == MANUAL and settings.notes == ()


def test_an_exposure_that_jumps_always_is_left_to_the_camera() -> None:
    driver, settings = Driver(jumps=99), Settings()
    run(settings, driver, 0.0, 30.0)
    assert driver.values[AUTO_EXPOSURE] == APERTURE and settings.notes == ("exposure",)
    assert driver.sets.count((AUTO_EXPOSURE, MANUAL)) == 2
    assert driver.values[AUTO_WB] == 0  # the rest is held all the same


def test_when_the_light_has_changed_for_good_all_is_found_anew() -> None:
    driver, settings = Driver(), Settings()
    now = run(settings, driver, 0.0, 10.0)
    driver.light = 2.2
    now = run(settings, driver, now, STRAY_S - 2)
    assert driver.values[AUTO_EXPOSURE] == MANUAL  # it may yet be somebody who leans over the table
    driver.light = 1.0
    now = run(settings, driver, now, 5.0)
    driver.light = 0.3
    now = run(settings, driver, now, STRAY_S + 1.5)
    assert driver.values[AUTO_EXPOSURE] == APERTURE and driver.values[AUTO_WB] == 1
    driver.light = 1.0  # the camera has found the exposure for this light
    run(settings, driver, now, 5.0)
    assert driver.values[AUTO_EXPOSURE] == MANUAL and settings.notes == ()


@pytest.mark.parametrize("backend", ["MSMF", "DSHOW"])
def test_on_windows_setting_a_value_is_what_holds_it(backend: str) -> None:
    driver, settings = Driver(backend), Settings()
    run(settings, driver, 0.0, 5.0)
    assert settings.notes == ()
    assert driver.values[AUTO_EXPOSURE] == 0 and driver.values[EXPOSURE] == -6.0
    assert (FOCUS, 40.0) in driver.sets and (WB, 4600.0) in driver.sets


def test_where_nothing_can_be_set_everything_is_said() -> None:
    every = {AUTO_EXPOSURE, EXPOSURE, AUTOFOCUS, FOCUS, AUTO_WB, WB}
    settings = Settings()
    run(settings, Driver("AVFOUNDATION", lacks=every), 0.0, 30.0)
    assert settings.notes == ("exposure", "focus", "white_balance")
