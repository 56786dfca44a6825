"""Scenes at random: any dice on any table under any lamp, everything chosen from one seed.

What is given to `scene` is kept; the rest is drawn. The dice are really thrown, so that they lie as dice lie.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from models.training.render.camera import shown_size
from models.training.render.physics import Launch, throw
from models.training.render.scene import Camera, Color, Die, DieLook, Lamp, Scene, Surface, Thing, Tray

BLACK, WHITE = (0.012, 0.011, 0.011), (0.80, 0.79, 0.76)

LOOKS: dict[str, DieLook] = {
    "ivory": DieLook("solid", (0.56, 0.47, 0.31), BLACK, gloss=0.10),
    "white": DieLook("solid", (0.74, 0.74, 0.73), BLACK, gloss=0.06),
    "red": DieLook("solid", (0.42, 0.018, 0.020), WHITE, gloss=0.06),
    "black": DieLook("solid", (0.014, 0.014, 0.016), WHITE, gloss=0.08),
    "blue": DieLook("solid", (0.022, 0.060, 0.33), WHITE, gloss=0.07),
    "green": DieLook("solid", (0.020, 0.16, 0.055), WHITE, gloss=0.08),
    "yellow": DieLook("solid", (0.66, 0.46, 0.05), BLACK, gloss=0.08),
    "wood": DieLook("wood", (0.27, 0.13, 0.050), (0.008, 0.005, 0.004), (0.15, 0.062, 0.022), gloss=0.35),
    "marble": DieLook("marble", (0.30, 0.24, 0.34), (0.62, 0.48, 0.12), (0.05, 0.022, 0.085), gloss=0.05),
    "clear red": DieLook("clear", (0.75, 0.03, 0.04), WHITE, gloss=0.05),
    "clear blue": DieLook("clear", (0.10, 0.25, 0.80), WHITE, gloss=0.05),
}

SURFACES: dict[str, Surface] = {
    "walnut": Surface("wood", ((0.16, 0.085, 0.045), (0.10, 0.050, 0.025), (0.04, 0.02, 0.01)), 0.22),
    "oak": Surface("wood", ((0.42, 0.28, 0.15), (0.31, 0.19, 0.09), (0.14, 0.08, 0.035)), 0.30),
    "check": Surface("cloth", ((0.55, 0.53, 0.48), (0.42, 0.05, 0.05)), 1.0),
    "grey": Surface("plain", ((0.22, 0.22, 0.23),), 0.25),
    "white": Surface("plain", ((0.62, 0.61, 0.58),), 0.20),
    "slate": Surface("plain", ((0.045, 0.050, 0.058),), 0.30),
}

TRAYS: dict[str, Tray] = {
    "green": Tray(),
    "bordeaux": Tray(felt=(0.16, 0.018, 0.030)),
    "blue": Tray(felt=(0.020, 0.055, 0.20)),
    "hexagon": Tray(radius=0.135, sides=6, felt=(0.028, 0.13, 0.06)),
    "black": Tray(
        felt=(0.018, 0.018, 0.020), wood=((0.06, 0.05, 0.045), (0.035, 0.03, 0.028), (0.02, 0.018, 0.016))
    ),
}


def scene(
    seed: int,
    values: Sequence[int],
    looks: Sequence[str],
    surface: str,
    tray: str | None = None,
    *,
    size: tuple[int, int] = (800, 600),
    tilt: float | None = None,
    die_pixels: float | None = None,
) -> Scene:
    """Dice showing `values`, of the given looks in turn, thrown on a table or into a tray.

    `tilt` is how far the camera leans from straight above, degrees (3 to 55), `die_pixels` about how large a die
    appears.
    """
    random = np.random.default_rng(seed)
    side = float(random.uniform(0.0145, 0.0195))
    shape = {"round": float(random.uniform(0.08, 0.20)), "pip": float(random.uniform(0.085, 0.105))}
    slant = int(random.integers(8))
    ground = None if tray is None else TRAYS[tray]
    ring = ground or Tray(radius=0.11)
    heading, speed = random.uniform(0, 2 * np.pi), random.uniform(0.3, 0.7)
    way = np.array([np.cos(heading), np.sin(heading)])
    start = (float(-0.05 * way[0]), float(-0.05 * way[1]), 0.06)
    launch = Launch(start, (float(speed * way[0]), float(speed * way[1]), -0.2), spin=30.0)
    flight = throw(seed, values, ring, side, launch)
    dice = tuple(
        Die(
            (float(x), float(y), float(z)),
            flight.rotations[-1, i],
            LOOKS[looks[i % len(looks)]],
            side,
            slant=slant,
            **shape,
        )
        for i, (x, y, z) in enumerate(flight.positions[-1])
    )
    tilt = float(random.uniform(5, 50)) if tilt is None else tilt
    pixels = float(random.uniform(55, 90)) if die_pixels is None else die_pixels
    camera = _camera(dice, tilt, float(random.uniform(-0.6, 0.6)), size, pixels)
    lamps, sky = _light(random)
    return Scene(
        seed=seed,
        camera=camera,
        dice=dice,
        tray=ground,
        surface=SURFACES[surface],
        things=_things(ring, random),
        lamps=lamps,
        sky=sky,
    )


def _camera(dice: tuple[Die, ...], tilt: float, turn: float, size: tuple[int, int], pixels: float) -> Camera:
    """A camera half a metre off that looks at the dice, zoomed until a die is `pixels` large, or all are in view."""
    places = np.array([die.position for die in dice])
    target = places.mean(axis=0)
    lean = np.radians(np.clip(tilt, 3, 55))
    away = np.array([np.sin(lean) * np.sin(turn), -np.sin(lean) * np.cos(turn), np.cos(lean)])
    eye = target + 0.55 * away
    camera = Camera(_triple(eye), _triple(target), 30.0, *size)
    for _ in range(4):  # the angle of view and the size of things in it are not quite proportional
        shown = float(np.mean([shown_size(die, camera) for die in dice]))
        angle = 2 * np.degrees(np.arctan(np.tan(np.radians(camera.angle) / 2) * shown / pixels))
        camera = replace(camera, angle=float(np.clip(angle, 8, 60)))
    spread = float(np.linalg.norm(places - target, axis=1).max()) + 2 * dice[0].side
    least = 2 * np.degrees(np.arctan(spread / 0.55)) * size[0] / size[1]
    return replace(camera, angle=max(camera.angle, float(least)))


def _light(random: np.random.Generator) -> tuple[tuple[Lamp, ...], Color]:
    """A lamp, warm or cold, near or far, often a window on the other side."""
    warm = random.uniform(0, 1)
    color = np.array([1.0, 0.76 + 0.2 * warm, 0.50 + 0.45 * warm])
    heading = random.uniform(0, 2 * np.pi)
    where = np.array([0.5 * np.cos(heading), 0.5 * np.sin(heading), random.uniform(0.7, 1.4)])
    wide = random.uniform(0.12, 0.5)
    power = 1.3 * float(where @ where) / wide**2 * 0.55
    lamps = [Lamp(_triple(where), (0.0, 0.0, 0.0), wide, wide, _triple(power * color))]
    if random.uniform() < 0.6:
        side = heading + np.pi + random.uniform(-0.8, 0.8)
        window = (float(1.3 * np.cos(side)), float(1.3 * np.sin(side)), 1.0)
        lamps.append(
            Lamp(
                window,
                (0.0, 0.0, 0.0),
                0.8,
                0.8,
                _triple(np.array([0.8, 0.95, 1.2]) * random.uniform(0.4, 2)),
            )
        )
    return tuple(lamps), _triple(np.array([0.9, 0.95, 1.0]) * random.uniform(0.12, 0.35))


def _things(ring: Tray, random: np.random.Generator) -> tuple[Thing, ...]:
    """Chips and the like beside the tray."""
    colors: list[Color] = [(0.42, 0.03, 0.03), (0.45, 0.30, 0.08), (0.05, 0.07, 0.25), (0.03, 0.03, 0.03)]
    things = []
    for _ in range(int(random.integers(0, 4))):
        heading, away = random.uniform(0, 2 * np.pi), ring.radius + ring.wall + random.uniform(0.035, 0.08)
        color = colors[int(random.integers(len(colors)))]
        x, y = float(away * np.cos(heading)), float(away * np.sin(heading))
        things.append(Thing("chips", x, y, count=int(random.integers(1, 7)), color=color))
    return tuple(things)


def _triple(values: np.ndarray) -> tuple[float, float, float]:
    return (float(values[0]), float(values[1]), float(values[2]))
