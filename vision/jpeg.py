"""JPEGs as they come over a line: looked at with limits before anything is decoded, and decoded whole or not at all."""

from __future__ import annotations

import io
import warnings

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image as Pillow
from PIL import UnidentifiedImageError

from vision.errors import PictureError

MOST_BYTES = 8 * 1024 * 1024
MOST_PIXELS = 16_000_000
"""A camera that looks at a table needs two million; more would only take memory."""
SMALLEST = 16
"""Pixels that a picture must have on each side."""
BEGINS, ENDS = b"\xff\xd8\xff", b"\xff\xd9"
TURNED = 0x0112
"""The EXIF field that says how the camera was held."""
TURNS = {3: cv2.ROTATE_180, 6: cv2.ROTATE_90_CLOCKWISE, 8: cv2.ROTATE_90_COUNTERCLOCKWISE}


def look_at(data: bytes, name: str) -> tuple[int, int]:
    """The (width, height) in pixels of a JPEG that may be decoded, from its head alone.

    `name` is what people call it. Raises PictureError when it is no JPEG, or too small or large.
    """
    with _opened(data, name) as picture:
        return picture.size


def decode(data: bytes, name: str) -> NDArray[np.uint8]:
    """A JPEG as (h, w, 3) uint8 BGR, upright. Raises PictureError as `look_at`, or when it is damaged or cut short."""
    # Pillow says when a picture ends too early or makes no sense; OpenCV would print it and fill the rest with grey.
    with _opened(data, name) as picture:
        turn = picture.getexif().get(TURNED) if "exif" in picture.info else None
        try:
            picture.load()
        except (OSError, SyntaxError, ValueError, EOFError):
            raise PictureError(f"{name}: the picture is damaged or cut short; send it again.") from None
        rgb = picture if picture.mode == "RGB" else picture.convert("RGB")
        image = cv2.cvtColor(np.asarray(rgb), cv2.COLOR_RGB2BGR)
    if turn in TURNS:
        image = cv2.rotate(image, TURNS[turn])
    return np.asarray(image, np.uint8)


def _opened(data: bytes, name: str) -> Pillow.Image:
    if len(data) > MOST_BYTES:
        raise PictureError(
            f"{name}: the picture has {len(data) >> 20} MB, {MOST_BYTES >> 20} MB is the most; send smaller ones."
        )
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            picture = Pillow.open(io.BytesIO(data), formats=("JPEG",))
    except Pillow.DecompressionBombError:
        raise PictureError(f"{name}: {_too_large('The picture')}") from None
    except (UnidentifiedImageError, OSError, SyntaxError, ValueError, EOFError):
        raise PictureError(f"{name}: this is no JPEG, or a damaged one; send JPEGs.") from None
    width, height = picture.size
    if width * height > MOST_PIXELS:
        raise PictureError(f"{name}: {_too_large(f'{width}x{height}')}")
    if min(width, height) < SMALLEST:
        raise PictureError(
            f"{name}: {width}x{height} pixels are too few to show a die; send larger pictures."
        )
    return picture


def _too_large(what: str) -> str:
    return (
        f"{what} has more pixels than are read from a camera ({MOST_PIXELS // 1_000_000} million); "
        "send 1280x720 or 1920x1080."
    )
