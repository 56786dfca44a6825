"""Where points of the world fall in the picture, and the exact truth about dice that follows from it."""

from __future__ import annotations

import json
import re
from typing import TypedDict

import numpy as np
from numpy.typing import NDArray

from models.training.render.dice import DieShape, build, face_corners, upper_face
from models.training.render.scene import Camera, Die

FLAT = 0.995  # cosine of the tilt up to which a die counts as lying flat


class DieTruth(TypedDict):
    """One die: `value` of the upper face, or None when it is cocked; `box` x0 y0 x1 y1 round the whole die
    and `upper`, the four corners of the upper face as if its edges were sharp, in pixels of the picture.
    """

    value: int | None
    box: list[float]
    upper: list[list[float]]


def project(camera: Camera, points: NDArray[np.float64]) -> NDArray[np.float64]:
    """(n, 3) metres -> (n, 2) pixels, x to the right, y down, the middle of the first pixel at (0.5, 0.5)."""
    eye = np.array(camera.position)
    forward = np.array(camera.target) - eye
    forward /= np.linalg.norm(forward)
    right = np.cross(forward, [0.0, 0.0, 1.0])
    right /= np.linalg.norm(right)
    down = np.cross(forward, right)
    away = np.asarray(points) - eye
    focal = camera.width / 2 / np.tan(np.radians(camera.angle) / 2)
    depth = away @ forward
    return np.stack(
        [
            camera.width / 2 + focal * (away @ right) / depth,
            camera.height / 2 + focal * (away @ down) / depth,
        ],
        -1,
    )


def truth_of(die: Die, camera: Camera) -> DieTruth:
    """What a reader should find for `die`, whether or not something hides it."""
    shape = DieShape(side=die.side, round=die.round, pip=die.pip, slant=die.slant, cells=16)
    body, _ = build(shape)
    seen = project(camera, body.vertices @ die.rotation.T + die.position)
    value, flat = upper_face(die.rotation)
    corners = project(camera, face_corners(value, die.side) @ die.rotation.T + die.position)
    return {
        "value": value if flat >= FLAT else None,
        "box": [round(float(each), 1) for each in (*seen.min(axis=0), *seen.max(axis=0))],
        "upper": [[round(float(x), 1), round(float(y), 1)] for x, y in corners],
    }


def shown_size(die: Die, camera: Camera) -> float:
    """Mean side of the die's box, pixels."""
    x0, y0, x1, y1 = truth_of(die, camera)["box"]
    return (x1 - x0 + y1 - y0) / 2


def lines(facts: object) -> str:
    """Facts as JSON that a person can read: one die a line."""
    text = json.dumps(facts, indent=1)
    # Lists of numbers, and of such lists, on one line; then whole dice.
    text = re.sub(r"\[\s+([-\d.,\s]+?)\s+\]", lambda found: f"[{' '.join(found[1].split())}]", text)
    text = re.sub(
        r"\[\s+(\[[^\[\]]*\](?:,\s+\[[^\[\]]*\])*)\s+\]", lambda f: f"[{' '.join(f[1].split())}]", text
    )
    return (
        re.sub(r"\{\s+(\"value\"[^{}]*?)\s+\}", lambda found: f"{{{' '.join(found[1].split())}}}", text)
        + "\n"
    )
