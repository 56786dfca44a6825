"""Whole training pictures with their dice: painted ones, and cuts of real photos."""

from __future__ import annotations

import numpy as np

from models.training import surroundings
from models.training.degrade import degrade
from models.training.looks import TURNABLE, Look, View, random_look, random_view, unreadable
from models.training.paint import FLAT, Image, leaning, paint_die, paint_shadow
from models.training.photos import COCKED, Die, Photo, cut

NEARLY_FLAT = 0.1
"""A die that leans by less than this (radians) is read like one that lies flat."""
RINGED = 0.1
"""Share of scenes in which a die lies within a ring: a plate, the foot of a glass, a coaster, a lid."""
LEANING = (0.24, 0.8)
"""A cocked die leans by so much, radians. Nothing in between is painted: people would not agree on it either."""


def _ground(view: View) -> np.ndarray:
    """Table coordinates (x right, y away) to picture directions (x right, y down); (2, 2)."""
    c, s = np.cos(view.roll), np.sin(view.roll)
    return np.array([[c, -s], [s, c]]) @ np.array([[1, 0], [0, -np.cos(view.tilt)]])


def _places(
    rng: np.random.Generator, count: int, half: float, size: int, view: View
) -> list[tuple[float, float, float]]:
    """Middles (pixels) and turns of dice that do not overlap on the table; often touching."""
    ground = _ground(view)
    back = np.linalg.inv(ground)
    placed: list[tuple[np.ndarray, float]] = []
    clump = rng.random() < 0.35
    tries = 0
    while len(placed) < count and tries < 40 + count * 10:
        tries += 1
        yaw = float(rng.uniform(0, 2 * np.pi))
        if placed and clump and rng.random() < 0.7:
            other, other_yaw = placed[int(rng.integers(len(placed)))]
            if rng.random() < 0.5:
                yaw = other_yaw + float(rng.normal(0, 0.05))
                direction = other_yaw + np.pi / 2 * rng.integers(4)
                gap = half * 2 * rng.uniform(1.0, 1.12)
            else:
                direction = rng.uniform(0, 2 * np.pi)
                gap = half * 2 * rng.uniform(1.05, 1.5)
            at = other + gap * np.array([np.cos(direction), np.sin(direction)])
            at = at + rng.normal(0, 0.05, 2) * half
        else:
            at = back @ (rng.uniform(-0.05, 1.05, 2) * size - size / 2)
        if any(_overlap(at, yaw, spot, turn, half) for spot, turn in placed):
            continue
        placed.append((at, yaw))
    # The farther die is painted first.
    placed.sort(key=lambda item: -item[0][1])
    spots = [ground @ at + size / 2 for at, _ in placed]
    return [(float(spot[0]), float(spot[1]), yaw) for spot, (_, yaw) in zip(spots, placed, strict=True)]


def _overlap(a: np.ndarray, yaw_a: float, b: np.ndarray, yaw_b: float, half: float) -> bool:
    """Whether two squares on the table overlap, by the separating axes of both."""
    delta = b - a
    if float(np.hypot(*delta)) > half * 2 * 1.45:
        return False
    for yaw, other in ((yaw_a, yaw_b), (yaw_b, yaw_a)):
        turn = other - yaw
        reach = half * (1 + abs(np.cos(turn)) + abs(np.sin(turn))) * 0.98
        for angle in (yaw, yaw + np.pi / 2):
            if abs(delta @ np.array([np.cos(angle), np.sin(angle)])) > reach:
                return False
    return True


def painted_scene(
    rng: np.random.Generator, size: int, half: tuple[float, float], ground: Image | None = None
) -> tuple[Image, list[Die]]:
    """A painted picture (size, size, 3) and its dice. `half` bounds half a side in pixels; `ground` may be a photo's
    piece without dice that serves as the table."""
    view = random_view(rng)
    radius = float(np.exp(rng.uniform(np.log(half[0]), np.log(half[1]))))
    canvas = surroundings.surface(rng, size) if ground is None else ground.astype(np.float32)
    if ground is None and rng.random() < 0.35:
        surroundings.tray(canvas, rng)
    for _ in range(int(rng.choice([0, 1, 2, 4], p=[0.45, 0.25, 0.2, 0.1]))):
        surroundings.thing(canvas, rng, radius)
    within = (float(size / 2), float(size / 2))
    if ringed := rng.random() < RINGED:
        within = tuple(float(v) for v in rng.uniform(0.25, 0.75, 2) * size)
        reach = surroundings.ring(canvas, rng, within, radius)
    room = max(1.0, (size / (2 * radius)) ** 2 * 0.35)
    count = int(
        min(
            room,
            rng.choice([0, 1, 2, 3, 4, 5, 6, 9, 14], p=[0.05, 0.1, 0.13, 0.2, 0.12, 0.12, 0.12, 0.1, 0.06]),
        )
    )
    looks: list[Look] = [random_look(rng) for _ in range(1 if rng.random() < 0.5 else 3)]
    odd = rng.random() < 0.25
    leans = rng.random() < 0.16
    sizes = 1.0 if rng.random() < 0.6 else 0.2
    dice: list[Die] = []
    places = _places(rng, count, radius, size, view)
    if ringed and places:
        # One lies within; those that would cross the rim are left out.
        shift = np.array(within) + rng.normal(0, 0.12, 2) * max(reach - radius, 0.0)
        own = (*(float(v) for v in shift), places[0][2])
        away = reach + 2.2 * radius
        places = [own, *(p for p in places[1:] if np.hypot(p[0] - within[0], p[1] - within[1]) > away)]
    for x, y, yaw in places:
        look = looks[int(rng.integers(len(looks)))]
        if odd and rng.random() < 0.5:
            look = unreadable(look, rng)
        own = radius * (1 if sizes == 1.0 else float(rng.uniform(0.8, 1.0)))
        lean, cocked = FLAT, leans and rng.random() < 0.5
        if cocked or rng.random() < 0.15:
            angle = rng.uniform(*LEANING) if cocked else rng.uniform(0, NEARLY_FLAT)
            lean = leaning(float(rng.uniform(0, 2 * np.pi)), float(angle))
        paint_shadow(canvas, (x, y), own, view, yaw, lean)
        painted = paint_die(canvas, (x, y), own, yaw, int(rng.integers(1, 7)), look, view, rng, lean)
        value = COCKED if cocked and painted.value else painted.value
        x0, y0, x1, y1 = painted.box
        across = float(np.sqrt((x1 - x0) * (y1 - y0)))
        dice.append(Die(value, (x0 + x1) / 2, (y0 + y1) / 2, across, turnable=view.tilt < TURNABLE))
    surroundings.lamp(canvas, rng)
    return degrade(canvas, rng), dice


def photo_scene(
    rng: np.random.Generator, photo: Photo, size: int, die_size: tuple[float, float]
) -> tuple[Image, list[Die]]:
    """A turned and scaled cut of a real photo, (size, size, 3), with the dice whose middle lies near or in it."""
    middle = float(np.median([die.size for die in photo.dice])) if photo.dice else 60.0
    target = float(np.exp(rng.uniform(np.log(die_size[0]), np.log(die_size[1]))))
    scale = target / middle
    if rng.random() < 0.85:  # seldom more border than picture
        scale = max(scale, 0.75 * size / max(photo.image.shape[:2]))
        target = scale * middle
    turn = rng.random()
    angle = float(rng.uniform(0, 2 * np.pi)) if turn < 0.5 else float(np.pi / 2 * rng.integers(4))
    if photo.dice and rng.random() < 0.85:
        die = photo.dice[int(rng.integers(len(photo.dice)))]
        shift = rng.uniform(-0.45, 0.45, 2) * size / scale
        centre = (die.x + float(shift[0]), die.y + float(shift[1]))
        room = [
            max(0.0, extent / 2 - 0.45 * size / scale)
            for extent in (photo.image.shape[1], photo.image.shape[0])
        ]
        middle_x, middle_y = photo.image.shape[1] / 2, photo.image.shape[0] / 2
        centre = (
            float(np.clip(centre[0], middle_x - room[0], middle_x + room[0])),
            float(np.clip(centre[1], middle_y - room[1], middle_y + room[1])),
        )
    else:
        centre = (float(rng.uniform(0, photo.image.shape[1])), float(rng.uniform(0, photo.image.shape[0])))
    fill = tuple(
        float(v) for v in (rng.uniform(0, 255, 3) if rng.random() < 0.5 else photo.levels[-1].mean((0, 1)))
    )
    image, matrix = cut(photo, centre, scale, angle, size, fill)  # type: ignore[arg-type]
    dice = []
    for die in photo.dice:
        x, y = matrix[:, :2] @ np.array([die.x, die.y]) + matrix[:, 2]
        if -0.5 * target < x < size + 0.5 * target and -0.5 * target < y < size + 0.5 * target:
            dice.append(Die(die.value, float(x), float(y), die.size * scale, die.exact))
    if rng.random() < 0.5:
        image = np.ascontiguousarray(image[:, ::-1])
        dice = [Die(die.value, size - die.x, die.y, die.size, die.exact) for die in dice]
    return degrade(image, rng, 0.8), dice


def bare_ground(rng: np.random.Generator, photo: Photo, size: int) -> Image | None:
    """A piece of a real photo without any die, (size, size, 3), or None when twelve tries found none."""
    for _ in range(12):
        scale = float(np.exp(rng.uniform(np.log(0.4), np.log(3.0))))
        centre = rng.uniform(0, 1, 2) * (photo.image.shape[1], photo.image.shape[0])
        reach = size / scale * 0.75
        if all(
            abs(die.x - centre[0]) > reach + die.size or abs(die.y - centre[1]) > reach + die.size
            for die in photo.dice
        ):
            image, _ = cut(photo, (float(centre[0]), float(centre[1])), scale, float(rng.uniform(0, 6.3)), size,
                           tuple(float(v) for v in photo.levels[-1].mean((0, 1))))  # type: ignore[arg-type]  # fmt: skip
            return image
    return None


def pasted_scene(rng: np.random.Generator, photos: list[Photo], size: int) -> tuple[Image, list[Die]]:
    """Small pictures of one die each, laid side by side or scattered on a painted table, (size, size, 3)."""
    canvas = surroundings.surface(rng, size)
    side = float(np.exp(rng.uniform(np.log(24), np.log(100))))
    step = side * (1.0 if rng.random() < 0.5 else float(rng.uniform(1.05, 2.0)))
    cells = [(i, j) for i in range(int(size / step)) for j in range(int(size / step))]
    rng.shuffle(cells)
    dice = []
    start = rng.uniform(0, max(1.0, size - int(size / step) * step), 2)
    for i, j in cells[: int(rng.integers(1, 9))]:
        photo = photos[int(rng.integers(len(photos)))]
        die = photo.dice[0]
        whole = max(photo.image.shape[:2])
        scale = side / whole
        tile, _ = cut(photo, (photo.image.shape[1] / 2, photo.image.shape[0] / 2), scale,
                      float(np.pi / 2 * rng.integers(4)), round(side), tuple(float(v) for v in canvas.mean((0, 1))))  # type: ignore[arg-type]  # fmt: skip
        x, y = int(start[0] + i * step), int(start[1] + j * step)
        part = canvas[y : y + tile.shape[0], x : x + tile.shape[1]]
        part[:] = tile[: part.shape[0], : part.shape[1]]
        dice.append(Die(die.value, x + side / 2, y + side / 2, die.size * scale))
    surroundings.lamp(canvas, rng)
    return degrade(canvas, rng, 0.8), dice
