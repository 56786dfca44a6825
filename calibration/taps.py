"""The outline of a tray from taps on its corners or rim.

    outline, shape = from_taps([(x, y), ...], (width, height), image)

With the picture, edges near the taps say whether a square, a hexagon or a round tray was meant, and exactly where it
is. Without one, or where edges do not tell, the taps are the corners.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.checks import MOST_POINTS, Fault, ProfileError, outline_fault
from calibration.edges import edges_of
from calibration.geometry import Points, area_of
from calibration.shapes import Kind, Shape, drawn_to, ellipse_points, shaped, support_of

LEAST_TAPS = 4
BORNE_OUT = 0.62
"""Share of an outline on edges from which it is taken instead of the taps themselves."""
_NEAR = 0.05  # of the tray's size: how far edges may be from the taps
_REACH = {"round": (4, 3, 2), "hexagon": (2, 2), "square": (2, 2)}
"""Pixels of the small copy: the inner edge of the rim is not much farther away, and corners are tapped exactly."""
_HULL = 0.80  # of the area around all taps that the outline must have


def from_taps(
    taps: Sequence[Sequence[float]], size: tuple[int, int], image: NDArray[np.uint8] | None = None
) -> tuple[Points, str]:
    """The outline (n, 2) and shape of a tray from four taps or more, pixels, in any order.

    `size` is (width, height) of the picture, `image` the picture itself, (h, w, 3) uint8 BGR. Raises ProfileError for
    taps that are too few, beyond the picture, or go round nothing.
    """
    points = _checked(taps, size)
    if image is not None:
        found = _borne_out(points, image)
        if found is not None:
            kind, drawn = found
            outline = np.asarray(np.round(np.clip(drawn, 0, np.array(size)), 1), np.float64)
            if outline_fault(outline, size) is None:
                return outline, kind
    kinds: dict[int, Kind] = {4: "square", 6: "hexagon"}
    corners = kinds.get(len(points))
    return points, corners if corners is not None and shaped(corners, points) is not None else "outline"


def _checked(taps: Sequence[Sequence[float]], size: tuple[int, int]) -> Points:
    """The taps in order around their middle."""
    if not LEAST_TAPS <= len(taps) <= MOST_POINTS:
        _refuse(
            f"tap at least {LEAST_TAPS} places on the rim of the tray, its corners if it has any; these are {len(taps)}"
        )
    try:
        points = np.array(taps, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        points = np.zeros(0)
    if points.shape != (len(taps), 2):
        _refuse("each place is two numbers, x and y in pixels")
    if np.isfinite(points).all():
        middle = points.mean(axis=0)
        points = points[np.argsort(np.arctan2(*(points - middle).T[::-1]), kind="stable")]
    wrong = outline_fault(points, size)
    if wrong:
        _refuse(f"the places {wrong}")
    hull = cv2.convexHull(points.astype(np.float32))[:, 0].astype(np.float64)
    if area_of(points) < _HULL * area_of(hull) or (len(points) == LEAST_TAPS and len(hull) < LEAST_TAPS):
        _refuse("one of the places lies inside of the others; tap places on the rim, well apart")
    return points


def _refuse(why: str) -> None:
    raise ProfileError(f"Where the tray is cannot be told: {why}.", (Fault("tray", None, why),))


def _borne_out(points: Points, image: NDArray[np.uint8]) -> tuple[Kind, Points] | None:
    """The outline through the taps that edges bear out best, None where they bear out none."""
    edges = edges_of(image)
    small = (points + 0.5) * edges.scale - 0.5
    meant = [_round(small)]
    if len(points) in (4, 6):
        meant.append(shaped("square" if len(points) == 4 else "hexagon", small))
    best: tuple[float, Kind, Points] | None = None
    for each in meant:
        if each is None:
            continue
        drawn = drawn_to(edges, each, _REACH[each.kind])
        support = support_of(edges, drawn)
        off = np.linalg.norm(small[:, None] - drawn.samples()[0][None], axis=2).min(axis=1).max()
        if support.share < BORNE_OUT or off > _NEAR * np.sqrt(drawn.area) + 3:
            continue
        if best is None or support.share > best[0]:
            best = (support.share, drawn.kind, drawn.outline())
    return None if best is None else (best[1], (best[2] + 0.5) / edges.scale - 0.5)


def _round(points: Points) -> Shape | None:
    """The upright ellipse through the taps: that of a round tray seen by a camera that stands upright."""
    middle = points.mean(axis=0)
    scale = np.abs(points - middle).max()
    x, y = ((points - middle) / scale).T
    (a, c, d, e), *_ = np.linalg.lstsq(
        np.column_stack([x * x, y * y, x, y]), np.ones(len(points)), rcond=None
    )
    if a <= 1e-3 or c <= 1e-3:
        return None
    level = 1 + d * d / (4 * a) + e * e / (4 * c)
    wide, high = np.sqrt(level / a) * scale, np.sqrt(level / c) * scale
    at = middle + scale * np.array([-d / (2 * a), -e / (2 * c)])
    if not 0.35 < high / wide < 2.2:
        return None
    form = np.array([at[0], at[1], wide, high, 0.0])
    if wide < high:
        form = np.array([at[0], at[1], high, wide, np.pi / 2])
    off = np.linalg.norm(points[:, None] - ellipse_points(form, 180)[0][None], axis=2).min(axis=1).max()
    return Shape("round", form) if off <= 0.06 * wide + 2 else None
