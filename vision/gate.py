"""Motion gate: does the picture rest? Cheap enough to ask for every frame.

It works on a small copy of the frame (about 40,000 pixels) in which light does not count: the logarithm of
the grey value minus its local mean. A brighter exposure adds the same everywhere and vanishes; so does a
soft shadow but for its edge; dice, pips and fingers stay. On 1080p film of a real table shadows and noise
come to at most 0.12 there, moving dice to 0.3 and more.

Every small pixel remembers the value it had when it last changed, and when that was. Rest is the time since
anything last differed from what is remembered, not a small difference between two frames: so a film that
repeats frames while dice roll, or a die that rocks slowly, is no rest.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frames import Frame
from vision.roll import Box

Map = NDArray[np.float32]
"""(rows, columns) float32 over the small copy."""
Mask = NDArray[np.bool_]
"""(rows, columns) bool over the small copy."""

SMALL_PIXELS = 40_000
LOG_OFFSET = 16.0  # grey levels: keeps the noise of dark pixels from growing in the logarithm
SURROUND = 13  # small pixels: side of the square whose mean is taken off; about one die
LEAST_CHANGE = 0.12
NOISE_FACTOR = 8.0
MOST_CHANGE = 0.45
CLIPPING = 0.8  # how much of a change of exposure may stay visible where whites are blown out
CROWD = 4  # of 9 neighbours that must change together; single pixels are noise
LEAST_AREA = 4  # small pixels that must change in one frame
SAME_PATTERN = 0.9  # correlation of two looks of an untouched die
FORGET_S = 1.5  # a slow drift of light is followed in this time
LET_GO_S = 0.3  # so long a die rolls at least once a hand has let it go
FRESH_S = 0.12  # changes this young ...
JOINED = 7  # small pixels: ... and this near to each other belong to one moving thing
LIVELY = 3  # pictures at rest that differ from the one before
EDGE = 2  # small pixels: what comes this near to the picture's edge reaches in from outside


@dataclass(frozen=True, slots=True)
class Motion:
    """What the gate saw in one frame.

    `changed`: something differs from what was remembered; `reaching`: something that does reaches in from the
    picture's edge (a hand, an arm). `still_for` and `still_frames`: seconds, and frames after the last changed
    one, for which nothing has changed. `quiet_for` and `quiet_frames`: the same, not counting what reaches in;
    never less than the former. `repeated`: this is the frame before once more, as films and streams that hitch
    have it; `still_pictures` and `quiet_pictures` are the numbers of frames without such, since a repeated frame
    is no evidence of rest, and `still_seen` is `still_for` as of the newest frame that was none.
    """

    time: float
    changed: bool
    reaching: bool
    repeated: bool
    still_for: float
    still_frames: int
    still_pictures: int
    still_seen: float
    quiet_for: float
    quiet_frames: int
    quiet_pictures: int


@dataclass(frozen=True, slots=True)
class Look:
    """One frame as the gate saw it: `look` without light, and `colour` (rows, columns, 3) uint8, both small."""

    look: Map
    colour: NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class Patch:
    """How the picture looked in a box: `look` without light, `ground` the log colour (3,) of the rim."""

    box: Box
    look: Map
    ground: NDArray[np.float32]


class MotionGate:
    """Feed it every frame in order; it answers what moves. A frame of another size starts it anew."""

    def __init__(self) -> None:
        self._shape: tuple[int, ...] | None = None
        self._noise = 0.0
        self._lively = 0
        self._time = self._still_since = self._quiet_since = self._pictured = 0.0
        self._still_frames = self._quiet_frames = 0
        self._still_pictures = self._quiet_pictures = 0

    def feed(self, frame: Frame) -> Motion:
        """Compare `frame` with what is remembered."""
        if self._shape != frame.image.shape:
            self._start(frame)
            return self._motion(frame.time, True, False, False)
        before, colour = self._look, self._colour
        step = max(0.0, frame.time - self._time)
        self._time = frame.time
        self._see(frame)
        repeated = bool(np.array_equal(colour, self._colour))
        self._estimate_noise(before)
        # Where whites are blown out a change of exposure does change the look, in proportion to its size.
        limit = np.minimum(
            max(LEAST_CHANGE, NOISE_FACTOR * self._noise) + CLIPPING * np.abs(self._level - self._kept_level),
            MOST_CHANGE,
        )
        apart = (np.abs(self._look - self._kept) > limit).astype(np.uint8)
        crowd = cv2.boxFilter(apart, cv2.CV_8U, (3, 3), normalize=False)
        moved = (apart > 0) & (np.asarray(crowd) >= CROWD)
        area = int(np.count_nonzero(moved))
        follow = np.float32(min(1.0, step / FORGET_S))
        self._kept += follow * (self._look - self._kept)
        self._kept_level += follow * (self._level - self._kept_level)
        self._kept[moved] = self._look[moved]
        self._kept_level[moved] = self._level
        self._since[moved] = frame.time
        changed = area >= LEAST_AREA
        self._still_frames += 1
        self._quiet_frames += 1
        self._still_pictures += not repeated
        if not repeated:
            self._pictured = frame.time
        self._lively += not repeated and area < LEAST_AREA
        self._quiet_pictures += not repeated
        reaching = False
        if changed:
            self._still_since, self._still_frames, self._still_pictures = frame.time, 0, 0
            self._pictured = frame.time
            loose = self._loose(moved)
            self._joined[moved & ~loose] = frame.time
            lone = int(np.count_nonzero(loose))
            reaching = area - lone >= LEAST_AREA
            if lone >= LEAST_AREA:
                self._quiet_since, self._quiet_frames, self._quiet_pictures = frame.time, 0, 0
        return self._motion(frame.time, changed, reaching, repeated)

    def rest_of(self, box: Box, margin: float = 0.2) -> float:
        """Seconds since anything last changed in or near `box`, widened by `margin` of its size."""
        ages = np.sort((self._time - self._since[self.cells(box, margin)]).ravel())
        return float(ages[min(LEAST_AREA, len(ages)) - 1])

    @property
    def alive(self) -> bool:
        """Whether pictures of a table at rest differ, as those of a camera do; not so photographs that are shown."""
        return self._lively >= LIVELY

    def came_alone(self, box: Box) -> bool:
        """Whether what changed last in `box` was joined to nothing that reaches in from the edge: no hand put it.

        Nor was it joined a moment before: the shadow of a hand that has just let go is cut off from it at times.
        """
        cells = self.cells(box)
        since = self._since[cells]
        newest = since >= since.max() - LET_GO_S
        alone = self._joined[cells] < since - LET_GO_S
        return bool(np.count_nonzero(alone & newest) * 2 >= np.count_nonzero(newest))

    def moving(self, for_s: float) -> Mask:
        """Where something has changed within the last `for_s` seconds."""
        return np.asarray(self._time - self._since < for_s, dtype=np.bool_)

    def cells(self, box: Box, margin: float = 0.0) -> tuple[slice, slice]:
        """The small pixels of a box given in the frame's pixels, widened by `margin` of its size; at least one."""
        x0, y0, x1, y1 = box
        dx, dy = margin * (x1 - x0), margin * (y1 - y0)
        assert self._shape is not None
        high, wide = self._look.shape
        sy, sx = high / self._shape[0], wide / self._shape[1]
        left, top = int(np.clip((x0 - dx) * sx, 0, wide - 1)), int(np.clip((y0 - dy) * sy, 0, high - 1))
        right, bottom = int(np.ceil((x1 + dx) * sx)), int(np.ceil((y1 + dy) * sy))
        return slice(top, max(top + 1, min(high, bottom))), slice(left, max(left + 1, min(wide, right)))

    def look(self) -> Look:
        """The newest frame, to be compared with later ones."""
        return Look(self._look, self._colour)  # every frame makes new arrays

    def patch(self, box: Box, look: Look | None = None) -> Patch:
        """How the frame of `look`, or else the newest, looks in `box`."""
        look = look or self.look()
        return Patch(box, look.look[self.cells(box)].copy(), self._ground(box, look.colour))

    def alike(self, patch: Patch, look: Look | None = None) -> bool:
        """Whether the frame of `look`, or else the newest, looks in the patch's box as then, whatever the light."""
        now = (look or self.look()).look[self.cells(patch.box)]
        if now.shape != patch.look.shape:
            return False
        strength = float(np.mean(np.abs(patch.look)))
        if float(np.mean(np.abs(now - patch.look))) < max(0.06, 0.25 * strength):
            return True
        # Much more or less light changes the contrast of dark dice and blown-out pips, but not their pattern.
        norm = float(np.linalg.norm(now)) * float(np.linalg.norm(patch.look))
        return float(np.sum(now * patch.look)) > SAME_PATTERN * norm > 0

    def bare(self, patch: Patch) -> bool:
        """Whether the table shows in the patch's box: what lay around it then fills it now."""
        cells = self.cells(patch.box)
        flat = float(np.mean(np.abs(self._look[cells]))) < 0.4 * float(np.mean(np.abs(patch.look)))
        colour = np.mean(self._colour[cells].reshape(-1, 3), axis=0)
        apart = np.log(colour + LOG_OFFSET) - patch.ground
        apart -= np.mean(apart) * 0.5  # a shadow or a lamp may have come
        return flat and float(np.max(np.abs(apart))) < 0.2

    def _start(self, frame: Frame) -> None:
        self._shape = frame.image.shape
        height, width = frame.image.shape[:2]
        scale = min(1.0, (SMALL_PIXELS / (width * height)) ** 0.5)
        self._size = (max(SURROUND, round(width * scale)), max(SURROUND, round(height * scale)))
        self._see(frame)
        self._kept = self._look.copy()
        self._kept_level = np.full_like(self._look, self._level)
        self._since = np.full(self._look.shape, -1e9, dtype=np.float64)
        self._joined = np.full(self._look.shape, -1e9, dtype=np.float64)
        self._time = self._still_since = self._quiet_since = self._pictured = frame.time
        self._still_frames = self._quiet_frames = 0
        self._still_pictures = self._quiet_pictures = 0

    def _see(self, frame: Frame) -> None:
        """Make the small copy of a frame: colour, look and level of light."""
        # Sixteen samples a small pixel do as well as all of them, at a tenth of the cost on a large picture.
        wide, high = self._size
        double = cv2.resize(frame.image, (2 * wide, 2 * high), interpolation=cv2.INTER_LINEAR)
        self._colour = np.asarray(
            cv2.resize(double, self._size, interpolation=cv2.INTER_AREA), dtype=np.uint8
        )
        grey = np.asarray(cv2.cvtColor(self._colour, cv2.COLOR_BGR2GRAY), dtype=np.float32)
        light = cv2.GaussianBlur(np.log(grey + LOG_OFFSET), (0, 0), 0.8)
        self._look: Map = np.asarray(light - cv2.blur(light, (SURROUND, SURROUND)), dtype=np.float32)
        self._level = np.float32(np.median(light[::4, ::4]))

    def _estimate_noise(self, before: Map) -> None:
        """Follow the median difference of frames, as a standard deviation; half of the picture may move."""
        difference = float(np.median(np.abs(self._look[::3, ::3] - before[::3, ::3]))) / 0.6745 / 2**0.5
        if difference > 0:  # a repeated frame says nothing about noise
            self._noise += 0.1 * (min(difference, 0.05) - self._noise)

    def _loose(self, moved: Mask) -> Mask:
        """The changed small pixels that belong to nothing that reaches in from the edge."""
        fresh = (self._time - self._since < FRESH_S).astype(np.uint8)
        joined = np.asarray(cv2.dilate(fresh, np.ones((JOINED, JOINED), np.uint8)))
        _, labels = cv2.connectedComponents(joined)
        names = np.asarray(labels)
        inside = np.zeros(names.shape, dtype=bool)
        inside[EDGE:-EDGE, EDGE:-EDGE] = True
        reaching = np.zeros(int(names.max()) + 1, dtype=bool)
        reaching[names[~inside]] = True
        reaching[0] = False
        return np.asarray(moved & ~reaching[names], dtype=np.bool_)

    def _ground(self, box: Box, colour: NDArray[np.uint8]) -> NDArray[np.float32]:
        """Mean log colour of the rim around a box: the table it lies on."""
        outer, inner = self.cells(box, 0.4), self.cells(box, 0.1)
        rim = np.ones(self._look.shape, dtype=bool)
        rim[inner] = False
        pixels = colour[outer][rim[outer]].astype(np.float32)
        if not len(pixels):
            pixels = colour[outer].reshape(-1, 3).astype(np.float32)
        return np.asarray(np.log(np.median(pixels, axis=0) + LOG_OFFSET), dtype=np.float32)

    def _motion(self, time: float, changed: bool, reaching: bool, repeated: bool) -> Motion:
        return Motion(
            time,
            changed,
            reaching,
            repeated,
            time - self._still_since,
            self._still_frames,
            self._still_pictures,
            self._pictured - self._still_since,
            time - self._quiet_since,
            self._quiet_frames,
            self._quiet_pictures,
        )
