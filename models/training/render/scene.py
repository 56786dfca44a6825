"""What is to be rendered, as data: table, tray, dice, things beside it, light and camera.

A scene holds no meshes, no textures and no renderer's objects; all of those follow from it and its seed.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from numpy.typing import NDArray

Color = tuple[float, float, float]
"""Linear reflectance, red green blue, 0 to 1."""


@dataclass(frozen=True)
class DieLook:
    """Material of a die. `solid` is opaque resin, `clear` translucent, `marble` and `wood` have a grain of
    `second`.

    `gloss` is the roughness of the polish, 0.02 (wet) to 0.4 (dull).
    """

    kind: Literal["solid", "clear", "marble", "wood"] = "solid"
    color: Color = (0.80, 0.74, 0.58)
    pips: Color = (0.015, 0.015, 0.015)
    second: Color = (0.5, 0.5, 0.5)
    gloss: float = 0.08


@dataclass(frozen=True)
class Die:
    """A die in the world: `rotation` (3, 3) body to world, `position` (3,) of its middle, metres."""

    position: tuple[float, float, float]
    rotation: NDArray[np.float64]
    look: DieLook = field(default_factory=DieLook)
    side: float = 0.018
    round: float = 0.12
    pip: float = 0.09
    slant: int = 0


@dataclass(frozen=True)
class Tray:
    """The tray: inner radius (to the corners of a polygon), sides (96: round), height of the rim, its thickness."""

    radius: float = 0.125
    sides: int = 96
    rim: float = 0.022
    wall: float = 0.010
    felt: Color = (0.030, 0.15, 0.065)
    wood: tuple[Color, Color, Color] = ((0.22, 0.10, 0.04), (0.12, 0.05, 0.02), (0.05, 0.02, 0.01))


@dataclass(frozen=True)
class Thing:
    """Something beside the tray, standing on the table at (x, y), turned by `turn` radians.

    `chips` is a pile of `count`, `glass` a tumbler, `coaster` a mat, `cup` a leather dice cup, `paper` a
    sheet.
    """

    kind: Literal["chips", "glass", "coaster", "cup", "paper"]
    x: float
    y: float
    turn: float = 0.0
    count: int = 1
    color: Color = (0.5, 0.05, 0.04)


LAMP_UP = (0.01, 1.0, 0.02)
"""The direction along which a lamp's depth runs, as far as it faces across it."""


@dataclass(frozen=True)
class Lamp:
    """A glowing rectangle at `position` facing `target`, metres; `power` is its radiance, red green blue."""

    position: tuple[float, float, float]
    target: tuple[float, float, float]
    width: float
    depth: float
    power: Color


@dataclass(frozen=True)
class Camera:
    """A pinhole camera at `position` looking at `target`; `angle` is the horizontal angle of view in degrees."""

    position: tuple[float, float, float]
    target: tuple[float, float, float]
    angle: float
    width: int
    height: int


@dataclass(frozen=True)
class Surface:
    """The table top. `wood` takes three colours, `cloth` two, `plain` one."""

    kind: Literal["wood", "cloth", "plain"] = "wood"
    colors: tuple[Color, ...] = ((0.20, 0.11, 0.055), (0.13, 0.065, 0.03), (0.05, 0.025, 0.012))
    gloss: float = 0.25


@dataclass(frozen=True)
class Scene:
    """All of it. `tray` None means that the dice lie on the table itself (then its top is z = 0)."""

    seed: int
    camera: Camera
    dice: tuple[Die, ...]
    tray: Tray | None = field(default_factory=Tray)
    surface: Surface = field(default_factory=Surface)
    things: tuple[Thing, ...] = ()
    lamps: tuple[Lamp, ...] = ()
    sky: Color = (0.25, 0.24, 0.23)
    """Light from everywhere, as radiance."""
