"""How often the data factory draws what: every share in one place, so that it can be read, and changed, at a glance."""

from __future__ import annotations

import numpy as np

CHANCES: dict[str, dict[str, float]] = {
    # Dice. Material, pips and edges are drawn once a set; a scene shows one set or a mixture.
    "sets": {"one set": 0.62, "mixed": 0.38},
    "material": {
        "opaque": 0.38,
        "marbled": 0.14,
        "translucent": 0.13,
        "pearl": 0.09,
        "wood": 0.07,
        "casino": 0.09,
        "asian": 0.10,
    },
    "body": {"white": 0.18, "ivory": 0.16, "black": 0.13, "grey": 0.05, "red": 0.12, "any": 0.36},
    "pips": {
        "contrast": 0.42,
        "white": 0.13,
        "black": 0.11,
        "gold": 0.10,
        "red": 0.06,
        "yellow": 0.05,
        "any": 0.05,
        "faint": 0.08,
    },
    "relief": {"drilled": 0.70, "flat": 0.30},
    "wear": {"new": 0.86, "worn": 0.14},
    "edges": {"sharp": 0.16, "bevelled": 0.44, "soft": 0.24, "ball": 0.16},
    # How many there are and how they lie.
    "count": {"0": 0.03, "1": 0.11, "2": 0.14, "3": 0.30, "4": 0.13, "5": 0.14, "6": 0.09, "7": 0.06},
    "lie": {"apart": 0.40, "touching": 0.29, "cocked": 0.26, "stacked": 0.05},
    "leaning on": {"wall": 0.34, "coin": 0.30, "die": 0.36},
    # What they lie on and in.
    "ground": {
        "felt": 0.18,
        "wood": 0.18,
        "leather": 0.08,
        "paper": 0.09,
        "board": 0.13,
        "cloth": 0.09,
        "plain": 0.13,
        "glossy": 0.12,
    },
    "tray": {"none": 0.40, "round": 0.21, "hexagon": 0.12, "square": 0.15, "black box": 0.12},
    # What lies about: how many things, and which.
    "things": {"0": 0.26, "1": 0.22, "2": 0.22, "3": 0.15, "5": 0.15},
    "thing": {
        "chips": 0.14,
        "coin": 0.12,
        "glass": 0.07,
        "phone": 0.06,
        "pen": 0.07,
        "card": 0.10,
        "paper": 0.05,
        "cup": 0.04,
        "cap": 0.07,
        "domino": 0.06,
        "bead": 0.08,
        "polyhedron": 0.14,
    },
    "odd cubes": {"none": 0.66, "numerals": 0.13, "blank": 0.13, "symbols": 0.08},
    "hand": {"none": 0.88, "open": 0.07, "closed": 0.05},
    # Light and camera.
    "light": {
        "soft lamp": 0.28,
        "hard lamp": 0.20,
        "bar lamp": 0.17,
        "window": 0.17,
        "flash": 0.08,
        "even": 0.10,
    },
    "colour of light": {"white": 0.42, "warm": 0.34, "cold": 0.12, "coloured": 0.12},
    "glare": {"none": 0.82, "across the pips": 0.18},
    "view": {"from above": 0.32, "leaning": 0.68},
    "framing": {"all dice": 0.86, "too near": 0.14},
}


def pick(random: np.random.Generator, what: str) -> str:
    """One of the names in a row of `CHANCES`."""
    row = CHANCES[what]
    return str(random.choice(list(row), p=list(row.values())))
