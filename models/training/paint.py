"""Paints dice quickly in two dimensions: a rounded cube in perspective, its textured faces, its shadow.

This is the cheap half of the training data: thousands of scenes a minute, with dice whose looks vary far more than any
one collection of photos. Rendered scenes with real light come from `models.training.render`.

Die coordinates: the cube spans -1 to 1 on each axis, z is up, the upper face lies at z = 1. A *side* is 2 units.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from models.training.looks import Look, View, luma
from models.training.markings import TEXTURE, Floats, draw_flaws, draw_symbol, write

Image = NDArray[np.uint8]
# Pip positions on a face in units of the pip spacing, by value.
PIPS: dict[int, list[tuple[int, int]]] = {
    1: [(0, 0)],
    2: [(-1, -1), (1, 1)],
    3: [(-1, -1), (0, 0), (1, 1)],
    4: [(-1, -1), (1, 1), (-1, 1), (1, -1)],
    5: [(-1, -1), (1, 1), (-1, 1), (1, -1), (0, 0)],
    6: [(-1, -1), (1, 1), (-1, 1), (1, -1), (-1, 0), (1, 0)],
}


def value_noise(rng: np.random.Generator, height: int, width: int, cells: float, octaves: int = 3) -> Floats:
    """Smooth noise in 0 to 1, (height, width) float32; `cells` is the number of bumps across."""
    out = np.zeros((height, width), np.float32)
    weight = 1.0
    for _ in range(octaves):
        rows = max(2, int(cells * height / max(height, width)) + 1)
        columns = max(2, int(cells * width / max(height, width)) + 1)
        grid = rng.random((rows, columns), np.float32)
        out += weight * cv2.resize(grid, (width, height), interpolation=cv2.INTER_CUBIC)
        weight *= 0.5
        cells *= 2.1
    low, high = float(out.min()), float(out.max())
    return (out - low) / (high - low + 1e-6)


def _face_mask(corner: float) -> Floats:
    """Opacity of the flat part of a face, soft at its rim; (TEXTURE, TEXTURE) float32 in 0 to 1."""
    axis = (np.arange(TEXTURE, dtype=np.float32) + 0.5) / TEXTURE * 2 - 1
    x, y = np.meshgrid(np.abs(axis), np.abs(axis))
    inner = 1 - corner * 0.96
    distance = np.hypot(np.maximum(x - inner, 0), np.maximum(y - inner, 0)) - (1 - inner)
    distance = np.maximum(distance, np.maximum(x, y) - 1)
    return np.clip(-distance * TEXTURE / 6 + 0.2, 0, 1).astype(np.float32)


def _draw_pips(
    canvas: Floats, value: int, look: Look, rng: np.random.Generator, light: tuple[float, float], flat: float
) -> None:
    """Draws the pips of `value` into a (TEXTURE, TEXTURE, 3) float32 texture of the flat part, in place."""
    scale = 8  # sub-pixel steps of cv2's shift argument: 3 bits
    shift = 3
    turn = rng.integers(0, 4)
    radius_factor = 1.0
    colour = look.pip
    if value == 1 and look.big_red_one:
        radius_factor, colour = 1.9, (30.0, 25.0, 205.0)
    if value == 4 and look.red_four:
        colour = (30.0, 25.0, 205.0)
    if value == 1 and not look.big_red_one and rng.random() < 0.1:
        radius_factor = 1.4
    layer = canvas.copy()
    for x, y in PIPS[value]:
        px, py = x * look.spacing, y * look.spacing
        if value == 6:
            px *= look.six_spacing
        for _ in range(int(turn)):
            px, py = -py, px
        # The pip's place is given for the whole face; the texture covers only its flat part.
        cx, cy = ((px / flat + 1) / 2 * TEXTURE, (py / flat + 1) / 2 * TEXTURE)
        radius = look.pip_radius * radius_factor / flat / 2 * TEXTURE
        centre = (round(cx * scale), round(cy * scale))
        cv2.circle(layer, centre, round(radius * scale), colour, -1, cv2.LINE_AA, shift)
        if look.ring:
            cv2.circle(layer, centre, round(radius * 0.5 * scale), look.body, -1, cv2.LINE_AA, shift)
        if look.drilled > 0.1:
            offset = (
                round((cx + light[0] * radius * 0.35) * scale),
                round((cy + light[1] * radius * 0.35) * scale),
            )
            lit = tuple(
                float(min(255, c + (150 if luma(colour) < 128 else 40) * look.drilled)) for c in colour
            )
            cv2.circle(layer, offset, round(radius * 0.45 * scale), lit, -1, cv2.LINE_AA, shift)
    cv2.addWeighted(layer, look.pip_alpha, canvas, 1 - look.pip_alpha, 0, dst=canvas)


def face_texture(
    value: int, look: Look, rng: np.random.Generator, light: tuple[float, float], flat: float
) -> Floats:
    """Texture of one face's flat part, (TEXTURE, TEXTURE, 3) float32, 0 to 255."""
    canvas = np.empty((TEXTURE, TEXTURE, 3), np.float32)
    canvas[:] = np.clip(np.array(look.body) * (1 + look.face_tint), 0, 255)
    if look.pattern != "plain":
        if look.pattern == "marble":
            blend = value_noise(rng, TEXTURE, TEXTURE, float(rng.uniform(2, 6)))
            blend = np.clip((blend - 0.45) * 4 + 0.5, 0, 1)
        elif look.pattern == "grain":
            column = value_noise(rng, TEXTURE, TEXTURE, 3)
            wave = np.sin((np.arange(TEXTURE, dtype=np.float32)[None] * rng.uniform(0.2, 0.8)) + column * 9)
            blend = (wave * 0.5 + 0.5) * 0.5
        else:
            blend = (rng.random((TEXTURE, TEXTURE)) < 0.12).astype(np.float32)
            blend = cv2.GaussianBlur(blend, (3, 3), 0)
        blend = (blend * look.pattern_strength)[..., None].astype(np.float32)
        canvas = canvas * (1 - blend) + np.array(look.vein, np.float32) * blend
    canvas = np.ascontiguousarray(canvas, np.float32)
    if look.print_ and look.kind == "pips":
        text = "".join(rng.choice(list("CASINOBARLUX789"), 3))
        under = canvas.copy()
        write(under, text, (22, 54), cv2.FONT_HERSHEY_SIMPLEX, 0.8, look.pip, 2)
        if rng.random() < 0.5:
            cv2.circle(under, (48, 48), 24, look.pip, 2, cv2.LINE_AA)
        amount = float(rng.uniform(0.15, 0.6))
        canvas = cv2.addWeighted(under, amount, canvas, 1 - amount, 0)
    if look.kind == "pips":
        _draw_pips(canvas, value, look, rng, light, flat)
    elif look.kind == "blank":
        draw_flaws(canvas, rng)
    else:
        draw_symbol(canvas, look, rng)
    return canvas


def leaning(axis: float, angle: float) -> Floats:
    """Turns die coordinates about the horizontal line in direction `axis` by `angle`, both in radians; (3, 3)."""
    x, y = np.cos(axis), np.sin(axis)
    c, s = np.cos(angle), np.sin(angle)
    cross = np.array([[0, 0, y], [0, 0, -x], [-y, x, 0]])
    return (np.eye(3) * c + s * cross + (1 - c) * np.outer([x, y, 0], [x, y, 0])).astype(np.float32)


FLAT: Floats = np.eye(3, dtype=np.float32)
"""The lean of a die that lies as it should."""


def project(points: Floats, view: View, yaw: float) -> tuple[Floats, Floats]:
    """Projects die coordinates (n, 3) to the picture: (n, 2) float32 in half sides, y down, and depth scale (n,)."""
    c, s = np.cos(yaw), np.sin(yaw)
    x = points[:, 0] * c - points[:, 1] * s
    y = points[:, 0] * s + points[:, 1] * c
    z = points[:, 2]
    ct, st = np.cos(view.tilt), np.sin(view.tilt)
    up = y * ct + z * st  # upwards in the picture
    towards = z * ct - y * st
    scale = view.distance / (view.distance - towards)
    cr, sr = np.cos(view.roll), np.sin(view.roll)
    u, v = x * scale, -up * scale
    return np.stack([u * cr - v * sr, u * sr + v * cr], 1).astype(np.float32), scale.astype(np.float32)


def around(upper: int, rng: np.random.Generator, chirality: int) -> dict[str, int]:
    """Values of the six faces of a die whose opposite faces sum to 7, with `upper` on top."""
    front = int(rng.choice([v for v in range(1, 7) if v not in (upper, 7 - upper)]))
    # 1, 2, 3 turn one way round their common corner on one kind of dice, the other way on the other.
    cyclic = {(1, 2): 3, (2, 3): 1, (3, 1): 2, (2, 1): 4, (3, 2): 6, (1, 3): 5}

    def third(a: int, b: int) -> int:
        sign = 1
        if a > 3:
            a, sign = 7 - a, -sign
        if b > 3:
            b, sign = 7 - b, -sign
        c = cyclic[(a, b)]
        return c if sign > 0 else 7 - c

    right = third(upper, front) if chirality > 0 else 7 - third(upper, front)
    return {
        "upper": upper,
        "lower": 7 - upper,
        "front": front,
        "back": 7 - front,
        "right": right,
        "left": 7 - right,
    }


# Each face: outward normal, and the corners of its square in the order of its texture.
_FACES: dict[str, tuple[tuple[int, int, int], list[tuple[int, int, int]]]] = {
    "upper": ((0, 0, 1), [(-1, 1, 1), (1, 1, 1), (1, -1, 1), (-1, -1, 1)]),
    "lower": ((0, 0, -1), [(-1, -1, -1), (1, -1, -1), (1, 1, -1), (-1, 1, -1)]),
    "front": ((0, -1, 0), [(-1, -1, 1), (1, -1, 1), (1, -1, -1), (-1, -1, -1)]),
    "back": ((0, 1, 0), [(1, 1, 1), (-1, 1, 1), (-1, 1, -1), (1, 1, -1)]),
    "right": ((1, 0, 0), [(1, -1, 1), (1, 1, 1), (1, 1, -1), (1, -1, -1)]),
    "left": ((-1, 0, 0), [(-1, 1, 1), (-1, -1, 1), (-1, -1, -1), (-1, 1, -1)]),
}
_CUBE = np.array([(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], np.float32)
_CIRCLE = np.stack([np.cos(np.linspace(0, 2 * np.pi, 16)), np.sin(np.linspace(0, 2 * np.pi, 16))], 1).astype(
    np.float32
)


@dataclass(frozen=True)
class Painted:
    """Where a painted die lies: whole-die box (x0, y0, x1, y1) and the upper face's quad (4, 2), pixels."""

    value: int  # 0 when its faces are not to be read, whatever lies on top
    box: tuple[float, float, float, float]
    upper_face: Floats


def paint_shadow(
    canvas: Floats,
    centre: tuple[float, float],
    half: float,
    view: View,
    yaw: float,
    lean: Floats = FLAT,
) -> None:
    """Darkens the table under and beside a die, in place. `half` is half a side in pixels."""
    if view.shadow < 0.02:
        return
    reach = 2.0 / max(view.light[2], 0.35)
    away = np.array([-view.light[0], -view.light[1], 0], np.float32) * reach * 0.8
    floor = _CUBE @ lean.T
    c, s = np.cos(-yaw), np.sin(-yaw)
    turned = np.array([away[0] * c - away[1] * s, away[0] * s + away[1] * c, 0], np.float32)
    floor[floor[:, 2] > 0] += turned
    floor[:, 2] = -1
    points, _ = project(floor * np.array([1.02, 1.02, 1], np.float32), view, yaw)
    hull = cv2.convexHull((points * half + np.array(centre, np.float32)).astype(np.float32))[:, 0]
    blur = max(view.shadow_blur * half, 0.8)
    x0, y0 = np.maximum(np.floor(hull.min(0) - 3 * blur), 0).astype(int)
    x1 = int(min(np.ceil(hull[:, 0].max() + 3 * blur), canvas.shape[1]))
    y1 = int(min(np.ceil(hull[:, 1].max() + 3 * blur), canvas.shape[0]))
    if x1 <= x0 or y1 <= y0:
        return
    mask = np.zeros((y1 - y0, x1 - x0), np.float32)
    cv2.fillConvexPoly(mask, ((hull - [x0, y0]) * 8).astype(np.int32), view.shadow, cv2.LINE_AA, 3)
    mask = cv2.GaussianBlur(mask, (0, 0), blur)
    canvas[y0:y1, x0:x1] *= (1 - mask)[..., None]


def paint_die(
    canvas: Floats,
    centre: tuple[float, float],
    half: float,
    yaw: float,
    upper: int,
    look: Look,
    view: View,
    rng: np.random.Generator,
    lean: Floats = FLAT,
) -> Painted:
    """Paints one die into `canvas` ((h, w, 3) float32, 0 to 255), in place, and says where it lies.

    `centre` is the die's middle in pixels, `half` half a side in pixels, `yaw` its turn on the table in radians,
    `lean` (3, 3) how it is turned out of the flat before.
    """
    origin = np.array(centre, np.float32)
    flat = 1 - look.bevel
    inner, depth = project(_CUBE @ lean.T * np.float32(flat), view, yaw)
    balls = inner[:, None] + _CIRCLE[None] * (look.bevel * depth)[:, None, None]
    hull = cv2.convexHull((balls.reshape(-1, 2) * half + origin).astype(np.float32))[:, 0]
    box = (float(hull[:, 0].min()), float(hull[:, 1].min()), float(hull[:, 0].max()), float(hull[:, 1].max()))
    values = around(upper, rng, look.chirality)

    c, s = np.cos(yaw), np.sin(yaw)
    sight = np.array([0, -np.sin(view.tilt), np.cos(view.tilt)])
    quads: dict[str, Floats] = {}
    shades: dict[str, float] = {}
    visible: list[tuple[float, str]] = []
    for name, (normal, corners) in _FACES.items():
        tilted = lean @ np.array(normal, np.float64)
        n = np.array([tilted[0] * c - tilted[1] * s, tilted[0] * s + tilted[1] * c, tilted[2]], np.float64)
        square = np.array(corners, np.float32) * flat
        axis = int(np.argmax(np.abs(normal)))
        square[:, axis] = normal[axis]
        quad, _ = project(square @ lean.T, view, yaw)
        quads[name] = (quad * half + origin).astype(np.float32)
        shades[name] = view.ambient + (1 - view.ambient) * max(0.0, float(n @ np.array(view.light))) * 1.25
        facing = float(n @ sight) - 1.0 / view.distance
        if facing > 0.02:
            visible.append((facing, name))
    visible.sort()

    margin = 3
    x0, y0 = int(np.floor(box[0])) - margin, int(np.floor(box[1])) - margin
    x1, y1 = int(np.ceil(box[2])) + margin, int(np.ceil(box[3])) + margin
    cx0, cy0, cx1, cy1 = max(x0, 0), max(y0, 0), min(x1, canvas.shape[1]), min(y1, canvas.shape[0])
    painted = Painted(upper if look.kind == "pips" else 0, box, quads["upper"])
    if cx1 - cx0 < 2 or cy1 - cy0 < 2:
        return painted
    factor = 2 if half < 60 else 1  # small dice are painted larger and averaged down
    size = ((x1 - x0) * factor, (y1 - y0) * factor)
    shift = np.array([x0, y0], np.float32)

    mask = np.zeros((size[1], size[0]), np.float32)
    cv2.fillConvexPoly(mask, ((hull - shift) * factor * 8).astype(np.int32), 1.0, cv2.LINE_AA, 3)
    rim = np.mean([shades[name] for _, name in visible]) * rng.uniform(0.9, 1.25)
    layer = np.empty((size[1], size[0], 3), np.float32)
    layer[:] = np.clip(np.array(look.body) * rim, 0, 255)
    # Bevels: a soft blend between the shades of the faces that meet.
    for _, name in visible:
        poly = ((quads[name] - shift) * factor * 8).astype(np.int32)
        cv2.fillConvexPoly(
            layer, poly, tuple(np.clip(np.array(look.body) * shades[name], 0, 255)), cv2.LINE_AA, 3
        )
    layer = cv2.GaussianBlur(layer, (0, 0), max(0.6, look.bevel * half * factor * 0.7))
    texture_square = np.array([[0, 0], [TEXTURE, 0], [TEXTURE, TEXTURE], [0, TEXTURE]], np.float32)
    face_mask = _face_mask(look.corner)
    tilt_light = (view.light[0], -view.light[1])
    ghosts = [("lower", 0.35), ("back", 0.2), ("left", 0.15)] if look.translucent > 0 else []

    def lay(name: str, strength: float, look: Look) -> None:
        texture = face_texture(values[name], look, rng, tilt_light, flat)
        texture *= shades[name]
        if name == "upper" and rng.random() < look.gloss:
            glare = rng.uniform(0.1, 0.75) * 255
            spot = np.clip(1.2 - np.hypot(*(np.mgrid[0:TEXTURE, 0:TEXTURE] - rng.uniform(0, TEXTURE, (2, 1, 1))))
                           / rng.uniform(15, 70), 0, 1)  # fmt: skip
            texture += (glare * spot**2)[..., None].astype(np.float32)
        matrix = cv2.getPerspectiveTransform(texture_square, (quads[name] - shift) * factor)
        warped = cv2.warpPerspective(
            texture, matrix, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
        )
        alpha = cv2.warpPerspective(face_mask, matrix, size, flags=cv2.INTER_LINEAR)[..., None] * strength
        np.copyto(layer, layer * (1 - alpha) + warped * alpha)

    for name, strength in ghosts:
        if strength * look.translucent > 0.03:
            lay(name, strength * 2 * look.translucent, replace(look, print_=False))
            layer[:] = cv2.GaussianBlur(layer, (0, 0), max(0.5, half * factor * 0.03))
    for _, name in visible:
        lay(name, 1.0 - 0.45 * look.translucent, look)
    layer = np.clip(layer, 0, 255)
    if factor > 1:
        layer = cv2.resize(layer, (x1 - x0, y1 - y0), interpolation=cv2.INTER_AREA)
        mask = cv2.resize(mask, (x1 - x0, y1 - y0), interpolation=cv2.INTER_AREA)
    window = slice(cy0 - y0, cy1 - y0), slice(cx0 - x0, cx1 - x0)
    opacity = mask[window][..., None] * (1 - 0.3 * look.translucent)
    region = canvas[cy0:cy1, cx0:cx1]
    np.copyto(region, region * (1 - opacity) + layer[window] * opacity)
    return painted
