"""The geometry of a die: rounded cube, drilled pips, and what its pose shows.

Western dice: opposite faces sum to seven, and 1, 2, 3 run counter-clockwise round the corner they share.
The axes of body coordinates carry 1 (+x), 2 (+y), 3 (+z), 4 (-z), 5 (-y), 6 (-x).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from models.training.render.mesh import Mesh, Points, grid_faces, joined, smooth_normals

NORMALS: dict[int, Points] = {
    1: np.array([1.0, 0.0, 0.0]),
    2: np.array([0.0, 1.0, 0.0]),
    3: np.array([0.0, 0.0, 1.0]),
    4: np.array([0.0, 0.0, -1.0]),
    5: np.array([0.0, -1.0, 0.0]),
    6: np.array([-1.0, 0.0, 0.0]),
}
"""Outward normal of each face in body coordinates."""


@dataclass(frozen=True)
class DieShape:
    """Measures of a die, as shares of its side but for `side` itself (metres).

    `round` is the radius of edges and corners, `pip` a pip's radius, `depth` how deep it is drilled,
    `spread` how far the outer pips stand from the middle of the face, `big_one` the radius of the single
    pip of the 1. `slant` chooses which diagonal the 2 and the 3 take and which way the rows of the 6 run,
    in its three lowest bits; makers differ. `ball` is the radius of a sphere that cuts off the corners and `narrow`
    how far apart the rows of the 6 stand, as a share of the other pips'. Without `pips` all faces are bare.
    """

    side: float = 0.018
    round: float = 0.12
    pip: float = 0.09
    depth: float = 0.035
    spread: float = 0.25
    big_one: float = 0.09
    slant: int = 0
    cells: int = 64
    ball: float = 1.0
    narrow: float = 1.0
    pips: bool = True


def layout(value: int, slant: int = 0, narrow: float = 1.0) -> list[tuple[float, float]]:
    """Where the pips of a face stand in its own axes, in units of `spread`."""
    flip = -1.0 if (slant >> {2: 0, 3: 1}.get(value, 3)) & 1 else 1.0
    diagonal = [(-1.0, -flip), (1.0, flip)]
    corners = [(-1.0, -1.0), (-1.0, 1.0), (1.0, -1.0), (1.0, 1.0)]
    rows = [(0.0, -1.0), (0.0, 1.0)] if slant >> 2 & 1 else [(-1.0, 0.0), (1.0, 0.0)]
    middle = [(0.0, 0.0)]
    if value == 6:
        across = (1.0, narrow) if slant >> 2 & 1 else (narrow, 1.0)
        return [(x * across[0], y * across[1]) for x, y in corners + rows]
    return {1: middle, 2: diagonal, 3: diagonal + middle, 4: corners, 5: corners + middle}[value]


def axes_of(value: int) -> tuple[Points, Points, Points]:
    """Normal and the two axes of a face (right-handed: u x v = normal)."""
    normal = NORMALS[value]
    axis = int(np.argmax(np.abs(normal)))
    u = np.eye(3)[(axis + 1) % 3]
    return normal, u, np.cross(normal, u)


def build(shape: DieShape) -> tuple[Mesh, Mesh]:
    """Body and pips of a die as two meshes about the origin; together they are closed.

    `uv` is one picture of all faces: three columns and two rows of squares, 1 to 3 in the row at v = 0, 4 to 6 above.
    """
    bodies, pips = [], []
    for value in NORMALS:
        body, drilled = _face(value, shape)
        bodies.append(body)
        pips.append(drilled)
    return joined(bodies), joined(pips)


def _face(value: int, shape: DieShape) -> tuple[Mesh, Mesh]:
    half, radius = shape.side / 2, shape.round * shape.side
    normal, u, v = axes_of(value)
    line = np.linspace(-half, half, shape.cells + 1)
    s, t = (each.ravel() for each in np.meshgrid(line, line, indexing="ij"))
    step = shape.side / shape.cells
    sunk = np.zeros(len(s))
    in_pip = np.zeros(len(s), dtype=bool)
    for x, y in layout(value, shape.slant, shape.narrow) if shape.pips else []:
        pip = (shape.big_one if value == 1 else shape.pip) * shape.side
        deep = shape.depth * shape.side * pip / (shape.pip * shape.side)
        ds, dt = s - x * shape.spread * shape.side, t - y * shape.spread * shape.side
        distance = np.hypot(ds, dt)
        # Vertices next to the rim move onto it, so that it is round whatever the grid.
        near = np.abs(distance - pip) < 0.5 * step
        pull = np.where(near, pip / np.maximum(distance, 1e-12), 1.0)
        s, t = s + (pull - 1) * ds, t + (pull - 1) * dt
        distance = np.where(near, pip, distance)
        ball = (pip**2 + deep**2) / (2 * deep)
        inside = distance <= pip + 1e-9
        sunk = np.where(inside, np.sqrt(np.maximum(ball**2 - distance**2, 0)) - (ball - deep), sunk)
        in_pip |= inside
    start = np.stack([s, t], -1) / shape.side
    flat = half * normal + s[:, None] * u + t[:, None] * v
    core = np.clip(flat, -(half - radius), half - radius)
    out = flat - core
    vertices = core + radius * out / np.linalg.norm(out, axis=1, keepdims=True)
    reach = np.linalg.norm(vertices, axis=1, keepdims=True)
    vertices *= np.minimum(1.0, shape.ball * shape.side / reach)
    vertices -= sunk[:, None] * normal
    faces = grid_faces(shape.cells + 1, shape.cells + 1)
    a, b, c = (vertices[faces[0, i]] for i in range(3))
    if np.cross(b - a, c - a) @ normal < 0:
        faces = faces[:, [0, 2, 1]]
    drilled = in_pip[faces].all(axis=1)
    uv = atlas_place(value, start)
    return _part(vertices, faces[~drilled], uv), _part(vertices, faces[drilled], uv)


def atlas_place(value: int, points: Points) -> Points:
    """(n, 2) points of a face in its own axes, in sides about its middle, to `uv` in the picture of all faces."""
    return np.asarray((np.array([(value - 1) % 3, (value - 1) // 3]) + points + 0.5) / (3, 2))


def _part(vertices: Points, faces: NDArray[np.int64], uv: Points) -> Mesh:
    used, renumbered = np.unique(faces, return_inverse=True)
    own, own_faces = vertices[used], renumbered.reshape(-1, 3)
    return Mesh(own, own_faces, smooth_normals(own, own_faces), uv[used])


def upper_face(rotation: Points) -> tuple[int, float]:
    """The value on top, and the cosine of its tilt: 1 when it lies flat."""
    tops = {value: float((rotation @ normal)[2]) for value, normal in NORMALS.items()}
    value = max(tops, key=lambda each: tops[each])
    return value, tops[value]


def face_corners(value: int, side: float) -> Points:
    """(4, 3) corners of a face in body coordinates, as if the edges were sharp, counter-clockwise from outside."""
    normal, u, v = axes_of(value)
    return np.array([(normal + i * u + j * v) * side / 2 for i, j in ((-1, -1), (1, -1), (1, 1), (-1, 1))])


def cube_rotations() -> list[Points]:
    """The 24 rotations that map a cube to itself."""
    found = []
    for x in NORMALS.values():
        for y in NORMALS.values():
            if abs(float(x @ y)) < 0.5:
                found.append(np.stack([x, y, np.cross(x, y)], axis=1))
    return found
