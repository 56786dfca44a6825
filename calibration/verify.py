"""Trying a set of dice: throw them five times, and see whether they are read well here.

trial = Trial(dice=3)
for roll in rolls:
    trial = trial.and_then(roll.reading, picture)      # picture: the frame in whose pixels its boxes are
report = trial.report()                                # counts, the size of dice, what goes wrong
profile = trial.learned(profile)                       # with die_px, dice, look, and ground brought to scale
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.geometry import Box, stretch
from calibration.light import LEAST_DIE
from calibration.profile import Look, Profile

THROWS = 5
ENOUGH = 0.8
"""Share of the throws that must be sure for a set to count as read well."""

MESSAGES = {
    "none": "No throw was seen. Throw the dice into the tray, let them lie still and take the hand away.",
    "fewer": "Fewer throws than wanted were seen: {value:.0f}. Let the dice lie still for a moment after each.",
    "count": "{value:.0f} throws did not show {dice} dice. See that all lie in the tray and nothing else does.",
    "unsure": "{value:.0f} throws were not sure: {reasons}. The light check says what to change.",
    "small": "Dice are {value:.0f} pixels wide; reading needs {least}. Move the camera closer.",
    "same": "All dice showed {value:.0f} each time. Throw them, so that each face is seen.",
    "sizes": "Dice seem to be of different sizes. Look whether something else was taken for a die.",
}
"""What is said of what goes wrong, by its code."""


class DieSeen(Protocol):
    """A die as read: `value` 1 to 6, its `confidence` and its `box` in pixels."""

    @property
    def value(self) -> int:
        """The upper face."""

    @property
    def confidence(self) -> float:
        """The probability that this is right."""

    @property
    def box(self) -> Box:
        """x0, y0, x1, y1 in pixels."""


class ReadingSeen(Protocol):
    """The reading of one throw."""

    @property
    def dice(self) -> Sequence[DieSeen]:
        """The dice that were seen."""

    @property
    def sure(self) -> bool:
        """Whether it would be accepted without asking."""

    @property
    def reasons(self) -> Sequence[str]:
        """Why it is not sure, in words."""


@dataclass(frozen=True, slots=True)
class Problem:
    """Something that goes wrong: its code (a key of `MESSAGES`) and the sentence."""

    code: str
    message: str


@dataclass(frozen=True, slots=True)
class Report:
    """How a trial went: `throws` seen, how many were `sure`, and how many showed the right number of dice (`complete`).

    `counts` is how often each value 1 to 6 was seen, `die_px` the size of a die in pixels (None when none was seen).
    `passed` says that this set is read well here; `problems` what is not.
    """

    throws: int
    sure: int
    complete: int
    counts: tuple[int, int, int, int, int, int]
    die_px: float | None
    passed: bool
    problems: tuple[Problem, ...]


@dataclass(frozen=True, slots=True)
class Trial:
    """`wanted` throws of `dice` dice each; `readings` are those seen, `looks` the colours of the dice in them."""

    dice: int
    wanted: int = THROWS
    readings: tuple[ReadingSeen, ...] = ()
    looks: tuple[Look, ...] = ()

    @property
    def done(self) -> bool:
        """Whether there are enough throws."""
        return len(self.readings) >= self.wanted

    def and_then(self, reading: ReadingSeen, picture: NDArray[np.uint8] | None = None) -> Trial:
        """With one more throw; `picture` (h, w, 3) uint8 BGR is the one in whose pixels its boxes are."""
        if self.done:
            return self
        seen = [] if picture is None else [look_of(picture, die.box) for die in reading.dice]
        looks = (*self.looks, *(each for each in seen if each is not None))
        return replace(self, readings=(*self.readings, reading), looks=looks)

    def report(self) -> Report:
        """How it went so far."""
        sure = sum(each.sure for each in self.readings)
        complete = sum(len(each.dice) == self.dice for each in self.readings)
        values = Counter(die.value for each in self.readings for die in each.dice)
        problems = self._problems(sure, complete, values)
        good = self.done and complete == len(self.readings) and sure >= ENOUGH * len(self.readings)
        counts = (values[1], values[2], values[3], values[4], values[5], values[6])
        small = any(each.code == "small" for each in problems)
        return Report(
            len(self.readings), sure, complete, counts, self._size(), good and not small, problems
        )  # fmt: skip

    def learned(self, profile: Profile) -> Profile:
        """The profile with what was learnt of the dice: as it was when none were seen."""
        size = self._size()
        if size is None:
            return profile
        look = profile.look
        if self.looks:
            body, pips = (
                tuple(np.round(np.median([getattr(each, part) for each in self.looks], axis=0), 1).tolist())
                for part in ("body", "pips")
            )
            look = Look(body, pips)
        learnt = replace(profile, die_px=round(size, 1), dice=self.dice, look=look)
        return _to_scale(learnt)

    def _problems(self, sure: int, complete: int, values: Counter[int]) -> tuple[Problem, ...]:
        throws = len(self.readings)
        found: list[Problem] = []

        def add(code: str, value: float, **more: object) -> None:
            found.append(Problem(code, MESSAGES[code].format(value=value, **more)))

        if not throws:
            add("none", 0)
            return tuple(found)
        if not self.done:
            add("fewer", throws)
        if complete < throws:
            add("count", throws - complete, dice=self.dice)
        if sure < throws:
            why = Counter(reason for each in self.readings if not each.sure for reason in each.reasons)
            add(
                "unsure",
                throws - sure,
                reasons=", ".join(name for name, _ in why.most_common(3)) or "no reason",
            )
        size, sizes = self._size(), self._sizes()
        if size is not None and size < LEAST_DIE:
            add("small", size, least=LEAST_DIE)
        if sizes and max(sizes) > 1.9 * min(sizes):
            add("sizes", max(sizes))
        if throws >= 3 and len(values) == 1:
            add("same", next(iter(values)))
        return tuple(found)

    def _sizes(self) -> list[float]:
        return [
            min(die.box[2] - die.box[0], die.box[3] - die.box[1])
            for each in self.readings
            for die in each.dice
        ]

    def _size(self) -> float | None:
        sizes = self._sizes()
        return float(np.median(sizes)) if sizes else None


def _to_scale(profile: Profile) -> Profile:
    """The profile with its map to the table in edges of these dice, where it has one and the tray is known."""
    if profile.ground is None or profile.middle is None or profile.die_px is None:
        return profile
    middle = np.array([profile.middle])
    straight = middle if profile.lens is None else profile.lens.straight(middle)
    seen = float(stretch(straight, profile.ground)[0]) * profile.die_px  # edges of a die, as the map has it
    scaled = np.diag([1 / seen, 1 / seen, 1.0]) @ profile.ground
    return replace(profile, ground=scaled)


def look_of(picture: NDArray[np.uint8], box: Box) -> Look | None:
    """The colours of a die in a box: of what most of its middle shows, and of what differs most from that."""
    x0, y0, x1, y1 = box
    inset = 0.2 * min(x1 - x0, y1 - y0)
    part = picture[
        max(0, int(y0 + inset)) : int(y1 - inset) + 1, max(0, int(x0 + inset)) : int(x1 - inset) + 1
    ]
    if min(part.shape[:2], default=0) < 4:
        return None
    pixels = cv2.GaussianBlur(part, (3, 3), 0).reshape(-1, 3).astype(np.float32)
    body = np.median(pixels, axis=0)
    away = np.linalg.norm(pixels - body, axis=1)
    pips = np.median(pixels[away >= np.quantile(away, 0.95)], axis=0)
    return Look(tuple(body.tolist()), tuple(pips.tolist()))
