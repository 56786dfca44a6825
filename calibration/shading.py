"""A hard shadow edge across the floor of a tray, told from prints and boards."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.geometry import Box

_RATIO = 1.7
"""How many times as bright the lit side is: less does not disturb."""
_SIDE = 0.12
"""Least share of the floor on either side."""
_HARD = 0.45
"""Least share of the fall of light that the edge itself has: the rest is a gentle slope, which is no edge."""
_COLOUR = 14.0  # how much the colour may differ between the sides: a shadow changes light, not colour
_ONE = 0.8  # share of either side that its largest part must hold: a board has many


@dataclass(frozen=True, slots=True)
class ShadowEdge:
    """An edge: how many times as bright the lit side is, and the box around the smaller side, pixels."""

    ratio: float
    box: Box


def shadow_edge(image: NDArray[np.uint8], floor: NDArray[np.bool_]) -> ShadowEdge | None:
    """The shadow edge in a picture (h, w, 3) uint8 BGR within a mask (h, w) bool; None when there is none."""
    count = int(floor.sum())
    if count < 400:
        return None
    soft = cv2.medianBlur(image, 9)
    lab = cv2.cvtColor(soft, cv2.COLOR_BGR2LAB)
    light = np.log(np.square(lab[..., 0].astype(np.float32) / 255 + 0.02))
    level = np.clip((light - light.min()) / max(float(np.ptp(light)), 1e-6) * 255, 0, 255).astype(np.uint8)
    at, _ = cv2.threshold(level[floor][:, None], 0, 255, cv2.THRESH_BINARY + cv2.THRESH_OTSU)
    lit = floor & (level > at)
    dim = floor & ~lit
    if min(lit.sum(), dim.sum()) < _SIDE * count:
        return None
    bright, dark = (float(np.median(light[side])) for side in (lit, dim))
    if np.exp(bright - dark) < _RATIO:
        return None
    if not all(_of_one_piece(side) for side in (lit, dim)):
        return None
    colours = [np.median(lab[side][:, 1:].astype(np.float32), axis=0) for side in (lit, dim)]
    if np.linalg.norm(colours[0] - colours[1]) > _COLOUR:
        return None
    if _hardness(light, lit, dim, bright - dark) < _HARD:
        return None
    smaller = lit if lit.sum() < dim.sum() else dim
    rows, columns = np.nonzero(smaller)
    box = (float(columns.min()), float(rows.min()), float(columns.max() + 1), float(rows.max() + 1))
    return ShadowEdge(float(np.exp(bright - dark)), box)


def _of_one_piece(side: NDArray[np.bool_]) -> bool:
    _, _, stats, _ = cv2.connectedComponentsWithStats(side.astype(np.uint8))
    return bool(stats[1:, cv2.CC_STAT_AREA].max() >= _ONE * side.sum())


def _hardness(
    light: NDArray[np.float32], lit: NDArray[np.bool_], dim: NDArray[np.bool_], fall: float
) -> float:
    """What share of the fall of light between the sides happens within a few pixels of their border."""
    reach = np.ones((7, 7), np.uint8)
    border = cv2.dilate(lit.astype(np.uint8), reach).astype(bool) & cv2.dilate(
        dim.astype(np.uint8), reach
    ).astype(bool)
    near_lit, near_dim = border & lit, border & dim
    if not near_lit.any() or not near_dim.any():
        return 0.0
    outer = np.ones((13, 13), np.uint8)
    ring = (
        cv2.dilate(near_lit.astype(np.uint8), outer).astype(bool) & lit & ~border,
        cv2.dilate(near_dim.astype(np.uint8), outer).astype(bool) & dim & ~border,
    )
    if not ring[0].any() or not ring[1].any():
        return 0.0
    return float((np.median(light[ring[0]]) - np.median(light[ring[1]])) / max(fall, 1e-6))
