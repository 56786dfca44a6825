"""The pictures of a folder, or a single one, as a source of frames."""

from __future__ import annotations

import logging
import re
from pathlib import Path

from vision.errors import PictureError, SourceError
from vision.frames import PICTURE_SUFFIXES, Frame, FrameSource, Image, Pacer
from vision.pictures import load_picture

log = logging.getLogger("piste.vision")

FOLDER_FPS = 10.0
FOLDER_REST_S = 1.5


class FolderSource(FrameSource):
    """The pictures of a folder (or one picture), each shown long enough to lie still."""

    def __init__(self, path: Path, *, realtime: bool, loop: bool) -> None:
        if path.is_dir():
            try:
                files = [
                    each
                    for each in path.iterdir()
                    if each.suffix.lower() in PICTURE_SUFFIXES and each.is_file()
                ]
            except OSError as error:
                raise SourceError(
                    f"{path}: the folder cannot be opened ({error.strerror}); see who may read it."
                ) from None
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
        self._dropped = 0
        self._shown: tuple[Path, Image] | None = None
        self._unreadable: dict[Path, PictureError] = {}

    @property
    def ended(self) -> bool:
        """Whether all pictures were shown, or the source was closed."""
        return self._ended

    @property
    def dropped(self) -> int:
        """How many frames were due before anyone asked for them, and left out."""
        return self._dropped

    @property
    def unreadable(self) -> tuple[Path, ...]:
        """The pictures that were passed over because they cannot be read."""
        return tuple(self._unreadable)

    def read(self, timeout: float | None = None) -> Frame | None:
        """Give the next frame that is due; a picture that cannot be read is noted and passed over.

        Raises SourceError if none of the pictures can be read.
        """
        skipped = 0
        if self._pacer is not None:
            while self._pacer.late((self._index + 1) / self.fps):
                self._index += 1
                skipped += 1
        image = self._due()
        if image is None:
            return None
        self._dropped += skipped
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
