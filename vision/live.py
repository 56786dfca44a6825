"""Cameras and network streams: they run in their own time, may stall, and may never answer.

A thread of its own waits for the device, so that nobody else has to: it keeps only the newest frame.
Opening and reading can block inside the driver for as long as they like; the reader sees a `SourceError` or
None after the time it chose.
"""

from __future__ import annotations

import sys
import threading
import time as clock

import cv2
import numpy as np

from vision.errors import SourceError
from vision.frames import Frame, FrameSource, Image, quiet_libraries

STALE_S = 10.0
BAD_READS = 50

_hung: dict[int | str, threading.Thread] = {}
"""Threads that had not ended when their source was closed: the driver has not come back from a call."""


class LiveSource(FrameSource):
    """A camera (`device` a number) or a network stream (`device` an address)."""

    def __init__(
        self, device: int | str, name: str, *, timeout: float = 10.0, stale_s: float = STALE_S
    ) -> None:
        """Open `device` and wait for its first frame.

        `timeout` (seconds) is how long the first frame may take; `stale_s` how long iterating waits for a
        later one. A device whose driver still hangs from an earlier try is not opened a second time. Raises
        SourceError.
        """
        self.name = name
        self._device = device
        self._stale_s = stale_s
        self._start = clock.monotonic()
        self._arrived = self._start
        self._change = threading.Condition()
        self._newest: Frame | None = None
        self._count = 0
        self._fault: str | None = None
        self._closed = threading.Event()
        earlier = _hung.get(device)
        if earlier is not None and earlier.is_alive():
            raise SourceError(f"{name}: {self._hangs()}")
        _hung.pop(device, None)
        quiet_libraries()
        self._thread = threading.Thread(
            target=self._run, args=(timeout,), name=f"frames of {name}", daemon=True
        )
        self._thread.start()
        with self._change:
            self._change.wait_for(lambda: self._newest is not None or self._fault is not None, timeout)
            fault = self._fault
            if fault is None and self._newest is None:
                fault = f"{name}: no picture within {timeout:g} seconds; {self._advice()}"
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

    def read(self, timeout: float | None = None) -> Frame | None:
        """Wait for a frame that was not given yet.

        With a `timeout`: None when it passes. Without: SourceError when nothing came for `stale_s` seconds.
        A source that broke down raises SourceError in both cases.
        """
        with self._change:
            self._change.wait_for(
                lambda: self._newest is not None or self._fault is not None or self._closed.is_set(),
                self._stale_s if timeout is None else timeout,
            )
            if self._closed.is_set():
                return None
            if self._newest is not None:
                frame, self._newest = self._newest, None
                return frame
            if self._fault is not None:
                raise SourceError(self._fault)
        if timeout is None:
            raise SourceError(f"{self.name}: no new picture for {self.age:.0f} seconds; {self._advice()}")
        return None

    def close(self) -> None:
        """Stop; a driver that hangs is left to end by itself in its own thread."""
        self._closed.set()
        with self._change:
            self._change.notify_all()
        if threading.current_thread() is not self._thread:
            self._thread.join(timeout=1.0)
            if self._thread.is_alive():
                _hung[self._device] = self._thread

    def _run(self, timeout: float) -> None:
        capture: cv2.VideoCapture | None = None
        try:
            capture = self._open(timeout)
            if not capture.isOpened():
                self._fail(f"{self.name}: cannot be opened; {self._advice()}")
                return
            bad = 0
            while not self._closed.is_set():
                good, image = capture.read()
                if good and image is not None and image.size:
                    bad = 0
                    self._give(np.asarray(image, dtype=np.uint8))
                    continue
                bad += 1
                if bad >= BAD_READS or (isinstance(self._device, str) and not good):
                    self._fail(f"{self.name}: gives no more pictures; {self._advice()}")
                    return
                clock.sleep(0.02)
        except Exception as error:  # whatever it is, the reader must not wait for a thread that is gone
            what = error.err if isinstance(error, cv2.error) else str(error)
            self._fail(f"{self.name}: broke down ({what or type(error).__name__}); {self._advice()}")
        finally:
            if capture is not None:
                capture.release()

    def _open(self, timeout: float) -> cv2.VideoCapture:
        if isinstance(self._device, int):
            return cv2.VideoCapture(self._device)
        limit = max(1, int(timeout * 1000))
        return cv2.VideoCapture(
            self._device,
            cv2.CAP_FFMPEG,
            [
                cv2.CAP_PROP_OPEN_TIMEOUT_MSEC,
                limit,
                cv2.CAP_PROP_READ_TIMEOUT_MSEC,
                int(self._stale_s * 1000),
            ],
        )

    def _give(self, image: Image) -> None:
        now = clock.monotonic()
        with self._change:
            self._newest = Frame(image, now - self._start, self._count)
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
        advice = "check that it is plugged in and that no other program uses it"
        if sys.platform == "darwin":
            advice += (
                ", allow the program that you start Piste from (Terminal) to use it under System Settings > Privacy & "
                "Security > Camera"
            )
        elif sys.platform == "win32":
            advice += ", let desktop apps use it under Settings > Privacy & security > Camera"
        return f"{advice}, or try another number (0 is the first camera)."

    def _hangs(self) -> str:
        if isinstance(self._device, str):
            return "the earlier connection has not ended yet; if this lasts, restart the sender."
        return "the driver does not answer; plug the camera in anew, and restart Piste if that does not help."
