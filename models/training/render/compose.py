"""One scene of the data factory from its number: what lies where, of which material, under which light. No renderer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from models.training.render import litter
from models.training.render.camera import project
from models.training.render.chances import pick
from models.training.render.dice import axes_of, face_corners, layout, upper_face
from models.training.render.dress import Dress, die_parts, facing, moved, outline, random_dress, unreadable
from models.training.render.grounds import ground
from models.training.render.lie import Lying, Room, apart, arrange, tilt_of
from models.training.render.lights import box_size, camera, light, pixels, tilt
from models.training.render.mesh import Points
from models.training.render.parts import Part
from models.training.render.pictures import pip_contrast
from models.training.render.scene import Camera, Color, Lamp

Light = NDArray[np.float32]

SEED = 4021
OVER = 0.0004  # metres above a face from which it is asked what the camera sees of it
READABLE = 0.40
"""Share of the upper face that may be hidden, as long as all its pips are seen."""
LEGIBLE = 0.07
"""Least contrast of the faintest pip in linear light's square root; under it nobody reads the die."""


class Blocked(Protocol):
    """From an eye (3,) and points (n, 3): whether something stands between them, (n,) bool, glass counted or not."""

    def __call__(self, eye: Points, points: Points, *, through_glass: bool = False) -> np.ndarray: ...


@dataclass(frozen=True)
class Posed:
    """A die of the scene: how it looks, how it lies, its parts in place."""

    dress: Dress
    lying: Lying
    parts: dict[str, Part]


@dataclass(frozen=True)
class Setting:
    """A whole scene; `words` are the names in `CHANCES` that were drawn."""

    number: int
    camera: Camera
    lamps: tuple[Lamp, ...]
    sky: Color
    parts: dict[str, Part]
    dice: tuple[Posed, ...]
    words: dict[str, str]


def compose(number: int, size: int) -> Setting:
    """Scene `number`, seen in a picture of (size, size); everything follows from the two."""
    random = np.random.default_rng([SEED, number])
    dresses = _dresses(random)
    words = {
        "tray": pick(random, "tray"),
        "ground": pick(random, "ground"),
        "framing": pick(random, "framing"),
    }
    side = dresses[0].shape.side if dresses else random.uniform(0.012, 0.022)
    lean = tilt(random)
    # A face seen from the side needs more pixels to be read.
    wanted = max(pixels(random, size), (18 + 14 * (lean / 60) ** 2) * size / 480)
    all_in = words["framing"] == "all dice"
    parts, room, low = ground(words["ground"], words["tray"], random)
    wide = min(_inner(room) - 0.75 * side, 9 * side)
    close = min(side * (0.2 + 0.75 * max(len(dresses), 1) ** 0.5), wide)
    half = 0.5 * size / wanted * 1.15 * side  # of the picture, metres
    reach = random.uniform(close, max(close, min(0.85 * half - side, wide)))
    dice, discs, words["lie"] = arrange(
        random, [each.shape for each in dresses], room, reach, pick(random, "lie")
    )
    order = _dressed(dresses, dice)
    targets = [die.corners() for die in dice] or [
        np.array([[x, y, 0.0] for x in (-side, side) for y in (-side, side)])
    ]
    eye = camera(random, targets, lean, wanted, size, all_in=all_in)
    posed = []
    for index, (dress, die) in enumerate(zip(order, dice, strict=True)):
        made = moved(
            die_parts(dress, box_size(project(eye, die.corners())), random), die.rotation, die.position
        )
        posed.append(Posed(dress, die, made))
        parts.update(litter.prefixed(made, f"die{index}"))
    taken = [die.footprint() for die in dice]
    for index, disc in enumerate(discs):
        coin = litter.placed(litter.disc_thing(disc, random), disc.x, disc.y, 0.0, random.uniform(0, 6.28))
        parts.update(litter.prefixed(coin.parts, f"rest{index}"))
        taken.append(coin.outline)
    words["things"] = _strew(random, parts, taken, room, low, eye, side)
    words["hand"] = pick(random, "hand")
    if words["hand"] != "none":
        parts.update(litter.prefixed(_hand(random, words["hand"], targets, eye), "hand"))
    lamps, sky, names = light(random, eye)
    return Setting(number, eye, lamps, sky, parts, tuple(posed), words | names)


def _dresses(random: np.random.Generator) -> list[Dress]:
    """The looks of all cubes of a scene: dice, and now and then some that are not to be read."""
    count = int(pick(random, "count"))
    first = random_dress(random)
    mixed = pick(random, "sets") == "mixed"
    dresses: list[Dress] = []
    for _ in range(count):
        if mixed and dresses:
            own = first.shape.side * float(random.choice([1.0, random.uniform(0.75, 1.3)]))
            dresses.append(random_dress(random, float(np.clip(own, 0.010, 0.025))))
        else:
            dresses.append(first)
    odd = pick(random, "odd cubes")
    if odd != "none":
        for _ in range(int(random.choice([1, 2, 3], p=[0.6, 0.25, 0.15]))):
            base = first if random.random() < 0.4 else random_dress(random, first.shape.side)
            dresses.append(unreadable(base, odd, random))
        random.shuffle(dresses)
    return dresses


def _dressed(dresses: list[Dress], dice: list[Lying]) -> list[Dress]:
    """The look of each die that found a place, told by its shape."""
    left = list(dresses)
    order = []
    for die in dice:
        index = next(i for i, each in enumerate(left) if each.shape is die.shape)
        order.append(left.pop(index))
    return order


def _inner(room: Room) -> float:
    return float(room.edges()[1].min())


def _strew(
    random: np.random.Generator,
    parts: dict[str, Part],
    taken: list[Points],
    room: Room,
    low: float,
    eye: Camera,
    side: float,
) -> str:
    """Things within view that stand on nothing else; adds to `parts` and `taken`, returns their names."""
    far = float(np.linalg.norm(np.array(eye.position) - np.array(eye.target)))
    half = far * np.tan(np.radians(eye.angle) / 2)
    rim = room.outline * (1 + 0.018 / _inner(room))
    names = []
    for index in range(int(pick(random, "things"))):
        kind = pick(random, "thing")
        made = litter.thing(kind, side, random)
        for _ in range(12):
            angle, away = random.uniform(0, 2 * np.pi), half * random.uniform(0.1, 1.25)
            x, y = np.array(eye.target[:2]) + away * np.array([np.cos(angle), np.sin(angle)])
            put = litter.placed(made, float(x), float(y), 0.0, random.uniform(0, 2 * np.pi))
            inside = room.holds(put.outline)
            if room.walled and not inside:
                if not apart(put.outline, rim):
                    continue
                put = litter.placed(put, 0.0, 0.0, low, 0.0)
            if all(apart(put.outline, each, 0.0002) for each in taken):
                parts.update(litter.prefixed(put.parts, f"thing{index}"))
                taken.append(put.outline)
                names.append(kind)
                break
    return " ".join(names)


def _hand(random: np.random.Generator, kind: str, dice: list[Points], eye: Camera) -> dict[str, Part]:
    """A hand that reaches in beside or over the dice."""
    places = np.concatenate(dice)
    spread = float(np.linalg.norm(places[:, :2] - places[:, :2].mean(axis=0), axis=1).max())
    heading = random.uniform(0, 2 * np.pi)
    away = spread + random.uniform(-0.01, 0.05)
    tip = places.mean(axis=0) - away * np.array([np.cos(heading), np.sin(heading), 0.0])
    return litter.hand(kind, (float(tip[0]), float(tip[1]), random.uniform(0.015, 0.06)), heading, random)


def truth(setting: Setting, blocked: Blocked, light: Light) -> dict[str, Any]:
    """What is true of a scene, of which `light` is the picture.

    Of each die: `value` of the upper face (0: not to be read), `state` flat, cocked or stacked, `kind` of its faces,
    `upper` the four corners of the upper face (of a cocked die the face nearest to it), `box` round the whole die
    whatever hides it, `size` the side of a square as large, `tilt` of the upper face in degrees, `occluded` and
    `covered`, the shares of the upper face and of the whole die that are hidden or beyond the picture's edge (what
    stands behind glass counts as hidden only for the face, which is then not to be read), and `contrast` of its
    faintest pip, 0 to 1. `pips` are the middles of the upper face's pips, `bare` places on it between them, where the
    picture shows all of them.
    """
    eye = np.array(setting.camera.position)
    off = eye - np.array(setting.camera.target)
    lean = float(np.degrees(np.arccos(off[2] / np.linalg.norm(off))))
    return {
        "number": setting.number,
        "width": setting.camera.width,
        "height": setting.camera.height,
        "tilt": round(lean, 1),
        "words": setting.words,
        "dice": [_die_truth(each, setting.camera, blocked, light) for each in setting.dice],
    }


def _die_truth(die: Posed, seen_by: Camera, blocked: Blocked, light: Light) -> dict[str, Any]:
    lying, shape = die.lying, die.lying.shape
    eye = np.array(seen_by.position)
    value, _ = upper_face(lying.rotation)
    normal, u, v = axes_of(value)

    def on_face(points: Points) -> Points:
        """(n, 2) sides from the middle of the upper face to places just above it in the world."""
        own = (shape.side / 2 + OVER) * normal + shape.side * (points[:, :1] * u + points[:, 1:] * v)
        return np.asarray(lying.position + own @ lying.rotation.T)

    def hidden(points: Points, through_glass: bool = False) -> np.ndarray:
        """Which of (n, 3) points the picture does not show."""
        at = project(seen_by, points)
        beyond = (at < 0).any(axis=1) | (at[:, 0] > seen_by.width) | (at[:, 1] > seen_by.height)
        return np.asarray(beyond | blocked(eye, points, through_glass=through_glass))

    line = np.linspace(-0.40, 0.40, 9)
    grid = np.stack(np.meshgrid(line, line), -1).reshape(-1, 2)
    pips = np.array(layout(value, shape.slant, shape.narrow)) * shape.spread
    away = bool((lying.rotation @ normal) @ (eye - lying.position) <= 0)
    occluded = 1.0 if away else float(hidden(on_face(grid)).mean())
    read, contrast = False, 0.0
    ink = bare = np.empty((0, 2))
    if die.dress.kind == "pips" and occluded < READABLE and not hidden(on_face(pips)).any():
        gaps = np.linalg.norm(grid[:, None] - pips, axis=-1).min(axis=1)
        radius = shape.big_one if value == 1 else shape.pip
        ink = project(seen_by, on_face(pips))
        bare = project(seen_by, on_face(grid[gaps > 1.35 * radius][::2]))
        contrast = pip_contrast(np.sqrt(np.maximum(light, 0)), ink, bare, relative=True)
        read = contrast > LEGIBLE
    turned = facing(die.parts["body"].mesh, eye)
    turned = turned[:: max(1, len(turned) // 160)]
    # Just outside the body, so that it does not hide itself.
    outside = lying.position + (turned - lying.position) * (1 + 2 * OVER / shape.side)
    box_points = project(seen_by, outline(die.parts))
    corners = lying.position + face_corners(value, shape.side) @ lying.rotation.T
    return {
        "value": value if read else 0,
        "state": lying.state,
        "kind": die.dress.kind,
        "material": die.dress.material,
        "upper": project(seen_by, corners).round(2).tolist(),
        "box": [round(float(each), 2) for each in (*box_points.min(axis=0), *box_points.max(axis=0))],
        "size": round(box_size(box_points), 2),
        "tilt": round(tilt_of(lying), 1),
        "occluded": round(occluded, 3),
        "covered": round(float(hidden(outside, True).mean()), 3),
        "contrast": round(contrast, 3),
        "pips": ink.round(1).tolist(),
        "bare": bare.round(1).tolist(),
    }
