"""A hand in the picture: the rendered hand's own mesh, drawn once for each way in and then moved about."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np

from benchmarks.clips.view import Floats, Light, Points, View
from models.training.paint import value_noise
from models.training.render.hand import hand_parts, pose
from models.training.render.mesh import Mesh

EDGE_M = 0.017
"""Metres in a die's edge."""
OPEN, CLOSED = 0.15, 0.95
"""How far the fingers are bent."""

SKINS = ((0.16, 0.24, 0.48), (0.21, 0.31, 0.56), (0.07, 0.13, 0.29), (0.03, 0.055, 0.13), (0.28, 0.36, 0.60))
SLEEVES = ((0.08, 0.05, 0.04), (0.55, 0.55, 0.55), (0.03, 0.03, 0.30), (0.20, 0.10, 0.04), (0.03, 0.12, 0.05))


@dataclass(frozen=True)
class Person:
    """Whose hand it is: `skin` and `sleeve` linear blue green red (None: a bare arm), `scale` of the hand."""

    skin: tuple[float, float, float] = SKINS[0]
    sleeve: tuple[float, float, float] | None = SLEEVES[0]
    scale: float = 1.0


@dataclass(frozen=True)
class Hand:
    """A person's hand whose fingers point along `heading` (radians from world x), half closed by `curl`."""

    person: Person
    heading: float
    curl: float = OPEN


@dataclass(frozen=True)
class Sprite:
    """A hand as seen with the place below its fingers at `tip` (3,) world: `colour` (h, w, 3) times opacity, `opacity`
    (h, w, 1), `dark` (h, w, 1): what its shadow takes of the lamp's light on the table. `corner` is where the pictures'
    upper left lies relative to the tip's pixel, `foot` the same for `dark`, relative to the place below the tip."""

    tip: Points
    colour: Floats
    opacity: Floats
    corner: tuple[float, float]
    dark: Floats
    foot: tuple[float, float]


@lru_cache(maxsize=4)
def _meshes(curl: float) -> dict[str, Mesh]:
    return {name: part.mesh for name, part in hand_parts(curl).items()}


def draw(view: View, light: Light, hand: Hand) -> Sprite:
    """Draw a hand in this light, over the middle of the tray."""
    person = hand.person
    tip = np.array([0.0, 0.0, 1.2])
    rotation, position = pose((0.0, 0.0, 0.0), hand.heading, 0.05)
    corners: list[Points] = []
    normals: list[Points] = []
    colours: list[Points] = []
    for name, mesh in _meshes(hand.curl).items():
        placed = mesh.moved(rotation, position)
        assert placed.normals is not None
        corners.append((placed.vertices / EDGE_M * person.scale)[placed.faces] + tip)
        normals.append(placed.normals[placed.faces].mean(1))
        colours.append(_colours(name, mesh, person))
    triangles, normal, albedo = (np.concatenate(each) for each in (corners, normals, colours))
    shaded = _lit(triangles.mean(1), normal, albedo, light)
    flat, depth = view.project(triangles.reshape(-1, 3))
    flat, depth = flat.reshape(-1, 3, 2), depth.reshape(-1, 3)
    anchor = view.project(tip[None])[0][0]
    reach = 1.15 * float(np.hypot(view.width, view.height))
    seen = (depth.min(1) > 2) & (np.abs(flat - anchor).max((1, 2)) < reach)
    colour, opacity, corner = _painted(flat[seen], depth[seen].mean(1), shaded[seen])
    rows, columns = colour.shape[:2]
    marks = value_noise(np.random.default_rng(5), rows, columns, 60)
    colour *= (0.90 + 0.2 * marks)[..., None]
    dark, foot = _cast(view, light, triangles[seen], tip)
    return Sprite(tip, colour, opacity, (corner[0] - anchor[0], corner[1] - anchor[1]), dark, foot)


def _colours(name: str, mesh: Mesh, person: Person) -> Points:
    """The reflectance of each triangle, (n, 3)."""
    skin = np.array(person.skin)
    if name == "skin" and mesh.colors is not None:
        tone = mesh.colors[:, ::-1] / np.array([0.13, 0.20, 0.38])  # as it varies over the rendered hand
        return np.asarray((tone * skin)[mesh.faces].mean(1))
    cloth = skin if person.sleeve is None else np.array(person.sleeve)
    along = mesh.vertices[mesh.faces][:, :, 0].mean(1)
    folds = 1 + 0.12 * np.sin(along * 95) if person.sleeve is not None else np.ones(len(along))
    return np.asarray(folds[:, None] * cloth)


def _lit(at: Points, normal: Points, albedo: Points, light: Light) -> Points:
    towards = light.at - at
    towards /= np.linalg.norm(towards, axis=1, keepdims=True)
    facing = np.maximum((normal * towards).sum(1, keepdims=True), 0)
    sky = 0.6 + 0.4 * normal[:, 2:]
    return np.asarray(albedo * (light.strength * facing + light.ambient * sky))


def _painted(flat: Points, depth: Points, colours: Points) -> tuple[Floats, Floats, tuple[float, float]]:
    """Triangles (n, 3, 2) pixels, painted from far to near with edges smoothed; and where their picture begins."""
    scale = 2
    low = np.floor(flat.min((0, 1))) - 2
    wide, high = (np.ceil(flat.max((0, 1))) + 2 - low).astype(int)
    canvas = np.zeros((high * scale, wide * scale, 4), np.float32)
    points = np.round((flat - low) * scale * 8).astype(np.int32)
    a, b, c = points[:, 0], points[:, 1], points[:, 2]
    facing = (b[:, 0] - a[:, 0]) * (c[:, 1] - a[:, 1]) - (b[:, 1] - a[:, 1]) * (c[:, 0] - a[:, 0]) < 0
    full = np.concatenate([colours, np.ones((len(colours), 1))], 1).tolist()
    for index in np.argsort(-depth)[facing[np.argsort(-depth)]].tolist():
        cv2.fillConvexPoly(canvas, points[index], full[index], cv2.LINE_8, 3)
    small = np.asarray(cv2.resize(canvas, (wide, high), interpolation=cv2.INTER_AREA), np.float32)
    small = np.asarray(cv2.GaussianBlur(small, (0, 0), 0.6), np.float32)
    return np.ascontiguousarray(small[..., :3]), small[..., 3:].copy(), (float(low[0]), float(low[1]))


def _cast(view: View, light: Light, triangles: Points, tip: Points) -> tuple[Floats, tuple[float, float]]:
    """The shadow of triangles (n, 3, 3) world on the table."""
    part = triangles[..., 2] / (light.at[2] - triangles[..., 2])
    floor = triangles[..., :2] + part[..., None] * (triangles[..., :2] - light.at[:2])
    floor = np.concatenate([floor, np.zeros((*floor.shape[:2], 1))], -1)
    flat = view.project(floor.reshape(-1, 3))[0].reshape(-1, 3, 2)
    below = view.project(np.array([[tip[0], tip[1], 0.0]]))[0][0]
    blur = view.die_px * (0.12 + 2.2 * light.reach / float(np.linalg.norm(light.at)))
    low = np.floor(np.maximum(flat.min((0, 1)), below - 2500)) - 3 * blur
    wide, high = (np.ceil(np.minimum(flat.max((0, 1)), below + 2500)) + 3 * blur - low).astype(int)
    half = 2  # a soft shadow needs no more than half the pixels
    mask = np.zeros((high // half, wide // half), np.uint8)
    for each in np.round((flat - low) / half * 8).astype(np.int32):
        cv2.fillConvexPoly(mask, each, (255,), cv2.LINE_8, 3)
    soft = cv2.GaussianBlur(mask.astype(np.float32) / 255, (0, 0), blur / half)
    dark = cv2.resize(np.asarray(soft), (wide, high), interpolation=cv2.INTER_LINEAR)
    return np.asarray(dark, np.float32)[..., None], (float(low[0] - below[0]), float(low[1] - below[1]))


def lay(picture: Floats, view: View, light: Light, sprite: Sprite, ways: list[Points]) -> None:
    """Draw the hand and its shadow into a picture, in place; its tip at each of `ways` (3,) in turn: blurred."""
    lift = float(np.mean([way[2] for way in ways]))
    total = np.zeros_like(picture[..., :1])
    for way in ways:
        # What is higher casts its shadow further from where it is.
        offset = (lift - sprite.tip[2]) / (light.at[2] - lift) * (way[:2] - light.at[:2])
        below = view.project(np.array([[way[0] + offset[0], way[1] + offset[1], 0.0]]))[0][0]
        _add(total, sprite.dark, below + sprite.foot, 1 / len(ways))
    picture *= 1 - light.share * total
    colour, opacity = np.zeros_like(picture), np.zeros_like(total)
    for way in ways:
        at = view.project(way[None])[0][0] + sprite.corner
        _add(colour, sprite.colour, at, 1 / len(ways))
        _add(opacity, sprite.opacity, at, 1 / len(ways))
    picture *= 1 - opacity
    picture += colour


def _add(canvas: Floats, piece: Floats, at: Points, weight: float) -> None:
    """Add a piece at a place between pixels, in place."""
    x, y = int(np.floor(at[0])), int(np.floor(at[1]))
    x0, y0 = max(x, 0), max(y, 0)
    x1, y1 = min(x + piece.shape[1], canvas.shape[1]), min(y + piece.shape[0], canvas.shape[0])
    if x1 <= x0 or y1 <= y0:
        return
    part = piece[y0 - y : y1 - y, x0 - x : x1 - x]
    shift = np.array([[1, 0, at[0] - x], [0, 1, at[1] - y]], np.float32)
    moved = cv2.warpAffine(part, shift, (part.shape[1], part.shape[0]), borderMode=cv2.BORDER_REPLICATE)
    canvas[y0:y1, x0:x1] += weight * np.asarray(moved, np.float32).reshape(part.shape)
