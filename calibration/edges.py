"""Where a picture changes, and closed paths along such edges around a place: what outlines of trays are found from.

Everything here is in pixels of a small copy of the picture, about `WORK` wide.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.geometry import Points

Image = NDArray[np.uint8]
Floats = NDArray[np.float32]

WORK = 400
"""Pixels of the longer side of the copy that is searched."""
ANGLES = 144
"""Of a path: how many rays it crosses."""
_RADII = 110
_LEAP = 4  # steps of radius from one ray to the next
_NEAREST, _FARTHEST = 0.10, 0.62  # of the longer side: how far from its middle an outline may be
_AROUND = 31  # pixels: what a place's contrast is compared with
_FLAT = 3.0  # contrast below which there is nothing but noise


@dataclass(frozen=True, slots=True)
class Edges:
    """How a picture changes at each pixel: `x` and `y` (h, w) float32, the direction and strength of the change.

    A strength of 1 is about twice what the surroundings have; it does not grow beyond 2. `scale` is how many of its
    pixels make one of the picture.
    """

    x: Floats
    y: Floats
    scale: float

    @property
    def size(self) -> tuple[int, int]:
        """(width, height) in its pixels."""
        return (self.x.shape[1], self.x.shape[0])

    def across(self, points: Points, normals: Points) -> NDArray[np.float64]:
        """How strongly the picture changes at points (..., 2) in the direction of normals (..., 2); (...) >= 0.

        Changes in other directions count less, and not at all beyond 45 degrees. 0 beyond the picture.
        """
        at = points.astype(np.float32).reshape(-1, 1, 2)
        x, y = (_sampled(each, at).reshape(points.shape[:-1]) for each in (self.x, self.y))
        along = np.abs(x * normals[..., 0] + y * normals[..., 1])
        aside = np.abs(x * normals[..., 1] - y * normals[..., 0])
        return np.asarray(np.maximum(along - aside, 0))


def edges_of(image: Image) -> Edges:
    """The edges of a picture (h, w, 3) uint8 BGR: of lightness and of colour, whichever is stronger."""
    scale = min(1.0, WORK / max(image.shape[:2]))
    small = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA) if scale < 1 else image
    lab = cv2.GaussianBlur(cv2.cvtColor(small, cv2.COLOR_BGR2LAB).astype(np.float32), (0, 0), 1.3)
    # What is dark changes as much to the eye when it changes little.
    lab[..., 0] = 64 * np.log1p(lab[..., 0] / 24)
    dx, dy = cv2.Scharr(lab, cv2.CV_32F, 1, 0) / 16, cv2.Scharr(lab, cv2.CV_32F, 0, 1) / 16
    strength = np.hypot(dx, dy)
    best = strength.argmax(axis=2)[..., None]
    x, y, much = (np.take_along_axis(each, best, axis=2)[..., 0] for each in (dx, dy, strength))
    usual = cv2.blur(much, (_AROUND, _AROUND)) + _FLAT
    factor = np.minimum(much / usual, 4.0) / np.maximum(much, 1e-6) / 2
    return Edges(np.asarray(x * factor, np.float32), np.asarray(y * factor, np.float32), scale)


def _sampled(values: Floats, at: Floats) -> NDArray[np.float64]:
    """Values (h, w) between pixels, at places (n, m, 2); 0 beyond the picture."""
    across, down = np.ascontiguousarray(at[..., 0]), np.ascontiguousarray(at[..., 1])
    return np.asarray(
        cv2.remap(values, across, down, cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT), np.float64
    )


def paths(edges: Edges, middles: Points, rounds: int = 3) -> list[Points]:
    """Closed paths along edges around each of the middles (m, 2): the strongest, then those beside it.

    Each is (ANGLES, 2) points, in order of angle.
    """
    longer = max(edges.size)
    radii = np.linspace(_NEAREST, _FARTHEST, _RADII) * longer
    angle = 2 * np.pi * np.arange(ANGLES) / ANGLES
    rays = np.stack([np.cos(angle), np.sin(angle)], -1)
    at = middles[:, None, None] + radii[None, None, :, None] * rays[None, :, None]
    gain = _seen_from_middle(edges, at, rays)
    found = []
    for _ in range(rounds):
        chosen = _closed(gain)
        for index, steps in enumerate(chosen):
            found.append(at[index, np.arange(ANGLES), steps])
        gap = np.abs(np.arange(_RADII)[None, None] - chosen[..., None])
        gain = np.where(gap <= 3, -0.2, gain)
    return found


def _seen_from_middle(edges: Edges, at: NDArray[np.float64], rays: Points) -> Floats:
    """What is gained by passing each place (m, ANGLES, radii, 2): edges that face the middle within 60 degrees."""
    flat = at.astype(np.float32).reshape(-1, at.shape[2], 2)
    x, y = (_sampled(each, flat).reshape(at.shape[:3]) for each in (edges.x, edges.y))
    along = np.abs(x * rays[None, :, None, 0] + y * rays[None, :, None, 1])
    return np.asarray(np.where(along > 0.5 * np.hypot(x, y), np.minimum(np.hypot(x, y), 1.0), 0), np.float32)


def _closed(gain: Floats) -> NDArray[np.intp]:
    """The closed path of most gain in each of (m, ANGLES, radii): its step of radius on each ray, (m, ANGLES)."""
    count, rays, _ = gain.shape
    total: NDArray[Any] = np.zeros((count, gain.shape[2]), np.float32)
    came = np.zeros((2 * rays, count, gain.shape[2]), np.int8)
    cost = 0.03 * np.abs(np.arange(-_LEAP, _LEAP + 1, dtype=np.float32))
    for ray in range(2 * rays):  # twice around, so that the second round ends where it began
        padded = np.pad(total, ((0, 0), (_LEAP, _LEAP)), constant_values=-1e9)
        options = np.lib.stride_tricks.sliding_window_view(padded, 2 * _LEAP + 1, axis=1) - cost
        came[ray] = options.argmax(axis=2)
        total = np.take_along_axis(options, came[ray][..., None].astype(np.intp), axis=2)[..., 0]
        total = total + gain[:, ray % rays]
    steps = np.zeros((count, rays), np.intp)
    now = total.argmax(axis=1)
    for ray in range(2 * rays - 1, -1, -1):
        if ray < rays + rays // 2 and ray >= rays // 2:
            steps[:, ray % rays] = now
        now = now + came[ray][np.arange(count), now] - _LEAP
    return steps
