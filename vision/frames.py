"""Sources of frames: a camera, a video file, a folder of pictures, a network stream; all with one face.

`open_source(spec)` gives a `FrameSource`: iterate over it for `Frame`s and close it. A source never queues:
whoever is slow gets the newest frame and misses those between (unless a file is read with `realtime=False`,
where nothing is dropped).
"""

from __future__ import annotations

import logging
import re
import threading
import time as clock
from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Self

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.errors import PictureError, SourceError
from vision.pictures import load_picture

if TYPE_CHECKING:
    from vision.live import LiveSource

Image = NDArray[np.uint8]
"""(height, width, 3) uint8, blue green red."""

log = logging.getLogger("piste.vision")

PICTURE_SUFFIXES = frozenset({".jpg", ".jpeg", ".png", ".webp", ".bmp", ".tif", ".tiff"})
LONGEST_NUMBER = 4  # digits of a camera's number
FALLBACK_FPS = 30.0
FOLDER_FPS = 10.0
FOLDER_REST_S = 1.5
URL_PATTERN = re.compile(r"^(https?|rtsps?)://", re.IGNORECASE)
PLAIN_HOST = re.compile(r"([^/]*@)?([^/@:]*|\[[0-9a-f:.%]*\])(:\d*)?([/?#]|$)", re.IGNORECASE)
MASK = "***"


@dataclass(frozen=True, slots=True)
class Frame:
    """One picture of a source.

    `time` is in seconds of the source's own clock: it starts near 0, never runs backwards, and is the time
    in the film for a file, the time of arrival for a camera. `index` counts the frames of the source from
    0, those that were dropped included, so that a gap in it is a count of dropped frames.
    """

    image: Image = field(repr=False)
    time: float
    index: int


class FrameSource(ABC):
    """Something that gives frames. Iterate over it, or call `read`; close it, or use it in a `with`.

    `name` is what people call it: the file's or folder's name, `camera 0`, the address without a password.
    """

    name: str
    hint: str = ""
    """What to do while nothing comes, in a sentence; empty where there is nothing special to do."""
    reopens: bool = True
    """Whether opening the same thing anew may help when nothing comes any more."""

    @abstractmethod
    def read(self, timeout: float | None = None) -> Frame | None:
        """Give the next frame; None if none came within `timeout` seconds, or if the source has `ended`.

        Raises SourceError if the source broke down.
        """

    @abstractmethod
    def close(self) -> None:
        """Let go of the device or file; may be called twice, and from another thread than the reader's."""

    @property
    @abstractmethod
    def ended(self) -> bool:
        """Whether the source came to its proper end (a file played through) or was closed."""

    @property
    def age(self) -> float:
        """Seconds since the newest frame arrived: what tells a stale camera from a slow one. 0 for files."""
        return 0.0

    @property
    def dropped(self) -> int:
        """How many frames came too late to be given, or were replaced by newer ones before anyone read them."""
        return 0

    @property
    def notes(self) -> tuple[str, ...]:
        """Settings of a camera that could not be fixed: `exposure`, `focus`, `white_balance`."""
        return ()

    def __iter__(self) -> Iterator[Frame]:
        """Give frames until the source ends; raises SourceError when it breaks down or goes stale."""
        while True:
            frame = self.read()
            if frame is not None:
                yield frame
            elif self.ended:
                return

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def open_source(
    spec: str, *, realtime: bool = True, loop: bool = False, timeout: float = 10.0
) -> FrameSource:
    """Open what `spec` names.

    A whole number is a camera ("0" the first), `http://`, `https://` and `rtsp://` a network stream, a
    folder its pictures in the order of their names (each shown 1.5 s), any other path a video or a single
    picture.

    `realtime` plays files and folders at their own pace and drops frames that come too late; without it
    every frame is given as fast as it is asked for. `loop` starts files and folders again at their end,
    time running on. Cameras and streams always run in their own time. A camera or stream that shows nothing
    within `timeout` seconds is an error.

    Raises SourceError, naming the source, what is wrong and what to do.
    """
    spec = spec.strip()
    if not spec:
        raise SourceError(
            "No source was named: give a camera's number (0), a video file, a folder or an address."
        )
    if spec.isdecimal():
        if len(spec) > LONGEST_NUMBER:
            raise SourceError(f"{spec[:12]}…: no camera has such a number; the first one is 0.")
        return _live(int(spec), f"camera {int(spec)}", timeout)
    if URL_PATTERN.match(spec):
        return _live(spec, without_password(spec), timeout)
    if "://" in spec:
        scheme = spec.split("://", 1)[0]
        raise SourceError(
            f"{without_password(spec)}: {scheme}:// is not supported; give an http, https or rtsp address."
        )
    path = Path(spec)
    if path.is_dir():
        return FolderSource(path, realtime=realtime, loop=loop)
    if not path.exists():
        raise SourceError(
            f"{spec}: there is no such file or folder; check the path (a camera is given by its number: 0)."
        )
    if path.suffix.lower() in PICTURE_SUFFIXES:
        return FolderSource(path, realtime=realtime, loop=loop)
    return VideoSource(path, realtime=realtime, loop=loop)


def without_password(url: str) -> str:
    """The address as it may be shown: no user name, no password, no value that may be one.

    A password may hold signs that belong in no address (`@`, `/`); values stand after `?`, or in the path as some
    cameras have them.
    """
    scheme, mark, rest = url.partition("://")
    if not mark:
        return url
    # Up to the first slash lies host or host:port; what is neither is the beginning of a password with a slash.
    whole = PLAIN_HOST.match(rest) is None
    start = rest.rfind("@") if whole else rest.split("/", 1)[0].rfind("@")
    first, *more = rest[start + 1 :].split("&")
    parts = [first if "=" not in first else _masked(first), *map(_masked, more)]
    return f"{scheme}://{'&'.join(parts)}"


def _masked(part: str) -> str:
    """`name=value` without the value; where there is no name, nothing of it."""
    name, mark, _ = part.partition("=")
    return f"{name}={MASK}" if mark else MASK


def quiet_libraries() -> None:
    """Keep OpenCV from printing to standard error, also where it was imported before this module."""
    chatter = getattr(cv2.utils, "logging", None)
    if chatter is not None:
        chatter.setLogLevel(chatter.LOG_LEVEL_SILENT)


def _live(device: int | str, name: str, timeout: float) -> LiveSource:
    from vision.live import LiveSource  # noqa: PLC0415 - live.py builds on this module

    return LiveSource(device, name, timeout=timeout)


class Pacer:
    """Holds back frames until they are due, and says which ones come too late to show.

    Media time is mapped to the wall clock at the first frame; after a long stop of the reader the mapping
    moves on, so that a film does not race through what was missed for longer than `patience` seconds.
    """

    def __init__(self, patience: float = 2.0) -> None:
        self._patience = patience
        self._offset: float | None = None

    def wait(self, media_time: float) -> None:
        """Sleep until the frame of `media_time` seconds is due."""
        now = clock.monotonic()
        if self._offset is None or now - self._offset - media_time > self._patience:
            self._offset = now - media_time
        clock.sleep(max(0.0, self._offset + media_time - now))

    def late(self, media_time: float) -> bool:
        """Whether the frame of `media_time` is overdue, but not so long that the mapping will move on."""
        if self._offset is None:
            return False
        return 0.0 < clock.monotonic() - self._offset - media_time <= self._patience


class VideoSource(FrameSource):
    """A video file."""

    def __init__(self, path: Path, *, realtime: bool, loop: bool) -> None:
        if not path.is_file():
            raise SourceError(f"{path}: is not a file; give a video file or a folder of pictures.")
        quiet_libraries()
        self.name = path.name
        self._path = path
        self._loop = loop
        self._pacer = Pacer() if realtime else None
        self._capture = cv2.VideoCapture(str(path), cv2.CAP_FFMPEG)
        if not self._capture.isOpened() or not self._capture.grab():
            self._capture.release()
            raise SourceError(
                f"{path}: is not a video that can be played; use MP4 (H.264) or AVI (Motion JPEG)."
            )
        fps = self._capture.get(cv2.CAP_PROP_FPS)
        self.fps = fps if np.isfinite(fps) and 1.0 <= fps <= 480.0 else FALLBACK_FPS
        self._start = 0.0  # media time at which the present run through the film began
        self._time = 0.0
        self._index = 0
        self._grabbed = True  # the first frame was grabbed above, to see that there is one
        self._ended = False
        self._lock = threading.Lock()

    @property
    def ended(self) -> bool:
        """Whether the film has played to its end or was closed."""
        return self._ended

    def read(self, timeout: float | None = None) -> Frame | None:
        """Give the next frame that is due; a file has one until it ends, so `timeout` plays no part."""
        while True:
            with self._lock:
                if not self._advance():
                    return None
            if self._pacer is not None:
                # Showing a late frame would make the next ones later still; it is not even decoded whole.
                if self._pacer.late(self._time + 1 / self.fps):
                    continue
                self._pacer.wait(self._time)
            with self._lock:
                good, image = (False, None) if self._ended else self._capture.retrieve()
            if good and image is not None:
                return Frame(_as_colour(np.asarray(image)), self._time, self._index - 1)

    def _advance(self) -> bool:
        """Grab the next frame and set its time; False at the end."""
        if self._ended:
            return False
        if not self._grabbed and not self._capture.grab() and not (self._loop and self._rewind()):
            self._ended = True
            self._capture.release()
            return False
        self._grabbed = False
        # The container's time is right for films of uneven rate; where it stands still or is absent, count
        # on.
        shown = self._start + self._capture.get(cv2.CAP_PROP_POS_MSEC) / 1000
        earliest = self._time if self._index == 0 else self._time + 0.1 / self.fps
        self._time = shown if earliest <= shown <= self._time + 10.0 else self._time + 1 / self.fps
        self._index += 1
        return True

    def _rewind(self) -> bool:
        self._capture.release()
        self._capture = cv2.VideoCapture(str(self._path), cv2.CAP_FFMPEG)
        self._start = self._time + 1 / self.fps
        return self._capture.isOpened() and self._capture.grab()

    def close(self) -> None:
        """Close the file."""
        with self._lock:  # another thread may be decoding just now
            self._ended = True
            self._capture.release()


class FolderSource(FrameSource):
    """The pictures of a folder (or one picture), each shown long enough to lie still."""

    def __init__(self, path: Path, *, realtime: bool, loop: bool) -> None:
        if path.is_dir():
            files = [
                each for each in path.iterdir() if each.suffix.lower() in PICTURE_SUFFIXES and each.is_file()
            ]
            self._files = sorted(files, key=_natural)
        else:
            self._files = [path]
        if not self._files:
            raise SourceError(f"{path}: the folder has no pictures in it; put JPEG or PNG files there.")
        self.name = path.name or str(path)
        self.fps = FOLDER_FPS
        self._each = round(FOLDER_FPS * FOLDER_REST_S)
        self._loop = loop
        self._pacer = Pacer() if realtime else None
        self._index = 0
        self._passed = 0  # turns that pictures had which could not be read: the next one takes the time
        self._ended = False
        self._shown: tuple[Path, Image] | None = None
        self._unreadable: dict[Path, PictureError] = {}

    @property
    def ended(self) -> bool:
        """Whether all pictures were shown, or the source was closed."""
        return self._ended

    @property
    def unreadable(self) -> tuple[Path, ...]:
        """The pictures that were passed over because they cannot be read."""
        return tuple(self._unreadable)

    def read(self, timeout: float | None = None) -> Frame | None:
        """Give the next frame that is due; a picture that cannot be read is noted and passed over.

        Raises SourceError if none of the pictures can be read.
        """
        if self._pacer is not None:
            while self._pacer.late((self._index + 1) / self.fps):
                self._index += 1
        image = self._due()
        if image is None:
            return None
        frame = Frame(image, self._index / self.fps, self._index)
        if self._pacer is not None:
            self._pacer.wait(frame.time)
        self._index += 1
        return frame

    def _due(self) -> Image | None:
        """The picture whose turn it is, or the first after it that can be read; None at the end."""
        while not self._ended:
            turn = self._index // self._each + self._passed
            if turn >= len(self._files) and not self._loop:
                self._ended = True
                break
            path = self._files[turn % len(self._files)]
            if self._shown is not None and self._shown[0] == path:
                return self._shown[1]
            try:
                image = load_picture(path)
            except PictureError as error:
                self._pass_over(path, error)
                continue
            self._unreadable.pop(path, None)
            self._shown = (path, image)
            return image
        return None

    def _pass_over(self, path: Path, error: PictureError) -> None:
        if path not in self._unreadable:
            log.warning("picture passed over: %s", error)
        self._unreadable[path] = error
        if len(self._unreadable) == len(self._files):
            first = next(iter(self._unreadable.values()))
            more = len(self._files) - 1
            others = f" The other {more} cannot be read either." if more else ""
            raise SourceError(f"{first} Put pictures there that can be opened.{others}")
        self._passed += 1

    def close(self) -> None:
        """Show no more pictures."""
        self._ended = True
        self._shown = None


def _natural(path: Path) -> tuple[list[tuple[int, int, str]], str]:
    """Sort key by which `frame2` comes before `frame10`."""
    parts = re.split(r"(\d+)", path.name.lower())
    return [(0, int(part), "") if part.isdecimal() else (1, 0, part) for part in parts], path.name


def _as_colour(image: NDArray[np.generic]) -> Image:
    """Whatever a decoder gives, as (h, w, 3) uint8."""
    plain = np.asarray(image, dtype=np.uint8)
    if plain.ndim == 2 or plain.shape[2] == 1:
        plain = np.asarray(cv2.cvtColor(plain, cv2.COLOR_GRAY2BGR), dtype=np.uint8)
    return plain
