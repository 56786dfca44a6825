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

Colours = NDArray[np.float32]
"""(rows, columns, 3) float32 over the small copy, blue green red."""

TABLES = 4  # looks of the table that are remembered ...
APART_S = 5.0  # ... so far apart, but for the newest
JOINED = (
    5  # small pixels: what is so near belongs together, as a hand that a rim of its own colour cuts in two
)
DEEP = 6  # small pixels from the edge: a hand reaches further in
LEAST_HAND = 0.002  # of the picture: smaller things at the edge are no hand
MOST_HAND = 0.7  # of the picture: what covers more is a change of light
COLOUR_APART = 0.16  # of a channel's light, beyond what all channels share
DARKEST, BRIGHTEST = 0.35, 1.3  # of the table's light: a shadow lies between
LINES_APART = 0.14  # of the look without light
SHARP, LEAST_SHARP = 0.1, 0.3  # of the look; so much of the outline of a thing is sharp, a shadow's is not
TOUCH = 0.15  # of a die's size: what is nearer touches it
SHADOW_RIM = 0.5  # of a die's size around its box that is still the die

_SQUARE = np.ones((3, 3), np.uint8)


@dataclass(frozen=True, slots=True)
class _Table:
    """The table without hands at some time: `colour`, smoothed a little, and `look` without light."""

    time: float
    colour: Colours
    look: Map


class Hands:
    """Remembers the table, and tells what lies over it. Give it looks of the same size, or `forget` first."""

    def __init__(self, gate: MotionGate) -> None:
        self._gate = gate
        self._tables: list[_Table] = []  # oldest first; only what differs from all of them may be a hand

    def forget(self) -> None:
        """Another picture: the table is not known."""
        self._tables.clear()

    def learn(self, look: Look, time: float) -> None:
        """The table looks so at `time`, seconds, and no hand is over it.

        Some older looks are kept for a while, since a hand that is not told from the table is learned with it.
        """
        table = _Table(time, _smooth(look), look.look)
        if len(self._tables) > 1 and self._tables[-1].time - self._tables[-2].time < APART_S:
            self._tables[-1] = table
        else:
            self._tables = [*self._tables[1 - TABLES :], table]

    def reach(self, look: Look, dice: Sequence[Box] = ()) -> Mask | None:
        """Where something reaches in from the edge, (rows, columns) of the look; None if nothing does.

        `dice`: boxes in pixels of the frame that are no hand, though a die may lie at the edge.
        """
        if not self._tables:
            return None
        colour = _smooth(look)
        apart = np.ones(look.look.shape, dtype=np.bool_)
        for table in reversed(self._tables):
            apart &= self._apart(colour, look.look, table)
            if not (
                apart[:EDGE].any() or apart[-EDGE:].any() or apart[:, :EDGE].any() or apart[:, -EDGE:].any()
            ):
                return None
        if np.count_nonzero(apart) > MOST_HAND * apart.size:
            return None
        joined = cv2.dilate(apart.astype(np.uint8), np.ones((JOINED, JOINED), np.uint8))
        names = np.where(apart, np.asarray(cv2.connectedComponents(joined)[1]), 0)
        inner = np.zeros(apart.shape, dtype=np.bool_)
        inner[EDGE:-EDGE, EDGE:-EDGE] = True
        free = np.zeros(apart.shape, dtype=np.bool_)
        free[DEEP:-DEEP, DEEP:-DEEP] = True
        for box in dice:
            free[self._gate.cells(box, SHADOW_RIM)] = False
        least = LEAST_HAND * apart.size
        hand = np.zeros(apart.shape, dtype=np.bool_)
        for name in np.unique(names[apart & ~inner]).tolist():
            part = names == name
            if np.count_nonzero(part & free) >= least and self._solid(part, look.look):
                hand |= part
        return hand if hand.any() else None

    def touches(self, box: Box, hand: Mask | None) -> bool:
        """Whether a hand lies on the die in `box`, or touches it."""
        return hand is not None and bool(np.count_nonzero(hand[self._gate.cells(box, TOUCH)]) >= 2)

    def _apart(self, colour: Colours, look: Map, table: _Table) -> Mask:
        """Where something else than the table is seen, whatever the light."""
        then = table.colour * _gain(colour, table.colour)
        # The light that fits all channels best; what is left over is another colour.
        light = np.sum(colour * then, axis=2) / np.maximum(np.sum(then * then, axis=2), 1.0)
        lit = light[..., None] * then
        other = (np.abs(colour - lit) / (lit + LOG_OFFSET)).max(axis=2) > COLOUR_APART
        lines = np.abs(look - table.look) > LINES_APART
        apart = other | (light < DARKEST) | (light > BRIGHTEST) | lines
        whole = cv2.morphologyEx(cv2.medianBlur(apart.astype(np.uint8), 3), cv2.MORPH_CLOSE, _SQUARE)
        return np.asarray(cv2.morphologyEx(whole, cv2.MORPH_OPEN, _SQUARE), dtype=np.bool_)

    def _solid(self, part: Mask, look: Map) -> bool:
        """Whether `part` has a sharp outline: it is no shadow, and no light."""
        whole = part.astype(np.uint8)
        rim = (cv2.dilate(whole, _SQUARE) - cv2.erode(whole, _SQUARE, borderValue=1)).astype(np.bool_)
        rim[:EDGE], rim[-EDGE:], rim[:, :EDGE], rim[:, -EDGE:] = False, False, False, False
        strength = cv2.dilate(np.abs(look), _SQUARE)[rim]
        return len(strength) > 0 and float(np.mean(strength > SHARP)) > LEAST_SHARP


def _smooth(look: Look) -> Colours:
    return np.asarray(cv2.blur(look.colour.astype(np.float32), (3, 3)), dtype=np.float32)


def _gain(now: Colours, then: Colours) -> NDArray[np.float32]:
    """How much brighter the picture is as a whole, for each channel (3,)."""
    ratio = (now[::3, ::3] + LOG_OFFSET) / (then[::3, ::3] + LOG_OFFSET)
    return np.asarray(np.median(ratio.reshape(-1, 3), axis=0), dtype=np.float32)
