"""Finding the tray in pictures of a table: round, hexagonal or square, of felt, wood, leather or plastic.

    found = find([frame.image, ...])
    found.outline     # (n, 2) pixels, or None: nothing that looks like a tray
    found.sure        # whether it may be taken without asking; if not, `reason` says why
    outline, shape = from_taps([(x, y), ...], (width, height), image)

A tray is taken for found only when edges bear out nearly all of one outline, and nothing else in the picture could be
it: a wrong tray loses throws, asking costs four taps.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from calibration.edges import Edges, edges_of, paths
from calibration.geometry import Points, inside
from calibration.shapes import KINDS, Kind, Shape, Support, drawn_to, fitted, outward, overshoot, support_of

Image = NDArray[np.uint8]

SURE = 0.80
"""Share of an outline that edges must bear out."""
_CRISP = 0.97  # the same for an outline of which nothing is in doubt
_OUTER = 0.72  # the same for an outline round another one that may be the outer edge of the rim
LIKELY = 0.55
"""The same for an outline that is worth showing."""
_SIDE, _WORST = 0.55, 0.20  # the same of each side, and of each twelfth of it
_SEEN = 0.97  # share of an outline that must be in the picture
_LEAST, _MOST = 0.07, 0.97  # of the picture's area
_RIM = 1.38  # how much larger the outside of a rim may be than the inside
_AS_GOOD = 0.07  # how much less of an outline may be borne out for it to count as much as another
_OFF = 0.14  # of a tray's size: how far the middles of the edges of its rim may be apart
_FLOOR = 0.5  # of a tray's area: from what on an outline of its kind inside is its floor
_BOARD = 0.55  # share of the sides' continuations on edges from which an outline is a print
_THING = 0.16  # of a tray's area: what is smaller and inside is something that lies there
_MATCH = 2.5  # pixels of the small copy: outlines nearer to each other than this are one
_KEPT, _RIMS = (
    9,
    6,
)  # outlines of each kind that are looked at closely; and those around which a rim is looked for
_MIDDLES = (0.34, 0.42, 0.5, 0.58, 0.66)
_SMALLEST_PICTURE = 64

REASONS = {
    "none": "No tray was found. Tap the corners of the tray, or four points of its rim.",
    "several": "More than one outline could be the tray. Choose, or tap the corners of the tray.",
    "cut": "The tray is not wholly in the picture. Move the camera back, or turn it towards the tray.",
    "covered": "Part of the rim cannot be seen. Take hands and things away from it, or tap its corners.",
    "small": "What looks like a tray is very small. Move the camera closer, or tap the corners of the tray.",
    "aside": "What looks like a tray is not in the middle of the picture. Turn the camera, or tap its corners.",
    "dice": "Dice lie outside of what looks like the tray. Put them in, or tap the corners of the tray.",
}
"""Why a tray is not sure, by its code."""


@dataclass(frozen=True, slots=True, eq=False)
class Found:
    """What was found: `outline` (n, 2) pixels and its `shape`, or None and "picture" when there is nothing.

    `sure` says that it may be taken without asking. If not, `code` is a key of `REASONS` and `reason` the sentence.
    `certainty` from 0 to 1 is the share of the outline that edges bear out. `others` are further outlines that could
    be meant, with their shapes.
    """

    outline: Points | None
    shape: str
    sure: bool
    certainty: float
    code: str = ""
    others: tuple[tuple[Points, str], ...] = field(default=())

    @property
    def reason(self) -> str:
        """Why it is not sure, and what to do; empty when it is."""
        return REASONS.get(self.code, "")


@dataclass(frozen=True, slots=True, eq=False)
class _Candidate:
    shape: Shape
    support: Support

    @property
    def score(self) -> float:
        """How well it is borne out: first by how much of it, then by how strong the edges are."""
        return self.support.share + 0.3 * self.support.strength


def find(images: Image | Sequence[Image], dice: Points | None = None) -> Found:
    """Find the tray in a picture (h, w, 3) uint8 BGR, or in several of one size, in which what moves is passed over.

    `dice` are the middles (n, 2) of dice that were seen: a tray has them inside. Raises ValueError for no picture.
    """
    image = still_picture(images)
    height, width = image.shape[:2]
    if min(height, width) < _SMALLEST_PICTURE:
        return Found(None, "picture", False, 0.0, "none")
    edges = edges_of(image)
    candidates = _candidates(edges)
    found = _chosen(edges, candidates)
    if found.outline is None:
        return found
    outline, others = (
        _in_picture(found.outline, edges, width, height),
        tuple((_in_picture(points, edges, width, height), shape) for points, shape in found.others),
    )
    code = found.code
    if (
        not code
        and dice is not None
        and len(dice)
        and not inside(outline, np.asarray(dice, np.float64)).all()
    ):
        code = "dice"
    return Found(outline, found.shape, not code, found.certainty, code, others)


def still_picture(images: Image | Sequence[Image]) -> Image:
    """One picture of several: the middle value of each pixel, so that what is there only now and then is not."""
    several = [images] if isinstance(images, np.ndarray) else list(images)
    if not several or any(each.ndim != 3 or each.shape[2] != 3 or each.dtype != np.uint8 for each in several):
        raise ValueError("Pictures must be (height, width, 3) uint8, and at least one.")
    same = [each for each in several if each.shape == several[-1].shape]
    if len(same) < 3:
        return same[-1]
    few = same[:: max(1, len(same) // 9)][:9]
    return np.asarray(np.median(np.stack(few), axis=0), np.uint8)


def _candidates(edges: Edges) -> list[_Candidate]:
    """Outlines that edges bear out at least in part, best first; of those that are nearly the same the best one."""
    width, height = edges.size
    middles = np.array([(width * x, height * y) for x in _MIDDLES for y in _MIDDLES[::2]])
    rough: dict[Kind, list[_Candidate]] = {kind: [] for kind in KINDS}
    for path in paths(edges, middles):
        for kind in KINDS:
            shape = fitted(kind, path)
            if shape is not None and 0.5 * _LEAST * width * height < shape.area < 1.2 * width * height:
                rough[kind].append(_Candidate(shape, support_of(edges, shape, 4.0)))
    drawn = [drawn_to(edges, each.shape) for kind in KINDS for each in _unlike(rough[kind], _KEPT)]
    close = _unlike([_Candidate(shape, support_of(edges, shape)) for shape in drawn], 40)
    for each in close[:_RIMS]:
        if each.support.share >= LIKELY:
            for larger in outward(each.shape):
                outer = drawn_to(edges, larger, (4, 3))
                close.append(_Candidate(outer, support_of(edges, outer)))
    return [each for each in _unlike(close, 48) if overshoot(edges, each.shape) < _BOARD]


def _unlike(candidates: list[_Candidate], most: int) -> list[_Candidate]:
    """The best of the candidates, each unlike all better ones."""
    kept: list[_Candidate] = []
    places: list[Points] = []
    for each in sorted(candidates, key=lambda one: -one.score):
        samples = each.shape.samples()[0][::6]
        if any(_apart(samples, other) < _MATCH for other in places):
            continue
        kept.append(each)
        places.append(samples)
        if len(kept) == most:
            break
    return kept


def _apart(one: Points, other: Points) -> float:
    """How far the points (n, 2) of one outline are from the nearest of another, mean, pixels."""
    away = np.linalg.norm(one[:, None] - other[None], axis=2).min(axis=1)
    spacing = np.linalg.norm(np.diff(other, axis=0), axis=1).mean() / 4  # of points that lie on one line
    return float(np.maximum(away - spacing, 0).mean())


def _chosen(edges: Edges, candidates: list[_Candidate]) -> Found:
    """What of the candidates is the tray, in pixels of the small copy."""
    width, height = edges.size
    whole = width * height
    likely = [
        each for each in candidates if each.support.share >= LIKELY and each.shape.area <= _MOST * whole
    ]
    if not likely:
        return Found(None, "picture", False, 0.0, "none")
    trays = _trays(likely)
    large = [each for each in trays if each.shape.area >= _LEAST * whole]
    if not large:
        return _found(trays[0], "small")
    best, *others = large
    rivals = [each for each in others if _rival(each, best)]
    doubtful = [
        each for each in likely if each is not best and _same_rim(each, best) and _differs(each, best)
    ]
    if best.support.seen < _SEEN:
        return _found(best, "cut", rivals)
    if not _clear(best):
        return _found(best, "covered", doubtful + rivals)
    if doubtful or rivals:
        return _found(best, "several", doubtful + rivals)
    if not inside(best.shape.scaled(1.1).outline(), np.array([[width / 2, height / 2]]))[0]:
        return _found(best, "aside")
    return _found(best, "")


def _clear(tray: _Candidate) -> bool:
    """Whether edges bear out nearly all of it."""
    return tray.support.share >= SURE and tray.support.side >= _SIDE and tray.support.worst >= _WORST


def _trays(likely: list[_Candidate]) -> list[_Candidate]:
    """One outline for each rim, best first: the outermost clear one of those around each other."""
    left = list(likely)
    trays: list[_Candidate] = []
    while left:
        best = left[0]
        rim = [
            each
            for each in likely
            if each.shape.kind == best.shape.kind
            and _clear(each)
            and each.support.share >= best.support.share - _AS_GOOD
            and _around(each, best)
        ]
        outer = max((each.shape.area for each in rim), default=0.0)
        near = [each for each in rim if each.shape.area > 0.94 * outer] or [best]
        tray = max(near, key=lambda each: each.score)
        if not any(_same_rim(tray, each) for each in trays):
            trays.append(tray)
        left = [each for each in left[1:] if not _same_rim(each, tray)]
    largest = max(each.shape.area for each in trays)
    return sorted(trays, key=lambda each: -each.score - 0.25 * each.shape.area / largest)


def _around(outer: _Candidate, inner: _Candidate) -> bool:
    """Whether an outline lies around another at about the distance of a rim, or is the same."""
    if not inner.shape.area <= outer.shape.area <= _RIM**2 * inner.shape.area:
        return False
    return bool(inside(outer.shape.scaled(1.02).outline(), inner.shape.samples()[0]).mean() > 0.97)


def _same_rim(one: _Candidate, other: _Candidate) -> bool:
    """Whether two outlines are about the same place, as those of the inner and the outer edge of a rim are."""
    small, large = sorted((one.shape.area, other.shape.area))
    if large > (_RIM * 1.08) ** 2 * small:
        return False
    apart = one.shape.samples()[0].mean(axis=0) - other.shape.samples()[0].mean(axis=0)
    return bool(np.linalg.norm(apart) < _OFF * np.sqrt(small))


def _differs(other: _Candidate, tray: _Candidate) -> bool:
    """Whether an outline of the same rim makes the tray doubtful: as clear but beyond it somewhere, or around it and
    nearly as clear, so that what was found may be the inner edge of the rim only.
    """
    if other.shape.kind != tray.shape.kind:
        return False
    if _around(other, tray):
        least = SURE if tray.support.share >= _CRISP else _OUTER
        rim = other.support.share >= least and other.support.side >= 0.3
        return rim and other.shape.area > 1.12 * tray.shape.area
    beyond = inside(tray.shape.scaled(1.08).outline(), other.shape.samples()[0]).mean() < 0.9
    return bool(beyond and _clear(other) and other.support.share >= tray.support.share - _AS_GOOD)


def _rival(other: _Candidate, best: _Candidate) -> bool:
    """Whether another outline might be the tray as well, or what lies in it or is printed on its floor is as clear."""
    if other.support.share < SURE - _AS_GOOD or other.support.worst < _WORST or _lies_in(other, best):
        return False
    within = inside(best.shape.scaled(1.04).outline(), other.shape.samples()[0]).mean() > 0.93
    if within and other.shape.kind == best.shape.kind and other.shape.area > _FLOOR * best.shape.area:
        return False  # the floor, seen between the walls
    return not within or other.support.share >= max(SURE, best.support.share - _AS_GOOD)


def _lies_in(thing: _Candidate, tray: _Candidate) -> bool:
    """Whether it is something that lies in the tray, or is printed on its floor."""
    within = inside(tray.shape.scaled(1.04).outline(), thing.shape.samples()[0]).mean() > 0.93
    return bool(within and thing.shape.area < _THING * tray.shape.area)


def _found(tray: _Candidate, code: str, others: Sequence[_Candidate] = ()) -> Found:
    more = tuple((each.shape.outline(), each.shape.kind) for each in others[:4])
    return Found(tray.shape.outline(), tray.shape.kind, not code, tray.support.share, code, more)


def _in_picture(outline: Points, edges: Edges, width: int, height: int) -> Points:
    """An outline of the small copy in pixels of the picture, what is beyond it drawn to its edge, rounded."""
    full = (outline + 0.5) / edges.scale - 0.5
    return np.asarray(np.round(np.clip(full, 0, (width, height)), 1))
