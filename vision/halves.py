"""A picture with its halvings: what is small in the end is made from one of them, quickly and without aliasing."""

from __future__ import annotations

import math

import cv2
import numpy as np
from numpy.typing import NDArray

CROP = 64
"""Side of a crop in pixels."""


class Halves:
    """A picture (h, w, 3) uint8 BGR; its halvings are made when first needed."""

    def __init__(self, image: NDArray[np.uint8]) -> None:
        self._levels = [image]

    @property
    def image(self) -> NDArray[np.uint8]:
        """The picture itself."""
        return self._levels[0]

    def _level(self, level: int) -> NDArray[np.uint8]:
        """The picture halved so many times, or as often as it can be."""
        while len(self._levels) <= level and min(self._levels[-1].shape[:2]) >= 2:
            half = cv2.resize(self._levels[-1], None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
            self._levels.append(np.asarray(half, np.uint8))
        return self._levels[min(level, len(self._levels) - 1)]

    def resized(self, width: int, height: int) -> NDArray[np.uint8]:
        """The whole picture at another size, (height, width, 3) uint8."""
        own = max(self.image.shape[1], 1)
        level = max(0, math.floor(math.log2(own / width) + 1e-6))
        image = self._level(level)
        if image.shape[:2] == (height, width):
            return image
        return np.asarray(cv2.resize(image, (width, height), interpolation=cv2.INTER_LINEAR), np.uint8)

    def crop(
        self, x: float, y: float, side: float, turn: float, fill: tuple[float, ...] | None = None
    ) -> NDArray[np.uint8]:
        """Cuts the square of `side` pixels around (x, y), turned by `turn` degrees, to (64, 64, 3) uint8.

        What lies outside the picture repeats its edge, or has the colour `fill` (BGR, 0 to 255).
        """
        level = max(0, min(6, math.floor(math.log2(max(side, 1) / CROP))))
        image = self._level(level)
        level = min(level, len(self._levels) - 1)
        scale = CROP / side * 2**level
        c, s = math.cos(math.radians(turn)) * scale, math.sin(math.radians(turn)) * scale
        x, y = x / 2**level, y / 2**level
        matrix = np.array([[c, -s, CROP / 2 - c * x + s * y], [s, c, CROP / 2 - s * x - c * y]])
        border = cv2.BORDER_REPLICATE if fill is None else cv2.BORDER_CONSTANT
        out = cv2.warpAffine(
            image, matrix, (CROP, CROP), flags=cv2.INTER_LINEAR, borderMode=border, borderValue=fill or ()
        )
        return np.asarray(out, np.uint8)
