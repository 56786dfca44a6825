"""A reliability plot as SVG: how often pictures were right that were said to be right with a certain probability."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

EDGES = (0.0, 0.2, 0.4, 0.6, 0.75, 0.85, 0.92, 0.96, 0.98, 0.99, 1.0)
"""Bounds of the bins, closer where decisions are made."""
SIDE, MARGIN = 360, 46


def bins(table: np.ndarray) -> list[tuple[float, float, int]]:
    """For each bin that is not empty: mean probability, share that was right, how many. `table` (n, 2+)."""
    out = []
    for low, high in pairwise(EDGES):
        part = table[(table[:, 0] >= low) & ((table[:, 0] < high) | (high == 1.0))]
        if len(part):
            out.append((float(part[:, 0].mean()), float(part[:, 1].mean()), len(part)))
    return out


def plot(table: np.ndarray) -> str:
    """The plot; `table` (n, 3): probability, whether right, 1 for a photo and 0 for a painted scene.

    The vertical lines are Wilson's intervals of 95%.
    """
    parts = [
        f"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {SIDE + 2 * MARGIN} {SIDE + 2 * MARGIN}' "
        "font-family='sans-serif' font-size='12'>",
        f"<rect width='{SIDE + 2 * MARGIN}' height='{SIDE + 2 * MARGIN}' fill='#fff'/>",
        f"<rect x='{MARGIN}' y='{MARGIN}' width='{SIDE}' height='{SIDE}' fill='none' stroke='#888'/>",
        f"<line x1='{MARGIN}' y1='{MARGIN + SIDE}' x2='{MARGIN + SIDE}' y2='{MARGIN}' stroke='#bbb'/>",
    ]
    for tick in (0, 0.25, 0.5, 0.75, 1):
        x, y = MARGIN + tick * SIDE, MARGIN + (1 - tick) * SIDE
        parts.append(f"<text x='{x:.0f}' y='{MARGIN + SIDE + 16}' text-anchor='middle'>{tick:g}</text>")
        parts.append(f"<text x='{MARGIN - 6}' y='{y + 4:.0f}' text-anchor='end'>{tick:g}</text>")
    for photo, colour, name in ((1, "#0a5c36", "photos"), (0, "#b07a1e", "painted scenes")):
        for said, right, count in bins(table[table[:, 2] == photo]):
            low, high = _interval(right, count)
            x = MARGIN + said * SIDE
            y, top, bottom = (MARGIN + (1 - v) * SIDE for v in (right, high, low))
            parts.append(
                f"<line x1='{x:.1f}' y1='{top:.1f}' x2='{x:.1f}' y2='{bottom:.1f}' stroke='{colour}'/>"
            )
            words = f"{name}: {count} pictures, said {said:.3f}, right {right:.3f}"
            parts.append(
                f"<circle cx='{x:.1f}' cy='{y:.1f}' r='4' fill='{colour}'><title>{words}</title></circle>"
            )
        place = MARGIN + 18 + (0 if photo else 18)
        parts.append(f"<text x='{MARGIN + 10}' y='{place}' fill='{colour}'>{name}</text>")
    middle = MARGIN + SIDE / 2
    parts.append(f"<text x='{middle}' y='{MARGIN + SIDE + 36}' text-anchor='middle'>said to be right</text>")
    parts.append(
        f"<text x='14' y='{middle}' text-anchor='middle' transform='rotate(-90 14 {middle})'>was right</text>"
    )
    return "\n".join([*parts, "</svg>"]) + "\n"


def _interval(share: float, count: int, z: float = 1.96) -> tuple[float, float]:
    """Wilson's interval of a share of `count`."""
    middle = (share + z * z / (2 * count)) / (1 + z * z / count)
    half = z / (1 + z * z / count) * float(np.sqrt(share * (1 - share) / count + z * z / (4 * count * count)))
    return middle - half, middle + half
