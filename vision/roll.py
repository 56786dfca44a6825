"""What the camera saw: one reading of a picture, and one roll of a throw.

Coordinates are pixels of the picture that was read, origin at the upper left corner, x to the right.
"""

from __future__ import annotations

from dataclasses import dataclass, field

Box = tuple[float, float, float, float]
"""x0, y0, x1, y1 in pixels, x0 < x1 and y0 < y1."""

CLASSES = 8
"""What a die can be read as: the values 1 to 6, then NOTHING, then COCKED."""
NOTHING = 6
"""Index of "not a readable die"."""
COCKED = 7
"""Index of "a die that leans": none of its faces is the upper one."""


def add_reason(reasons: list[str], reason: str) -> None:
    """Notes a reason for doubt, once."""
    if reason not in reasons:
        reasons.append(reason)


@dataclass(frozen=True, slots=True)
class DieReading:
    """One die as read.

    `value` is the upper face, 1 to 6. `confidence` is the probability that there is a die here and that it shows
    `value`. `probabilities` holds eight probabilities that sum to 1: the values 1 to 6, "not a readable die", "cocked".
    `reasons` names in words what is doubtful about this die; empty when nothing is.
    """

    value: int
    confidence: float
    box: Box
    probabilities: tuple[float, ...] = ()
    reasons: tuple[str, ...] = ()

    @property
    def center(self) -> tuple[float, float]:
        """Middle of the box, pixels."""
        x0, y0, x1, y1 = self.box
        return ((x0 + x1) / 2, (y0 + y1) / 2)


@dataclass(frozen=True, slots=True)
class Reading:
    """All dice read in one picture of `width` x `height` pixels; `ms` is the time the reading took, milliseconds.

    `sure` says that it may be accepted without asking; if it is false, `reasons` says why, in words. `confidence` is
    the probability that all of it is right.
    """

    dice: tuple[DieReading, ...]
    sure: bool
    reasons: tuple[str, ...]
    ms: float
    width: int = 0
    height: int = 0
    confidence: float = 0.0

    @property
    def roll(self) -> tuple[int, ...]:
        """The values, high to low."""
        return tuple(sorted((die.value for die in self.dice), reverse=True))


@dataclass(frozen=True, slots=True)
class Roll:
    """One throw come to rest: the agreement of `frames` still pictures, the last of them taken at `time`.

    `time` is in seconds of the source's clock. `number` counts the rolls of one watcher from 1. The boxes of `reading`
    are in pixels of the frame. `kept` says for each die whether it lay there before and was not thrown. `picture` is
    the evidence: a JPEG of the part `crop` of the frame (as seen, without drawings), which may be made smaller.
    """

    number: int
    time: float
    reading: Reading
    frames: int
    picture: bytes = field(repr=False, default=b"")
    kept: tuple[bool, ...] = ()
    crop: Box = (0.0, 0.0, 0.0, 0.0)

    @property
    def thrown(self) -> tuple[int, ...]:
        """The values of the dice that were thrown, those kept left out, high to low."""
        kept = self.kept or (False,) * len(self.reading.dice)
        pairs = zip(self.reading.dice, kept, strict=True)
        return tuple(sorted((die.value for die, lay in pairs if not lay), reverse=True))

    def in_picture(self, box: Box, width: int, height: int) -> Box:
        """A box of the reading in pixels of the evidence picture, which is `width` x `height` pixels."""
        left, top, right, bottom = self.crop
        if right <= left or bottom <= top:
            return box
        sx, sy = width / (right - left), height / (bottom - top)
        x0, y0, x1, y1 = box
        return ((x0 - left) * sx, (y0 - top) * sy, (x1 - left) * sx, (y1 - top) * sy)
