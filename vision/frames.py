"""Sources of frames: a camera, a video file, a folder of pictures, a network stream; all with one face.

`open_source(spec)` gives a `FrameSource`: iterate over it for `Frame`s and close it. A source never queues:
whoever is slow gets the newest frame and misses those between (unless a file is read with `realtime=False`,
where nothing is dropped).
"""

from __future__ import annotations

import re
import time as clock
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType, TracebackType
from typing import TYPE_CHECKING, Literal, Self

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.errors import SourceError

if TYPE_CHECKING:
    from vision.live import LiveSource
    from vision.usb import CameraName

Image = NDArray[np.uint8]
"""(height, width, 3) uint8, blue green red."""

PICTURE_SUFFIXES = frozenset({".jpg", ".jpeg", ".png", ".webp", ".bmp", ".tif", ".tiff"})
LONGEST_NUMBER = 4  # digits of a camera's number
USB_PREFIX = "usb:"
URL_PATTERN = re.compile(r"^(https?|rtsps?)://", re.IGNORECASE)
HTTP_PATTERN = re.compile(r"^https?://", re.IGNORECASE)
FOUND: Mapping[str, float] = MappingProxyType({})
"""Settings of a camera where nothing is wanted of them but that they stay."""
PLAIN_HOST = re.compile(r"([^/]*@)?([^/@:]*|\[[0-9a-f:.%]*\])(:\d*)?([/?#]|$)", re.IGNORECASE)
MASK = "***"


SourceState = Literal["starting", "live", "stale", "frozen", "gone", "ended"]
"""`starting`: no frame has come yet; `live`: they come; `stale`: none comes, or late ones; `frozen`: the same one comes
again and again; `gone`: lost, and being opened anew; `ended`: played to its end, or closed."""


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
    def state(self) -> SourceState:
        """How the source is; those that are steady (`vision.steady`) say more."""
        return "ended" if self.ended else "live"

    @property
    def message(self) -> str | None:
        """What is wrong with the source and what to do; None while nothing is."""
        return None

    @property
    def age(self) -> float:
        """Seconds since the newest frame arrived: what tells a stale camera from a slow one. 0 for files."""
        return 0.0

    @property
    def dropped(self) -> int:
        """How many frames came too late to be given, or were replaced by newer ones before anyone read them."""
        return 0

    @property
    def varies(self) -> bool:
        """Whether no two of its pictures are the same while it lives, for the noise of a sensor."""
        return True

    @property
    def reconnects(self) -> int:
        """How often it was opened anew, of itself."""
        return 0

    @property
    def notes(self) -> tuple[str, ...]:
        """Settings of a camera that could not be fixed: `exposure`, `focus`, `white_balance`."""
        return ()

    @property
    def held(self) -> Mapping[str, float]:
        """Settings of a camera that are fixed, by name, as a profile may remember them."""
        return {}

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


Kind = Literal["camera", "stream", "film", "folder", "picture"]
"""What a source is: a camera of this machine, a network stream, or a recording of one of three kinds."""


def kind_of(spec: str) -> Kind:
    """What `spec` names, as `open_source` takes it, whether or not it is there."""
    spec = spec.strip()
    if spec.isdecimal() or spec.lower().startswith(USB_PREFIX) or spec.startswith("/dev/"):
        return "camera"
    if "://" in spec:
        return "stream"
    path = Path(spec)
    try:
        if path.is_dir():
            return "folder"
    except OSError:
        pass  # opening it says why
    return "picture" if path.suffix.lower() in PICTURE_SUFFIXES else "film"


def called(spec: str) -> str:
    """What people call the source that `spec` names; never with a password."""
    spec = spec.strip()
    if spec.isdecimal():
        return f"camera {int(spec[:LONGEST_NUMBER])}"
    if spec.lower().startswith(USB_PREFIX):
        return f"camera {spec[len(USB_PREFIX) :]}"
    if spec.startswith("/dev/"):
        return spec
    return without_password(spec) if "://" in spec else Path(spec).name or spec


def open_source(
    spec: str,
    *,
    realtime: bool = True,
    loop: bool = False,
    timeout: float = 10.0,
    wait: bool = True,
    size: tuple[int, int] | None = None,
    settings: Mapping[str, float] | None = FOUND,
) -> FrameSource:
    """Open what `spec` names.

    A whole number is a camera ("0" the first), `usb:` and a name that camera wherever it is plugged in
    (`vision.usb.cameras` lists them), `http://`, `https://` and `rtsp://` a network stream, a
    folder its pictures in the order of their names (each shown 1.5 s), any other path a video or a single
    picture.

    `realtime` plays files and folders at their own pace and drops frames that come too late; without it
    every frame is given as fast as it is asked for. `loop` starts files and folders again at their end,
    time running on. Cameras and streams always run in their own time. A camera or stream that shows nothing
    within `timeout` seconds is an error; where nobody shall `wait` for that, what is wrong is said by `read`.

    A camera is asked for pictures of `size` (width, height), 1280x720 if None. Its `settings` (`exposure`, `focus`,
    `white_balance`) are set as given, the others fixed as it has found them after a moment; None leaves all to it.

    Raises SourceError, naming the source, what is wrong and what to do.
    """
    spec = spec.strip()
    if not spec:
        raise SourceError(
            "No source was named: give a camera's number (0), a video file, a folder or an address."
        )
    kind = kind_of(spec)
    if kind in ("stream", "film") and not is_utf8(spec):
        raise SourceError(f"{spec}: its name is not UTF-8, which OpenCV cannot open; give it another name.")
    if kind == "camera":
        return _live(_camera(spec), called(spec), timeout, wait, size, settings)
    if kind == "stream":
        if not URL_PATTERN.match(spec):
            scheme = spec.split("://", 1)[0]
            raise SourceError(
                f"{without_password(spec)}: {scheme}:// is not supported; give an http, https or rtsp address."
            )
        return _live(spec, without_password(spec), timeout, wait, None, None)
    path = Path(spec)
    try:
        there = path.exists()
    except OSError as error:
        raise SourceError(
            f"{spec}: cannot be opened ({error.strerror}); check the path, and who may read it."
        ) from None
    if not there:
        raise SourceError(
            f"{spec}: there is no such file or folder; check the path (a camera is given by its number: 0)."
        )
    if kind != "film":
        from vision.folder import FolderSource  # noqa: PLC0415 - builds on this module

        return FolderSource(path, realtime=realtime, loop=loop)
    from vision.film import VideoSource  # noqa: PLC0415 - builds on this module

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


def is_utf8(name: str) -> bool:
    """Whether a name from the command line or a folder is UTF-8. OpenCV crashes at one that is not."""
    try:
        name.encode()
    except UnicodeEncodeError:
        return False
    return True


def quiet_libraries() -> None:
    """Keep OpenCV from printing to standard error, also where it was imported before this module."""
    chatter = getattr(cv2.utils, "logging", None)
    if chatter is not None:
        chatter.setLogLevel(chatter.LOG_LEVEL_SILENT)


def _camera(spec: str) -> int | CameraName:
    """The camera that `spec` names. Raises SourceError."""
    from vision.usb import CameraName  # noqa: PLC0415 - only cameras need it

    if spec.startswith("/dev/"):
        return CameraName(spec)
    if not spec.isdecimal():
        name = spec[len(USB_PREFIX) :].strip()
        if not name:
            raise SourceError(f"{spec}: no name follows; `piste cameras` lists the names that there are.")
        return CameraName(name)
    if len(spec) > LONGEST_NUMBER:
        raise SourceError(f"{spec[:12]}…: no camera has such a number; the first one is 0.")
    return int(spec)


def _live(
    device: int | str | CameraName,
    name: str,
    timeout: float,
    wait: bool,
    size: tuple[int, int] | None,
    settings: Mapping[str, float] | None,
) -> LiveSource:
    from vision.live import LiveSource  # noqa: PLC0415 - live.py builds on this module

    return LiveSource(device, name, timeout=timeout, wait=wait, size=size, settings=settings)


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
