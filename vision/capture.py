"""A camera or a network stream through OpenCV: opened, asked for frames, let go, all in one thread."""

from __future__ import annotations

import sys
import time as clock
from collections.abc import Mapping
from types import MappingProxyType

import cv2
import numpy as np

from vision.errors import SourceError
from vision.frames import Image, quiet_libraries
from vision.settings import Settings
from vision.usb import ASKED_SIZE, CameraName, number_of, why_not

BAD_READS = 50
BAD_PAUSE_S = 0.02
STREAM_SILENCE_S = 5.0


class UsbCapture:
    """A camera of this machine: a number, or a stable name (see `vision.usb`).

    `size` is (width, height) to ask for; `wanted` are settings as `vision.settings.Settings` takes them, None leaves
    all to the camera. Raises SourceError, saying why and what to do.
    """

    varies = True

    def __init__(
        self,
        camera: int | CameraName,
        name: str,
        size: tuple[int, int] | None,
        wanted: Mapping[str, float] | None,
    ) -> None:
        quiet_libraries()
        self._name = name
        self._number = camera if isinstance(camera, int) else number_of(camera)
        self._settings = Settings(wanted) if wanted is not None else None
        if sys.platform.startswith("linux"):
            self._capture = cv2.VideoCapture(self._number, cv2.CAP_V4L2)
        else:
            self._capture = cv2.VideoCapture(self._number)
        if not self._capture.isOpened():
            self._capture.release()
            raise SourceError(f"{name}: cannot be opened; {why_not(self._number)}")
        width, height = size or ASKED_SIZE
        if sys.platform.startswith(
            "linux"
        ):  # raw pictures of this size come ten times a second over most cables
            self._capture.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))
        self._capture.set(cv2.CAP_PROP_FRAME_WIDTH, width)
        self._capture.set(cv2.CAP_PROP_FRAME_HEIGHT, height)
        self._bad = 0

    @property
    def notes(self) -> tuple[str, ...]:
        """Settings that could not be fixed."""
        return self._settings.notes if self._settings is not None else ()

    @property
    def held(self) -> Mapping[str, float]:
        """Settings that are fixed, by name, as a profile may remember them."""
        return self._settings.held if self._settings is not None else {}

    def read(self) -> Image | None:
        """Wait for a frame; None if one failed. Raises SourceError when the camera gives no more."""
        good, image = self._capture.read()
        if good and image is not None and image.size:
            self._bad = 0
            frame = np.asarray(image, np.uint8)
            if self._settings is not None:
                self._settings.look(self._capture, frame, clock.monotonic())
            return frame
        self._bad += 1
        if self._bad >= BAD_READS:
            raise SourceError(f"{self._name}: gives no more pictures; {why_not(self._number)}")
        clock.sleep(BAD_PAUSE_S)
        return None

    def interrupt(self) -> None:
        """A driver cannot be woken; it comes back with the next frame, or never."""

    def close(self) -> None:
        """Let go of the camera."""
        self._capture.release()


class StreamCapture:
    """A network stream in any form that FFmpeg knows, such as RTSP. `timeout` (seconds) is for its opening."""

    notes: tuple[str, ...] = ()
    held: Mapping[str, float] = MappingProxyType({})
    varies = False  # what codes differences sends a table at rest as nothing new, noise and all

    def __init__(self, url: str, name: str, timeout: float) -> None:
        quiet_libraries()
        self._name = name
        limits = [
            cv2.CAP_PROP_OPEN_TIMEOUT_MSEC,
            max(1, int(timeout * 1000)),
            cv2.CAP_PROP_READ_TIMEOUT_MSEC,
            int(STREAM_SILENCE_S * 1000),
        ]
        self._capture = cv2.VideoCapture(url, cv2.CAP_FFMPEG, limits)
        if not self._capture.isOpened():
            self._capture.release()
            raise SourceError(
                f"{name}: cannot be opened; check the address with its name and password, that the sender runs, and "
                "that this machine reaches it."
            )

    def read(self) -> Image | None:
        """Wait for a frame. Raises SourceError when the stream has ended or fallen silent."""
        good, image = self._capture.read()
        if not good or image is None or not image.size:
            raise SourceError(
                f"{self._name}: gives no more pictures; see that the sender runs, and that this machine reaches it."
            )
        return np.asarray(image, np.uint8)

    def interrupt(self) -> None:
        """FFmpeg cannot be woken; it comes back within `STREAM_SILENCE_S`."""

    def close(self) -> None:
        """Let go of the stream."""
        self._capture.release()
