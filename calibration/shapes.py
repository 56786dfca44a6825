"""Ellipses, squares and hexagons in perspective: laid through points, drawn to the edges near them, and how well
the edges bear them out.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.edges import Edges
from calibration.geometry import Points, area_of, mapped

Kind = Literal["round", "hexagon", "square"]
KINDS: tuple[Kind, ...] = ("round", "hexagon", "square")
CORNERS = {"hexagon": 6, "square": 4}

SAMPLES = 180
"""Places along an outline where it is asked whether there is an edge."""
ARCS = 12
_ROUND_POINTS = 48
_SEEN = 0.30
"""Least strength of an edge that bears an outline out."""
_CORNER = 0.08  # of a side: what its line is not fitted to at either end, for corners are round
_NARROWEST = 0.45  # of an ellipse's longer axis
_SIDE_RATIO = 2.4
_REGULAR = 0.035  # of a hexagon's size: how far its corners may be from those of a regular one in perspective


@dataclass(frozen=True, slots=True)
class Shape:
    """An outline of a kind: an ellipse as `round` (x, y, half axes a >= b, turn in radians), or its corners (k, 2)."""

    kind: Kind
    form: NDArray[np.float64]

    def outline(self) -> Points:
        """Points in order around it: the corners, or `_ROUND_POINTS` of an ellipse."""
        if self.kind != "round":
            return self.form
        return ellipse_points(self.form, _ROUND_POINTS)[0]

    def samples(self) -> tuple[Points, Points]:
        """`SAMPLES` places at even distances around it and the outward normals there, (SAMPLES, 2) each."""
        return self.samples_by_side()[:2]

    def samples_by_side(self) -> tuple[Points, Points, NDArray[np.intp]]:
        """The same, and on which side each is, (SAMPLES,); the sides of a round shape are its quarters."""
        if self.kind == "round":
            return *ellipse_points(self.form, SAMPLES), np.arange(SAMPLES) * 4 // SAMPLES
        return polygon_points(self.form, SAMPLES)

    def scaled(self, factor: float) -> Shape:
        """The same, larger about its middle."""
        if self.kind == "round":
            return Shape(self.kind, self.form * (1, 1, factor, factor, 1))
        middle = self.form.mean(axis=0)
        return Shape(self.kind, middle + factor * (self.form - middle))

    @property
    def area(self) -> float:
        """Square pixels inside."""
        return float(np.pi * self.form[2] * self.form[3]) if self.kind == "round" else area_of(self.form)


def ellipse_points(form: NDArray[np.float64], count: int) -> tuple[Points, Points]:
    """Places around an ellipse, nearly evenly apart, and the outward normals there, (count, 2) each."""
    x, y, a, b, turn = form
    fine = 2 * np.pi * np.arange(4 * count) / (4 * count)
    step = np.hypot(a * np.sin(fine), b * np.cos(fine))
    way = np.concatenate([[0.0], np.cumsum(step)])
    at = np.interp(np.arange(count) * way[-1] / count, way[:-1], fine)
    c, s = np.cos(turn), np.sin(turn)
    spin = np.array([[c, s], [-s, c]])
    points = np.stack([a * np.cos(at), b * np.sin(at)], -1) @ spin + (x, y)
    normals = np.stack([b * np.cos(at), a * np.sin(at)], -1) @ spin
    return points, normals / np.linalg.norm(normals, axis=1, keepdims=True)


def polygon_points(corners: Points, count: int) -> tuple[Points, Points, NDArray[np.intp]]:
    """Places evenly along the sides of a convex polygon, the outward normals there, (count, 2) each, and the side."""
    step = np.roll(corners, -1, axis=0) - corners
    length = np.linalg.norm(step, axis=1)
    way = np.concatenate([[0.0], np.cumsum(length)])
    at = (np.arange(count) + 0.5) * way[-1] / count
    side = np.clip(np.searchsorted(way, at, side="right") - 1, 0, len(corners) - 1)
    part = (at - way[side]) / np.maximum(length[side], 1e-9)
    normals = np.stack([step[:, 1], -step[:, 0]], -1) / np.maximum(length, 1e-9)[:, None]
    if not _clockwise(corners):
        normals = -normals
    return corners[side] + part[:, None] * step[side], normals[side], side


def _clockwise(corners: Points) -> bool:
    x, y = corners[:, 0], corners[:, 1]
    return float(x @ np.roll(y, -1) - y @ np.roll(x, -1)) > 0


def fitted(kind: Kind, points: Points) -> Shape | None:
    """The shape of this kind that goes through most of the points (n, 2), None when there is none.

    Of an ellipse the points may be in any order, of a polygon they must be in order around it.
    """
    return _ellipse(points) if kind == "round" else _polygon(kind, points)


def _ellipse(points: Points, rounds: int = 5) -> Shape | None:
    near = np.ones(len(points), bool)
    form = None
    for _ in range(rounds):
        if near.sum() < 8:
            return None
        (x, y), (wide, high), turn = cv2.fitEllipseDirect(points[near].astype(np.float32))
        form = np.array([x, y, wide / 2, high / 2, np.radians(turn)])
        if not np.isfinite(form).all() or min(wide, high) < 4:
            return None
        off = np.abs(_off_ellipse(form, points))
        near = off <= max(1.5, 1.5 * float(np.median(off)))
    if form is None:
        return None
    if form[2] < form[3]:
        form = np.array([form[0], form[1], form[3], form[2], form[4] + np.pi / 2])
    return Shape("round", form) if form[3] >= _NARROWEST * form[2] else None


def _off_ellipse(form: NDArray[np.float64], points: Points) -> NDArray[np.float64]:
    """About how far points (n, 2) are outside an ellipse, (n,) pixels."""
    x, y, a, b, turn = form
    c, s = np.cos(turn), np.sin(turn)
    own = (points - (x, y)) @ np.array([[c, -s], [s, c]]) / (a, b)
    away = np.linalg.norm(own, axis=1)
    slope = np.linalg.norm(own / (a, b), axis=1) / np.maximum(away, 1e-9)
    return np.asarray((away - 1) / np.maximum(slope, 1e-9))


def _polygon(kind: Kind, points: Points) -> Shape | None:
    hull = cv2.convexHull(points.astype(np.float32))[:, 0].astype(np.float64)
    corners = _simplest(hull, CORNERS[kind])
    if corners is None:
        return None
    for _ in range(3):
        better = _sides_through(corners, points)
        if better is None:
            return None
        corners = better
    return shaped(kind, corners)


def _simplest(outline: Points, count: int) -> Points | None:
    """The polygon of `count` corners left when those that matter least are taken from an outline one by one."""
    left = outline
    while len(left) > count:
        before, after = np.roll(left, 1, axis=0), np.roll(left, -1, axis=0)
        area = np.abs(
            (left[:, 0] - before[:, 0]) * (after[:, 1] - before[:, 1])
            - (left[:, 1] - before[:, 1]) * (after[:, 0] - before[:, 0])
        )
        left = np.delete(left, int(area.argmin()), axis=0)
    return left if len(left) == count else None


def _sides_through(corners: Points, points: Points) -> Points | None:
    """The corners when each side is laid through those of the points that are nearest to it, outliers apart."""
    count = len(corners)
    step = np.roll(corners, -1, axis=0) - corners
    length = np.maximum(np.linalg.norm(step, axis=1), 1e-9)
    unit = step / length[:, None]
    from_corner = points[:, None] - corners[None]
    part = (from_corner * unit).sum(axis=2) / length
    off = from_corner[..., 0] * unit[:, 1] - from_corner[..., 1] * unit[:, 0]
    beyond = np.maximum(np.abs(part - 0.5) - 0.5, 0) * length
    nearest = np.hypot(off, beyond).argmin(axis=1)
    lines = np.zeros((count, 3))
    for side in range(count):
        own = (nearest == side) & (part[:, side] > _CORNER) & (part[:, side] < 1 - _CORNER)
        if own.sum() < 4:
            return None
        lines[side] = _line(points[own])
    found = np.cross(np.roll(lines, 1, axis=0), lines)
    if (np.abs(found[:, 2]) < 0.15).any():  # sides nearly in line meet anywhere
        return None
    return np.asarray(found[:, :2] / found[:, 2:])


def _line(points: Points) -> NDArray[np.float64]:
    """The line (a, b, c), a x + b y + c = 0 with (a, b) of length 1, through most of the points (n, 2), n >= 2."""
    across, down, x, y = (
        cv2.fitLine(points.astype(np.float32), cv2.DIST_WELSCH, 0, 0.01, 0.01).ravel().tolist()
    )
    return np.array([-down, across, down * x - across * y])


def shaped(kind: Kind, corners: Points) -> Shape | None:
    """The polygon as a shape of its kind, or None when it could not be one seen in perspective."""
    if not cv2.isContourConvex(corners.astype(np.float32)):
        return None
    step = np.roll(corners, -1, axis=0) - corners
    length = np.linalg.norm(step, axis=1)
    before = -np.roll(step, 1, axis=0) / np.roll(length, 1)[:, None]
    angle = np.degrees(np.arccos(np.clip((before * step / length[:, None]).sum(axis=1), -1, 1)))
    if kind == "square":
        good = length.max() <= _SIDE_RATIO * length.min() and angle.min() > 50 and angle.max() < 130
        return Shape(kind, corners) if good else None
    around = np.pi / 3 * np.arange(6)
    regular = np.stack([np.cos(around), np.sin(around)], -1)
    if not _clockwise(corners):
        corners = corners[::-1].copy()
    matrix = cv2.findHomography(regular, corners)[0]
    if matrix is None:
        return None
    ideal = mapped(regular, np.asarray(matrix, np.float64))
    size = np.sqrt(area_of(corners))
    good = (
        np.abs(ideal - corners).max() <= _REGULAR * 1.5 * size and length.max() <= _SIDE_RATIO * length.min()
    )
    return Shape(kind, ideal) if good and cv2.isContourConvex(ideal.astype(np.float32)) else None


def drawn_to(edges: Edges, shape: Shape, reaches: tuple[int, ...] = (7, 4, 3)) -> Shape:
    """The shape moved to the edges near it: within so many pixels, round after round."""
    for reach in reaches:
        points, normals = shape.samples()
        offsets = np.arange(-reach, reach + 1, dtype=np.float64)
        at = points[:, None] + offsets[:, None] * normals[:, None]
        strength = edges.across(at, np.broadcast_to(normals[:, None], at.shape))
        best = (strength - 0.25 * np.abs(offsets) / reach).argmax(axis=1)
        rows = np.arange(len(points))
        there, seen = at[rows, best], strength[rows, best] >= _SEEN
        if seen.sum() < len(points) / 4:
            return shape
        if shape.kind == "round":
            better = _ellipse(there[seen])
        else:
            corners = _sides_through(shape.form, there[seen])
            better = None if corners is None else shaped(shape.kind, corners)
        if better is None:
            return shape
        shape = better
    return shape


def outward(shape: Shape) -> list[Shape]:
    """Shapes a little larger on all sides or on one: where the outer edge of a rim may be when this is the inner one.

    Seen from aside, the far wall shows its inside, and the near one its outside.
    """
    made = [shape.scaled(factor) for factor in (1.06, 1.12, 1.19, 1.27)]
    if shape.kind == "round":
        x, y, a, b, turn = shape.form
        for step in (0.05, 0.12):
            for way in (-1, 1):
                made.append(
                    Shape("round", np.array([x, y + way * step * b, a * (1 + step), b * (1 + step), turn]))
                )
        return made
    middle = shape.form.mean(axis=0)
    count = len(shape.form)
    for side in range(count):
        ends = [side, (side + 1) % count]
        out = (shape.form[ends].mean(axis=0) - middle) * np.array([[0.10], [0.22]])
        for step in out:
            corners = shape.form.copy()
            corners[ends] += step
            made.append(Shape(shape.kind, corners))
    return made


def overshoot(edges: Edges, shape: Shape) -> float:
    """How much of the sides' continuations beyond the corners lies on edges, 0 to 1: those of a printed board go on."""
    if shape.kind == "round":
        return 0.0
    corners = shape.form
    step = np.roll(corners, -1, axis=0) - corners
    length = np.linalg.norm(step, axis=1, keepdims=True)
    normals = np.stack([step[:, 1], -step[:, 0]], -1) / np.maximum(length, 1e-9)
    parts = np.concatenate([np.linspace(-0.22, -0.06, 6), np.linspace(1.06, 1.22, 6)])
    offsets = np.arange(-2.0, 2.5)
    at = corners[:, None] + parts[:, None] * step[:, None]
    around = at[:, :, None] + offsets[:, None] * normals[:, None, None]
    strength = edges.across(around, np.broadcast_to(normals[:, None, None], around.shape)).max(axis=2)
    return float((strength >= _SEEN).mean())


@dataclass(frozen=True, slots=True)
class Support:
    """How well edges bear a shape out: the `share` of it that lies on edges, the same of its worst `side` (of a round
    one quarter) and of the `worst` of `ARCS` parts, the share of it that is `seen` (within the picture), and the mean
    `strength` of the edges.
    """

    share: float
    side: float
    worst: float
    seen: float
    strength: float


def support_of(edges: Edges, shape: Shape, tolerance: float = 1.5) -> Support:
    """How well the edges bear the shape out, within `tolerance` pixels."""
    points, normals, side = shape.samples_by_side()
    offsets = np.array([-1.0, -0.5, 0.0, 0.5, 1.0]) * tolerance
    at = points[:, None] + offsets[:, None] * normals[:, None]
    strength = edges.across(at, np.broadcast_to(normals[:, None], at.shape)).max(axis=1)
    on_edge = strength >= _SEEN
    width, height = edges.size
    border = 1.5
    seen = (points > border).all(axis=1) & (points < (width - 1 - border, height - 1 - border)).all(axis=1)
    on_edge &= seen
    arcs = on_edge.reshape(ARCS, -1).mean(axis=1)
    sides = np.bincount(side, on_edge) / np.maximum(np.bincount(side), 1)
    return Support(
        float(on_edge.mean()),
        float(sides.min()),
        float(arcs.min()),
        float(seen.mean()),
        float(np.minimum(strength, 1).mean()),
    )
