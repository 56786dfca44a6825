"""What is known of one table, and the way from a frame to the tray and back: the one place that knows where it lies.

    profile = load("bar", data_folder)           # calibration.profilefile
    profile.fits((1280, 720))                    # ProfileError: made for another camera
    view = profile.view(frame)                   # the part of the frame that is read
    profile.where(points)                        # "tray", "kept" or "beside" for each

Everything is told in pixels of the frame as the camera gives it, whatever the lens does.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from types import MappingProxyType
from typing import Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from calibration.checks import Fault, ProfileError, faults_of
from calibration.geometry import Box, Matrix, Points, bounds, inside, mapped, middle_of, stretch
from calibration.lens import Lens

__all__ = [
    "WHOLE_PICTURE", "Box", "Image", "Lens", "Look", "Matrix", "Pictured", "Place", "Points", "Profile", "ProfileError",
    "TrayView",
]  # fmt: skip

Image = NDArray[np.uint8]
"""(height, width, 3) uint8, blue green red."""

Place = Literal["tray", "kept", "beside"]
"""Where something lies: thrown into the tray, laid aside in the kept zone, or neither."""

MARGIN = 1.5
"""Dice beside the tray that a view shows."""
MARGIN_UNKNOWN = 0.1
"""The same as a share of the tray's longer side, while nobody knows how large a die is."""


class Pictured(Protocol):
    """Something with a picture of the table, as a frame is."""

    @property
    def image(self) -> Image:
        """(height, width, 3) uint8, blue green red."""


@dataclass(frozen=True, slots=True)
class TrayView:
    """The tray as it is read: `image`, and the way back to the frame that it came from.

    `to_frame` maps its pixels to those of the frame; where the view shows what a `lens` bent as straight, to those of
    the straight frame, and the lens to the real one. `points` and `box` do all of it.
    """

    image: Image = field(repr=False)
    to_frame: Matrix
    lens: Lens | None = None

    def points(self, points: Points) -> Points:
        """Where points (n, 2) of the view lie in the frame. Raises ValueError for another shape."""
        there = mapped(points, self.to_frame)
        return there if self.lens is None else self.lens.bent(there)

    def box(self, box: Box) -> Box:
        """The upright box in the frame that holds the corners of a box of the view."""
        x0, y0, x1, y1 = box
        return bounds(self.points(np.array([(x0, y0), (x1, y0), (x1, y1), (x0, y1)], dtype=np.float64)))


@dataclass(frozen=True, slots=True)
class Look:
    """The mean colours of a set of dice, blue green red from 0 to 255: of the upper faces, and of the pips on them."""

    body: tuple[float, float, float]
    pips: tuple[float, float, float]


@dataclass(frozen=True, slots=True, eq=False)
class Profile:
    """What is known of one table. Raises ProfileError, with all faults, when it cannot be true.

    `size` is (width, height) of the frames that it was made for, None for any. `tray` is the outline of the tray with
    its rim, `kept` that of the zone where kept dice are laid, (n, 2) pixels of the frame, n >= 3; None for the whole
    picture, and for no such zone. `shape` is one of `SHAPES`. `ground` maps pixels of the frame, straight if there is
    a `lens`, to the table's plane in edges of a die. `die_px` is the edge of a die near the tray's middle in pixels,
    `dice` how many this set has, `look` what they look like. `camera` holds settings by name (`exposure`, `focus` ...),
    `reference` is the picture of the table when the profile was made, `name` what the table is called.
    """

    size: tuple[int, int] | None = None
    tray: Points | None = None
    shape: str = "picture"
    ground: Matrix | None = None
    die_px: float | None = None
    kept: Points | None = None
    dice: int | None = None
    lens: Lens | None = None
    camera: Mapping[str, float] = field(default_factory=dict)
    reference: Image | None = field(default=None, repr=False)
    name: str = ""
    look: Look | None = None

    def __post_init__(self) -> None:
        for each in ("tray", "kept", "ground"):
            value = getattr(self, each)
            if value is not None:
                object.__setattr__(self, each, _frozen(value))
        object.__setattr__(self, "camera", MappingProxyType(dict(self.camera)))
        faults = faults_of(self)
        if faults:
            raise ProfileError.of("The profile cannot be used", faults)

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return all(_same(getattr(self, each.name), getattr(other, each.name)) for each in fields(self))

    __hash__ = None  # type: ignore[assignment]  # equal by what arrays hold

    def fits(self, size: Sequence[int]) -> None:
        """Raises ProfileError when frames of this (width, height) are not those that the profile was made for."""
        if self.size is not None and tuple(size) != self.size:
            told = f"the profile {self.name}" if self.name else "this profile"
            fault = (
                f"{told} was made for pictures of {self.size[0]}x{self.size[1]} pixels, the camera gives "
                f"{size[0]}x{size[1]}: choose the camera it was made with, or calibrate again"
            )
            raise ProfileError(fault[0].upper() + fault[1:] + ".", (Fault("size", None, fault),))

    def view(self, frame: Pictured) -> TrayView:
        """The tray in `frame`, with a margin so that dice beside it are seen. Raises ProfileError as `fits` does.

        Without a lens its picture is a part of the frame's, not a copy.
        """
        height, width = frame.image.shape[:2]
        self.fits((width, height))
        if self.tray is None and self.lens is None:
            return TrayView(frame.image, np.eye(3))
        left, top, right, bottom = self.crop(width, height)
        shift = np.array([[1.0, 0, left], [0, 1, top], [0, 0, 1]])
        if self.lens is None:
            return TrayView(frame.image[top:bottom, left:right], shift)
        straight = self.lens.straightened(frame.image, left, top, right - left, bottom - top)
        return TrayView(straight, shift, self.lens)

    def crop(self, width: int, height: int) -> tuple[int, int, int, int]:
        """What of a frame of this size a view shows: x0, y0, x1, y1 in whole pixels (straight ones with a lens)."""
        if self.tray is None:
            return (0, 0, width, height)
        x0, y0, x1, y1 = bounds(self.tray if self.lens is None else self.lens.straight(self.tray))
        longer = max(x1 - x0, y1 - y0)
        margin = MARGIN * self.die_px if self.die_px else MARGIN_UNKNOWN * longer
        left, top = max(0, int(x0 - margin)), max(0, int(y0 - margin))
        return (left, top, min(width, round(x1 + margin) + 1), min(height, round(y1 + margin) + 1))

    def where(self, points: Points) -> tuple[Place, ...]:
        """Where each of points (n, 2) of the frame lies. Without an outline all of the picture is the tray."""
        points = np.asarray(points, dtype=np.float64).reshape(-1, 2)
        count = len(points)
        kept = inside(self.kept, points) if self.kept is not None else np.zeros(count, bool)
        tray = inside(self.tray, points) if self.tray is not None else np.ones(count, bool)
        return tuple("kept" if k else "tray" if t else "beside" for k, t in zip(kept, tray, strict=True))

    def die_size(self, points: Points) -> NDArray[np.float64] | None:
        """How long the edge of a die at each of points (n, 2) of the frame is in it, (n,) pixels; None: not known."""
        points = np.asarray(points, dtype=np.float64).reshape(-1, 2)
        if self.ground is not None:
            straight = points if self.lens is None else self.lens.straight(points)
            return np.asarray(1 / np.maximum(stretch(straight, self.ground), 1e-9))
        return None if self.die_px is None else np.full(len(points), self.die_px)

    @property
    def middle(self) -> tuple[float, float] | None:
        """The middle of the tray in pixels of the frame; of the picture without an outline, None of any picture."""
        if self.tray is not None:
            return middle_of(self.tray)
        return None if self.size is None else (self.size[0] / 2, self.size[1] / 2)


def _frozen(value: object) -> NDArray[np.float64]:
    """A copy that nobody changes; what is no table of numbers becomes an empty one, which the checks refuse."""
    try:
        array = np.array(value, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        array = np.zeros(0)
    array.flags.writeable = False
    return array


def _same(one: object, other: object) -> bool:
    if isinstance(one, np.ndarray) or isinstance(other, np.ndarray):
        return isinstance(one, np.ndarray) and isinstance(other, np.ndarray) and np.array_equal(one, other)
    return one == other


WHOLE_PICTURE = Profile()
"""Without any calibration: the whole picture is the tray."""
