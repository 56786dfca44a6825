"""The cameras of this machine: which there are, names that stay when others are plugged in, why one does not open."""

from __future__ import annotations

import errno
import re
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from vision import v4l
from vision.errors import SourceError
from vision.frames import USB_PREFIX

DEV = Path("/dev")
SYS = Path("/sys/class/video4linux")
NODE = re.compile(r"video(\d+)")
LINK = re.compile(r"^(?:usb-)?(.+?)-video-index\d+$")
ASKED_SIZE = (1280, 720)
"""What a camera is asked for unless something else was: enough for a table, and what nearly all of them can."""
LISTING = "`piste cameras` lists those that there are"


@dataclass(frozen=True, slots=True)
class CameraName:
    """What a camera is called, or a part of that: a stable name, or a path as /dev/v4l has them."""

    text: str


@dataclass(frozen=True, slots=True)
class CameraInfo:
    """A camera of this machine. `source` is what `open_source` takes, and stays the same when others are plugged in.

    `name` is what it calls itself, `stable` a name that no other camera here has. `modes` are (width, height, frames
    a second), the largest first, empty where the system does not say. `in_use` is None where that is not known,
    `used_by` the programs that hold it, `problem` why nothing could be learnt of it.
    """

    number: int
    name: str
    stable: str
    modes: tuple[tuple[int, int, float], ...] = ()
    in_use: bool | None = None
    used_by: tuple[str, ...] = ()
    problem: str | None = None

    @property
    def source(self) -> str:
        """What `open_source` takes."""
        return f"{USB_PREFIX}{self.stable}" if self.stable else str(self.number)

    @property
    def usual(self) -> tuple[int, int, float] | None:
        """The mode that Piste uses unless a profile says another: 1280x720, or what comes next to it."""
        if not self.modes:
            return None
        width, height = ASKED_SIZE
        return min(self.modes, key=lambda mode: abs(mode[0] - width) + abs(mode[1] - height))

    def as_dict(self) -> dict[str, Any]:
        """As JSON shows it."""
        modes = [{"width": width, "height": height, "fps": fps} for width, height, fps in self.modes]
        return {"source": self.source, **asdict(self), "modes": modes}


def cameras() -> list[CameraInfo]:
    """The cameras of this machine by number; none is switched on."""
    found = _on_linux() if sys.platform.startswith("linux") else _elsewhere()
    return _told_apart(found)


def number_of(camera: CameraName, there: Sequence[CameraInfo] | None = None) -> int:
    """The number that a camera has now, `there` being those listed just before (None: they are listed).

    Raises SourceError where none, or more than one, is called so.
    """
    text = camera.text
    if text.startswith("/"):
        node = NODE.fullmatch(Path(text).resolve().name)
        if node is None or not Path(text).exists():
            raise SourceError(f"{text}: no such camera is plugged in; {LISTING}.")
        return int(node[1])
    if there is None:
        there = cameras()
    wanted = _plain(text)
    for alike in (
        [each for each in there if wanted == _plain(each.stable)],
        [each for each in there if wanted == _plain(each.name)],
        [each for each in there if wanted and (wanted in _plain(each.stable) or wanted in _plain(each.name))],
    ):
        if len(alike) == 1:
            return alike[0].number
        if alike:
            raise SourceError(
                f"{text}: several cameras are called so: {_listed(alike)}; write more of the name."
            )
    if not there:
        raise SourceError(f"{text}: not plugged in; no camera is. Plug it in.")
    raise SourceError(f"{text}: not plugged in. There are: {_listed(there)}.")


def why_not(number: int | None) -> str:
    """Why a camera may not open, or gives nothing more, and what to do: the end of a sentence."""
    if number is not None and sys.platform.startswith("linux"):
        reason = _why_on_linux(number)
        if reason is not None:
            return reason
    advice = "check that it is plugged in and that no other program uses it"
    if sys.platform == "darwin":
        advice += (
            ", allow the program that you start Piste from (Terminal) to use it under System Settings > Privacy & "
            "Security > Camera"
        )
    elif sys.platform == "win32":
        advice += ", let desktop apps use it under Settings > Privacy & security > Camera"
    return f"{advice}, or try another number (0 is the first camera; {LISTING})."


def _why_on_linux(number: int) -> str | None:
    path = DEV / f"video{number}"
    try:
        node = v4l.look(path)
    except FileNotFoundError:
        there = cameras()
        if not there:
            return "no camera is plugged in; plug one in, or see whether its cable is loose."
        return f"there is no camera of this number. There are: {_listed(there)}."
    except PermissionError:
        return f"you may not use {path}; add yourself to its group (sudo usermod -aG video $USER) and log in anew."
    except OSError as error:
        if error.errno == errno.EBUSY:
            return _held(path)
        return f"it does not answer ({error.strerror}); plug it in anew."
    if node is None:
        return f"{path} gives no pictures; {LISTING}."
    return _held(path) if node.busy else None


def _held(path: Path) -> str:
    names = ", ".join(v4l.users(path))
    return f"another program uses it{f' ({names})' if names else ''}; close that one."


def _on_linux() -> list[CameraInfo]:
    numbered = [(int(each[1]), path) for path in DEV.glob("video*") if (each := NODE.fullmatch(path.name))]
    found: list[CameraInfo] = []
    for number, path in sorted(numbered):
        name = _text(SYS / path.name / "name")
        try:
            node = v4l.look(path)
        except OSError as error:
            if error.errno in (errno.ENOTTY, errno.ENODEV, errno.ENXIO):
                continue  # no camera, or one that has just been unplugged
            problem = "you may not use it" if isinstance(error, PermissionError) else f"{error.strerror}"
            in_use = True if error.errno == errno.EBUSY else None
            found.append(CameraInfo(number, name or path.name, _link(path), in_use=in_use, problem=problem))
            continue
        if node is None:
            continue
        modes = tuple((mode.width, mode.height, round(mode.fps, 2)) for mode in node.modes)
        used_by = v4l.users(path) if node.busy else ()
        found.append(
            CameraInfo(number, name or node.card or path.name, _link(path), modes, node.busy, used_by)
        )
    return found


def _elsewhere() -> list[CameraInfo]:
    """By the names that the system gives; by nothing where it gives none."""
    import cv2  # noqa: PLC0415 - a name alone needs no picture library

    try:
        from cv2_enumerate_cameras import enumerate_cameras  # noqa: PLC0415 - not there on Linux

        backend = cv2.CAP_MSMF if sys.platform == "win32" else cv2.CAP_AVFOUNDATION
        return [CameraInfo(each.index, each.name, "") for each in enumerate_cameras(backend)]
    except Exception:
        return _tried()


def _tried() -> list[CameraInfo]:
    """The first few numbers, each tried; this does switch cameras on."""
    import cv2  # noqa: PLC0415 - as above

    found = []
    for number in range(4):
        capture = cv2.VideoCapture(number)
        if capture.isOpened():
            width, height = (
                int(capture.get(p)) for p in (cv2.CAP_PROP_FRAME_WIDTH, cv2.CAP_PROP_FRAME_HEIGHT)
            )
            fps = capture.get(cv2.CAP_PROP_FPS)
            found.append(CameraInfo(number, f"camera {number}", "", ((width, height, fps),)))
        capture.release()
    return found


def _link(path: Path) -> str:
    """The name that the system keeps for a camera, by what it is, else by where it is plugged in; else none."""
    for folder in ("by-id", "by-path"):
        try:
            links = sorted((DEV / "v4l" / folder).iterdir())
        except OSError:
            continue
        for link in links:
            shape = LINK.match(link.name)
            if shape is not None and link.resolve() == path.resolve():
                return shape[1]
    return ""


def _told_apart(found: list[CameraInfo]) -> list[CameraInfo]:
    """Cameras without a stable name get what they call themselves, if no other does so too."""
    names = [_plain(each.name) for each in found]
    taken = [each.stable for each in found]
    told = []
    for each in found:
        stable = each.stable
        if not stable and names.count(_plain(each.name)) == 1 and each.name != f"camera {each.number}":
            stable = re.sub(r"\W+", "_", each.name).strip("_")
        elif taken.count(stable) > 1:
            stable = ""
        told.append(
            CameraInfo(each.number, each.name, stable, each.modes, each.in_use, each.used_by, each.problem)
        )
    return told


def _listed(there: Sequence[CameraInfo]) -> str:
    return ", ".join(f"{each.source} ({each.name})" for each in there)


def _plain(name: str) -> str:
    return re.sub(r"[\W_]+", "_", name.casefold()).strip("_")


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace").strip()
    except OSError:
        return ""
