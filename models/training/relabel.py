"""Gives dice whose labels frame only their pips a box of the whole die, by the detector's own word.

    python -m models.training.relabel --photos DIR --models DIR --out boxes.json

One source labels the pips of the upper face, so that a one is framed by its pip. For each such die the finding whose
box holds that frame's middle is taken, if there is one of the size that this picture's dice have. The output maps image
names to a list with [x, y, size] in pixels, or null, for each die.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import numpy as np

from models.training.photos import load_photos
from vision.detector import Detector
from vision.halves import Halves

SOURCE = "matteop65"


def main() -> None:
    """Writes the better boxes."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--photos", type=Path, required=True)
    parser.add_argument("--models", type=Path)
    parser.add_argument("--out", type=Path, required=True)
    args = parser.parse_args()
    detector = Detector(args.models, threads=2)
    boxes: dict[str, list[list[float] | None]] = {}
    found = total = 0
    for photo in load_photos(args.photos):
        if photo.source != SOURCE:
            continue
        candidates = detector.find(Halves(photo.image))
        fitting: list[tuple[float, float, float] | None] = []
        for die in photo.dice:
            x, y = die.x - 1, die.y - 7  # the middle of the pips, see photos
            far = np.hypot(candidates.centers[:, 0] - x, candidates.centers[:, 1] - y - 5)
            good = (far < 0.38 * candidates.sizes) & (candidates.sizes > 38) & (candidates.sizes < 110)
            good &= candidates.best > 0.3
            best = int(np.argmax(np.where(good, candidates.best, -1))) if good.any() else -1
            place = None
            if best >= 0:
                place = (*map(float, candidates.centers[best]), float(candidates.sizes[best]))
            fitting.append(place)
        sizes = [f[2] for f in fitting if f]
        middle = float(np.median(sizes)) if sizes else 0.0
        rows: list[list[float] | None] = []
        for place in fitting:
            alike = place is not None and abs(np.log(place[2] / middle)) < 0.22
            rows.append([round(v, 1) for v in place] if place and alike else None)
        boxes[photo.name] = rows
        found += sum(row is not None for row in rows)
        total += len(rows)
    args.out.write_text(json.dumps(boxes, separators=(",", ":")) + "\n", "utf-8")
    print(f"{found} of {total} dice have a box now")


if __name__ == "__main__":
    main()
