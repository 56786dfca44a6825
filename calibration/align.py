"""From places found again in another picture to the map between both pictures, whatever a part of the places says.

A place may be known in one direction only, as on a straight edge: its error along the edge then counts for nothing.
Everything is told in widths of the picture, from its middle, so that no number here depends on a picture's size.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibration.geometry import Matrix, Points, mapped

Floats = NDArray[np.float64]

NEAR = 0.006  # widths: how far a place may lie from where a first guess has it
CLOSE = 0.003  # widths: how far from where the map that was fitted has it
NOISE = 0.0010  # widths: standard error of one place, about a third of a pixel of the small picture
GUESSES = 160
GOOD_ENOUGH = 0.85  # of all weight: a map that explains this much needs no guess beside it
TURN_OR_SCALE = 0.05  # how far a camera turns (radians) or zooms by a bump, as a standard deviation
SHEAR = 0.005
PERSPECTIVE = 0.04  # per width: what a camera that pans by a few degrees does to straight lines
MOST_SHEAR = 0.015  # no bump does more ...
SLIDING = 0.1  # ... but for this share of a turn in radians


@dataclass(frozen=True, slots=True)
class Pairs:
    """Places of a reference that were found in a picture.

    `where` and `found`: (n, 2), widths from the middle. `weight`: (n,), 0 for a place that was not found.
    `known`: (n, 2, 2), the directions in which a place is known: the unit matrix at a corner, n n^T on an edge
    of normal n. `score`: (n,), how well a place was recognised, 0 to 1.
    """

    where: Points
    found: Points
    weight: Floats
    known: Floats
    score: Floats

    def some(self, which: NDArray[np.bool_]) -> Pairs:
        """Only those places."""
        return Pairs(
            self.where[which], self.found[which], self.weight[which], self.known[which], self.score[which]
        )


@dataclass(frozen=True, slots=True)
class Fit:
    """The map `matrix` from reference to picture, and how well it is known.

    `error`: (n,), widths, how far each place lies from where the map has it, in the directions known.
    `spread`: (8, 8), the covariance of the map's parameters.
    """

    matrix: Matrix
    error: Floats
    spread: Floats

    def uncertainty(self, where: Points) -> float:
        """Standard error in widths of the mapped middle of some points (n, 2), in the worst direction."""
        middle = where.mean(axis=0, keepdims=True)
        rows = _rows(middle, mapped(middle, self.matrix))[0]
        return float(np.sqrt(max(0.0, float(np.linalg.eigvalsh(rows @ self.spread @ rows.T)[-1]))))

    @property
    def likely(self) -> bool:
        """Whether a camera that is bumped, or a tray that is pushed, can do this."""
        (a, b), (c, d) = self.matrix[:2, :2].tolist()
        turn = abs(math.atan2(c - b, a + d))
        # The more it turns the more marks on edges slide along them unnoticed.
        return math.hypot(a - d, b + c) / 2 < MOST_SHEAR + SLIDING * turn

    @property
    def doubt_of_turn(self) -> float:
        """Standard error of the turn, in radians."""
        return float(np.sqrt(max(0.0, self.spread[3, 3] + self.spread[4, 4] - 2 * self.spread[3, 4])) / 2)

    @property
    def doubt_of_scale(self) -> float:
        """Standard error of the scale."""
        return float(np.sqrt(max(0.0, self.spread[2, 2] + self.spread[5, 5] + 2 * self.spread[2, 5])) / 2)


def errors(matrix: Matrix, pairs: Pairs) -> Floats:
    """How far each place lies from where the map has it, in the directions known: (n,), widths."""
    apart = mapped(pairs.where, matrix) - pairs.found
    return np.asarray(np.sqrt(np.maximum(0.0, np.einsum("ni,nij,nj->n", apart, pairs.known, apart))))


def support(error: Floats, weight: Floats, near: float = NEAR) -> float:
    """Weight of the places that agree, the closer the more."""
    return float(np.sum(weight * np.maximum(0.0, 1 - (error / near) ** 2)))


def fit(pairs: Pairs, tries: list[Matrix], random: np.random.Generator) -> Fit | None:
    """The map that most places agree with; None where fewer than three were found.

    `tries`: maps that may be right, such as the last one; where none of them explains nearly all, maps through two or
    three places at random are tried too.
    """
    there = np.flatnonzero(pairs.weight > 0)
    if len(there) < 3:
        return None
    best, most = np.eye(3), -1.0
    for matrix in tries:
        held = support(errors(matrix, pairs), pairs.weight)
        if held > most:
            best, most = matrix, held
    if most < GOOD_ENOUGH * float(np.sum(pairs.weight)):
        guess, held = _guess(pairs, there, random)
        if held > most:
            best = guess
    return _refined(pairs, best)


def _guess(pairs: Pairs, there: NDArray[np.intp], random: np.random.Generator) -> tuple[Matrix, float]:
    """The best of the maps (shift, turn, zoom) through two or three places each, with its support."""
    chosen = there[random.integers(0, len(there), (GUESSES, 3))]
    x, y = pairs.where[:, 0], pairs.where[:, 1]
    one, nil = np.ones_like(x), np.zeros_like(x)
    rows = np.stack(
        [np.stack([one, nil, x, -y], axis=1), np.stack([nil, one, y, x], axis=1)], axis=1
    )  # (n, 2, 4)
    weighed = np.einsum("nij,njk->nik", pairs.known, rows)  # known is a projection: its own square
    squares = np.einsum("nij,nik->njk", rows, weighed)
    sides = np.einsum("nij,ni->nj", weighed, pairs.found - pairs.where)
    loose = np.diag([1e-9, 1e-9, *[(NOISE / TURN_OR_SCALE) ** 2] * 2])
    parameters = np.linalg.solve(squares[chosen].sum(axis=1) + loose, sides[chosen].sum(axis=1)[..., None])[
        ..., 0
    ]
    apart = np.einsum("nij,gj->gni", rows, parameters) - (pairs.found - pairs.where)[None]
    far = np.einsum("gni,nij,gnj->gn", apart, pairs.known, apart)
    held = np.maximum(0.0, 1 - far / NEAR**2) @ pairs.weight
    number = int(np.argmax(held))
    tx, ty, zoom, turn = parameters[number].tolist()
    return np.array([(1 + zoom, -turn, tx), (turn, 1 + zoom, ty), (0, 0, 1)]), float(held[number])


def _rows(where: Points, found: Points) -> Floats:
    """How shift, linear part and perspective move each place: (n, 2, 8), in the order of `_matrix`."""
    x, y = where[:, 0], where[:, 1]
    u, v = found[:, 0], found[:, 1]
    one, nil = np.ones_like(x), np.zeros_like(x)
    across = np.stack([one, nil, x, y, nil, nil, -x * u, -y * u], axis=1)
    down = np.stack([nil, one, nil, nil, x, y, -x * v, -y * v], axis=1)
    # Sorted as shift, xx, xy, yx, yy, perspective.
    return np.stack([across, down], axis=1)


def _matrix(p: Floats) -> Matrix:
    return np.array([(1 + p[2], p[3], p[0]), (p[4], 1 + p[5], p[1]), (p[6], p[7], 1)], dtype=np.float64)


def _prior() -> Floats:
    """What bumps of a camera are like: (8, 8), as inverse variances."""
    prior = np.diag([1e-3, 1e-3, 0, 0, 0, 0, PERSPECTIVE**-2, PERSPECTIVE**-2])
    for first, second, sign, size in (
        (2, 5, 1, TURN_OR_SCALE),
        (4, 3, -1, TURN_OR_SCALE),
        (2, 5, -1, SHEAR),
        (4, 3, 1, SHEAR),
    ):
        row = np.zeros(8)
        row[first], row[second] = 0.5, 0.5 * sign
        prior += np.outer(row, row) / size**2
    return prior


PRIOR = _prior()


def _refined(pairs: Pairs, matrix: Matrix) -> Fit:
    """Fit shift, linear part and perspective to the places near the first guess, the closer the more."""
    rows = _rows(pairs.where, pairs.found)
    weighed = np.einsum("nij,njk->nik", pairs.known, rows)
    squares = np.einsum("nij,nik->njk", rows, weighed) / NOISE**2
    sides = np.einsum("nij,ni->nj", weighed, pairs.found - pairs.where) / NOISE**2
    full = PRIOR
    for near in (2 * NEAR, NEAR, CLOSE, CLOSE):
        error = errors(matrix, pairs)
        weight = np.minimum(1.0, pairs.weight) * np.maximum(0.0, 1 - (error / near) ** 2) ** 2
        full = PRIOR + np.einsum("n,njk->jk", weight, squares)
        matrix = _matrix(np.linalg.solve(full, weight @ sides))
    return Fit(matrix, errors(matrix, pairs), np.asarray(np.linalg.inv(full), dtype=np.float64))
