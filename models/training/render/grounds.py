"""What dice lie on and in: table tops and trays.

Patterns are made once a process and coloured afresh for each scene.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import cv2
import numpy as np

from models.training.render import faces, textures
from models.training.render.chances import pick
from models.training.render.coats import coat, even, part, tint
from models.training.render.lie import Room, circle
from models.training.render.mesh import Mesh, joined, rectangle, turned
from models.training.render.parts import Part
from models.training.render.scene import Color
from models.training.render.textures import Texture

VARIANTS = 5
"""How many patterns of each kind there are; place, turn, scale and colours differ from scene to scene."""
RED, GREEN, BLUE = (0.5, 0.0, 0.0), (0.0, 0.5, 0.0), (0.0, 0.0, 0.5)


@cache
def _weights(kind: str, variant: int) -> Texture:
    """How much of a surface's first, second and third colour there is where, (512, 512, 3)."""
    random = np.random.default_rng([77, variant])
    if kind == "wood":
        return 2 * textures.wood((RED, GREEN, BLUE), random, size=512, planks=1 + 2 * (variant % 3))
    if kind == "cloth":
        return 2 * textures.checked(RED, GREEN, random)
    grey = (0.3, 0.3, 0.3)
    if kind == "felt":
        return textures.felt(grey, random, size=512) / 0.3
    if kind == "leather":
        return textures.leather(grey, random) / 0.3
    return textures.mottled(grey, random, 0.06 + 0.05 * variant) / 0.3


def _colored(kind: str, colors: tuple[Color, ...], random: np.random.Generator) -> Texture:
    weights = _weights(kind, int(random.integers(VARIANTS)))
    if len(colors) == 1:
        return np.asarray(np.clip(weights * np.array(colors[0], np.float32), 0.003, 0.9), np.float32)
    basis = np.zeros((3, 3), np.float32)
    basis[: len(colors)] = colors
    return np.asarray(np.clip(weights @ basis, 0.003, 0.9), np.float32)


def _hue(random: np.random.Generator, low: float, high: float, most: float = 1.0) -> Color:
    return tint(random.uniform(), random.beta(1.1, 2.0) * most, random.uniform(low, high))


def surface(kind: str, random: np.random.Generator) -> dict[str, object]:
    """The material of a surface of a kind in `CHANCES["ground"]`; its `uv` are metres."""
    if kind == "felt":
        green = random.random() < 0.45
        color = (
            tint(random.uniform(0.33, 0.45), 0.8, random.uniform(0.25, 0.6))
            if green
            else _hue(random, 0.08, 0.75)
        )
        return coat(_colored("felt", (color,), random), random.uniform(0.05, 0.14), rough=1.0, shine=0.05)
    if kind == "wood":
        early = tint(
            random.uniform(0.05, 0.12),
            random.uniform(0.2, 0.7),
            random.uniform(0.3, 0.95),
        )
        darker = random.uniform(0.4, 0.85)
        late = tuple(each * darker * random.uniform(0.92, 1.06) for each in early)
        pore = tuple(each * 0.35 for each in early)
        picture = _colored("wood", (early, late, pore), random)  # type: ignore[arg-type]
        return coat(picture, random.uniform(0.15, 0.6), rough=random.uniform(0.25, 0.8))
    if kind == "leather":
        color = tint(
            random.uniform(0.02, 0.1),
            random.uniform(0.2, 0.8),
            random.uniform(0.1, 0.65),
        )
        color = color if random.random() < 0.7 else _hue(random, 0.05, 0.6)
        return coat(
            _colored("leather", (color,), random),
            random.uniform(0.04, 0.1),
            rough=random.uniform(0.35, 0.7),
        )
    if kind == "cloth":
        return coat(
            _colored("cloth", (_hue(random, 0.3, 1.0), _hue(random, 0.1, 1.0)), random),
            random.uniform(0.05, 0.3),
            rough=1.0,
            shine=0.05,
        )
    if kind == "paper":
        return coat(upright(written(random)), random.uniform(0.12, 0.3), rough=0.9, shine=0.2)
    if kind == "board":
        return coat(upright(board(random)), random.uniform(0.15, 0.5), rough=random.uniform(0.25, 0.8))
    if kind == "glossy":
        return coat(
            _colored("plain", (_hue(random, 0.03, 0.95),), random),
            0.4,
            rough=random.uniform(0.06, 0.3),
            lacquer=1.0,
        )
    return coat(
        _colored("plain", (_hue(random, 0.04, 0.97, 0.6),), random),
        random.uniform(0.1, 0.6),
        rough=random.uniform(0.4, 1.0),
    )


def upright(picture: np.ndarray) -> Texture:
    """A picture whose first row is its upper edge, as `uv` that grow upwards want it."""
    return np.ascontiguousarray(picture[::-1], np.float32)


def written(random: np.random.Generator) -> Texture:
    """Paper: blank, squared, ruled, or with lines of writing and figures; (512, 512, 3)."""
    side = 512
    paper = np.empty((side, side, 3), np.float32)
    paper[:] = tint(random.uniform(0.05, 0.6), random.uniform(0, 0.15), random.uniform(0.8, 1.0))
    ink = np.array(_hue(random, 0.05, 0.5), np.float32)
    mask = np.zeros((side, side), np.float32)
    style = int(random.integers(4))
    if style in (1, 2):
        step = int(random.integers(14, 34))
        mask[::step] = 0.6
        if style == 1:
            mask[:, ::step] = 0.6
    if style in (2, 3):
        for row in range(20, side - 10, int(random.integers(24, 44))):
            words = "".join(
                random.choice(list("abcdehiklmnorstuvw 0123456789  "), int(random.integers(4, 30)))
            )
            mask8 = np.zeros((side, side), np.uint8)
            start, font = (int(random.integers(4, 80)), row), int(random.choice([0, 2, 3, 7]))
            large, thick = random.uniform(0.5, 1.0), int(random.integers(1, 3))
            cv2.putText(mask8, words, start, font, large, (255,), thick, cv2.LINE_AA)
            mask = np.maximum(mask, mask8.astype(np.float32) / 255)
    return _inked(paper, mask, ink)


def board(random: np.random.Generator) -> Texture:
    """A printed board: squares, rings, rows of dots, stripes, numbers and figures; (640, 640, 3)."""
    side = 640
    picture = np.empty((side, side, 3), np.float32)
    picture[:] = _hue(random, 0.1, 1.0)
    inks = [np.array(_hue(random, 0.05, 1.0), np.float32) for _ in range(3)]
    for ink in inks[: int(random.integers(1, 4))]:
        mask = np.zeros((side, side), np.float32)
        style = int(random.integers(7))
        step = int(random.integers(40, 130))
        if style == 0:
            rows = np.arange(side) // step
            mask = ((rows[:, None] + rows) % 2).astype(np.float32)
        elif style == 1:
            for radius in range(step, side // 2, step):
                cv2.circle(
                    mask, (side // 2, side // 2), radius, 1.0, int(random.integers(2, 14)), cv2.LINE_AA
                )
        elif style == 2:  # groups of dots, as much like pips as print can be
            for x in range(step, side, step):
                for y in range(step, side, step):
                    for dx, dy in ((-0.25, -0.25), (0.25, 0.25), (0, 0), (0.25, -0.25), (-0.25, 0.25))[
                        : 1 + (x + y) // step % 5
                    ]:
                        cv2.circle(
                            mask,
                            (int(x + dx * step), int(y + dy * step)),
                            max(2, step // 12),
                            1.0,
                            -1,
                            cv2.LINE_AA,
                        )
        elif style == 3:
            mask[np.arange(side) % step < step // 3] = 1
        elif style == 4:
            for number in range(int(random.integers(3, 12))):
                size = random.uniform(0.05, 0.16)
                at, turn = (random.uniform(), random.uniform()), random.uniform(0, 360)
                mark = faces.text(str(number), side, at=at, size=size, thick=size / 8, turn=turn)
                mask = np.maximum(mask, mark)
        elif style == 5:
            tile = faces.figure(faces.FIGURES[int(random.integers(len(faces.FIGURES)))], step, size=0.7)
            mask = np.tile(tile, (side // step + 1, side // step + 1))[:side, :side].copy()
        else:
            for edge in range(0, side, step):
                cv2.rectangle(mask, (edge, step), (edge + step, 2 * step), 1.0, 3)
                cv2.line(mask, (edge, side), (side, edge), 1.0, 4, cv2.LINE_AA)
        picture = _inked(picture, mask * random.uniform(0.5, 1.0), ink)
    return picture


def _inked(picture: Texture, mask: np.ndarray, ink: np.ndarray) -> Texture:
    return np.asarray(picture + mask[..., None] * (ink - picture), np.float32)


def ground(kind: str, tray: str, random: np.random.Generator) -> tuple[dict[str, Part], Room, float]:
    """Table and tray as meshes, the room for dice (on the plane z = 0), and the height of the table's top."""
    material = surface(kind, random)
    if tray == "none":
        return {"table": _table(material, 0.0, random)}, Room(circle(0, 0, 0.6), False), 0.0
    low = -random.uniform(0.002, 0.014)
    table = _table(surface(pick(random, "ground"), random), low, random)
    sides = {"round": 48, "hexagon": 6}.get(tray, 4)
    radius = random.uniform(0.07, 0.15) * (1.2 if sides == 4 else 1.0)
    stretch = random.uniform(1.0, 1.6) if sides == 4 and random.random() < 0.6 else 1.0
    rim = random.uniform(0.010, 0.040)
    wall = random.uniform(0.003, 0.014)
    turn = np.pi / 4 if sides == 4 else 0.0
    angle = 2 * np.pi * np.arange(sides) / sides + turn
    inner = np.stack([radius * np.cos(angle) * stretch, radius * np.sin(angle)], -1)
    floor = Mesh(
        np.concatenate([[[0.0, 0.0, 0.0]], np.pad(inner, ((0, 0), (0, 1)))]),
        np.stack([np.zeros(sides, int), 1 + np.arange(sides), 1 + (np.arange(sides) + 1) % sides], -1),
        np.tile([0.0, 0.0, 1.0], (sides + 1, 1)),
        np.concatenate([[[0.0, 0.0]], inner]),
    )

    def around(profile: list[tuple[float, float]]) -> Mesh:
        c, s = np.cos(turn), np.sin(turn)
        ring = turned(profile, sides=sides).moved(np.array([[c, -s, 0], [s, c, 0], [0, 0, 1.0]]), np.zeros(3))
        return replace(ring, vertices=ring.vertices * (stretch, 1.0, 1.0))

    outer, bevel = radius + wall * (2**0.5 if sides == 4 else 1.0), min(0.25 * wall, 0.002)
    outside = [(outer, low), (outer, rim - bevel), (outer - bevel, rim)]
    ring = around([*outside, (radius + bevel, rim), (radius, rim - bevel), (radius, -0.001)])
    if tray == "black box":
        black = coat(even(_hue(random, 0.03, 0.18, 0.2)), rough=random.uniform(0.3, 0.8))
        floor_coat = black if random.random() < 0.6 else material
        return (
            {"table": table, "floor": part(floor, floor_coat), "rim": part(ring, black)},
            Room(inner, True),
            low,
        )
    lined = random.random() < 0.5
    rim_coat = surface(
        "wood" if random.random() < 0.6 else str(random.choice(["leather", "plain", "glossy"])), random
    )
    made = {"table": table, "floor": part(floor, material), "rim": part(ring, rim_coat)}
    if lined:
        thin = 0.0007
        lining = around([(radius - thin, 0.85 * rim), (radius - thin, 0.0)])
        made["floor"] = part(joined([floor, lining]), material)
        inner = inner * (1 - 1.6 * thin / radius)
    return made, Room(inner, True), low


def _table(material: dict[str, object], height: float, random: np.random.Generator) -> Part:
    mesh = rectangle(4.0, 4.0, height)
    turn = random.uniform(0, 2 * np.pi)
    c, s = np.cos(turn), np.sin(turn)
    uv = mesh.vertices[:, :2] @ np.array([[c, -s], [s, c]]) + random.uniform(0, 1, 2)
    return part(replace(mesh, uv=uv), material)
