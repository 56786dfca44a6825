"""From linear light to what a webcam sends: exposure that follows the light, flicker of lamps, noise, JPEG."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from benchmarks.clips.view import Floats

Image = NDArray[np.uint8]
MAINS_HZ = 50.0
SPARE = 64


@dataclass(frozen=True)
class Camera:
    """How a camera takes pictures.

    `shutter` is seconds of exposure; `target` the mean brightness (0 to 1, display) that the exposure aims at, in about
    `adapt_s` seconds (0: it never changes); `noise` in units of white; `sharpness` how much it sharpens, or softens if
    negative; `flicker` the share of light that lamps lose and gain with the mains, seen in bands since rows are read
    over `readout_s`; `quality` that of the JPEG (0: none).
    """

    shutter: float = 0.012
    target: float = 0.42
    adapt_s: float = 0.35
    noise: float = 0.012
    sharpness: float = 0.4
    flicker: float = 0.0
    readout_s: float = 0.016
    quality: int = 88
    warmth: float = 0.0
    vignette: float = 0.2


class Sensor:
    """Takes pictures one after the other, in order; keeps exposure and noise."""

    def __init__(self, camera: Camera, size: tuple[int, int], rng: np.random.Generator) -> None:
        self._camera, self._rng = camera, rng
        width, height = size
        fine = rng.normal(0, 1, (height + SPARE, width + SPARE, 3)).astype(np.float32)
        coarse = rng.normal(0, 1, ((height + SPARE) // 2, (width + SPARE) // 2, 3)).astype(np.float32)
        grain = 0.75 * fine + 0.6 * cv2.resize(
            coarse, (width + SPARE, height + SPARE), interpolation=cv2.INTER_LINEAR
        )
        self._grain = np.asarray(grain, np.float32)
        y, x = np.mgrid[0:height, 0:width].astype(np.float32)
        edge = ((x / width - 0.5) ** 2 + (y / height - 0.5) ** 2) / 0.5
        tint = np.array([1 - camera.warmth, 1.0, 1 + camera.warmth], np.float32)
        self._gain = np.asarray((1 - camera.vignette * edge)[..., None] * tint, np.float32)
        self._exposure = 0.0
        self._time = 0.0

    def take(self, light: Floats, time: float, gain: float = 1.0) -> Image:
        """A picture (h, w, 3) of linear light of the same size; `gain` is a whim of the camera's own."""
        camera = self._camera
        wanted = self._metered(light)
        if self._exposure <= 0:
            self._exposure = wanted
        elif camera.adapt_s > 0:
            share = 1 - float(np.exp(-max(0.0, time - self._time) / camera.adapt_s))
            self._exposure *= (wanted / self._exposure) ** share
        self._time = time
        shown = np.asarray(cv2.multiply(light, self._gain, scale=self._exposure * gain), np.float32)
        if camera.flicker > 0:
            rows = time + camera.readout_s * np.arange(len(light), dtype=np.float32) / len(light)
            wave = 1 + camera.flicker * np.sin(4 * np.pi * MAINS_HZ * rows)
            shown *= wave[:, None, None].astype(np.float32)
        # A soft shoulder, then the curve of a display: near enough a root.
        bright = shown > 0.75
        over = shown[bright] - np.float32(0.75)
        shown[bright] = 0.75 + 0.25 * over / (over + np.float32(0.25))
        cv2.sqrt(shown, shown)
        if camera.sharpness != 0:
            soft = cv2.GaussianBlur(shown, (0, 0), 1.2)
            cv2.addWeighted(shown, 1 + camera.sharpness, soft, -camera.sharpness, 0, shown)
        # The root also makes the noise of light the same everywhere.
        left, top = (int(each) for each in self._rng.integers(0, SPARE, 2))
        grain = self._grain[top : top + len(light), left : left + light.shape[1]]
        sign = 1 if self._rng.random() < 0.5 else -1
        image = np.asarray(
            cv2.addWeighted(shown, 255, grain, sign * 255 * camera.noise, 0, dtype=cv2.CV_8U), np.uint8
        )
        if camera.quality <= 0:
            return image
        _, data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, camera.quality])
        return np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)

    def _metered(self, light: Floats) -> float:
        small = light[::8, ::8].mean(-1)
        shown = np.sqrt(np.maximum(small, 1e-6))
        # Neither whites blown out nor a dark picture: the mean to the target, the brightest twentieth below white.
        return float(
            min((self._camera.target / shown.mean()) ** 2, 0.9 / max(float(np.quantile(small, 0.97)), 1e-6))
        )
