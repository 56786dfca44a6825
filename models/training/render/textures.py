"""Pictures for surfaces, made of noise: felt, wood, leather, skin. Linear reflectance, (h, w, 3) float32, tiling."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

Texture = NDArray[np.float32]
Color = tuple[float, float, float]


def noise(
    size: int, scale: float, random: np.random.Generator, *, stretch: float = 1.0
) -> NDArray[np.float64]:
    """Smooth tiling noise of standard deviation 1; `scale` in pixels, `stretch` lengthens it along the columns."""
    white = random.normal(size=(size, size))
    fy, fx = np.fft.fftfreq(size)[:, None], np.fft.fftfreq(size)[None, :]
    soft = np.exp(-2 * (np.pi * scale) ** 2 * (fy**2 + (fx * stretch) ** 2))
    field = np.fft.ifft2(np.fft.fft2(white) * soft).real
    return (field - field.mean()) / max(float(field.std()), 1e-12)


def felt(color: Color, random: np.random.Generator, size: int = 1024) -> Texture:
    """Pressed wool: fibres, a little fluff, faint worn patches."""
    fibres = (
        noise(size, 0.7, random)
        + 0.6 * noise(size, 1.0, random, stretch=5)
        + 0.6 * noise(size, 1.0, random).T
    )
    worn = noise(size, 90, random)
    shade = np.exp(0.10 * fibres + 0.05 * worn)
    fluff = np.clip(noise(size, 1.3, random) - 2.6, 0, 1)[..., None]
    return _clip(np.array(color) * shade[..., None] + fluff * 0.25)


def wood(colors: Sequence[Color], random: np.random.Generator, size: int = 1024, planks: int = 3) -> Texture:
    """Planks along the columns: rings cut lengthwise, pores, joints; `colors` are early wood, late wood, pore."""
    early, late, pore = (np.array(each) for each in colors)
    rows = np.arange(size)[:, None] / size
    bend = 0.035 * noise(size, 60, random, stretch=6) + 0.006 * noise(size, 12, random, stretch=10)
    number = np.floor(rows * planks).astype(int)
    offset = random.uniform(0, 9, planks)[number]
    rings = np.sin(2 * np.pi * ((rows + bend) * 9 + offset)) * 0.5 + 0.5
    mix = np.clip(rings**2 + 0.12 * noise(size, 1.5, random, stretch=14), 0, 1)[..., None]
    base = early * (1 - mix) + late * mix
    pores = np.clip(noise(size, 0.8, random, stretch=16) - 1.3, 0, 1)[..., None]
    tone = (1 + 0.10 * random.normal(size=planks)[number])[..., None]
    joint = np.exp(-((((rows * planks) % 1.0) * size / planks / 1.5) ** 2))[..., None]
    return _clip((base * (1 - pores) + pore * pores) * tone * (1 - 0.8 * joint))


def leather(color: Color, random: np.random.Generator, size: int = 512) -> Texture:
    """Grained leather."""
    grain = np.abs(noise(size, 3, random)) + 0.5 * np.abs(noise(size, 1.5, random))
    return _clip(np.array(color) * np.exp(0.25 * (grain - grain.mean()))[..., None])


def mottled(color: Color, random: np.random.Generator, strength: float = 0.06, size: int = 512) -> Texture:
    """An almost even surface: plastic, stone, painted board."""
    field = noise(size, 40, random) + 0.4 * noise(size, 2, random)
    return _clip(np.array(color) * np.exp(strength * field)[..., None])


def checked(one: Color, other: Color, random: np.random.Generator, size: int = 512) -> Texture:
    """A woven cloth with a check of two colours."""
    band = (np.arange(size) * 4 // size) % 2
    mix = (band[:, None] + band[None, :])[..., None] / 2
    weave = 1 + 0.10 * noise(size, 0.7, random)[..., None]
    return _clip((np.array(one) * (1 - mix) + np.array(other) * mix) * weave)


def marble(
    points: NDArray[np.float64], one: Color, other: Color, random: np.random.Generator
) -> NDArray[np.float64]:
    """Colours (n, 3) of a swirled solid at `points` (n, 3), in units of a die's side."""
    waves = np.zeros(len(points))
    warp = points.copy()
    for frequency in (1.3, 2.6, 5.2):
        direction = random.normal(size=(3, 3)) * frequency
        warp = warp + 0.35 / frequency * np.sin(warp @ direction * 2 + random.uniform(0, 6.3, 3))
    waves = np.sin(warp @ (random.normal(size=3) * 6) + random.uniform(0, 6.3))
    mix = (0.5 + 0.5 * np.tanh(2.2 * waves))[:, None]
    return np.asarray(np.array(one) * (1 - mix) + np.array(other) * mix)


def grain(
    points: NDArray[np.float64], early: Color, late: Color, random: np.random.Generator
) -> NDArray[np.float64]:
    """Colours (n, 3) of wood at `points` (n, 3), in units of a die's side: rings round a tilted, distant axis."""
    axis = random.normal(size=3)
    axis /= np.linalg.norm(axis)
    away = points - random.normal(size=3) * 1.5
    radius = np.linalg.norm(away - (away @ axis)[:, None] * axis, axis=1)
    rings = np.sin(2 * np.pi * (radius * 7 + 0.05 * np.sin(points @ random.normal(size=3) * 9))) * 0.5 + 0.5
    streak = 0.15 * np.sin(points @ (np.cross(axis, random.normal(size=3)) * 60))
    mix = np.clip(rings**1.5 + streak, 0, 1)[:, None]
    return np.asarray(np.array(early) * (1 - mix) + np.array(late) * mix)


def blurred(texture: Texture, sigma: float) -> Texture:
    """A softer copy, tiling preserved."""
    pad = int(4 * sigma) + 1
    wide = cv2.copyMakeBorder(texture, pad, pad, pad, pad, cv2.BORDER_WRAP)
    return np.asarray(cv2.GaussianBlur(wide, (0, 0), sigma)[pad:-pad, pad:-pad], dtype=np.float32)


def _clip(values: NDArray[np.float64]) -> Texture:
    return np.clip(values, 0.003, 0.9).astype(np.float32)
