"""Triangle meshes made from formulas: turned shapes, boxes, and the skin round a set of capsules."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

Points = NDArray[np.float64]


@dataclass(frozen=True)
class Mesh:
    """`vertices` (n, 3) metres, `faces` (m, 3) indices counter-clockwise from outside; `normals` (n, 3) of
    length 1, `uv` (n, 2) and `colors` (n, 3) linear 0..1 where there are any.
    """

    vertices: Points
    faces: NDArray[np.int64]
    normals: Points | None = None
    uv: Points | None = None
    colors: Points | None = None

    def moved(self, rotation: Points, position: Points) -> Mesh:
        """The same mesh turned, then shifted."""
        normals = None if self.normals is None else self.normals @ rotation.T
        return Mesh(self.vertices @ rotation.T + position, self.faces, normals, self.uv, self.colors)


def smooth_normals(vertices: Points, faces: NDArray[np.int64]) -> Points:
    """Vertex normals as the sum of the area vectors of the triangles around each vertex."""
    a, b, c = (vertices[faces[:, i]] for i in range(3))
    area = np.cross(b - a, c - a)
    normals = np.zeros_like(vertices)
    for i in range(3):
        np.add.at(normals, faces[:, i], area)
    return normals / np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-20)


def grid_faces(rows: int, columns: int, *, wrap: bool = False) -> NDArray[np.int64]:
    """Two triangles for each cell of a grid of vertices, row by row; `wrap` joins the last column to the first."""
    r = np.arange(rows - 1)[:, None]
    c = np.arange(columns if wrap else columns - 1)[None, :]
    right = (c + 1) % columns
    a, b = r * columns + c, r * columns + right
    d, e = (r + 1) * columns + c, (r + 1) * columns + right
    return np.concatenate([np.stack([a, b, e], -1).reshape(-1, 3), np.stack([a, e, d], -1).reshape(-1, 3)])


def turned(profile: Sequence[tuple[float, float]], *, sides: int = 96, crease: bool = True) -> Mesh:
    """Turn a profile of (radius, height) round the z axis. Going up the profile, the outside lies on its
    right.

    `sides` is 6 for a hexagon; with `crease` the profile's corners stay sharp. `uv` runs round and along in
    metres.
    """
    points = np.asarray(profile, dtype=np.float64)
    pieces = [points[i : i + 2] for i in range(len(points) - 1)] if crease else [points]
    flat = sides <= 12
    parts = []
    for piece in pieces:
        sectors = range(sides) if flat else range(1)
        for sector in sectors:
            steps = np.array([sector, sector + 1]) if flat else np.arange(sides + 1)
            angle = 2 * np.pi * steps / sides
            x = piece[:, :1] * np.cos(angle)
            y = piece[:, :1] * np.sin(angle)
            z = np.repeat(piece[:, 1:], len(angle), axis=1)
            vertices = np.stack([x, y, z], -1).reshape(-1, 3)
            faces = grid_faces(len(piece), len(angle))
            along = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(piece, axis=0), axis=1))])
            around = angle * float(piece[:, 0].max())
            uv = np.stack(np.broadcast_arrays(around[None, :], along[:, None]), -1).reshape(-1, 2)
            parts.append(Mesh(vertices, faces, smooth_normals(vertices, faces), uv))
    return joined(parts)


def disk(radius: float, height: float = 0.0, *, sides: int = 96) -> Mesh:
    """A flat disk (or polygon) facing up; `uv` in metres."""
    angle = 2 * np.pi * np.arange(sides) / sides
    rim = np.stack([radius * np.cos(angle), radius * np.sin(angle), np.full(sides, height)], -1)
    vertices = np.concatenate([[[0.0, 0.0, height]], rim])
    index = np.arange(sides)
    faces = np.stack([np.zeros(sides, int), 1 + index, 1 + (index + 1) % sides], -1)
    return Mesh(vertices, faces, np.tile([0.0, 0.0, 1.0], (len(vertices), 1)), vertices[:, :2].copy())


def rectangle(width: float, depth: float, height: float = 0.0) -> Mesh:
    """A flat rectangle about the z axis facing up; `uv` in metres."""
    x, y = width / 2, depth / 2
    vertices = np.array([[-x, -y, height], [x, -y, height], [x, y, height], [-x, y, height]])
    return Mesh(
        vertices, np.array([[0, 1, 2], [0, 2, 3]]), np.tile([0.0, 0.0, 1.0], (4, 1)), vertices[:, :2].copy()
    )


def slab(outline: Points, height: float, size: float = 1.0) -> Mesh:
    """A flat body over a convex outline (n, 2); `uv` is x and y over `size` plus a half: a picture on top."""
    count = len(outline)
    top = np.pad(outline, ((0, 0), (0, 1)), constant_values=height)
    middle = np.array([[*outline.mean(axis=0), height]])
    index = np.arange(count)
    after = (index + 1) % count
    lid = Mesh(
        np.concatenate([middle, top]),
        np.stack([np.zeros(count, int), 1 + index, 1 + after], -1),
        np.tile([0.0, 0.0, 1.0], (count + 1, 1)),
    )
    walls = []
    for i, j in zip(index, after, strict=True):
        quad = np.array([[*outline[i], 0], [*outline[j], 0], [*outline[j], height], [*outline[i], height]])
        corners = np.array([[0, 1, 2], [0, 2, 3]])
        walls.append(Mesh(quad, corners, smooth_normals(quad, corners)))
    whole = joined([lid, *walls])
    return replace(whole, uv=whole.vertices[:, :2] / size + 0.5)


def rounded(width: float, depth: float, radius: float) -> Points:
    """Outline of a rectangle with round corners, (24, 2)."""
    angle = np.linspace(0, np.pi / 2, 6)
    corner = np.stack([np.cos(angle), np.sin(angle)], -1) * radius
    turns = [
        np.array([[1, 0], [0, 1]]),
        np.array([[0, -1], [1, 0]]),
        np.array([[-1, 0], [0, -1]]),
        np.array([[0, 1], [-1, 0]]),
    ]
    middles = np.array([[1, 1], [-1, 1], [-1, -1], [1, -1]]) * (width / 2 - radius, depth / 2 - radius)
    return np.concatenate([corner @ turn.T + middle for turn, middle in zip(turns, middles, strict=True)])


def joined(meshes: Sequence[Mesh]) -> Mesh:
    """Several meshes as one; normals, uv and colours are kept only where all have them."""
    starts = np.cumsum([0] + [len(each.vertices) for each in meshes[:-1]])

    def gather(name: str) -> Points | None:
        values = [getattr(each, name) for each in meshes]
        return None if any(value is None for value in values) else np.concatenate(values)

    vertices = np.concatenate([each.vertices for each in meshes])
    faces = np.concatenate([each.faces + start for each, start in zip(meshes, starts, strict=True)])
    return Mesh(vertices, faces, gather("normals"), gather("uv"), gather("colors"))


@dataclass(frozen=True)
class Capsule:
    """A rod from `a` to `b` whose radius goes from `ra` to `rb`."""

    a: tuple[float, float, float]
    b: tuple[float, float, float]
    ra: float
    rb: float


def skin(capsules: Sequence[Capsule], *, cell: float, blend: float) -> Mesh:
    """The smooth surface round capsules that melt into each other over `blend` metres, on a grid of `cell`
    metres.

    Naive surface nets: one vertex in each cell that the surface crosses, at the mean of the crossings of
    its edges.
    """
    ends = np.array([[*c.a, c.ra] for c in capsules] + [[*c.b, c.rb] for c in capsules])
    low = (ends[:, :3] - ends[:, 3:]).min(axis=0) - blend - 2 * cell
    high = (ends[:, :3] + ends[:, 3:]).max(axis=0) + blend + 2 * cell
    axes = [np.arange(low[i], high[i], cell) for i in range(3)]
    grid = np.stack(np.meshgrid(*axes, indexing="ij"), -1)
    total = np.zeros(grid.shape[:3])
    for each in capsules:
        a, b = np.array(each.a), np.array(each.b)
        along = np.clip(((grid - a) @ (b - a)) / max(float((b - a) @ (b - a)), 1e-12), 0, 1)
        radius = each.ra + (each.rb - each.ra) * along
        gap = np.linalg.norm(grid - a - along[..., None] * (b - a), axis=-1) - radius
        total += np.exp(np.clip(-gap / blend * 4, -60, 60))
    field = -np.log(np.maximum(total, 1e-26)) * blend / 4
    return _surface_nets(field, low, cell)


def _surface_nets(field: Points, origin: Points, cell: float) -> Mesh:
    corner = np.stack(np.meshgrid([0, 1], [0, 1], [0, 1], indexing="ij"), -1).reshape(-1, 3)
    shape = np.array(field.shape) - 1
    values = np.stack([field[x : x + shape[0], y : y + shape[1], z : z + shape[2]] for x, y, z in corner], -1)
    crossed = (values.min(-1) < 0) & (values.max(-1) >= 0)
    cells = np.argwhere(crossed)
    inside = values[crossed]
    total, count = np.zeros((len(cells), 3)), np.zeros((len(cells), 1))
    for i in range(8):
        for j in range(i + 1, 8):
            if np.abs(corner[i] - corner[j]).sum() != 1:
                continue
            a, b = inside[:, i], inside[:, j]
            cut = (a < 0) != (b < 0)
            part = np.where(cut, a / np.where(cut, a - b, 1.0), 0.0)[:, None]
            total += np.where(cut[:, None], corner[i] + part * (corner[j] - corner[i]), 0.0)
            count += cut[:, None]
    vertices = origin + (cells + total / count) * cell
    number = np.full(tuple(shape), -1)
    number[tuple(cells.T)] = np.arange(len(cells))
    faces = []
    for axis in range(3):
        u, v = np.eye(3, dtype=int)[(axis + 1) % 3], np.eye(3, dtype=int)[(axis + 2) % 3]
        step = np.eye(3, dtype=int)[axis]
        low = field[tuple(slice(0, n) for n in shape)]
        high = field[tuple(slice(s, s + n) for s, n in zip(step, shape, strict=True))]
        for edge, flip in (((low < 0) & (high >= 0), False), ((low >= 0) & (high < 0), True)):
            at = np.argwhere(edge)
            at = at[(at[:, (axis + 1) % 3] > 0) & (at[:, (axis + 2) % 3] > 0)]
            quad = np.stack([number[tuple((at - d).T)] for d in (0 * u, u, u + v, v)], -1)
            quad = quad[:, ::-1] if flip else quad
            faces += [quad[:, [0, 1, 2]], quad[:, [0, 2, 3]]]
    triangles = np.concatenate(faces)
    return Mesh(vertices, triangles, smooth_normals(vertices, triangles))
