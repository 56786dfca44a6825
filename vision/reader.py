"""What the upper face of a die shows: a network that looks at a crop of the picture at full resolution."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.detector import Candidates
from vision.roll import CLASSES, NOTHING
from vision.session import Floats, Session, to_input

CROP = 64
MARGIN = 1.5
"""A crop is this many times as wide as the die's square box."""
VIEWS: tuple[tuple[float, float, bool], ...] = (
    (1.0, 0.0, False),
    (0.9, -10.0, True),
    (1.1, 8.0, False),
    (0.95, 14.0, True),
    (1.05, -14.0, False),
    (1.0, 4.0, True),
)
"""Each die is looked at in these ways: factor of its size, turn in degrees, mirrored. The turns are small: seen from
the side, it is the picture's upright that tells the upper face from the others."""
BATCH = 96
SURELY_NOTHING = 0.97
"""A finding that is nothing with this probability in the first view is not looked at again."""


class Reader:
    """Reads dice with `reader.onnx`. Raises ModelError when the file is not as it should be."""

    def __init__(self, folder: Path | None = None, threads: int = 0) -> None:
        self._session = Session("reader.onnx", folder, threads)

    def read(self, image: NDArray[np.uint8], candidates: Candidates, views: int = len(VIEWS)) -> Floats:
        """Reads each candidate in a picture (h, w, 3) uint8 BGR, in so many `views`.

        Returns log-probabilities (n, views, 8) float32, one row a view.
        """
        count = len(candidates)
        if count == 0:
            return np.zeros((0, views, CLASSES), np.float32)
        halves = Halves(image)
        out = np.repeat(self._look(halves, candidates, range(count), VIEWS[:1]), views, axis=1)
        # Most findings are clearly nothing at first sight and need no second one.
        likely = np.nonzero(np.exp(out[:, 0, NOTHING]) < SURELY_NOTHING)[0].tolist()
        if likely:
            out[likely, 1:] = self._look(halves, candidates, likely, VIEWS[1:views])
        return out

    def _look(
        self,
        halves: Halves,
        candidates: Candidates,
        chosen: Sequence[int],
        views: Sequence[tuple[float, float, bool]],
    ) -> Floats:
        """Log-probabilities (chosen, views, 7) of the chosen candidates."""
        crops = np.empty((len(chosen) * len(views), CROP, CROP, 3), np.uint8)
        for row, index in enumerate(chosen):
            x, y = (float(v) for v in candidates.centers[index])
            for view, (factor, turn, mirrored) in enumerate(views):
                side = float(candidates.sizes[index]) * MARGIN * factor
                crop = halves.crop(x, y, side, turn)
                crops[row * len(views) + view] = crop[:, ::-1] if mirrored else crop
        parts = [self._session.run(to_input(crops[i : i + BATCH])) for i in range(0, len(crops), BATCH)]
        logits = np.concatenate(parts).reshape(len(chosen), len(views), CLASSES)
        logits = logits - logits.max(2, keepdims=True)
        return np.asarray(logits - np.log(np.exp(logits).sum(2, keepdims=True)), np.float32)


class Halves:
    """A picture with its halvings, made when first needed, so that large dice are cut without aliasing."""

    def __init__(self, image: NDArray[np.uint8]) -> None:
        self._levels = [image]

    def crop(
        self, x: float, y: float, side: float, turn: float, fill: tuple[float, ...] | None = None
    ) -> NDArray[np.uint8]:
        """Cuts the square of `side` pixels around (x, y), turned by `turn` degrees, to (64, 64, 3) uint8.

        What lies outside the picture repeats its edge, or has the colour `fill` (BGR, 0 to 255).
        """
        level = max(0, min(6, math.floor(math.log2(max(side, 1) / CROP))))
        while len(self._levels) <= level and min(self._levels[-1].shape[:2]) >= 2:
            half = cv2.resize(self._levels[-1], None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
            self._levels.append(np.asarray(half, np.uint8))
        level = min(level, len(self._levels) - 1)
        image = self._levels[level]
        scale = CROP / side * 2**level
        c, s = math.cos(math.radians(turn)) * scale, math.sin(math.radians(turn)) * scale
        x, y = x / 2**level, y / 2**level
        matrix = np.array([[c, -s, CROP / 2 - c * x + s * y], [s, c, CROP / 2 - s * x - c * y]])
        border = cv2.BORDER_REPLICATE if fill is None else cv2.BORDER_CONSTANT
        out = cv2.warpAffine(
            image, matrix, (CROP, CROP), flags=cv2.INTER_LINEAR, borderMode=border, borderValue=fill or ()
        )
        return np.asarray(out, np.uint8)
