"""The throws of a calibration: rolls that count for nobody, to see whether this set of dice is read well here."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from calibration.profile import Profile
from scorer.service.calibrationview import reading_view
from vision.roll import Reading, Roll


@dataclass(frozen=True, slots=True)
class Trial:
    """`wanted` throws of `dice` dice each; `readings` are those seen so far."""

    wanted: int
    dice: int
    readings: tuple[Reading, ...] = ()

    @property
    def done(self) -> bool:
        """Whether there are enough."""
        return len(self.readings) >= self.wanted

    def and_then(self, roll: Roll) -> Trial:
        """With one more."""
        return replace(self, readings=(*self.readings, roll.reading)[: self.wanted])

    def learned(self, profile: Profile) -> Profile:
        """A profile with what was learnt of the dice."""
        edges = [
            min(die.box[2] - die.box[0], die.box[3] - die.box[1])
            for reading in self.readings
            for die in reading.dice
        ]
        if not edges:
            return profile
        return replace(profile, die_px=round(float(np.median(edges)), 1), dice=self.dice)

    def view(self, running: bool) -> dict[str, Any]:
        """As screens see it; `running`: rolls are still taken."""
        return {
            "wanted": self.wanted,
            "dice": self.dice,
            "running": running and not self.done,
            "rolls": [reading_view(reading) for reading in self.readings],
            "advice": [],
        }
