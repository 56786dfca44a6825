"""Marks: small patches of a picture of a table that are found again in later pictures of it.

They are taken where something is to be seen: corners, edges, the grain of wood, a rim; spread over the picture, those
inside the tray only where nothing else is there, since dice and hands come and go in it. A mark is compared by
normalised correlation in a small picture in which light does not count (the logarithm of grey less its local mean).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.geometry import Matrix, Points
from calibration.profile import Image

Map = NDArray[np.float32]
"""(rows, columns) float32 over the small picture."""

Floats = NDArray[np.float64]

WIDTH = 320  # pixels of the small picture
SURROUND = 41  # small pixels: side of the square whose mean is taken off
LOG_OFFSET = 16.0  # grey levels: keeps the noise of dark pixels from growing in the logarithm
PATCH = 17  # small pixels: side of a mark, odd
HALF = PATCH // 2
REACH = 4  # small pixels: how far from where it should be a mark is looked for at once
COARSE = 11  # pixels of the half-size picture: side of a mark there, odd
FAR = 11  # pixels of the half-size picture: how far a mark is looked for when it is not near
ALIKE = 0.72  # correlation from which on a mark is found again
CELLS = (10, 6)  # the picture is divided into so many, across and down ...
IN_CELL = 2  # ... and at most this many marks come from each
MOST = 64
FAINT = 0.018  # least standard deviation of a mark in the logarithm of grey
NOISE_FACTOR = 3.5  # and as a multiple of the picture's noise
EDGE_ONLY = (
    0.02,
    0.12,
)  # ratio of structure along and across: below, an edge; above, known in both directions
TWIN = 0.8  # correlation of a mark with another place of the reference that makes it useless far off
TRAY_MARGIN = 0.04  # widths: marks this close to the tray's outline are marks of the rim
FEW = 20


@dataclass(frozen=True, slots=True)
class Look:
    """A small picture: `look` (rows, WIDTH) without light, and `level`, the light round each place, as logarithms."""

    look: Map
    level: Map

    def level_at(self, points: Points) -> NDArray[np.float32]:
        """The light at points (n, 2) of the small picture, (n,)."""
        height, width = self.level.shape
        columns = np.clip(np.round(points[:, 0]), 0, width - 1).astype(np.intp)
        rows = np.clip(np.round(points[:, 1]), 0, height - 1).astype(np.intp)
        return np.asarray(self.level[rows, columns], dtype=np.float32)

    def towards(self, other: Look, share: float) -> Look:
        """This one in a light that is nearer to the other's by a share."""
        return Look(self.look, self.level + np.float32(share) * (other.level - self.level))


def small(image: Image) -> Look:
    """The small picture of a frame."""
    height, width = image.shape[:2]
    size = (WIDTH, max(PATCH + 2, round(height * WIDTH / width)))
    while image.shape[1] >= 2 * WIDTH and image.shape[0] >= 2 * size[1]:
        # Halving is quick, and the last step then averages over what is left.
        half = (image.shape[1] // 2, image.shape[0] // 2)
        image = np.asarray(cv2.resize(image, half, interpolation=cv2.INTER_AREA), dtype=np.uint8)
    if (image.shape[1], image.shape[0]) != size:
        image = np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA), dtype=np.uint8)
    grey = np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), dtype=np.float32)
    light = np.log(grey + np.float32(LOG_OFFSET))
    around = np.asarray(cv2.blur(light, (SURROUND, SURROUND)), dtype=np.float32)
    return Look(np.asarray(light - around, dtype=np.float32), around)


def halved(look: Map) -> Map:
    """The small picture at half its size."""
    size = (look.shape[1] // 2, look.shape[0] // 2)
    return np.asarray(cv2.resize(look, size, interpolation=cv2.INTER_AREA), dtype=np.float32)


@dataclass(frozen=True, slots=True)
class Marks:
    """The marks of a reference.

    `at`: (n, 2) small pixels, whole numbers. `known`: (n, 2, 2), the directions in which a mark is known. `rim`: (n,),
    those of the tray's rim. `single`: (n,), those that nothing around resembles. `patches`, `coarse`: their looks.
    """

    at: Points
    known: Floats
    rim: NDArray[np.bool_]
    single: NDArray[np.bool_]
    patches: tuple[Map, ...]
    coarse: tuple[Map, ...]

    def __len__(self) -> int:
        return len(self.at)


def marks_of(reference: Map, tray: Points | None) -> Marks:
    """The marks of a reference; `tray` is its outline (n, 2) in small pixels. Featureless pictures have none."""
    value, known = _structure(reference)
    rim = np.zeros(reference.shape, bool)
    if tray is not None:
        rim, deep = _zones(reference.shape, tray)
        open_to_all = value.copy()
        value[deep] = 0
        places = _chosen(value)
        if len(places) < FEW:
            places = _chosen(open_to_all)
    else:
        places = _chosen(value)
    half = halved(reference)
    rows, columns = places[:, 1], places[:, 0]
    return Marks(
        at=places.astype(np.float64),
        known=known[rows, columns].astype(np.float64),
        rim=rim[rows, columns],
        single=np.array([_single(reference, x, y) for x, y in places.tolist()], dtype=bool),
        patches=tuple(_cut(reference, x, y, HALF) for x, y in places.tolist()),
        coarse=tuple(_cut(half, x // 2, y // 2, COARSE // 2) for x, y in places.tolist()),
    )


def _structure(look: Map) -> tuple[Map, NDArray[np.float32]]:
    """How good a mark at each place would be, 0 for none; and in which directions it would be known, (h, w, 2, 2)."""
    values = np.asarray(cv2.cornerEigenValsAndVecs(look, PATCH, 3))
    strong, weak = np.maximum(values[..., 0], 0), np.maximum(values[..., 1], 0)
    normal = values[..., 2:4]
    low, high = EDGE_ONLY
    along = np.clip((weak / np.maximum(strong, 1e-12) - low) / (high - low), 0, 1)
    across = normal[..., :, None] * normal[..., None, :]
    known = across + along[..., None, None] * (np.eye(2, dtype=np.float32) - across)
    mean = cv2.blur(look, (PATCH, PATCH))
    deviation = np.sqrt(np.maximum(0, cv2.blur(look * look, (PATCH, PATCH)) - mean * mean))
    noise = 1.4826 * float(np.median(np.abs(cv2.Laplacian(look, cv2.CV_32F)))) / math.sqrt(20)
    value = np.sqrt(strong) + 3 * np.sqrt(weak)
    # A patch of mere noise has structure in all directions, so what rises above noise is asked of its own.
    value[deviation < max(FAINT, NOISE_FACTOR * min(noise, 0.05))] = 0
    border = HALF + 1
    inner = np.zeros(look.shape, bool)
    inner[border:-border, border:-border] = True
    value[~inner] = 0
    return np.asarray(value, dtype=np.float32), np.asarray(known, dtype=np.float32)


def _zones(shape: tuple[int, ...], tray: Points) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Which small pixels belong to the tray's rim, and which lie deep in it."""
    mask = np.zeros(shape[:2], np.uint8)
    cv2.fillPoly(mask, [np.round(tray).astype(np.int32)], (1,))
    width = 2 * round(TRAY_MARGIN * WIDTH) + 1
    disc = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (width, width))
    deep = np.asarray(cv2.erode(mask, disc, borderValue=(0,))) > 0
    wide = np.asarray(cv2.dilate(mask, disc)) > 0
    return wide & ~deep, deep


def _chosen(value: Map) -> NDArray[np.intp]:
    """The best places (n, 2), x and y, spread over the picture; the best of all first."""
    peak = (value > 0) & (value >= np.asarray(cv2.dilate(value, np.ones((HALF, HALF), np.uint8))))
    rows, columns = np.nonzero(peak)
    order = np.argsort(-value[rows, columns], kind="stable")
    across, down = CELLS
    taken: dict[tuple[int, int], int] = {}
    free = np.ones(value.shape, bool)
    places: list[tuple[int, int]] = []
    for number in order.tolist():
        x, y = int(columns[number]), int(rows[number])
        cell = (x * across // value.shape[1], y * down // value.shape[0])
        if taken.get(cell, 0) >= IN_CELL or not free[y, x]:
            continue
        taken[cell] = taken.get(cell, 0) + 1
        free[max(0, y - HALF) : y + HALF + 1, max(0, x - HALF) : x + HALF + 1] = False
        places.append((x, y))
    # The first of each cell before the second of any: a busy corner shall not outvote the rest.
    seen: set[tuple[int, int]] = set()
    first: list[tuple[int, int]] = []
    second: list[tuple[int, int]] = []
    for x, y in places:
        cell = (x * across // value.shape[1], y * down // value.shape[0])
        (second if cell in seen else first).append((x, y))
        seen.add(cell)
    return np.array((first + second)[:MOST], dtype=np.intp).reshape(-1, 2)


def _cut(look: Map, x: int, y: int, half: int) -> Map:
    """The square round a place, as far as the picture goes beyond it with what is at its edge."""
    rows = np.clip(np.arange(y - half, y + half + 1), 0, look.shape[0] - 1)
    columns = np.clip(np.arange(x - half, x + half + 1), 0, look.shape[1] - 1)
    return np.ascontiguousarray(look[rows[:, None], columns[None, :]])


def _single(look: Map, x: int, y: int) -> bool:
    """Whether no other place that the far search reaches looks as this one does; the same edge further on may."""
    reach = 2 * FAR
    scores = _scores(_cut(look, x, y, HALF + reach), _cut(look, x, y, HALF))
    alike = (scores > TWIN).astype(np.uint8)
    _, labels = cv2.connectedComponents(alike)
    names = np.asarray(labels)
    return not bool(np.any((names > 0) & (names != names[reach, reach])))


def _scores(window: Map, patch: Map) -> Map:
    scores = np.asarray(cv2.matchTemplate(window, patch, cv2.TM_CCOEFF_NORMED), dtype=np.float32)
    scores[~np.isfinite(scores)] = 0  # a window without any structure
    return scores


@dataclass(slots=True)
class Found:
    """Where marks were found in a picture: `at` (n, 2) small pixels, `score` (n,) correlation, 0: not found."""

    at: Points
    score: Floats


class Search:
    """A picture in which marks are looked for."""

    def __init__(self, look: Map) -> None:
        self.shape = look.shape
        self._pad = HALF + REACH + 1
        self._look = _padded(look, self._pad)
        self._wide = COARSE // 2 + FAR + 1
        self._whole = look
        self._half: Map | None = None  # made when first asked for

    def inside(self, points: Points, margin: float = HALF) -> NDArray[np.bool_]:
        """Which of points (n, 2) lie in the picture with room for a mark round them."""
        height, width = self.shape
        x, y = points[:, 0], points[:, 1]
        return np.asarray((x >= margin) & (y >= margin) & (x < width - margin) & (y < height - margin))

    def near(self, patch: Map, x: float, y: float) -> tuple[float, float, float]:
        """Where a patch is found within REACH of a place: x, y, score; score 0 where it is not."""
        column, row = round(x) + self._pad, round(y) + self._pad
        reach = HALF + REACH
        window = self._look[row - reach : row + reach + 1, column - reach : column + reach + 1]
        if window.shape != (2 * reach + 1, 2 * reach + 1):
            return (x, y, 0.0)
        scores = _scores(window, patch)
        _, score, _, (left, top) = cv2.minMaxLoc(scores)
        if score < ALIKE or not (0 < left < 2 * REACH and 0 < top < 2 * REACH):
            return (x, y, 0.0)  # at the window's edge: its best place may lie outside
        dx = _vertex(scores[top, left - 1], scores[top, left], scores[top, left + 1])
        dy = _vertex(scores[top - 1, left], scores[top, left], scores[top + 1, left])
        return (round(x) + left - REACH + dx, round(y) + top - REACH + dy, score)

    def far(self, coarse: Map, patch: Map, x: float, y: float) -> tuple[float, float, float]:
        """The same within 2 FAR of a place."""
        column, row = round(x) // 2 + self._wide, round(y) // 2 + self._wide
        reach = COARSE // 2 + FAR
        if self._half is None:
            self._half = _padded(halved(self._whole), self._wide)
        window = self._half[row - reach : row + reach + 1, column - reach : column + reach + 1]
        if window.shape != (2 * reach + 1, 2 * reach + 1):
            return (x, y, 0.0)
        _, score, _, (left, top) = cv2.minMaxLoc(_scores(window, coarse))
        if score < ALIKE - 0.15:
            return (x, y, 0.0)
        return self.near(patch, round(x) + 2 * (left - FAR), round(y) + 2 * (top - FAR))


def _padded(look: Map, pad: int) -> Map:
    """The picture with what is at its edge repeated beyond it."""
    return np.asarray(np.pad(look, pad, mode="edge"), dtype=np.float32)


def _vertex(before: float, here: float, after: float) -> float:
    """Where the parabola through three scores one pixel apart is highest, from the middle one."""
    bend = float(before) - 2 * float(here) + float(after)
    return 0.0 if bend >= 0 else max(-0.5, min(0.5, (float(before) - float(after)) / (2 * bend)))


def cut_at(look: Map, matrix: Matrix, x: float, y: float) -> Map:
    """How the mark at (x, y) of the reference looks where a map of small pixels takes it, set straight again."""
    shift = np.array([(1, 0, x - HALF), (0, 1, y - HALF), (0, 0, 1)], dtype=np.float64)
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    return np.asarray(
        cv2.warpPerspective(look, matrix @ shift, (PATCH, PATCH), flags=flags), dtype=np.float32
    )
