"""Drawn films of a table for `benchmarks.drift`: people, dice, lamps, cameras, and a camera that is bumped."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import cv2
import numpy as np

from models.training import surroundings

LOOKS = 48
BUMP = 20
CANVAS = 1.6  # widths of the picture: side of the table that is drawn

Picture = np.ndarray


@dataclass(frozen=True)
class Lamp:
    """Light on a table: from where, how strong, how coloured, how much of a shadow."""

    side: float
    level: float
    slope: float
    tint: tuple[float, float, float]
    shadow: float
    length: float


def lamp(rng: np.random.Generator, like: Lamp | None = None, one_sided: bool = False) -> Lamp:
    """A lamp at random; `like`: the same one, brighter or darker or of another colour."""
    tint = np.exp(rng.normal(0, 0.1, 3))
    level = float(np.exp(rng.normal(0, 0.35)))
    if like is not None and not one_sided:
        return Lamp(like.side, float(np.clip(like.level * level, 0.3, 1.8)), like.slope, tuple(tint.tolist()),
                    like.shadow, like.length)  # fmt: skip
    slope = float(rng.uniform(0.4, 1.0) if one_sided else rng.uniform(0, 0.4))
    return Lamp(float(rng.uniform(0, 2 * np.pi)), float(np.clip(level, 0.4, 1.5)), slope, tuple(tint.tolist()),
                float(rng.uniform(0.1, 0.6)), float(rng.uniform(0.004, 0.022)))  # fmt: skip


@dataclass
class Table:
    """A table from above on a canvas, its tray, and what stands up and throws a shadow."""

    albedo: Picture
    outline: np.ndarray
    height: Picture
    walls: Picture
    lit: dict[Lamp, Picture] = field(default_factory=dict)

    def under(self, light: Lamp) -> Picture:
        """The canvas in this light, uint8."""
        if light not in self.lit:
            h, w = self.height.shape
            y, x = np.mgrid[0:h, 0:w].astype(np.float32)
            towards = (np.cos(light.side), np.sin(light.side))
            across = ((x / w - 0.5) * towards[0] + (y / h - 0.5) * towards[1]) * light.slope
            length = light.length * w
            shift = np.array([(1, 0, -towards[0] * length), (0, 1, -towards[1] * length)], np.float32)
            cast = cv2.warpAffine(self.height, shift, (w, h))
            cast = cv2.GaussianBlur(np.maximum(0, cast - self.height), (0, 0), 0.001 * w + length / 4)
            wall = self.walls[..., 0] * towards[0] + self.walls[..., 1] * towards[1]
            field_ = light.level * (1 + across) * (1 - light.shadow * cast) * (1 + 0.6 * light.slope * wall)
            colour = self.albedo * field_[..., None] * np.array(light.tint, np.float32)
            # A film's shoulder: bright parts are pressed together, not cut.
            self.lit = {light: np.clip(255 * np.tanh(colour / 230), 0, 255).astype(np.uint8)}
        return self.lit[light]


def table(rng: np.random.Generator, size: int, rendered: list[Picture]) -> Table:
    """A table at random, `size` pixels square."""
    if rendered and rng.random() < 0.4:
        picture = rendered[int(rng.integers(len(rendered)))]
        canvas = cv2.resize(picture, (size, size), interpolation=cv2.INTER_CUBIC).astype(np.float32)
        canvas = np.clip(canvas, 0, 255)
        outline = size * (0.5 + 0.2 * _ring(24))
        return Table(
            canvas, outline, np.zeros((size, size), np.float32), np.zeros((size, size, 2), np.float32)
        )
    canvas = surroundings.surface(rng, size).astype(np.float32)
    if rng.random() < 0.35:  # a plain top, as most are
        canvas[:] = canvas.mean(axis=(0, 1)) + rng.normal(0, 2, (size, size, 1))
    before = canvas.copy()
    for _ in range(int(rng.integers(0, 14))):
        surroundings.thing(canvas, rng, float(rng.uniform(0.01, 0.033)) * size)
    height = (np.abs(canvas - before).max(axis=2) > 12).astype(np.float32)
    outline = _tray(canvas, height, rng)
    walls = np.zeros((size, size, 2), np.float32)
    centre = outline.mean(axis=0)
    ring = np.zeros((size, size), np.uint8)
    cv2.fillPoly(ring, [outline.astype(np.int32)], (1,))
    cv2.fillPoly(ring, [(centre + 0.88 * (outline - centre)).astype(np.int32)], (0,))
    y, x = np.mgrid[0:size, 0:size].astype(np.float32)
    away = np.stack([x - centre[0], y - centre[1]], axis=2)
    away /= np.maximum(1, np.linalg.norm(away, axis=2, keepdims=True))
    walls[ring > 0] = -away[ring > 0]
    return Table(np.clip(canvas, 0, 255), outline, height, walls)


def _ring(corners: int, start: float = 0.0) -> np.ndarray:
    angles = np.linspace(0, 2 * np.pi, corners, endpoint=False) + start
    return np.stack([np.cos(angles), np.sin(angles)], axis=1)


def _tray(canvas: Picture, height: Picture, rng: np.random.Generator) -> np.ndarray:
    """Draws a tray in the canvas' middle; its outline (n, 2)."""
    size = canvas.shape[0]
    corners = int(rng.choice([4, 6, 8, 48]))
    shape = _ring(corners, rng.uniform(0, 1))
    centre = size * (0.5 + rng.uniform(-0.05, 0.05, 2))
    radius = size * rng.uniform(0.15, 0.24)
    outer = centre + radius * shape
    base = canvas.mean(axis=(0, 1))
    rim, floor = (np.clip(base * rng.uniform(0.3, 1.6) + rng.normal(0, 25, 3), 5, 240) for _ in range(2))
    for scale, colour in ((1.0, rim), (0.88, floor)):
        points = ((centre + scale * radius * shape) * 8).astype(np.int32)
        cv2.fillPoly(canvas, [points], tuple(colour.tolist()), cv2.LINE_AA, 3)
        cv2.fillPoly(height, [points], 1.0 if scale == 1.0 else 0.0, cv2.LINE_AA, 3)
    return outer


def view(rng: np.random.Generator, size: tuple[int, int]) -> np.ndarray:
    """The map from canvas to picture: from above or aslant, with canvas all round the picture."""
    width, height = size
    side = CANVAS * width
    tilt = rng.uniform(0, 0.16)
    half_w, half_h = 0.38 * side, 0.38 * side * height / width * rng.uniform(1.0, 1.25)
    corners = [(-1 - tilt, -1), (1 + tilt, -1), (1 - tilt, 1), (-1 + tilt, 1)]
    turn = rng.uniform(0, 2 * np.pi)
    c, s = np.cos(turn), np.sin(turn)
    seen = np.array([(0.5 * side + x * half_w * c - y * half_h * s, 0.5 * side + x * half_w * s + y * half_h * c)
                     for x, y in corners], np.float32)  # fmt: skip
    shown = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float32)
    return cv2.getPerspectiveTransform(seen, shown).astype(np.float64)


def bump(rng: np.random.Generator, size: tuple[int, int]) -> np.ndarray:
    """What a bumped camera does to the picture: pan and tilt, turn, zoom."""
    width, height = size
    focal = 0.9 * width
    kind = rng.choice(["shift", "shift and turn", "turn", "zoom", "any"], p=[0.45, 0.2, 0.15, 0.1, 0.1])
    shift = (
        np.exp(rng.uniform(np.log(0.0105), np.log(0.05))) if kind in ("shift", "shift and turn", "any") else 0
    )
    turn = (
        np.radians(rng.uniform(1.05, 4)) * rng.choice([-1, 1])
        if kind in ("turn", "shift and turn", "any")
        else 0
    )
    zoom = np.exp(rng.uniform(0.0205, 0.05) * rng.choice([-1, 1])) if kind in ("zoom", "any") else 1.0
    way = rng.uniform(0, 2 * np.pi)
    if rng.random() < 0.5:  # turned on its stand
        pan, tilt = (np.arctan(shift * width / focal * f(way)) for f in (np.cos, np.sin))
        around = cv2.Rodrigues(np.array([-tilt, pan, turn]))[0]
        middle = np.zeros(2)
    else:  # pushed aside
        around = cv2.Rodrigues(np.array([0.0, 0.0, turn]))[0]
        middle = shift * width * np.array([np.cos(way), np.sin(way)])
    lens = np.array([(focal, 0, width / 2), (0, focal, height / 2), (0, 0, 1)])
    move = lens @ around @ np.linalg.inv(lens)
    larger = np.array([(zoom, 0, (1 - zoom) * width / 2 + middle[0]), (0, zoom, (1 - zoom) * height / 2 + middle[1]),
                       (0, 0, 1)])  # fmt: skip
    return larger @ move / move[2, 2]


# What goes on at the table


def hand(
    picture: Picture, rng: np.random.Generator, tip: np.ndarray, root: np.ndarray, skin: np.ndarray
) -> None:
    """A hand and arm from the picture's edge, with its shadow, in place."""
    width = picture.shape[1]
    thick = width * 0.075
    layer = np.zeros(picture.shape[:2], np.uint8)
    cv2.line(layer, *_ints(root, tip), 255, int(thick), cv2.LINE_AA)
    cv2.circle(layer, _ints(tip)[0], int(thick * 0.75), 255, -1, cv2.LINE_AA)
    along = (tip - root) / max(1.0, float(np.linalg.norm(tip - root)))
    for k in (-1.5, -0.5, 0.5, 1.5):
        side = np.array([-along[1], along[0]]) * k * thick * 0.32
        cv2.line(
            layer, *_ints(tip + side, tip + side + along * thick * 1.25), 255, int(thick * 0.27), cv2.LINE_AA
        )
    shadow = np.roll(layer, (int(thick * 0.3), int(thick * 0.2)), (0, 1))
    shade = cv2.GaussianBlur(shadow, (0, 0), thick * 0.12).astype(np.float32) * (0.4 / 255)
    mask = layer.astype(np.float32)[..., None] / 255
    grain = cv2.resize(rng.normal(0, 14, (36, 64)).astype(np.float32), (width, picture.shape[0]))
    body = np.clip(skin + grain[..., None], 0, 255)
    picture[:] = np.clip(picture * (1 - shade[..., None]) * (1 - mask) + body * mask, 0, 255).astype(np.uint8)


def _ints(*points: np.ndarray) -> list[tuple[int, int]]:
    return [(int(x), int(y)) for x, y in points]


def person(picture: Picture, rng: np.random.Generator, share: float, side: int, cloth: Picture) -> None:
    """Somebody who leans in from a side and covers `share` of the picture, in place."""
    height, width = picture.shape[:2]
    mask = np.zeros((height, width), np.uint8)
    wave = rng.normal(0, 0.02, 12)
    steps = np.linspace(0, 1, 12)
    edge = np.clip(share + wave + 0.12 * np.sin(np.pi * steps) - 0.06, 0, 1)
    points = [(0, 0), *((float(e), float(s)) for e, s in zip(edge, steps, strict=True)), (0, 1)]
    placed = np.array([((x if side < 2 else y), (y if side < 2 else x)) for x, y in points])
    if side % 2:
        placed[:, 0 if side < 2 else 1] = 1 - placed[:, 0 if side < 2 else 1]
    cv2.fillPoly(mask, [(placed * (width, height)).astype(np.int32)], 255)
    soft = cv2.GaussianBlur(mask, (0, 0), 3)[..., None].astype(np.float32) / 255
    shift = (int(40 * share), int(60 * share))
    picture[:] = (picture * (1 - soft) + np.roll(cloth, shift, (0, 1)) * soft).astype(np.uint8)


def die(picture: Picture, at: np.ndarray, edge: float, angle: float, value: int, colour: np.ndarray) -> None:
    """One die seen from above, in place."""
    turn = np.array([(np.cos(angle), -np.sin(angle)), (np.sin(angle), np.cos(angle))])
    square = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * edge / 2
    for shift, fill in ((0.12, colour * 0.25), (0.0, colour)):
        points = ((square @ turn.T + at + shift * edge) * 8).astype(np.int32)
        cv2.fillPoly(picture, [points], tuple(fill.tolist()), cv2.LINE_AA, 3)
    for k in range(value):
        spot = at + turn @ (np.array([(k % 2) - 0.5, (k // 2) - 1]) * edge * 0.5)
        cv2.circle(picture, _ints(spot)[0], max(1, int(edge * 0.09)), (20, 20, 20), -1, cv2.LINE_AA)


@dataclass
class Film:
    """One film: pictures four times a second, and from which look on the camera stands elsewhere."""

    seed: int
    kind: str
    bumped: bool
    size: tuple[int, int]
    rendered: list[Picture] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.rng = rng = np.random.default_rng(self.seed)
        self.table = table(rng, round(CANVAS * self.size[0]), self.rendered)
        self.view = view(rng, self.size)
        self.move = bump(rng, self.size)
        self.light = lamp(rng)
        self.outline = cv2.perspectiveTransform(self.table.outline[None], self.view)[0]
        self.skin = np.array([rng.uniform(70, 140), rng.uniform(90, 170), rng.uniform(130, 225)])
        self.cloth = cv2.resize(np.clip(surroundings.surface(rng, 192), 0, 255).astype(np.uint8), self.size)
        self.noise = rng.uniform(0.8, 2.5)
        if kind_of(self.kind, "poor camera"):
            self.noise = rng.uniform(4, 9)
        # A small picture is taken to be a large one averaged, of which the noise is told.
        self.noise *= self.size[0] / 1280
        self.grain = rng.normal(0, 1, (self.size[1] + 64, self.size[0] + 64)).astype(np.float32)
        self.chips = [rng.uniform(0.05, 0.95, (3, 2)) * self.size for _ in range(10)]
        self.colours = [np.clip(rng.uniform(20, 255, 3), 0, 255) for _ in range(10)]
        self.changes = sorted(int(v) for v in rng.integers(4, LOOKS, 3))

    def reference(self) -> Picture:
        """The table before anything happens."""
        return self._finish(
            self._chips(cv2.warpPerspective(self.table.under(self.light), self.view, self.size), 0), 0
        )

    def frames(self) -> Iterator[Picture]:
        """All looks."""
        rng, width, height = self.rng, *self.size
        light = self.light
        path = rng.uniform(0, 2 * np.pi, 6)
        side = int(rng.integers(4))
        lean = rng.uniform(0.35, 0.5)
        lean_from = int(rng.integers(2, 30))
        for number in range(LOOKS):
            if number in self.changes:
                if kind_of(self.kind, "lamp"):
                    light = self.light if light is not self.light else lamp(rng, self.light)
                elif kind_of(self.kind, "lamp to one side"):
                    light = lamp(rng, one_sided=True)
            to_picture = self.move @ self.view if self.bumped and number >= BUMP else self.view
            picture = cv2.warpPerspective(self.table.under(light), to_picture, self.size)
            picture = self._chips(picture, number)
            if kind_of(self.kind, "dice and chips") or kind_of(self.kind, "hands"):
                self._dice(picture, number)
            if kind_of(self.kind, "hands") and number % 12 < 9:
                for k in range(1 + (number % 12 < 5)):
                    root = np.array([(width * (0.2 + 0.6 * k), -20), (width * 0.5, height + 20)][k % 2])
                    tip = np.array([width * (0.5 + 0.3 * np.sin(number * 0.7 + path[k])),
                                    height * (0.5 + 0.25 * np.sin(number * 0.45 + path[k + 2]))])  # fmt: skip
                    hand(picture, rng, tip, root, self.skin)
            if kind_of(self.kind, "leaning in") and lean_from <= number < lean_from + 16:
                person(picture, rng, lean * min(1, (number - lean_from + 1) / 3), side, self.cloth)
            yield self._finish(picture, number)

    def _chips(self, picture: Picture, number: int) -> Picture:
        """Chips that lie about; now and then one is moved elsewhere."""
        if kind_of(self.kind, "dice and chips"):
            for k, (places, colour) in enumerate(zip(self.chips, self.colours, strict=True)):
                at = places[(number + k) * 3 // (LOOKS + 10)]
                to_picture = self.move if self.bumped and number >= BUMP else np.eye(3)
                x, y = cv2.perspectiveTransform(at[None, None], to_picture)[0, 0]
                for radius, fill in ((0.02, colour), (0.013, colour * 0.6)):
                    cv2.circle(picture, (int(x), int(y)), int(radius * self.size[0]), tuple(fill.tolist()), -1,
                               cv2.LINE_AA)  # fmt: skip
        return picture

    def _dice(self, picture: Picture, number: int) -> None:
        middle = self.outline.mean(axis=0)
        radius = float(np.abs(self.outline - middle).min(axis=0).max()) + 0.05 * self.size[0]
        throw = np.random.default_rng((self.seed, number // 6, number if number % 6 < 2 else 0))
        for k in range(3):
            at = middle + throw.uniform(-0.7, 0.7, 2) * radius
            die(
                picture,
                at,
                0.035 * self.size[0],
                throw.uniform(0, 6),
                int(throw.integers(1, 7)),
                self.colours[k],
            )

    def _finish(self, picture: Picture, number: int) -> Picture:
        """What camera and stream do to the picture."""
        rng, width, height = self.rng, *self.size
        gain = 1.0
        if kind_of(self.kind, "flicker") and number > 0:
            rows = np.sin(np.arange(height) * 2 * np.pi / height * 1.5 + rng.uniform(0, 6)) * rng.uniform(
                0.02, 0.15
            )
            picture = picture * (1 + rows[:, None, None]).astype(np.float32)
            gain = rng.uniform(0.75, 1.3)
        if kind_of(self.kind, "poor camera") and number > 0:
            picture = cv2.GaussianBlur(picture, (0, 0), float(rng.uniform(0.3, 3.0)) * width / 1280 + 0.1)
            gain = rng.uniform(0.85, 1.15)
        left, top = rng.integers(0, 64, 2)
        grain = self.grain[top : top + height, left : left + width, None] * self.noise
        shown = np.clip(picture * np.float32(gain) + grain, 0, 255).astype(np.uint8)
        quality = 45 if kind_of(self.kind, "poor camera") else 85
        return cv2.imdecode(
            cv2.imencode(".jpg", shown, [cv2.IMWRITE_JPEG_QUALITY, quality])[1], cv2.IMREAD_COLOR
        )


def kind_of(kind: str, part: str) -> bool:
    """Whether a film of this kind shows that."""
    return kind == part or (kind == "all at once" and part not in ("leaning in", "poor camera"))
