"""What reaches in from the picture's edge, also while it rests: a hand that lies still among the dice.

The gate tells what moves. A hand at rest moves nothing, but it covers the table: so the table as it last looked without
one is remembered, small, and what differs from it, has an outline of its own and comes from the edge is a hand (or a
glass put there; whoever touches the dice with it has not thrown them yet). Shadows are darker table and have no sharp
outline, a lamp changes everything.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.gate import EDGE, LOG_OFFSET, Look, Map, Mask, MotionGate
from vision.roll import Box

LEAST_HAND = 0.002  # of the picture: smaller things at the edge are no hand
MOST_HAND = 0.7  # of the picture: what covers more is a change of light
COLOUR_APART = 0.16  # of a channel's light, beyond what all channels share
DARKEST, BRIGHTEST = 0.35, 1.3  # of the table's light: a shadow lies between
LINES_APART = 0.14  # of the look without light
LEAST_OUTLINE = 0.06  # mean look along the outline of something; a shadow's is less
GHOST = 1.25  # an outline so much stronger in the remembered picture was left by something that has gone
TOUCH = 0.15  # of a die's size: what is nearer touches it
SHADOW_RIM = 0.1  # of a die's size around its box that is still the die

_SQUARE = np.ones((3, 3), np.uint8)


@dataclass(frozen=True, slots=True)
class _Table:
    """The table without hands: `colour` (rows, columns, 3) float32, smoothed a little, and `look` without light."""

    colour: NDArray[np.float32]
    look: Map


class Hands:
    """Remembers the table, and tells what lies over it. Give it looks of the same size, or `forget` first."""

    def __init__(self, gate: MotionGate) -> None:
        self._gate = gate
        self._table: _Table | None = None

    def forget(self) -> None:
        """Another picture: the table is not known."""
        self._table = None

    def learn(self, look: Look, hand: Mask | None = None) -> None:
        """The table looks so now, but where there is a `hand`."""
        colour = _smooth(look)
        if self._table is None or hand is None:
            self._table = _Table(colour, look.look)
            return
        gain = _gain(colour, self._table.colour, ~hand)
        kept = np.where(hand[..., None], self._table.colour * gain, colour)
        self._table = _Table(kept.astype(np.float32), np.where(hand, self._table.look, look.look))

    def reach(self, look: Look, dice: Sequence[Box] = ()) -> Mask | None:
        """Where something reaches in from the edge, (rows, columns) of the look; None if nothing does.

        `dice`: boxes in pixels of the frame that are no hand, though a die may lie at the edge.
        """
        if self._table is None:
            return None
        apart = self._apart(look, self._table)
        if np.count_nonzero(apart) > MOST_HAND * apart.size:
            return None
        _, names, areas, _ = cv2.connectedComponentsWithStats(apart.astype(np.uint8), connectivity=8)
        inner = np.zeros(apart.shape, dtype=np.bool_)
        inner[EDGE:-EDGE, EDGE:-EDGE] = True
        free = apart.copy()
        for box in dice:
            free[self._gate.cells(box, SHADOW_RIM)] = False
        least = LEAST_HAND * apart.size
        hand = np.zeros(apart.shape, dtype=np.bool_)
        for name in np.unique(names[~inner]).tolist():
            if name == 0 or areas[name, cv2.CC_STAT_AREA] < least:
                continue
            part = names == name
            if np.count_nonzero(part & free) >= least and self._solid(part, look, self._table):
                hand |= part
        return hand if hand.any() else None

    def touches(self, box: Box, hand: Mask | None) -> bool:
        """Whether a hand lies on the die in `box`, or touches it."""
        return hand is not None and bool(np.count_nonzero(hand[self._gate.cells(box, TOUCH)]) >= 2)

    def _apart(self, look: Look, table: _Table) -> Mask:
        """Where something else than the table is seen, whatever the light."""
        colour = _smooth(look)
        then = table.colour * _gain(colour, table.colour)
        # The light that fits all channels best; what is left over is another colour.
        light = np.sum(colour * then, axis=2) / np.maximum(np.sum(then * then, axis=2), 1.0)
        left = np.abs(colour - light[..., None] * then) / (then + LOG_OFFSET)
        other = left.max(axis=2) > COLOUR_APART
        lines = np.abs(look.look - table.look) > LINES_APART
        apart = other | (light < DARKEST) | (light > BRIGHTEST) | lines
        whole = cv2.morphologyEx(cv2.medianBlur(apart.astype(np.uint8), 3), cv2.MORPH_CLOSE, _SQUARE)
        return np.asarray(cv2.morphologyEx(whole, cv2.MORPH_OPEN, _SQUARE), dtype=np.bool_)

    def _solid(self, part: Mask, look: Look, table: _Table) -> bool:
        """Whether `part` has a sharp outline now, which the table had not: no shadow, and nothing that has gone."""
        whole = part.astype(np.uint8)
        rim = (cv2.dilate(whole, _SQUARE) - cv2.erode(whole, _SQUARE, borderValue=1)).astype(np.bool_)
        rim[:EDGE], rim[-EDGE:], rim[:, :EDGE], rim[:, -EDGE:] = False, False, False, False
        if not rim.any():
            return False
        now, then = float(np.abs(look.look[rim]).mean()), float(np.abs(table.look[rim]).mean())
        return now > LEAST_OUTLINE and then < GHOST * now


def _smooth(look: Look) -> NDArray[np.float32]:
    return np.asarray(cv2.blur(look.colour.astype(np.float32), (3, 3)), dtype=np.float32)


def _gain(
    now: NDArray[np.float32], then: NDArray[np.float32], where: Mask | None = None
) -> NDArray[np.float32]:
    """How much brighter the picture is as a whole, for each channel (3,)."""
    few, before = now[::3, ::3], then[::3, ::3]
    ratio = (few + LOG_OFFSET) / (before + LOG_OFFSET)
    chosen = ratio.reshape(-1, 3) if where is None else ratio[where[::3, ::3]]
    return np.asarray(np.median(chosen, axis=0) if len(chosen) else np.ones(3), dtype=np.float32)
