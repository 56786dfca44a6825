"""Picture files: read with limits and clear errors, and drawings of what was seen in them."""

from __future__ import annotations

import warnings
from itertools import pairwise
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image as Pillow
from PIL import ImageOps, UnidentifiedImageError

from vision.errors import PictureError
from vision.roll import Reading

MOST_PIXELS = 120_000_000
"""Larger pictures are refused before they are decoded."""
MOST_BYTES = 256 * 1024 * 1024
_TOO_LARGE = (
    f"the picture has more pixels than can be read ({MOST_PIXELS // 1_000_000} million); make it smaller."
)


def load_picture(path: Path) -> NDArray[np.uint8]:
    """Reads a picture file as (h, w, 3) uint8 BGR, turned upright as its camera says.

    Raises PictureError, naming the file, when it is missing, no picture, damaged, cut short, or too large.
    """
    try:
        if path.is_dir():
            raise PictureError(f"{path}: is a folder; name the pictures in it.")
        if path.stat().st_size == 0:
            raise PictureError(f"{path}: the file is empty.")
        if path.stat().st_size > MOST_BYTES:
            raise PictureError(f"{path}: the file is larger than {MOST_BYTES >> 20} MB; make it smaller.")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return _decode(path)
    except FileNotFoundError:
        raise PictureError(f"{path}: there is no such file.") from None
    except PermissionError:
        raise PictureError(f"{path}: may not be read (permission denied).") from None
    except UnidentifiedImageError:
        raise PictureError(
            f"{path}: is not a picture that can be read (JPEG, PNG, WebP, BMP, TIFF)."
        ) from None
    except Pillow.DecompressionBombError:  # Pillow's own limit, seen before the size can be asked
        raise PictureError(f"{path}: {_TOO_LARGE}") from None
    except (OSError, SyntaxError, ValueError, EOFError) as error:
        raise PictureError(f"{path}: the picture is damaged or cut short ({error}).") from None


def _decode(path: Path) -> NDArray[np.uint8]:
    # Pillow checks sizes before it decodes, and says so when a file ends too early; OpenCV fills the rest with grey.
    with Pillow.open(path) as picture:
        width, height = picture.size
        if width * height > MOST_PIXELS:
            raise PictureError(f"{path}: {width}x{height}: {_TOO_LARGE}")
        if getattr(picture, "n_frames", 1) > 1 and picture.format in ("GIF", "PNG", "WEBP"):
            raise PictureError(
                f"{path}: is an animation, not one picture; save the frame to be read as a picture."
            )
        picture.load()
        upright = ImageOps.exif_transpose(picture)
        rgb = _to_rgb(upright)
    return np.ascontiguousarray(rgb[..., ::-1])


def _to_rgb(picture: Pillow.Image) -> NDArray[np.uint8]:
    """Any kind of picture as (h, w, 3) uint8 RGB; transparent parts become white."""
    if picture.mode.startswith("I") or picture.mode == "F":  # 16 bits and more a pixel
        deep = np.asarray(picture, np.float64)
        top = 65535.0 if picture.mode.startswith("I;16") or deep.max() > 255 else 255.0
        if picture.mode == "F" and deep.max() <= 1.0:
            top = 1.0
        grey = np.clip(deep / top * 255, 0, 255).astype(np.uint8)
        return np.repeat(grey[..., None], 3, 2)
    if picture.mode in ("RGBA", "LA", "PA") or "transparency" in picture.info:
        clear = picture.convert("RGBA")
        ground = Pillow.new("RGBA", clear.size, (255, 255, 255, 255))
        return np.asarray(Pillow.alpha_composite(ground, clear).convert("RGB"), np.uint8)
    return np.asarray(picture.convert("RGB"), np.uint8)


SURE = (80, 200, 60)
UNSURE = (0, 165, 255)


def draw_reading(image: NDArray[np.uint8], reading: Reading) -> NDArray[np.uint8]:
    """A copy of the picture (h, w, 3) uint8 BGR with every die framed, its value and confidence beside it.

    Doubtful dice wear an orange frame with broken lines, so that colour is not the only sign.
    """
    out = image.copy()
    longer = max(out.shape[:2])
    if longer < 640:  # room for letters
        factor = 640 / longer
        out = np.asarray(
            cv2.resize(out, None, fx=factor, fy=factor, interpolation=cv2.INTER_LINEAR), np.uint8
        )
    else:
        factor = 1.0
    thick = max(2, round(max(out.shape[:2]) / 500))
    letters = max(0.5, max(out.shape[:2]) / 1100)
    for die in reading.dice:
        x0, y0, x1, y1 = (round(v * factor) for v in die.box)
        colour = UNSURE if die.reasons else SURE
        if die.reasons:
            _broken(out, (x0, y0), (x1, y1), colour, thick)
        else:
            cv2.rectangle(out, (x0, y0), (x1, y1), colour, thick, cv2.LINE_AA)
        text = f"{die.value} {die.confidence * 100:.0f}%"
        draw_label(out, text, (x0, y0), letters, colour)
    words = " ".join(str(v) for v in reading.roll) or "no dice"
    verdict = "sure" if reading.sure else "unsure: " + ", ".join(reading.reasons)
    draw_label(out, f"{words}  {verdict}", (0, out.shape[0]), letters, SURE if reading.sure else UNSURE)
    return out


def _broken(
    image: NDArray[np.uint8], a: tuple[int, int], b: tuple[int, int], colour: tuple[int, int, int], thick: int
) -> None:
    corners = [a, (b[0], a[1]), b, (a[0], b[1]), a]
    for start, end in pairwise(corners):
        steps = 9
        for k in range(0, steps, 2):
            p = tuple(round(s + (e - s) * k / steps) for s, e in zip(start, end, strict=True))
            q = tuple(round(s + (e - s) * (k + 1) / steps) for s, e in zip(start, end, strict=True))
            cv2.line(image, (p[0], p[1]), (q[0], q[1]), colour, thick, cv2.LINE_AA)


def draw_label(
    image: NDArray[np.uint8], text: str, at: tuple[int, int], size: float, colour: tuple[int, int, int]
) -> None:
    """Black letters on a plate of `colour`, whose lower left corner is `at`, moved into the picture where needed."""
    font, thick, gap = cv2.FONT_HERSHEY_SIMPLEX, max(1, round(size * 1.8)), round(5 * size) + 1
    while True:
        (width, height), below = cv2.getTextSize(text, font, size, thick)
        if width + 2 * gap <= image.shape[1] or size < 0.3:
            break
        size *= 0.9
    x = max(0, min(at[0], image.shape[1] - width - 2 * gap))
    y = max(height + below + 2 * gap, min(at[1], image.shape[0]))
    cv2.rectangle(image, (x, y - height - below - 2 * gap), (x + width + 2 * gap, y), colour, -1)
    cv2.putText(image, text, (x + gap, y - below - gap), font, size, (0, 0, 0), thick, cv2.LINE_AA)
