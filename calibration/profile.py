"""From a picture of the table to the tray as it is read, and back: the one place that knows where the tray lies."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]
"""(height, width, 3) uint8, blue green red."""

Points = NDArray[np.float64]
"""(n, 2) float64, pixels, x to the right and y down, origin at the upper left corner."""

Matrix = NDArray[np.float64]
"""(3, 3) float64: a projective map of (x, y, 1), up to a factor."""

Box = tuple[float, float, float, float]
"""x0, y0, x1, y1 in pixels, x0 < x1 and y0 < y1."""


class Pictured(Protocol):
    """Something with a picture of the table, as a frame is."""

    @property
    def image(self) -> Image:
        """(height, width, 3) uint8, blue green red."""


@dataclass(frozen=True, slots=True)
class TrayView:
    """The tray as it is read: `image`, and `to_frame`, which maps its pixels to those of the frame it came from."""

    image: Image = field(repr=False)
    to_frame: Matrix

    def points(self, points: Points) -> Points:
        """Where points (n, 2) of the view lie in the frame. Raises ValueError for another shape."""
        if points.ndim != 2 or points.shape[1] != 2:
            raise ValueError(f"Points must be (n, 2), these are {points.shape}.")
        mapped = np.column_stack([points, np.ones(len(points))]) @ self.to_frame.T
        return np.asarray(mapped[:, :2] / mapped[:, 2:], dtype=np.float64)

    def box(self, box: Box) -> Box:
        """The upright box in the frame that holds a box of the view."""
        x0, y0, x1, y1 = box
        corners = self.points(np.array([(x0, y0), (x1, y0), (x1, y1), (x0, y1)], dtype=np.float64))
        left, top = corners.min(axis=0).tolist()
        right, bottom = corners.max(axis=0).tolist()
        return (left, top, right, bottom)


class Profile:
    """What is known of one table: here, that the whole picture is the tray."""

    def view(self, frame: Pictured) -> TrayView:
        """The tray in `frame`."""
        return TrayView(frame.image, np.eye(3))


WHOLE_PICTURE = Profile()
