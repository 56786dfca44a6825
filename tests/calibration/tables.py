"""A table drawn for tests, seen by a camera that can be bumped, in any light, with hands and people over it."""

from __future__ import annotations

from dataclasses import dataclass, field

import cv2
import numpy as np

from calibration.geometry import Matrix, Points
from calibration.profile import Image

WIDTH, HEIGHT = 640, 360
SIDE = (1000, 640)  # of the table that is drawn, so that a camera that moves sees more of it


def bumped(
    shift: tuple[float, float] = (0, 0),
    turn: float = 0.0,
    zoom: float = 1.0,
    size: tuple[int, int] = (WIDTH, HEIGHT),
) -> Matrix:
    """What a bumped camera does to the picture: `shift` in widths, `turn` in degrees round the middle, `zoom`."""
    width, height = size
    around = cv2.getRotationMatrix2D((width / 2, height / 2), -turn, zoom)
    around[:, 2] += np.array(shift) * width
    return np.vstack([around, (0, 0, 1)])


@dataclass
class Table:
    """A wooden table with a hexagonal tray, a mat, a pad and a glass; `bare`: felt all over, and nothing on it."""

    seed: int = 0
    bare: bool = False
    tray_at: tuple[float, float] = (0.0, 0.0)
    """How far the tray has been pushed, in pixels of the picture."""
    random: np.random.Generator = field(init=False)

    def __post_init__(self) -> None:
        self.random = np.random.default_rng(self.seed)
        self.top, self.light_mask = self._drawn()
        self.grain = self.random.normal(0, 1, (HEIGHT + 32, WIDTH + 32)).astype(np.float32)

    @property
    def outline(self) -> Points:
        """The tray's outline in the picture of the camera that nobody has touched."""
        angles = np.radians(np.arange(6) * 60 + 12)
        middle = np.array([WIDTH / 2 + 10, HEIGHT / 2 - 5]) + self.tray_at
        return middle + 118 * np.stack([np.cos(angles), 0.9 * np.sin(angles)], axis=1)

    def _drawn(self) -> tuple[np.ndarray, np.ndarray]:
        random = np.random.default_rng(self.seed)
        wide, high = SIDE
        across, down = (wide - WIDTH) // 2, (high - HEIGHT) // 2
        if self.bare:
            felt = cv2.GaussianBlur(random.normal(0, 3, (high, wide, 1)).astype(np.float32), (0, 0), 1)
            return np.array([60, 110, 40], np.float32) + felt[..., None], np.zeros((high, wide), np.float32)
        grain = cv2.GaussianBlur(
            random.normal(0, 1, (high, wide)).astype(np.float32), (0, 0), sigmaX=30, sigmaY=2
        )
        top = np.array([70, 105, 150], np.float32) * (1 + 1.2 * grain[..., None])
        cv2.rectangle(top, (across + 20, down + 30), (across + 110, down + 160), (200, 205, 210), -1)
        for line in range(6):
            cv2.line(
                top,
                (across + 28, down + 45 + 18 * line),
                (across + 60 + 7 * line, down + 45 + 18 * line),
                (60, 40, 40),
                2,
            )
        cv2.circle(top, (across + 560, down + 70), 36, (190, 190, 170), 5, cv2.LINE_AA)
        cv2.circle(top, (across + 540, down + 300), 22, (40, 40, 190), -1, cv2.LINE_AA)
        cv2.circle(top, (across + 90, down + 300), 22, (40, 160, 210), -1, cv2.LINE_AA)
        cv2.line(top, (across - 100, down + 250), (across + 80, down + 340), (35, 35, 35), 7, cv2.LINE_AA)
        mask = np.zeros((high, wide), np.float32)
        outline = self.outline + np.array([across, down])
        middle = outline.mean(axis=0)
        for scale, colour in ((1.0, (30, 45, 75)), (0.9, (45, 90, 35))):
            points = np.round((middle + scale * (outline - middle)) * 8).astype(np.int32)
            cv2.fillPoly(top, [points], colour, cv2.LINE_AA, 3)
            cv2.fillPoly(mask, [points], 1.0 if scale == 1 else 0.0, cv2.LINE_AA, 3)
        return top, mask

    def shot(
        self,
        move: Matrix | None = None,
        level: float = 1.0,
        side: tuple[float, float] = (0, 0),
        shadow: tuple[int, int] = (6, 4),
        noise: float = 2.0,
    ) -> Image:
        """A frame. `level`: how bright; `side`: from where the light comes; `shadow`: where the rim throws one."""
        wide, high = SIDE
        move = np.eye(3) if move is None else move
        y, x = np.mgrid[0:high, 0:wide].astype(np.float32)
        cast = np.maximum(0, np.roll(self.light_mask, shadow, (1, 0)) - self.light_mask)
        light = level * (1 + side[0] * (x / wide - 0.5) + side[1] * (y / high - 0.5))
        light *= 1 - 0.4 * cv2.GaussianBlur(cast, (0, 0), 2)
        there = move @ np.array([(1, 0, -(wide - WIDTH) / 2), (0, 1, -(high - HEIGHT) / 2), (0, 0, 1)])
        seen = cv2.warpPerspective(self.top * light[..., None], there, (WIDTH, HEIGHT))
        left, above = self.random.integers(0, 32, 2)
        seen += noise * self.grain[above : above + HEIGHT, left : left + WIDTH, None]
        return np.clip(seen, 0, 255).astype(np.uint8)


def with_hand(image: Image, at: tuple[float, float], size: float = 60) -> Image:
    """A hand and its arm from the upper edge over the picture."""
    shown = image.copy()
    tip = (int(at[0]), int(at[1]))
    cv2.line(shown, (int(at[0] * 0.7 + 90), -20), tip, (120, 150, 205), int(size), cv2.LINE_AA)
    cv2.circle(shown, tip, int(0.7 * size), (115, 145, 200), -1, cv2.LINE_AA)
    for finger in (-0.4, -0.1, 0.2, 0.5):
        end = (int(at[0] + finger * size), int(at[1] + 1.2 * size))
        cv2.line(shown, tip, end, (100, 130, 185), int(0.2 * size), cv2.LINE_AA)
    return shown


def with_person(image: Image, share: float, wave: float = 0.0) -> Image:
    """Somebody in a checked shirt who leans in from the right and covers a share of the picture."""
    shown = image.copy()
    y, x = np.mgrid[0:HEIGHT, 0:WIDTH]
    edge = WIDTH * (1 - share + 0.03 * np.sin(y / 60 + wave))
    shirt = np.where(((x + 7 * wave) // 24 + y // 24) % 2 > 0, 70, 110)
    covered = x > edge
    shown[covered] = np.stack([shirt, shirt - 30, shirt - 50], axis=2)[covered].astype(np.uint8)
    return shown
