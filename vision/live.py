"""Cameras and network streams: they run in their own time, may stall, and may never answer.

A thread of its own waits for the device, so that nobody else has to: it keeps only the newest frame.
Opening and reading can block inside a driver for as long as they like; the reader sees a `SourceError` or
None after the time it chose.
"""

from __future__ import annotations

import threading
import time as clock
from collections.abc import Mapping
from typing import Protocol

import cv2

from vision.capture import StreamCapture, UsbCapture
from vision.errors import PictureError, SourceError
from vision.frames import HTTP_PATTERN, Frame, FrameSource, Image
from vision.jpeg import decode
from vision.mjpeg import Mjpeg, OtherKind
from vision.usb import CameraName, why_not

STALE_S = 10.0
DAMAGED, DAMAGED_S = 3, 3.0
"""If so many pictures in a row, and all those of so many seconds, are damaged, the line is no good."""
CLOSE_S = 1.0

Address = int | CameraName | str
"""A camera's number, a camera's stable name, or the address of a stream."""

_hung: dict[Address, threading.Thread] = {}
"""Threads that had not ended when their source was closed: the driver has not come back from a call."""


class Device(Protocol):
    """What gives pictures, used by one thread; `interrupt` alone may come from another."""

    @property
    def notes(self) -> tuple[str, ...]:
        """Settings that could not be fixed."""

    @property
    def held(self) -> Mapping[str, float]:
        """Settings that are fixed, by name, as a profile may remember them."""

    @property
    def varies(self) -> bool:
        """Whether no two pictures are the same while it lives."""

    def read(self) -> Image | bytes | None:
        """Wait for a picture, a JPEG maybe; None if one failed. Raises SourceError when there are no more."""

    def interrupt(self) -> None:
        """End a `read` that waits, where that is possible."""

    def close(self) -> None:
        """Let go of everything."""


class LiveSource(FrameSource):
    """A camera, or a network stream."""

    def __init__(
        self,
        device: Address,
        name: str,
        *,
        timeout: float = 10.0,
        stale_s: float = STALE_S,
        wait: bool = True,
        size: tuple[int, int] | None = None,
        settings: Mapping[str, float] | None = None,
    ) -> None:
        """Open `device`, and `wait` for its first frame.

        `timeout` (seconds) is how long the first frame may take; `stale_s` how long iterating waits for a
        later one. A device whose driver still hangs from an earlier try is not opened a second time. `size` is
        (width, height) to ask a camera for, `settings` is what `vision.settings` is to keep. Raises SourceError;
        without `wait`, it is `read` that raises it.
        """
        self.name = name
        self._device = device
        self._stale_s = stale_s
        self._size = size
        self._settings = settings
        self._start = self._arrived = self._whole = clock.monotonic()
        self._change = threading.Condition()
        self._newest: tuple[Image | bytes, float, int] | None = None
        self._count = 0
        self._dropped = 0
        self._damaged = 0  # in a row
        self._fault: str | None = None
        self._opened: Device | None = None
        self._closed = threading.Event()
        earlier = _hung.get(device)
        if earlier is not None and earlier.is_alive():
            raise SourceError(f"{name}: {self._hangs()}")
        _hung.pop(device, None)
        self._thread = threading.Thread(
            target=self._run, args=(timeout,), name=f"frames of {name}", daemon=True
        )
        self._thread.start()
        if wait:
            self._await_first(timeout)

    def _await_first(self, timeout: float) -> None:
        with self._change:
            self._change.wait_for(lambda: self._newest is not None or self._fault is not None, timeout)
            fault = self._fault if self._newest is None else None
            if fault is None and self._newest is None:
                fault = f"{self.name}: no picture within {timeout:g} seconds; {self._advice()}"
        if fault is not None:
            self.close()
            raise SourceError(fault)

    @property
    def ended(self) -> bool:
        """Whether the source was closed by us; a stream has no proper end."""
        return self._closed.is_set()

    @property
    def age(self) -> float:
        """Seconds since the newest frame arrived."""
        return clock.monotonic() - self._arrived

    @property
    def dropped(self) -> int:
        """How many frames were replaced by newer ones before anyone read them."""
        return self._dropped

    @property
    def varies(self) -> bool:
        """Whether no two of its pictures are the same while it lives, for the noise of a sensor."""
        opened = self._opened
        return opened.varies if opened is not None else True

    @property
    def notes(self) -> tuple[str, ...]:
        """Settings that could not be fixed: `exposure`, `focus`, `white_balance`."""
        opened = self._opened
        return opened.notes if opened is not None else ()

    @property
    def held(self) -> Mapping[str, float]:
        """Settings that are fixed, by name, as a profile may remember them."""
        opened = self._opened
        return opened.held if opened is not None else {}

    def read(self, timeout: float | None = None) -> Frame | None:
        """Wait for a frame that was not given yet.

        With a `timeout`: None when it passes. Without: SourceError when nothing came for `stale_s` seconds.
        A source that broke down, or sends nothing but damaged pictures, raises SourceError in both cases.
        """
        end = clock.monotonic() + (self._stale_s if timeout is None else timeout)
        while True:
            with self._change:
                self._change.wait_for(
                    lambda: self._newest is not None or self._fault is not None or self._closed.is_set(),
                    max(0.0, end - clock.monotonic()),
                )
                if self._closed.is_set():
                    return None
                taken, self._newest = self._newest, None
                if taken is None and self._fault is not None:
                    raise SourceError(self._fault)
            if taken is None:
                break
            frame = self._decoded(*taken)
            if frame is not None:
                return frame
        if timeout is None:
            raise SourceError(f"{self.name}: no new picture for {self.age:.0f} seconds; {self._advice()}")
        return None

    def close(self) -> None:
        """Stop; a driver that hangs is left to end by itself in its own thread."""
        self._closed.set()
        with self._change:
            self._change.notify_all()
            opened = self._opened
        if opened is not None:
            opened.interrupt()
        if threading.current_thread() is not self._thread:
            self._thread.join(timeout=CLOSE_S)
            if self._thread.is_alive():
                _hung[self._device] = self._thread

    def _decoded(self, picture: Image | bytes, time: float, index: int) -> Frame | None:
        """The frame, None if it is damaged. Raises SourceError when they have all been for too long."""
        if isinstance(picture, bytes):
            try:
                picture = decode(picture, self.name)
            except PictureError:
                self._damaged += 1
                if self._damaged >= DAMAGED and clock.monotonic() - self._whole > DAMAGED_S:
                    raise SourceError(
                        f"{self.name}: sends damaged pictures only; start the sender anew, or see how far the "
                        "network reaches."
                    ) from None
                return None
        self._damaged = 0
        self._whole = clock.monotonic()
        return Frame(picture, time, index)

    def _run(self, timeout: float) -> None:
        device: Device | None = None
        try:
            device = self._open(timeout)
            with self._change:
                self._opened = device
            self._whole = clock.monotonic()
            while not self._closed.is_set():
                picture = device.read()
                if picture is not None:
                    self._give(picture)
        except SourceError as error:
            self._fail(str(error))
        except Exception as error:  # whatever it is, the reader must not wait for a thread that is gone
            what = error.err if isinstance(error, cv2.error) else str(error)
            self._fail(f"{self.name}: broke down ({what or type(error).__name__}); {self._advice()}")
        finally:
            if device is not None:
                device.close()

    def _open(self, timeout: float) -> Device:
        if not isinstance(self._device, str):
            return UsbCapture(self._device, self.name, self._size, self._settings)
        if HTTP_PATTERN.match(self._device):
            try:
                return Mjpeg(self._device, self.name, timeout, self._closed)
            except OtherKind as other:
                self._refuse(other.kind)
        return StreamCapture(self._device, self.name, timeout)

    def _refuse(self, kind: str) -> None:
        """Raises SourceError for what is certainly no stream."""
        if kind.startswith("image/"):
            raise SourceError(
                f"{self.name}: gives one picture, not a stream; look in the camera's manual for the address of its "
                "video."
            )
        if kind.startswith("text/"):
            raise SourceError(
                f"{self.name}: gives a page to look at, not a stream; look in the camera's manual for the address of "
                "its video, often one that ends in /video or /stream."
            )

    def _give(self, picture: Image | bytes) -> None:
        now = clock.monotonic()
        with self._change:
            if self._newest is not None:
                self._dropped += 1
            self._newest = (picture, now - self._start, self._count)
            self._count += 1
            self._arrived = now
            self._change.notify_all()

    def _fail(self, message: str) -> None:
        with self._change:
            self._fault = message
            self._change.notify_all()

    def _advice(self) -> str:
        if isinstance(self._device, str):
            return "check the address, that the sender runs, and that this machine reaches it."
        return why_not(self._device if isinstance(self._device, int) else None)

    def _hangs(self) -> str:
        if isinstance(self._device, str):
            return "the earlier connection has not ended yet; if this lasts, restart the sender."
        return "the driver does not answer; plug the camera in anew, and restart Piste if that does not help."
