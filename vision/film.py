"""A video file as a source of frames: at its own pace, or as fast as it is read."""

from __future__ import annotations

import logging
import math
import threading
from pathlib import Path

import cv2
import numpy as np

from vision.errors import SourceError
from vision.frames import Frame, FrameSource, Image, Pacer, quiet_libraries

log = logging.getLogger("piste.vision")

FALLBACK_FPS = 30.0
LACKING = 0.05
LACKING_S = 0.5
"""A film broke off if it lacks more than this share of what its head promises, and more than so many seconds: heads
are estimates in some containers."""
TEXT = cv2.VideoWriter.fourcc(*"ansi")
"""What FFmpeg calls a text, which it plays as a terminal would show it."""
KINDS = "MP4 (H.264), MKV, WebM or AVI (Motion JPEG)"


class VideoSource(FrameSource):
    """A video file. A film that is shorter than its head says, since it was cut off, ends with a SourceError."""

    def __init__(self, path: Path, *, realtime: bool, loop: bool) -> None:
        if not path.is_file():
            raise SourceError(f"{path}: is not a file; give a video file or a folder of pictures.")
        try:
            if path.stat().st_size == 0:
                raise SourceError(f"{path}: the file is empty; copy it again.")
            path.open("rb").close()
        except OSError as error:
            raise SourceError(f"{path}: cannot be opened ({error.strerror}); see who may read it.") from None
        quiet_libraries()
        self.name = path.name
        self._path = path
        self._loop = loop
        self._pacer = Pacer() if realtime else None
        self._capture = cv2.VideoCapture(str(path), cv2.CAP_FFMPEG)
        if not self._capture.isOpened() or not self._capture.grab():
            opened = self._capture.isOpened()
            self._capture.release()
            what = "has no pictures in it" if opened else "is not a video that can be played"
            raise SourceError(f"{path}: {what}; use {KINDS}, whole as it was recorded.")
        if int(self._capture.get(cv2.CAP_PROP_FOURCC)) == TEXT:
            self._capture.release()
            raise SourceError(f"{path}: is a text, no video; use {KINDS}.")
        fps = self._capture.get(cv2.CAP_PROP_FPS)
        self.fps = fps if math.isfinite(fps) and 1.0 <= fps <= 480.0 else FALLBACK_FPS
        promised = self._capture.get(cv2.CAP_PROP_FRAME_COUNT)
        self._promised = int(promised) if math.isfinite(promised) and 0 < promised < 1e8 else 0
        self._start = 0.0  # media time at which the present run through the film began
        self._first = 0  # index of the first frame of that run
        self._time = 0.0
        self._index = 0
        self._dropped = 0
        self._grabbed = True  # the first frame was grabbed above, to see that there is one
        self._ended = False
        self._broke_off: str | None = None
        self._lock = threading.Lock()

    @property
    def ended(self) -> bool:
        """Whether the film has played to its end or was closed."""
        return self._ended

    @property
    def dropped(self) -> int:
        """How many frames were due before anyone asked for them, and left out."""
        return self._dropped

    def read(self, timeout: float | None = None) -> Frame | None:
        """Give the next frame that is due; a file has one until it ends, so `timeout` plays no part.

        Raises SourceError where the film broke off before its end (once; after that it has `ended`).
        """
        while True:
            with self._lock:
                if not self._advance():
                    broke_off, self._broke_off = self._broke_off, None
                    if broke_off is not None:
                        raise SourceError(broke_off)
                    return None
            if self._pacer is not None:
                # Showing a late frame would make the next ones later still; it is not even decoded whole.
                if self._pacer.late(self._time + 1 / self.fps):
                    self._dropped += 1
                    continue
                self._pacer.wait(self._time)
            with self._lock:
                good, image = (False, None) if self._ended else self._capture.retrieve()
            if good and image is not None:
                return Frame(_as_colour(np.asarray(image, np.uint8)), self._time, self._index - 1)

    def _advance(self) -> bool:
        """Grab the next frame and set its time; False at the end."""
        if self._ended:
            return False
        if not self._grabbed and not self._capture.grab():
            self._broke_off = self._lacks()
            if not (self._loop and self._rewind()):
                self._ended = True
                self._capture.release()
                return False
        self._grabbed = False
        # The container's time is right for films of uneven rate; where it stands still or is absent, count on.
        shown = self._start + self._capture.get(cv2.CAP_PROP_POS_MSEC) / 1000
        earliest = self._time if self._index == 0 else self._time + 0.1 / self.fps
        self._time = shown if earliest <= shown <= self._time + 10.0 else self._time + 1 / self.fps
        self._index += 1
        return True

    def _lacks(self) -> str | None:
        """Why this was not the film's end, None if it was: by frames and by time, since either may be an estimate."""
        given, length = self._index - self._first, self._promised / self.fps
        played = self._time - self._start + 1 / self.fps
        lacking = min(length - played, (self._promised - given) / self.fps)
        if lacking <= max(LACKING_S, LACKING * length):
            return None
        return (
            f"{self.name}: breaks off after {played:.1f} of {length:.1f} seconds; the file is damaged, or was not "
            "copied whole; copy it again."
        )

    def _rewind(self) -> bool:
        if self._broke_off is not None and self._first == 0:
            log.warning("%s", self._broke_off)
        self._broke_off = None
        self._capture.release()
        self._capture = cv2.VideoCapture(str(self._path), cv2.CAP_FFMPEG)
        self._start, self._first = self._time + 1 / self.fps, self._index
        return self._capture.isOpened() and self._capture.grab()

    def close(self) -> None:
        """Close the file."""
        with self._lock:  # another thread may be decoding just now
            self._ended = True
            self._broke_off = None
            self._capture.release()


def _as_colour(image: Image) -> Image:
    """Whatever a decoder gives, as (h, w, 3) uint8."""
    if image.ndim == 2 or image.shape[2] == 1:
        return np.asarray(cv2.cvtColor(image, cv2.COLOR_GRAY2BGR), np.uint8)
    return image
