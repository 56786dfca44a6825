"""A right hand with a sleeve, made of capsules: enough of one to throw dice, pick them up and cast a shadow.

In its own coordinates the fingers point along x, the back of the hand is up (z), the thumb is on the left
(y), and the origin lies in the middle of the palm.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from models.training.render.mesh import Capsule, Mesh, skin, smooth_normals
from models.training.render.parts import Part, matt, painted

SKIN = (0.38, 0.20, 0.13)
SLEEVE = (0.035, 0.045, 0.075)
REACH = 0.085
"""How far in front of the palm's middle the fingers of the half closed hand end, metres."""

_FINGERS = (  # root x, root y, length, radius
    (0.044, 0.031, 0.074, 0.0088),
    (0.048, 0.010, 0.082, 0.0090),
    (0.045, -0.011, 0.076, 0.0086),
    (0.038, -0.030, 0.060, 0.0076),
)


def hand_parts(curl: float) -> dict[str, Part]:
    """`skin` and `sleeve` of a hand; `curl` 0 is open with the fingers a little bent, 1 a loose fist."""
    mesh = skin(_capsules(curl), cell=0.0022, blend=0.006)
    wave = (
        np.sin(mesh.vertices @ np.array([[210, 90, 40], [-60, 230, 80], [50, -70, 260.0]]).T).sum(axis=1) / 3
    )
    tips = np.clip((mesh.vertices[:, 0] - 0.075) / 0.04, 0, 1)
    red = 1 + 0.05 * wave[:, None] + tips[:, None] * np.array([0.08, -0.05, -0.05])
    colors = np.clip(np.array(SKIN) * red, 0, 1)
    return {
        "skin": Part(replace(mesh, colors=colors), painted(0.4)),
        "sleeve": Part(_sleeve(), matt({"type": "rgb", "value": list(SLEEVE)})),
    }


def pose(
    tip: tuple[float, float, float], heading: float, pitch: float
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Rotation and position that bring the place below the bent fingers to `tip`.

    `heading` is the direction of the fingers in the plane, radians from the x axis; `pitch` lifts the
    forearm.
    """
    c, s = np.cos(heading), np.sin(heading)
    turn = np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
    c, s = np.cos(pitch), np.sin(pitch)
    dip = np.array([[c, 0.0, s], [0.0, 1.0, 0.0], [-s, 0.0, c]])
    rotation = turn @ dip
    return rotation, np.array(tip) - rotation @ np.array([0.055, 0.0, -0.045])


def _capsules(curl: float) -> list[Capsule]:
    rods = [Capsule((-0.10, 0.0, 0.004), (-0.04, 0.0, 0.002), 0.025, 0.024)]
    for x, y, length, thick in _FINGERS:
        radius = thick
        rods.append(Capsule((-0.042, 0.62 * y, 0.0), (x, y, 0.004), 0.0155, 0.0112))
        at, angle = np.array([x, y, 0.003]), 0.0
        for share, bend in (
            (0.44, 0.35 + 0.75 * curl),
            (0.31, 0.40 + 0.85 * curl),
            (0.25, 0.35 + 0.55 * curl),
        ):
            angle += bend
            # Fingers that bend also come together.
            step = np.array([np.cos(angle), -0.10 * np.sign(y) * curl, -np.sin(angle)]) * length * share
            thin = radius * (1 - 0.25 * (share == 0.25))
            rods.append(Capsule(_point(at), _point(at + step), radius, thin))
            at, radius = at + step, thin
    middle = np.array([0.006, 0.050 - 0.012 * curl, -0.020])
    end = np.array([0.034 + 0.006 * curl, 0.056 - 0.030 * curl, -0.036 - 0.008 * curl])
    rods.append(Capsule((-0.034, 0.022, -0.004), _point(middle), 0.0165, 0.0118))
    rods.append(Capsule(_point(middle), _point(end), 0.0112, 0.0088))
    return rods


def _point(values: NDArray[np.float64]) -> tuple[float, float, float]:
    return (float(values[0]), float(values[1]), float(values[2]))


def _sleeve() -> Mesh:
    """A folded tube along -x, open at the wrist."""
    along = np.linspace(-0.085, -0.75, 90)[:, None]
    around = np.linspace(0, 2 * np.pi, 49)[None, :]
    radius = 0.034 + 0.024 * np.clip((-along - 0.085) / 0.35, 0, 1) + 0.0 * around
    radius = (
        radius
        + 0.0016 * np.sin(along * 120 + 2 * np.sin(around * 2))
        + 0.0012 * np.sin(around * 5 + along * 40)
    )
    z = radius * np.sin(around) * 0.92 + 0.003 - 0.12 * (along + 0.085)
    vertices = np.stack([along + 0 * around, radius * np.cos(around), z], -1).reshape(-1, 3)
    rows, columns = len(along), around.shape[1]
    index = np.arange(rows * columns).reshape(rows, columns)
    a, b, c, d = index[:-1, :-1], index[:-1, 1:], index[1:, 1:], index[1:, :-1]
    faces = np.concatenate([np.stack([a, b, c], -1).reshape(-1, 3), np.stack([a, c, d], -1).reshape(-1, 3)])
    return Mesh(vertices, faces, smooth_normals(vertices, faces))
