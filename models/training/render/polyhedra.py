"""Dice that are no cubes, with numbers on their faces."""

from __future__ import annotations

from functools import cache
from itertools import combinations

import numpy as np

from models.training.render import faces
from models.training.render.coats import any_color, coat, part, resin
from models.training.render.lie import circle
from models.training.render.mesh import Mesh, Points, smooth_normals
from models.training.render.parts import Part


@cache
def _solid(sides: int) -> tuple[Points, tuple[tuple[int, ...], ...]]:
    """Corners on the unit sphere and triangles of the regular body with 4, 8 or 20 faces."""
    if sides == 4:
        corners = np.array([[1, 1, 1], [1, -1, -1], [-1, 1, -1], [-1, -1, 1]], float)
    elif sides == 8:
        corners = np.concatenate([np.eye(3), -np.eye(3)])
    else:
        golden = (1 + 5**0.5) / 2
        corners = np.array(
            [np.roll([0.0, a, b * golden], k) for k in range(3) for a in (-1, 1) for b in (-1, 1)]
        )
    corners /= np.linalg.norm(corners, axis=1, keepdims=True)
    found = []
    for i, j, k in combinations(range(len(corners)), 3):
        normal = np.cross(corners[j] - corners[i], corners[k] - corners[i])
        away = (corners - corners[i]) @ normal
        if (away < 1e-9).all():
            found.append((i, j, k))
        elif (away > -1e-9).all():
            found.append((i, k, j))
    return corners, tuple(found)


def polyhedron(side: float, random: np.random.Generator) -> tuple[dict[str, Part], Points]:
    """A die of 4, 8 or 20 faces with numbers, lying on one of them; `side` is that of the cubes it lies among.

    Gives its parts and its outline on the ground, (n, 2).
    """
    sides = int(random.choice([4, 8, 20]))
    corners, triangles = _solid(sides)
    across, cells = random.uniform(0.5, 0.75) * side, 5
    pixels = 48
    body, ink = np.array(any_color(random)), np.array(any_color(random))
    if np.abs(body ** (1 / 2.2) - ink ** (1 / 2.2)).max() < 0.35:
        ink = np.array([0.8, 0.8, 0.8]) if body.mean() < 0.2 else np.array([0.01, 0.01, 0.01])
    picture = np.empty((4 * pixels, cells * pixels, 3), np.float32)
    picture[:] = body
    vertices, uv = [], []
    corner_uv = np.array([[0.5, 0.95], [0.08, 0.2], [0.92, 0.2]])
    for number, triangle in enumerate(triangles):
        row, column = number // cells, number % cells
        tile = picture[row * pixels : (row + 1) * pixels, column * pixels : (column + 1) * pixels]
        mark = faces.text(str(number + 1), pixels, at=(0.5, 0.56), size=0.26, thick=0.05)
        tile += mark[::-1, :, None] * (ink - tile)
        vertices.append(corners[list(triangle)] * across)
        uv.append((np.array([column, row]) + corner_uv) / (cells, 4))
    points = np.concatenate(vertices)
    index = np.arange(len(points)).reshape(-1, 3)
    mesh = Mesh(points, index, smooth_normals(points, index), np.concatenate(uv))
    down = -np.cross(points[1] - points[0], points[2] - points[0])
    down /= np.linalg.norm(down)
    beside = np.cross(down, [0.3, 0.5, 0.8])
    beside /= np.linalg.norm(beside)
    # Its first face goes down.
    rotation = np.stack([beside, np.cross(down, beside), down])
    mesh = mesh.moved(rotation, np.zeros(3))
    mesh = mesh.moved(np.eye(3), np.array([0.0, 0.0, -float(mesh.vertices[:, 2].min())]))
    clear = random.random() < 0.25
    material = resin(picture, clear=0.7) if clear else coat(picture, rough=0.2)
    return {"polyhedron": part(mesh, material)}, circle(0, 0, across)
