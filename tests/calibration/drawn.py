"""Tables drawn with OpenCV: a tray of a kind on a board of wood, seen in perspective, with dice, under some light."""

from __future__ import annotations

import cv2
import numpy as np

from calibration.geometry import Points, mapped

WIDTH, HEIGHT = 640, 480


def view(
    tilt: float, turn: float = 0.0, at: tuple[float, float] = (320, 240), scale: float = 1.0
) -> np.ndarray:
    """From the table, (x, y) with a tray of radius 1 in the middle, to the picture: seen `tilt` degrees aside."""
    lean, spin = np.radians(tilt), np.radians(turn)
    c, s = np.cos(spin), np.sin(spin)
    away, focal = 6.0, 6.0 * 150 * scale
    turned = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1.0]])
    camera = np.array([[1, 0, 0], [0, np.cos(lean), 0], [0, -np.sin(lean), away]])
    return np.array([[focal, 0, at[0]], [0, focal, at[1]], [0, 0, 1.0]]) @ camera @ turned


def ring(kind: str, radius: float = 1.0) -> Points:
    """The outline of a tray on the table."""
    count = {"round": 90, "hexagon": 6, "square": 4}[kind]
    angle = 2 * np.pi * (np.arange(count) + 0.5) / count
    return radius * np.stack([np.cos(angle), np.sin(angle)], -1)


def wood(seed: int, shape: tuple[int, int] = (HEIGHT, WIDTH)) -> np.ndarray:
    """A table top with grain along x, (h, w, 3) uint8."""
    random = np.random.default_rng(seed)
    grain = cv2.GaussianBlur(random.normal(0, 1, shape).astype(np.float32), (0, 0), sigmaX=25, sigmaY=1.2)
    grain = grain / grain.std()
    color = np.array([70.0, 110, 150]) + 9 * grain[..., None]
    return np.clip(color + random.normal(0, 2.5, (*shape, 3)), 0, 255).astype(np.uint8)


def table(
    kind: str | None,
    matrix: np.ndarray,
    seed: int = 0,
    felt: tuple[int, int, int] = (60, 105, 40),
    dice: int = 3,
) -> np.ndarray:
    """A picture of a table with a tray of the kind (None: no tray), its rim from 1 to 1.1, and dice in it."""
    random = np.random.default_rng(seed)
    image = wood(seed)
    if kind is not None:
        for radius, color in ((1.1, (40, 60, 92)), (1.0, felt)):
            outline = mapped(ring(kind, radius), matrix)
            cv2.fillPoly(image, [np.round(16 * outline).astype(np.int32)], color, cv2.LINE_AA, 4)
    for _ in range(dice):
        x, y = random.uniform(-0.45, 0.45, 2)
        square = 0.1 * ring("square") + np.array([x, y])
        cv2.fillPoly(
            image, [np.round(16 * mapped(square, matrix)).astype(np.int32)], (225, 235, 240), cv2.LINE_AA, 4
        )
        pip = mapped(np.array([[x, y]]), matrix)[0]
        cv2.circle(image, (round(pip[0]), round(pip[1])), 3, (20, 20, 20), -1, cv2.LINE_AA)
    noisy = cv2.GaussianBlur(image, (0, 0), 0.7) + random.normal(0, 3, image.shape)
    return np.clip(noisy, 0, 255).astype(np.uint8)


def overlap(one: Points, other: Points) -> float:
    """Area in common of two outlines over their area together."""
    masks = []
    for outline in (one, other):
        mask = np.zeros((HEIGHT, WIDTH), np.uint8)
        cv2.fillPoly(mask, [np.round(outline).astype(np.int32)], (1,))
        masks.append(mask > 0)
    return float((masks[0] & masks[1]).sum() / (masks[0] | masks[1]).sum())
