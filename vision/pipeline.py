"""One picture in, one `Reading` out: detector, reader and judgement together."""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from vision.detector import Candidates, Detector
from vision.errors import PictureError
from vision.judge import combine, compete, features, load_judge, unexplained
from vision.reader import Reader
from vision.roll import Box, DieReading, Reading, add_reason
from vision.session import Floats

SMALLEST_PICTURE = 16
"""A picture must have at least so many pixels on each side."""
NEAR = 0.62
"""A die whose neighbour is nearer than this share of their sizes overlaps it in the picture."""


@dataclass(frozen=True, slots=True)
class Findings:
    """Everything that was found and judged, before anything is left out: candidates, views (n, views, 7), features
    (n, k), and the probability (n,) of being a die read right."""

    candidates: Candidates
    views: Floats
    columns: Floats
    probability: Floats


class DiceReader:
    """Reads the dice in pictures. Safe to use from one thread at a time.

    `models` is a folder with other model files than the shipped ones; `threads` 0 lets the runtime choose. Raises
    ModelError when a model file is missing, damaged or swapped.
    """

    def __init__(self, models: Path | None = None, threads: int = 0) -> None:
        self._detector = Detector(models, threads)
        self._reader = Reader(models, threads)
        self._judge = load_judge(models)

    def find(self, image: NDArray[np.uint8]) -> Findings:
        """All findings in a picture (h, w, 3) uint8 BGR; what `read` chooses from. Raises PictureError."""
        if image.ndim != 3 or image.shape[2] != 3 or image.dtype != np.uint8:
            raise PictureError(
                f"A picture must be (height, width, 3) uint8, this is {image.shape} {image.dtype}."
            )
        if min(image.shape[:2]) < SMALLEST_PICTURE:
            raise PictureError(
                f"The picture is {image.shape[1]}x{image.shape[0]} pixels; at least "
                f"{SMALLEST_PICTURE}x{SMALLEST_PICTURE} are needed to show a die."
            )
        candidates = self._detector.find(image)
        views = self._reader.read(image, candidates)
        columns = features(candidates, views)
        return Findings(candidates, views, columns, self._judge.probability(columns))

    def read(self, image: NDArray[np.uint8]) -> Reading:
        """Reads a picture (h, w, 3) uint8 BGR. Raises PictureError."""
        start = time.perf_counter()
        found = self.find(image)
        together = combine(found.views)
        centers, sizes = found.candidates.centers, found.candidates.sizes
        stay = compete(centers, sizes, found.probability)
        judge = self._judge
        dice: list[DieReading] = []
        doubts: list[str] = []
        kept = [index for index in stay if found.probability[index] >= judge.keep]
        for index in kept:
            p = float(found.probability[index])
            box = _box(centers[index], float(sizes[index]))
            reasons = tuple(_reasons(together[index], p, judge.sure))
            dice.append(
                DieReading(
                    value=int(together[index, :6].argmax()) + 1,
                    confidence=p,
                    box=box,
                    probabilities=tuple(float(v) for v in together[index]),
                    reasons=reasons,
                )
            )
            for reason in reasons:
                add_reason(doubts, reason)
        doubtful = any(judge.doubt <= found.probability[index] < judge.keep for index in stay)
        if doubtful or unexplained(found.candidates, kept) > judge.strong:
            add_reason(doubts, "something that may be a die")
        for reason in _between(dice, image.shape[1], image.shape[0]):
            add_reason(doubts, reason)
        if not dice:
            add_reason(doubts, "no dice seen")
        dice.sort(key=lambda die: (die.center[1], die.center[0]))
        return Reading(
            dice=tuple(dice),
            sure=not doubts,
            reasons=tuple(doubts),
            ms=(time.perf_counter() - start) * 1000,
            width=image.shape[1],
            height=image.shape[0],
        )


def _box(center: Floats, size: float) -> Box:
    x, y = float(center[0]), float(center[1])
    return (x - size / 2, y - size / 2, x + size / 2, y + size / 2)


def _reasons(probabilities: Floats, p: float, sure: float) -> list[str]:
    """Why one die needs asking; empty when it does not."""
    if p >= sure:
        return []
    ordered = np.sort(probabilities[:6])
    if probabilities[6] > 0.3:
        return ["may not be a die with pips up"]
    if ordered[4] > 0.15:
        return ["two readings close"]
    return ["not clear enough to be sure"]


def _between(dice: list[DieReading], width: int, height: int) -> list[str]:
    """Doubts that concern where dice lie."""
    out: list[str] = []
    for index, die in enumerate(dice):
        x0, y0, x1, y1 = die.box
        size = x1 - x0
        if min(x0, y0) < -0.12 * size or x1 > width + 0.12 * size or y1 > height + 0.12 * size:
            add_reason(out, "die cut by the picture's edge")
        for other in dice[index + 1 :]:
            reach = max(size, other.box[2] - other.box[0])
            if np.hypot(die.center[0] - other.center[0], die.center[1] - other.center[1]) < NEAR * reach:
                add_reason(out, "dice overlap")
    return out
