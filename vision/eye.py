"""The reader as the watcher uses it: through the profile of the table, and after a fault not at once again."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from calibration.profile import Place, Profile, TrayView
from vision.frames import Frame, Image
from vision.roll import DieReading, Reading

FIRST_PAUSE_S = 0.25
LONGEST_PAUSE_S = 2.0
"""A reader that fails is asked again after a pause; it doubles from the first to the longest, seconds of the frames."""


@dataclass(frozen=True, slots=True)
class Seen:
    """One frame as read: the dice in the tray and in the kept zone, and those that lie beside. In its pixels."""

    reading: Reading
    beside: tuple[DieReading, ...] = ()

    @property
    def all(self) -> tuple[DieReading, ...]:
        """All dice in sight."""
        return (*self.reading.dice, *self.beside)


class Eye:
    """Reads frames. `fault` says why the last reading failed, None once one has succeeded, and before the first."""

    def __init__(self, read: Callable[[Image], Reading], profile: Profile) -> None:
        self._read = read
        self.profile = profile
        self.fault: Exception | None = None
        self._pause = 0.0
        self._ask_again = -1e9

    def rests(self, now: float) -> bool:
        """Whether it is too soon after a fault to ask again."""
        return now < self._ask_again

    def look(self, frame: Frame, now: float) -> Seen:
        """Read the tray in a frame. Raises what the reader raises, and notes it as of `now`, seconds of the source."""
        view = self.profile.view(frame)
        try:
            reading = self._read(view.image)
        except Exception as error:
            self.fault = error
            self._pause = min(2 * self._pause, LONGEST_PAUSE_S) if self._pause else FIRST_PAUSE_S
            self._ask_again = now + self._pause
            raise
        self.fault = None
        self._pause = 0.0
        reading = in_frame(reading, view, frame.image)
        places = self.places(reading.dice)
        if "beside" not in places:
            return Seen(reading)
        pairs = list(zip(reading.dice, places, strict=True))
        inside = tuple(die for die, place in pairs if place != "beside")
        return Seen(replace(reading, dice=inside), tuple(die for die, place in pairs if place == "beside"))

    def more(
        self, frame: Frame, seen: Seen, rested: Iterable[Frame], now: float, most: int
    ) -> list[tuple[Frame, Seen]]:
        """Read others of the `rested` frames beside `frame`, `most` in all, the newest first; they come oldest first.

        Where the reader fails now, what it has said must do.
        """
        pairs = [(frame, seen)]
        for each in sorted(rested, key=lambda other: -other.index):
            if len(pairs) == most:
                break
            if each.index == frame.index:
                continue
            try:
                pairs.append((each, self.look(each, now)))
            except Exception as error:
                if error is not self.fault:
                    raise
                break
        return sorted(pairs, key=lambda pair: pair[0].index)

    def places(self, dice: Sequence[DieReading]) -> tuple[Place, ...]:
        """Where each of the dice lies."""
        if not dice:
            return ()
        return self.profile.where(np.array([die.center for die in dice], dtype=np.float64))


def in_frame(reading: Reading, view: TrayView, picture: Image) -> Reading:
    """A reading of a view, told in the pixels of the frame whose `picture` (h, w, 3) it was taken from."""
    dice = tuple(replace(die, box=view.box(die.box)) for die in reading.dice)
    return replace(reading, dice=dice, width=picture.shape[1], height=picture.shape[0])
