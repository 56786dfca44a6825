"""The course of a film: who is where when. A hand throws dice, they lie, the hand takes them away; again
and again.

Only times and poses; nothing here knows of renderers. Each throw is a `Take` with its own clock, from the
hand's entry to the empty tray; a film is takes one after the other.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from models.training.render.flight import Flight
from models.training.render.hand import pose

Pose = tuple[NDArray[np.float64], NDArray[np.float64]]
AWAY: Pose = (np.eye(3), np.array([0.0, 0.0, -9.0]))
"""Below the table, where nobody sees it."""

OUTSIDE = (0.36, -0.30, 0.09)
ENTER_S, LEAVE_S, REACH_S, GRIP_S = 0.34, 0.38, 0.20, 0.07


@dataclass(frozen=True)
class Moment:
    """Poses at one time: of each die, and of the open and the closed hand (one of them `AWAY`, or both)."""

    dice: tuple[Pose, ...]
    open_hand: Pose = AWAY
    closed_hand: Pose = AWAY

    @property
    def all(self) -> tuple[Pose, ...]:
        """All poses, the dice first."""
        return (*self.dice, self.open_hand, self.closed_hand)

    @property
    def bare(self) -> bool:
        """Whether neither hand nor dice are to be seen."""
        return all(each[1][2] < -1 for each in self.all)


@dataclass(frozen=True)
class Take:
    """One throw. Seconds on its own clock: the hand comes in at 0, lets go at `release`, the dice lie still
    from `rest` on, the hand comes back at `back`, first touches a die at `touch`, has gone at `gone`, and
    the tray stays empty until `end`.
    """

    flight: Flight
    start: tuple[float, float, float]
    heading: float
    release: float
    rest: float
    back: float
    touch: float
    gone: float
    end: float
    picks: tuple[tuple[int, float], ...]

    def at(self, time: float) -> Moment:
        """Where everything is at `time`."""
        open_hand, closed_hand = self._hands(time)
        return Moment(
            tuple(self._die(index, time) for index in range(len(self.flight.values))), open_hand, closed_hand
        )

    def _die(self, index: int, time: float) -> Pose:
        if time < self.release:
            return AWAY
        taken = next(when for which, when in self.picks if which == index)
        positions, rotations = self.flight.at(min(time, self.rest) - self.release)
        if time < taken:
            return rotations[index], positions[index]
        # In the fingers it rises with the hand, and once the next one is reached for it is in the palm, out
        # of sight.
        if time < taken + GRIP_S:
            return rotations[index], positions[index] + [0.0, 0.0, 0.012 * (time - taken) / GRIP_S]
        return AWAY

    def _hands(self, time: float) -> tuple[Pose, Pose]:
        if time < self.release:
            return AWAY, self._on_way([(0.0, OUTSIDE), (self.release, self.start)], time)
        if time < self.release + LEAVE_S:
            way = [(self.release, self.start), (self.release + LEAVE_S, OUTSIDE)]
            return self._on_way(way, time), AWAY
        if time < self.back or time >= self.gone:
            return AWAY, AWAY
        last = self.picks[-1][1] + GRIP_S
        if time >= last:
            return AWAY, self._on_way([(last, self._above(self.picks[-1][0])), (self.gone, OUTSIDE)], time)
        way = [(self.back, OUTSIDE)]
        for which, when in self.picks:
            way += [(when, self._above(which)), (when + GRIP_S, self._above(which, 0.012))]
        return self._on_way(way, time), AWAY

    def _above(self, index: int, lift: float = 0.0) -> tuple[float, float, float]:
        x, y, _ = self.flight.positions[-1, index]
        return (float(x), float(y), 0.016 + lift)

    def _on_way(self, way: Sequence[tuple[float, tuple[float, float, float]]], time: float) -> Pose:
        """Between two places of a way: slow, fast, slow, and over the rim in an arc."""
        for (t0, a), (t1, b) in pairwise(way):
            if time <= t1:
                part = float(np.clip((time - t0) / max(t1 - t0, 1e-9), 0, 1))
                smooth = part * part * (3 - 2 * part)
                height = 0.5 * float(np.hypot(b[0] - a[0], b[1] - a[1])) * smooth * (1 - smooth) * 0.8
                x, y, z = (u + smooth * (v - u) for u, v in zip(a, b, strict=True))
                return pose((x, y, z + height), self.heading, 0.05)
        return pose(way[-1][1], self.heading, 0.05)


def take(
    flight: Flight, start: tuple[float, float, float], heading: float, *, rest_s: float, empty_s: float
) -> Take:
    """Arrange a throw: the dice lie `rest_s` seconds until they are touched, then the tray is empty for `empty_s`."""
    release = ENTER_S
    rest = release + flight.length
    touch = rest + rest_s
    order = sorted(range(len(flight.values)), key=lambda index: -flight.positions[-1, index, 0])
    picks = tuple((index, touch + number * (REACH_S + GRIP_S)) for number, index in enumerate(order))
    gone = picks[-1][1] + GRIP_S + LEAVE_S
    return Take(flight, start, heading, release, rest, touch - ENTER_S, touch, gone, gone + empty_s, picks)


def moves(take_: Take, time: float, shutter: float) -> float:
    """How far anything in sight moves between `time` and `time + shutter`, metres."""
    one, other = take_.at(time), take_.at(time + shutter)
    furthest = 0.0
    for a, b in zip(one.all, other.all, strict=True):
        if a[1][2] < -1 and b[1][2] < -1:
            continue
        turned = 0.009 * float(np.linalg.norm(a[0] - b[0]))
        furthest = max(furthest, min(1.0, float(np.linalg.norm(a[1] - b[1])) + turned))
    return furthest
