"""A check of light and sharpness, in words and numbers: what to change before the game begins.

    findings = check([frame.image, ...], tray=profile.tray, dice=[die.box, ...])

Each `Finding` has a code (a key of `MESSAGES`), a sentence, the number it rests on, and where in the picture it is.
Frames should be of one size, taken within a second or two; with one frame flicker cannot be seen. Where dice lie is
optional: with them it is told whether they are large enough and stand out from what they lie on.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.geometry import Box, Points
from calibration.shading import shadow_edge

Image = NDArray[np.uint8]
Mask = NDArray[np.bool_]

MESSAGES = {
    "dark": "It is too dark: the brightest places reach {value:.0f} of 255. Switch on a lamp or open the curtains.",
    "bright": "{value:.0f}% of the tray is burnt out. Dim the lamp, move it away, or lower the exposure of the camera.",
    "glare": "A lamp mirrors in the tray here. Move the lamp or the camera, or let the light come through a shade.",
    "shadow": "A hard shadow edge crosses the tray: one side is {value:.1f} times as bright. Soften or move the light.",
    "flicker": "The light flickers by {value:.0f}%. Set the camera to 50 or 60 Hz, or change the lamp.",
    "blurred": "The picture is out of focus: edges are {value:.1f} pixels wide. Set the focus, or clean the lens.",
    "small": "Dice are {value:.0f} pixels wide, less than {least}. Move the camera closer, or choose a larger picture.",
    "smallish": "Dice are {value:.0f} pixels wide; {good} are comfortable. Moving the camera closer helps.",
    "contrast": "Dice hardly differ from what they lie on. Lay another cloth into the tray, or use other dice.",
}
"""What is said of each finding, by its code; `value` is the finding's number."""
NOTES = frozenset({"smallish"})
"""The findings that could be better, but do not keep dice from being read."""

LEAST_DIE, GOOD_DIE = 25, 40
"""Pixels of a die's width that reading needs, and that are comfortable."""

_DARK = 80.0  # of 255: what the brightest hundredth of the picture should reach
_BURNT, _BURNT_SHARE = 251, 0.25
_SPOT, _SPOT_MOST, _SPOTS = 0.0012, 0.2, 3  # of the tray's area: a mirrored lamp; how many are told
_AROUND_SPOT = 215.0
_FLICKER = 0.035
_MOVED = 0.25  # share of light by which a place changes in which something moves
_BLUR, _BLUR_OF_DIE = 2.6, 0.07  # pixels; of a die's width
_STANDS_OUT = 9.0  # difference of colour between a die and its surroundings
_WIDE = 640


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing to change: its `code`, the sentence, its number, and the box in pixels of the frame where it is."""

    code: str
    value: float
    where: Box | None = None

    @property
    def message(self) -> str:
        """What is wrong and what to do, in a sentence or two."""
        return MESSAGES[self.code].format(value=self.value, least=LEAST_DIE, good=GOOD_DIE)

    @property
    def grave(self) -> bool:
        """Whether it keeps dice from being read well."""
        return self.code not in NOTES


def check(
    images: Sequence[Image], tray: Points | None = None, dice: Sequence[Box] = ()
) -> tuple[Finding, ...]:
    """What should be changed, gravest first; nothing when all is well.

    `images` are (h, w, 3) uint8 BGR, the newest last, `tray` the outline (n, 2) and `dice` the boxes in their pixels.
    Raises ValueError without a picture.
    """
    if not len(images):
        raise ValueError("The light can only be checked in a picture; none was given.")
    newest = images[-1]
    scale = min(1.0, _WIDE / max(newest.shape[:2]))
    small = _smaller(newest, scale)
    within = _mask(small, tray, scale)
    seen_dice = _boxes(dice, within.shape, scale)
    grey = cv2.cvtColor(small, cv2.COLOR_BGR2GRAY).astype(np.float32)
    findings: list[Finding | None] = [_dark(grey), _burnt(small, within)]
    if findings[0] is None:
        findings += _glare(small, within, seen_dice, scale)
        findings.append(_shadow(small, within & ~seen_dice, scale))
        findings.append(_flicker([each for each in images if each.shape == newest.shape], scale, within))
    findings += [_blurred(newest, tray, dice), _size(dice), _contrast(newest, dice)]
    return tuple(each for each in findings if each is not None)


def _smaller(image: Image, scale: float) -> Image:
    if scale >= 1:
        return image
    return np.asarray(cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)


def _mask(small: Image, tray: Points | None, scale: float) -> Mask:
    """The inside of the tray without its rim, all of the picture without an outline."""
    mask = np.zeros(small.shape[:2], np.uint8)
    if tray is None:
        return np.ones(small.shape[:2], bool)
    middle = tray.mean(axis=0)
    cv2.fillPoly(mask, [np.round((middle + 0.88 * (tray - middle)) * scale).astype(np.int32)], (1,))
    return mask > 0


def _boxes(dice: Sequence[Box], shape: tuple[int, ...], scale: float) -> Mask:
    mask = np.zeros(shape, bool)
    for x0, y0, x1, y1 in dice:
        mask[max(0, int(y0 * scale)) : int(y1 * scale) + 1, max(0, int(x0 * scale)) : int(x1 * scale) + 1] = (
            True
        )
    return mask


def _dark(grey: NDArray[np.float32]) -> Finding | None:
    brightest = float(np.quantile(grey, 0.99))
    return Finding("dark", brightest) if brightest < _DARK else None


def _burnt(small: Image, within: Mask) -> Finding | None:
    share = float((small.min(axis=2) >= _BURNT)[within].mean()) if within.any() else 0.0
    return Finding("bright", 100 * share) if share > _BURNT_SHARE else None


def _glare(small: Image, within: Mask, dice: Mask, scale: float) -> list[Finding | None]:
    """Burnt-out spots in the tray that are brighter than all around them, and no dice."""
    area = max(1, int(within.sum()))
    burnt = ((small.min(axis=2) >= _BURNT) & within).astype(np.uint8)
    count, labels, stats, _ = cv2.connectedComponentsWithStats(burnt)
    spots = []
    for index in range(1, count):
        x, y, wide, high, size = (int(each) for each in stats[index])
        if not _SPOT * area <= size <= _SPOT_MOST * area or dice[labels == index].mean() > 0.3:
            continue
        spot = (labels == index).astype(np.uint8)
        reach = max(3, round(0.5 * size**0.5))
        ring = cv2.dilate(spot, np.ones((2 * reach + 1,) * 2, np.uint8)).astype(bool) & ~cv2.dilate(
            spot, np.ones((5, 5), np.uint8)
        ).astype(bool)
        if ring.any() and float(np.median(small.min(axis=2)[ring])) < _AROUND_SPOT:
            box = (x / scale, y / scale, (x + wide) / scale, (y + high) / scale)
            spots.append((size, Finding("glare", 100 * size / area, box)))
    spots.sort(key=lambda each: -each[0])
    return [finding for _, finding in spots[:_SPOTS]]


def _shadow(small: Image, floor: Mask, scale: float) -> Finding | None:
    edge = shadow_edge(small, floor)
    if edge is None:
        return None
    x0, y0, x1, y1 = edge.box
    return Finding("shadow", edge.ratio, (x0 / scale, y0 / scale, x1 / scale, y1 / scale))


def _flicker(images: list[Image], scale: float, within: Mask) -> Finding | None:
    """How much the light of rows or of the whole picture differs from frame to frame, where nothing moves."""
    if len(images) < 4:
        return None
    light = np.stack([cv2.cvtColor(_smaller(each, scale), cv2.COLOR_BGR2GRAY) for each in images]).astype(
        np.float32
    )
    usual = np.median(light, axis=0)
    lit = within & (usual > 25) & (usual < 235)
    still = lit & (np.abs(light - usual) <= _MOVED * usual + 6).all(axis=0)
    if still.sum() < max(200, 0.5 * lit.sum()):
        return None  # too much moves to say
    rows = still.sum(axis=1) >= 12
    ratio = np.where(still, light / np.maximum(usual, 1), 0).sum(axis=2)[:, rows] / still.sum(axis=1)[rows]
    # A lamp's bands are several rows wide; the noise of single rows is not meant.
    smooth = cv2.blur(ratio.astype(np.float32), (1, 1) if ratio.shape[1] < 9 else (9, 1))
    swing = float(np.quantile(smooth, 0.95) - np.quantile(smooth, 0.05))
    return Finding("flicker", 100 * swing) if swing > 2 * _FLICKER else None


def _blurred(image: Image, tray: Points | None, dice: Sequence[Box]) -> Finding | None:
    """How wide the sharpest edges are, from how they fare when the picture is blurred a little and much."""
    if tray is not None:
        low, high = np.floor(tray.min(axis=0)).astype(int), np.ceil(tray.max(axis=0)).astype(int)
        image = image[max(0, low[1]) : high[1] + 1, max(0, low[0]) : high[0] + 1]
    width = edge_width(image)
    if width is None:
        return None
    widths = [min(x1 - x0, y1 - y0) for x0, y0, x1, y1 in dice]
    most = max(_BLUR, _BLUR_OF_DIE * float(np.median(widths))) if widths else _BLUR
    return Finding("blurred", width) if width > most else None


def edge_width(image: Image) -> float | None:
    """Standard deviation of the blur of a picture's sharpest edges, pixels; None where there are no edges."""
    grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY).astype(np.float32)
    fine, coarse = 1.0, 3.0

    def slope(sigma: float) -> NDArray[np.float32]:
        soft = cv2.GaussianBlur(grey, (0, 0), sigma)
        across, down = cv2.Sobel(soft, cv2.CV_32F, 1, 0), cv2.Sobel(soft, cv2.CV_32F, 0, 1)
        return np.asarray(np.hypot(across, down) / 8, np.float32)

    near, far = slope(fine), slope(coarse)
    strong = far >= max(2.5, float(np.quantile(far, 0.99)))
    if strong.sum() < 30:
        return None
    # Of the edges in view the sharpest tell whether the camera is in focus.
    ratio = float(np.quantile(near[strong] / far[strong], 0.8))
    if ratio <= 1.02:
        return 8.0
    spread = (coarse**2 - ratio**2 * fine**2) / (ratio**2 - 1)
    return float(np.sqrt(max(spread, 0.0)))


def _size(dice: Sequence[Box]) -> Finding | None:
    if not len(dice):
        return None
    smallest = float(min(max(x1 - x0, y1 - y0) for x0, y0, x1, y1 in dice))
    if smallest >= GOOD_DIE:
        return None
    return Finding("small" if smallest < LEAST_DIE else "smallish", smallest)


def _contrast(image: Image, dice: Sequence[Box]) -> Finding | None:
    """The die that differs least from what is around it, if that is too little."""
    worst: tuple[float, Box] | None = None
    for box in dice:
        x0, y0, x1, y1 = box
        wide = max(x1 - x0, y1 - y0)
        left, top = int(x0 - 0.35 * wide), int(y0 - 0.35 * wide)
        part = image[max(0, top) : int(y1 + 0.35 * wide) + 1, max(0, left) : int(x1 + 0.35 * wide) + 1]
        if min(part.shape[:2]) < 8:
            continue
        lab = cv2.cvtColor(part, cv2.COLOR_BGR2LAB).astype(np.float32)
        inner = np.zeros(part.shape[:2], bool)
        a, b = int(x0 - max(0, left)), int(y0 - max(0, top))
        inner[max(0, b) : b + int(y1 - y0) + 1, max(0, a) : a + int(x1 - x0) + 1] = True
        core = cv2.erode(
            inner.astype(np.uint8), np.ones((3, 3), np.uint8), iterations=max(1, round(0.12 * wide / 2))
        )
        if not core.any() or inner.all():
            continue
        around = np.median(lab[~inner], axis=0)
        apart = float(np.quantile(np.linalg.norm(lab[core > 0] - around, axis=1), 0.6))
        if worst is None or apart < worst[0]:
            worst = (apart, box)
    if worst is None or worst[0] >= _STANDS_OUT:
        return None
    return Finding("contrast", worst[0], tuple(map(float, worst[1])))  # type: ignore[arg-type]
