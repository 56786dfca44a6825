"""What Video4Linux says of a camera without switching it on: kind, sizes, who uses it. Linux only."""

from __future__ import annotations

import errno
import os
import struct
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

# From linux/videodev2.h, for machines of 64 bits (others have another size of v4l2_format: there, busy is not known).
QUERYCAP = 0x80685600
ENUM_FMT = 0xC0405602
G_FMT = 0xC0D05604
S_FMT = 0xC0D05605
ENUM_FRAMESIZES = 0xC02C564A
ENUM_FRAMEINTERVALS = 0xC034564B
CAPTURE, METADATA, HAS_DEVICE_CAPS = 0x1, 0x800000, 0x80000000
VIDEO_CAPTURE = 1
DISCRETE = 1
MOST = 200
"""Formats and sizes looked at; a driver that never says "no more" ends here."""


@dataclass(frozen=True, slots=True)
class Mode:
    """A size in pixels, and the most frames a second at it (0 where the driver does not say)."""

    width: int
    height: int
    fps: float


@dataclass(frozen=True, slots=True)
class Node:
    """A device file that gives pictures: what the card is called, what it can, whether a program holds it."""

    card: str
    modes: tuple[Mode, ...]
    busy: bool


def look(path: Path) -> Node | None:
    """What this device file is; None if it gives no pictures. Raises OSError when it cannot be opened or asked."""
    with _opened(path) as handle:
        answer = _ask(handle, QUERYCAP, bytearray(104))
        caps, device_caps = struct.unpack_from("=II", answer, 84)
        able = device_caps if caps & HAS_DEVICE_CAPS else caps
        if not able & CAPTURE or able & METADATA:
            return None
        card = bytes(answer[16:48]).split(b"\0")[0].decode("utf-8", "replace").strip()
        return Node(card, tuple(_modes(handle)), _busy(handle))


def users(path: Path, proc: Path = Path("/proc")) -> tuple[str, ...]:
    """The programs, other than this one, that hold a device file open, as far as we may see."""
    names = set()
    for process in proc.iterdir():
        if not process.name.isdigit() or int(process.name) == os.getpid():
            continue
        try:
            if any(_points_to(each, path) for each in (process / "fd").iterdir()):
                names.add((process / "comm").read_text().strip())
        except OSError:
            continue  # of somebody else, or gone meanwhile
    return tuple(sorted(names))


def _points_to(link: Path, path: Path) -> bool:
    try:
        return link.readlink() == path
    except OSError:
        return False


@contextmanager
def _opened(path: Path) -> Iterator[int]:
    handle = os.open(path, os.O_RDWR | os.O_NONBLOCK | getattr(os, "O_CLOEXEC", 0))
    try:
        yield handle
    finally:
        os.close(handle)


def _ask(handle: int, request: int, question: bytearray) -> bytearray:
    import fcntl  # noqa: PLC0415 - not there on Windows

    fcntl.ioctl(handle, request, question, True)
    return question


def _modes(handle: int) -> Iterator[Mode]:
    """All sizes of all formats, the largest first; each once, with the most frames a second."""
    best: dict[tuple[int, int], float] = {}
    for kind in _formats(handle):
        for width, height in _sizes(handle, kind):
            best[width, height] = max(best.get((width, height), 0.0), _rate(handle, kind, width, height))
    for (width, height), fps in sorted(best.items(), reverse=True):
        yield Mode(width, height, fps)


def _formats(handle: int) -> Iterator[int]:
    for index in range(MOST):
        try:
            answer = _ask(
                handle, ENUM_FMT, bytearray(struct.pack("=II", index, VIDEO_CAPTURE).ljust(64, b"\0"))
            )
        except OSError:
            return
        yield struct.unpack_from("=I", answer, 44)[0]


def _sizes(handle: int, kind: int) -> Iterator[tuple[int, int]]:
    for index in range(MOST):
        try:
            answer = _ask(
                handle, ENUM_FRAMESIZES, bytearray(struct.pack("=II", index, kind).ljust(44, b"\0"))
            )
        except OSError:
            return
        how, width, height, *_ = struct.unpack_from("=IIII", answer, 8)
        if how == DISCRETE:
            yield width, height
            continue
        _, widest, _, _, highest, _ = struct.unpack_from("=6I", answer, 12)
        yield widest, highest
        if widest >= 1280 and highest >= 720:
            yield 1280, 720
        return


def _rate(handle: int, kind: int, width: int, height: int) -> float:
    """The most frames a second, 0 where the driver does not say."""
    fastest = 0.0
    for index in range(MOST):
        question = bytearray(struct.pack("=4I", index, kind, width, height).ljust(52, b"\0"))
        try:
            answer = _ask(handle, ENUM_FRAMEINTERVALS, question)
        except OSError:
            break
        how, seconds, parts = struct.unpack_from("=III", answer, 16)
        if seconds:
            fastest = max(fastest, parts / seconds)
        if how != DISCRETE:
            break
    return fastest


def _busy(handle: int) -> bool:
    """Whether another program has the camera switched on: then even the format that it has may not be set."""
    question = bytearray(struct.pack("=I", VIDEO_CAPTURE).ljust(208, b"\0"))
    try:
        _ask(handle, S_FMT, _ask(handle, G_FMT, question))
    except OSError as error:
        return error.errno == errno.EBUSY
    return False
