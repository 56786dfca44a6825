"""A pinhole camera over a table, in units of a die's edge.

World coordinates: the table top (and the tray's floor) is z = 0, z is up, the middle of the tray is the origin; the
camera stands on the side of negative y. Pictures are (height, width, 3) float32, linear light, blue green red.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
Points = NDArray[np.float64]


def length(vectors: Floats) -> Floats:
    """The length (…, 1) of vectors (…, 2 or 3); many times faster than numpy's own along so short an axis."""
    total = np.square(vectors[..., 0])
    for index in range(1, vectors.shape[-1]):
        total += np.square(vectors[..., index])
    return np.asarray(np.sqrt(total)[..., None], np.float32)


def dot(a: Floats, b: Floats) -> Floats:
    """The product (…, 1) of vectors (…, 3)."""
    return np.asarray(
        (a[..., 0] * b[..., 0] + a[..., 1] * b[..., 1] + a[..., 2] * b[..., 2])[..., None], np.float32
    )


class View:
    """Where the camera is: `tilt` from straight above and `roll` in radians, `distance` in edges from the origin, where
    a die's edge is `die_px` pixels wide."""

    def __init__(
        self,
        width: int,
        height: int,
        *,
        die_px: float,
        tilt: float,
        roll: float = 0.0,
        distance: float = 40.0,
    ) -> None:
        self.width, self.height, self.die_px, self.tilt = width, height, die_px, tilt
        self.focal = die_px * distance
        self.middle = np.array([width / 2, height / 2])
        self.eye = distance * np.array([0.0, -np.sin(tilt), np.cos(tilt)])
        self.forward = -self.eye / distance
        right, up = np.array([1.0, 0.0, 0.0]), np.array([0.0, np.cos(tilt), np.sin(tilt)])
        self.right = np.cos(roll) * right + np.sin(roll) * up
        self.up = np.cos(roll) * up - np.sin(roll) * right

    def project(self, points: Points) -> tuple[Points, Points]:
        """World points (n, 3) -> pixels (n, 2) and their depth (n,) in edges."""
        seen = np.asarray(points, np.float64) - self.eye
        depth = seen @ self.forward
        flat = np.stack([seen @ self.right, -(seen @ self.up)], -1)
        return self.middle + self.focal * flat / depth[..., None], depth

    def rays(self, box: tuple[int, int, int, int], factor: int = 1) -> Floats:
        """Directions (rows, columns, 3) from the eye, of length 1, through the pixels of `box` (x0, y0, x1, y1), each
        split into `factor` by `factor`."""
        x0, y0, x1, y1 = box
        x = x0 + (np.arange((x1 - x0) * factor) + 0.5) / factor - self.middle[0]
        y = y0 + (np.arange((y1 - y0) * factor) + 0.5) / factor - self.middle[1]
        across = (self.forward + (x / self.focal)[:, None] * self.right).astype(np.float32)
        ways = across[None] - ((y / self.focal)[:, None] * self.up).astype(np.float32)[:, None]
        ways /= length(ways)
        return np.asarray(ways, np.float32)

    def where(self, ways: Floats, z: float) -> tuple[Floats, Floats]:
        """Where rays from the eye meet the plane at height `z`: x and y, each of the rays' shape."""
        part = (z - self.eye[2]) / np.minimum(ways[..., 2], -1e-3)
        return (
            np.asarray(self.eye[0] + part * ways[..., 0], np.float32),
            np.asarray(self.eye[1] + part * ways[..., 1], np.float32),
        )

    def on_plane(self, pixels: Points, z: float = 0.0) -> Points:
        """Pixels (n, 2) -> world x and y (n, 2) on the plane at height `z`."""
        flat = (np.asarray(pixels) - self.middle) / self.focal
        ways = self.forward + flat[:, :1] * self.right - flat[:, 1:] * self.up
        part = (z - self.eye[2]) / ways[:, 2]
        return np.asarray(self.eye[:2] + part[:, None] * ways[:, :2])


class Light:
    """One lamp and the light that comes from everywhere: `at` (3,) world, `reach` its radius in edges, `strength` of
    the lamp and `ambient` as (3,) blue green red; 1 makes white paper in the middle of the table white."""

    def __init__(
        self, at: Points, reach: float, strength: Points, ambient: Points, samples: int = 12
    ) -> None:
        self.at, self.reach = np.asarray(at, np.float64), reach
        self.strength, self.ambient = np.asarray(strength, np.float32), np.asarray(ambient, np.float32)
        self.towards = self.at / np.linalg.norm(self.at)
        turn = np.arange(samples) * 2.399963  # the golden angle spreads points evenly over a disc
        radius = reach * np.sqrt((np.arange(samples) + 0.5) / samples)
        self.points = self.at + np.stack(
            [radius * np.cos(turn), radius * np.sin(turn), np.zeros(samples)], -1
        )

    @property
    def share(self) -> float:
        """How much of the light on the flat table comes from the lamp."""
        lamp, rest = float(self.strength.mean() * self.towards[2]), float(self.ambient.mean())
        return lamp / (lamp + rest)
