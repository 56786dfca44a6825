"""What is printed on faces and cards: numerals, symbols, the small print of casino dice. Masks, 0 to 1, painted."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np

if TYPE_CHECKING:
    from models.training.render.dress import Dress

FONTS = (
    cv2.FONT_HERSHEY_SIMPLEX,
    cv2.FONT_HERSHEY_DUPLEX,
    cv2.FONT_HERSHEY_TRIPLEX,
    cv2.FONT_HERSHEY_COMPLEX,
)
WORDS = ("CLUB", "LUCKY", "ROYAL", "BAR", "ACE", "PALACE", "421", "GOLD", "A.B", "No 7")
POKER = ("A", "K", "Q", "J", "10", "9")


def text(
    words: str,
    side: int,
    *,
    at: tuple[float, float] = (0.5, 0.5),
    size: float = 0.5,
    thick: float = 0.06,
    font: int = 0,
    turn: float = 0.0,
) -> np.ndarray:
    """`words` in a (side, side) mask: middle `at`, height `size` and strokes `thick` in sides, `turn` in degrees."""
    scale = 4 if side < 200 else 1
    big = side * scale
    mask = np.zeros((big, big), np.uint8)
    stroke = max(1, round(thick * big))
    (_, height), _ = cv2.getTextSize(words, FONTS[font], 1.0, 1)
    factor = size * big / height
    (width, height), _ = cv2.getTextSize(words, FONTS[font], factor, stroke)
    if width > 0.96 * big:
        factor *= 0.96 * big / width
        (width, height), _ = cv2.getTextSize(words, FONTS[font], factor, stroke)
    corner = (int(at[0] * big - width / 2), int(at[1] * big + height / 2))
    cv2.putText(mask, words, corner, FONTS[font], factor, (255,), stroke, cv2.LINE_AA)
    if turn:
        matrix = cv2.getRotationMatrix2D((at[0] * big, at[1] * big), turn, 1.0)
        mask = cv2.warpAffine(mask, matrix, (big, big)).astype(np.uint8)
    small = cv2.resize(mask, (side, side), interpolation=cv2.INTER_AREA)
    return np.asarray(small, np.float32) / 255


def figure(name: str, side: int, at: tuple[float, float] = (0.5, 0.5), size: float = 0.6) -> np.ndarray:
    """A filled figure in a (side, side) mask: heart, spade, diamond, club, star, cross, moon, ring, crown."""
    scale = 4
    y, x = (np.mgrid[0 : side * scale, 0 : side * scale] + 0.5) / (side * scale)
    x, y = (x - at[0]) / (size / 2), (y - at[1]) / (size / 2)

    def disc(cx: float, cy: float, r: float) -> np.ndarray:
        return np.asarray(np.hypot(x - cx, y - cy) < r)

    angle, away = np.arctan2(x, -y), np.hypot(x, y)
    heart = (x**2 + (-y * 1.1 + 0.1 - 0.7 * np.sqrt(np.abs(x))) ** 2) < 0.72
    stem = (np.abs(x) < 0.10 + 0.25 * np.clip(y - 0.4, 0, 1)) & (y > 0) & (y < 1)
    made = {
        "heart": heart,
        "spade": ((x**2 + (y * 1.1 + 0.1 - 0.7 * np.sqrt(np.abs(x))) ** 2) < 0.72) & (y < 0.6) | stem,
        "diamond": np.abs(x) * 1.25 + np.abs(y) < 1,
        "club": disc(0, -0.45, 0.42) | disc(-0.48, 0.15, 0.42) | disc(0.48, 0.15, 0.42) | stem,
        "star": away
        < 0.42
        / np.cos((angle + 0.2 * np.pi) % (0.4 * np.pi) - 0.2 * np.pi)
        * (1 + 0.9 * np.abs(np.cos(2.5 * angle)) ** 3),
        "cross": (np.abs(x) < 0.28) & (np.abs(y) < 0.9) | (np.abs(y) < 0.28) & (np.abs(x) < 0.9),
        "moon": disc(0, 0, 0.9) & ~disc(0.42, -0.15, 0.75),
        "ring": disc(0, 0, 0.9) & ~disc(0, 0, 0.62),
        "crown": (np.abs(x) < 0.8) & (y < 0.7) & (y > 0.1 - 0.75 * np.abs(((x * 1.25 + 3) % 1.0) - 0.5) * 2),
    }[name]
    return np.asarray(
        cv2.resize(made.astype(np.float32), (side, side), interpolation=cv2.INTER_AREA), np.float32
    )


FIGURES = ("heart", "spade", "diamond", "club", "star", "cross", "moon", "ring", "crown")


def printed(value: int, side: int, dress: Dress, random: np.random.Generator) -> np.ndarray:
    """What stands on face `value` beside pips, (side, side), its upper edge first."""
    if dress.kind == "numerals":
        font, size = dress.shape.slant % len(FONTS), 0.42 + 0.04 * (dress.shape.slant % 5)
        mark = text(str(value), side, size=size, thick=0.07, font=font)
        if value == 6 and dress.shape.slant % 2:
            line = np.zeros_like(mark)
            line[int(0.84 * side) : int(0.89 * side), int(0.3 * side) : int(0.7 * side)] = 1
            mark = np.maximum(mark, line)
        return mark
    if dress.kind == "symbols":
        if dress.shape.slant % 3 == 0:
            return text(POKER[value - 1], side, size=0.5, thick=0.06, font=dress.shape.slant % len(FONTS))
        return figure(FIGURES[(value + dress.shape.slant) % len(FIGURES)], side)
    mask = np.zeros((side, side), np.float32)
    if dress.prints:
        word = WORDS[dress.shape.slant % len(WORDS)]
        style = dress.shape.slant % 4
        if style in (0, 2):
            thin = max(1, side // 40)
            for radius in (0.16, 0.13)[: 1 + style // 2]:
                cv2.circle(mask, (side // 2, side // 2), int(radius * side), 1.0, thin, cv2.LINE_AA)
        if style in (1, 2):
            for at, turn in (((0.5, 0.14), 0.0), ((0.5, 0.86), 180.0)):
                mask = np.maximum(mask, text(word, side, at=at, size=0.09, thick=0.018, turn=turn))
        if style in (0, 3):
            name = FIGURES[dress.shape.slant % 5]
            for x, y in ((0.5, 0.2), (0.5, 0.8)) if value in (2, 3, 4, 5) else ((0.2, 0.5), (0.8, 0.5)):
                mask = np.maximum(mask, figure(name, side, (x, y), 0.15))
        if value % 2 == 0:
            mask = np.maximum(
                mask, text(word, side, size=0.10, thick=0.02, turn=90.0 * int(random.integers(4)))
            )
    return mask * dress.prints
