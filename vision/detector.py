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

from vision.halves import Halves
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
"""Findings with a score above LIKELY in which the reader sees no die are tried so many times smaller."""
SMALL_ENOUGH = 50.0
"""Where all likely findings of a glance are smaller than this, pixels of the picture looked at, dice of more than
LARGEST would be far larger than the others, and are not looked for."""
MOST = 160
"""Findings kept of one picture at most, best first."""


@dataclass(frozen=True, slots=True)
class Candidates:
    """Places where a die may lie, best score first.

    `centers` (n, 2) float32, pixels x y; `sizes` (n,) float32, side of the square box in pixels; `best` (n,) and `mean`
    (n,) float32, the highest score and the mean over the pictures of the pyramid in which a die of that size can be
    seen, 0 to 1. The last `guessed` of them were not found so, they are others at another size.
    """

    centers: Floats
    sizes: Floats
    best: Floats
    mean: Floats
    guessed: int = 0

    def __len__(self) -> int:
        return len(self.sizes)

    @property
    def found(self) -> int:
        """How many, from the first on, were found by the detector as they are."""
        return len(self) - self.guessed


class Detector:
    """Finds dice with `detector.onnx`. Raises ModelError when the file is not as it should be."""

    def __init__(self, folder: Path | None = None, threads: int = 0) -> None:
        self._session = Session("detector.onnx", folder, threads)

    def find(self, halves: Halves) -> Candidates:
        """Finds candidates of all sizes in a picture."""
        height, width = halves.image.shape[:2]
        scales = pyramid(width, height)
        rows = [self.level(halves, scale) for scale in scales]
        return merge(np.concatenate(rows), np.array(scales, np.float32))

    def glance(self, halves: Halves, die_size: float | None = None) -> Candidates:
        """Finds candidates at `quick_scale`, in a tenth of the time, and at half of it unless those found are so small
        that no other will be too large."""
        height, width = halves.image.shape[:2]
        scale = quick_scale(width, height, die_size)
        scales, rows = [scale], [self.level(halves, scale)]
        likely = rows[0][rows[0][:, 3] > LIKELY, 2] * scale
        if likely.max(initial=0) >= SMALL_ENOUGH or not len(likely):
            scales.append(scale / 2)
            rows.append(self.level(halves, scale / 2))
        return merge(np.concatenate(rows), np.array(scales, np.float32))

    def level(self, halves: Halves, scale: float) -> Floats:
        """Findings at one scale: (n, 4) float32 with columns x, y, size in pixels of the picture, score."""
        height, width = halves.image.shape[:2]
        w, h = max(8, round(width * scale)), max(8, round(height * scale))
        small = halves.resized(w, h)
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


def shrunk(candidates: Candidates, which: NDArray[np.bool_]) -> Candidates:
    """Some of the candidates, `which` (n,) bool, at a smaller size: what lies round a die may be taken for its edge.

    Whether that frames a die is for the reader to say. (Larger ones are not tried: seen from farther off, a symbol on a
    face looks like a pip.)
    """
    sizes = candidates.sizes[which] / np.float32(OTHER_SIZE)
    return Candidates(candidates.centers[which], sizes, candidates.best[which], candidates.mean[which])


def joined(found: Candidates, guessed: Candidates) -> Candidates:
    """Both, those that were found first."""
    return Candidates(
        np.concatenate([found.centers, guessed.centers]),
        np.concatenate([found.sizes, guessed.sizes]),
        np.concatenate([found.best, guessed.best]),
        np.concatenate([found.mean, guessed.mean]),
        len(guessed),
    )


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
