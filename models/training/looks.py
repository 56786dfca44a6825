"""How dice and cameras may look: drawn at random, far more widely than any one collection of photos shows."""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np

TURNABLE = 0.45
"""Up to this tilt (radians) the upper face is the largest whichever way the picture is turned."""


@dataclass(frozen=True)
class Look:
    """How one set of dice looks. Colours are BGR, 0 to 255; lengths in units of half a side."""

    body: tuple[float, float, float]
    vein: tuple[float, float, float]  # second colour of marble or wood grain
    pip: tuple[float, float, float]
    pattern: str  # "plain", "marble", "grain", "speckle"
    pattern_strength: float
    bevel: float  # radius of the rounded edges
    corner: float  # how round the flat part of a face is: 0 square, 1 disc
    pip_radius: float
    spacing: float
    six_spacing: float  # the middle row of a six may be nearer
    pip_alpha: float
    drilled: float  # strength of the shading inside a pip
    ring: bool
    big_red_one: bool
    red_four: bool
    translucent: float  # 0 opaque to 1 clear
    print_: bool  # small print between pips, as on casino dice
    kind: str = "pips"  # or "symbol", "numeral", "blank": never a readable die
    face_tint: float = 0.0  # the flat of a face differs from its bevel
    chirality: int = 1
    gloss: float = 0.3


@dataclass(frozen=True)
class View:
    """How the camera looks at the table: tilt from straight above and roll in radians, distance in half sides."""

    tilt: float
    roll: float
    distance: float
    light: tuple[float, float, float]  # unit vector towards the lamp, table coordinates
    ambient: float
    shadow: float  # 0 none to 1 black
    shadow_blur: float  # in half sides


def _hsv(h: float, s: float, v: float) -> tuple[float, float, float]:
    pixel = np.array([[[h * 179, s * 255, v * 255]]], np.uint8)
    b, g, r = cv2.cvtColor(pixel, cv2.COLOR_HSV2BGR)[0, 0]
    return (float(b), float(g), float(r))


def luma(colour: tuple[float, float, float]) -> float:
    """How bright a colour (blue, green, red) looks, in the same measure: the weights of ITU-R BT.601."""
    return 0.114 * colour[0] + 0.587 * colour[1] + 0.299 * colour[2]


def random_look(rng: np.random.Generator) -> Look:
    """Draws a set of dice: from plain ivory to marble with faint gold pips."""
    u = rng.random()
    if u < 0.33:  # white and ivory
        body = _hsv(rng.uniform(0.06, 0.16), rng.uniform(0, 0.35), rng.uniform(0.7, 1.0))
    elif u < 0.5:  # black and grey
        body = _hsv(rng.random(), rng.uniform(0, 0.3), rng.uniform(0.05, 0.45))
    elif u < 0.6:  # wood
        body = _hsv(rng.uniform(0.04, 0.13), rng.uniform(0.3, 0.7), rng.uniform(0.45, 0.95))
    else:
        body = _hsv(rng.random(), rng.uniform(0.45, 1.0), rng.uniform(0.25, 1.0))
    vein = _hsv(rng.random(), rng.uniform(0, 1), rng.uniform(0.1, 1.0))
    wanted = rng.choice(
        ["contrast", "white", "black", "gold", "any", "hue", "dark"],
        p=[0.31, 0.18, 0.13, 0.1, 0.12, 0.11, 0.05],
    )
    if wanted == "contrast":
        pip = (15.0, 15.0, 15.0) if luma(body) > 110 else (240.0, 240.0, 240.0)
        pip = tuple(float(np.clip(c + rng.normal(0, 14), 0, 255)) for c in pip)  # type: ignore[assignment]
    elif wanted == "white":
        pip = _hsv(0.13, rng.uniform(0, 0.15), rng.uniform(0.85, 1.0))
    elif wanted == "black":
        pip = _hsv(rng.random(), 0.3, rng.uniform(0.0, 0.2))
    elif wanted == "dark":  # deep red, blue or green on black
        body = _hsv(rng.random(), rng.uniform(0, 0.4), rng.uniform(0.03, 0.22))
        hue = float(rng.choice([rng.normal(0.0, 0.02) % 1, rng.random()], p=[0.7, 0.3]))
        pip = _hsv(hue, rng.uniform(0.75, 1.0), rng.uniform(0.3, 0.75))
    elif wanted == "gold":
        pip = _hsv(rng.uniform(0.1, 0.14), rng.uniform(0.4, 0.8), rng.uniform(0.6, 0.95))
    else:
        pip = _hsv(rng.random(), rng.uniform(0.3, 1.0), rng.uniform(0.2, 1.0))
    # Pips must be visible to a person; hue alone is enough in the "hue" and "dark" cases.
    least = 24 if wanted in ("hue", "dark") else 45
    if max(abs(a - b) for a, b in zip(body, pip, strict=True)) < least * 1.6 or (
        wanted not in ("hue", "dark") and abs(luma(body) - luma(pip)) < least
    ):
        pip = (15.0, 15.0, 15.0) if luma(body) > 110 else (240.0, 240.0, 240.0)
    pattern = str(rng.choice(["plain", "marble", "grain", "speckle"], p=[0.58, 0.24, 0.1, 0.08]))
    strength = float(rng.uniform(0.15, 0.9))
    if pattern == "marble" and abs(luma(vein) - luma(pip)) < 50:
        strength *= 0.45 if rng.random() < 0.7 else 0.8
    kind = "pips"
    translucent = float(rng.uniform(0.2, 0.8)) if rng.random() < 0.15 else 0.0
    return Look(
        body=body,
        vein=vein,
        pip=pip,
        pattern=pattern,
        pattern_strength=strength,
        bevel=float(rng.choice([rng.uniform(0.03, 0.14), rng.uniform(0.12, 0.4)])),
        corner=float(rng.choice([rng.uniform(0, 0.3), rng.uniform(0.3, 1.0)])),
        pip_radius=float(rng.uniform(0.13, 0.25)),
        spacing=float(rng.uniform(0.42, 0.62)),
        six_spacing=float(rng.uniform(0.8, 1.0)),
        pip_alpha=float(rng.uniform(0.55, 0.85)) if rng.random() < 0.15 else float(rng.uniform(0.9, 1.0)),
        drilled=float(rng.uniform(0, 0.55)),
        ring=bool(rng.random() < 0.05),
        big_red_one=bool(rng.random() < 0.12),
        red_four=bool(rng.random() < 0.06),
        translucent=translucent,
        print_=bool(rng.random() < 0.08),
        kind=kind,
        face_tint=float(rng.normal(0, 0.12)) if rng.random() < 0.4 else 0.0,
        chirality=1 if rng.random() < 0.5 else -1,
        gloss=float(rng.uniform(0, 0.9)),
    )


def unreadable(look: Look, rng: np.random.Generator) -> Look:
    """The same set with something other than pips on its faces."""
    return replace(look, kind=str(rng.choice(["symbol", "symbol", "numeral", "numeral", "blank"])))


def random_view(rng: np.random.Generator) -> View:
    """Draws a camera and a lamp."""
    tilt = abs(rng.normal(0, 0.12)) if rng.random() < 0.35 else rng.uniform(0.05, 1.05)
    azimuth = rng.uniform(0, 2 * np.pi)
    height = rng.uniform(0.35, 1.4)
    light = (np.cos(azimuth) * np.cos(height), np.sin(azimuth) * np.cos(height), np.sin(height))
    return View(
        tilt=float(min(tilt, 1.1)),
        # Who looks from the side holds the camera upright; who looks from above may stand anywhere.
        roll=float(rng.uniform(0, 2 * np.pi) if tilt < TURNABLE else rng.normal(0, 0.12)),
        distance=float(np.exp(rng.uniform(np.log(12), np.log(60)))),
        light=(float(light[0]), float(light[1]), float(light[2])),
        ambient=float(rng.uniform(0.35, 0.85)),
        shadow=float(rng.uniform(0.1, 0.75)),
        shadow_blur=float(rng.uniform(0.05, 0.6)),
    )
