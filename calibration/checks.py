"""What a profile must be to be used, and how it is said when it is not: every fault, with its key.

ProfileError    a profile that cannot be read, cannot be true, or belongs to another camera
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from calibration.geometry import area_of, crosses_itself

if TYPE_CHECKING:
    from calibration.profile import Profile

SHAPES = ("picture", "round", "hexagon", "square", "outline")
"""What a tray can be: the whole picture, a circle, a hexagon or a square seen from anywhere, or any outline."""

LARGEST_SIDE = 16384
"""Pixels of a frame's side: beyond any camera's."""
MOST_POINTS = 128
MOST_DICE = 30
SMALLEST_SHARE = 0.001
"""Of the frame's area: no tray is smaller."""
LONGEST_NAME = 60
_SETTINGS = 40
_TOLD = 3


class Fault(NamedTuple):
    """One fault of a profile: the `key` it is at (empty for the whole), its `line` where known, and what is wrong."""

    key: str
    line: int | None
    text: str

    def __str__(self) -> str:
        return (f"line {self.line}: " if self.line is not None else "") + self.text


class ProfileError(Exception):
    """A profile that cannot be used; the message says what, where and what to do, `faults` all that is wrong."""

    def __init__(self, message: str, faults: Sequence[Fault] = ()) -> None:
        super().__init__(message)
        self.faults = tuple(faults)

    @classmethod
    def of(cls, begin: str, faults: Sequence[Fault], advice: str = "") -> ProfileError:
        """The error whose message begins with `begin`, tells the first faults and ends with `advice`."""
        told = "; ".join(map(str, faults[:_TOLD]))
        more = f"; and {len(faults) - _TOLD} more" if len(faults) > _TOLD else ""
        return cls(f"{begin}: {told}{more}.{advice and ' '}{advice}", faults)


def faults_of(profile: Profile) -> list[Fault]:
    """All that is wrong with a profile, in the order of its fields."""
    return [Fault(key, None, f"{key} {text}") for key, text in _all(profile)]


def _all(profile: Profile) -> Iterator[tuple[str, str]]:
    size = profile.size
    if size is not None and not frame_size(size):
        yield "size", f"must be width and height in pixels, each from 1 to {LARGEST_SIDE}; it is {size}"
        size = None
    if profile.shape not in SHAPES:
        yield "shape", f"must be one of {', '.join(SHAPES)}; it is {str(profile.shape)[:40]!r}"
    elif (profile.tray is None) != (profile.shape == "picture"):
        yield (
            "shape",
            (
                "must be picture while there is no outline of a tray"
                if profile.tray is None
                else "must say what the tray is, since there is an outline: round, hexagon, square or outline"
            ),
        )
    for key, outline in (("tray", profile.tray), ("kept", profile.kept)):
        wrong = None if outline is None else outline_fault(outline, size)
        if wrong:
            yield key, wrong
    if profile.ground is not None:
        wrong = _ground_fault(profile, size)
        if wrong:
            yield "ground", wrong
    if profile.die_px is not None and not (
        _finite(profile.die_px) and 1 <= profile.die_px <= max(size or (LARGEST_SIDE,))
    ):
        yield "die_px", "must be the edge of a die in pixels, at least 1 and no more than the picture has"
    if profile.dice is not None and not (type(profile.dice) is int and 1 <= profile.dice <= MOST_DICE):
        yield "dice", f"must be a whole number from 1 to {MOST_DICE}; it is {str(profile.dice)[:40]}"
    yield from _lens(profile)
    yield from _rest(profile, size)


def outline_fault(outline: np.ndarray, size: tuple[int, int] | None) -> str | None:
    """What is wrong with an outline in a frame of (width, height), None when nothing is."""
    if outline.ndim != 2 or outline.shape[1] != 2 or not 3 <= len(outline) <= MOST_POINTS:
        return f"must be an outline of 3 to {MOST_POINTS} points, each x and y"
    if not np.isfinite(outline).all():
        return "must be an outline whose points are numbers"
    width, height = size or (LARGEST_SIDE, LARGEST_SIDE)
    out = (outline < 0).any(axis=1) | (outline[:, 0] > width) | (outline[:, 1] > height)
    if out.any():
        x, y = outline[out.argmax()]
        return f"must lie in the picture of {width}x{height} pixels; its point {x:.6g}, {y:.6g} does not"
    if crosses_itself(outline):
        return "must be an outline that does not cross or touch itself; list its points in order around it"
    least = SMALLEST_SHARE * (width * height if size else 100.0)
    if area_of(outline) < least:
        return "must be an outline with room for dice inside; this one is too small"
    return None


def _ground_fault(profile: Profile, size: tuple[int, int] | None) -> str | None:
    ground = profile.ground
    if ground is None or ground.shape != (3, 3) or not np.isfinite(ground).all():
        return "must be three rows of three numbers"
    scale = np.abs(ground).max()
    if scale == 0 or abs(np.linalg.det(ground / scale)) < 1e-12:
        return "must be a map that can be undone; this one takes the table to a line"
    if profile.tray is not None and profile.tray.ndim == 2 and profile.tray.shape[1:] == (2,):
        away = profile.tray @ ground[2, :2] + ground[2, 2]
        if not (np.isfinite(away).all() and ((away > 0).all() or (away < 0).all())):
            return "must map the whole tray to the table; here its horizon runs through the tray"
    return None


def _lens(profile: Profile) -> Iterator[tuple[str, str]]:
    lens = profile.lens
    if lens is None:
        return
    values = (lens.fx, lens.fy, lens.cx, lens.cy, lens.k1, lens.k2, lens.p1, lens.p2, lens.k3)
    if not all(_finite(value) for value in values):
        yield "lens", "must hold numbers only"
    elif not all(1 <= f <= 100 * LARGEST_SIDE for f in (lens.fx, lens.fy)):
        yield "lens", "must have focal lengths fx and fy in pixels, at least 1"
    elif not all(-LARGEST_SIDE <= c <= 2 * LARGEST_SIDE for c in (lens.cx, lens.cy)):
        yield "lens", "must have its middle, cx and cy, near the picture"
    elif profile.size is None:
        yield "lens", "needs the size of the frames that it was measured for"
    elif not _goes_back(profile):
        yield "lens", "bends the picture more than any lens does"


def _goes_back(profile: Profile) -> bool:
    """Whether the lens can be undone everywhere in the picture."""
    if profile.lens is None or profile.size is None or not frame_size(profile.size):
        return True  # what is wrong is said elsewhere
    width, height = profile.size
    line = np.linspace(0, 1, 9)
    grid = np.stack(np.meshgrid(width * line, height * line), -1).reshape(-1, 2)
    with np.errstate(all="ignore"):
        straight = profile.lens.straight(grid)
        off = profile.lens.bent(straight) - grid
    far = np.abs(straight - (width / 2, height / 2)).max() if np.isfinite(straight).all() else np.inf
    return bool(np.isfinite(off).all() and np.abs(off).max() < 0.5 and far < 4 * max(width, height))


def frame_size(size: Sequence[int]) -> bool:
    """Whether this is (width, height) of a frame."""
    return len(size) == 2 and all(type(side) is int and 0 < side <= LARGEST_SIDE for side in size)


def _rest(profile: Profile, size: tuple[int, int] | None) -> Iterator[tuple[str, str]]:
    if len(profile.camera) > _SETTINGS or not all(
        isinstance(key, str) and 0 < len(key) <= LONGEST_NAME and key.isprintable() and _finite(value)
        for key, value in profile.camera.items()
    ):
        yield "camera", f"must be at most {_SETTINGS} settings, each a name and a number"
    picture = profile.reference
    if picture is not None:
        if picture.ndim != 3 or picture.shape[2] != 3 or picture.dtype != np.uint8 or picture.size == 0:
            yield "reference", "must be a picture in colour"
        elif size is not None and picture.shape[:2] != (size[1], size[0]):
            yield (
                "reference",
                (
                    f"is a picture of {picture.shape[1]}x{picture.shape[0]} pixels, but size says {size[0]}x{size[1]}"
                ),
            )
    if not (isinstance(profile.name, str) and len(profile.name) <= LONGEST_NAME and printable(profile.name)):
        yield "name", f"must be a text of at most {LONGEST_NAME} signs on one line"
    look = profile.look
    if look is not None and not all(
        len(each) == 3 and all(_finite(value) and 0 <= value <= 255 for value in each)
        for each in (look.body, look.pips)
    ):
        yield "look", "must be colours: blue, green and red, each from 0 to 255"


def printable(text: str) -> bool:
    """Whether a text has no invisible signs and stands on one line (and can be written as UTF-8)."""
    return text.isprintable()


def _finite(value: object) -> bool:
    try:
        return type(value) in (int, float) and math.isfinite(value)  # type: ignore[arg-type]
    except OverflowError:
        return False
