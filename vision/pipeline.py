"""One picture in, one `Reading` out: detector, reader and judgement together."""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from vision.detector import LIKELY, Candidates, Detector, joined, quick_scale, shrunk
from vision.errors import PictureError
from vision.halves import Halves
from vision.judge import WHOLE, Judge, combine, compete, features, load_judge, most_left_out, whole_features
from vision.reader import Reader
from vision.roll import COCKED, NOTHING, Box, DieReading, Reading, add_reason
from vision.session import Floats

SMALLEST_PICTURE = 16
"""A picture must have at least so many pixels on each side."""
NEAR = 0.62
"""A die whose neighbour is nearer than this share of their sizes overlaps it in the picture."""
GLANCE_SIZES = (16.0, 100.0)
"""A glance is trusted where all dice have such sizes in the picture that it looked at, pixels: smaller ones may be
missed beside these, larger ones are no longer found well."""
GLANCE_VIEWS = 2
MISFRAMED = 0.5
"""A likely finding that the reader takes for no die with this probability may be one of another size."""
TOO_SMALL = 17.0
"""Pixels across: the pips of smaller dice run into each other."""
TOO_DARK = 26.0
"""Mean brightness, 0 to 255, below which the crop of a die counts as dark."""
UNSAID, UNSAID_SCORE = 0.1, 0.6
"""A picture that is unsure is said to show something that may be a die, where a finding that was not kept is so
probable, or the detector so certain of one."""
RIVAL = 0.0
"""Log-odds of a finding that gave way to a die of another value, from which on the picture is asked about: it is more
probably than not a die read right, perhaps one that another hides in part."""
GLARE = 0.12
"""Share of a die that is blown out, from which on glare is named as what may hide pips."""


@dataclass(frozen=True, slots=True)
class Findings:
    """Everything that was found and judged, before anything is left out: candidates, views (n, views, 8), features
    (n, k), and the probability (n,) of being a die read right."""

    candidates: Candidates
    views: Floats
    columns: Floats
    probability: Floats


class DiceReader:
    """Reads the dice in pictures. Safe to use from one thread at a time.

    A picture is first looked at once, and only where that leaves a doubt again with care, at all sizes: what is easy
    is fast. `models` is a folder with other model files than the shipped ones; `threads` 0 lets the runtime choose.
    Raises ModelError when a model file is missing, damaged or swapped.
    """

    def __init__(self, models: Path | None = None, threads: int = 0) -> None:
        self._detector = Detector(models, threads)
        self._reader = Reader(models, threads)
        self._judges = load_judge(models)

    def find(
        self, image: NDArray[np.uint8], *, glance: bool = False, die_size: float | None = None
    ) -> Findings:
        """All findings in a picture (h, w, 3) uint8 BGR; what `read` chooses from. Raises PictureError."""
        return self._look(_halves(image), glance, die_size)

    def _look(self, halves: Halves, glance: bool, die_size: float | None = None) -> Findings:
        """What one way of looking finds; both of a reading share the picture's halvings."""
        if glance:
            candidates = self._detector.glance(halves, die_size)
            views = self._reader.read(halves, candidates, GLANCE_VIEWS)
        else:
            candidates = self._detector.find(halves)
            views = self._reader.read(halves, candidates)
            # What lies round a die may be taken for its edge: then the reader sees none in such a frame.
            misframed = (candidates.best > LIKELY) & (combine(views)[:, NOTHING] > MISFRAMED)
            if misframed.any():
                others = shrunk(candidates, misframed)
                views = np.concatenate([views, self._reader.read(halves, others)])
                candidates = joined(candidates, others)
        columns = features(candidates, views)
        judge = self._judges.glance if glance else self._judges.thorough
        return Findings(candidates, views, columns, judge.probability(columns))

    def read(self, image: NDArray[np.uint8], die_size: float | None = None) -> Reading:
        """Reads a picture (h, w, 3) uint8 BGR. Raises PictureError.

        `die_size` is how large a die of this table appears in it, pixels, where that is known: it makes a glance
        faster, and decides nothing.
        """
        start = time.perf_counter()
        halves = _halves(image)
        reading = self._judged(image, self._look(halves, glance=True, die_size=die_size), self._judges.glance)
        scale = quick_scale(reading.width, reading.height, die_size)
        if not (reading.sure and seen_well((die.box[2] - die.box[0] for die in reading.dice), scale)):
            reading = self._judged(image, self._look(halves, glance=False), self._judges.thorough)
        return replace(reading, ms=(time.perf_counter() - start) * 1000)

    def _judged(self, image: NDArray[np.uint8], found: Findings, judge: Judge) -> Reading:
        height, width = image.shape[:2]
        together = combine(found.views)
        candidates, probability = found.candidates, found.probability
        stay = compete(candidates.centers, candidates.sizes, probability)
        kept = [index for index in stay if probability[index] >= judge.keep]
        values = together[:, :6].argmax(1) + 1
        row = whole_features(candidates, probability, values, stay, kept, width, height)
        confidence = judge.confidence(row)
        dice = [
            DieReading(
                value=int(values[index]),
                confidence=float(probability[index]),
                box=_box(candidates.centers[index], float(candidates.sizes[index])),
                probabilities=tuple(float(v) for v in together[index]),
            )
            for index in kept
        ]
        dice.sort(key=lambda die: (die.center[1], die.center[0]))
        doubts: list[str] = []
        guessed = any(index >= candidates.found for index in kept)
        rivalled = row[WHOLE.index("rival")] > RIVAL
        if confidence < judge.sure or guessed or rivalled or not dice:
            dice = [replace(die, reasons=tuple(_reasons(die, image, judge.sure))) for die in dice]
            for die in dice:
                for reason in die.reasons:
                    add_reason(doubts, reason)
            if (
                most_left_out(probability, stay, kept) > UNSAID
                or row[WHOLE.index("unexplained")] > UNSAID_SCORE
            ):
                add_reason(doubts, "something that may be a die")
            if rivalled:
                add_reason(doubts, "two readings close")
            for reason in _between(dice, width, height):
                add_reason(doubts, reason)
            if not dice:
                add_reason(doubts, "no dice seen")
            if not doubts:
                add_reason(doubts, "not clear enough to be sure")
        return Reading(
            dice=tuple(dice), sure=not doubts, reasons=tuple(doubts), ms=0.0, width=width, height=height,
            confidence=confidence,
        )  # fmt: skip


def _halves(image: NDArray[np.uint8]) -> Halves:
    """A picture (h, w, 3) uint8 BGR, ready to be looked at. Raises PictureError for what is no such picture."""
    if image.ndim != 3 or image.shape[2] != 3 or image.dtype != np.uint8:
        raise PictureError(
            f"A picture must be (height, width, 3) uint8, this is {image.shape} {image.dtype}."
        )
    if min(image.shape[:2]) < SMALLEST_PICTURE:
        raise PictureError(
            f"The picture is {image.shape[1]}x{image.shape[0]} pixels; at least "
            f"{SMALLEST_PICTURE}x{SMALLEST_PICTURE} are needed to show a die."
        )
    return Halves(image)


def seen_well(sizes: Iterable[float], scale: float) -> bool:
    """Whether a glance at this scale shows dice of these sizes, pixels of the picture, well."""
    low, high = GLANCE_SIZES
    return all(low <= size * scale <= high for size in sizes)


def _box(center: Floats, size: float) -> Box:
    x, y = float(center[0]), float(center[1])
    return (x - size / 2, y - size / 2, x + size / 2, y + size / 2)


def _reasons(die: DieReading, image: NDArray[np.uint8], sure: float) -> list[str]:
    """Why one die needs asking; empty when it does not."""
    if die.confidence >= sure:
        return []
    out: list[str] = []
    ordered = sorted(die.probabilities[:6])
    if die.probabilities[COCKED] > 0.3:
        add_reason(out, "cocked die")
    elif die.probabilities[NOTHING] > 0.3:
        add_reason(out, "may not be a die with pips up")
    elif ordered[4] > 0.12:
        add_reason(out, "two readings close")
    x0, y0, x1, y1 = die.box
    if x1 - x0 < TOO_SMALL:
        add_reason(out, "too small")
    part = image[max(0, round(y0)) : max(1, round(y1)), max(0, round(x0)) : max(1, round(x1))]
    if part.size:
        if part.mean() < TOO_DARK:
            add_reason(out, "too dark")
        elif (part.min(axis=2) > 250).mean() > GLARE:
            add_reason(out, "glare")
    if not out:
        add_reason(out, "not clear enough to be sure")
    return out


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
