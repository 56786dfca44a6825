"""Dice, ray-marched: a rounded cube with drilled pips, shaded, and the soft shadow it casts on the table.

In its own coordinates a die spans -0.5 to 0.5; its faces sum to seven.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from benchmarks.clips.view import Floats, Light, Points, View, dot, length
from models.training.paint import PIPS

AXES = {1: (2, 1), 6: (2, -1), 2: (1, 1), 5: (1, -1), 3: (0, 1), 4: (0, -1)}
"""By value, the axis that its face looks along, and the sign."""
MIRRORED = AXES | {3: AXES[4], 4: AXES[3]}
"""The same for dice that are made the other way round."""
CORNERS = np.array([(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], np.float64)
STEPS = 15


@dataclass(frozen=True)
class Look:
    """How a set of dice looks: colours linear blue green red, lengths in edges."""

    body: tuple[float, float, float]
    pips: tuple[float, float, float]
    round: float = 0.11
    ball: float = 0.76  # radius of the sphere that cuts the corners
    pip: float = 0.095
    spacing: float = 0.27
    gloss: float = 0.13
    mirrored: bool = False
    name: str = ""

    @property
    def axes(self) -> dict[int, tuple[int, int]]:
        """By value, the axis that its face looks along, and the sign."""
        return MIRRORED if self.mirrored else AXES


LOOKS = (
    Look((0.62, 0.74, 0.80), (0.012, 0.012, 0.014), name="ivory"),
    Look((0.83, 0.85, 0.86), (0.02, 0.018, 0.018), ball=0.745, name="white"),
    Look((0.05, 0.035, 0.52), (0.85, 0.87, 0.88), round=0.06, ball=0.85, name="red"),
    Look((0.022, 0.02, 0.02), (0.80, 0.82, 0.84), name="black"),
    Look((0.42, 0.09, 0.03), (0.84, 0.85, 0.86), ball=0.75, name="blue"),
    Look((0.08, 0.28, 0.05), (0.82, 0.85, 0.84), mirrored=True, name="green"),
    Look((0.05, 0.52, 0.78), (0.012, 0.014, 0.02), name="yellow"),
    Look((0.13, 0.30, 0.52), (0.02, 0.025, 0.04), round=0.08, gloss=0.04, name="wood"),
)


@dataclass(frozen=True, eq=False)
class Pose:
    """Where a die is: `rotation` (3, 3) body to world, `position` (3,) of its middle. Same object: same place."""

    rotation: Points
    position: Points


@dataclass(frozen=True)
class Patch:
    """A piece of a picture at (x, y): `colour` (h, w, 3) times its opacity, `opacity` (h, w, 1)."""

    x: int
    y: int
    colour: Floats
    opacity: Floats

    @property
    def box(self) -> tuple[int, int, int, int]:
        """x0, y0, x1, y1."""
        return (self.x, self.y, self.x + self.colour.shape[1], self.y + self.colour.shape[0])


def upright(look: Look, value: int, yaw: float) -> Points:
    """The rotation (3, 3) by which `value` is the upper face; `yaw` in radians."""
    axis, sign = look.axes[value]
    up = np.zeros(3)
    up[axis] = sign
    right = np.zeros(3)
    right[(axis + 1) % 3] = 1.0
    rows = np.stack([right, np.cross(up, right), up])  # world axes in the body's coordinates
    return turned((0.0, 0.0, 1.0), yaw) @ rows


def turned(axis: tuple[float, float, float] | Points, angle: float) -> Points:
    """Rotation (3, 3) about an axis by an angle in radians."""
    n = np.asarray(axis, np.float64)
    n = n / np.linalg.norm(n)
    cross = np.array([[0, -n[2], n[1]], [n[2], 0, -n[0]], [-n[1], n[0], 0]])
    return np.asarray(
        np.eye(3) * np.cos(angle) + np.sin(angle) * cross + (1 - np.cos(angle)) * np.outer(n, n)
    )


def lowest(rotation: Points, look: Look) -> float:
    """How far the die reaches below its middle in such a rotation."""
    inner = (0.5 - look.round) * CORNERS @ rotation.T
    return float(look.round - inner[:, 2].min())


def upper_value(look: Look, rotation: Points) -> tuple[int, float]:
    """The value that looks up most, and the angle in radians by which it leans."""
    up = {value: sign * rotation[2, axis] for value, (axis, sign) in look.axes.items()}
    best = max(up, key=lambda value: up[value])
    return best, float(np.arccos(np.clip(up[best], -1, 1)))


def outline(view: View, pose: Pose, look: Look) -> tuple[float, float, float, float]:
    """The box of a die in the picture, pixels."""
    inner, depth = view.project((0.5 - look.round) * CORNERS @ pose.rotation.T + pose.position)
    reach = look.round * view.focal / depth
    low, high = (inner - reach[:, None]).min(0), (inner + reach[:, None]).max(0)
    return (float(low[0]), float(low[1]), float(high[0]), float(high[1]))


def _distance(p: Floats, look: Look) -> Floats:
    """(…, 1) from places (…, 3) to the surface."""
    q = np.abs(p)
    q -= np.float32(0.5 - look.round)
    inside = np.maximum(np.maximum(q[..., :1], q[..., 1:2]), q[..., 2:])
    box = length(np.maximum(q, 0)) + np.minimum(inside, 0) - np.float32(look.round)
    return np.asarray(np.maximum(box, length(p) - np.float32(look.ball)), np.float32)


def render(view: View, light: Light, look: Look, pose: Pose, factor: int = 2) -> Patch | None:
    """The die as it is seen; None out of sight."""
    x0, y0, x1, y1 = outline(view, pose, look)
    box = (int(x0) - 2, int(y0) - 2, int(x1) + 3, int(y1) + 3)
    box = (max(box[0], 0), max(box[1], 0), min(box[2], view.width), min(box[3], view.height))
    if box[2] - box[0] < 2 or box[3] - box[1] < 2:
        return None
    ways = view.rays(box, factor)
    body = pose.rotation.astype(np.float32)
    start = ((view.eye - pose.position) @ pose.rotation).astype(np.float32)
    ahead = ways @ body
    far = float(np.linalg.norm(start))
    at = start + ahead * np.float32(far - 0.9)
    for _ in range(STEPS):
        at += ahead * _distance(at, look)
    gap = _distance(at, look)[..., 0]
    hit = gap < 0.02
    normal = _normal(at, look)
    albedo = np.empty_like(at)
    albedo[:] = look.body
    normal = _drill(at, normal, albedo, look, view.die_px * factor)
    shade = _shade(at @ body.T + pose.position.astype(np.float32), normal @ body.T, ways, albedo, light, look)
    shade[~hit] = 0
    wide, high = box[2] - box[0], box[3] - box[1]
    colour = cv2.resize(shade, (wide, high), interpolation=cv2.INTER_AREA)
    opacity = cv2.resize(hit.astype(np.float32), (wide, high), interpolation=cv2.INTER_AREA)
    return Patch(box[0], box[1], np.asarray(colour, np.float32), np.asarray(opacity, np.float32)[..., None])


def _normal(at: Floats, look: Look) -> Floats:
    q = np.maximum(np.abs(at) - np.float32(0.5 - look.round), 0)
    normal = np.sign(at) * q
    normal = np.where(length(at) > look.ball - 0.004, at, normal)
    return np.asarray(normal / np.maximum(length(normal), 1e-6), np.float32)


def _drill(at: Floats, normal: Floats, albedo: Floats, look: Look, die_px: float) -> Floats:
    """Paint the pips into `albedo`, and lean the normals in them."""
    axis = np.abs(at).argmax(-1)
    soft = 0.8 / die_px
    normal = normal.copy()
    for value, (which, sign) in look.axes.items():
        rows, columns = np.nonzero((axis == which) & (np.sign(at[..., which]) == sign))
        if not len(rows):
            continue
        u, v = (which + 1) % 3, (which + 2) % 3
        place = at[rows, columns][:, (u, v)]
        pips = np.array(PIPS[value], np.float32) * np.float32(look.spacing)
        away = place[:, None] - pips[None]
        gaps = length(away)[..., 0]
        nearest = gaps.argmin(1)
        gap = gaps[np.arange(len(gaps)), nearest]
        lean = away[np.arange(len(gaps)), nearest] / np.float32(look.pip)
        ink = np.clip((look.pip - gap) / soft + 0.5, 0, 1)[:, None].astype(np.float32)
        albedo[rows, columns] += ink * (np.array(look.pips, np.float32) - albedo[rows, columns])
        tipped = normal[rows, columns]
        tipped[:, u] -= ink[:, 0] * 0.7 * lean[:, 0]
        tipped[:, v] -= ink[:, 0] * 0.7 * lean[:, 1]
        normal[rows, columns] = tipped / length(tipped)
    return normal


def _shade(at: Floats, normal: Floats, ways: Floats, albedo: Floats, light: Light, look: Look) -> Floats:
    towards = light.at.astype(np.float32) - at
    towards /= length(towards)
    facing = np.maximum(dot(normal, towards), 0)
    sky = 0.62 + 0.38 * normal[..., 2:]  # from above comes more than from the table
    near = 0.72 + 0.28 * np.clip(at[..., 2:] / 0.6, 0, 1)  # the table hides part of the sky from what is low
    half = towards - ways
    half /= length(half)
    shine = np.maximum(dot(normal, half), 0) ** 60 * np.float32(look.gloss)
    return np.asarray(
        albedo * (light.strength * facing + light.ambient * sky * near) + shine * light.strength, np.float32
    )


def shadow(
    view: View, light: Light, look: Look, pose: Pose, samples: int = 12
) -> tuple[int, int, Floats] | None:
    """What a die takes of the light on the table: (x, y) of a piece of the picture, and factors (h, w) for it.

    The lamp is taken for so many points.
    """
    inner = (0.5 - look.round * 0.75) * CORNERS @ pose.rotation.T + pose.position
    inner[:, 2] = np.maximum(inner[:, 2], 0)
    lamps = light.points[:: max(1, len(light.points) // samples), None]
    part = inner[:, 2:] / (lamps[..., 2:] - inner[:, 2:])
    floor = np.zeros((len(lamps) + 1, len(inner), 3))
    floor[:-1, :, :2] = inner[:, :2] + part * (inner[:, :2] - lamps[..., :2])
    floor[-1, :, :2] = inner[:, :2]  # what it stands on, or over
    flat = view.project(floor.reshape(-1, 3))[0]
    margin = view.die_px * 0.5
    low = np.maximum(flat.min(0) - margin, 0).astype(int)
    high = np.minimum(flat.max(0) + margin, (view.width, view.height)).astype(int)
    if (high - low).min() < 2:
        return None
    size = (int(high[1] - low[1]), int(high[0] - low[0]))
    hulls = (flat - low).reshape(len(floor), -1, 2)
    dark = np.zeros(size, np.float32)
    for each in hulls[:-1]:
        dark += _filled(each, size)
    dark = np.asarray(cv2.GaussianBlur(dark, (0, 0), 0.8), np.float32)
    contact = np.asarray(cv2.GaussianBlur(_filled(hulls[-1], size), (0, 0), view.die_px * 0.14), np.float32)
    near = 0.35 * max(0.0, 1 - max(0.0, float(pose.position[2]) - 0.5))
    factor = (1 - light.share / len(lamps) * dark) * (1 - near * contact)
    return int(low[0]), int(low[1]), np.asarray(factor, np.float32)


def _filled(points: Points, size: tuple[int, int]) -> Floats:
    mask: NDArray[np.uint8] = np.zeros(size, np.uint8)
    hull = cv2.convexHull(points.astype(np.float32))[:, 0]
    cv2.fillConvexPoly(mask, np.round(hull * 8).astype(np.int32), (255,), cv2.LINE_AA, 3)
    return np.asarray(mask.astype(np.float32) / np.float32(255))
