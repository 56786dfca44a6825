"""Exposure, focus and white balance of a camera: fixed once it has found them, so that a hand in the picture changes
nothing.

What a driver cannot do is told in `notes`. Nothing is believed that cannot be read back.
"""

from __future__ import annotations

import logging
import math
from collections.abc import Mapping
from typing import Protocol

import cv2
import numpy as np

from vision.frames import Image

log = logging.getLogger("piste.vision")

SETTLE_S = 2.0
"""So long a camera may look for itself before it is held to what it has found."""
CHECK_S = 1.0
"""After this the picture shows whether fixing has changed it."""
TRIES = 2
JUMP = 1.3
"""A picture that becomes so many times as bright, or as dark, was not fixed as it was."""
STRAY = 1.6
STRAY_S = 10.0
"""The light has changed for good if brightness stays so many times away for so long: then all is found anew."""
DARK = 8.0
"""Added to brightness (0 to 255), so that what is next to black does not seem to change much."""

EXPOSURE, FOCUS, WHITE_BALANCE = "exposure", "focus", "white_balance"
NAMES = (EXPOSURE, FOCUS, WHITE_BALANCE)
LASTING = (FOCUS, WHITE_BALANCE)
"""What still fits another evening. The exposure that the daylight of one noon needs does not: it is found each time."""
VALUE = {
    EXPOSURE: cv2.CAP_PROP_EXPOSURE,
    FOCUS: cv2.CAP_PROP_FOCUS,
    WHITE_BALANCE: cv2.CAP_PROP_WB_TEMPERATURE,
}
AUTO = {
    EXPOSURE: cv2.CAP_PROP_AUTO_EXPOSURE,
    FOCUS: cv2.CAP_PROP_AUTOFOCUS,
    WHITE_BALANCE: cv2.CAP_PROP_AUTO_WB,
}
# Video4Linux passes on the values of its own menu: 1 is manual, 3 has the aperture as the camera wants it.
V4L_MANUAL, V4L_AUTO = 1.0, 3.0


class Capture(Protocol):
    """What is needed of `cv2.VideoCapture`."""

    def get(self, propId: int, /) -> float:
        """A property's value; -1 or 0 where there is none."""

    def set(self, propId: int, value: float, /) -> bool:
        """Set a property; False where it cannot be."""

    def getBackendName(self) -> str:
        """`V4L2`, `MSMF`, `DSHOW`, `AVFOUNDATION` ..."""


class Settings:
    """Keeps a camera's settings. Call `look` with every frame, from the thread that reads the camera.

    `wanted` holds values by name (`NAMES`) as a profile remembers them: they are set at once. The others are fixed
    where the camera has found them after `SETTLE_S` seconds, and found anew when the light has changed for good. A
    picture that changes much when its exposure is fixed shows a driver that does something else: it goes back to
    automatic.
    """

    def __init__(self, wanted: Mapping[str, float] | None = None) -> None:
        self._wanted = {name: value for name, value in (wanted or {}).items() if name in NAMES}
        self._lacking: set[str] = set()
        self._held: dict[str, float] = {}
        self._begun: float | None = None
        self._due: float | None = None
        self._fixed = False
        self._tries = 0
        self._before = 0.0
        self._level = 0.0
        self._strayed: float | None = None
        self._v4l = False

    @property
    def notes(self) -> tuple[str, ...]:
        """What could not be fixed, of `NAMES`; empty before anything was tried."""
        return tuple(name for name in NAMES if name in self._lacking)

    @property
    def held(self) -> Mapping[str, float]:
        """What a profile may remember: of `LASTING`, the values that are fixed and can be read back."""
        return self._held

    def look(self, capture: Capture, image: Image, now: float) -> None:
        """Do what is due at `now` (seconds, a clock that runs on) with a frame (h, w, 3) uint8 just taken."""
        if self._begun is None:
            self._begun = now
            self._v4l = capture.getBackendName().startswith("V4L")
            for name, value in self._wanted.items():
                self._note(name, self._hold(capture, name, value))
            self._due = now + SETTLE_S
        if self._due is None or now < self._due:
            return
        if not self._fixed:
            self._before = brightness(image)
            for name in NAMES:
                if name not in self._wanted and (name != EXPOSURE or self._tries < TRIES):
                    self._note(name, self._hold(capture, name, None))
            self._held = self._values(capture)
            self._fixed = True
            self._due = now + CHECK_S
            return
        level = brightness(image)
        if self._level == 0.0:
            self._check(capture, level, now)
        else:
            self._watch(capture, level, now)

    def _check(self, capture: Capture, level: float, now: float) -> None:
        """Whether the picture looks as before; otherwise exposure is left to the camera, and tried once more."""
        if (
            EXPOSURE not in self._wanted
            and EXPOSURE not in self._lacking
            and _apart(level, self._before) > JUMP
        ):
            self._tries += 1
            self._release(capture, EXPOSURE)
            self._note(EXPOSURE, False)
            log.info("exposure left to the camera: brightness went from %.0f to %.0f", self._before, level)
            if self._tries < TRIES:
                self._fixed = False
                self._due = now + SETTLE_S
                return
        self._level = level
        self._due = now + CHECK_S

    def _watch(self, capture: Capture, level: float, now: float) -> None:
        """Whether the light is still that for which everything was fixed."""
        self._due = now + CHECK_S
        if EXPOSURE in self._lacking or EXPOSURE in self._wanted or _apart(level, self._level) <= STRAY:
            self._strayed = None
        elif self._strayed is None:
            self._strayed = now
        elif now - self._strayed >= STRAY_S:
            log.info("the light has changed: brightness went from %.0f to %.0f", self._level, level)
            self._strayed = None
            for name in (EXPOSURE, WHITE_BALANCE):
                if name not in self._wanted and name not in self._lacking:
                    self._release(capture, name)
            self._fixed, self._level, self._tries = False, 0.0, 0
            self._due = now + SETTLE_S

    def _values(self, capture: Capture) -> dict[str, float]:
        """What the driver says of the settings that are fixed for good."""
        values = {name: capture.get(VALUE[name]) for name in LASTING if name not in self._lacking}
        return {name: value for name, value in values.items() if math.isfinite(value) and value > 0}

    def _note(self, name: str, held: bool) -> None:
        if held:
            self._lacking.discard(name)
        else:
            self._lacking.add(name)

    def _hold(self, capture: Capture, name: str, value: float | None) -> bool:
        """Fix a setting at `value`, or where it is; whether that is so now."""
        auto = capture.get(AUTO[name])
        if value is None:
            if self._v4l:
                if auto < 0:
                    return name == FOCUS  # a camera that cannot focus by itself stays as it is
                if auto == self._manual(name):
                    return True
            value = capture.get(VALUE[name]) if name == EXPOSURE or not self._v4l else None
        switched = capture.set(AUTO[name], self._manual(name))
        if self._v4l:
            if capture.get(AUTO[name]) != self._manual(name):
                return False
            return value is None or self._put(capture, name, value)
        # Elsewhere setting the value is what ends automatic, and the switch says little.
        return self._put(capture, name, value) if value is not None and math.isfinite(value) else switched

    def _put(self, capture: Capture, name: str, value: float) -> bool:
        if not capture.set(VALUE[name], value):
            return False
        return abs(capture.get(VALUE[name]) - value) <= max(1.0, 0.02 * abs(value))

    def _release(self, capture: Capture, name: str) -> None:
        auto = V4L_AUTO if self._v4l and name == EXPOSURE else 1.0
        if not capture.set(AUTO[name], auto) and self._v4l and name == EXPOSURE:
            capture.set(AUTO[name], 0.0)  # some drivers know only this kind of automatic

    def _manual(self, name: str) -> float:
        return V4L_MANUAL if self._v4l and name == EXPOSURE else 0.0


def brightness(image: Image) -> float:
    """The mean of an image (h, w, 3) uint8, 0 to 255, from some of its pixels."""
    return float(np.mean(image[::16, ::16]))


def _apart(one: float, other: float) -> float:
    """How many times one brightness is the other, 1 or more."""
    low, high = sorted((one + DARK, other + DARK))
    return high / low
