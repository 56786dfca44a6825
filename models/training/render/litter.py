"""Things that are no dice: chips, coins, glasses, phones, pens, cards, caps, dominoes, beads, polyhedra, hands."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache

import cv2
import numpy as np

from models.training.render import faces
from models.training.render.coats import any_color, coat, even, glass, part, resin, tint
from models.training.render.grounds import upright, written
from models.training.render.hand import hand_parts, pose
from models.training.render.lie import Disc, circle
from models.training.render.mesh import Capsule, Mesh, Points, joined, rounded, skin, slab, turned
from models.training.render.parts import CHIP_HEIGHT, CHIP_RADIUS, Part, cup_mesh
from models.training.render.polyhedra import polyhedron

IDENTITY = np.eye(3)


@dataclass(frozen=True)
class Thing:
    """Parts about the origin, standing on z = 0, and their outline on the ground, (n, 2)."""

    parts: dict[str, Part]
    outline: Points


def thing(kind: str, side: float, random: np.random.Generator) -> Thing:
    """A thing of a kind in `CHANCES["thing"]`; `side` is that of the dice it lies among, metres."""
    return _MAKERS[kind](side, random)


def disc_thing(disc: Disc, random: np.random.Generator) -> Thing:
    """The coin or chips that a die leans on."""
    if disc.radius == CHIP_RADIUS:
        return _pile(max(1, round(disc.height / CHIP_HEIGHT)), random, disc.height)
    return _round(disc.radius, disc.height, random, "coin")


def _pile(count: int, random: np.random.Generator, height: float | None = None) -> Thing:
    radius, each = CHIP_RADIUS, (height or count * CHIP_HEIGHT) / count
    color, spots = any_color(random), any_color(random, 0.6)
    side = 128
    face = np.empty((side, side, 3), np.float32)
    face[:] = color
    y, x = (np.mgrid[0:side, 0:side] + 0.5) / side * 2 - 1
    away, angle = np.hypot(x, y), np.arctan2(y, x)
    face[(away > 0.72) & ((angle * 6 / (2 * np.pi)) % 1.0 < 0.4)] = spots
    face[(away > 0.52) & (away < 0.57)] = spots
    if random.random() < 0.6:
        face += faces.text(str(random.choice(["1", "5", "10", "25", "50"])), side, size=0.25, thick=0.03)[
            ..., None
        ] * (np.array(spots) - face)
    coats = coat(upright(face), rough=0.35)
    bevel = 0.12 * each
    profile = [
        (radius - bevel, 0.0),
        (radius, bevel),
        (radius, each - bevel),
        (radius - bevel, each),
        (0.0, each),
    ]
    one = turned(profile, sides=40)
    shifts = [np.array([*random.normal(0, 0.0006 * (level > 0), 2), level * each]) for level in range(count)]
    pile = joined([one.moved(IDENTITY, shift) for shift in shifts])
    pile = replace(pile, uv=pile.vertices[:, :2] / (2 * radius) + 0.5)
    return Thing({"chips": part(pile, coats)}, circle(0, 0, radius + 0.001))


def _round(radius: float, height: float, random: np.random.Generator, kind: str) -> Thing:
    """A coin, or the cap of a bottle."""
    side = 96
    metal = {"gold": tint(0.11, 0.55, 0.85), "silver": tint(0.6, 0.04, 0.8), "copper": tint(0.05, 0.6, 0.7)}
    color = (
        np.array(metal[str(random.choice(list(metal)))]) if kind == "coin" else np.array(any_color(random))
    )
    relief = np.zeros((side, side), np.float32)
    cv2.circle(relief, (side // 2, side // 2), int(0.44 * side), 1.0, 3, cv2.LINE_AA)
    words = str(random.choice(["1", "2", "5", "10", "20", "50"]))
    mark = (
        faces.text(words, side, size=0.4, thick=0.05)
        if random.random() < 0.6
        else faces.figure(str(random.choice(faces.FIGURES)), side)
    )
    relief = np.maximum(relief, mark)
    soft = cv2.GaussianBlur(relief, (0, 0), 1.2)
    shade = 1 + 0.9 * (np.roll(soft, 2, (0, 1)) - soft)[..., None]
    face = (
        np.clip(color * shade, 0.01, 0.95)
        if kind == "coin"
        else color + relief[..., None] * (np.array(any_color(random)) - color)
    )
    bevel = min(0.2 * height, 0.0006)
    profile = [
        (radius - bevel, 0.0),
        (radius, bevel),
        (radius, height - bevel),
        (radius - bevel, height),
        (0.0, height),
    ]
    mesh = turned(profile, sides=48)
    mesh = replace(mesh, uv=mesh.vertices[:, :2] / (2 * radius) + 0.5)
    return Thing(
        {kind: part(mesh, coat(upright(face), rough=0.3, metal=0.85 if kind == "coin" else 0.0))},
        circle(0, 0, radius),
    )


def _glass(side: float, random: np.random.Generator) -> Thing:
    wide, high = random.uniform(0.024, 0.038), random.uniform(0.05, 0.13)
    tumbler = turned(
        [
            (0.0, 0.0),
            (0.85 * wide, 0.0),
            (wide, high),
            (wide - 0.0015, high),
            (0.85 * wide - 0.0016, 0.008),
            (0.0, 0.008),
        ],
        sides=64,
    )
    level = random.uniform(0.2, 0.8) * high
    inner = 0.85 * wide - 0.002 + 0.15 * wide * level / high
    drink = turned([(0.0, 0.0085), (0.85 * wide - 0.002, 0.0085), (inner, level), (0.0, level)], sides=64)
    liquid = tint(
        float(random.choice([0.08, 0.11, 0.0, 0.14])),
        random.uniform(0.5, 1),
        random.uniform(0.4, 1),
    )
    made = {
        "glass": Part(tumbler, glass()),
        "drink": part(drink, resin(even(liquid), clear=0.9)),
    }
    return Thing(made, circle(0, 0, wide))


def _phone(side: float, random: np.random.Generator) -> Thing:
    width, depth = 0.072, 0.15
    pixels = 96
    picture = np.empty((pixels, pixels, 3), np.float32)
    picture[:] = any_color(random, 0.02, 0.3)
    x0, y0 = int(0.02 * pixels + 0.5 * pixels * (1 - width / depth)), int(0.04 * pixels)
    screen = picture[y0 : pixels - y0, x0 : pixels - x0]
    lower, upper = np.array(any_color(random)), np.array(any_color(random))
    ramp = np.linspace(0, 1, screen.shape[0])[:, None, None]
    screen[:] = (lower * (1 - ramp) + upper * ramp) * float(random.choice([0.02, 0.6]))
    for row in range(2):
        for column in range(3):
            cv2.rectangle(
                screen,
                (4 + 12 * column, 50 + 14 * row),
                (12 + 12 * column, 58 + 14 * row),
                any_color(random),
                -1,
            )
    outline = rounded(width, depth, 0.009)
    return Thing(
        {"phone": part(slab(outline, 0.008, depth), coat(upright(picture), rough=0.08, lacquer=1.0))}, outline
    )


def _pen(side: float, random: np.random.Generator) -> Thing:
    radius, length = random.uniform(0.0035, 0.006), random.uniform(0.10, 0.15)
    body = turned([(radius, 0.0), (radius, length)], sides=6 if random.random() < 0.4 else 24, crease=False)
    tip = turned([(radius, length), (0.0008, length + 0.02)], sides=24)
    cap = turned([(0.0, 0.0), (radius * 1.15, 0.0), (radius * 1.15, 0.035)], sides=24)
    lying = np.array([[0.0, 0.0, 1.0], [0.0, 1.0, 0.0], [-1.0, 0.0, 0.0]])
    at = np.array([-length / 2, 0.0, 1.2 * radius])
    made = {
        "pen": part(body.moved(lying, at), coat(even(any_color(random)), rough=0.2)),
        "tip": part(joined([tip, cap]).moved(lying, at), coat(even(any_color(random)), rough=0.3, metal=0.5)),
    }
    outline = np.array(
        [
            [-length / 2, -radius],
            [length / 2 + 0.02, -radius],
            [length / 2 + 0.02, radius],
            [-length / 2, radius],
        ]
    )
    return Thing(made, outline)


def _card(side: float, random: np.random.Generator) -> Thing:
    width, depth, pixels = 0.058, 0.089, 256
    picture = np.full((pixels, pixels, 3), 0.85, np.float32)
    narrow = width / depth
    if random.random() < 0.3:  # its back
        picture[:] = any_color(random, 0.2, 0.8)
        line = np.arange(pixels)
        picture[((line[:, None] + line) // 12 % 2 == 0) ^ ((line[:, None] - line) // 12 % 2 == 0)] = (
            any_color(random)
        )
    else:
        name = str(random.choice(["heart", "diamond", "spade", "club"]))
        ink = np.array((0.5, 0.01, 0.015) if name in ("heart", "diamond") else (0.01, 0.01, 0.01))
        value = int(random.integers(1, 11))
        rows = [(0.5,)] if value == 1 else [(0.36, 0.64)] * (value // 2) + [(0.5,)] * (value % 2)
        mask = np.zeros((pixels, pixels), np.float32)
        for place, row in enumerate(rows):
            for x in row:
                mask = np.maximum(
                    mask,
                    faces.figure(
                        name,
                        pixels,
                        (x, 0.5 + 0.64 * ((place + 0.5) / len(rows) - 0.5)),
                        0.14 if value > 1 else 0.3,
                    ),
                )
        label = "A" if value == 1 else str(value)
        edge = 0.5 - 0.5 * narrow + 0.07
        for turn in (0.0, 180.0):
            word = faces.text(label, pixels, at=(edge, 0.08), size=0.08, thick=0.015)
            mask = np.maximum(mask, word[::-1, ::-1] if turn else word)
        picture += mask[..., None] * (ink - picture)
    outline = rounded(width, depth, 0.003)
    height = 0.0004 * int(random.choice([1, 1, 1, 20]))
    return Thing({"card": part(slab(outline, height, depth), coat(upright(picture), rough=0.25))}, outline)


def _paper(side: float, random: np.random.Generator) -> Thing:
    width, depth = random.uniform(0.07, 0.15), random.uniform(0.09, 0.21)
    outline = rounded(width, depth, 0.0005)
    return Thing(
        {"paper": part(slab(outline, 0.0004, depth), coat(upright(written(random)), rough=0.9))}, outline
    )


def _cup(side: float, random: np.random.Generator) -> Thing:
    color = tint(random.uniform(0.0, 0.1), random.uniform(0.2, 0.9), random.uniform(0.1, 0.6))
    return Thing({"cup": part(cup_mesh(), coat(even(color), rough=0.45))}, circle(0, 0, 0.043))


def _domino(side: float, random: np.random.Generator) -> Thing:
    width = random.uniform(0.9, 1.3) * side
    pixels = 256
    dark = random.random() < 0.4
    picture = np.empty((pixels, pixels, 3), np.float32)
    picture[:] = (0.02, 0.02, 0.02) if dark else tint(0.12, random.uniform(0, 0.3), 0.93)
    ink = np.array([0.8, 0.8, 0.78] if dark else [0.01, 0.01, 0.01], np.float32)
    mask = np.zeros((pixels, pixels), np.float32)
    cv2.line(mask, (pixels // 4 + 12, pixels // 2), (3 * pixels // 4 - 12, pixels // 2), 1.0, 4)
    spots = {
        0: [],
        1: [4],
        2: [0, 8],
        3: [0, 4, 8],
        4: [0, 2, 6, 8],
        5: [0, 2, 4, 6, 8],
        6: [0, 3, 6, 2, 5, 8],
    }
    for half in (0.25, 0.75):
        for spot in spots[int(random.integers(7))]:
            x, y = 0.5 + (spot % 3 - 1) * 0.13, half + (spot // 3 - 1) * 0.13
            cv2.circle(mask, (int(x * pixels), int(y * pixels)), 10, 1.0, -1, cv2.LINE_AA)
    picture += mask[..., None] * (ink - picture)
    outline = rounded(width, 2 * width, 0.06 * width)
    return Thing(
        {"domino": part(slab(outline, 0.35 * width, 2 * width), coat(upright(picture), rough=0.2))}, outline
    )


def _beads(side: float, random: np.random.Generator) -> Thing:
    """Crumbs, beads, nuts: small round things strewn about."""
    beads, reach = [], 1.5 * side
    for _ in range(int(random.integers(1, 7))):
        radius = random.uniform(0.06, 0.32) * side
        x, y = random.uniform(-reach, reach, 2)
        stick = float(random.choice([0.0, 1.0])) * radius
        ball = skin(
            [Capsule((-stick, 0, 0), (stick, 0, 0), radius, radius)], cell=radius / 5, blend=radius / 20
        )
        c, s = np.cos(x * 999), np.sin(x * 999)
        beads.append(
            ball.moved(np.array([[c, -s, 0], [s, c, 0], [0, 0, 1.0]]), np.array([x, y, 0.97 * radius]))
        )
    return Thing(
        {"beads": part(joined(beads), coat(even(any_color(random)), rough=0.3))}, circle(0, 0, reach * 1.3)
    )


@lru_cache(maxsize=4)
def _hand(curl: float) -> dict[str, Mesh]:
    return {name: each.mesh for name, each in hand_parts(curl).items()}


def hand(
    kind: str, tip: tuple[float, float, float], heading: float, random: np.random.Generator
) -> dict[str, Part]:
    """An open or closed hand whose fingers end at `tip`, coming from the direction opposite to `heading`."""
    rotation, position = pose(tip, heading, random.uniform(0.15, 0.5))
    dark = random.uniform(0, 1)
    color = tint(0.055, 0.45 + 0.2 * dark, 0.92 - 0.6 * dark)
    coats = {
        "skin": coat(even(color), rough=0.55),
        "sleeve": coat(even(any_color(random, 0.05, 0.8)), rough=1.0, shine=0.05),
    }
    meshes = _hand(0.15 if kind == "open" else 0.85)
    return {
        name: part(replace(mesh, colors=None).moved(rotation, position), coats[name])
        for name, mesh in meshes.items()
    }


def placed(made: Thing, x: float, y: float, z: float, turn: float) -> Thing:
    """The same thing elsewhere, turned by `turn` radians."""
    c, s = np.cos(turn), np.sin(turn)
    rotation = np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
    at = np.array([x, y, z])
    parts = {name: replace(each, mesh=each.mesh.moved(rotation, at)) for name, each in made.parts.items()}
    return Thing(parts, made.outline @ rotation[:2, :2].T + at[:2])


def prefixed(parts: dict[str, Part], name: str) -> dict[str, Part]:
    """The parts under names of their own."""
    return {f"{name}_{key}": each for key, each in parts.items()}


_MAKERS: dict[str, Callable[[float, np.random.Generator], Thing]] = {
    "chips": lambda side, random: _pile(int(random.integers(1, 8)), random),
    "coin": lambda side, random: _round(
        random.uniform(0.008, 0.014), random.uniform(0.0016, 0.0028), random, "coin"
    ),
    "cap": lambda side, random: _round(
        random.uniform(0.012, 0.017), random.uniform(0.005, 0.012), random, "cap"
    ),
    "glass": _glass,
    "phone": _phone,
    "pen": _pen,
    "card": _card,
    "paper": _paper,
    "cup": _cup,
    "domino": _domino,
    "bead": _beads,
    "polyhedron": lambda side, random: Thing(*polyhedron(side, random)),
}
