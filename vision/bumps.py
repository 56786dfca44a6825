"""Whether the table still lies in the picture where it did: the drift watch, and the picture that has moved as a whole.

With a reference picture in the profile the drift watch compares a few frames a second with it, puts the tray's outline
right where that is safe, and says so, or says that somebody must look. Without one a bump can only be told by the last
picture at rest; that is enough not to take dice that moved along with everything for thrown ones.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

import cv2
import numpy as np

from calibration.drift import DriftWatch, realigned
from calibration.geometry import Matrix
from calibration.profile import Profile, ProfileError
from vision.frames import Frame
from vision.gate import Look, Map, MotionGate
from vision.roll import Box

EVERY_S = 0.25
MOVING_S = 0.4
"""Where something has changed so recently the drift watch does not look."""
LOST_LOOKS = 16
"""So many looks in a row that show nothing of the reference: the camera looks elsewhere, or something is before it."""
LEAST_RESPONSE = 0.1
AROUND_DIE = 0.4  # of its size: its shadow
LEAST_SHIFT = 0.5  # small pixels
BETTER = 0.7  # of the difference between two pictures must be left at most where one has only moved

CAMERA_MOVED = "The camera has moved: put it back as it was, or calibrate the table again."
TRAY_MOVED = "The tray has moved: put it back as it was, or calibrate the table again."
LOST = "The table is not recognised in the picture any more: look at the camera and the light, or calibrate again."
FOLLOWED = "The camera or the tray was bumped; the tray's outline has been put right."

Stand = Literal["fine", "followed", "moved"]


class Bumps:
    """Watches where the table lies; `profile` is the one that holds now, `message` what is wrong, or was put right."""

    def __init__(self, profile: Profile) -> None:
        self.profile = profile
        self.message = ""
        self.stand: Stand = "fine"
        self.moved_by: Matrix | None = None
        self._watch = _watch_of(profile)
        self._looked = -1e9
        self._fits: tuple[int, ...] | None = None
        self._known = False
        self._unknown = 0

    def look(self, frame: Frame, gate: MotionGate) -> Stand:
        """Take the next frame, which the gate has seen: `fine`, `followed` for the one frame in which the outline was
        put right, or `moved`: nothing should be read."""
        if self.stand == "followed":
            self.stand = "fine"
        if self._fits != frame.image.shape and not self._size_is(frame):
            return self.stand
        if self._watch is None or 0 <= frame.time - self._looked < EVERY_S:
            return self.stand
        self._looked = frame.time
        drift = self._watch.look(frame.image, gate.moving(MOVING_S))
        if not drift.moved:
            self.stand, self.message = ("moved", LOST) if self._lost(drift.certain) else ("fine", "")
            return self.stand
        better = realigned(self.profile, drift, frame.image)
        if better is None:
            self.stand = "moved"
            self.message = TRAY_MOVED if drift.what == "tray" else CAMERA_MOVED
            return self.stand
        self.profile = better
        self._watch = _watch_of(better)
        self.moved_by = drift.to_frame
        self.stand, self.message = "followed", FOLLOWED
        return self.stand

    def _lost(self, certain: bool) -> bool:
        """Whether the table, which has been seen well before, has not been recognised for some looks in a row."""
        if certain:
            self._known, self._unknown = True, 0
        else:
            self._unknown += 1
        return self._known and self._unknown >= LOST_LOOKS

    def _size_is(self, frame: Frame) -> bool:
        """Whether frames of this size are those that the profile was made for."""
        self._fits = frame.image.shape
        try:
            self.profile.fits((frame.image.shape[1], frame.image.shape[0]))
        except ProfileError as error:
            self._fits = None
            self.stand, self.message = "moved", str(error)
            return False
        self.stand, self.message = "fine", ""
        if self.profile.reference is not None and self.profile.reference.shape != frame.image.shape:
            self._watch = None  # nothing to compare with
        return True


def _watch_of(profile: Profile) -> DriftWatch | None:
    if profile.reference is None:
        return None
    return DriftWatch(profile.reference, profile.tray)


def shift(before: Map, now: Map, shape: tuple[int, ...]) -> Matrix | None:
    """How the picture has moved as a whole between two looks, in pixels of frames of that shape; None: it has not.

    Dice should be left out of the looks, see `without`. Only what both pictures confirm counts: moved along, the older
    one must be much more like the newer.
    """
    if before.shape != now.shape:
        return None
    high, wide = now.shape
    window = cv2.createHanningWindow((wide, high), cv2.CV_32F)
    (x, y), response = cv2.phaseCorrelate(before, now, window)
    if response < LEAST_RESPONSE or np.hypot(x, y) < LEAST_SHIFT:
        return None
    there = np.array([[1.0, 0, x], [0, 1, y]])
    moved = cv2.warpAffine(before, there, (wide, high), borderMode=cv2.BORDER_REPLICATE)
    inner = (slice(high // 8, -(high // 8)), slice(wide // 8, -(wide // 8)))
    left = float(np.abs(now - moved)[inner].mean())
    if left > BETTER * float(np.abs(now - before)[inner].mean()):
        return None
    sx, sy = shape[1] / wide, shape[0] / high
    return np.array([[1.0, 0, x * sx], [0, 1, y * sy], [0, 0, 1]])


def without(look: Look, boxes: Iterable[Box], gate: MotionGate) -> Map:
    """A look with nothing where the boxes are (pixels of the frame): a die that lies elsewhere has moved by itself."""
    bare = look.look.copy()
    for box in boxes:
        bare[gate.cells(box, AROUND_DIE)] = 0.0
    return bare
