"""Drift watch: has the camera moved since the reference picture of the table was taken, or the tray under it?

    watch = DriftWatch(profile.reference, profile.tray)
    drift = watch.look(frame.image)          # about four times a second
    if drift.moved:                          # it has held for HOLD looks
        better = realigned(profile, drift)   # None: look at the table, calibrate again

Marks of the reference (`calibration.marks`) are looked for in the frame, and the map that most of them agree on is
fitted (`calibration.align`). Hands, dice and whoever leans in hide marks or scatter them, light changes none of their
places, so neither is a move; a camera that moves takes nearly all of them along the same way. A drift, however slow,
is told against the reference, which never changes; each mark may learn a second look while all is confirmed to be in
its place, since the light of an evening does change.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np

from calibration.align import CLOSE, Fit, Pairs, errors, fit
from calibration.geometry import Matrix, Points, mapped
from calibration.lost import Finder
from calibration.marks import Look, Map, Search, small
from calibration.profile import Image
from calibration.realign import realigned
from calibration.seek import Mask, Seeker, covered, widths

__all__ = ["Drift", "DriftWatch", "realigned"]

Moved = Literal["camera", "tray"]

SHIFT = 0.006  # widths of the picture: from here on the camera has moved
TURN = 0.7  # degrees
SCALE = 0.014
BACK = 0.6  # of the above: below, it is back in its place
SAME = 0.004  # widths: looks that differ less tell the same move ...
SAME_SHARE = 0.2  # ... or by less of it
HOLD = 4  # looks
UNCERTAIN = 0.2  # looks: what one that can tell nothing takes from those that have told a move
HOLD_SCALE = 6  # looks: a lens that focuses on a hand zooms too, for a moment
LEAST_SUPPORT = 0.2  # of the marks that may be in sight: so many must tell the same
LEAST_MARKS = 6
LEAST_SPREAD = 0.08  # widths: standard deviation of their places along the longer axis
LEAST_SHARE = 0.72  # of what speaks for a move or against it
RECOGNISED = 0.9  # of how well marks were recognised in their places: so well they must be elsewhere
LEAST_SHARE_IN_OTHER_LIGHT = 0.9
OTHER_LIGHT = 0.05  # median change of the light of tiles beside that of the whole, in the logarithm
START_SCORE = 0.93
FOLLOW = 0.05  # a look: how quickly the light is taken for the usual one
DOUBT = 0.0015  # widths: standard error of the shift, for a look that is certain
SIGMAS = 4.0
RIM_SUPPORT = 0.6  # of the rim's marks: the tray alone has moved
RIM_STILL = 0.35  # of the rim's marks: so many in their places, and the tray is in its own
RIM_MARKS = 7
FULL_EVERY = 4  # looks: those between are glances while all is in its place ...
CALM = 0.6  # ... and so many marks have told so
SOME, MANY = 24, 48  # marks a look that are looked for farther off; many after looks that told nothing
PASSES = 2
WELL_SEEN = 0.35  # share of the marks: after looks in which fewer agree ...
FINDER_EVERY = 4  # ... so many in a row, the table is looked for everywhere
LEARN_EVERY = 24  # looks
LEARN_SUPPORT = 0.5


@dataclass(frozen=True, slots=True)
class Drift:
    """How a frame lies against the reference.

    `shift`: frame pixels (x, y), of the tray's middle or else the picture's. `turn`: degrees, clockwise as seen in the
    picture. `scale`: 1 for as large as in the reference. `to_frame`: the map from pixels of the reference to those of
    the frame. `moved`: something has, and it has held; then the rest tells how. `certain`: enough was seen to tell;
    otherwise the rest is what was known last, and `moved` stands as it was. `support`: share of the marks that agree.
    `what` moved: the camera, or the tray under it.
    """

    shift: tuple[float, float]
    turn: float
    scale: float
    moved: bool
    certain: bool
    to_frame: Matrix
    support: float = 0.0
    what: Moved = "camera"


@dataclass(slots=True)
class _Claim:
    """What looks have told in a row: a map, and for how many looks."""

    matrix: Matrix
    looks: float
    what: Moved


class DriftWatch:
    """Compares frames with a `reference` (h, w, 3) of the table; `tray`: its outline (n, 2) in pixels of that.

    Not safe for use by several threads at once.
    """

    def __init__(self, reference: Image, tray: Points | None = None) -> None:
        height, width = reference.shape[:2]
        self._size = (width, height)
        whole = small(reference)
        self._norm = widths(width, height)
        outline = None if tray is None else mapped(np.asarray(tray, np.float64), self._norm)
        self._focus = np.zeros((1, 2)) if outline is None else outline.mean(axis=0, keepdims=True)
        self._seeker = Seeker(whole, outline)
        self._random = np.random.default_rng(1)
        self._matrix = np.eye(3)  # as last told
        self._moved = False
        self._what: Moved = "camera"
        self._support = 0.0
        self._claim: _Claim | None = None
        self._looks = 0
        self._calm = False
        self._unseen = 0
        self._finder = Finder(whole.look)
        self._level = whole  # the light while all was in its place ...
        self._score = START_SCORE  # ... and how well marks were recognised

    @property
    def marks(self) -> int:
        """How many marks the reference has: with fewer than a few nothing can be told."""
        return len(self._seeker.marks)

    def look(self, image: Image, moving: Mask | None = None) -> Drift:
        """Compare a frame. `moving`: places where something moves now, which are left out.

        Raises ValueError for a frame of another size than the reference.
        """
        if (image.shape[1], image.shape[0]) != self._size:
            raise ValueError(
                f"The frame has {image.shape[1]}x{image.shape[0]} pixels, the reference picture of the table "
                f"{self._size[0]}x{self._size[1]}: calibrate again with this camera."
            )
        self._looks += 1
        if len(self._seeker.marks) < LEAST_MARKS:
            return self._told(False)
        whole = small(image)
        look = whole.look
        search = Search(look)
        hidden = covered(moving, look)
        start = self._expected
        if (
            self._calm
            and self._looks % FULL_EVERY
            and self._seeker.glance(search, hidden, start, self._looks)
        ):
            return self._told(True)
        self._calm = False
        rim = self._claim.matrix if self._claim is not None and self._claim.what == "tray" else None
        pairs = self._seeker.pairs(search, hidden, start, far=MANY if self._unseen else SOME, rim=rim)
        found = fit(pairs, [np.eye(3), self._matrix, start], self._random)
        for _ in range(PASSES):
            if found is None or self._apart(found.matrix, start) < SAME:
                break
            # Once more from there: only some marks are looked for far off, and those on edges slid along them.
            start = found.matrix
            pairs = self._seeker.pairs(search, hidden, start, rim=rim)
            found = fit(pairs, [start], self._random)
        if found is None or self._share(found, pairs, search) < WELL_SEEN:
            self._unseen += 1
            if self._unseen % FINDER_EVERY == 0:
                found, pairs = self._search_far(look, search, hidden, found, pairs)
        else:
            self._unseen = 0
        certain = found is not None and self._clear(found, pairs, search)
        if found is not None and certain:
            self._judge(found, pairs, whole)
        else:
            self._doubt(UNCERTAIN)
        return self._told(certain)

    # What one look shows

    @property
    def _expected(self) -> Matrix:
        """Where marks are looked for first."""
        if self._claim is not None:
            return self._claim.matrix if self._claim.what == "camera" else np.eye(3)
        return self._matrix if self._what == "camera" else np.eye(3)

    def _clear(self, found: Fit, pairs: Pairs, search: Search) -> bool:
        """Whether the map is known well, by enough marks of enough places."""
        agree = _agree(found, pairs)
        if np.count_nonzero(agree) < LEAST_MARKS or _spread(self._seeker.where[agree]) < LEAST_SPREAD:
            return False
        if self._share(found, pairs, search) < LEAST_SUPPORT or not found.likely:
            return False
        return found.uncertainty(self._focus) < DOUBT

    def _share(self, found: Fit, pairs: Pairs, search: Search) -> float:
        """Share of the marks that should be in the picture, by trust, that are where the map takes them."""
        there = self._seeker.inside(found.matrix, search)
        all_of_them = float(self._seeker.trust[there].sum())
        self._support = float(self._seeker.trust[_agree(found, pairs)].sum()) / max(all_of_them, 1e-9)
        return self._support

    # What looks in a row tell

    def _judge(self, found: Fit, pairs: Pairs, whole: Look) -> None:
        """Whether this look speaks of a move, of none, or of being back; and for how long looks have."""
        size = self._size_of(found)
        other_light = self._other_light(whole, found, pairs)
        if size >= 1 and self._speaks(found, pairs, whole, other_light):
            self._claims(found.matrix, "camera", 2 * HOLD if other_light else HOLD)
        elif size >= 1:
            self._doubt(1)
        elif size < BACK:
            self._seeker.trust_in(found, pairs)
            rim, slipped = self._slipped(pairs)
            if rim == "moved":
                self._claims(slipped.matrix, "tray", 2 * HOLD if other_light else HOLD)
                return
            if rim == "hidden" and self._moved and self._what == "tray":
                return
            self._in_place(found)
            self._level = self._level.towards(whole, FOLLOW)
            self._score += FOLLOW * (float(np.median(pairs.score[pairs.score > 0])) - self._score)
            if not self._moved and self._looks % LEARN_EVERY == 0 and self._support > LEARN_SUPPORT:
                self._seeker.learn(found, whole.look)
        elif size < 1 and not self._moved:
            self._matrix = self._matrix + 0.3 * (found.matrix - self._matrix)

    def _size_of(self, found: Fit) -> float:
        """How far from its place the picture is, 1 being where a move begins."""
        shift, turn, scale = self._parts(found.matrix)
        parts = [math.hypot(*shift) / SHIFT]
        # Turn and scale count only as far as they are known: a round tray on a bare table shows neither.
        if abs(math.radians(turn)) > SIGMAS * found.doubt_of_turn:
            parts.append(abs(turn) / TURN)
        if abs(scale - 1) > SIGMAS * found.doubt_of_scale:
            parts.append(abs(scale - 1) / SCALE)
        return max(parts)

    def _other_light(self, whole: Look, found: Fit, pairs: Pairs) -> bool:
        """Whether a lamp seems to have been switched: shadows move then, and may look as if the camera did.

        Asked where marks were found, so that whoever leans in does not count. More or less exposure is the same
        everywhere and does not either.
        """
        agree = _agree(found, pairs)
        now = self._seeker.in_small(pairs.found[agree])
        change = whole.level_at(now) - self._level.level_at(self._seeker.marks.at[agree])
        return float(np.median(np.abs(change - np.median(change)))) > OTHER_LIGHT

    def _speaks(self, found: Fit, pairs: Pairs, whole: Look, other_light: bool) -> bool:
        """Whether of the marks that can tell a move from none nearly all tell the move."""
        before = errors(np.eye(3), pairs)
        apart = np.hypot(*(mapped(self._seeker.where, found.matrix) - self._seeker.where).T)
        clearly = np.maximum(CLOSE, 0.4 * apart)
        pro = (found.error < CLOSE) & (before > clearly) & (pairs.weight > 0)
        contra = float(pairs.weight[(before < CLOSE) & (found.error > clearly)].sum())
        held = float(pairs.weight[pro].sum())
        if not pro.any():
            return False
        # Shadows that moved with a lamp resemble the marks that they are taken for, but less than those themselves.
        if float(np.median(self._seeker.likeness(whole.look, found.matrix, pro))) < RECOGNISED * self._score:
            return False
        return held >= (LEAST_SHARE_IN_OTHER_LIGHT if other_light else LEAST_SHARE) * (held + contra)

    def _slipped(self, pairs: Pairs) -> tuple[Literal["moved", "in place", "hidden"], Fit]:
        """While the rest is in its place: whether the rim's marks tell of another, and what map they tell."""
        rim = self._seeker.marks.rim
        off = pairs.some(rim)
        before = errors(np.eye(3), off)
        found = fit(
            off, [np.eye(3), *([self._claim.matrix] if self._claim is not None else [])], self._random
        )
        trust = self._seeker.trust[rim]
        if found is None or np.count_nonzero(rim) < RIM_MARKS:
            return "in place", _NOWHERE
        still = (off.weight > 0) & (before < CLOSE)
        if trust[still].sum() > RIM_STILL * trust.sum():
            return "in place", found
        agree = (off.weight > 0) & (found.error < CLOSE) & (before > CLOSE)
        # All round the tray, else it is a thing laid on its rim.
        quarters = {(x > 0, y > 0) for x, y in (self._seeker.where[rim][agree] - self._focus).tolist()}
        if (
            np.count_nonzero(agree) < RIM_MARKS
            or trust[agree].sum() < RIM_SUPPORT * trust.sum()
            or len(quarters) < 3
            or float(np.median(off.score[agree])) < RECOGNISED * self._score
            or self._size_of(found) < 1
            or not found.likely
            or found.uncertainty(self._focus) > DOUBT
        ):
            return "hidden", found
        return "moved", found

    def _claims(self, matrix: Matrix, what: Moved, hold: int) -> None:
        """This look tells of a move, which is believed after `hold` of them."""
        claim = self._claim
        if claim is not None and claim.what == what and self._same(claim.matrix, matrix):
            # The mean of all looks that tell the same, so that a slow drift is followed and noise is not.
            step = 1 / min(claim.looks + 1, 6)
            claim.matrix = claim.matrix + step * (matrix - claim.matrix)
            claim.looks += 1
        else:
            claim = self._claim = _Claim(matrix, 1, what)
        shift, turn, _ = self._parts(matrix)
        by_scale = math.hypot(*shift) < SHIFT and abs(turn) < TURN
        if claim.looks >= (max(hold, HOLD_SCALE) if by_scale else hold):
            self._moved, self._what, self._matrix = True, what, claim.matrix

    def _doubt(self, by: float) -> None:
        """This look tells nothing of what looks before it have told."""
        if self._claim is not None:
            self._claim.looks = max(0.0, self._claim.looks - by)

    def _in_place(self, found: Fit) -> None:
        """This look tells that all is in its place."""
        if self._moved:
            claim = self._claim
            if claim is not None and self._apart(claim.matrix, found.matrix) < SAME:
                claim.looks += 1
            else:
                claim = self._claim = _Claim(found.matrix, 1, "camera")
            if claim.looks < HOLD:
                return
            self._moved, self._what = False, "camera"
            self._matrix = found.matrix
        self._calm = self._support > CALM
        self._claim = None
        self._matrix = self._matrix + 0.3 * (found.matrix - self._matrix)

    def _same(self, one: Matrix, other: Matrix) -> bool:
        """Whether two maps tell the same move of the tray; where hardly anything is in sight its turn is not known."""
        first, second = (mapped(self._focus, matrix)[0] for matrix in (one, other))
        far = max(float(np.hypot(*(first - self._focus[0]))), float(np.hypot(*(second - self._focus[0]))))
        return float(np.hypot(*(first - second))) < max(SAME, SAME_SHARE * far)

    def _apart(self, one: Matrix, other: Matrix) -> float:
        """How far two maps take the marks from each other, in widths, as far as marks can tell."""
        between = mapped(self._seeker.where, one) - mapped(self._seeker.where, other)
        squares = np.einsum("ni,nij,nj->n", between, self._seeker.marks.known, between)
        return float(np.sqrt(np.quantile(np.maximum(squares, 0), 0.8)))

    def _search_far(
        self, look: Map, search: Search, covered: Map | None, found: Fit | None, pairs: Pairs
    ) -> tuple[Fit | None, Pairs]:
        """After looks in which few marks were seen: is the table elsewhere in the picture, and are more seen there?"""
        matrix = self._finder.find(look)
        if matrix is None:
            return found, pairs
        there = self._seeker.from_small(matrix)
        others = self._seeker.pairs(search, covered, there)
        other = fit(others, [there], self._random)
        if other is None or (found is not None and _held(other, others) <= _held(found, pairs)):
            return found, pairs
        return other, others

    # What is told

    def _parts(self, matrix: Matrix) -> tuple[tuple[float, float], float, float]:
        """Shift in widths of the focus, turn in degrees, scale."""
        points = self._focus + np.array([(0, 0), (0.01, 0), (0, 0.01)])
        there = mapped(points, matrix)
        x, y = (there[0] - points[0]).tolist()
        (a, c), (b, d) = ((there[1:] - there[0]) / 0.01).tolist()
        return (x, y), math.degrees(math.atan2(c - b, a + d)), math.sqrt(max(1e-9, a * d - b * c))

    def _told(self, certain: bool) -> Drift:
        matrix = np.linalg.inv(self._norm) @ self._matrix @ self._norm
        (x, y), turn, scale = self._parts(self._matrix)
        width = self._size[0]
        return Drift(
            shift=(x * width, y * width),
            turn=turn,
            scale=scale,
            moved=self._moved,
            certain=certain,
            to_frame=matrix / matrix[2, 2],
            support=self._support if certain else 0.0,
            what=self._what,
        )


_NOWHERE = Fit(np.eye(3), np.zeros(0), np.eye(8))


def _agree(found: Fit, pairs: Pairs) -> Mask:
    """Which marks are where the map takes them, (n,)."""
    return np.asarray((pairs.weight > 0) & (found.error < CLOSE))


def _held(found: Fit, pairs: Pairs) -> float:
    return float(pairs.weight[_agree(found, pairs)].sum())


def _spread(points: Points) -> float:
    """Standard deviation of points (n, 2) along the axis in which they are spread most."""
    return float(np.sqrt(np.linalg.eigvalsh(np.cov(points.T))[-1])) if len(points) > 1 else 0.0
