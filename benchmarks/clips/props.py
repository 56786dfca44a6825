"""Things that are not dice: chips, a glass, a telephone; layers of a texture, one above the other."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from benchmarks.clips.view import Floats, Light, Points, View
from models.training.paint import value_noise

SIDE = 160
"""Pixels along a texture's longer side."""


@dataclass(frozen=True)
class Prop:
    """`layers` are (height in edges, (h, w, 4) linear colour times opacity, and opacity), from below; `size` (w, h) in
    edges. `solid`: how much of the light does not get through it."""

    size: tuple[float, float]
    layers: tuple[tuple[float, Floats], ...]
    outline: Points
    solid: float = 1.0


@dataclass(frozen=True, eq=False)
class Place:
    """Where a thing stands: `at` (3,) the middle of its underside, `turn` in radians. Same object: same place."""

    at: Points
    turn: float = 0.0


def _disc(radius: float) -> tuple[Floats, Floats]:
    """Distance from the middle in units of half the side, (SIDE, SIDE), and the opacity of a disc."""
    axis = (np.arange(SIDE, dtype=np.float32) + 0.5) / SIDE * 2 - 1
    away = np.hypot(*np.meshgrid(axis, axis)).astype(np.float32)
    return away, np.clip((radius - away) * SIDE / 2, 0, 1).astype(np.float32)


def _inked(colour: Floats, opacity: Floats) -> Floats:
    return np.asarray(np.concatenate([colour * opacity[..., None], opacity[..., None]], -1), np.float32)


def _ring(count: int = 32) -> Points:
    angles = np.linspace(0, 2 * np.pi, count, endpoint=False)
    return np.stack([np.cos(angles), np.sin(angles)], -1) / 2


def chip(rng: np.random.Generator, high: int = 1) -> Prop:
    """A pile of `high` chips, 39 mm across."""
    away, opacity = _disc(0.98)
    colour = np.array(((0.03, 0.03, 0.45), (0.4, 0.08, 0.03), (0.05, 0.25, 0.04), (0.02, 0.02, 0.02)))[
        int(rng.integers(4))
    ]
    axis = np.arange(SIDE) - SIDE / 2
    angle = np.arctan2(*np.meshgrid(axis, axis))
    marks = (np.cos(6 * angle) > 0.55) & (away > 0.72)
    pale = marks | ((away > 0.5) & (away < 0.56))
    top = np.where(pale[..., None], 0.75, colour).astype(np.float32)
    side = np.where((np.cos(6 * angle) > 0.55)[..., None], 0.6, colour * 0.8).astype(np.float32)
    each = 0.2
    layers: list[tuple[float, Floats]] = []
    for number in range(high):
        for part in range(4):
            shade = 0.55 if part == 0 else 1.0
            layers.append(((number + part / 4) * each, _inked(side * np.float32(shade), opacity)))
    layers.append((high * each, _inked(top, opacity)))
    return Prop((2.3, 2.3), tuple(layers), _ring())


def glass(rng: np.random.Generator) -> Prop:
    """A glass, 65 mm across and not quite empty."""
    away, opacity = _disc(0.98)
    wall = (np.clip(1 - np.abs(away - 0.93) / 0.06, 0, 1) * 0.10).astype(np.float32)
    bright = np.full((SIDE, SIDE, 3), 0.9, np.float32)
    drink = np.array(((0.03, 0.25, 0.55), (0.03, 0.03, 0.25), (0.5, 0.55, 0.55)))[int(rng.integers(3))]
    base = _inked(np.full((SIDE, SIDE, 3), 0.25, np.float32), opacity * 0.35)
    liquid = _inked(np.broadcast_to(drink.astype(np.float32), bright.shape), opacity * 0.75)
    rim = np.clip(1 - np.abs(away - 0.94) / 0.05, 0, 1).astype(np.float32) * 0.75
    layers = [(0.0, base), *((z, _inked(bright, wall)) for z in np.linspace(0.1, 1.6, 6)), (1.7, liquid)]
    layers += [(z, _inked(bright, wall)) for z in np.linspace(1.9, 4.6, 10)]
    return Prop((3.8, 3.8), (*layers, (4.7, _inked(bright, rim))), _ring(), 0.35)


def phone(rng: np.random.Generator) -> Prop:
    """A telephone lying on its back, its screen lit or dark."""
    wide, high = 4.3, 8.8
    columns = round(SIDE * wide / high)
    y, x = np.mgrid[0:SIDE, 0:columns].astype(np.float32)
    near = np.hypot(
        np.maximum(np.abs(x - columns / 2 + 0.5) - columns / 2 + 12, 0),
        np.maximum(np.abs(y - SIDE / 2 + 0.5) - SIDE / 2 + 12, 0),
    )
    opacity = np.clip(11.5 - near, 0, 1).astype(np.float32)
    body = np.full((SIDE, columns, 3), 0.02, np.float32)
    top = body.copy()
    screen = near < 8
    if rng.random() < 0.6:
        glow = value_noise(rng, SIDE, columns, 4)[..., None] * rng.uniform(0.1, 0.7, 3).astype(np.float32)
        for row in range(20, SIDE - 20, 18):
            glow[row : row + 6, 8 : columns - 8 - int(rng.integers(0, 20))] += 0.25
        top[screen] = glow[screen]
    else:
        top[screen] = 0.008
    layers = [(z, _inked(body, opacity)) for z in (0.0, 0.15, 0.3)]
    corners = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) / 2 * (wide, high)
    return Prop((wide, high), (*layers, (0.45, _inked(top, opacity))), corners / (wide, high))


def lay(picture: Floats, view: View, light: Light, prop: Prop, place: Place) -> None:
    """Draw a thing and its shadow into a picture, in place."""
    c, s = np.cos(place.turn), np.sin(place.turn)
    turn = np.array([[c, -s], [s, c]])
    foot = prop.outline * prop.size @ turn.T + place.at[:2]
    height, lift = prop.layers[-1][0], float(place.at[2])
    hulls = []
    for point in light.points[::2]:
        ways = [z / (point[2] - z) * (place.at[:2] - point[:2]) for z in (lift, lift + height)]
        hulls.append(view.project(np.pad(np.concatenate([foot + way for way in ways]), ((0, 0), (0, 1))))[0])
    every = np.concatenate(hulls)
    low = np.maximum(every.min(0) - 12, 0).astype(int)
    high = np.minimum(every.max(0) + 12, (view.width, view.height)).astype(int)
    if (high - low).min() > 2:
        dark = np.zeros((high[1] - low[1], high[0] - low[0]), np.float32)
        for hull in hulls:
            mask = np.zeros(dark.shape, np.uint8)
            points = cv2.convexHull((hull - low).astype(np.float32))[:, 0]
            cv2.fillConvexPoly(mask, np.round(points * 8).astype(np.int32), (255,), cv2.LINE_AA, 3)
            dark += mask.astype(np.float32) / 255 / len(hulls)
        soft = cv2.GaussianBlur(dark, (0, 0), 1.5 + view.die_px * 0.1 * lift)
        piece = picture[low[1] : high[1], low[0] : high[0]]
        piece *= 1 - prop.solid * light.share * np.asarray(soft)[..., None]
    lamp = light.strength * np.float32(light.towards[2]) + light.ambient
    for z, layer in prop.layers:
        _print(picture, view, layer, prop, place, turn, lift + z, lamp)


def _print(
    picture: Floats, view: View, layer: Floats, prop: Prop, place: Place, turn: Points, z: float, lamp: Floats
) -> None:
    corners = np.array([(-1, 1), (1, 1), (1, -1), (-1, -1)]) / 2 * prop.size @ turn.T + place.at[:2]
    flat = view.project(np.concatenate([corners, np.full((4, 1), z)], 1))[0]
    low = np.maximum(flat.min(0) - 2, 0).astype(int)
    high = np.minimum(flat.max(0) + 3, (view.width, view.height)).astype(int)
    if (high - low).min() < 2:
        return
    h, w = layer.shape[:2]
    texture = np.array([[0, 0], [w, 0], [w, h], [0, h]], np.float32)
    matrix = cv2.getPerspectiveTransform(texture, (flat - low).astype(np.float32))
    size = (int(high[0] - low[0]), int(high[1] - low[1]))
    warped = np.asarray(cv2.warpPerspective(layer, matrix, size, flags=cv2.INTER_AREA), np.float32)
    piece = picture[low[1] : high[1], low[0] : high[0]]
    piece *= 1 - warped[..., 3:]
    piece += warped[..., :3] * lamp
