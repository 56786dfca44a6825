"""The table and the tray on it, traced once for each clip: felt, wood or cloth, a round, hexagonal or square rim."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import cv2
import numpy as np

from benchmarks.clips.view import Floats, Light, Points, View
from models.training.paint import value_noise

Shape = Literal["round", "hexagon", "square", "none"]
TEXTURE = 1024
SPAN = 48.0
"""Edges across which a texture of the table stretches before it repeats."""

FELTS = (
    (0.030, 0.105, 0.018),
    (0.10, 0.025, 0.02),
    (0.02, 0.015, 0.10),
    (0.045, 0.045, 0.045),
    (0.22, 0.25, 0.27),
)
WOODS = ((0.05, 0.11, 0.20), (0.02, 0.05, 0.11), (0.12, 0.22, 0.36), (0.012, 0.02, 0.04))


@dataclass(frozen=True)
class Tray:
    """`radius` to the inside of the rim (to the middle of a side), its `wall` and `height`, all in edges; `turn` in
    radians. `none`: no tray, the dice are thrown on the table."""

    shape: Shape = "round"
    radius: float = 6.0
    wall: float = 0.55
    height: float = 1.2
    turn: float = 0.0
    felt: tuple[float, float, float] = FELTS[0]
    wood: tuple[float, float, float] = WOODS[1]

    def reach(self, x: Floats, y: Floats) -> Floats:
        """How far out points lie, in the measure by which the inside of the rim is at `radius`."""
        if self.shape in ("round", "none"):
            return np.asarray(np.hypot(x, y), np.float32)
        sides = 6 if self.shape == "hexagon" else 4
        angles = self.turn + np.arange(sides) * 2 * np.pi / sides
        out = np.full_like(x, -1e9)
        for a in angles:
            np.maximum(out, x * np.float32(np.cos(a)) + y * np.float32(np.sin(a)), out=out)
        return out

    def outline(self, count: int = 48) -> Points:
        """The outside of the rim at its top, (n, 3) world."""
        angles = self.turn + np.linspace(0, 2 * np.pi, count, endpoint=False)
        unit = np.stack([np.cos(angles), np.sin(angles)], -1)
        reach = self.reach(unit[:, 0].astype(np.float32), unit[:, 1].astype(np.float32))[:, None]
        return np.pad(unit * (self.radius + self.wall) / reach, ((0, 0), (0, 1)), constant_values=self.height)


@dataclass(frozen=True)
class Ground:
    """The empty table: `picture` (h, w, 3), and `front` (h, w, 1): how much of a pixel is the near rim, which hides
    what lies in the tray behind it."""

    picture: Floats
    front: Floats


def _planks(rng: np.random.Generator, wood: tuple[float, float, float]) -> Floats:
    """(TEXTURE, TEXTURE, 3) reflectance of planks."""
    warp = value_noise(rng, TEXTURE, TEXTURE, 5)
    y, x = np.mgrid[0:TEXTURE, 0:TEXTURE].astype(np.float32) / TEXTURE
    rings = np.sin((y * 60 + 9 * warp + 0.7 * np.sin(x * 8)) * 3.1)
    fine = cv2.GaussianBlur(rng.normal(0, 1, (TEXTURE, TEXTURE)).astype(np.float32), (0, 0), 6, None, 0.7)
    out = np.array(wood, np.float32) * (1 + 0.22 * rings + 0.9 * fine)[..., None]
    joints = np.abs(((y * 5) % 1) - 0.5) > 0.49
    out[joints] *= 0.45
    return np.asarray(np.maximum(out, 0.004), np.float32)


def _cloth(rng: np.random.Generator, colour: tuple[float, float, float], rough: float) -> Floats:
    """(TEXTURE, TEXTURE, 3) reflectance of felt or cloth."""
    fine = rng.normal(0, 1, (TEXTURE, TEXTURE)).astype(np.float32)
    nap = cv2.GaussianBlur(fine, (0, 0), 1.2) * 2.4 + 1.2 * (value_noise(rng, TEXTURE, TEXTURE, 9) - 0.5)
    return np.asarray(np.array(colour, np.float32) * np.exp(rough * nap)[..., None], np.float32)


def _laid(texture: Floats, x: Floats, y: Floats, span: float) -> Floats:
    """The texture at world coordinates, blue green red (…, 3); it repeats, every other time mirrored."""
    scale = np.float32(TEXTURE / span)
    columns, rows = (np.abs((each * scale) % (2 * TEXTURE) - TEXTURE) for each in (x, y))
    return np.asarray(
        cv2.remap(
            texture,
            columns.astype(np.float32),
            rows.astype(np.float32),
            cv2.INTER_LINEAR,
            None,
            cv2.BORDER_REFLECT,
        ),
        np.float32,
    )


def lit(light: Light, x: Floats, y: Floats, z: float = 0.0) -> Floats:
    """The light of the lamp on a level place, (…, 1), in units of `strength`: 1 at the origin for a lamp above it."""
    high = np.float32(light.at[2] - z)
    square = np.square(np.float32(light.at[0]) - x) + np.square(np.float32(light.at[1]) - y) + high * high
    near = np.float32(np.square(light.at).sum())
    return np.asarray((high * near / (square * np.sqrt(square)))[..., None], np.float32)


def trace(view: View, light: Light, tray: Tray, surface: str, rng: np.random.Generator) -> Ground:
    """The empty table in this light; the same `rng` state gives the same table in any light."""
    factor = 2
    ways = view.rays((0, 0, view.width, view.height), factor)
    x, y = view.where(ways, 0.0)
    if surface == "wood":
        table = _planks(rng, WOODS[int(rng.integers(len(WOODS)))])
    else:
        table = _cloth(
            rng, FELTS[int(rng.integers(len(FELTS)))] if surface == "cloth" else (0.4, 0.45, 0.5), 0.08
        )
    felt = _cloth(rng, tray.felt, 0.10)
    out = _laid(table, x + 17, y + 11, SPAN)
    lamp = lit(light, x, y)
    if tray.shape == "none":
        shaded = out * (light.strength * lamp + light.ambient)
        return Ground(_down(shaded, view), np.zeros((view.height, view.width, 1), np.float32))
    tx, ty = view.where(ways, tray.height)
    floor, rim = tray.reach(x, y), tray.reach(tx, ty)
    outer = tray.radius + tray.wall
    top = (rim >= tray.radius) & (rim <= outer)
    inner_wall = (rim < tray.radius) & (floor >= tray.radius)
    outer_wall = (rim > outer) & (floor < outer)
    inside = (rim < tray.radius) & (floor < tray.radius)
    out = np.where(inside[..., None], _laid(felt, x, y, SPAN / 3), out)
    walls = top | inner_wall | outer_wall
    grain = np.sin(9 * np.arctan2(ty[walls], tx[walls]) + 3 * floor[walls])
    out[walls] = np.array(tray.wood, np.float32) * (1 + 0.25 * grain)[..., None]
    dark = _shaded(view, light, tray)
    dark[top] = 0
    facing = np.ones_like(floor)
    for wall, sign in ((inner_wall, -1), (outer_wall, 1)):
        slope = _slope(tray, x[wall], y[wall]) @ np.asarray(light.towards[:2], np.float32)
        facing[wall] = np.clip(sign * slope, 0, 1)
        dark[wall] = 0
    corner = np.where(inside, 1 - 0.4 * np.exp((floor - tray.radius) / 0.35), 1.0)[..., None]
    shaded = out * (light.strength * lamp * (facing * (1 - dark))[..., None] + light.ambient * corner)
    near = (top | outer_wall) & (ty < 0)
    return Ground(
        _down(shaded.astype(np.float32), view), _down(near.astype(np.float32)[..., None], view)[..., None]
    )


def _shaded(view: View, light: Light, tray: Tray) -> Floats:
    """How much of the lamp the rim hides from each place of table and floor; of twice the picture's size."""
    x, y = view.where(view.rays((0, 0, view.width, view.height))[::2, ::2], 0.0)
    inside = tray.reach(x, y) < tray.radius
    total = np.zeros_like(x)
    points = light.points[::2]
    for point in points:
        reaches = [
            tray.reach(
                x + np.float32(point[0] / point[2] * height), y + np.float32(point[1] / point[2] * height)
            )
            for height in (tray.height * 0.35, tray.height * 0.7, tray.height)
        ]
        ring = [(each > tray.radius) & (each < tray.radius + tray.wall) for each in reaches]
        total += np.where(inside, reaches[-1] > tray.radius, ring[0] | ring[1] | ring[2])
    dark = cv2.GaussianBlur(total / len(points), (0, 0), 0.7)
    return np.asarray(
        cv2.resize(dark, (view.width * 2, view.height * 2), interpolation=cv2.INTER_LINEAR), np.float32
    )


def _slope(tray: Tray, x: Floats, y: Floats) -> Floats:
    """The direction outwards of the rim near each place, (…, 2)."""
    step = np.float32(0.05)
    gradient = np.stack(
        [
            tray.reach(x + step, y) - tray.reach(x - step, y),
            tray.reach(x, y + step) - tray.reach(x, y - step),
        ],
        -1,
    )
    return np.asarray(gradient / (2 * step), np.float32)


def _down(picture: Floats, view: View) -> Floats:
    return np.asarray(
        cv2.resize(picture, (view.width, view.height), interpolation=cv2.INTER_AREA), np.float32
    )
