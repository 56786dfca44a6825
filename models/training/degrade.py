"""What cameras do to a picture: exposure, white balance, tone, blur, noise, JPEG."""

from __future__ import annotations

import cv2
import numpy as np

from models.training.paint import Image


def degrade(image: np.ndarray, rng: np.random.Generator, strength: float = 1.0) -> Image:
    """Returns a worse copy of `image` ((h, w, 3), 0 to 255) as uint8; `strength` 0 leaves it nearly alone."""
    out = image.astype(np.float32)
    size = min(out.shape[:2])
    if rng.random() < 0.75:
        gain = float(np.exp(rng.normal(0, 0.3 * strength)))
        balance = np.exp(rng.normal(0, 0.1 * strength, 3)).astype(np.float32)
        if rng.random() < 0.12 * strength:  # a coloured bar lamp
            balance *= np.exp(rng.normal(0, 0.35, 3)).astype(np.float32)
        out *= gain * balance
    if rng.random() < 0.4:
        gamma = float(np.exp(rng.normal(0, 0.3 * strength)))
        out = 255 * (np.clip(out, 0, 255) / 255) ** gamma
    if rng.random() < 0.3:
        middle = float(out.mean())
        out = (out - middle) * rng.uniform(0.5, 1.4) + middle
    if rng.random() < 0.08 * strength:
        grey = cv2.cvtColor(np.clip(out, 0, 255).astype(np.float32), cv2.COLOR_BGR2GRAY)[..., None]
        out = out * 0 + grey
    elif rng.random() < 0.2:
        grey = out @ np.array([0.114, 0.587, 0.299], np.float32)
        out = grey[..., None] + (out - grey[..., None]) * rng.uniform(0.2, 1.5)
    if rng.random() < 0.35 * strength:  # a lower resolution
        factor = rng.uniform(0.45, 0.95)
        small = cv2.resize(out, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA)
        out = cv2.resize(small, (out.shape[1], out.shape[0]), interpolation=cv2.INTER_LINEAR)
    blur = rng.random()
    if blur < 0.3 * strength:
        out = cv2.GaussianBlur(out, (0, 0), float(rng.uniform(0.4, 1.5)))
    elif blur < 0.36 * strength:
        length = int(rng.integers(3, 8))
        kernel = np.zeros((length, length), np.float32)
        kernel[length // 2] = 1 / length
        turn = cv2.getRotationMatrix2D((length / 2 - 0.5, length / 2 - 0.5), float(rng.uniform(0, 180)), 1)
        kernel = cv2.warpAffine(kernel, turn, (length, length))
        out = cv2.filter2D(out, -1, kernel / max(kernel.sum(), 1e-6))
    elif blur < 0.46:
        soft = cv2.GaussianBlur(out, (0, 0), 1.0)
        out = out + (out - soft) * rng.uniform(0.3, 1.5)
    if rng.random() < 0.55:
        sigma = abs(rng.normal(0, 7 * strength))
        shape = out.shape if rng.random() < 0.5 else (*out.shape[:2], 1)
        noise = rng.standard_normal(shape, np.float32) * np.float32(sigma)
        if rng.random() < 0.4 and size > 40:
            noise = cv2.GaussianBlur(noise, (0, 0), 0.8).reshape(shape) * 1.6
        out = out + noise
    result: Image = np.clip(out, 0, 255).astype(np.uint8)
    if rng.random() < 0.4:
        quality = int(rng.integers(25, 92))
        _, code = cv2.imencode(".jpg", result, [cv2.IMWRITE_JPEG_QUALITY, quality])
        decoded = cv2.imdecode(code, cv2.IMREAD_COLOR)
        assert decoded is not None
        result = decoded.astype(np.uint8)
    return result
