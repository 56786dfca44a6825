"""The thread that feeds frames to the roll watcher and hands what it sees to the table.

It outlives whatever the camera does: what comes live is opened again when it is lost (`vision.steady`; not so a
recording, which will not mend itself), and a picture that cannot be read is said so and skipped. The newest
frame is kept for the screens.
"""

from __future__ import annotations

import logging
import re
import threading
import time as clock
from collections.abc import Callable, Mapping, Sequence
from typing import Literal, Protocol

import cv2
import numpy as np

from calibration.profile import WHOLE_PICTURE, Profile, ProfileError
from scorer.service.watching import CameraStatus, Flag
from vision.errors import VisionError
from vision.events import Event, Flagged, RollSeen, StateChange
from vision.frames import Frame, FrameSource, Image, Pacer
from vision.roll import Reading, Roll
from vision.steady import SteadySource
from vision.watcher import RollWatcher

log = logging.getLogger("piste")

READ_S = 0.25
FIRST_PAUSE_S = 1.0
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
MEANWHILE = {
    "starting": "",
    "stale": "Enter the dice by hand until it comes back.",
    "frozen": "Enter the dice by hand until something moves in it.",
    "gone": "Piste goes on trying; enter the dice by hand meanwhile.",
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
    has done so to see that it is there. `read` reads a picture, and is given the size of a die in it, pixels, where the
    profile knows it. `hold` is for recordings that were opened
    without a pace of their own: they are played at that of `pace` here, and wait while a roll is on offer.
    `recording` says what the source is where it is no camera; one that breaks down is not opened again. `profile`
    says where the tray lies.
    """

    def __init__(
        self,
        name: str,
        open_again: Callable[[], FrameSource],
        read: Callable[..., Reading],
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
        self._profile = self._given = self._wanted = profile
        self._open_again = open_again
        self._read = read
        self._table = table
        self._first = first
        self._hold = hold
        self._recording = recording
        self._first_pause_s = first_pause_s
        self._pace = pace
        self._unread: str | None = None
        self._unfit: str | None = None
        self._reason = ""  # of the watcher's state
        self._flags: tuple[Flag, ...] = ()
        self._stop = threading.Event()
        self._again = threading.Event()
        self._anew = threading.Event()
        self._source: FrameSource | None = None
        self._thread = threading.Thread(target=self._run, name="camera", daemon=True)
        self._newest: Frame | None = None
        self._frames = 0
        self._said: tuple[object, ...] | None = None
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
        self._wanted = profile
        self._anew.set()

    def as_it_holds(self, profile: Profile) -> Profile:
        """The profile, once given to `use`, as it is watched with: its outline may have been put right after a bump."""
        return self._profile if self._given is profile else profile

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

    @property
    def dropped(self) -> int:
        """How many frames came too fast to be watched, and were left out."""
        source = self._source
        return 0 if source is None else source.dropped

    @property
    def held(self) -> Mapping[str, float]:
        """Settings of the camera that are fixed, by name, as a profile may remember them."""
        source = self._source
        return {} if source is None else source.held

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
        source: FrameSource | None = None
        try:
            source = self._opened()
            self._source = source
            if self._stop.is_set():
                return
            if self._watch(source):
                if self._recording is None:
                    self._say(
                        "ended", f"{self._name} has ended. Choose another camera, or enter throws by hand."
                    )
                else:
                    self._say("ended", f"{PLAYED[self._recording]} Enter further throws by hand.")
        except VisionError as error:
            self._broken(str(error))
        except Exception as error:
            log.error("camera: %s: %s", type(error).__name__, error, exc_info=log.isEnabledFor(logging.DEBUG))
            self._broken(f"{self._name}: {type(error).__name__}.")
        finally:
            if source is not None:
                source.close()

    def _opened(self) -> FrameSource:
        first, self._first = self._first, None
        if self._recording is not None:
            return first or self._open_again()
        return SteadySource(self._name, self._open_again, first=first, first_pause_s=self._first_pause_s)

    def _watch(self, source: FrameSource) -> bool:
        """Feed frames until the source ends (True) or we are stopped (False); raises when it breaks down."""
        watcher = RollWatcher(self._reading, profile=self._profile)
        pacer = self._pace()
        turns = source.reconnects
        seen = True  # whether the watcher knows of the newest frame, and not that none come
        while not self._stop.is_set():
            if self._anew.is_set():
                self._anew.clear()
                self._profile = wanted = self._wanted
                self._given = wanted  # only now: the outline put right is that of the profile before
                self._again.set()
                self._say("starting", None)
            if source.reconnects != turns:
                turns = source.reconnects
                self._again.set()
                self._say("starting", None)  # nobody saw what became of the dice meanwhile
            if self._again.is_set():
                self._again.clear()
                watcher = RollWatcher(self._reading, profile=self._profile)
                self._unfit = None
                self._reason = ""
                self._flags = ()
            frame = source.read(READ_S)
            if self._stop.is_set():
                break
            if frame is None:
                if source.ended:
                    return True
                if source.state != "live":
                    if seen and self._newest is not None and source.state in ("stale", "gone"):
                        watcher.stale(self._newest.time + source.age)
                        seen = False
                    self._say_how(source)
                continue
            seen = True
            if self._newest is not None and self._newest.image.shape != frame.image.shape:
                self._say("starting", None)  # the watcher begins anew, and tells old dice as if they were new
            if self._hold:
                if pacer.late(frame.time):
                    continue
                pacer.wait(frame.time)
            self._newest = frame
            self._frames += 1
            self._feed(watcher, frame, source)
            if self._hold and self._table.holds():
                while self._table.holds() and not self._stop.wait(HOLD_LOOK_S):
                    pass
                # The film goes on from where it stood, it does not run after the time that passed.
                pacer = self._pace()
        return False

    def _reading(self, image: Image) -> Reading:
        """Read a picture, and note that it went well."""
        die = self._profile.die_px
        reading = self._read(image) if die is None else self._read(image, die)
        self._unread = None
        return reading

    def _feed(self, watcher: RollWatcher, frame: Frame, source: FrameSource) -> None:
        """Show a frame to the watcher, and tell what comes of it."""
        events: Sequence[Event] = ()
        try:
            self._profile.fits((frame.image.shape[1], frame.image.shape[0]))
            events = watcher.feed(frame)
            self._profile = watcher.profile
            self._unfit = None
        except ProfileError as error:
            if self._unfit is None:
                log.warning("%s", error)
            self._unfit = str(error)
        except Exception as error:
            log.error("reading failed: %s: %s", type(error).__name__, error)
            self._unread = f"The picture cannot be read ({error}). Enter the dice by hand."
        for event in events:
            if isinstance(event, StateChange):
                self._reason = event.reason
        self._flag(events, watcher)
        if source.state != "live":
            self._say_how(source)
        elif self._unfit is not None:
            self._say("unfit", f"{self._unfit} Enter the dice by hand meanwhile.", source)
        else:
            # It stays said until a picture has been read: most frames are only looked at, not read.
            self._say(watcher.state or "starting", self._reason or self._unread, source)
        for event in events:
            # Reading takes a while: the table may have got another camera meanwhile.
            if isinstance(event, RollSeen) and not self._stop.is_set():
                self._table.roll_seen(event.roll)

    def _flag(self, events: Sequence[Event], watcher: RollWatcher) -> None:
        """What is wrong with the dice stays told until they are thrown anew or taken away."""
        if watcher.state == "empty" or any(isinstance(event, RollSeen) for event in events):
            self._flags = ()
        for event in events:
            if isinstance(event, Flagged):
                others = tuple(flag for flag in self._flags if flag.kind != event.kind)
                self._flags = (*others, Flag(event.kind, event.message))

    def _say_how(self, source: FrameSource) -> None:
        """Tell how a live source is while it is not `live`."""
        meanwhile = MEANWHILE.get(source.state, "")
        self._say(source.state, f"{source.message} {meanwhile}".strip() if source.message else None, source)

    def _broken(self, reason: str) -> None:
        """A recording cannot be shown (any further)."""
        if self._stop.is_set():
            return
        reason = DETAIL.sub(r"\1", reason)
        # A folder's or a picture's own log line names the file already.
        log.log(logging.WARNING if self._recording == "film" else logging.DEBUG, "given up: %s", reason)
        advice = "Start Piste again once that is mended; enter the dice by hand meanwhile."
        broken = BROKEN.get(self._recording or "", "The camera cannot be watched any further.")
        self._say("ended", f"{broken} {reason} {advice}")

    def _say(self, state: str, message: str | None, source: FrameSource | None = None) -> None:
        """Tell the table, when it is news."""
        notes = () if source is None else source.notes
        news = (state, message, self._flags, notes)
        if self._said == news or self._stop.is_set():
            return
        self._said = news
        height, width = self._newest.image.shape[:2] if self._newest is not None else (0, 0)
        status = CameraStatus(
            state, message, self._name, width, height, self._frames, self.dropped, self._flags, notes
        )
        self._table.camera_is(status)
