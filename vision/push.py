"""Frames that somebody sends, such as a phone's browser: pushed from any thread, the newest wins."""

from __future__ import annotations

import threading
import time as clock
from typing import TYPE_CHECKING

import numpy as np

from vision.errors import PictureError, SourceError
from vision.frames import Frame, FrameSource, Image
from vision.jpeg import decode, look_at

if TYPE_CHECKING:
    Picture = bytes | bytearray | memoryview | Image


class PushSource(FrameSource):
    """Frames that `push` puts in. `name` is what people call the sender, `hint` what to do while nothing comes.

    Nothing is queued: a picture that nobody has read when the next one comes is dropped and counted. JPEGs are
    decoded by whoever reads, so that those dropped cost next to nothing.
    """

    reopens = False

    def __init__(self, name: str, *, hint: str = "") -> None:
        self.name = name
        self.hint = hint
        self._change = threading.Condition()
        self._newest: tuple[bytes | Image, float, int] | None = None
        self._count = 0
        self._dropped = 0
        self._damaged = 0
        self._senders = 0
        self._start = self._arrived = clock.monotonic()
        self._closed = False

    def push(self, picture: Picture) -> tuple[int, int]:
        """Take a picture, a JPEG or (h, w, 3) uint8 BGR, in place of one not read yet; gives its (width, height).

        An array is kept as it is: the sender must not change it any more. Raises PictureError when it is no
        picture or beyond the limits (`vision.jpeg`), SourceError when the source has been closed.
        """
        if isinstance(picture, np.ndarray):
            if picture.ndim != 3 or picture.shape[2] != 3 or picture.dtype != np.uint8 or not picture.size:
                raise PictureError(
                    f"{self.name}: a picture must be (height, width, 3) uint8, this is "
                    f"{picture.shape} {picture.dtype}."
                )
            kept: bytes | Image = picture
            size = (picture.shape[1], picture.shape[0])
        else:
            kept = bytes(picture)
            size = look_at(kept, self.name)
        with self._change:
            if self._closed:
                raise SourceError(f"{self.name}: takes no more pictures; connect to it anew.")
            if self._newest is not None:
                self._dropped += 1
            now = clock.monotonic()
            self._newest = (kept, now - self._start, self._count)
            self._count += 1
            self._arrived = now
            self._change.notify_all()
        return size

    def anew(self) -> None:
        """Another one sends from now on: as if a camera had been taken away, and another put up."""
        with self._change:
            self._senders += 1
            self._newest = None

    def read(self, timeout: float | None = None) -> Frame | None:
        """Wait for a frame not given yet; None when `timeout` seconds have passed, or when closed.

        A picture that turns out to be damaged is skipped, and counted in `damaged`.
        """
        end = None if timeout is None else clock.monotonic() + timeout
        while True:
            with self._change:
                left = None if end is None else max(0.0, end - clock.monotonic())
                self._change.wait_for(lambda: self._newest is not None or self._closed, left)
                if self._closed or self._newest is None:
                    return None
                (kept, time, index), self._newest = self._newest, None
            if not isinstance(kept, bytes):
                return Frame(kept, time, index)
            try:
                return Frame(decode(kept, self.name), time, index)
            except PictureError:
                with self._change:
                    self._damaged += 1

    def close(self) -> None:
        """Take and give no more frames; a reader that waits is woken."""
        with self._change:
            self._closed = True
            self._newest = None
            self._change.notify_all()

    @property
    def ended(self) -> bool:
        """Whether the source was closed."""
        return self._closed

    @property
    def age(self) -> float:
        """Seconds since the newest frame arrived, or since the source was made."""
        return clock.monotonic() - self._arrived

    @property
    def reconnects(self) -> int:
        """How often another sender has begun."""
        return self._senders

    @property
    def count(self) -> int:
        """How many frames have arrived."""
        return self._count

    @property
    def dropped(self) -> int:
        """How many frames were replaced by newer ones before anyone read them."""
        return self._dropped

    @property
    def damaged(self) -> int:
        """How many frames could not be decoded."""
        return self._damaged
