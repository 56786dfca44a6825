"""How a lens bends straight lines, and the way back to a picture in which they are straight."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.geometry import Points

_STEPS, _EXACT = 60, 1e-9
"""Of the way back: most rounds, and what is near enough, in focal lengths."""


@dataclass(frozen=True, slots=True)
class Lens:
    """Focal lengths `fx`, `fy` and middle `cx`, `cy` in pixels of the frame, and what bends lines.

    `k1`, `k2`, `k3` bend along the radius, `p1` and `p2` along the tangent: the model of Brown and Conrady as OpenCV
    has it.
    """

    fx: float
    fy: float
    cx: float
    cy: float
    k1: float = 0.0
    k2: float = 0.0
    p1: float = 0.0
    p2: float = 0.0
    k3: float = 0.0

    def straight(self, points: Points) -> Points:
        """Where points (n, 2) of the frame would be, had the lens bent nothing."""
        guess = np.asarray((points - (self.cx, self.cy)) / (self.fx, self.fy), dtype=np.float64)
        for _ in range(_STEPS):
            seen = (self.bent(guess * (self.fx, self.fy) + (self.cx, self.cy)) - points) / (self.fx, self.fy)
            guess -= seen
            if not len(guess) or np.abs(seen).max() < _EXACT:
                break
        return np.asarray(guess * (self.fx, self.fy) + (self.cx, self.cy), dtype=np.float64)

    def bent(self, points: Points) -> Points:
        """Where points (n, 2) of the straight picture are in the frame: the inverse of `straight`."""
        x = (points[:, 0] - self.cx) / self.fx
        y = (points[:, 1] - self.cy) / self.fy
        r2 = x * x + y * y
        radial = 1 + r2 * (self.k1 + r2 * (self.k2 + r2 * self.k3))
        bent_x = x * radial + 2 * self.p1 * x * y + self.p2 * (r2 + 2 * x * x)
        bent_y = y * radial + self.p1 * (r2 + 2 * y * y) + 2 * self.p2 * x * y
        return np.column_stack([bent_x * self.fx + self.cx, bent_y * self.fy + self.cy])

    def straightened(
        self, image: NDArray[np.uint8], left: int, top: int, width: int, height: int
    ) -> NDArray[np.uint8]:
        """The part of the straight picture that begins at (left, top), (height, width, 3) uint8."""
        across, down = _maps(self, left, top, width, height)
        return np.asarray(cv2.remap(image, across, down, cv2.INTER_LINEAR), np.uint8)


@lru_cache(maxsize=8)
def _maps(
    lens: Lens, left: int, top: int, width: int, height: int
) -> tuple[NDArray[np.int16], NDArray[np.uint16]]:
    """For each pixel of a part of the straight picture, where it is in the frame, as `cv2.remap` has it quickest."""
    grid = np.stack(np.meshgrid(np.arange(left, left + width), np.arange(top, top + height)), axis=-1)
    at = lens.bent(grid.reshape(-1, 2).astype(np.float64)).reshape(height, width, 2).astype(np.float32)
    across, down = cv2.convertMaps(at[..., 0], at[..., 1], cv2.CV_16SC2)
    return np.asarray(across, np.int16), np.asarray(down, np.uint16)
