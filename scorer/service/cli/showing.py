"""What `piste watch --show` draws: each frame with the state, the tray and the dice of the last roll."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import cv2
import numpy as np

from calibration.profile import Image, Profile
from scorer.errors import PisteError
from vision.events import Event, Flagged, RollSeen, State
from vision.frames import Frame, is_utf8, kind_of, quiet_libraries
from vision.pictures import SURE, UNSURE, draw_label, draw_reading

if TYPE_CHECKING:
    from vision.roll import Roll

CODECS = {".mp4": "mp4v", ".avi": "MJPG"}
FPS = 30.0
LONGEST_SIDE = 1280
WHOLE = 0.9
"""A film with less of its pictures than this is not whole; the head of a film need not be exact."""
LONGEST_GAP_S = 10.0  # a source that paused for longer does not fill the film with the same picture
FLAG_S = 4.0
PLAIN = (220, 220, 220)
TRAY, KEPT = (220, 200, 80), (200, 120, 220)
TITLE = "piste watch"
ESCAPE = 27


class ShowError(PisteError):
    """There is no window to draw in, or the film cannot be written."""


def opened(name: str, source: str) -> Showing:
    """A window if `name` is empty, else a film of that name. Raises ShowError."""
    if not name:
        return Window()
    path = Path(name)
    if path.suffix.lower() not in CODECS:
        raise ShowError(f"--show {name}: the name must end in .mp4 or .avi.")
    if not is_utf8(name):
        raise ShowError(f"--show {name}: the name is not UTF-8, which OpenCV cannot write; give another one.")
    if kind_of(source) == "film" and path.exists() and Path(source).exists() and path.samefile(source):
        raise ShowError(f"--show {name}: is the film to be watched; name another file.")
    return Film(path)


class Showing(ABC):
    """Draws frames somewhere."""

    def __init__(self) -> None:
        self._roll: Roll | None = None
        self._flag: Flagged | None = None

    def frame(self, frame: Frame, state: State | None, events: Sequence[Event], profile: Profile) -> bool:
        """Show a frame after which the table is in `state`; False when whoever watches has seen enough."""
        for event in events:
            if isinstance(event, RollSeen):
                self._roll = event.roll
            elif isinstance(event, Flagged):
                self._flag = event
        if self._flag is not None and frame.time - self._flag.time > FLAG_S:
            self._flag = None
        roll = self._roll if state in ("read", "unsure") else None
        text = self._flag.message if self._flag is not None else ""
        return self.show(drawn(frame.image, state or "", roll, text, profile), frame.time)

    @abstractmethod
    def show(self, image: Image, time: float) -> bool:
        """Show what was drawn at `time` seconds of the source; False for enough."""

    @abstractmethod
    def close(self) -> None:
        """Show no more; may be called twice."""


def drawn(image: Image, state: str, roll: Roll | None, text: str, profile: Profile) -> Image:
    """A copy of a frame's image (h, w, 3), not too large, with the tray, the dice of `roll` and what is said."""
    out = image.copy()
    thick = max(1, round(max(image.shape[:2]) / 700))
    for outline, colour in ((profile.tray, TRAY), (profile.kept, KEPT)):
        if outline is not None:
            cv2.polylines(out, [np.round(outline).astype(np.int32)], True, colour, thick, cv2.LINE_AA)
    if roll is not None:
        out = draw_reading(out, roll.reading)
    scale = LONGEST_SIDE / max(out.shape[:2])
    if scale < 1:
        out = np.asarray(cv2.resize(out, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)
    letters = max(0.5, max(out.shape[:2]) / 1100)
    draw_label(out, state, (0, 0), letters, {"read": SURE, "unsure": UNSURE}.get(state, PLAIN))
    if text:
        draw_label(out, text, (0, round(80 * letters)), letters, UNSURE)
    return out


class Window(Showing):
    """A window on this computer's screen; Q or Escape, or closing it, ends the watch."""

    def __init__(self) -> None:
        super().__init__()
        if re.search(r"GUI:\s+NONE", cv2.getBuildInformation()):
            raise ShowError(
                "--show: the OpenCV that is installed here (opencv-python-headless) has no windows. Name a film to "
                "draw into, such as --show seen.mp4, or put opencv-python in its place."
            )
        try:
            cv2.namedWindow(TITLE, cv2.WINDOW_NORMAL)
        except cv2.error as error:
            raise ShowError(
                f"--show: no window can be opened here ({error.err}); name a film to draw into: --show seen.mp4."
            ) from None
        self._seen = False

    def show(self, image: Image, time: float) -> bool:
        """Show it at once."""
        cv2.imshow(TITLE, image)
        key = cv2.waitKey(1) & 0xFF
        if self._seen and cv2.getWindowProperty(TITLE, cv2.WND_PROP_VISIBLE) < 1:
            return False
        self._seen = True
        return key not in (ESCAPE, ord("q"))

    def close(self) -> None:
        """Close the window."""
        cv2.destroyAllWindows()


class Film(Showing):
    """A film of thirty pictures a second, whatever the source's pace; it lasts as long as the source."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self._path = path
        self._writer: cv2.VideoWriter | None = None
        self._size = (0, 0)
        self._written = 0  # pictures
        self._next = 0.0  # time of the next picture of the film
        try:  # so that it is said now, and not after the first frame
            with path.open("wb"):
                pass
        except OSError as error:
            raise ShowError(f"--show {path}: cannot be written ({error.strerror}).") from None

    def show(self, image: Image, time: float) -> bool:
        """Write the picture as often as its time needs."""
        if self._writer is None:
            # Films have even sides.
            self._size = (image.shape[1] // 2 * 2, image.shape[0] // 2 * 2)
            code = cv2.VideoWriter.fourcc(*CODECS[self._path.suffix.lower()])
            self._writer = cv2.VideoWriter(str(self._path), code, FPS, self._size)
            if not self._writer.isOpened():
                raise ShowError(f"--show {self._path}: cannot be written as a film; try a name in .avi.")
            self._next = time
        if (image.shape[1], image.shape[0]) != self._size:
            same = (image.shape[1] // 2 * 2, image.shape[0] // 2 * 2) == self._size
            image = (
                image[: self._size[1], : self._size[0]]
                if same
                else np.asarray(cv2.resize(image, self._size, interpolation=cv2.INTER_AREA), np.uint8)
            )
        if time - self._next > LONGEST_GAP_S:
            self._next = time
        while self._next <= time + 0.5 / FPS:
            self._writer.write(image)
            self._written += 1
            self._next += 1 / FPS
        return True

    def close(self) -> None:
        """Finish the film; one without a picture is taken away. Raises ShowError for one that is not whole."""
        if self._writer is not None:
            self._writer.release()
            self._writer = None
            self._check()
        elif self._path.exists() and self._path.stat().st_size == 0:
            self._path.unlink()

    def _check(self) -> None:
        """A writer of films keeps it to itself when a disk is full: look whether all pictures are there."""
        quiet_libraries()
        film = cv2.VideoCapture(str(self._path), cv2.CAP_FFMPEG)
        there = film.get(cv2.CAP_PROP_FRAME_COUNT) if film.isOpened() else 0.0
        film.release()
        if there < WHOLE * self._written:
            raise ShowError(
                f"--show {self._path}: could not be written to its end; see whether the disk is full, or name a file "
                "on another one."
            )
