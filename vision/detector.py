"""Where dice may be: a network run over a pyramid of sizes, its findings of all sizes kept.

Nothing is thrown away here for its size or place; whether a finding is a die is decided later, by what the reader says.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.session import Floats, Session, to_input

STRIDE = 8
GRID = 16
"""The network takes pictures whose sides are multiples of this many pixels."""
BORDER = 8
"""Pixels round a picture, so that dice at its edge have something around them."""
REFERENCE = 32.0
"""The network gives a die's size as the logarithm over this many pixels."""
SMALLEST, LARGEST = 15.0, 84.0
"""Sizes in pixels of a pyramid's picture that the network is trained to find."""
LONGEST = 1280
"""The finest picture of the pyramid has at most so many pixels on its longer side."""
STEP = math.sqrt(2)
QUICK = 512
"""At first sight a picture is looked at once, with so many pixels on its longer side."""
KNOWN = 20.0
"""Where it is known how large a die appears, the picture is brought to where a die has so many pixels."""
LEAST_SCORE = 0.12
LIKELY = 0.3
OTHER_SIZE = 1.5
"""Findings with a score above LIKELY are also looked at so many times smaller and larger."""
MOST = 160
"""Findings kept of one picture at most, best first."""


@dataclass(frozen=True, slots=True)
class Candidates:
    """Places where a die may lie, best score first.

    `centers` (n, 2) float32, pixels x y; `sizes` (n,) float32, side of the square box in pixels; `best` (n,) and `mean`
    (n,) float32, the highest score and the mean over the pictures of the pyramid in which a die of that size can be
    seen, 0 to 1. The first `found` of them (None: all) were found so, the others are the same with other sizes.
    """

    centers: Floats
    sizes: Floats
    best: Floats
    mean: Floats
    found: int | None = None

    def __len__(self) -> int:
        return len(self.sizes)


class Detector:
    """Finds dice with `detector.onnx`. Raises ModelError when the file is not as it should be."""

    def __init__(self, folder: Path | None = None, threads: int = 0) -> None:
        self._session = Session("detector.onnx", folder, threads)

    def find(self, image: NDArray[np.uint8]) -> Candidates:
        """Finds candidates of all sizes in a picture (h, w, 3) uint8 BGR."""
        return self._find(image, pyramid(image.shape[1], image.shape[0]))

    def glance(self, image: NDArray[np.uint8], die_size: float | None = None) -> Candidates:
        """Finds candidates at `quick_scale`, and at half of it those that are large: in a tenth of the time."""
        scale = quick_scale(image.shape[1], image.shape[0], die_size)
        return self._find(image, [scale] if die_size else [scale, scale / 2])

    def _find(self, image: NDArray[np.uint8], scales: list[float]) -> Candidates:
        rows = [self.level(image, scale) for scale in scales]
        return merge(np.concatenate(rows), np.array(scales, np.float32))

    def level(self, image: NDArray[np.uint8], scale: float) -> Floats:
        """Findings at one scale: (n, 4) float32 with columns x, y, size in pixels of the picture, score."""
        height, width = image.shape[:2]
        w, h = max(8, round(width * scale)), max(8, round(height * scale))
        method = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
        small = cv2.resize(image, (w, h), interpolation=method) if (w, h) != (width, height) else image
        right, bottom = BORDER + (-w - 2 * BORDER) % GRID, BORDER + (-h - 2 * BORDER) % GRID
        padded = cv2.copyMakeBorder(small, BORDER, bottom, BORDER, right, cv2.BORDER_REPLICATE)
        out = self._session.run(to_input(np.asarray(padded, np.uint8)))[0]
        score = 1 / (1 + np.exp(-out[0]))
        top = cv2.dilate(score, np.ones((3, 3), np.uint8))
        ys, xs = np.nonzero((score >= top) & (score > LEAST_SCORE))
        size = np.exp(np.clip(out[3, ys, xs], -3, 3)) * REFERENCE
        x = (xs + 0.5 + np.clip(out[1, ys, xs], -1.5, 1.5)) * STRIDE - BORDER
        y = (ys + 0.5 + np.clip(out[2, ys, xs], -1.5, 1.5)) * STRIDE - BORDER
        table = np.stack([x * (width / w), y * (height / h), size / scale, score[ys, xs]], 1).astype(
            np.float32
        )
        middle = (x > -1) & (x < w + 1) & (y > -1) & (y < h + 1)
        return np.asarray(table[middle], np.float32)


def resized(candidates: Candidates) -> Candidates:
    """The candidates, and the likely ones once more smaller and larger: what is round a die may be taken for its edge.

    Which of them frames a die is for the reader to say.
    """
    again = candidates.best > LIKELY
    columns = [
        np.concatenate([column, column[again], column[again]])
        for column in (candidates.centers, candidates.best, candidates.mean)
    ]
    sizes = candidates.sizes
    sizes = np.concatenate([sizes, sizes[again] / OTHER_SIZE, sizes[again] * OTHER_SIZE]).astype(np.float32)
    return Candidates(columns[0], sizes, columns[1], columns[2], len(candidates))


def quick_scale(width: int, height: int, die_size: float | None = None) -> float:
    """The scale at which a picture is looked at first; `die_size`: how large a die appears in it, if known, pixels."""
    if die_size is not None:
        return min(1.0, KNOWN / die_size)
    return min(1.0, QUICK / max(width, height))


def pyramid(width: int, height: int) -> list[float]:
    """Scales at which a picture is searched, finest first."""
    longer = max(width, height)
    scale = min(LONGEST / longer, 2.0 if longer < 400 else 1.0)
    scales = [scale]
    while longer * scales[-1] / STEP >= 120:
        scales.append(scales[-1] / STEP)
    return scales


def merge(rows: Floats, scales: Floats) -> Candidates:
    """Makes one candidate of findings of nearly the same place and size; rows (n, 4) as x, y, size, score."""
    order = np.argsort(-rows[:, 3], kind="stable")
    rows = rows[order]
    used = np.zeros(len(rows), bool)
    out: list[tuple[float, float, float, float, float]] = []
    for index in range(len(rows)):
        if used[index] or len(out) >= MOST:
            continue
        x, y, size, score = rows[index]
        near = np.hypot(rows[:, 0] - x, rows[:, 1] - y) < 0.25 * size
        alike = np.abs(np.log(rows[:, 2] / size)) < 0.35
        group = near & alike & ~used
        used |= group
        members = rows[group]
        weight = members[:, 3] ** 2
        weight = weight / weight.sum()
        size = float(np.exp((weight * np.log(members[:, 2])).sum()))
        seen = scales * size
        fitting = max(1, int(((seen > SMALLEST * 1.1) & (seen < LARGEST * 0.9)).sum()))
        mean = min(1.0, float(members[:, 3].sum()) / fitting)
        out.append(
            (
                float((weight * members[:, 0]).sum()),
                float((weight * members[:, 1]).sum()),
                size,
                float(score),
                mean,
            )
        )
    table = np.array(out, np.float32).reshape(-1, 5)
    return Candidates(table[:, :2], table[:, 2], table[:, 3], table[:, 4])
