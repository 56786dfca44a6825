"""A drawn table with a clock: dice, a hand, shadows and lamps on noisy felt, and a reader that knows the
truth.

A `Film` is a description; `frames()` samples it at any rate. The number of each drawn frame is hidden in
the lowest bits of its first row, so that the reader knows what it is shown without being told.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

import cv2
import numpy as np

from vision.frames import Frame, Image
from vision.roll import DieReading, Reading

WIDTH, HEIGHT, DIE = 320, 240, 22
PIPS = {
    1: [(0, 0)],
    2: [(-1, -1), (1, 1)],
    3: [(-1, -1), (0, 0), (1, 1)],
    4: [(-1, -1), (-1, 1), (1, -1), (1, 1)],
    5: [(-1, -1), (-1, 1), (0, 0), (1, -1), (1, 1)],
    6: [(-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)],
}


@dataclass(frozen=True)
class Die:
    x: float
    y: float
    value: int
    angle: float = 0.3
    rests: bool = True


@dataclass(frozen=True)
class Thrown:
    """A die that flies in from the left at `start`, lies at (x, y) from `rest` on, and is gone from `end`."""

    start: float
    rest: float
    x: float
    y: float
    value: int
    angle: float = 0.3
    end: float = 1e9

    def at(self, t: float) -> Die | None:
        if not self.start <= t < self.end:
            return None
        if t >= self.rest:
            return Die(self.x, self.y, self.value, self.angle)
        done = (t - self.start) / (self.rest - self.start)
        way = 1 - (1 - done) ** 2  # slows down
        face = 1 + (self.value + int(9 * way)) % 6
        return Die(
            self.x - (1 - way) * 160, self.y + 20 * (1 - way), face, self.angle + 9 * (1 - way), rests=False
        )


Hand = Callable[[float], tuple[float, float] | None]


def reach(points: Sequence[tuple[float, float, float]]) -> Hand:
    """A hand from the left edge whose tip goes through (time, x, y), straight between; else absent."""
    times = [each[0] for each in points]

    def tip(t: float) -> tuple[float, float] | None:
        if not times[0] <= t <= times[-1]:
            return None
        x = float(np.interp(t, times, [each[1] for each in points]))
        y = float(np.interp(t, times, [each[2] for each in points]))
        return (x, y) if x > -20 else None

    return tip


@dataclass
class Film:
    length: float
    dice: list[Thrown] = field(default_factory=list)
    hand: Hand = lambda t: None
    shadow: Callable[[float], float | None] = lambda t: None
    """Where the middle of a soft dark band stands (x, pixels), or None."""
    lamp: Callable[[float], float] = lambda t: 1.0
    """Factor on all light, clipped at white as a camera does."""
    wrong: Callable[[float, int], int | None] = lambda t, value: None
    """What the reader says instead of the truth."""
    shift: Callable[[float], tuple[float, float]] = lambda t: (0.0, 0.0)
    """How far the camera has been bumped: all that is seen lies so many pixels further right and down."""
    mat: bool = False
    """Whether a patterned mat lies there, by which a camera can tell that it has moved; else plain felt."""
    noise: float = 2.0
    seed: int = 0
    size: tuple[int, int] = (WIDTH, HEIGHT)
    sure: bool = True

    def __post_init__(self) -> None:
        self.reads: list[float] = []
        self._times: list[float] = []
        random = np.random.default_rng(self.seed)
        felt = random.normal(0, 5, (HEIGHT, WIDTH, 1)) + np.array([60.0, 110.0, 40.0])
        self._felt = cv2.GaussianBlur(felt.astype(np.float32), (0, 0), 1.0)
        if self.mat:
            for x, y in np.random.default_rng(5).uniform((0, 0), (WIDTH, HEIGHT), (60, 2)).tolist():
                size, turn = (6 + int(x) % 9, 5 + int(y) % 7), (x * y) % 180
                cv2.ellipse(self._felt, (int(x), int(y)), size, turn, 0, 360, (30, 60, 20), -1, cv2.LINE_AA)
        self._random = random
        self._grain = random.normal(0, 1, (HEIGHT + 40, WIDTH, 3)).astype(np.float32)

    def frames(self, fps: float = 30.0, times: Sequence[float] | None = None) -> Iterator[Frame]:
        """Draw the film at `fps`, or at the given `times`; a time given twice repeats the same picture."""
        sampled = times if times is not None else [i / fps for i in range(int(self.length * fps))]
        last: tuple[float, Image] | None = None
        for index, t in enumerate(sampled):
            image = last[1] if last is not None and last[0] == t else self.draw(t)
            last = (t, image)
            yield Frame(image, index / fps if times is not None else t, index)

    def draw(self, t: float) -> Image:
        picture = self._felt.copy()
        for die in self.lying(t):
            _draw_die(picture, die)
        middle = self.shadow(t)
        if middle is not None:
            across = np.abs(np.arange(WIDTH) - middle)
            picture *= (1 - 0.45 * np.clip(1.5 - across / 40, 0, 1))[None, :, None].astype(np.float32)
        tip = self.hand(t)
        if tip is not None:
            _draw_hand(picture, tip)
        x, y = self.shift(t)
        if x or y:
            matrix = np.array([[1.0, 0, x], [0, 1, y]])
            picture = cv2.warpAffine(picture, matrix, (WIDTH, HEIGHT), borderMode=cv2.BORDER_REFLECT)
        picture *= self.lamp(t)
        first = int(self._random.integers(0, 40))
        picture += self.noise * self._grain[first : first + HEIGHT]
        image = np.clip(picture, 0, 255).astype(np.uint8)
        if self.size != (WIDTH, HEIGHT):
            image = np.asarray(cv2.resize(image, self.size, interpolation=cv2.INTER_LINEAR), dtype=np.uint8)
        number = len(self._times)
        self._times.append(t)
        image[0, :16, 0] = (image[0, :16, 0] & 0xFE) | ((number >> np.arange(16)) & 1).astype(np.uint8)
        return image

    def lying(self, t: float) -> list[Die]:
        return [die for each in self.dice if (die := each.at(t)) is not None]

    def read(self, image: Image) -> Reading:
        """The reader: right about what rests in sight, wrong about what rolls, blind under the hand."""
        t = self._times[int(((image[0, :16, 0] & 1).astype(int) << np.arange(16)).sum())]
        self.reads.append(t)
        tip = self.hand(t)
        scale = self.size[0] / WIDTH
        seen = []
        for die in self.lying(t):
            if tip is not None and _covers(tip, die):
                continue
            value = self.wrong(t, die.value) or die.value
            half = DIE * 0.7
            x, y = die.x + self.shift(t)[0], die.y + self.shift(t)[1]
            corners = (x - half, y - half, x + half, y + half)
            x0, y0, x1, y1 = (each * scale for each in corners)
            seen.append(DieReading(value, 0.98 if die.rests else 0.6, (x0, y0, x1, y1)))
        sure = self.sure and all(die.rests for die in self.lying(t))
        return Reading(tuple(seen), sure, () if sure else ("a die rolls",), 1.0, *self.size)


def _draw_die(picture: np.ndarray, die: Die) -> None:
    c, s = np.cos(die.angle), np.sin(die.angle)
    turn = np.array([[c, -s], [s, c]])

    def place(points: Sequence[tuple[float, float]]) -> np.ndarray:
        return np.round((np.array(points) @ turn.T + (die.x, die.y)) * 16).astype(np.int32)

    h = DIE / 2
    cv2.fillPoly(picture, [place([(-h, -h), (h, -h), (h, h), (-h, h)]) + 40], (30, 60, 20), cv2.LINE_AA, 4)
    cv2.fillPoly(picture, [place([(-h, -h), (h, -h), (h, h), (-h, h)])], (215, 230, 235), cv2.LINE_AA, 4)
    for x, y in place([(x * 6.0, y * 6.0) for x, y in PIPS[die.value]]):
        cv2.circle(picture, (int(x), int(y)), 38, (30, 30, 30), -1, cv2.LINE_AA, 4)


def _draw_hand(picture: np.ndarray, tip: tuple[float, float]) -> None:
    x, y = tip
    skin, dark = (120, 150, 205), (90, 115, 165)
    cv2.line(picture, (-60, int(y + 30)), (int(x - 20), int(y + 4)), skin, 34, cv2.LINE_AA)
    cv2.circle(picture, (int(x - 12), int(y)), 26, skin, -1, cv2.LINE_AA)
    for finger in (-16, -5, 6, 17):
        cv2.line(picture, (int(x - 8), int(y + finger)), (int(x + 18), int(y + finger)), dark, 7, cv2.LINE_AA)


def _covers(tip: tuple[float, float], die: Die) -> bool:
    x, y = tip
    return die.x < x + 26 and abs(die.y - y) < 40 + DIE / 2
