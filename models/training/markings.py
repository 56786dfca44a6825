"""What is on faces that are not read: digits, letters, symbols, and the flaws of bare ones."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from models.training.looks import Look

Floats = NDArray[np.float32]
TEXTURE = 96
"""Side of a face's texture in pixels."""
SMALL_PRINT = 0.35
"""Share of digits and symbols that are small, so that nothing but their shape tells them from a pip."""


def write(
    canvas: Floats,
    text: str,
    at: tuple[int, int],
    font: int,
    size: float,
    colour: tuple[float, float, float],
    thick: int,
) -> None:
    """Writes `text` into a float picture, in place (OpenCV writes into 8-bit pictures only)."""
    mask = np.zeros(canvas.shape[:2], np.uint8)
    cv2.putText(mask, text, at, font, size, (255,), thick, cv2.LINE_AA)
    ink = mask[..., None].astype(np.float32) / 255
    np.copyto(canvas, canvas * (1 - ink) + np.array(colour, np.float32) * ink)


def draw_symbol(canvas: Floats, look: Look, rng: np.random.Generator) -> None:
    """Draws a numeral, a letter or a blob: what is on dice that are not read."""
    middle = TEXTURE // 2
    if look.kind == "numeral" or rng.random() < 0.35:
        text = str(rng.integers(1, 21)) if look.kind == "numeral" else str(rng.choice(list("AKQJX?*+@&SHDC")))
        small = rng.random() < SMALL_PRINT  # no larger than a pip
        size = rng.uniform(0.5, 1.3) if small else rng.uniform(1.4, 2.4)
        thick = int(rng.integers(1, 5) if small else rng.integers(3, 9))
        font = int(rng.integers(0, 5))
        (width, height), _ = cv2.getTextSize(text, font, size, thick)
        at = (middle - width // 2, middle + height // 2)
        write(canvas, text, at, font, size, look.pip, thick)
        return
    if rng.random() < 0.4:
        cv2.circle(canvas, (middle, middle), int(rng.uniform(26, 42)), look.pip, -1, cv2.LINE_AA)
        colour = look.body
    else:
        colour = look.pip
    angles = np.sort(rng.uniform(0, 2 * np.pi, rng.integers(3, 11)))
    radii = rng.uniform(8, 34, angles.size) * (0.5 if rng.random() < SMALL_PRINT / 2 else 1.0)
    points = np.stack([middle + radii * np.cos(angles), middle + radii * np.sin(angles)], 1)
    if rng.random() < 0.6:
        cv2.fillPoly(canvas, [points.astype(np.int32)], colour, cv2.LINE_AA)
    else:
        cv2.polylines(canvas, [points.astype(np.int32)], bool(rng.random() < 0.5), colour, 7, cv2.LINE_AA)


def draw_flaws(canvas: Floats, rng: np.random.Generator) -> None:
    """What a bare face may show all the same, in place: specks, scratches and blotches, none of them a pip."""
    base = canvas.mean((0, 1))
    for _ in range(int(rng.choice([0, 1, 2, 4, 8], p=[0.4, 0.2, 0.2, 0.1, 0.1]))):
        colour = tuple(float(c) for c in np.clip(base + rng.normal(0, 60), 0, 255))
        at = rng.uniform(8, TEXTURE - 8, 2)
        kind = rng.random()
        if kind < 0.5:
            cv2.circle(
                canvas, tuple((at * 8).astype(int)), int(rng.uniform(4, 22)), colour, -1, cv2.LINE_AA, 3
            )
        elif kind < 0.8:
            end = at + rng.normal(0, 18, 2)
            cv2.line(canvas, tuple(at.astype(int)), tuple(end.astype(int)), colour, int(rng.integers(1, 3)),
                     cv2.LINE_AA)  # fmt: skip
        else:
            axes = (int(rng.uniform(6, 24)), int(rng.uniform(3, 9)))
            blotch = canvas.copy()
            turn = float(rng.uniform(0, 180))
            cv2.ellipse(blotch, tuple(at.astype(int)), axes, turn, 0, 360, colour, -1, cv2.LINE_AA)
            canvas[:] = cv2.GaussianBlur(blotch, (0, 0), float(rng.uniform(1, 5))) * 0.6 + canvas * 0.4
