"""Photos of real dice with their truth, as training samples: turned, scaled and cut as one wishes.

The photos are not part of the project. A folder holds `truth.jsonl`, one object a line with `image`, `dice` (each
`value` and `box`, x0 y0 x1 y1 in pixels) and `group`; pictures of one scene share a group.
"""

from __future__ import annotations

import json
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from models.training.paint import Image

OBLIQUE = ("matteop65", "epanemu")
"""Sources photographed from the side, camera upright."""

COCKED = 7
"""Stands for the value of a die that leans, so that none of its faces is the upper one."""
CORRECTIONS = Path(__file__).with_name("labels.json")
"""What is wrong in the truth of the photos, by picture: number of the die -> right value (0: nobody could tell, null:
there is none); and "more": dice that the truth leaves out, each x, y, size in pixels and value."""


@dataclass(frozen=True)
class Die:
    """A die in a picture: `value` 1 to 6 (0: not to be read; or COCKED), middle and size (side of its square box) in
    pixels."""

    value: int
    x: float
    y: float
    size: float
    exact: bool = True  # False: only roughly known
    turnable: bool = (
        True  # False: seen so much from the side that only the picture's upright tells the upper face
    )


@dataclass
class Photo:
    """A decoded photo at full, half, quarter and eighth size, with its dice at full size."""

    name: str
    source: str
    group: str
    dice: list[Die]
    levels: list[Image]

    @property
    def image(self) -> Image:
        """Full size, (h, w, 3) uint8 BGR."""
        return self.levels[0]


def source_of(name: str) -> str:
    """The collection a picture comes from; `N3VERS4YDIE` holds two that have nothing in common."""
    folder, file = name.split("/", 1)
    if folder.startswith("N3VERS"):
        return "pxl" if file.startswith("PXL") else "round"
    return folder.split("_", 1)[0].split("-", 1)[0].lower()


def held_out(group: str, source: str, share: float = 0.12) -> bool:
    """Whether a group belongs to validation; the same answer every time."""
    return zlib.crc32(f"{source}/{group}".encode()) % 1000 < share * 1000


def _dice(
    truth: dict, source: str, boxes: dict[str, list[list[float]]], corrected: dict[str, Any]
) -> list[Die]:
    dice = []
    better = boxes.get(truth["image"])
    for index, die in enumerate(truth["dice"]):
        x0, y0, x1, y1 = die["box"]
        x, y, size, exact = (x0 + x1) / 2, (y0 + y1) / 2, float(np.sqrt((x1 - x0) * (y1 - y0))), True
        if source == "matteop65":
            # These boxes hold the pips of the upper face, or that face: the die is a little lower and about 64 px.
            x, y, size, exact = x + 1, y + 7, 64.0, False
            if better and better[index]:
                x, y, size = better[index]
                exact = True
        elif source == "chaseelliottpatterson":
            size *= 0.95
        elif source == "nell":
            size *= 0.92
        value = corrected.get(str(index), int(die["value"]))
        if value is not None:
            dice.append(Die(value, x, y, size, exact, source not in OBLIQUE))
    for x, y, size, value in corrected.get("more", ()):
        dice.append(Die(int(value), float(x), float(y), float(size), True, source not in OBLIQUE))
    return dice


def load_photos(folder: Path, boxes: Path | None = None) -> list[Photo]:
    """Reads every photo of `folder` into memory. `boxes` is a JSON file of better boxes (see `relabel`)."""
    better = json.loads(boxes.read_text("utf-8")) if boxes and boxes.is_file() else {}
    corrections = json.loads(CORRECTIONS.read_text("utf-8"))
    photos = []
    for line in (folder / "truth.jsonl").read_text("utf-8").splitlines():
        truth = json.loads(line)
        image = cv2.imread(str(folder / truth["image"]), cv2.IMREAD_COLOR)
        if image is None:
            raise SystemExit(f"{folder / truth['image']}: cannot be read as a picture")
        source = source_of(truth["image"])
        dice = _dice(truth, source, better, corrections.get(truth["image"], {}))
        photos.append(Photo(truth["image"], source, truth["group"], dice, levels_of(image.astype(np.uint8))))
    return photos


def levels_of(image: Image) -> list[Image]:
    """A picture at full, half, quarter and eighth size, as far as something is left of it."""
    levels = [image]
    while min(levels[-1].shape[:2]) > 64 and len(levels) < 4:
        half = cv2.resize(levels[-1], None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
        levels.append(half.astype(np.uint8))
    return levels


def cut(
    photo: Photo,
    centre: tuple[float, float],
    scale: float,
    angle: float,
    side: int,
    fill: tuple[float, float, float],
) -> tuple[Image, np.ndarray]:
    """Cuts a turned square out of a photo.

    `centre` (full-size pixels) comes to the middle of the (side, side, 3) result, `scale` is result pixels per photo
    pixel, `angle` in radians. Returns the picture and the (2, 3) matrix from photo to result.
    """
    c, s = np.cos(angle) * scale, np.sin(angle) * scale
    matrix = np.array([[c, -s, 0], [s, c, 0]], np.float64)
    matrix[:, 2] = side / 2 - matrix[:, :2] @ np.array(centre)
    level = 0
    while scale * 2 ** (level + 1) <= 1.0 and level + 1 < len(photo.levels):
        level += 1
    picture = photo.levels[level]
    from_level = matrix.copy()
    fx, fy = photo.image.shape[1] / picture.shape[1], photo.image.shape[0] / picture.shape[0]
    from_level[:, 0] *= fx
    from_level[:, 1] *= fy
    flags = cv2.INTER_LINEAR if scale < 1.2 else cv2.INTER_CUBIC
    out = cv2.warpAffine(picture, from_level, (side, side), flags=flags, borderMode=cv2.BORDER_CONSTANT,
                         borderValue=fill)  # fmt: skip
    return out.astype(np.uint8), matrix
