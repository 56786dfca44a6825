"""How dice lie: flat and apart, flush against each other, leaning on a wall, a coin or another die, one on another.

Poses are placed so that bodies touch without entering each other; each of the 24 ways to turn a cube has the same
chance in all of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from models.training.render.chances import pick
from models.training.render.dice import DieShape, cube_rotations
from models.training.render.mesh import Points

LEAN = (12.0, 40.0)
"""Degrees by which a cocked die's upper face is tilted."""
GAP = 0.0001  # metres between bodies that touch
_WAYS = cube_rotations()


@dataclass(frozen=True)
class Lying:
    """One die at rest: middle, body to world, and `state`: flat, cocked, stacked (on another die)."""

    shape: DieShape
    position: Points
    rotation: Points
    state: str = "flat"

    def footprint(self) -> Points:
        """(n, 2) convex outline on the ground."""
        return hull(self.corners()[:, :2])

    def corners(self) -> Points:
        """(8, 3) corners as if sharp."""
        half = self.shape.side / 2
        signs = np.array([(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], float)
        return np.asarray(self.position + half * signs @ self.rotation.T)

    def reach(self, direction: Points) -> float:
        """How far the rounded body reaches from its middle in a direction of length 1."""
        half, radius = self.shape.side / 2, self.shape.round * self.shape.side
        along = float(np.abs(self.rotation.T @ direction).sum())
        return min((half - radius) * along + radius, self.shape.ball * self.shape.side)

    def at(self, position: Sequence[float] | Points) -> Lying:
        """The same elsewhere."""
        return Lying(self.shape, np.asarray(position, float), self.rotation, self.state)


@dataclass(frozen=True)
class Disc:
    """Something round and flat that a die leans on: middle on the ground, radius, thickness; metres."""

    x: float
    y: float
    radius: float
    height: float

    def footprint(self) -> Points:
        """(n, 2) outline."""
        return circle(self.x, self.y, self.radius)


@dataclass(frozen=True)
class Room:
    """Where dice may lie: a convex polygon, (n, 2) counter-clockwise about the origin; `walled` where walls stand."""

    outline: Points
    walled: bool

    def edges(self) -> tuple[Points, Points]:
        """Outward normals (n, 2) and distances (n,) of the sides from the origin."""
        step = np.roll(self.outline, -1, axis=0) - self.outline
        normals = np.stack([step[:, 1], -step[:, 0]], -1) / np.linalg.norm(step, axis=1, keepdims=True)
        return normals, (normals * self.outline).sum(axis=1)

    def holds(self, points: Points, margin: float = 0.0005) -> bool:
        """Whether all (n, 2) points are inside."""
        normals, away = self.edges()
        return bool((points @ normals.T <= away - margin).all())


def hull(points: Points) -> Points:
    """Convex outline of (n, 2) points."""
    return np.asarray(cv2.convexHull(points.astype(np.float32) * 1000)[:, 0], float) / 1000


def circle(x: float, y: float, radius: float, sides: int = 16) -> Points:
    """A circle's outline, (sides, 2)."""
    angle = 2 * np.pi * np.arange(sides) / sides
    return np.stack([x + radius * np.cos(angle), y + radius * np.sin(angle)], -1)


def apart(one: Points, other: Points, gap: float = 0.0) -> bool:
    """Whether two convex outlines lie at least `gap` apart (by the sides' directions)."""
    for outline in (one, other):
        step = np.roll(outline, -1, axis=0) - outline
        normals = np.stack([step[:, 1], -step[:, 0]], -1)
        normals /= np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-12)
        a, b = one @ normals.T, other @ normals.T
        if (np.maximum(b.min(0) - a.max(0), a.min(0) - b.max(0)) >= gap).any():
            return True
    return False


def touching(one: Lying, other: Lying, gap: float = 0.0) -> bool:
    """Whether two bodies touch or overlap: no direction of a face or of two edges' cross product parts them."""
    axes = [*one.rotation.T, *other.rotation.T, other.position - one.position]
    axes += [np.cross(a, b) for a in one.rotation.T for b in other.rotation.T]
    between = other.position - one.position
    for axis in axes:
        length = float(np.linalg.norm(axis))
        if length < 1e-6:
            continue
        unit = axis / length
        if abs(float(between @ unit)) > one.reach(unit) + other.reach(unit) + gap:
            return False
    return True


def _spun(yaw: float) -> Points:
    c, s = np.cos(yaw), np.sin(yaw)
    return np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])


def _flat(
    shape: DieShape, x: float, y: float, yaw: float, random: np.random.Generator, base: float = 0.0
) -> Lying:
    turn = _spun(yaw) @ _WAYS[int(random.integers(24))]
    return Lying(shape, np.array([x, y, base + shape.side / 2]), turn)


def _tilted(shape: DieShape, yaw: float, lean: float, twist: float, random: np.random.Generator) -> Lying:
    """On its lower edge at the origin, the side in direction `yaw` raised by `lean`; `twist` puts it on a corner."""
    c, s = np.cos(-lean), np.sin(-lean)
    raised = np.array([[c, 0.0, s], [0.0, 1.0, 0.0], [-s, 0.0, c]])
    c, s = np.cos(twist), np.sin(twist)
    rolled = np.array([[1.0, 0.0, 0.0], [0.0, c, -s], [0.0, s, c]])
    die = Lying(shape, np.zeros(3), _spun(yaw) @ raised @ rolled @ _WAYS[int(random.integers(24))], "cocked")
    return die.at([0.0, 0.0, die.reach(np.array([0.0, 0.0, -1.0]))])


def tilt_of(die: Lying) -> float:
    """Degrees between the upper face's normal and straight up."""
    return float(np.degrees(np.arccos(min(1.0, float(np.abs(die.rotation[2]).max())))))


def arrange(
    random: np.random.Generator, shapes: Sequence[DieShape], room: Room, spread: float, how: str
) -> tuple[list[Lying], list[Disc], str]:
    """Dice of the given shapes within about `spread` metres of a place in the room.

    Returns the dice, in the order of their shapes (some may not find a place), what they lean on, and how they lie in
    the end: `apart`, `touching`, `cocked` or `stacked`; a
    wish that does not fit ends as `apart`.
    """
    dice: list[Lying] = []
    discs: list[Disc] = []
    if not shapes:
        return dice, discs, "apart"
    place = _somewhere(random, room, spread)
    if how == "cocked":
        dice, discs = _cocked(random, shapes, room, place)
        if dice and random.random() < 0.3 and len(shapes) > len(dice):  # and a second one
            place = place + random.uniform(-spread, spread, 2)
            more, under = _cocked(random, shapes[len(dice) :], room, place)
            if all(_fits(each, room, dice, discs) for each in more) and _free(under, dice, discs):
                dice, discs = dice + more, discs + under
    elif how == "stacked" and len(shapes) > 1:
        dice = _stack(random, shapes, room, place)
    elif how == "touching" and len(shapes) > 1:
        dice = _flush(random, shapes, room, place)
    got = how if dice else "apart"
    if dice:
        place = np.mean([die.position[:2] for die in dice], axis=0)
    for shape in shapes[len(dice) :]:
        for _ in range(40):
            angle, away = random.uniform(0, 2 * np.pi), spread * np.sqrt(random.uniform())
            x, y = place + away * np.array([np.cos(angle), np.sin(angle)])
            die = _flat(shape, float(x), float(y), random.uniform(0, 2 * np.pi), random)
            if _fits(die, room, dice, discs):
                dice.append(die)
                break
    return dice, discs, got


def _cocked(
    random: np.random.Generator, shapes: Sequence[DieShape], room: Room, place: Points
) -> tuple[list[Lying], list[Disc]]:
    on = pick(random, "leaning on")
    if on == "die" and len(shapes) > 1:
        return _on_die(random, shapes, room, place), []
    if on == "wall" and room.walled:
        return _on_wall(random, shapes[0], room, place), []
    return _on_coin(random, shapes[0], room, place)


def _free(under: Sequence[Disc], dice: Sequence[Lying], discs: Sequence[Disc]) -> bool:
    others = [die.footprint() for die in dice] + [disc.footprint() for disc in discs]
    return all(apart(disc.footprint(), other, GAP) for disc in under for other in others)


def _fits(die: Lying, room: Room, dice: Sequence[Lying], discs: Sequence[Disc]) -> bool:
    foot = die.footprint()
    others = [other.footprint() for other in dice] + [disc.footprint() for disc in discs]
    return room.holds(foot) and all(apart(foot, other, GAP) for other in others)


def _somewhere(random: np.random.Generator, room: Room, spread: float) -> Points:
    """A place with `spread` round it in the room, or its middle."""
    for _ in range(30):
        place = random.uniform(room.outline.min(axis=0), room.outline.max(axis=0))
        if room.holds(circle(float(place[0]), float(place[1]), spread)):
            return np.asarray(place)
    return np.zeros(2)


def _flush(random: np.random.Generator, shapes: Sequence[DieShape], room: Room, place: Points) -> list[Lying]:
    """Two or more dice face to face, now and then slid along each other or only corner to face."""
    for _ in range(20):
        yaw = random.uniform(0, 2 * np.pi)
        dice = [_flat(shapes[0], float(place[0]), float(place[1]), yaw, random)]
        wanted = min(len(shapes), int(random.choice([2, 3, 4, 5], p=[0.5, 0.33, 0.1, 0.07])))
        for shape in shapes[1:wanted]:
            other = dice[int(random.integers(len(dice)))]
            way = yaw + np.pi / 2 * int(random.integers(4))
            ahead, beside = np.array([np.cos(way), np.sin(way)]), np.array([-np.sin(way), np.cos(way)])
            slide = (
                float(random.choice([0.0, random.normal(0, 0.03), random.uniform(-0.7, 0.7)])) * shape.side
            )
            if random.random() < 0.72:
                own = yaw + random.normal(0, 0.01)
                gap = float(random.choice([GAP, abs(random.normal(0, 0.0004))]))
                away = other.shape.side / 2 + shape.side / 2 + gap + 0.5 * abs(own - yaw) * shape.side
            else:
                own = yaw + random.uniform(0.1, 1.4)
                away = (
                    other.shape.side / 2
                    + shape.side / 2 * (abs(np.cos(own - way)) + abs(np.sin(own - way)))
                    + GAP
                )
            x, y = other.position[:2] + away * ahead + slide * beside
            die = _flat(shape, float(x), float(y), own, random)
            if not all(apart(die.footprint(), each.footprint()) for each in dice):
                break  # the others find a place of their own
            dice.append(die)
        if len(dice) > 1 and all(room.holds(die.footprint()) for die in dice):
            return dice
    return []


def _lean(random: np.random.Generator) -> tuple[float, float]:
    """How far a die leans and how far it is twisted onto a corner, radians."""
    twist = random.normal(0, 0.12) if random.random() < 0.35 else 0.0
    return float(np.radians(random.uniform(*LEAN))), twist


def _leaning(die: Lying) -> bool:
    return LEAN[0] <= tilt_of(die) <= LEAN[1]


def _on_wall(random: np.random.Generator, shape: DieShape, room: Room, place: Points) -> list[Lying]:
    """A die pushed towards the wall with its raised side until it touches."""
    for _ in range(20):
        normals, away = room.edges()
        angle = float(np.arctan2(place[1], place[0]) + random.normal(0, 0.8))
        side = int(np.argmax((normals @ [np.cos(angle), np.sin(angle)]) / away))
        lean, twist = _lean(random)
        yaw = float(
            np.arctan2(normals[side, 1], normals[side, 0])
            + random.normal(0, 0.12)
            + np.pi * (random.random() < 0.3)
        )
        die = _tilted(shape, yaw, lean, twist, random)
        along = np.array([-normals[side, 1], normals[side, 0]]) * random.uniform(-0.4, 0.4) * shape.side
        near, far = 0.0, float(away[side])
        start = along if len(normals) > 12 else along * min(20.0, 0.5 * far / shape.side)
        for _ in range(24):  # the furthest place at which no part of the body is in a wall
            middle = (near + far) / 2
            spot = start + middle * normals[side]
            reaches = np.array([die.reach(np.array([*n, 0.0])) for n in normals])
            if (normals @ spot + reaches <= away - GAP).all():
                near = middle
            else:
                far = middle
        spot = start + near * normals[side]
        die = die.at([float(spot[0]), float(spot[1]), float(die.position[2])])
        if _leaning(die) and near > 0:
            return [die]
    return []


def _on_coin(
    random: np.random.Generator, shape: DieShape, room: Room, place: Points
) -> tuple[list[Lying], list[Disc]]:
    """A die whose bottom lies on the rim of a coin, a chip or two."""
    for _ in range(60):
        height = float(random.choice([0.0020, 0.0024, 0.0033, 0.0050, 0.0066, 0.0080]))
        # From the edge on the ground to the rim, along the bottom; never on a rounded edge.
        along = random.uniform(0.42, max(0.45, 0.92 - shape.round)) * shape.side
        if height >= along or not LEAN[0] < np.degrees(np.arcsin(height / along)) < LEAN[1]:
            continue
        lean = float(np.arcsin(height / along))
        yaw = random.uniform(0, 2 * np.pi)
        die = _tilted(shape, yaw, lean, 0.0, random).at([*place, 0.0])
        die = die.at([*place, die.reach(np.array([0.0, 0.0, -1.0]))])
        ahead = np.array([np.cos(yaw), np.sin(yaw)])
        # Where the plane of the bottom meets the plane of the coin's top; its normal leans back by `lean`.
        bottom = np.array([*(np.sin(lean) * ahead), -np.cos(lean)])
        rest = shape.side / 2 + GAP - bottom[2] * (height - die.position[2])
        rim = rest / np.sin(lean)
        radius = 0.0195 if height in (0.0033, 0.0066) else random.uniform(0.009, 0.014)
        beside = np.array([-ahead[1], ahead[0]]) * random.uniform(-0.25, 0.25) * shape.side
        x, y = place + (rim + radius) * ahead + beside
        disc = Disc(float(x), float(y), radius, height)
        if room.holds(disc.footprint()) and room.holds(die.footprint()):
            return [die], [disc]
    return [], []


def _on_die(
    random: np.random.Generator, shapes: Sequence[DieShape], room: Room, place: Points
) -> list[Lying]:
    """A die between one or two flat ones, its raised side against one of them."""
    for _ in range(20):
        lean, twist = _lean(random)
        yaw = random.uniform(0, 2 * np.pi)
        die = _tilted(shapes[0], yaw, lean, twist, random)
        die = die.at([*place, float(die.position[2])])
        dice = [die]
        ahead = np.array([np.cos(yaw), np.sin(yaw), 0.0])
        beside = np.array([-ahead[1], ahead[0], 0.0])
        ways = [1.0] if len(shapes) < 3 or random.random() < 0.6 else [1.0, -1.0]
        for way, shape in zip(ways, shapes[1:], strict=False):
            turn = yaw + (random.normal(0, 0.08) if random.random() < 0.6 else random.uniform(0, 1.57))
            slide = random.uniform(-0.5, 0.5) * shape.side
            start = np.array([*place, shape.side / 2]) + slide * beside
            other = _flat(shape, 0.0, 0.0, turn, random)
            near, far = 0.0, 3 * (shape.side + shapes[0].side)
            for _ in range(24):
                middle = (near + far) / 2
                if touching(die, other.at(start + way * middle * ahead), GAP / 2):
                    near = middle
                else:
                    far = middle
            dice.append(other.at(start + way * far * ahead))
        flat = dice[1:]
        clear = len(flat) < 2 or not touching(flat[0], flat[1], GAP)
        if _leaning(die) and clear and all(room.holds(each.footprint()) for each in dice):
            return dice
    return []


def _stack(random: np.random.Generator, shapes: Sequence[DieShape], room: Room, place: Points) -> list[Lying]:
    """One die on another, or across two that stand flush."""
    for _ in range(20):
        yaw = random.uniform(0, 2 * np.pi)
        low = [_flat(shapes[0], float(place[0]), float(place[1]), yaw, random)]
        spot = place
        if len(shapes) > 2 and shapes[1].side == shapes[0].side and random.random() < 0.35:
            ahead = np.array([np.cos(yaw), np.sin(yaw)]) * (shapes[0].side + GAP)
            low.append(_flat(shapes[1], float(place[0] + ahead[0]), float(place[1] + ahead[1]), yaw, random))
            spot = place + ahead / 2
        # On top the middle stays over the die below.
        shift = random.uniform(-0.32, 0.32, 2) * shapes[0].side
        turn = yaw + (random.normal(0, 0.06) if random.random() < 0.4 else random.uniform(0, 1.57))
        upper = _flat(
            shapes[len(low)],
            float(spot[0] + shift[0]),
            float(spot[1] + shift[1]),
            turn,
            random,
            base=shapes[0].side + GAP,
        )
        upper = Lying(upper.shape, upper.position, upper.rotation, "stacked")
        if all(room.holds(die.footprint()) for die in (*low, upper)):
            return [*low, upper]
    return []
