"""How a set of dice looks: material, colours, pips, edges, wear; and one die of it as meshes with materials."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache

import cv2
import numpy as np

from models.training.render import faces, textures
from models.training.render.chances import pick
from models.training.render.coats import brightness, coat, part, resin, shown, tint
from models.training.render.dice import NORMALS, DieShape, axes_of, build
from models.training.render.mesh import Mesh
from models.training.render.parts import Part
from models.training.render.scene import Color

VISIBLE, FAINT = 0.30, (0.10, 0.19)
"""Least contrast of pips and body, and what counts as faint, both in units of white as a screen shows it."""


@dataclass(frozen=True)
class Dress:
    """One set of dice. `kind` is what its faces carry: pips, or something that is not to be read.

    `second` is the colour of veins, grain or shimmer, `strength` how much there is of it; `clear` is 0 for opaque
    dice; `red` names the faces whose pips are red; `prints` stand between the pips; `worn` is 0 (new) to 1.
    """

    material: str
    shape: DieShape
    body: Color
    second: Color
    pips: Color
    strength: float = 0.0
    clear: float = 0.0
    rough: float = 0.2
    lacquer: float = 0.0
    gilt: float = 0.0
    red: tuple[int, ...] = ()
    prints: float = 0.0
    worn: float = 0.0
    kind: str = "pips"


def contrast(one: Color, other: Color) -> float:
    """How well two colours can be told apart, 0 to 1: by brightness first, less by hue."""
    channels = np.abs(shown(one) - shown(other))
    return float(max(abs(brightness(one) - brightness(other)), 0.55 * channels.max()))


def random_dress(random: np.random.Generator, side: float | None = None) -> Dress:
    """A set of dice at random."""
    material = pick(random, "material")
    body = _body(random, material)
    pips, gilt = _pips(random, material, body)
    shape = _shape(random, material, random.uniform(0.010, 0.025) if side is None else side)
    hue = random.uniform()
    second = tint(hue, random.uniform(0, 1), random.uniform(0.1, 1.0))
    dress = Dress(
        material, shape, body, second, pips, gilt=gilt, rough=float(random.choice([0.1, 0.2, 0.3, 0.45]))
    )
    if material == "marbled":
        strength = random.uniform(0.35, 1.0)
        return _worn(
            random, replace(dress, strength=strength if contrast(second, pips) > 0.2 else 0.4 * strength)
        )
    if material == "pearl":
        glow = tint(hue, random.uniform(0, 0.4), random.uniform(0.6, 1.0))
        dress = replace(dress, second=glow, strength=random.uniform(0.2, 0.5), lacquer=1.0, rough=0.35)
        return _worn(random, dress if contrast(glow, pips) > 0.2 else replace(dress, strength=0.15))
    if material == "wood":
        darker = random.uniform(0.45, 0.75)
        late = (body[0] * darker, body[1] * darker, body[2] * darker)
        dress = replace(dress, second=late, strength=1.0, rough=random.uniform(0.3, 0.6))
        return _worn(random, dress)
    if material == "translucent":
        clear = random.uniform(0.5, 0.95)
        dress = replace(dress, clear=clear, rough=random.uniform(0.05, 0.25))
        return replace(dress, strength=random.uniform(0.3, 0.8)) if random.random() < 0.2 else dress
    if material == "casino":
        clear = random.uniform(0.6, 0.9) if random.random() < 0.6 else 0.0
        return replace(dress, clear=clear, prints=random.uniform(0.3, 0.9), rough=0.06)
    if material == "asian":
        red = (1, 4) if random.random() < 0.75 else (1,)
        return _worn(random, replace(dress, red=red))
    return _worn(random, dress)


def unreadable(dress: Dress, kind: str, random: np.random.Generator) -> Dress:
    """The same set with `kind` (numerals, blank, symbols) on its faces instead of pips."""
    return replace(dress, kind=kind, red=(), prints=0.0, shape=replace(dress.shape, pips=False))


def _body(random: np.random.Generator, material: str) -> Color:
    if material == "wood":
        return tint(
            random.uniform(0.05, 0.12),
            random.uniform(0.25, 0.65),
            random.uniform(0.4, 0.92),
        )
    family = pick(random, "body")
    if material == "asian":
        family = "white" if random.random() < 0.6 else "ivory"
    if material in ("translucent", "casino") and random.random() < 0.8:
        family = "red" if random.random() < 0.3 else "any"
    if family == "white":
        return tint(random.uniform(), random.uniform(0, 0.05), random.uniform(0.82, 0.98))
    if family == "ivory":
        return tint(
            random.uniform(0.09, 0.15),
            random.uniform(0.1, 0.4),
            random.uniform(0.75, 0.97),
        )
    if family == "black":
        return tint(random.uniform(), random.uniform(0, 0.4), random.uniform(0.04, 0.2))
    if family == "grey":
        return tint(random.uniform(), random.uniform(0, 0.15), random.uniform(0.3, 0.7))
    if family == "red":
        return tint(
            random.uniform(-0.03, 0.03),
            random.uniform(0.75, 1),
            random.uniform(0.5, 0.95),
        )
    return tint(random.uniform(), random.uniform(0.4, 1), random.uniform(0.25, 1))


def _pips(random: np.random.Generator, material: str, body: Color) -> tuple[Color, float]:
    """Colour of the pips and how much of it is gilt: always to be seen, at times only just."""
    dark, light = (
        tint(0.0, 0.0, random.uniform(0.02, 0.12)),
        tint(0.12, 0.05, random.uniform(0.88, 1.0)),
    )
    fallback = dark if brightness(body) > 0.5 else light
    if material == "asian":
        return dark if random.random() < 0.6 else tint(0.62, 0.8, 0.4), 0.0
    wanted = pick(random, "pips")
    if wanted == "faint":
        step = random.uniform(*FAINT) * (1 if brightness(body) < 0.5 else -1)
        return tuple(float(np.clip(each + step, 0.02, 1) ** 2.2) for each in shown(body)), 0.0  # type: ignore[return-value]
    gilt = random.uniform(0.5, 0.9) if wanted == "gold" and random.random() < 0.6 else 0.0
    made = {
        "contrast": fallback,
        "white": light,
        "black": dark,
        "gold": tint(
            random.uniform(0.10, 0.13),
            random.uniform(0.5, 0.8),
            random.uniform(0.75, 0.98),
        ),
        "red": tint(random.uniform(-0.03, 0.02), 0.9, random.uniform(0.6, 0.95)),
        "yellow": tint(random.uniform(0.13, 0.17), random.uniform(0.6, 1), 0.95),
        "any": tint(random.uniform(), random.uniform(0.3, 1), random.uniform(0.2, 1)),
    }[wanted]
    return (made, gilt) if contrast(made, body) > VISIBLE else (fallback, 0.0)


def _shape(random: np.random.Generator, material: str, side: float) -> DieShape:
    edges = "sharp" if material == "casino" else pick(random, "edges")
    low, high = {
        "sharp": (0.012, 0.045),
        "bevelled": (0.05, 0.15),
        "soft": (0.15, 0.26),
        "ball": (0.03, 0.10),
    }[edges]
    round_, ball = random.uniform(low, high), 1.0
    pip, spread = random.uniform(0.070, 0.118), random.uniform(0.225, 0.285)
    if edges == "ball":
        ball, spread = random.uniform(0.67, 0.76), min(spread, 0.25)
    # Neighbours in the 6 stand one spread apart; pips stay on the flat of the face, or nearly.
    pip, spread = min(pip, 0.46 * spread), min(spread, 0.5 - 0.5 * round_ - pip)
    one = pip
    if material == "asian":
        one = random.uniform(1.4, 2.2) * pip
    elif random.random() < 0.12:
        one = random.uniform(1.1, 1.6) * pip
    flat = pick(random, "relief") == "flat" or material == "casino"
    depth = 0.002 if flat else random.uniform(0.02, 0.06)
    narrow = random.uniform(0.72, 1.0) if random.random() < 0.4 else 1.0
    return DieShape(
        side,
        round_,
        pip,
        depth,
        spread,
        min(one, 0.2),
        int(random.integers(8)),
        ball=ball,
        narrow=max(narrow, 1.1 * pip / spread),
    )


def _worn(random: np.random.Generator, dress: Dress) -> Dress:
    if pick(random, "wear") == "new":
        return dress
    return replace(dress, worn=random.uniform(0.3, 1.0), rough=max(dress.rough, 0.35))


def cells_for(pixels: float) -> int:
    """How finely a die seen `pixels` large is to be modelled."""
    return 40 if pixels < 40 else 52 if pixels < 90 else 64


def die_parts(dress: Dress, pixels: float, random: np.random.Generator) -> dict[str, Part]:
    """`body` and, where it has any, `pips` of a die of this set in its own coordinates."""
    body, pips = build(replace(dress.shape, cells=cells_for(pixels)))
    side = 32 if pixels < 30 else 64 if pixels < 70 else 112
    picture = _body_picture(dress, side, random)
    if dress.clear:
        material = resin(picture, clear=dress.clear, rough=dress.rough)
    else:
        material = coat(picture, rough=dress.rough, lacquer=dress.lacquer)
    made = {"body": part(body, material)}
    if len(pips.faces):
        made["pips"] = part(pips, _ink(dress, picture, side, random))
    return made


@lru_cache(maxsize=8)
def _points(side: int) -> np.ndarray:
    """Where on the die each texel of the picture of all faces lies, (2 * side, 3 * side, 3), in sides."""
    line = (np.arange(side) + 0.5) / side - 0.5
    t, s = np.meshgrid(line, line, indexing="ij")
    points = np.zeros((2 * side, 3 * side, 3))
    for value in NORMALS:
        normal, u, v = axes_of(value)
        row, column = (value - 1) // 3, (value - 1) % 3
        tile = 0.5 * normal + s[..., None] * u + t[..., None] * v
        points[row * side : (row + 1) * side, column * side : (column + 1) * side] = tile
    return points


def _body_picture(dress: Dress, side: int, random: np.random.Generator) -> textures.Texture:
    """The picture of all faces without pips, (2 * side, 3 * side, 3) linear."""
    points = _points(side).reshape(-1, 3)
    shape = (2 * side, 3 * side, 3)
    if dress.material == "wood":
        colors = textures.grain(points, dress.body, dress.second, random)
    elif dress.strength > 0:
        full = textures.marble(points, dress.body, dress.second, random)
        colors = np.array(dress.body) + dress.strength * (full - np.array(dress.body))
    else:
        colors = np.broadcast_to(np.array(dress.body), (len(points), 3)).copy()
    picture = colors.reshape(shape).astype(np.float32)
    if dress.worn:
        picture *= np.exp(-0.35 * dress.worn * np.clip(_blotches(random, shape[:2]) - 0.3, 0, 2))[..., None]
        rub = np.clip(np.sort(np.abs(_points(side)), axis=-1)[..., 1] * 2 - 0.86, 0, 1) / 0.14
        rub = rub * np.clip(0.5 + 0.6 * _blotches(random, shape[:2]), 0, 1) * 0.6 * dress.worn
        picture += rub[..., None].astype(np.float32) * (float(random.choice([0.05, 0.3, 0.5])) - picture)
    if dress.kind != "pips" or dress.prints:
        ink = np.array(dress.pips, np.float32)
        for value in NORMALS:
            mask = faces.printed(value, side, dress, random)
            row, column = (value - 1) // 3 * side, (value - 1) % 3 * side
            tile = picture[row : row + side, column : column + side]
            tile += mask[::-1, :, None] * (ink - tile)
    return np.ascontiguousarray(picture, np.float32)


def _ink(
    dress: Dress, picture: textures.Texture, side: int, random: np.random.Generator
) -> dict[str, object]:
    colors: textures.Texture = np.empty_like(picture)
    colors[:] = dress.pips
    for value in dress.red:
        row, column = (value - 1) // 3 * side, (value - 1) % 3 * side
        colors[row : row + side, column : column + side] = tint(0.99, 0.92, 0.82)
    if dress.worn:
        gone = np.clip(0.35 + 0.45 * _blotches(random, colors.shape[:2]), 0, 1) * 0.75 * dress.worn
        colors = colors + gone[..., None].astype(np.float32) * (picture - colors)
    return coat(colors, rough=0.3 if dress.gilt else 0.4, metal=dress.gilt)


def _blotches(random: np.random.Generator, shape: tuple[int, ...]) -> np.ndarray:
    """Smooth noise of standard deviation about 1."""
    field = random.normal(size=shape)
    rough = cv2.GaussianBlur(field, (0, 0), max(shape[0] / 40, 0.8))
    return np.asarray(rough / max(float(rough.std()), 1e-9))


def moved(parts: dict[str, Part], rotation: np.ndarray, position: np.ndarray) -> dict[str, Part]:
    """The parts in place."""
    return {name: replace(each, mesh=each.mesh.moved(rotation, position)) for name, each in parts.items()}


def outline(parts: dict[str, Part]) -> np.ndarray:
    """All vertices of the parts, (n, 3)."""
    return np.concatenate([each.mesh.vertices for each in parts.values()])


def facing(mesh: Mesh, eye: np.ndarray) -> np.ndarray:
    """Vertices of a mesh that are turned towards `eye`, (n, 3)."""
    assert mesh.normals is not None
    return np.asarray(mesh.vertices[((eye - mesh.vertices) * mesh.normals).sum(axis=1) > 0])
