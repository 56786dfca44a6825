"""What the upper face of a die shows: a network that looks at a crop of the picture at full resolution."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from vision.detector import Candidates
from vision.halves import CROP, Halves
from vision.roll import CLASSES, NOTHING
from vision.session import Floats, Session, to_input

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

    def read(self, halves: Halves, candidates: Candidates, views: int = len(VIEWS)) -> Floats:
        """Reads each candidate in a picture, in so many `views`.

        Returns log-probabilities (n, views, 8) float32, one row a view.
        """
        count = len(candidates)
        if count == 0:
            return np.zeros((0, views, CLASSES), np.float32)
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
