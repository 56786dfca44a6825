"""How dice and hands move: made up backwards from where they come to rest, so that every throw ends as wished."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Generic, TypeVar

import numpy as np

from benchmarks.clips.die import Look, Pose, lowest, turned
from benchmarks.clips.view import Points

Thing = TypeVar("Thing")
ROCK_S = 0.12
"""How long a die rocks on the face that it has fallen on, seconds."""
UNSEEN_S = 0.6 * ROCK_S
"""In the last part of that it rocks by less than half a degree, which nobody sees."""


class Track(Generic[Thing]):
    """What something does in the course of a clip: from each of some times on another function of time."""

    def __init__(self, first: Thing) -> None:
        self._starts: list[float] = [-1e9]
        self._parts: list[Callable[[float], Thing]] = [lambda _: first]

    def then(self, start: float, part: Callable[[float], Thing]) -> None:
        """From `start` seconds on."""
        assert start >= self._starts[-1], "parts come in the order of their times"
        self._starts.append(start)
        self._parts.append(part)

    def stay(self, start: float, value: Thing) -> None:
        """The same from `start` seconds on."""
        self.then(start, lambda _: value)

    def at(self, time: float) -> Thing:
        """What it is at `time`."""
        return self._parts[bisect_right(self._starts, time) - 1](time)


def smooth(part: float) -> float:
    """0 to 1 with a soft start and end."""
    part = min(max(part, 0.0), 1.0)
    return part * part * (3 - 2 * part)


def along(stops: Sequence[tuple[float, Points]], lift: float = 0.0) -> Callable[[float], Points]:
    """A way through (time, place) stops, slow at each; `lift` edges higher between them."""

    def place(time: float) -> Points:
        if time <= stops[0][0]:
            return stops[0][1]
        for (t0, a), (t1, b) in pairwise(stops):
            if time <= t1:
                part = smooth((time - t0) / max(t1 - t0, 1e-9))
                out = a + part * (b - a)
                return np.asarray(out + np.array([0, 0, lift * 4 * part * (1 - part)]))
        return stops[-1][1]

    return place


def flight(
    look: Look,
    rest: Pose,
    start: Points,
    begin: float,
    end: float,
    rng: np.random.Generator,
) -> Callable[[float], Pose]:
    """A throw from `start` (3,) at `begin` seconds, that lies as `rest` from `end` seconds on: it hops, tumbles over
    its edges ever more slowly, falls on its face and rocks a little."""
    way = rest.position[:2] - start[:2]
    far = float(np.hypot(*way))
    ahead = way / max(far, 1e-6)
    side = np.array([-ahead[1], ahead[0]])
    bend = float(rng.normal(0, 0.12)) * far
    turns = (round(far * 0.55) + int(rng.integers(2, 5))) * np.pi / 2
    roll_axis = np.array([-ahead[1], ahead[0], 0.0]) + rng.normal(0, 0.12, 3)
    spin = float(rng.normal(0, 2.5))
    hops = float(rng.uniform(2.2, 4.2))
    high = float(rng.uniform(0.5, 1.6))
    rock = float(rng.uniform(0.02, 0.06))
    landing = end - ROCK_S

    def pose(time: float) -> Pose:
        if time >= end:
            return rest
        if time >= landing:
            part = (time - landing) / ROCK_S
            lean = rock * np.exp(-4 * part) * np.sin(part * 4 * np.pi) * (1 - part)
            rotation = turned(roll_axis, lean) @ rest.rotation
            return Pose(
                rotation, np.array([*rest.position[:2], rest.position[2] + _raise(rotation, rest, look)])
            )
        part = (time - begin) / (landing - begin)
        left = 1 - part
        rotation = (
            turned((0, 0, 1), spin * left**1.5) @ turned(roll_axis, -turns * left**1.25) @ rest.rotation
        )
        gone = 1 - left**1.8
        flat = start[:2] + gone * way + side * bend * gone * (1 - gone)
        hop = high * abs(np.sin(hops * np.pi * part)) * left**1.5
        fall = max(0.0, start[2] - 0.5) * max(0.0, 1 - part * 5) ** 2
        return Pose(rotation, np.array([*flat, rest.position[2] + _raise(rotation, rest, look) + hop + fall]))

    return pose


def _raise(rotation: Points, rest: Pose, look: Look) -> float:
    """How much higher the middle is than at rest, when the lowest point touches the floor."""
    return lowest(rotation, look) - lowest(rest.rotation, look)
