"""Paints what dice lie on and among: tables, trays, cloth, print, and things that are not dice."""

from __future__ import annotations

import cv2
import numpy as np

from models.training.markings import Floats, write
from models.training.paint import value_noise


def _colour(rng: np.random.Generator) -> np.ndarray:
    if rng.random() < 0.45:  # greys and woods
        base = np.array([1.0, 1.0, 1.0]) * rng.uniform(10, 245)
        base *= 1 + rng.normal(0, 0.08, 3)
        if rng.random() < 0.45:
            base *= np.array([0.6, 0.8, 1.0])
    else:
        base = rng.uniform(0, 255, 3) * rng.uniform(0.3, 1)
    return np.clip(base, 0, 255)


def surface(rng: np.random.Generator, size: int) -> Floats:
    """A table top, cloth, paper, wood or mesh that fills the picture; (size, size, 3) float32, 0 to 255."""
    base, second = _colour(rng), _colour(rng)
    canvas = np.empty((size, size, 3), np.float32)
    canvas[:] = base
    style = rng.choice(
        ["plain", "cloth", "wood", "blotches", "mesh", "print"], p=[0.26, 0.24, 0.2, 0.12, 0.08, 0.1]
    )
    if style == "cloth":
        grain = rng.normal(0, rng.uniform(4, 26), (size, size, 1)).astype(np.float32)
        canvas += cv2.GaussianBlur(grain, (0, 0), float(rng.uniform(0.4, 1.4)))[..., None]
    elif style == "wood":
        angle = rng.uniform(0, np.pi)
        y, x = np.mgrid[0:size, 0:size].astype(np.float32) / size
        along = x * np.cos(angle) + y * np.sin(angle)
        across = -x * np.sin(angle) + y * np.cos(angle)
        warp = value_noise(rng, size, size, 3) * rng.uniform(0.02, 0.25) + 0.02 * np.sin(along * 9)
        rings = np.sin((across + warp) * rng.uniform(20, 140)) * 0.5 + 0.5
        blend = (rings**2 * rng.uniform(0.1, 0.6))[..., None].astype(np.float32)
        canvas = canvas * (1 - blend) + (second * 0.6 + base * 0.4).astype(np.float32) * blend
        canvas += rng.normal(0, 3, (size, size, 1)).astype(np.float32)
    elif style == "blotches":
        blend = value_noise(rng, size, size, float(rng.uniform(2, 30)), 4)[..., None] * np.float32(
            rng.uniform(0.2, 1)
        )
        canvas = canvas * (1 - blend) + second.astype(np.float32) * blend
    elif style == "mesh":
        step, thick = int(rng.integers(10, 50)), int(rng.integers(1, 7))
        colour = tuple(float(c) for c in second)
        for at in range(int(rng.integers(0, step)), size, step):
            cv2.line(canvas, (at, 0), (at, size), colour, thick, cv2.LINE_AA)
            if rng.random() < 0.97:
                cv2.line(canvas, (0, at), (size, at), colour, thick, cv2.LINE_AA)
        if rng.random() < 0.7:
            turn = cv2.getRotationMatrix2D((size / 2, size / 2), float(rng.uniform(0, 90)), 1.5)
            canvas = cv2.warpAffine(canvas, turn, (size, size))
    elif style == "print":
        for _ in range(int(rng.integers(3, 12))):
            colour = tuple(float(c) for c in _colour(rng))
            at = tuple(int(v) for v in rng.integers(-20, size, 2))
            kind = rng.random()
            if kind < 0.4:
                text = "".join(
                    rng.choice(list("ABCDEFGHIKLMNOPRSTUVXYZ0123456789.:-"), int(rng.integers(2, 12)))
                )
                font, height, thick = (
                    int(rng.integers(0, 5)),
                    float(rng.uniform(0.4, 2.5)),
                    int(rng.integers(1, 5)),
                )
                write(canvas, text, (at[0], at[1]), font, height, (colour[0], colour[1], colour[2]), thick)
            elif kind < 0.7:
                cv2.rectangle(canvas, at, tuple(int(v) for v in rng.integers(0, size, 2)), colour,
                              int(rng.choice([-1, 1, 2, 4])), cv2.LINE_AA)  # fmt: skip
            else:
                cv2.circle(
                    canvas, at, int(rng.integers(6, 120)), colour, int(rng.choice([-1, 1, 3, 6])), cv2.LINE_AA
                )
    return np.ascontiguousarray(canvas, np.float32)


def tray(canvas: Floats, rng: np.random.Generator) -> None:
    """Draws the rim and walls of a round, hexagonal or square tray into the picture, in place."""
    size = canvas.shape[0]
    centre = rng.uniform(0.2, 0.8, 2) * size
    radius = rng.uniform(0.3, 1.1) * size
    corners = int(rng.choice([4, 6, 8, 48]))
    angles = np.linspace(0, 2 * np.pi, corners, endpoint=False) + rng.uniform(0, 1)
    squash = rng.uniform(0.6, 1.0)
    inside, wall, rim = _colour(rng), _colour(rng), _colour(rng)
    same_floor = rng.random() < 0.4

    def ring(at: float) -> np.ndarray:
        x = centre[0] + at * radius * np.cos(angles)
        y = centre[1] + at * radius * squash * np.sin(angles)
        return (np.stack([x, y], 1) * 8).astype(np.int32)

    before = canvas.copy()
    cv2.fillPoly(canvas, [ring(1.25)], tuple(float(c) for c in rim), cv2.LINE_AA, 3)
    cv2.fillPoly(canvas, [ring(1.2)], tuple(float(c) for c in wall), cv2.LINE_AA, 3)
    if same_floor:
        mask = np.zeros(canvas.shape[:2], np.uint8)
        cv2.fillPoly(mask, [ring(1.0)], 255, cv2.LINE_AA, 3)
        canvas[mask > 127] = before[mask > 127]
    else:
        cv2.fillPoly(canvas, [ring(1.0)], tuple(float(c) for c in inside), cv2.LINE_AA, 3)
        canvas += rng.normal(0, rng.uniform(0, 10), (*canvas.shape[:2], 1)).astype(np.float32)
    if rng.random() < 0.3:
        cv2.polylines(
            canvas, [ring(1.22)], True, (250.0, 250.0, 250.0), int(rng.integers(1, 6)), cv2.LINE_AA, 3
        )


def ring(canvas: Floats, rng: np.random.Generator, centre: tuple[float, float], half: float) -> float:
    """Draws what a die may lie within, in place: a ring, plate, lid or coaster around `centre`, pixels.

    `half` is half a side of the die. Returns the radius that is free inside, pixels.
    """
    reach = half * rng.uniform(1.6, 4.0)
    squash, turn = float(rng.uniform(0.75, 1.0)), float(rng.uniform(0, 180))
    middle = (int(centre[0] * 8), int(centre[1] * 8))

    def oval(radius: float, colour: np.ndarray, thick: float) -> None:
        axes, ink = (int(radius * 8), int(radius * squash * 8)), tuple(float(c) for c in colour)
        cv2.ellipse(
            canvas, middle, axes, turn, 0, 360, ink, -1 if thick < 0 else max(1, int(thick)), cv2.LINE_AA, 3
        )

    rim, floor = _colour(rng), _colour(rng)
    if rng.random() < 0.5:  # with a floor of its own
        oval(reach * rng.uniform(1.0, 1.2), floor, -1)
    if rng.random() < 0.35:  # a grid or a weave inside
        step, thick = int(max(4, half * rng.uniform(0.3, 1.2))), max(1, int(half * rng.uniform(0.04, 0.2)))
        mask = np.zeros(canvas.shape[:2], np.uint8)
        cv2.ellipse(
            mask,
            (int(centre[0]), int(centre[1])),
            (int(reach), int(reach * squash)),
            turn,
            0,
            360,
            (255,),
            -1,
        )
        lines, colour = canvas.copy(), tuple(float(c) for c in _colour(rng))
        slant = float(rng.uniform(-1, 1))
        for at in range(-canvas.shape[0], 2 * canvas.shape[0], step):
            cv2.line(
                lines,
                (at, 0),
                (int(at + slant * canvas.shape[0]), canvas.shape[0]),
                colour,
                thick,
                cv2.LINE_AA,
            )
            cv2.line(
                lines,
                (0, at),
                (canvas.shape[1], int(at - slant * canvas.shape[1])),
                colour,
                thick,
                cv2.LINE_AA,
            )
        canvas[mask > 0] = lines[mask > 0]
    for _ in range(int(rng.integers(1, 4))):
        bright = rim if rng.random() < 0.6 else np.full(3, rng.uniform(200, 255))
        oval(reach * rng.uniform(1.0, 1.35), bright, half * rng.uniform(0.05, 0.5))
    if rng.random() < 0.4:  # light caught by a part of the rim
        start, axes = float(rng.uniform(0, 360)), (int(reach * 8.4), int(reach * squash * 8.4))
        end, thick = start + float(rng.uniform(20, 120)), max(1, int(half * 0.15))
        cv2.ellipse(canvas, middle, axes, turn, start, end, (255.0, 255.0, 255.0), thick, cv2.LINE_AA, 3)
    return float(reach * squash)


def thing(canvas: Floats, rng: np.random.Generator, half: float) -> None:
    """Draws one thing that is not a die, about the size of one, in place: coin, chip, pen, screw, dots, glass."""
    size = canvas.shape[0]
    at = rng.uniform(0, size, 2)
    centre = (int(at[0] * 8), int(at[1] * 8))
    kind = rng.choice(
        [
            "chip",
            "coin",
            "dot",
            "dots",
            "pen",
            "glass",
            "text",
            "block",
            "speck",
            "scribble",
            "ridges",
            "stain",
        ]
    )
    colour, other = (tuple(float(c) for c in _colour(rng)) for _ in range(2))
    radius = half * rng.uniform(0.5, 2.2)
    if kind == "chip":
        cv2.circle(
            canvas,
            (centre[0] + 16, centre[1] + 16),
            int(radius * 8.3),
            (15.0, 15.0, 15.0),
            -1,
            cv2.LINE_AA,
            3,
        )
        cv2.circle(canvas, centre, int(radius * 8), colour, -1, cv2.LINE_AA, 3)
        if rng.random() < 0.7:
            cv2.circle(canvas, centre, int(radius * 8 * rng.uniform(0.3, 0.85)), other, int(rng.choice([-1, 2, 4])),
                       cv2.LINE_AA, 3)  # fmt: skip
        for angle in np.linspace(0, 2 * np.pi, int(rng.choice([0, 0, 6, 8])), endpoint=False):
            cv2.ellipse(canvas, (int(at[0]), int(at[1])), (int(radius * 0.9), int(radius * 0.9)), 0,
                        float(np.degrees(angle)), float(np.degrees(angle)) + 18, other, 4, cv2.LINE_AA)  # fmt: skip
    elif kind == "coin":
        _coin(canvas, rng, at, radius)
    elif kind == "dot":
        cv2.circle(canvas, centre, int(radius * 8 * 0.35), colour, -1, cv2.LINE_AA, 3)
    elif kind == "dots":  # marks on paper or metal that lie like pips
        step = half * rng.uniform(0.3, 1.2)
        for _ in range(int(rng.integers(2, 14))):
            spot = at + np.round(rng.normal(0, 1.2, 2)) * step
            cv2.circle(canvas, (int(spot[0] * 8), int(spot[1] * 8)), max(8, int(step * 8 * 0.3)), colour, -1,
                       cv2.LINE_AA, 3)  # fmt: skip
    elif kind == "pen":
        angle = rng.uniform(0, np.pi)
        end = at + np.array([np.cos(angle), np.sin(angle)]) * half * rng.uniform(4, 14)
        width = max(2, int(half * rng.uniform(0.15, 0.9)))
        cv2.line(canvas, tuple(int(v) for v in at), tuple(int(v) for v in end), colour, width, cv2.LINE_AA)
        cv2.line(canvas, tuple(int(v) for v in at), tuple(int(v) for v in at + (end - at) * 0.2), other, width,
                 cv2.LINE_AA)  # fmt: skip
    elif kind == "glass":
        layer = canvas.copy()
        cv2.ellipse(layer, (int(at[0]), int(at[1])), (int(radius * 2), int(radius * rng.uniform(1.2, 2))), 0, 0, 360,
                    (245.0, 245.0, 245.0), int(rng.integers(1, 8)), cv2.LINE_AA)  # fmt: skip
        cv2.addWeighted(layer, 0.6, canvas, 0.4, 0, dst=canvas)
    elif kind == "text":
        text = "".join(rng.choice(list("0123456789ABCXYZ:;.%"), int(rng.integers(1, 6))))
        font, thick = int(rng.integers(0, 5)), int(rng.integers(1, 4))
        write(
            canvas,
            text,
            (int(at[0]), int(at[1])),
            font,
            half / 18 + 0.3,
            (colour[0], colour[1], colour[2]),
            thick,
        )
    elif kind == "scribble":
        points = at + np.cumsum(rng.normal(0, half * 0.5, (int(rng.integers(6, 40)), 2)), 0) * 0.6
        width = max(1, int(half * rng.uniform(0.04, 0.14)))
        cv2.polylines(canvas, [(points * 8).astype(np.int32)], False, colour, width, cv2.LINE_AA, 3)
        if rng.random() < 0.4:  # crossed out, as on a score pad
            for k in range(int(rng.integers(3, 9))):
                a = at + np.array([k * half * 0.2, -half]) + rng.normal(0, half * 0.1, 2)
                b = at + np.array([k * half * 0.2, half]) + rng.normal(0, half * 0.2, 2)
                cv2.line(
                    canvas, tuple(int(v) for v in a), tuple(int(v) for v in b), colour, width, cv2.LINE_AA
                )
    elif kind == "ridges":  # knurled metal, a ferrule, a vent
        angle = rng.uniform(0, np.pi)
        along = np.array([np.cos(angle), np.sin(angle)])
        across = np.array([-along[1], along[0]])
        for k in range(int(rng.integers(3, 10))):
            middle = at + along * k * half * rng.uniform(0.24, 0.26)
            ends = (middle - across * half * 0.7, middle + across * half * 0.7)
            cv2.line(canvas, tuple(int(v) for v in ends[0]), tuple(int(v) for v in ends[1]),
                     colour if k % 2 else other, max(1, int(half * 0.14)), cv2.LINE_AA)  # fmt: skip
    elif kind == "stain":  # hardly seen against the table
        x, y = (int(np.clip(v, 0, size - 1)) for v in at)
        shade = canvas[y, x] * rng.uniform(0.8, 1.2)
        points = at + rng.normal(0, radius * 0.6, (int(rng.integers(3, 8)), 2))
        hull = cv2.convexHull((points * 8).astype(np.int32))
        cv2.fillPoly(canvas, [hull], tuple(float(v) for v in shade), cv2.LINE_AA, 3)
    elif kind == "block":
        box = cv2.boxPoints(((float(at[0]), float(at[1])), (radius * 2, radius * rng.uniform(0.7, 3)),
                             float(rng.uniform(0, 90))))  # fmt: skip
        cv2.fillPoly(canvas, [(box * 8).astype(np.int32)], colour, cv2.LINE_AA, 3)
    else:
        for spot in rng.uniform(0, size, (int(rng.integers(1, 30)), 2)):
            cv2.circle(canvas, tuple(int(v) for v in spot), int(rng.integers(1, 4)), colour, -1, cv2.LINE_AA)


def _coin(canvas: Floats, rng: np.random.Generator, at: np.ndarray, radius: float) -> None:
    """A coin with its rim, a head or digit, and light that slides over it, in place."""
    metal = np.array(
        [(60, 140, 190), (90, 130, 175), (175, 180, 185), (120, 125, 130)][int(rng.integers(4))], float
    )
    metal *= rng.uniform(0.6, 1.3)
    squash, turn = float(rng.uniform(0.7, 1.0)), float(rng.uniform(0, 180))
    centre = (int(at[0] * 8), int(at[1] * 8))

    def oval(r: float, shade: float, thick: int) -> None:
        colour = tuple(float(c) for c in np.clip(metal * shade, 0, 255))
        cv2.ellipse(
            canvas, centre, (int(r * 8), int(r * squash * 8)), turn, 0, 360, colour, thick, cv2.LINE_AA, 3
        )

    oval(radius * 1.04, 0.4, -1)
    oval(radius, 1.0, -1)
    oval(radius * 0.88, rng.uniform(0.6, 1.4), max(1, int(radius * 0.05)))
    shade = tuple(float(c) for c in np.clip(metal * rng.uniform(0.5, 1.5), 0, 255))
    if rng.random() < 0.5:
        text = str(rng.choice(["1", "2", "5", "10", "20", "50", "c"]))
        size = radius / 22
        (w, h), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_DUPLEX, size, 2)
        write(canvas, text, (int(at[0] - w / 2), int(at[1] + h / 2)), cv2.FONT_HERSHEY_DUPLEX, size,
              (shade[0], shade[1], shade[2]), max(1, int(radius * 0.08)))  # fmt: skip
    else:  # a head
        points = at + rng.normal(0, radius * 0.28, (9, 2))
        cv2.fillPoly(canvas, [cv2.convexHull((points * 8).astype(np.int32))], shade, cv2.LINE_AA, 3)
        for _ in range(int(rng.integers(0, 7))):
            spot = at + rng.normal(0, radius * 0.35, 2)
            cv2.circle(canvas, tuple((spot * 8).astype(int)), int(radius * 0.5), shade, -1, cv2.LINE_AA, 3)


def lamp(canvas: Floats, rng: np.random.Generator) -> None:
    """Lays uneven light, soft shadow edges and glare over the whole picture, in place."""
    size = canvas.shape[0]
    if rng.random() < 0.6:
        y, x = np.mgrid[0:size, 0:size].astype(np.float32) / size - 0.5
        slope = rng.normal(0, 0.35, 2)
        canvas *= np.clip(1 + x * slope[0] + y * slope[1], 0.25, 1.8)[..., None].astype(np.float32)
    if rng.random() < 0.25:  # the edge of a shadow
        corners = rng.uniform(-0.3, 1.3, (int(rng.integers(3, 6)), 2)) * size
        mask = np.zeros((size, size), np.float32)
        cv2.fillPoly(mask, [corners.astype(np.int32)], float(rng.uniform(0.15, 0.65)))
        mask = cv2.GaussianBlur(mask, (0, 0), float(np.exp(rng.uniform(0, 3.2))))
        canvas *= 1 - mask[..., None]
    if rng.random() < 0.2:
        spot = rng.uniform(0, size, 2)
        y, x = np.mgrid[0:size, 0:size].astype(np.float32)
        blob = np.exp(-((x - spot[0]) ** 2 + (y - spot[1]) ** 2) / (2 * rng.uniform(10, 120) ** 2))
        canvas += (blob * rng.uniform(20, 200))[..., None].astype(np.float32)
