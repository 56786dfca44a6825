"""The thread that feeds frames to the roll watcher and hands what it sees to the table.

It outlives whatever the camera does: a source that breaks down is opened again, with growing pauses (not so a
recording, which will not mend itself), and a picture that cannot be read is said so and skipped. The newest
frame is kept for the screens.
"""

from __future__ import annotations

import logging
import re
import threading
import time as clock
from collections.abc import Callable
from typing import Literal, Protocol

import cv2
import numpy as np

from calibration.profile import WHOLE_PICTURE, Profile
from scorer.service.watching import CameraStatus
from vision.errors import SourceError, VisionError
from vision.frames import Frame, FrameSource, Image, Pacer
from vision.roll import Reading, Roll
from vision.watcher import RollSeen, RollWatcher

log = logging.getLogger("piste")

READ_S = 1.0
STALE_S = 3.0
LOST_S = 10.0
FIRST_PAUSE_S = 1.0
LONGEST_PAUSE_S = 15.0
HOLD_LOOK_S = 0.05
PICTURE_S = 0.1
JPEG_QUALITY = 80

Recording = Literal["film", "folder", "picture"]
PLAYED = {
    "film": "The film has played to its end.",
    "folder": "All pictures of the folder have been shown.",
    "picture": "The picture has been shown.",
}
BROKEN = {
    "film": "The film cannot be played any further.",
    "folder": "The pictures of the folder cannot be shown.",
    "picture": "The picture cannot be shown.",
}
# What a decoder says of a broken file, such as "(image file is truncated (65 bytes not processed))": it helps nobody.
DETAIL = re.compile(r"(damaged or cut short) \((?:[^()]|\([^()]*\))*\)")


class Watching(Protocol):
    """What the camera tells the table, from its own thread; the table answers at once."""

    def camera_is(self, status: CameraStatus) -> None:
        """The state of the camera has changed."""

    def roll_seen(self, roll: Roll) -> None:
        """A throw has come to rest."""

    def holds(self) -> bool:
        """Whether a roll on offer waits for its confirmation."""


class Pace(Protocol):
    """Holds the frames of a film back until they are due; see `vision.frames.Pacer`."""

    def late(self, media_time: float, /) -> bool:
        """Whether the frame of `media_time` seconds comes too late to show."""

    def wait(self, media_time: float, /) -> None:
        """Sleep until it is due."""


class Camera:
    """Watches one source until it is stopped.

    `open_again` opens the source (raises SourceError); `first` is the source opened already, where the caller
    has done so to see that it is there. `read` reads a picture. `hold` is for recordings that were opened
    without a pace of their own: they are played at that of `pace` here, and wait while a roll is on offer.
    `recording` says what the source is where it is no camera; one that breaks down is not opened again. `profile`
    says where the tray lies.
    """

    def __init__(
        self,
        name: str,
        open_again: Callable[[], FrameSource],
        read: Callable[[Image], Reading],
        table: Watching,
        *,
        first: FrameSource | None = None,
        hold: bool = False,
        recording: Recording | None = None,
        first_pause_s: float = FIRST_PAUSE_S,
        pace: Callable[[], Pace] = Pacer,
        profile: Profile = WHOLE_PICTURE,
    ) -> None:
        self._name = name
        self._profile = profile
        self._open_again = open_again
        self._read = read
        self._table = table
        self._first = first
        self._hold = hold
        self._recording = recording
        self._first_pause_s = first_pause_s
        self._pace = pace
        self._unread: str | None = None
        self._stop = threading.Event()
        self._again = threading.Event()
        self._anew = threading.Event()
        self._source: FrameSource | None = None
        self._thread = threading.Thread(target=self._run, name="camera", daemon=True)
        self._newest: Frame | None = None
        self._frames = 0
        self._said: tuple[str, str | None] | None = None
        self._encoding = threading.Lock()
        self._encoded: Frame | None = None
        self._encoded_at = 0.0
        self._jpeg: bytes | None = None

    def start(self) -> None:
        """Begin to watch."""
        self._thread.start()

    def stop(self) -> None:
        """Stop watching and let go of the source. A driver that hangs is left to its own thread."""
        self._stop.set()
        source = self._source or self._first
        if source is not None:
            source.close()
        if self._thread.is_alive():
            self._thread.join(timeout=3.0)

    def read_again(self) -> None:
        """Forget what lies there, and report it once more when it is seen to rest."""
        self._again.set()

    def use(self, profile: Profile) -> None:
        """Watch with another profile from the next frame on: as if the camera had just come."""
        self._profile = profile
        self._anew.set()

    @property
    def name(self) -> str:
        """What people call the source."""
        return self._name

    @property
    def frame(self) -> Frame | None:
        """The newest frame, None before the first."""
        return self._newest

    @property
    def frames(self) -> int:
        """How many frames were watched."""
        return self._frames

    def picture(self) -> bytes | None:
        """The newest frame as JPEG, encoded only when somebody asks and ten times a second at most."""
        with self._encoding:
            frame = self._newest
            now = clock.monotonic()
            if frame is not None and frame is not self._encoded and now - self._encoded_at >= PICTURE_S:
                good, data = cv2.imencode(".jpg", frame.image, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])
                if good:
                    self._jpeg = np.asarray(data).tobytes()
                    self._encoded = frame
                    self._encoded_at = now
            return self._jpeg

    def _run(self) -> None:
        self._say("starting", None)
        pause = self._first_pause_s
        source, self._first = self._first, None
        while not self._stop.is_set():
            seen = self._frames
            try:
                if source is None:
                    source = self._open_again()
                self._source = source
                if self._watch(source):
                    played = PLAYED[self._recording or "film"]
                    self._say("ended", f"{played} Enter further throws by hand.")
                    return
            except VisionError as error:
                self._lost(str(error))
            except Exception as error:
                log.error(
                    "camera: %s: %s", type(error).__name__, error, exc_info=log.isEnabledFor(logging.DEBUG)
                )
                self._lost(f"{self._name}: {type(error).__name__}.")
            finally:
                if source is not None:
                    source.close()
                source = self._source = None
            if self._recording is not None:
                return
            if self._frames > seen:
                pause = self._first_pause_s
            self._stop.wait(pause)
            pause = min(pause * 2, LONGEST_PAUSE_S)

    def _watch(self, source: FrameSource) -> bool:
        """Feed frames until the source ends (True) or we are stopped (False); raises when it breaks down."""
        watcher = RollWatcher(self._reading, profile=self._profile)
        pacer = self._pace()
        self._say("starting", None)
        while not self._stop.is_set():
            if self._anew.is_set():
                self._anew.clear()
                self._again.set()
                self._say("starting", None)
            if self._again.is_set():
                self._again.clear()
                watcher = RollWatcher(self._reading, profile=self._profile)
            frame = source.read(READ_S)
            if self._stop.is_set():
                break
            if frame is None:
                if source.ended:
                    return True
                self._missing(source)
                continue
            if self._hold:
                if pacer.late(frame.time):
                    continue
                pacer.wait(frame.time)
            self._newest = frame
            self._frames += 1
            self._feed(watcher, frame)
            if self._hold and self._table.holds():
                while self._table.holds() and not self._stop.wait(HOLD_LOOK_S):
                    pass
                # The film goes on from where it stood, it does not run after the time that passed.
                pacer = self._pace()
        return False

    def _reading(self, image: Image) -> Reading:
        """Read a picture, and note that it went well."""
        reading = self._read(image)
        self._unread = None
        return reading

    def _feed(self, watcher: RollWatcher, frame: Frame) -> None:
        try:
            events = watcher.feed(frame)
        except Exception as error:
            log.error("reading failed: %s: %s", type(error).__name__, error)
            self._unread = f"The picture cannot be read ({error}). Enter the dice by hand."
            events = []
        # It stays said until a picture has been read: most frames are only looked at, not read.
        self._say(watcher.state or "starting", self._unread)
        for event in events:
            if isinstance(event, RollSeen):
                self._table.roll_seen(event.roll)

    def _missing(self, source: FrameSource) -> None:
        """No frame came for a while."""
        if source.age > LOST_S:
            raise SourceError(f"{source.name}: no new picture for {source.age:.0f} seconds.")
        if source.age > STALE_S:
            self._say(
                "stale", f"{source.name} sends no new picture. Enter the dice by hand until it comes back."
            )

    def _lost(self, reason: str) -> None:
        if self._stop.is_set():
            return
        if self._recording is not None:
            reason = DETAIL.sub(r"\1", reason)
            # A folder's or a picture's own log line names the file already.
            log.log(logging.WARNING if self._recording == "film" else logging.DEBUG, "given up: %s", reason)
            advice = "Start Piste again once that is mended; enter the dice by hand meanwhile."
            self._say("ended", f"{BROKEN[self._recording]} {reason} {advice}")
            return
        if self._said is None or self._said[0] != "gone":
            log.warning("camera lost: %s", reason)
        self._say("gone", f"{reason} Piste goes on trying; enter the dice by hand meanwhile.")

    def _say(self, state: str, message: str | None) -> None:
        """Tell the table, when it is news."""
        if self._said == (state, message) or self._stop.is_set():
            return
        self._said = (state, message)
        height, width = self._newest.image.shape[:2] if self._newest is not None else (0, 0)
        self._table.camera_is(CameraStatus(state, message, self._name, width, height, self._frames))
