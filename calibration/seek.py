"""Looking for the marks of a reference in a picture: where they should be, farther off, and which of them to trust."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.align import CLOSE, NEAR, Fit, Pairs, errors
from calibration.geometry import Matrix, Points, mapped
from calibration.marks import ALIKE, HALF, Look, Map, Search, cut_at, marks_of

Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]
"""(rows, columns) bool over the picture, of any resolution."""

RIM_GONE = 0.6  # of the rim's marks: if so many are not in their places, the tray may have been pushed
COVERED = 0.25  # of a mark: where so much of it moves it is not looked for
MISSING = 0.3  # of all marks: only if so many are not in their places, some are looked for farther off
LEARN_ALIKE = 0.5  # a mark takes a second look only of what still resembles it
GLANCE = 3  # a glance asks one mark of so many ...
GLANCE_SEEN = 0.8  # ... and is content if so many of those are seen ...
GLANCE_CLOSE, GLANCE_SHARE = 0.0015, 0.85  # ... within so many widths of their places, but for some


class Seeker:
    """The marks of a reference `look`; `tray`: its outline (n, 2) in widths. All maps are of widths.

    `where`: (n, 2), the marks' places in widths. `trust`: (n,), from 0.1 to 1, how far each is believed.
    """

    def __init__(self, look: Look, tray: Points | None) -> None:
        height, width = look.look.shape
        self._small = widths(width, height)
        self._unsmall: Matrix = np.asarray(np.linalg.inv(self._small), dtype=np.float64)
        self.marks = marks_of(look.look, None if tray is None else mapped(tray, self._unsmall))
        self.where = mapped(self.marks.at, self._small) if len(self.marks) else np.zeros((0, 2))
        self.trust = np.ones(len(self.marks))
        self._seconds: list[Map | None] = [None] * len(self.marks)
        self._random = np.random.default_rng(2)

    def in_small(self, places: Points) -> Points:
        """Places (n, 2) in widths, in pixels of the small picture."""
        return mapped(places, self._unsmall)

    def from_small(self, matrix: Matrix) -> Matrix:
        """A map of small pixels as one of widths."""
        there = self._small @ matrix @ self._unsmall
        return np.asarray(there / there[2, 2], dtype=np.float64)

    def _placed(self, matrix: Matrix) -> Points:
        """Where a map takes the marks, in small pixels."""
        return mapped(self.marks.at, self._unsmall @ matrix @ self._small)

    def inside(self, matrix: Matrix, search: Search) -> Mask:
        """Which marks lie in the picture where a map takes them, (n,)."""
        return search.inside(self._placed(matrix))

    def glance(self, search: Search, covered: Map | None, matrix: Matrix, turn: int) -> bool:
        """Whether some marks, in each `turn` others, are all but exactly where a map takes them."""
        numbers = np.arange(turn % GLANCE, len(self.marks), GLANCE)
        numbers = numbers[self.trust[numbers] > 0.5]
        if len(numbers) < GLANCE or covered is not None:
            return False
        expected = self._placed(matrix)
        found, seen = expected.copy(), np.zeros(len(expected), bool)
        for number in numbers.tolist():
            *place, score = search.near(self.marks.patches[number], *expected[number].tolist())
            found[number], seen[number] = place, score > 0
        if np.count_nonzero(seen) < GLANCE_SEEN * len(numbers):
            return False
        places = mapped(found, self._small)
        error = errors(
            matrix, Pairs(self.where, places, seen.astype(np.float64), self.marks.known, seen * 1.0)
        )
        return float(np.mean(error[seen] < GLANCE_CLOSE)) >= GLANCE_SHARE

    def pairs(
        self,
        search: Search,
        covered: Map | None,
        matrix: Matrix,
        *,
        far: int = 0,
        rim: Matrix | None = None,
    ) -> Pairs:
        """Look for all marks where a map takes them, and for up to `far` that are not there farther off.

        `rim`: another map for the rim's marks. `covered`: as `covered` gives it.
        """
        marks = self.marks
        expected = self._placed(matrix)
        found = expected.copy()
        weight = np.zeros(len(marks))
        usable = search.inside(expected)
        if covered is not None:
            rows, columns = np.round(expected[usable, ::-1]).astype(int).T
            hidden = np.flatnonzero(usable)[covered[rows, columns] > COVERED]
            usable[hidden] = False
        else:
            hidden = np.zeros(0, np.intp)
        elsewhere = None if rim is None else self._placed(rim)
        for number in np.flatnonzero(usable).tolist():
            x, y = expected[number].tolist()
            *place, score = search.near(marks.patches[number], x, y)
            second = self._seconds[number]
            if not score and second is not None:
                *place, score = search.near(second, x, y)
            if not score and elsewhere is not None and marks.rim[number]:
                *place, score = search.near(marks.patches[number], *elsewhere[number].tolist())
            if score:
                found[number], weight[number] = place, score
        if far:
            for number in self._to_seek(weight, hidden, far):
                *place, score = search.far(
                    marks.coarse[number], marks.patches[number], *expected[number].tolist()
                )
                if score:
                    found[number], weight[number] = place, score
        return Pairs(self.where, mapped(found, self._small), weight * self.trust, marks.known, weight)

    def _to_seek(self, weight: Floats, hidden: NDArray[np.intp], most: int) -> list[int]:
        """The marks to be looked for far from their places: some of those that are not there, if many are not."""
        missing = weight == 0
        missing[hidden] = False
        if np.count_nonzero(missing) <= MISSING * len(missing):
            rim = self.marks.rim  # the tray alone may have gone
            if np.count_nonzero(missing & rim) <= RIM_GONE * np.count_nonzero(rim):
                return []
            missing &= rim
        best, rest = (self._random.permutation(np.flatnonzero(missing & which)).tolist()
                      for which in (self.marks.single, ~self.marks.single))  # fmt: skip
        return list((best + rest[: max(0, most // 2 - len(best))])[:most])

    def trust_in(self, found: Fit, pairs: Pairs) -> None:
        """Marks that are elsewhere than they should be while the rest is in place are trusted less: chips, a glass."""
        seen = pairs.weight > 0
        good = seen & (found.error < CLOSE)
        self.trust[good] += 0.05 * (1 - self.trust[good])
        bad = seen & (found.error > NEAR)
        self.trust[bad] *= 0.95
        # What was not seen may be hidden, so it is doubted much more slowly.
        self.trust[~seen] *= 0.998
        np.clip(self.trust, 0.1, 1, out=self.trust)

    def likeness(self, look: Map, matrix: Matrix, which: Mask) -> Floats:
        """How well `which` of the marks are recognised where a map takes them, turned and zoomed back as it says."""
        there = self._unsmall @ matrix @ self._small
        return np.array([self._likeness(look, there, number)[0] for number in np.flatnonzero(which).tolist()])

    def learn(self, found: Fit, look: Map) -> None:
        """Marks that resemble their reference only roughly by now take how they look in this light as well."""
        there = self._unsmall @ found.matrix @ self._small
        for number in range(len(self.marks)):
            score, now = self._likeness(look, there, number)
            if LEARN_ALIKE < score < ALIKE + 0.13:
                self._seconds[number] = now

    def _likeness(self, look: Map, there: Matrix, number: int) -> tuple[float, Map]:
        """How well a mark is recognised where a map of small pixels takes it, and what is seen there."""
        now = cut_at(look, there, *self.marks.at[number].tolist())
        second = self._seconds[number]
        first = _alike(now, self.marks.patches[number])
        return (first if second is None else max(first, _alike(now, second))), now


def covered(moving: Mask | None, look: Map) -> Map | None:
    """What share of a mark at each small pixel moves."""
    if moving is None or not moving.any():
        return None
    size = (look.shape[1], look.shape[0])
    mask = cv2.resize(moving.astype(np.float32), size, interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.blur(mask, (2 * HALF + 1, 2 * HALF + 1)), dtype=np.float32)


def widths(width: int, height: int) -> Matrix:
    """The map of pixels of a picture of this size to widths from its middle."""
    half = 0.5 * height / width
    return np.array([(1 / width, 0, 0.5 / width - 0.5), (0, 1 / width, 0.5 / width - half), (0, 0, 1)])


def _alike(one: Map, other: Map) -> float:
    """Correlation of two patches."""
    a, b = one - one.mean(), other - other.mean()
    norm = float(np.linalg.norm(a)) * float(np.linalg.norm(b))
    return float(np.sum(a * b)) / norm if norm > 0 else 0.0
