"""The evidence of a roll: a JPEG of the tray, or of what lies round the dice, as the camera saw it."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from calibration.profile import Image, Profile
from vision.roll import Box, DieReading

JPEG_QUALITY = 85
LONGEST_SIDE = 1280  # pixels: larger evidence is made smaller
ROUND_DICE = 2.5  # dice: so much of the table round them is shown where nobody knows the tray
LEAST_PART = 0.4  # of the frame's sides: less would not show where on the table it is


def evidence(image: Image, dice: Sequence[DieReading], profile: Profile) -> tuple[bytes, Box]:
    """A JPEG of a part of the frame's `image` (h, w, 3), and which part: x0, y0, x1, y1 in pixels of the frame."""
    height, width = image.shape[:2]
    x0, y0, x1, y1 = _part(width, height, dice, profile)
    part = image[y0:y1, x0:x1]
    scale = LONGEST_SIDE / max(part.shape[:2])
    if scale < 1:
        part = np.asarray(
            cv2.resize(part, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), dtype=np.uint8
        )
    good, data = cv2.imencode(".jpg", part, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])
    return np.asarray(data).tobytes() if good else b"", (float(x0), float(y0), float(x1), float(y1))


def _part(width: int, height: int, dice: Sequence[DieReading], profile: Profile) -> tuple[int, int, int, int]:
    """What is shown, whole pixels: all dice, and the tray where it is known."""
    boxes = [die.box for die in dice]
    if profile.tray is not None:
        (left, top), (right, bottom) = profile.tray.min(axis=0), profile.tray.max(axis=0)
        boxes.append((float(left), float(top), float(right), float(bottom)))
        margin = 0.0
    elif boxes:
        margin = ROUND_DICE * max(max(x1 - x0, y1 - y0) for x0, y0, x1, y1 in boxes)
    else:
        return (0, 0, width, height)
    lows, highs = np.array(boxes)[:, :2].min(axis=0), np.array(boxes)[:, 2:].max(axis=0)
    x0, x1 = _span(lows[0] - margin, highs[0] + margin, width)
    y0, y1 = _span(lows[1] - margin, highs[1] + margin, height)
    return (x0, y0, x1, y1)


def _span(low: float, high: float, whole: int) -> tuple[int, int]:
    """A span within 0 and `whole` that holds low to high, and is a good part of it."""
    lack = max(0.0, LEAST_PART * whole - (high - low)) / 2
    start = int(np.clip(np.floor(low - lack), 0, whole - 1))
    return start, int(np.clip(np.ceil(high + lack), start + 1, whole))
