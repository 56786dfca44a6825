"""The printed sheet in pictures: the scale of the table, its perspective, and what the lens bends.

seen = find_sheet(image)                # MarkersError says what to do
seen.mm_per_px, seen.ground(die_mm=16)
lens = measured_lens([seen, ...])       # None with fewer than five views that differ
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.checks import ProfileError
from calibration.geometry import Matrix, Points, mapped, stretch, undone
from calibration.lens import Lens
from calibration.sheet import COLUMNS, ROWS, SQUARE_MM, board

Image = NDArray[np.uint8]

CORNERS = (COLUMNS - 1) * (ROWS - 1)
"""How many corners of squares the board has inside."""
LEAST_CORNERS = 12
DIE_MM = 16.0
"""Edge of a common die."""
VIEWS = 5
"""How many views of the sheet a lens needs."""

_OFF_MM = 1.2  # how far corners may be from a flat sheet: more is a sheet that is bent
_SPREAD = 0.55  # of the picture's width and height that the corners of all views must cover
_TILTED = 0.08  # how much at least some views must taper, so that focal lengths can be told
_OFF_PX = 0.002  # of the picture's width: error of a lens that is not believed


class MarkersError(ProfileError):
    """The sheet cannot be used as the picture shows it; the message says what to do."""


@dataclass(frozen=True, slots=True, eq=False)
class SheetSeen:
    """The sheet in a picture of `size` (width, height).

    `numbers` (n,) are the corners of the board's squares that were seen, `pixels` (n, 2) where, `to_mm` maps pixels to
    millimetres on the sheet, `off_mm` is how far corners are from where a flat sheet has them, the worst tenth.
    """

    size: tuple[int, int]
    numbers: NDArray[np.intp]
    pixels: Points
    to_mm: Matrix
    off_mm: float

    @property
    def places(self) -> Points:
        """Where the corners seen are on the sheet, (n, 2) millimetres."""
        return np.asarray(board().getChessboardCorners(), np.float64)[self.numbers, :2]

    @property
    def mm_per_px(self) -> float:
        """Millimetres of the table that a pixel shows in the middle of the sheet."""
        middle = mapped(np.array([[COLUMNS * SQUARE_MM / 2, ROWS * SQUARE_MM / 2]]), undone(self.to_mm))
        return float(stretch(middle, self.to_mm)[0])

    @property
    def whole(self) -> bool:
        """Whether all of the board was seen."""
        return len(self.numbers) == CORNERS

    def ground(self, die_mm: float = DIE_MM) -> Matrix:
        """From pixels of the frame to the table in edges of a die that is so large: a profile's `ground`."""
        return np.diag([1 / die_mm, 1 / die_mm, 1.0]) @ self.to_mm


def find_sheet(image: Image) -> SheetSeen:
    """The sheet in a picture (h, w, 3) uint8 BGR. Raises MarkersError where it is not, or not enough of it, is seen."""
    detector = cv2.aruco.CharucoDetector(board())
    corners, numbers, markers, _ = detector.detectBoard(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY))
    count = 0 if numbers is None else len(numbers)
    if count < LEAST_CORNERS:
        seen = 0 if markers is None else len(markers)
        if not seen:
            raise MarkersError(
                "The printed sheet was not found. Lay it flat into the picture, all of it, in even light and in focus."
            )
        raise MarkersError(
            f"Only part of the printed sheet was found: {count} of {CORNERS} corners. Show all of it, with nothing on "
            "it and no lamp mirrored in it."
        )
    pixels = np.asarray(corners, np.float64).reshape(-1, 2)
    at = np.asarray(numbers, np.intp).ravel()
    places = np.asarray(board().getChessboardCorners(), np.float64)[at, :2]
    matrix = cv2.findHomography(pixels, places, cv2.LMEDS)[0]
    if matrix is None or np.ptp(places, axis=0).min() < SQUARE_MM:
        raise MarkersError("Too little of the printed sheet was found to tell how it lies. Show all of it.")
    to_mm = np.asarray(matrix, np.float64)
    off = float(np.quantile(np.linalg.norm(mapped(pixels, to_mm) - places, axis=1), 0.9))
    return SheetSeen((image.shape[1], image.shape[0]), at, pixels, to_mm, off)


def flat(seen: SheetSeen) -> None:
    """Raises MarkersError when the sheet is not flat (or the lens bends it as much): its scale would be wrong."""
    if seen.off_mm > _OFF_MM:
        raise MarkersError(
            f"The printed sheet is not flat: corners are {seen.off_mm:.1f} mm off. Press it flat onto the table, or "
            "measure the lens first, with five views of the sheet."
        )


def straightened(seen: SheetSeen, lens: Lens) -> SheetSeen:
    """The same with what the lens bends taken out: `to_mm` then maps pixels of the straight picture."""
    straight = lens.straight(seen.pixels)
    matrix = np.asarray(cv2.findHomography(straight, seen.places, cv2.LMEDS)[0], np.float64)
    off = float(np.quantile(np.linalg.norm(mapped(straight, matrix) - seen.places, axis=1), 0.9))
    return SheetSeen(seen.size, seen.numbers, straight, matrix, off)


def measured_lens(views: Sequence[SheetSeen]) -> Lens | None:
    """The lens of the camera that took the views; None where they are too few, too much alike, or do not agree."""
    if len(views) < VIEWS or len({view.size for view in views}) > 1 or not _spread(views):
        return None
    size = views[0].size
    objects = [
        np.column_stack([view.places, np.zeros(len(view.places))]).astype(np.float32) for view in views
    ]
    images = [view.pixels.astype(np.float32).reshape(-1, 1, 2) for view in views]
    try:
        # One focal length for both directions and no third coefficient: five views do not tell more.
        error, matrix, bends, _, _ = cv2.calibrateCamera(
            objects, images, size,
            np.array([[max(size), 0, size[0] / 2], [0, max(size), size[1] / 2], [0, 0, 1]], np.float64), np.zeros(5),
            flags=cv2.CALIB_USE_INTRINSIC_GUESS | cv2.CALIB_FIX_K3 | cv2.CALIB_FIX_ASPECT_RATIO,
        )  # fmt: skip
    except cv2.error:
        return None
    k1, k2, p1, p2, k3 = (float(each) for each in np.asarray(bends).ravel()[:5])
    fx, fy, cx, cy = (float(matrix[at]) for at in ((0, 0), (1, 1), (0, 2), (1, 2)))
    lens = Lens(fx, fy, cx, cy, k1, k2, p1, p2, k3)
    return lens if error <= _OFF_PX * size[0] and _plausible(lens, size) else None


def _spread(views: Sequence[SheetSeen]) -> bool:
    """Whether the views cover much of the picture, and show the sheet from different sides."""
    width, height = views[0].size
    covered = np.ptp(np.concatenate([view.pixels for view in views]), axis=0) / (width, height)
    tapers = []
    for view in views:
        corners = np.array([[0.0, 0], [1, 0], [1, 1], [0, 1]]) * (COLUMNS * SQUARE_MM, ROWS * SQUARE_MM)
        seen = mapped(corners, undone(view.to_mm))
        sides = np.linalg.norm(np.roll(seen, -1, axis=0) - seen, axis=1)
        tapers.append((np.log(sides[0] / sides[2]), np.log(sides[1] / sides[3])))
    # Views from the same side taper alike, and tell nothing of the focal length.
    differ = float(np.ptp(np.array(tapers), axis=0).max())
    return bool((covered >= _SPREAD).all() and differ >= _TILTED)


def _plausible(lens: Lens, size: tuple[int, int]) -> bool:
    """Whether it can be undone all over the picture, and its focal length and middle are those of a camera."""
    width, height = size
    if not (
        0.3 * width < lens.fx < 6 * width and 0.3 < lens.cx / width < 0.7 and 0.3 < lens.cy / height < 0.7
    ):
        return False
    line = np.linspace(0, 1, 7)
    grid = np.stack(np.meshgrid(width * line, height * line), -1).reshape(-1, 2)
    with np.errstate(all="ignore"):
        off = np.abs(lens.bent(lens.straight(grid)) - grid)
    return bool(np.isfinite(off).all() and off.max() < 0.5)
