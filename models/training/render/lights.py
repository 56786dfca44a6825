"""Lamps and cameras at random: hard, soft, warm, dim and coloured light, a window, a flash; from above or leaning."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from models.training.render.camera import project
from models.training.render.chances import pick
from models.training.render.coats import tint
from models.training.render.mesh import Points
from models.training.render.scene import Camera, Color, Lamp

LOWEST = 60.0  # degrees off straight above
SMALLEST, LARGEST = 18.0, 200.0  # pixels of a die in a picture of 480


def triple(values: Points) -> tuple[float, float, float]:
    """Three plain numbers."""
    return (float(values[0]), float(values[1]), float(values[2]))


def tilt(random: np.random.Generator) -> float:
    """How far a camera leans from straight above, degrees."""
    if pick(random, "view") == "from above":
        return float(np.clip(abs(random.normal(0, 9)), 1.5, 25))
    return random.uniform(8, LOWEST)


def pixels(random: np.random.Generator, size: int) -> float:
    """About how large a die is to appear, small ones as often as large ones by ratio."""
    return float(np.exp(random.uniform(np.log(SMALLEST + 3), np.log(0.9 * LARGEST)))) * size / 480


def camera(
    random: np.random.Generator, dice: list[Points], lean: float, wanted: float, size: int, *, all_in: bool
) -> Camera:
    """A camera that shows `dice` (corners of each, (8, 3)) about `wanted` pixels large; with `all_in` smaller if need
    be, so that all are in the picture.
    """
    places = np.concatenate(dice)
    target = places.mean(axis=0) if all_in else dice[int(random.integers(len(dice)))].mean(axis=0)
    turn, off = random.uniform(0, 2 * np.pi), np.radians(lean)
    away = np.array([np.sin(off) * np.cos(turn), np.sin(off) * np.sin(turn), np.cos(off)])
    far = float(np.exp(random.uniform(np.log(0.25), np.log(1.2))))
    spread = float(np.linalg.norm(places - target, axis=1).max())
    eye = target + max(far, 1.6 * spread) * away
    made = Camera(triple(eye), triple(target), 30.0, size, size)
    for _ in range(4):  # the angle of view and the size of things in it are not quite proportional
        seen = float(np.median([box_size(project(made, each)) for each in dice]))
        angle = 2 * np.degrees(np.arctan(np.tan(np.radians(made.angle) / 2) * seen / wanted))
        made = replace(made, angle=float(np.clip(angle, 2, 80)))
    if all_in:
        for _ in range(16):
            seen_all = project(made, places)
            if seen_all.min() > 1 and seen_all.max() < size - 1:
                break
            made = replace(made, angle=min(made.angle * 1.08, 85.0))
        if random.random() < 0.5:  # not always in the middle
            seen_all = project(made, places)
            room = np.minimum(seen_all.min(axis=0), size - seen_all.max(axis=0)).clip(0) / size
            width = 2 * float(np.linalg.norm(eye - target)) * np.tan(np.radians(made.angle) / 2)
            right = np.cross([0.0, 0.0, 1.0], away)
            right /= max(float(np.linalg.norm(right)), 1e-9)
            shift = random.uniform(-0.8, 0.8, 2) * room * width
            step = shift[0] * right + shift[1] * np.cross(away, right)
            step[2] = 0.0
            made = replace(made, target=triple(target + step), position=triple(eye + step))
    return made


def box_size(points: Points) -> float:
    """Side of the square as large as the box round (n, 2) points."""
    return float(np.sqrt(np.prod(points.max(axis=0) - points.min(axis=0))))


def _hue(random: np.random.Generator) -> tuple[str, Points]:
    name = pick(random, "colour of light")
    if name == "warm":
        warm = random.uniform(0, 1)
        return name, np.array([1.0, 0.84 - 0.22 * warm, 0.62 - 0.34 * warm])
    if name == "cold":
        return name, np.array([0.78, 0.92, 1.15])
    if name == "coloured":
        color = np.array(tint(random.uniform(), random.uniform(0.25, 0.7), 1.0))
        return name, color / max(float(color.mean()), 1e-6) * 0.9
    return name, np.array([1.0, 0.97, 0.92])


def _lamp(
    direction: Points, away: float, wide: float, deep: float, strength: float, color: Points, at: Points
) -> Lamp:
    """A lamp that gives a surface that faces it `strength` at `at`."""
    where = at + away * direction
    power = strength * away**2 / (wide * deep)
    return Lamp(triple(where), triple(at), wide, deep, triple(power * color))


def _toward(random: np.random.Generator, low: float, high: float) -> Points:
    """A direction at an elevation of `low` to `high` degrees."""
    turn, up = random.uniform(0, 2 * np.pi), np.radians(random.uniform(low, high))
    return np.array([np.cos(up) * np.cos(turn), np.cos(up) * np.sin(turn), np.sin(up)])


def light(random: np.random.Generator, eye: Camera) -> tuple[tuple[Lamp, ...], Color, dict[str, str]]:
    """Lamps, the light from everywhere, and their names in `CHANCES`. No lamp stands between camera and dice."""
    at = np.array(eye.target)
    view = np.array(eye.position) - at
    far = float(np.linalg.norm(view))
    view /= far
    least = 1.25 * far + 0.1
    kind = pick(random, "light")
    name, color = _hue(random)
    lamps: list[Lamp] = []

    def add(
        direction: Points, away: float, wide: float, strength: float, hue: Points, deep: float = 0.0
    ) -> None:
        distance = max(away, least)
        grow = distance / away
        lamps.append(_lamp(direction, distance, wide * grow, (deep or wide) * grow, strength, hue, at))

    if kind == "soft lamp":
        add(
            _toward(random, 35, 85),
            random.uniform(0.7, 1.5),
            random.uniform(0.3, 1.0),
            1.0,
            color,
        )
        around = random.uniform(0.15, 0.6)
    elif kind == "hard lamp":
        add(
            _toward(random, 22, 80),
            random.uniform(0.6, 1.5),
            random.uniform(0.015, 0.06),
            1.0,
            color,
        )
        around = random.uniform(0.05, 0.3)
    elif kind == "bar lamp":
        add(
            _toward(random, 40, 85),
            random.uniform(0.5, 1.0),
            random.uniform(0.06, 0.25),
            1.0,
            color,
        )
        if random.random() < 0.5:
            add(
                _toward(random, 15, 60),
                1.0,
                random.uniform(0.05, 0.4),
                random.uniform(0.15, 0.7),
                _hue(random)[1],
            )
        around = random.uniform(0.02, 0.15)
    elif kind == "window":
        wide = random.uniform(0.8, 1.6)
        add(
            _toward(random, 14, 45),
            1.6,
            wide,
            1.0,
            np.array([0.85, 0.95, 1.1]),
            wide * random.uniform(0.6, 1.4),
        )
        around = random.uniform(0.12, 0.5)
    elif kind == "flash":
        beside = view + random.normal(0, 0.06, 3)
        add(
            beside / np.linalg.norm(beside),
            far,
            random.uniform(0.01, 0.03),
            1.0,
            np.array([1.0, 0.98, 0.98]),
        )
        around = random.uniform(0.05, 0.4)
    else:
        add(_toward(random, 50, 88), 1.5, 1.5, random.uniform(0.05, 0.5), color)
        around = 1.0
    glare = pick(random, "glare")
    if glare != "none":
        mirrored = view * np.array([-1.0, -1.0, 1.0]) + random.normal(0, 0.05, 3)
        mirrored /= np.linalg.norm(mirrored)
        # Its own brightness matters here, not what it gives: a polished face mirrors a twenty-fifth of it.
        away, wide, bright = (
            random.uniform(0.6, 1.2),
            random.uniform(0.03, 0.25),
            random.uniform(3, 15),
        )
        add(mirrored, away, wide, bright * wide**2 / away**2, color)
    ambient = np.array([1.0, 1.0, 1.0]) * 0.4 + 0.6 * color
    sky = triple(around / np.pi * ambient)
    return tuple(lamps), sky, {"light": kind, "colour of light": name, "glare": glare}
