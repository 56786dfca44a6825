"""Points and outlines in a picture, and projective maps between planes."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Points = NDArray[np.float64]
"""(n, 2) float64, pixels, x to the right and y down, origin at the upper left corner."""

Matrix = NDArray[np.float64]
"""(3, 3) float64: a projective map of (x, y, 1), up to a factor."""

Box = tuple[float, float, float, float]
"""x0, y0, x1, y1 in pixels, x0 < x1 and y0 < y1."""


def mapped(points: Points, matrix: Matrix) -> Points:
    """Where a projective map takes points (n, 2). Raises ValueError for another shape."""
    if points.ndim != 2 or points.shape[1] != 2:
        raise ValueError(f"Points must be (n, 2), these are {points.shape}.")
    carried = np.column_stack([points, np.ones(len(points))]) @ matrix.T
    return np.asarray(carried[:, :2] / carried[:, 2:], dtype=np.float64)


def stretch(points: Points, matrix: Matrix) -> NDArray[np.float64]:
    """How much longer a short line at each of the points (n, 2) becomes under the map, mean over directions, (n,)."""
    carried = np.column_stack([points, np.ones(len(points))]) @ matrix.T
    # The area near a point grows by the determinant of the map over the cube of its third coordinate.
    area = np.abs(np.linalg.det(matrix)) / np.maximum(np.abs(carried[:, 2]) ** 3, 1e-300)
    return np.asarray(np.sqrt(area), dtype=np.float64)


def area_of(outline: Points) -> float:
    """Area inside an outline (n, 2), square pixels."""
    x, y = outline[:, 0], outline[:, 1]
    return abs(float(x @ np.roll(y, -1) - y @ np.roll(x, -1))) / 2


def undone(matrix: Matrix) -> Matrix:
    """The map back. Raises LinAlgError where there is none."""
    return np.asarray(np.linalg.inv(matrix), dtype=np.float64)


def middle_of(outline: Points) -> tuple[float, float]:
    """Centre of gravity of the area inside an outline (n, 2) that has one."""
    x, y = outline[:, 0], outline[:, 1]
    cross = x * np.roll(y, -1) - y * np.roll(x, -1)
    twice = 3 * cross.sum()
    return (
        float(((x + np.roll(x, -1)) * cross).sum() / twice),
        float(((y + np.roll(y, -1)) * cross).sum() / twice),
    )


def inside(outline: Points, points: Points) -> NDArray[np.bool_]:
    """Which of points (n, 2) lie inside an outline (m, 2), (n,) bool; those on its lower and right edges do not."""
    x, y = points[:, :1], points[:, 1:]
    x0, y0 = outline[:, 0], outline[:, 1]
    x1, y1 = np.roll(x0, -1), np.roll(y0, -1)
    spans = (y0 <= y) != (y1 <= y)
    with np.errstate(divide="ignore", invalid="ignore"):
        at = x0 + (y - y0) * (x1 - x0) / (y1 - y0)
    return np.asarray((spans & (x < at)).sum(axis=1) % 2 == 1)


def crosses_itself(outline: Points) -> bool:
    """Whether two edges of an outline (n, 2) that are not neighbours meet, or two of its points are the same."""
    count = len(outline)
    if len(np.unique(outline, axis=0)) < count:
        return True
    ends = np.roll(outline, -1, axis=0)
    for first in range(count - 2):
        others = np.arange(first + 2, count if first else count - 1)
        if _meet(outline[first], ends[first], outline[others], ends[others]).any():
            return True
    return False


def _meet(a: Points, b: Points, c: Points, d: Points) -> NDArray[np.bool_]:
    """Whether the line from a (2,) to b (2,) meets each of those from c (n, 2) to d (n, 2), (n,) bool."""

    def side(p: Points, q: Points, r: Points) -> NDArray[np.float64]:
        turn = (q[..., 0] - p[..., 0]) * (r[..., 1] - p[..., 1])
        return np.asarray(turn - (q[..., 1] - p[..., 1]) * (r[..., 0] - p[..., 0]))

    across = side(a, b, c) * side(a, b, d) <= 0
    astride = side(c, d, a) * side(c, d, b) <= 0
    low, high = np.minimum(a, b), np.maximum(a, b)
    near = (np.maximum(c, d) >= low).all(axis=1) & (np.minimum(c, d) <= high).all(axis=1)
    return np.asarray(across & astride & near)


def bounds(points: Points) -> Box:
    """The upright box round points (n, 2), n >= 1."""
    left, top = points.min(axis=0).tolist()
    right, bottom = points.max(axis=0).tolist()
    return (left, top, right, bottom)
