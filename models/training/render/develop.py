"""From linear light to the picture of a webcam: exposure, white balance, tone, lens, sensor noise."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

Light = NDArray[np.float32]
Image = NDArray[np.uint8]


@dataclass(frozen=True)
class Development:
    """How a camera turns light into a picture.

    `exposure` multiplies the light; `balance` the channels (red green blue); `contrast` bends the tone
    curve (1 is none); `softness` is the lens's blur and `sharpen` the overshoot that the camera adds to
    hide it, `noise` the standard deviation of the sensor at middle grey, in units of white, and `vignette`
    the loss of light in the corners.
    """

    exposure: float = 1.0
    balance: tuple[float, float, float] = (1.0, 1.0, 1.0)
    contrast: float = 1.15
    softness: float = 0.7
    sharpen: float = 0.35
    noise: float = 0.010
    vignette: float = 0.15


def metered(light: Light, *, bright: float = 0.62, share: float = 0.9) -> float:
    """The exposure at which `share` of the picture is darker than `bright` (linear), as automatic cameras do."""
    grey = light @ np.array([0.21, 0.72, 0.07], np.float32)
    return float(bright / max(float(np.quantile(grey, share)), 1e-6))


def balanced(light: Light, strength: float = 0.75) -> tuple[float, float, float]:
    """White balance that takes away `strength` of the picture's cast, judged by its brightest tenth."""
    grey = light.mean(axis=-1)
    bright = light[grey >= np.quantile(grey, 0.9)].mean(axis=0)
    gains = (bright.mean() / np.maximum(bright, 1e-6)) ** strength
    gains /= gains[1]
    return (float(gains[0]), float(gains[1]), float(gains[2]))


def despeckled(light: Light) -> Light:
    """Without the lone bright dots that a tracer leaves where light comes through glass."""
    middle = np.stack([cv2.medianBlur(np.ascontiguousarray(light[..., i]), 5) for i in range(3)], -1)
    grey, around = light.max(axis=-1), middle.max(axis=-1)
    return np.where((grey > 1.7 * around + 0.01)[..., None], middle, light).astype(np.float32)


def smoothed(light: Light, strength: float = 3.0) -> Light:
    """With less of a tracer's even grain: smoothed where neighbours differ by no more than a few times the grain."""
    shown = np.sqrt(np.maximum(light, 0)).astype(np.float32)
    grain = 1.48 * float(np.median(np.abs(shown - np.asarray(cv2.medianBlur(shown, 3)).reshape(shown.shape))))
    calm = np.asarray(cv2.bilateralFilter(shown, 5, strength * grain + 1e-5, 1.4), np.float32)
    return calm * calm


def combined(new: Light, old: Light, clean: Light, samples: int) -> Light:
    """What `new` would be if it were as clean as `clean`, both `new` and `old` traced with the same random numbers.

    `old` and `clean` show the same scene. Where `new` is the same as `old` the answer is `clean`; where it differs by
    little, most of the noise is the same in both and is taken off; where something else is to be seen, `new` stands
    by itself, and the grain that `samples` paths a pixel leave is smoothed between edges.
    """
    now, before = (cv2.GaussianBlur(each.max(axis=-1), (0, 0), 2.0) for each in (new, old))
    alike = ((np.minimum(now, before) + 1e-5) / (np.maximum(now, before) + 1e-5)) ** 2
    change = np.asarray(new - clean - alike[..., None] * (old - clean), np.float32)
    level = float(np.median(clean))
    return np.maximum(clean + cv2.bilateralFilter(change, 7, 2.5 * level / samples**0.5, 2.0), 0).astype(
        np.float32
    )


def tone(light: Light, how: Development) -> Light:
    """Linear light to display values 0..1 without noise: what all frames of a still picture share."""
    height, width = light.shape[:2]
    y, x = np.mgrid[0:height, 0:width].astype(np.float32)
    edge = ((x / width - 0.5) ** 2 + (y / height - 0.5) ** 2) / 0.5
    values = light * (how.exposure * np.array(how.balance, np.float32)) * (1 - how.vignette * edge)[..., None]
    values = np.asarray(cv2.GaussianBlur(values, (0, 0), how.softness), np.float32)
    # A soft shoulder: up to 0.7 as it is, above that bent towards white.
    over = np.maximum(values - 0.7, 0)
    values = np.minimum(values, 0.7) + 0.3 * (1 - np.exp(-over / 0.3))
    shown = np.where(
        values <= 0.0031308, 12.92 * values, 1.055 * np.maximum(values, 1e-9) ** (1 / 2.4) - 0.055
    )
    shown = 0.45 + how.contrast * (shown - 0.45)
    soft = cv2.GaussianBlur(shown.astype(np.float32), (0, 0), 1.2)
    return np.clip(shown + how.sharpen * (shown - soft), 0, 1).astype(np.float32)


def exposed(shown: Light, how: Development, random: np.random.Generator, flicker: float = 0.0) -> Image:
    """Display values to a frame, (h, w, 3) uint8 BGR: `flicker` of the lamp (share of light) and fresh noise."""
    height, width = shown.shape[:2]
    fine = random.normal(size=(height, width, 1)).astype(np.float32)
    coarse = random.normal(size=(height // 2 + 1, width // 2 + 1, 3)).astype(np.float32)
    blotches = cv2.resize(coarse, (width, height), interpolation=cv2.INTER_LINEAR)
    strength = how.noise * (0.5 + 1.0 * np.sqrt(np.clip(1 - shown.mean(axis=-1, keepdims=True), 0, 1)))
    noisy = shown * (1 + flicker) + strength * (fine + 0.5 * blotches)
    return np.ascontiguousarray(np.clip(noisy[..., ::-1] * 255 + 0.5, 0, 255).astype(np.uint8))
